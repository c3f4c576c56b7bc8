//! Game records: games as they were played, as JSON objects, one per line.
//!
//! `player`, `ruleset` (its name), `rules` (see [`FullRules`]), `seed`, `lines`, `pieces`,
//! `finished`, `complete` (whether every placement was recorded) and `placements` (such as `Te3`,
//! separated by blanks). A game that started on a non-empty board has `start` (its rows, top row
//! first), and a stepped game played by inputs has `inputs` (see
//! [`InputLog`](tetrolab_core::record::InputLog)). A game is replayed from its `rules`; the name is
//! informative. If the randomizer refers to player files, `files` contains their texts; no other
//! file is ever read for a record.

use super::{LineError, read_line, with_fields};
use crate::arena::GameResult;
use crate::library::{FileError, FileSource, FullRules, GivenFiles, Lines};
use crate::ordered_file::OrderedFile;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::path::Path;
use tetrolab_core::board::Board;
use tetrolab_core::placement::Placement;
use tetrolab_core::record::{GameRecord, ShortPlacement};
use tetrolab_core::ruleset::{Ruleset, RulesetError, RulesetParts};
use tetrolab_core::spec::Spec;

/// A recorded game in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedGame {
    /// The line of the file, starting at 1.
    pub line: usize,
    /// The game.
    pub record: GameRecord,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct GameLine {
    player: String,
    ruleset: String,
    #[serde(deserialize_with = "known_rules")]
    rules: FullRules,
    seed: u64,
    lines: u64,
    pieces: u64,
    finished: bool,
    complete: bool,
    placements: String,
    #[serde(default, skip_serializing_if = "GivenFiles::is_empty")]
    files: GivenFiles,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inputs: Option<String>,
}

/// Reads rules written by other versions; like the record itself, they may have additional fields.
fn known_rules<'de, D: Deserializer<'de>>(from: D) -> Result<FullRules, D::Error> {
    let mut rules: Map<String, Value> = with_fields(from)?;
    rules.retain(|field, _| FullRules::FIELDS.contains(&field.as_str()));
    with_fields(Value::Object(rules)).map_err(D::Error::custom)
}

impl TryFrom<GameLine> for GameRecord {
    type Error = LineError;

    fn try_from(line: GameLine) -> Result<GameRecord, LineError> {
        let rules = RulesetParts {
            name: line.ruleset,
            ..line.rules.parts().map_err(LineError::new)?
        };
        let start = line.start.map(|rows| start(&rows, &rules));
        let placements = line.placements.split_whitespace().map(str::parse);
        let inputs = line.inputs.map(|inputs| inputs.parse());
        Ok(GameRecord {
            player: line.player,
            files: line.files,
            seed: line.seed,
            start: start.transpose()?,
            inputs: inputs
                .transpose()
                .map_err(|error| LineError::in_field("inputs", error))?,
            placements: placements
                .collect::<Result<_, _>>()
                .map_err(LineError::new)?,
            complete: line.complete,
            lines: line.lines,
            pieces: line.pieces,
            finished: line.finished,
            rules,
        })
    }
}

/// The initial board of a game.
fn start(rows: &[String], rules: &RulesetParts) -> Result<Board, LineError> {
    let board = Board::from_lowest_rows(rules.width, rules.height, rows);
    let board = board.map_err(|error| LineError::in_field("start", error))?;
    if board.full_rows() != 0 {
        let problem = "expected rows that are not full, found a full row";
        return Err(LineError::in_field("start", problem));
    }
    Ok(board)
}

impl From<&GameRecord> for GameLine {
    fn from(record: &GameRecord) -> GameLine {
        let placements: Vec<String> = record.placements.iter().map(ToString::to_string).collect();
        let start = record.start.map(|board| {
            let mut rows = board.to_rows();
            let empty = rows.iter().take_while(|row| !row.contains('#')).count();
            rows.split_off(empty)
        });
        GameLine {
            player: record.player.clone(),
            ruleset: record.rules.name.clone(),
            rules: FullRules {
                name: String::new(),
                ..FullRules::from(&record.rules)
            },
            seed: record.seed,
            lines: record.lines,
            pieces: record.pieces,
            finished: record.finished,
            complete: record.complete,
            placements: placements.join(" "),
            files: record.files.clone(),
            start,
            inputs: record.inputs.as_ref().map(ToString::to_string),
        }
    }
}

/// Reads the games of a file, or only the one with this number, from 1.
///
/// # Errors
/// If the file cannot be read, or a requested game is missing or invalid.
pub fn read(path: &Path, wanted: Option<usize>) -> Result<Vec<RecordedGame>, FileError> {
    let (mut games, mut count) = (Vec::new(), 0);
    for numbered in Lines::open(path)? {
        let (line, text) = numbered?;
        count += 1;
        if wanted.is_none_or(|wanted| wanted == count) {
            let record = parse(&text);
            let record =
                record.map_err(|error| FileError::at_line(path, line, error.to_string()))?;
            games.push(RecordedGame { line, record });
        }
    }
    let problem = match wanted {
        _ if !games.is_empty() => return Ok(games),
        Some(wanted) if count > 0 => {
            format!("expected a game number from 1 to {count}, got {wanted}")
        }
        _ => "expected games, found none".to_owned(),
    };
    Err(FileError::of_file(path, problem))
}

/// Reads one line.
///
/// # Errors
/// If it is not a game record.
pub fn parse(line: &str) -> Result<GameRecord, LineError> {
    read_line::<GameLine>(line)?.try_into()
}

/// The record as a line of a file.
pub fn to_json(record: &GameRecord) -> Value {
    serde_json::to_value(GameLine::from(record)).expect("a game record is JSON")
}

/// Writes games to a new file. The file gets its name only when it is complete.
///
/// # Errors
/// If the name already exists, or the file cannot be written.
pub fn write(path: &Path, records: &[GameRecord]) -> Result<(), FileError> {
    let mut file = OrderedFile::create(path, "records")?;
    for record in records {
        file.append(&to_json(record).to_string())?;
    }
    file.finish(|_| true)
}

/// The ruleset of a recorded game. No file is read.
///
/// # Errors
/// If the rules of the record are invalid.
pub fn ruleset(record: &GameRecord) -> Result<Ruleset, RulesetError> {
    let source = FileSource::Given(&record.files);
    let evaluators = |spec: &Spec, width| source.evaluator(spec, width);
    Ruleset::new(record.rules.clone(), &evaluators)
}

/// A ruleset with the texts of the player files that it refers to, which are read once for all
/// games.
pub(crate) struct RecordedRules<'a> {
    ruleset: &'a Ruleset,
    files: GivenFiles,
}

impl<'a> RecordedRules<'a> {
    pub(crate) fn of(
        ruleset: &'a Ruleset,
        library: FileSource<'_>,
    ) -> Result<RecordedRules<'a>, FileError> {
        let files = library.files_of(&ruleset.randomizer_spec)?;
        Ok(RecordedRules { ruleset, files })
    }

    /// The record of a game played by the arena.
    pub(crate) fn record(
        &self,
        (player, seed): (&str, u64),
        game: &GameResult,
        placements: &[Placement],
    ) -> GameRecord {
        let short = match self.ruleset.stepped() {
            Some(_) => ShortPlacement::stepped,
            None => ShortPlacement::from,
        };
        GameRecord {
            player: player.to_owned(),
            rules: self.ruleset.parts(),
            files: self.files.clone(),
            seed,
            start: None,
            inputs: None,
            complete: placements.len() as u64 == game.pieces,
            placements: placements.iter().copied().map(short).collect(),
            lines: game.lines,
            pieces: game.pieces,
            finished: game.finished,
        }
    }
}

#[cfg(test)]
mod tests;

//! Files of game records: games as they were played, as JSON objects, one per line.
//!
//! `player`, `ruleset` (its name), `rules` (`width`, `height`, `end`, `preview`, `randomizer`, and `moves` of stepped games), `seed`, `lines`, `pieces`,
//! `finished`, `complete` (whether every placement was kept) and `placements` (such as `Te3`, with blanks between). A game that began on a board with something
//! on it has `start` (its rows, the top one first), and one that someone steered has `inputs` (see [`InputLog`]).
//! A game is played again from its `rules`; the name is only shown. If the randomizer names player files, `files` holds their texts: no other
//! file is read for a record, whatever it says.

use crate::arena::{GameResult, Played};
use crate::library::{FileError, FileSource, GivenFiles, Lines};
use crate::records::in_a_line;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tetrolab_core::board::{Board, BoardError};
use tetrolab_core::ends::End;
use tetrolab_core::placement::Placement;
use tetrolab_core::record::{
    GameRecord, InputLog, InputLogError, ShortPlacement, ShortPlacementError,
};
use tetrolab_core::ruleset::{DROPS, Ruleset, RulesetError, RulesetParts};
use tetrolab_core::spec::{Spec, SpecError};

/// What is wrong with a line of a file of game records.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameRecordError {
    /// The line is not a JSON object.
    #[error("is not a JSON object: {0}")]
    Json(String),
    /// A field is missing or of the wrong kind.
    #[error("'{field}' must be {expected}")]
    Field {
        /// The field.
        field: &'static str,
        /// What it should be.
        expected: String,
    },
    /// The randomizer is not written like one.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A placement is not written like one.
    #[error(transparent)]
    Placement(#[from] ShortPlacementError),
    /// The board at the start is none.
    #[error("'start': {0}")]
    Start(#[from] BoardError),
    /// The inputs are not written like some.
    #[error("'inputs': {0}")]
    Inputs(#[from] InputLogError),
}

/// A game of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedGame {
    /// The line of the file, the first being 1.
    pub line: usize,
    /// The game.
    pub record: GameRecord,
}

/// Reads the games of a file, or the one with this number, the first being 1.
///
/// # Errors
/// When the file cannot be read, a game that is asked for is wrong, or there is none.
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
    match (games.is_empty(), wanted) {
        (true, Some(wanted)) if count > 0 => {
            let problem = format!("holds {count} game(s); there is no game {wanted}");
            Err(FileError::of_file(path, problem))
        }
        (true, _) => Err(FileError::of_file(path, "holds no games")),
        _ => Ok(games),
    }
}

/// Reads one line.
///
/// # Errors
/// Says what is wrong with it.
pub fn parse(line: &str) -> Result<GameRecord, GameRecordError> {
    let json: Value =
        serde_json::from_str(line).map_err(|error| GameRecordError::Json(in_a_line(&error)))?;
    if !json.is_object() {
        let problem = "an object in braces is needed".to_owned();
        return Err(GameRecordError::Json(problem));
    }
    let placements = text(&json, "placements")?.split_whitespace();
    Ok(GameRecord {
        player: text(&json, "player")?.to_owned(),
        rules: rules(&json)?,
        files: files(&json)?,
        seed: whole(&json, "seed")?,
        start: start(&json)?,
        inputs: inputs(&json)?,
        placements: placements.map(str::parse).collect::<Result<_, _>>()?,
        complete: truth(&json, "complete")?,
        lines: whole(&json, "lines")?,
        pieces: whole(&json, "pieces")?,
        finished: truth(&json, "finished")?,
    })
}

fn rules(json: &Value) -> Result<RulesetParts, GameRecordError> {
    let rules = &json["rules"];
    if !rules.is_object() {
        return Err(field(
            "rules",
            "an object with width, height, end, preview and randomizer",
        ));
    }
    // What is too large for the machine is too large for a board: the ruleset refuses it.
    let size = |name| whole(rules, name).map(|size| usize::try_from(size).unwrap_or(usize::MAX));
    let moves: Spec = match rules.get("moves") {
        Some(_) => text(rules, "moves")?.parse()?,
        None => Spec::name(DROPS),
    };
    // Stepped games have no end; earlier versions wrote one.
    let is_drops = moves == Spec::name(DROPS);
    let end = is_drops.then(|| Ok::<_, GameRecordError>(End::find(text(rules, "end")?)?));
    Ok(RulesetParts {
        name: text(json, "ruleset")?.to_owned(),
        width: size("width")?,
        height: size("height")?,
        end: end.transpose()?,
        preview: size("preview")?,
        randomizer: text(rules, "randomizer")?.parse()?,
        moves,
    })
}

/// The texts of the player files that the rules name.
fn files(json: &Value) -> Result<GivenFiles, GameRecordError> {
    let Some(files) = json.get("files") else {
        return Ok(GivenFiles::new());
    };
    let wrong = || field("files", "an object with the text of every player file");
    let files = files.as_object().ok_or_else(wrong)?.iter();
    let pair = |(name, text): (&String, &Value)| Some((name.clone(), text.as_str()?.to_owned()));
    files.map(|file| pair(file).ok_or_else(wrong)).collect()
}

/// The board on which the game began, if it was not empty.
fn start(json: &Value) -> Result<Option<Board>, GameRecordError> {
    let Some(start) = json.get("start") else {
        return Ok(None);
    };
    let texts = start.as_array().and_then(|rows| {
        let texts = rows.iter().map(Value::as_str);
        texts.collect::<Option<Vec<&str>>>()
    });
    let rows = texts.ok_or_else(|| field("start", "a list of rows, the top one first"))?;
    let RulesetParts { width, height, .. } = rules(json)?;
    let board = Board::from_lowest_rows(width, height, &rows)?;
    match board.full_rows() {
        0 => Ok(Some(board)),
        _ => Err(field("start", "a list of rows of which none is full")),
    }
}

fn inputs(json: &Value) -> Result<Option<InputLog>, GameRecordError> {
    match json.get("inputs") {
        None => Ok(None),
        Some(_) => Ok(Some(text(json, "inputs")?.parse()?)),
    }
}

fn field(field: &'static str, expected: &str) -> GameRecordError {
    let expected = expected.to_owned();
    GameRecordError::Field { field, expected }
}

fn text<'a>(json: &'a Value, name: &'static str) -> Result<&'a str, GameRecordError> {
    json[name].as_str().ok_or_else(|| field(name, "a text"))
}

fn whole(json: &Value, name: &'static str) -> Result<u64, GameRecordError> {
    json[name]
        .as_u64()
        .ok_or_else(|| field(name, "a whole number"))
}

fn truth(json: &Value, name: &'static str) -> Result<bool, GameRecordError> {
    json[name]
        .as_bool()
        .ok_or_else(|| field(name, "true or false"))
}

/// The record as a line of a file holds it.
#[must_use]
pub fn to_json(record: &GameRecord) -> Value {
    let rules = &record.rules;
    let placements: Vec<String> = record.placements.iter().map(ToString::to_string).collect();
    let mut json = json!({
        "player": record.player,
        "ruleset": rules.name,
        "rules": {
            "width": rules.width,
            "height": rules.height,
            "preview": rules.preview,
            "randomizer": rules.randomizer.to_string(),
        },
        "seed": record.seed,
        "lines": record.lines,
        "pieces": record.pieces,
        "finished": record.finished,
        "complete": record.complete,
        "placements": placements.join(" "),
    });
    match rules.end {
        Some(end) => json["rules"]["end"] = end.name().into(),
        None => json["rules"]["moves"] = rules.moves.to_string().into(),
    }
    if !record.files.is_empty() {
        json["files"] = json!(record.files);
    }
    if let Some(start) = &record.start {
        let rows = start.to_rows();
        let empty = rows.iter().take_while(|row| !row.contains('#')).count();
        json["start"] = rows[empty..].into();
    }
    if let Some(inputs) = &record.inputs {
        json["inputs"] = inputs.to_string().into();
    }
    json
}

/// The ruleset under which a recorded game was played. No file is read for it.
///
/// # Errors
/// When the rules of the record make no game.
pub fn ruleset(record: &GameRecord) -> Result<Ruleset, RulesetError> {
    let source = FileSource::Given(&record.files);
    let evaluators = |spec: &Spec, width| source.evaluator(spec, width);
    Ruleset::new(record.rules.clone(), &evaluators)
}

/// The texts of the player files that a ruleset names: a record carries them.
///
/// # Errors
/// When one cannot be read.
pub fn files_of(ruleset: &Ruleset) -> Result<GivenFiles, FileError> {
    FileSource::Disk.files_of(&ruleset.randomizer_spec)
}

/// A ruleset with the texts of the player files that it names, which are read once for all games.
pub(crate) struct RecordedRules<'a> {
    ruleset: &'a Ruleset,
    files: GivenFiles,
}

impl<'a> RecordedRules<'a> {
    pub(crate) fn of(ruleset: &'a Ruleset) -> Result<RecordedRules<'a>, FileError> {
        let files = files_of(ruleset)?;
        Ok(RecordedRules { ruleset, files })
    }

    /// The line of a file that holds a game of the arena.
    pub(crate) fn line(
        &self,
        (player, seed): (&str, u64),
        game: &GameResult,
        placements: &[Placement],
    ) -> String {
        to_json(&record((player, seed), self, game, placements)).to_string()
    }
}

/// The record of a game of the arena.
fn record(
    (player, seed): (&str, u64),
    RecordedRules { ruleset, files }: &RecordedRules<'_>,
    game: &GameResult,
    placements: &[Placement],
) -> GameRecord {
    let placements = placements.iter().copied();
    let short = match ruleset.stepped() {
        Some(_) => ShortPlacement::stepped,
        None => ShortPlacement::from,
    };
    let placements: Vec<_> = placements.map(short).collect();
    GameRecord {
        player: player.to_owned(),
        rules: ruleset.parts(),
        files: files.clone(),
        seed,
        start: None,
        inputs: None,
        complete: placements.len() as u64 == game.pieces,
        placements,
        lines: game.lines,
        pieces: game.pieces,
        finished: game.finished,
    }
}

/// A new file of records. It appears under its name only when it is whole; until then it has `.part` behind its name,
/// and is taken away if it is not finished.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    part: PathBuf,
    out: BufWriter<File>,
}

impl RecordFile {
    /// Begins a file.
    ///
    /// # Errors
    /// When something has that name already, whatever it is, or the file cannot be made.
    pub fn create(path: &Path) -> Result<RecordFile, FileError> {
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        // A link that leads nowhere is something too; hence not `exists`.
        if fs::symlink_metadata(path).is_ok() {
            let problem = "exists already; records are written to a new file";
            return Err(FileError::of_file(path, problem));
        }
        // `create_new`, for the other file may be that of a run which is still playing.
        let file = File::create_new(&part).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                let problem =
                    "exists already; another run writes it, or one that was killed left it";
                FileError::of_file(&part, problem)
            }
            _ => FileError::creating(path, &error),
        })?;
        Ok(RecordFile {
            path: path.to_owned(),
            part,
            out: BufWriter::new(file),
        })
    }

    /// Writes the games of all players, whose placements were kept.
    ///
    /// # Errors
    /// When the file cannot take them.
    pub fn write(&mut self, ruleset: &Ruleset, played: &[Played]) -> Result<(), FileError> {
        let rules = RecordedRules::of(ruleset)?;
        for arm in played {
            for (game, placements) in arm.games.iter().zip(&arm.placements) {
                let of = (arm.name.as_str(), arm.seed_of(game));
                self.add(&record(of, &rules, game, placements))?;
            }
        }
        Ok(())
    }

    /// Writes one game.
    ///
    /// # Errors
    /// When the file cannot take it.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), FileError> {
        let json = to_json(record);
        writeln!(self.out, "{json}").map_err(|error| FileError::writing(&self.path, &error))
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// When the file cannot take the last games, or the name.
    pub fn finish(mut self) -> Result<(), FileError> {
        let done = self.out.flush();
        let done = done.and_then(|()| fs::rename(&self.part, &self.path));
        done.map_err(|error| FileError::writing(&self.path, &error))
    }
}

impl Drop for RecordFile {
    fn drop(&mut self) {
        // After `finish` there is none; and who cannot write often cannot remove either.
        let _ = fs::remove_file(&self.part);
    }
}

#[cfg(test)]
mod tests;

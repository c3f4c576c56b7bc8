//! A unit of work, and its result.

use super::{CarriedPlayer, WORK_SCHEMA, WorkError};
use crate::arena::{GameResult, Played};
use crate::context::Context;
use crate::hash::hash_of;
use crate::library::{FileSource, FullRules, find_ruleset};
use crate::study::{Evaluation, GamesGoal, Plan, StudyError};
use crate::survival::{Goal, LevelKind, METHOD, SharedLevels, SharedRepetitions};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::time::Duration;

/// The maximum number of games in a unit, so that the line of its result, with three numbers per
/// game, can be read again.
pub(super) const MOST_IN_A_UNIT: u64 = 4_000_000;
/// The maximum number of trajectories in a unit: a repetition stores the positions of all, up to
/// 1,300 bytes each.
pub(super) const MOST_TRAJECTORIES_OF_A_UNIT: usize = 100_000;

/// The maximum plausible number of pieces of a player: a thousand threads play fewer in ten years,
/// and sums of such numbers fit into 64 bits.
pub(super) const MOST_PIECES: u64 = 1_000_000_000_000_000_000;

/// The program that wrote a line: results of different programs are not mixed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramVersion {
    /// The version of tetrolab.
    pub tetrolab: String,
    /// The version of the method of a repetition.
    pub splitting: u64,
}

impl ProgramVersion {
    /// The version of this program.
    pub fn own() -> ProgramVersion {
        ProgramVersion {
            tetrolab: env!("CARGO_PKG_VERSION").to_owned(),
            splitting: METHOD,
        }
    }

    pub(super) fn check(&self) -> Result<(), WorkError> {
        let known = ProgramVersion::own();
        if *self == known {
            return Ok(());
        }
        Err(WorkError::OtherVersion(format!(
            "this line is from {self}, but this program is {known}; use the same version of tetrolab to split, work and merge"
        )))
    }
}

impl fmt::Display for ProgramVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = tetrolab_core::spec::shown(&self.tetrolab);
        write!(f, "tetrolab {version} (splitting {})", self.splitting)
    }
}

/// A range of the games, or of the repetitions, of one player of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// The version of this schema: [`WORK_SCHEMA`].
    pub schema: u32,
    /// The program that made the unit.
    pub program: ProgramVersion,
    /// The evaluation that the unit is a part of.
    pub evaluation: Evaluation,
    /// The player.
    pub player: CarriedPlayer,
    /// The game.
    pub rules: FullRules,
    /// The levels for repetitions of splitting; whole games have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<SharedLevels>,
    /// The first game or repetition.
    pub from: u64,
    /// The first game or repetition after the range.
    pub to: u64,
}

impl Unit {
    /// Reads a line.
    ///
    /// # Errors
    /// If it is not a unit.
    pub fn parse(line: &str) -> Result<Unit, WorkError> {
        let unit: Unit = versioned(line, WorkError::NotAUnit)?;
        unit.program.check()?;
        let (_, whole) = counted(&unit.evaluation)?;
        let Unit { from, to, .. } = unit;
        if from >= to || to > whole {
            return WorkError::no_range((from, to), whole);
        }
        if to - from > MOST_IN_A_UNIT {
            return WorkError::refused(format!(
                "a unit can have at most {MOST_IN_A_UNIT} games, got {}; use more units",
                to - from
            ));
        }
        Ok(unit)
    }

    /// Splits the evaluation into ranges of about equal length.
    fn cut(self, parts: u64) -> impl Iterator<Item = Unit> {
        let whole = u128::from(self.to);
        let bound = move |part: u64| (whole * u128::from(part) / u128::from(parts)) as u64;
        (0..parts).map(move |part| Unit {
            from: bound(part),
            to: bound(part + 1),
            ..self.clone()
        })
    }

    /// A hash of everything except the range: units with the same hash are parts of the same
    /// evaluation.
    pub(super) fn identity(&self) -> String {
        let whole = Unit {
            from: 0,
            to: 0,
            ..self.clone()
        };
        hash_of(&serde_json::to_string(&whole).expect("a unit is JSON"))
    }

    pub(super) fn result(&self, found: RangeResult, elapsed: Duration) -> UnitResult {
        UnitResult {
            schema: WORK_SCHEMA,
            program: self.program.clone(),
            evaluation: self.evaluation.clone(),
            player: self.player.name.clone(),
            rules: self.rules.clone(),
            identity: self.identity(),
            from: self.from,
            to: self.to,
            found,
            seconds: elapsed.as_secs_f64(),
        }
    }
}

/// Reads a line whose schema is checked first, because a later version may have unknown fields.
pub(super) fn versioned<T: DeserializeOwned>(
    line: &str,
    wrong: fn(String) -> WorkError,
) -> Result<T, WorkError> {
    #[derive(Deserialize)]
    struct Version {
        schema: u32,
    }
    let wrong = |error: serde_json::Error| wrong(crate::formats::in_a_line(&error));
    let (found, known) = (serde_json::from_str::<Version>(line), WORK_SCHEMA);
    match found.map_err(wrong)?.schema {
        found if found != known => Err(WorkError::OtherVersion(format!(
            "this line has schema {found}, but this version of tetrolab supports schema {known}"
        ))),
        _ => serde_json::from_str(line).map_err(wrong),
    }
}

/// The counted items of an evaluation, and their number.
pub(super) fn counted(evaluation: &Evaluation) -> Result<(&'static str, u64), WorkError> {
    evaluation.plan.check()?;
    match &evaluation.plan {
        Plan::Games {
            until: GamesGoal::Games(games),
            ..
        } => Ok(("games", *games)),
        Plan::Splitting {
            until: Goal::Repetitions(repetitions),
            splitting,
        } => match &splitting.level {
            level @ LevelKind::Tables(_) => WorkError::refused(format!(
                "work with the level {level} cannot be distributed, because a unit does not contain another player"
            )),
            _ if splitting.trajectories > MOST_TRAJECTORIES_OF_A_UNIT => {
                WorkError::refused(format!(
                    "a unit can have at most {MOST_TRAJECTORIES_OF_A_UNIT} trajectories per level, got {}",
                    splitting.trajectories
                ))
            }
            _ => Ok(("repetitions", *repetitions)),
        },
        _ => WorkError::refused(
            "an evaluation can only be distributed with a number of games, or of repetitions of splitting",
        ),
    }
}

/// Splits an evaluation into units: for every player, this many ranges of about equal length, none
/// of them empty or larger than a unit allows. The levels of splitting are chosen here,
/// on the threads of the context, for all units of a player.
///
/// # Errors
/// If the evaluation is invalid, or has no fixed number of games or repetitions.
pub fn split(
    evaluation: &Evaluation,
    parts: u64,
    context: &Context,
) -> Result<impl Iterator<Item = Unit> + use<>, WorkError> {
    counted(evaluation)?;
    evaluation.check(FileSource::Disk)?;
    let rules = FullRules::with_files(&find_ruleset(&evaluation.ruleset)?, FileSource::Disk)?;
    let mut units = Vec::new();
    for name in &evaluation.players {
        let mut whole = whole_of(evaluation, CarriedPlayer::new(name)?, &rules)?;
        whole.levels = context.run(|| levels_of(&whole, context))?;
        units.push(cut(whole, parts));
    }
    Ok(units.into_iter().flatten())
}

/// The units of an evaluation by games with the given player, which is not looked up by its name.
pub(crate) fn units_of(
    evaluation: &Evaluation,
    player: CarriedPlayer,
    rules: &FullRules,
    parts: u64,
) -> Result<impl Iterator<Item = Unit> + use<>, WorkError> {
    Ok(cut(whole_of(evaluation, player, rules)?, parts))
}

/// All of a player's games or repetitions as one unit.
fn whole_of(
    evaluation: &Evaluation,
    player: CarriedPlayer,
    rules: &FullRules,
) -> Result<Unit, WorkError> {
    let (_, whole) = counted(evaluation)?;
    Ok(Unit {
        schema: WORK_SCHEMA,
        program: ProgramVersion::own(),
        evaluation: evaluation.clone(),
        player,
        rules: rules.clone(),
        levels: None,
        from: 0,
        to: whole,
    })
}

fn cut(whole: Unit, parts: u64) -> impl Iterator<Item = Unit> {
    let fewest = whole.to.div_ceil(MOST_IN_A_UNIT);
    let parts = parts.clamp(fewest, whole.to);
    whole.cut(parts)
}

/// The levels for all repetitions of a player, if the player is evaluated by splitting.
fn levels_of(whole: &Unit, context: &Context) -> Result<Option<SharedLevels>, WorkError> {
    let Some((_, plan)) = whole.evaluation.plan.splitting() else {
        return Ok(None);
    };
    let ruleset = whole.rules.ruleset()?;
    let player = whole.player.player(&ruleset)?;
    let splitting = plan.of(&whole.player.name);
    let prepared = splitting.prepare(context, &*player, &ruleset, whole.evaluation.seed);
    Ok(Some(prepared.map_err(StudyError::from)?.shared_levels()))
}

/// The result of a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitResult {
    /// The version of this schema: [`WORK_SCHEMA`].
    pub schema: u32,
    /// The program that computed the result.
    pub program: ProgramVersion,
    /// The evaluation that the result is a part of.
    pub evaluation: Evaluation,
    /// The name of the player.
    pub player: String,
    /// The game.
    pub rules: FullRules,
    /// A hash of everything but the range: results with the same hash can be merged.
    pub identity: String,
    /// The first game or repetition.
    pub from: u64,
    /// The first game or repetition after the range.
    pub to: u64,
    /// The results.
    pub found: RangeResult,
    /// Duration in seconds.
    pub seconds: f64,
}

/// A unit that was not computed, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitRefused {
    /// The version of this schema: [`WORK_SCHEMA`].
    pub schema: u32,
    /// The line of the unit, starting at 1.
    pub line: usize,
    /// The problem.
    pub error: String,
    /// Whether another worker may be able to compute the unit, because the unit itself is valid.
    pub retry: bool,
}

/// The result of a range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RangeResult {
    /// Whole games.
    Games(GameColumns),
    /// Repetitions of splitting.
    Repetitions(SharedRepetitions),
}

impl RangeResult {
    /// The total number of pieces that the result claims to have played.
    pub(super) fn claimed_pieces(&self) -> u128 {
        match self {
            RangeResult::Games(games) => {
                games.pieces.iter().map(|&pieces| u128::from(pieces)).sum()
            }
            RangeResult::Repetitions(found) => found.claimed_pieces(),
        }
    }

    /// Finds numbers that are impossible on a board of this width.
    pub(super) fn check(&self, width: usize, max_pieces: Option<u64>) -> Result<(), WorkError> {
        match self {
            RangeResult::Games(games) => games.check(width, max_pieces),
            RangeResult::Repetitions(found) => found
                .implausible(MOST_PIECES)
                .map_or(Ok(()), |problem| WorkError::implausible(&problem)),
        }
    }

    /// Whether the result has exactly the items of a range.
    pub(super) fn fills(&self, range: Range<u64>) -> bool {
        match self {
            RangeResult::Games(games) => games.fill(range),
            RangeResult::Repetitions(found) => {
                found.is_sound() && found.count() == range.end - range.start
            }
        }
    }
}

/// Games, column by column.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameColumns {
    /// Lines of each game.
    pub lines: Vec<u64>,
    /// Pieces of each game.
    pub pieces: Vec<u64>,
    /// Line points of each game.
    pub line_points: Vec<u64>,
    /// Points of each game; empty if the ruleset gives no points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<u64>,
    /// Numbers of the games that the cap truncated, in order.
    pub cut_off: Vec<u64>,
}

impl GameColumns {
    pub(super) fn of(played: &Played) -> GameColumns {
        let column = |value: fn(&GameResult) -> u64| played.games.iter().map(value).collect();
        let cut_off = played.games.iter().filter(|game| !game.finished);
        let scores = played.games.iter().any(|game| game.points > 0);
        GameColumns {
            points: if scores {
                column(|game| game.points)
            } else {
                Vec::new()
            },
            lines: column(|game| game.lines),
            pieces: column(|game| game.pieces),
            line_points: column(|game| game.line_points),
            cut_off: cut_off.map(|game| game.index).collect(),
        }
    }

    /// Whether every column has a value for each game of a range, and the truncated games are in
    /// the range and sorted.
    fn fill(&self, range: Range<u64>) -> bool {
        let columns = [&self.lines, &self.pieces, &self.line_points];
        let has_all = |column: &&Vec<u64>| column.len() as u64 == range.end - range.start;
        columns.iter().all(has_all)
            && (self.points.is_empty() || has_all(&&self.points))
            && self.cut_off.iter().all(|game| range.contains(game))
            && self.cut_off.is_sorted_by(|a, b| a < b)
    }

    /// Finds numbers that no games on a board of this width can have: a piece has four cells, and
    /// cleared lines consist of such cells.
    pub(super) fn check(&self, width: usize, max_pieces: Option<u64>) -> Result<(), WorkError> {
        let wrong = |problem: String| WorkError::implausible(&problem);
        let games = self.lines.iter().zip(&self.pieces);
        for ((&lines, &pieces), &points) in games.zip(&self.line_points) {
            let cells = (u128::from(lines) * width as u128, 4 * u128::from(pieces));
            if pieces > MOST_PIECES {
                return wrong(format!("a game of {pieces} pieces"));
            }
            if cells.0 > cells.1 {
                return wrong(format!("{lines} lines with {pieces} pieces"));
            }
            if points < lines || points > lines.saturating_mul(2) {
                return wrong(format!("{points} line points for {lines} lines"));
            }
            if max_pieces.is_some_and(|most| pieces > most) {
                return wrong(format!(
                    "{pieces} pieces in a game that was truncated earlier"
                ));
            }
        }
        Ok(())
    }

    /// The games, with the number of the first.
    pub(super) fn games(&self, first: u64) -> impl Iterator<Item = GameResult> {
        let game = move |(at, &lines): (usize, &u64)| {
            let index = first + at as u64;
            GameResult {
                index,
                lines,
                pieces: self.pieces[at],
                line_points: self.line_points[at],
                points: self.points.get(at).copied().unwrap_or(0),
                finished: self.cut_off.binary_search(&index).is_err(),
            }
        };
        self.lines.iter().enumerate().map(game)
    }
}

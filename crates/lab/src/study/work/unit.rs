//! A unit of work, and its result.

use super::{CarriedPlayer, CarriedRules, WorkError};
use crate::arena::{GameResult, Played};
use crate::hash::hash_of;
use crate::library::find_ruleset;
use crate::study::{Evaluation, SCHEMA, Target};
use crate::survival::SharedRepetitions;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A range of the games, or of the repetitions, of one player of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// The version of this schema: [`SCHEMA`].
    pub schema: u32,
    /// The whole that this is a part of.
    pub evaluation: Evaluation,
    /// Who plays.
    pub player: CarriedPlayer,
    /// What is played.
    pub rules: CarriedRules,
    /// The first game or repetition.
    pub from: u64,
    /// The one after the last.
    pub to: u64,
}

impl Unit {
    /// Reads a line.
    ///
    /// # Errors
    /// When it is not a unit.
    pub fn parse(line: &str) -> Result<Unit, WorkError> {
        let unit: Unit = serde_json::from_str(line)
            .map_err(|error| WorkError::NotAUnit(crate::records::in_a_line(&error)))?;
        check_schema(unit.schema)?;
        let (_, whole) = counted(&unit.evaluation)?;
        let Unit { from, to, .. } = unit;
        match from < to && to <= whole {
            true => Ok(unit),
            false => Err(WorkError::Range { from, to, whole }),
        }
    }

    /// A hash of everything but the range: units with the same one are parts of the same whole.
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
            schema: SCHEMA,
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

pub(super) fn check_schema(found: u32) -> Result<(), WorkError> {
    let known = SCHEMA;
    match found == known {
        true => Ok(()),
        false => Err(WorkError::Schema { found, known }),
    }
}

/// What an evaluation counts, and up to which number.
pub(super) fn counted(evaluation: &Evaluation) -> Result<(&'static str, u64), WorkError> {
    match evaluation.target {
        Target::Games(games) => Ok(("games", games)),
        Target::Repetitions(repetitions) => Ok(("repetitions", repetitions)),
        _ => Err(WorkError::NotCountable),
    }
}

/// Cuts an evaluation into units: for every player so many ranges of about the same length.
///
/// # Errors
/// When the evaluation cannot be made, or has no number of games or repetitions.
pub fn split(evaluation: &Evaluation, parts: u64) -> Result<Vec<Unit>, WorkError> {
    let (_, whole) = counted(evaluation)?;
    evaluation.check()?;
    let rules = CarriedRules::new(&find_ruleset(&evaluation.ruleset)?)?;
    let parts = parts.clamp(1, whole.max(1));
    let bound = |part: u64| (u128::from(whole) * u128::from(part) / u128::from(parts)) as u64;
    let mut units = Vec::new();
    for name in &evaluation.players {
        let player = CarriedPlayer::new(name)?;
        units.extend((0..parts).map(|part| Unit {
            schema: SCHEMA,
            evaluation: evaluation.clone(),
            player: player.clone(),
            rules: rules.clone(),
            from: bound(part),
            to: bound(part + 1),
        }));
    }
    Ok(units)
}

/// What a unit gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitResult {
    /// The version of this schema: [`SCHEMA`].
    pub schema: u32,
    /// The whole that this is a part of.
    pub evaluation: Evaluation,
    /// The name of the player.
    pub player: String,
    /// What was played.
    pub rules: CarriedRules,
    /// A hash of everything but the range: results with the same one belong together.
    pub identity: String,
    /// The first game or repetition.
    pub from: u64,
    /// The one after the last.
    pub to: u64,
    /// What was found.
    pub found: RangeResult,
    /// How long it took.
    pub seconds: f64,
}

/// A unit that was not done, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitRefused {
    /// The version of this schema: [`SCHEMA`].
    pub schema: u32,
    /// The line of the unit, from 1.
    pub line: usize,
    /// What is wrong.
    pub error: String,
}

/// What a range gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RangeResult {
    /// Whole games.
    Games(GameColumns),
    /// Repetitions of splitting.
    Repetitions(SharedRepetitions),
}

impl RangeResult {
    /// Whether it has all of a range of so many.
    pub(super) fn has(&self, count: u64) -> bool {
        match self {
            RangeResult::Games(games) => games.has(count),
            RangeResult::Repetitions(range) => range.is_sound() && range.count() == count,
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
    /// Numbers of the games that the cap cut off, in order.
    pub cut_off: Vec<u64>,
}

impl GameColumns {
    pub(super) fn of(played: &Played) -> GameColumns {
        let column = |value: fn(&GameResult) -> u64| played.games.iter().map(value).collect();
        let cut_off = played.games.iter().filter(|game| !game.finished);
        GameColumns {
            lines: column(|game| game.lines),
            pieces: column(|game| game.pieces),
            line_points: column(|game| game.line_points),
            cut_off: cut_off.map(|game| game.index).collect(),
        }
    }

    /// Whether there is a value for each of so many games.
    fn has(&self, games: u64) -> bool {
        let columns = [&self.lines, &self.pieces, &self.line_points];
        columns.iter().all(|column| column.len() as u64 == games)
    }

    /// The games, of which this is the number of the first.
    pub(super) fn games(&self, first: u64) -> impl Iterator<Item = GameResult> {
        let game = move |(at, &lines): (usize, &u64)| {
            let index = first + at as u64;
            GameResult {
                index,
                lines,
                pieces: self.pieces[at],
                line_points: self.line_points[at],
                finished: self.cut_off.binary_search(&index).is_err(),
            }
        };
        self.lines.iter().enumerate().map(game)
    }
}

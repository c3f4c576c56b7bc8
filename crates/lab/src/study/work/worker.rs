//! A worker: reads units, answers with results, goes on after a bad line.

use super::unit::{Found, GameColumns, Unit, UnitRefused, UnitResult};
use super::{WorkError, unit};
use crate::arena::{Arena, GameSeries, Limits};
use crate::library::FileError;
use crate::study::{SCHEMA, StudyError};
use serde::Serialize;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// What a worker says to a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// The unit was done.
    Done(Box<UnitResult>),
    /// It was not.
    Refused(UnitRefused),
}

/// What a worker has done when there are no more lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worked {
    /// Units that were done.
    pub done: u64,
    /// Lines that were refused.
    pub refused: u64,
    /// Whether it was stopped; the unit under way then has no answer.
    pub interrupted: bool,
}

/// Does the units of all lines, one after the other on all threads, and answers each.
///
/// # Errors
/// When lines cannot be read or answers cannot be given.
pub fn work<E: From<FileError>>(
    lines: impl Iterator<Item = Result<(usize, String), FileError>>,
    arena: &Arena,
    answer: &mut dyn FnMut(&Answer) -> Result<(), E>,
) -> Result<Worked, E> {
    let mut worked = Worked::default();
    for line in lines {
        let (line, text) = line?;
        let given = match Unit::parse(&text).and_then(|unit| done(&unit, arena)) {
            Ok(Some(result)) => Answer::Done(Box::new(result)),
            Ok(None) => {
                worked.interrupted = true;
                break;
            }
            Err(error) => Answer::Refused(UnitRefused {
                schema: SCHEMA,
                line,
                error: error.to_string(),
            }),
        };
        match &given {
            Answer::Done(_) => worked.done += 1,
            Answer::Refused(_) => worked.refused += 1,
        }
        answer(&given)?;
    }
    worked.interrupted |= arena.stop().load(Ordering::Relaxed);
    Ok(worked)
}

/// Does a unit; nothing if it was stopped.
fn done(unit: &Unit, arena: &Arena) -> Result<Option<UnitResult>, WorkError> {
    let ruleset = unit.rules.ruleset()?;
    let player = unit.player.player(&ruleset)?;
    let began = Instant::now();
    let found = match unit::counted(&unit.evaluation)?.0 {
        "games" => {
            let series = GameSeries::new(&ruleset, unit.evaluation.seed).limits(Limits {
                max_pieces: unit.evaluation.max_pieces,
                record_placements: None,
            });
            let arm = (unit.player.name.as_str(), &*player);
            let played = arena.play_all(&[arm], &series, unit.from..unit.to, &|_| {});
            let played = played.map_err(StudyError::from)?;
            let games = played.first().filter(|played| !played.interrupted);
            games.map(|played| Found::Games(GameColumns::of(played)))
        }
        _ => return Err(WorkError::NotCountable),
    };
    Ok(found.map(|found| unit.result(found, began.elapsed())))
}

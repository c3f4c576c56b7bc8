//! A worker: reads units, answers with results, and continues after invalid lines.

use super::unit::{GameColumns, RangeResult, Unit, UnitRefused, UnitResult};
use super::{ReceivedModels, WORK_SCHEMA, WorkError};
use crate::arena::{GameSeries, Limits};
use crate::context::Context;
use crate::library::FileError;
use crate::study::{SplittingPlan, StudyError};
use crate::survival::{SharedRepetitions, SurvivalError};
use crate::time::Instant;
use serde::Serialize;
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;

/// The answer of a worker to a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// The unit was done.
    Done(Box<UnitResult>),
    /// The unit was not computed.
    Refused(UnitRefused),
}

/// A summary of a worker's work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worked {
    /// Number of computed units.
    pub done: u64,
    /// Number of refused lines.
    pub refused: u64,
    /// Number of refused units that another worker may be able to compute.
    pub retryable: u64,
    /// Whether the worker was stopped; the unit in progress then has no answer.
    pub interrupted: bool,
}

/// Computes the units on all lines one after the other, each on all threads, and answers each.
/// Lines with models are stored for later units and have no answer.
///
/// # Errors
/// If lines cannot be read or answers cannot be written.
pub fn work<E: From<FileError>>(
    lines: impl Iterator<Item = Result<(usize, String), FileError>>,
    models: &mut ReceivedModels,
    context: &Context,
    answer: &mut dyn FnMut(&Answer) -> Result<(), E>,
) -> Result<Worked, E> {
    let mut worked = Worked::default();
    for line in lines {
        let (line, unit) = match line {
            Ok((line, text)) => match models.take(&text) {
                Ok(true) => continue,
                Ok(false) => (line, Unit::parse(&text)),
                Err(error) => (line, Err(error)),
            },
            // A line that is not text is skipped; the next one may be a unit.
            Err(FileError {
                line: Some(line),
                problem,
                ..
            }) => (line, Err(WorkError::NotAUnit(problem))),
            Err(error) => return Err(error.into()),
        };
        let given = match unit.and_then(|unit| context.run(|| done(&unit, models, context))) {
            Ok(Some(result)) => Answer::Done(Box::new(result)),
            Ok(None) => {
                worked.interrupted = true;
                break;
            }
            Err(error) => Answer::Refused(UnitRefused {
                schema: WORK_SCHEMA,
                line,
                error: error.to_string(),
                retry: error.is_retryable(),
            }),
        };
        match &given {
            Answer::Done(_) => worked.done += 1,
            Answer::Refused(refused) => {
                worked.refused += 1;
                worked.retryable += u64::from(refused.retry);
            }
        }
        answer(&given)?;
    }
    worked.interrupted |= context.is_cancelled();
    Ok(worked)
}

/// Computes a unit; `None` if it was stopped.
fn done(
    unit: &Unit,
    models: &ReceivedModels,
    context: &Context,
) -> Result<Option<UnitResult>, WorkError> {
    let ruleset = unit.rules.ruleset()?;
    let player = models.player(&unit.player, &ruleset)?;
    let began = Instant::now();
    let found = match unit.evaluation.plan.splitting() {
        None => games(unit, context, &*player, &ruleset)?.map(RangeResult::Games),
        Some((_, plan)) => {
            repetitions(unit, plan, context, &*player, &ruleset)?.map(RangeResult::Repetitions)
        }
    };
    Ok(found.map(|found| unit.result(found, began.elapsed())))
}

fn games(
    unit: &Unit,
    context: &Context,
    player: &dyn Player,
    ruleset: &Ruleset,
) -> Result<Option<GameColumns>, StudyError> {
    let series = GameSeries::new(ruleset, unit.evaluation.seed).limits(Limits {
        max_pieces: unit.evaluation.plan.max_pieces(),
        record_placements: None,
    });
    let arm = (unit.player.name.as_str(), player);
    let played = context.play_all(&[arm], &series, unit.from..unit.to)?;
    let whole = played.first().filter(|played| !played.interrupted);
    Ok(whole.map(GameColumns::of))
}

fn repetitions(
    unit: &Unit,
    plan: &SplittingPlan,
    context: &Context,
    player: &dyn Player,
    ruleset: &Ruleset,
) -> Result<Option<SharedRepetitions>, StudyError> {
    let splitting = plan.of(&unit.player.name);
    let seed = unit.evaluation.seed;
    let prepared = match &unit.levels {
        Some(levels) => splitting.prepare_with_levels(context, (player, ruleset, seed), levels),
        None => splitting.prepare(context, player, ruleset, seed),
    };
    let range = unit.from..unit.to;
    match prepared.and_then(|prepared| prepared.repeat_range(context, range)) {
        Err(SurvivalError::Stopped) => Ok(None),
        done => Ok(Some(done?)),
    }
}

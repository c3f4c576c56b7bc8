//! Merges the results of ranges into the result of the whole.

use super::WorkError;
use super::unit::{MOST_PIECES, RangeResult, Unit, UnitResult, counted, versioned};
use crate::arena::Played;
use crate::study::evaluation::Request;
use crate::study::games::compare_with_first;
use crate::study::{Evaluated, Evaluation, Plan, PlayerResult};
use crate::survival::SharedRepetitions;
use std::time::Duration;

impl UnitResult {
    /// Reads a line.
    ///
    /// # Errors
    /// If it is not a result.
    pub fn parse(line: &str) -> Result<UnitResult, WorkError> {
        let result: UnitResult = versioned(line, WorkError::NotAResult)?;
        result.program.check()?;
        let (what, whole) = counted(&result.evaluation)?;
        let UnitResult { from, to, .. } = result;
        let is_kind = match result.found {
            RangeResult::Games(_) => what == "games",
            RangeResult::Repetitions(_) => what == "repetitions",
        };
        let is_range = from < to && to <= whole;
        if !(is_kind && is_range && result.found.fills(from..to)) {
            return WorkError::no_range((from, to), whole);
        }
        let max_pieces = result.evaluation.plan.max_pieces();
        result.found.check(result.rules.width, max_pieces)?;
        Ok(result)
    }

    /// Whether this is the result of the unit.
    pub(super) fn answers(&self, unit: &Unit) -> bool {
        (self.from, self.to) == (unit.from, unit.to)
            && self.player == unit.player.name
            && self.evaluation == unit.evaluation
            && self.rules == unit.rules
            && self.identity == unit.identity()
    }

    fn is_same(&self, other: &UnitResult) -> bool {
        self.to == other.to && self.found == other.found
    }
}

/// Merges results in any order: except for times, exactly the result of the whole evaluation.
/// Duplicate results are allowed.
///
/// # Errors
/// If results do not belong together, contradict each other, or are incomplete.
pub fn merge(results: Vec<UnitResult>) -> Result<(Evaluation, Evaluated), WorkError> {
    let (first, results) = of_one_evaluation(results)?;
    let (evaluation, ruleset) = (first.evaluation, first.rules.ruleset()?);
    let request = Request {
        evaluation: &evaluation,
        ruleset: &ruleset,
    };
    let evaluated = request.merge(&results)?;
    Ok((evaluation, evaluated))
}

/// The games of the only player of an evaluation, merged in the same way.
pub(crate) fn merge_games(results: Vec<UnitResult>) -> Result<Played, WorkError> {
    let (first, results) = of_one_evaluation(results)?;
    let (evaluation, ruleset) = (first.evaluation, first.rules.ruleset()?);
    let request = Request {
        evaluation: &evaluation,
        ruleset: &ruleset,
    };
    let own = request.in_a_row(&first.player, results.iter())?;
    Ok(request.played(&first.player, &own))
}

/// The first result and all results in order, if all belong to one evaluation under the same rules.
fn of_one_evaluation(
    mut results: Vec<UnitResult>,
) -> Result<(UnitResult, Vec<UnitResult>), WorkError> {
    let Some(first) = results.first().cloned() else {
        return WorkError::refused("expected at least one result to merge, found none");
    };
    let is_part = |result: &UnitResult| {
        let known = first.evaluation.players.contains(&result.player);
        known && result.evaluation == first.evaluation && result.rules == first.rules
    };
    if !results.iter().all(is_part) {
        return Err(WorkError::mixed());
    }
    results.sort_by_key(|result| (result.from, result.to));
    Ok((first, results))
}

impl Request<'_> {
    fn merge(&self, results: &[UnitResult]) -> Result<Evaluated, WorkError> {
        let (mut played, mut estimated) = (Vec::new(), Vec::new());
        for player in &self.evaluation.players {
            let own = results.iter().filter(|result| result.player == *player);
            let own = self.in_a_row(player, own)?;
            match self.evaluation.plan {
                Plan::Games { .. } => played.push(self.played(player, &own)),
                _ => estimated.push(self.estimated(player, &own)?),
            }
        }
        let comparisons = compare_with_first(&played)?;
        let played = played.iter().map(|arm| self.result_of_games(arm));
        let results = played.chain(estimated).collect();
        Ok(Evaluated::new(false, results, Vec::new(), comparisons))
    }

    /// The ranges of one player, each once and without gaps.
    fn in_a_row<'r>(
        &self,
        player: &str,
        sorted: impl Iterator<Item = &'r UnitResult>,
    ) -> Result<Vec<&'r UnitResult>, WorkError> {
        let (what, whole) = counted(self.evaluation)?;
        let wrong = |from: u64, to: u64, problem: &str| {
            let last = to - 1;
            WorkError::refused(format!("{what} {from} to {last} of {player} {problem}"))
        };
        let mut row: Vec<&UnitResult> = Vec::new();
        for result in sorted {
            let (from, done) = (result.from, row.last().map_or(0, |last| last.to));
            match row.last() {
                Some(last) if last.identity != result.identity => return Err(WorkError::mixed()),
                Some(last) if last.from == from && last.is_same(result) => continue,
                Some(last) if last.from == from && last.to == result.to => {
                    return wrong(from, result.to, "were done twice, and the results differ");
                }
                _ if from < done => {
                    return wrong(from, done.min(result.to), "are in two ranges that overlap");
                }
                _ if from > done => return wrong(done, from, "are missing"),
                _ => row.push(result),
            }
        }
        let pieces: u128 = row.iter().map(|result| result.found.claimed_pieces()).sum();
        if pieces > u128::from(MOST_PIECES) {
            return WorkError::implausible(&format!("{player} played {pieces} pieces"));
        }
        match row.last().map_or(0, |last| last.to) {
            done if done < whole => wrong(done, whole, "are missing"),
            _ => Ok(row),
        }
    }

    fn played(&self, player: &str, ranges: &[&UnitResult]) -> Played {
        let games = ranges.iter().filter_map(|range| match &range.found {
            RangeResult::Games(games) => Some(games.games(range.from)),
            RangeResult::Repetitions(_) => None,
        });
        Played {
            name: player.to_owned(),
            seed: self.evaluation.seed,
            games: games.flatten().collect(),
            placements: Vec::new(),
            interrupted: false,
            elapsed: elapsed(ranges),
        }
    }

    fn estimated(&self, player: &str, ranges: &[&UnitResult]) -> Result<PlayerResult, WorkError> {
        let repetitions = ranges.iter().filter_map(|range| match &range.found {
            RangeResult::Repetitions(repetitions) => Some(repetitions),
            RangeResult::Games(_) => None,
        });
        let repetitions: Vec<&SharedRepetitions> = repetitions.collect();
        let survival = SharedRepetitions::survival(&repetitions, self.ruleset.width);
        let survival = survival.ok_or_else(WorkError::mixed)?;
        Ok(self.result_of_splitting(player, &survival, elapsed(ranges)))
    }
}

/// The time that all ranges took.
fn elapsed(ranges: &[&UnitResult]) -> Duration {
    let seconds: f64 = ranges.iter().map(|range| range.seconds).sum();
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

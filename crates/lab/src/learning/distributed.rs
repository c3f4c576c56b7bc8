//! Candidates that a cluster evaluates: each is a player file in a unit of work, like any player
//! evaluated elsewhere. The seed determines the games, and the games determine the fitness, so the
//! result is the same as on one machine.

use super::context::GenerationContext;
use super::objective::{Judgement, judged_together};
use super::{LearningError, Task};
use crate::arena::Played;
use crate::learners::Solution;
use crate::library::{FileSource, FullRules};
use crate::study::work::{
    CarriedPlayer, Cluster, ClusterError, Unit, UnitResult, merge_games, units_of,
};
use crate::study::{Evaluation, GamesGoal, Plan};
use std::collections::BTreeMap;
use std::ops::Range;

impl Task {
    /// Checks that a cluster can evaluate the candidates.
    ///
    /// # Errors
    /// If there are no candidates to compare, or the objective needs more than their games.
    pub(crate) fn check_distributed(&self) -> Result<(), LearningError> {
        if !self.compares_candidates() {
            return LearningError::refused(format!(
                "{} learns from its own games in sequence, so it has no candidates that workers could evaluate",
                self.learner.learner.id
            ));
        }
        if self.objective.judge_games(&[]).is_none() {
            return LearningError::refused(format!(
                "the objective {} compares candidates while they play, so workers cannot evaluate them separately; use lines, line-points, pieces or trimmed",
                self.plan.objective
            ));
        }
        Ok(())
    }
}

impl GenerationContext<'_> {
    /// The fitness of candidates, from games played by a cluster; `None` if it was stopped.
    pub(super) fn judge_elsewhere(
        &self,
        cluster: &dyn Cluster,
        candidates: &[Vec<f64>],
    ) -> Result<Option<Judgement>, LearningError> {
        self.task.check_distributed()?;
        let rules = FullRules::with_files(&self.task.ruleset, FileSource::Disk)?;
        let parts = (2 * cluster.slots()).div_ceil(candidates.len().max(1)) as u64;
        let mut judgement = Judgement::default();
        let mut done = 0;
        let numbers = candidates.first().map_or(0, Vec::len);
        let most = most_together(numbers, parts).max(cluster.slots());
        for some in candidates.chunks(judged_together(self.task.plan.games).min(most)) {
            let mut units = Vec::new();
            for numbers in some {
                let own = self.units(done, numbers, &rules, parts);
                units.extend(own.map_err(ClusterError::from)?);
                done += 1;
            }
            let Some(results) = cluster.compute(&units, self.study)? else {
                return Ok(None);
            };
            let played = games_of(done - some.len()..done, results)?;
            let part = self.task.objective.judge_games(&played);
            part.into_iter().for_each(|part| judgement.add(part));
        }
        Ok(Some(judgement))
    }

    /// The units of one candidate.
    fn units(
        &self,
        index: usize,
        numbers: &[f64],
        rules: &FullRules,
        parts: u64,
    ) -> Result<impl Iterator<Item = Unit> + use<>, crate::study::work::WorkError> {
        let task = self.task;
        let solution = Solution::Numbers(numbers.to_vec());
        let player = CarriedPlayer::of_text(name_of(index), task.template.text(&solution));
        let evaluation = Evaluation {
            players: vec![player.name.clone()],
            ruleset: task.plan.ruleset.clone(),
            plan: Plan::Games {
                until: GamesGoal::Games(task.plan.games),
                max_pieces: task.plan.max_pieces,
            },
            seed: task.games_seed(self.run, self.number),
        };
        units_of(&evaluation, player, rules, parts)
    }
}

/// Maximum number of parameters in the units that are created together: about 100 MB of text.
const MOST_NUMBERS: usize = 5_000_000;

/// Number of candidates whose units are created together: every unit contains all parameters of its
/// candidate, which can be a whole network.
fn most_together(numbers: usize, parts: u64) -> usize {
    let each = numbers.saturating_mul(parts as usize).max(1);
    (MOST_NUMBERS / each).max(1)
}

fn name_of(candidate: usize) -> String {
    format!("candidate-{}.toml", candidate + 1)
}

/// The games of each candidate, in order.
fn games_of(
    candidates: Range<usize>,
    results: Vec<UnitResult>,
) -> Result<Vec<Played>, ClusterError> {
    let mut by_name: BTreeMap<String, Vec<UnitResult>> = BTreeMap::new();
    for result in results {
        let own = by_name.entry(result.player.clone()).or_default();
        own.push(result);
    }
    let names = candidates.map(name_of);
    let games = names.map(|name| merge_games(by_name.remove(&name).unwrap_or_default()));
    Ok(games.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::learners::LEARNERS;
    use crate::learning::{Budget, Learning};
    use crate::study::work::{Answer, ReceivedModels, work};
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn units_of_large_networks_are_made_for_a_few_candidates_at_a_time() {
        assert_eq!(most_together(20, 4), 62_500);
        assert_eq!(most_together(1_000_000, 2), 2);
        assert_eq!(most_together(usize::MAX, 3), 1);
    }

    /// Units are sent to a worker as lines; the results are returned twice and in a different
    /// order.
    #[derive(Default)]
    struct Untidy {
        units: AtomicUsize,
    }

    struct Unreadable;

    impl From<crate::library::FileError> for Unreadable {
        fn from(error: crate::library::FileError) -> Unreadable {
            panic!("{error}")
        }
    }

    impl From<Infallible> for Unreadable {
        fn from(never: Infallible) -> Unreadable {
            match never {}
        }
    }

    impl Cluster for Untidy {
        fn slots(&self) -> usize {
            3
        }

        fn compute(
            &self,
            units: &[Unit],
            context: &Context,
        ) -> Result<Option<Vec<UnitResult>>, ClusterError> {
            self.units.fetch_add(units.len(), Ordering::Relaxed);
            let lines = units
                .iter()
                .map(|unit| serde_json::to_string(unit).unwrap());
            let lines = lines.enumerate().map(|(at, line)| Ok((at, line)));
            let mut results = Vec::new();
            let mut keep = |answer: &Answer| -> Result<(), Unreadable> {
                let Answer::Done(result) = answer else {
                    panic!("{answer:?}");
                };
                let line = serde_json::to_string(result).unwrap();
                results.push(UnitResult::parse(&line).unwrap());
                results.push(UnitResult::parse(&line).unwrap());
                Ok(())
            };
            let worked = work(lines, &mut ReceivedModels::new(), context, &mut keep);
            assert!(worked.is_ok_and(|worked| worked.done == units.len() as u64));
            results.reverse();
            Ok(Some(results))
        }
    }

    fn judged(learning: &Learning, cluster: Option<&dyn Cluster>) -> Judgement {
        let task = Task::new(learning.clone()).unwrap();
        let study = Context::on_threads(2);
        let generation = GenerationContext::alone(&task, &study, 3);
        let dimension = task.dimension();
        let candidate = |at: usize| {
            let number = |k| ((at * 7 + k * 3) % 11) as f64 / 10.0 - 0.45;
            generation.place((0..dimension).map(number).collect())
        };
        let candidates: Vec<Vec<f64>> = (0..4).map(candidate).collect();
        let judged = match cluster {
            None => generation.judge(&candidates),
            Some(cluster) => generation.judge_elsewhere(cluster, &candidates),
        };
        judged.unwrap().unwrap()
    }

    #[test]
    fn a_cluster_finds_the_fitness_of_one_machine() {
        let base = Learning {
            ruleset: "simplified-6x8".to_owned(),
            games: 5,
            max_pieces: Some(60),
            budget: Budget::generations(1),
            learner: "cma-es(normalise=false)".to_owned(),
            ..Learning::default()
        };
        let other = |change: fn(&mut Learning)| {
            let mut learning = base.clone();
            change(&mut learning);
            learning
        };
        for learning in [
            base.clone(),
            other(|learning| learning.objective = "trimmed".to_owned()),
            other(|learning| learning.objective = "line-points".to_owned()),
            other(|learning| learning.evaluator = "exponential".to_owned()),
            other(|learning| {
                learning.evaluator = "network".to_owned();
                learning.layers = Some("4".to_owned());
            }),
            other(|learning| learning.ruleset = "guideline".to_owned()),
        ] {
            let cluster = Untidy::default();
            let alone = judged(&learning, None);
            assert_eq!(judged(&learning, Some(&cluster)), alone, "{learning:?}");
            assert!(cluster.units.into_inner() >= 4);
        }
    }

    #[test]
    fn methods_that_cannot_be_distributed_are_refused() {
        for entry in LEARNERS {
            let mut learning = Learning {
                learner: entry.id.to_owned(),
                ..Learning::default()
            };
            if let Some((evaluator, features)) = entry.make.evaluators.first() {
                learning.evaluator = (*evaluator).to_owned();
                learning.features = (*features).to_owned();
            }
            let Ok(task) = Task::new(learning) else {
                continue;
            };
            let can = task.check_distributed().is_ok();
            assert_eq!(can, task.compares_candidates(), "{}", entry.id);
        }
        let survival = Learning {
            objective: "survival".to_owned(),
            ..Learning::default()
        };
        let said = Task::new(survival).unwrap().check_distributed();
        assert!(said.unwrap_err().to_string().contains("survival"));
    }
}

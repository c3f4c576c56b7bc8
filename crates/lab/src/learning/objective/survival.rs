//! Mean lines on the real board, estimated by splitting even if games are very long.

use super::{FitnessUnit, Judgement, Objective, ObjectiveEntry, Trial};
use crate::arena::{into_inner, lock};
use crate::learning::{Learning, LearningError, MemoryPart};
use crate::settings::settings;
use crate::survival::{
    LEAST_TRAJECTORIES, LevelKind, LevelResult, MOST_REPETITIONS, MOST_TRAJECTORIES, Prepared,
    Splitting, Survival, SurvivalError, deals_by_rule,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::settings::Kind;

pub(super) const SURVIVAL: ObjectiveEntry = ObjectiveEntry {
    id: "survival",
    definition: "logarithm of the mean lines, estimated by splitting; candidates whose rank is uncertain are evaluated more often; no \
                 whole games are played",
    source: "tetrolab: docs/explanation/survival.md",
    settings: BySplitting::SETTINGS,
    make: |settings| Box::new(BySplitting::read(settings)),
};

settings! {
    /// Estimates how long candidates survive, each on one thread.
    struct BySplitting {
        /// number of trajectories that start at each level
        trajectories: usize = "1000" in Kind::count(LEAST_TRAJECTORIES, MOST_TRAJECTORIES);
        /// number of repetitions per candidate in each round
        repetitions: u64 = "4" in Kind::count(2, MOST_REPETITIONS as usize);
        /// number of rounds: the first measures all candidates, the others those with uncertain
        /// ranks
        rounds: u64 = "3" in Kind::count(1, MOST_REPETITIONS as usize);
    }
}

/// If this many games of a pilot run have ended, their mean is known to 7 %.
const MANY_DEATHS: u64 = 200;
/// The rank of a candidate is uncertain if its estimate is within this many standard errors of the
/// median of its generation.
const IN_DOUBT: f64 = 2.0;

/// A candidate and its estimate so far.
struct Contender {
    player: Box<dyn Player>,
    /// The state of the estimate; `None` if games are so short that the pilot run gives their mean.
    prepared: Option<Prepared>,
    /// The logarithm of the mean lines.
    fitness: f64,
    /// The standard error of the fitness.
    error: f64,
    pieces: u64,
    failure: Option<SurvivalError>,
}

impl Contender {
    fn new(player: &dyn Player) -> Contender {
        Contender {
            player: player.boxed(),
            prepared: None,
            fitness: f64::NEG_INFINITY,
            error: 0.0,
            pieces: 0,
            failure: None,
        }
    }

    /// A pilot run and, if games are long, the first repetitions.
    fn measure(&mut self, objective: &BySplitting, trial: &Trial<'_>) -> Result<(), SurvivalError> {
        let tables = self.player.evaluator().and_then(|own| own.as_tables());
        let splitting = Splitting {
            trajectories: objective.trajectories,
            // With only a few repetitions per candidate, learning a danger is not worthwhile;
            // players with tables already have one.
            level: match tables {
                Some(_) => LevelKind::Own,
                None => LevelKind::Stack,
            },
            ..Splitting::default()
        };
        let pilot = splitting.pilot_alone(
            trial.context,
            &*self.player,
            trial.series.ruleset,
            trial.series.seed,
        );
        let pilot = match pilot {
            Err(SurvivalError::NoEnd { pieces }) => {
                self.set_lower_bound(pieces, trial);
                return Ok(());
            }
            pilot => pilot?,
        };
        let deaths = pilot.deaths_at_a_glance();
        self.pieces = pilot.pilot_pieces();
        if let Some(pieces) = pilot
            .mean_pieces_at_a_glance()
            .filter(|_| deaths >= MANY_DEATHS)
        {
            self.fitness = libm::log(lines_of(pieces, trial));
            self.error = 1.0 / (deaths as f64).sqrt();
            return Ok(());
        }
        self.prepared = Some(pilot.prepare(trial.context)?);
        self.repeat(trial, objective.repetitions)
    }

    /// Continues to this number of repetitions in total.
    fn repeat(&mut self, trial: &Trial<'_>, repetitions: u64) -> Result<(), SurvivalError> {
        let Some(prepared) = &mut self.prepared else {
            return Ok(());
        };
        let survival = match prepared.repeat_alone(trial.context, repetitions) {
            Err(SurvivalError::NoEnd { pieces }) => {
                self.set_lower_bound(pieces, trial);
                return Ok(());
            }
            survival => survival?,
        };
        let lines = survival
            .lines
            .unwrap_or_else(|| lower_bound(&survival, trial));
        self.fitness = libm::log(lines.max(0.01));
        self.error = survival.relative_error;
        self.pieces = prepared.pieces_prepared() + survival.pieces_simulated;
        Ok(())
    }

    /// The mean is unknown if the stack never rises, or rises but neither falls nor ends the game.
    /// The player survived all pieces of the pilot run, which gives a lower bound, and there is
    /// nothing to repeat.
    fn set_lower_bound(&mut self, pieces: u64, trial: &Trial<'_>) {
        self.pieces += pieces;
        let lines = lines_of(self.pieces as f64, trial);
        self.fitness = self.fitness.max(libm::log(lines));
        self.error = 0.0;
        self.prepared = None;
    }
}

/// The number of lines that this many pieces complete, at four cells per piece. The cells left on
/// the board at the end only matter for bad players.
fn lines_of(pieces: f64, trial: &Trial<'_>) -> f64 {
    4.0 * pieces / trial.series.ruleset.width as f64
}

impl Objective for BySplitting {
    fn unit(&self) -> FitnessUnit {
        FitnessUnit::logarithm("lines")
    }

    fn plays_games(&self) -> bool {
        false
    }

    fn memory(&self, threads: usize) -> Option<MemoryPart> {
        /// The size of a trajectory with its boards, random numbers and origin.
        const BYTES_OF_TRAJECTORY: usize = 1_300;
        let counts = [self.trajectories, threads, BYTES_OF_TRAJECTORY];
        Some(MemoryPart::new("trajectories", &counts))
    }

    fn check(&self, ruleset: &Ruleset, learning: &Learning) -> Result<(), LearningError> {
        if deals_by_rule(ruleset) {
            return LearningError::refused(format!(
                "the ruleset {} has no random pieces, so the objective survival has nothing to \
                 estimate; use the objective lines",
                learning.ruleset
            ));
        }
        match learning.budget.games {
            Some(_) => Err(LearningError::NoGamesToCount),
            None => Ok(()),
        }
    }

    fn judge(
        &self,
        trial: &Trial<'_>,
        candidates: &[Box<dyn Player>],
    ) -> Result<Option<Judgement>, LearningError> {
        let judged: Vec<Mutex<Contender>> = candidates
            .iter()
            .map(|player| Mutex::new(Contender::new(&**player)))
            .collect();
        let everyone: Vec<usize> = (0..judged.len()).collect();
        on_all_threads(trial, &judged, &everyone, |candidate| {
            candidate.measure(self, trial)
        });
        for round in 1..self.rounds {
            let repetitions = self.repetitions * (round + 1);
            on_all_threads(trial, &judged, &doubtful(&judged), |candidate| {
                candidate.repeat(trial, repetitions)
            });
        }
        let judged = judged.into_iter().map(into_inner);
        let mut judgement = Judgement {
            fitness: Vec::new(),
            games: 0,
            pieces: 0,
            cut_off: None,
        };
        for candidate in judged {
            match candidate.failure {
                Some(SurvivalError::Stopped) => return Ok(None),
                Some(failure) => return Err(failure.into()),
                None => {}
            }
            judgement.fitness.push(candidate.fitness);
            judgement.pieces += candidate.pieces;
        }
        Ok(Some(judgement))
    }
}

/// A cautious estimate for a candidate whose trajectories never died: it assumes that one more
/// trajectory had passed wherever none did, at a level or from the base set.
fn lower_bound(survival: &Survival, trial: &Trial<'_>) -> f64 {
    let chance = |at: &LevelResult| at.successes.max(1) as f64 / at.trajectories.max(1) as f64;
    let entry_rate = survival
        .entry_rate
        .max(1.0 / survival.pieces_simulated as f64);
    let rate = entry_rate * survival.levels.iter().map(chance).product::<f64>();
    lines_of(1.0 / rate, trial)
}

/// Applies a function to some candidates, each on one thread.
fn on_all_threads(
    trial: &Trial<'_>,
    judged: &[Mutex<Contender>],
    which: &[usize],
    work: impl Fn(&mut Contender) -> Result<(), SurvivalError> + Sync,
) {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    trial.context.arena().on_all_threads(|| {
        while let Some(&index) = which.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut candidate = lock(&judged[index]);
            if candidate.failure.is_none() {
                candidate.failure = work(&mut candidate).err();
            }
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            trial.context.progress(done as u64, which.len() as u64);
        }
    });
}

/// The candidates that may belong to either the better or the worse half.
fn doubtful(judged: &[Mutex<Contender>]) -> Vec<usize> {
    let known = judged.iter().map(|candidate| {
        let candidate = lock(candidate);
        (candidate.fitness, candidate.error)
    });
    let known: Vec<(f64, f64)> = known.collect();
    let mut sorted: Vec<f64> = known.iter().map(|known| known.0).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let middle = sorted[sorted.len() / 2];
    let in_doubt = |index: &usize| {
        let (fitness, error) = known[*index];
        error > 0.0 && (fitness - middle).abs() < IN_DOUBT * error
    };
    (0..known.len()).filter(in_doubt).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Arena, GameSeries};
    use crate::context::Context;
    use crate::learning::objective::find_objective;
    use crate::library::{find_player, find_ruleset};

    /// Squares fill rows and leave no holes.
    const EASY: &str = "simplified-10x12(randomizer=weighted(I=0,J=0,L=0,S=0,T=0,Z=0))";

    fn judge(ruleset: &str, names: &[&str], threads: usize) -> Judgement {
        let objective =
            find_objective("survival(trajectories=300,repetitions=2,rounds=2)").unwrap();
        let ruleset = find_ruleset(ruleset).unwrap();
        let player = |name: &&str| find_player(name, &ruleset).unwrap();
        let players: Vec<_> = names.iter().map(player).collect();
        let trial = Trial {
            context: &Context::new(&Arena::new(threads).unwrap()),
            series: GameSeries::new(&ruleset, 3),
            games: 1,
        };
        objective.judge(&trial, &players).unwrap().unwrap()
    }

    #[test]
    fn a_player_whose_stack_never_rises_is_better_than_one_that_dies_and_its_pieces_count() {
        let judgement = judge(EASY, &["bcts", "random"], 1);
        let [endless, random] = judgement.fitness[..] else {
            panic!("two candidates");
        };
        assert!(endless.is_finite() && endless > random, "{judgement:?}");
        let alone = judge(EASY, &["random"], 1);
        assert!(judgement.pieces > alone.pieces + 160_000, "{judgement:?}");
    }

    #[test]
    fn fitness_is_the_logarithm_of_the_mean_on_any_number_of_threads() {
        let names = ["bcts", "random", "dellacherie", "dt-10"];
        let judge = |threads| judge("simplified-10x10", &names, threads).fitness;
        let fitness = judge(1);
        assert_eq!(fitness, judge(2));
        // Logarithms of the means of `tetrolab eval bcts dellacherie dt-10 --ruleset
        // simplified-10x10 --games 1600`; the random player places about 17 pieces, whose cells are
        // worth 7 lines.
        for (found, expected) in fitness.iter().zip([8.2, 1.9, 7.8, 8.5]) {
            assert!((found - expected).abs() < 1.2, "{fitness:?}");
        }
    }

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        for spec in [
            "survival(trajectories=5)",
            "survival(trajectories=1000001)",
            "survival(repetitions=1)",
            "survival(x=1)",
        ] {
            assert!(find_objective(spec).is_err(), "{spec}");
        }
    }
}

//! Pilot runs: roughly how long a player survives, and the levels of its estimate.

use super::batch::{Halt, SimulatorPool};
use super::danger::{ExploredLevel, explore, fit};
use super::importance::{ImportanceFunction, TableDanger};
use super::levels::{self, Levels, PilotCounts};
use super::prepared::Prepared;
use super::repeating::FEWEST_REPETITIONS;
use super::simulator::Simulator;
use super::subject::{SimulatorTask, Subject, TaskThreads};
use super::{LevelKind, Splitting, SurvivalError};
use crate::context::Context;
use crate::library::FileSource;
use tetrolab_core::players::Player;
use tetrolab_core::rng::game_seed;
use tetrolab_core::ruleset::Ruleset;

/// Number of games that must have ended in the pilot run to estimate their length.
const ENOUGH_DEATHS: u64 = 5;
/// The precision typically reached with the minimum number of repetitions.
const TYPICAL_PRECISION: f64 = 0.055;
/// How many times a danger is learned, each time from trajectories that climb the levels of the
/// previous one.
const ROUNDS: u64 = 2;

/// The range of levels in which stacks usually are, and the levels above it.
struct ChooseLevels<'a> {
    function: &'a ImportanceFunction,
    pilot_seed: u64,
    levels_seed: u64,
    trajectories: usize,
}

impl SimulatorTask for ChooseLevels<'_> {
    type Output = Result<(Levels, PilotCounts), SurvivalError>;

    fn on<F: Simulator + Send>(self, pool: &SimulatorPool<'_, F>) -> Self::Output {
        let (base, mut pilot) = levels::pilot(pool, self.pilot_seed)?;
        let base = (base, self.function);
        let levels = levels::choose(pool, base, self.trajectories, self.levels_seed, &mut pilot);
        let levels = levels.map_err(|halt| SurvivalError::after(pilot.played, halt))?;
        Ok((levels, pilot))
    }
}

/// One climb of the levels that records its boards.
struct Explore<'a> {
    levels: &'a Levels,
    seed: u64,
}

impl SimulatorTask for Explore<'_> {
    type Output = Result<(Vec<ExploredLevel>, u64), Halt>;

    fn on<F: Simulator + Send>(self, pool: &SimulatorPool<'_, F>) -> Self::Output {
        explore(pool, self.levels, self.seed)
    }
}

/// The importance functions that need no learning: the stack, a table player's own danger, or that
/// of another player.
pub(super) fn known_levels(
    library: FileSource<'_>,
    splitting: &Splitting,
    player: &dyn Player,
    ruleset: &Ruleset,
) -> Result<ImportanceFunction, SurvivalError> {
    let own = Some(&splitting.player).filter(|name| !name.is_empty());
    match &splitting.level {
        LevelKind::Stack | LevelKind::Danger => Ok(ImportanceFunction::Stack),
        LevelKind::Own => danger_of(player, ruleset, own),
        LevelKind::Tables(name) => {
            let other = library
                .player(name, ruleset)
                .map_err(SurvivalError::LevelPlayer)?;
            danger_of(&*other, ruleset, Some(name))
        }
    }
}

/// The lookup tables of a player as an importance function; the player may be given by name.
fn danger_of(
    player: &dyn Player,
    ruleset: &Ruleset,
    name: Option<&String>,
) -> Result<ImportanceFunction, SurvivalError> {
    let tables = player.evaluator().and_then(|own| own.as_tables());
    let tables = tables.ok_or_else(|| SurvivalError::NoTables(name.cloned()))?;
    let danger = TableDanger::new(tables.clone(), ruleset.height);
    Ok(ImportanceFunction::Tables(Box::new(danger)))
}

/// A pilot run.
pub struct PilotRun {
    splitting: Splitting,
    threads: TaskThreads,
    subject: Subject,
    levels: Levels,
    pilot: PilotCounts,
}

impl PilotRun {
    pub(super) fn new(
        splitting: &Splitting,
        threads: TaskThreads,
        context: &Context,
        player: &dyn Player,
        ruleset: &Ruleset,
        seed: u64,
    ) -> Result<PilotRun, SurvivalError> {
        let mut subject = Subject::new(context, player, ruleset, seed, splitting.chains.get());
        subject.function = known_levels(context.library(), splitting, player, ruleset)?;
        let task = ChooseLevels {
            function: &subject.function,
            pilot_seed: subject.pilot_seed(),
            levels_seed: subject.levels_seed(),
            trajectories: splitting.trajectories,
        };
        let (levels, pilot) = subject.by(threads, context, task)?;
        Ok(PilotRun {
            splitting: splitting.clone(),
            threads,
            subject,
            levels,
            pilot,
        })
    }

    /// The mean number of pieces of a game, if games are short enough for the pilot run.
    pub(crate) fn mean_pieces_at_a_glance(&self) -> Option<f64> {
        let enough = self.pilot.deaths >= ENOUGH_DEATHS;
        enough.then(|| self.pilot.pieces as f64 / self.pilot.deaths as f64)
    }

    /// The approximate number of pieces for a precision.
    pub(crate) fn expected_pieces(&self, precision: f64) -> f64 {
        let repetitions = (TYPICAL_PRECISION / precision).powi(2).max(1.0);
        repetitions * (FEWEST_REPETITIONS * self.pilot.repetition) as f64
    }

    /// Number of games that ended in the pilot run.
    pub(crate) fn deaths_at_a_glance(&self) -> u64 {
        self.pilot.deaths
    }

    /// Pieces played in the pilot run.
    pub(crate) fn pilot_pieces(&self) -> u64 {
        self.pilot.played
    }

    /// Learns the danger of boards, if it is the importance function; the repetitions remain.
    ///
    /// # Errors
    /// If it was stopped, or the file of repetitions cannot be used.
    pub fn prepare(mut self, context: &Context) -> Result<Prepared, SurvivalError> {
        if self.splitting.level == LevelKind::Danger {
            for round in 0..ROUNDS {
                self.learn_danger(context, round)?;
            }
        }
        let of = (self.subject, self.levels, self.pilot);
        Prepared::new(context, &self.splitting, of)
    }

    /// Learns the danger from trajectories that climb the current levels, and chooses new ones.
    fn learn_danger(&mut self, context: &Context, round: u64) -> Result<(), SurvivalError> {
        let seed = self.subject.danger_seed(round);
        let explore = Explore {
            levels: &self.levels,
            seed: game_seed(seed, 0),
        };
        let explored = self.subject.by(self.threads, context, explore);
        let played = self.pilot.played;
        let (explored, pieces) = explored.map_err(|halt| SurvivalError::after(played, halt))?;
        self.pilot.played += pieces;
        let Some(danger) = fit(&explored, self.subject.ruleset.width) else {
            return Ok(());
        };
        self.subject.function = ImportanceFunction::Danger(Box::new(danger));
        let choose = ChooseLevels {
            function: &self.subject.function,
            pilot_seed: game_seed(seed, 1),
            levels_seed: game_seed(seed, 2),
            trajectories: self.splitting.trajectories,
        };
        let (levels, pilot) = self.subject.by(self.threads, context, choose)?;
        self.levels = levels;
        self.pilot.played += pilot.played;
        self.pilot.repetition = pilot.repetition;
        self.pilot.fingerprint = pilot.fingerprint;
        Ok(())
    }
}

//! A player that was looked at: how long it lives about, and the levels that its estimate will
//! climb.

use super::batch::{Halt, Team};
use super::danger::{ExploredLevel, explore, fit};
use super::field::Field;
use super::importance::{ImportanceFunction, TableDanger};
use super::levels::{self, Levels, PilotCounts};
use super::prepared::Prepared;
use super::repeating::FEWEST_REPETITIONS;
use super::subject::{Crew, FieldTask, Subject};
use super::{LevelKind, Splitting, SurvivalError};
use crate::context::Context;
use crate::library::FileSource;
use tetrolab_core::players::Player;
use tetrolab_core::rng::game_seed;
use tetrolab_core::ruleset::Ruleset;

/// How many games must have ended in the pilot run for it to say how long they are.
const ENOUGH_DEATHS: u64 = 5;
/// The precision that the fewest repetitions reach, typically.
const TYPICAL_PRECISION: f64 = 0.055;
/// How often a danger is learned, each time from trajectories that climb the levels of the one
/// before.
const ROUNDS: u64 = 2;

/// Where stacks usually are, and the levels above.
struct ChooseLevels<'a> {
    function: &'a ImportanceFunction,
    pilot_seed: u64,
    levels_seed: u64,
    trajectories: usize,
}

impl FieldTask for ChooseLevels<'_> {
    type Output = Result<(Levels, PilotCounts), SurvivalError>;

    fn on<F: Field + Send>(self, team: &Team<'_, F>) -> Self::Output {
        let (base, mut pilot) = levels::pilot(team, self.pilot_seed)?;
        let base = (base, self.function);
        let levels = levels::choose(team, base, self.trajectories, self.levels_seed, &mut pilot);
        let levels = levels.map_err(|halt| SurvivalError::after(pilot.played, halt))?;
        Ok((levels, pilot))
    }
}

/// One climb of the levels that is looked at on its way.
struct Explore<'a> {
    levels: &'a Levels,
    seed: u64,
}

impl FieldTask for Explore<'_> {
    type Output = Result<(Vec<ExploredLevel>, u64), Halt>;

    fn on<F: Field + Send>(self, team: &Team<'_, F>) -> Self::Output {
        explore(team, self.levels, self.seed)
    }
}

/// The levels that need not be learned: those of the stack, or the danger by which a player of
/// lookup tables chooses, or another one.
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

/// What the lookup tables of a player, which may have a name, think of boards.
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

/// A player that was looked at.
pub struct PilotRun {
    splitting: Splitting,
    crew: Crew,
    subject: Subject,
    levels: Levels,
    pilot: PilotCounts,
}

impl PilotRun {
    pub(super) fn new(
        splitting: &Splitting,
        crew: Crew,
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
        let (levels, pilot) = subject.by(crew, context, task)?;
        Ok(PilotRun {
            splitting: splitting.clone(),
            crew,
            subject,
            levels,
            pilot,
        })
    }

    /// The mean number of pieces of a game, if games are short enough for the pilot run to tell.
    pub fn mean_pieces_at_a_glance(&self) -> Option<f64> {
        let enough = self.pilot.deaths >= ENOUGH_DEATHS;
        enough.then(|| self.pilot.pieces as f64 / self.pilot.deaths as f64)
    }

    /// About how many pieces a precision will take.
    pub fn expected_pieces(&self, precision: f64) -> f64 {
        let repetitions = (TYPICAL_PRECISION / precision).powi(2).max(1.0);
        repetitions * (FEWEST_REPETITIONS * self.pilot.repetition) as f64
    }

    /// Games that ended in the pilot run.
    pub fn deaths_at_a_glance(&self) -> u64 {
        self.pilot.deaths
    }

    /// Pieces that were played to look at the player.
    pub fn pilot_pieces(&self) -> u64 {
        self.pilot.played
    }

    /// Learns how dangerous boards are, if that is what the levels are to be; what remains is to
    /// repeat.
    ///
    /// # Errors
    /// When it was stopped, or the file of repetitions cannot be used.
    pub fn prepare(mut self, context: &Context) -> Result<Prepared, SurvivalError> {
        if self.splitting.level == LevelKind::Danger {
            for round in 0..ROUNDS {
                self.learn_danger(context, round)?;
            }
        }
        let of = (self.subject, self.levels, self.pilot);
        Prepared::new(context, &self.splitting, of)
    }

    /// Learns the danger from trajectories that climb the levels of today, and chooses new ones.
    fn learn_danger(&mut self, context: &Context, round: u64) -> Result<(), SurvivalError> {
        let seed = self.subject.danger_seed(round);
        let explore = Explore {
            levels: &self.levels,
            seed: game_seed(seed, 0),
        };
        let explored = self.subject.by(self.crew, context, explore);
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
        let (levels, pilot) = self.subject.by(self.crew, context, choose)?;
        self.levels = levels;
        self.pilot.played += pilot.played;
        self.pilot.repetition = pilot.repetition;
        self.pilot.fingerprint = pilot.fingerprint;
        Ok(())
    }
}

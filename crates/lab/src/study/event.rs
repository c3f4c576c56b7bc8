//! What a study reports while it runs.

#[cfg(feature = "store")]
use crate::learning::{Generation, Learning, objective::FitnessUnit};
use crate::stats::sequential::RatioLook;
use serde::Serialize;

use super::{Method, Note};

/// Is called with every event. The threads that play report progress, so an observer may be called
/// by several of them at once.
pub type EventObserver<'a> = dyn Fn(&Event<'_>) + Sync + 'a;

/// Something that happened in a study, for bars, logs and pages.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Event<'a> {
    /// A short survey of a player begins: how long its games are, and which levels its stack
    /// passes.
    SurveyBegan {
        /// The player.
        player: &'a str,
    },
    /// The survey is over.
    SurveyEnded {
        /// The player.
        player: &'a str,
        /// How its mean will be found; none in a comparison, which chooses for both players
        /// together.
        method: Option<Method>,
    },
    /// Games begin.
    GamesBegan {
        /// How many, of all players together.
        games: u64,
        /// The cap on the pieces of a game.
        max_pieces: Option<u64>,
    },
    /// Games take long: what a pilot run expects of one of the players, reported beside the games.
    Expected {
        /// The player.
        player: &'a str,
        /// The games that it plays.
        games: u64,
        /// The pieces of a game, about; none if games may have no end.
        pieces: Option<f64>,
    },
    /// How far the games are; reported a few dozen times per second by the threads that play.
    Games {
        /// Games that have ended or were cut off.
        done: u64,
        /// Games to play.
        total: u64,
        /// Pieces placed so far.
        pieces: u64,
    },
    /// The games have ended.
    GamesEnded,
    /// The repetitions of splitting begin.
    RepetitionsBegan {
        /// The player.
        player: &'a str,
    },
    /// A repetition is done; reported by the thread that did it.
    Repetition {
        /// The player.
        player: &'a str,
        /// Repetitions that are done.
        repetitions: u64,
        /// The half width of the interval that they give, as a part of the mean; infinite before
        /// the second.
        precision: f64,
        /// Pieces played.
        pieces: u64,
        /// How much of the way to the target is done, from 0 to 1.
        part: f64,
    },
    /// The repetitions have ended.
    RepetitionsEnded {
        /// The player.
        player: &'a str,
    },
    /// A look of a comparison begins.
    LookBegan {
        /// Its number, from 0.
        look: usize,
    },
    /// How much of the work before a look is done.
    LookProgress {
        /// From 0 to 1.
        part: f64,
    },
    /// A look of a comparison is over.
    LookEnded {
        /// Its number, from 0.
        look: usize,
        /// What it showed, if it showed anything.
        found: Option<RatioLook>,
    },
    /// A learning run begins or goes on.
    #[cfg(feature = "store")]
    LearningBegan {
        /// The folder of the run.
        folder: &'a str,
        /// What is learned, with the rules in full.
        learning: &'a Learning,
        /// How many numbers are learned.
        dimension: usize,
        /// What the fitness of a candidate is.
        unit: FitnessUnit,
        /// Whether candidates play whole games.
        plays_games: bool,
        /// Whether a generation compares candidates, instead of evaluating one model.
        compares_candidates: bool,
        /// Whether the run had been finished before: then it is told again and nothing is played.
        finished_before: bool,
    },
    /// How far the generation in progress is; reported every half second while a run is made,
    /// whatever its method does.
    #[cfg(feature = "store")]
    Training {
        /// The number of the generation, from 0.
        generation: u64,
        /// Pieces that training has placed in it ...
        done: u64,
        /// ... of this many; 0 for a method that reports games instead.
        total: u64,
    },
    /// A generation was made and stored.
    #[cfg(feature = "store")]
    Generation(&'a Generation),
    /// One of the independent runs has ended.
    #[cfg(feature = "store")]
    RunEnded {
        /// Its last generation.
        last: &'a Generation,
        /// Why it ended.
        reason: &'a str,
        /// Seconds that its generations took.
        seconds: f64,
    },
    /// Something that a reader of the result should know.
    Noted {
        /// The player.
        player: &'a str,
        /// What it is.
        note: &'a Note,
    },
}

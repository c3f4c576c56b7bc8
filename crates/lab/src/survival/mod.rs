//! Survival estimation: a player's mean score without playing games to their end.
//!
//! A good player survives for tens of millions of pieces, and the end of a game is a rare event:
//! the stack, which is usually low, climbs to the top in a long series of unlucky steps.
//! *Multilevel splitting* estimates the rate of such events: it divides the climb into steps that
//! are not rare, estimates the probability of each from trajectories that start where others
//! arrived, and multiplies (Kahn and Harris 1951; Glasserman, Heidelberger, Shahabuddin and Zajic
//! 1999).
//!
//! # The estimate
//!
//! Consider games that follow one another, each starting on an empty board. This is a recurrent
//! Markov chain (of the board, the visible pieces, and the randomizer's memory), so by the renewal
//! theorem the mean number of pieces per game is exactly 1 / (deaths per piece), even for weak
//! players. Every death occurs in an *excursion*: the stack leaves the *base*, where it usually is,
//! and the player dies before it returns. Hence
//!
//! > deaths per piece = excursions per piece x probability that an excursion ends in death.
//!
//! 1. `equilibrium` plays on and counts the excursions; it keeps the positions in which they begin.
//! 2. `entry` starts trajectories from positions that entered one level, and keeps those in which
//!    they enter the next; a trajectory that returns to the base has failed, and one that dies has
//!    reached all levels. The probability is the product of the fractions that succeed.
//! 3. Every piece adds four cells and every line removes as many as the board is wide, so the lines
//!    follow from the pieces and from the cells on the last board.
//!
//! With levels fixed beforehand, the product of these fractions is an unbiased estimate of the
//! rate, although the trajectories of a repetition share ancestors. Because they are dependent, the
//! error is estimated only from independent repetitions: the mean of their rates, with Student's
//! interval on a logarithmic scale. (Its inverse is the mean score; the mean of the inverses would
//! be too large.) `levels` chooses the levels with separate trajectories.
//!
//! The level of a board is the value of an importance function (`importance`).
//!
//! # Example
//!
//! ```
//! use tetrolab::arena::Arena;
//! use tetrolab::context::Context;
//! use tetrolab::library::{find_player, find_ruleset};
//! use tetrolab::survival::{Goal, Splitting};
//!
//! let ruleset = find_ruleset("simplified-10x9")?;
//! let player = find_player("bcts", &ruleset)?;
//! let context = Context::new(&Arena::new(0)?);
//! let mut estimate = Splitting::default().prepare(&context, &*player, &ruleset, 1)?;
//! let survival = estimate.run(&context, Goal::Precision(0.1))?;
//! assert!(survival.precision <= 0.1 && survival.doubts.is_empty());
//! // What 100,000 whole games give.
//! assert!(survival.lines_ci95.contains(1530.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod checkpoint;
mod danger;
mod deaths;
mod entry;
mod equilibrium;
mod estimate;
mod importance;
mod levels;
mod pilot;
mod prepared;
mod repeating;
mod repetition;
mod shared;
mod simulator;
mod subject;
#[cfg(test)]
mod tests;

pub(crate) use checkpoint::METHOD;
pub(crate) use danger::{danger_chance, times_empty};
pub(crate) use deaths::Deaths;
pub use deaths::{Death, DeathEnd, DeathStep};
pub use entry::LevelResult;
pub use estimate::{Doubt, Survival, Unmet};
pub(crate) use importance::{Danger, EMPTY_LEVEL, LEVELS_PER_NAT, TableDanger};
pub use pilot::PilotRun;
pub use prepared::Prepared;
pub(crate) use repeating::MOST_REPETITIONS;
pub use shared::{SharedLevels, SharedRepetitions};

use crate::arena::{ArenaError, check_player};
use crate::context::Context;
use crate::library::{FileError, FileSource, LibraryError};
use batch::{ENDLESS, Halt};
use equilibrium::CHAINS;
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use subject::TaskThreads;
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;

/// The default number of trajectories that start at each level.
pub const TRAJECTORIES: usize = 8000;

/// When to stop an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// The half width of the 95 % interval, relative to the mean.
    Precision(f64),
    /// Number of pieces to play.
    Pieces(u64),
    /// Number of repetitions to make.
    Repetitions(u64),
}

impl Goal {
    /// Checks that an estimate can reach the goal.
    ///
    /// # Errors
    /// If no estimate can reach it.
    fn check(self) -> Result<(), SurvivalError> {
        match self {
            Goal::Precision(precision) if !(precision > 0.0 && precision <= 1.0) => {
                Err(SurvivalError::Precision(precision))
            }
            Goal::Pieces(0) | Goal::Repetitions(0) => Err(SurvivalError::NoPieces),
            _ => Ok(()),
        }
    }
}

/// The importance function. It does not affect the expectation of the estimate, only its cost.
/// Written as `danger`, `stack`, `own` or `tables(PLAYER)`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum LevelKind {
    /// How high the stack is.
    Stack,
    /// The probability that the player dies, learned before the first repetition.
    #[default]
    Danger,
    /// The sum of the player's own lookup tables: for tables that learned the probability of
    /// losing, its own danger.
    Own,
    /// The negative score of another player's lookup tables.
    Tables(String),
}

impl LevelKind {
    pub(crate) fn of_earlier_versions() -> LevelKind {
        LevelKind::Stack
    }
}

impl std::fmt::Display for LevelKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LevelKind::Stack => f.write_str("stack"),
            LevelKind::Danger => f.write_str("danger"),
            LevelKind::Own => f.write_str("own"),
            LevelKind::Tables(player) => write!(f, "tables({player})"),
        }
    }
}

impl std::str::FromStr for LevelKind {
    type Err = String;

    fn from_str(text: &str) -> Result<LevelKind, String> {
        let player = text
            .strip_prefix("tables(")
            .and_then(|rest| rest.strip_suffix(')'));
        match (text, player) {
            ("stack", _) => Ok(LevelKind::Stack),
            ("danger", _) => Ok(LevelKind::Danger),
            ("own", _) => Ok(LevelKind::Own),
            (_, Some(player)) if !player.is_empty() => Ok(LevelKind::Tables(player.to_owned())),
            _ => Err("expected a level: danger, stack, own or tables(PLAYER)".to_owned()),
        }
    }
}

impl TryFrom<String> for LevelKind {
    type Error = String;

    fn try_from(text: String) -> Result<LevelKind, String> {
        text.parse()
    }
}

impl From<LevelKind> for String {
    fn from(level: LevelKind) -> String {
        level.to_string()
    }
}

/// The settings of an estimate.
#[derive(Clone, Debug)]
pub struct Splitting {
    /// Trajectories that start at each level of a repetition.
    pub trajectories: usize,
    /// The importance function.
    pub level: LevelKind,
    /// Where repetitions are stored, so that an interrupted estimate can be resumed.
    pub checkpoint: Option<PathBuf>,
    /// The player's name, for the file of repetitions and for errors.
    pub player: String,
    /// Everything that determines the player's decisions, as given by
    /// `FileSource::player_identity`: the repetitions of one player are not continued with another
    /// player of the same name.
    pub identity: String,
    /// Independent chains of games in the pilot run and in every equilibrium run. Tests that
    /// compare estimates with each other need fewer than those that compare them with whole games.
    pub chains: NonZeroUsize,
}

impl Default for Splitting {
    fn default() -> Splitting {
        Splitting {
            trajectories: TRAJECTORIES,
            level: LevelKind::default(),
            checkpoint: None,
            player: String::new(),
            identity: String::new(),
            chains: NonZeroUsize::new(CHAINS).expect("there are chains"),
        }
    }
}

/// Why survival cannot be estimated.
#[derive(Debug, thiserror::Error)]
pub enum SurvivalError {
    /// The precision cannot be reached.
    #[error("a precision must be above 0 and at most 1 (5 % is 0.05), got {0}")]
    Precision(f64),
    /// No pieces were requested.
    #[error("the budget must be at least 1 piece, got 0")]
    NoPieces,
    /// There are too few trajectories, or too many.
    #[error(
        "expected {least} to {most} trajectories per level, got {0}", least = LEAST_TRAJECTORIES, most = MOST_TRAJECTORIES
    )]
    Trajectories(usize),
    /// The pieces are not random.
    #[error(
        "the ruleset {0} has no random pieces, so there is no death rate to estimate; \
         play whole games instead"
    )]
    FixedPieces(String),
    /// The game is a stepped game.
    #[error(
        "{0} is a stepped game, whose speed and points change during a game, so there is no single death rate to estimate; play whole games instead"
    )]
    Stepped(String),
    /// The player has no danger.
    #[error(
        "{} has no lookup tables that estimate danger; use the importance function danger or stack",
        .0.as_deref().unwrap_or("the player")
    )]
    NoTables(Option<String>),
    /// The player whose tables should be the importance function cannot be found.
    #[error("level tables: {0}")]
    LevelPlayer(LibraryError),
    /// The player does not fit the ruleset, or there are no threads.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// No stack ever comes close to the top.
    #[error(
        "no game ended and no stack reached the top: games of this player under this ruleset may never end"
    )]
    NoEnd {
        /// Number of pieces played without an end.
        pieces: u64,
    },
    /// Levels chosen by another process do not belong to this estimate.
    #[error("the levels do not fit the player or the settings of splitting; split the work again")]
    OtherLevels,
    /// The estimate was stopped before there was a result.
    #[error("interrupted before the second repetition: no estimate yet")]
    Stopped,
    /// A file that the ruleset names, or the file of repetitions, cannot be used.
    #[error(transparent)]
    Library(#[from] FileError),
}

impl From<Halt> for SurvivalError {
    fn from(halt: Halt) -> SurvivalError {
        SurvivalError::after(0, halt)
    }
}

impl SurvivalError {
    /// The error for a batch that stopped after this many pieces.
    fn after(pieces: u64, halt: Halt) -> SurvivalError {
        match halt {
            Halt::Stopped => SurvivalError::Stopped,
            Halt::Stuck => SurvivalError::NoEnd { pieces },
            Halt::Endless => SurvivalError::NoEnd {
                pieces: pieces + ENDLESS,
            },
        }
    }
}

/// The maximum number of trajectories per level: the positions of more would not fit into memory.
pub(crate) const MOST_TRAJECTORIES: usize = 1_000_000;
/// The minimum: fewer fill neither the lanes of the kernel nor the levels.
pub(crate) const LEAST_TRAJECTORIES: usize = 100;

/// Whether pieces follow a rule instead of chance. A draw with only one possible piece still counts
/// as a draw: a player that survives it forever is detected by its trajectories.
pub(crate) fn deals_by_rule(ruleset: &Ruleset) -> bool {
    ruleset.is_deterministic() && ruleset.randomizer().chances().is_none()
}

impl Splitting {
    /// Makes a pilot run on all threads. The same seed gives the same estimate on any number of
    /// threads.
    ///
    /// # Errors
    /// If the settings are invalid, the ruleset has no random pieces, or the study was stopped.
    pub fn pilot(
        &self,
        context: &Context,
        player: &dyn Player,
        ruleset: &Ruleset,
        seed: u64,
    ) -> Result<PilotRun, SurvivalError> {
        self.check(context.library(), player, ruleset)?;
        PilotRun::new(self, TaskThreads::All, context, player, ruleset, seed)
    }

    /// Like `pilot`, on the calling thread: for callers that use the other threads.
    ///
    /// # Errors
    /// As for `pilot`.
    pub(crate) fn pilot_alone(
        &self,
        context: &Context,
        player: &dyn Player,
        ruleset: &Ruleset,
        seed: u64,
    ) -> Result<PilotRun, SurvivalError> {
        self.check(context.library(), player, ruleset)?;
        PilotRun::new(self, TaskThreads::Caller, context, player, ruleset, seed)
    }

    /// Makes a pilot run of a player and chooses the levels; the repetitions remain.
    ///
    /// # Errors
    /// If the settings are invalid, the ruleset has no random pieces, the checkpoint cannot be
    /// used, or the study was stopped.
    pub fn prepare(
        &self,
        context: &Context,
        player: &dyn Player,
        ruleset: &Ruleset,
        seed: u64,
    ) -> Result<Prepared, SurvivalError> {
        self.pilot(context, player, ruleset, seed)?.prepare(context)
    }

    /// Finds problems before anything is played.
    ///
    /// # Errors
    /// If the settings are invalid, the player has no such importance function, or the ruleset has
    /// no random pieces.
    pub(crate) fn check(
        &self,
        library: FileSource<'_>,
        player: &dyn Player,
        ruleset: &Ruleset,
    ) -> Result<(), SurvivalError> {
        if !(LEAST_TRAJECTORIES..=MOST_TRAJECTORIES).contains(&self.trajectories) {
            return Err(SurvivalError::Trajectories(self.trajectories));
        }
        if deals_by_rule(ruleset) {
            return Err(SurvivalError::FixedPieces(ruleset.name.clone()));
        }
        if ruleset.stepped().is_some() {
            return Err(SurvivalError::Stepped(ruleset.name.clone()));
        }
        check_player((&self.player, player), ruleset)?;
        pilot::known_levels(library, self, player, ruleset).map(drop)
    }
}

//! The plan of an evaluation, free of contradictions, and its form as data.

use super::{Evaluation, Method, StudyError, check_part};
use crate::arena::ArenaError;
use crate::survival::{Goal, LevelKind, MOST_REPETITIONS, Splitting, SurvivalError, TRAJECTORIES};
use serde::{Deserialize, Serialize};

/// The method of estimating means, and its target.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// The cheaper method for each player.
    Auto {
        /// The half width of the 95 % interval to reach, relative to the mean.
        precision: f64,
        /// The settings of splitting, if it is cheaper.
        splitting: SplittingPlan,
    },
    /// Whole games.
    Games {
        /// When to stop.
        until: GamesGoal,
        /// Games are truncated after this many pieces.
        max_pieces: Option<u64>,
    },
    /// Multilevel splitting.
    Splitting {
        /// When to stop.
        until: Goal,
        /// The method.
        splitting: SplittingPlan,
    },
}

/// The number of whole games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GamesGoal {
    /// This many.
    Games(u64),
    /// As many games as needed for this half width of the 95 % interval, relative to the mean.
    Precision(f64),
}

/// The settings of splitting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplittingPlan {
    /// Trajectories that start at each level of a repetition.
    pub trajectories: usize,
    /// The importance function.
    pub level: LevelKind,
}

impl Default for SplittingPlan {
    fn default() -> SplittingPlan {
        SplittingPlan {
            trajectories: TRAJECTORIES,
            level: LevelKind::default(),
        }
    }
}

impl SplittingPlan {
    /// The settings of a player's estimate, without files.
    pub(super) fn of(&self, player: &str) -> Splitting {
        Splitting {
            trajectories: self.trajectories,
            level: self.level.clone(),
            player: player.to_owned(),
            ..Splitting::default()
        }
    }
}

impl Default for Plan {
    /// A precision of 5 %.
    fn default() -> Plan {
        Plan::auto(0.05)
    }
}

impl Plan {
    /// The cheaper method for each player, until a precision is reached.
    pub fn auto(precision: f64) -> Plan {
        let splitting = SplittingPlan::default();
        Plan::Auto {
            precision,
            splitting,
        }
    }

    /// This many whole games.
    pub fn games(games: u64) -> Plan {
        let (until, max_pieces) = (GamesGoal::Games(games), None);
        Plan::Games { until, max_pieces }
    }

    /// This many repetitions of splitting.
    pub fn repetitions(repetitions: u64) -> Plan {
        let (until, splitting) = (Goal::Repetitions(repetitions), SplittingPlan::default());
        Plan::Splitting { until, splitting }
    }

    /// The cap on the pieces of a game.
    pub fn max_pieces(&self) -> Option<u64> {
        match self {
            Plan::Games { max_pieces, .. } => *max_pieces,
            Plan::Auto { .. } | Plan::Splitting { .. } => None,
        }
    }

    /// The target of whole games, if the plan allows them.
    pub(super) fn games_goal(&self) -> Option<GamesGoal> {
        match self {
            Plan::Auto { precision, .. } => Some(GamesGoal::Precision(*precision)),
            Plan::Games { until, .. } => Some(*until),
            Plan::Splitting { .. } => None,
        }
    }

    /// The target and settings of splitting, if the plan allows it.
    pub(super) fn splitting(&self) -> Option<(Goal, &SplittingPlan)> {
        match self {
            Plan::Auto {
                precision,
                splitting,
            } => Some((Goal::Precision(*precision), splitting)),
            Plan::Games { .. } => None,
            Plan::Splitting { until, splitting } => Some((*until, splitting)),
        }
    }

    /// Finds invalid numbers.
    pub(super) fn check(&self) -> Result<(), StudyError> {
        match *self {
            Plan::Auto { precision, .. }
            | Plan::Games {
                until: GamesGoal::Precision(precision),
                ..
            }
            | Plan::Splitting {
                until: Goal::Precision(precision),
                ..
            } => check_part("a precision", precision),
            Plan::Games {
                until: GamesGoal::Games(0),
                ..
            } => Err(ArenaError::NoGames.into()),
            Plan::Splitting { until, .. } => match until {
                Goal::Pieces(0) => Err(SurvivalError::NoPieces.into()),
                Goal::Repetitions(count) if !(2..=MOST_REPETITIONS).contains(&count) => {
                    StudyError::refused(format!(
                        "expected 2 to {MOST_REPETITIONS} repetitions, got {count}"
                    ))
                }
                _ => Ok(()),
            },
            Plan::Games { .. } => Ok(()),
        }
    }
}

/// An evaluation as data, in which a plan has a method and a target.
#[derive(Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct EvaluationFields {
    players: Vec<String>,
    ruleset: String,
    method: Method,
    target: Target,
    trajectories: usize,
    level: LevelKind,
    max_pieces: Option<u64>,
    seed: u64,
}

/// The target of an evaluation, as data.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Target {
    Games(u64),
    Precision(f64),
    Pieces(u64),
    Repetitions(u64),
}

impl Default for EvaluationFields {
    fn default() -> EvaluationFields {
        Evaluation::default().into()
    }
}

impl From<Evaluation> for EvaluationFields {
    fn from(evaluation: Evaluation) -> EvaluationFields {
        let max_pieces = evaluation.plan.max_pieces();
        let splitting = evaluation.plan.splitting();
        let splitting = splitting.map_or_else(SplittingPlan::default, |plan| plan.1.clone());
        let (method, target) = match evaluation.plan {
            Plan::Auto { precision, .. } => (Method::Auto, Target::Precision(precision)),
            Plan::Games { until, .. } => match until {
                GamesGoal::Games(games) => (Method::Auto, Target::Games(games)),
                GamesGoal::Precision(precision) => (Method::Games, Target::Precision(precision)),
            },
            Plan::Splitting { until, .. } => match until {
                Goal::Precision(precision) => (Method::Splitting, Target::Precision(precision)),
                Goal::Pieces(pieces) => (Method::Splitting, Target::Pieces(pieces)),
                Goal::Repetitions(count) => (Method::Splitting, Target::Repetitions(count)),
            },
        };
        EvaluationFields {
            players: evaluation.players,
            ruleset: evaluation.ruleset,
            method,
            target,
            trajectories: splitting.trajectories,
            level: splitting.level,
            max_pieces,
            seed: evaluation.seed,
        }
    }
}

impl TryFrom<EvaluationFields> for Evaluation {
    type Error = StudyError;

    fn try_from(fields: EvaluationFields) -> Result<Evaluation, StudyError> {
        let splitting = SplittingPlan {
            trajectories: fields.trajectories,
            level: fields.level,
        };
        let max_pieces = fields.max_pieces;
        let asks_for_games = match fields.target {
            Target::Games(_) => Some("a number of games"),
            _ if fields.method == Method::Games => Some("the method"),
            _ => max_pieces.map(|_| "a cap on pieces"),
        };
        let asks_for_splitting = match fields.target {
            Target::Pieces(_) => Some("a budget of pieces"),
            Target::Repetitions(_) => Some("a number of repetitions"),
            _ => (fields.method == Method::Splitting).then_some("the method"),
        };
        if let (Some(games), Some(splitting)) = (asks_for_games, asks_for_splitting) {
            return StudyError::two_methods(games, splitting);
        }
        let (is_games, is_splitting) = (asks_for_games.is_some(), asks_for_splitting.is_some());
        let games = |until| Plan::Games { until, max_pieces };
        let split = |until, splitting| Plan::Splitting { until, splitting };
        let plan = match fields.target {
            Target::Games(count) => games(GamesGoal::Games(count)),
            Target::Precision(part) if is_games => games(GamesGoal::Precision(part)),
            Target::Precision(part) if is_splitting => split(Goal::Precision(part), splitting),
            Target::Precision(precision) => Plan::Auto {
                precision,
                splitting,
            },
            Target::Pieces(pieces) => split(Goal::Pieces(pieces), splitting),
            Target::Repetitions(count) => split(Goal::Repetitions(count), splitting),
        };
        Ok(Evaluation {
            players: fields.players,
            ruleset: fields.ruleset,
            plan,
            seed: fields.seed,
        })
    }
}

//! The engine of tetrolab, the laboratory for artificial Tetris players: boards, rules, features,
//! evaluators and players. It is pure (no files, clocks, threads or globals) and fast.
//!
//! # Architecture
//!
//! ```text
//! Ruleset + seed -> Game -> GameView -> Player::choose -> Placement -> Game::apply -> Transition
//! board + piece -> Outcomes -> FeatureSet -> Evaluator -> scores -> BestPlacement -> Player
//! ```
//!
//! - A [`game::Game`] is a pure function of a [`ruleset::Ruleset`], a seed and placements. A player
//!   sees it as a [`game::GameView`], which never includes the randomizer, but on request the
//!   probabilities of the next pieces ([`randomizers::Forecast`]).
//! - [`moves`] generates the placements of a piece, and [`outcomes::Outcomes`] computes their
//!   effects on a board; the rules of a step are implemented once, in [`rules`].
//! - In stepped games pieces are moved while they fall: [`rotation`] defines how they turn,
//!   [`moves::PathFinder`] finds where they can go, and a [`stepped::SteppedGame`] plays inputs
//!   tick by tick.
//! - A [`players::Player`] chooses a [`placement::Placement`]. Greedy players measure all
//!   placements ([`features`]), rate them ([`evaluators`]) and choose the best one ([`choice`]).
//! - Parts have names and typed settings, in rows of a common type ([`registry::Entry`]):
//!   [`features::FEATURES`], [`lookup::TABLES`], [`evaluators::EVALUATORS`], [`players::PLAYERS`],
//!   [`ends::ENDS`], [`randomizers::RANDOMIZERS`], [`ruleset::RULESETS`]. Names with settings are
//!   [`spec::Spec`]s.
//!
//! Modules depend on each other in one direction, which a test checks; each uses only those before
//! it:
//!
//! ```text
//! piece, board, spec, settings, registry, rng, network -> simd, ends, placement -> rotation, rules -> moves -> outcomes -> lookup, features -> evaluators
//! -> choice -> randomizers -> stepped -> ruleset -> game -> kernel -> players, record
//! ```
//!
//! # Example
//!
//! Dellacherie's player, built by hand, on a small board:
//!
//! ```
//! use std::sync::Arc;
//! use tetrolab_core::choice::GreedyOptions;
//! use tetrolab_core::evaluators::Linear;
//! use tetrolab_core::features::{FeatureSet, feature_set};
//! use tetrolab_core::game::{Game, Status};
//! use tetrolab_core::players::{Greedy, Player};
//! use tetrolab_core::ruleset::ruleset;
//! use tetrolab_core::spec::SpecError;
//!
//! let features = FeatureSet::new(feature_set("dellacherie")?.resolve(), 10);
//! let weights = vec![-1.0, 1.0, -1.0, -1.0, -4.0, -1.0];
//! let evaluator = Arc::new(Linear::new(features, weights)?);
//! let mut player = Greedy::new(evaluator, GreedyOptions::default());
//!
//! // The simplified game asks for no evaluator by name; an adversary would.
//! let no_names = |spec: &_, _| Err(SpecError::unknown("evaluator", &format!("{spec}"), []));
//! let rules = ruleset(&"simplified-10x8".parse()?, &no_names)?;
//! let mut game = Game::new(&rules, 1);
//! while game.status() == Status::Playing {
//!     game.apply(player.choose(&game.view()));
//! }
//! assert_eq!((game.pieces(), game.lines()), (130, 45));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
pub mod choice;
pub mod deal;
pub mod ends;
pub mod evaluators;
pub mod features;
pub mod game;
pub mod kernel;
pub mod lookup;
pub mod moves;
pub mod network;
pub mod outcomes;
pub mod piece;
pub mod placement;
pub mod players;
pub mod randomizers;
pub mod record;
pub mod registry;
pub mod rng;
pub mod rotation;
pub mod rules;
pub mod ruleset;
pub mod settings;
pub mod simd;
pub mod spec;
pub mod stepped;
pub mod stop;

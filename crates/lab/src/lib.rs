//! The laboratory: evaluates, compares and learns players, each in one call.
//!
//! # Architecture
//!
//! ```text
//! description (Evaluation, Comparison, Learning) -> study in a Context -> result;  events to an observer on the way
//! name, file or spec -> library -> Player, Ruleset
//! Context::play_all(arms, series, range of games) -> Played -> stats -> Estimate with its interval
//! ```
//!
//! [`study`] has the calls and [`context`] their environment; the other modules are their building
//! blocks. [`library`] contains the published players and the shipped rulesets, and reads files;
//! [`arena`] plays; [`survival`] estimates means without playing to the end; [`stats`] turns games
//! into numbers with intervals; [`formats`] reads and writes files of whole games, which can be
//! replayed, and of placements for conformance tests; [`learners`] contains the learning methods,
//! and [`learning`] turns them into resumable runs; [`mod@bench`] measures speed and computes the
//! signature of all decisions; [`analysis`] shows how players rate a position, and [`knowledge`]
//! describes their lookup tables; [`draw`] creates pictures; [`experiments`] reproduces tables from
//! the literature; [`report`] creates tables and texts; [`external`] runs players that are
//! programs; [`session`] has games shared by people and bots. The engine is [`core`].
//!
//! # Example
//!
//! ```standalone_crate
//! # let folder = tempfile::tempdir()?;
//! # std::env::set_current_dir(&folder)?;
//! use tetrolab::{arena::Arena, context::{Context, Event}};
//! use tetrolab::study::{Budget, Evaluation, Keep, Learning, LearningPlace, Plan, evaluate, learn};
//!
//! let arena = Arena::new(0)?; // one thread for every core
//! let context = Context::new(&arena).observer(|event| if let Event::Generation(done) = event.event {
//!     println!("generation {}: best {:.1} lines", done.number + 1, done.best);
//! });
//! let learning = Learning { ruleset: "simplified-6x8".into(), budget: Budget::generations(3), ..Learning::default() };
//! let place = LearningPlace::new("runs/mine".as_ref())?;
//! let mine = learn(&learning, &place, &context)?.player.expect("nobody stops it");
//! let (players, ruleset) = (vec!["bcts".into(), "dt-10".into(), mine], "simplified-6x8".into());
//! let evaluation = Evaluation { players, ruleset, plan: Plan::games(100), ..Evaluation::default() };
//! for result in evaluate(&evaluation, &Keep::nothing(), &Context::new(&arena))?.results {
//!     println!("{}: {:?} lines, 95 % interval {:?}", result.player, result.lines.mean, result.lines.ci95);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod analysis;
pub mod arena;
pub mod bench;
#[cfg(feature = "store")]
pub mod catalogue;
pub mod context;
pub mod draw;
pub mod environment;
#[cfg(feature = "store")]
pub mod experiments;
pub mod external;
mod feature_scale;
pub mod formats;
mod hash;
mod journal;
pub mod knowledge;
pub mod learners;
pub mod learning;
pub mod library;
mod memory;
mod number;
mod ordered_file;
pub mod report;
pub mod session;
mod settings;
pub mod stats;
pub mod study;
pub mod survival;
pub mod time;

pub use tetrolab_core as core;

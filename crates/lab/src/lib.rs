//! The laboratory: finds players and rulesets by name, plays seeded games in parallel, and says what the scores mean.
//!
//! # How it hangs together
//!
//! ```text
//! name, file or spec -> library -> Player, Ruleset
//! Arena::play(player, ruleset, games, seed) -> Played -> stats -> Estimate with its interval
//! ```
//!
//! [`library`] knows the published players and the shipped rulesets and reads files; [`arena`] plays; [`stats`] turns what was
//! played into numbers with intervals; [`game_records`] keeps whole games, to be played again; [`records`] reads placements for
//! conformance tests; [`learners`] look for weights, and [`learning`] makes runs of them that can be resumed; [`mod@bench`]
//! measures speed and signs behaviour. The engine is [`core`].
//!
//! # Example
//!
//! ```
//! use tetrolab::arena::Arena;
//! use tetrolab::library::{find_player, find_ruleset};
//! use tetrolab::stats::Estimate;
//!
//! let ruleset = find_ruleset("simplified-10x8")?;
//! let player = find_player("bcts", &ruleset)?;
//! let played = Arena::new(0)?.play(&*player, &ruleset, 100, 1)?;
//! let lines = Estimate::of(&played.lines()).expect("a hundred games were played");
//! assert_eq!(lines.mean.map(f64::round), Some(601.0));
//! assert!(lines.ci95.contains(500.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod arena;
pub mod bench;
pub mod command;
pub mod comparison;
pub mod game_records;
mod hash;
pub mod learners;
pub mod learning;
pub mod library;
pub mod records;
pub mod stats;
pub mod survival;

pub use tetrolab_core as core;

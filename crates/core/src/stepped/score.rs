//! Points of clears, and the counters of a game.

use super::{guideline, nes, tgm};
use crate::moves::{Pace, ScoreRule};
use crate::placement::Spin;

/// Every rule, with its name in specs.
pub(super) const SCORES: &[(ScoreRule, &str)] = &[
    (ScoreRule::Lines, "lines"),
    (ScoreRule::Guideline, "guideline"),
    (ScoreRule::Nes, "nes"),
    (ScoreRule::Tgm, "tgm"),
    (ScoreRule::Tgm3, "tgm3"),
];

/// The counters of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Points.
    pub points: u64,
    /// The level.
    pub level: u32,
    /// Lines cleared.
    pub lines: u64,
    /// Number of consecutive pieces that have cleared lines, not counting the first; 0 after a
    /// piece that has not. In TGM, the factor of the next clear.
    pub combo: u32,
    /// Whether the last clear was a difficult one.
    pub back_to_back: bool,
    /// Lines sent to an opponent.
    pub attack: u64,
    /// Whether the last piece cleared lines.
    pub(super) clearing: bool,
}

impl Tally {
    /// A game that begins at this level.
    pub fn new(level: u32) -> Tally {
        Tally {
            level,
            ..Tally::default()
        }
    }
}

/// A piece that has locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clear {
    /// The number of lines cleared.
    pub lines: u32,
    /// The spin.
    pub spin: Spin,
    /// Whether the board is empty afterwards.
    pub perfect: bool,
    /// Number of rows that it was moved down by soft drop.
    pub soft_rows: u32,
    /// Number of rows of the hard or sonic drop.
    pub hard_rows: u32,
}

impl ScoreRule {
    /// Counts a locked piece, and sets the resulting level; returns its points.
    pub fn add(self, tally: &mut Tally, clear: &Clear, pace: Pace) -> u64 {
        let before = match self {
            ScoreRule::Lines | ScoreRule::Nes => 0,
            ScoreRule::Guideline => guideline::points(tally, clear),
            ScoreRule::Tgm | ScoreRule::Tgm3 => tgm::points(tally, clear),
        };
        tally.lines += u64::from(clear.lines);
        tally.level = pace.after_lock(tally.level, clear.lines, tally.lines);
        let points = match self {
            ScoreRule::Nes => nes::points(tally, clear),
            _ => before,
        };
        tally.points += points;
        points
    }
}

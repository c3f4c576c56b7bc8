//! The points and levels of the NES game (Tetris Wiki, "Tetris (NES, Nintendo)"; Hard Drop,
//! "Scoring"). Lines are counted before points: a clear that completes a level is scored
//! at the next level.

use super::score::{Clear, Tally};

const POINTS: [u64; 5] = [0, 40, 100, 300, 1200];

/// The points of a piece, after its lines are counted.
pub(super) fn points(tally: &Tally, clear: &Clear) -> u64 {
    POINTS[clear.lines as usize] * (u64::from(tally.level) + 1) + u64::from(clear.soft_rows)
}

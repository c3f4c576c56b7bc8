//! The points and levels of the NES game (Tetris Wiki, "Tetris (NES, Nintendo)"; Hard Drop, "Scoring"). Lines are counted before points: a clear that ends a
//! level is paid at the next one.

use super::score::{Clear, Tally};

const POINTS: [u64; 5] = [0, 40, 100, 300, 1200];

/// Counts lines and level, and gives the points of a piece.
pub(super) fn points(tally: &mut Tally, clear: &Clear) -> u64 {
    tally.lines += u64::from(clear.lines);
    let start = u64::from(tally.start_level);
    // The first level takes longer when the game begins at a high one.
    let first = (10 * start + 10).min((10 * start).saturating_sub(50).max(100));
    if clear.lines > 0 && tally.lines >= first {
        tally.level = tally.start_level + 1 + ((tally.lines - first) / 10) as u32;
    }
    POINTS[clear.lines as usize] * (u64::from(tally.level) + 1) + u64::from(clear.soft_rows)
}

//! The points, levels and grades of the first TGM (Tetris Wiki, "Tetris The Grand Master";
//! Cambridge).

use super::score::{Clear, Tally};

/// The grades with the points that they require.
const GRADES: [(u64, &str); 18] = [
    (0, "9"),
    (400, "8"),
    (800, "7"),
    (1400, "6"),
    (2000, "5"),
    (3500, "4"),
    (5500, "3"),
    (8000, "2"),
    (12_000, "1"),
    (16_000, "S1"),
    (22_000, "S2"),
    (30_000, "S3"),
    (40_000, "S4"),
    (52_000, "S5"),
    (66_000, "S6"),
    (82_000, "S7"),
    (100_000, "S8"),
    (120_000, "S9"),
];

/// The grade for this many points. The highest, GM, also requires speed, which is not tracked.
pub fn grade(points: u64) -> &'static str {
    let reached = GRADES.iter().rev().find(|grade| grade.0 <= points);
    reached.map_or("9", |grade| grade.1)
}

/// The points of a piece, before its lines are counted.
pub(super) fn points(tally: &mut Tally, clear: &Clear) -> u64 {
    if clear.lines == 0 {
        tally.combo = 1;
        return 0;
    }
    let lines = u64::from(clear.lines);
    tally.combo = tally.combo.max(1) + 2 * clear.lines - 2;
    let level = u64::from(tally.level);
    let bravo = if clear.perfect { 4 } else { 1 };
    let base = (level + lines).div_ceil(4) + u64::from(clear.soft_rows);
    base * lines * u64::from(tally.combo) * bravo
}

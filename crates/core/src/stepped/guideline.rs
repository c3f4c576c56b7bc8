//! The guideline's points (Tetris Wiki, "Scoring", recent guideline-compatible games; Hard Drop,
//! "Scoring"), and the lines that clears send.

use super::score::{Clear, Tally};
use crate::placement::Spin;

/// Points for no line, one, two, three and four, at level 1.
const PLAIN: [u64; 5] = [0, 100, 300, 500, 800];
const MINI: [u64; 5] = [100, 200, 400, 400, 400];
const FULL: [u64; 5] = [400, 800, 1200, 1600, 2600];
/// Points for clearing the whole board with this many lines; the last is for four lines back to
/// back.
const PERFECT: [u64; 6] = [0, 800, 1200, 1800, 2000, 3200];

/// Lines sent.
const SENT: [u64; 5] = [0, 0, 1, 2, 4];
const SENT_MINI: [u64; 5] = [0, 0, 1, 1, 1];
const SENT_FULL: [u64; 5] = [0, 2, 4, 6, 8];
/// Lines sent for a combo of this many clears after the first.
const SENT_COMBO: [u64; 12] = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5];
/// Lines sent for clearing the whole board, in addition to those of the clear.
const SENT_PERFECT: u64 = 10;

/// The points of a piece, before its lines are counted.
pub(super) fn points(tally: &mut Tally, clear: &Clear) -> u64 {
    let lines = clear.lines as usize;
    let (table, sent) = match clear.spin {
        Spin::None => (PLAIN, SENT),
        Spin::Mini => (MINI, SENT_MINI),
        Spin::Full => (FULL, SENT_FULL),
    };
    let difficult = lines > 0 && (lines == 4 || clear.spin != Spin::None);
    let again = difficult && tally.back_to_back;
    let mut points = table[lines];
    if again {
        points += points / 2;
    }
    if clear.perfect {
        points += PERFECT[if again && lines == 4 { 5 } else { lines }];
    }
    if lines > 0 {
        tally.combo = if tally.clearing { tally.combo + 1 } else { 0 };
        points += 50 * u64::from(tally.combo);
        tally.back_to_back = difficult;
        let combo = SENT_COMBO[(tally.combo as usize).min(SENT_COMBO.len() - 1)];
        let perfect = if clear.perfect { SENT_PERFECT } else { 0 };
        tally.attack += sent[lines] + u64::from(again) + combo + perfect;
    } else {
        tally.combo = 0;
    }
    tally.clearing = lines > 0;
    let dropped = u64::from(clear.soft_rows) + 2 * u64::from(clear.hard_rows);
    points * u64::from(tally.level) + dropped
}

//! Covers: the filled cells above the highest hole of each column, and the empty cells in their
//! rows.

use super::words::{self, Unmixed};
use super::{BoardView, Found, LookupTable, Measurements, Needs, TableEntry, clipped};
use crate::settings::{Kind, Setting};
use crate::simd::{Word, WordNumber};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "covers",
    definition: "one entry per column with a hole: the number of filled cells above its highest hole, and the number of empty cells in their rows",
    source: "ours",
    settings: &[Setting {
        id: "with",
        help: "additional input: the number of other columns that are covered in these rows (others), or the height differences to both sides (sides)",
        default: Some("others"),
        kind: Kind::Word(&["others", "sides"]),
    }],
    make: |settings, _| {
        let with_sides = settings.word("with") == "sides";
        Ok(Covers { with_sides }.into())
    },
};

/// Larger numbers are clipped to these maxima: depth of the cover, missing cells, other columns and
/// differences.
const DEEPEST: usize = 8;
const MISSING: usize = 24;
const OTHERS: usize = 5;
const DIFFERENCE: i32 = 3;
const DIFFERENCES: usize = 2 * DIFFERENCE as usize + 1;

/// See [`ENTRY`].
#[derive(Debug)]
pub struct Covers {
    with_sides: bool,
}

/// Measures the cells above the highest hole of each column: the filled cells of the column above
/// the hole, and the empty cells of these rows.
#[inline(always)]
pub(super) fn measure<W: Word>(width: usize, board: &mut Measurements<W>) {
    for c in 0..width {
        let covered = board.covered[c];
        if covered.all_empty() {
            continue;
        }
        // One more than the row of the hole: the first row of the cover.
        let (from, top) = (covered.height(), board.heights[c + 1]);
        let depth = (top - from).least(W::Num::splat(DEEPEST as i32));
        let missing =
            W::Num::in_row(&board.missing_below, top) - W::Num::in_row(&board.missing_below, from);
        let missing = missing.least(W::Num::splat(MISSING as i32));
        let depths = (depth - W::Num::splat(1)) * W::Num::splat(MISSING as i32 + 1);
        board.cover_tops[c] = from;
        board.covers[c] = depths + missing;
    }
}

impl Covers {
    /// Adds the number of other columns that are covered in the rows of the cover.
    #[inline(always)]
    fn add_others<W: Word>(&self, entry: W::Num, board: &BoardView<'_, W>, c: usize) -> W::Num {
        let rows = W::filled(board.height_of(c)) & !W::filled(board.cover_tops[c]);
        let mut others = W::Num::splat(board.width as i32);
        for c in 0..board.width {
            // A mask is -1.
            others = others + (board.covered[c] & rows).is_empty();
        }
        let most = OTHERS as i32;
        entry * W::Num::splat(most + 1) + others.least(W::Num::splat(most))
    }

    /// Adds the differences in height to both sides, the smaller first.
    #[inline(always)]
    fn add_sides<N: WordNumber>(&self, entry: N, [left, right]: [N; 2]) -> N {
        let size = N::splat(DIFFERENCES as i32);
        let (left, right) = (clipped(left, DIFFERENCE), clipped(right, DIFFERENCE));
        (entry * size + left.least(right)) * size + left.most(right)
    }
}

impl LookupTable for Covers {
    fn entries(&self) -> usize {
        let context = if self.with_sides {
            DIFFERENCES * DIFFERENCES
        } else {
            OTHERS + 1
        };
        DEEPEST * (MISSING + 1) * context
    }

    fn needs(&self) -> Needs {
        Needs::COVERS
    }

    #[inline(always)]
    fn find<W: Word>(&self, board: &BoardView<'_, W>, found: &mut impl Found<W::Num>) {
        for c in 0..board.width {
            if board.covered[c].all_empty() {
                continue;
            }
            let has_hole = board.cover_tops[c].above(W::Num::splat(0));
            let entry = if self.with_sides {
                self.add_sides(board.covers[c], board.sides(c))
            } else {
                self.add_others(board.covers[c], board, c)
            };
            found.entry_if(has_hole, 0, entry);
        }
    }

    fn describe(&self, entry: usize) -> String {
        let mut rest = Unmixed(entry);
        let context = if self.with_sides {
            let sides = rest.take_all(2, DIFFERENCES);
            let sides = words::differences(&sides, DIFFERENCE);
            format!("height differences {sides}")
        } else {
            let others = words::count(rest.take(OTHERS + 1), OTHERS);
            format!("columns covered there: {others}")
        };
        let missing = words::count(rest.take(MISSING + 1), MISSING);
        let depth = words::count(rest.0 + 1, DEEPEST);
        format!(
            "hole with a cover of depth {depth} whose rows have {missing} empty cells, {context}"
        )
    }
}

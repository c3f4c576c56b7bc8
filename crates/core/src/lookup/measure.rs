//! Measures of a board that interaction terms combine.

use super::words::{self, Unmixed};
use super::{BoardSize, BoardView, Measurements, Needs};
use crate::simd::{Word, WordNumber};

/// Lists the measures, and their names in settings.
macro_rules! measures {
    ($($measure:ident $name:literal),* $(,)?) => {
        /// A measure.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum BoardMeasure {
            $($measure),*
        }

        impl BoardMeasure {
            const ALL: &[BoardMeasure] = &[$(BoardMeasure::$measure),*];
            /// The names of the measures, in the same order.
            pub(super) const NAMES: &[&str] = &[$($name),*];
            /// Number of measures.
            pub(super) const COUNT: usize = BoardMeasure::NAMES.len();
        }
    };
}

measures! {
    RowsLeft "rows-left",
    Holes "holes",
    HoleRows "hole-rows",
    RowTransitions "row-transitions",
    HoleRuns "hole-runs",
    HighestHole "highest-hole",
    Bumpiness "bumpiness",
    Cells "cells",
    EmptyCells "empty-cells",
    Spread "spread",
    Wells "wells",
    DeepestWell "deepest-well",
}

impl BoardMeasure {
    /// The measure with this name, which the settings have already checked.
    pub(super) fn named(name: &str) -> BoardMeasure {
        let place = BoardMeasure::NAMES.iter().position(|known| *known == name);
        BoardMeasure::ALL[place.unwrap_or(0)]
    }

    fn name(self) -> &'static str {
        BoardMeasure::NAMES[self as usize]
    }

    /// The maximum value on a board of this size; larger ones count as the maximum.
    fn most(self, size: BoardSize) -> usize {
        let BoardSize { width, height } = size;
        match self {
            BoardMeasure::RowsLeft
            | BoardMeasure::HoleRows
            | BoardMeasure::Spread
            | BoardMeasure::DeepestWell => height,
            BoardMeasure::Holes | BoardMeasure::HoleRuns => 3 * width,
            // Towers next to deep wells have many of these, and must not look like safer boards.
            BoardMeasure::RowTransitions | BoardMeasure::Bumpiness => 12 * width,
            BoardMeasure::EmptyCells => width * height / 2,
            BoardMeasure::HighestHole => height + 1,
            BoardMeasure::Cells => width * height,
            BoardMeasure::Wells => 4 * 4 * 4 - 1,
        }
    }
}

/// Computes the needed measures for boards of a width.
#[inline(always)]
pub(super) fn measure<W: Word>(width: usize, board: &mut Measurements<W>, needs: Needs) {
    let zero = W::Num::splat(0);
    let wants = |measure| needs.include(Needs::measure(measure));
    board.set(BoardMeasure::RowsLeft, board.height - board.highest);
    board.set(BoardMeasure::HoleRows, board.hole_rows.count());
    // The row of the highest hole, counted from the top; one more than its distance.
    let from_top = board.height - board.hole_top + W::Num::splat(1);
    let has_hole = board.hole_top.above(zero);
    board.set(BoardMeasure::HighestHole, from_top.only_if(has_hole));
    if wants(BoardMeasure::Holes) || wants(BoardMeasure::HoleRuns) {
        let (mut holes, mut runs) = (zero, zero);
        for c in 0..width {
            let covered = board.covered[c];
            holes = holes + covered.tally();
            runs = runs + (covered & !covered.up::<1>()).tally();
        }
        board.set(BoardMeasure::Holes, W::total(holes));
        board.set(BoardMeasure::HoleRuns, W::total(runs));
    }
    if wants(BoardMeasure::Cells) || wants(BoardMeasure::EmptyCells) {
        let mut cells = zero;
        for c in 0..width {
            cells = cells + board.columns[c].tally();
        }
        let (cells, wide) = (W::total(cells), W::Num::splat(width as i32));
        board.set(BoardMeasure::Cells, cells);
        board.set(BoardMeasure::EmptyCells, board.highest * wide - cells);
    }
    if wants(BoardMeasure::RowTransitions) {
        board.set(BoardMeasure::RowTransitions, row_transitions(width, board));
    }
    if wants(BoardMeasure::Bumpiness) {
        let mut sum = zero;
        for c in 0..width - 1 {
            sum = sum + board.rises[c].magnitude();
        }
        board.set(BoardMeasure::Bumpiness, sum);
    }
    if wants(BoardMeasure::Spread) {
        let mut lowest = board.height;
        for c in 0..width {
            lowest = lowest.least(board.heights[c + 1]);
        }
        board.set(BoardMeasure::Spread, board.highest - lowest);
    }
    if wants(BoardMeasure::Wells) {
        board.set(BoardMeasure::Wells, wells(width, board));
    }
    if wants(BoardMeasure::DeepestWell) {
        let mut deepest = zero;
        for c in 0..width {
            deepest = deepest.most(board.wells[c]);
        }
        board.set(BoardMeasure::DeepestWell, deepest);
    }
}

/// Changes between filled and empty along the rows up to the highest column, with both walls
/// filled.
#[inline(always)]
fn row_transitions<W: Word>(width: usize, board: &Measurements<W>) -> W::Num {
    let wall = W::filled(board.highest);
    let (mut changes, mut left) = (W::Num::splat(0), wall);
    for c in 0..width {
        changes = changes + (left ^ board.columns[c]).tally();
        left = board.columns[c];
    }
    W::total(changes + (left ^ wall).tally())
}

/// The number of wells of depth 1, of depth 2, and of greater depth, each at most three, in one
/// number.
#[inline(always)]
fn wells<W: Word>(width: usize, board: &Measurements<W>) -> W::Num {
    let three = W::Num::splat(3);
    let mut counts = [W::Num::splat(0); 3];
    for c in 0..width {
        let depth = board.wells[c].least(three);
        for k in 0..3 {
            // A mask is -1.
            counts[k] = counts[k] - depth.equal(W::Num::splat(k as i32 + 1));
        }
    }
    let four = W::Num::splat(4);
    let upper = counts[0].least(three) * four + counts[1].least(three);
    upper * four + counts[2].least(three)
}

/// A measure on boards of one size; larger values are clipped.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClippedMeasure {
    measure: BoardMeasure,
    most: usize,
}

impl ClippedMeasure {
    pub(super) fn new(measure: BoardMeasure, size: BoardSize) -> ClippedMeasure {
        ClippedMeasure {
            measure,
            most: measure.most(size),
        }
    }

    /// Number of distinguished values.
    pub(super) fn values(&self) -> usize {
        self.most + 1
    }

    /// A value as text.
    pub(super) fn describe(&self, value: usize) -> String {
        let name = self.measure.name();
        match self.measure {
            // Counts of wells of depth 1, 2 and more, each at most three.
            BoardMeasure::Wells => {
                let counts = Unmixed(value).take_all(3, 4);
                let counts: Vec<String> = counts.iter().map(|n| words::count(*n, 3)).collect();
                format!("wells of depth 1, 2 and more: {}", counts.join(", "))
            }
            BoardMeasure::HighestHole if value == 0 => "no hole".to_owned(),
            BoardMeasure::HighestHole => {
                let from_top = words::count(value, self.most);
                format!("highest hole {from_top} from the top of the board")
            }
            _ => format!("{name} {}", words::count(value, self.most)),
        }
    }

    /// The measure.
    pub(super) fn needs(&self) -> Needs {
        Needs::measure(self.measure)
    }

    #[inline(always)]
    pub(super) fn of<W: Word>(&self, board: &BoardView<'_, W>) -> W::Num {
        let value = board.measures[self.measure as usize];
        value.least(W::Num::splat(self.most as i32))
    }
}

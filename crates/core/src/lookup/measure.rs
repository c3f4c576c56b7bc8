//! Measures of a board that tables cross with each other.

use super::words::{self, Unmixed};
use super::{BoardMeasurements, BoardSize};

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoardMeasure {
    RowsLeft,
    Holes,
    HoleRows,
    RowTransitions,
    HoleRuns,
    HighestHole,
    Bumpiness,
    Cells,
    EmptyCells,
    Spread,
    Wells,
    DeepestWell,
}

impl BoardMeasure {
    /// How many there are.
    pub(crate) const COUNT: usize = 12;

    const ALL: [BoardMeasure; BoardMeasure::COUNT] = [
        BoardMeasure::RowsLeft,
        BoardMeasure::Holes,
        BoardMeasure::HoleRows,
        BoardMeasure::RowTransitions,
        BoardMeasure::HoleRuns,
        BoardMeasure::HighestHole,
        BoardMeasure::Bumpiness,
        BoardMeasure::Cells,
        BoardMeasure::EmptyCells,
        BoardMeasure::Spread,
        BoardMeasure::Wells,
        BoardMeasure::DeepestWell,
    ];

    /// Their names, in the same order.
    pub(super) const NAMES: &[&str] = &[
        "rows-left",
        "holes",
        "hole-rows",
        "row-transitions",
        "hole-runs",
        "highest-hole",
        "bumpiness",
        "cells",
        "empty-cells",
        "spread",
        "wells",
        "deepest-well",
    ];

    /// The one with this name; settings take no other.
    pub(crate) fn named(name: &str) -> BoardMeasure {
        let place = BoardMeasure::NAMES.iter().position(|known| *known == name);
        BoardMeasure::ALL[place.unwrap_or(0)]
    }

    fn name(self) -> &'static str {
        let place = BoardMeasure::ALL.iter().position(|known| *known == self);
        BoardMeasure::NAMES[place.unwrap_or(0)]
    }

    /// The largest value that is told apart on a board of a size.
    fn most(self, size: BoardSize) -> usize {
        let BoardSize { width, height } = size;
        match self {
            BoardMeasure::RowsLeft
            | BoardMeasure::HoleRows
            | BoardMeasure::Spread
            | BoardMeasure::DeepestWell => height,
            BoardMeasure::Holes | BoardMeasure::HoleRuns => 3 * width,
            // Towers beside deep wells have many of them, and must not look like tamer boards.
            BoardMeasure::RowTransitions | BoardMeasure::Bumpiness => 12 * width,
            BoardMeasure::EmptyCells => width * height / 2,
            BoardMeasure::HighestHole => height + 1,
            BoardMeasure::Cells => width * height,
            BoardMeasure::Wells => 4 * 4 * 4 - 1,
        }
    }

    #[inline]
    fn value(self, board: &BoardMeasurements) -> usize {
        match self {
            BoardMeasure::RowsLeft => board.rows_left(),
            BoardMeasure::Holes => board.holes(),
            BoardMeasure::HoleRows => board.hole_rows().count_ones() as usize,
            BoardMeasure::RowTransitions => row_transitions(board),
            BoardMeasure::HoleRuns => hole_runs(board),
            BoardMeasure::HighestHole => board.highest_hole().map_or(0, |row| board.height() - row),
            BoardMeasure::Bumpiness => (0..board.width() - 1)
                .map(|gap| board.rise(gap).unsigned_abs() as usize)
                .sum(),
            BoardMeasure::Cells => cells(board),
            BoardMeasure::EmptyCells => board.highest() * board.width() - cells(board),
            BoardMeasure::Spread => {
                let lowest = board.heights().iter().min().copied().unwrap_or(0);
                board.highest() - usize::from(lowest)
            }
            BoardMeasure::Wells => wells(board),
            BoardMeasure::DeepestWell => {
                let wells = (0..board.width()).map(|column| board.well(column));
                wells.max().unwrap_or(0)
            }
        }
    }
}

fn cells(board: &BoardMeasurements) -> usize {
    let rows = board.filled_rows().iter();
    rows.map(|cells| cells.count_ones() as usize).sum()
}

/// Changes between filled and empty along the rows up to the highest column, both walls filled.
fn row_transitions(board: &BoardMeasurements) -> usize {
    let width = board.width();
    let walls = 1u32 | 1 << (width + 1);
    let changes = |cells: &u16| {
        let row = u32::from(*cells) << 1 | walls;
        ((row ^ row >> 1) & ((1 << (width + 1)) - 1)).count_ones() as usize
    };
    board.filled_rows().iter().map(changes).sum()
}

/// Vertical runs of covered cells.
fn hole_runs(board: &BoardMeasurements) -> usize {
    let runs = |column: usize| {
        let holes = board.covered(column);
        (holes & !(holes << 1)).count_ones() as usize
    };
    (0..board.width()).map(runs).sum()
}

/// How many wells of depth 1, 2 and more there are, each up to three, in one number.
fn wells(board: &BoardMeasurements) -> usize {
    let mut counts = [0usize; 3];
    for column in 0..board.width() {
        if let Some(place) = board.well(column).min(3).checked_sub(1) {
            counts[place] += 1;
        }
    }
    counts
        .iter()
        .fold(0, |all, count| all * 4 + (*count).min(3))
}

/// A measure on boards of a size: larger values count as the largest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClippedMeasure {
    measure: BoardMeasure,
    most: usize,
}

impl ClippedMeasure {
    pub(crate) fn new(measure: BoardMeasure, size: BoardSize) -> ClippedMeasure {
        ClippedMeasure {
            measure,
            most: measure.most(size),
        }
    }

    /// How many values are told apart.
    pub(crate) fn values(&self) -> usize {
        self.most + 1
    }

    /// A value in words.
    pub(super) fn describe(&self, value: usize) -> String {
        let name = self.measure.name();
        match self.measure {
            // Counts of wells of depth 1, 2 and more, each up to three.
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

    /// What is measured.
    pub(crate) fn measure(&self) -> BoardMeasure {
        self.measure
    }

    #[inline]
    pub(super) fn of(&self, board: &BoardMeasurements) -> usize {
        self.measure.value(board).min(self.most)
    }
}

//! The scores of every pattern of cells next to a shape, computed once.
//!
//! A *window* is the content of one column in three rows at fixed offsets from the row `y` in which
//! the shape lands. Its bits are the index of a table entry, which contains the total score of the
//! pattern.

use super::by_tables::LookupWeights;
use super::set::SetKind;
use super::shape::{ConstShape, FIRST, SHAPES, spots};
use super::surface::Cells;
use super::weights::{Measure, Weights};
use crate::board::Board;
use crate::outcomes::MAX_OUTCOMES;
use crate::randomizers::Chances;
use crate::simd::Words;

/// The scores of one shape.
#[derive(Clone, Debug)]
pub(super) struct ShapeTables {
    /// The placement's score without its surroundings, for `y` = -1.
    pub(super) constant: i32,
    /// The change per row of `y`.
    pub(super) slope: i32,
    /// The part of `constant` and `slope` that is due to the height of the landing.
    pub(super) landing: (i32, i32),
    /// The tables for the columns left and right of the shape.
    pub(super) sides: [Side; 2],
    /// The small steps between the shape's own tops, one bit per kind.
    pub(super) steps: i32,
    /// The ledges of the shape.
    pub(super) ledges: [LedgeTables; 2],
    /// For the vertical I: the wells that it fills, in rows 0 to 2 and in row 3.
    pub(super) filled: [Words; 2],
    /// Eroded piece cells for every pattern of cleared rows.
    pub(super) eroded: [i32; 16],
}

/// The scores of the cells in the column next to a shape. The second table is for the fourth row of
/// the vertical I.
#[derive(Clone, Debug)]
pub(super) struct Side {
    /// Filled cells: contacts, and wells on top of the shape's outer column.
    pub(super) filled: [Words; 2],
    /// Empty cells whose far neighbour is filled become wells: the number of these cells.
    pub(super) well_count: [Words; 2],
    /// The contribution of these wells if the column reaches up to row `y`.
    pub(super) well_sum: [Words; 2],
}

/// The scores of the cells below a ledge.
#[derive(Clone, Debug)]
pub(super) struct LedgeTables {
    /// Filled cells: contacts.
    pub(super) filled: Words,
    /// The number of cells that become or stop being wells.
    pub(super) well_count: Words,
    /// The contribution of these cells if their column reaches up to row `y`.
    pub(super) well_sum: Words,
}

/// The sum of `score(row)` for every pattern of the rows from `from` on.
fn table(from: usize, score: impl Fn(usize) -> i32) -> Words {
    Words(std::array::from_fn(|pattern| {
        let rows = (0..3).filter(|row| pattern >> row & 1 == 1);
        rows.map(|row| score(from + row)).sum()
    }))
}

/// Tables for the rows from `from` on and from `from + 3` on.
fn tables(from: usize, score: impl Fn(usize) -> i32) -> [Words; 2] {
    [table(from, &score), table(from + 3, &score)]
}

impl ShapeTables {
    fn new(shape: &ConstShape, weights: &Weights) -> ShapeTables {
        let width = shape.width;
        let (landing, holes) = (weights.of(Measure::Landing), weights.of(Measure::Holes));
        let transition = weights.of(Measure::RowTransitions);
        // Twice the height of the middle of the box is 2 y + height - 1.
        let landing = ((shape.height as i32 - 3) * landing, 2 * landing);
        let raised: usize = (0..width).map(|column| shape.low[column]).sum();
        let rows = shape.height as i32;
        let cells = |row: usize| shape.cells_in_row[row] as i32;
        let well = weights.of(Measure::Wells);
        ShapeTables {
            constant: landing.0 + holes * raised as i32 + 2 * rows * transition,
            slope: landing.1 + holes * width as i32,
            landing,
            sides: [
                Side::new(shape, 0, 1, weights),
                Side::new(shape, width - 1, width.wrapping_sub(2), weights),
            ],
            steps: (1..width).fold(0, |steps, j| {
                let step = shape.high[j] as i32 - shape.high[j - 1] as i32;
                if step.abs() <= 2 {
                    steps | 1 << (step + 2)
                } else {
                    steps
                }
            }),
            ledges: [0, 1].map(|index| LedgeTables::new(shape, index, weights)),
            filled: tables(0, |row| if row < 4 { -well * (row as i32 + 1) } else { 0 }),
            eroded: std::array::from_fn(|pattern| {
                let cleared = (0..4).filter(|row| pattern >> row & 1 == 1);
                let erased: i32 = cleared.map(cells).sum();
                (pattern.count_ones() as i32) * erased * weights.of(Measure::Eroded)
            }),
        }
    }
}

impl Side {
    /// The side of a shape's outer column; `inner` is its neighbour inside the shape, if any.
    fn new(shape: &ConstShape, outer: usize, inner: usize, weights: &Weights) -> Side {
        let (low, high) = (shape.low[outer], shape.high[outer]);
        let inner_high = if inner < shape.width {
            shape.high[inner]
        } else {
            0
        };
        let (contact, well) = (
            -2 * weights.of(Measure::RowTransitions),
            weights.of(Measure::Wells),
        );
        let in_shape = |row: usize| low <= row && row < high;
        let on_top = |row: usize| high <= row && row < inner_high;
        Side {
            filled: [low, low + 3].map(|from| {
                let mut filled = table(from, |row| {
                    if in_shape(row) {
                        contact
                    } else if on_top(row) {
                        well * (row - high + 1) as i32
                    } else {
                        0
                    }
                });
                for (pattern, score) in filled.0.iter_mut().enumerate() {
                    // The run of a fast well sum starts in the highest row.
                    let rows = (from..from + 3).filter(|row| pattern >> (row - from) & 1 == 1);
                    let highest = rows.filter(|&row| on_top(row)).max();
                    let run = highest.map_or(0, |row| row - high + 1) as i32;
                    *score += weights.of(Measure::FastWells) * (run * (run + 1) / 2);
                }
                filled
            }),
            well_count: tables(low, |row| i32::from(in_shape(row)) * well),
            well_sum: tables(low, |row| {
                i32::from(in_shape(row)) * well * (row as i32 + 1)
            }),
        }
    }
}

impl LedgeTables {
    fn new(shape: &ConstShape, index: usize, weights: &Weights) -> LedgeTables {
        let (from, rows) = shape.ledges[index].map_or((0, 0), |ledge| (ledge.from, ledge.rows));
        let below = |row: usize| (rows >> row & 1) as i32;
        let well = weights.of(Measure::Wells);
        LedgeTables {
            filled: table(from, |row| {
                -2 * weights.of(Measure::RowTransitions) * below(row)
            }),
            well_count: table(from, |row| well * below(row)),
            well_sum: table(from, |row| well * below(row) * (row as i32 + 1)),
        }
    }
}

/// Everything that decisions depend on besides the boards: the size of the game and the weights.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) weights: Weights,
    pub(super) shapes: Vec<ShapeTables>,
    /// For every piece the shape and the column of each placement.
    places: [Box<[Place; MAX_OUTCOMES]>; 7],
    /// For every piece the index of each placement in the tie-breaking order.
    pub(super) ranks: [Vec<u8>; 7],
    /// Whether ties are won by the first placement.
    pub(super) first_wins: bool,
    /// All ones in the columns beyond the width.
    pub(super) beyond: Cells,
    /// The chances of the pieces.
    pub(super) chances: Chances,
    /// The scores of small steps: of the three lowest kinds, and of the others.
    pub(super) steps: [Words; 2],
    /// Lookup tables, if the player has them instead of weights.
    pub(super) lookup: Option<LookupWeights>,
    /// The measures that have weights.
    pub(super) kind: SetKind,
}

impl Tables {
    pub(super) fn new(
        width: usize,
        height: usize,
        weights: Weights,
        ranks: [Vec<u8>; 7],
        chances: Chances,
        kind: SetKind,
    ) -> Tables {
        let is_sorted = |ranks: &Vec<u8>| ranks.is_sorted();
        let shapes: Vec<ShapeTables> = (SHAPES.iter())
            .map(|shape| ShapeTables::new(shape, &weights))
            .collect();
        Tables {
            width,
            height,
            places: std::array::from_fn(|piece| places(piece, width, &shapes)),
            shapes,
            steps: [7, 3].map(|kinds| {
                let count = |kind: i32| (kind & kinds).count_ones() as i32;
                Words(std::array::from_fn(|kind| {
                    weights.of(Measure::Diversity) * count(kind as i32)
                }))
            }),
            beyond: [0, 8].map(|from| {
                let beyond = |lane: usize| if from + lane < width { 0 } else { -1 };
                Words(std::array::from_fn(beyond))
            }),
            first_wins: ranks.iter().all(is_sorted),
            lookup: None,
            kind,
            weights,
            ranks,
            chances,
        }
    }
}

impl Tables {
    /// The score of eroded piece cells if a landed shape completes these rows, with rounded
    /// weights.
    #[inline(always)]
    pub(super) fn eroded_score(&self, place: &Place, landing: i32, removed: u32) -> i32 {
        self.shapes[place.shape].eroded[(removed >> (landing as u32 % 32)) as usize % 16]
    }

    /// A board without cells.
    pub(super) fn empty_board(&self) -> Board {
        Board::new(self.width, self.height).expect("a ruleset's size is legal")
    }

    /// The floor and all rows of the board.
    #[inline(always)]
    pub(super) fn all_rows(&self) -> i32 {
        (2 << self.height) - 1
    }

    /// A placement of a piece, by its index.
    #[inline(always)]
    pub(super) fn place(&self, piece: u8, index: usize) -> &Place {
        &self.places[usize::from(piece)][index % MAX_OUTCOMES]
    }
}

/// A shape in a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The cells of the shape in each column of the board; bit 0 is the row in which the box lands.
    pub(super) columns: [Words; 2],
    /// The score of the landing: for `y` = -1, and the increase per row.
    pub(super) landing: (i32, i32),
    /// The index of the shape.
    pub(super) shape: usize,
}

/// Every placement of a piece, in the reference simulator's order.
fn places(piece: usize, width: usize, shapes: &[ShapeTables]) -> Box<[Place; MAX_OUTCOMES]> {
    let place = |shape: usize, x: usize| {
        let mut columns = [Words([0; 8]); 2];
        for j in 0..SHAPES[shape].width {
            columns[(x + j) / 8].0[(x + j) % 8] = SHAPES[shape].columns[j] as i32;
        }
        Place {
            columns,
            landing: shapes[shape].landing,
            shape,
        }
    };
    let mut places = Box::new([place(FIRST[piece], 0); MAX_OUTCOMES]);
    for (slot, (shape, x)) in places.iter_mut().zip(spots(piece, width)) {
        *slot = place(shape, x);
    }
    places
}

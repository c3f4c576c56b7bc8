//! Features: numbers from one step of a game. Each feature or family has a file, and each feature a
//! line in [`FEATURES`].
//!
//! "After" is the board with full rows removed, unless a feature says otherwise. A *hole* is an
//! empty cell with a filled cell somewhere above it in its column. Heights, rows and columns are
//! counted from the bottom left; `W` and `H` are the width and the height of the board.

mod bumpiness;
mod cells;
mod classic;
mod column_transitions;
mod constant;
mod delta;
mod diversity;
mod eroded_piece_cells;
mod example;
mod folds;
mod heights;
mod highest_hole;
mod hole_depth;
mod holes;
mod landing_height;
mod lanes;
mod lines;
pub mod local;
mod marks;
mod misakamm;
mod open_wells;
mod piece_distance;
mod rbf_heights;
mod relative_height;
mod row_transitions;
mod rows_with_holes;
mod running;
mod set;
mod sets;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod thesis_wells;
#[cfg(test)]
mod tutorial;
mod wells;
mod xtris;

pub use example::feature_example;
pub(crate) use lanes::{LaneDrops, LaneForm, LaneRow};
pub use marks::{Marked, MarkedCell, Marker};
pub(crate) use set::weigh_classic;
pub use set::{FeatureMatrix, FeatureSet};
pub use sets::{FEATURE_SETS, NamedSet, feature_set};

use crate::board::Board;
use crate::outcomes::Step;
use crate::placement::{Landing, Surface, Transition};
use crate::registry::Entry;
use folds::{GapSum, Sum, Union};
use lanes::part_lanes;
use local::{BoardTerm, ColumnTerm, Columns, Fold, GapTerm, Local, MeasureUnit, RowUnion};

/// A named number (or a few numbers) from one step of a game.
pub type Feature = Entry<FeatureRule>;

/// The computation of a feature, and the cells that a picture of it marks.
#[derive(Clone, Copy, Debug)]
pub struct FeatureRule {
    /// How the feature is computed.
    pub rule: Rule,
    /// Finds the cells that the feature counts.
    pub marks: Marker,
}

/// How a feature is computed. Every rule gives the same value for a single transition as for one of
/// many placements; the rules differ in their inputs, and therefore in cost.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// From the landing piece alone.
    Landing(fn(&Landing) -> f64),
    /// From the columns of the resulting board.
    Local(Local),
    /// From everything: the landing and both boards.
    Step(fn(&Step<'_>) -> f64),
    /// The change in a number of the board; the changes of several moves add up.
    Change(fn(&Step<'_>) -> f64),
    /// Several values.
    Vector(Numbers),
}

/// How a feature with several values is computed.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// The number of values on a board of this width.
    len: fn(usize) -> usize,
    /// Computes the values.
    fill: fn(&Step<'_>, &mut [f64]),
    /// Computes the values for eight boards, if available.
    pub(crate) lanes: Option<LaneForm>,
}

impl Feature {
    const fn new(
        id: &'static str,
        definition: &'static str,
        source: &'static str,
        rule: Rule,
    ) -> Feature {
        Feature {
            id,
            definition,
            source,
            settings: &[],
            make: FeatureRule {
                rule,
                marks: Marked::nothing,
            },
        }
    }

    /// A feature of the landing piece alone.
    const fn landing(
        id: &'static str,
        definition: &'static str,
        source: &'static str,
        value: fn(&Landing) -> f64,
    ) -> Feature {
        Feature::new(id, definition, source, Rule::Landing(value))
    }

    /// A feature that combines contributions of columns.
    const fn fold<T: Fold>(
        id: &'static str,
        definition: &'static str,
        source: &'static str,
    ) -> Feature {
        Feature::new(id, definition, source, Rule::Local(local::folded::<T>()))
    }

    /// A feature that is a sum over columns.
    const fn columns<T: ColumnTerm>(
        id: &'static str,
        definition: &'static str,
        source: &'static str,
    ) -> Feature {
        Feature::fold::<Sum<T>>(id, definition, source)
    }

    /// A feature that is a sum over pairs of neighbouring columns.
    const fn gaps<T: GapTerm>(
        id: &'static str,
        definition: &'static str,
        source: &'static str,
    ) -> Feature {
        Feature::fold::<GapSum<T>>(id, definition, source)
    }

    /// A feature of the rows that are marked in any column.
    const fn union<T: RowUnion>(
        id: &'static str,
        definition: &'static str,
        source: &'static str,
    ) -> Feature {
        Feature::fold::<Union<T>>(id, definition, source)
    }

    /// A feature of all columns together.
    const fn board<T: BoardTerm>(
        id: &'static str,
        definition: &'static str,
        source: &'static str,
    ) -> Feature {
        Feature::new(id, definition, source, Rule::Local(local::board::<T>()))
    }

    /// The same feature of the board in other units.
    const fn in_units(mut self, unit: MeasureUnit) -> Feature {
        if let Rule::Local(local) = &mut self.make.rule {
            local.unit = unit;
        }
        self
    }

    /// The same feature of the board with the full rows still in place.
    const fn with_full_rows(mut self) -> Feature {
        if let Rule::Local(local) = &mut self.make.rule {
            local.keeps_full_rows = true;
        }
        self
    }

    /// The same feature with the cells that it counts.
    const fn marking(mut self, marks: Marker) -> Feature {
        self.make.marks = marks;
        self
    }

    /// The values of each column, or of each gap between columns.
    const fn of_parts<T: Fold>(
        id: &'static str,
        definition: &'static str,
        source: &'static str,
    ) -> Feature {
        let numbers = Numbers {
            len: |width| width + T::BEYOND - T::FIRST,
            fill: |step, numbers| {
                let board = Columns::of(&step.after.board);
                for (index, number) in numbers.iter_mut().enumerate() {
                    let part = board.part::<T>(T::FIRST + index);
                    *number = f64::from(board.value_of::<T>(part));
                }
            },
            lanes: Some(part_lanes::<T>()),
        };
        Feature::new(id, definition, source, Rule::Vector(numbers))
    }

    /// A feature of the landing and both boards.
    const fn step(
        id: &'static str,
        definition: &'static str,
        source: &'static str,
        value: fn(&Step<'_>) -> f64,
    ) -> Feature {
        Feature::new(id, definition, source, Rule::Step(value))
    }

    /// A feature with several values, whose number depends on the width (`len`).
    const fn vector(
        id: &'static str,
        definition: &'static str,
        source: &'static str,
        len: fn(usize) -> usize,
        fill: fn(&Step<'_>, &mut [f64]),
    ) -> Feature {
        let lanes = None;
        let numbers = Numbers { len, fill, lanes };
        Feature::new(id, definition, source, Rule::Vector(numbers))
    }

    /// A feature that is the change in a number of the board.
    const fn change(
        id: &'static str,
        definition: &'static str,
        source: &'static str,
        value: fn(&Step<'_>) -> f64,
    ) -> Feature {
        Feature::new(id, definition, source, Rule::Change(value))
    }

    /// The number of values of the feature on a board of this width.
    #[must_use]
    pub fn len(&self, width: usize) -> usize {
        match self.make.rule {
            Rule::Vector(numbers) => (numbers.len)(width),
            _ => 1,
        }
    }

    /// Whether the feature gives several numbers.
    #[must_use]
    pub fn is_vector(&self) -> bool {
        matches!(self.make.rule, Rule::Vector(..))
    }

    /// Whether the feature describes the move (landing, cleared rows or changes) rather than the
    /// resulting board. Over several moves, features of moves add up, while only the last board
    /// counts.
    #[must_use]
    pub fn describes_move(&self) -> bool {
        matches!(self.make.rule, Rule::Landing(_) | Rule::Change(_))
    }

    /// The value of a feature that describes the move; `None` for one that describes the board
    /// after it.
    #[must_use]
    pub fn value_of_move(&self, transition: &Transition) -> Option<f64> {
        match self.make.rule {
            Rule::Landing(value) => Some(value(&transition.into())),
            Rule::Change(value) => Some(measured(transition, value)),
            _ => None,
        }
    }

    /// The cells that the feature counts in one transition.
    #[must_use]
    pub fn marked(&self, transition: &Transition) -> Marked {
        (self.make.marks)(transition)
    }

    /// The feature's values for one transition.
    #[must_use]
    pub fn values(&self, transition: &Transition) -> Vec<f64> {
        match self.make.rule {
            Rule::Landing(value) => vec![value(&transition.into())],
            Rule::Local(local) if local.keeps_full_rows => {
                vec![local.value(&with_full_rows(transition))]
            }
            Rule::Local(local) => vec![local.value(&transition.after)],
            Rule::Step(value) | Rule::Change(value) => vec![measured(transition, value)],
            Rule::Vector(numbers) => {
                let mut values = vec![0.0; (numbers.len)(transition.before.width())];
                measured(transition, |step| (numbers.fill)(step, &mut values));
                values
            }
        }
    }
}

/// The board after a transition, with its full rows still in place.
fn with_full_rows(transition: &Transition) -> Board {
    let mut board = transition.before;
    let placement = transition.placement;
    let corner = (usize::from(placement.x), usize::from(placement.y));
    board.fill_shape(placement.shape(), corner.0, corner.1);
    board
}

/// Creates the step for a transition, and passes it to a function that measures it.
fn measured<T>(transition: &Transition, look: impl FnOnce(&Step<'_>) -> T) -> T {
    look(&Step {
        landing: transition.into(),
        lines_before: transition.lines_before,
        before: &Surface::new(transition.before),
        after: &Surface::new(transition.after),
    })
}

/// Every feature. To add one: write its file, add its line here.
pub static FEATURES: &[Feature] = &[
    landing_height::LANDING_HEIGHT,
    landing_height::LANDING_HEIGHT_TOP,
    landing_height::LANDING_HEIGHT_BOTTOM,
    landing_height::LANDING_HEIGHT_EL_TETRIS,
    piece_distance::PIECE_DISTANCE_TO_TOP,
    piece_distance::DROP_DISTANCE,
    eroded_piece_cells::ERODED_PIECE_CELLS,
    eroded_piece_cells::ERODED_CELLS,
    lines::LINES_CLEARED,
    lines::ANY_LINE,
    lines::COMPLETE_LINES,
    lines::TOTAL_LINES,
    row_transitions::ROW_TRANSITIONS,
    row_transitions::ROW_TRANSITIONS_NO_WALLS,
    row_transitions::ROW_TRANSITIONS_BELOW_TOP,
    column_transitions::COLUMN_TRANSITIONS,
    column_transitions::COLUMN_TRANSITIONS_CEILING,
    column_transitions::COLUMN_TRANSITIONS_NO_FLOOR,
    column_transitions::COLUMN_TRANSITIONS_INNER,
    holes::HOLES,
    holes::CONNECTED_HOLES,
    holes::SURROUNDED_HOLES,
    holes::ENCLOSED_HOLES,
    holes::WALL_HOLES_0,
    holes::WALL_HOLES_1,
    holes::WALL_HOLES_2,
    hole_depth::HOLE_DEPTH,
    hole_depth::HOLE_DEPTH_ALL,
    hole_depth::MEAN_HOLE_DEPTH,
    hole_depth::MEAN_HOLE_DEPTH_ALL,
    hole_depth::MEAN_HOLE_DEPTH_ROWS,
    rows_with_holes::ROWS_WITH_HOLES,
    highest_hole::HIGHEST_HOLE,
    highest_hole::HIGHEST_HOLE_COLUMN_HEIGHT,
    highest_hole::CELLS_ABOVE_HIGHEST_HOLE,
    highest_hole::CELLS_ABOVE_HIGHEST_HOLE_IN_COLUMN,
    highest_hole::POTENTIAL_ROWS,
    highest_hole::POTENTIAL_ROWS_1,
    wells::WELL_SUMS,
    wells::WELL_SUMS_FAST,
    wells::WELL_SUMS_STREAK,
    wells::WELL_CELLS,
    wells::WELL_CELLS_BETWEEN,
    wells::WELL_CELLS_OPEN,
    open_wells::WELL_DEPTHS,
    open_wells::WELL_DEPTHS_FILLED,
    open_wells::MAX_WELL_DEPTH,
    open_wells::MAX_WELL_DEPTH_FILLED,
    open_wells::DEEP_WELLS,
    open_wells::NUMBER_OF_WELLS,
    open_wells::NUMBER_OF_WELLS_2,
    open_wells::NUMBER_OF_WELLS_3,
    thesis_wells::THESIS_WELL_MAX,
    thesis_wells::THESIS_WELL_SUM,
    thesis_wells::THESIS_WELL_MAX_PRINTED,
    thesis_wells::THESIS_WELL_SUM_PRINTED,
    misakamm::MISAKAMM_WELLS,
    misakamm::SHAPE_ADAPTABILITY,
    heights::MAX_HEIGHT,
    heights::MIN_HEIGHT,
    heights::MEAN_HEIGHT,
    heights::SUM_HEIGHTS,
    heights::MAX_MINUS_MEAN,
    heights::MEAN_MINUS_MIN,
    heights::ALTITUDE_DIFFERENCE,
    heights::SQUARED_HEIGHT_DIFFERENCE,
    heights::DISTANCE_TO_TOP,
    heights::COLUMN_HEIGHTS,
    rbf_heights::RBF_HEIGHTS,
    relative_height::WEIGHTED_RELATIVE_HEIGHT,
    bumpiness::BUMPINESS,
    bumpiness::BUMPINESS_CIRCULAR,
    bumpiness::VARIATION,
    bumpiness::COLUMN_DIFFERENCES,
    bumpiness::COLUMN_DIFFERENCES_SIGNED,
    diversity::DIVERSITY,
    diversity::DIVERSITY_ROWS,
    diversity::DIVERSITY_COLUMNS,
    cells::OCCUPIED_CELLS,
    cells::WEIGHTED_CELLS,
    cells::FREE_CELLS,
    cells::BOARD_FILL,
    delta::DELTA_HOLES,
    delta::DELTA_MAX_HEIGHT,
    delta::DELTA_BUMPINESS,
    delta::DELTA_MEAN_HEIGHT,
    xtris::XTRIS_FRONTIER,
    xtris::XTRIS_MAX_HEIGHT,
    xtris::XTRIS_PITS,
    xtris::XTRIS_EMBEDDED_HOLES,
    constant::CONSTANT,
];

/// The feature with this id.
#[must_use]
pub fn feature(id: &str) -> Option<&'static Feature> {
    FEATURES.iter().find(|feature| feature.id == id)
}

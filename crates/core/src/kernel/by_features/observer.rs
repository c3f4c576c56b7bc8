//! The features of every placement of one piece on up to eight boards, as numbers.

use super::plan::{FeaturePlan, Source};
use super::rater::{LanePositions, Rater};
use crate::board::Board;
use crate::choice::GreedyOptions;
use crate::ends::End;
use crate::features::local::MeasureUnit;
use crate::features::{FeatureMatrix, FeatureSet};
use crate::outcomes::{DecisionContext, Outcomes, Scored};
use crate::piece::{PIECES, Piece};
use crate::rules::Rules;
use crate::ruleset::Ruleset;
use crate::simd::{LANES, is_available};
use std::fmt;
use std::sync::Arc;

/// A board on which a piece is placed.
#[derive(Clone, Copy, Debug)]
pub struct ObservedBoard<'a> {
    /// The board.
    pub board: &'a Board,
    /// The next piece, if it is shown.
    pub next: Option<Piece>,
    /// Lines cleared in the game so far.
    pub lines: u64,
}

/// Where the measurements of one board are written, placement by placement. There must be space for
/// all placements of the piece; any remaining space is left unchanged.
#[derive(Debug)]
pub struct PlacementRows<'a> {
    /// The features: all numbers of the first placement, then those of the second, and so on.
    pub features: &'a mut [f32],
    /// Completed rows.
    pub lines: &'a mut [u8],
    /// 1 where the game is over, otherwise 0.
    pub over: &'a mut [i8],
}

/// Measures all placements of a piece on up to eight boards together, under the rules of a placement
/// game. The numbers are those of [`FeatureSet::fill`], as 32-bit floats, and the placements are in
/// the order of [`Outcomes`].
pub struct PlacementFeatures {
    set: FeatureSet,
    end: End,
    /// Without the instructions of the kernel, boards are measured one after the other.
    lanes: Option<Box<LaneMeasurements>>,
    general: Box<(Outcomes, FeatureMatrix)>,
    piece: Piece,
}

/// Measurements of eight boards.
struct LaneMeasurements {
    rater: Rater,
    /// The features of the landings that complete no row: for every piece and number of the set,
    /// one value for each placement and row. Empty for numbers that do not describe the landing.
    landings: [Vec<Vec<f32>>; 7],
}

impl fmt::Debug for PlacementFeatures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlacementFeatures").finish_non_exhaustive()
    }
}

impl PlacementFeatures {
    /// The maximum number of boards that are measured together.
    pub const TOGETHER: usize = LANES;

    /// Measures these features; `None` for a stepped game.
    #[must_use]
    pub fn new(ruleset: &Ruleset, features: &FeatureSet) -> Option<PlacementFeatures> {
        let end = ruleset.rules.end()?;
        let plan = FeaturePlan::new(ruleset, features, GreedyOptions::default());
        let plan = plan.filter(|_| is_available());
        Some(PlacementFeatures {
            set: features.clone(),
            end,
            lanes: plan.map(|plan| Box::new(LaneMeasurements::new(Arc::new(plan)))),
            general: Box::default(),
            piece: Piece::I,
        })
    }

    /// The number of values per placement.
    #[must_use]
    pub fn numbers(&self) -> usize {
        self.set.len()
    }

    /// The same, without the instructions of the kernel.
    #[cfg(test)]
    pub(crate) fn one_by_one(mut self) -> PlacementFeatures {
        self.lanes = None;
        self
    }

    /// Measures a piece on up to [eight](Self::TOGETHER) boards.
    ///
    /// # Panics
    /// When there are more boards, or none.
    pub fn measure(&mut self, piece: Piece, boards: &[ObservedBoard<'_>]) {
        assert!((1..=LANES).contains(&boards.len()), "1 to {LANES} boards");
        self.piece = piece;
        if let Some(lanes) = &mut self.lanes {
            let each: [&ObservedBoard<'_>; LANES] =
                std::array::from_fn(|lane| boards.get(lane).unwrap_or(&boards[0]));
            lanes.measure(&LanePositions {
                piece,
                boards: each.map(|own| own.board),
                next: each.map(|own| own.next),
                lines: each.map(|own| own.lines),
                count: boards.len(),
            });
        }
    }

    /// Writes the measurements of the board with this number, which must be given again; returns
    /// the number of placements.
    pub fn write(
        &mut self,
        number: usize,
        board: &ObservedBoard<'_>,
        rows: PlacementRows<'_>,
    ) -> usize {
        match &self.lanes {
            Some(lanes) if lanes.knows(number) => lanes.write(number, self.piece, rows),
            _ => self.write_general(board, rows),
        }
    }

    fn write_general(&mut self, board: &ObservedBoard<'_>, rows: PlacementRows<'_>) -> usize {
        let (outcomes, matrix) = &mut *self.general;
        outcomes.generate(&DecisionContext {
            board: board.board,
            piece: self.piece,
            rules: Rules::Drops(self.end),
            next: board.next,
            scored: Scored::AfterRemoval,
            lines_before: board.lines,
        });
        self.set.fill(outcomes, matrix);
        let (count, numbers) = (outcomes.len(), self.set.len());
        let PlacementRows {
            features,
            lines,
            over,
        } = rows;
        for (number, values) in matrix.rows().enumerate() {
            for (row, &value) in features.chunks_exact_mut(numbers).zip(&values[..count]) {
                row[number] = value as f32;
            }
        }
        for (index, outcome) in outcomes.iter().enumerate() {
            lines[index] = outcome.landing.lines() as u8;
            over[index] = i8::from(outcome.landing.game_over);
        }
        count
    }
}

impl LaneMeasurements {
    fn new(plan: Arc<FeaturePlan>) -> LaneMeasurements {
        let landings = PIECES.map(|piece| {
            let landings = plan.landings(piece);
            let values = |source: &Source| match source {
                Source::Landing(value) => landings.iter().map(|own| value(own) as f32).collect(),
                Source::Lanes(..) | Source::Apart(_) => Vec::new(),
            };
            plan.numbers.iter().map(values).collect()
        });
        LaneMeasurements {
            rater: Rater::new(plan),
            landings,
        }
    }

    fn measure(&mut self, positions: &LanePositions<'_>) {
        self.rater.measure(positions);
        // A placement that completes rows and still ends the game was not measured.
        let drops = &self.rater.drops;
        let places = drops.clearing[..drops.count].iter().zip(&self.rater.losing);
        let both = places.fold(0, |both, (clearing, losing)| both | clearing & losing);
        self.rater.unsure |= both;
    }

    /// Whether the board with this number was measured.
    fn knows(&self, lane: usize) -> bool {
        self.rater.unsure >> lane & 1 == 0
    }

    fn write(&self, lane: usize, piece: Piece, rows: PlacementRows<'_>) -> usize {
        let (rater, drops) = (&self.rater, &self.rater.drops);
        let (plan, count) = (&*rater.plan, drops.count);
        let PlacementRows {
            features,
            lines,
            over,
        } = rows;
        for (number, source) in plan.numbers.iter().enumerate() {
            let own = features.chunks_exact_mut(plan.numbers.len()).take(count);
            let slots = own.map(|row| &mut row[number]).enumerate();
            match *source {
                Source::Lanes(row, MeasureUnit::One) => {
                    let units = &rater.numbers[row];
                    slots.for_each(|(place, slot)| *slot = units[place].0[lane] as f32);
                }
                Source::Lanes(row, unit) => {
                    let units = &rater.numbers[row];
                    for (place, slot) in slots {
                        let units = f64::from(units[place].0[lane]);
                        *slot = unit.value(units, plan.width, plan.height) as f32;
                    }
                }
                Source::Landing(value) => {
                    let values = &self.landings[piece as usize][number];
                    let values = values.chunks_exact(plan.landing_rows());
                    for ((place, slot), values) in slots.zip(values) {
                        let row = rater.row(place, lane) as usize;
                        // A stack can be higher than the board while a game is played.
                        *slot = values
                            .get(row)
                            .copied()
                            .unwrap_or_else(|| value(&rater.landing(piece, place, lane)) as f32);
                    }
                }
                Source::Apart(row) => {
                    let values = &rater.apart[row][lane];
                    slots.for_each(|(place, slot)| *slot = values[place] as f32);
                }
            }
        }
        let is_set = |set: u8| set >> lane & 1;
        for (over, &losing) in over.iter_mut().zip(&rater.losing[..count]) {
            *over = is_set(losing) as i8;
        }
        lines[..count].fill(0);
        for place in (0..count).filter(|&place| is_set(drops.clearing[place]) != 0) {
            let landing = rater.landing(piece, place, lane);
            lines[place] = landing.lines() as u8;
            let row = features.chunks_exact_mut(plan.numbers.len()).nth(place);
            for (slot, source) in row.into_iter().flatten().zip(&plan.numbers) {
                if let Source::Landing(value) = source {
                    *slot = value(&landing) as f32;
                }
            }
        }
        count
    }
}

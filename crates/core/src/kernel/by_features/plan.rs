//! Determines how the values of a feature set are obtained, and stores the weights of a player.

use crate::choice::{GreedyOptions, tie_ranks};
use crate::ends::End;
use crate::evaluators::Evaluator;
use crate::features::local::MeasureUnit;
use crate::features::{Feature, FeatureSet, LaneForm, Rule};
use crate::piece::{PIECES, Piece, Shape};
use crate::placement::{Landing, Spin};
use crate::ruleset::Ruleset;
use crate::simd::{LANES, Words};
use std::sync::Arc;

/// The lowest value in a table of terms.
pub(super) const LOWEST: i32 = -32;
/// Number of values in a table of terms. Games with other values are decided on the general path.
pub(super) const TABLE: usize = 2048;
/// The maximum number of values measured in lanes: enough for the heights and differences of the
/// columns of the widest board, and a few more.
pub(super) const MOST_NUMBERS: usize = 64;
/// The maximum size of a term, so that no sum exceeds the range of 32-bit floats.
const LARGEST_TERM: f64 = 1e30;
/// Most of the values from 0 up to this one must have terms within the limit.
const COMMON_NUMBERS: usize = 64;

/// How a value of a feature set is obtained.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// From the landing piece.
    Landing(fn(&Landing) -> f64),
    /// From a row of values measured in lanes; the row's index, and its unit.
    Lanes(usize, MeasureUnit),
    /// From a row of the features that cannot be measured in lanes.
    Apart(usize),
}

/// A number that depends on the landing piece: its index among all numbers, and its value.
type LandingNumber = (usize, fn(&Landing) -> f64);

/// Where a shape drops.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) shape: &'static Shape,
    /// The leftmost column of the shape.
    pub(super) x: usize,
}

/// Every placement of a piece, in the reference simulator's order.
fn spots(piece: Piece, width: usize) -> Vec<Spot> {
    let shapes = piece.shapes().iter();
    let columns = |shape: &'static Shape| (0..=width - shape.width).map(move |x| Spot { shape, x });
    shapes.flat_map(columns).collect()
}

/// A feature that is measured in lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneFeature {
    pub(super) form: LaneForm,
    /// The first row of the feature, and its number of rows.
    pub(super) first: usize,
    pub(super) len: usize,
    /// Whether the feature measures the board with full rows, regardless of the player's setting.
    pub(super) keeps_full_rows: bool,
}

/// Everything that decisions with a feature set under some rules have in common, independent of the
/// weights.
#[derive(Debug)]
pub(crate) struct FeaturePlan {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) end: End,
    pub(super) options: GreedyOptions,
    /// For every piece, the shape and column of each placement.
    pub(super) spots: [Vec<Spot>; 7],
    /// For every piece the index of each placement in the tie-breaking order.
    pub(super) ranks: [Vec<u8>; 7],
    /// The values of the feature set, in order.
    pub(super) numbers: Vec<Source>,
    /// The values that depend on the landing piece.
    pub(super) of_landing: Vec<LandingNumber>,
    pub(super) lane_features: Vec<LaneFeature>,
    /// The total number of rows.
    pub(super) rows: usize,
    /// Whether the values of the feature set are the numbers of the rows.
    pub(super) is_plain: bool,
    /// The features that cannot be measured in lanes.
    pub(super) apart: Option<FeatureSet>,
}

impl FeaturePlan {
    /// A plan for these features under the rules of a placement game; `None` for a stepped game.
    pub(crate) fn new(
        ruleset: &Ruleset,
        features: &FeatureSet,
        options: GreedyOptions,
    ) -> Option<FeaturePlan> {
        let width = ruleset.width;
        if features.width() != width {
            return None;
        }
        let mut plan = FeaturePlan {
            width,
            height: ruleset.height,
            end: ruleset.rules.end()?,
            options,
            spots: PIECES.map(|piece| spots(piece, width)),
            ranks: PIECES.map(|piece| tie_ranks(options.ties, piece, width)),
            numbers: Vec::new(),
            of_landing: Vec::new(),
            lane_features: Vec::new(),
            rows: 0,
            is_plain: false,
            apart: None,
        };
        let mut apart = Vec::new();
        for &feature in features.features() {
            plan.add(feature, &mut apart);
        }
        if !apart.is_empty() {
            plan.apart = Some(FeatureSet::new(apart, width));
        }
        let is_row = |(number, source): (usize, &Source)| match *source {
            Source::Lanes(row, unit) => row == number && unit == MeasureUnit::One,
            Source::Landing(_) | Source::Apart(_) => false,
        };
        plan.is_plain = plan.numbers.iter().enumerate().all(is_row);
        (plan.rows <= MOST_NUMBERS).then_some(plan)
    }

    fn add(&mut self, feature: &'static Feature, apart: &mut Vec<&'static Feature>) {
        match feature.make.rule {
            Rule::Landing(value) => {
                self.of_landing.push((self.numbers.len(), value));
                self.numbers.push(Source::Landing(value));
            }
            Rule::Local(local) => {
                self.add_lanes(local.lanes, 1, local.unit, local.keeps_full_rows);
            }
            Rule::Vector(numbers) => match numbers.lanes {
                Some(form) => {
                    self.add_lanes(form, feature.len(self.width), MeasureUnit::One, false);
                }
                None => self.add_apart(feature, apart),
            },
            Rule::Step(_) | Rule::Change(_) => self.add_apart(feature, apart),
        }
    }

    fn add_apart(&mut self, feature: &'static Feature, apart: &mut Vec<&'static Feature>) {
        let before: usize = apart.iter().map(|other| other.len(self.width)).sum();
        let rows = before..before + feature.len(self.width);
        self.numbers.extend(rows.map(Source::Apart));
        apart.push(feature);
    }

    fn add_lanes(&mut self, form: LaneForm, len: usize, unit: MeasureUnit, keeps_full_rows: bool) {
        let first = self.rows;
        self.lane_features.push(LaneFeature {
            form,
            first,
            len,
            keeps_full_rows,
        });
        self.rows += len;
        self.numbers
            .extend((first..self.rows).map(|row| Source::Lanes(row, unit)));
    }

    /// Whether some numbers depend on the landing piece.
    pub(super) fn has_landing(&self) -> bool {
        !self.of_landing.is_empty()
    }

    /// Rows that the game-over rule ignores.
    pub(super) fn safe_rows(&self) -> usize {
        self.height.saturating_sub(self.end.rule().rows)
    }

    /// All landings of a piece that complete no row: those of each placement, row by row.
    pub(super) fn landings(&self, piece: Piece) -> Vec<Landing> {
        let spots = self.spots[piece as usize].iter();
        let landings = spots.flat_map(|spot| {
            (0..self.landing_rows()).map(|y| Landing {
                piece,
                shape: spot.shape,
                x: spot.x as u8,
                y: y as u8,
                spin: Spin::None,
                board_height: self.height as u8,
                game_over: false,
                cleared: 0,
            })
        });
        landings.collect()
    }

    /// The height of a landing table: a piece can land in any row of the board, and on top of it.
    pub(super) fn landing_rows(&self) -> usize {
        self.height + 1
    }
}

/// The bits of a 32-bit float, as used in lanes.
pub(super) type FloatBits = i32;

/// The entry for a term that is too large: games that encounter it are decided on the general path.
const TOO_LARGE: FloatBits = f32::INFINITY.to_bits() as i32;

/// The bits of a float; `None` if it is too large for a sum, or NaN.
pub(super) fn float_bits(value: f64) -> Option<FloatBits> {
    (value.abs() < LARGEST_TERM).then_some((value as f32).to_bits() as i32)
}

/// The terms of the landing features of a placement.
#[derive(Clone, Copy, Default)]
pub(super) struct LandingSum {
    pub(super) sum: f64,
    /// The sum of the magnitudes of the terms, which bounds rounding errors regardless of the sum
    /// of the terms.
    pub(super) size: f64,
}

impl LandingSum {
    /// The bits of the sum; `None` if a term is too large for a sum, or NaN.
    pub(super) fn bits(self) -> Option<FloatBits> {
        float_bits(self.size).and(float_bits(self.sum))
    }
}

/// The terms of a piece's landings.
#[derive(Debug)]
pub(super) enum LandingTable {
    /// For every shape the term in row 0, and what each row adds: nearly all features of the
    /// landing are lines.
    Lines([[FloatBits; 2]; MOST_SHAPES]),
    /// The terms by placement and row.
    Entries(Vec<FloatBits>),
}

/// The maximum number of shapes per piece.
pub(super) const MOST_SHAPES: usize = 4;

/// The relative error with which a term computed along a line may differ from its sum: much less
/// than that of a 32-bit float.
const ON_A_LINE: f64 = 1e-12;

/// The lines that the landings of every shape of a piece form, and a bound on the numbers from
/// which their terms are computed; `None` if some landings do not form a line or are too large.
fn landing_lines(
    plan: &FeaturePlan,
    piece: Piece,
    landings: &[LandingSum],
) -> Option<([[FloatBits; 2]; MOST_SHAPES], f64)> {
    let mut lines = [[0; 2]; MOST_SHAPES];
    let (mut most, mut rest): (f64, _) = (0.0, landings);
    for (line, shape) in lines.iter_mut().zip(piece.shapes()) {
        let count = (plan.width + 1 - shape.width) * plan.landing_rows();
        let own;
        (own, rest) = rest.split_at(count);
        let (first, rise) = (own[0].sum, own[1].sum - own[0].sum);
        for (k, landing) in own.iter().enumerate() {
            let risen = rise * (k % plan.landing_rows()) as f64;
            let size = first.abs() + risen.abs() + landing.size;
            let is_near = (landing.sum - (first + risen)).abs() <= ON_A_LINE * size;
            if !is_near || size.is_nan() {
                return None;
            }
            most = most.max(size);
        }
        *line = [float_bits(first)?, float_bits(rise)?];
    }
    float_bits(most).map(|_| (lines, most))
}

/// The weights of one player.
#[derive(Debug)]
pub(crate) struct FeatureWeights {
    pub(super) evaluator: Arc<dyn Evaluator>,
    /// The slope of each value's term, if all terms are proportional to their values.
    pub(super) proportional: Option<Vec<f64>>,
    /// The contribution of one unit of a row to the score, in all lanes; 0 for rows with a table.
    pub(super) slopes: Vec<Words>,
    /// The terms of rows that are not proportional to their values: the row, and a term for each
    /// value.
    pub(super) tables: Vec<(usize, Vec<FloatBits>)>,
    /// For every piece the terms of the landing where no row is completed.
    pub(super) landing: [LandingTable; 7],
    /// For every piece, an upper bound on the [sizes](LandingSum::size) of these landings, and on
    /// the numbers from which they are computed.
    pub(super) landing_sizes: [f64; 7],
}

impl FeatureWeights {
    /// The weights of an evaluator; `None` if it is not a sum of terms, or some terms are too
    /// large.
    pub(crate) fn new(
        plan: &FeaturePlan,
        evaluator: &Arc<dyn Evaluator>,
    ) -> Option<FeatureWeights> {
        let sum = evaluator.as_sum()?;
        let mut weights = FeatureWeights {
            evaluator: evaluator.clone(),
            proportional: (0..plan.numbers.len())
                .map(|number| sum.slope(number))
                .collect(),
            slopes: vec![Words([0; LANES]); plan.rows],
            tables: Vec::new(),
            landing: std::array::from_fn(|_| LandingTable::Entries(Vec::new())),
            landing_sizes: [0.0; 7],
        };
        let value = |unit: MeasureUnit, number: f64| unit.value(number, plan.width, plan.height);
        for (number, source) in plan.numbers.iter().enumerate() {
            let &Source::Lanes(row, unit) = source else {
                continue;
            };
            if let Some(slope) = sum.slope(number) {
                weights.slopes[row] = Words([float_bits(slope * value(unit, 1.0))?; LANES]);
                continue;
            }
            let term = |index: usize| {
                let units = f64::from(LOWEST + index as i32);
                float_bits(sum.term(number, value(unit, units))).unwrap_or(TOO_LARGE)
            };
            let table: Vec<FloatBits> = (0..TABLE).map(term).collect();
            let common = &table[LOWEST.unsigned_abs() as usize..][..COMMON_NUMBERS];
            let lost = common.iter().filter(|&&term| term == TOO_LARGE).count();
            if lost > COMMON_NUMBERS / 2 {
                return None;
            }
            weights.tables.push((row, table));
        }
        for piece in PIECES {
            let landings = plan.landings(piece);
            let landings = landings.iter();
            let landings: Vec<LandingSum> = landings
                .map(|landing| weights.landing_sum(plan, landing))
                .collect();
            let sizes = landings.iter().map(|landing| landing.size);
            let mut size = sizes.fold(0.0, f64::max);
            let table = if let Some((lines, most)) = landing_lines(plan, piece, &landings) {
                size += most;
                LandingTable::Lines(lines)
            } else {
                let bits = landings.iter().map(|landing| landing.bits());
                LandingTable::Entries(bits.collect::<Option<_>>()?)
            };
            weights.landing[piece as usize] = table;
            weights.landing_sizes[piece as usize] = size;
        }
        Some(weights)
    }

    /// The terms of the landing of a placement in a row, if it completes none.
    pub(super) fn landing_term(
        &self,
        plan: &FeaturePlan,
        piece: Piece,
        place: usize,
        row: usize,
    ) -> FloatBits {
        match &self.landing[piece as usize] {
            LandingTable::Entries(terms) => terms[place * plan.landing_rows() + row],
            LandingTable::Lines(lines) => {
                let shapes = piece.shapes().iter();
                let rotation = plan.spots[piece as usize][place].shape.rotation;
                let number = shapes
                    .take_while(|shape| shape.rotation != rotation)
                    .count();
                let [base, rise] = lines[number].map(|bits| f32::from_bits(bits as u32));
                (base + rise * row as f32).to_bits() as i32
            }
        }
    }

    /// The terms of a landing.
    pub(super) fn landing_sum(&self, plan: &FeaturePlan, landing: &Landing) -> LandingSum {
        let mut all = LandingSum::default();
        for &(number, value) in &plan.of_landing {
            let term = self.term(number, value(landing));
            all.sum += term;
            all.size += term.abs();
        }
        all
    }

    /// The term of a value.
    #[inline]
    pub(super) fn term(&self, number: usize, value: f64) -> f64 {
        match &self.proportional {
            Some(slopes) => slopes[number] * value,
            None => (self.evaluator.as_sum()).map_or(0.0, |sum| sum.term(number, value)),
        }
    }
}

//! A list of features, computed together for all placements of a decision.

use super::classic::{self, CLASSIC, Counts, ERODED, UNITS};
use super::local::MeasureUnit;
use super::{Feature, Rule};
use crate::outcomes::{MAX_OUTCOMES, Outcomes};
use crate::placement::Transition;

/// An ordered list of features for boards of one width; a vector feature contributes all of its
/// values.
#[derive(Clone, Debug)]
pub struct FeatureSet {
    features: Vec<&'static Feature>,
    width: usize,
    /// The position of each value in a [`FeatureMatrix`].
    places: Vec<usize>,
    /// Whether the classic features are computed together, into the first rows of the matrix.
    fused: bool,
}

/// Feature values of all placements of a decision, with one row per value and one column per
/// placement.
#[derive(Clone, Debug)]
pub struct FeatureMatrix {
    rows: Vec<[f64; MAX_OUTCOMES]>,
    places: Vec<usize>,
    /// The classic features, if they are computed together.
    counts: Box<Counts>,
}

impl Default for FeatureMatrix {
    fn default() -> FeatureMatrix {
        FeatureMatrix {
            rows: Vec::new(),
            places: Vec::new(),
            counts: Box::new([[0; MAX_OUTCOMES]; CLASSIC.len()]),
        }
    }
}

impl FeatureMatrix {
    /// Value number `index` of the set, for every placement.
    #[must_use]
    pub fn row(&self, index: usize) -> &[f64; MAX_OUTCOMES] {
        &self.rows[self.places[index]]
    }

    /// Each value of the set in turn, for every placement.
    #[inline]
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64; MAX_OUTCOMES]> {
        self.places.iter().map(|&place| &self.rows[place])
    }
}

/// With at least this many classic features, computing all eight together is cheaper than computing
/// them one by one.
const WORTH_FUSING: usize = 2;

impl FeatureSet {
    /// A set of these features in this order, for boards of this width.
    #[must_use]
    pub fn new(features: Vec<&'static Feature>, width: usize) -> FeatureSet {
        let is_classic = |feature: &&&Feature| CLASSIC.contains(&feature.id);
        let fused = features.iter().filter(is_classic).count() >= WORTH_FUSING;
        let mut next = if fused { CLASSIC.len() } else { 0 };
        let mut places = Vec::new();
        for feature in &features {
            let classic = CLASSIC.iter().position(|id| *id == feature.id);
            if let (true, Some(place)) = (fused, classic) {
                places.push(place);
                continue;
            }
            let len = feature.len(width);
            places.extend(next..next + len);
            next += len;
        }
        FeatureSet {
            features,
            width,
            places,
            fused,
        }
    }

    /// The features in order.
    #[must_use]
    pub fn features(&self) -> &[&'static Feature] {
        &self.features
    }

    /// The width of the boards that the set is for.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of values of all features together.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.features.is_empty()
    }

    /// All values for one transition, in order.
    #[must_use]
    pub fn values(&self, transition: &Transition) -> Vec<f64> {
        let values = |feature: &&Feature| feature.values(transition);
        self.features.iter().flat_map(values).collect()
    }

    /// Weights for the counts of the classic features that give the same sums as these weights of
    /// the set's values; `None` if the set has other features. They are exact for integer weights.
    pub(crate) fn classic_weights(&self, weights: &[f64]) -> Option<[f64; CLASSIC.len()]> {
        let mut sums = [0.0; CLASSIC.len()];
        for (&place, &weight) in self.places.iter().zip(weights) {
            let unit = UNITS.get(place).filter(|_| self.fused)?;
            sums[place] += weight * unit;
        }
        Some(sums)
    }

    /// Computes all values for every placement of a decision.
    pub fn fill(&self, outcomes: &mut Outcomes, matrix: &mut FeatureMatrix) {
        if matrix.places != self.places {
            matrix.places.clone_from(&self.places);
            let rows = self.places.iter().max().map_or(0, |last| last + 1);
            matrix.rows = vec![[0.0; MAX_OUTCOMES]; rows.max(CLASSIC.len())];
        }
        if self.fused {
            classic::fill(outcomes, &mut matrix.counts);
            let (rows, _) = matrix.rows.split_at_mut(CLASSIC.len());
            for ((row, counts), unit) in rows.iter_mut().zip(&*matrix.counts).zip(UNITS) {
                to_values(counts, unit, outcomes.len(), row);
            }
        }
        let mut number = 0;
        for feature in &self.features {
            let place = self.places[number];
            let len = feature.len(self.width);
            number += len;
            if !self.fused || place >= CLASSIC.len() {
                fill_feature(feature, outcomes, &mut matrix.rows[place..place + len]);
            }
        }
    }
}

/// Weighted sums of the classic features of every placement, without a matrix of all values.
pub(crate) fn weigh_classic(
    outcomes: &Outcomes,
    matrix: &mut FeatureMatrix,
    weights: &[f64; CLASSIC.len()],
    sums: &mut [f64; MAX_OUTCOMES],
) {
    classic::fill(outcomes, &mut matrix.counts);
    // Eight at a time, including a few beyond the last one, without the one feature that is nearly
    // always 0.
    let counts = matrix.counts.each_ref().map(|row| row.as_chunks::<8>().0);
    let chunks = sums.as_chunks_mut::<8>().0.iter_mut().enumerate();
    for (chunk, sums) in chunks.take(outcomes.len().div_ceil(8)) {
        for (index, sum) in sums.iter_mut().enumerate() {
            let weigh = |row: usize| weights[row] * f64::from(counts[row][chunk][index]);
            *sum = weigh(0) + weigh(2) + weigh(3) + weigh(4) + weigh(5) + weigh(6) + weigh(7);
        }
    }
    for index in outcomes.clearing() {
        sums[index] += weights[ERODED] * f64::from(matrix.counts[ERODED][index]);
    }
}

/// Turns integers into values, eight at a time, including a few beyond the last one.
fn to_values(
    counts: &[i16; MAX_OUTCOMES],
    unit: f64,
    count: usize,
    values: &mut [f64; MAX_OUTCOMES],
) {
    let chunks = values.as_chunks_mut::<8>().0.iter_mut();
    for (values, counts) in chunks
        .zip(counts.as_chunks::<8>().0)
        .take(count.div_ceil(8))
    {
        for (value, &count) in values.iter_mut().zip(counts) {
            *value = f64::from(count) * unit;
        }
    }
}

/// The values of one feature for all placements.
fn fill_feature(feature: &Feature, outcomes: &mut Outcomes, rows: &mut [[f64; MAX_OUTCOMES]]) {
    let count = outcomes.len();
    match feature.make.rule {
        Rule::Landing(value) => {
            for (slot, outcome) in rows[0].iter_mut().zip(outcomes.iter()) {
                *slot = value(&outcome.landing);
            }
        }
        Rule::Local(local) => {
            outcomes.show_excerpts();
            (local.each)(outcomes, &mut rows[0]);
            outcomes.by_placement(&mut rows[0]);
            let board = &outcomes.before().board;
            let (width, height) = (board.width(), board.height());
            if local.unit != MeasureUnit::One {
                for value in &mut rows[0][..count] {
                    *value = local.unit.value(*value, width, height);
                }
            }
            if !local.keeps_full_rows {
                for index in outcomes.removing() {
                    rows[0][index] = local.value(&outcomes.after(index).board);
                }
            }
        }
        Rule::Step(value) | Rule::Change(value) => {
            outcomes.settle_all();
            for (index, slot) in rows[0][..count].iter_mut().enumerate() {
                *slot = value(&outcomes.step(index));
            }
        }
        Rule::Vector(numbers) => {
            outcomes.settle_all();
            fill_vector(numbers.fill, outcomes, rows);
        }
    }
}

fn fill_vector(
    fill: fn(&crate::outcomes::Step<'_>, &mut [f64]),
    outcomes: &Outcomes,
    rows: &mut [[f64; MAX_OUTCOMES]],
) {
    let mut numbers = vec![0.0; rows.len()];
    for index in 0..outcomes.len() {
        fill(&outcomes.step(index), &mut numbers);
        for (row, &number) in rows.iter_mut().zip(&numbers) {
            row[index] = number;
        }
    }
}

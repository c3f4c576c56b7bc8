//! Which measures a decision needs: one type for each set, so that the rest costs nothing.

use super::weights::Measure::{self, *};
use super::weights::Weights;

/// A set of measures.
pub(super) trait Set {
    /// All of them.
    const MEASURES: &'static [Measure];

    /// Well sums.
    const WELLS: bool = contains(Self::MEASURES, Wells);
    /// Hole depth and rows with holes.
    const BURIED: bool = contains(Self::MEASURES, HoleDepth);
    /// Fast well sums.
    const FAST_WELLS: bool = contains(Self::MEASURES, FastWells);
    /// Diversity.
    const DIVERSITY: bool = contains(Self::MEASURES, Diversity);
    /// The record player's features, and none of the above.
    const RECORD: bool = contains(Self::MEASURES, RecordWells);
}

const fn contains(measures: &[Measure], wanted: Measure) -> bool {
    let mut k = 0;
    while k < measures.len() {
        if measures[k] as usize == wanted as usize {
            return true;
        }
        k += 1;
    }
    false
}

/// Dellacherie's six features.
pub(super) struct Six;
/// With hole depth and rows with holes: BCTS.
pub(super) struct Eight;
/// BCTS with fast well sums and diversity: DT.
pub(super) struct Nine;
/// The record player's eleven.
pub(super) struct Eleven;

impl Set for Six {
    const MEASURES: &'static [Measure] = &[
        Landing,
        Eroded,
        RowTransitions,
        ColumnTransitions,
        Holes,
        Wells,
    ];
}

impl Set for Eight {
    const MEASURES: &'static [Measure] = &[
        Landing,
        Eroded,
        RowTransitions,
        ColumnTransitions,
        Holes,
        Wells,
        HoleDepth,
        HoleRows,
    ];
}

impl Set for Nine {
    const MEASURES: &'static [Measure] = &[
        Landing,
        Eroded,
        RowTransitions,
        ColumnTransitions,
        Holes,
        HoleDepth,
        HoleRows,
        FastWells,
        Diversity,
    ];
}

impl Set for Eleven {
    const MEASURES: &'static [Measure] = &[
        RowTransitions,
        ColumnTransitions,
        Holes,
        WallHoles0,
        WallHoles1,
        WallHoles2,
        HighestHoleHeight,
        Adaptability,
        RecordWells,
        Distance,
        Lines,
    ];
}

/// The set that a kernel needs, known when it runs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Six,
    Eight,
    Nine,
    Eleven,
}

impl Kind {
    /// The smallest set that has all measures with a weight.
    pub(super) fn of(weights: &Weights) -> Option<Kind> {
        let kinds = [
            (Kind::Six, Six::MEASURES),
            (Kind::Eight, Eight::MEASURES),
            (Kind::Nine, Nine::MEASURES),
            (Kind::Eleven, Eleven::MEASURES),
        ];
        let mut fitting = kinds.iter().filter(|kind| weights.are_within(kind.1));
        fitting.next().map(|kind| kind.0)
    }
}

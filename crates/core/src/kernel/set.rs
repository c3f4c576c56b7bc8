//! The measures that a decision needs. Each set is a type, named after its player, so that unused
//! measures cost nothing.

use super::weights::Measure::{self, *};
use super::weights::Weights;

/// A set of measures.
pub(super) trait Set {
    /// All measures.
    const MEASURES: &'static [Measure];

    /// Well sums.
    const WELLS: bool = contains(Self::MEASURES, Wells);
    /// Hole depth and rows with holes.
    const BURIED: bool = contains(Self::MEASURES, HoleDepth);
    /// Fast well sums.
    const FAST_WELLS: bool = contains(Self::MEASURES, FastWells);
    /// Diversity.
    const DIVERSITY: bool = contains(Self::MEASURES, Diversity);
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
pub(super) struct Dellacherie;
/// Dellacherie's measures with hole depth and rows with holes: BCTS.
pub(super) struct Bcts;
/// BCTS with fast well sums and diversity: DT.
pub(super) struct Dt;

impl Set for Dellacherie {
    const MEASURES: &'static [Measure] = &[
        Landing,
        Eroded,
        RowTransitions,
        ColumnTransitions,
        Holes,
        Wells,
    ];
}

impl Set for Bcts {
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

impl Set for Dt {
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

/// A set as a run-time value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SetKind {
    Dellacherie,
    Bcts,
    Dt,
    /// Lookup tables without measures.
    Lookup,
    /// Arbitrary features, each measured separately.
    Any,
}

/// Calls a generic function, compiled separately for each set with incremental scores, or else
/// another function.
macro_rules! with_set {
    ($kind:expr, $set:ident => $work:expr, else $other:expr) => {
        match $kind {
            SetKind::Dellacherie => {
                let $set = super::set::Dellacherie;
                $work
            }
            SetKind::Bcts => {
                let $set = super::set::Bcts;
                $work
            }
            SetKind::Dt => {
                let $set = super::set::Dt;
                $work
            }
            _ => $other,
        }
    };
}

pub(super) use with_set;

impl SetKind {
    /// The smallest set with all measures whose weight is not zero.
    pub(super) fn of(weights: &Weights) -> Option<SetKind> {
        let kinds = [
            (SetKind::Dellacherie, Dellacherie::MEASURES),
            (SetKind::Bcts, Bcts::MEASURES),
            (SetKind::Dt, Dt::MEASURES),
        ];
        let mut fitting = kinds.iter().filter(|kind| weights.are_within(kind.1));
        fitting.next().map(|kind| kind.0)
    }
}

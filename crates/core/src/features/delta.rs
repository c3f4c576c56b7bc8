//! Changes in a feature: its value after the placement minus the value before.

use super::Feature;
use super::bumpiness::Bumpiness;
use super::folds::{GapSum, Sum, Union};
use super::heights::{MaxHeight, SumHeights};
use super::holes::AllHoles;
use super::local::Columns;
use crate::outcomes::Step;

const SOURCE: &str = "Lagoudakis, Parr and Littman 2002 (LSPI)";

pub(super) const DELTA_HOLES: Feature = Feature::change(
    "delta_holes",
    "holes after the placement minus holes before it",
    SOURCE,
    |step| change(step, Columns::fold::<AllHoles>),
)
.marking(|step| (super::holes::HOLES.make.marks)(step).looked_at());

pub(super) const DELTA_MAX_HEIGHT: Feature = Feature::change(
    "delta_max_height",
    "height of the highest column after the placement minus the same before it",
    SOURCE,
    |step| change(step, Columns::fold::<Union<MaxHeight>>),
)
.marking(|step| (super::heights::MAX_HEIGHT.make.marks)(step).looked_at());

pub(super) const DELTA_BUMPINESS: Feature = Feature::change(
    "delta_bumpiness",
    "bumpiness after the placement minus bumpiness before it",
    SOURCE,
    |step| change(step, Columns::fold::<GapSum<Bumpiness>>),
)
.marking(|step| (super::bumpiness::BUMPINESS.make.marks)(step).looked_at());

pub(super) const DELTA_MEAN_HEIGHT: Feature = Feature::change(
    "delta_mean_height",
    "mean height after the placement minus mean height before it",
    SOURCE,
    |step| change(step, Columns::fold::<Sum<SumHeights>>) / step.after.heights().len() as f64,
)
.marking(|step| (super::heights::MEAN_HEIGHT.make.marks)(step).looked_at());

fn change(step: &Step<'_>, measure: fn(&Columns<u64>) -> i32) -> f64 {
    let measure = |board| measure(&Columns::of(board));
    f64::from(measure(&step.after.board) - measure(&step.before.board))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{drop_at, value};
    use super::*;
    use crate::piece::Piece::O;

    #[test]
    fn a_square_that_covers_a_hole() {
        let rows = ["....", "....", "....", "#..."];
        let covering = drop_at(&rows, O, &[(1, 0), (1, 1), (2, 0), (2, 1)]);
        assert_eq!(value(&DELTA_HOLES, &covering), 1.0);
        assert_eq!(value(&DELTA_MAX_HEIGHT, &covering), 2.0);
        assert_eq!(value(&DELTA_BUMPINESS, &covering), 2.0);
        assert_eq!(value(&DELTA_MEAN_HEIGHT, &covering), 5.0 / 4.0);
    }

    #[test]
    fn a_square_that_clears_two_lines() {
        let rows = ["....", "...#", "..##", "..##"];
        let clearing = drop_at(&rows, O, &[(0, 0), (0, 1), (1, 0), (1, 1)]);
        assert_eq!(value(&DELTA_HOLES, &clearing), 0.0);
        assert_eq!(value(&DELTA_MAX_HEIGHT, &clearing), -2.0);
        assert_eq!(value(&DELTA_BUMPINESS, &clearing), -2.0);
        assert_eq!(value(&DELTA_MEAN_HEIGHT, &clearing), -1.0);
    }
}

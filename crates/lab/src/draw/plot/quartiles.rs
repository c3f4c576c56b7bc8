//! Quantiles and boxes of values.

/// A quantile of sorted values, interpolated between neighbours (type 7 of Hyndman and Fan 1996).
pub(super) fn quantile(sorted: &[f64], part: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let at = part * last as f64;
    let below = (at.floor() as usize).min(last);
    let above = (below + 1).min(last);
    Some(sorted[below] + (at - below as f64) * (sorted[above] - sorted[below]))
}

/// The finite values, sorted.
pub(super) fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// A box with whiskers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BoxSummary {
    /// The last values within 1.5 times the length of the box.
    pub(super) whiskers: [f64; 2],
    /// The quartiles, with the median in the middle.
    pub(super) quartiles: [f64; 3],
    /// All values beyond the whiskers.
    pub(super) outliers: Vec<f64>,
}

impl BoxSummary {
    /// The box of the finite values; `None` without any.
    pub(super) fn of(values: &[f64]) -> Option<BoxSummary> {
        let values = sorted(values.iter().copied());
        let quartile = |part: f64| quantile(&values, part);
        let quartiles = [quartile(0.25)?, quartile(0.5)?, quartile(0.75)?];
        let reach = 1.5 * (quartiles[2] - quartiles[0]);
        let inside = |value: f64| value >= quartiles[0] - reach && value <= quartiles[2] + reach;
        let low = values.iter().copied().find(|&value| inside(value))?;
        let high = values.iter().copied().rev().find(|&value| inside(value))?;
        let outliers = values.iter().copied().filter(|&value| !inside(value));
        Some(BoxSummary {
            whiskers: [low, high],
            quartiles,
            outliers: outliers.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_neighbours() {
        let values = [1.0, 2.0, 4.0, 8.0];
        let found = [0.0, 0.25, 0.5, 0.75, 1.0].map(|part| quantile(&values, part));
        let expected = [1.0, 1.75, 3.0, 5.0, 8.0].map(Some);
        assert_eq!(found, expected);
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[7.0], 0.9), Some(7.0));
    }

    #[test]
    fn whiskers_reach_to_the_last_value_within_one_and_a_half_boxes() {
        // Quartiles 2.5, 4, 5.5: the box is 3 high, so 10 is within 5.5 + 4.5, but 10.5 is not.
        let values = [5.0, 1.0, 3.0, 10.5, 4.0, 2.0, 6.0];
        let summary = BoxSummary::of(&values).unwrap();
        assert_eq!(summary.quartiles, [2.5, 4.0, 5.5]);
        assert_eq!(summary.whiskers, [1.0, 6.0]);
        assert_eq!(summary.outliers, [10.5]);
        assert_eq!(BoxSummary::of(&[f64::NAN]), None);
    }
}

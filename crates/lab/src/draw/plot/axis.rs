//! An axis, linear or logarithmic: its ends, the positions of values, and its ticks.

use super::data::PlotScale;
use crate::number::UNITS;

/// If the ratio of the largest and the smallest number is at least this, an axis is logarithmic.
const LOG_FACTOR: f64 = 20.0;
/// The approximate number of steps on a linear axis.
const STEPS: f64 = 5.0;
/// The maximum number of decades of a logarithmic axis with ticks at 1, 2 and 5; with more decades
/// it has ticks at powers of ten.
const DECADES_OF_THREE: f64 = 3.0;
/// The maximum number of powers of ten with a tick.
const MOST_POWERS: i32 = 8;

/// A chart axis that maps its lowest number to 0 and its highest to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ChartAxis {
    low: f64,
    high: f64,
    /// The distance between ticks on a linear axis; `None` for a logarithmic one.
    step: Option<f64>,
    /// Whether only the ends have ticks.
    few: bool,
}

impl ChartAxis {
    /// An axis for the finite numbers among these; `None` without any.
    pub(super) fn new(scale: PlotScale, numbers: impl Iterator<Item = f64>) -> Option<ChartAxis> {
        let numbers: Vec<f64> = numbers.filter(|number| number.is_finite()).collect();
        let positive = bounds(numbers.iter().copied().filter(|&number| number > 0.0));
        let is_wide = positive.is_some_and(|(least, most)| most > LOG_FACTOR * least);
        match (scale, positive) {
            (PlotScale::Auto, Some((least, most)))
                if is_wide && numbers.iter().all(|&number| number >= 0.0) =>
            {
                Some(ChartAxis::logarithmic(least, most))
            }
            (PlotScale::Log, Some((least, most))) => Some(ChartAxis::logarithmic(least, most)),
            _ => bounds(numbers.into_iter()).map(|(least, most)| ChartAxis::linear(least, most)),
        }
    }

    /// The axis of an increasing quantity, such as pieces or generations; linear by default.
    pub(super) fn of_progress(
        scale: PlotScale,
        numbers: impl Iterator<Item = f64>,
    ) -> Option<ChartAxis> {
        let scale = match scale {
            PlotScale::Auto => PlotScale::Linear,
            scale => scale,
        };
        ChartAxis::new(scale, numbers)
    }

    /// An axis from the smallest to the largest of some numbers, for colours.
    pub(super) fn exactly(scale: PlotScale, numbers: &[f64]) -> Option<ChartAxis> {
        let rounded = ChartAxis::new(scale, numbers.iter().copied())?;
        let is_linear = rounded.is_linear();
        let shown = numbers.iter().copied();
        let (low, high) = bounds(shown.filter(|&number| is_linear || number > 0.0))?;
        let high = if high > low { high } else { low + 1.0 };
        let step = rounded.step;
        Some(ChartAxis {
            low,
            high,
            step,
            ..rounded
        })
    }

    /// The same axis with ticks only at its ends.
    pub(super) fn with_few_ticks(self) -> ChartAxis {
        ChartAxis { few: true, ..self }
    }

    /// Whether the axis is linear.
    pub(super) fn is_linear(&self) -> bool {
        self.step.is_some()
    }

    /// A linear axis whose ends are ticks.
    fn linear(least: f64, most: f64) -> ChartAxis {
        let range = if most > least {
            most - least
        } else {
            least.abs().max(1.0)
        };
        let step = step_above(range / STEPS);
        let (mut low, mut high) = ((least / step).floor(), (most / step).ceil());
        if low >= high {
            (low, high) = (low - 1.0, low + 1.0);
        }
        ChartAxis {
            low: low * step,
            high: high * step,
            step: Some(step),
            few: false,
        }
    }

    fn logarithmic(least: f64, most: f64) -> ChartAxis {
        let low = step_below(least);
        let high = step_above(most);
        ChartAxis {
            low,
            high: if high > low { high } else { 2.0 * low },
            step: None,
            few: false,
        }
    }

    /// The position of a number: 0 at the lower end, 1 at the upper one. Numbers that a logarithmic
    /// axis cannot show are placed at its end.
    pub(super) fn place(&self, number: f64) -> f64 {
        let place = match self.step {
            Some(_) => (number - self.low) / (self.high - self.low),
            None if number <= self.low => 0.0,
            None => log_ratio(number, self.low) / log_ratio(self.high, self.low),
        };
        place.clamp(0.0, 1.0)
    }

    /// The numbers with a tick, in increasing order.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let ticks = self.all_ticks();
        match ticks[..] {
            [first, .., last] if self.few => vec![first, last],
            _ => ticks,
        }
    }

    fn all_ticks(&self) -> Vec<f64> {
        match self.step {
            Some(step) => {
                let count = ((self.high - self.low) / step).round() as usize;
                let first = (self.low / step).round();
                let tick = |index: usize| (first + index as f64) * step;
                (0..=count).map(tick).collect()
            }
            None => self.log_ticks(),
        }
    }

    fn log_ticks(&self) -> Vec<f64> {
        let decades = log_ratio(self.high, self.low);
        let (from, to) = (exponent(self.low), exponent(self.high));
        let every = 1 + (to - from) / MOST_POWERS;
        let parts: &[f64] = if decades <= DECADES_OF_THREE {
            &[1.0, 2.0, 5.0]
        } else {
            &[1.0]
        };
        let powers = (from..=to).filter(|power| power.rem_euclid(every) == 0);
        let ticks = powers.flat_map(|power| parts.iter().map(move |part| scaled(*part, power)));
        let inside = |tick: &f64| (self.low..=self.high).contains(tick);
        ticks.filter(inside).collect()
    }
}

/// The label of a tick: 250, 1.5k, 20M.
pub(super) fn tick_label(number: f64) -> String {
    let size = number.abs();
    let sign = if number < 0.0 { "−" } else { "" };
    if size != 0.0 && !(1e-4..1e15).contains(&size) {
        return format!("{sign}{size:e}");
    }
    let mut units = UNITS.into_iter().chain([(1e3, "k")]);
    let unit = units.find(|unit| size >= unit.0);
    let (unit, letter) = unit.unwrap_or((1.0, ""));
    let digits = format!("{:.6}", size / unit);
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    format!("{sign}{digits}{letter}")
}

/// The minimum and maximum of some numbers.
fn bounds(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    numbers.fold(None, |bounds, number| {
        let (least, most) = bounds.unwrap_or((number, number));
        Some((least.min(number), most.max(number)))
    })
}

/// The smallest number of the form 1, 2 or 5 times a power of ten that is not below a number.
pub(super) fn step_above(number: f64) -> f64 {
    steps_around(number)
        .find(|&step| step >= number)
        .unwrap_or(number)
}

/// The largest number of the form 1, 2 or 5 times a power of ten that is not above a number.
fn step_below(number: f64) -> f64 {
    let below = steps_around(number).filter(|&step| step <= number);
    below.last().unwrap_or(number)
}

/// The numbers of the form 1, 2 and 5 times a power of ten around a positive number, in increasing
/// order.
fn steps_around(number: f64) -> impl Iterator<Item = f64> {
    let power = exponent(number);
    let powers = power - 1..=power + 1;
    powers.flat_map(|power| [1.0, 2.0, 5.0].map(|part| scaled(part, power)))
}

/// The exponent of the power of ten below a positive number.
fn exponent(number: f64) -> i32 {
    (libm::log10(number).floor() as i32).clamp(-300, 300)
}

/// A number times a power of ten, correctly rounded.
fn scaled(part: f64, power: i32) -> f64 {
    format!("{part}e{power}").parse().unwrap_or(f64::NAN)
}

fn log_ratio(number: f64, low: f64) -> f64 {
    libm::log10(number / low)
}

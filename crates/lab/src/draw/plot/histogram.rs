//! Histograms with the exponential distribution of the same mean.

use super::axis::{ChartAxis, tick_label};
use super::canvas::{Canvas, Drawn, below_title};
use super::data::{Histogram, PlotScale};
use super::field::{ABOVE, HEIGHT, PlotField, WIDTH, labels, left_of};
use super::legend::{self, LegendEntry, LegendMark};
use super::{PlotError, show_value};
use crate::draw::MARGIN;

/// Number of points of the distribution's curve.
const CURVE: u32 = 120;

pub(super) fn draw(plot: &Histogram) -> Result<Drawn, PlotError> {
    let total: u64 = plot.counts.iter().sum();
    let most = plot.counts.iter().max().copied().unwrap_or(0);
    if most == 0 {
        return Err(PlotError::NoPoints);
    }
    let density = |x: f64, mean: f64| total as f64 * plot.width / mean * (-x / mean).exp();
    let highest = plot.fit.map_or(0.0, |mean| density(0.0, mean));
    let to = plot.from + plot.width * plot.counts.len() as f64;
    let x = ChartAxis::new(PlotScale::Linear, [plot.from, to].into_iter());
    let y = [0.0, highest.max(most as f64)];
    let y = ChartAxis::new(PlotScale::Linear, y.into_iter());
    let (x, y) = (x.ok_or(PlotError::NoPoints)?, y.ok_or(PlotError::NoPoints)?);
    let left = left_of(&labels(&y));
    let mut canvas = Canvas::new(&plot.title, left + WIDTH + 2 * MARGIN);
    let mut entries = vec![LegendEntry::new(
        LegendMark::Area("fill c0".to_owned()),
        "games",
    )];
    if let Some(mean) = plot.fit {
        let name = format!("exponential, mean {}", show_value(mean));
        entries.push(LegendEntry::new(LegendMark::Fit, &name));
    }
    let below = legend::draw(&mut canvas, &entries, below_title(&plot.title), WIDTH);
    let field = PlotField {
        left,
        top: below + ABOVE,
        height: HEIGHT,
        x,
        y,
    };
    field.axes(&mut canvas, &plot.label, "games in a bin");
    for (index, &count) in plot.counts.iter().enumerate() {
        let from = plot.from + index as f64 * plot.width;
        let (at, end) = (field.x(from) + 0.5, field.x(from + plot.width) - 0.5);
        let y = field.y(count as f64);
        let size = ((end - at).max(0.5), field.bottom() as f64 - y);
        let [low, high] = [from, from + plot.width].map(tick_label);
        let hover = format!("{low} to {high}: {count} games");
        if count > 0 {
            canvas.rect("fill c0", (at, y), size, &hover);
        }
    }
    if let Some(mean) = plot.fit {
        let step = (to - plot.from.max(0.0)) / f64::from(CURVE);
        let x = |k: u32| plot.from.max(0.0) + f64::from(k) * step;
        let points = (0..=CURVE).map(|k| field.place((x(k), density(x(k), mean))));
        canvas.line("fit", &points.collect::<Vec<_>>());
    }
    let fit = plot.fit.map_or(String::new(), |mean| {
        let mean = show_value(mean);
        format!(" The dashed line is the exponential distribution with the mean {mean}.")
    });
    Ok(canvas.finish(&format!(
        "Histogram of {total} values of {} in {} bins.{fit}",
        plot.label,
        plot.counts.len()
    )))
}

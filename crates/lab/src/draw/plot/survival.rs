//! Survival curves of scores on a logarithmic axis, where an exponential distribution is a
//! straight line.

use super::axis::ChartAxis;
use super::canvas::{Canvas, Drawn, below_title};
use super::data::{PlotScale, SurvivalCurve, SurvivalPlot};
use super::field::{ABOVE, HEIGHT, PlotField, WIDTH, finite, left_of};
use super::legend::{self, LegendEntry, LegendMark};
use super::palette::Palette;
use super::{PlotError, list_of_names, show_value};
use crate::draw::MARGIN;

pub(super) fn draw(plot: &SurvivalPlot) -> Result<Drawn, PlotError> {
    let points = || plot.curves.iter().flat_map(|curve| finite(&curve.points));
    let positive = || points().filter(|point| point.1 > 0.0);
    let lowest = positive().map(|point| point.1).fold(1.0, f64::min);
    let y = ChartAxis::new(PlotScale::Log, [lowest.min(0.5), 1.0].into_iter());
    let x = [0.0].into_iter().chain(points().map(|point| point.0));
    let x = ChartAxis::new(PlotScale::Linear, x).ok_or(PlotError::NoPoints)?;
    let y = y.filter(|_| positive().next().is_some());
    let y = y.ok_or(PlotError::NoPoints)?;
    let left = left_of(&y.ticks().into_iter().map(share).collect::<Vec<_>>());
    let mut canvas = Canvas::new(&plot.title, left + WIDTH + 2 * MARGIN);
    let names = plot.curves.iter().map(|curve| &*curve.name);
    let palette = Palette::in_order(names);
    let below = legend::draw(
        &mut canvas,
        &entries(plot, &palette),
        below_title(&plot.title),
        WIDTH,
    );
    let field = PlotField {
        left,
        top: below + ABOVE,
        height: HEIGHT,
        x,
        y,
    };
    field.vertical(&mut canvas, "share of games that reach more", share);
    field.horizontal(&mut canvas, &plot.label);
    for curve in &plot.curves {
        let class = palette.class(&curve.name);
        if let Some(mean) = curve.fit {
            let last = finite(&curve.points).map(|point| point.0);
            let end = last.fold(0.0, f64::max).min(-mean * lowest.ln());
            let points = [(0.0, 1.0), (end, (-end / mean).exp())];
            canvas.line("fit", &field.places(&points));
        }
        canvas.group("trace", &curve.name, |canvas| {
            canvas.line(&format!("curve {class}"), &field.places(&steps(curve)));
        });
    }
    Ok(canvas.finish(&format!(
        "Survival curves on a logarithmic axis: {}.",
        list_of_names(palette.names())
    )))
}

fn entries(plot: &SurvivalPlot, palette: &Palette<'_>) -> Vec<LegendEntry> {
    let curve = |name: &&str| LegendEntry::new(LegendMark::Line(palette.class(name)), name);
    let mut entries: Vec<LegendEntry> = palette.names().iter().map(curve).collect();
    let mut fits = plot.curves.iter().filter_map(|curve| curve.fit);
    let name = match (fits.next(), fits.next()) {
        (Some(mean), None) => format!("exponential, mean {}", show_value(mean)),
        (Some(_), Some(_)) => "exponential distributions of the same means".to_owned(),
        (None, _) => return entries,
    };
    entries.push(LegendEntry::new(LegendMark::Fit, &name));
    entries
}

/// The curve drops at its points, not between them. It ends before its share is 0.
fn steps(curve: &SurvivalCurve) -> Vec<(f64, f64)> {
    let mut steps: Vec<(f64, f64)> = Vec::new();
    for (x, share) in finite(&curve.points) {
        if let Some(&(_, before)) = steps.last() {
            steps.push((x, before));
        }
        if share <= 0.0 {
            break;
        }
        steps.push((x, share));
    }
    steps
}

/// A share in percent.
fn share(part: f64) -> String {
    let text = format!("{:.6}", 100.0 * part);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text} %")
}

//! Learning curves: one trace per run and, for several runs of one method, their median and a band.

use super::axis::ChartAxis;
use super::canvas::{Canvas, Drawn, Point, below_title};
use super::data::{CurveGroup, CurvePlot, CurveTrace};
use super::field::{ABOVE, HEIGHT, PlotField, WIDTH, finite, labels, left_of};
use super::legend::{self, LegendEntry, LegendMark};
use super::palette::Palette;
use super::quartiles::{quantile, sorted};
use super::{PlotError, list_of_names};
use crate::draw::MARGIN;

/// With at least this many traces, the band contains the middle half of them; otherwise all.
const QUARTILES_FROM: usize = 5;
/// The maximum number of points at which the median of a group is computed.
const MOST_PLACES: usize = 200;

pub(super) fn draw(plot: &CurvePlot) -> Result<Drawn, PlotError> {
    let points = || {
        let traces = plot.groups.iter().flat_map(|group| &group.traces);
        traces.flat_map(|trace| finite(&trace.points).chain(finite(&trace.pale)))
    };
    let x = [0.0]
        .into_iter()
        .filter(|_| plot.x.scale != super::PlotScale::Log);
    let x = x.chain(points().map(|point| point.0));
    let y = points().map(|point| point.1);
    let y = ChartAxis::new(plot.y.scale, y).ok_or(PlotError::NoPoints)?;
    let x = ChartAxis::of_progress(plot.x.scale, x).ok_or(PlotError::NoPoints)?;
    let left = left_of(&labels(&y));
    let mut canvas = Canvas::new(&plot.title, left + WIDTH + 2 * MARGIN);
    let palette = Palette::new(plot.groups.iter().map(|group| &*group.name));
    let below = legend::draw(
        &mut canvas,
        &entries(plot, &palette),
        below_title(&plot.title),
        left + WIDTH,
    );
    let field = PlotField {
        left,
        top: below + ABOVE,
        height: HEIGHT,
        x,
        y,
    };
    field.axes(&mut canvas, &plot.x.label, &plot.y.label);
    for group in &plot.groups {
        draw_group(&mut canvas, &field, group, &palette.class(&group.name));
    }
    Ok(canvas.finish(&format!(
        "Curves of {} over {}: {}.",
        plot.y.label,
        plot.x.label,
        list_of_names(palette.names())
    )))
}

/// The names of the groups, and the meaning of the bands.
fn entries(plot: &CurvePlot, palette: &Palette<'_>) -> Vec<LegendEntry> {
    let name = |name: &&str| LegendEntry::new(LegendMark::Line(palette.class(name)), name);
    let mut entries: Vec<LegendEntry> = palette.names().iter().map(name).collect();
    let sizes = || plot.groups.iter().map(|group| group.traces.len());
    let band = |name: &str| LegendEntry::new(LegendMark::Area("band c5".to_owned()), name);
    if sizes().any(|size| size >= QUARTILES_FROM) {
        entries.push(band("middle half of the runs, line: median"));
    }
    if sizes().any(|size| (2..QUARTILES_FROM).contains(&size)) {
        entries.push(band("range of the runs, line: median"));
    }
    entries
}

fn draw_group(canvas: &mut Canvas<'_>, field: &PlotField, group: &CurveGroup, class: &str) {
    let summary = GroupSummary::of(&group.traces);
    if let Some(summary) = &summary {
        let band = summary.band.iter();
        let lower = band.clone().map(|&(x, low, _)| (x, low));
        let upper = band.rev().map(|&(x, _, high)| (x, high));
        let around: Vec<(f64, f64)> = lower.chain(upper).collect();
        canvas.shape(&format!("band {class}"), &field.places(&around));
    }
    let kind = if summary.is_some() {
        "curve thin"
    } else {
        "curve"
    };
    for trace in &group.traces {
        canvas.group("trace", &hover(&group.name, trace), |canvas| {
            canvas.line(&format!("curve pale {class}"), &field.places(&trace.pale));
            let places = field.places(&trace.points);
            canvas.line(&format!("{kind} {class}"), &places);
            if places.len() > 1 {
                canvas.line("hit", &places);
            }
        });
    }
    if let Some(summary) = summary {
        let places: Vec<Point> = field.places(&summary.median);
        canvas.line(&format!("curve median-line {class}"), &places);
    }
}

fn hover(group: &str, trace: &CurveTrace) -> String {
    let last = finite(&trace.points).last();
    let value = last.map_or(String::new(), |point| {
        format!(", {} at the end", super::show_value(point.1))
    });
    if trace.name.is_empty() || trace.name == group {
        format!("{group}{value}")
    } else {
        format!("{group}, {}{value}", trace.name)
    }
}

/// The median of several traces and the band around it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct GroupSummary {
    pub(super) median: Vec<(f64, f64)>,
    /// `x`, lower and upper end.
    pub(super) band: Vec<(f64, f64, f64)>,
}

impl GroupSummary {
    /// The summary at every `x` that at least half of the traces reach; empty for fewer than two
    /// traces.
    pub(super) fn of(traces: &[CurveTrace]) -> Option<GroupSummary> {
        let traces = traces.iter().map(|trace| finite(&trace.points).collect());
        let traces: Vec<Vec<(f64, f64)>> =
            traces.filter(|points: &Vec<_>| points.len() > 1).collect();
        if traces.len() < 2 {
            return None;
        }
        let mut places = sorted(traces.iter().flatten().map(|point| point.0));
        places.dedup();
        let every = places.len().div_ceil(MOST_PLACES);
        let last = places.len() - 1;
        let mut summary = GroupSummary::default();
        for (index, &x) in places.iter().enumerate() {
            if index % every != 0 && index != last {
                continue;
            }
            let values = sorted(traces.iter().filter_map(|points| value_at(points, x)));
            if 2 * values.len() < traces.len() {
                continue;
            }
            let ends = if traces.len() < QUARTILES_FROM {
                [0.0, 1.0]
            } else {
                [0.25, 0.75]
            };
            let [low, high] = ends.map(|part| quantile(&values, part));
            if let (Some(low), Some(median), Some(high)) = (low, quantile(&values, 0.5), high) {
                summary.median.push((x, median));
                summary.band.push((x, low, high));
            }
        }
        (summary.median.len() > 1).then_some(summary)
    }
}

/// The value of a line at a position between its ends.
fn value_at(points: &[(f64, f64)], x: f64) -> Option<f64> {
    let after = points.iter().position(|point| point.0 >= x)?;
    let (right, value) = points[after];
    if right == x {
        return Some(value);
    }
    let (left, before) = points[after.checked_sub(1)?];
    Some(before + (x - left) / (right - left) * (value - before))
}

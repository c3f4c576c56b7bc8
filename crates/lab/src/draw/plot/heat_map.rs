//! Grids of cells with values.

use super::axis::ChartAxis;
use super::canvas::{Canvas, Drawn, below_title, names_width, short_name, words_width};
use super::data::HeatMap;
use super::{PlotError, show_value};
use crate::draw::MARGIN;
use crate::draw::paper::TextStyle;

/// The minimum width of a cell, and its height.
const NARROWEST: usize = 64;
const CELL: usize = 34;
/// Opacities of cells: those below `DARK_FROM` have dark text, the others light text. In between,
/// no text would have enough contrast.
const PALE: (f64, f64) = (0.04, 0.5);
const DARK: (f64, f64) = (0.82, 1.0);
const DARK_FROM: f64 = 0.65;

pub(super) fn draw(map: &HeatMap) -> Result<Drawn, PlotError> {
    let values = map.cells.iter().flatten().copied().flatten();
    let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    let scale = ChartAxis::exactly(map.scale, &values).ok_or(PlotError::NoPoints)?;
    let names = map
        .columns
        .iter()
        .map(|name| words_width(&short_name(name), 13) + 14);
    let width = names.max().unwrap_or_default().max(NARROWEST);
    let left = MARGIN + names_width(map.rows.iter().map(String::as_str)) + 12;
    let top = below_title(&map.title) + 52;
    let mut canvas = Canvas::new(&map.title, left + map.columns.len() * width + 2 * MARGIN);
    let middle = (left + map.columns.len() * width / 2) as f64;
    canvas.text(
        (middle, top as f64 - 34.0),
        TextStyle::HeadMiddle,
        &map.column_label,
    );
    canvas.text(
        (MARGIN as f64, top as f64 - 12.0),
        TextStyle::Head,
        &map.row_label,
    );
    for (column, name) in map.columns.iter().enumerate() {
        let x = (left + column * width + width / 2) as f64;
        canvas.text(
            (x, top as f64 - 12.0),
            TextStyle::TextMiddle,
            &short_name(name),
        );
    }
    for (row, name) in map.rows.iter().enumerate() {
        let y = (top + row * CELL) as f64;
        let at = (left as f64 - 12.0, y + CELL as f64 / 2.0 + 4.5);
        canvas.text(at, TextStyle::Number, &short_name(name));
        let cells = map.cells.get(row).map_or(&[][..], Vec::as_slice);
        for (column, heading) in map.columns.iter().enumerate() {
            let value = cells.get(column).copied().flatten();
            let at = ((left + column * width) as f64, y);
            let hover = format!("{name}, {heading}");
            cell(&mut canvas, &scale, (at, width as f64), (value, &hover));
        }
    }
    let bottom = top + map.rows.len() * CELL;
    let at = (left as f64, bottom as f64 + 24.0);
    let colours = format!("values: {}; a stronger colour is higher", map.value_label);
    canvas.text(at, TextStyle::Head, &colours);
    canvas.reach(left + words_width(&colours, 12) + MARGIN, bottom + 28);
    Ok(canvas.finish(&format!(
        "Heat map of {}: {} rows ({}) and {} columns ({}).",
        map.value_label,
        map.rows.len(),
        map.row_label,
        map.columns.len(),
        map.column_label
    )))
}

fn cell(
    canvas: &mut Canvas<'_>,
    scale: &ChartAxis,
    ((x, y), width): ((f64, f64), f64),
    (value, name): (Option<f64>, &str),
) {
    let size = (width - 3.0, CELL as f64 - 3.0);
    let middle = (x + size.0 / 2.0, y + size.1 / 2.0 + 4.5);
    let Some(value) = value.filter(|value| value.is_finite()) else {
        canvas.rect("frame", (x, y), size, &format!("{name}: no value"));
        canvas.text(middle, TextStyle::HeadMiddle, "–");
        return;
    };
    let place = scale.place(value);
    let (opacity, style) = if place < DARK_FROM {
        (between(PALE, place / DARK_FROM), TextStyle::TextMiddle)
    } else {
        let part = (place - DARK_FROM) / (1.0 - DARK_FROM);
        (between(DARK, part), TextStyle::OnHeat)
    };
    let shown = show_value(value);
    canvas.shade((x, y), size, opacity, &format!("{name}: {shown}"));
    canvas.text(middle, style, &shown);
}

fn between((from, to): (f64, f64), part: f64) -> f64 {
    from + (to - from) * part
}

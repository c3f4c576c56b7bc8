//! What the players of several learners are worth.

use super::axis::{ChartAxis, tick_label};
use super::{
    ChartError, LearnerColours, MARGIN, dot, heading_width, short_name, straight, style,
    words_width,
};
use crate::draw::HEADING;
use crate::draw::paper::{Paper, TextStyle};

/// How wide the field of the dots is.
const FIELD: usize = 520;
/// Where the field begins.
const TOP: usize = HEADING + MARGIN;
/// How far apart the dots of a learner are, and how much room is above and below them.
const DOT: usize = 9;
const AROUND: usize = 9;
/// How much room the numbers and the words below the field need.
const BELOW: usize = 44;

/// What learners are worth, a row for each, and what is said about them.
#[derive(Clone, Debug)]
pub struct ContestChart {
    /// The first line.
    pub title: String,
    /// The second line.
    pub caption: String,
    /// What the place of a dot is.
    pub unit: String,
    /// The rows from the top.
    pub rows: Vec<ContestRow>,
}

/// One learner.
#[derive(Clone, Debug)]
pub struct ContestRow {
    /// Its name.
    pub learner: String,
    /// What each training seed gave, from the top of the row.
    pub dots: Vec<ContestDot>,
}

/// What one training seed gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContestDot {
    /// The mean of its test.
    pub mean: f64,
    /// The 95 % interval of the mean.
    pub interval: [f64; 2],
}

impl ContestRow {
    /// The mean of the median seed; of an even number, the lower of the two.
    pub fn median(&self) -> Option<f64> {
        let mut means: Vec<f64> = self.dots.iter().map(|dot| dot.mean).collect();
        means.sort_by(f64::total_cmp);
        means.get(means.len().saturating_sub(1) / 2).copied()
    }

    fn height(&self) -> usize {
        2 * AROUND + self.dots.len().max(2) * DOT
    }
}

/// Draws what learners are worth: a dot for each training seed with its interval, and a bar at the median.
///
/// # Errors
/// When no row has a dot.
pub fn contest_svg(chart: &ContestChart) -> Result<String, ChartError> {
    let field = ContestField::new(chart)?;
    let mut paper = Paper::default();
    paper.heading(&chart.title, &chart.caption);
    let bottom = TOP + chart.rows.iter().map(ContestRow::height).sum::<usize>();
    field.axis(&mut paper, bottom, &chart.unit);
    let mut y = TOP;
    for row in &chart.rows {
        field.row(&mut paper, y, row);
        y += row.height();
    }
    let width = field.left + FIELD + 2 * MARGIN;
    let width = width.max(heading_width(&chart.title, &chart.caption));
    let size = (width, bottom + BELOW + MARGIN);
    Ok(paper.finish_with(&style(), size, &chart.title))
}

/// Where the dots of a chart lie.
struct ContestField<'a> {
    worth: ChartAxis,
    /// Where the field begins, right of the names.
    left: usize,
    palette: LearnerColours<'a>,
}

impl<'a> ContestField<'a> {
    fn new(chart: &'a ContestChart) -> Result<ContestField<'a>, ChartError> {
        let dots = chart.rows.iter().flat_map(|row| &row.dots);
        let numbers = dots.flat_map(|dot| [dot.mean, dot.interval[0], dot.interval[1]]);
        let worth = ChartAxis::new(numbers).ok_or(ChartError::NoPoints)?;
        let learners = || chart.rows.iter().map(|row| &*row.learner);
        let widest = learners().map(|name| words_width(&short_name(name), 14));
        Ok(ContestField {
            worth,
            left: MARGIN + widest.max().unwrap_or_default() + 12,
            palette: LearnerColours::new(learners()),
        })
    }

    fn x(&self, worth: f64) -> f64 {
        self.left as f64 + self.worth.place(worth) * FIELD as f64
    }

    fn axis(&self, paper: &mut Paper, bottom: usize, words: &str) {
        let (left, right) = (self.left as f64, (self.left + FIELD) as f64);
        for tick in self.worth.ticks() {
            let x = self.x(tick);
            straight(paper, "grid", (x, TOP as f64), (x, bottom as f64));
            let at = (x.round() as usize, bottom + 18);
            paper.text(at, TextStyle::HeadMiddle, &tick_label(tick));
        }
        straight(paper, "axis", (left, bottom as f64), (right, bottom as f64));
        let at = (self.left + FIELD / 2, bottom + BELOW - 4);
        paper.text(at, TextStyle::HeadMiddle, words);
    }

    fn row(&self, paper: &mut Paper, top: usize, row: &ContestRow) {
        let (middle, class) = (top + row.height() / 2, self.palette.class(&row.learner));
        let name = short_name(&row.learner);
        paper.text((self.left - 12, middle + 5), TextStyle::Number, &name);
        // The bar lies below the dots: it must not hide the one that it marks.
        if let Some(median) = row.median().filter(|median| median.is_finite()) {
            let (x, end) = (self.x(median), (top + row.height() - 4) as f64);
            straight(paper, "median", (x, (top + 4) as f64), (x, end));
        }
        let first = top as f64 + (row.height() - row.dots.len().max(1) * DOT) as f64 / 2.0;
        for (index, one) in row.dots.iter().enumerate() {
            let y = first + (index as f64 + 0.5) * DOT as f64;
            if one.interval.iter().all(|end| end.is_finite()) {
                let [from, to] = one.interval.map(|end| (self.x(end), y));
                straight(paper, &format!("interval {class}"), from, to);
            }
            if one.mean.is_finite() {
                dot(paper, &class, (self.x(one.mean), y), 3.5);
            }
        }
    }
}

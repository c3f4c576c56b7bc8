//! Learning curves of several learners.

use super::axis::{ChartAxis, tick_label};
use super::{
    ChartError, LearnerColours, MARGIN, dot, heading_width, short_name, straight, style,
    words_width,
};
use crate::draw::HEADING;
use crate::draw::paper::{Paper, TextStyle};

/// How wide and how high the field of the curves is.
const FIELD: (usize, usize) = (520, 320);
/// Where the field begins.
const LEFT: usize = MARGIN + 56;
const TOP: usize = HEADING + MARGIN + 20;
/// How much room the numbers and the words below the field need.
const BELOW: usize = 44;
/// How far apart the names beside the field are.
const NAME: usize = 22;
/// How long the line beside a name is, with the gap after it.
const KEY: usize = 30;

/// Learning curves, and what is said about them.
#[derive(Clone, Debug)]
pub struct CurveChart {
    /// The first line.
    pub title: String,
    /// The second line.
    pub caption: String,
    /// What the height of a curve is.
    pub height: String,
    /// The curves.
    pub curves: Vec<CurveLine>,
}

/// How one run learned.
#[derive(Clone, Debug, Default)]
pub struct CurveLine {
    /// Whose run it is: curves of one learner have one colour.
    pub learner: String,
    /// Pieces of training, and what was reached with them. Points that are not finite are left out.
    pub points: Vec<(f64, f64)>,
    /// A second curve in a paler colour, if it has points.
    pub pale: Vec<(f64, f64)>,
}

/// Draws learning curves.
///
/// # Errors
/// When no curve has a point.
pub fn curves_svg(chart: &CurveChart) -> Result<String, ChartError> {
    let field = CurveField::new(chart)?;
    let mut paper = Paper::default();
    paper.heading(&chart.title, &chart.caption);
    field.axes(&mut paper, &chart.height);
    for curve in &chart.curves {
        let class = field.palette.class(&curve.learner);
        field.curve(&mut paper, &format!("curve pale {class}"), &curve.pale);
        field.curve(&mut paper, &format!("curve {class}"), &curve.points);
    }
    field.names(&mut paper);
    let (width, height) = field.size(chart);
    Ok(paper.finish_with(&style(), (width, height), &chart.title))
}

/// Where the points of a chart lie.
struct CurveField<'a> {
    pieces: ChartAxis,
    reached: ChartAxis,
    palette: LearnerColours<'a>,
}

impl<'a> CurveField<'a> {
    fn new(chart: &'a CurveChart) -> Result<CurveField<'a>, ChartError> {
        let curves = chart.curves.iter();
        let points = curves.flat_map(|curve| finite(&curve.points).chain(finite(&curve.pale)));
        let points: Vec<(f64, f64)> = points.collect();
        let reached = points.iter().map(|point| point.1);
        let reached = ChartAxis::new(reached).ok_or(ChartError::NoPoints)?;
        let most = points.iter().map(|point| point.0).fold(1.0, f64::max);
        Ok(CurveField {
            pieces: ChartAxis::linear(0.0, most),
            reached,
            palette: LearnerColours::new(chart.curves.iter().map(|curve| &*curve.learner)),
        })
    }

    fn size(&self, chart: &CurveChart) -> (usize, usize) {
        let names = self.palette.0.iter().map(|name| short_name(name));
        let widest = names.map(|name| words_width(&name, 14)).max();
        let beside = MARGIN + KEY + widest.unwrap_or_default() + MARGIN;
        let width = LEFT + FIELD.0 + beside;
        let height = TOP + FIELD.1.max(self.palette.0.len() * NAME) + BELOW + MARGIN;
        let heading = heading_width(&chart.title, &chart.caption);
        (width.max(heading), height)
    }

    fn place(&self, (pieces, reached): (f64, f64)) -> (f64, f64) {
        (self.x(pieces), self.y(reached))
    }

    fn x(&self, pieces: f64) -> f64 {
        LEFT as f64 + self.pieces.place(pieces) * FIELD.0 as f64
    }

    fn y(&self, reached: f64) -> f64 {
        TOP as f64 + (1.0 - self.reached.place(reached)) * FIELD.1 as f64
    }

    fn axes(&self, paper: &mut Paper, words: &str) {
        let (left, right) = (LEFT as f64, (LEFT + FIELD.0) as f64);
        let bottom = TOP + FIELD.1;
        for tick in self.reached.ticks() {
            let y = self.y(tick);
            straight(paper, "grid", (left, y), (right, y));
            let at = (LEFT - 8, y.round() as usize + 4);
            paper.text(at, TextStyle::HeadRight, &tick_label(tick));
        }
        for tick in self.pieces.ticks() {
            let x = self.x(tick);
            straight(paper, "axis", (x, bottom as f64), (x, bottom as f64 + 5.0));
            let at = (x.round() as usize, bottom + 20);
            paper.text(at, TextStyle::HeadMiddle, &tick_label(tick));
        }
        straight(paper, "axis", (left, bottom as f64), (right, bottom as f64));
        paper.text((MARGIN, TOP - 14), TextStyle::Head, words);
        let at = (LEFT + FIELD.0 / 2, bottom + BELOW - 4);
        paper.text(at, TextStyle::HeadMiddle, "pieces of training");
    }

    /// A curve; a single point is a dot.
    fn curve(&self, paper: &mut Paper, class: &str, points: &[(f64, f64)]) {
        let places: Vec<(f64, f64)> = finite(points).map(|point| self.place(point)).collect();
        if let [single] = places[..] {
            dot(paper, class.trim_start_matches("curve "), single, 2.5);
            return;
        }
        if !places.is_empty() {
            let places = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}"));
            let places = places.collect::<Vec<_>>().join(" ");
            paper.add(format_args!(
                r#"<polyline class="{class}" points="{places}"/>"#
            ));
        }
    }

    /// Which colour is whose.
    fn names(&self, paper: &mut Paper) {
        let x = LEFT + FIELD.0 + MARGIN;
        for (index, name) in self.palette.0.iter().enumerate() {
            let y = TOP + index * NAME + NAME / 2;
            let class = format!("key {}", self.palette.class(name));
            let (from, to) = (x as f64, (x + KEY - 8) as f64);
            straight(paper, &class, (from, y as f64), (to, y as f64));
            paper.text((x + KEY, y + 5), TextStyle::Text, &short_name(name));
        }
    }
}

fn finite(points: &[(f64, f64)]) -> impl Iterator<Item = (f64, f64)> {
    let is_finite = |point: &(f64, f64)| point.0.is_finite() && point.1.is_finite();
    points.iter().copied().filter(is_finite)
}

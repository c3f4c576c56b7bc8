use super::axis::{ChartAxis, tick_label};
use super::*;

fn axis(numbers: &[f64]) -> ChartAxis {
    ChartAxis::new(numbers.iter().copied()).unwrap()
}

fn labels(axis: &ChartAxis) -> Vec<String> {
    axis.ticks().into_iter().map(tick_label).collect()
}

fn curve(learner: &str, points: &[(f64, f64)]) -> CurveLine {
    CurveLine {
        learner: learner.to_owned(),
        points: points.to_vec(),
        pale: Vec::new(),
    }
}

fn curves(lines: &[CurveLine]) -> Result<String, ChartError> {
    curves_svg(&CurveChart {
        title: "Learning <curves>".to_owned(),
        caption: "a & b".to_owned(),
        height: "mean lines".to_owned(),
        curves: lines.to_vec(),
    })
}

fn contest(rows: &[(&str, &[f64])]) -> Result<String, ChartError> {
    let dot = |&mean: &f64| ContestDot {
        mean,
        interval: [mean / 2.0, mean * 2.0],
    };
    let row = |(learner, means): &(&str, &[f64])| ContestRow {
        learner: (*learner).to_owned(),
        dots: means.iter().map(dot).collect(),
    };
    contest_svg(&ContestChart {
        title: "Contest".to_owned(),
        caption: String::new(),
        unit: "mean lines".to_owned(),
        rows: rows.iter().map(row).collect(),
    })
}

/// The elements of a kind, without those of the style sheet.
fn elements<'a>(svg: &'a str, begin: &str) -> Vec<&'a str> {
    svg.lines().filter(|line| line.starts_with(begin)).collect()
}

/// What is wrong with the tags: every one is closed by the one that opened it, and no sign stands where XML has none.
fn tags_are_wrong(svg: &str) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    for part in svg.split('<').skip(1) {
        let Some((tag, text)) = part.split_once('>') else {
            return Some(format!("<{part} has no end"));
        };
        let name = tag.split(' ').next().unwrap_or_default();
        if tag.matches('"').count() % 2 == 1 || text.contains('>') {
            return Some(format!("<{part}"));
        }
        match name.strip_prefix('/') {
            Some(name) if open.pop() == Some(name) => {}
            Some(_) => return Some(format!("<{tag}> closes another")),
            None if tag.ends_with('/') => {}
            None => open.push(name),
        }
        let entities = text.split('&').skip(1);
        let known = ["amp;", "lt;", "gt;", "quot;"];
        for entity in entities {
            if !known.iter().any(|known| entity.starts_with(known)) {
                return Some(text.to_owned());
            }
        }
    }
    open.pop().map(|name| format!("<{name}> stays open"))
}

#[test]
fn an_axis_is_logarithmic_beyond_a_factor_of_twenty() {
    let linear = axis(&[100.0, 2000.0]);
    assert_eq!(labels(&linear), ["0", "500", "1k", "1.5k", "2k"]);
    assert_eq!(linear.place(500.0), 0.25);
    let logarithmic = axis(&[100.0, 2001.0]);
    let expected = ["100", "200", "500", "1k", "2k", "5k"];
    assert_eq!(labels(&logarithmic), expected);
    let decades = axis(&[1.0, 10_000.0]);
    assert_eq!(labels(&decades), ["1", "10", "100", "1k", "10k"]);
    assert_eq!(decades.place(10.0), 0.25);
}

#[test]
fn what_a_logarithmic_axis_has_no_room_for_lies_at_its_bottom() {
    let axis = axis(&[0.0, -5.0, 1.0, 100.0, f64::NAN, f64::INFINITY]);
    assert_eq!(labels(&axis), ["1", "2", "5", "10", "20", "50", "100"]);
    let bottom = [0.0, -5.0, 1.0].map(|number| axis.place(number));
    assert_eq!(bottom, [0.0; 3]);
}

#[test]
fn numbers_below_zero_and_equal_numbers_have_linear_axes() {
    assert_eq!(
        labels(&axis(&[-40.0, -1.0])),
        ["−40", "−30", "−20", "−10", "0"].map(String::from)
    );
    assert_eq!(labels(&axis(&[7.0])), ["6", "8"]);
    assert_eq!(labels(&axis(&[0.0, 0.0])), ["−0.2", "0", "0.2"]);
    assert_eq!(ChartAxis::new([f64::NAN].into_iter()), None);
}

#[test]
fn an_axis_of_many_decades_leaves_some_out() {
    let axis = axis(&[1e-3, 1e15]);
    let expected = ["0.001", "1", "1k", "1M", "1B", "1T", "1e15"];
    assert_eq!(labels(&axis), expected);
}

#[test]
fn ticks_have_units() {
    let shown = [
        0.0, 0.25, 999.0, 1500.0, 250_000.0, 1.2e6, 2e9, -3000.0, 1e-5,
    ];
    let expected = [
        "0", "0.25", "999", "1.5k", "250k", "1.2M", "2B", "−3k", "1e-5",
    ];
    assert_eq!(shown.map(tick_label), expected.map(String::from));
}

#[test]
fn the_points_of_curves_lie_where_their_numbers_are() {
    let one = curve("one", &[(0.0, 1.0), (50_000.0, 10.0), (100_000.0, 100.0)]);
    let two = curve(
        "two",
        &[(0.0, 0.0), (100_000.0, f64::NAN), (100_000.0, 1.0)],
    );
    let svg = curves(&[two, one]).unwrap();
    // The field: 520 wide from 80, 320 high from 98.
    let expected = [
        r#"<polyline class="curve c1" points="80.0,418.0 600.0,418.0"/>"#,
        r#"<polyline class="curve c0" points="80.0,418.0 340.0,258.0 600.0,98.0"/>"#,
    ];
    assert_eq!(elements(&svg, "<polyline"), expected);
    assert!(svg.contains(r#"<text class="head right" x="72" y="102">100</text>"#));
    assert!(svg.contains(r#"<text class="head middle" x="600" y="438">100k</text>"#));
    assert!(svg.contains(r#"<text class="text" x="654" y="114">one</text>"#));
    assert_eq!(tags_are_wrong(&svg), None);
    assert!(svg.contains("<title>Learning &lt;curves&gt;</title>") && svg.contains("a &amp; b"));
}

#[test]
fn a_single_point_is_a_dot_and_a_second_curve_is_pale() {
    let mut both = curve("one", &[(10.0, 5.0)]);
    both.pale = vec![(0.0, 4.0), (10.0, 6.0)];
    let svg = curves(&[both]).unwrap();
    assert_eq!(elements(&svg, "<circle class=\"dot c0\"").len(), 1);
    assert_eq!(elements(&svg, "<polyline class=\"curve pale c0\"").len(), 1);
}

#[test]
fn the_eleventh_learner_has_the_first_colour_dashed() {
    let names: Vec<String> = (0..11).map(|index| format!("learner {index:02}")).collect();
    let lines = names
        .iter()
        .map(|name| curve(name, &[(0.0, 1.0), (1.0, 2.0)]));
    let svg = curves(&lines.collect::<Vec<_>>()).unwrap();
    assert_eq!(elements(&svg, "<line class=\"key").len(), 11);
    assert_eq!(
        elements(&svg, "<polyline class=\"curve c0 again\"").len(),
        1
    );
}

#[test]
fn seeds_are_dots_with_intervals_and_the_median_has_a_bar() {
    let svg = contest(&[("strong", &[100.0, 1000.0, 400.0]), ("weak", &[2.0])]).unwrap();
    // From 1 to 2000, 520 wide from 87; rows of 45 and 36 from 78.
    let bars = [
        r#"<line class="median" x1="496.9" y1="82.0" x2="496.9" y2="119.0"/>"#,
        r#"<line class="median" x1="134.4" y1="127.0" x2="134.4" y2="155.0"/>"#,
    ];
    assert_eq!(elements(&svg, "<line class=\"median\""), bars);
    let dots = [
        r#"<circle class="dot c0" cx="402.1" cy="91.5" r="3.5"/>"#,
        r#"<circle class="dot c0" cx="559.6" cy="100.5" r="3.5"/>"#,
        r#"<circle class="dot c0" cx="496.9" cy="109.5" r="3.5"/>"#,
        r#"<circle class="dot c1" cx="134.4" cy="141.0" r="3.5"/>"#,
    ];
    assert_eq!(elements(&svg, "<circle"), dots);
    let interval = r#"<line class="interval c1" x1="87.0" y1="141.0" x2="181.8" y2="141.0"/>"#;
    assert!(svg.contains(interval), "{svg}");
    assert_eq!(tags_are_wrong(&svg), None);
}

#[test]
fn of_an_even_number_of_seeds_the_lower_middle_is_the_median() {
    let dot = |mean| ContestDot {
        mean,
        interval: [mean; 2],
    };
    let row = |means: &[f64]| ContestRow {
        learner: String::new(),
        dots: means.iter().copied().map(dot).collect(),
    };
    assert_eq!(row(&[4.0, 1.0, 2.0, 3.0]).median(), Some(2.0));
    assert_eq!(row(&[]).median(), None);
}

#[test]
fn nothing_cannot_be_drawn() {
    assert_eq!(curves(&[]), Err(ChartError::NoPoints));
    assert_eq!(
        curves(&[curve("one", &[(1.0, f64::NAN)])]),
        Err(ChartError::NoPoints)
    );
    assert_eq!(contest(&[("one", &[])]), Err(ChartError::NoPoints));
}

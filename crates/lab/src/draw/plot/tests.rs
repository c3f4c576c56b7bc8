use super::axis::{ChartAxis, tick_label};
use super::curves::GroupSummary;
use super::*;

fn axis(numbers: &[f64]) -> ChartAxis {
    ChartAxis::new(PlotScale::Auto, numbers.iter().copied()).unwrap()
}

fn labels(axis: &ChartAxis) -> Vec<String> {
    axis.ticks().into_iter().map(tick_label).collect()
}

fn title() -> PlotTitle {
    PlotTitle::new("A <title>", "a & b")
}

fn trace(points: &[(f64, f64)]) -> CurveTrace {
    CurveTrace {
        points: points.to_vec(),
        ..CurveTrace::default()
    }
}

fn group(name: &str, traces: &[CurveTrace]) -> CurveGroup {
    CurveGroup {
        name: name.to_owned(),
        traces: traces.to_vec(),
    }
}

fn curves(groups: &[CurveGroup]) -> Result<String, PlotError> {
    Plot::Curves(CurvePlot {
        title: title(),
        x: PlotAxis::new("pieces of training"),
        y: PlotAxis::new("mean lines"),
        groups: groups.to_vec(),
    })
    .svg()
}

fn dots(rows: &[(&str, &[f64])]) -> Result<String, PlotError> {
    let dot = |&mean: &f64| PlotDot {
        mean,
        interval: Some([mean / 2.0, mean * 2.0]),
    };
    let row = |(name, means): &(&str, &[f64])| DotRow {
        name: (*name).to_owned(),
        dots: means.iter().map(dot).collect(),
        references: Vec::new(),
        ..DotRow::default()
    };
    Plot::Dots(DotPlot {
        title: PlotTitle::new("Contest", ""),
        x: PlotAxis::new("mean lines"),
        rows: rows.iter().map(row).collect(),
    })
    .svg()
}

/// The elements of a kind, excluding those of the style sheet.
fn elements<'a>(svg: &'a str, begin: &str) -> Vec<&'a str> {
    svg.lines().filter(|line| line.starts_with(begin)).collect()
}

/// What is wrong with the tags: every element must be closed by its own tag, and no reserved
/// character may appear in text.
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
fn values_below_a_logarithmic_axis_are_drawn_at_its_bottom() {
    let numbers = [0.0, -5.0, 1.0, 100.0, f64::NAN, f64::INFINITY];
    // Only an axis that was requested to be logarithmic hides negative numbers.
    assert!(axis(&numbers).is_linear());
    assert!(!axis(&[0.0, 1.0, 100.0]).is_linear());
    let axis = ChartAxis::new(PlotScale::Log, numbers.into_iter()).unwrap();
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
    assert_eq!(
        ChartAxis::new(PlotScale::Auto, [f64::NAN].into_iter()),
        None
    );
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
fn a_scale_can_be_requested() {
    let numbers = || [1.0, 8.0, -3.0].into_iter();
    let log = ChartAxis::new(PlotScale::Log, numbers()).unwrap();
    assert_eq!(labels(&log), ["1", "2", "5", "10"]);
    let linear = ChartAxis::new(PlotScale::Linear, [1.0, 1000.0].into_iter()).unwrap();
    assert!(linear.is_linear());
    let progress = ChartAxis::of_progress(PlotScale::Auto, [1.0, 1000.0].into_iter()).unwrap();
    assert!(progress.is_linear());
    assert_eq!(labels(&linear.with_few_ticks()), ["0", "1k"]);
    let colours = ChartAxis::exactly(PlotScale::Auto, &[3.0, 5.0, 7.0]).unwrap();
    assert_eq!(
        [3.0, 5.0, 7.0].map(|value| colours.place(value)),
        [0.0, 0.5, 1.0]
    );
}

#[test]
fn the_points_of_curves_are_where_their_numbers_are() {
    let one = trace(&[(0.0, 1.0), (50_000.0, 10.0), (100_000.0, 100.0)]);
    let two = trace(&[(0.0, 0.0), (100_000.0, f64::NAN), (100_000.0, 1.0)]);
    let svg = curves(&[group("two", &[two]), group("one", &[one])]).unwrap();
    // The field: 560 wide from 58, 300 high from 136.
    let expected = [
        r#"<polyline class="curve c1" points="58.0,436.0 618.0,436.0"/>"#,
        r#"<polyline class="hit" points="58.0,436.0 618.0,436.0"/>"#,
        r#"<polyline class="curve c0" points="58.0,436.0 338.0,286.0 618.0,136.0"/>"#,
        r#"<polyline class="hit" points="58.0,436.0 338.0,286.0 618.0,136.0"/>"#,
    ];
    assert_eq!(elements(&svg, "<polyline"), expected);
    assert!(svg.contains(r#"<text class="head right" x="50" y="140">100</text>"#));
    assert!(svg.contains(r#"<text class="head middle" x="618" y="456">100k</text>"#));
    assert!(svg.contains("<title>one, 100 at the end</title>"));
    assert_eq!(tags_are_wrong(&svg), None);
    assert!(svg.contains("<title>A &lt;title&gt;</title>") && svg.contains("a &amp; b"));
}

#[test]
fn a_single_point_is_a_dot_and_a_second_curve_is_pale() {
    let mut both = trace(&[(10.0, 5.0)]);
    both.pale = vec![(0.0, 4.0), (10.0, 6.0)];
    let svg = curves(&[group("one", &[both])]).unwrap();
    assert_eq!(elements(&svg, "<circle class=\"dot c0\"").len(), 1);
    assert_eq!(elements(&svg, "<polyline class=\"curve pale c0\"").len(), 1);
}

#[test]
fn the_ninth_group_has_the_first_colour_dashed() {
    let names: Vec<String> = (0..9).map(|index| format!("learner {index:02}")).collect();
    let line = |name: &String| group(name, &[trace(&[(0.0, 1.0), (1.0, 2.0)])]);
    let svg = curves(&names.iter().map(line).collect::<Vec<_>>()).unwrap();
    assert_eq!(elements(&svg, "<line class=\"key").len(), 9);
    let again = elements(&svg, "<polyline class=\"curve c0 again\"");
    assert_eq!(again.len(), 1);
}

#[test]
fn several_runs_have_a_median_and_a_band() {
    let traces = [
        trace(&[(0.0, 0.0), (10.0, 10.0)]),
        trace(&[(0.0, 2.0), (5.0, 4.0), (10.0, 30.0)]),
        trace(&[(0.0, 4.0), (10.0, 20.0), (20.0, 99.0)]),
    ];
    let summary = GroupSummary::of(&traces).unwrap();
    // At 5, the first and the last are half way: 5 and 12. Only one of three reaches 20.
    assert_eq!(summary.median, [(0.0, 2.0), (5.0, 5.0), (10.0, 20.0)]);
    let expected = [(0.0, 0.0, 4.0), (5.0, 4.0, 12.0), (10.0, 10.0, 30.0)];
    assert_eq!(summary.band, expected);
    assert_eq!(GroupSummary::of(&traces[..1]), None);
    let five: Vec<CurveTrace> = (0..5)
        .map(|k| trace(&[(0.0, f64::from(k)), (1.0, f64::from(k))]))
        .collect();
    assert_eq!(GroupSummary::of(&five).unwrap().band[0], (0.0, 1.0, 3.0));
    let svg = curves(&[group("one", &traces)]).unwrap();
    assert_eq!(elements(&svg, "<polygon class=\"band c0\"").len(), 1);
    assert_eq!(elements(&svg, "<polyline class=\"curve thin c0\"").len(), 3);
    assert_eq!(
        elements(&svg, "<polyline class=\"curve median-line c0\"").len(),
        1
    );
    assert!(svg.contains("range of the runs, line: median"));
    assert_eq!(tags_are_wrong(&svg), None);
}

#[test]
fn seeds_are_dots_with_intervals_and_the_median_has_a_bar() {
    let svg = dots(&[("strong", &[100.0, 1000.0, 400.0]), ("weak", &[2.0])]).unwrap();
    // From 1 to 2000, 537 wide from 83; rows of 45 and 36 from 56.
    let bars = [r#"<line class="median" x1="506.3" y1="60.0" x2="506.3" y2="97.0"/>"#];
    assert_eq!(elements(&svg, "<line class=\"median\""), bars);
    let dots = [
        r#"<circle class="dot c0" cx="408.4" cy="69.5" r="3.5"/>"#,
        r#"<circle class="dot c0" cx="571.0" cy="78.5" r="3.5"/>"#,
        r#"<circle class="dot c0" cx="506.3" cy="87.5" r="3.5"/>"#,
        r#"<circle class="dot c1" cx="132.0" cy="119.0" r="3.5"/>"#,
    ];
    assert_eq!(elements(&svg, "<circle"), dots);
    let interval = r#"<line class="interval c1" x1="83.0" y1="119.0" x2="180.9" y2="119.0"/>"#;
    assert!(svg.contains(interval), "{svg}");
    assert!(svg.contains("<title>weak: 2.00 (95 %: 1.00 to 4.00)</title>"));
    assert_eq!(tags_are_wrong(&svg), None);
}

#[test]
fn of_an_even_number_of_seeds_the_lower_middle_is_the_median() {
    let row = |means: &[f64]| DotRow {
        dots: (means.iter())
            .map(|&mean| PlotDot {
                mean,
                interval: None,
            })
            .collect(),
        ..DotRow::default()
    };
    assert_eq!(row(&[4.0, 1.0, 2.0, 3.0]).median(), Some(2.0));
    assert_eq!(row(&[]).median(), None);
}

#[test]
fn the_bins_of_a_histogram_have_the_heights_of_their_counts() {
    let scores: Vec<f64> = (0u8..8)
        .flat_map(|k| vec![f64::from(k); 8 - k as usize])
        .collect();
    let histogram = Histogram::of_scores(title(), "lines", &scores).unwrap();
    assert_eq!((histogram.width, histogram.counts.len()), (1.0, 8));
    let svg = Plot::Histogram(histogram).svg().unwrap();
    let bins = elements(&svg, "<rect class=\"fill c0\"");
    // One of them is in the legend.
    assert_eq!(bins.len(), 9);
    assert!(
        bins[1].contains("<title>0 to 1: 8 games</title>"),
        "{}",
        bins[1]
    );
    assert_eq!(elements(&svg, "<polyline class=\"fit\"").len(), 1);
    assert!(svg.contains("exponential, mean 2.33"));
    assert_eq!(tags_are_wrong(&svg), None);
}

#[test]
fn a_survival_curve_falls_in_steps_on_a_logarithmic_axis() {
    let curve = SurvivalCurve {
        name: "bcts".to_owned(),
        points: vec![(0.0, 1.0), (10.0, 0.1), (20.0, 0.0)],
        fit: Some(10.0),
    };
    let plot = SurvivalPlot {
        title: title(),
        label: "lines".to_owned(),
        curves: vec![curve],
    };
    let svg = Plot::Survival(plot).svg().unwrap();
    // The field: 560 wide, 300 high from 136; 10 % is its bottom.
    let line = elements(&svg, "<polyline class=\"curve c0\"");
    assert!(
        line[0].ends_with("136.0 350.0,136.0 350.0,436.0 630.0,436.0\"/>"),
        "{line:?}"
    );
    assert!(svg.contains(">10 %</text>") && svg.contains(">100 %</text>"));
    assert_eq!(tags_are_wrong(&svg), None);
}

#[test]
fn boxes_have_whiskers_outliers_and_references() {
    let row = BoxRow {
        name: "holes".to_owned(),
        values: vec![5.0, 1.0, 3.0, 10.5, 4.0, 2.0, 6.0],
        references: vec![ReferencePoint {
            name: "published".to_owned(),
            value: 7.0,
        }],
    };
    let few = BoxRow {
        name: "wells".to_owned(),
        values: vec![2.0, 3.0],
        references: Vec::new(),
    };
    let plot = BoxPlot {
        title: title(),
        x: PlotAxis::new("weight"),
        rows: vec![row, few],
    };
    let svg = Plot::Boxes(plot).svg().unwrap();
    assert_eq!(elements(&svg, "<rect class=\"box c0\"").len(), 1);
    assert_eq!(elements(&svg, "<line class=\"interval c0\"").len(), 2);
    assert_eq!(elements(&svg, "<circle").len(), 3);
    // The mark, and the same in the legend.
    assert_eq!(elements(&svg, "<polygon class=\"mark\"").len(), 2);
    assert!(svg.contains("<title>holes: median 4.00, quartiles 2.50 and 5.50, 7 values</title>"));
    assert_eq!(tags_are_wrong(&svg), None);
}

#[test]
fn cells_of_a_heat_map_have_values_and_empty_ones_say_so() {
    let map = HeatMap {
        title: title(),
        row_label: "trained on".to_owned(),
        column_label: "tested on".to_owned(),
        value_label: "mean lines".to_owned(),
        scale: PlotScale::Linear,
        rows: vec!["uniform".to_owned(), "bag".to_owned()],
        columns: vec!["uniform".to_owned(), "bag".to_owned()],
        cells: vec![vec![Some(10.0), Some(2034.0)], vec![None, Some(500.0)]],
    };
    let svg = Plot::HeatMap(map).svg().unwrap();
    let cells = elements(&svg, "<rect class=\"heat\"");
    assert_eq!(cells.len(), 3);
    assert!(cells[0].contains("fill-opacity=\"0.040\""));
    assert!(cells[1].contains("fill-opacity=\"1.000\""));
    assert!(svg.contains("<text class=\"text middle on-heat\"") && svg.contains(">2,034</text>"));
    assert!(svg.contains("<title>bag, uniform: no value</title>"));
    assert_eq!(tags_are_wrong(&svg), None);
}

#[test]
fn lines_of_one_name_have_one_colour_in_all_panels() {
    let line = |name: &str| LineSeries {
        name: name.to_owned(),
        points: vec![(1.0, 1.0), (2.0, 3.0)],
    };
    let panel = |names: &[&str]| LinePanel {
        y: PlotAxis::new("weight"),
        series: names.iter().map(|name| line(name)).collect(),
    };
    let plot = |panels: &[&[&str]]| {
        let plot = PanelPlot {
            title: title(),
            x: PlotAxis::new("generations"),
            panels: panels.iter().map(|names| panel(names)).collect(),
        };
        Plot::Panels(plot).svg().unwrap()
    };
    let svg = plot(&[&["holes", "wells"], &["wells"]]);
    assert_eq!(elements(&svg, "<polyline class=\"curve c1\"").len(), 2);
    assert_eq!(elements(&svg, "<line class=\"key").len(), 2);
    assert_eq!(tags_are_wrong(&svg), None);
    // Panels with a single line are named by their axes.
    let svg = plot(&[&["holes"], &["wells"]]);
    assert_eq!(elements(&svg, "<line class=\"key").len(), 0);
}

#[test]
fn bars_begin_at_the_left_edge_of_a_logarithmic_axis() {
    let row = |name: &str, value: f64| BarRow {
        name: name.to_owned(),
        value,
        note: format!("once in {value}"),
    };
    let plot = BarPlot {
        title: title(),
        x: PlotAxis::new("pieces"),
        rows: vec![row("8", 10.0), row("12", 1000.0)],
    };
    let svg = Plot::Bars(plot).svg().unwrap();
    let bars = elements(&svg, "<rect class=\"fill c0\"");
    assert!(
        bars[0].contains("x=\"52.0\"") && bars[1].contains("width=\"568.0\""),
        "{bars:?}"
    );
    assert!(svg.contains(">once in 1000</text>"));
    assert_eq!(tags_are_wrong(&svg), None);
}

#[test]
fn plots_are_data_that_can_be_stored() {
    let plot = Plot::Dots(DotPlot {
        title: title(),
        x: PlotAxis::new("mean lines").scaled(PlotScale::Log),
        rows: vec![DotRow {
            name: "ours".to_owned(),
            dots: vec![PlotDot {
                mean: 5.0,
                interval: Some([4.0, 6.0]),
            }],
            references: Vec::new(),
            ..DotRow::default()
        }],
    });
    let text = serde_json::to_string(&plot).unwrap();
    assert_eq!(serde_json::from_str::<Plot>(&text).unwrap(), plot);
}

#[test]
fn an_empty_plot_cannot_be_drawn() {
    assert_eq!(curves(&[]), Err(PlotError::NoPoints));
    let nan = group("one", &[trace(&[(1.0, f64::NAN)])]);
    assert_eq!(curves(&[nan]), Err(PlotError::NoPoints));
    assert_eq!(dots(&[("one", &[])]), Err(PlotError::NoPoints));
}

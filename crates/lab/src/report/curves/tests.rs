use super::*;

const CSV: &str = "run,generation,best,mean,spread,sigma,games,pieces,seconds,weight:holes,\"weight:a,b\",eigenvalue 1
1,1,5.5,4.0,0.1,,10,100,0.5,-1.0,1.0,
1,2,7.0,7.0,0.1,0.25,10,50,0.5,-3.0,4.0,2.5
2,1,,3.0,0.1,,10,200,0.5,-1.0,0.0,
";

fn run() -> RunGenerations {
    let (weights, rows) = from_csv(CSV).unwrap();
    RunGenerations::named("one-3", weights, rows)
}

#[test]
fn a_name_ends_in_its_seed() {
    assert_eq!(
        learner_and_seed("q-network-fast-12"),
        Some(("q-network-fast", 12))
    );
    assert_eq!(
        learner_and_seed("cma-es-2-3a8f5d1cc68f115c"),
        Some(("cma-es", 2))
    );
    for other in ["bcts", "boumaza-3f2a9c01", "-3", "x-", "x-+3"] {
        assert_eq!(learner_and_seed(other), None, "{other}");
    }
}

#[test]
fn every_run_is_a_line_over_its_own_pieces() {
    let drawn = groups(&[run()], CurveOver::Pieces, false);
    assert_eq!((drawn.len(), &*drawn[0].name), (1, "one"));
    let traces = &drawn[0].traces;
    assert_eq!(traces[0].points, [(100.0, 5.5), (150.0, 7.0)]);
    assert!(traces.len() == 2 && traces[1].points.is_empty());
    assert_eq!(traces[1].name, "one-3, run 2");
    let drawn = groups(&[run()], CurveOver::Pieces, true);
    assert_eq!(drawn[0].traces[0].pale, [(100.0, 4.0), (150.0, 7.0)]);
    let (weights, rows) = from_csv(&CSV.replace("5.5", "4.0")).unwrap();
    let same = RunGenerations::named("one", weights, rows);
    let drawn = groups(&[same], CurveOver::Pieces, true);
    assert!(drawn[0].traces[0].pale.is_empty());
}

#[test]
fn curves_can_be_drawn_over_games_seconds_and_generations() {
    let last = |over| groups(&[run()], over, false)[0].traces[0].points[1].0;
    let overs = [CurveOver::Games, CurveOver::Seconds, CurveOver::Generations];
    assert_eq!(overs.map(last), [20.0, 1.0, 2.0]);
}

#[test]
fn runs_of_one_method_are_one_group() {
    let other = RunGenerations {
        name: "one-4".to_owned(),
        ..run()
    };
    let groups = groups(&[run(), other], CurveOver::Pieces, false);
    assert_eq!((groups.len(), groups[0].traces.len()), (1, 4));
}

#[test]
fn weights_and_step_sizes_are_read_with_their_names() {
    let run = run();
    assert_eq!(run.weights, ["weight:holes", "weight:a,b"]);
    assert_eq!(run.rows[1].sigma, Some(0.25));
    assert_eq!(run.rows[1].eigenvalues, [2.5]);
    let plot = weight_plot(&run).unwrap();
    assert_eq!(plot.panels.len(), 2);
    assert_eq!(plot.panels[0].series[1].name, "a,b");
    assert_eq!(plot.panels[0].series[1].points, [(1.0, 1.0), (2.0, 4.0)]);
    let steps = step_plot(&run).unwrap();
    assert_eq!(steps.panels.len(), 2);
    assert_eq!(steps.panels[1].series[0].points, [(2.0, 2.5)]);
}

#[test]
fn learned_vectors_have_length_one_beside_published_ones() {
    let published = ReferenceVector {
        name: "published".to_owned(),
        weights: vec![
            ("a,b".to_owned(), 40.0),
            ("holes".to_owned(), -30.0),
            ("other".to_owned(), 99.0),
        ],
    };
    let plot = box_plot(&[run()], &[published]).unwrap();
    // The last solutions: (-3, 4) of length 5, and (-1, 0).
    assert_eq!(plot.rows[0].values, [-0.6, -1.0]);
    assert_eq!(plot.rows[1].values, [0.8, 0.0]);
    assert_eq!(plot.rows[0].references[0].value, -0.6);
    assert_eq!(plot.rows[1].references[0].value, 0.8);
    let mut other = run();
    other.weights[0] = "weight:wells".to_owned();
    let error = box_plot(&[run(), other], &[]).unwrap_err().to_string();
    assert_eq!(error, "one-3 and one-3 have different weights");
}

#[test]
fn a_file_that_is_not_an_export_is_reported() {
    let error = |text: &str| from_csv(text).unwrap_err().to_string();
    assert_eq!(error("a,b\n1,2\n"), "there is no column 'run'");
    let head = CSV.lines().next().unwrap();
    assert_eq!(error(head), "expected one line per generation, found none");
    let cells = "1,2,x,,,,,,,,,";
    assert_eq!(
        error(&format!("{head}\n{cells}\n")),
        "line 2 is not a generation"
    );
}

//! Intervals of games that are played until a precision is reached: the stopping rule depends on
//! the interval itself.

use super::*;
use crate::library::{find_player, find_ruleset};
use std::path::Path;

/// How many of the intervals contain the true mean, and how many are above and below it.
fn coverage(player: &str, ruleset: &str, precision: f64, seeds: u64) -> [u64; 3] {
    let rules = find_ruleset(ruleset).unwrap();
    let made = find_player(player, &rules).unwrap();
    let truth = context()
        .play(&*made, &rules, 0..1_000_000, 999_999)
        .unwrap();
    let truth = truth
        .games
        .iter()
        .map(|game| game.lines as f64)
        .sum::<f64>()
        / 1e6;
    let mut counts = [0; 3];
    for seed in 1..=seeds {
        let evaluation = Evaluation {
            ruleset: ruleset.to_owned(),
            seed,
            ..quick(&[player], games_until(precision))
        };
        let interval = evaluated(&evaluation).results[0].lines.ci95.unwrap();
        let (above, below) = (interval.lo > truth, interval.hi.unwrap() < truth);
        counts[usize::from(above) + 2 * usize::from(below)] += 1;
    }
    counts
}

/// The measured coverage is that of 95 % intervals: of 1,000, between 930 and 985 hold.
#[test]
fn the_committed_coverage_is_that_of_95_percent_intervals() {
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let table = experiments.join("survival/coverage-of-precision.csv");
    let table = std::fs::read_to_string(table).unwrap();
    let rows: Vec<&str> = table.lines().skip(1).collect();
    assert!(!rows.is_empty());
    for row in rows {
        let counts = row.rsplit(',').take(3).map(|cell| cell.parse().unwrap());
        let counts: Vec<u64> = counts.collect();
        let [low, high, held] = counts[..] else {
            panic!("{row}")
        };
        assert_eq!(held + high + low, 1_000, "{row}");
        assert!((930..=985).contains(&held), "{row}");
    }
}

/// Prints `experiments/survival/coverage-of-precision.csv`, a table of docs/explanation/survival.md:
/// `cargo test --release -p tetrolab -- --ignored --nocapture until_a_precision`.
#[test]
#[ignore = "a measurement, not a check"]
fn coverage_of_games_until_a_precision() {
    let settings = [
        ("bcts", "simplified-6x8", 0.5),
        ("bcts", "simplified-6x8", 0.2),
        ("bcts", "simplified-6x8", 0.1),
        ("random", "simplified-10x10", 0.5),
    ];
    println!("player,ruleset,precision,held,too high,too low");
    for (player, ruleset, precision) in settings {
        let [held, above, below] = coverage(player, ruleset, precision, 1000);
        println!("`{player}`,`{ruleset}`,{precision},{held},{above},{below}");
    }
}

//! How often intervals contain the true mean; the raw results are in `experiments/survival/`.

use super::*;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// How many intervals contain the true mean, and how many are above and below it.
#[derive(Clone, Copy, Debug, Default)]
struct Coverage {
    held: u64,
    /// Intervals above the mean.
    high: u64,
    /// Intervals below the mean.
    low: u64,
}

impl Coverage {
    fn of(mean: f64, intervals: impl Iterator<Item = (f64, f64)>) -> Coverage {
        let mut coverage = Coverage::default();
        for (lo, hi) in intervals {
            match mean {
                mean if mean < lo => coverage.high += 1,
                mean if mean > hi => coverage.low += 1,
                _ => coverage.held += 1,
            }
        }
        coverage
    }

    fn part(self) -> f64 {
        self.held as f64 / (self.held + self.high + self.low) as f64
    }

    /// The two-sided sign test: the probability of misses at least as one-sided as these if both
    /// sides are equally likely.
    fn sign_test(self) -> f64 {
        let misses = self.high + self.low;
        let (mut term, mut tail) = (0.5_f64.powi(misses as i32), 0.0);
        for k in 0..=self.high.min(self.low) {
            tail += term;
            term *= (misses - k) as f64 / (k + 1) as f64;
        }
        (2.0 * tail).min(1.0)
    }

    #[track_caller]
    fn assert_is_as_promised(self, mean: f64) {
        println!(
            "{self:?}: {:.1} % hold the mean, {mean:.2} lines; sign test of the misses: p = {:.2}",
            100.0 * self.part(),
            self.sign_test()
        );
        assert!((0.925..=0.975).contains(&self.part()), "{self:?}");
        assert!(self.sign_test() > 0.05, "{self:?}");
    }
}

#[test]
fn the_sign_test_agrees_with_the_binomial_law() {
    let p = |high, low| {
        let held = 0;
        Coverage { held, high, low }.sign_test()
    };
    assert!((p(14, 1) - 32.0 / 32768.0).abs() < 1e-12);
    assert!((p(1, 14) - p(14, 1)).abs() < 1e-12);
    assert!((p(3, 3) - 1.0).abs() < 1e-12 && (p(0, 0) - 1.0).abs() < 1e-12);
    assert!((p(0, 3) - 0.25).abs() < 1e-12);
}

/// `cargo test --release -p tetrolab committed_coverage -- --nocapture` prints the coverage of
/// `tetrolab eval bcts --ruleset simplified-10x8 --method splitting --precision 5% --seed S --json`
/// for S from 1 to 400: one line of `experiments/survival/coverage.jsonl` each.
#[test]
fn the_committed_coverage_run_is_as_promised() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/survival");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let lines = |text: &str| -> Value {
        let value: Value = serde_json::from_str(text).unwrap();
        value["results"][0]["lines"].clone()
    };
    let games = lines(&read("coverage-games.json"));
    let mean = games["mean"].as_f64().unwrap();
    let estimates = read("coverage.jsonl");
    let estimates: Vec<Value> = estimates.lines().map(lines).collect();
    assert_eq!(estimates.len(), 400);
    let intervals = estimates.iter().map(|estimate| {
        let end = |index: usize| estimate["ci95"][index].as_f64().unwrap();
        (end(0), end(1))
    });
    Coverage::of(mean, intervals).assert_is_as_promised(mean);
}

/// The same count with new estimates: `cargo test --release -p tetrolab -- --ignored coverage
/// --nocapture`.
#[test]
#[ignore = "takes ten minutes"]
fn coverage_of_400_estimates() {
    let context = context(0);
    let ruleset = find_ruleset("simplified-10x8").unwrap();
    let player = find_player("bcts", &ruleset).unwrap();
    let played = context.play(&*player, &ruleset, 0..2_000_000, 3).unwrap();
    let mean = Estimate::of(&played.lines()).unwrap().mean.unwrap();
    let intervals = (1..=400).map(|seed| {
        let prepared = Splitting::default().prepare(&context, &*player, &ruleset, seed);
        let survival = prepared.unwrap().run(&context, Goal::Precision(0.05));
        let interval = survival.unwrap().lines_ci95;
        (interval.lo, interval.hi.unwrap())
    });
    Coverage::of(mean, intervals).assert_is_as_promised(mean);
}

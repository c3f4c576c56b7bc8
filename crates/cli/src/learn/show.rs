//! A run as one watches it: a line for every generation, drawn as a chart, and a bar below.

use crate::output::{line, show};
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tetrolab::learning::{Generation, Progress, Task};

/// How finely the bar is divided: so many steps for each generation.
const STEPS: u64 = 1000;
/// The widest line of the chart.
const WIDEST: usize = 40;

/// What the numbers of a generation are for people.
#[derive(Clone, Copy)]
enum Scale {
    /// The fitness itself, of whole games.
    Games,
    /// The lines whose logarithm the fitness is, without games; their mean is the geometric one.
    Estimates,
}

impl Scale {
    fn of(self, fitness: f64) -> f64 {
        match self {
            Scale::Games => fitness,
            Scale::Estimates => fitness.exp(),
        }
    }

    /// What stands above the best and the mean.
    fn heads(self) -> [&'static str; 2] {
        match self {
            Scale::Games => ["best", "mean"],
            Scale::Estimates => ["best lines", "mean"],
        }
    }

    /// How much was played in a second, and of what.
    fn rate(self, of: &Generation) -> (f64, &'static str) {
        let seconds = of.seconds.max(1e-6);
        match self {
            Scale::Games => (of.games as f64 / seconds, "games/s"),
            Scale::Estimates => (of.pieces as f64 / seconds, "pieces/s"),
        }
    }

    /// How many columns of the chart stand for a factor of ten.
    fn decade(self) -> f64 {
        match self {
            Scale::Games => 9.0,
            Scale::Estimates => 4.0,
        }
    }

    /// A line of the chart: as long as the best, filled up to the mean.
    fn chart_line(self, mean: f64, best: f64) -> String {
        let columns = |fitness: f64| {
            let columns = self.decade() * (1.0 + self.of(fitness).max(0.0)).log10();
            (columns.round() as usize).min(WIDEST)
        };
        let (mean, best) = (columns(mean), columns(best));
        "█".repeat(mean) + &"░".repeat(best.saturating_sub(mean))
    }
}

/// Shows how a run goes on.
pub(super) struct Show {
    bar: ProgressBar,
    /// How many generations are done.
    done: Arc<AtomicU64>,
    generations: u64,
    runs: u64,
    scale: Scale,
    silent: bool,
    began: bool,
    /// Seconds of the generations of the current run.
    seconds: f64,
}

impl Show {
    pub(super) fn new(task: &Task, silent: bool) -> Show {
        let plan = &task.plan;
        let generations = plan.budget.generations;
        let bar = ProgressBar::new(generations.saturating_mul(plan.runs).saturating_mul(STEPS));
        let style = "{bar:30} {percent} %  {elapsed} gone, {eta} to go  {msg}";
        bar.set_style(ProgressStyle::with_template(style).expect("the template is right"));
        Show {
            bar,
            done: Arc::default(),
            generations,
            runs: plan.runs,
            scale: match task.estimates_logarithm() {
                true => Scale::Estimates,
                false => Scale::Games,
            },
            silent,
            began: false,
            seconds: 0.0,
        }
    }

    /// Shows on the bar how far the games of a generation have come.
    pub(super) fn observer(&self) -> Box<dyn Fn(Progress) + Send + Sync> {
        let (bar, done) = (self.bar.clone(), Arc::clone(&self.done));
        Box::new(move |progress| {
            let part = STEPS * progress.games_done / progress.games_total.max(1);
            let before = done.load(Ordering::Relaxed).saturating_mul(STEPS);
            bar.set_position(before.saturating_add(part));
        })
    }

    /// Shows a generation.
    pub(super) fn generation(&mut self, of: &Generation) {
        if of.number == 0 {
            self.seconds = 0.0;
        }
        self.seconds += of.seconds;
        // A run may end before its last generation.
        let before = of.run.saturating_mul(self.generations);
        let done = before.saturating_add(of.number + 1);
        self.done.store(done, Ordering::Relaxed);
        self.bar.set_position(done.saturating_mul(STEPS));
        self.bar.set_message(self.message(of));
        if !self.silent && self.runs == 1 {
            self.bar.suspend(|| self.print_generation(of));
            self.began = true;
        }
    }

    /// Shows that a run of several has ended with this generation.
    pub(super) fn run_ended(&self, of: &Generation) {
        if self.silent || self.runs == 1 {
            return;
        }
        let text = format!(
            "run {:>3} of {}  generation {:>4}  best {:>9}  mean {:>9}  {:>6.1} s",
            of.run + 1,
            self.runs,
            of.number + 1,
            show(self.scale.of(of.best())),
            show(self.scale.of(of.mean())),
            self.seconds,
        );
        // A reader that has seen enough does not stop the learning.
        self.bar.suspend(|| drop(line(&text)));
    }

    fn print_generation(&self, of: &Generation) {
        let (rate, played) = self.scale.rate(of);
        if !self.began {
            let ([best, mean], generation, sigma) = (self.scale.heads(), "generation", "sigma");
            let chart = "mean █ best ░ (logarithmic)";
            let _ = line(&format!(
                "{generation:>10} {best:>10} {mean:>9} {sigma:>7} {played:>9}  {chart}"
            ));
        }
        let sigma = of
            .diagnostics
            .sigma
            .map_or("-".to_owned(), |sigma| format!("{sigma:.3}"));
        let _ = line(&format!(
            "{:>10} {:>10} {:>9} {sigma:>7} {:>9}  {}",
            of.number + 1,
            show(self.scale.of(of.best())),
            show(self.scale.of(of.mean())),
            show(rate),
            self.scale.chart_line(of.mean(), of.best()),
        ));
    }

    fn message(&self, of: &Generation) -> String {
        let sigma = of
            .diagnostics
            .sigma
            .map_or(String::new(), |sigma| format!("  sigma {sigma:.3}"));
        let (rate, played) = self.scale.rate(of);
        format!(
            "best {}  mean {}{sigma}  {} {played}",
            show(self.scale.of(of.best())),
            show(self.scale.of(of.mean())),
            show(rate)
        )
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_chart_is_as_long_as_the_best_and_filled_up_to_the_mean() {
        let scale = Scale::Games;
        assert_eq!(scale.chart_line(9.0, 99.0), "█████████░░░░░░░░░");
        assert_eq!(scale.chart_line(-5.0, 0.0), "");
        assert_eq!(scale.chart_line(1e300, 1e300).chars().count(), WIDEST);
        // The logarithms of 9 and 99.
        let (nine, many) = (2.197224577, 4.595119850);
        assert_eq!(Scale::Estimates.chart_line(nine, many), "████░░░░");
    }
}

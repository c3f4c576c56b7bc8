//! Displays a run in progress: a line per generation, drawn as a chart, with a progress bar below.

use super::header::{Header, Heading};
use crate::bars::bar;
use crate::output::line;
use indicatif::ProgressBar;
use std::sync::{Mutex, PoisonError};
use tetrolab::context::{Event, GenerationSummary};
use tetrolab::learning::objective::FitnessUnit;
use tetrolab::learning::{Budget, Learning};
use tetrolab::report::show;

/// The number of steps of the bar.
const STEPS: f64 = 1e6;
/// The maximum width of a line in the chart.
const WIDEST: usize = 40;

/// Shows the progress of a run. Output errors do not stop the run.
pub(super) struct Show {
    bar: ProgressBar,
    budget: Budget,
    runs: u64,
    silent: bool,
    header: Header,
    state: Mutex<Progressed>,
}

/// The output so far.
#[derive(Default)]
struct Progressed {
    columns: Option<Columns>,
    /// Whether the table's heading has been printed.
    began: bool,
    /// Number of finished runs.
    runs: u64,
    /// The cost of the current run.
    spent: Cost,
    /// Total seconds of the earlier runs.
    seconds: f64,
}

impl Progressed {
    fn trains_model(&self) -> bool {
        self.columns
            .is_some_and(|columns| !columns.compares_candidates)
    }
}

#[derive(Clone, Copy, Default)]
struct Cost {
    generations: u64,
    games: u64,
    pieces: u64,
    seconds: f64,
}

impl Show {
    pub(super) fn new(learning: &Learning, silent: bool, header: Header) -> Show {
        let style = "{bar:30} {percent} %  {elapsed} gone, {eta} to go  {msg}";
        Show {
            bar: bar(STEPS as u64, style),
            budget: learning.budget.clone(),
            runs: learning.runs,
            silent,
            header,
            state: Mutex::default(),
        }
    }

    /// Shows an event.
    pub(super) fn observe(&self, event: &Event) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::LearningBegan {
                folder,
                learning,
                dimension,
                unit,
                plays_games,
                compares_candidates,
                ..
            } => {
                state.columns = Some(Columns {
                    unit: *unit,
                    plays_games: *plays_games,
                    compares_candidates: *compares_candidates,
                });
                let heading = Heading {
                    learning,
                    dimension: Some(*dimension),
                    unit: Some(*unit),
                    plays_games: *plays_games,
                };
                let lines = self.header.lines(folder, &heading);
                self.print(|| lines.iter().for_each(|text| say(text)));
            }
            // A model is evaluated after its training, which takes nearly all of a generation's
            // time.
            Event::Games { done, total, .. } if !state.trains_model() => {
                let part = *done as f64 / (*total).max(1) as f64;
                self.move_bar(&state, part);
            }
            // A progress report for a generation that has since ended would count it twice.
            Event::Training {
                generation,
                done,
                total,
            } if *total > 0 && *generation == state.spent.generations => {
                self.move_bar(&state, *done as f64 / *total as f64);
            }
            Event::Generation(generation) => self.generation(&mut state, generation),
            Event::RunEnded { last, seconds, .. } => {
                self.run_ended(&state, last, *seconds);
                state.seconds += seconds;
                state.runs += 1;
                state.spent = Cost::default();
                self.move_bar(&state, 0.0);
            }
            _ => {}
        }
    }

    /// Prints above the bar, unless output is quiet.
    fn print(&self, text: impl FnOnce()) {
        if !self.silent {
            self.bar.suspend(text);
        }
    }

    fn generation(&self, state: &mut Progressed, of: &GenerationSummary) {
        state.spent.generations += 1;
        state.spent.games += of.games;
        state.spent.pieces += of.pieces;
        state.spent.seconds += of.seconds;
        self.move_bar(state, 0.0);
        let Some(columns) = state.columns else {
            return;
        };
        self.bar.set_message(columns.message(of));
        if self.runs == 1 {
            let heading = (!state.began).then(|| columns.heading(of));
            self.print(|| {
                heading.iter().for_each(|heading| say(heading));
                say(&columns.row(of));
            });
            state.began = true;
        }
    }

    /// Reports that one of several runs has ended with this generation.
    fn run_ended(&self, state: &Progressed, of: &GenerationSummary, seconds: f64) {
        let Some(columns) = state.columns.filter(|_| self.runs > 1) else {
            return;
        };
        let unit = columns.unit;
        let text = format!(
            "run {:>3} of {}  generation {:>4}  best {:>9}  {} {:>9}  {seconds:>6.1} s",
            of.run + 1,
            self.runs,
            of.number + 1,
            show(unit.value(of.best)),
            unit.name_of_mean(),
            show(unit.value(of.mean)),
        );
        self.print(|| say(&text));
    }

    /// Advances the bar to the used part of the budget, including the current generation so far.
    fn move_bar(&self, state: &Progressed, of_generation: f64) {
        let part = part_of_run(&self.budget, state, of_generation) / self.runs as f64;
        let part = (state.runs as f64 / self.runs as f64 + part).min(1.0);
        self.bar.set_position((STEPS * part) as u64);
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// How much of a run is done, measured by the limit that is nearest.
fn part_of_run(budget: &Budget, state: &Progressed, of_generation: f64) -> f64 {
    let spent = &state.spent;
    let counts = [
        (budget.generations, spent.generations as f64 + of_generation),
        (budget.games, spent.games as f64),
        (budget.pieces, spent.pieces as f64),
    ];
    let counts = counts.into_iter();
    let parts = counts.filter_map(|(limit, spent)| Some(spent / limit? as f64));
    let time = budget.seconds.map(|limit| spent.seconds / limit);
    parts.chain(time).fold(0.0, f64::max).min(1.0)
}

/// Prints a line. A closed standard output does not stop the run.
fn say(text: &str) {
    let _ = line(text);
}

/// The step size, for methods that have one; otherwise the spread of the candidates.
fn step_size(of: &GenerationSummary) -> (&'static str, f64) {
    match of.sigma {
        Some(sigma) => ("sigma", sigma),
        None => ("spread", of.spread),
    }
}

/// The table of generations.
#[derive(Clone, Copy)]
struct Columns {
    unit: FitnessUnit,
    plays_games: bool,
    /// Whether a generation compares candidates. If not, best and mean are equal and sigma is
    /// undefined.
    compares_candidates: bool,
}

impl Columns {
    fn heads(self) -> [String; 2] {
        [
            format!("best {}", self.unit.quantity),
            self.unit.name_of_mean(),
        ]
    }

    /// A part of a line that applies only to generations of candidates.
    fn of_candidates(self, text: String) -> String {
        Some(text)
            .filter(|_| self.compares_candidates)
            .unwrap_or_default()
    }

    fn heading(self, of: &GenerationSummary) -> String {
        let ([best, mean], generation) = (self.heads(), "generation");
        let best = self.of_candidates(format!(" {best:>10}"));
        let sigma = self.of_candidates(format!(" {:>7}", step_size(of).0));
        let chart = self.of_candidates("mean █ best ░ ".to_owned());
        let played = self.rate(of).0;
        format!("{generation:>10}{best} {mean:>10}{sigma} {played:>9}  {chart}(logarithmic)")
    }

    fn row(self, of: &GenerationSummary) -> String {
        let [best, mean] = self.heads().map(|head| head.chars().count().max(10));
        let best = format!(" {:>best$}", show(self.unit.value(of.best)));
        let sigma = format!(" {:>7.3}", step_size(of).1);
        format!(
            "{:>10}{} {:>mean$}{} {:>9}  {}",
            of.number + 1,
            self.of_candidates(best),
            show(self.unit.value(of.mean)),
            self.of_candidates(sigma),
            show(self.rate(of).1),
            self.chart_line(of.mean, of.best),
        )
    }

    /// Games or pieces per second, with the unit.
    fn rate(self, of: &GenerationSummary) -> (&'static str, f64) {
        let (name, played) = if self.plays_games && self.compares_candidates {
            ("games/s", of.games)
        } else {
            ("pieces/s", of.pieces)
        };
        (name, played as f64 / of.seconds.max(1e-6))
    }

    fn message(self, of: &GenerationSummary) -> String {
        let [best, mean] = self.heads();
        let (name, sigma) = step_size(of);
        let (played, rate) = self.rate(of);
        let value = |fitness| show(self.unit.value(fitness));
        let best = self.of_candidates(format!("{best} {}  ", value(of.best)));
        let sigma = self.of_candidates(format!("  {name} {sigma:.3}"));
        let (value, rate) = (value(of.mean), show(rate));
        format!("{best}{mean} {value}{sigma}  {rate} {played}")
    }

    /// Columns of the chart per factor of ten.
    fn decade(self) -> f64 {
        if self.unit.logarithm { 4.0 } else { 9.0 }
    }

    /// A line of the chart: its length shows the best value, its filled part the mean.
    fn chart_line(self, mean: f64, best: f64) -> String {
        let columns = |fitness: f64| {
            let columns = self.decade() * (1.0 + self.unit.value(fitness).max(0.0)).log10();
            (columns.round() as usize).min(WIDEST)
        };
        let (mean, best) = (columns(mean), columns(best));
        "█".repeat(mean) + &"░".repeat(best.saturating_sub(mean))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(unit: FitnessUnit, plays_games: bool) -> Columns {
        Columns {
            unit,
            plays_games,
            compares_candidates: true,
        }
    }

    fn generation(sigma: Option<f64>) -> GenerationSummary {
        GenerationSummary {
            run: 0,
            number: 0,
            best: 9.0,
            mean: 9.0,
            sigma,
            spread: 0.25,
            numbers: Vec::new(),
            games: 1,
            pieces: 1,
            cut_off: None,
            seconds: 1.0,
            from_store: false,
        }
    }

    #[test]
    fn methods_without_a_step_size_show_their_spread() {
        let optimiser = columns(FitnessUnit::mean("lines"), true);
        let (cma_es, ga) = (generation(Some(0.5)), generation(None));
        let heading = optimiser.heading(&cma_es);
        assert!(heading.contains("best lines mean lines   sigma   games/s"));
        let heading = optimiser.heading(&ga);
        assert!(heading.contains("best lines mean lines  spread   games/s"));
        assert!(optimiser.row(&cma_es).contains(" 0.500 "));
        assert!(optimiser.row(&ga).contains(" 0.250 "));
    }

    #[test]
    fn a_method_that_trains_a_model_has_one_number_and_no_sigma() {
        let optimiser = columns(FitnessUnit::mean("lines"), true);
        let learner = Columns {
            compares_candidates: false,
            ..optimiser
        };
        assert_eq!(
            learner.heading(&generation(None)),
            "generation mean lines  pieces/s  (logarithmic)"
        );
    }

    #[test]
    fn a_line_of_the_chart_is_as_long_as_the_best_and_filled_up_to_the_mean() {
        let scale = columns(FitnessUnit::mean("lines"), true);
        assert_eq!(scale.chart_line(9.0, 99.0), "█████████░░░░░░░░░");
        assert_eq!(scale.chart_line(-5.0, 0.0), "");
        assert_eq!(scale.chart_line(1e300, 1e300).chars().count(), WIDEST);
        // The logarithms of 9 and 99.
        let estimates = columns(FitnessUnit::logarithm("lines"), false);
        let (nine, many) = (2.197224577, 4.595119850);
        assert_eq!(estimates.chart_line(nine, many), "████░░░░");
    }
}

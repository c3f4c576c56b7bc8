//! The progress of studies: events drawn as bars on a terminal, and nothing in a pipe.

use crate::output::show as show_number;
use crate::standings::show_interval;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tetrolab::stats::sequential::{LOOKS, RatioLook};
use tetrolab::study::Event;

/// A bar; it is hidden unless the standard error is a terminal.
pub(crate) fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    bar.set_style(ProgressStyle::with_template(template).expect("the template is right"));
    bar
}

/// A bar for workloads; it moves between them only, so that it takes no time from what is timed.
pub(crate) fn workloads_bar(workloads: usize) -> ProgressBar {
    bar(workloads as u64, "{bar:30} {pos}/{len} workloads  {msg}")
}

/// The bars of an evaluation, one after the other.
#[derive(Default)]
pub(crate) struct EvaluationBars {
    current: Mutex<Option<ProgressBar>>,
}

impl EvaluationBars {
    /// Draws an event.
    pub(crate) fn observe(&self, event: &Event<'_>) {
        match event {
            Event::SurveyBegan { player } => self.begin(survey_bar(player)),
            Event::GamesBegan { games } => self.begin(games_bar(*games)),
            Event::RepetitionsBegan { player } => self.begin(estimate_bar(player)),
            Event::SurveyEnded { .. } | Event::GamesEnded | Event::RepetitionsEnded { .. } => {
                self.end();
            }
            Event::Games { done, pieces, .. } => {
                if let Some(bar) = &*self.current() {
                    show_games(bar, *done, *pieces);
                }
            }
            Event::Repetition {
                repetitions,
                precision,
                part,
                ..
            } => {
                if let Some(bar) = &*self.current() {
                    bar.set_position((1000.0 * part) as u64);
                    let precision = 100.0 * precision;
                    bar.set_message(format!("{repetitions} repetitions, +/- {precision:.1} %"));
                }
            }
            _ => {}
        }
    }

    fn current(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, bar: ProgressBar) {
        self.end();
        *self.current() = Some(bar);
    }

    fn end(&self) {
        if let Some(bar) = self.current().take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for EvaluationBars {
    fn drop(&mut self) {
        self.end();
    }
}

fn survey_bar(player: &str) -> ProgressBar {
    let bar = bar(1, "{prefix}  looking at a few games");
    bar.set_prefix(player.to_owned());
    bar.tick();
    bar
}

fn games_bar(games: u64) -> ProgressBar {
    bar(
        games,
        "{bar:30} {pos}/{len} games  {elapsed} gone, {eta} to go  {msg}",
    )
}

fn show_games(bar: &ProgressBar, done: u64, pieces: u64) {
    bar.set_position(done);
    let seconds = bar.elapsed().as_secs_f64().max(1e-3);
    let rate = pieces as f64 / seconds / 1e6;
    bar.set_message(format!("{rate:.2} M pieces/s"));
}

/// A bar for the estimate of a player; its length is in thousandths of the goal.
fn estimate_bar(player: &str) -> ProgressBar {
    let bar = bar(
        1000,
        "{prefix}  {bar:30} {elapsed} gone, {eta} to go  {msg}",
    );
    bar.set_prefix(player.to_owned());
    bar
}

/// The bar of a comparison. How many looks there will be is unknown, so each fills the bar anew; its length is in thousandths of a look.
pub(crate) struct ComparisonBar {
    bar: ProgressBar,
}

impl ComparisonBar {
    pub(crate) fn new() -> ComparisonBar {
        let bar = bar(1000, "{prefix}  {bar:20} {elapsed} gone  {msg}");
        bar.set_prefix("getting ready");
        bar.tick();
        ComparisonBar { bar }
    }

    /// Draws an event.
    pub(crate) fn observe(&self, event: &Event<'_>) {
        match event {
            Event::LookBegan { look } => {
                let prefix = format!("look {} of at most {LOOKS}", look + 1);
                self.bar.set_prefix(prefix);
                self.bar.set_position(0);
            }
            Event::LookProgress { part } => {
                self.bar.set_position((1000.0 * part.min(1.0)) as u64);
            }
            Event::LookEnded {
                found: Some(found), ..
            } => self.bar.set_message(ratio(found)),
            _ => {}
        }
    }
}

impl Drop for ComparisonBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn ratio(look: &RatioLook) -> String {
    let (ratio, interval) = (show_number(look.ratio), show_interval(&look.ci95));
    format!("ratio {ratio} ({interval})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_look_of_a_comparison_fills_the_bar_anew() {
        let shown = ComparisonBar::new();
        let state = || (shown.bar.prefix(), shown.bar.position());
        shown.observe(&Event::LookBegan { look: 0 });
        shown.observe(&Event::LookProgress { part: 0.5 });
        assert_eq!(state(), ("look 1 of at most 8".into(), 500));
        shown.observe(&Event::LookProgress { part: 1.0 });
        assert_eq!(shown.bar.position(), 1000);
        shown.observe(&Event::LookBegan { look: 1 });
        assert_eq!(state(), ("look 2 of at most 8".into(), 0));
    }
}

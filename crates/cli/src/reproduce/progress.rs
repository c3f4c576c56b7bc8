//! Progress of an experiment: the current stage, its progress, and the remaining time.

use crate::bars::{EvaluationBars, LineClock, bar, say};
use crate::forecast::{TimeToGo, show_time};
use crate::interrupt::{self, StopDeadline};
use indicatif::ProgressBar;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tetrolab::context::Event;
use tetrolab::report::thousands;

/// The progress of an experiment, and its response to Ctrl-C.
#[derive(Default)]
pub(super) struct ShownExperiment {
    games: EvaluationBars,
    shown: Mutex<ShownStage>,
}

/// The stage being shown.
#[derive(Default)]
struct ShownStage {
    /// The stage's number and name.
    title: String,
    /// Whether the stage is a learning run. Its games belong to generations, so their number says
    /// nothing about the remaining time.
    is_learning: bool,
    bar: Option<ProgressBar>,
    lines: LineClock,
    /// Set while an evaluation is running: output files are always completed, and learning stops by
    /// itself.
    deadline: Option<StopDeadline>,
}

impl ShownExperiment {
    /// Shows an event.
    pub(super) fn observe(&self, event: &Event) {
        match event {
            Event::StageBegan {
                stage,
                number,
                of,
                to_go,
            } => self.begin(stage, *number, *of, *to_go),
            Event::StageEnded { .. } => self.end_stage(),
            Event::LearningBegan { .. } => {
                self.shown().is_learning = true;
                self.message("learning");
            }
            Event::Generation(_) | Event::Training { .. } => {
                self.message(&generation(event));
            }
            Event::PilotBegan { .. }
            | Event::GamesBegan { .. }
            | Event::RepetitionsBegan { .. } => {
                self.shown().deadline = Some(interrupt::deadline());
                self.games.observe(event);
            }
            Event::PilotEnded { .. } | Event::GamesEnded | Event::RepetitionsEnded { .. } => {
                self.shown().deadline = None;
                self.games.observe(event);
            }
            // If a line was printed for the stage, its bar is enough.
            Event::Expected { .. } => {}
            Event::Games { .. } if self.shown().is_learning => {}
            Event::Games { .. } | Event::Repetition { .. } => self.games.observe(event),
            _ => {}
        }
    }

    fn begin(&self, stage: &str, number: usize, of: usize, to_go: Option<f64>) {
        let to_go = to_go.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let to_go = to_go.map_or(TimeToGo::Unknown, TimeToGo::About);
        let mut shown = self.shown();
        let text = format!("stage {number} of {of}, {stage}");
        let template = "{prefix}  {msg}";
        let stage_bar = bar(1, template);
        if stage_bar.is_hidden() {
            let elapsed = shown.lines.elapsed();
            if shown.lines.is_due(elapsed) {
                say(&format!("{text} after {}; {to_go}", show_time(elapsed)));
            }
            shown.title = text;
            return;
        }
        stage_bar.set_prefix(text);
        stage_bar.set_message(to_go.to_string());
        stage_bar.tick();
        shown.bar = Some(stage_bar);
    }

    /// Shows the activity of a learning run: in the bar or, in a pipe, as an occasional line.
    fn message(&self, text: &str) {
        let mut shown = self.shown();
        if let Some(bar) = &shown.bar {
            bar.set_message(text.to_owned());
            return;
        }
        let elapsed = shown.lines.elapsed();
        if shown.lines.is_due(elapsed) {
            let title = &shown.title;
            say(&format!("{title}: {text} after {}", show_time(elapsed)));
        }
    }

    fn end_stage(&self) {
        let mut shown = self.shown();
        shown.deadline = None;
        shown.is_learning = false;
        if let Some(bar) = shown.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// Removes all bars.
    pub(super) fn end(&self) {
        self.end_stage();
        self.games.end();
    }

    fn shown(&self) -> MutexGuard<'_, ShownStage> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The current or latest generation of a learning run, and its progress if known.
fn generation(event: &Event) -> String {
    match event {
        Event::Generation(done) => format!("generation {} done", done.number + 1),
        &Event::Training {
            generation,
            done,
            total,
        } if total > 0 => {
            let (done, total) = (thousands(done), thousands(total));
            format!("generation {}, {done} of {total}", generation + 1)
        }
        Event::Training { generation, .. } => format!("generation {}", generation + 1),
        _ => "learning".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_learning_run_shows_its_generations() {
        let training = |done, total| {
            generation(&Event::Training {
                generation: 2,
                done,
                total,
            })
        };
        assert_eq!(training(1500, 20_000), "generation 3, 1,500 of 20,000");
        assert_eq!(training(0, 0), "generation 3");
    }
}

//! Progress of an experiment: the current stage, its progress, and the remaining time.

use crate::bars::{EvaluationBars, LineClock, bar, say};
use crate::forecast::{TimeToGo, show_time};
use crate::interrupt::{self, StopDeadline};
use indicatif::ProgressBar;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tetrolab::context::Event;

/// The progress of an experiment, and its response to Ctrl-C.
#[derive(Default)]
pub(super) struct ShownExperiment {
    games: EvaluationBars,
    shown: Mutex<ShownStage>,
}

/// The stage being shown.
#[derive(Default)]
struct ShownStage {
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
            Event::LearningBegan { .. } => self.learn(),
            Event::Generation(done) => {
                let text = format!("generation {}", done.number + 1);
                self.message(&text);
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
            return;
        }
        stage_bar.set_prefix(text);
        stage_bar.set_message(to_go.to_string());
        stage_bar.tick();
        shown.bar = Some(stage_bar);
    }

    /// Removes the bar, because a learning run shows its own progress.
    fn learn(&self) {
        self.message("learning");
    }

    fn message(&self, text: &str) {
        if let Some(bar) = &self.shown().bar {
            bar.set_message(text.to_owned());
        }
    }

    fn end_stage(&self) {
        let mut shown = self.shown();
        shown.deadline = None;
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

//! Progress of studies: bars on a terminal; in a pipe, lines for long evaluations.

use crate::forecast::{TimeForecast, TimeToGo, long_games, show_time};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tetrolab::context::Event;
use tetrolab::report::{harmless_name, percent, show as show_number, show_interval};
use tetrolab::stats::sequential::{InterimAnalysis, MOST_ANALYSES};

/// A bar; it is hidden unless standard error is a terminal.
pub(crate) fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    bar.set_style(ProgressStyle::with_template(template).expect("the template is right"));
    bar
}

/// A progress bar for workloads. It moves only between them, so that it does not affect timings.
pub(crate) fn workloads_bar(workloads: usize) -> ProgressBar {
    bar(workloads as u64, "{bar:30} {pos}/{len} workloads  {msg}")
}

/// In a pipe, the first progress line is printed after this time.
const FIRST_LINE: Duration = Duration::from_secs(10);
/// The interval between the first two progress lines in a pipe; each later interval is twice the
/// previous one.
const SECOND_LINE: Duration = Duration::from_secs(20);

/// The progress of an evaluation: successive bars on a terminal, occasional lines in a pipe.
#[derive(Default)]
pub(crate) struct EvaluationBars {
    shown: Mutex<ShownProgress>,
}

/// The current display.
#[derive(Default)]
struct ShownProgress {
    bar: Option<ProgressBar>,
    forecast: TimeForecast,
    lines: LineClock,
}

impl ShownProgress {
    /// The bar, if there is a terminal.
    fn visible_bar(&self) -> Option<&ProgressBar> {
        self.bar.as_ref().filter(|bar| !bar.is_hidden())
    }
}

/// Decides when the next progress line is due.
pub(crate) struct LineClock {
    began: Instant,
    next: Duration,
}

impl Default for LineClock {
    fn default() -> LineClock {
        LineClock {
            began: Instant::now(),
            next: FIRST_LINE,
        }
    }
}

impl LineClock {
    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Whether a line is due after this time; if so, schedules the next one.
    pub(crate) fn is_due(&mut self, elapsed: Duration) -> bool {
        let is_due = elapsed >= self.next;
        while self.next <= elapsed {
            self.next = (self.next * 2).max(FIRST_LINE + SECOND_LINE);
        }
        is_due
    }
}

impl EvaluationBars {
    /// Shows an event.
    pub(crate) fn observe(&self, event: &Event) {
        match event {
            Event::PilotBegan { player } => {
                self.begin(pilot_bar(player), TimeForecast::default());
            }
            Event::GamesBegan { games, max_pieces } => {
                let forecast = TimeForecast::new(*games, *max_pieces);
                self.begin(games_bar(*games), forecast);
            }
            Event::RepetitionsBegan { player } => {
                self.begin(estimate_bar(player), TimeForecast::default());
            }
            Event::PilotEnded { .. } | Event::GamesEnded | Event::RepetitionsEnded { .. } => {
                self.end();
            }
            Event::Games {
                done,
                total,
                pieces,
            } => self.show_games(*done, *total, *pieces),
            Event::Expected {
                player,
                games,
                pieces,
            } => self.announce(player, *games, *pieces),
            Event::Repetition {
                player,
                repetitions,
                precision,
                part,
                ..
            } => {
                let precision = percent(precision.unwrap_or(f64::INFINITY));
                let message = format!("{repetitions} repetitions, +/- {precision}");
                self.show_repetitions(player, &message, *part);
            }
            _ => {}
        }
    }

    fn show_games(&self, done: u64, total: u64, pieces: u64) {
        let mut shown = self.shown();
        shown.forecast.update(done, total, pieces);
        let elapsed = shown.lines.began.elapsed();
        if let Some(bar) = shown.visible_bar() {
            bar.set_length(total);
            bar.set_position(done);
            let rate = pieces as f64 / elapsed.as_secs_f64().max(1e-3);
            let to_go = shown.forecast.time_to_go(elapsed);
            bar.set_message(format!("{to_go}  {} pieces/s", show_number(rate)));
        } else if shown.lines.is_due(elapsed) {
            say(&shown.forecast.line(elapsed));
        }
    }

    fn show_repetitions(&self, player: &str, message: &str, part: f64) {
        let mut shown = self.shown();
        let elapsed = shown.lines.began.elapsed();
        if let Some(bar) = shown.visible_bar() {
            bar.set_position((1000.0 * part) as u64);
            bar.set_message(message.to_owned());
        } else if shown.lines.is_due(elapsed) {
            let to_go = elapsed.as_secs_f64() * (1.0 / part - 1.0);
            let to_go = Duration::try_from_secs_f64(to_go)
                .ok()
                .filter(|_| part > 0.0);
            let to_go = to_go.map_or(TimeToGo::Unknown, TimeToGo::About);
            say(&format!("{player}: {message}; {to_go}"));
        }
    }

    /// Announces long games.
    fn announce(&self, player: &str, games: u64, pieces: Option<f64>) {
        let mut shown = self.shown();
        shown.forecast.expect(games, pieces);
        let to_go = shown.forecast.time_to_go(shown.lines.began.elapsed());
        let Some(text) = long_games(player, games, pieces, to_go) else {
            return;
        };
        match shown.visible_bar() {
            Some(bar) => bar.println(text),
            None => say(&text),
        }
    }

    fn shown(&self) -> MutexGuard<'_, ShownProgress> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, bar: ProgressBar, forecast: TimeForecast) {
        self.end();
        *self.shown() = ShownProgress {
            bar: Some(bar),
            forecast,
            lines: LineClock::default(),
        };
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        if let Some(bar) = self.shown().bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// Prints a line to standard error; failures are ignored, because a closed stream has no
/// reader.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

impl Drop for EvaluationBars {
    fn drop(&mut self) {
        self.end();
    }
}

/// A bar for a player.
fn player_bar(player: &str, length: u64, template: &str) -> ProgressBar {
    let bar = bar(length, template);
    bar.set_prefix(harmless_name(player).into_owned());
    bar
}

fn pilot_bar(player: &str) -> ProgressBar {
    let bar = player_bar(player, 1, "{prefix}  pilot run: a few games");
    bar.tick();
    bar
}

fn games_bar(games: u64) -> ProgressBar {
    bar(games, "{bar:30} {pos}/{len} games  {elapsed} gone, {msg}")
}

/// A bar for the estimate of a player; its length is measured in thousandths of the goal.
fn estimate_bar(player: &str) -> ProgressBar {
    let template = "{prefix}  {bar:30} {elapsed} gone, {eta} to go  {msg}";
    player_bar(player, 1000, template)
}

/// Games are reported as endless only if none has ended for this long and this many pieces.
const STALLED: Duration = Duration::from_secs(10);
const STALLED_PIECES: u64 = 100_000;

/// Detects that games have stopped ending.
#[derive(Default)]
struct StallWatch {
    /// Games that have ended, and the time and the number of pieces when the last one did.
    done: u64,
    since: Duration,
    pieces: u64,
    was_announced: bool,
}

impl StallWatch {
    /// New games begin.
    fn begin(&mut self, elapsed: Duration) {
        *self = StallWatch {
            since: elapsed,
            was_announced: self.was_announced,
            ..StallWatch::default()
        };
    }

    /// The announcement, once, if no game has ended for long.
    fn announcement(&mut self, elapsed: Duration, done: u64, pieces: u64) -> Option<String> {
        if done > self.done {
            (self.done, self.since, self.pieces) = (done, elapsed, pieces);
        }
        let time = elapsed.saturating_sub(self.since);
        let played = pieces.saturating_sub(self.pieces);
        if self.was_announced || time < STALLED || played < STALLED_PIECES {
            return None;
        }
        self.was_announced = true;
        Some(format!(
            "No game has ended for {} and {} pieces: games of these players may never end under this ruleset. \
             `tetrolab eval A B --games N --max-pieces P` compares them by capped games",
            show_time(time),
            show_number(played as f64)
        ))
    }
}

/// The bar of a comparison. The number of interim analyses is unknown, so each one fills the bar
/// again, in thousandths. In a pipe, it prints a line occasionally.
pub(crate) struct ComparisonBar {
    bar: ProgressBar,
    lines: Mutex<LineClock>,
    stall: Mutex<StallWatch>,
}

impl ComparisonBar {
    pub(crate) fn new() -> ComparisonBar {
        let bar = bar(1000, "{prefix}  {bar:20} {elapsed} gone  {msg}");
        bar.set_prefix("getting ready");
        bar.tick();
        ComparisonBar {
            bar,
            lines: Mutex::default(),
            stall: Mutex::default(),
        }
    }

    /// Draws an event.
    pub(crate) fn observe(&self, event: &Event) {
        match event {
            Event::AnalysisBegan { number } => {
                let prefix = format!("interim analysis {} of at most {MOST_ANALYSES}", number + 1);
                self.bar.set_prefix(prefix);
                self.bar.set_position(0);
                let elapsed = self.elapsed();
                self.stall().begin(elapsed);
            }
            Event::Games {
                done,
                total,
                pieces,
            } => {
                self.show(*done as f64 / (*total).max(1) as f64);
                let elapsed = self.elapsed();
                match self.stall().announcement(elapsed, *done, *pieces) {
                    Some(text) if self.bar.is_hidden() => say(&text),
                    Some(text) => self.bar.println(text),
                    None => {}
                }
            }
            Event::Repetition { part, .. } => self.show(*part),
            Event::AnalysisEnded {
                found: Some(found), ..
            } => self.bar.set_message(ratio(found)),
            _ => {}
        }
    }

    fn elapsed(&self) -> Duration {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.elapsed()
    }

    fn stall(&self) -> MutexGuard<'_, StallWatch> {
        self.stall.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows how many of a player's games or repetitions are done; in a pipe, only occasionally.
    fn show(&self, part: f64) {
        self.bar.set_position((1000.0 * part) as u64);
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let elapsed = lines.began.elapsed();
        if self.bar.is_hidden() && lines.is_due(elapsed) {
            let (analysis, time) = (self.bar.prefix(), show_time(elapsed));
            let percent = 100.0 * part;
            say(&format!(
                "{analysis}: {percent:.0} % of its units after {time}; time to go unknown"
            ));
        }
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

fn ratio(analysis: &InterimAnalysis) -> String {
    let ratio = show_number(analysis.ratio.recip());
    let interval = analysis.ci95.inverse().as_ref().map(show_interval);
    let interval = interval.as_deref().unwrap_or("?");
    format!("first/second {ratio} ({interval})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_a_pipe_become_less_frequent() {
        let mut lines = LineClock::default();
        let due: Vec<u64> = (0..1000)
            .filter(|&second| lines.is_due(Duration::from_secs(second)))
            .collect();
        assert_eq!(due, [10, 30, 60, 120, 240, 480, 960]);
    }

    #[test]
    fn games_that_do_not_end_are_announced_once() {
        let second = Duration::from_secs;
        let mut watch = StallWatch::default();
        assert_eq!(watch.announcement(second(9), 0, 900_000), None);
        // Few pieces in a long time are a slow player.
        assert_eq!(watch.announcement(second(90), 0, 9_000), None);
        // A game has ended.
        assert_eq!(watch.announcement(second(91), 1, 950_000), None);
        assert_eq!(watch.announcement(second(100), 1, 2_000_000), None);
        let text = watch.announcement(second(101), 1, 2_000_000).unwrap();
        let said = "No game has ended for 10 seconds and 1.05 M pieces: games of these players may never end";
        assert!(text.starts_with(said), "{text}");
        watch.begin(second(101));
        assert_eq!(watch.announcement(second(300), 0, 3_000_000), None);
    }

    #[test]
    fn every_interim_analysis_restarts_the_bar() {
        let shown = ComparisonBar::new();
        let state = || (shown.bar.prefix(), shown.bar.position());
        shown.observe(&Event::AnalysisBegan { number: 0 });
        let half = Event::Games {
            done: 1,
            total: 2,
            pieces: 9,
        };
        shown.observe(&half);
        assert_eq!(state(), ("interim analysis 1 of at most 8".into(), 500));
        shown.observe(&Event::AnalysisBegan { number: 1 });
        assert_eq!(state(), ("interim analysis 2 of at most 8".into(), 0));
    }
}

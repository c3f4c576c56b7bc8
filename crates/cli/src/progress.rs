//! Progress bars on a terminal; silence in a pipe.

use indicatif::{ProgressBar, ProgressStyle};
use tetrolab::arena::Progress;
use tetrolab::comparison::LOOKS;
use tetrolab::survival::{Goal, SplittingProgress};

/// A bar for so many games; it hides itself where the standard error is no terminal.
pub(crate) fn games_bar(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    let style = "{bar:30} {pos}/{len} games  {elapsed} gone, {eta} to go  {msg}";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is right"));
    bar
}

/// Shows on the bar how far play has come.
pub(crate) fn show(bar: &ProgressBar, progress: Progress) {
    bar.set_position(progress.games_done);
    let seconds = bar.elapsed().as_secs_f64().max(1e-3);
    let rate = progress.pieces as f64 / seconds / 1e6;
    bar.set_message(format!("{rate:.2} M pieces/s"));
}

/// A bar for so many workloads; it moves between them only, so that it takes no time from what is timed.
pub(crate) fn workloads_bar(workloads: usize) -> ProgressBar {
    let bar = ProgressBar::new(workloads as u64);
    let style = "{bar:30} {pos}/{len} workloads  {msg}";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is right"));
    bar
}

/// A bar for the estimate of a player; its length is in thousandths of the goal.
pub(crate) fn estimate_bar(player: &str) -> ProgressBar {
    let bar = ProgressBar::new(1000);
    let style = "{prefix}  {bar:30} {elapsed} gone, {eta} to go  {msg}";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is right"));
    bar.set_prefix(player.to_owned());
    bar
}

/// Shows on the bar how far an estimate has come. The error shrinks with the square root of the work.
pub(crate) fn show_estimate(bar: &ProgressBar, goal: Goal, progress: SplittingProgress) {
    let part = match goal {
        Goal::Precision(wanted) => (wanted / progress.precision).powi(2),
        Goal::Pieces(wanted) => progress.pieces as f64 / wanted as f64,
        Goal::Repetitions(wanted) => progress.repetitions as f64 / wanted as f64,
    };
    bar.set_position((1000.0 * part.clamp(0.0, 1.0)) as u64);
    let (repetitions, precision) = (progress.repetitions, 100.0 * progress.precision);
    bar.set_message(format!("{repetitions} repetitions, +/- {precision:.1} %"));
}

/// A bar for the looks of a comparison, of which nobody knows how many there will be; its length is in thousandths of a look.
pub(crate) fn looks_bar() -> ProgressBar {
    let bar = ProgressBar::new(1000);
    let style = "{prefix}  {bar:20} {elapsed} gone  {msg}";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is right"));
    bar.set_prefix("getting ready");
    bar.tick();
    bar
}

/// Shows on the bar that a look begins, from 0.
pub(crate) fn begin_look(bar: &ProgressBar, look: usize) {
    bar.set_prefix(format!("look {} of at most {LOOKS}", look + 1));
    bar.set_position(0);
}

/// Shows on the bar how much of a look is done.
pub(crate) fn show_look(bar: &ProgressBar, done: u64, total: u64) {
    let part = done as f64 / total.max(1) as f64;
    bar.set_position((1000.0 * part.min(1.0)) as u64);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_look_of_a_comparison_fills_the_bar_anew() {
        let bar = looks_bar();
        begin_look(&bar, 0);
        show_look(&bar, 512, 1024);
        assert_eq!(
            (bar.prefix(), bar.position()),
            ("look 1 of at most 8".into(), 500)
        );
        show_look(&bar, 1024, 1024);
        assert_eq!(bar.position(), 1000);
        begin_look(&bar, 1);
        assert_eq!(
            (bar.prefix(), bar.position()),
            ("look 2 of at most 8".into(), 0)
        );
    }
}

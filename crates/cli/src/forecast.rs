//! Time estimates for games: from the finished games, or from a pilot run while few have finished.

use std::time::Duration;
use tetrolab::report::show;

/// Advice for games that would take too long.
const INSTEAD: &str = "--max-pieces caps games, and --method splitting estimates the mean of placement games without playing \
                       them to their ends";
/// With fewer finished games than this, their mean says nothing about the others.
const ENOUGH_GAMES: u64 = 5;

/// Games in progress, and their expected length.
#[derive(Debug, Default)]
pub(crate) struct TimeForecast {
    /// The cap on the pieces of a game.
    max_pieces: Option<u64>,
    /// Pieces in all games of the players with a pilot run; `None` if any of these games may never
    /// end.
    expected: Option<Expectation>,
    done: u64,
    total: u64,
    pieces: u64,
}

/// The expectation from the pilot runs.
#[derive(Clone, Copy, Debug)]
enum Expectation {
    /// About this many pieces in total.
    Pieces(f64),
    /// Games of at least one player may never end.
    NoEnd,
}

/// A time estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TimeToGo {
    /// Unknown.
    Unknown,
    /// About this long.
    About(Duration),
    /// At most this long.
    AtMost(Duration),
}

impl TimeForecast {
    /// A forecast for this many games with a cap.
    pub(crate) fn new(games: u64, max_pieces: Option<u64>) -> TimeForecast {
        TimeForecast {
            max_pieces,
            total: games,
            ..TimeForecast::default()
        }
    }

    /// Records the progress of the games.
    pub(crate) fn update(&mut self, done: u64, total: u64, pieces: u64) {
        // If the total is below the number of finished games, a new stage has begun.
        if total < self.done {
            *self = TimeForecast::new(total, self.max_pieces);
        }
        // Reports from different threads may arrive out of order.
        self.done = self.done.max(done);
        self.pieces = self.pieces.max(pieces);
        self.total = total;
    }

    /// Adds the pilot run's estimate for a player's games.
    pub(crate) fn expect(&mut self, games: u64, pieces: Option<f64>) {
        self.expected = Some(match (self.expected, pieces) {
            (Some(Expectation::NoEnd), _) | (_, None) => Expectation::NoEnd,
            (None, Some(pieces)) => Expectation::Pieces(games as f64 * pieces),
            (Some(Expectation::Pieces(sum)), Some(pieces)) => {
                Expectation::Pieces(sum + games as f64 * pieces)
            }
        });
    }

    /// The number of pieces still to be played: an estimate, or an upper bound if `true`. If games
    /// end at a constant rate, the mean length is the number of all pieces played so far divided by
    /// the number of finished games, however long the others last.
    fn pieces_to_go(&self) -> Option<(f64, bool)> {
        let (done, total, pieces) = (self.done as f64, self.total as f64, self.pieces as f64);
        let by_games = (self.done >= ENOUGH_GAMES).then(|| pieces * (total / done - 1.0));
        let by_pilot = match self.expected {
            Some(Expectation::Pieces(sum)) => Some((sum - pieces).max(0.0)),
            // One player's games may continue for a long time after those of the others have ended.
            Some(Expectation::NoEnd) => return None,
            None => None,
        };
        // Players with short games finish first, so the longer forecast applies to the others.
        let about = match (by_games, by_pilot) {
            (Some(games), Some(pilot)) => Some(games.max(pilot)),
            (games, pilot) => games.or(pilot),
        };
        let most = self.max_pieces.map(|cap| cap as f64 * (total - done));
        match (about, most) {
            (Some(about), Some(most)) => Some((about.min(most), false)),
            (Some(about), None) => Some((about, false)),
            (None, most) => most.map(|most| (most, true)),
        }
    }

    /// The remaining time, given the elapsed time.
    pub(crate) fn time_to_go(&self, elapsed: Duration) -> TimeToGo {
        let speed = self.pieces as f64 / elapsed.as_secs_f64().max(1e-3);
        let Some((pieces, most)) = self.pieces_to_go().filter(|_| speed > 0.0) else {
            return TimeToGo::Unknown;
        };
        let longest = Duration::from_secs(100 * 365 * 86_400);
        let time = Duration::try_from_secs_f64(pieces / speed).map_or(longest, |t| t.min(longest));
        if most {
            TimeToGo::AtMost(time)
        } else {
            TimeToGo::About(time)
        }
    }

    /// A line that reports the progress.
    pub(crate) fn line(&self, elapsed: Duration) -> String {
        let (done, total, pieces) = (self.done, self.total, self.pieces);
        let line = format!(
            "{done} of {total} games after {}, {} pieces; {}",
            show_time(elapsed),
            show(pieces as f64),
            self.time_to_go(elapsed)
        );
        // Until a game has ended, nothing indicates that any will.
        if done == 0 && self.max_pieces.is_none() {
            format!("{line}; {INSTEAD}")
        } else {
            line
        }
    }
}

impl std::fmt::Display for TimeToGo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TimeToGo::Unknown => f.write_str("time to go unknown"),
            TimeToGo::About(time) => write!(f, "about {} to go", show_time(*time)),
            TimeToGo::AtMost(time) => write!(f, "at most {} to go", show_time(*time)),
        }
    }
}

/// A duration as text: one unit, two significant digits.
pub(crate) fn show_time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let units = [
        (365.0 * 86_400.0, "years"),
        (86_400.0, "days"),
        (3600.0, "hours"),
        (60.0, "minutes"),
    ];
    let (size, name) = units
        .into_iter()
        .find(|unit| seconds >= 1.5 * unit.0)
        .unwrap_or((1.0, "seconds"));
    let count = seconds / size;
    if format!("{count:.0} {name}") == "1 seconds" {
        "1 second".to_owned()
    } else if count < 9.95 && size > 1.0 {
        format!("{count:.1} {name}")
    } else {
        format!("{count:.0} {name}")
    }
}

/// A warning about a player's long games.
pub(crate) fn long_games(
    player: &str,
    games: u64,
    pieces: Option<f64>,
    to_go: TimeToGo,
) -> Option<String> {
    let instead = INSTEAD;
    match (pieces, to_go) {
        (None, _) => Some(format!(
            "{player}: games may never end: no game ended in a pilot run; {instead}"
        )),
        (Some(pieces), TimeToGo::About(time)) if time >= LONG => Some(format!(
            "{player}: about {} pieces per game expected, {games} game(s), {to_go}; {instead}",
            show(pieces)
        )),
        _ => None,
    }
}

/// Games that are expected to take longer than this are announced.
const LONG: Duration = Duration::from_secs(60);

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn nothing_is_predicted_before_a_game_has_ended() {
        let mut forecast = TimeForecast::new(20, None);
        forecast.update(0, 20, 60_000_000);
        assert_eq!(forecast.time_to_go(seconds(10)), TimeToGo::Unknown);
        let line = forecast.line(seconds(10));
        let expected = "0 of 20 games after 10 seconds, 60.0 M pieces; time to go unknown; --max";
        assert!(line.starts_with(expected), "{line}");
    }

    #[test]
    fn a_pilot_run_predicts_the_length_of_games_before_one_has_ended() {
        let mut forecast = TimeForecast::new(20, None);
        forecast.update(0, 20, 50_000_000);
        forecast.expect(20, Some(347e6));
        let to_go = forecast.time_to_go(seconds(5));
        // 6.94 G pieces at 10 M per second.
        assert_eq!(to_go.to_string(), "about 11 minutes to go");
        let said = long_games("bcts", 20, Some(347e6), to_go).unwrap();
        assert!(
            said.starts_with("bcts: about 347 M pieces per game expected, 20 game(s), about 11 m"),
            "{said}"
        );
        assert!(long_games("bcts", 20, None, TimeToGo::Unknown).is_some());
        assert!(long_games("bcts", 2, Some(1e6), TimeToGo::About(seconds(9))).is_none());
    }

    #[test]
    fn games_of_another_stage_are_counted_from_their_beginning() {
        let mut forecast = TimeForecast::new(1000, Some(100));
        forecast.update(1000, 1000, 60_000);
        forecast.update(30, 150, 2000);
        let line = forecast.line(seconds(1));
        assert!(line.starts_with("30 of 150 games after "), "{line}");
        assert!(line.ends_with("about 4 seconds to go"), "{line}");
    }

    #[test]
    fn short_games_of_one_player_do_not_hide_the_long_ones_of_another() {
        let mut forecast = TimeForecast::new(40, None);
        forecast.update(20, 40, 50_000_000);
        assert_eq!(
            forecast.time_to_go(seconds(5)).to_string(),
            "about 5 seconds to go"
        );
        forecast.expect(20, Some(100.0));
        forecast.expect(20, Some(347e6));
        assert_eq!(
            forecast.time_to_go(seconds(5)).to_string(),
            "about 11 minutes to go"
        );
        forecast.expect(20, None);
        assert_eq!(forecast.time_to_go(seconds(5)), TimeToGo::Unknown);
    }

    #[test]
    fn a_cap_bounds_the_time() {
        let mut forecast = TimeForecast::new(10, Some(1000));
        forecast.update(0, 10, 2000);
        assert_eq!(
            forecast.time_to_go(seconds(2)),
            TimeToGo::AtMost(seconds(10))
        );
        forecast.update(5, 10, 500);
        assert_eq!(forecast.time_to_go(seconds(2)), TimeToGo::About(seconds(2)));
    }

    #[test]
    fn times_have_one_unit() {
        let shown =
            [5, 89, 90, 3000, 10_000, 300_000, 10_000_000_000].map(|s| show_time(seconds(s)));
        let expected = [
            "5 seconds",
            "89 seconds",
            "1.5 minutes",
            "50 minutes",
            "2.8 hours",
            "3.5 days",
            "317 years",
        ];
        assert_eq!(shown, expected);
    }
}

//! The speed of a game, and the conversion of elapsed time to ticks.

use std::time::Duration;

/// Ticks per second at normal speed.
pub(crate) const TICKS: f64 = 60.0;

/// The speed of a game: from slow motion to as fast as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Speed {
    /// The normal speed, doubled this many times.
    Doubled(i8),
    /// As fast as possible.
    Full,
}

const SLOWEST: i8 = -5;
const FASTEST: i8 = 10;

impl Speed {
    /// 60 ticks per second.
    pub const NORMAL: Speed = Speed::Doubled(0);

    /// The next speed above.
    pub fn faster(self) -> Speed {
        match self {
            Speed::Doubled(doublings) if doublings < FASTEST => Speed::Doubled(doublings + 1),
            _ => Speed::Full,
        }
    }

    /// The next speed below.
    pub fn slower(self) -> Speed {
        match self {
            Speed::Full => Speed::Doubled(FASTEST),
            Speed::Doubled(doublings) => Speed::Doubled((doublings - 1).max(SLOWEST)),
        }
    }

    /// Ticks per second; `None` if unlimited.
    fn ticks(self) -> Option<f64> {
        match self {
            Speed::Doubled(doublings) => Some(TICKS * 2f64.powi(i32::from(doublings))),
            Speed::Full => None,
        }
    }
}

impl std::fmt::Display for Speed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Speed::Full => f.write_str("full"),
            Speed::Doubled(doublings @ ..0) => write!(f, "x1/{}", 1 << -doublings),
            Speed::Doubled(doublings) => write!(f, "x{}", 1 << doublings),
        }
    }
}

/// Parses a speed: a factor, which is rounded to a power of two, or `full`.
///
/// # Errors
/// If the text is neither.
pub fn parse_speed(text: &str) -> Result<Speed, String> {
    let text = text.trim_start_matches('x');
    if text == "full" {
        return Ok(Speed::Full);
    }
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| *number > 0.0);
    let factor = number(above)
        .zip(number(below))
        .map(|(above, below)| above / below);
    let doublings = factor.map(|factor| factor.log2().round());
    let known = f64::from(SLOWEST)..=f64::from(FASTEST);
    let doublings = doublings.filter(|doublings| known.contains(doublings));
    doublings
        .map(|doublings| Speed::Doubled(doublings as i8))
        .ok_or_else(|| "expected a factor from 1/32 to 1024, or full".to_owned())
}

/// Converts elapsed time to ticks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ticker {
    owed: f64,
}

impl Ticker {
    /// The ticks of an elapsed time; none at full speed.
    pub fn ticks(&mut self, speed: Speed, passed: Duration) -> Option<u64> {
        // The time that is lost while the program is suspended or a decision is slow is not made up
        // for.
        let passed = passed.min(Duration::from_millis(250));
        self.owed += speed.ticks()? * passed.as_secs_f64();
        let whole = self.owed.floor();
        self.owed -= whole;
        Some(whole as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_has_sixty_ticks_at_normal_speed_however_it_is_divided() {
        for parts in [4, 7, 60, 144] {
            let mut ticker = Ticker::default();
            let part = Duration::from_secs(1) / parts;
            let ticks = (0..parts).map(|_| ticker.ticks(Speed::NORMAL, part).unwrap());
            let ticks: u64 = ticks.sum();
            assert!((59..=60).contains(&ticks), "{parts}: {ticks}");
        }
    }

    #[test]
    fn a_speed_is_read_as_the_nearest_doubling() {
        for (text, shown) in [
            ("1", "x1"),
            ("1/4", "x1/4"),
            ("0.5", "x1/2"),
            ("1000", "x1024"),
        ] {
            assert_eq!(parse_speed(text).unwrap().to_string(), shown);
        }
        assert_eq!(parse_speed("full"), Ok(Speed::Full));
        for wrong in ["", "0", "-1", "1/0", "fast", "1e9", "nan"] {
            assert!(parse_speed(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn speeds_go_from_slow_motion_to_full_speed_and_back() {
        let mut speed = Speed::NORMAL;
        for _ in 0..20 {
            speed = speed.slower();
        }
        assert_eq!(speed.to_string(), "x1/32");
        for _ in 0..30 {
            speed = speed.faster();
        }
        assert_eq!(speed, Speed::Full);
        assert_eq!(speed.slower().to_string(), "x1024");
        assert_eq!(Ticker::default().ticks(speed, Duration::from_secs(1)), None);
    }
}

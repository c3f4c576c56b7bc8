//! The inputs of a stepped game, tick by tick.

use crate::moves::Input;
use crate::stepped::Inputs;
use std::fmt;
use std::str::FromStr;

/// The inputs of one tick after the other.
///
/// Written with commas between ticks: the letters of what was pressed ([`Input::letter`]; `!` behind them for a slide to the wall), or a number for
/// as many ticks with nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputLog(pub Vec<Inputs>);

impl fmt::Display for InputLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        let mut idle = 0;
        for &inputs in &self.0 {
            if inputs == Inputs::NONE {
                idle += 1;
                continue;
            }
            if idle > 0 {
                parts.push(std::mem::take(&mut idle).to_string());
            }
            let mut letters: String = inputs.iter().map(Input::letter).collect();
            letters.extend(inputs.slide.then_some('!'));
            parts.push(letters);
        }
        if idle > 0 {
            parts.push(idle.to_string());
        }
        f.write_str(&parts.join(","))
    }
}

/// A text that is not a log of inputs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is neither a number of ticks nor inputs like lc (l r c w h d D H, and ! for a slide)"
)]
pub struct InputLogError(String);

/// The most ticks that one number of a log may stand for: ten hours.
const MOST_IDLE: usize = 60 * 60 * 60 * 10;

impl FromStr for InputLog {
    type Err = InputLogError;

    fn from_str(text: &str) -> Result<InputLog, InputLogError> {
        let mut log = Vec::new();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let error = || InputLogError(part.chars().take(20).collect());
            match part.parse::<usize>() {
                Ok(idle) if (1..=MOST_IDLE).contains(&idle) => {
                    log.resize(log.len() + idle, Inputs::NONE);
                }
                Ok(_) => return Err(error()),
                Err(_) => {
                    let (letters, slide) = match part.strip_suffix('!') {
                        Some(letters) => (letters, true),
                        None => (part, false),
                    };
                    let inputs: Option<Inputs> = letters.chars().map(Input::from_letter).collect();
                    log.push(inputs.ok_or_else(error)?.sliding(slide));
                }
            }
        }
        Ok(InputLog(log))
    }
}

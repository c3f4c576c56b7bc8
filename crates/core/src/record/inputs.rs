//! The inputs of a stepped game, tick by tick.

use crate::moves::Input;
use crate::stepped::Inputs;
use std::fmt;
use std::str::FromStr;

/// The inputs of consecutive ticks.
///
/// Written with commas between ticks: the letters of the inputs ([`Input::letter`]; followed by `!`
/// for a slide to the wall), or a number for that many ticks without inputs. It needs about as much
/// memory as the text, however many ticks the text represents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputLog {
    pub(super) runs: Vec<InputRun>,
}

/// One tick with inputs, or any number of ticks without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InputRun {
    inputs: Inputs,
    /// The number of ticks up to the end of this entry.
    end: u64,
}

impl InputLog {
    /// The number of ticks.
    pub fn len(&self) -> u64 {
        self.runs.last().map_or(0, |run| run.end)
    }

    /// Whether the log is empty.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Adds some ticks with the same inputs.
    fn add(&mut self, inputs: Inputs, ticks: u64) {
        let end = self.len() + ticks;
        match self.runs.last_mut() {
            Some(last) if inputs == Inputs::NONE && last.inputs == inputs => last.end = end,
            _ => self.runs.push(InputRun { inputs, end }),
        }
    }

    /// The inputs of a tick, where the first tick is 0; empty after the last one.
    pub fn at(&self, tick: u64) -> Inputs {
        let run = self.runs.partition_point(|run| run.end <= tick);
        self.runs.get(run).map_or(Inputs::NONE, |run| run.inputs)
    }

    /// The inputs of every tick.
    pub fn ticks(&self) -> impl Iterator<Item = Inputs> {
        let mut begin = 0;
        self.runs.iter().flat_map(move |run| {
            let ticks = begin..run.end;
            begin = run.end;
            ticks.map(|_| run.inputs)
        })
    }
}

impl FromIterator<Inputs> for InputLog {
    fn from_iter<I: IntoIterator<Item = Inputs>>(ticks: I) -> InputLog {
        let mut log = InputLog::default();
        ticks.into_iter().for_each(|inputs| log.add(inputs, 1));
        log
    }
}

impl fmt::Display for InputLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut begin = 0;
        for run in &self.runs {
            let comma = if begin > 0 { "," } else { "" };
            if run.inputs == Inputs::NONE {
                write!(f, "{comma}{}", run.end - begin)?;
            } else {
                let mut letters: String = run.inputs.iter().map(Input::letter).collect();
                letters.extend(run.inputs.slide.then_some('!'));
                write!(f, "{comma}{letters}")?;
            }
            begin = run.end;
        }
        Ok(())
    }
}

/// A text that is not a log of inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputLogError {
    /// A part that cannot be parsed.
    Part(String),
    /// More ticks than a game may have.
    TooLong,
}

impl fmt::Display for InputLogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputLogError::Part(found) => write!(
                f,
                "expected a number of ticks, or inputs like lc (l r c w h d D H, and ! for a slide), found '{found}'"
            ),
            InputLogError::TooLong => write!(f, "the inputs are longer than {MOST_TICKS} ticks"),
        }
    }
}

impl std::error::Error for InputLogError {}

/// The maximum number of ticks that one number in a log may represent: ten hours.
const MOST_IDLE: u64 = 60 * 60 * 60 * 10;
/// The maximum number of ticks in a log: about three days of play. Longer logs would take minutes
/// to replay.
const MOST_TICKS: u64 = 16_000_000;

impl FromStr for InputLog {
    type Err = InputLogError;

    fn from_str(text: &str) -> Result<InputLog, InputLogError> {
        let mut log = InputLog::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let error = || InputLogError::Part(part.chars().take(20).collect());
            match part.parse::<u64>() {
                Ok(idle) if (1..=MOST_IDLE).contains(&idle) => log.add(Inputs::NONE, idle),
                Ok(_) => return Err(error()),
                Err(_) => {
                    let (letters, slide) = match part.strip_suffix('!') {
                        Some(letters) => (letters, true),
                        None => (part, false),
                    };
                    let inputs: Option<Inputs> = letters.chars().map(Input::from_letter).collect();
                    log.add(inputs.ok_or_else(error)?.sliding(slide), 1);
                }
            }
            if log.len() > MOST_TICKS {
                return Err(InputLogError::TooLong);
            }
        }
        Ok(log)
    }
}

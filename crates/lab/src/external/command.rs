//! The spec of a program: `exec(COMMAND)` or `exec(timeout=SECONDS,COMMAND)`.

use std::time::Duration;
use tetrolab_core::spec::{SpecError, shown};

/// The default time limit for an answer.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum time limit, in seconds.
const LONGEST_TIMEOUT: f64 = 3600.0;
const NAME: &str = "exec";

/// A program with its arguments and time limit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BotCommand {
    /// The command as it was written.
    pub(super) text: String,
    /// The program and its arguments.
    pub(super) words: Vec<String>,
    pub(super) timeout: Duration,
}

/// Whether a text is the spec of a program.
pub(crate) fn is_command(text: &str) -> bool {
    let rest = text.trim_start().strip_prefix(NAME);
    rest.is_some_and(|rest| rest.trim_start().starts_with('('))
}

impl BotCommand {
    /// Reads a spec.
    pub(crate) fn parse(spec: &str) -> Result<BotCommand, SpecError> {
        let inner = spec.trim().strip_prefix(NAME).map(str::trim_start);
        let inner = inner.and_then(|text| text.strip_prefix('(')?.strip_suffix(')'));
        let inner =
            inner.ok_or_else(|| wrong("expected exec(COMMAND), as in exec(python3 bot.py)"))?;
        let (timeout, text) = match inner.trim_start().strip_prefix("timeout=") {
            None => (DEFAULT_TIMEOUT, inner),
            Some(rest) => {
                let split = rest.split_once(',');
                let (seconds, text) = split
                    .ok_or_else(|| wrong("expected timeout=SECONDS, a comma, and the command"))?;
                (parse_timeout(seconds)?, text)
            }
        };
        let words =
            words(text).ok_or_else(|| wrong("a quotation mark of the command is not closed"))?;
        if words.first().is_none_or(String::is_empty) {
            return Err(wrong(
                "expected a command, as in exec(python3 bot.py), found none",
            ));
        }
        Ok(BotCommand {
            text: text.trim().to_owned(),
            words,
            timeout,
        })
    }
}

fn wrong(problem: &str) -> SpecError {
    SpecError::Argument {
        part: NAME.to_owned(),
        problem: problem.to_owned(),
    }
}

fn parse_timeout(text: &str) -> Result<Duration, SpecError> {
    let seconds = text.trim().parse::<f64>().ok();
    let seconds = seconds.filter(|&seconds| seconds > 0.0 && seconds <= LONGEST_TIMEOUT);
    seconds.map(Duration::from_secs_f64).ok_or_else(|| {
        let text = shown(text.trim());
        wrong(&format!(
            "timeout must be above 0 and at most 3600 seconds, got '{text}'"
        ))
    })
}

/// Splits a command into words at spaces outside quotation marks. No shell is involved.
fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in text.chars() {
        match (quote, letter) {
            (Some(mark), letter) if letter == mark => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, letter) if letter.is_whitespace() => words.extend(word.take()),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_has_words_and_may_have_a_timeout() {
        let command = BotCommand::parse("exec(python3 'my bot.py' --level \"a, b\")").unwrap();
        assert_eq!(command.words, ["python3", "my bot.py", "--level", "a, b"]);
        assert_eq!(command.timeout, DEFAULT_TIMEOUT);
        let command = BotCommand::parse("exec(timeout=0.5, ./bot (fast))").unwrap();
        assert_eq!(command.words, ["./bot", "(fast)"]);
        assert_eq!(command.timeout, Duration::from_millis(500));
    }

    #[test]
    fn other_texts_are_refused() {
        for spec in [
            "exec()",
            "exec( )",
            "exec(a 'b)",
            "exec(a",
            "exec('' a)",
            "exec(timeout=5)",
            "exec(timeout=0,a)",
            "exec(timeout=nan,a)",
            "exec(timeout=1e9,a)",
        ] {
            let error = BotCommand::parse(spec).unwrap_err().to_string();
            assert!(error.starts_with("exec: "), "{spec}: {error}");
        }
        assert!(is_command("exec(a)") && is_command(" exec (a") && !is_command("executor(a)"));
    }
}

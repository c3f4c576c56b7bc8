//! Specs: names of parts with settings, as in `greedy(bcts, losing=allow)`.

use std::fmt;
use std::str::FromStr;

/// A name with arguments, each of which is itself a spec: `two-piece(linear(dt-20), ties=center)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spec {
    /// The part's name; for a plain value (a number or a word), the value as written.
    pub name: String,
    /// The arguments in parentheses.
    pub args: Vec<Arg>,
}

/// One argument of a spec.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arg {
    /// The word before `=`, if there is one.
    pub key: Option<String>,
    /// The value.
    pub value: Spec,
}

/// An error in a spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecError {
    /// The text is not of the form `name(arguments)`.
    Syntax {
        /// The text as given.
        text: String,
        /// The problem.
        problem: &'static str,
    },
    /// An unknown name.
    Unknown {
        /// The expected kind of part.
        kind: &'static str,
        /// The name as given.
        name: String,
        /// The most similar known name, if it is likely to have been meant.
        nearest: Option<String>,
    },
    /// An unknown argument, or an invalid value.
    Argument {
        /// The part that the argument belongs to.
        part: String,
        /// The problem.
        problem: String,
    },
    /// A part that cannot be created, with the message of its constructor.
    Part(String),
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecError::Syntax { text, problem } => write!(
                f,
                "'{text}' is not a valid spec: {problem}; expected name or name(value, key=value)"
            ),
            SpecError::Unknown {
                kind,
                name,
                nearest,
            } => write!(f, "there is no {kind} '{name}'{}", suggest(nearest)),
            SpecError::Argument { part, problem } => write!(f, "{part}: {problem}"),
            SpecError::Part(found) => write!(f, "{found}"),
        }
    }
}

impl std::error::Error for SpecError {}

fn suggest(nearest: &Option<String>) -> String {
    nearest
        .as_ref()
        .map_or(String::new(), |name| format!("; did you mean '{name}'?"))
}

impl SpecError {
    /// An unknown name, with the most similar known one.
    pub fn unknown<'a>(
        kind: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> SpecError {
        let name = shown(name);
        let nearest = nearest(&name, known);
        SpecError::Unknown {
            kind,
            name,
            nearest,
        }
    }
}

/// The known name most similar to `name`, if any is similar enough.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let wanted = name.to_ascii_lowercase().replace('_', "-");
    let similarity = |id: &str| {
        let id = id.replace('_', "-");
        strsim::normalized_damerau_levenshtein(&wanted, &id)
    };
    let rows = known.into_iter().map(|id| (similarity(id), id));
    rows.filter(|(similarity, _)| *similarity >= 0.4)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, id)| id.to_owned())
}

impl Spec {
    /// A name without arguments.
    pub fn name(name: &str) -> Spec {
        Spec {
            name: name.to_owned(),
            args: Vec::new(),
        }
    }

    /// An error about this spec's arguments.
    pub fn error(&self, problem: impl Into<String>) -> SpecError {
        SpecError::Argument {
            part: shown(&self.name),
            problem: problem.into(),
        }
    }

    /// The arguments without a key, in order.
    pub fn positional(&self) -> impl Iterator<Item = &Spec> {
        self.args
            .iter()
            .filter(|arg| arg.key.is_none())
            .map(|arg| &arg.value)
    }

    /// The value of a key, if it is given.
    pub fn get(&self, key: &str) -> Option<&Spec> {
        let has_key = |arg: &&Arg| arg.key.as_deref() == Some(key);
        self.args.iter().find(has_key).map(|arg| &arg.value)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        if self.args.is_empty() {
            return Ok(());
        }
        let text = |arg: &Arg| match &arg.key {
            Some(key) => format!("{key}={}", arg.value),
            None => arg.value.to_string(),
        };
        let texts: Vec<String> = self.args.iter().map(text).collect();
        write!(f, "({})", texts.join(","))
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let mut parser = Parser {
            rest: text,
            depth: 0,
        };
        let parsed = parser.spec().and_then(|spec| match parser.rest.trim() {
            "" => Ok(spec),
            _ => Err("something follows the closing parenthesis"),
        });
        parsed.map_err(|problem| SpecError::Syntax {
            text: shown(text),
            problem,
        })
    }
}

/// A user's text as shown in errors: its beginning, with line breaks and other control characters
/// escaped.
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown = String::new();
    for (count, letter) in text.chars().enumerate() {
        if count == LONGEST {
            return shown + "...";
        }
        if letter.is_control() {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// A recursive descent parser for `spec = name [ '(' [ arg { ',' arg } ] ')' ]`, `arg = [ name '='
/// ] spec`.
struct Parser<'a> {
    rest: &'a str,
    /// Number of open parentheses.
    depth: usize,
}

/// The maximum nesting of specs: no part needs more than a few levels, and a text must not exhaust
/// the stack.
const DEEPEST: usize = 16;

impl Parser<'_> {
    fn word(&mut self) -> String {
        let end = self
            .rest
            .find(['(', ')', ',', '='])
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word.trim().to_owned()
    }

    fn take(&mut self, symbol: char) -> bool {
        let rest = self.rest.trim_start().strip_prefix(symbol);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn spec(&mut self) -> Result<Spec, &'static str> {
        let name = self.word();
        self.arguments(name)
    }

    fn arguments(&mut self, name: String) -> Result<Spec, &'static str> {
        if name.is_empty() {
            return Err("a name is missing");
        }
        let mut args = Vec::new();
        if self.take('(') && !self.take(')') {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err("it is nested too deeply");
            }
            loop {
                args.push(self.arg()?);
                if self.take(')') {
                    self.depth -= 1;
                    break;
                }
                if !self.take(',') {
                    return Err("a closing parenthesis is missing");
                }
            }
        }
        Ok(Spec { name, args })
    }

    fn arg(&mut self) -> Result<Arg, &'static str> {
        let word = self.word();
        let (key, value) = if !self.take('=') {
            (None, self.arguments(word)?)
        } else if word.is_empty() {
            return Err("a name is missing before '='");
        } else {
            (Some(word), self.spec()?)
        };
        Ok(Arg { key, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_reads_back_as_it_was_written() {
        for text in [
            "bcts",
            "greedy(linear(bcts),losing=allow)",
            "expectimax(depth=2,eval=dellacherie)",
        ] {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
        let spaced: Spec = " two-piece( dt-20 , ties = center )".parse().unwrap();
        assert_eq!(spaced.to_string(), "two-piece(dt-20,ties=center)");
    }

    #[test]
    fn broken_specs_are_errors() {
        for text in [
            "", "(", "a(", "a(b", "a(b))", "a()b", "a(=b)", "a(,)", "a=b",
        ] {
            assert!(text.parse::<Spec>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_spec_that_is_nested_too_deeply_is_an_error() {
        let deep = "a(".repeat(100_000);
        let error = deep.parse::<Spec>().unwrap_err().to_string();
        assert!(
            error.contains("nested too deeply") && error.len() < 200,
            "{error}"
        );
        let wide = format!("a({}b)", "b(c),".repeat(100));
        assert_eq!(wide.parse::<Spec>().unwrap().args.len(), 101);
    }

    #[test]
    fn errors_show_the_beginning_of_a_text_on_one_line() {
        assert_eq!(shown("a\nb\u{1b}[1m"), "a\\nb\\u{1b}[1m");
        assert_eq!(shown("größe"), "größe");
        let long = "x".repeat(1_000_000);
        assert_eq!(shown(&long).len(), 63);
        let error = SpecError::unknown("player", &long, ["bcts"]).to_string();
        assert!(error.len() < 200, "{error}");
        let error = Spec::name("two\nlines").error("is wrong").to_string();
        assert!(!error.contains('\n'), "{error}");
    }

    #[test]
    fn an_unknown_name_suggests_the_nearest() {
        let error = SpecError::unknown("player", "dellacherei", ["bcts", "dellacherie"]);
        assert_eq!(
            error.to_string(),
            "there is no player 'dellacherei'; did you mean 'dellacherie'?"
        );
        let error = SpecError::unknown("player", "zzzzzzzz", ["bcts"]);
        assert_eq!(error.to_string(), "there is no player 'zzzzzzzz'");
    }
}

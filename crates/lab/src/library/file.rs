//! Files of text, line by line or as TOML, with errors that say where: file, line, and what is wrong.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The file as it was named.
    pub path: String,
    /// The line, the first being 1, if the trouble has one.
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}, line {line}: {}", self.path, self.problem),
            None => write!(f, "{}: {}", self.path, self.problem),
        }
    }
}

impl std::error::Error for FileError {}

impl FileError {
    /// An error about a file as a whole.
    pub(crate) fn of_file(path: &Path, problem: impl Into<String>) -> FileError {
        FileError {
            path: path.display().to_string(),
            line: None,
            problem: problem.into(),
        }
    }

    /// Why a file could not be written, in words.
    pub(crate) fn writing(path: &Path, error: &io::Error) -> FileError {
        FileError::of_file(path, format!("cannot be written: {error}"))
    }

    /// Why a file could not be read, in words.
    fn reading(path: &Path, error: &io::Error) -> FileError {
        let problem = match error.kind() {
            ErrorKind::NotFound => "there is no such file".to_owned(),
            ErrorKind::IsADirectory => "is a folder".to_owned(),
            ErrorKind::InvalidData => "the file is not text".to_owned(),
            _ => format!("cannot be read: {error}"),
        };
        FileError::of_file(path, problem)
    }
}

/// The lines of a text that are not blank, each with its number, the first being 1.
pub struct Lines {
    path: PathBuf,
    lines: io::Lines<Box<dyn BufRead>>,
    number: usize,
}

impl Lines {
    /// The lines of a file.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> Result<Lines, FileError> {
        let file = File::open(path).map_err(|error| FileError::reading(path, &error))?;
        Ok(Lines::of(BufReader::new(file), path))
    }

    /// The lines of any text; errors name it as this file.
    pub fn of(text: impl BufRead + 'static, path: &Path) -> Lines {
        let text: Box<dyn BufRead> = Box::new(text);
        Lines {
            path: path.to_owned(),
            lines: text.lines(),
            number: 0,
        }
    }
}

impl Iterator for Lines {
    type Item = Result<(usize, String), FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.number += 1;
            match self.lines.next()? {
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) => return Some(Ok((self.number, line))),
                Err(error) => return Some(Err(FileError::reading(&self.path, &error))),
            }
        }
    }
}

/// A TOML file under its name: everything that reads one asks here, and gets errors with a line.
pub(super) struct TomlFile<'a> {
    path: &'a str,
    text: &'a str,
    table: DeTable<'a>,
}

/// A value of a file, and where it stands.
pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// Reads a file as text.
pub(super) fn read(path: &Path) -> Result<String, FileError> {
    std::fs::read_to_string(path).map_err(|error| FileError::reading(path, &error))
}

impl<'a> TomlFile<'a> {
    pub(super) fn parse(text: &'a str, path: &'a str) -> Result<TomlFile<'a>, FileError> {
        let parsed = DeTable::parse(text);
        let table = parsed.map_err(|error| FileError {
            path: path.to_owned(),
            line: error.span().map(|span| line_of(text, span.start)),
            problem: format!("is not TOML: {}", error.message().trim()),
        })?;
        let table = table.into_inner();
        Ok(TomlFile { path, text, table })
    }

    /// An error at a place in the file.
    pub(super) fn error(&self, span: &Range<usize>, problem: impl Into<String>) -> FileError {
        FileError {
            path: self.path.to_owned(),
            line: Some(line_of(self.text, span.start)),
            problem: problem.into(),
        }
    }

    /// An error about the file as a whole.
    pub(super) fn error_of_file(&self, problem: impl Into<String>) -> FileError {
        FileError {
            path: self.path.to_owned(),
            line: None,
            problem: problem.into(),
        }
    }

    /// Checks that every key of the file is one of these.
    pub(super) fn check_keys(&self, keys: &[&str]) -> Result<(), FileError> {
        let unknown = self
            .table
            .keys()
            .find(|key| !keys.iter().any(|known| *known == key.get_ref().as_ref()));
        unknown.map_or(Ok(()), |key| {
            let name = key.get_ref();
            let nearest = tetrolab_core::spec::nearest(name, keys.iter().copied());
            let hint = nearest.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
            Err(self.error(&key.span(), format!("there is no setting '{name}'{hint}")))
        })
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value<'a>> {
        self.table.get(key)
    }

    /// The text under a key, if the key is there.
    pub(super) fn text(&self, key: &str) -> Result<Option<&str>, FileError> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match value.get_ref() {
            DeValue::String(text) => Ok(Some(text)),
            _ => Err(self.error(&value.span(), format!("{key} must be a text in quotes"))),
        }
    }

    /// The text under a key that must be there.
    pub(super) fn needed_text(&self, key: &str) -> Result<&str, FileError> {
        self.text(key)?
            .ok_or_else(|| self.error_of_file(format!("'{key}' is missing")))
    }

    /// The whole number under a key, if the key is there.
    pub(super) fn whole(&self, key: &str) -> Result<Option<usize>, FileError> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        let number = match value.get_ref() {
            DeValue::Integer(number) => number.to_string().parse().ok(),
            _ => None,
        };
        let problem = || self.error(&value.span(), format!("{key} must be a whole number"));
        number.map(Some).ok_or_else(problem)
    }

    /// Where a key's value stands, for errors that are found later.
    pub(super) fn span(&self, key: &str) -> Range<usize> {
        self.get(key).map_or(0..0, Spanned::span)
    }
}

/// The number of the line at an offset.
fn line_of(text: &str, offset: usize) -> usize {
    1 + text[..offset.min(text.len())].matches('\n').count()
}

//! Text files, read line by line or as TOML, with errors that give the file and the line.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// An error in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The file as given.
    pub path: String,
    /// The line, starting at 1, if the error concerns a single line.
    pub line: Option<usize>,
    /// The problem.
    pub problem: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, problem) = (one_line(&self.path), one_line(&self.problem));
        match self.line {
            Some(line) => write!(f, "{path}, line {line}: {problem}"),
            None => write!(f, "{path}: {problem}"),
        }
    }
}

impl std::error::Error for FileError {}

/// Puts a text on one line of reasonable length, even if it quotes a file or a file name.
pub(crate) fn one_line(text: &str) -> String {
    const LONGEST: usize = 400;
    let mut line: String = text.chars().take(LONGEST).flat_map(escaped).collect();
    if text.chars().nth(LONGEST).is_some() {
        line += "...";
    }
    line
}

fn escaped(letter: char) -> Vec<char> {
    if letter.is_control() {
        letter.escape_default().collect()
    } else {
        vec![letter]
    }
}

/// Checks that a file can be written at this path, before its content is computed.
///
/// # Errors
/// If the folder does not exist, or the path is a folder.
pub fn check_place(path: &Path) -> Result<(), FileError> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => {
            Err(FileError::of_file(path, "there is no such folder"))
        }
        _ if path.is_dir() => Err(FileError::of_file(path, "expected a file, found a folder")),
        _ => Ok(()),
    }
}

impl FileError {
    /// An error about a file as a whole.
    pub(crate) fn of_file(path: &Path, problem: impl Into<String>) -> FileError {
        FileError {
            path: path.display().to_string(),
            line: None,
            problem: problem.into(),
        }
    }

    /// An error about a line of a file; lines are numbered from 1.
    pub(crate) fn at_line(path: &Path, line: usize, problem: impl Into<String>) -> FileError {
        FileError {
            line: Some(line),
            ..FileError::of_file(path, problem)
        }
    }

    /// An error for a file that could not be written.
    pub(crate) fn writing(path: &Path, error: &io::Error) -> FileError {
        FileError::of_file(path, format!("cannot be written: {error}"))
    }

    /// An error for a file that could not be created: its folder must exist.
    pub(crate) fn creating(path: &Path, error: &io::Error) -> FileError {
        match error.kind() {
            ErrorKind::NotFound => FileError::of_file(path, "there is no such folder"),
            ErrorKind::IsADirectory => FileError::of_file(path, "expected a file, found a folder"),
            _ => FileError::writing(path, error),
        }
    }

    /// An error for a file that could not be read.
    pub(super) fn reading(path: &Path, error: &io::Error) -> FileError {
        let problem = match error.kind() {
            ErrorKind::NotFound => "there is no such file".to_owned(),
            ErrorKind::IsADirectory => "expected a file, found a folder".to_owned(),
            ErrorKind::InvalidData => "the file is not text".to_owned(),
            _ => format!("cannot be read: {error}"),
        };
        FileError::of_file(path, problem)
    }
}

/// The maximum size of a player or ruleset file: anything larger is something else, and a device
/// has no end.
const MOST_BYTES: u64 = 16 << 20;
/// The maximum size of a line (about ten million placements), of a table, and of a result.
const MOST_BYTES_OF_A_LINE: u64 = 256 << 20;

/// The non-blank lines of a text, numbered from 1. After a line that is not valid text, reading can
/// continue; the error includes the line number.
pub struct Lines {
    path: PathBuf,
    text: Box<dyn BufRead + Send>,
    number: usize,
    most_bytes: u64,
    /// Whether a line was too long; the rest of it then follows instead of the next line.
    is_lost: bool,
}

impl Lines {
    /// The lines of a file, which may be a pipe (`/dev/fd/3`): lines are read one by one, each up
    /// to a maximum size.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &Path) -> Result<Lines, FileError> {
        let file = File::open(path).map_err(|error| FileError::reading(path, &error))?;
        Ok(Lines::of(BufReader::new(file), path))
    }

    /// The lines of a file that is not a pipe, for callers that cannot be stopped while they wait.
    ///
    /// # Errors
    /// If it is not a regular file, or cannot be opened.
    pub(crate) fn open_regular(path: &Path) -> Result<Lines, FileError> {
        Ok(Lines::of(BufReader::new(open_regular(path)?), path))
    }

    /// The lines of any text; errors name it as this file.
    pub fn of(text: impl BufRead + Send + 'static, path: &Path) -> Lines {
        Lines {
            path: path.to_owned(),
            text: Box::new(text),
            number: 0,
            most_bytes: MOST_BYTES_OF_A_LINE,
            is_lost: false,
        }
    }

    /// The next line including its end, if there is one.
    fn read(&mut self) -> Result<Option<String>, FileError> {
        let mut line = String::new();
        let mut bounded = (&mut self.text).take(self.most_bytes + 1);
        let length = match bounded.read_line(&mut line) {
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                return Err(self.error_here("not UTF-8 text"));
            }
            read => read.map_err(|error| FileError::reading(&self.path, &error))?,
        };
        if length as u64 > self.most_bytes {
            self.is_lost = true;
            let most = self.most_bytes >> 20;
            return Err(self.error_here(format!("the line is longer than {most} MiB")));
        }
        Ok((length > 0).then_some(line))
    }

    /// An error about the current line.
    fn error_here(&self, problem: impl Into<String>) -> FileError {
        FileError::at_line(&self.path, self.number, problem)
    }
}

impl Iterator for Lines {
    type Item = Result<(usize, String), FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.is_lost {
                return None;
            }
            self.number += 1;
            match self.read() {
                Ok(None) => return None,
                Ok(Some(line)) if line.trim().is_empty() => {}
                Ok(Some(line)) => {
                    let line = line.trim_end_matches(['\n', '\r']).to_owned();
                    return Some(Ok((self.number, line)));
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// A TOML file with its name. All code that reads TOML uses it, so that errors include a line
/// number.
pub(super) struct TomlFile<'a> {
    path: &'a str,
    text: &'a str,
    table: DeTable<'a>,
}

/// A value in a file with its position.
pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// Opens a regular file. Opening a pipe would wait for a writer, and a device may have no end, so
/// only streams of lines may come from these (see [`Lines::open`]).
pub(crate) fn open_regular(path: &Path) -> Result<File, FileError> {
    let reading = |error: io::Error| FileError::reading(path, &error);
    let metadata = fs::metadata(path).map_err(reading)?;
    if !metadata.is_file() {
        let problem = if metadata.is_dir() {
            "expected a file, found a folder"
        } else {
            "expected a regular file, found a pipe or a device"
        };
        return Err(FileError::of_file(path, problem));
    }
    File::open(path).map_err(reading)
}

/// Reads a text file of at most 16 MiB, such as a player or an experiment.
///
/// # Errors
/// If the file is missing, is not a regular text file, or is too large.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    let text = String::from_utf8(read_bytes(path)?);
    text.map_err(|_| FileError::reading(path, &ErrorKind::InvalidData.into()))
}

/// Reads a text file whose length grows with the work that it describes, such as a table of games
/// or a result, of at most 256 MiB.
///
/// # Errors
/// If the file is missing, is not a regular text file, or is too large.
pub fn read_long_text(path: &Path) -> Result<String, FileError> {
    let text = String::from_utf8(read_bytes_up_to(path, MOST_BYTES_OF_A_LINE)?);
    text.map_err(|_| FileError::reading(path, &ErrorKind::InvalidData.into()))
}

/// Reads a file of at most 16 MiB.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    read_bytes_up_to(path, MOST_BYTES)
}

fn read_bytes_up_to(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let reading = |error: io::Error| FileError::reading(path, &error);
    let file = open_regular(path)?;
    let mut text = Vec::new();
    let read = file.take(most + 1).read_to_end(&mut text);
    let length = read.map_err(reading)?;
    if length as u64 > most {
        let problem = format!(
            "the file is larger than {} MiB, so it is not a tetrolab file",
            most >> 20
        );
        return Err(FileError::of_file(path, problem));
    }
    Ok(text)
}

impl<'a> TomlFile<'a> {
    pub(super) fn parse(text: &'a str, path: &'a str) -> Result<TomlFile<'a>, FileError> {
        let parsed = DeTable::parse(text);
        let table = parsed.map_err(|error| FileError {
            path: path.to_owned(),
            line: error.span().map(|span| line_of(text, span.start)),
            problem: format!("not valid TOML: {}", error.message().trim()),
        })?;
        let table = table.into_inner();
        Ok(TomlFile { path, text, table })
    }

    /// An error at a position in the file.
    pub(super) fn error(&self, span: &Range<usize>, problem: impl Into<String>) -> FileError {
        FileError::at_line(
            Path::new(self.path),
            line_of(self.text, span.start),
            problem,
        )
    }

    /// An error about the file as a whole.
    pub(super) fn error_of_file(&self, problem: impl Into<String>) -> FileError {
        FileError::of_file(Path::new(self.path), problem)
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

    /// The text with this key, if there is one.
    pub(super) fn text(&self, key: &str) -> Result<Option<&str>, FileError> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match value.get_ref() {
            DeValue::String(text) => Ok(Some(text)),
            _ => Err(self.error(
                &value.span(),
                format!("{key} must be a string in quotation marks"),
            )),
        }
    }

    /// The text with this key, which is required.
    pub(super) fn needed_text(&self, key: &str) -> Result<&str, FileError> {
        self.text(key)?
            .ok_or_else(|| self.error_of_file(format!("'{key}' is missing")))
    }

    /// The name with this key, if there is one: a text that can be shown on one line.
    pub(super) fn name(&self, key: &str) -> Result<Option<&str>, FileError> {
        let name = self.text(key)?;
        if name.is_some_and(|name| name.contains(char::is_control)) {
            let problem =
                format!("{key} has a control character; a name is plain text on one line");
            return Err(self.error(&self.span(key), problem));
        }
        Ok(name)
    }

    /// The integer with this key, if there is one.
    pub(super) fn whole(&self, key: &str) -> Result<Option<usize>, FileError> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        let number = match value.get_ref() {
            DeValue::Integer(number) => number.to_string().parse().ok(),
            _ => None,
        };
        let problem = || self.error(&value.span(), format!("{key} must be an integer"));
        number.map(Some).ok_or_else(problem)
    }

    /// The position of a key's value, for later errors.
    pub(super) fn span(&self, key: &str) -> Range<usize> {
        self.get(key).map_or(0..0, Spanned::span)
    }
}

/// The number of the line at an offset.
fn line_of(text: &str, offset: usize) -> usize {
    1 + text[..offset.min(text.len())].matches('\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_input_is_refused_or_read_up_to_a_limit() {
        if cfg!(target_os = "linux") {
            let error = read_text(Path::new("/dev/zero")).unwrap_err().to_string();
            assert_eq!(
                error,
                "/dev/zero: expected a regular file, found a pipe or a device"
            );
        }
        let mut lines = Lines::of(BufReader::new(io::repeat(b'x')), Path::new("x"));
        lines.most_bytes = 1 << 20;
        let error = lines.next().unwrap().unwrap_err().to_string();
        assert_eq!(error, "x, line 1: the line is longer than 1 MiB");
        assert!(lines.next().is_none());
    }

    #[test]
    fn an_error_is_one_line_of_bearable_length() {
        let error = FileError::of_file(Path::new("a\nb"), "wrong\n".repeat(1_000_000));
        let said = error.to_string();
        assert!(said.starts_with("a\\nb: wrong\\nwrong"), "{said}");
        assert!(!said.contains('\n') && said.len() < 1_000);
    }
}

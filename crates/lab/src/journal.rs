//! Journals of finished work, from which interrupted studies can be resumed.
//!
//! A journal is a text file with one JSON object per line, `{"check":"...","content":{...}}`. The
//! content of the first line, the head, describes the work; every other line holds a finished part.
//! The check of a line is a hash of its content and of the check of the line before. Damaged lines,
//! and lines from another file, are therefore detected. If the last line is incomplete after a
//! crash or because the disk was full, it is ignored, and its work is repeated.
//!
//! This format is used for repetitions of splitting (`survival`) and whole games (`study`).

use crate::hash::hash_of;
use crate::library::{FileError, FileSource, FullRules};
use serde_json::Value;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tetrolab_core::ruleset::Ruleset;

/// Why a journal cannot be used.
#[derive(Debug)]
pub(crate) enum JournalError {
    /// The file cannot be read or written.
    Io(std::io::Error),
    /// Another process is using the file.
    Busy,
    /// The file belongs to other work; the first field of its head that differs.
    Other(String),
    /// The line with this number, starting at 1, has been changed.
    Damaged(usize),
    /// The file is larger than any that this program writes.
    TooLarge,
}

/// Words for a journal's content in errors.
pub(crate) struct JournalWords {
    /// The finished work, such as `games`.
    pub(crate) work: &'static str,
    /// The kind of work, such as `evaluation`.
    pub(crate) study: &'static str,
    /// The name for the work of another study: `the games of another evaluation`.
    pub(crate) other: &'static str,
    /// What the location of a journal is called: `folder`.
    pub(crate) place: &'static str,
    /// The file: `log of games`.
    pub(crate) file: &'static str,
}

impl JournalError {
    /// The error of a file.
    pub(crate) fn of_file(self, path: &Path, words: &JournalWords) -> FileError {
        let JournalWords {
            work,
            study,
            other,
            place,
            file,
        } = words;
        let problem = match self {
            JournalError::Io(error) => format!("{work} cannot be stored here: {error}"),
            JournalError::Busy => format!("another process is working on this {study}"),
            JournalError::Other(what) => {
                format!("contains {other} ({what} differs); choose another {place}")
            }
            JournalError::Damaged(line) => {
                let problem =
                    format!("damaged, or not from this {study}; delete the file to start again");
                return FileError::at_line(path, line, problem);
            }
            JournalError::TooLarge => format!("the file is larger than any {file}"),
        };
        FileError::of_file(path, problem)
    }
}

impl From<std::io::Error> for JournalError {
    fn from(error: std::io::Error) -> JournalError {
        JournalError::Io(error)
    }
}

/// The description of the work. A journal can only be continued for the same work.
pub(crate) struct JournalHead(pub(crate) Value);

impl JournalHead {
    /// A head with these fields and those of the rules of a game.
    pub(crate) fn with_rules(
        mut head: Value,
        ruleset: &Ruleset,
        library: FileSource<'_>,
    ) -> Result<JournalHead, FileError> {
        let rules = FullRules::with_files(ruleset, library)?;
        head["ruleset"] = rules.name.into();
        head["width"] = rules.width.into();
        head["height"] = rules.height.into();
        head["preview"] = rules.preview.into();
        head["randomizer"] = rules.randomizer.into();
        head["randomizer_hash"] = rules.hash.into();
        match rules.end {
            Some(end) => head["end"] = end.into(),
            None => head["moves"] = rules.moves.into(),
        }
        Ok(JournalHead(head))
    }

    fn content(&self) -> String {
        self.0.to_string()
    }

    /// The first field in which the head of a file differs from this one.
    fn difference(&self, content: &str) -> Option<String> {
        let found: Value = serde_json::from_str(content).unwrap_or_default();
        let mut expected = self.0.as_object()?.iter();
        let differs = expected.find(|(key, value)| found.get(key) != Some(value));
        differs.map(|(key, _)| key.replace('_', " "))
    }
}

/// The maximum sizes of a journal. A file that exceeds them was not written by this program.
#[derive(Clone, Copy)]
pub(crate) struct JournalLimits {
    /// Bytes of the file.
    pub(crate) file: u64,
    /// Bytes of a line.
    pub(crate) line: u64,
}

/// An open journal, which is locked.
#[derive(Debug)]
pub(crate) struct Journal {
    pub(crate) path: PathBuf,
    file: File,
    /// The length of the complete lines in bytes.
    whole: u64,
    /// The check of the last complete line.
    check: String,
}

impl Journal {
    /// Opens a journal and passes the content of every line except the head to `take`, which
    /// returns whether it is valid. Creates the file if it does not exist.
    pub(crate) fn open(
        path: &Path,
        head: &JournalHead,
        limits: JournalLimits,
        take: &mut dyn FnMut(&str) -> bool,
    ) -> Result<Journal, JournalError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Busy),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let found = file.metadata()?;
        if !found.is_file() {
            return Err(std::io::Error::other("not a regular file").into());
        }
        if found.len() > limits.file {
            return Err(JournalError::TooLarge);
        }
        let mut journal = Journal {
            path: path.to_owned(),
            file,
            whole: 0,
            check: String::new(),
        };
        journal.read(head, limits, take)?;
        journal.file.set_len(journal.whole)?;
        if journal.whole == 0 {
            journal.add(&head.content())?;
        }
        Ok(journal)
    }

    /// Reads the complete lines.
    fn read(
        &mut self,
        head: &JournalHead,
        limits: JournalLimits,
        take: &mut dyn FnMut(&str) -> bool,
    ) -> Result<(), JournalError> {
        let mut reader = BufReader::new(self.file.try_clone()?.take(limits.file));
        let (mut line, mut number) = (Vec::new(), 0);
        loop {
            line.clear();
            let mut bounded = (&mut reader).take(limits.line + 1);
            let read = bounded.read_until(b'\n', &mut line)? as u64;
            number += 1;
            if line.pop_if(|last| *last == b'\n').is_none() {
                return self.end_at(read, &line, head, limits);
            }
            self.check = opened(&line, &self.check)
                .filter(|(_, content)| number == 1 || take(content))
                .map(|(check, _)| check.to_owned())
                .ok_or(JournalError::Damaged(number))?;
            self.whole += read;
            if number == 1
                && let Some((_, content)) = split(&line)
                && let Some(what) = head.difference(content)
            {
                return Err(JournalError::Other(what));
            }
        }
    }

    /// Handles a file that ends with part of a line. A file with an incomplete head is restarted;
    /// one that was never a journal of this work is left unchanged.
    fn end_at(
        &self,
        read: u64,
        line: &[u8],
        head: &JournalHead,
        limits: JournalLimits,
    ) -> Result<(), JournalError> {
        if read > limits.line {
            return Err(JournalError::TooLarge);
        }
        let content = head.content();
        let expected = sealed(&check("", &content), &content);
        if self.whole > 0 || expected.as_bytes().starts_with(line) {
            Ok(())
        } else {
            Err(JournalError::Damaged(1))
        }
    }

    /// Adds a line after the last complete one. A failed write, as on a full disk, may leave part
    /// of its line behind; the next write overwrites it, and an incomplete last line is ignored.
    pub(crate) fn add(&mut self, content: &str) -> Result<(), JournalError> {
        let check = check(&self.check, content);
        let line = format!("{}\n", sealed(&check, content));
        self.file.seek(SeekFrom::Start(self.whole))?;
        self.file.write_all(line.as_bytes())?;
        self.whole += line.len() as u64;
        self.check = check;
        Ok(())
    }
}

/// The check and the content of a line, if the check is correct for a line that follows one with
/// the check `before`.
fn opened<'l>(line: &'l [u8], before: &str) -> Option<(&'l str, &'l str)> {
    let (found, content) = split(line)?;
    (found == check(before, content)).then_some((found, content))
}

/// The check and the content of a line.
fn split(line: &[u8]) -> Option<(&str, &str)> {
    let line = std::str::from_utf8(line).ok()?;
    let line = line.strip_prefix("{\"check\":\"")?;
    let (check, content) = line.split_once("\",\"content\":")?;
    Some((check, content.strip_suffix('}')?))
}

/// A line with its check.
fn sealed(check: &str, content: &str) -> String {
    format!("{{\"check\":\"{check}\",\"content\":{content}}}")
}

/// The check of a line that follows one with the check `before`; the first line has no predecessor.
fn check(before: &str, content: &str) -> String {
    hash_of(&[before, content].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::find_ruleset;
    use serde_json::json;

    /// Heads written by earlier versions: of an estimate, and of both kinds of games.
    const EARLIER: [&str; 3] = [
        r#"{"survival":2,"method":3,"player":"strategies","player_hash":"c3a46133f02ceadb","ruleset":"simplified-6x8","width":6,"height":8,"end":"above-top","preview":0,"randomizer":"uniform","randomizer_hash":"e310aa31a74861fb","seed":1,"trajectories":100,"base":80,"levels":[94],"danger":null,"surveyed":404813,"survey_hash":"6356579b40e36d09"}"#,
        r#"{"games":1,"version":"0.1.0","player":"strategies","player_hash":"c3a46133f02ceadb","ruleset":"simplified-6x8","width":6,"height":8,"end":"above-top","preview":0,"moves":"drops","randomizer":"uniform","randomizer_hash":"e310aa31a74861fb","seed":1,"max_pieces":null}"#,
        r#"{"games":1,"version":"0.1.0","player":"strategies","player_hash":"c3a46133f02ceadb","ruleset":"nes","width":10,"height":20,"end":"entry-blocked","preview":1,"moves":"stepped(rotation=nintendo,gravity=nes,lock=fall,drop=none,hold=false,spins=none,score=nes,level=0,entry-delay=10,clear-delay=18,over=overflow)","randomizer":"nes","randomizer_hash":"e556dcbaa045cab5","seed":1,"max_pieces":20}"#,
    ];

    #[test]
    fn a_journal_of_an_earlier_version_is_continued_for_the_same_rules() {
        let head = |name: &str| {
            let ruleset = find_ruleset(name).unwrap();
            JournalHead::with_rules(json!({ "seed": 1 }), &ruleset, FileSource::Disk).unwrap()
        };
        for (earlier, name) in EARLIER
            .iter()
            .zip(["simplified-6x8", "simplified-6x8", "nes"])
        {
            assert_eq!(head(name).difference(earlier), None, "{name}");
            let other = head("simplified-6x8(preview=3)");
            assert!(other.difference(earlier).is_some());
        }
    }
}

//! A new file whose lines are added in any order and sorted by key at the end.
//!
//! Lines are appended to `FILE.part` as they arrive, so the memory is 32 bytes per line, no matter
//! how long the lines are. When the file is finished, the lines are copied in sorted order, and the
//! file gets its name. If they were added in order, the file is only renamed. Of several lines with
//! the same key, only the first one counts. While lines are added, `FILE.part` is valid: it
//! contains all lines except those of the last second. If a line cannot be written (because the
//! disk is full), `FILE.part` is kept with the complete lines before it, and the error mentions it.

use crate::library::FileError;
use crate::time::Instant;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Lines are written at least this often.
const BETWEEN_WRITES: Duration = Duration::from_secs(1);
/// Waiting lines are also written when they reach this many bytes.
const MOST_WAITING: usize = 1 << 16;

/// The sort key of a line: first by the player, then by the game.
type LineKey = (usize, u64);

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct OrderedFile {
    path: PathBuf,
    part: PathBuf,
    sorted: PathBuf,
    out: File,
    /// Bytes that have not been written yet.
    waiting: Vec<u8>,
    /// The key, the position and the length of every line.
    lines: Vec<(LineKey, u64, u64)>,
    length: u64,
    written: Instant,
    what: &'static str,
    failed: bool,
}

impl OrderedFile {
    /// Begins a file; `what` describes its content.
    ///
    /// # Errors
    /// If the name already exists, or the file cannot be created.
    pub(crate) fn create(path: &Path, what: &'static str) -> Result<OrderedFile, FileError> {
        OrderedFile::begin(path, what, |part| File::create_new(part))
    }

    /// Like [`create`](Self::create), for a file that can be recreated: a `FILE.part` left behind
    /// by a killed run is replaced, but not one that a run is still writing.
    ///
    /// # Errors
    /// If the name already exists, or the file cannot be created.
    pub(crate) fn create_again(path: &Path, what: &'static str) -> Result<OrderedFile, FileError> {
        OrderedFile::begin(path, what, |part| {
            let is_file = fs::symlink_metadata(part).is_ok_and(|found| found.is_file());
            let is_free = |file: File| file.try_lock().is_ok();
            if is_file && File::open(part).is_ok_and(is_free) {
                let _ = fs::remove_file(part);
            }
            File::create_new(part)
        })
    }

    fn begin(
        path: &Path,
        what: &'static str,
        create: impl Fn(&Path) -> io::Result<File>,
    ) -> Result<OrderedFile, FileError> {
        let with = |ending: &str| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        let (part, sorted) = (with(".part"), with(".part.sorted"));
        // A dangling link counts too, so `exists` is not used.
        if fs::symlink_metadata(path).is_ok() {
            let problem = format!("already exists; choose a new file name for {what}");
            return Err(FileError::of_file(path, problem));
        }
        // `create_new`, because the file may belong to a run that is still playing.
        let file = create(&part).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                let problem =
                    "already exists; another process is writing it, or a killed one left it behind";
                FileError::of_file(&part, problem)
            }
            _ => FileError::creating(path, &error),
        })?;
        // The lock is held until the file is closed; on a file system without locks, errors are
        // ignored.
        let _ = file.try_lock();
        Ok(OrderedFile {
            path: path.to_owned(),
            part,
            sorted,
            out: file,
            waiting: Vec::new(),
            lines: Vec::new(),
            length: 0,
            written: Instant::now(),
            what,
            failed: false,
        })
    }

    /// Adds a line.
    pub(crate) fn add(&mut self, key: LineKey, line: &str) -> Result<(), FileError> {
        self.append(line)?;
        let length = line.len() as u64 + 1;
        self.lines.push((key, self.length, length));
        self.length += length;
        self.write_if_due()
    }

    /// Adds a line that sorts after all previous ones; a file has either only such lines, or none.
    pub(crate) fn append(&mut self, line: &str) -> Result<(), FileError> {
        if self.failed || self.waiting.len() >= MOST_WAITING {
            self.write()?;
        }
        self.waiting.extend_from_slice(line.as_bytes());
        self.waiting.push(b'\n');
        Ok(())
    }

    /// Writes lines that have been waiting for a second.
    pub(crate) fn write_if_due(&mut self) -> Result<(), FileError> {
        if self.written.elapsed() < BETWEEN_WRITES {
            return Ok(());
        }
        self.written = Instant::now();
        self.write()
    }

    fn write(&mut self) -> Result<(), FileError> {
        let waiting = std::mem::take(&mut self.waiting);
        let written = if self.failed {
            // A line written after half a line would be lost.
            Err(ErrorKind::WriteZero.into())
        } else {
            self.out.write_all(&waiting)
        };
        written.map_err(|error| self.fail(&error))
    }

    /// Keeps the complete lines that were written.
    fn fail(&mut self, error: &io::Error) -> FileError {
        self.failed = true;
        let written = self.out.metadata().map_or(0, |file| file.len());
        let end = |line: &(LineKey, u64, u64)| line.1 + line.2;
        self.lines.retain(|line| end(line) <= written);
        let whole = self.lines.iter().map(end).max().unwrap_or(0);
        let _ = self.out.set_len(whole);
        let FileError { problem, .. } = FileError::writing(&self.path, error);
        let problem = match whole {
            0 => problem,
            _ => format!(
                "{problem}; the {} until then are in {}",
                self.what,
                self.part.display()
            ),
        };
        FileError::of_file(&self.path, problem)
    }

    /// Sorts the lines of some players and gives the file its name.
    ///
    /// # Errors
    /// If the last lines cannot be written, or the file cannot be renamed.
    pub(crate) fn finish(mut self, is_kept: impl Fn(usize) -> bool) -> Result<(), FileError> {
        self.write()?;
        let finished = self.order(is_kept);
        finished.map_err(|error| self.fail(&error))
    }

    fn order(&mut self, is_kept: impl Fn(usize) -> bool) -> io::Result<()> {
        let all = self.lines.len();
        self.lines.retain(|line| is_kept(line.0.0));
        if self.lines.len() == all && self.lines.is_sorted_by(|one, next| one.0 < next.0) {
            return fs::rename(&self.part, &self.path);
        }
        self.lines.sort_by_key(|line| line.0);
        self.lines.dedup_by_key(|line| line.0);
        let mut from = BufReader::new(File::open(&self.part)?);
        let mut to = BufWriter::new(File::create_new(&self.sorted)?);
        let mut place = 0;
        for &(_, start, length) in &self.lines {
            // Lines are almost in order, so the buffer's content is rarely read again.
            from.seek_relative(start as i64 - place as i64)?;
            io::copy(&mut (&mut from).take(length), &mut to)?;
            place = start + length;
        }
        to.flush()?;
        fs::rename(&self.sorted, &self.path)
    }
}

impl Drop for OrderedFile {
    fn drop(&mut self) {
        // After `finish`, some of these files are gone; and a process that cannot write often
        // cannot remove files either.
        let _ = fs::remove_file(&self.sorted);
        if !self.failed || self.lines.is_empty() {
            let _ = fs::remove_file(&self.part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stand_in_the_order_of_their_keys_whatever_the_order_in_which_they_came() {
        let folder = tempfile::tempdir().unwrap();
        for (number, keys) in [[0, 1, 2, 3], [3, 0, 2, 1]].into_iter().enumerate() {
            let path = folder.path().join(format!("{number}"));
            let mut file = OrderedFile::create(&path, "lines").unwrap();
            for key in keys {
                let line = "x".repeat(key as usize * 10_000) + &key.to_string();
                file.add((usize::from(key > 1), key), &line).unwrap();
            }
            file.finish(|_| true).unwrap();
            let text = fs::read_to_string(&path).unwrap();
            let last = text.lines().map(|line| line.trim_start_matches('x'));
            assert_eq!(last.collect::<Vec<_>>(), ["0", "1", "2", "3"]);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn added_lines_are_in_the_file_before_it_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let mut file = OrderedFile::create(&path, "lines").unwrap();
        file.written = Instant::now() - 2 * BETWEEN_WRITES;
        file.add((0, 1), "one").unwrap();
        file.add((0, 0), "two").unwrap();
        let part = folder.path().join("games.part");
        assert_eq!(fs::read_to_string(&part).unwrap(), "one\n");
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

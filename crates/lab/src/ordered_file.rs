//! A new file of lines that come in any order and stand in the order of their keys.
//!
//! Lines are appended to `FILE.part` as they come, so the memory is 32 bytes per line however long the lines are. When the file
//! is finished, the lines are copied in their order, and the file gets its name. If they came in order, it is only renamed.
//! Of lines with the same key the first one counts.
//! While lines are added, `FILE.part` is valid: it holds all lines but those of the last second.

use crate::library::FileError;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Lines are passed on to the operating system at least this often.
const BETWEEN_WRITES: Duration = Duration::from_secs(1);

/// Where a line is: first by the player, then by the game.
type LineKey = (usize, u64);

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct OrderedFile {
    path: PathBuf,
    part: PathBuf,
    sorted: PathBuf,
    out: BufWriter<File>,
    /// The key, the place and the length of every line.
    lines: Vec<(LineKey, u64, u64)>,
    length: u64,
    written: Instant,
}

impl OrderedFile {
    /// Begins a file; `what` is what it holds.
    ///
    /// # Errors
    /// When something has that name already, whatever it is, or the file cannot be made.
    pub(crate) fn create(path: &Path, what: &str) -> Result<OrderedFile, FileError> {
        let with = |ending: &str| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        let (part, sorted) = (with(".part"), with(".part.sorted"));
        // A link that leads nowhere is something too; hence not `exists`.
        if fs::symlink_metadata(path).is_ok() {
            let problem = format!("exists already; {what} are written to a new file");
            return Err(FileError::of_file(path, problem));
        }
        // `create_new`, for the other file may be that of a run which is still playing.
        let file = File::create_new(&part).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                let problem =
                    "exists already; another run writes it, or one that was killed left it";
                FileError::of_file(&part, problem)
            }
            _ => FileError::creating(path, &error),
        })?;
        Ok(OrderedFile {
            path: path.to_owned(),
            part,
            sorted,
            out: BufWriter::new(file),
            lines: Vec::new(),
            length: 0,
            written: Instant::now(),
        })
    }

    /// Adds a line.
    ///
    /// # Errors
    /// When the file cannot take it.
    pub(crate) fn add(&mut self, key: LineKey, line: &str) -> Result<(), FileError> {
        let length = line.len() as u64 + 1;
        let written = writeln!(self.out, "{line}");
        written.map_err(|error| FileError::writing(&self.path, &error))?;
        self.lines.push((key, self.length, length));
        self.length += length;
        self.write_if_due()
    }

    /// Adds a line whose place is after all lines before; a file has only such lines, or none.
    ///
    /// # Errors
    /// When the file cannot take it.
    pub(crate) fn append(&mut self, line: &str) -> Result<(), FileError> {
        let written = writeln!(self.out, "{line}");
        written.map_err(|error| FileError::writing(&self.path, &error))
    }

    /// Passes lines on to the operating system if they have waited for a second.
    ///
    /// # Errors
    /// When the file cannot take them.
    pub(crate) fn write_if_due(&mut self) -> Result<(), FileError> {
        if self.written.elapsed() < BETWEEN_WRITES {
            return Ok(());
        }
        self.written = Instant::now();
        let written = self.out.flush();
        written.map_err(|error| FileError::writing(&self.path, &error))
    }

    /// Brings the lines in order and gives the file its name.
    ///
    /// # Errors
    /// When the file cannot take the last lines, or the name.
    pub(crate) fn finish(mut self) -> Result<(), FileError> {
        let finished = self.order();
        finished.map_err(|error| FileError::writing(&self.path, &error))
    }

    fn order(&mut self) -> std::io::Result<()> {
        self.out.flush()?;
        if self.lines.is_sorted_by(|one, next| one.0 < next.0) {
            return fs::rename(&self.part, &self.path);
        }
        self.lines.sort_by_key(|line| line.0);
        self.lines.dedup_by_key(|line| line.0);
        let mut from = BufReader::new(File::open(&self.part)?);
        let mut to = BufWriter::new(File::create_new(&self.sorted)?);
        let mut place = 0;
        for &(_, start, length) in &self.lines {
            if start != place {
                from.seek(SeekFrom::Start(start))?;
            }
            std::io::copy(&mut (&mut from).take(length), &mut to)?;
            place = start + length;
        }
        to.flush()?;
        fs::rename(&self.sorted, &self.path)
    }
}

impl Drop for OrderedFile {
    fn drop(&mut self) {
        // After `finish` some of them are gone; and who cannot write often cannot remove either.
        let _ = fs::remove_file(&self.sorted);
        let _ = fs::remove_file(&self.part);
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
            file.finish().unwrap();
            let text = fs::read_to_string(&path).unwrap();
            let last = text.lines().map(|line| line.trim_start_matches('x'));
            assert_eq!(last.collect::<Vec<_>>(), ["0", "1", "2", "3"]);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_was_added_is_in_the_file_before_it_is_finished() {
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

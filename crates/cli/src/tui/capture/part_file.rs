//! A new file that appears under its name only once it is complete.

use anyhow::{Result, anyhow};
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A new file. Until it is finished, its name ends with `.part`; if it is never finished, it is
/// removed. An existing file of the same name is kept until then.
#[derive(Debug)]
pub(super) struct PartFile {
    path: PathBuf,
    part: PathBuf,
    out: BufWriter<File>,
}

impl PartFile {
    /// Begins a file. Fails if its folder does not exist, the name belongs to a folder, or another
    /// process is writing the file.
    pub(super) fn create(path: &Path) -> Result<PartFile> {
        if path.is_dir() {
            return Err(anyhow!(
                "{}: expected a file, found a folder",
                path.display()
            ));
        }
        // A device or a pipe must not be replaced by a file.
        if path.exists() && !path.is_file() {
            return Err(anyhow!(
                "{}: not a regular file, so it cannot be replaced",
                path.display()
            ));
        }
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        // `create_new`, because an existing file may belong to a recording in progress.
        let file = File::create_new(&part).map_err(|error| match error.kind() {
            ErrorKind::NotFound => anyhow!("{}: there is no such folder", path.display()),
            ErrorKind::AlreadyExists => anyhow!(
                "{}: already exists; another program is writing it, or a killed program left it behind",
                part.display()
            ),
            _ => cannot_write(path, &error),
        })?;
        Ok(PartFile {
            path: path.to_owned(),
            part,
            out: BufWriter::new(file),
        })
    }

    /// Gives the file its name.
    pub(super) fn finish(mut self) -> Result<()> {
        let done = self.out.flush();
        let done = done.and_then(|()| fs::rename(&self.part, &self.path));
        done.map_err(|error| cannot_write(&self.path, &error))
    }
}

/// Why a file could not be written.
pub(super) fn cannot_write(path: &Path, error: &dyn Display) -> anyhow::Error {
    anyhow!("{}: cannot be written: {error}", path.display())
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Seek for PartFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out.seek(to)
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        // After `finish`, the file is gone; and a process that cannot write often cannot remove
        // files either.
        let _ = fs::remove_file(&self.part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect()
    }

    #[test]
    fn a_file_has_its_name_only_when_it_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.gif");
        fs::write(&path, "old").unwrap();
        let mut file = PartFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["x.gif"]);
    }

    #[test]
    fn a_file_that_is_not_finished_is_taken_away() {
        let folder = tempfile::tempdir().unwrap();
        let file = PartFile::create(&folder.path().join("x.gif")).unwrap();
        assert_eq!(names(folder.path()), ["x.gif.part"]);
        drop(file);
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn errors_are_one_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let problem = |path: &Path| format!("{:#}", PartFile::create(path).unwrap_err());
        let path = folder.path().join("none/x.gif");
        let expected = format!("{}: there is no such folder", path.display());
        assert_eq!(problem(&path), expected);
        let expected = format!(
            "{}: expected a file, found a folder",
            folder.path().display()
        );
        assert_eq!(problem(folder.path()), expected);
    }

    #[test]
    fn two_do_not_write_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.gif");
        let first = PartFile::create(&path).unwrap();
        let problem = PartFile::create(&path).unwrap_err().to_string();
        assert!(problem.contains("x.gif.part: already exists"), "{problem}");
        first.finish().unwrap();
        assert_eq!(names(folder.path()), ["x.gif"]);
    }
}

//! The folder of a run, inside the folder of its lab.
//!
//! ```text
//! runs/                    the lab
//!   lab.sqlite             the store of all its runs
//!   cma-es-3f2a9c01/       a run
//!     lock                 locked while a process works on the run
//!     player.toml          the learned player
//!     asked.json           the name of the learner as the program's user typed it
//!     test.json            the program's test of the player
//!     player.safetensors   its network or tables, if it has any
//!     checkpoint.safetensors   the state on which the next generation depends, if the method writes one
//! ```

use super::LearningError;
use crate::library::{FileError, FileSource, PLAYER_FILE};
use std::borrow::Cow;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The folder of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    /// The folder of the lab.
    pub lab: PathBuf,
    /// The name of the run, in the store and as a folder.
    pub id: String,
}

/// An exclusive lock on a run, held until it is dropped or the process ends for any reason: the
/// operating system then releases it.
#[derive(Debug)]
pub struct RunLock {
    _file: File,
}

impl RunFolder {
    /// The run in this folder; its lab is the parent folder.
    ///
    /// # Errors
    /// If the path does not end with a name.
    pub fn at(path: &Path) -> Result<RunFolder, FileError> {
        let id = path.file_name().and_then(|name| name.to_str());
        let id = id.ok_or_else(|| {
            FileError::of_file(path, "expected a path that ends with the name of a run")
        })?;
        let lab = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(RunFolder {
            lab,
            id: id.to_owned(),
        })
    }

    /// A folder in a lab whose name consists of a word and a hash of a text, such as the command of
    /// the run.
    pub fn named(lab: &Path, word: &str, text: &str) -> RunFolder {
        let mut hash = crate::hash::Fnv::new();
        hash.add(text.as_bytes());
        let hash = hash.value();
        RunFolder {
            lab: lab.to_owned(),
            id: format!("{word}-{:08x}", (hash >> 32) as u32 ^ hash as u32),
        }
    }

    /// The folder itself.
    pub fn path(&self) -> PathBuf {
        self.lab.join(&self.id)
    }

    /// The store of the lab.
    pub fn store(&self) -> PathBuf {
        self.lab.join("lab.sqlite")
    }

    /// The file of the learned player.
    pub fn player(&self) -> PathBuf {
        self.path().join(PLAYER_FILE)
    }

    /// The text of the learned player with its model embedded, for readers without file access.
    ///
    /// # Errors
    /// If the run has no player yet, or its files are invalid.
    pub fn player_text(&self) -> Result<String, FileError> {
        let file = self.player().display().to_string();
        FileSource::Disk.one_text(&file).map(Cow::into_owned)
    }

    /// The file of the network or the tables of the learned player, if it has any.
    pub fn model(&self) -> PathBuf {
        model_beside(&self.player())
    }

    /// The checkpoint of the independent run with this number, starting at 0: the complete state on
    /// which its next generation depends.
    pub fn checkpoint(&self, run: u64) -> PathBuf {
        self.path().join(match run {
            0 => "checkpoint.safetensors".to_owned(),
            _ => format!("checkpoint-{}.safetensors", run + 1),
        })
    }

    /// Whether the run is `finished`, a process is working on it (`running`), or it was stopped
    /// early (`interrupted`).
    pub fn state(&self, has_ended: bool) -> &'static str {
        let lock = File::open(self.path().join("lock"));
        let is_locked =
            lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)));
        match (has_ended, is_locked) {
            (true, _) => "finished",
            (false, true) => "running",
            (false, false) => "interrupted",
        }
    }

    /// Creates the folder if it does not exist, and locks it.
    ///
    /// # Errors
    /// If the folder cannot be written, or another process is working on the run.
    pub fn lock(&self) -> Result<RunLock, LearningError> {
        let path = self.path();
        let wrong = |error: io::Error| FileError::writing(&path, &error);
        fs::create_dir_all(&path).map_err(wrong)?;
        let lock = path.join("lock");
        let mut options = File::options();
        let file = options.read(true).write(true).create(true).truncate(false);
        let mut file = file.open(&lock).map_err(wrong)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let process = fs::read_to_string(&lock).ok();
                let process = process.and_then(|text| text.trim().parse::<u32>().ok());
                let process =
                    process.map_or("another process".to_owned(), |id| format!("process {id}"));
                let folder = path.display();
                return LearningError::refused(format!(
                    "{folder}: {process} is working on this run"
                ));
            }
            Err(TryLockError::Error(error)) => return Err(wrong(error).into()),
        }
        // This is only used in an error message of other processes, so a failure does not matter.
        let _ = file.set_len(0);
        let _ = writeln!(file, "{}", std::process::id());
        Ok(RunLock { _file: file })
    }
}

/// Writes a file atomically, even in case of a power cut: it is first written to disk under another
/// name, and then renamed. A device or a pipe (`/dev/stdout`) is written to, and never replaced.
///
/// # Errors
/// If it cannot be written.
pub fn write_whole(path: &Path, text: &str) -> Result<(), FileError> {
    write_whole_bytes(path, text.as_bytes())
}

/// The file of a player's model, next to the player's file.
pub(crate) fn model_beside(player: &Path) -> PathBuf {
    player.with_extension("safetensors")
}

/// Like [`write_whole`], for bytes.
///
/// # Errors
/// If it cannot be written; an existing file then stays unchanged.
pub fn write_whole_bytes(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    if is_stream(path) {
        let opened = File::options().write(true).open(path);
        let written = opened.and_then(|mut stream| stream.write_all(bytes));
        return written.map_err(|error| FileError::writing(path, &error));
    }
    if path.is_dir() {
        return Err(FileError::creating(path, &ErrorKind::IsADirectory.into()));
    }
    // The file that a link leads to is replaced, not the link.
    let file = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let part = part_of(&file);
    let written = write_to_disk(&part, bytes).and_then(|()| fs::rename(&part, &file));
    written.map_err(|error| {
        let _ = fs::remove_file(&part);
        FileError::creating(path, &error)
    })
}

/// Tests whether a file can be written, without leaving anything behind.
#[cfg(feature = "store")]
pub(crate) fn try_to_write(path: &Path) -> Result<(), FileError> {
    if is_stream(path) {
        return Ok(());
    }
    let part = part_of(path);
    let tried = File::create(&part).and_then(|_| fs::remove_file(&part));
    tried.map_err(|error| FileError::writing(path, &error))
}

/// Whether a path leads to a device or a pipe.
fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// The name of a file until it is complete.
fn part_of(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    PathBuf::from(part)
}

fn write_to_disk(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("device");
        std::os::unix::fs::symlink("/dev/null", &link).unwrap();
        write_whole(&link, "text").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

//! Opens the database of a store.

use super::error::is_busy;
use rusqlite::{Connection, OpenFlags, Row, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait for another process that is writing.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// A transaction that may write from its start: two transactions that read first and write later
/// would block each other.
pub(super) fn immediate(connection: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate)
}

/// The file of changes that have not been merged into the store.
pub(super) fn log_of(path: &Path) -> PathBuf {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    PathBuf::from(log)
}

/// Opens a store in a read-only folder: `SQLite` then uses no locks.
pub(super) fn open_frozen(path: &Path) -> rusqlite::Result<Connection> {
    let path = path.display().to_string();
    let path = path
        .replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(format!("file:{path}?immutable=1"), flags)
}

/// Whether a database has no tables at all.
pub(super) fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    let tables = "SELECT count(*) FROM sqlite_master";
    let tables: i64 = connection.query_row(tables, [], |row| row.get(0))?;
    Ok(tables == 0)
}

/// Enables WAL. If two processes create a store at the same time, `SQLite` does not wait by itself.
pub(super) fn switch_to_wal(connection: &Connection) -> rusqlite::Result<()> {
    let began = Instant::now();
    loop {
        let mode = |row: &Row<'_>| row.get::<_, String>(0);
        match connection.pragma_update_and_check(None, "journal_mode", "WAL", mode) {
            Err(error) if is_busy(&error) && began.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(20));
            }
            done => return done.map(drop),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learning::Store;

    #[test]
    fn a_store_that_may_only_be_read_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("50% of what?#.sqlite");
        drop(Store::open(&path).unwrap());
        assert!(
            !log_of(&path).exists(),
            "a store that is closed is one file"
        );
        let frozen = open_frozen(&path).unwrap();
        assert_eq!(is_empty(&frozen), Ok(false));
        assert!(frozen.execute("DELETE FROM runs", []).is_err());
    }
}

//! Hashes of the content of a store, which detect damage and edits.
//!
//! Every generation has a hash that covers its row, its candidates and the hash of the previous
//! generation. Every run has a hash that covers its plan, its sessions and its endings. Rows are
//! hashed as the database returns them. Generations written by older versions have no hash; they
//! may only come before those that have one.

use crate::hash::Fnv;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, params};
use std::path::Path;

/// The maximum size of a store whose pages are all checked when it is opened; larger ones would
/// take seconds. Their content is checked by hashes in any case.
const CHECKED_WHOLE: u64 = 64 << 20;

/// The hashed content of a run, besides its generations.
const RUN_ROWS: [&str; 3] = [
    "SELECT number, id, plan, ended FROM runs WHERE id = ?1",
    "SELECT rowid, id, at, version, platform, process, command FROM provenance \
     WHERE id = ?1 ORDER BY rowid",
    "SELECT id, run, generations, reason FROM endings WHERE id = ?1 ORDER BY run",
];
/// The hashed content of a generation.
const GENERATION_ROWS: [&str; 2] = [
    "SELECT id, run, number, best, mean, spread, sigma, eigenvalues, solution, games, pieces, seconds \
     FROM generations WHERE id = ?1 AND run = ?2 AND number = ?3",
    "SELECT id, run, number, candidate, vector, fitness FROM candidates \
     WHERE id = ?1 AND run = ?2 AND number = ?3 ORDER BY candidate",
];
/// The part of a run that is not a generation.
const RUN: &str = "run";

/// The result of checking hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::learning) enum Checked {
    /// The content is unchanged; the hash follows.
    Intact(String),
    /// The content was written without a hash by an older version.
    Unknown,
    /// The content has changed.
    Damaged,
}

/// A hash of the rows of some queries, chained to another hash.
fn hash_rows(
    connection: &Connection,
    before: &str,
    questions: &[&str],
    params: &[&dyn rusqlite::ToSql],
) -> rusqlite::Result<String> {
    let mut hash = Fnv::new();
    hash.add(before.as_bytes());
    for question in questions {
        let mut statement = connection.prepare(question)?;
        let columns = statement.column_count();
        let mut rows = statement.query(params)?;
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                add_value(&mut hash, row.get_ref(column)?);
            }
        }
        hash.add(b";");
    }
    Ok(format!("{:016x}", hash.value()))
}

/// Adds a value with its type and, where it has one, its length.
fn add_value(hash: &mut Fnv, value: ValueRef<'_>) {
    match value {
        ValueRef::Null => hash.add(b"n"),
        ValueRef::Integer(number) => {
            hash.add(b"i");
            hash.add(&number.to_le_bytes());
        }
        ValueRef::Real(number) => {
            hash.add(b"r");
            hash.add(&number.to_bits().to_le_bytes());
        }
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            hash.add(b"t");
            hash.add(&(bytes.len() as u64).to_le_bytes());
            hash.add(bytes);
        }
    }
}

/// The stored hash of a part of a run.
fn stated(connection: &Connection, id: &str, part: &str) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT hash FROM checks WHERE id = ?1 AND part = ?2";
    let mut statement = connection.prepare(sql)?;
    statement
        .query_row(params![id, part], |row| row.get(0))
        .optional()
}

fn state(connection: &Connection, id: &str, part: &str, hash: &str) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO checks VALUES (?1, ?2, ?3)";
    connection.execute(sql, params![id, part, hash])?;
    Ok(())
}

fn part(run: u64, number: u64) -> String {
    format!("{run}/{number}")
}

/// Stores the current hash of a run without its generations.
pub(super) fn seal_run(connection: &Connection, id: &str) -> rusqlite::Result<()> {
    let hash = hash_rows(connection, "", &RUN_ROWS, params![id])?;
    state(connection, id, RUN, &hash)
}

/// Compares a run without its generations with its hash.
pub(super) fn check_run(connection: &Connection, id: &str) -> rusqlite::Result<Checked> {
    let Some(stated) = stated(connection, id, RUN)? else {
        return Ok(Checked::Unknown);
    };
    let found = hash_rows(connection, "", &RUN_ROWS, params![id])?;
    Ok(compared(stated, &found))
}

/// Stores the hash of a generation that was just added.
pub(super) fn seal_generation(
    connection: &Connection,
    id: &str,
    run: u64,
    number: u64,
) -> rusqlite::Result<()> {
    let before = match number {
        0 => None,
        _ => stated(connection, id, &part(run, number - 1))?,
    };
    let params = params![id, run as i64, number as i64];
    let before = before.unwrap_or_default();
    let hash = hash_rows(connection, &before, &GENERATION_ROWS, params)?;
    state(connection, id, &part(run, number), &hash)
}

/// Compares a generation with its hash; `before` is the hash of the previous generation.
pub(super) fn check_generation(
    connection: &Connection,
    id: &str,
    run: u64,
    number: u64,
    before: &Checked,
) -> rusqlite::Result<Checked> {
    let Some(stated) = stated(connection, id, &part(run, number))? else {
        return Ok(match before {
            Checked::Unknown => Checked::Unknown,
            _ => Checked::Damaged,
        });
    };
    let before = match before {
        Checked::Intact(hash) => hash,
        _ => "",
    };
    let params = params![id, run as i64, number as i64];
    let found = hash_rows(connection, before, &GENERATION_ROWS, params)?;
    Ok(compared(stated, &found))
}

fn compared(stated: String, found: &str) -> Checked {
    if stated == found {
        Checked::Intact(stated)
    } else {
        Checked::Damaged
    }
}

/// Problems that the database finds in its own pages, unless there are too many pages to check.
pub(super) fn page_problem(
    connection: &Connection,
    path: &Path,
) -> rusqlite::Result<Option<String>> {
    if path
        .metadata()
        .is_ok_and(|found| found.len() > CHECKED_WHOLE)
    {
        return Ok(None);
    }
    let first = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
    let found = connection.query_row("PRAGMA integrity_check(1)", [], first)?;
    Ok((found != "ok").then_some(found))
}

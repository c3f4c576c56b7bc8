//! Reads and writes the rows of the tables.

use super::StoredRun;
use crate::learning::description::StoredPlan;
use crate::learning::generation::Generation;
use rusqlite::{Row, Transaction, params};

/// Selects runs for [`run_row`].
pub(super) const RUNS: &str = "SELECT id, plan, ended, \
    (SELECT min(at) FROM provenance WHERE provenance.id = runs.id), \
    (SELECT count(*) FROM generations WHERE generations.id = runs.id) FROM runs";

pub(super) fn run_row(row: &Row<'_>) -> rusqlite::Result<StoredRun> {
    Ok(StoredRun {
        id: row.get(0)?,
        plan: json_column::<StoredPlan>(row, 1)?.0,
        ended: row.get(2)?,
        begun: row.get(3)?,
        generations: count(row, 4)?,
    })
}

/// A column that is never negative.
pub(in crate::learning) fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(column).map(i64::cast_unsigned)
}

/// A column that contains JSON.
pub(in crate::learning) fn json_column<T: serde::de::DeserializeOwned>(
    row: &Row<'_>,
    column: usize,
) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| {
        let kind = rusqlite::types::Type::Text;
        rusqlite::Error::FromSqlConversionFailure(column, kind, Box::new(error))
    })
}

/// A vector as JSON.
fn json(vector: &[f64]) -> String {
    serde_json::to_string(vector).expect("numbers are JSON")
}

pub(super) fn add_session(tx: &Transaction<'_>, id: &str, command: &str) -> rusqlite::Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let platform = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    let row = params![id, version, platform, std::process::id(), command];
    let columns = "id, at, version, platform, process, command";
    // SQLite has no dates beyond the year 9999.
    let now = "ifnull(strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), '10000-01-01T00:00:00Z')";
    let values = format!("?1, {now}, ?2, ?3, ?4, ?5");
    tx.execute(
        &format!("INSERT INTO provenance ({columns}) VALUES ({values})"),
        row,
    )?;
    Ok(())
}

pub(super) fn add_generation(
    tx: &Transaction<'_>,
    id: &str,
    of: &Generation,
) -> rusqlite::Result<()> {
    let Generation { diagnostics, .. } = of;
    let values = "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12";
    tx.execute(
        &format!("INSERT INTO generations VALUES ({values})"),
        params![
            id,
            of.run as i64,
            of.number as i64,
            of.best(),
            of.mean(),
            diagnostics.spread,
            diagnostics.sigma,
            json(&diagnostics.eigenvalues),
            json(&of.solution),
            of.games as i64,
            of.pieces as i64,
            of.seconds,
        ],
    )?;
    Ok(())
}

/// If the run is cancelled, this many candidates are written nevertheless.
const WRITTEN_ANYWAY: usize = 1000;

/// Adds the candidates of a generation; false if the run was cancelled in the meantime.
pub(super) fn add_candidates(
    tx: &Transaction<'_>,
    id: &str,
    of: &Generation,
    is_stopped: &dyn Fn() -> bool,
) -> rusqlite::Result<bool> {
    let mut insert = tx.prepare("INSERT INTO candidates VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
    let (run, number) = (of.run as i64, of.number as i64);
    for (index, (vector, fitness)) in of.candidates.iter().zip(&of.fitness).enumerate() {
        // A short write is completed, because saving a whole generation justifies the wait.
        if index >= WRITTEN_ANYWAY && is_stopped() {
            return Ok(false);
        }
        insert.execute(params![
            id,
            run,
            number,
            index as i64,
            json(vector),
            fitness
        ])?;
    }
    Ok(true)
}

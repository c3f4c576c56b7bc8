//! The store: every run of a lab with its generations and candidates, in one SQLite file.
//!
//! A generation is one transaction, so a process that is killed leaves complete generations. The
//! file is in WAL mode: readers and a writer do not wait for each other, and writers of different
//! runs wait only briefly. Vectors are stored as JSON arrays of numbers, which are preserved bit
//! for bit. The tables are defined in `schema.sql` and `schema_2.sql`; any SQL tool can query them.
//!
//! Everything that is stored has a hash (see `checks`), which is verified on every read: a damaged
//! or edited store is rejected instead of producing a different player.

mod checks;
mod error;
mod export;
mod generations;
mod keeper;
mod open;
mod rows;

pub(super) use checks::Checked;
pub use error::StoreError;
pub use export::{RunTotals, candidates, generations, run_json, totals};
pub(crate) use keeper::KeptInLab;
use rows::{count, json_column};

use super::description::Learning;
use super::generation::{Generation, StoredEnding};
use checks::{check_run, page_problem, seal_generation, seal_run};
use open::{PATIENCE, immediate, is_empty, log_of, open_frozen, switch_to_wal};
use rows::{RUNS, add_candidates, add_generation, add_session, run_row};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, Transaction, params};
use std::path::{Path, PathBuf};

const SCHEMA: &str = include_str!("schema.sql");
const SCHEMA_2: &str = include_str!("schema_2.sql");
/// The version of the schema; other versions have different tables.
const VERSION: i64 = 2;
/// The schema without hashes and endings, which can be read, and is upgraded when it is written.
const OLD_VERSION: i64 = 1;

/// The store of a lab.
pub struct Store {
    connection: Connection,
    path: PathBuf,
    /// Whether the schema has hashes and endings.
    has_checks: bool,
}

/// A stored run.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRun {
    /// The name of the run.
    pub id: String,
    /// The description of the run.
    pub plan: Learning,
    /// Why each of the independent runs ended, separated by semicolons; empty while the run is in
    /// progress.
    pub ended: Option<String>,
    /// When the run was started (UTC).
    pub begun: String,
    /// Number of generations.
    pub generations: u64,
}

impl StoredRun {
    /// Checks that a plan is that of this run.
    ///
    /// # Errors
    /// If it is a different one.
    pub fn check(&self, plan: &Learning) -> Result<()> {
        match self.plan.difference(plan) {
            None => Ok(()),
            Some(difference) => Err(StoreError::OtherPlan {
                id: self.id.clone(),
                difference,
            }),
        }
    }
}

type Result<T> = std::result::Result<T, StoreError>;

impl Store {
    /// Opens a store, or creates it.
    ///
    /// # Errors
    /// If the file is not a store or cannot be written.
    pub fn open(path: &Path) -> Result<Store> {
        let is_new = !path.exists();
        let opened = Connection::open(path);
        let mut store = Store::of(path, opened)?;
        store.make().map_err(|error| {
            if is_new {
                error.before_anything()
            } else {
                error
            }
        })?;
        store.check_whole()?;
        Ok(store)
    }

    /// Creates the tables of a new store, or upgrades an older one.
    fn make(&mut self) -> Result<()> {
        self.ask(switch_to_wal)?;
        self.change(|tx| {
            // If two processes create a store at the same time, the second finds it already
            // created.
            if is_empty(tx)? {
                tx.execute_batch(SCHEMA)?;
                tx.execute_batch(SCHEMA_2)?;
                tx.pragma_update(None, "user_version", VERSION)?;
            } else if version(tx)? == OLD_VERSION {
                tx.execute_batch(SCHEMA_2)?;
                tx.pragma_update(None, "user_version", VERSION)?;
            }
            Ok(())
        })
    }

    /// Opens a store for reading.
    ///
    /// # Errors
    /// If it does not exist or cannot be read.
    pub fn read(path: &Path) -> Result<Store> {
        let missing = || {
            let problem = "no runs are stored here; `tetrolab learn` creates the store";
            StoreError::unusable(path, problem.to_owned())
        };
        Store::find(path)?.ok_or_else(missing)
    }

    /// Opens a store for reading, if there is one. A file that was not created completely is
    /// ignored.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn find(path: &Path) -> Result<Option<Store>> {
        if !path.exists() {
            return Ok(None);
        }
        // Opens the file for writing if permitted, because the next process that opens a store
        // rolls back the unfinished work of a killed one.
        let opened = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE);
        match Store::of(path, opened).and_then(Store::unless_empty) {
            Err(error) if error.is_read_only() && !log_of(path).exists() => {
                Store::of(path, open_frozen(path)).and_then(Store::unless_empty)
            }
            found => found,
        }
    }

    fn unless_empty(mut self) -> Result<Option<Store>> {
        if self.ask(is_empty)? {
            return Ok(None);
        }
        self.check_whole()?;
        Ok(Some(self))
    }

    /// Checks the schema, and the pages of the file.
    fn check_whole(&mut self) -> Result<()> {
        self.check_version()?;
        match self.ask(|connection| page_problem(connection, &self.path))? {
            None => Ok(()),
            Some(problem) => Err(self.damaged(&problem)),
        }
    }

    fn of(path: &Path, opened: rusqlite::Result<Connection>) -> Result<Store> {
        let patient = opened.and_then(|connection| {
            connection.busy_timeout(PATIENCE)?;
            // With this setting, a power cut may lose the last generations, but never the whole
            // store.
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            Ok(connection)
        });
        let connection = patient.map_err(|error| StoreError::sql(path, error))?;
        let path = path.to_owned();
        Ok(Store {
            connection,
            path,
            has_checks: false,
        })
    }

    fn check_version(&mut self) -> Result<()> {
        let found = self.ask(version)?;
        self.has_checks = found == VERSION;
        if [VERSION, OLD_VERSION].contains(&found) {
            return Ok(());
        }
        let problem = format!(
            "the store has schema {found}, but this version of tetrolab supports schema {VERSION}"
        );
        Err(StoreError::unusable(&self.path, problem))
    }

    /// Records that a process starts or resumes a run, and the command that repeats it.
    ///
    /// # Errors
    /// If the store cannot be written, or has another run with this name.
    pub fn begin(&mut self, id: &str, plan: &Learning, provenance: &str) -> Result<()> {
        if let Some(run) = self.run(id)? {
            run.check(plan)?;
            return self.change(|tx| {
                add_session(tx, id, provenance)?;
                seal_run(tx, id)
            });
        }
        let text = serde_json::to_string(plan).expect("a plan is JSON");
        let begun = self.change(|tx| {
            tx.execute(
                "INSERT INTO runs (id, plan) VALUES (?1, ?2)",
                params![id, text],
            )?;
            add_session(tx, id, provenance)?;
            seal_run(tx, id)
        });
        begun.map_err(StoreError::before_anything)
    }

    /// Stores a generation with its candidates; false if it was cancelled before everything was
    /// written.
    ///
    /// # Errors
    /// If the store cannot be written; then it contains nothing of the generation.
    pub(super) fn add(
        &mut self,
        id: &str,
        generation: &Generation,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<bool> {
        let Generation { run, number, .. } = *generation;
        let mut stopped = false;
        let added = self.change(|tx| {
            add_generation(tx, id, generation)?;
            if !add_candidates(tx, id, generation, is_stopped)? {
                stopped = true;
                // The partly written generation is rolled back.
                return Err(rusqlite::Error::StatementChangedRows(0));
            }
            seal_generation(tx, id, run, number)
        });
        if stopped {
            Ok(false)
        } else {
            added.map(|()| true)
        }
    }

    /// Records that one of the independent runs of a plan has ended after this many generations,
    /// and why.
    pub(super) fn end(&mut self, id: &str, run: u64, ending: &StoredEnding) -> Result<()> {
        let generations = ending.generations as i64;
        self.change(|tx| {
            tx.execute(
                "INSERT OR REPLACE INTO endings VALUES (?1, ?2, ?3, ?4)",
                params![id, run as i64, generations, ending.reason],
            )?;
            seal_run(tx, id)
        })
    }

    /// How one of the independent runs of a plan ended, if it has.
    pub(super) fn ending(&self, id: &str, run: u64) -> Result<Option<StoredEnding>> {
        if !self.has_checks {
            return Ok(None);
        }
        let sql = "SELECT generations, reason FROM endings WHERE id = ?1 AND run = ?2";
        let ending = |row: &Row<'_>| {
            Ok(StoredEnding {
                generations: count(row, 0)?,
                reason: row.get(1)?,
            })
        };
        let params = params![id, run as i64];
        self.ask(|connection| connection.query_row(sql, params, ending).optional())
    }

    /// Records that a run is finished, and why.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn finish(&mut self, id: &str, stops: &[String]) -> Result<()> {
        let ended = stops.join("; ");
        self.change(|tx| {
            tx.execute(
                "UPDATE runs SET ended = ?2 WHERE id = ?1",
                params![id, ended],
            )?;
            seal_run(tx, id)
        })
    }

    /// The run with this name, if there is one.
    ///
    /// # Errors
    /// If the store cannot be read, or the run is damaged.
    pub fn run(&self, id: &str) -> Result<Option<StoredRun>> {
        let _moment = self.one_moment()?;
        let sql = format!("{RUNS} WHERE id = ?1");
        let found = self.ask(|connection| connection.query_row(&sql, [id], run_row).optional())?;
        found.map(|run| self.checked(run)).transpose()
    }

    /// All runs, the latest first.
    ///
    /// # Errors
    /// If the store cannot be read, or a run is damaged.
    pub fn runs(&self) -> Result<Vec<StoredRun>> {
        let _moment = self.one_moment()?;
        let sql = format!("{RUNS} ORDER BY number DESC");
        let runs = self.rows(&sql, params![], run_row)?;
        runs.into_iter().map(|run| self.checked(run)).collect()
    }

    /// While this exists, all reads see one snapshot, even if other processes are writing.
    fn one_moment(&self) -> Result<Transaction<'_>> {
        self.ask(Connection::unchecked_transaction)
    }

    /// Returns the run if its hash is correct, or if it has none.
    fn checked(&self, run: StoredRun) -> Result<StoredRun> {
        if !self.has_checks {
            return Ok(run);
        }
        match self.ask(|connection| check_run(connection, &run.id))? {
            Checked::Damaged => Err(self.damaged(&format!("run {} was changed", run.id))),
            _ => Ok(run),
        }
    }

    /// All rows of a query.
    pub(super) fn rows<T>(
        &self,
        sql: &str,
        params: &[&dyn rusqlite::ToSql],
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        self.ask(|connection| connection.prepare(sql)?.query_map(params, read)?.collect())
    }

    /// Queries the database; errors name the file.
    fn ask<'a, T>(
        &'a self,
        question: impl FnOnce(&'a Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        question(&self.connection).map_err(|error| StoreError::sql(&self.path, error))
    }

    /// Changes the store in one transaction.
    fn change(
        &mut self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>,
    ) -> Result<()> {
        let all = || {
            let transaction = immediate(&mut self.connection)?;
            change(&transaction)?;
            transaction.commit()
        };
        all().map_err(|error| StoreError::sql(&self.path, error))
    }

    fn damaged(&self, problem: &str) -> StoreError {
        let problem = format!(
            "the store is damaged or was edited: {problem}; restore the file from a copy, or start the run again in another lab"
        );
        StoreError::unusable(&self.path, problem)
    }
}

/// The version of a database's schema.
fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

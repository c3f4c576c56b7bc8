//! The store: every run of a lab with its generations and candidates, in one SQLite file.
//!
//! A generation is one transaction, so a process that is killed leaves whole generations. The file is in WAL mode: readers and a
//! writer do not wait for each other, and writers of different runs wait a moment. Vectors are JSON arrays whose numbers read
//! back bit for bit. The tables are in `schema.sql`; they can be queried with any SQL tool.

mod error;
mod open;
mod rows;

pub use error::StoreError;
pub(super) use rows::{count, json_column};

use super::description::Learning;
use super::generation::Generation;
use super::objective::Judgement;
use open::{PATIENCE, immediate, is_empty, log_of, open_frozen, switch_to_wal};
use rows::{RUNS, add_candidates, add_generation, add_session, run_row};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, Transaction, params};
use std::path::{Path, PathBuf};

const SCHEMA: &str = include_str!("schema.sql");
/// The number of the schema; another one is another layout of tables.
const VERSION: i64 = 1;

/// The store of a lab.
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

/// A run as the store has it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRun {
    /// Its name.
    pub id: String,
    /// What it does.
    pub plan: Learning,
    /// Why each of its runs ended, with semicolons between; nothing while it goes on.
    pub ended: Option<String>,
    /// When it was begun (UTC).
    pub begun: String,
    /// How many generations there are.
    pub generations: u64,
}

impl StoredRun {
    /// Checks that a plan is that of this run.
    ///
    /// # Errors
    /// When it is another.
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

/// A generation as the store has it: enough to tell the optimiser again.
pub(super) struct StoredGeneration {
    pub candidates: Vec<Vec<f64>>,
    pub judgement: Judgement,
    pub seconds: f64,
}

type Result<T> = std::result::Result<T, StoreError>;

impl Store {
    /// Opens a store, or makes it.
    ///
    /// # Errors
    /// When the file is not a store or cannot be written.
    pub fn open(path: &Path) -> Result<Store> {
        let opened = Connection::open(path);
        let mut store = Store::of(path, opened)?;
        switch_to_wal(&store.connection).map_err(|error| store.wrong(error))?;
        store.change(|tx| {
            // Of two processes that make a store at once the second finds it made.
            if is_empty(tx)? {
                tx.execute_batch(SCHEMA)?;
                tx.pragma_update(None, "user_version", VERSION)?;
            }
            Ok(())
        })?;
        store.check_version()?;
        Ok(store)
    }

    /// Opens a store to read it.
    ///
    /// # Errors
    /// When there is none or it cannot be read.
    pub fn read(path: &Path) -> Result<Store> {
        let missing = || StoreError::Missing {
            path: path.display().to_string(),
        };
        Store::find(path)?.ok_or_else(missing)
    }

    /// Opens a store to read it, if there is one. A file that a process has only begun to make is none.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn find(path: &Path) -> Result<Option<Store>> {
        if !path.exists() {
            return Ok(None);
        }
        // For writing too, where the file allows it: what a killed process left half done is undone by the next that opens it.
        let opened = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE);
        match Store::of(path, opened).and_then(Store::unless_empty) {
            Err(error) if error.is_read_only() && !log_of(path).exists() => {
                Store::of(path, open_frozen(path)).and_then(Store::unless_empty)
            }
            found => found,
        }
    }

    fn unless_empty(self) -> Result<Option<Store>> {
        if is_empty(&self.connection).map_err(|error| self.wrong(error))? {
            return Ok(None);
        }
        self.check_version()?;
        Ok(Some(self))
    }

    fn of(path: &Path, opened: rusqlite::Result<Connection>) -> Result<Store> {
        let patient = opened.and_then(|connection| {
            connection.busy_timeout(PATIENCE)?;
            // A power cut may then cost the last generations, but never the store.
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            Ok(connection)
        });
        let connection = patient.map_err(|error| StoreError::sql(path, error))?;
        let path = path.to_owned();
        Ok(Store { connection, path })
    }

    fn check_version(&self) -> Result<()> {
        let version = self
            .connection
            .pragma_query_value(None, "user_version", |row| row.get(0));
        let found: i64 = version.map_err(|error| self.wrong(error))?;
        if found == VERSION {
            return Ok(());
        }
        Err(StoreError::Version {
            path: self.path.display().to_string(),
            found,
            wanted: VERSION,
        })
    }

    /// Notes that a process begins or resumes a run, and what repeats it.
    ///
    /// # Errors
    /// When the store cannot be written, or holds another run of this name.
    pub fn begin(&mut self, id: &str, plan: &Learning, provenance: &str) -> Result<()> {
        if let Some(run) = self.run(id)? {
            run.check(plan)?;
            return self.change(|tx| add_session(tx, id, provenance));
        }
        let text = serde_json::to_string(plan).expect("a plan is JSON");
        self.change(|tx| {
            tx.execute(
                "INSERT INTO runs (id, plan) VALUES (?1, ?2)",
                params![id, text],
            )?;
            add_session(tx, id, provenance)
        })
    }

    /// Keeps a generation with its candidates.
    ///
    /// # Errors
    /// When the store cannot be written; then nothing of the generation is in it.
    pub fn add(&mut self, id: &str, generation: &Generation) -> Result<()> {
        self.change(|tx| {
            add_generation(tx, id, generation)?;
            add_candidates(tx, id, generation)
        })
    }

    /// Notes that a run is done, and why.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn finish(&mut self, id: &str, stops: &[String]) -> Result<()> {
        let ended = stops.join("; ");
        self.change(|tx| {
            tx.execute(
                "UPDATE runs SET ended = ?2 WHERE id = ?1",
                params![id, ended],
            )?;
            Ok(())
        })
    }

    /// The run with this name, if there is one.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn run(&self, id: &str) -> Result<Option<StoredRun>> {
        let sql = format!("{RUNS} WHERE id = ?1");
        let found = self.connection.query_row(&sql, [id], run_row).optional();
        found.map_err(|error| self.wrong(error))
    }

    /// All runs, the latest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn runs(&self) -> Result<Vec<StoredRun>> {
        self.rows(&format!("{RUNS} ORDER BY number DESC"), params![], run_row)
    }

    /// What there is of one run of a plan, generation by generation.
    pub(super) fn generations(&self, id: &str, run: u64) -> Result<Vec<StoredGeneration>> {
        let sql = "SELECT number, games, pieces, seconds FROM generations WHERE id = ?1 AND run = ?2 ORDER BY number";
        let rows = self.rows(sql, params![id, run as i64], |row| {
            Ok((
                row.get::<_, i64>(0)?,
                count(row, 1)?,
                count(row, 2)?,
                row.get(3)?,
            ))
        })?;
        let whole = |(number, games, pieces, seconds)| {
            let (candidates, fitness) = self.candidates(id, run, number)?;
            let judgement = Judgement {
                fitness,
                games,
                pieces,
                cut_off: None,
            };
            Ok(StoredGeneration {
                candidates,
                judgement,
                seconds,
            })
        };
        rows.into_iter().map(whole).collect()
    }

    /// The vectors of a generation, and the fitness of each.
    fn candidates(&self, id: &str, run: u64, number: i64) -> Result<(Vec<Vec<f64>>, Vec<f64>)> {
        let sql = "SELECT vector, fitness FROM candidates WHERE id = ?1 AND run = ?2 AND number = ?3 ORDER BY candidate";
        let rows = self.rows(sql, params![id, run as i64, number], |row| {
            Ok((json_column::<Vec<f64>>(row, 0)?, row.get::<_, f64>(1)?))
        })?;
        Ok(rows.into_iter().unzip())
    }

    /// All rows of a question.
    pub(super) fn rows<T>(
        &self,
        sql: &str,
        params: &[&dyn rusqlite::ToSql],
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let ask = || {
            let mut statement = self.connection.prepare(sql)?;
            statement
                .query_map(params, read)?
                .collect::<rusqlite::Result<Vec<T>>>()
        };
        ask().map_err(|error| self.wrong(error))
    }

    /// Changes the store: all of it, or nothing.
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

    fn wrong(&self, error: rusqlite::Error) -> StoreError {
        StoreError::sql(&self.path, error)
    }
}

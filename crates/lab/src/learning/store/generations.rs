//! Generations of a run, read one after the other and compared with their hashes.

use super::checks::{Checked, check_generation};
use super::{Result, Store, count, json_column};
use crate::learning::generation::StoredGeneration;
use crate::learning::objective::Judgement;
use rusqlite::{OptionalExtension, Row, params};

impl Store {
    /// Checks the hashes of all generations of a run.
    pub(in crate::learning) fn check_generations(&self, id: &str) -> Result<()> {
        if !self.has_checks {
            return Ok(());
        }
        let sql = "SELECT run, number FROM generations WHERE id = ?1 ORDER BY run, number";
        let all = self.rows(sql, params![id], |row| Ok((count(row, 0)?, count(row, 1)?)))?;
        let mut before = Checked::Unknown;
        for (run, number) in all {
            if number == 0 {
                before = Checked::Unknown;
            }
            before = self.check_generation(id, run, number, &before)?;
        }
        Ok(())
    }

    fn check_generation(
        &self,
        id: &str,
        run: u64,
        number: u64,
        before: &Checked,
    ) -> Result<Checked> {
        if !self.has_checks {
            return Ok(Checked::Unknown);
        }
        match self.ask(|connection| check_generation(connection, id, run, number, before))? {
            Checked::Damaged => Err(self.damaged(&format!(
                "generation {} of run {} of {id} was changed",
                number + 1,
                run + 1
            ))),
            checked => Ok(checked),
        }
    }

    /// A generation of one of a plan's runs, if it exists; `before` is its predecessor.
    pub(in crate::learning) fn generation(
        &self,
        id: &str,
        run: u64,
        number: u64,
        before: Option<&StoredGeneration>,
    ) -> Result<Option<StoredGeneration>> {
        let sql = "SELECT games, pieces, seconds FROM generations \
                   WHERE id = ?1 AND run = ?2 AND number = ?3";
        let params = params![id, run as i64, number as i64];
        let read = |row: &Row<'_>| Ok((count(row, 0)?, count(row, 1)?, row.get(2)?));
        let found = self.ask(|connection| connection.query_row(sql, params, read).optional())?;
        let Some((games, pieces, seconds)) = found else {
            self.check_last(id, run, number)?;
            return Ok(None);
        };
        let before = before.map_or(&Checked::Unknown, |before| &before.checked);
        let checked = self.check_generation(id, run, number, before)?;
        let (candidates, fitness) = self.candidates(id, run, number as i64)?;
        let judgement = Judgement {
            fitness,
            games,
            pieces,
            cut_off: None,
        };
        Ok(Some(StoredGeneration {
            candidates,
            judgement,
            seconds,
            checked,
        }))
    }

    /// Checks that there is no generation after a missing one.
    fn check_last(&self, id: &str, run: u64, missing: u64) -> Result<()> {
        let sql = "SELECT count(*) FROM generations WHERE id = ?1 AND run = ?2 AND number > ?3";
        let params = params![id, run as i64, missing as i64];
        match self.ask(|connection| connection.query_row(sql, params, |row| count(row, 0)))? {
            0 => Ok(()),
            _ => Err(self.damaged(&format!(
                "generation {} of run {} of {id} is missing",
                missing + 1,
                run + 1
            ))),
        }
    }

    /// All generations of one run of a plan.
    pub(in crate::learning) fn generations(
        &self,
        id: &str,
        run: u64,
    ) -> Result<Vec<StoredGeneration>> {
        let mut all: Vec<StoredGeneration> = Vec::new();
        while let Some(next) = self.generation(id, run, all.len() as u64, all.last())? {
            all.push(next);
        }
        Ok(all)
    }

    /// The vectors of a generation, and the fitness of each.
    fn candidates(&self, id: &str, run: u64, number: i64) -> Result<(Vec<Vec<f64>>, Vec<f64>)> {
        let sql = "SELECT vector, fitness FROM candidates WHERE id = ?1 AND run = ?2 AND number = ?3 ORDER BY candidate";
        let rows = self.rows(sql, params![id, run as i64, number], |row| {
            Ok((json_column::<Vec<f64>>(row, 0)?, row.get::<_, f64>(1)?))
        })?;
        Ok(rows.into_iter().unzip())
    }
}

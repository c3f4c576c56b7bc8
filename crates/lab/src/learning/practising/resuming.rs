//! Checkpoints of learners that play: how they are written, and how a run goes on from one.

use super::Practising;
use crate::learners::Diagnostics;
use crate::learning::folder::write_whole_bytes;
use crate::learning::generation::Generation;
use crate::learning::store::StoredGeneration;
use crate::learning::{Learning, LearningError};
use crate::library::FileError;
use crate::library::safetensors::Tensors;
use serde::{Deserialize, Serialize};

/// What came of a period, as a checkpoint has it; numbers are bits where digits could lose some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PeriodRow {
    pub(super) fitness: u64,
    pub(super) games: u64,
    pub(super) pieces: u64,
    pub(super) seconds: u64,
}

impl PeriodRow {
    pub(super) fn of_store(known: &StoredGeneration) -> PeriodRow {
        PeriodRow {
            fitness: known
                .judgement
                .fitness
                .first()
                .map_or(0, |one| one.to_bits()),
            games: known.judgement.games,
            pieces: known.judgement.pieces,
            seconds: known.seconds.to_bits(),
        }
    }

    /// The row of a period in the store.
    pub(super) fn generation(self, period: u64, from_store: bool) -> Generation {
        Generation {
            run: 0,
            number: period,
            candidates: vec![Vec::new()],
            fitness: vec![f64::from_bits(self.fitness)],
            solution: Vec::new(),
            diagnostics: Diagnostics::default(),
            games: self.games,
            pieces: self.pieces,
            cut_off: None,
            seconds: f64::from_bits(self.seconds),
            from_store,
        }
    }

    /// Whether another is the same but for the time that it took.
    pub(super) fn is_same(self, other: PeriodRow) -> bool {
        let seconds = self.seconds;
        self == PeriodRow { seconds, ..other }
    }
}

impl Practising<'_> {
    /// Replaces the checkpoint by one after the periods that are done.
    pub(super) fn keep(&self) -> Result<(), FileError> {
        let mut tensors = self.apprentice.checkpoint();
        tensors.say("periods", &self.done.len().to_string());
        tensors.say("plan", &to_json(&self.task.plan));
        tensors.say("rows", &to_json(&self.done));
        if let Some((fitness, model)) = &self.best {
            tensors.say("best.fitness", &fitness.to_bits().to_string());
            let numbers = model.numbers().to_vec();
            tensors.add("best", &[numbers.len()], numbers);
        }
        write_whole_bytes(&self.run.checkpoint(), &tensors.sealed_bytes())
    }

    /// Goes on from the checkpoint, if there is one. The store has so many periods.
    pub(super) fn restore(&mut self, stored: usize) -> Result<(), LearningError> {
        let path = self.run.checkpoint();
        if !path.exists() {
            return Ok(());
        }
        let wrong = |problem: &str| {
            let fix =
                "without this file the run learns again from its beginning, with the same result";
            FileError::of_file(&path, format!("{problem}; {fix}"))
        };
        let tensors = Tensors::read(&path).map_err(|error| wrong(&error.problem))?;
        let foreign = || wrong("is not a checkpoint of this run");
        let plan = tensors.word("plan").map(serde_json::from_str::<Learning>);
        let Some(Ok(plan)) = plan else {
            return Err(foreign().into());
        };
        if plan.difference(&self.task.plan).is_some() {
            return Err(foreign().into());
        }
        let restored = self.apprentice.restore(&tensors);
        restored.map_err(|problem| wrong(&problem))?;
        let number = |key: &str| tensors.word(key)?.parse::<u64>().ok();
        if let (Some(bits), Some(best)) = (number("best.fitness"), tensors.find("best")) {
            let model = self.apprentice.model().with_numbers(best.numbers.clone());
            let model = model.map_err(|problem| wrong(&problem.to_string()))?;
            self.best = Some((f64::from_bits(bits), model));
        }
        let periods = number("periods").ok_or_else(foreign)?;
        self.done = match tensors.word("rows") {
            Some(rows) => serde_json::from_str(rows).map_err(|_| foreign())?,
            // An older checkpoint has no rows: those of the store must do.
            None => {
                if (stored as u64) < periods {
                    let problem = format!(
                        "has {periods} periods of training, but the store has only {stored} of them"
                    );
                    return Err(wrong(&problem).into());
                }
                let all = self.store.generations(&self.run.id, 0)?;
                let first = all.iter().take(periods as usize);
                first.map(PeriodRow::of_store).collect()
            }
        };
        if self.done.len() as u64 != periods {
            return Err(foreign().into());
        }
        self.last = (periods > 0).then(|| self.apprentice.model());
        Ok(())
    }

    /// Adds to the store the periods that only the checkpoint has; refuses where both have others.
    pub(super) fn bring_in_line(&mut self, stored: &[PeriodRow]) -> Result<(), LearningError> {
        let mut pairs = self.done.iter().zip(stored);
        if let Some(other) = pairs.position(|(done, stored)| !done.is_same(*stored)) {
            return Err(LearningError::OtherCheckpoint {
                period: other as u64 + 1,
                checkpoint: self.run.checkpoint().display().to_string(),
            });
        }
        for period in stored.len()..self.done.len() {
            let missing = self.done[period].generation(period as u64, true);
            self.store.add(&self.run.id, &missing, &|| false)?;
        }
        Ok(())
    }
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plans and counts are JSON")
}

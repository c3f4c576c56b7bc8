//! The driver: lets the optimiser ask, the objective judge, and the store keep what was found; knows when it is enough.

use super::generation::{Asked, Generation, Judged};
use super::objective::Stage;
use super::{Budget, LearningError, Store, Task};
use crate::arena::{Arena, Limits};
use crate::learners::Optimizer;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

pub use crate::arena::Progress;

/// What a run is made on; it does not change what is learned.
#[derive(Default)]
pub struct Machine {
    /// How many threads play; 0 means one for every core.
    pub threads: usize,
    /// Make every decision on the general path.
    pub no_kernel: bool,
    /// Stops the run when raised.
    pub stop: Arc<AtomicBool>,
    /// Is told how far the games of a generation have come.
    pub observer: Option<Box<dyn Fn(Progress) + Send + Sync>>,
}

/// What came of all runs of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// The solution of each run.
    pub solutions: Vec<Vec<f64>>,
    /// Why each run ended.
    pub stops: Vec<String>,
    /// How many games were played, those of the store included.
    pub games: u64,
    /// How many pieces were placed.
    pub pieces: u64,
    /// How long it took.
    pub seconds: f64,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// All runs are done.
    Learned(Learned),
    /// The stop flag was raised; the store holds what was done.
    Interrupted,
}

/// Carries out a task, or the rest of it: what the store holds of the run is told again, not played again. `watch` sees every
/// generation.
///
/// # Errors
/// When candidates cannot play, or the store cannot be read or written.
pub fn learn(
    task: &Task,
    machine: Machine,
    store: &mut Store,
    id: &str,
    watch: &mut dyn FnMut(&Generation),
) -> Result<Ended, LearningError> {
    let mut arena = Arena::new(machine.threads)?
        .limits(Limits {
            max_pieces: task.plan.max_pieces,
            no_kernel: machine.no_kernel,
            ..Limits::default()
        })
        .stop_flag(machine.stop);
    if let Some(observer) = machine.observer {
        arena = arena.on_progress(observer);
    }
    let mut driver = Driver {
        task,
        arena,
        store,
        id,
        watch,
        seconds: 0.0,
    };
    let mut learned = Learned {
        solutions: Vec::new(),
        stops: Vec::new(),
        games: 0,
        pieces: 0,
        seconds: 0.0,
    };
    for run in 0..task.plan.runs {
        let Some(ended) = driver.run(run)? else {
            return Ok(Ended::Interrupted);
        };
        learned.games += ended.spent.games;
        learned.pieces += ended.spent.pieces;
        learned.solutions.push(ended.solution);
        learned.stops.push(ended.stop);
    }
    learned.seconds = driver.seconds;
    driver.store.finish(id, &learned.stops)?;
    Ok(Ended::Learned(learned))
}

/// What a run has cost so far.
#[derive(Clone, Copy, Default)]
struct Spent {
    generations: u64,
    games: u64,
    pieces: u64,
}

/// How a run ended.
struct RunEnded {
    solution: Vec<f64>,
    stop: String,
    spent: Spent,
}

struct Driver<'a> {
    task: &'a Task,
    arena: Arena,
    store: &'a mut Store,
    id: &'a str,
    watch: &'a mut dyn FnMut(&Generation),
    /// The time that all generations so far took, those of the store included.
    seconds: f64,
}

impl Driver<'_> {
    /// One run of the plan; nothing if it was interrupted.
    fn run(&mut self, run: u64) -> Result<Option<RunEnded>, LearningError> {
        let mut optimizer = self.task.optimizer(run)?;
        let mut stored = self.store.generations(self.id, run)?.into_iter();
        let mut spent = Spent::default();
        loop {
            let number = spent.generations;
            let asked = Asked::new(self.task, run, number, &mut *optimizer);
            let judged = match stored.next() {
                Some(stored) => asked.judged_before(stored)?,
                None => match self.judge(asked)? {
                    Some(judged) => judged,
                    None => return Ok(None),
                },
            };
            let generation = judged.tell(self.task, &mut *optimizer);
            if !generation.from_store {
                self.store.add(self.id, &generation)?;
            }
            (self.watch)(&generation);
            spent.generations += 1;
            spent.games += generation.games;
            spent.pieces += generation.pieces;
            self.seconds += generation.seconds;
            if let Some(stop) = self.enough(&generation, &spent, &*optimizer) {
                let solution = generation.solution;
                return Ok(Some(RunEnded {
                    solution,
                    stop,
                    spent,
                }));
            }
        }
    }

    /// Lets the candidates of a generation play.
    fn judge(&self, asked: Asked) -> Result<Option<Judged>, LearningError> {
        let task = self.task;
        let stage = Stage {
            arena: &self.arena,
            ruleset: &task.ruleset,
            games: task.plan.games,
            seed: task.games_seed(asked.run, asked.number),
        };
        let began = Instant::now();
        let player = |numbers: &Vec<f64>| task.template.player(numbers, &task.ruleset);
        let players: Vec<_> = asked
            .candidates
            .iter()
            .map(player)
            .collect::<Result<_, _>>()?;
        let verdict = task.objective.judge(&stage, &players)?;
        Ok(verdict.map(|verdict| Judged {
            asked,
            verdict,
            seconds: began.elapsed().as_secs_f64(),
            from_store: false,
        }))
    }

    /// Why a run ends here, if it does. All but the clock is a function of what the store holds, and the clock is read from
    /// the store too: a run that is resumed ends where it ended.
    fn enough(
        &self,
        generation: &Generation,
        spent: &Spent,
        optimizer: &dyn Optimizer,
    ) -> Option<String> {
        let Budget {
            generations,
            games,
            pieces,
            seconds,
            fitness,
        } = self.task.plan.budget;
        let reached = |limit: Option<u64>, spent: u64| limit.is_some_and(|limit| spent >= limit);
        let share = (generation.run + 1) as f64 / self.task.plan.runs as f64;
        if let Some(fitness) = fitness.filter(|fitness| generation.best() >= *fitness) {
            return Some(format!("a candidate reached a fitness of {fitness}"));
        }
        if let Some(reason) = optimizer.stopped() {
            return Some(reason);
        }
        match () {
            () if spent.generations >= generations => Some(counted(generations, "generation")),
            () if reached(games, spent.games) => Some(counted(spent.games, "game")),
            () if reached(pieces, spent.pieces) => Some(counted(spent.pieces, "piece")),
            () if seconds.is_some_and(|limit| self.seconds >= limit * share) => {
                Some("the time is up".to_owned())
            }
            () => None,
        }
    }
}

/// A number of things, of which there may be one.
fn counted(count: u64, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        _ => format!("{count} {thing}s"),
    }
}

//! The driver: lets the optimiser ask, the objective judge, and the store keep what was found; knows when it is enough.

use super::generation::{Asked, Generation, Judged};
use super::objective::Trial;
use super::{Budget, Learning, LearningError, Store, Task};
use crate::arena::{Arena, GameSeries, Limits, Progress};
use crate::study::{Event, EventObserver};
use std::time::Instant;

/// What came of all runs of a task.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Driven {
    /// Whether it was stopped; the store holds what was done.
    pub(crate) interrupted: bool,
    /// The solution of each run; none of a learner that plays, whose network is in the checkpoint.
    pub(crate) solutions: Vec<Vec<f64>>,
    /// Why each run ended.
    pub(crate) stops: Vec<String>,
    /// How many games were played, those of the store included.
    pub(crate) games: u64,
    /// How many pieces were placed.
    pub(crate) pieces: u64,
    /// How long it took.
    pub(crate) seconds: f64,
    /// The last generation.
    pub(crate) last: Option<Generation>,
}

/// Carries out a task, or the rest of it: what the store holds of the run is told again, not played again.
///
/// # Errors
/// When candidates cannot play, or the store cannot be read or written.
pub(crate) fn drive(
    task: &Task,
    arena: &Arena,
    store: &mut Store,
    id: &str,
    observer: &EventObserver<'_>,
) -> Result<Driven, LearningError> {
    let mut driver = Driver {
        task,
        arena,
        store,
        id,
        observer,
        seconds: 0.0,
    };
    let mut driven = Driven::default();
    for run in 0..task.plan.runs {
        let Some(ended) = driver.run(run)? else {
            driven.interrupted = true;
            break;
        };
        driven.games += ended.spent.games;
        driven.pieces += ended.spent.pieces;
        driven.solutions.push(ended.last.solution.clone());
        driven.stops.push(ended.stop);
        driven.last = Some(ended.last);
    }
    driven.seconds = driver.seconds;
    if !driven.interrupted {
        driver.store.finish(id, &driven.stops)?;
    }
    Ok(driven)
}

/// What a run has cost so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Spent {
    pub(super) generations: u64,
    pub(super) games: u64,
    pub(super) pieces: u64,
    pub(super) seconds: f64,
}

impl Spent {
    pub(super) fn add(&mut self, generation: &Generation) {
        self.generations += 1;
        self.games += generation.games;
        self.pieces += generation.pieces;
        self.seconds += generation.seconds;
    }
}

/// How a run ended.
struct RunEnded {
    last: Generation,
    stop: String,
    spent: Spent,
}

struct Driver<'a> {
    task: &'a Task,
    arena: &'a Arena,
    store: &'a mut Store,
    id: &'a str,
    observer: &'a EventObserver<'a>,
    /// The time that all generations so far took, those of the store included.
    seconds: f64,
}

impl Driver<'_> {
    /// One of the independent runs; nothing if it was interrupted.
    fn run(&mut self, run: u64) -> Result<Option<RunEnded>, LearningError> {
        let mut optimizer = self.task.optimizer(run)?;
        let mut stored = self.store.generations(self.id, run)?.into_iter();
        let mut spent = Spent::default();
        loop {
            let asked = Asked::new(self.task, run, spent.generations, &mut *optimizer);
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
            (self.observer)(&Event::Generation(&generation));
            spent.add(&generation);
            self.seconds += generation.seconds;
            let stopped = optimizer.stopped();
            if let Some(stop) = enough(&self.task.plan, &generation, &spent, self.seconds, stopped)
            {
                (self.observer)(&Event::RunEnded {
                    last: &generation,
                    reason: &stop,
                    seconds: spent.seconds,
                });
                return Ok(Some(RunEnded {
                    last: generation,
                    stop,
                    spent,
                }));
            }
        }
    }

    /// Lets the candidates of a generation play.
    fn judge(&self, asked: Asked) -> Result<Option<Judged>, LearningError> {
        let (task, observer) = (self.task, self.observer);
        let seed = task.games_seed(asked.run, asked.number);
        let trial = Trial {
            arena: self.arena,
            series: GameSeries::new(&task.ruleset, seed).limits(Limits {
                max_pieces: task.plan.max_pieces,
                record_placements: None,
            }),
            games: task.plan.games,
            observer: &|progress| tell(observer, &progress),
        };
        let began = Instant::now();
        let player = |numbers: &Vec<f64>| task.template.player(numbers, &task.ruleset);
        let players: Vec<_> = asked
            .candidates
            .iter()
            .map(player)
            .collect::<Result<_, _>>()?;
        let judgement = task.objective.judge(&trial, &players)?;
        Ok(judgement.map(|judgement| Judged {
            asked,
            judgement,
            seconds: began.elapsed().as_secs_f64(),
            from_store: false,
        }))
    }
}

/// Why a run ends here, if it does; the learner may have a reason too. All but the clock is a function of what the store holds, and
/// the clock is read from the store too: a run that is resumed ends where it ended.
pub(super) fn enough(
    plan: &Learning,
    generation: &Generation,
    spent: &Spent,
    all_seconds: f64,
    stopped: Option<String>,
) -> Option<String> {
    let Budget {
        generations,
        games,
        pieces,
        seconds,
        fitness,
    } = plan.budget;
    let reached = |limit: Option<u64>, spent: u64| limit.is_some_and(|limit| spent >= limit);
    let share = (generation.run + 1) as f64 / plan.runs as f64;
    if let Some(fitness) = fitness.filter(|fitness| generation.best() >= *fitness) {
        return Some(format!("a candidate reached a fitness of {fitness}"));
    }
    if stopped.is_some() {
        return stopped;
    }
    match () {
        () if reached(generations, spent.generations) => {
            Some(counted(spent.generations, "generation"))
        }
        () if reached(games, spent.games) => Some(counted(spent.games, "game")),
        () if reached(pieces, spent.pieces) => Some(counted(spent.pieces, "piece")),
        () if seconds.is_some_and(|limit| all_seconds >= limit * share) => {
            Some("the time is up".to_owned())
        }
        () => None,
    }
}

pub(super) fn tell(observer: &EventObserver<'_>, progress: &Progress) {
    observer(&Event::Games {
        done: progress.games_done,
        total: progress.games_total,
        pieces: progress.pieces,
    });
}

/// A number of things, of which there may be one.
fn counted(count: u64, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        _ => format!("{count} {thing}s"),
    }
}

//! The driver: lets the optimiser ask, the objective judge, and the store keep what was found; knows when it is enough.
//!
//! # Time
//!
//! A limit on time ends a run in the middle of a generation: games stop, and what was played of the
//! generation is discarded. The run then has the generations that are complete, and the store notes
//! that it ended there, so that a resumed run ends there too. The first generation of a run is always
//! finished, because without one there is no player.

use super::aside::ask_aside;
use super::generation::{Asked, Generation, Judged, Told};
use super::objective::Trial;
use super::store::{StoredEnding, StoredGeneration};
use super::{Budget, Learning, LearningError, Store, Task};
use crate::arena::{Arena, GameSeries, Limits, Progress};
use crate::learners::Optimizer;
use crate::study::{Event, EventObserver};
use std::time::{Duration, Instant};

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

impl Driven {
    /// Counts a generation.
    pub(super) fn add(&mut self, generation: &Generation) {
        self.games += generation.games;
        self.pieces += generation.pieces;
        self.seconds += generation.seconds;
    }
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

/// One of the independent runs in progress.
struct RunInProgress {
    run: u64,
    /// The optimiser; none after it was left behind because it was told to stop.
    optimizer: Option<Box<dyn Optimizer>>,
    /// The last generation that came from the store.
    stored: Option<StoredGeneration>,
    /// How the run ended in an earlier process, if it did.
    ending: Option<StoredEnding>,
    spent: Spent,
    last: Option<Generation>,
    /// When the last generation was judged: all time from then on belongs to the next one.
    since: Instant,
}

impl RunInProgress {
    /// Why the run ended in an earlier process, once as many generations are there as then.
    fn ended_before(&self) -> Option<String> {
        let ending = self.ending.as_ref()?;
        (self.spent.generations >= ending.generations).then(|| ending.reason.clone())
    }
}

impl Driver<'_> {
    /// One of the independent runs; nothing if it was interrupted.
    fn run(&mut self, run: u64) -> Result<Option<RunEnded>, LearningError> {
        let mut now = RunInProgress {
            run,
            optimizer: Some(self.task.optimizer(run)?),
            stored: None,
            ending: self.store.ending(self.id, run)?,
            spent: Spent::default(),
            last: None,
            since: Instant::now(),
        };
        loop {
            let arena = self.arena.until(self.deadline(&now));
            let stop = match self.generation(&mut now, &arena)? {
                Some((generation, stopped)) => {
                    (self.observer)(&Event::Generation(&generation));
                    now.spent.add(&generation);
                    self.seconds += generation.seconds;
                    let plan = &self.task.plan;
                    let stop = enough(plan, &generation, &now.spent, self.seconds, stopped);
                    now.last = Some(generation);
                    stop.or_else(|| now.ended_before())
                }
                None if arena.is_expired() => Some(TIME_IS_UP.to_owned()),
                None => return Ok(None),
            };
            if stop.as_deref() == Some(TIME_IS_UP) {
                self.use_up_share(now.run);
            }
            if let (Some(stop), Some(last)) = (stop, &now.last) {
                (self.observer)(&Event::RunEnded {
                    last,
                    reason: &stop,
                    seconds: now.spent.seconds,
                });
                return self.end(now, stop);
            }
        }
    }

    /// The time of a discarded generation is spent too: the runs after this one do not get it.
    fn use_up_share(&mut self, run: u64) {
        let plan = &self.task.plan;
        if let Some(limit) = plan.budget.seconds {
            let share = (run + 1) as f64 / plan.runs as f64;
            self.seconds = self.seconds.max(limit * share);
        }
    }

    /// Notes how a run ended.
    fn end(&mut self, now: RunInProgress, stop: String) -> Result<Option<RunEnded>, LearningError> {
        let (run, spent) = (now.run, now.spent);
        if now.ending.is_none() {
            let ending = StoredEnding {
                generations: spent.generations,
                reason: stop.clone(),
            };
            self.store.end(self.id, run, &ending)?;
        }
        Ok(now.last.map(|last| RunEnded { last, stop, spent }))
    }

    /// When the time of a run is up. Its first generation is finished whatever time it takes: without
    /// one there is no player.
    fn deadline(&self, now: &RunInProgress) -> Option<Instant> {
        let is_open = now.last.is_some() && now.ending.is_none();
        let left = time_left(&self.task.plan, now.run, self.seconds).filter(|_| is_open)?;
        now.since.checked_add(left)
    }

    /// The next generation, from the store or played, and why the optimiser stops, if it does;
    /// nothing if it was stopped.
    fn generation(
        &mut self,
        now: &mut RunInProgress,
        arena: &Arena,
    ) -> Result<Option<(Generation, Option<String>)>, LearningError> {
        if arena.is_stopped() {
            return Ok(None);
        }
        let number = now.spent.generations;
        let vectors = ask_aside(&mut now.optimizer, arena, |optimizer| optimizer.ask());
        let Some(vectors) = vectors else {
            return Ok(None);
        };
        let asked = Asked::new(self.task, now.run, number, vectors);
        let before = now.stored.as_ref().filter(|_| number > 0);
        let stored = self.store.generation(self.id, now.run, number, before)?;
        let judged = match &stored {
            Some(stored) => Some(asked.judged_before(stored)?),
            None => self.judge(asked, arena, now.since)?,
        };
        now.since = Instant::now();
        now.stored = stored;
        let Some(judged) = judged else {
            return Ok(None);
        };
        let fitness = judged.judgement.fitness.clone();
        let tell = move |optimizer: &mut dyn Optimizer| Told::new(optimizer, &fitness);
        let Some(mut told) = ask_aside(&mut now.optimizer, arena, tell) else {
            return Ok(None);
        };
        let stopped = told.stopped.take();
        let generation = judged.generation(self.task, told);
        let is_kept = generation.from_store
            || (self.store).add(self.id, &generation, &|| arena.is_stopped())?;
        Ok(is_kept.then_some((generation, stopped)))
    }

    /// Lets the candidates of a generation play.
    fn judge(
        &self,
        asked: Asked,
        arena: &Arena,
        since: Instant,
    ) -> Result<Option<Judged>, LearningError> {
        let (task, observer) = (self.task, self.observer);
        let seed = task.games_seed(asked.run, asked.number);
        let trial = Trial {
            arena,
            series: GameSeries::new(&task.ruleset, seed).limits(Limits {
                max_pieces: task.plan.max_pieces,
                record_placements: None,
            }),
            games: task.plan.games,
            observer: &|progress| tell(observer, &progress),
        };
        let mut players = Vec::with_capacity(asked.candidates.len());
        for numbers in &asked.candidates {
            if arena.is_stopped() {
                return Ok(None);
            }
            players.push(task.template.player(numbers, &task.ruleset)?);
        }
        let judgement = task.objective.judge(&trial, &players)?;
        Ok(judgement.map(|judgement| Judged {
            asked,
            judgement,
            seconds: since.elapsed().as_secs_f64(),
            from_store: false,
        }))
    }
}

/// Why a run ends whose time is over.
pub(super) const TIME_IS_UP: &str = "the time is up";

/// The time that is left of a plan for one of its runs, if time is limited: all runs share it alike.
pub(super) fn time_left(plan: &Learning, run: u64, seconds: f64) -> Option<Duration> {
    let share = (run + 1) as f64 / plan.runs as f64;
    let left = (plan.budget.seconds? * share - seconds).max(0.0);
    Duration::try_from_secs_f64(left).ok()
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
            Some(TIME_IS_UP.to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_runs_of_a_plan_share_its_time_alike() {
        let mut plan = Learning {
            runs: 4,
            ..Learning::default()
        };
        assert_eq!(time_left(&plan, 0, 0.0), None);
        plan.budget.seconds = Some(8.0);
        assert_eq!(time_left(&plan, 0, 0.5), Some(Duration::from_millis(1500)));
        assert_eq!(time_left(&plan, 3, 6.0), Some(Duration::from_secs(2)));
        assert_eq!(time_left(&plan, 1, 9.0), Some(Duration::ZERO));
        plan.budget.seconds = Some(1e300);
        assert_eq!(time_left(&plan, 0, 0.0), None);
    }
}

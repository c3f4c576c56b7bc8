//! The driver of all learning methods: it requests one generation after the other, stores each,
//! writes checkpoints, and ends a run when its budget is spent.
//!
//! # Time
//!
//! A limit on time ends a run in the middle of a generation: games stop, and the incomplete
//! generation is discarded. The run then consists of the complete generations, and the store
//! records where the run ended, so that a resumed run ends at the same point. The first generation
//! of a run is always completed, because otherwise there would be no player.

use super::checkpoint::{CheckpointRow, FoundSolutions};
use super::generation::{Generation, StoredEnding, StoredGeneration};
use super::keeper::RunKeeper;
use super::{GenerationContext, Learning, LearningError, Task};
use crate::context::{Context, Event, GenerationSummary};
use crate::learners::{GenerationOutcome, LearningRun, Solution};
use crate::time::Instant;
use std::time::Duration;

/// The outcome of all runs of a task.
#[derive(Clone, Debug, Default)]
pub(crate) struct Driven {
    /// Whether the task was stopped; the store contains the completed generations.
    pub(crate) interrupted: bool,
    /// The solution of each run.
    pub(crate) solutions: Vec<Solution>,
    /// Why each run ended.
    pub(crate) stops: Vec<String>,
    /// Number of games played, including those of stored generations.
    pub(crate) games: u64,
    /// Number of pieces placed.
    pub(crate) pieces: u64,
    /// Duration in seconds.
    pub(crate) seconds: f64,
    /// The last generation.
    pub(crate) last: Option<Generation>,
}

/// Carries out a task, or the rest of it: stored generations are not played again.
///
/// # Errors
/// If candidates cannot play, or the store or a checkpoint cannot be read or written.
pub(crate) fn drive(
    task: &Task,
    context: &Context,
    keeper: &mut dyn RunKeeper,
) -> Result<Driven, LearningError> {
    let mut driver = Driver {
        task,
        context,
        keeper,
        seconds: 0.0,
    };
    let mut driven = Driven::default();
    for run in 0..task.plan.runs {
        let mut now = driver.begin(run)?;
        let stop = driver.run(&mut now)?;
        driven.games += now.spent.games;
        driven.pieces += now.spent.pieces;
        let (Some(stop), Some(solution)) = (stop, now.solution(task)) else {
            driven.interrupted = true;
            break;
        };
        driven.solutions.push(solution);
        driven.stops.push(stop);
        driven.last = now.last;
    }
    driven.seconds = driver.seconds;
    if !driven.interrupted {
        driver.keeper.finish(&driven.stops)?;
    }
    Ok(driven)
}

/// The model of a task's first run after its last checkpoint; `None` for methods whose solution is
/// not a model.
#[cfg(feature = "store")]
pub(crate) fn model_so_far(
    task: &Task,
    keeper: &dyn RunKeeper,
) -> Result<Option<Solution>, LearningError> {
    let mut method = task.run(0)?;
    let (_, found) = keeper.restore(0, &mut *method, &task.plan)?;
    let FoundSolutions { last, best } = found;
    let best = best.map(|(_, best)| best);
    Ok(best
        .or(last)
        .filter(|one| matches!(one, Solution::Model(_))))
}

/// The cost of a run so far.
#[derive(Clone, Copy, Default)]
struct Spent {
    generations: u64,
    games: u64,
    pieces: u64,
    seconds: f64,
}

impl Spent {
    fn add(&mut self, generation: &Generation) {
        self.generations += 1;
        self.games += generation.games;
        self.pieces += generation.pieces;
        self.seconds += generation.seconds;
    }
}

struct Driver<'a> {
    task: &'a Task,
    context: &'a Context,
    keeper: &'a mut dyn RunKeeper,
    /// The time of all generations so far, including stored ones.
    seconds: f64,
}

/// One of the independent runs in progress.
struct RunInProgress {
    number: u64,
    method: Box<dyn LearningRun>,
    /// The generations of the checkpoint, for methods that write one.
    rows: Vec<CheckpointRow>,
    found: FoundSolutions,
    /// The last stored generation.
    stored: Option<StoredGeneration>,
    /// How the run ended in an earlier process, if it did.
    ending: Option<StoredEnding>,
    spent: Spent,
    last: Option<Generation>,
    /// When the last generation was completed; the time since then belongs to the next one.
    since: Instant,
}

impl RunInProgress {
    /// Why the run ended in an earlier process, once its number of generations is reached.
    fn ended_before(&self) -> Option<String> {
        let ending = self.ending.as_ref()?;
        (self.spent.generations >= ending.generations).then(|| ending.reason.clone())
    }

    /// The result of the run: its last solution, or its best.
    fn solution(&mut self, task: &Task) -> Option<Solution> {
        let FoundSolutions { last, best } = std::mem::take(&mut self.found);
        match best.filter(|_| task.learner.keeps_best()) {
            Some((_, best)) => Some(best),
            None => last,
        }
    }
}

/// A generation, and why the method stops, if it does.
type Made = (Generation, Option<String>);

impl Driver<'_> {
    /// One of the independent runs, in its initial state or at its checkpoint.
    fn begin(&mut self, number: u64) -> Result<RunInProgress, LearningError> {
        let plan = &self.task.plan;
        let mut method = self.task.run(number)?;
        let (rows, found) = self.keeper.restore(number, &mut *method, plan)?;
        Ok(RunInProgress {
            number,
            method,
            rows,
            found,
            stored: None,
            ending: self.keeper.ending(number)?,
            spent: Spent::default(),
            last: None,
            since: Instant::now(),
        })
    }

    /// Makes one generation after the other, and returns why the run ended; `None` if it was
    /// interrupted.
    fn run(&mut self, now: &mut RunInProgress) -> Result<Option<String>, LearningError> {
        loop {
            let context = self.context.until(self.deadline(now));
            let stop = match self.generation(now, &context)? {
                Some((generation, stopped)) => {
                    let summary = GenerationSummary::of(&generation);
                    self.context.report(Event::Generation(summary));
                    now.spent.add(&generation);
                    self.seconds += generation.seconds;
                    let plan = &self.task.plan;
                    let stop = enough(plan, &generation, &now.spent, self.seconds, stopped);
                    now.last = Some(generation);
                    stop.or_else(|| now.ended_before())
                }
                None if context.token().is_expired() => Some(TIME_IS_UP.to_owned()),
                None => return Ok(None),
            };
            if stop.as_deref() == Some(TIME_IS_UP) {
                self.use_up_share(now.number);
            }
            if let (Some(stop), Some(last)) = (stop, &now.last) {
                self.context.report(Event::RunEnded {
                    last: GenerationSummary::of(last),
                    reason: stop.clone(),
                    seconds: now.spent.seconds,
                });
                self.end(now, &stop)?;
                return Ok(Some(stop));
            }
        }
    }

    /// The time of a discarded generation counts as spent: later runs do not get it.
    fn use_up_share(&mut self, run: u64) {
        let plan = &self.task.plan;
        if let Some(limit) = plan.budget.seconds {
            let share = (run + 1) as f64 / plan.runs as f64;
            self.seconds = self.seconds.max(limit * share);
        }
    }

    /// Stores how a run ended.
    fn end(&mut self, now: &RunInProgress, stop: &str) -> Result<(), LearningError> {
        if now.ending.is_none() {
            let ending = StoredEnding {
                generations: now.spent.generations,
                reason: stop.to_owned(),
            };
            self.keeper.end(now.number, &ending)?;
        }
        Ok(())
    }

    /// The deadline of a run. The first generation is always completed, because otherwise there
    /// would be no player.
    fn deadline(&self, now: &RunInProgress) -> Option<Instant> {
        let is_open = now.last.is_some() && now.ending.is_none();
        let left = time_left(&self.task.plan, now.number, self.seconds).filter(|_| is_open)?;
        now.since.checked_add(left)
    }

    /// The next generation: from the checkpoint, repeated from the store, or new; `None` if it was
    /// stopped.
    fn generation(
        &mut self,
        now: &mut RunInProgress,
        context: &Context,
    ) -> Result<Option<Made>, LearningError> {
        let number = now.spent.generations;
        let before = now.stored.as_ref().filter(|_| number > 0);
        let stored = self.keeper.generation(now.number, number, before)?;
        if let Some(row) = now.rows.get(number as usize) {
            let generation = row.generation(now.number, number);
            self.bring_in_line(&generation, stored.as_ref())?;
            now.stored = stored;
            return Ok(Some((generation, None)));
        }
        if context.is_cancelled() {
            return Ok(None);
        }
        context.pulse(Event::Training {
            generation: number,
            done: 0,
            total: 0,
        });
        let outcome = now.method.generation(&GenerationContext {
            study: context,
            number,
            run: now.number,
            task: self.task,
            known: stored.as_ref(),
            folder: self.keeper.folder(),
        })?;
        let Some(outcome) = outcome else {
            return Ok(None);
        };
        let made = self.keep(now, outcome, stored.as_ref(), context)?;
        now.stored = stored;
        Ok(made)
    }

    /// Stores a generation that only the checkpoint has; rejects one that differs from the store.
    fn bring_in_line(
        &mut self,
        generation: &Generation,
        stored: Option<&StoredGeneration>,
    ) -> Result<(), LearningError> {
        match stored {
            None => {
                self.keeper.add(generation, &|| false)?;
                Ok(())
            }
            Some(stored) if generation.is_same(stored) => Ok(()),
            Some(_) => {
                let folder = self.keeper.folder();
                let path = folder.map(|folder| folder.checkpoint(generation.run));
                LearningError::refused(format!(
                    "{}: generation {} has a different result in this checkpoint than in the store: \
                     one of them belongs to another run; without the checkpoint the run learns \
                     again from its beginning and compares its results with the store",
                    path.unwrap_or_default().display(),
                    generation.number + 1
                ))
            }
        }
    }

    /// Stores a generation and then its checkpoint, or compares it with the store if it exists;
    /// `None` if it was stopped before everything was written.
    fn keep(
        &mut self,
        now: &mut RunInProgress,
        outcome: GenerationOutcome,
        stored: Option<&StoredGeneration>,
        context: &Context,
    ) -> Result<Option<Made>, LearningError> {
        let solution = now.method.solution();
        let judgement = outcome.judgement;
        let generation = Generation {
            run: now.number,
            number: now.spent.generations,
            candidates: outcome.candidates,
            fitness: judgement.fitness,
            solution: solution.stored_numbers().to_vec(),
            diagnostics: outcome.diagnostics,
            games: judgement.games,
            pieces: judgement.pieces,
            cut_off: judgement.cut_off.filter(|_| stored.is_none()),
            seconds: stored.map_or(now.since.elapsed().as_secs_f64(), |stored| stored.seconds),
            from_store: stored.is_some(),
        };
        now.since = Instant::now();
        match stored {
            Some(stored) if !generation.is_same(stored) => {
                return LearningError::refused(format!(
                    "generation {} has a different result in the store than this version of tetrolab \
                     gives; the store was made by another version",
                    generation.number + 1
                ));
            }
            Some(_) => {}
            None => {
                let is_stopped = || context.is_cancelled();
                if !self.keeper.add(&generation, &is_stopped)? {
                    return Ok(None);
                }
            }
        }
        now.found.add(generation.best(), solution);
        if let Some(tensors) = now.method.checkpoint() {
            now.rows.push(CheckpointRow::new(&generation));
            let done = (&now.rows[..], &now.found);
            let plan = &self.task.plan;
            self.keeper.save(now.number, tensors, plan, done)?;
        }
        Ok(Some((generation, outcome.stopped)))
    }
}

/// The reason for ending a run whose time is up.
const TIME_IS_UP: &str = "the time is up";

/// The remaining time of one of a plan's runs, if time is limited: the runs share it equally.
fn time_left(plan: &Learning, run: u64, seconds: f64) -> Option<Duration> {
    let share = (run + 1) as f64 / plan.runs as f64;
    let left = (plan.budget.seconds? * share - seconds).max(0.0);
    Duration::try_from_secs_f64(left).ok()
}

/// Why a run ends here, if it does; the learner may also have a reason. Everything except the clock
/// is determined by the store, which also records when an earlier process ended the run, so a
/// resumed run ends at the same generation.
fn enough(
    plan: &Learning,
    generation: &Generation,
    spent: &Spent,
    all_seconds: f64,
    stopped: Option<String>,
) -> Option<String> {
    let budget = &plan.budget;
    let share = (generation.run + 1) as f64 / plan.runs as f64;
    if let Some(fitness) = budget
        .fitness
        .filter(|fitness| generation.best() >= *fitness)
    {
        return Some(format!("a candidate reached a fitness of {fitness}"));
    }
    if stopped.is_some() {
        return stopped;
    }
    let counts = [
        (budget.generations, spent.generations, "generation"),
        (budget.games, spent.games, "game"),
        (budget.pieces, spent.pieces, "piece"),
    ];
    let reached =
        |(limit, spent, _): &&(Option<u64>, u64, _)| limit.is_some_and(|most| *spent >= most);
    if let Some((_, spent, thing)) = counts.iter().find(reached) {
        return Some(counted(*spent, thing));
    }
    let is_late = |limit: f64| all_seconds >= limit * share;
    (budget.seconds.is_some_and(is_late)).then(|| TIME_IS_UP.to_owned())
}

/// A count with its noun, singular or plural.
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
    fn all_runs_of_a_plan_share_its_time_equally() {
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

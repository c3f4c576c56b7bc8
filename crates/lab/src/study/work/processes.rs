//! Workers that are processes of this machine: `tetrolab work`, or a command that runs it elsewhere
//! (`ssh host tetrolab work`). Each is given one unit at a time. A worker that ends is started
//! again, and its unit is given to a free one; when no other unit is left, free workers repeat the
//! units of slow ones, and the first answer counts.

use super::{Cluster, ClusterError, Unit, UnitRefused, UnitResult};
use crate::arena::lock;
use crate::context::Context;
use crate::library::Lines;
use std::collections::VecDeque;
use std::io::{BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

/// How often a worker that ended is started again before it has answered anything.
const MOST_STARTS: u32 = 10;
/// How many workers may end while they compute the same unit.
const MOST_DEATHS: u32 = 20;
/// How often it is looked whether the study was cancelled.
const GLANCE: Duration = Duration::from_millis(50);
/// After this time without any change, a worker that has nothing to do repeats the unit that was
/// begun first.
const SLOW: Duration = Duration::from_secs(5);
/// A worker that ended is started again after this time, times how often that has happened.
const PAUSE: Duration = Duration::from_millis(50);

/// Worker processes, which live until this is dropped.
pub struct WorkerProcesses {
    workers: Vec<Worker>,
}

struct Worker {
    /// For the shell.
    command: String,
    /// To end it from another thread.
    process: Mutex<Option<Child>>,
    pipes: Mutex<Option<Pipes>>,
}

/// The two ends of a worker that are this process's.
struct Pipes {
    units: ChildStdin,
    answers: Lines,
}

/// The answer of a worker to a unit.
enum Outcome {
    Done(Box<UnitResult>),
    /// Another worker may do better.
    Retry(String),
    Refused(String),
}

impl WorkerProcesses {
    /// One worker for each command, which the shell runs. They are started with their first unit.
    pub fn new(commands: impl IntoIterator<Item = String>) -> WorkerProcesses {
        let worker = |command| Worker {
            command,
            process: Mutex::default(),
            pipes: Mutex::default(),
        };
        WorkerProcesses {
            workers: commands.into_iter().map(worker).collect(),
        }
    }
}

impl Cluster for WorkerProcesses {
    fn slots(&self) -> usize {
        self.workers.len()
    }

    fn compute(
        &self,
        units: &[Unit],
        context: &Context,
    ) -> Result<Option<Vec<UnitResult>>, ClusterError> {
        let board = TaskBoard::new(units.len(), self.workers.len());
        thread::scope(|scope| {
            let board = &board;
            let serving = self.workers.iter();
            let serving = serving.map(|worker| scope.spawn(|| worker.serve(board, units, context)));
            let serving: Vec<_> = serving.collect();
            board.wait(context);
            // Whoever still works does what is not needed any more. A worker may be about to begin.
            while serving.iter().any(|thread| !thread.is_finished()) {
                self.workers.iter().for_each(Worker::end_if_busy);
                thread::sleep(Duration::from_millis(5));
            }
        });
        board.finish(context)
    }
}

impl Drop for WorkerProcesses {
    fn drop(&mut self) {
        self.workers.iter().for_each(Worker::end);
    }
}

impl Worker {
    /// Computes units until there are none.
    fn serve(&self, board: &TaskBoard, units: &[Unit], context: &Context) {
        let mut starts = 0;
        while let Some(index) = board.take() {
            let outcome = self.ask(&units[index]);
            match outcome {
                Ok(Outcome::Done(result)) => {
                    starts = 0;
                    let done = board.done(index, result);
                    context.progress(done as u64, units.len() as u64);
                }
                Ok(Outcome::Refused(problem)) => board.fail(ClusterError::Refused(problem)),
                Ok(Outcome::Retry(problem)) | Err(problem) => {
                    self.end();
                    starts += 1;
                    board.put_back(index, &problem);
                    if starts >= MOST_STARTS && !board.is_over() {
                        board.give_up(&format!("{}: {problem}", self.command));
                        return;
                    }
                    thread::sleep(PAUSE * starts);
                }
            }
        }
    }

    /// Gives a unit to the process and waits for its answer. A text says how the process failed.
    fn ask(&self, unit: &Unit) -> Result<Outcome, String> {
        let mut pipes = lock(&self.pipes);
        if pipes.is_none() {
            *pipes = Some(self.start()?);
        }
        let pipes = pipes.as_mut().expect("it was started");
        let mut line = serde_json::to_string(unit).expect("a unit is JSON");
        line.push('\n');
        let written = pipes.units.write_all(line.as_bytes());
        let answer = pipes.answers.next();
        let (_, answer) = match (written, answer) {
            (_, Some(Ok(answer))) => answer,
            (_, Some(Err(error))) => return Err(error.to_string()),
            (Err(error), None) => return Err(format!("it takes no units: {error}")),
            (Ok(()), None) => return Err("it ended without an answer".to_owned()),
        };
        if let Ok(refused) = serde_json::from_str::<UnitRefused>(&answer) {
            let outcome = if refused.retry {
                Outcome::Retry
            } else {
                Outcome::Refused
            };
            return Ok(outcome(refused.error));
        }
        let result = UnitResult::parse(&answer).map_err(|error| error.to_string())?;
        if !result.answers(unit) {
            return Err("its answer is that of another unit".to_owned());
        }
        Ok(Outcome::Done(Box::new(result)))
    }

    fn start(&self) -> Result<Pipes, String> {
        let mut command = shell(&self.command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let process = command.spawn();
        let mut process = process.map_err(|error| format!("it cannot be started: {error}"))?;
        let (units, answers) = (process.stdin.take(), process.stdout.take());
        let (units, answers) = units.zip(answers).expect("both are pipes");
        *lock(&self.process) = Some(process);
        Ok(Pipes {
            units,
            answers: Lines::of(BufReader::new(answers), Path::new("the worker's output")),
        })
    }

    /// Ends the process if it computes something.
    fn end_if_busy(&self) {
        if self.pipes.try_lock().is_err() {
            self.kill();
        }
    }

    fn end(&self) {
        self.kill();
        *lock(&self.pipes) = None;
    }

    /// Ends the process and everything that it started; the thread that waits for its answer then
    /// reads the end of its output.
    fn kill(&self) {
        if let Some(mut process) = lock(&self.process).take() {
            kill_group(&process);
            // An error means that it has ended.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// A command of the shell, in a separate process group: a key that interrupts this program must not
/// end the workers before their units are taken back.
fn shell(command: &str) -> Command {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(command).process_group(0);
        shell
    }
    #[cfg(not(unix))]
    {
        let mut shell = Command::new("cmd");
        shell.arg("/C").arg(command);
        shell
    }
}

/// Kills what a shell started. The standard library has no call for it, so the shell's own `kill`
/// does it: not every machine has the program.
fn kill_group(process: &Child) {
    if cfg!(unix) {
        let mut kill = shell(&format!("kill -s KILL -- -{}", process.id()));
        drop(kill.stderr(Stdio::null()).status());
    }
}

/// The units to do, and the completed ones.
struct TaskBoard {
    state: Mutex<Tasks>,
    changed: Condvar,
}

struct Tasks {
    waiting: VecDeque<usize>,
    /// Units in progress, in the order in which they were begun.
    begun: VecDeque<usize>,
    results: Vec<Option<UnitResult>>,
    /// How many workers ended with each unit.
    deaths: Vec<u32>,
    left: usize,
    workers: usize,
    failure: Option<ClusterError>,
    cancelled: bool,
}

impl Tasks {
    fn is_over(&self) -> bool {
        self.left == 0 || self.failure.is_some() || self.cancelled
    }
}

impl TaskBoard {
    fn new(units: usize, workers: usize) -> TaskBoard {
        let failure = (workers == 0).then(|| ClusterError::NoWorkers("there was none".to_owned()));
        TaskBoard {
            state: Mutex::new(Tasks {
                waiting: (0..units).collect(),
                begun: VecDeque::new(),
                results: (0..units).map(|_| None).collect(),
                deaths: vec![0; units],
                left: units,
                workers,
                failure,
                cancelled: false,
            }),
            changed: Condvar::new(),
        }
    }

    /// A unit to compute; `None` if all are done.
    fn take(&self) -> Option<usize> {
        let mut tasks = lock(&self.state);
        let mut is_slow = false;
        while !tasks.is_over() {
            let next = tasks.waiting.pop_front();
            let next = next.or_else(|| is_slow.then(|| tasks.begun.pop_front()).flatten());
            if let Some(next) = next {
                tasks.begun.push_back(next);
                return Some(next);
            }
            let waited = self.changed.wait_timeout(tasks, SLOW);
            let (now, timeout) = waited.unwrap_or_else(std::sync::PoisonError::into_inner);
            (tasks, is_slow) = (now, timeout.timed_out());
        }
        None
    }

    /// Keeps a result, and says how many there are.
    fn done(&self, index: usize, result: Box<UnitResult>) -> usize {
        let mut tasks = lock(&self.state);
        tasks.begun.retain(|begun| *begun != index);
        if tasks.results[index].is_none() {
            tasks.results[index] = Some(*result);
            tasks.left -= 1;
        }
        self.changed.notify_all();
        tasks.results.len() - tasks.left
    }

    /// The unit waits again.
    fn put_back(&self, index: usize, problem: &str) {
        let mut tasks = lock(&self.state);
        if tasks.results[index].is_some() || tasks.is_over() {
            return;
        }
        tasks.deaths[index] += 1;
        tasks.begun.retain(|begun| *begun != index);
        if !tasks.waiting.contains(&index) {
            tasks.waiting.push_back(index);
        }
        let deaths = tasks.deaths[index];
        if deaths >= MOST_DEATHS {
            let problem = problem.to_owned();
            tasks.failure = Some(ClusterError::Deadly { deaths, problem });
        }
        self.changed.notify_all();
    }

    fn fail(&self, failure: ClusterError) {
        lock(&self.state).failure.get_or_insert(failure);
        self.changed.notify_all();
    }

    /// A worker that cannot continue.
    fn give_up(&self, problem: &str) {
        let mut tasks = lock(&self.state);
        tasks.workers -= 1;
        if tasks.workers == 0 && !tasks.is_over() {
            tasks.failure = Some(ClusterError::NoWorkers(problem.to_owned()));
        }
        self.changed.notify_all();
    }

    fn is_over(&self) -> bool {
        lock(&self.state).is_over()
    }

    /// Waits until all is over.
    fn wait(&self, context: &Context) {
        let mut tasks = lock(&self.state);
        while !tasks.is_over() {
            tasks.cancelled = context.is_cancelled();
            let waited = self.changed.wait_timeout(tasks, GLANCE);
            tasks = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
        }
    }

    fn finish(self, context: &Context) -> Result<Option<Vec<UnitResult>>, ClusterError> {
        let tasks = self.state.into_inner();
        let tasks = tasks.unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(failure) = tasks.failure {
            return Err(failure);
        }
        let all: Option<Vec<UnitResult>> = tasks.results.into_iter().collect();
        Ok(all.filter(|_| !context.is_cancelled()))
    }
}

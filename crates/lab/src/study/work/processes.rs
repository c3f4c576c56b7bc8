//! Workers that are processes of this machine: `tetrolab work`, or a command that runs it elsewhere
//! (`ssh host tetrolab work`). Each is given one unit at a time. A worker that dies is restarted,
//! and its unit is given to a free one. When no other unit is left, free workers repeat the units
//! of slow ones, and the first answer is used.

use super::{Cluster, ClusterError, Unit, UnitRefused, UnitResult};
use crate::arena::lock;
use crate::context::Context;
use crate::library::{FileError, Lines};
use std::collections::VecDeque;
use std::io::{BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum number of restarts of a worker that has not answered anything.
const MOST_STARTS: u32 = 10;
/// Maximum number of workers that may die while computing the same unit.
const MOST_DEATHS: u32 = 20;
/// How long to wait before a worker that could not be started is tried again.
const REST: Duration = Duration::from_secs(60);
/// How often a waiting thread checks whether the study was cancelled.
const GLANCE: Duration = Duration::from_millis(50);
/// After this time without any change, an idle worker repeats the unit that was started first;
/// earlier if all units so far took much less time.
const SLOW: Duration = Duration::from_secs(5);
/// The minimum of this time, as a multiple of the slowest unit so far, and in absolute terms.
const SLOW_MULTIPLE: u32 = 4;
const SLOW_AT_LEAST: Duration = Duration::from_millis(250);
/// A worker that died is restarted after this time, multiplied by the number of its deaths.
const PAUSE: Duration = Duration::from_millis(50);

/// Worker processes, which live until this is dropped.
pub struct WorkerProcesses {
    workers: Vec<Worker>,
}

struct Worker {
    /// A shell command.
    command: String,
    process: Mutex<Option<Process>>,
    /// A worker that failed too often is not tried again before this time.
    rests_until: Mutex<Option<Instant>>,
}

/// A running worker. Other threads write to it and read from it, so that a worker that neither
/// reads nor answers can be abandoned.
struct Process {
    child: Child,
    units: Sender<String>,
    answers: Receiver<Result<(usize, String), FileError>>,
}

/// The outcome of a unit on a worker.
enum Outcome {
    Done(Box<UnitResult>),
    /// Another worker may be able to compute the unit.
    Retry(String),
    Refused(String),
    /// The result of the unit is no longer needed.
    Abandoned,
}

impl WorkerProcesses {
    /// One worker per command, which is run by the shell. Workers are started with their first
    /// unit.
    pub fn new(commands: impl IntoIterator<Item = String>) -> WorkerProcesses {
        let worker = |command| Worker {
            command,
            process: Mutex::default(),
            rests_until: Mutex::default(),
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
            for worker in &self.workers {
                scope.spawn(|| worker.serve(&board, units, context));
            }
            board.wait(context);
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
    /// Computes units until all are done.
    fn serve(&self, board: &TaskBoard, units: &[Unit], context: &Context) {
        if lock(&self.rests_until).is_some_and(|until| Instant::now() < until) {
            return board.give_up(&format!("{}: it failed {MOST_STARTS} times", self.command));
        }
        let mut starts = 0;
        while let Some(index) = board.take() {
            let is_needed = || board.is_open(index);
            match self.ask(&units[index], &is_needed) {
                Ok(Outcome::Done(result)) => {
                    starts = 0;
                    let done = board.done(index, result);
                    context.progress(done as u64, units.len() as u64);
                }
                Ok(Outcome::Abandoned) => self.end(),
                Ok(Outcome::Refused(problem)) => board.fail(ClusterError::Refused(problem)),
                Ok(Outcome::Retry(problem)) | Err(problem) => {
                    self.end();
                    starts += 1;
                    board.put_back(index, &problem);
                    if starts >= MOST_STARTS {
                        *lock(&self.rests_until) = Some(Instant::now() + REST);
                        return board.give_up(&format!("{}: {problem}", self.command));
                    }
                    thread::sleep(PAUSE * starts);
                }
            }
        }
    }

    /// Gives a unit to the process and waits for its answer. An error says how the process failed.
    fn ask(&self, unit: &Unit, is_needed: &dyn Fn() -> bool) -> Result<Outcome, String> {
        let mut process = lock(&self.process);
        if process.is_none() {
            *process = Some(self.start()?);
        }
        let process = process.as_mut().expect("it was started");
        let mut line = serde_json::to_string(unit).expect("a unit is JSON");
        line.push('\n');
        // If nobody receives the unit, the process has ended, and there will be no answer.
        let _ = process.units.send(line);
        let answer = loop {
            match process.answers.recv_timeout(GLANCE) {
                Ok(answer) => break answer.map_err(|error| error.to_string())?.1,
                Err(RecvTimeoutError::Timeout) if is_needed() => {}
                Err(RecvTimeoutError::Timeout) => return Ok(Outcome::Abandoned),
                Err(RecvTimeoutError::Disconnected) => return Err(process.how_it_ended()),
            }
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
            return Err("it answered for another unit".to_owned());
        }
        Ok(Outcome::Done(Box::new(result)))
    }

    fn start(&self) -> Result<Process, String> {
        let mut command = shell(&self.command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let child = command.spawn();
        let mut child = child.map_err(|error| format!("it cannot be started: {error}"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (mut input, output) = input.zip(output).expect("both are pipes");
        let (units, lines) = mpsc::channel::<String>();
        thread::spawn(move || {
            let mut lines = lines.iter();
            lines.try_for_each(|line| input.write_all(line.as_bytes()))
        });
        let (sender, answers) = mpsc::channel();
        let mut output = Lines::of(BufReader::new(output), Path::new("the worker's output"));
        thread::spawn(move || output.try_for_each(|line| sender.send(line)));
        Ok(Process {
            child,
            units,
            answers,
        })
    }

    /// Ends the process and everything that it started.
    fn end(&self) {
        if let Some(mut process) = lock(&self.process).take() {
            kill_group(&process.child);
            // An error means that the process has already ended.
            let _ = process.child.kill();
            let _ = process.child.wait();
        }
    }
}

impl Process {
    /// Why the process no longer answers.
    fn how_it_ended(&mut self) -> String {
        match self.child.try_wait() {
            Ok(Some(status)) => format!("it exited without an answer ({status})"),
            _ => "it closed its output without an answer".to_owned(),
        }
    }
}

/// A shell command in a separate process group: Ctrl-C in this program must not end the workers
/// before their units are taken back.
fn shell(command: &str) -> Command {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(command).process_group(0);
        shell
    }
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt;
        let mut shell = Command::new("cmd");
        shell.arg("/C").raw_arg(command);
        shell
    }
    #[cfg(not(any(unix, windows)))]
    {
        Command::new(command)
    }
}

/// Kills everything that a shell started. The standard library has no function for this, so the
/// shell's own `kill` is used: not every machine has the program.
fn kill_group(process: &Child) {
    let command = match () {
        () if cfg!(unix) => format!("kill -s KILL -- -{}", process.id()),
        () if cfg!(windows) => format!("taskkill /T /F /PID {}", process.id()),
        () => return,
    };
    let mut kill = shell(&command);
    drop(kill.stdout(Stdio::null()).stderr(Stdio::null()).status());
}

/// The units still to be done, and the completed ones.
struct TaskBoard {
    state: Mutex<Tasks>,
    changed: Condvar,
}

struct Tasks {
    waiting: VecDeque<usize>,
    /// Units in progress with their starting times, in this order.
    begun: VecDeque<(usize, Instant)>,
    /// The longest duration of a unit.
    slowest: Option<Duration>,
    results: Vec<Option<UnitResult>>,
    /// Number of workers that died with each unit.
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

    /// How long an idle worker waits before it repeats a unit.
    fn patience(&self) -> Duration {
        self.slowest.map_or(SLOW, |slowest| {
            (slowest * SLOW_MULTIPLE).clamp(SLOW_AT_LEAST, SLOW)
        })
    }

    fn begin(&mut self, index: usize) {
        self.begun.push_back((index, Instant::now()));
    }

    /// Records that nobody computes this unit any more. If the unit is done, its last computation
    /// took this time.
    fn end(&mut self, index: usize) -> Option<Duration> {
        let last = self.begun.iter().rfind(|(begun, _)| *begun == index);
        let elapsed = last.map(|(_, began)| began.elapsed());
        self.begun.retain(|(begun, _)| *begun != index);
        elapsed
    }
}

impl TaskBoard {
    fn new(units: usize, workers: usize) -> TaskBoard {
        let failure = (workers == 0).then(|| ClusterError::NoWorkers("there was none".to_owned()));
        TaskBoard {
            state: Mutex::new(Tasks {
                waiting: (0..units).collect(),
                begun: VecDeque::new(),
                slowest: None,
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
            let next = next.or_else(|| {
                let slow = if is_slow {
                    tasks.begun.pop_front()
                } else {
                    None
                };
                slow.map(|(index, _)| index)
            });
            if let Some(next) = next {
                tasks.begin(next);
                return Some(next);
            }
            let patience = tasks.patience();
            let waited = self.changed.wait_timeout(tasks, patience);
            let (now, timeout) = waited.unwrap_or_else(std::sync::PoisonError::into_inner);
            (tasks, is_slow) = (now, timeout.timed_out());
        }
        None
    }

    /// Stores a result; returns how many there are.
    fn done(&self, index: usize, result: Box<UnitResult>) -> usize {
        let mut tasks = lock(&self.state);
        let elapsed = tasks.end(index);
        tasks.slowest = tasks.slowest.max(elapsed);
        tasks.waiting.retain(|waiting| *waiting != index);
        if tasks.results[index].is_none() {
            tasks.results[index] = Some(*result);
            tasks.left -= 1;
        }
        self.changed.notify_all();
        tasks.results.len() - tasks.left
    }

    /// Puts a unit back, to be computed again.
    fn put_back(&self, index: usize, problem: &str) {
        let mut tasks = lock(&self.state);
        if tasks.results[index].is_some() || tasks.is_over() {
            return;
        }
        tasks.deaths[index] += 1;
        tasks.end(index);
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

    /// Records that a worker cannot continue.
    fn give_up(&self, problem: &str) {
        let mut tasks = lock(&self.state);
        tasks.workers -= 1;
        if tasks.workers == 0 && !tasks.is_over() {
            tasks.failure = Some(ClusterError::NoWorkers(problem.to_owned()));
        }
        self.changed.notify_all();
    }

    /// Whether the result of a unit is still needed.
    fn is_open(&self, index: usize) -> bool {
        let tasks = lock(&self.state);
        !tasks.is_over() && tasks.results[index].is_none()
    }

    /// Waits until everything is done.
    fn wait(&self, context: &Context) {
        let mut tasks = lock(&self.state);
        while !tasks.is_over() {
            tasks.cancelled = context.is_cancelled();
            if tasks.cancelled {
                self.changed.notify_all();
                return;
            }
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

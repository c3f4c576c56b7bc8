//! The process of a program that plays.

use super::message::{BotAnswer, BotHello, BotMessage, BotPosition, BotReady, beginning};
use super::{BotCommand, BotError, PROTOCOL};
use crate::arena::lock;
use serde::de::DeserializeOwned;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tetrolab_core::stop::StopFlag;

/// The maximum length of a program's output line, in bytes.
const LONGEST_LINE: u64 = 1 << 16;
/// The maximum number of lines that are waiting to be read; a program that writes more is blocked.
const WAITING_LINES: usize = 16;
/// How long a program may take to exit when it is asked to.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often a wait checks whether the study was stopped.
const LOOK: Duration = Duration::from_millis(20);

/// A line of a program, or the reason why it cannot be read.
type Line = Result<String, String>;

/// A running program. Dropping this value ends the program.
pub(super) struct BotProcess {
    command: String,
    timeout: Duration,
    child: Child,
    /// The input for the program, written by a separate thread, because a program that does not
    /// read must not block the study.
    writer: Option<Sender<Vec<u8>>>,
    lines: Receiver<Line>,
    /// The last line of the program's standard error.
    complaint: Arc<Mutex<String>>,
    /// The number of the last decision.
    decisions: u64,
}

impl BotProcess {
    /// Starts a program, and waits until it is ready; `None` if the study is stopped first.
    pub(super) fn begin(
        command: &BotCommand,
        hello: &BotHello,
        stop: &StopFlag,
    ) -> Result<Option<BotProcess>, BotError> {
        let mut process = BotProcess::spawn(command).map_err(|problem| BotError {
            bot: command.text.clone(),
            problem: format!("the program cannot be started: {problem}"),
        })?;
        process.send(&BotMessage::Hello(hello))?;
        match process.receive("the message `ready`", stop)? {
            None => Ok(None),
            Some(BotReady { protocol: PROTOCOL }) => Ok(Some(process)),
            Some(BotReady { protocol }) => Err(process.error(format!(
                "expected version {PROTOCOL} of the protocol, found {protocol}"
            ))),
        }
    }

    fn spawn(command: &BotCommand) -> std::io::Result<BotProcess> {
        let mut process = Command::new(&command.words[0]);
        process.args(&command.words[1..]);
        process.stdin(Stdio::piped()).stdout(Stdio::piped());
        process.stderr(Stdio::piped());
        own_group(&mut process);
        let mut child = process.spawn()?;
        let (writer, texts) = channel();
        let (sender, lines) = sync_channel(WAITING_LINES);
        let complaint = Arc::new(Mutex::new(String::new()));
        let stdin = child.stdin.take();
        let stdout = child.stdout.take();
        let stderr = child.stderr.take();
        let heard = Arc::clone(&complaint);
        // The threads end when the pipes are closed, which happens when the process and everything
        // that it started have ended.
        let thread = |name: &str, work: Box<dyn FnOnce() + Send>| {
            std::thread::Builder::new()
                .name(name.to_owned())
                .spawn(work)
        };
        let process = BotProcess {
            command: command.text.clone(),
            timeout: command.timeout,
            child,
            writer: Some(writer),
            lines,
            complaint,
            decisions: 0,
        };
        if let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) {
            thread("bot's input", Box::new(move || write_all(stdin, &texts)))?;
            thread("bot's output", Box::new(move || read_all(stdout, &sender)))?;
            thread("bot's errors", Box::new(move || hear_all(stderr, &heard)))?;
        }
        Ok(process)
    }

    /// Informs the program that a game starts.
    pub(super) fn start(&mut self, seed: u64) -> Result<(), BotError> {
        self.send(&BotMessage::Start { seed })
    }

    /// Asks for a placement; returns the index of a legal one, or `None` if the study is stopped.
    pub(super) fn decide(
        &mut self,
        position: &BotPosition,
        stop: &StopFlag,
    ) -> Result<Option<usize>, BotError> {
        self.decisions += 1;
        let id = self.decisions;
        self.send(&BotMessage::Decide { id, position })?;
        let answer: Option<BotAnswer> = self.receive("a placement", stop)?;
        let Some(answer) = answer else {
            return Ok(None);
        };
        if answer.id != id {
            return Err(self.error(format!(
                "expected the answer to decision {id}, found one to decision {}; each has exactly \
                 one answer",
                answer.id
            )));
        }
        let chosen = position.chosen(&answer.placement);
        chosen.map(Some).map_err(|problem| self.error(problem))
    }

    fn error(&self, problem: String) -> BotError {
        BotError {
            bot: self.command.clone(),
            problem,
        }
    }

    fn send(&mut self, message: &BotMessage<'_>) -> Result<(), BotError> {
        let sent = self
            .writer
            .as_ref()
            .map(|writer| writer.send(line(message)));
        match sent {
            Some(Ok(())) => Ok(()),
            _ => Err(self.ended("closed its standard input")),
        }
    }

    /// The next line as a message; `None` if the study is stopped.
    fn receive<T: DeserializeOwned>(
        &mut self,
        expected: &str,
        stop: &StopFlag,
    ) -> Result<Option<T>, BotError> {
        let until = Instant::now() + self.timeout;
        let line = loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(Ok(line)) => break line,
                Ok(Err(problem)) => return Err(self.error(problem)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.ended("closed its standard output"));
                }
                Err(RecvTimeoutError::Timeout) if stop.is_raised() => return Ok(None),
                Err(RecvTimeoutError::Timeout) if left > LOOK => {}
                Err(RecvTimeoutError::Timeout) => return Err(self.late(expected)),
            }
        };
        serde_json::from_str(&line).map(Some).map_err(|problem| {
            let found = beginning(&line);
            self.error(format!(
                "expected {expected} as JSON, found {found:?}: {problem}"
            ))
        })
    }

    fn late(&self, expected: &str) -> BotError {
        let seconds = self.timeout.as_secs_f64();
        self.error(format!(
            "expected {expected} within {seconds} s, found no answer; \
             exec(timeout=SECONDS,COMMAND) sets another limit{}",
            self.complaint()
        ))
    }

    /// The error of a program that no longer reads or writes.
    fn ended(&mut self, otherwise: &str) -> BotError {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            if let Ok(Some(status)) = self.child.try_wait() {
                // The last output of the program may still be in transit.
                std::thread::sleep(LOOK);
                let complaint = self.complaint();
                return self.error(format!("the program ended ({status}){complaint}"));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.error(format!("the program {otherwise}{}", self.complaint()))
    }

    fn complaint(&self) -> String {
        let complaint = lock(&self.complaint);
        match complaint.as_str() {
            "" => String::new(),
            line => format!("; its last error message is {line:?}"),
        }
    }
}

impl Drop for BotProcess {
    /// Asks the program to exit, and kills it if it does not. Waits for the program in any case, so
    /// that no zombie remains.
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            let _ = writer.send(line(&BotMessage::Quit));
        }
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(5));
            // A program that floods its output is blocked until someone reads.
            while self.lines.try_recv().is_ok() {}
        }
        kill_group(&self.child);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A message as a line.
fn line(message: &BotMessage<'_>) -> Vec<u8> {
    let mut text = serde_json::to_vec(message).expect("a message is JSON");
    text.push(b'\n');
    text
}

/// Makes a process the leader of a new group. Then Ctrl-C in a terminal reaches only the study,
/// which ends the program, and the group can be killed with everything that the program started.
#[cfg(unix)]
fn own_group(process: &mut Command) {
    std::os::unix::process::CommandExt::process_group(process, 0);
}

#[cfg(not(unix))]
fn own_group(_process: &mut Command) {}

/// Kills a program and everything that it started.
#[cfg(unix)]
fn kill_group(child: &Child) {
    let group = i32::try_from(child.id()).ok();
    if let Some(group) = group.and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_child: &Child) {}

/// Writes texts until there are no more, or nobody reads them.
fn write_all(mut stdin: ChildStdin, texts: &Receiver<Vec<u8>>) {
    while let Ok(text) = texts.recv() {
        if stdin.write_all(&text).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines until there are no more, or nobody receives them.
fn read_all(stdout: ChildStdout, lines: &SyncSender<Line>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = reader
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line);
        let line = match read {
            Ok(0) | Err(_) => return,
            Ok(_) if line.len() as u64 == LONGEST_LINE && line.last() != Some(&b'\n') => Err(
                format!("expected at most {LONGEST_LINE} bytes in a line, found more"),
            ),
            Ok(_) => String::from_utf8(line)
                .map_err(|_| "expected JSON, found bytes that are not UTF-8".to_owned()),
        };
        let is_last = line.is_err();
        if lines.send(line).is_err() || is_last {
            return;
        }
    }
}

/// Reads standard error to its end, and keeps its last non-empty line.
fn hear_all(stderr: ChildStderr, heard: &Mutex<String>) {
    let mut reader = BufReader::new(stderr);
    loop {
        let mut line = Vec::new();
        let read = reader
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let line = beginning(&String::from_utf8_lossy(&line));
        if !line.is_empty() {
            *lock(heard) = line;
        }
    }
}

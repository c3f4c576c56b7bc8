//! Keys from the terminal.
//!
//! On Unix, one thread reads bytes and a second one turns them into keys. This way, no read ever
//! blocks the screen, an unfinished escape sequence is dropped after a moment, Ctrl-C works while a
//! player thinks, and a closed terminal is noticed immediately.

#[cfg(unix)]
mod parser;

use super::keys::is_control;
use ratatui::crossterm::event::KeyEvent;
#[cfg(unix)]
use std::sync::mpsc::RecvTimeoutError;
use std::sync::mpsc::{Receiver, Sender, channel};
#[cfg(unix)]
use std::time::Duration;
use tetrolab::context::CancelToken;

/// How long to wait for the rest of an escape sequence.
#[cfg(unix)]
const SEQUENCE_TIMEOUT: Duration = Duration::from_millis(100);

/// Events from the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InputEvent {
    Key(KeyEvent),
    /// The terminal supports kitty's keyboard protocol, which reports released keys.
    #[cfg_attr(not(unix), allow(dead_code))]
    KeyboardProtocol,
}

/// Starts reading; the receiver gets the terminal's events in the order of their arrival. Ctrl-C
/// and the end of the input raise `stop`.
pub(super) fn open(stop: &'static CancelToken) -> Receiver<InputEvent> {
    let (sender, events) = channel();
    std::thread::spawn(move || {
        read_events(stop, &sender);
        stop.cancel();
    });
    events
}

/// Sends an event; returns whether there is still a receiver.
fn pass_on(event: InputEvent, stop: &CancelToken, events: &Sender<InputEvent>) -> bool {
    if let InputEvent::Key(key) = &event
        && is_control(key, 'c')
    {
        stop.cancel();
    }
    events.send(event).is_ok()
}

/// Reads until the terminal is closed.
#[cfg(unix)]
fn read_events(stop: &CancelToken, events: &Sender<InputEvent>) {
    let (sender, bytes) = channel();
    std::thread::spawn(move || read_bytes(&sender));
    let mut parser = parser::KeyParser::default();
    loop {
        let read = if parser.is_waiting() {
            bytes.recv_timeout(SEQUENCE_TIMEOUT)
        } else {
            bytes.recv().map_err(|_| RecvTimeoutError::Disconnected)
        };
        match read {
            Ok(bytes) => parser.feed(&bytes),
            Err(RecvTimeoutError::Timeout) => parser.give_up(),
            Err(RecvTimeoutError::Disconnected) => return,
        }
        for event in parser.take() {
            if !pass_on(event, stop, events) {
                return;
            }
        }
    }
}

/// Reads bytes until the terminal is closed.
#[cfg(unix)]
fn read_bytes(bytes: &Sender<Vec<u8>>) {
    use std::io::{ErrorKind, Read};
    let mut buffer = [0; 1024];
    loop {
        match std::io::stdin().read(&mut buffer) {
            Ok(count @ 1..) => {
                if bytes.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => (),
            Ok(0) | Err(_) => return,
        }
    }
}

/// Reads until the console is closed. A console reports keys rather than bytes.
#[cfg(not(unix))]
fn read_events(stop: &CancelToken, events: &Sender<InputEvent>) {
    use ratatui::crossterm::event::{Event, read};
    while let Ok(event) = read() {
        if let Event::Key(key) = event
            && !pass_on(InputEvent::Key(key), stop, events)
        {
            return;
        }
    }
}

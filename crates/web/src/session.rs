//! Sessions over a WebSocket: one connection, one group of boards.
//!
//! The client sends `{"start": ...}` first (see `SessionStart`), then lists of actions
//! (`{"do": [...]}`, see `SessionMessage`), and gets the state of all boards after each message, or
//! `{"error": ...}`. `{"records": true}` asks for the games so far. Time is the client's: it says how
//! much has passed. A client that stops asking makes the server do nothing.

use crate::app::App;
use crate::runs::players_of;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tetrolab::context::CancelToken;
use tetrolab::library::FileSource;
use tetrolab::session::{SessionError, SessionGroup, SessionMessage, SessionStart, Speed};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// Messages that wait while the session works; then the client has to wait. A page sends one at a
/// time, and each may be as large as a record.
const WAITING: usize = 4;
/// Actions of one message.
const MOST_ACTIONS: usize = 256;
/// How long one message about elapsed time plays at most: the answer is for the next frame.
const FRAME: Duration = Duration::from_millis(12);
/// The close code of a server that has no place left.
const TRY_LATER: u16 = 1013;

/// What a client sends.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum ClientMessage {
    /// Begins games.
    Start(SessionStart),
    /// Does these one after the other.
    Do(Vec<SessionMessage>),
    /// Asks for the games so far.
    Records(#[allow(dead_code, reason = "the key says it all")] bool),
}

/// A session that may not have begun.
struct Desk {
    group: Option<SessionGroup>,
    app: Arc<App>,
    cancel: CancelToken,
}

/// Opens a session.
pub(crate) async fn open(State(app): State<Arc<App>>, upgrade: WebSocketUpgrade) -> Response {
    let most = app.limits.message;
    let upgrade = upgrade.max_message_size(most).max_frame_size(most);
    upgrade.on_upgrade(move |socket| serve(socket, app))
}

async fn serve(socket: WebSocket, app: Arc<App>) {
    let (mut sink, stream) = socket.split();
    let Ok(permit) = Arc::clone(&app.sessions).try_acquire_owned() else {
        let sentence = format!(
            "all {} sessions of this server are in use; close another page, or try again later",
            app.limits.sessions
        );
        let _ = sink
            .send(Message::text(json!({ "error": sentence }).to_string()))
            .await;
        let _ = sink
            .send(Message::Close(Some(CloseFrame {
                code: TRY_LATER,
                reason: "busy".into(),
            })))
            .await;
        return;
    };
    let cancel = app.cancel.until(None);
    let (sender, messages) = channel(WAITING);
    let reader = tokio::spawn(read(stream, sender, app.limits.idle, cancel.clone()));
    let desk = Desk {
        group: None,
        app,
        cancel,
    };
    answer_all(sink, messages, desk).await;
    reader.abort();
    drop(permit);
}

/// Reads messages until the client leaves, then ends a decision that is under way.
async fn read(
    mut stream: SplitStream<WebSocket>,
    sender: Sender<String>,
    idle: Duration,
    cancel: CancelToken,
) {
    while let Ok(Some(Ok(message))) = timeout(idle, stream.next()).await {
        let text = match message {
            Message::Text(text) => text.as_str().to_owned(),
            Message::Binary(_) => String::new(),
            Message::Ping(_) | Message::Pong(_) => continue,
            Message::Close(_) => break,
        };
        if sender.send(text).await.is_err() {
            break;
        }
    }
    cancel.cancel();
}

/// Answers messages one after the other.
async fn answer_all(
    mut sink: SplitSink<WebSocket, Message>,
    mut messages: Receiver<String>,
    mut desk: Desk,
) {
    let (limits, cancel) = (desk.app.limits, desk.cancel.clone());
    while let Some(text) = messages.recv().await {
        let mut work = spawn_blocking(move || {
            let answer = desk.answer(&text);
            (desk, answer)
        });
        let done = match timeout(limits.decision, &mut work).await {
            Ok(done) => done,
            Err(_) => {
                // The decision ends soon, and nobody may count it.
                cancel.cancel();
                let _ = work.await;
                let seconds = limits.decision.as_secs();
                let sentence = format!(
                    "the player took more than {seconds} s for a decision; the session has ended"
                );
                let text = json!({ "error": sentence }).to_string();
                let _ = timeout(limits.reading, sink.send(Message::text(text))).await;
                return;
            }
        };
        let Ok((back, answer)) = done else {
            return;
        };
        desk = back;
        match timeout(limits.reading, sink.send(Message::text(answer))).await {
            Ok(Ok(())) => {}
            // A client that does not read, or has left.
            _ => return,
        }
    }
}

impl Desk {
    fn answer(&mut self, text: &str) -> String {
        let message = serde_json::from_str(text).map_err(SessionError::Message);
        let done = message.and_then(|message| self.act(message));
        match (done, &self.group) {
            (Ok(Some(records)), _) => json!({ "records": records }).to_string(),
            (Ok(None), Some(group)) => json!(group.state()).to_string(),
            (Ok(None), None) => json!({}).to_string(),
            (Err(error), _) => json!({ "error": error.to_string() }).to_string(),
        }
    }

    /// Does what a message says; the records, if it asks for them.
    fn act(&mut self, message: ClientMessage) -> Result<Option<String>, SessionError> {
        let refused = |sentence: String| Err(SessionError::Refused(sentence));
        match (message, &mut self.group) {
            (ClientMessage::Start(start), _) => {
                let (most, found) = (self.app.limits.boards, start.players.len());
                if found > most {
                    return refused(format!("expected at most {most} players, found {found}"));
                }
                let names = start.players.iter().map(String::as_str);
                let given = players_of(&self.app, names);
                let given = given.map_err(|refusal| SessionError::Refused(refusal.sentence))?;
                let mut group = start.open_from(FileSource::Given(&given))?;
                group.cancelled_by(&self.cancel);
                self.group = Some(group);
                Ok(None)
            }
            (_, None) => refused("no game has begun; send {\"start\": {...}} first".to_owned()),
            (ClientMessage::Records(_), Some(group)) => Ok(Some(group.records_json())),
            (ClientMessage::Do(actions), Some(_)) if actions.len() > MOST_ACTIONS => {
                let found = actions.len();
                refused(format!(
                    "expected at most {MOST_ACTIONS} actions, found {found}"
                ))
            }
            (ClientMessage::Do(actions), Some(group)) => {
                actions.iter().try_for_each(|action| act(group, action))?;
                Ok(None)
            }
        }
    }
}

/// Does an action. Elapsed time plays until the next frame is due.
fn act(group: &mut SessionGroup, action: &SessionMessage) -> Result<(), SessionError> {
    let SessionMessage::Time { milliseconds } = action else {
        return group.handle(action);
    };
    let began = Instant::now();
    // The clock is read once for some decisions at full speed, where they are short.
    let every = if group.speed() == Speed::Full { 16 } else { 1 };
    let mut count = 0u32;
    group.advance(Duration::from_millis(*milliseconds), &mut || {
        count += 1;
        count.is_multiple_of(every) && began.elapsed() >= FRAME
    });
    Ok(())
}

//! Sessions over a WebSocket: one connection, one [`Desk`], which defines the messages.

use crate::app::App;
use crate::limits::ServerLimits;
use crate::pages::Desk;
use crate::runs::players_of;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tetrolab::context::CancelToken;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// Maximum number of messages that wait while the session works; additional ones block the client.
/// A page sends one at a time, and each may be as large as a record.
const WAITING: usize = 1;
/// The close code of a server that is full.
const TRY_LATER: u16 = 1013;

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
    let limits = app.limits;
    let learned = move |names: &[String]| {
        let names = names.iter().map(String::as_str);
        players_of(&app, names).map_err(|refusal| refusal.sentence)
    };
    let desk = Desk::new(limits.boards, cancel.clone(), learned);
    answer_all(sink, messages, desk, (limits, cancel)).await;
    reader.abort();
    drop(permit);
}

/// Reads messages until the client leaves, then ends a decision in progress.
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
    (limits, cancel): (ServerLimits, CancelToken),
) {
    while let Some(text) = messages.recv().await {
        let mut work = spawn_blocking(move || {
            let answer = desk.answer(&text);
            (desk, answer)
        });
        let done = match timeout(limits.decision, &mut work).await {
            Ok(done) => done,
            Err(_) => {
                // The decision ends soon, and its result is discarded.
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
            // The client does not read, or has left.
            _ => return,
        }
    }
}

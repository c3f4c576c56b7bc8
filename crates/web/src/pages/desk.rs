//! A session of a page: messages in, the state of all boards out.
//!
//! The page sends `{"start": ...}` first (see `SessionStart`), then lists of actions (`{"do":
//! [...]}`, see `SessionMessage`), and gets the state of all boards after each message, or
//! `{"error": ...}`. `{"records": true}` requests the games so far. The page keeps the time: it
//! reports how much has passed. If a page sends no messages, no work is done.

use serde::Deserialize;
use serde_json::json;
use std::time::Duration;
use tetrolab::context::CancelToken;
use tetrolab::library::{FileSource, GivenFiles};
use tetrolab::session::{SessionError, SessionGroup, SessionMessage, SessionStart, Speed};
use tetrolab::time::Instant;

/// Maximum number of actions in one message.
const MOST_ACTIONS: usize = 256;
/// The maximum time that a message about elapsed time may play, because the answer is for the next
/// frame.
const FRAME: Duration = Duration::from_millis(12);

/// A message of a page.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum PageMessage {
    /// Begins games.
    Start(SessionStart),
    /// Does these actions one after the other.
    Do(Vec<SessionMessage>),
    /// Requests the games so far.
    Records(#[allow(dead_code, reason = "the key says it all")] bool),
}

/// Looks up the texts of the learned players with these names, or returns the reason why they
/// cannot be found.
type LearnedPlayers = dyn Fn(&[String]) -> Result<GivenFiles, String> + Send;

/// A session that may not have started.
pub struct Desk {
    group: Option<SessionGroup>,
    boards: usize,
    cancel: CancelToken,
    learned: Box<LearnedPlayers>,
}

impl Desk {
    /// A session with at most this many boards; the token ends slow decisions.
    #[must_use]
    pub fn new(
        boards: usize,
        cancel: CancelToken,
        learned: impl Fn(&[String]) -> Result<GivenFiles, String> + Send + 'static,
    ) -> Desk {
        Desk {
            group: None,
            boards,
            cancel,
            learned: Box::new(learned),
        }
    }

    /// The answer to a message.
    pub fn answer(&mut self, text: &str) -> String {
        let message = serde_json::from_str(text).map_err(SessionError::Message);
        let done = message.and_then(|message| self.act(message));
        match (done, &self.group) {
            (Ok(Some(records)), _) => json!({ "records": records }).to_string(),
            (Ok(None), Some(group)) => json!(group.state()).to_string(),
            (Ok(None), None) => json!({}).to_string(),
            (Err(error), _) => json!({ "error": error.to_string() }).to_string(),
        }
    }

    /// Carries out a message; returns the records if the message requests them.
    fn act(&mut self, message: PageMessage) -> Result<Option<String>, SessionError> {
        let refused = |sentence: String| Err(SessionError::Refused(sentence));
        match (message, &mut self.group) {
            (PageMessage::Start(start), _) => {
                let (most, found) = (self.boards, start.players.len());
                if found > most {
                    return refused(format!("expected at most {most} players, found {found}"));
                }
                let given = (self.learned)(&start.players).map_err(SessionError::Refused)?;
                let given = FileSource::Given(&given);
                self.group = Some(start.open_from(given, &self.cancel)?);
                Ok(None)
            }
            (_, None) => refused("no game has started; send {\"start\": {...}} first".to_owned()),
            (PageMessage::Records(_), Some(group)) => Ok(Some(group.records_json())),
            (PageMessage::Do(actions), Some(_)) if actions.len() > MOST_ACTIONS => {
                let found = actions.len();
                refused(format!(
                    "expected at most {MOST_ACTIONS} actions, found {found}"
                ))
            }
            (PageMessage::Do(actions), Some(group)) => {
                actions.iter().try_for_each(|action| act(group, action))?;
                Ok(None)
            }
        }
    }
}

/// Carries out an action. For elapsed time, the games advance until the next frame is due.
fn act(group: &mut SessionGroup, action: &SessionMessage) -> Result<(), SessionError> {
    let SessionMessage::Time { milliseconds } = action else {
        return group.handle(action);
    };
    let began = Instant::now();
    // At full speed decisions are short, so the clock is read only once every few decisions.
    let every = if group.speed() == Speed::Full { 16 } else { 1 };
    let mut count = 0u32;
    group.advance(Duration::from_millis(*milliseconds), &mut || {
        count += 1;
        count.is_multiple_of(every) && began.elapsed() >= FRAME
    });
    Ok(())
}

//! Players from outside the library: programs that speak JSON lines, and objects of the caller.
//!
//! `exec(COMMAND)` is a player that runs COMMAND as a process and asks it about every piece. The
//! protocol is described in docs/how-to/write-a-bot.md; [`PROTOCOL`] is its version. If a program
//! hangs, exits, gives an invalid answer or floods its output, it is stopped, and the study ends
//! with a [`BotError`].
//!
//! A player in the library cannot fail, so [`Player::decide`] does not return errors. Therefore the
//! error of a bot unwinds to the study, which returns it: see [`catch_bot_error`].

mod command;
mod message;
mod own_players;
mod player;
mod process;

pub(crate) use command::{BotCommand, is_command};
pub use message::BotPosition;
pub use own_players::{MakePlayerOf, OwnPlayers};
pub(crate) use player::ExecPlayer;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

#[cfg(doc)]
use tetrolab_core::players::Player;

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// Why a bot cannot continue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{bot}: {problem}")]
pub struct BotError {
    /// The bot: the command that runs it, or its name.
    pub bot: String,
    /// The problem, as a sentence.
    pub problem: String,
}

/// Unwinds with the error of a bot, without printing a message.
pub fn fail(error: BotError) -> ! {
    resume_unwind(Box::new(error))
}

/// Does work that calls players, and returns the error of a bot that [failed](fail).
///
/// # Errors
/// The errors of the work, and those of bots.
pub fn catch_bot_error<T, E: From<BotError>>(work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(panic) => match panic.downcast::<BotError>() {
            Ok(error) => Err((*error).into()),
            Err(panic) => resume_unwind(panic),
        },
    }
}

#[cfg(all(test, unix))]
mod tests;

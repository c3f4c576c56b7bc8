//! A program as a player.

use super::message::{BotHello, BotPosition};
use super::process::BotProcess;
use super::{BotCommand, BotError, fail};
use crate::arena::lock;
use crate::environment::LegalMoves;
use std::sync::{Arc, Mutex};
use tetrolab_core::game::{GameView, Hold};
use tetrolab_core::placement::Placement;
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::stop::StopFlag;

/// A program that plays. Clones of a player share idle processes: for its first decision, a clone
/// takes an idle process or starts a new one, and returns it at the end.
pub(crate) struct ExecPlayer {
    shared: Arc<SharedProcesses>,
    process: Option<BotProcess>,
    seed: u64,
    /// Whether the process has been informed of the game.
    is_started: bool,
    stop: StopFlag,
    legal: LegalMoves,
}

/// State shared by the clones of a player.
struct SharedProcesses {
    command: BotCommand,
    hello: BotHello,
    idle: Mutex<Vec<BotProcess>>,
}

impl ExecPlayer {
    pub(crate) fn new(command: BotCommand, ruleset: &Ruleset) -> ExecPlayer {
        let shared = SharedProcesses {
            command,
            hello: BotHello::new(ruleset),
            idle: Mutex::default(),
        };
        ExecPlayer::of(Arc::new(shared))
    }

    fn of(shared: Arc<SharedProcesses>) -> ExecPlayer {
        ExecPlayer {
            shared,
            process: None,
            seed: 0,
            is_started: false,
            stop: StopFlag::default(),
            legal: LegalMoves::default(),
        }
    }

    /// The placement that the program chooses; an arbitrary one if the decision is stopped.
    fn ask(&mut self, view: &GameView<'_>) -> Result<Placement, BotError> {
        let mut legal = Vec::new();
        self.legal
            .visit_position(view, |_, step| legal.push(step.placement));
        let position = BotPosition::new(view, &legal);
        let chosen = self.ask_process(&position)?;
        if chosen.is_none() {
            // The answer may still arrive, and would be mistaken for the next one.
            self.process = None;
        }
        Ok(legal[chosen.unwrap_or(0)])
    }

    fn ask_process(&mut self, position: &BotPosition) -> Result<Option<usize>, BotError> {
        let process = match &mut self.process {
            Some(process) => process,
            None => {
                let idle = lock(&self.shared.idle).pop();
                let process = match idle {
                    Some(process) => process,
                    None => match BotProcess::begin(
                        &self.shared.command,
                        &self.shared.hello,
                        &self.stop,
                    )? {
                        Some(process) => process,
                        None => return Ok(None),
                    },
                };
                self.is_started = false;
                self.process.insert(process)
            }
        };
        if !self.is_started {
            process.start(self.seed)?;
            self.is_started = true;
        }
        process.decide(position, &self.stop)
    }
}

impl Drop for ExecPlayer {
    fn drop(&mut self) {
        lock(&self.shared.idle).extend(self.process.take());
    }
}

impl Player for ExecPlayer {
    /// The placements of this piece; without a hold, these are all legal placements.
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        let view = GameView {
            hold: Hold::None,
            ..*view
        };
        self.decide(&view)
    }

    fn decide(&mut self, view: &GameView<'_>) -> Placement {
        match self.ask(view) {
            Ok(placement) => placement,
            Err(error) => {
                self.process = None;
                fail(error)
            }
        }
    }

    fn start(&mut self, seed: u64) {
        (self.seed, self.is_started) = (seed, false);
    }

    fn heed(&mut self, stop: &StopFlag) {
        self.stop = stop.clone();
    }

    fn boxed(&self) -> Box<dyn Player> {
        let mut copy = ExecPlayer::of(Arc::clone(&self.shared));
        copy.seed = self.seed;
        copy.stop = self.stop.clone();
        Box::new(copy)
    }
}

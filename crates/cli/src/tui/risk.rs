//! The risk meter, which learns in the background while the game is shown.

use anyhow::bail;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use tetrolab::arena::Arena;
use tetrolab::context::Context;
use tetrolab::core::players::Player;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::session::RiskMeter;
use tetrolab::survival::SurvivalError;

type Learned = Result<RiskMeter, SurvivalError>;

/// A meter, or the thread that learns it.
pub(crate) enum BackgroundMeter {
    Learning(Receiver<Learned>),
    Ready(Learned),
}

impl BackgroundMeter {
    /// Takes the bot's own tables, if they hold a danger, or begins to learn.
    pub(crate) fn start(ruleset: &Ruleset, player: &dyn Player) -> anyhow::Result<BackgroundMeter> {
        if let Some(own) = RiskMeter::own(ruleset, player) {
            return Ok(BackgroundMeter::Ready(Ok(own)));
        }
        if ruleset.stepped().is_some() {
            bail!(
                "--danger works in placement games only, and {} is a stepped game: leave it out, or use a \
                 placement ruleset such as simplified-10x20",
                ruleset.name
            );
        }
        let (sender, receiver) = channel();
        let (ruleset, player) = (ruleset.clone(), player.boxed());
        std::thread::spawn(move || {
            let arena = Arena::new(1).map_err(|_| SurvivalError::Stopped);
            let learned =
                arena.and_then(|arena| RiskMeter::learn(&Context::new(&arena), &ruleset, &*player));
            // Nobody receives it after the program has ended.
            let _ = sender.send(learned);
        });
        Ok(BackgroundMeter::Learning(receiver))
    }

    /// Waits until the meter is ready, or has failed.
    pub(crate) fn wait(&mut self) {
        if let BackgroundMeter::Learning(receiver) = self {
            let learned = receiver.recv().unwrap_or(Err(SurvivalError::Stopped));
            *self = BackgroundMeter::Ready(learned);
        }
    }

    /// Checks whether the meter is ready by now; the error if it has failed.
    pub(crate) fn update(&mut self) -> Result<(), &SurvivalError> {
        if let BackgroundMeter::Learning(receiver) = self {
            match receiver.try_recv() {
                Ok(learned) => *self = BackgroundMeter::Ready(learned),
                Err(TryRecvError::Empty) => (),
                Err(TryRecvError::Disconnected) => {
                    *self = BackgroundMeter::Ready(Err(SurvivalError::Stopped));
                }
            }
        }
        match self {
            BackgroundMeter::Ready(Err(error)) => Err(error),
            _ => Ok(()),
        }
    }

    /// The meter, once it is ready.
    pub(crate) fn meter(&self) -> Option<&RiskMeter> {
        match self {
            BackgroundMeter::Ready(learned) => learned.as_ref().ok(),
            BackgroundMeter::Learning(_) => None,
        }
    }
}

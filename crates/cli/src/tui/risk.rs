//! The risk meter, which is trained in the background while the game is shown.

use anyhow::bail;
use std::thread::JoinHandle;
use tetrolab::arena::Arena;
use tetrolab::context::Context;
use tetrolab::core::players::Player;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::session::RiskMeter;
use tetrolab::survival::SurvivalError;

type Learned = Result<RiskMeter, SurvivalError>;

/// A risk meter, or the thread that trains it.
pub(crate) enum BackgroundMeter {
    Learning(JoinHandle<Learned>),
    Ready(Learned),
}

impl BackgroundMeter {
    /// Uses the bot's own tables if they estimate danger, or starts training.
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
        let (ruleset, player) = (ruleset.clone(), player.boxed());
        let learning = std::thread::spawn(move || {
            let arena = Arena::new(1).map_err(|_| SurvivalError::Stopped)?;
            RiskMeter::learn(&Context::new(&arena), &ruleset, &*player)
        });
        Ok(BackgroundMeter::Learning(learning))
    }

    /// Waits until the meter is ready, or has failed.
    pub(crate) fn wait(&mut self) {
        let stopped = || BackgroundMeter::Ready(Err(SurvivalError::Stopped));
        *self = match std::mem::replace(self, stopped()) {
            BackgroundMeter::Learning(thread) => thread
                .join()
                .map_or_else(|_| stopped(), BackgroundMeter::Ready),
            ready => ready,
        };
    }

    /// Checks whether the meter is ready; returns the error if training failed.
    pub(crate) fn update(&mut self) -> Result<(), &SurvivalError> {
        match self {
            BackgroundMeter::Learning(thread) if thread.is_finished() => self.wait(),
            _ => (),
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

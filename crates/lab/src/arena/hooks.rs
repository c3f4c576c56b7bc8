//! Hooks of a call: skip known games, and receive games as they end.

use super::GameResult;
use tetrolab_core::placement::Placement;

/// Receives games as they end. The threads that play call it, possibly several at the same time.
pub trait GameSink: Sync {
    /// Games of one arm, in no particular order, and the placements of each if the series keeps
    /// them. With `whole`, all of them were lost or reached the cap; otherwise an interruption
    /// truncated them.
    ///
    /// # Errors
    /// If the sink fails; play then stops. The sink keeps the reason.
    fn take(
        &self,
        arm: usize,
        games: &[GameResult],
        placements: &[Vec<Placement>],
        whole: bool,
    ) -> Result<(), SinkFailed>;

    /// Called a few dozen times per second while games are played.
    fn tick(&self) {}
}

/// A [`GameSink`] failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinkFailed;

/// Hooks of a call; none by default.
#[derive(Clone, Copy, Default)]
pub struct Hooks<'a> {
    /// For each arm, the games that were played before, ordered by number; they are not played
    /// again and become part of the result. An empty slice means none for any arm.
    pub known: &'a [&'a [GameResult]],
    /// Receives games as they end. Their placements are then missing from the result.
    pub sink: Option<&'a dyn GameSink>,
}

impl Hooks<'_> {
    /// The games of an arm that were played before.
    pub(super) fn known_of(&self, arm: usize) -> &[GameResult] {
        self.known.get(arm).copied().unwrap_or_default()
    }

    /// Whether a game was played before.
    pub(super) fn is_known(&self, arm: usize, index: u64) -> bool {
        let known = self.known_of(arm);
        known
            .binary_search_by_key(&index, |game| game.index)
            .is_ok()
    }
}

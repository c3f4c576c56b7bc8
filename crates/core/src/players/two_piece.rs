//! The two-piece player: the best pair of placements of the current and the next piece. It is
//! look-ahead with depth 2 and needs to see the next piece; the value of a pair is defined in
//! [`crate::choice::Lookahead`].

use super::{GREEDY_SETTINGS, LookaheadPlayer, PlayerEntry, greedy_options};

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    id: "two-piece",
    definition: "the first placement of the best pair of placements for this piece and the next",
    source: "Böhm, Kókai and Mandl 2005; strategies, the full two-step; Lee 2013",
    settings: GREEDY_SETTINGS,
    make: |settings, context| {
        let (evaluator, options) = greedy_options(settings, context)?;
        let player = LookaheadPlayer::two_piece(context.ruleset, evaluator, options);
        Ok(Box::new(player))
    },
};

#[cfg(test)]
mod tests;

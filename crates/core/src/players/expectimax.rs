//! The expectimax player chooses the placement with the best expectation over the following pieces.
//! An approximate form expands only the best placements of each piece. The value of a placement is
//! defined in [`crate::choice::Lookahead`].

use super::lookahead::{DEPTH, HOLD, NODES, make};
use super::{EVALUATOR, LOSING, PlayerEntry, SCORED, TIES};
use crate::choice::Dealing;
use crate::outcomes::MAX_OUTCOMES;
use crate::settings::{Kind, Setting};

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    id: "expectimax",
    definition: "the placement with the highest expected score several pieces later; hidden pieces are weighted with their probabilities",
    source: "Michie 1966; Wang et al. 2018",
    settings: &[EVALUATOR, DEPTH, NODES, HOLD, LOSING, SCORED, TIES],
    make: |settings, context| make(settings, context, Dealing::ByChance, usize::MAX),
};

pub(super) const BEAM: PlayerEntry = PlayerEntry {
    id: "expectimax-beam",
    definition: "like expectimax, but for each piece before the last, only the placements with the best scores are expanded",
    source: "Michie 1966; Lowerre 1976 (beam search)",
    settings: &[
        EVALUATOR, BEAM_DEPTH, WIDTH, NODES, HOLD, LOSING, SCORED, TIES,
    ],
    make: |settings, context| {
        let width = settings.count(WIDTH.id);
        make(settings, context, Dealing::ByChance, width)
    },
};

const BEAM_DEPTH: Setting = Setting {
    default: Some("3"),
    ..DEPTH
};

const WIDTH: Setting = Setting {
    id: "width",
    help: "number of placements expanded for each piece before the last, those with the best scores; 64 expands all",
    default: Some("5"),
    kind: Kind::count(1, MAX_OUTCOMES),
};

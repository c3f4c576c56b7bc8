//! The genetic algorithms of the documents, with their parameters.

use crate::learners::{Preset, Protocol};

pub(super) const ALL: &[Preset] = &[THESIS, NEAR_PERFECT, GA_ESSAY, BOHM];

/// The runs of table 12 and of the selection table with 5000 pieces have the same results, so
/// tournament selection was used; likewise those of table 12 with 2000 pieces and of the population
/// table with 170. Tables 6 and 11 imply eight games.
const THESIS: Preset = Preset {
    id: "thesis-ga",
    definition: "tournament, 170 members, all replaced, +/-0.2; the start (box of 1), the pool and the mutation probability are ours",
    source: "thesis, 5.3.1",
    settings: "population=170,replace=1,selection=tournament,change=fixed",
    protocol: Protocol {
        features: Some("thesis-7"),
        ruleset: Some("thesis"),
        games: Some(8),
        max_pieces: Some(5_000),
        objective: Some("line-points"),
        ..Protocol::OPEN
    },
};

const NEAR_PERFECT: Preset = Preset {
    id: "near-perfect-ga",
    definition: "1000 unit vectors; the two best of a random tenth have a child; children replace the weakest 30 %",
    source: "Lee 2013 (near-perfect)",
    settings: "population=1000,start=sphere,selection=pool-pair,normalise=true",
    protocol: Protocol {
        games: Some(100),
        ..LEE
    },
};

const GA_ESSAY: Preset = Preset {
    id: "ga-essay",
    definition: "the near-perfect algorithm with 100 members that start in a box of 0.5 (start=sphere is the alternative)",
    source: "ga-essay, 2.3",
    settings: "population=100,start=box,range=0.5,selection=pool-pair,normalise=true",
    protocol: Protocol {
        games: Some(10),
        ..LEE
    },
};

/// The game of both presets.
const LEE: Protocol = Protocol {
    features: Some("near-perfect"),
    player: Some("two-piece(scored=before)"),
    ruleset: Some("near-perfect"),
    max_pieces: Some(500),
    objective: Some("lines"),
    ..Protocol::OPEN
};

const BOHM: Preset = Preset {
    id: "bohm",
    definition: "two-piece play on a small board; operators as reimplemented by others; population and selection are ours",
    source: "Böhm, Kókai and Mandl 2005",
    settings: "range=1000,crossover=uniform,mutation=0.0833,mutates=each,step=0.5,change=relative",
    protocol: Protocol {
        features: Some("bohm-12"),
        player: Some("two-piece"),
        ruleset: Some("two-piece-6x12"),
        objective: Some("lines"),
        ..Protocol::OPEN
    },
};

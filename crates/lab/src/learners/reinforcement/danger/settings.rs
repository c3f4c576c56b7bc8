//! The settings of the learner of dangers.

use super::super::setting::{KEEP, count, number, setting};
use tetrolab_core::settings::{Kind, Setting, Settings};
use tetrolab_core::spec::Spec;

/// What can be set.
pub(super) const SETTINGS: &[Setting] = &[
    setting(
        "covers",
        "2",
        count(0, 64),
        "with eight rows or more above the stack, placements that cover more than so many empty cells beyond the fewest possible are not looked at, unless they complete a row",
    ),
    setting(
        "horizon",
        "60",
        number(2.0, 1e6),
        "L: a death so many pieces away counts a third (gamma is 1 - 1/L)",
    ),
    setting(
        "rate",
        "0.5",
        number(1e-6, 10.0),
        "alpha: how far the danger of a board moves towards what follows from the boards after it",
    ),
    setting(
        "rate_end",
        "0.1",
        number(1e-6, 1.0),
        "what is left of it at the end of the cooling; it falls by the same share with every board",
    ),
    setting(
        "cooling",
        "3000000",
        count(1, 1_000_000_000),
        "boards in which it falls",
    ),
    setting(
        "visits",
        "1000",
        number(1.0, 1e9),
        "c: an entry that was seen so often moves 0.7 as far as a new one",
    ),
    setting(
        "most",
        "3",
        number(0.1, 100.0),
        "a relative error counts at most so much",
    ),
    setting(
        "lambda",
        "0.9",
        Kind::SHARE,
        "how much of what followed is taken from the way that was played, instead of from the next board alone",
    ),
    setting(
        "first",
        "-6",
        number(-100.0, 0.0),
        "the danger of every board at the beginning, a logarithm",
    ),
    setting(
        "guide",
        "misakamm-v2",
        Kind::EVALUATOR,
        "a player that is followed at first, while its own danger is learned",
    ),
    setting(
        "guided",
        "200000",
        count(0, 1_000_000_000),
        "for how many boards",
    ),
    setting(
        "average",
        "0.25",
        number(0.0, 1.0),
        "the player is a moving average of the weights, over this share of all boards so far; 0 for the last weights",
    ),
    setting(
        "calm",
        "0.7",
        Kind::SHARE,
        "share of the play by the average; the rest is by the last weights",
    ),
    setting(
        "lowest",
        "10",
        count(4, 26),
        "boards of all heights from this one on are played too, if the game's is higher",
    ),
    setting(
        "full",
        "0.6",
        Kind::SHARE,
        "share of the play that is on the game's own height",
    ),
    setting(
        "tilt",
        "1.1",
        number(0.0, 10.0),
        "pieces are drawn in proportion to the danger after them to the power of up to this; 0 draws as the game does",
    ),
    setting(
        "tilted",
        "0.3",
        Kind::SHARE,
        "share of the play with such pieces",
    ),
    setting(
        "ancestors",
        "0",
        Kind::SHARE,
        "share of the play that begins on boards from which trajectories of splitting came to die",
    ),
    setting(
        "refresh",
        "200000",
        count(100, 1_000_000_000),
        "boards from one splitting to the next",
    ),
    setting(
        "trajectories",
        "250",
        count(10, 100_000),
        "trajectories from each level of such a splitting",
    ),
    setting(
        "groups",
        "4",
        count(1, 64),
        "groups of eight games that are played side by side",
    ),
    KEEP,
    setting(
        "period",
        "500000",
        count(100, 1_000_000_000),
        "boards from one test to the next",
    ),
];

/// The settings as numbers.
#[derive(Clone, Debug)]
pub(super) struct DangerSettings {
    /// The chances of the pieces.
    pub(super) chances: [f64; 7],
    pub(super) covers: Option<u32>,
    pub(super) gamma: f64,
    rate: f64,
    rate_end: f64,
    cooling: f64,
    pub(super) visits: f32,
    pub(super) most: f64,
    pub(super) lambda: f64,
    pub(super) first: f32,
    pub(super) behaviour: Spec,
    pub(super) warm_start: u64,
    pub(super) average: f64,
    pub(super) calm: f64,
    pub(super) lowest: usize,
    pub(super) full: f64,
    pub(super) tilt: f64,
    pub(super) tilted: f64,
    pub(super) ancestors: f64,
    pub(super) refresh: u64,
    pub(super) trajectories: usize,
    pub(super) groups: u64,
    pub(super) period: u64,
}

impl DangerSettings {
    pub(super) fn new(settings: &Settings, chances: [f64; 7]) -> DangerSettings {
        let count = |id: &str| settings.count(id) as u64;
        DangerSettings {
            chances,
            covers: Some(settings.count("covers") as u32),
            gamma: 1.0 - 1.0 / settings.number("horizon"),
            rate: settings.number("rate"),
            rate_end: settings.number("rate_end"),
            cooling: settings.count("cooling") as f64,
            visits: settings.number("visits") as f32,
            most: settings.number("most"),
            lambda: settings.number("lambda"),
            first: settings.number("first") as f32,
            behaviour: settings.part("guide").clone(),
            warm_start: count("guided"),
            average: settings.number("average"),
            calm: settings.number("calm"),
            lowest: settings.count("lowest"),
            full: settings.number("full"),
            tilt: settings.number("tilt"),
            tilted: settings.number("tilted"),
            ancestors: settings.number("ancestors"),
            refresh: count("refresh"),
            trajectories: settings.count("trajectories"),
            groups: count("groups"),
            period: count("period"),
        }
    }

    /// The rate after so many boards.
    pub(super) fn rate_at(&self, boards: u64) -> f64 {
        let cooled = (boards as f64 / self.cooling).min(1.0);
        self.rate * libm::pow(self.rate_end, cooled)
    }
}

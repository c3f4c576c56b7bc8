//! The settings of the learners of values by replay.

use super::actor::Reward;
use super::setting::{count, number, setting};
use tetrolab_core::network::{Activation, Initialisation, UpdateRule};
use tetrolab_core::settings::{Kind, Setting, Settings};

/// What can be set, with the thesis' values; what the thesis leaves open is ours and says so.
pub(super) const SETTINGS: &[Setting] = &[
    setting("units", "32", count(1, 4096), "units of each hidden layer"),
    setting("layers", "3", count(1, 8), "hidden layers"),
    setting(
        "activation",
        "relu",
        Kind::Word(&["relu", "silu", "dsilu", "sigmoid"]),
        "what hidden units make of their sums",
    ),
    setting(
        "weights",
        "he",
        Kind::Word(&["he", "xavier"]),
        "how weights are drawn at the beginning (ours)",
    ),
    setting(
        "inputs",
        "plain",
        Kind::Word(&["plain", "scaled"]),
        "features as they are, or scaled to mean 0 and spread 1 over a thousand decisions",
    ),
    setting(
        "queue",
        "1000000",
        count(16, 10_000_000),
        "moves that are remembered",
    ),
    setting(
        "begin",
        "0.5",
        Kind::SHARE,
        "how full the queue is when learning begins",
    ),
    setting(
        "every",
        "5",
        count(1, 1_000_000),
        "placements from one training step to the next",
    ),
    setting(
        "epochs",
        "10",
        count(1, 1000),
        "steps on each batch, with the same targets",
    ),
    setting(
        "batch",
        "128",
        count(1, 65_536),
        "moves of a batch, drawn from the queue",
    ),
    setting(
        "rule",
        "adam",
        Kind::Word(&["adam", "momentum", "sgd"]),
        "how parameters follow the gradient (ours)",
    ),
    setting("rate", "0.001", number(1e-8, 10.0), "step size (ours)"),
    setting(
        "rate_end",
        "1",
        Kind::SHARE,
        "what is left of the step size at the end of the cooling (ours)",
    ),
    setting(
        "gamma",
        "0.95",
        Kind::SHARE,
        "what the value of the next board counts; the thesis: 0.8 to 0.99",
    ),
    setting(
        "steps",
        "1",
        count(1, 100),
        "moves whose rewards are added up before the value of a board counts; the thesis: 1",
    ),
    setting(
        "reward",
        "lines",
        Kind::Word(Reward::NAMES),
        "what a move earns: lines, 2^(lines-1), 1, or exp(-holes/33)",
    ),
    setting(
        "explore",
        "0.2",
        Kind::SHARE,
        "chance of any placement when learning begins; before that it is 1 (ours)",
    ),
    setting(
        "explore_end",
        "0",
        Kind::SHARE,
        "the same at the end of the cooling (ours)",
    ),
    setting(
        "cooling",
        "1000000",
        count(1, 1_000_000_000),
        "placements in which exploration and step size fall to their end, in a line (ours)",
    ),
    setting(
        "target",
        "0",
        count(0, 1_000_000),
        "training steps after which the target network is updated; 0 for no target network",
    ),
    setting(
        "clip",
        "0",
        number(0.0, 1e9),
        "error beyond which the loss grows in a line; 0 for squares everywhere",
    ),
    setting(
        "keep",
        "last",
        Kind::Word(&["last", "best"]),
        "which network is used in the end: the last, or that of the best test",
    ),
    setting(
        "actors",
        "1",
        count(1, 1024),
        "games that are played side by side",
    ),
    setting(
        "ahead",
        "5",
        count(1, 100_000),
        "placements of each actor with one network; training steps run in parallel",
    ),
    setting(
        "period",
        "100000",
        count(1, 1_000_000_000),
        "placements from one test to the next",
    ),
];

/// The settings as numbers.
#[derive(Clone, Debug)]
pub(super) struct QSettings {
    pub(super) hidden: Vec<(usize, Activation)>,
    pub(super) weights: Initialisation,
    pub(super) scaled: bool,
    pub(super) queue: usize,
    pub(super) begin: usize,
    pub(super) every: u64,
    pub(super) epochs: usize,
    pub(super) batch: usize,
    pub(super) rule: UpdateRule,
    pub(super) rate: f64,
    pub(super) rate_end: f64,
    pub(super) gamma: f32,
    pub(super) steps: usize,
    pub(super) reward: Reward,
    pub(super) explore: f64,
    pub(super) explore_end: f64,
    pub(super) cooling: f64,
    pub(super) target: u64,
    pub(super) clip: f32,
    pub(super) actors: u64,
    pub(super) ahead: u64,
    pub(super) period: u64,
}

impl QSettings {
    pub(super) fn new(settings: &Settings) -> QSettings {
        let activation = Activation::from_name(settings.word("activation"));
        let hidden = (
            settings.count("units"),
            activation.unwrap_or(Activation::Relu),
        );
        let rate = settings.number("rate");
        let queue = settings.count("queue");
        let clip = settings.number("clip") as f32;
        QSettings {
            hidden: vec![hidden; settings.count("layers")],
            weights: Initialisation::from_name(settings.word("weights"))
                .unwrap_or(Initialisation::He),
            scaled: settings.word("inputs") == "scaled",
            queue,
            begin: settings.share_of("begin", queue, 1),
            every: settings.count("every") as u64,
            epochs: settings.count("epochs"),
            batch: settings.count("batch"),
            rule: match settings.word("rule") {
                "sgd" => UpdateRule::Sgd { rate: rate as f32 },
                "momentum" => UpdateRule::Momentum {
                    rate: rate as f32,
                    decay: 0.9,
                },
                _ => UpdateRule::adam(rate as f32),
            },
            rate,
            rate_end: settings.number("rate_end"),
            gamma: settings.number("gamma") as f32,
            steps: settings.count("steps"),
            reward: Reward::named(settings.word("reward")),
            explore: settings.number("explore"),
            explore_end: settings.number("explore_end"),
            cooling: settings.count("cooling") as f64,
            target: settings.count("target") as u64,
            clip: if clip > 0.0 { clip } else { f32::INFINITY },
            actors: settings.count("actors") as u64,
            ahead: settings.count("ahead") as u64,
            period: settings.count("period") as u64,
        }
    }

    /// How far the cooling is, from 0 to 1, so many placements after learning began.
    pub(super) fn cooled(&self, placements: u64) -> f64 {
        (placements as f64 / self.cooling).min(1.0)
    }
}

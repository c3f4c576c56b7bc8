//! The settings of the learner of temporal differences.

use super::actor::Reward;
use super::setting::{KEEP, count, number, setting};
use super::value_function::Blank;
use tetrolab_core::network::{Activation, Initialisation, UpdateRule};
use tetrolab_core::settings::{Kind, Setting, Settings};
use tetrolab_core::spec::Spec;

/// What can be set.
pub(super) const SETTINGS: &[Setting] = &[
    setting(
        "value",
        "danger",
        Kind::Word(&["danger", "return"]),
        "what is learned of a board: the logarithm of the discounted chance to lose, or the discounted rewards to come",
    ),
    setting(
        "reward",
        "survival",
        Kind::Word(Reward::NAMES),
        "what a move earns with value=return: lines, 2^(lines-1), 1, or exp(-holes/33)",
    ),
    setting(
        "gamma",
        "0.983",
        number(0.0, 0.999_999),
        "what the value of the next board counts",
    ),
    setting(
        "lambda",
        "0.5",
        Kind::SHARE,
        "how much of the eligibility trace remains from board to board, beside gamma",
    ),
    setting("rate", "0.0003", number(1e-8, 10.0), "step size (alpha)"),
    setting(
        "rate_end",
        "0.1",
        number(1e-4, 1.0),
        "what is left of the step size at the end of the cooling; it falls by the same share with every placement",
    ),
    setting(
        "temperature",
        "0",
        number(0.0, 1e6),
        "placements are drawn with chances of exp(value / temperature); 0 takes the best",
    ),
    setting(
        "cooling",
        "4000000",
        count(1, 1_000_000_000),
        "placements in which the step size falls to its end, and the temperature to 0 in a line",
    ),
    setting(
        "first",
        "-4",
        number(-100.0, 1e6),
        "what every board is worth at the beginning",
    ),
    setting(
        "guide",
        "bcts",
        Kind::EVALUATOR,
        "a player that is followed at first, while its own play is learned about",
    ),
    setting(
        "guided",
        "200000",
        count(0, 1_000_000_000),
        "for how many placements",
    ),
    setting(
        "average",
        "500000",
        count(0, 1_000_000_000),
        "the player is a moving average of what is learned, over about so many placements; 0 for what is learned last",
    ),
    setting(
        "units",
        "100",
        count(1, 4096),
        "units of each hidden layer of a network",
    ),
    setting("layers", "1", count(1, 8), "hidden layers of a network"),
    setting(
        "activation",
        "dsilu",
        Kind::Word(&["relu", "silu", "dsilu", "sigmoid"]),
        "what hidden units make of their sums",
    ),
    setting(
        "weights",
        "xavier",
        Kind::Word(&["he", "xavier"]),
        "how the weights of a network are drawn at the beginning",
    ),
    setting(
        "inputs",
        "scaled",
        Kind::Word(&["plain", "scaled"]),
        "features as they are, or scaled to mean 0 and spread 1 over a thousand decisions",
    ),
    setting(
        "rule",
        "rmsprop",
        Kind::Word(&["rmsprop", "adam", "sgd"]),
        "how the parameters of a network follow the gradient",
    ),
    setting(
        "visits",
        "5000",
        number(1.0, 1e9),
        "visits of an entry of a table after which its step has fallen to 0.7 of the rate",
    ),
    KEEP,
    setting(
        "period",
        "100000",
        count(100, 1_000_000_000),
        "placements from one test to the next; each period begins with a new game",
    ),
];

/// What is learned of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Learns {
    /// The logarithm of the discounted chance to lose.
    Danger,
    /// The discounted rewards to come.
    Return(Reward),
}

/// The settings as numbers.
#[derive(Clone, Debug)]
pub(super) struct TdSettings {
    pub(super) learns: Learns,
    pub(super) gamma: f32,
    pub(super) lambda: f32,
    pub(super) rate: f64,
    pub(super) rate_end: f64,
    pub(super) temperature: f64,
    pub(super) cooling: f64,
    pub(super) behaviour: Spec,
    pub(super) warm_start: u64,
    pub(super) average: u64,
    pub(super) period: u64,
    pub(super) blank: Blank,
}

impl TdSettings {
    pub(super) fn new(settings: &Settings) -> TdSettings {
        let activation = Activation::from_name(settings.word("activation"));
        let hidden = (
            settings.count("units"),
            activation.unwrap_or(Activation::Dsilu),
        );
        let rate = settings.number("rate");
        let weights = Initialisation::from_name(settings.word("weights"));
        TdSettings {
            learns: match settings.word("value") {
                "danger" => Learns::Danger,
                _ => Learns::Return(Reward::named(settings.word("reward"))),
            },
            gamma: settings.number("gamma") as f32,
            lambda: settings.number("lambda") as f32,
            rate,
            rate_end: settings.number("rate_end"),
            temperature: settings.number("temperature"),
            cooling: settings.count("cooling") as f64,
            behaviour: settings.part("guide").clone(),
            warm_start: settings.count("guided") as u64,
            average: settings.count("average") as u64,
            period: settings.count("period") as u64,
            blank: Blank {
                hidden: vec![hidden; settings.count("layers")],
                weights: weights.unwrap_or(Initialisation::Xavier),
                rule: match settings.word("rule") {
                    "sgd" => UpdateRule::Sgd { rate: rate as f32 },
                    "adam" => UpdateRule::adam(rate as f32),
                    _ => UpdateRule::rmsprop(rate as f32),
                },
                scaled: settings.word("inputs") == "scaled",
                first: settings.number("first") as f32,
                visits: settings.number("visits") as f32,
            },
        }
    }

    /// How far the cooling is, from 0 to 1, after so many placements.
    fn cooled(&self, placements: u64) -> f64 {
        (placements as f64 / self.cooling).min(1.0)
    }

    /// The step size after so many placements.
    pub(super) fn rate_at(&self, placements: u64) -> f32 {
        (self.rate * libm::pow(self.rate_end, self.cooled(placements))) as f32
    }

    /// The temperature after so many placements.
    pub(super) fn temperature_at(&self, placements: u64) -> f64 {
        self.temperature * (1.0 - self.cooled(placements))
    }
}

//! The setup of an environment: game, actions, observations and rewards.

use super::action::{Actions, IllegalActions};
use super::observation::Strides;
use super::reward::{RewardKind, Shaping};
use super::{EnvironmentError, NOTHING};
use tetrolab_core::features::{Feature, FeatureSet};
use tetrolab_core::piece::PIECES;
use tetrolab_core::ruleset::Ruleset;

/// The meaning of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnvironmentKind {
    /// An action places a piece: a rotation and a column; in stepped games also a row and a hold.
    Placement,
    /// An action selects one of the afterstates of the piece.
    Afterstates,
    /// An action presses a key in one tick of a stepped game.
    Keys,
}

/// An observed array: its name, its shape per game, and its element type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedPart {
    /// The name of the array.
    pub name: &'static str,
    /// The shape of the array per game.
    pub shape: Vec<usize>,
    /// `uint8`, `int8`, `uint64` or `float32` (NumPy's names).
    pub numbers: &'static str,
}

/// The setup of an environment.
#[derive(Clone, Debug)]
pub struct EnvironmentSetup {
    /// The meaning of an action.
    pub kind: EnvironmentKind,
    /// The game.
    pub ruleset: Ruleset,
    /// Whether boards are observed as cells (of the board itself, or of all afterstates).
    pub cells: bool,
    /// Whether boards are observed as columns of 64 bits each.
    pub packed: bool,
    /// Whether the visible pieces are one-hot encoded instead of given as numbers.
    pub one_hot: bool,
    /// Observed features: those of the last step, or of every afterstate.
    pub features: Vec<&'static Feature>,
    /// The reward.
    pub reward: RewardKind,
    /// The shaping of rewards.
    pub shaping: Option<Shaping>,
    /// Episodes are truncated after this many steps.
    pub max_steps: Option<u64>,
    /// The effect of an illegal action.
    pub illegal: IllegalActions,
}

impl EnvironmentSetup {
    /// The default environment of a ruleset.
    pub fn new(kind: EnvironmentKind, ruleset: Ruleset) -> EnvironmentSetup {
        EnvironmentSetup {
            kind,
            ruleset,
            cells: true,
            packed: false,
            one_hot: true,
            features: Vec::new(),
            reward: RewardKind::Lines,
            shaping: None,
            max_steps: None,
            illegal: IllegalActions::Nearest,
        }
    }

    /// Finds parts that do not fit together.
    pub(super) fn check(&self) -> Result<(), EnvironmentError> {
        let refused = |text: &str| Err(EnvironmentError::Refused(text.to_owned()));
        if self.kind == EnvironmentKind::Keys {
            if self.ruleset.stepped().is_none() {
                let ruleset = self.ruleset.name.clone();
                return Err(EnvironmentError::NoKeys { ruleset });
            }
            if !self.features.is_empty() || self.shaping.is_some() {
                return refused(
                    "features and shaping need placements, which an environment with keys does not have",
                );
            }
        }
        if self.kind == EnvironmentKind::Afterstates && !self.cells && self.features.is_empty() {
            return refused(
                "expected boards, features or both as observations of afterstates, found neither",
            );
        }
        if self.max_steps == Some(0) {
            return refused("expected at least one step per episode, got 0");
        }
        Ok(())
    }

    /// The observed features as a set.
    pub(super) fn feature_set(&self) -> FeatureSet {
        FeatureSet::new(self.features.clone(), self.ruleset.width)
    }

    /// The observed pieces: the current one, those after it, and the hold if there is one.
    pub(super) fn piece_slots(&self) -> usize {
        let hold = self.ruleset.stepped().is_some_and(|rules| rules.hold);
        1 + self.ruleset.preview + usize::from(hold)
    }

    /// The arrays that are observed.
    pub fn observed(&self) -> Vec<ObservedPart> {
        let part = |name, shape, numbers| ObservedPart {
            name,
            shape,
            numbers,
        };
        let (width, height) = (self.ruleset.width, self.ruleset.height);
        let actions = Actions::new(self.kind, &self.ruleset).count();
        let numbers = self.feature_set().len();
        let mut parts = Vec::new();
        let is_list = self.kind == EnvironmentKind::Afterstates;
        if self.cells && !is_list {
            parts.push(part("board", vec![height, width], "uint8"));
        }
        if self.packed {
            parts.push(part("columns", vec![width], "uint64"));
            if self.kind == EnvironmentKind::Keys {
                parts.push(part("falling", vec![width], "uint64"));
            }
        }
        let slots = self.piece_slots();
        if self.one_hot {
            parts.push(part("pieces", vec![slots, PIECES.len()], "uint8"));
        } else {
            parts.push(part("pieces", vec![slots], "uint8"));
        }
        if is_list {
            if self.cells {
                parts.push(part("boards", vec![actions, height, width], "uint8"));
            }
            parts.push(part("lines", vec![actions], "uint8"));
            parts.push(part("over", vec![actions], "int8"));
        }
        if numbers > 0 {
            let shape = if is_list {
                vec![actions, numbers]
            } else {
                vec![numbers]
            };
            parts.push(part("features", shape, "float32"));
        }
        parts.push(part("mask", vec![actions], "int8"));
        parts
    }

    /// The maximum value of an array, if it is bounded; the minimum is 0.
    pub fn largest(&self, part: &str) -> Option<u64> {
        match part {
            "board" if self.kind == EnvironmentKind::Keys => Some(2),
            "board" | "boards" | "mask" | "over" => Some(1),
            "lines" => Some(4),
            "pieces" if self.one_hot => Some(1),
            "pieces" => Some(u64::from(NOTHING)),
            "columns" | "falling" => Some((1 << (self.ruleset.height + 4)) - 1),
            _ => None,
        }
    }

    pub(super) fn strides(&self) -> Strides {
        let parts = self.observed();
        let of = |name: &str| {
            let part = parts.iter().find(|part| part.name == name);
            part.map_or(0, |part| part.shape.iter().product())
        };
        Strides {
            board: of("board"),
            columns: of("columns"),
            falling: of("falling"),
            pieces: of("pieces"),
            mask: of("mask"),
            features: of("features"),
            boards: of("boards"),
            lines: of("lines"),
            over: of("over"),
        }
    }
}

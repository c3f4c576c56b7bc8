//! Each piece independently, with its own probability. Equal probabilities give Pajitnov's
//! randomizer, which the literature uses; Boumaza's harder game is another choice.
//!
//! Weights are parsed as decimals and stored as integers of a common power of ten, so a draw is one
//! integer below their sum: exact, and the same on every machine.

use super::{Chances, Draw, Knowledge, Probabilities, Randomizer, RandomizerEntry};
use crate::board::Board;
use crate::piece::{PIECES, Piece};
use crate::settings::{Kind, Setting, Settings, decimal};
use crate::spec::SpecError;
use std::sync::Arc;

pub(super) const ENTRY: RandomizerEntry = RandomizerEntry {
    id: "weighted",
    definition: "each piece independently, in proportion to its weight, as in weighted(S=3,Z=3)",
    source: "generalises Boumaza 2009",
    settings: &[
        weight("I"),
        weight("O"),
        weight("T"),
        weight("Z"),
        weight("S"),
        weight("J"),
        weight("L"),
    ],
    make: |settings, _| Ok(Box::new(Weighted(Chances::new(weights(settings)?)))),
};

/// The setting of a piece's weight.
const fn weight(piece: &'static str) -> Setting {
    Setting {
        id: piece,
        help: "the weight of this piece",
        default: Some("1"),
        kind: Kind::Decimal {
            most: MAX_WEIGHT,
            digits: DECIMALS,
        },
    }
}

pub(super) const UNIFORM: RandomizerEntry = RandomizerEntry {
    id: "uniform",
    definition: "each piece independently with probability 1/7",
    source: "Pajitnov 1984; MDPTetris",
    settings: &[],
    make: |_, _| Ok(Box::new(Weighted(Chances::uniform()))),
};

pub(super) const HARD: RandomizerEntry = RandomizerEntry {
    id: "hard",
    definition: "each piece independently, S and Z with probability 3/11 each, the others with 1/11",
    source: "Boumaza 2009; MDPTetris' piece file \"hard\"",
    settings: &[],
    make: |_, _| Ok(Box::new(Weighted(Chances::new([1, 1, 1, 3, 3, 1, 1])))),
};

/// The maximum number of decimals of a weight.
const DECIMALS: usize = 9;
/// The maximum weight; seven of them, with all decimals, fit into 64 bits.
const MAX_WEIGHT: u64 = 1_000_000_000;

#[derive(Clone, Debug)]
struct Weighted(Chances);

impl Randomizer for Weighted {
    fn next(&mut self, draw: &mut dyn Draw, _: &Board) -> Option<Piece> {
        Some(PIECES[self.0.draw(draw)])
    }

    fn knowledge(&self) -> Arc<dyn Knowledge> {
        Arc::new(self.clone())
    }

    fn is_deterministic(&self) -> bool {
        self.0.probabilities().contains(&1.0)
    }

    fn chances(&self) -> Option<Chances> {
        Some(self.0.clone())
    }
}

impl Knowledge for Weighted {
    fn probabilities(&self, _: &Board) -> Probabilities {
        self.0.probabilities()
    }

    fn after(&self, _: Piece) -> Option<Arc<dyn Knowledge>> {
        None
    }
}

/// The weights in units of 10^-[`DECIMALS`].
fn weights(settings: &Settings) -> Result<[u64; 7], SpecError> {
    let units = |piece: Piece| {
        let text = settings.word(&piece.to_string());
        decimal(text, MAX_WEIGHT, DECIMALS).unwrap_or_default()
    };
    let weights = PIECES.map(units);
    if weights.iter().all(|&weight| weight == 0) {
        return Err(SpecError::Argument {
            part: ENTRY.id.to_owned(),
            problem: "at least one piece needs a weight above 0".to_owned(),
        });
    }
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{chi_square, counts, make, problem, scripted_with};
    use super::*;

    #[test]
    fn a_draw_selects_the_piece_whose_interval_contains_it() {
        // Out of eleven: I 0, O 1, T 2, Z 3 to 5, S 6 to 8, J 9, L 10.
        let draws = [0, 1, 2, 3, 5, 6, 8, 9, 10].map(|number| (11, number));
        assert_eq!(scripted_with("hard", &draws), "IOTZZSSJL");
        // Half a piece of O in units of a billionth, and the largest weights together.
        let draws = [(6_500_000_000, 999_999_999), (6_500_000_000, 1_499_999_999)];
        assert_eq!(scripted_with("weighted(O=0.5)", &draws), "IO");
        let most = PIECES
            .map(|piece| format!("{piece}={MAX_WEIGHT}"))
            .join(",");
        let last = 7 * MAX_WEIGHT * 1_000_000_000;
        let draws = [(last, 0), (last, last - 1)];
        assert_eq!(scripted_with(&format!("weighted({most})"), &draws), "IL");
    }

    #[test]
    fn pieces_are_dealt_in_proportion_to_their_weights() {
        let drawn = counts("hard", 7, 110_000);
        let expected = [1, 1, 1, 3, 3, 1, 1].map(|weight| f64::from(weight) * 10_000.0);
        // With 6 degrees of freedom, 22.5 is exceeded once in a thousand times.
        assert!(chi_square(&drawn, &expected) < 22.5, "{drawn:?}");
        assert_eq!(drawn, counts("weighted(S=3,Z=3)", 7, 110_000));
        let none = counts("weighted(O=0,S=0.5)", 7, 55_000);
        assert_eq!(none[Piece::O as usize], 0);
        let expected = [
            10_000.0, 0.0, 10_000.0, 10_000.0, 5_000.0, 10_000.0, 10_000.0,
        ];
        assert!(chi_square(&none, &expected) < 20.5, "{none:?}");
    }

    #[test]
    fn wrong_weights_are_named() {
        assert_eq!(
            problem("weighted(S=-1)"),
            "weighted: S must be a number from 0 to 1000000000 with at most 9 decimals, got '-1'"
        );
        assert_eq!(
            problem("weighted(I=0,O=0,T=0,Z=0,S=0,J=0,L=0)"),
            "weighted: at least one piece needs a weight above 0"
        );
        assert!(problem("weighted(Q=1)").starts_with("weighted: there is no setting 'Q'"));
        assert_eq!(problem("weighted(3)"), "weighted: does not take '3' here");
        assert_eq!(
            problem("hard(S=4)"),
            "hard: there is no setting 'S'; there are no settings"
        );
        assert!(make("weighted").is_ok());
    }
}

//! Readings: the possible meanings of ambiguous words of the thesis in its program.

use crate::experiments::stage::linear_player;
use crate::library::{PlayerFile, published};

/// A choice of meanings for all ambiguous words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    /// The rules: an index into [`RULES`].
    pub(super) rules: usize,
    /// Whether losing placements are avoided or allowed, and which board is scored: an index into
    /// [`PLAY`].
    pub(super) play: usize,
    /// The meanings of the words: an index into the list of each [`Word`].
    pub(super) words: [usize; Word::ALL.len()],
}

/// An ambiguous word of the thesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Position,
    Horizontal,
    Vertical,
    Wells,
    RelativeHeight,
    Difference,
    Fill,
}

/// The rules that are tried: randomizer, game-over rule and height. The thesis draws boards of 20
/// rows, and sums rows 0 to 18 in one formula.
pub(super) const RULES: [(&str, &str); 8] = [
    ("memoryless pieces", "thesis(randomizer=uniform)"),
    ("TGM3's pieces", "thesis"),
    ("7-bag", "thesis(randomizer=bag)"),
    ("memoryless, over above the top row", "simplified-10x20"),
    ("memoryless, 18 rows", "thesis-10x18(randomizer=uniform)"),
    ("memoryless, 19 rows", "thesis-10x19(randomizer=uniform)"),
    ("memoryless, 21 rows", "thesis-10x21(randomizer=uniform)"),
    ("memoryless, 22 rows", "thesis-10x22(randomizer=uniform)"),
];

/// How players choose placements.
pub(super) const PLAY: [(&str, &str); 4] = [
    ("losing allowed", "losing=allow"),
    ("losing avoided", "losing=avoid"),
    (
        "losing allowed, scored before rows are removed",
        "losing=allow,scored=before",
    ),
    (
        "losing avoided, scored before rows are removed",
        "losing=avoid,scored=before",
    ),
];

/// A possible meaning of a word: a description, and the features that replace those of the shipped
/// players.
pub(super) type Meaning = (&'static str, &'static [(&'static str, &'static str)]);

const POSITIONS: &[Meaning] = &[
    (
        "lowest row",
        &[("landing_height_top", "landing_height_bottom")],
    ),
    ("highest row", &[]),
    ("middle row", &[("landing_height_top", "landing_height")]),
];

const HORIZONTALS: &[Meaning] = &[
    ("along rows, cells only", &[]),
    (
        "along rows, with walls",
        &[("row_transitions_no_walls", "row_transitions")],
    ),
    (
        "along rows below the top, with walls",
        &[("row_transitions_no_walls", "row_transitions_below_top")],
    ),
    (
        "swapped with vertical ones",
        &[
            ("row_transitions_no_walls", "column_transitions_inner"),
            ("column_transitions_inner", "row_transitions_no_walls"),
        ],
    ),
    (
        "without effect",
        &[("row_transitions_no_walls", "constant")],
    ),
];

const VERTICALS: &[Meaning] = &[
    ("down columns, cells only", &[]),
    (
        "down columns, with floor",
        &[("column_transitions_inner", "column_transitions")],
    ),
];

const WELLS: &[Meaning] = &[
    ("as meant", &[]),
    (
        "as printed",
        &[
            ("thesis_well_max", "thesis_well_max_printed"),
            ("thesis_well_sum", "thesis_well_sum_printed"),
        ],
    ),
    (
        "open wells",
        &[
            ("thesis_well_max", "max_well_depth"),
            ("thesis_well_sum", "well_depths"),
        ],
    ),
];

const RELATIVE_HEIGHTS: &[Meaning] = &[
    ("u from 1 to 5", &[]),
    ("u = 1", &[("weighted_relative_height", "mean_minus_min")]),
    (
        "without effect",
        &[("weighted_relative_height", "constant")],
    ),
];

const DIFFERENCES: &[Meaning] = &[
    ("highest minus lowest", &[]),
    ("highest alone", &[("altitude_difference", "max_height")]),
    ("without effect", &[("altitude_difference", "constant")]),
];

const FILLS: &[Meaning] = &[
    ("percent", &[]),
    ("cells", &[("board_fill", "occupied_cells")]),
    ("without effect", &[("board_fill", "constant")]),
];

impl Word {
    pub(super) const ALL: [Word; 7] = [
        Word::Position,
        Word::Horizontal,
        Word::Vertical,
        Word::Wells,
        Word::RelativeHeight,
        Word::Difference,
        Word::Fill,
    ];

    /// The word in English.
    pub(super) fn name(self) -> &'static str {
        match self {
            Word::Position => "piece position",
            Word::Horizontal => "horizontal transitions",
            Word::Vertical => "vertical transitions",
            Word::Wells => "wells",
            Word::RelativeHeight => "weighted relative height",
            Word::Difference => "highest minus lowest",
            Word::Fill => "board fill",
        }
    }

    /// The possible meanings of the word, the identified one first.
    pub(super) fn meanings(self) -> &'static [Meaning] {
        match self {
            Word::Position => POSITIONS,
            Word::Horizontal => HORIZONTALS,
            Word::Vertical => VERTICALS,
            Word::Wells => WELLS,
            Word::RelativeHeight => RELATIVE_HEIGHTS,
            Word::Difference => DIFFERENCES,
            Word::Fill => FILLS,
        }
    }
}

impl Reading {
    /// The reading that fits best so far: memoryless pieces, losing allowed, the lowest row.
    pub(super) const IDENTIFIED: Reading = Reading {
        rules: 0,
        play: 0,
        words: [0; Word::ALL.len()],
    };

    /// The meaning of a word.
    pub(super) fn meaning(&self, word: Word) -> &'static Meaning {
        &word.meanings()[self.words[word as usize]]
    }

    /// The replacement for a feature of a shipped player.
    pub(super) fn feature(&self, id: &'static str) -> &'static str {
        // Swapped transitions cannot have another meaning.
        let swapped = Word::ALL
            .iter()
            .flat_map(|&word| self.meaning(word).1)
            .find(|replaced| replaced.0 == id);
        swapped.map_or(id, |replaced| replaced.1)
    }

    /// The reading in words.
    pub(super) fn describe(&self) -> String {
        let words = Word::ALL.iter().map(|word| {
            let meaning = self.meaning(*word).0;
            format!("{}: {meaning}", word.name())
        });
        let first = [RULES[self.rules].0, PLAY[self.play].0].map(str::to_owned);
        let all: Vec<String> = first.into_iter().chain(words).collect();
        all.join("; ")
    }
}

/// The file of a shipped player of the thesis under another reading. A feature without effect is
/// omitted.
pub(super) fn player_text(name: &str, reading: &Reading) -> String {
    player_text_of(&thesis_player(name), name, reading)
}

/// A shipped player of the thesis.
pub(super) fn thesis_player(name: &str) -> PlayerFile {
    published(name).expect("the players of the thesis are shipped")
}

/// Like [`player_text`], for a player file that has already been parsed.
pub(super) fn player_text_of(file: &PlayerFile, name: &str, reading: &Reading) -> String {
    let weights = file.weights().flat_map(|row| row.1);
    let weights = file.features.iter().zip(weights);
    let weights = weights.map(|(feature, &weight)| (reading.feature(feature.id), weight));
    let weights: Vec<_> = weights.filter(|row| row.0 != WITHOUT_EFFECT).collect();
    linear_player(name, &file.source, "player = \"greedy\"", &weights)
}

/// A feature that changes no decision.
const WITHOUT_EFFECT: &str = "constant";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_replaces_features_and_keeps_weights() {
        let mut reading = Reading::IDENTIFIED;
        reading.words[Word::Horizontal as usize] = 3;
        reading.words[Word::RelativeHeight as usize] = 2;
        let text = player_text("thesis-8", &reading);
        for line in [
            "landing_height_bottom = -2.15",
            "column_transitions_inner = -0.43",
            "row_transitions_no_walls = -2.824",
        ] {
            assert!(text.contains(line), "{text}");
        }
        assert!(!text.contains("relative_height"), "{text}");
    }

    #[test]
    fn every_meaning_is_a_feature() {
        for word in Word::ALL {
            for (meaning, replaced) in word.meanings() {
                for (from, to) in *replaced {
                    let known = |id: &str| tetrolab_core::features::feature(id).is_some();
                    assert!(known(from) && known(to), "{meaning}");
                }
            }
        }
    }
}

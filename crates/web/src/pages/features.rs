//! Features: what each of them counts, and its value on a board shown on the page.

use serde::Deserialize;
use serde_json::{Value, json};
use tetrolab::core::board::Board;
use tetrolab::core::features::{FEATURE_SETS, FEATURES, Feature};
use tetrolab::core::game::GameSnapshot;
use tetrolab::core::piece::Piece;
use tetrolab::core::record::ShortPlacement;
use tetrolab::draw::{FeatureRequest, draw_feature};
use tetrolab::library::FileSource;

/// The player that places the piece of an example.
const PLACED_BY: &str = "dellacherie";
/// The maximum width and height of an example board.
const MOST_SIZE: usize = 30;

/// A board and a piece to place on it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExampleBoard {
    /// The rows of the board, top row first, as `.` and `#`.
    rows: Vec<String>,
    /// The letter of the piece.
    piece: char,
}

/// Every feature.
#[must_use]
pub fn features() -> Value {
    let sets_of = |id: &str| -> Vec<&str> {
        let sets = FEATURE_SETS.iter();
        let sets = sets.filter(|set| set.resolve().iter().any(|feature| feature.id == id));
        sets.map(|set| set.id).collect()
    };
    let row = |feature: &Feature| {
        json!({
            "id": feature.id,
            "definition": feature.definition,
            "source": feature.source,
            "sets": sets_of(feature.id),
        })
    };
    let features: Vec<Value> = FEATURES.iter().map(row).collect();
    json!({ "features": features })
}

/// A feature on a step: its value, and the cells that it counts.
///
/// # Errors
/// If the step is invalid.
pub fn feature_picture(request: &FeatureRequest) -> Result<Value, String> {
    let drawn = draw_feature(request, FileSource::NAMES).map_err(|error| error.to_string())?;
    Ok(json!(drawn))
}

impl ExampleBoard {
    /// The values of all features when the piece is placed.
    ///
    /// # Errors
    /// If the board or the piece is invalid.
    pub fn values(&self) -> Result<Value, String> {
        let (width, height) = (
            self.rows.first().map_or(0, |row| row.chars().count()),
            self.rows.len(),
        );
        if !(4..=MOST_SIZE).contains(&width) || !(4..=MOST_SIZE).contains(&height) {
            return Err(format!(
                "expected a board of 4 to {MOST_SIZE} columns and rows, found {width} and {height}"
            ));
        }
        let unknown = || {
            let found = self.piece.escape_debug();
            format!("expected a piece, one of I O T Z S J L; found '{found}'")
        };
        let piece = Piece::from_letter(self.piece).ok_or_else(unknown)?;
        let library = FileSource::NAMES;
        let ruleset = library
            .ruleset(&format!("simplified-{width}x{height}"))
            .map_err(sentence)?;
        let mut board = Board::from_lowest_rows(width, height, &self.rows).map_err(sentence)?;
        board.remove_full_rows();
        let snapshot = GameSnapshot::new(&ruleset, board, &[piece]).map_err(sentence)?;
        let mut player = library.player(PLACED_BY, &ruleset).map_err(sentence)?;
        let view = snapshot.view();
        let placement = player.choose(&view);
        let step = view.rules.step(view.board, placement, None, 0);
        let row = |row: usize| -> String {
            (0..width)
                .map(|column| {
                    if step.after.is_filled(row, column) {
                        '#'
                    } else {
                        '.'
                    }
                })
                .collect()
        };
        let values = FEATURES
            .iter()
            .map(|feature| (feature.id.to_owned(), json!(feature.values(&step))));
        Ok(json!({
            "ruleset": ruleset.name,
            "placement": ShortPlacement::from(placement).to_string(),
            "cells": placement.cells(),
            "cleared": step.lines(),
            "after": (0..height).rev().map(row).collect::<Vec<_>>(),
            "values": values.collect::<serde_json::Map<_, _>>(),
        }))
    }
}

#[allow(
    clippy::needless_pass_by_value,
    reason = "errors are handed over: map_err(sentence)"
)]
fn sentence(error: impl ToString) -> String {
    error.to_string()
}

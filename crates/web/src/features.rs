//! Features: what each counts, and its value on a board that the page shows.

use crate::app::App;
use crate::body::JsonBody;
use crate::error::Refusal;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use tetrolab::core::board::Board;
use tetrolab::core::features::{FEATURE_SETS, FEATURES, Feature};
use tetrolab::core::game::GameSnapshot;
use tetrolab::core::piece::Piece;
use tetrolab::library::FileSource;

/// The player that places the piece of an example.
const PLACED_BY: &str = "dellacherie";
/// The widest and highest board of an example.
const MOST_SIZE: usize = 30;

/// A board and a piece to place on it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExampleBoard {
    /// The rows of the board, the top one first, of `.` and `#`.
    rows: Vec<String>,
    /// The letter of the piece.
    piece: char,
}

/// Every feature.
pub(crate) async fn list() -> Json<Value> {
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
    Json(json!({ "features": features }))
}

/// The values of all features when a piece is placed on a board.
pub(crate) async fn values(
    State(_): State<Arc<App>>,
    JsonBody(example): JsonBody<ExampleBoard>,
) -> Result<Json<Value>, Refusal> {
    example.values().map(Json)
}

impl ExampleBoard {
    fn values(&self) -> Result<Value, Refusal> {
        let (width, height) = (
            self.rows.first().map_or(0, |row| row.chars().count()),
            self.rows.len(),
        );
        if !(4..=MOST_SIZE).contains(&width) || !(4..=MOST_SIZE).contains(&height) {
            return Err(Refusal::wrong(format!(
                "expected a board of 4 to {MOST_SIZE} columns and rows, found {width} and {height}"
            )));
        }
        let unknown = || {
            Refusal::wrong(format!(
                "expected a piece, one of I O T Z S J L; found '{}'",
                self.piece.escape_debug()
            ))
        };
        let piece = Piece::from_letter(self.piece).ok_or_else(unknown)?;
        let library = FileSource::NAMES;
        let ruleset = library
            .ruleset(&format!("simplified-{width}x{height}"))
            .map_err(Refusal::wrong)?;
        let mut board =
            Board::from_lowest_rows(width, height, &self.rows).map_err(Refusal::wrong)?;
        board.remove_full_rows();
        let snapshot = GameSnapshot::new(&ruleset, board, &[piece]).map_err(Refusal::wrong)?;
        let mut player = library
            .player(PLACED_BY, &ruleset)
            .map_err(Refusal::wrong)?;
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
            "cells": placement.cells(),
            "cleared": step.lines(),
            "after": (0..height).rev().map(row).collect::<Vec<_>>(),
            "values": values.collect::<serde_json::Map<_, _>>(),
        }))
    }
}

//! Recorded games as a dataset: the features of every placement.

use serde_json::{Value, json};
use std::io;
use tetrolab::core::features::Feature;
use tetrolab::core::game::{Game, Status};
use tetrolab::core::placement::Transition;
use tetrolab::core::record::{GameRecord, InputLog, ShortPlacement};
use tetrolab::formats::games::{parse, ruleset};
use tetrolab::formats::placements::feature_values;

/// Replays the game on a line and emits an object for each of its placements.
pub(super) fn each_placement(
    line: &str,
    number: u64,
    features: &[&'static Feature],
    emit: &mut dyn FnMut(Value) -> io::Result<()>,
) -> anyhow::Result<()> {
    let record = parse(line)?;
    let ruleset = ruleset(&record)?;
    // The whole record is checked before anything is emitted.
    record.replay(&ruleset, None)?;
    let board = record.start.unwrap_or_else(|| ruleset.empty_board());
    let mut game = Game::on_board(&ruleset, board, record.seed, None);
    let mut emit = |index: usize, short: ShortPlacement, transition: &Transition| {
        emit(json!({
            "game": number,
            "player": record.player,
            "ruleset": record.rules.name,
            "seed": record.seed,
            "index": index + 1,
            "piece": short.piece.to_string(),
            "placement": short.to_string(),
            "cells": transition.placement.cells(),
            "lines": transition.lines(),
            "game_over": transition.game_over,
            "features": feature_values(transition, features),
        }))
    };
    if record.inputs.is_some() {
        // A human player's inputs need not form a shortest path.
        for (index, transition) in by_inputs(&record, &mut game).enumerate() {
            let short = ShortPlacement::stepped(transition.placement);
            emit(index, short, &transition)?;
        }
        return Ok(());
    }
    for (index, short) in record.placements.iter().enumerate() {
        let placement = short.on(game.board())?;
        emit(index, *short, &game.apply(placement))?;
    }
    Ok(())
}

/// The placements that result from the inputs of a record.
fn by_inputs<'a>(
    record: &'a GameRecord,
    game: &'a mut Game,
) -> impl Iterator<Item = Transition> + 'a {
    let inputs = record.inputs.iter().flat_map(InputLog::ticks);
    // Inputs after the end of the game have no effect.
    let tick = |inputs| (game.status() == Status::Playing).then(|| game.tick(inputs).locked);
    inputs.map_while(tick).flatten()
}

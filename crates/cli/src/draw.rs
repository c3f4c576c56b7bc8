//! `tetrolab draw`: a picture of what a player would do.

use crate::output::print_json;
use anyhow::bail;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;
use tetrolab::arena::check_player;
use tetrolab::core::game::{Game, Status};
use tetrolab::core::placement::Placement;
use tetrolab::core::players::Player;
use tetrolab::core::record::ShortPlacement;
use tetrolab::core::rng::{game_seed, player_seed};
use tetrolab::draw::{Picture, svg, write};
use tetrolab::library::{find_player, find_ruleset};
use tetrolab::report::{Number, thousands};

/// Draw what a player would do with the next piece: its choice, and the best of the other placements with their scores.
///
/// Plays the first game of a seed, as eval does, up to the position that is drawn. The picture is SVG.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A published name, a player file, the folder of a learning run, or a spec such as greedy(dt-20).
    #[arg(value_name = "PLAYER")]
    player: String,
    /// The rules of the game: a name, a file or a spec.
    #[arg(long, value_name = "RULESET", default_value = "simplified-10x10")]
    ruleset: String,
    /// The seed of the game.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many pieces are placed before.
    #[arg(long, value_name = "N", default_value_t = 100)]
    at: u64,
    /// How many other placements are drawn, the best ones first.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=8))]
    others: u8,
    /// Write the picture to this file instead of the standard output.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print the position and the placements as JSON instead of a picture.
    #[arg(long, conflicts_with = "svg")]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let ruleset = find_ruleset(&args.ruleset)?;
    let mut player = find_player(&args.player, &ruleset)?;
    check_player((&args.player, &*player), &ruleset)?;
    let mut game = player.begin(&ruleset, game_seed(args.seed, 0));
    player.start(player_seed(game_seed(args.seed, 0)));
    while game.pieces() < args.at && game.status() == Status::Playing {
        game.apply(player.decide(&game.view()));
    }
    if game.status() != Status::Playing {
        let (name, pieces) = (&args.player, thousands(game.pieces()));
        bail!("{name} has no piece to place: this game ended after {pieces} pieces");
    }
    let placements = ranked(player.as_mut(), &game, usize::from(args.others));
    if args.json {
        print_json(&as_json(args, &game, &placements))?;
    } else {
        write_picture(args, &picture(args, &ruleset.name, &game, placements))?;
    }
    Ok(())
}

/// The choice, and the best of the others if the player rates them.
fn ranked(player: &mut dyn Player, game: &Game, others: usize) -> Vec<(Placement, Option<f64>)> {
    let view = game.view();
    let rated = player.analyse(&view);
    if rated.is_empty() {
        return vec![(player.choose(&view), None)];
    }
    // What is never chosen has no score to show.
    let score = |score: f64| score.is_finite().then_some(score);
    let rated = rated.iter().enumerate();
    let shown = rated.filter(|(rank, row)| *rank == 0 || row.score.is_finite());
    shown
        .map(|(_, row)| (row.placement, score(row.score)))
        .take(others + 1)
        .collect()
}

fn picture<'a>(
    args: &Args,
    ruleset: &str,
    game: &'a Game,
    placements: Vec<(Placement, Option<f64>)>,
) -> Picture<'a> {
    let (piece, lines) = (thousands(game.pieces() + 1), thousands(game.lines()));
    Picture {
        title: format!("{} · {ruleset}", args.player),
        caption: format!("piece {piece} · {lines} lines so far · seed {}", args.seed),
        board: game.board(),
        queue: game.view().queue,
        placements,
    }
}

fn write_picture(args: &Args, picture: &Picture<'_>) -> anyhow::Result<()> {
    let text = svg(picture);
    match &args.svg {
        Some(path) => write(path, &text)?,
        None => io::stdout().lock().write_all(text.as_bytes())?,
    }
    Ok(())
}

fn as_json(args: &Args, game: &Game, placements: &[(Placement, Option<f64>)]) -> Value {
    let view = game.view();
    let placement = |(placement, score): &(Placement, Option<f64>)| {
        json!({
            "placement": ShortPlacement::from(*placement).to_string(),
            "cells": placement.cells(),
            "score": score.map(Number),
        })
    };
    json!({
        "player": args.player,
        "ruleset": args.ruleset,
        "seed": args.seed,
        "pieces": view.pieces,
        "lines": view.lines,
        "rows": view.board.to_rows(),
        "piece": view.piece.to_string(),
        "queue": view.queue.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "placements": placements.iter().map(placement).collect::<Vec<_>>(),
    })
}

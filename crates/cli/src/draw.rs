//! `tetrolab draw`: pictures of a player's decision, or of the cells that a feature counts.

use crate::analyse::rows;
use crate::output::{line, print_json};
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
use tetrolab::draw::{FeatureRequest, Picture, StepSource, draw_feature, svg};
use tetrolab::learning::write_whole;
use tetrolab::library::{FileSource, find_player, find_ruleset};
use tetrolab::report::{Number, thousands};

const EXAMPLES: &str = "\
Examples:
  tetrolab draw dt-10 --at 100 --svg board.svg
  tetrolab draw --feature holes --svg holes.svg
  tetrolab draw --feature bumpiness --board '#....#..../###.##.###' --placement Tn3 --json";

/// Draw a player's decision, or the cells that a feature counts, as SVG.
///
/// With a player: plays the first game of the seed, exactly as eval does, up to the requested
/// position. The picture shows the chosen placement and the next best ones with their scores.
///
/// With --feature: draws a board, highlights the cells that the feature counts, and prints the
/// feature's value. Without --board, an example board is used.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A published name, a player file, the folder of a learning run, or a spec such as
    /// greedy(dt-20).
    #[arg(value_name = "PLAYER", required_unless_present = "feature")]
    player: Option<String>,
    /// A feature to explain: its id, as in `tetrolab list features`.
    #[arg(long, value_name = "ID", conflicts_with_all = ["player", "seed", "at", "others"])]
    feature: Option<String>,
    /// The board before the placement, with '/' between its rows, top row first; rows left out at
    /// the top are empty.
    #[arg(
        long,
        value_name = "ROWS",
        requires = "feature",
        requires = "placement"
    )]
    board: Option<String>,
    /// Where a piece lands on that board: piece, rotation (n e s w) and leftmost column from 0,
    /// such as Te3.
    #[arg(long, value_name = "PLACEMENT", requires = "board")]
    placement: Option<String>,
    /// The rules of the game: a name, a file or a spec.
    #[arg(long, value_name = "RULESET", default_value = "simplified-10x10")]
    ruleset: String,
    /// The seed of the game.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Number of pieces to place before the position is drawn.
    #[arg(long, value_name = "N", default_value_t = 100)]
    at: u64,
    /// Number of alternative placements to draw, best first.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=8))]
    others: u8,
    /// Write the picture to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print JSON instead of a picture.
    #[arg(long, conflicts_with = "svg")]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match (&args.player, &args.feature) {
        (Some(player), _) => run_player(args, player),
        (None, Some(feature)) => run_feature(args, feature),
        (None, None) => bail!("expected a player or a feature, found neither"),
    }
}

/// Draws a feature. Its value is printed too, on standard error if the picture goes to standard
/// output.
fn run_feature(args: &Args, feature: &str) -> anyhow::Result<()> {
    let step = args.board.as_ref().zip(args.placement.as_ref());
    let request = FeatureRequest {
        feature: feature.to_owned(),
        step: step.map(|(board, placement)| StepSource {
            ruleset: args.ruleset.clone(),
            rows: rows(board),
            placement: placement.clone(),
        }),
    };
    let drawn = draw_feature(&request, FileSource::Disk)?;
    let values: Vec<String> = drawn.values.iter().map(ToString::to_string).collect();
    let value = format!("{} = {}", drawn.feature, values.join(" "));
    match &args.svg {
        _ if args.json => print_json(&drawn)?,
        Some(path) => {
            write_whole(path, &drawn.svg)?;
            line(&value)?;
        }
        None => {
            io::stdout().lock().write_all(drawn.svg.as_bytes())?;
            let _ = writeln!(io::stderr(), "{value}");
        }
    }
    Ok(())
}

fn run_player(args: &Args, name: &str) -> anyhow::Result<()> {
    let ruleset = find_ruleset(&args.ruleset)?;
    let mut player = find_player(name, &ruleset)?;
    check_player((name, &*player), &ruleset)?;
    let mut game = player.begin(&ruleset, game_seed(args.seed, 0));
    player.start(player_seed(game_seed(args.seed, 0)));
    while game.pieces() < args.at && game.status() == Status::Playing {
        game.apply(player.decide(&game.view()));
    }
    if game.status() != Status::Playing {
        let pieces = thousands(game.pieces());
        bail!("{name}: the game ended after {pieces} pieces; choose an earlier position with --at");
    }
    let placements = ranked(player.as_mut(), &game, usize::from(args.others));
    if args.json {
        print_json(&as_json(args, &game, &placements))?;
    } else {
        let title = format!("{name} · {}", ruleset.name);
        write_picture(args, &picture(args, title, &game, placements))?;
    }
    Ok(())
}

/// The chosen placement, followed by the best alternatives if the player scores placements.
fn ranked(player: &mut dyn Player, game: &Game, others: usize) -> Vec<(Placement, Option<f64>)> {
    let view = game.view();
    let rated = player.analyse(&view);
    if rated.is_empty() {
        return vec![(player.choose(&view), None)];
    }
    // Placements that are never chosen have no finite score.
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
    title: String,
    game: &'a Game,
    placements: Vec<(Placement, Option<f64>)>,
) -> Picture<'a> {
    let (piece, lines) = (thousands(game.pieces() + 1), thousands(game.lines()));
    Picture {
        title,
        caption: format!("piece {piece} · {lines} lines so far · seed {}", args.seed),
        board: game.board(),
        queue: game.view().queue,
        placements,
    }
}

fn write_picture(args: &Args, picture: &Picture<'_>) -> anyhow::Result<()> {
    let text = svg(picture);
    match &args.svg {
        Some(path) => write_whole(path, &text)?,
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

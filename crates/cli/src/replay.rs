//! `tetrolab replay`: replays recorded games.

use crate::analyse::boards::draw;
use crate::output::{line, print_json};
use anyhow::Context;
use serde_json::{Value, json};
use std::path::PathBuf;
use tetrolab::core::game::{Game, Status};
use tetrolab::core::record::GameRecord;
use tetrolab::formats::games::{RecordedGame, read, ruleset};
use tetrolab::report::{harmless_name, thousands};

const EXAMPLES: &str = "\
Examples:
  tetrolab eval bcts --games 2 --record games.jsonl && tetrolab replay games.jsonl
  tetrolab replay games.jsonl --game 2 --at 120";

/// Replay recorded games placement by placement, and check that they end as recorded.
///
/// Records are written by `tetrolab eval ... --record FILE`: one JSON object per line with player,
/// rules, seed and placements. A placement consists of the piece, the rotation (n e s w) and the
/// leftmost column from 0: Te3. In stepped games the lowest row follows, and m or f for a mini or
/// full spin: Te3@0f.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file with the records.
    #[arg(value_name = "FILE.jsonl")]
    file: PathBuf,
    /// Replay only the game with this number in the file, from 1.
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Stop after this many placements and show the board.
    #[arg(long, value_name = "K")]
    at: Option<usize>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Accepted by every command; a record has its own seed.
    #[arg(long, hide = true)]
    seed: Option<u64>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut games = Vec::new();
    for RecordedGame { line, record } in read(&args.file, args.game)? {
        let game = play_again(&record, args.at);
        let here = || format!("{}, line {line}", args.file.display());
        games.push((record, game.with_context(here)?));
    }
    if args.json {
        let games = games.iter().map(|(record, game)| as_json(record, game));
        print_json(&json!({ "games": Value::from_iter(games) }))?;
    } else {
        for (record, game) in &games {
            print(record, game)?;
        }
    }
    Ok(())
}

fn play_again(record: &GameRecord, at: Option<usize>) -> anyhow::Result<Game> {
    Ok(record.replay(&ruleset(record)?, at)?)
}

fn as_json(record: &GameRecord, game: &Game) -> Value {
    json!({
        "player": record.player,
        "ruleset": record.rules.name,
        "seed": record.seed,
        "lines": game.lines(),
        "pieces": game.pieces(),
        "recorded_pieces": record.pieces,
        "line_points": game.line_points(),
        "finished": game.status() == Status::Over,
        "rows": game.board().to_rows(),
    })
}

fn print(record: &GameRecord, game: &Game) -> anyhow::Result<()> {
    let (player, ruleset) = (&record.player, &record.rules.name);
    let [player, ruleset] = [player, ruleset].map(|name| harmless_name(name));
    let seed = record.seed;
    line(&format!("{player} · {ruleset} · seed {seed}"))?;
    line(&format!("{}\n", standing(record, game)))?;
    draw(game.board())?;
    line("")?;
    Ok(())
}

/// The state of the replayed game, and how much of the record was replayed.
fn standing(record: &GameRecord, game: &Game) -> String {
    let count = thousands;
    let (lines, pieces) = (count(game.lines()), count(game.pieces()));
    if game.pieces() < record.pieces {
        let all = count(record.pieces);
        return format!("{lines} lines after the first {pieces} of {all} pieces");
    }
    let state = match game.status() {
        Status::Over => "lost",
        Status::Playing => "still playing",
        Status::OutOfPieces => "out of pieces",
    };
    format!("{lines} lines, {pieces} pieces, {state}")
}

//! `tetrolab tables`: what the look-up tables of a player know.

use crate::machine::one_thread;
use crate::output::{line, print_json, print_table};
use serde_json::json;
use std::io;
use tetrolab::knowledge::{Inquiry, LEAST_BOARDS, TableKnowledge, ask};
use tetrolab::report::{Align, Table, thousands};
use tetrolab::study::SCHEMA;

const EXAMPLES: &str = "\
Examples:
  tetrolab tables wary-10
  tetrolab tables wary-20 --ruleset simplified-10x12 --tables 35 --entries 5";

/// Tell in words what the look-up tables of a player know.
///
/// The player plays, and of every table those entries are told that add most and least to the score of a board. Where all boards show equally many
/// entries of a table, they are compared with the mean of those that were shown. For a player that learned danger a score is minus the logarithm of
/// the chance to lose soon: an entry of -0.7 doubles it. Entries that stood on few boards are left out, because their weights are mostly chance. What
/// is told of a shape is true of its mirror image too. Tables correct each other, so that an entry alone may look the wrong way round. The standard
/// deviation is that of what a table adds from board to board.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// A player with look-up tables: a published name, a player file, or the folder of a learning run.
    #[arg(value_name = "PLAYER")]
    player: String,
    /// The rules of the game: a name, a file or a spec. On low boards more danger is met.
    #[arg(long, value_name = "RULESET", default_value = "simplified-10x10")]
    ruleset: String,
    /// How many pieces the player places.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pieces: u64,
    /// How many tables are shown, those first whose part of the score differs most from board to board.
    #[arg(long, value_name = "N", default_value_t = 8)]
    tables: usize,
    /// How many of the best and of the worst entries of each.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    entries: u16,
    /// The seed of the games.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print all tables as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let inquiry = Inquiry {
        player: args.player.clone(),
        ruleset: args.ruleset.clone(),
        pieces: args.pieces,
        seed: args.seed,
        told: usize::from(args.entries),
    };
    let known = ask(&inquiry, &one_thread()?)?;
    let (ruleset, boards, tables) = (&known.ruleset, known.boards, &known.tables);
    if args.json {
        return Ok(print_json(&json!({
            "schema": SCHEMA,
            "player": args.player,
            "ruleset": ruleset,
            "boards": boards,
            "seed": args.seed,
            "tables": tables,
        }))?);
    }
    let boards = thousands(boards);
    line(&format!(
        "What the tables of {} know · {} · {boards} boards · seed {}",
        args.player, ruleset, args.seed
    ))?;
    tables.iter().take(args.tables).try_for_each(print)?;
    let left = tables.len().saturating_sub(args.tables);
    if left > 0 {
        line(&format!(
            "\nTables that differ less from board to board: {left} (--tables)."
        ))?;
    }
    Ok(())
}

/// One table, for people.
fn print(known: &TableKnowledge) -> io::Result<()> {
    let [shown, entries] = [known.shown, known.entries].map(|count| thousands(count as u64));
    line(&format!(
        "\n{} · {shown} of {entries} entries seen · standard deviation {:.2}",
        known.table, known.spread
    ))?;
    if known.best.is_empty() {
        return line(&format!("  no entry stood on {LEAST_BOARDS} boards"));
    }
    let mut table = Table::new(&[
        ("adds", Align::Right),
        ("on boards", Align::Right),
        ("entry", Align::Left),
    ]);
    for entry in known.best.iter().chain(known.worst.iter().rev()) {
        table.row(vec![
            // Not -0.00.
            format!("{:+.2}", (100.0 * entry.adds).round() / 100.0 + 0.0),
            format!("{:.2} %", 100.0 * entry.share),
            entry.entry.clone(),
        ]);
    }
    print_table(&table)
}

//! `tetrolab tables`: describes a player's lookup tables.

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

/// Describe in words what a player's lookup tables have learned.
///
/// The player plays for a while; then the entries of each table that contribute most and least to
/// the score are listed. If every board has the same number of entries of a table, entries are
/// compared with their mean. For a player that learned danger, the score is minus the logarithm of
/// the probability of losing soon: an entry of -0.7 doubles it. Entries that occurred on few boards
/// are left out, because their weights are mostly noise. Each description also applies to its
/// mirror image. Tables compensate for each other, so the sign of a single entry can mislead. The
/// standard deviation shown for a table is that of its contribution over the boards.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// A player with lookup tables: a published name, a player file, or the folder of a learning
    /// run.
    #[arg(value_name = "PLAYER")]
    player: String,
    /// The rules of the game: a name, a file or a spec. Low boards show more danger.
    #[arg(long, value_name = "RULESET", default_value = "simplified-10x10")]
    ruleset: String,
    /// Number of pieces to play.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pieces: u64,
    /// Number of tables to show; those whose contribution varies most come first.
    #[arg(long, value_name = "N", default_value_t = 8)]
    tables: usize,
    /// Number of best and worst entries to show for each table.
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
        "Lookup tables of {} · {} · {boards} boards · seed {}",
        args.player, ruleset, args.seed
    ))?;
    tables.iter().take(args.tables).try_for_each(print)?;
    let left = tables.len().saturating_sub(args.tables);
    if left > 0 {
        line(&format!(
            "\n{left} more tables vary less from board to board (--tables)."
        ))?;
    }
    Ok(())
}

/// Prints one table as text.
fn print(known: &TableKnowledge) -> io::Result<()> {
    let [shown, entries] = [known.shown, known.entries].map(|count| thousands(count as u64));
    line(&format!(
        "\n{} · {shown} of {entries} entries seen · standard deviation {:.2}",
        known.table, known.spread
    ))?;
    if known.best.is_empty() {
        return line(&format!("  no entry occurred on {LEAST_BOARDS} boards"));
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

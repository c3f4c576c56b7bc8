//! `tetrolab eval`: play games and say what the scores mean.

use crate::Outcome;
use crate::machine::Machine;
use crate::output::{print_json, thousands};
use crate::standings::{Players, Series, Standings};
use anyhow::bail;
use std::path::PathBuf;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::game_records::RecordFile;
use tetrolab::library::{find_player, find_ruleset};

/// How many placements of a game a record keeps.
const RECORDED_PIECES: usize = 1_000_000;

/// Play games with one or more players and print their mean scores with 95 % intervals.
///
/// All players play the same games, so that they can be compared. The same seed gives the same games and the same
/// results on any number of threads. Ctrl-C prints what has been played so far.
///
/// A PLAYER is a published name (see `tetrolab list players`), a player file, or a spec: greedy(bcts,losing=allow),
/// two-piece(dt-20), random.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Who plays.
    #[arg(required = true, value_name = "PLAYER")]
    players: Vec<String>,
    /// Which game: a name (with any size), a spec with settings, or a file; see `tetrolab list rulesets`.
    #[arg(long, value_name = "RULESET", default_value = "simplified-10x10")]
    ruleset: String,
    /// How many games each player plays.
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// Cut games off after so many pieces; the mean is then estimated from the cut-off games too.
    #[arg(long, value_name = "P")]
    max_pieces: Option<u64>,
    #[command(flatten)]
    machine: Machine,
    /// The seed of the games.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[arg(long, value_name = "FILE", help = record_help())]
    record: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn record_help() -> String {
    let most = thousands(RECORDED_PIECES as u64);
    format!(
        "Write every game to this new file, one JSON object per line, for `tetrolab replay`; of each game at most \
         the first {most} placements"
    )
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let ruleset = find_ruleset(&args.ruleset)?;
    let players = find_players(args, &ruleset)?;
    let mut record = args.record.as_deref().map(RecordFile::create).transpose()?;
    let series = Series {
        text: &args.ruleset,
        ruleset: &ruleset,
        games: args.games,
        max_pieces: args.max_pieces,
        seed: args.seed,
    };
    let keep = args.record.is_some().then_some(RECORDED_PIECES);
    let played = series.play(&args.machine, &players, keep)?;
    if let Some(file) = &mut record {
        file.write(&ruleset, &played)?;
    }
    if let Some(file) = record {
        file.finish()?;
    }
    let standings = Standings::new(&series, &played)?;
    if args.json {
        print_json(&standings.json())?;
    } else {
        standings.print()?;
    }
    Ok(standings.outcome())
}

fn find_players(args: &Args, ruleset: &Ruleset) -> anyhow::Result<Players> {
    let mut players = Players::new();
    for text in &args.players {
        if players.iter().any(|(name, _)| name == text) {
            bail!("the player {text} is named twice");
        }
        players.push((text.clone(), find_player(text, ruleset.width)?));
    }
    Ok(players)
}

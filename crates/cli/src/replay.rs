//! `tetrolab replay`: recorded games again; and the files that hold them.

use crate::Outcome;
use crate::output::{line, print_json, thousands};
use anyhow::{Context, bail};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use tetrolab::arena::Played;
use tetrolab::core::game::{Game, Status};
use tetrolab::core::record::{ShortPlacement, replay_short};
use tetrolab::core::ruleset::Ruleset;
use tetrolab::library::find_ruleset;

/// Play recorded games again, placement by placement, and check that they end as recorded.
///
/// Records come from `tetrolab eval ... --record FILE`: one JSON object per line with ruleset, seed, player and
/// placements. A placement is a letter for the piece, one for the rotation (n e s w), and the leftmost column from 0: Te3.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file with the records.
    #[arg(value_name = "FILE.jsonl")]
    file: PathBuf,
    /// Only this game: its number in the file, from 1.
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Stop after so many placements and show that board.
    #[arg(long, value_name = "K")]
    at: Option<usize>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Accepted for the sake of uniformity; a record has its own seed.
    #[arg(long, hide = true)]
    seed: Option<u64>,
}

/// One line of a record file.
struct Record {
    player: String,
    ruleset: Ruleset,
    seed: u64,
    placements: Vec<ShortPlacement>,
    lines: u64,
    pieces: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let shown = args.file.display().to_string();
    let file = File::open(&args.file).with_context(|| shown.clone())?;
    let mut games = Vec::new();
    let mut number = 0;
    for (index, text) in BufReader::new(file).lines().enumerate() {
        let here = || format!("{shown}, line {}", index + 1);
        let text = text.with_context(here)?;
        if text.trim().is_empty() {
            continue;
        }
        number += 1;
        if args.game.is_none_or(|wanted| wanted == number) {
            let record = parse(&text).with_context(here)?;
            let game = play_again(&record, args.at).with_context(here)?;
            games.push((record, game));
        }
    }
    match (games.is_empty(), args.game) {
        (true, Some(wanted)) => bail!("{shown} holds {number} games; there is no game {wanted}"),
        (true, None) => bail!("{shown} holds no games"),
        _ => {}
    }
    if args.json {
        let games = games.iter().map(|(record, game)| as_json(record, game));
        print_json(&json!({ "games": Value::from_iter(games) }))?;
    } else {
        for (record, game) in &games {
            print(record, game)?;
        }
    }
    Ok(Outcome::Done)
}

fn parse(text: &str) -> anyhow::Result<Record> {
    let json: Value = serde_json::from_str(text).context("is not a JSON object")?;
    let text = |field: &str| {
        json[field]
            .as_str()
            .with_context(|| format!("'{field}' must be a text"))
    };
    let whole = |field: &str| {
        json[field]
            .as_u64()
            .with_context(|| format!("'{field}' must be a whole number"))
    };
    let placements = text("placements")?.split_whitespace().map(str::parse);
    Ok(Record {
        player: text("player")?.to_owned(),
        ruleset: find_ruleset(text("ruleset")?)?,
        seed: whole("seed")?,
        placements: placements.collect::<Result<_, _>>()?,
        lines: whole("lines")?,
        pieces: whole("pieces")?,
    })
}

/// Plays the record; if it holds the whole game and all of it is wanted, the game must end as recorded.
fn play_again(record: &Record, at: Option<usize>) -> anyhow::Result<Game> {
    let held = record.placements.len();
    let wanted = at.unwrap_or(held);
    if wanted > held {
        bail!("the record holds {held} placements, not {wanted}");
    }
    let (game, _) = replay_short(&record.ruleset, record.seed, &record.placements[..wanted])?;
    if wanted as u64 == record.pieces && game.lines() != record.lines {
        let (found, told) = (game.lines(), record.lines);
        bail!("the game has {found} lines, but the record says {told}");
    }
    Ok(game)
}

fn as_json(record: &Record, game: &Game) -> Value {
    json!({
        "player": record.player,
        "ruleset": record.ruleset.name,
        "seed": record.seed,
        "lines": game.lines(),
        "pieces": game.pieces(),
        "line_points": game.line_points(),
        "finished": game.status() == Status::Over,
        "rows": game.board().to_rows(),
    })
}

fn print(record: &Record, game: &Game) -> anyhow::Result<()> {
    let (lines, pieces) = (thousands(game.lines()), thousands(game.pieces()));
    let state = if game.status() == Status::Over {
        "lost"
    } else {
        "still playing"
    };
    let (player, ruleset, seed) = (&record.player, &record.ruleset.name, record.seed);
    line(&format!("{player} · {ruleset} · seed {seed}"))?;
    line(&format!("{lines} lines, {pieces} pieces, {state}\n"))?;
    for row in game.board().to_rows() {
        line(&format!(
            "  |{}|",
            row.replace('#', "[]").replace('.', " .")
        ))?;
    }
    line(&format!("  +{}+\n", "--".repeat(game.board().width())))?;
    Ok(())
}

/// A file of records that appears under its name only when it is whole.
pub(crate) struct RecordFile {
    path: PathBuf,
    part: PathBuf,
    out: BufWriter<File>,
}

impl RecordFile {
    /// Begins a file beside the one that it will become.
    pub(crate) fn create(path: &Path) -> anyhow::Result<RecordFile> {
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let file =
            File::create(&part).with_context(|| format!("cannot write {}", part.display()))?;
        Ok(RecordFile {
            path: path.to_owned(),
            part,
            out: BufWriter::new(file),
        })
    }

    /// Writes the games of all players.
    pub(crate) fn write(&mut self, ruleset: &Ruleset, played: &[Played]) -> anyhow::Result<()> {
        for arm in played {
            for game in &arm.records {
                let placements = game.placements.iter().flatten();
                let short =
                    placements.map(|&placement| ShortPlacement::from(placement).to_string());
                let json = json!({
                    "player": arm.name,
                    "ruleset": ruleset.name,
                    "seed": game.seed,
                    "lines": game.lines,
                    "pieces": game.pieces,
                    "finished": game.finished,
                    "placements": short.collect::<Vec<_>>().join(" "),
                });
                writeln!(self.out, "{json}")?;
            }
        }
        Ok(())
    }

    /// Gives the file its name.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        self.out.flush()?;
        let shown = self.path.display();
        std::fs::rename(&self.part, &self.path).with_context(|| format!("cannot write {shown}"))
    }
}

impl Drop for RecordFile {
    /// Takes away what was not finished.
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.part);
    }
}

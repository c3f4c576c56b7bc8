//! `tetrolab analyse`: how players rate the placements of a position.

pub(crate) mod boards;
mod show;

use crate::eval::check_commas;
use crate::features::open;
use crate::machine::one_thread;
use crate::output::print_json;
use crate::{in_flags, interrupt};
use anyhow::bail;
use std::path::{Path, PathBuf};
use tetrolab::analysis::{
    Analysis, AnalysisError, BoardSource, GameSource, PositionSource, analyse,
};
use tetrolab::draw::sheet_svg;
use tetrolab::learning::write_whole;

const EXAMPLES: &str = "\
Examples:
  tetrolab analyse dellacherie bcts --board '#.......##/##.#######' --piece T
  tetrolab analyse 'two-piece(bcts)' --board-file board.txt --piece L --next S --svg board.svg
  tetrolab eval bcts --games 1 --max-pieces 200 --record games.jsonl
  tetrolab analyse dt-10 dt-20 --record games.jsonl --at 120 --json";

/// Show the best placements of players for a position, with scores, features and expected
/// continuations.
///
/// The position is given as a board and a piece, or as a point in a recorded game. A board has rows
/// of '.' (empty) and '#' (filled), top row first; rows left out at the top are empty. The command
/// lists and draws each player's best placements, with the piece in capital letters and the
/// expected next pieces in lower case. For a player with features, a table shows their values,
/// weights and products.
///
/// A placement consists of the piece, the rotation (n e s w) and the leftmost column from 0: Te3.
/// In stepped games the lowest row follows, also from 0: Te3@2.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group = clap::ArgGroup::new("position").required(true).args(["board", "board_file", "record"]))]
pub(crate) struct Args {
    /// Players: published names, player files, folders of learning runs, or specs.
    #[arg(value_name = "PLAYER", default_value = "dellacherie")]
    players: Vec<String>,
    /// The board, with '/' or line ends between its rows; '' is an empty board.
    #[arg(long, value_name = "ROWS")]
    board: Option<String>,
    /// A file with the rows of the board; - means standard input.
    #[arg(long, value_name = "FILE")]
    board_file: Option<PathBuf>,
    /// The piece to place: I, O, T, Z, S, J or L.
    #[arg(
        long,
        value_name = "PIECE",
        required_unless_present = "record",
        conflicts_with = "record"
    )]
    piece: Option<String>,
    /// The next pieces, for players that need to see them, such as S or SZ.
    #[arg(long, value_name = "PIECES", conflicts_with = "record")]
    next: Option<String>,
    /// The rules of the game: a name, a file or a spec. A recorded game includes its own rules.
    #[arg(
        long,
        value_name = "RULESET",
        default_value = "simplified-10x10",
        conflicts_with = "record"
    )]
    ruleset: String,
    /// A file of recorded games, from `tetrolab eval ... --record FILE`.
    #[arg(long, value_name = "FILE.jsonl", requires = "at")]
    record: Option<PathBuf>,
    /// The number of the game in the file, from 1; by default the first.
    #[arg(long, value_name = "N", conflicts_with_all = ["board", "board_file"])]
    game: Option<usize>,
    /// Number of pieces placed in the recorded game before this position.
    #[arg(long, value_name = "K", conflicts_with_all = ["board", "board_file"])]
    at: Option<usize>,
    /// Number of best placements to show per player.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=64))]
    top: u8,
    /// Draw the placements to this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// The seed of players that draw random numbers.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    check_commas(&args.players)?;
    let analysis = Analysis {
        players: args.players.clone(),
        position: args.position()?,
        top: usize::from(args.top),
        seed: args.seed,
    };
    let context = one_thread()?;
    let deadline = interrupt::deadline();
    let analysed = analyse(&analysis, &context);
    drop(deadline);
    let analysed = analysed.map_err(|error| args.named(error))?;
    if let Some(path) = &args.svg {
        write_whole(path, &sheet_svg(&analysed))?;
    }
    if args.json {
        Ok(print_json(&serde_json::to_value(&analysed)?)?)
    } else {
        Ok(show::print(&analysed)?)
    }
}

impl Args {
    fn position(&self) -> anyhow::Result<PositionSource> {
        if let Some(file) = &self.record {
            return Ok(PositionSource::Record(GameSource {
                file: file.clone(),
                game: self.game.unwrap_or(1),
                at: self.at.unwrap_or(0),
            }));
        }
        let rows = match &self.board_file {
            Some(path) => read_rows(path)?,
            None => rows(self.board.as_deref().unwrap_or_default()),
        };
        Ok(PositionSource::Board(BoardSource {
            ruleset: self.ruleset.clone(),
            rows,
            piece: self.piece.clone().unwrap_or_default(),
            next: self.next.clone().unwrap_or_default(),
        }))
    }

    /// Names the file in an error about its board.
    fn named(&self, error: AnalysisError) -> anyhow::Error {
        let is_of_board = matches!(
            error,
            AnalysisError::Board(_) | AnalysisError::TooHigh { .. }
        );
        let error = in_flags::analysis(error);
        match &self.board_file {
            Some(path) if is_of_board => error.context(path.display().to_string()),
            _ => error,
        }
    }
}

/// Splits a text into the rows of a board.
pub(crate) fn rows(text: &str) -> Vec<String> {
    let rows = text.split(['/', '\n']).map(str::trim);
    rows.filter(|row| !row.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Reads the rows of a board from a file.
fn read_rows(path: &Path) -> anyhow::Result<Vec<String>> {
    let mut all = Vec::new();
    for line in open(path)? {
        all.extend(rows(&line?.1));
    }
    if all.is_empty() {
        bail!("{}: expected a board, found no rows", path.display());
    }
    Ok(all)
}

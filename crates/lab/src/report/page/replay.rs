//! Recorded games that can be replayed in a page, and single boards.

use super::markup::{plain, prose};
use crate::formats::games;
use serde_json::json;
use std::fmt::Write;
use tetrolab_core::board::Board;
use tetrolab_core::game::Game;
use tetrolab_core::record::GameRecord;

/// The maximum number of placements of a game on a page.
const MOST: usize = 4_000;
/// The placement shown first.
const SHOWN: usize = 30;
/// Digits for rows and columns.
const DIGITS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The placements of a record in the form that the page's script reads.
struct Moves {
    width: usize,
    height: usize,
    /// The rows of the initial board, lowest first.
    start: Vec<String>,
    moves: Vec<String>,
    /// The board after the first visible placement.
    shown: Board,
    /// How the game ended, if the page contains all of it.
    end: &'static str,
    record: GameRecord,
}

impl Moves {
    /// Plays the game again.
    fn of(text: &str) -> Result<Moves, String> {
        let record = games::parse(text).map_err(|error| error.to_string())?;
        let ruleset = games::ruleset(&record).map_err(|error| error.to_string())?;
        let held = record.placements.len().min(MOST);
        let replayed = record.replay(&ruleset, Some(held));
        replayed.map_err(|error| error.to_string())?;
        let board = record.start.unwrap_or_else(|| ruleset.empty_board());
        let mut game = Game::on_board(&ruleset, board, record.seed, None);
        let (mut moves, mut shown) = (Vec::new(), board);
        for short in &record.placements[..held] {
            let placement = short.on(game.board()).map_err(|error| error.to_string())?;
            let mut text = placement.piece.to_string();
            for (row, column) in placement.cells() {
                let digit = |number: usize| char::from(DIGITS[number.min(61)]);
                text.extend([digit(row), digit(column)]);
            }
            moves.push(text);
            // If a person pressed keys, every placement has a row.
            if record.inputs.is_none() {
                game.apply(placement);
            }
            if moves.len() <= SHOWN {
                shown = *game.board();
            }
        }
        let mut start = board.to_rows();
        start.reverse();
        let all = record.complete && held == record.placements.len();
        let end = match (all, record.finished) {
            (true, true) => "the game is lost",
            (true, false) => "the game was truncated here",
            (false, _) => "the page does not contain the rest of this game",
        };
        Ok(Moves {
            width: board.width(),
            height: board.height(),
            start,
            moves,
            shown,
            end,
            record,
        })
    }

    /// The data for the script. Texts in it cannot end the element.
    fn data(&self) -> String {
        let data = json!({
            "width": self.width,
            "height": self.height,
            "start": self.start,
            "moves": self.moves.join(" "),
            "shown": SHOWN,
            "end": self.end,
        });
        data.to_string().replace('<', "\\u003c")
    }
}

/// A game with its controls. Without scripts, the board after the first pieces is shown.
pub(super) fn figure(caption: &str, record: &str, id: &str) -> String {
    let words = prose(caption);
    let game = match Moves::of(record) {
        Ok(game) => game,
        Err(error) => {
            let error = plain(&error);
            return format!("<p>{words} (this record cannot be replayed: {error})</p>\n");
        }
    };
    let count = game.moves.len();
    let GameRecord { player, rules, .. } = &game.record;
    let title = format!("A game of {player} on {}", rules.name);
    let rows: Vec<String> = game.shown.to_rows();
    let board = svg(&title, &rows, true);
    format!(
        r#"<figure class="replay">
<div class="screen">
{board}</div>
<div class="controls" hidden>
<div class="row"><button type="button" aria-label="One piece back">‹ Back</button><button type="button">Play</button><button type="button" aria-label="One piece on">Next ›</button><label>Speed <select><option value="2">2 pieces/s</option><option value="5" selected>5 pieces/s</option><option value="20">20 pieces/s</option><option value="60">60 pieces/s</option></select></label></div>
<label for="{id}-at">Piece</label>
<input type="range" id="{id}-at" min="0" max="{count}" value="0">
<output for="{id}-at" aria-live="polite"></output>
</div>
<figcaption>{words}</figcaption>
<script type="application/json">{}</script>
</figure>
"#,
        game.data()
    )
}

/// A single board.
pub(super) fn board(caption: &str, rows: &[String]) -> String {
    let words = prose(caption);
    let board = svg(caption, rows, false);
    format!("<figure>\n{board}<figcaption>{words}</figcaption>\n</figure>\n")
}

/// A board as an image. Cells of a replay are in the order of their rows from the bottom.
fn svg(title: &str, rows: &[String], replay: bool) -> String {
    const CELL: usize = 20;
    let width = rows.iter().map(|row| row.chars().count()).max();
    let (width, height) = (width.unwrap_or(0) * CELL + 6, rows.len() * CELL + 6);
    let mut cells = String::new();
    let mark = if replay { " data-cell=\"\"" } else { "" };
    for (row, text) in rows.iter().enumerate().rev() {
        for (column, sign) in text.chars().enumerate() {
            let class = match sign {
                '#' => "settled".to_owned(),
                sign if "IOTZSJL".contains(sign) => sign.to_string(),
                _ => "empty".to_owned(),
            };
            let (x, y) = (column * CELL + 4, row * CELL + 4);
            writeln!(
                cells,
                r#"<rect{mark} class="{class}" x="{x}" y="{y}" width="18" height="18" rx="2"/>"#
            )
            .expect("a string takes everything");
        }
    }
    let title = plain(title);
    format!(
        r#"<svg class="board" viewBox="0 0 {width} {height}" role="img">
<title>{title}</title>
<rect class="well" x="0" y="0" width="{width}" height="{height}" rx="4"/>
{cells}</svg>
"#
    )
}

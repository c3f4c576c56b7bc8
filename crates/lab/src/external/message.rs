//! The messages of the protocol, each a JSON object on one line.

use super::PROTOCOL;
use serde::{Deserialize, Serialize};
use tetrolab_core::game::{GameView, Hold};
use tetrolab_core::placement::Placement;
use tetrolab_core::record::ShortPlacement;
use tetrolab_core::ruleset::Ruleset;

/// A message to a program.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(super) enum BotMessage<'a> {
    /// The first message: the version of the protocol and the rules.
    Hello(&'a BotHello),
    /// A game starts, or continues from another position. The seed is for bots that draw random
    /// numbers.
    Start { seed: u64 },
    /// A piece is waiting to be placed.
    Decide {
        id: u64,
        #[serde(flatten)]
        position: &'a BotPosition,
    },
    /// Asks the program to end.
    Quit,
}

/// The rules under which a program plays.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BotHello {
    protocol: u32,
    program: &'static str,
    version: &'static str,
    ruleset: String,
    width: usize,
    height: usize,
    preview: usize,
    stepped: bool,
    hold: bool,
}

impl BotHello {
    pub(super) fn new(ruleset: &Ruleset) -> BotHello {
        BotHello {
            protocol: PROTOCOL,
            program: "tetrolab",
            version: env!("CARGO_PKG_VERSION"),
            ruleset: ruleset.name.clone(),
            width: ruleset.width,
            height: ruleset.height,
            preview: ruleset.preview,
            stepped: ruleset.stepped().is_some(),
            hold: ruleset.stepped().is_some_and(|rules| rules.hold),
        }
    }
}

/// A position in the form that bots receive: the information that a player may have, and the legal
/// placements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BotPosition {
    /// The rows of the board, top row first: `.` is empty, `#` is filled.
    pub board: Vec<String>,
    /// The piece to place.
    pub piece: char,
    /// The visible pieces after the current one.
    pub queue: String,
    /// The held piece.
    pub hold: Option<char>,
    /// Lines cleared so far.
    pub lines: u64,
    /// Pieces placed so far.
    pub pieces: u64,
    /// The legal placements. A placement of a different piece implies a hold.
    pub placements: Vec<String>,
    /// The four cells of each placement as [row from the bottom, column], before full rows are
    /// removed.
    pub cells: Vec<[[usize; 2]; 4]>,
    /// Whether each placement ends the game, as far as the visible pieces show.
    pub loses: Vec<bool>,
}

impl BotPosition {
    /// The position of a view with these legal placements.
    pub fn new(view: &GameView<'_>, legal: &[Placement]) -> BotPosition {
        let is_stepped = view.rules.move_rules().is_some();
        let short = if is_stepped {
            ShortPlacement::stepped
        } else {
            ShortPlacement::from
        };
        let text = |&placement: &Placement| short(placement).to_string();
        let hold = match view.hold {
            Hold::None | Hold::Empty => None,
            Hold::Piece(piece) | Hold::Used(piece) => Some(piece.letter()),
        };
        BotPosition {
            board: view.board.to_rows(),
            piece: view.piece.letter(),
            queue: view.queue.iter().map(|piece| piece.letter()).collect(),
            hold,
            lines: view.lines,
            pieces: view.pieces,
            placements: legal.iter().map(text).collect(),
            cells: legal.iter().map(cells).collect(),
            loses: legal.iter().map(|&one| loses(view, one)).collect(),
        }
    }

    /// The index of the placement chosen by a bot.
    ///
    /// # Errors
    /// If it is not one of the legal placements.
    pub fn chosen(&self, placement: &str) -> Result<usize, String> {
        let placement = placement.trim();
        let mut legal = self.placements.iter();
        legal.position(|legal| legal == placement).ok_or_else(|| {
            let (found, first) = (beginning(placement), self.placements.first());
            format!(
                "expected one of the {} legal placements, such as {}, found {found:?}",
                self.placements.len(),
                first.map_or("none", String::as_str)
            )
        })
    }
}

/// Whether a placement ends the game. Unless it holds, the next piece is the first of the queue.
fn loses(view: &GameView<'_>, placement: Placement) -> bool {
    let held = || view.after_hold().filter(|_| placement.piece != view.piece);
    let queue = held().map_or(view.queue, |after| after.queue);
    let next = queue.first().copied();
    let step = view.rules.step(view.board, placement, next, view.lines);
    step.game_over
}

fn cells(placement: &Placement) -> [[usize; 2]; 4] {
    placement.cells().map(|(row, column)| [row, column])
}

/// The answer to [`BotMessage::Hello`].
#[derive(Debug, Deserialize)]
pub(super) struct BotReady {
    pub(super) protocol: u32,
}

/// The answer to [`BotMessage::Decide`].
#[derive(Debug, Deserialize)]
pub(super) struct BotAnswer {
    pub(super) id: u64,
    pub(super) placement: String,
}

/// The maximum length of an invalid answer that is quoted in an error.
const SHOWN: usize = 80;

/// The beginning of a text.
pub(super) fn beginning(text: &str) -> String {
    let text = text.trim_end();
    let mut short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

//! A position without its game: a board, the visible pieces, and the forecast.

use super::{Game, GameView, Hold};
use crate::board::Board;
use crate::deal::MAX_PREVIEW;
use crate::piece::Piece;
use crate::randomizers::Forecast;
use crate::rules::{Rules, RulesRef};
use crate::ruleset::Ruleset;
use std::fmt;

/// A player's view at one moment, independent of the game that led there; used to ask players about
/// a position.
#[derive(Clone, Debug)]
pub struct GameSnapshot {
    board: Board,
    rules: Rules,
    /// The piece to place and those that are shown after it.
    pieces: Vec<Piece>,
    lines: u64,
    placed: u64,
    forecast: Option<Forecast>,
    hold: Hold,
}

/// Why a board and pieces are not a valid position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SnapshotError {
    /// The board's size differs from the ruleset's.
    Size {
        /// The ruleset.
        ruleset: String,
        /// Width and height in the ruleset.
        expected: (usize, usize),
        /// Width and height of the given board.
        found: (usize, usize),
    },
    /// Any other reason, as a sentence.
    Refused(String),
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SnapshotError::Size {
                ruleset,
                expected,
                found,
            } => write!(
                f,
                "the board is {}x{}, but that of the ruleset {ruleset} is {}x{}",
                found.0, found.1, expected.0, expected.1
            ),
            SnapshotError::Refused(found) => write!(f, "{found}"),
        }
    }
}

impl std::error::Error for SnapshotError {}

impl SnapshotError {
    fn refused<T>(sentence: impl Into<String>) -> Result<T, SnapshotError> {
        Err(SnapshotError::Refused(sentence.into()))
    }
}

impl GameSnapshot {
    /// A position at the beginning of a game on this board: the piece to place, and the pieces
    /// shown after it.
    ///
    /// # Errors
    /// If the rules do not allow this position.
    pub fn new(
        ruleset: &Ruleset,
        board: Board,
        pieces: &[Piece],
    ) -> Result<GameSnapshot, SnapshotError> {
        let expected = (ruleset.width, ruleset.height);
        let found = (board.width(), board.height());
        if expected != found {
            let ruleset = ruleset.name.clone();
            return Err(SnapshotError::Size {
                ruleset,
                expected,
                found,
            });
        }
        let Some((first, next)) = pieces.split_first() else {
            return SnapshotError::refused("there is no piece to place");
        };
        if next.len() > MAX_PREVIEW {
            let shown = next.len();
            return SnapshotError::refused(format!(
                "expected at most {MAX_PREVIEW} next pieces, got {shown}"
            ));
        }
        check_board(ruleset.rules.as_ref(), &board, *first)?;
        Ok(GameSnapshot {
            board,
            rules: ruleset.rules.clone(),
            pieces: pieces.to_vec(),
            lines: 0,
            placed: 0,
            forecast: None,
            hold: Hold::None,
        })
    }

    /// The current position of a game; `None` when there is no piece to place.
    pub fn of(game: &Game) -> Option<GameSnapshot> {
        let is_waiting = game.status() == super::Status::Playing;
        let view = is_waiting.then(|| game.view())?;
        Some(GameSnapshot {
            board: *view.board,
            rules: view.rules.cloned(),
            pieces: std::iter::once(view.piece)
                .chain(view.queue.iter().copied())
                .collect(),
            lines: view.lines,
            placed: view.pieces,
            forecast: view.forecast.cloned(),
            hold: view.hold,
        })
    }

    /// Adds the forecast for a player that needs the probabilities of pieces; `before` are the
    /// pieces placed earlier.
    ///
    /// # Errors
    /// If the visible pieces cannot follow these.
    pub fn with_forecast(
        mut self,
        ruleset: &Ruleset,
        before: &[Piece],
    ) -> Result<GameSnapshot, SnapshotError> {
        let start = ruleset.forecast();
        let mut forecast = before
            .iter()
            .fold(start, |forecast, &piece| forecast.after(piece));
        for (index, &piece) in self.pieces.iter().enumerate() {
            let next = forecast.after_possible(piece, &self.board);
            let Some(next) = next else {
                let randomizer = &ruleset.randomizer_spec;
                let pieces: String = self.pieces[..=index].iter().map(|p| p.letter()).collect();
                return SnapshotError::refused(format!(
                    "a game with the randomizer {randomizer} cannot start with {pieces}"
                ));
            };
            forecast = next;
        }
        self.forecast = Some(forecast);
        Ok(self)
    }

    /// The player's view.
    pub fn view(&self) -> GameView<'_> {
        GameView {
            board: &self.board,
            piece: self.pieces[0],
            queue: &self.pieces[1..],
            rules: self.rules.as_ref(),
            lines: self.lines,
            pieces: self.placed,
            forecast: self.forecast.as_ref(),
            hold: self.hold,
        }
    }
}

/// Whether a game continues with this board and this piece.
fn check_board(rules: RulesRef<'_>, board: &Board, piece: Piece) -> Result<(), SnapshotError> {
    let (stack, height) = (board.max_height(), board.height());
    if stack > height {
        return SnapshotError::refused(format!(
            "the stack is {stack} rows high, but the board has only {height} rows"
        ));
    }
    let full = board.full_rows();
    if full != 0 {
        return SnapshotError::refused(format!(
            "row {} from the bottom is full; full rows must be removed first",
            full.trailing_zeros() + 1
        ));
    }
    if rules.ends_on(board, Some(piece)) {
        let reason = match rules {
            Rules::Drops(end) => format!("end = {}", end.name()),
            Rules::Stepped(_) if rules.blocks_entry(board, piece) => {
                format!("{piece} cannot enter")
            }
            Rules::Stepped(_) => "a column reaches the top row".to_owned(),
        };
        return SnapshotError::refused(format!("this position is already lost ({reason})"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluators::testing::evaluator;
    use crate::ruleset::ruleset;

    fn rules(spec: &str) -> Ruleset {
        ruleset(&spec.parse().unwrap(), &evaluator).unwrap()
    }

    fn snapshot(spec: &str, rows: &[&str], pieces: &[Piece]) -> Result<GameSnapshot, String> {
        let rules = rules(spec);
        let board = Board::from_lowest_rows(rows[0].len(), 4, rows).unwrap();
        GameSnapshot::new(&rules, board, pieces).map_err(|error| error.to_string())
    }

    #[test]
    fn a_snapshot_shows_the_visible_state_of_the_game() {
        let rules = rules("two-piece-6x30(preview=3,randomizer=bag)");
        let mut game = Game::with_forecast(&rules, 5);
        let mut before = Vec::new();
        for _ in 0..6 {
            let view = game.view();
            let kept = GameSnapshot::of(&game).unwrap();
            let board = Board::from_rows(6, 30, &view.board.to_rows()).unwrap();
            let pieces: Vec<Piece> = [&[view.piece], view.queue].concat();
            let made = GameSnapshot::new(&rules, board, &pieces).unwrap();
            let made = made.with_forecast(&rules, &before).unwrap();
            for snapshot in [&kept, &made] {
                assert_eq!(snapshot.view().board, view.board);
                assert_eq!(snapshot.view().queue, view.queue);
                let chances =
                    |view: &GameView<'_>| view.forecast.unwrap().probabilities(view.board);
                assert_eq!(chances(&snapshot.view()), chances(&view));
            }
            before.push(view.piece);
            let placement = crate::moves::placements(view.board, view.piece)[0];
            game.apply(placement);
        }
    }

    #[test]
    fn boards_that_no_game_can_reach_are_refused() {
        let said = |spec: &str, rows: &[&str]| snapshot(spec, rows, &[Piece::O]).unwrap_err();
        assert_eq!(
            said("simplified-6x4", &["####."]),
            "the board is 5x4, but that of the ruleset simplified-6x4 is 6x4"
        );
        assert_eq!(
            said("simplified-4x4", &["####", "#..."]),
            "row 2 from the bottom is full; full rows must be removed first"
        );
        let tower = ["#...", "#...", "#...", "#..."];
        assert!(snapshot("simplified-4x4", &tower, &[Piece::O]).is_ok());
        assert_eq!(
            said("simplified-4x4(end=top-row)", &tower),
            "this position is already lost (end = top-row)"
        );
        let blocked = [".#..", "....", "....", "...."];
        assert!(said("simplified-4x4(end=entry-blocked)", &blocked).contains("entry-blocked"));
        let rules = rules("simplified-4x4");
        let mut above = rules.empty_board();
        above.fill(5, 0);
        assert_eq!(
            GameSnapshot::new(&rules, above, &[Piece::O])
                .unwrap_err()
                .to_string(),
            "the stack is 6 rows high, but the board has only 4 rows"
        );
    }

    #[test]
    fn impossible_pieces_are_refused_where_they_matter() {
        let empty = ["...."];
        let pieces = |count: usize| vec![Piece::T; count];
        let made = |spec: &str, pieces: &[Piece]| snapshot(spec, &empty, pieces);
        assert_eq!(
            made("simplified-4x4", &[]).unwrap_err(),
            "there is no piece to place"
        );
        assert_eq!(
            made("simplified-4x4", &pieces(8)).unwrap_err(),
            "expected at most 6 next pieces, got 7"
        );
        let foreseen = |spec: &str| {
            let made = made(spec, &pieces(2)).unwrap();
            made.with_forecast(&rules(spec), &[])
        };
        assert!(foreseen("simplified-4x4").is_ok());
        assert_eq!(
            foreseen("simplified-4x4(randomizer=bag)")
                .unwrap_err()
                .to_string(),
            "a game with the randomizer bag cannot start with TT"
        );
    }

    /// A position of a stepped ruleset with these rows at the bottom.
    fn tower(spec: &str, row: &str, rows: usize) -> Result<GameSnapshot, SnapshotError> {
        let rules = rules(spec);
        let board = Board::from_lowest_rows(10, rules.height, &vec![row; rows]).unwrap();
        GameSnapshot::new(&rules, board, &[Piece::T, Piece::I])
    }

    #[test]
    fn a_stepped_position_is_judged_by_the_entry_of_its_own_rotation_system() {
        // Arika's T enters with its point down and fits next to this column; in another system it
        // would not.
        assert!(tower("tgm", "...#......", 19).is_ok());
        assert!(tower("tgm", "....#.....", 19).is_err());
        // A T of the NES enters in columns 4 to 6.
        assert!(tower("nes", "...#......", 20).is_ok());
        assert!(tower("nes", "......#...", 20).is_err());
        // Only the visible rows matter here, not the top of the board.
        assert!(tower("guideline", "....#.....", 20).is_ok());
        assert_eq!(
            tower("guideline", "....#.....", 21)
                .unwrap_err()
                .to_string(),
            "this position is already lost (T cannot enter)"
        );
        assert_eq!(
            tower("thesis-stepped", ".........#", 20)
                .unwrap_err()
                .to_string(),
            "this position is already lost (a column reaches the top row)"
        );
    }
}

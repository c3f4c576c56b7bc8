//! Possible futures: sequences of pieces, drawn from a forecast.

use crate::board::Board;
use crate::game::GameView;
use crate::piece::Piece;
use crate::randomizers::Forecast;
use crate::rng::{Rng, decision_seed};

/// One possible sequence of the pieces after the current one: first the visible ones, then drawn
/// ones.
#[derive(Clone, Debug)]
pub(super) struct Future {
    pieces: Vec<Piece>,
    /// The forecast after these pieces; `None` if no piece follows.
    forecast: Option<Forecast>,
    numbers: DrawnNumbers,
}

/// The source of the pieces.
#[derive(Clone, Debug)]
enum DrawnNumbers {
    /// Random numbers: the same numbers give the same pieces, as long as the forecasts agree.
    Random {
        rng: Rng,
        /// The stratum of the first random number: the index of one of this many equal parts.
        stratum: Option<(usize, usize)>,
    },
    /// The most probable piece; ties are broken by the order of [`crate::piece::PIECES`].
    MostLikely,
}

impl DrawnNumbers {
    fn draw(&mut self, forecast: &Forecast, board: &Board) -> Option<Piece> {
        let DrawnNumbers::Random { rng, stratum } = self else {
            return forecast.most_likely(board);
        };
        let number = rng.unit();
        let number = match stratum.take() {
            Some((part, parts)) => (part as f64 + number) / parts as f64,
            None => number,
        };
        forecast.draw(board, number)
    }
}

impl Future {
    /// The future number `index` out of `count` in a decision, for a player that sees this many
    /// pieces. In each future, the first hidden piece is drawn from another stratum of the
    /// probabilities, so that the frequencies of pieces agree with the forecast.
    pub(super) fn new(
        view: &GameView<'_>,
        seed: u64,
        (index, count): (usize, usize),
        shown: usize,
    ) -> Future {
        Future {
            pieces: view.queue[..view.queue.len().min(shown)].to_vec(),
            // The forecast starts at the end of the queue.
            forecast: view.forecast.filter(|_| view.queue.len() <= shown).cloned(),
            numbers: DrawnNumbers::Random {
                rng: Rng::new(decision_seed(seed, index as u64)),
                stratum: Some((index, count)),
            },
        }
    }

    /// The future in which every hidden piece is the most likely one.
    pub(super) fn most_likely(view: &GameView<'_>, shown: usize) -> Future {
        Future {
            numbers: DrawnNumbers::MostLikely,
            ..Future::new(view, 0, (0, 1), shown)
        }
    }

    /// The piece with this number, where 0 is the piece after the current one; `None` if the pieces
    /// run out before. If the piece has not been drawn yet, it is drawn on this board.
    pub(super) fn piece(&mut self, number: usize, board: &Board) -> Option<Piece> {
        while self.pieces.len() <= number {
            let forecast = self.forecast.take()?;
            let piece = self.numbers.draw(&forecast, board)?;
            self.forecast = Some(forecast.after(piece));
            self.pieces.push(piece);
        }
        self.pieces.get(number).copied()
    }

    /// Draws this many pieces at a time if their forecast needs much memory, and then drops it. The
    /// forecast must not depend on the board.
    pub(super) fn draw_ahead(&mut self, count: usize, board: &Board) {
        if self.forecast.as_ref().is_some_and(Forecast::is_large) {
            self.piece(count.saturating_sub(1), board);
            self.forecast = None;
        }
    }

    /// Whether the pieces depend on the player's placements.
    pub(super) fn looks_at_board(&self) -> bool {
        self.forecast.as_ref().is_some_and(Forecast::looks_at_board)
    }
}

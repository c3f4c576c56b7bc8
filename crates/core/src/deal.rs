//! The pieces of a game: those drawn so far, and the randomizer that draws the next ones.

use crate::board::Board;
use crate::piece::{PIECES, Piece};
use crate::randomizers::{Forecast, Randomizer};
use crate::rng::Rng;
use crate::stop::StopFlag;

/// The maximum number of pieces after the current one that a ruleset can show.
pub const MAX_PREVIEW: usize = 6;

/// The current piece, the pieces shown after it, and one more while a piece is moved to an empty
/// hold.
const MOST_WAITING: usize = MAX_PREVIEW + 2;

/// Whether a game continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A piece is waiting to be placed.
    Playing,
    /// The player has lost.
    Over,
    /// The randomizer has no more pieces (a fixed list that is not repeated).
    OutOfPieces,
}

/// The pieces of a game: a pure function of randomizer, seed, and the boards on which pieces are
/// drawn.
#[derive(Clone, Debug)]
pub struct Deal {
    randomizer: Box<dyn Randomizer>,
    rng: Rng,
    /// The forecast of the pieces that are not drawn yet, if the player needs it.
    forecast: Option<Forecast>,
    /// The current piece and those after it.
    queue: [Piece; MOST_WAITING],
    waiting: usize,
}

impl Deal {
    /// Starts without any drawn piece.
    pub fn new(randomizer: Box<dyn Randomizer>, seed: u64, forecast: Option<Forecast>) -> Deal {
        Deal {
            randomizer,
            rng: Rng::new(seed),
            forecast,
            queue: [PIECES[0]; MOST_WAITING],
            waiting: 0,
        }
    }

    /// The current piece, if there is one, and the drawn pieces after it.
    #[inline]
    pub fn pieces(&self) -> &[Piece] {
        &self.queue[..self.waiting]
    }

    /// The forecast of the pieces that are not drawn yet, if it is kept.
    #[inline]
    pub fn forecast(&self) -> Option<&Forecast> {
        self.forecast.as_ref()
    }

    /// Draws pieces until this many are waiting, or the randomizer ends.
    pub(crate) fn fill(&mut self, wanted: usize, board: &Board) {
        while self.waiting < wanted {
            let Some(piece) = self.randomizer.next(&mut self.rng, board) else {
                return;
            };
            self.queue[self.waiting] = piece;
            self.waiting += 1;
            if let Some(forecast) = &mut self.forecast {
                *forecast = forecast.after(piece);
            }
        }
    }

    /// Removes the current piece: the next one becomes the current one.
    pub(crate) fn advance(&mut self) {
        // All of them: this is cheaper than moving only as many as are present.
        for place in 1..MOST_WAITING {
            self.queue[place - 1] = self.queue[place];
        }
        self.waiting -= 1;
    }

    /// Replaces the current piece.
    pub(crate) fn replace_current(&mut self, piece: Piece) {
        self.queue[0] = piece;
    }

    /// Replaces the last piece that was drawn.
    pub(crate) fn replace_last(&mut self, piece: Piece) {
        if let Some(last) = self.queue[..self.waiting].last_mut() {
            *last = piece;
        }
    }

    /// Draws all further pieces from this seed.
    pub(crate) fn reseed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    /// Redraws all but the first `seen` pieces.
    pub(crate) fn redraw_unseen(&mut self, seen: usize, board: &Board) {
        let before = self.waiting;
        self.waiting = seen.min(before);
        self.fill(before, board);
    }

    /// Makes the randomizer stop choosing a piece soon after the flag is raised.
    pub(crate) fn heed(&mut self, stop: &StopFlag) {
        self.randomizer.heed(stop);
        if let Some(forecast) = &mut self.forecast
            && forecast.looks_at_board()
        {
            *forecast = Forecast::new(self.randomizer.knowledge());
        }
    }

    /// Draws all further pieces from another randomizer.
    pub(crate) fn draw_from(&mut self, randomizer: Box<dyn Randomizer>) {
        if self.forecast.is_some() {
            self.forecast = Some(Forecast::new(randomizer.knowledge()));
        }
        self.randomizer = randomizer;
    }
}

//! A game: a pure function of ruleset, seed and placements.

mod snapshot;

pub use snapshot::{GameSnapshot, SnapshotError};

use crate::board::Board;
use crate::moves::{self, MoveError, PathFinder};
use crate::outcomes::{Question, Scored};
use crate::piece::{PIECES, Piece};
use crate::placement::{Placement, Spin, Transition};
use crate::randomizers::{Forecast, Randomizer};
use crate::rng::Rng;
use crate::rules::{Rules, RulesRef, line_points};
use crate::ruleset::{MAX_PREVIEW, Ruleset};
use crate::stepped::{Inputs, SteppedGame, SteppedStatus, Ticked};

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A piece waits to be placed.
    Playing,
    /// The player has lost.
    Over,
    /// The randomizer has no more pieces (a fixed list that is not repeated).
    OutOfPieces,
}

/// What a player may know when it chooses: never the randomizer.
#[derive(Clone, Copy, Debug)]
pub struct GameView<'a> {
    /// The settled stack.
    pub board: &'a Board,
    /// The piece to place.
    pub piece: Piece,
    /// The pieces after it that the ruleset shows.
    pub queue: &'a [Piece],
    /// The rules of a step, as they are now.
    pub rules: RulesRef<'a>,
    /// Lines cleared so far.
    pub lines: u64,
    /// Pieces placed so far.
    pub pieces: u64,
    /// What can be known of the pieces after those that are shown; only in a game [with a forecast](Game::with_forecast).
    pub forecast: Option<&'a Forecast>,
    /// Whether the piece can be held instead, and what comes then.
    pub hold: Hold,
}

/// Whether a player can hold the piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// It cannot.
    #[default]
    None,
    /// It can; then the first piece of the queue comes.
    Empty,
    /// It can; then this piece comes.
    Piece(Piece),
}

impl<'a> GameView<'a> {
    /// What the player would see after a hold: another piece, and no hold. None if it cannot hold, or nothing that would come is shown.
    #[must_use]
    pub fn after_hold(&self) -> Option<GameView<'a>> {
        let (piece, queue) = match self.hold {
            Hold::None => return None,
            Hold::Piece(piece) => (piece, self.queue),
            Hold::Empty => {
                let (first, rest) = self.queue.split_first()?;
                (*first, rest)
            }
        };
        Some(GameView {
            piece,
            queue,
            hold: Hold::None,
            ..*self
        })
    }
}

impl<'a> From<&GameView<'a>> for Question<'a> {
    fn from(view: &GameView<'a>) -> Question<'a> {
        Question {
            board: view.board,
            piece: view.piece,
            rules: view.rules,
            next: view.queue.first().copied(),
            scored: Scored::AfterRemoval,
            lines_before: view.lines,
        }
    }
}

/// Why a placement cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// The game does not wait for a piece.
    #[error("the game has ended")]
    Ended,
    /// Another piece is to be placed.
    #[error("the piece is {expected}, not {found}")]
    Piece {
        /// The piece that waits.
        expected: Piece,
        /// The piece of the placement.
        found: Piece,
    },
    /// There is no such placement on the board.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A piece that drops straight down is not turned into its place.
    #[error("{} has a spin, but pieces drop straight down in this game", .0.piece)]
    Spin(Placement),
    /// No path leads there.
    #[error("no path leads to row {}, column {}", .0.y, .0.x)]
    Unreachable(Placement),
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    board: Board,
    rules: Rules,
    randomizer: Box<dyn Randomizer>,
    rng: Rng,
    /// What can be known of the pieces that are not drawn yet, if the player asks for it.
    forecast: Option<Forecast>,
    /// The current piece and those that the player sees after it.
    queue: [Piece; MAX_PREVIEW + 1],
    waiting: usize,
    status: Status,
    lines: u64,
    pieces: u64,
    line_points: u64,
    /// The game itself if it is a stepped one; the other fields then repeat what it says.
    stepped: Option<Box<Steps>>,
}

/// A stepped game, and room to find paths in it.
#[derive(Clone, Debug)]
struct Steps {
    game: SteppedGame,
    finder: PathFinder,
}

impl Game {
    /// A new game: the pieces follow from the ruleset and the seed.
    #[must_use]
    pub fn new(ruleset: &Ruleset, seed: u64) -> Game {
        Game::on_board(ruleset, ruleset.empty_board(), seed, None)
    }

    /// The same game, for a player that wants to know with which probability pieces come. To keep track of that takes
    /// time with some randomizers (TGM3's: about a millisecond for each piece), so other games do without.
    #[must_use]
    pub fn with_forecast(ruleset: &Ruleset, seed: u64) -> Game {
        let forecast = Some(ruleset.forecast());
        Game::on_board(ruleset, ruleset.empty_board(), seed, forecast)
    }

    /// A new game that begins on a board with something on it, such as an editor's; with the ruleset's forecast for a player that asks for it.
    /// It is over at once if the first piece cannot enter, or the rules end a game on such a board.
    #[must_use]
    pub fn on_board(
        ruleset: &Ruleset,
        board: Board,
        seed: u64,
        forecast: Option<Forecast>,
    ) -> Game {
        let mut game = Game {
            board,
            rules: ruleset.rules.clone(),
            randomizer: ruleset.randomizer(),
            rng: Rng::new(seed),
            forecast,
            queue: [PIECES[0]; MAX_PREVIEW + 1],
            waiting: 0,
            status: Status::Playing,
            lines: 0,
            pieces: 0,
            line_points: 0,
            stepped: None,
        };
        if let Some(stepped) = ruleset.begin_stepped(board, seed, game.forecast.clone()) {
            let finder = PathFinder::default();
            let steps = Steps {
                game: stepped,
                finder,
            };
            game.stepped = Some(Box::new(steps));
            game.repeat_stepped();
            return game;
        }
        while game.waiting <= ruleset.preview && game.draw_piece() {}
        game.check_entry();
        if game.rules.as_ref().ends_on(&board, None) {
            game.status = Status::Over;
        }
        game
    }

    /// The same position with another future: the randomizer keeps its memory and the visible pieces stay, all that
    /// is drawn from here on follows from the new seed.
    #[must_use]
    pub fn fork(&self, seed: u64) -> Game {
        let mut game = self.clone();
        game.rng = Rng::new(seed);
        if let Some(steps) = &mut game.stepped {
            steps.game = steps.game.fork(seed);
        }
        game
    }

    /// The stepped game, if it is one.
    #[must_use]
    pub fn stepped(&self) -> Option<&SteppedGame> {
        self.stepped.as_deref().map(|steps| &steps.game)
    }

    /// Plays one tick of a stepped game with these inputs, for whoever steers the pieces; a placement game knows no ticks.
    pub fn tick(&mut self, inputs: Inputs) -> Ticked {
        let Some(steps) = &mut self.stepped else {
            return Ticked::default();
        };
        let ticked = steps.game.tick(inputs);
        let lines = ticked.locked.map_or(0, |locked| locked.lines());
        self.line_points += line_points(lines);
        self.repeat_stepped();
        ticked
    }

    /// Deals this piece instead of the last one that was drawn: for someone who chooses the pieces.
    pub fn deal(&mut self, piece: Piece) {
        if let Some(steps) = &mut self.stepped {
            steps.game.deal(piece);
            self.repeat_stepped();
        } else if self.status == Status::Playing {
            self.queue[self.waiting - 1] = piece;
            self.check_entry();
        }
    }

    /// Lets another randomizer deal from here on.
    pub fn deal_from(&mut self, randomizer: Box<dyn Randomizer>) {
        if self.forecast.is_some() {
            self.forecast = Some(Forecast::new(randomizer.knowledge()));
        }
        if let Some(steps) = &mut self.stepped {
            steps
                .game
                .deal_from(randomizer.clone(), self.forecast.clone());
        }
        self.randomizer = randomizer;
    }

    /// The piece to place and those that are shown after it, also when the game has ended.
    #[must_use]
    pub fn waiting_pieces(&self) -> &[Piece] {
        &self.queue[..self.waiting]
    }

    /// Takes over where the stepped game stands.
    fn repeat_stepped(&mut self) {
        let Some(steps) = &self.stepped else {
            return;
        };
        let game = &steps.game;
        self.board = *game.board();
        self.status = match game.status() {
            SteppedStatus::Playing => Status::Playing,
            SteppedStatus::Over => Status::Over,
            SteppedStatus::OutOfPieces => Status::OutOfPieces,
        };
        let pieces = game.falling().map(|falling| falling.piece).into_iter();
        self.waiting = 0;
        for (place, piece) in self
            .queue
            .iter_mut()
            .zip(pieces.chain(game.queue().iter().copied()))
        {
            *place = piece;
            self.waiting += 1;
        }
        self.lines = game.tally().lines;
        self.pieces = game.pieces();
        self.forecast = game.forecast().cloned();
    }

    /// Brings the piece of a stepped game to its place by inputs.
    fn apply_stepped(&mut self, placement: Placement) -> Transition {
        let steps = self
            .stepped
            .as_deref_mut()
            .expect("asked of stepped games only");
        let path = steps.game.path_to(placement, &mut steps.finder);
        let path = path.expect("a placement that the rules allow can be reached");
        let locked = steps.game.follow(&path).locked;
        let transition = locked.expect("a path ends with a piece that locks");
        assert_eq!(
            transition.placement, placement,
            "the path {path} leads elsewhere"
        );
        self.line_points += line_points(transition.lines());
        steps.game.wait();
        self.repeat_stepped();
        Transition {
            game_over: transition.game_over || self.status == Status::Over,
            ..transition
        }
    }

    /// What can be held, and what comes then.
    fn hold(&self) -> Hold {
        let Some(game) = self.stepped() else {
            return Hold::None;
        };
        match (game.after_hold(), game.held()) {
            (None, _) => Hold::None,
            (Some(_), None) => Hold::Empty,
            (Some(_), Some(held)) => Hold::Piece(held),
        }
    }

    /// The same position with another future for a player that has seen only the first `seen` of the visible pieces: the
    /// others are drawn anew too. Only right where pieces do not depend on those before them.
    #[must_use]
    pub fn fork_unseen(&self, seed: u64, seen: usize) -> Game {
        let mut game = self.fork(seed);
        if game.stepped.is_some() {
            return game;
        }
        game.waiting = seen.min(self.waiting);
        while game.waiting < self.waiting && game.draw_piece() {}
        game
    }

    fn draw_piece(&mut self) -> bool {
        let piece = self.randomizer.next(&mut self.rng, &self.board);
        if let Some(piece) = piece {
            self.queue[self.waiting] = piece;
            self.waiting += 1;
            if let Some(forecast) = &mut self.forecast {
                *forecast = forecast.after(piece);
            }
        }
        piece.is_some()
    }

    /// What the player may know.
    ///
    /// # Panics
    /// When no piece waits: look at [`Self::status`] first.
    #[must_use]
    #[inline]
    pub fn view(&self) -> GameView<'_> {
        assert!(self.waiting > 0, "no piece waits to be placed");
        GameView {
            board: &self.board,
            piece: self.queue[0],
            queue: &self.queue[1..self.waiting],
            rules: match &self.stepped {
                Some(steps) => Rules::Stepped(steps.game.steering()),
                None => self.rules.as_ref(),
            },
            lines: self.lines,
            pieces: self.pieces,
            forecast: self.forecast.as_ref(),
            hold: self.hold(),
        }
    }

    /// Places the piece. The placement must be one that [`Self::check`] allows.
    pub fn apply(&mut self, placement: Placement) -> Transition {
        debug_assert_eq!(self.check(placement), Ok(()));
        if self.stepped.is_some() {
            return self.apply_stepped(placement);
        }
        let next = self.queue[1..self.waiting].first().copied();
        let rules = self.rules.as_ref();
        let transition = rules.step(&self.board, placement, next, self.lines);
        self.board = transition.after;
        self.pieces += 1;
        self.lines += u64::from(transition.lines());
        self.line_points += line_points(transition.lines());
        self.advance(transition.game_over);
        transition
    }

    /// Brings the next piece in, or ends the game.
    fn advance(&mut self, game_over: bool) {
        self.queue.copy_within(1..self.waiting, 0);
        self.waiting -= 1;
        if game_over {
            self.status = Status::Over;
            return;
        }
        self.draw_piece();
        self.check_entry();
    }

    /// Ends the game if there is no piece, or it cannot enter.
    fn check_entry(&mut self) {
        if self.waiting == 0 {
            self.status = Status::OutOfPieces;
        } else if self.rules.as_ref().blocks_entry(&self.board, self.queue[0]) {
            // Without a preview nobody could know that this piece would not enter.
            self.status = Status::Over;
        }
    }

    /// Whether the placement is one that the rules allow now.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn check(&self, placement: Placement) -> Result<(), PlacementError> {
        if self.status != Status::Playing {
            return Err(PlacementError::Ended);
        }
        if let Some(game) = self.stepped() {
            let path = game.path_to(placement, &mut PathFinder::default());
            return path
                .map(|_| ())
                .ok_or(PlacementError::Unreachable(placement));
        }
        let (expected, found) = (self.queue[0], placement.piece);
        if expected != found {
            return Err(PlacementError::Piece { expected, found });
        }
        if placement.spin != Spin::None {
            return Err(PlacementError::Spin(placement));
        }
        Ok(moves::check(&self.board, placement)?)
    }

    /// Where the game stands.
    #[must_use]
    #[inline]
    pub fn status(&self) -> Status {
        self.status
    }

    /// The settled stack.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Lines cleared.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Pieces placed, the one that ended the game included.
    #[must_use]
    pub fn pieces(&self) -> u64 {
        self.pieces
    }

    /// The thesis' line points: 2^(n-1) for n lines cleared with one piece.
    #[must_use]
    pub fn line_points(&self) -> u64 {
        self.line_points
    }
}

#[cfg(test)]
mod tests;

//! A game: a pure function of ruleset, seed and placements.

mod snapshot;

pub use crate::deal::Status;
pub use crate::rules::Hold;
pub use snapshot::{GameSnapshot, SnapshotError};

use crate::board::Board;
use crate::deal::Deal;
use crate::ends::End;
use crate::moves::{self, MoveError, PathFinder};
use crate::outcomes::{DecisionContext, Scored};
use crate::piece::{Piece, Shape};
use crate::placement::{Placement, Spin, Transition};
use crate::randomizers::{Forecast, Randomizer};
use crate::rules::{Rules, RulesRef, Settled, line_points};
use crate::ruleset::Ruleset;
use crate::stepped::{Inputs, SteppedGame, Ticked};
use crate::stop::StopFlag;
use std::fmt;

/// A player's view of the game for a decision: never the randomizer.
#[derive(Clone, Copy, Debug)]
pub struct GameView<'a> {
    /// The settled stack.
    pub board: &'a Board,
    /// The piece to place.
    pub piece: Piece,
    /// The visible pieces after the current one.
    pub queue: &'a [Piece],
    /// The current rules of a step.
    pub rules: RulesRef<'a>,
    /// Lines cleared so far.
    pub lines: u64,
    /// Pieces placed so far.
    pub pieces: u64,
    /// The forecast of the pieces after the shown ones; only in a game [with a
    /// forecast](Game::with_forecast).
    pub forecast: Option<&'a Forecast>,
    /// Whether the piece can be held, and the piece that would replace it.
    pub hold: Hold,
}

impl<'a> GameView<'a> {
    /// The view after a hold: another piece, and no hold. `None` if holding is not allowed, or the
    /// piece that would replace it is not visible.
    #[must_use]
    pub fn after_hold(&self) -> Option<GameView<'a>> {
        let (piece, queue) = match self.hold {
            Hold::None | Hold::Used(_) => return None,
            Hold::Piece(piece) => (piece, self.queue),
            Hold::Empty => {
                let (first, rest) = self.queue.split_first()?;
                (*first, rest)
            }
        };
        Some(GameView {
            piece,
            queue,
            hold: Hold::Used(self.piece),
            ..*self
        })
    }
}

impl<'a> From<&GameView<'a>> for DecisionContext<'a> {
    fn from(view: &GameView<'a>) -> DecisionContext<'a> {
        DecisionContext {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacementError {
    /// The game is not waiting for a piece.
    Ended,
    /// The placement is for another piece.
    Piece {
        /// The piece to place.
        expected: Piece,
        /// The piece of the placement.
        found: Piece,
    },
    /// The placement is impossible on the board.
    Move(MoveError),
    /// A piece that drops straight down cannot spin into its final position.
    Spin(Placement),
    /// No sequence of moves leads there.
    Unreachable(Placement),
}

impl fmt::Display for PlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlacementError::Ended => write!(f, "the game has ended"),
            PlacementError::Piece { expected, found } => {
                write!(f, "the piece is {expected}, not {found}")
            }
            PlacementError::Move(error) => error.fmt(f),
            PlacementError::Spin(found) => write!(
                f,
                "{} has a spin, but pieces drop straight down in this game",
                found.piece
            ),
            PlacementError::Unreachable(found) => {
                write!(f, "no path leads to row {}, column {}", found.y, found.x)
            }
        }
    }
}

impl std::error::Error for PlacementError {}

impl From<MoveError> for PlacementError {
    fn from(error: MoveError) -> PlacementError {
        PlacementError::Move(error)
    }
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    kind: GameKind,
}

#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "a placement game is copied often, and is better off without a box"
)]
enum GameKind {
    Placements(PlacementGame),
    Stepped(Box<Steps>),
}

/// A game in which pieces drop straight down.
#[derive(Clone, Debug)]
struct PlacementGame {
    board: Board,
    end: End,
    deal: Deal,
    /// The number of pieces shown after the current one.
    preview: usize,
    status: Status,
    lines: u64,
    pieces: u64,
    line_points: u64,
}

/// A stepped game, and the path finder for its placements.
#[derive(Clone, Debug)]
struct Steps {
    game: SteppedGame,
    finder: PathFinder,
}

impl PlacementGame {
    fn new(end: End, preview: usize, board: Board, deal: Deal) -> PlacementGame {
        let mut game = PlacementGame {
            board,
            end,
            deal,
            preview,
            status: Status::Playing,
            lines: 0,
            pieces: 0,
            line_points: 0,
        };
        game.draw();
        if game.rules().ends_on(&board, None) {
            game.status = Status::Over;
        }
        game
    }

    fn rules(&self) -> RulesRef<'static> {
        Rules::Drops(self.end)
    }

    /// Draws the visible pieces. The game ends if there are no more pieces, or the first one cannot
    /// enter.
    fn draw(&mut self) {
        self.deal.fill(self.preview + 1, &self.board);
        self.check_entry();
    }

    fn check_entry(&mut self) {
        match self.deal.pieces().first() {
            None => self.status = Status::OutOfPieces,
            // Without a preview, the player could not know that this piece will not enter.
            Some(&piece) if self.rules().blocks_entry(&self.board, piece) => {
                self.status = Status::Over;
            }
            Some(_) => {}
        }
    }

    fn apply(&mut self, placement: Placement) -> Transition {
        let (before, lines_before) = (self.board, self.lines);
        let settled = self.place(placement);
        Transition {
            before,
            placement,
            cleared: settled.cleared,
            after: self.board,
            game_over: settled.game_over,
            lines_before,
        }
    }

    /// Places the piece; returns the rows that it completes, and whether it ends the game.
    fn place(&mut self, placement: Placement) -> Settled {
        let next = self.deal.pieces().get(1).copied();
        let corner = (usize::from(placement.x), usize::from(placement.y));
        let rules = self.rules();
        let settled = rules.settle(&mut self.board, placement.shape(), corner, next);
        self.count(settled.cleared);
        if settled.game_over {
            self.status = Status::Over;
        } else {
            self.draw();
        }
        settled
    }

    /// Places the piece if it is known which rows it completes, and that the stack stays below the
    /// rows that the game-over rule looks at.
    #[inline]
    fn place_safely(&mut self, shape: &Shape, (x, y): (usize, usize), cleared: u64) {
        self.board.fill_shape(shape, x, y);
        debug_assert_eq!(self.board.full_rows(), cleared, "these rows are full");
        if cleared != 0 {
            self.board.remove_rows(cleared);
        }
        self.count(cleared);
        self.deal.fill(self.preview + 1, &self.board);
        if self.deal.pieces().is_empty() {
            self.status = Status::OutOfPieces;
        }
    }

    /// Counts a piece that is placed.
    #[inline]
    fn count(&mut self, cleared: u64) {
        self.pieces += 1;
        if cleared != 0 {
            let lines = cleared.count_ones();
            self.lines += u64::from(lines);
            self.line_points += line_points(lines);
        }
        self.deal.advance();
    }

    fn check(&self, placement: Placement) -> Result<(), PlacementError> {
        let (expected, found) = (self.deal.pieces()[0], placement.piece);
        if expected != found {
            return Err(PlacementError::Piece { expected, found });
        }
        if placement.spin != Spin::None {
            return Err(PlacementError::Spin(placement));
        }
        Ok(moves::check(&self.board, placement)?)
    }
}

impl Steps {
    /// Moves the piece to its placement by inputs.
    fn apply(&mut self, placement: Placement) -> Transition {
        let path = self.game.path_to(placement, &mut self.finder);
        let path = path.expect("a placement that the rules allow can be reached");
        let locked = self.game.follow(&path).locked;
        let transition = locked.expect("a path ends with a piece that locks");
        assert_eq!(
            transition.placement, placement,
            "the path {path} leads elsewhere"
        );
        self.game.wait();
        Transition {
            game_over: transition.game_over || self.game.status() == Status::Over,
            ..transition
        }
    }
}

impl Game {
    /// A new game: the pieces follow from the ruleset and the seed.
    pub fn new(ruleset: &Ruleset, seed: u64) -> Game {
        Game::on_board(ruleset, ruleset.empty_board(), seed, None)
    }

    /// The same game for a player that needs the probabilities of pieces. They are expensive for
    /// some randomizers (about a millisecond per piece for TGM3's), so other games do not compute
    /// them.
    #[must_use]
    pub fn with_forecast(ruleset: &Ruleset, seed: u64) -> Game {
        let forecast = Some(ruleset.forecast());
        Game::on_board(ruleset, ruleset.empty_board(), seed, forecast)
    }

    /// A new game on a given board, such as an edited one, with the ruleset's forecast for players
    /// that need it. It is over immediately if the first piece cannot enter, or if the board itself
    /// ends the game under the rules.
    pub fn on_board(
        ruleset: &Ruleset,
        board: Board,
        seed: u64,
        forecast: Option<Forecast>,
    ) -> Game {
        let deal = Deal::new(ruleset.randomizer(), seed, forecast);
        let kind = match ruleset.kind() {
            Rules::Drops(end) => {
                GameKind::Placements(PlacementGame::new(*end, ruleset.preview, board, deal))
            }
            Rules::Stepped(rules) => GameKind::Stepped(Box::new(Steps {
                game: SteppedGame::new(rules.clone(), board, ruleset.preview, deal),
                finder: PathFinder::default(),
            })),
        };
        Game { kind }
    }

    /// The same position with another future: the randomizer keeps its memory and the visible
    /// pieces remain, but everything drawn from now on depends on the new seed.
    #[must_use]
    pub fn fork(&self, seed: u64) -> Game {
        let mut game = self.clone();
        game.deal_mut().reseed(seed);
        game
    }

    /// The same position with another future for a player that has seen only the first `seen` of
    /// the visible pieces: the others are redrawn too. Only correct if pieces do not depend on
    /// earlier ones.
    #[must_use]
    pub fn fork_unseen(&self, seed: u64, seen: usize) -> Game {
        let mut game = self.fork(seed);
        if let GameKind::Placements(game) = &mut game.kind {
            game.deal.redraw_unseen(seen, &game.board);
        }
        game
    }

    /// The stepped game, if it is one.
    pub fn stepped(&self) -> Option<&SteppedGame> {
        match &self.kind {
            GameKind::Placements(_) => None,
            GameKind::Stepped(steps) => Some(&steps.game),
        }
    }

    /// Plays one tick of a stepped game with these inputs; does nothing in a placement game.
    pub fn tick(&mut self, inputs: Inputs) -> Ticked {
        match &mut self.kind {
            GameKind::Placements(_) => Ticked::default(),
            GameKind::Stepped(steps) => steps.game.tick(inputs),
        }
    }

    /// Replaces the last drawn piece, for a user who chooses the pieces.
    pub fn deal(&mut self, piece: Piece) {
        match &mut self.kind {
            GameKind::Stepped(steps) => steps.game.deal(piece),
            GameKind::Placements(game) if game.status == Status::Playing => {
                game.deal.replace_last(piece);
                game.check_entry();
            }
            GameKind::Placements(_) => {}
        }
    }

    /// Replaces the randomizer from now on.
    pub fn deal_from(&mut self, randomizer: Box<dyn Randomizer>) {
        self.deal_mut().draw_from(randomizer);
    }

    /// Makes the randomizer stop choosing a piece soon after the flag is raised. The game is then
    /// invalid.
    pub fn heed(&mut self, stop: &StopFlag) {
        self.deal_mut().heed(stop);
    }

    /// The piece to place and those that are shown after it, also when the game has ended.
    #[inline]
    pub fn waiting_pieces(&self) -> &[Piece] {
        match &self.kind {
            GameKind::Placements(game) => game.deal.pieces(),
            GameKind::Stepped(steps) => steps.game.dealt().pieces(),
        }
    }

    fn deal_mut(&mut self) -> &mut Deal {
        match &mut self.kind {
            GameKind::Placements(game) => &mut game.deal,
            GameKind::Stepped(steps) => steps.game.deal_mut(),
        }
    }

    /// The player's view.
    ///
    /// # Panics
    /// If there is no piece to place: check [`Self::status`] first.
    #[inline]
    pub fn view(&self) -> GameView<'_> {
        let (deal, rules, hold) = match &self.kind {
            GameKind::Placements(game) => (&game.deal, game.rules(), Hold::None),
            GameKind::Stepped(steps) => {
                let rules = Rules::Stepped(steps.game.move_rules());
                (steps.game.dealt(), rules, hold(&steps.game))
            }
        };
        let (&piece, queue) = deal
            .pieces()
            .split_first()
            .expect("no piece waits to be placed");
        GameView {
            board: self.board(),
            piece,
            queue,
            rules,
            lines: self.lines(),
            pieces: self.pieces(),
            forecast: deal.forecast(),
            hold,
        }
    }

    /// Places the piece. The placement must be one that [`Self::check`] allows.
    pub fn apply(&mut self, placement: Placement) -> Transition {
        debug_assert_eq!(self.check(placement), Ok(()));
        match &mut self.kind {
            GameKind::Placements(game) => game.apply(placement),
            GameKind::Stepped(steps) => steps.apply(placement),
        }
    }

    /// Like [`Self::apply`], without a record of the step, which would cost more than the step
    /// itself; returns whether this placement ends the game.
    pub fn place(&mut self, placement: Placement) -> bool {
        match &mut self.kind {
            GameKind::Placements(game) => game.place(placement).game_over,
            GameKind::Stepped(steps) => steps.apply(placement).game_over,
        }
    }

    /// Like [`Self::place`] in a placement game, if it is known which rows the placement completes,
    /// and that the stack stays below the rows that the game-over rule looks at. The shape's lower
    /// left corner is in this column and row.
    #[inline]
    pub(crate) fn place_safely(&mut self, shape: &Shape, corner: (usize, usize), cleared: u64) {
        match &mut self.kind {
            GameKind::Placements(game) => game.place_safely(shape, corner, cleared),
            GameKind::Stepped(_) => unreachable!("a piece of a stepped game moves by inputs"),
        }
    }

    /// Checks that the rules currently allow the placement.
    ///
    /// # Errors
    /// If they do not, with the reason.
    pub fn check(&self, placement: Placement) -> Result<(), PlacementError> {
        if self.status() != Status::Playing {
            return Err(PlacementError::Ended);
        }
        match &self.kind {
            GameKind::Placements(game) => game.check(placement),
            GameKind::Stepped(steps) => {
                let path = steps.game.path_to(placement, &mut PathFinder::default());
                path.map(|_| ())
                    .ok_or(PlacementError::Unreachable(placement))
            }
        }
    }

    /// Whether the game continues.
    #[inline]
    pub fn status(&self) -> Status {
        match &self.kind {
            GameKind::Placements(game) => game.status,
            GameKind::Stepped(steps) => steps.game.status(),
        }
    }

    /// The settled stack.
    #[inline]
    pub fn board(&self) -> &Board {
        match &self.kind {
            GameKind::Placements(game) => &game.board,
            GameKind::Stepped(steps) => steps.game.board(),
        }
    }

    /// Lines cleared.
    #[inline]
    pub fn lines(&self) -> u64 {
        match &self.kind {
            GameKind::Placements(game) => game.lines,
            GameKind::Stepped(steps) => steps.game.tally().lines,
        }
    }

    /// Pieces placed, including the one that ended the game.
    #[inline]
    pub fn pieces(&self) -> u64 {
        match &self.kind {
            GameKind::Placements(game) => game.pieces,
            GameKind::Stepped(steps) => steps.game.pieces(),
        }
    }

    /// The thesis' line points: 2^(n-1) for n lines cleared with one piece.
    pub fn line_points(&self) -> u64 {
        match &self.kind {
            GameKind::Placements(game) => game.line_points,
            GameKind::Stepped(steps) => steps.game.line_points(),
        }
    }
}

/// Whether the piece of a stepped game can be held, and the piece that would replace it.
fn hold(game: &SteppedGame) -> Hold {
    match (game.after_hold(), game.held()) {
        (None, None) => Hold::None,
        (None, Some(held)) => Hold::Used(held),
        (Some(_), None) => Hold::Empty,
        (Some(_), Some(held)) => Hold::Piece(held),
    }
}

#[cfg(test)]
mod tests;

//! Trajectories: games that are played from any position until they leave a window.

use super::importance::{DangerTerms, ImportanceFunction, danger_terms};
use tetrolab_core::board::Board;
use tetrolab_core::ends::End;
use tetrolab_core::game::{Game, Status};
use tetrolab_core::kernel::{Kernel, Position, Standing, Trajectories, Window};
use tetrolab_core::piece::Piece;
use tetrolab_core::players::Player;
use tetrolab_core::rng::player_seed;
use tetrolab_core::ruleset::Ruleset;

/// The number of trajectories that the kernel plays side by side.
const SIDE_BY_SIDE: usize = 160;

/// The board before the last piece of a game, and that piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LostPosition {
    pub(super) board: Board,
    pub(super) piece: Piece,
}

/// Plays trajectories, some side by side. A trajectory depends only on its start, its seed and its
/// windows.
pub(super) trait Simulator {
    /// The complete state on which the future depends: the board, visible pieces, and the memory of
    /// the randomizer.
    type Position: Clone + Send + Sync;

    /// The best number of trajectories to play side by side.
    fn capacity(&self) -> usize;
    /// The width of the board.
    fn width(&self) -> usize;
    /// The start of a game.
    fn beginning(&self) -> Self::Position;
    /// Starts a trajectory in a slot that is free or paused. It places at least one piece.
    fn put(&mut self, slot: usize, start: &Self::Position, seed: u64, window: Window);
    /// Continues a paused trajectory.
    fn resume(&mut self, slot: usize, window: Window);
    /// Plays until some trajectories leave their windows or end, and lists them; an empty list
    /// means that all are paused.
    fn play(&mut self, rested: &mut Vec<usize>);
    /// The state of a paused trajectory.
    fn standing(&self, slot: usize) -> Standing;
    /// The position of a paused trajectory.
    fn position(&self, slot: usize) -> Self::Position;
    /// How a lost trajectory ended.
    fn lost(&self, slot: usize) -> LostPosition;
    /// The terms of a danger for the board of a paused trajectory.
    fn danger_terms(&self, slot: usize) -> DangerTerms;
    /// The board of a position.
    fn board(position: &Self::Position, ruleset: &Ruleset) -> Board;
}

/// Plays one trajectory after the other, with any player under any ruleset. The results equal those
/// of the kernel, if there is one.
pub(super) struct SequentialSimulator<'a> {
    ruleset: &'a Ruleset,
    player: Box<dyn Player>,
    function: ImportanceFunction,
    /// Whether neither the pieces nor the end of the game depend on earlier pieces: a position then
    /// excludes pieces that the player has not seen.
    without_memory: bool,
    slot: Option<Trajectory>,
    waits: bool,
}

struct Trajectory {
    game: Game,
    /// The level of the board; for a game that is over, the level before the last piece.
    level: u32,
    /// The position before the last piece.
    last: LostPosition,
    /// Pieces, lines and line points of the game when the trajectory began.
    before: (u64, u64, u64),
    window: Window,
}

impl<'a> SequentialSimulator<'a> {
    pub(super) fn new(
        ruleset: &'a Ruleset,
        player: &dyn Player,
        function: ImportanceFunction,
    ) -> SequentialSimulator<'a> {
        SequentialSimulator {
            ruleset,
            player: player.boxed(),
            function,
            without_memory: ruleset.rules.end() == Some(End::ABOVE_TOP)
                && ruleset.randomizer().chances().is_some(),
            slot: None,
            waits: false,
        }
    }

    /// The piece to place, if the player has seen it before.
    fn known(&self, game: &Game) -> Option<Piece> {
        (self.player.needs_preview() > 0).then(|| game.view().piece)
    }

    fn trajectory(&self) -> &Trajectory {
        self.slot.as_ref().expect("a trajectory was put here")
    }
}

impl Simulator for SequentialSimulator<'_> {
    /// `None` means the start of a game.
    type Position = Option<Game>;

    fn capacity(&self) -> usize {
        1
    }

    fn width(&self) -> usize {
        self.ruleset.width
    }

    fn beginning(&self) -> Option<Game> {
        None
    }

    fn put(&mut self, _slot: usize, start: &Option<Game>, seed: u64, window: Window) {
        let game = match start {
            None => self.player.begin(self.ruleset, seed),
            Some(game) if self.without_memory => {
                game.fork_unseen(seed, self.player.needs_preview())
            }
            Some(game) => game.fork(seed),
        };
        let before = (game.pieces(), game.lines(), game.line_points());
        self.slot = Some(Trajectory {
            level: self
                .function
                .of_columns(game.board().columns(), self.known(&game)),
            last: position_of(&game),
            game,
            before,
            window,
        });
        self.player.start(player_seed(seed));
        self.waits = true;
    }

    fn resume(&mut self, _slot: usize, window: Window) {
        if let Some(trajectory) = &mut self.slot {
            trajectory.window = window;
            self.waits = true;
        }
    }

    fn play(&mut self, rested: &mut Vec<usize>) {
        rested.clear();
        let Some(Trajectory {
            game,
            level: last_level,
            last,
            before,
            window,
        }) = self.slot.as_mut().filter(|_| self.waits)
        else {
            return;
        };
        self.waits = false;
        let sees_next = self.player.needs_preview() > 0;
        rested.push(0);
        while game.status() == Status::Playing {
            *last = position_of(game);
            game.apply(self.player.decide(&game.view()));
            if game.status() != Status::Playing {
                return;
            }
            let known = sees_next.then(|| game.view().piece);
            *last_level = self.function.of_columns(game.board().columns(), known);
            if !window.holds(*last_level, game.pieces() - before.0) {
                return;
            }
        }
    }

    fn standing(&self, _slot: usize) -> Standing {
        let (game, before) = (&self.trajectory().game, self.trajectory().before);
        let columns = game.board().columns().iter();
        Standing {
            level: self.trajectory().level,
            over: game.status() != Status::Playing,
            cells: columns.map(|column| column.count_ones()).sum(),
            pieces: game.pieces() - before.0,
            lines: game.lines() - before.1,
            line_points: game.line_points() - before.2,
        }
    }

    fn position(&self, _slot: usize) -> Option<Game> {
        Some(self.trajectory().game.clone())
    }

    fn lost(&self, _slot: usize) -> LostPosition {
        self.trajectory().last
    }

    fn danger_terms(&self, _slot: usize) -> DangerTerms {
        let game = &self.trajectory().game;
        danger_terms(game.board().columns(), self.known(game))
    }

    fn board(position: &Option<Game>, ruleset: &Ruleset) -> Board {
        let game = position.as_ref();
        game.map_or_else(|| ruleset.empty_board(), |game| *game.board())
    }
}

/// The board and the piece to place.
fn position_of(game: &Game) -> LostPosition {
    let (board, piece) = (*game.board(), game.view().piece);
    LostPosition { board, piece }
}

/// Trajectories of the kernel, many side by side.
pub(super) struct BatchSimulator<'a> {
    trajectories: Trajectories<'a, ImportanceFunction>,
    empty: Board,
    beginning: Position,
}

impl<'a> BatchSimulator<'a> {
    pub(super) fn new(
        ruleset: &Ruleset,
        kernel: &'a Kernel,
        function: ImportanceFunction,
    ) -> BatchSimulator<'a> {
        let trajectories = Trajectories::new(kernel, function);
        BatchSimulator {
            empty: ruleset.empty_board(),
            beginning: trajectories.position_on(&ruleset.empty_board()),
            trajectories,
        }
    }
}

impl Simulator for BatchSimulator<'_> {
    type Position = Position;

    fn capacity(&self) -> usize {
        SIDE_BY_SIDE
    }

    fn width(&self) -> usize {
        self.empty.width()
    }

    fn beginning(&self) -> Position {
        self.beginning.clone()
    }

    fn put(&mut self, slot: usize, start: &Position, seed: u64, window: Window) {
        self.trajectories.put(slot, start, seed, window);
    }

    fn resume(&mut self, slot: usize, window: Window) {
        self.trajectories.resume(slot, window);
    }

    fn play(&mut self, rested: &mut Vec<usize>) {
        self.trajectories.play(rested);
    }

    fn standing(&self, slot: usize) -> Standing {
        self.trajectories.standing(slot)
    }

    fn position(&self, slot: usize) -> Position {
        self.trajectories.position(slot)
    }

    fn lost(&self, slot: usize) -> LostPosition {
        let mut board = self.empty;
        self.trajectories.position(slot).write_to(&mut board);
        let piece = self.trajectories.last_piece(slot);
        LostPosition { board, piece }
    }

    fn danger_terms(&self, slot: usize) -> DangerTerms {
        let board = self.trajectories.board(slot);
        danger_terms(&board.columns()[..self.width()], board.piece())
    }

    fn board(position: &Position, ruleset: &Ruleset) -> Board {
        let mut board = ruleset.empty_board();
        position.write_to(&mut board);
        board
    }
}

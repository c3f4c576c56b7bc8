//! A stepped game in progress.

mod entry;

use super::garbage::raise;
use super::score::{Clear, Tally};
use super::{Inputs, SteppedRules};
use crate::board::Board;
use crate::deal::{Deal, Status};
use crate::moves::{
    DropKey, Input, LockRule, LockTimer, Locking, MoveRules, Path, PathFinder, PathStart,
};
use crate::piece::Piece;
use crate::placement::{Placement, Spin, Transition};
use crate::rotation::Falling;
use crate::rules::{Rules, line_points};
use std::collections::VecDeque;
use std::sync::Arc;

/// The events of a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ticked {
    /// The piece that locked in this tick: the boards before and after, its placement, and the
    /// cleared rows.
    pub locked: Option<Transition>,
    /// The points of the tick.
    pub points: u64,
}

/// A stepped game in progress: a pure function of its rules, its seed and the inputs of every tick.
#[derive(Clone, Debug)]
pub struct SteppedGame {
    rules: Arc<SteppedRules>,
    move_rules: MoveRules,
    board: Board,
    /// The pieces: the first is the falling one or, while none is falling, the next one.
    deal: Deal,
    preview: usize,
    falling: Option<Falling>,
    /// Number of ticks that the piece has been falling, and whether it has used its floor kick.
    age: u32,
    floor_kicked: bool,
    timer: LockTimer,
    /// The spin of the piece if it locks in its current position.
    spin: Spin,
    soft_rows: u32,
    hard_rows: u32,
    held: Option<Piece>,
    may_hold: bool,
    /// Turns and hold that were pressed before the piece entered.
    early: Inputs,
    /// While no piece is falling, the number of ticks until the next one enters.
    delay: u16,
    status: Status,
    tally: Tally,
    /// The columns of the holes in pending garbage.
    garbage: VecDeque<u8>,
    ticks: u64,
    pieces: u64,
    line_points: u64,
}

impl SteppedGame {
    /// A new game on a board; `preview` pieces are shown after the falling one.
    pub fn new(rules: Arc<SteppedRules>, board: Board, preview: usize, deal: Deal) -> SteppedGame {
        let mut game = SteppedGame {
            move_rules: rules.move_rules.clone(),
            board,
            deal,
            preview,
            falling: None,
            age: 0,
            floor_kicked: false,
            timer: LockTimer::new(0),
            spin: Spin::None,
            soft_rows: 0,
            hard_rows: 0,
            held: None,
            may_hold: true,
            early: Inputs::NONE,
            delay: 0,
            status: Status::Playing,
            tally: Tally::new(rules.move_rules.pace.first),
            garbage: VecDeque::new(),
            ticks: 0,
            pieces: 0,
            line_points: 0,
            rules,
        };
        game.next_piece();
        game
    }

    /// Plays one tick.
    pub fn tick(&mut self, inputs: Inputs) -> Ticked {
        if self.status != Status::Playing {
            return Ticked::default();
        }
        self.ticks += 1;
        if let Some(falling) = self.falling {
            return self.fall(falling, inputs);
        }
        self.early = self.early.and(inputs.initial());
        match self.delay {
            0 | 1 => self.next_piece(),
            _ => self.delay -= 1,
        }
        Ticked::default()
    }

    fn fall(&mut self, falling: Falling, inputs: Inputs) -> Ticked {
        if inputs.has(Input::Hold) && self.hold() {
            return Ticked::default();
        }
        let mut falling = self.turned(falling, inputs);
        falling = self.shifted(falling, inputs);
        if inputs.has(Input::Drop) && self.move_rules.drop != DropKey::None {
            let dropped = falling.fallen(&self.board, u32::MAX);
            self.hard_rows += (falling.y - dropped.y) as u32;
            falling = self.fell(falling, dropped);
            if self.move_rules.drop == DropKey::Hard {
                return self.lock(falling);
            }
        }
        if inputs.has(Input::Down) {
            let lower = falling.fallen(&self.board, 1);
            if lower == falling && self.move_rules.locking != Locking::Delay {
                return self.lock(falling);
            }
            self.soft_rows += u32::from(lower != falling);
            falling = self.fell(falling, lower);
        }
        self.age += 1;
        let rows = self.move_rules.gravity.rows_in(self.age);
        let lies = rows > 0 && falling.is_grounded(&self.board);
        if lies && self.move_rules.lock == LockRule::OnFall {
            return self.lock(falling);
        }
        let fallen = falling.fallen(&self.board, rows);
        falling = self.fell(falling, fallen);
        self.falling = Some(falling);
        if falling.is_grounded(&self.board) && self.timer.lies(self.move_rules.lock) {
            return self.lock(falling);
        }
        Ticked::default()
    }

    fn turned(&mut self, falling: Falling, inputs: Inputs) -> Falling {
        let mut falling = falling;
        for turn in inputs.turns() {
            let system = &self.move_rules.system;
            let was_grounded = falling.is_grounded(&self.board);
            if let Some(turned) = system.turn(&self.board, falling, turn, self.floor_kicked) {
                falling = turned.falling;
                self.floor_kicked |= turned.floor_kick;
                self.spin = self.move_rules.spin(&self.board, falling, turned.far_kick);
                self.timer
                    .moved(self.move_rules.lock, was_grounded, falling.y);
            }
        }
        falling
    }

    fn shifted(&mut self, falling: Falling, inputs: Inputs) -> Falling {
        let step = i8::from(inputs.has(Input::Right)) - i8::from(inputs.has(Input::Left));
        let mut falling = falling;
        while step != 0 && falling.moved(step, 0).fits(&self.board) {
            let was_grounded = falling.is_grounded(&self.board);
            falling = falling.moved(step, 0);
            self.spin = Spin::None;
            self.timer
                .moved(self.move_rules.lock, was_grounded, falling.y);
            if !inputs.slide {
                break;
            }
        }
        falling
    }

    /// Updates the state after the piece fell, possibly by no rows.
    fn fell(&mut self, before: Falling, after: Falling) -> Falling {
        if before != after {
            self.spin = Spin::None;
            self.timer.fell_to(after.y);
        }
        after
    }

    /// Locks the piece.
    fn lock(&mut self, falling: Falling) -> Ticked {
        let spin = self.spin;
        let placement = Placement {
            spin,
            ..falling.placement()
        };
        let lines_before = self.tally.lines;
        let before = self.board;
        let corner = (usize::from(placement.x), usize::from(placement.y));
        let rules = Rules::Stepped(&self.move_rules);
        let settled = rules.settle(&mut self.board, placement.shape(), corner, None);
        let clear = Clear {
            lines: settled.cleared.count_ones(),
            spin,
            perfect: self.board.max_height() == 0,
            soft_rows: self.soft_rows,
            hard_rows: self.hard_rows,
        };
        let score = self.rules.score;
        let points = score.add(&mut self.tally, &clear, self.move_rules.pace);
        self.pieces += 1;
        self.line_points += line_points(clear.lines);
        self.falling = None;
        self.deal.advance();
        let mut game_over = settled.game_over;
        if !game_over && clear.lines == 0 {
            game_over = self.rise();
        }
        self.after_lock(game_over, clear.lines > 0);
        game_over |= self.status == Status::Over;
        let locked = Some(Transition {
            before,
            placement,
            cleared: settled.cleared,
            after: self.board,
            game_over,
            lines_before,
        });
        Ticked { locked, points }
    }

    /// Ends the game, or brings the next piece.
    fn after_lock(&mut self, game_over: bool, cleared: bool) {
        let delay = self.rules.entry_delay + if cleared { self.rules.clear_delay } else { 0 };
        if game_over {
            self.status = Status::Over;
        } else if delay == 0 {
            self.next_piece();
        } else {
            self.delay = delay;
        }
    }

    /// Lets pending garbage rise; returns whether that ends the game.
    fn rise(&mut self) -> bool {
        while let Some(hole) = self.garbage.pop_front() {
            self.board = raise(&self.board, usize::from(hole));
            if self.board.max_height() > self.board.height() {
                return true;
            }
        }
        false
    }

    /// Adds a row of garbage that will rise after the next piece that clears nothing; `hole` is its
    /// empty column.
    pub fn add_garbage(&mut self, hole: usize) {
        self.garbage
            .push_back(hole.min(self.board.width() - 1) as u8);
    }

    /// Number of pending rows of garbage.
    pub fn waiting_garbage(&self) -> usize {
        self.garbage.len()
    }

    /// Replaces the last drawn piece. If that is the falling piece, the new piece enters in its
    /// place.
    pub(crate) fn deal(&mut self, piece: Piece) {
        let is_falling = self.queue().is_empty() && self.falling.is_some();
        self.deal.replace_last(piece);
        if is_falling {
            self.status = Status::Playing;
            self.enter(Inputs::NONE);
        }
    }

    /// Waits without inputs until a piece falls or the game has ended.
    pub fn wait(&mut self) {
        while self.status == Status::Playing && self.falling.is_none() {
            self.tick(Inputs::NONE);
        }
    }

    /// A shortest path to a placement of the falling piece or, starting with the hold, of the piece
    /// after a hold; `None` if the placement cannot be reached.
    pub fn path_to(&self, placement: Placement, finder: &mut PathFinder) -> Option<Path> {
        let falling = self.falling?;
        if placement.piece == falling.piece {
            let start = PathStart {
                falling,
                age: self.age,
                floor_kicked: self.floor_kicked,
                timer: self.timer,
            };
            return finder.find_path(&self.board, &self.move_rules, start, placement);
        }
        let other = self
            .after_hold()
            .filter(|&piece| piece == placement.piece)?;
        let entry = self.move_rules.entry(other, &self.board);
        let start = PathStart::entering(entry);
        let mut path = finder.find_path(&self.board, &self.move_rules, start, placement)?;
        path.0.insert(0, Some(Input::Hold));
        Some(path)
    }

    /// Plays a path, and then waits until the piece has locked. Returns the events of the last
    /// tick.
    pub fn follow(&mut self, path: &Path) -> Ticked {
        let mut inputs = path.ticks();
        loop {
            let ticked = self.tick(inputs.next().flatten().into());
            if ticked.locked.is_some() || self.status != Status::Playing {
                return ticked;
            }
        }
    }

    /// The piece that would fall after a hold; `None` if holding is not possible now.
    #[must_use]
    pub fn after_hold(&self) -> Option<Piece> {
        let may = self.rules.hold && self.may_hold && self.falling.is_some();
        may.then_some(())?;
        self.held.or_else(|| self.queue().first().copied())
    }

    /// The held piece.
    pub fn held(&self) -> Option<Piece> {
        self.held
    }

    /// The falling piece.
    pub fn falling(&self) -> Option<Falling> {
        self.falling
    }

    /// Where the piece would land if it fell straight down from here (the ghost).
    pub fn ghost(&self) -> Option<Falling> {
        self.falling
            .map(|falling| falling.fallen(&self.board, u32::MAX))
    }

    /// The pieces shown after the falling one, or after the one that will fall next.
    pub fn queue(&self) -> &[Piece] {
        &self.deal.pieces()[usize::from(self.falling.is_some())..]
    }

    /// The pieces of the game: the first is the falling one or, while none is falling, the next
    /// one.
    pub fn dealt(&self) -> &Deal {
        &self.deal
    }

    pub(crate) fn deal_mut(&mut self) -> &mut Deal {
        &mut self.deal
    }

    /// The settled stack.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The rules of falling pieces at this level.
    pub fn move_rules(&self) -> &MoveRules {
        &self.move_rules
    }

    /// The rules.
    pub fn rules(&self) -> &SteppedRules {
        &self.rules
    }

    /// Points, level, lines and combos.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The state of the game.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Ticks played.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Pieces locked.
    pub fn pieces(&self) -> u64 {
        self.pieces
    }

    /// The thesis' line points.
    pub fn line_points(&self) -> u64 {
        self.line_points
    }
}

//! When a piece on the ground locks.

/// What resets the lock delay, besides falling by a row (docs/explanation/stepped-games.md names
/// the sources).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockReset {
    /// Nothing else (step reset).
    Step,
    /// A successful move or turn, too. After [`MOST_MOVES`] of them that began on the ground, the
    /// piece locks as soon as it is on the ground; the count restarts in a row lower than all
    /// before (extended placement).
    Move,
    /// Every successful move or turn, too (infinity).
    Infinity,
}

/// The moves and turns on the ground after which a piece locks, under [`LockReset::Move`].
pub const MOST_MOVES: u8 = 15;

/// When a piece on the ground locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockRule {
    /// When it should fall and cannot.
    OnFall,
    /// After this many ticks on the ground.
    Delay {
        /// How many.
        ticks: u16,
        /// What resets the delay.
        reset: LockReset,
    },
}

impl LockRule {
    /// A delay longer than any path: for searches that have all the time in the world.
    pub const NEVER: LockRule = LockRule::Delay {
        ticks: u16::MAX,
        reset: LockReset::Infinity,
    };

    /// The number of ticks after the first contact with the ground during which a piece cannot lock
    /// by itself, whatever is pressed.
    pub(crate) fn patience(self) -> usize {
        match self {
            LockRule::OnFall => usize::MAX,
            LockRule::Delay { ticks, reset } => {
                let ticks = usize::from(ticks).saturating_sub(1);
                match reset {
                    LockReset::Move => ticks.min(usize::from(MOST_MOVES)),
                    _ => ticks,
                }
            }
        }
    }
}

/// How long a piece has been on the ground, and how often it was moved there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LockTimer {
    ticks: u16,
    moves: u8,
    lowest: i8,
}

impl LockTimer {
    /// A piece that enters in this row.
    pub(crate) fn new(row: i8) -> LockTimer {
        LockTimer {
            ticks: 0,
            moves: 0,
            lowest: row,
        }
    }

    /// The piece fell to this row: the delay starts again.
    pub(crate) fn fell_to(&mut self, row: i8) {
        self.ticks = 0;
        self.reached(row);
    }

    /// The lowest cells of the piece are in this row. Moves are counted anew in a new lowest row.
    fn reached(&mut self, row: i8) {
        if row < self.lowest {
            self.lowest = row;
            self.moves = 0;
        }
    }

    /// The piece was moved or turned, and its lowest cells are in this row now. `was_grounded` says
    /// whether it was on the ground before.
    pub(crate) fn moved(&mut self, rule: LockRule, was_grounded: bool, row: i8) {
        let LockRule::Delay { reset, .. } = rule else {
            return;
        };
        if reset != LockReset::Step {
            self.ticks = 0;
        }
        if reset == LockReset::Move {
            self.moves = (self.moves + u8::from(was_grounded)).min(MOST_MOVES);
        }
        self.reached(row);
    }

    /// Counts one more tick on the ground; returns whether the piece locks.
    pub(crate) fn lies(&mut self, rule: LockRule) -> bool {
        self.ticks = self.ticks.saturating_add(1);
        let LockRule::Delay { ticks, reset } = rule else {
            return false;
        };
        let is_used_up = reset == LockReset::Move && self.moves >= MOST_MOVES;
        is_used_up || self.ticks >= ticks
    }

    /// Whether a piece with this timer can do whatever it could with the other one.
    pub(crate) fn is_as_good_as(self, other: LockTimer) -> bool {
        self.ticks <= other.ticks && self.moves <= other.moves && self.lowest >= other.lowest
    }
}

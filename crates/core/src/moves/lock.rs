//! When a piece on the ground locks.

/// What resets the lock delay, apart from falling by a row (sources:
/// docs/explanation/stepped-games.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockReset {
    /// Nothing (step reset).
    Step,
    /// Also a successful move or turn. After [`MOST_MOVES`] of these that started on the ground,
    /// the piece locks as soon as it touches the ground; the count restarts when the piece reaches
    /// a new lowest row (extended placement).
    Move,
    /// Also every successful move or turn, without a limit (infinity).
    Infinity,
}

/// The number of moves and turns on the ground after which a piece locks, under
/// [`LockReset::Move`].
pub const MOST_MOVES: u8 = 15;

/// When a piece on the ground locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockRule {
    /// When gravity would move the piece down but it cannot fall.
    OnFall,
    /// After this many ticks on the ground.
    Delay {
        /// The number of ticks.
        ticks: u16,
        /// What resets the delay.
        reset: LockReset,
    },
}

impl LockRule {
    /// A delay longer than any path, for searches without a time limit.
    pub const NEVER: LockRule = LockRule::Delay {
        ticks: u16::MAX,
        reset: LockReset::Infinity,
    };

    /// The number of ticks after the first contact with the ground during which a piece cannot lock
    /// by itself, regardless of the keys pressed.
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
    /// The timer of a piece that enters in this row.
    pub(crate) fn new(row: i8) -> LockTimer {
        LockTimer {
            ticks: 0,
            moves: 0,
            lowest: row,
        }
    }

    /// Records that the piece fell to this row, which restarts the delay.
    pub(crate) fn fell_to(&mut self, row: i8) {
        self.ticks = 0;
        self.reached(row);
    }

    /// Records the lowest row of the piece's cells. A new lowest row restarts the count of moves.
    fn reached(&mut self, row: i8) {
        if row < self.lowest {
            self.lowest = row;
            self.moves = 0;
        }
    }

    /// Records that the piece was moved or turned and that its lowest cells are now in this row.
    /// `was_grounded` says whether it was on the ground before.
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

    /// Whether a piece with this timer has at least the options of a piece with the other one.
    pub(crate) fn is_as_good_as(self, other: LockTimer) -> bool {
        self.ticks <= other.ticks && self.moves <= other.moves && self.lowest >= other.lowest
    }
}

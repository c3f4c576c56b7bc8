//! When a piece on the ground locks.

/// What starts the lock delay again, besides reaching a row lower than all before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockReset {
    /// Nothing else (step reset).
    Step,
    /// A successful move or turn, at most 15 times until a lower row is reached (the guideline's extended placement).
    Move,
    /// Every successful move or turn (infinity).
    Infinity,
}

/// How many moves and turns start the delay again.
const MOST_RESETS: u8 = 15;

/// When a piece on the ground locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockRule {
    /// When it should fall and cannot.
    OnFall,
    /// After so many ticks on the ground.
    Delay {
        /// How many.
        ticks: u16,
        /// What starts them again.
        reset: LockReset,
    },
}

impl LockRule {
    /// A delay longer than any path: for searches that have all the time in the world.
    pub const NEVER: LockRule = LockRule::Delay {
        ticks: u16::MAX,
        reset: LockReset::Infinity,
    };
}

/// How long a piece has been on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockTimer {
    ticks: u16,
    resets: u8,
    lowest: i8,
}

impl LockTimer {
    /// A piece that enters in this row.
    pub(crate) fn new(row: i8) -> LockTimer {
        LockTimer {
            ticks: 0,
            resets: 0,
            lowest: row,
        }
    }

    /// The piece is in this row now.
    pub(crate) fn fell_to(&mut self, row: i8) {
        if row < self.lowest {
            *self = LockTimer::new(row);
        }
    }

    /// The piece was moved or turned.
    pub(crate) fn moved(&mut self, rule: LockRule) {
        let LockRule::Delay { reset, .. } = rule else {
            return;
        };
        let resets = match reset {
            LockReset::Step => false,
            LockReset::Move => self.resets < MOST_RESETS,
            LockReset::Infinity => true,
        };
        if resets {
            self.ticks = 0;
            self.resets = self.resets.saturating_add(1);
        }
    }

    /// One more tick on the ground; whether the piece locks.
    pub(crate) fn lies(&mut self, rule: LockRule) -> bool {
        self.ticks = self.ticks.saturating_add(1);
        matches!(rule, LockRule::Delay { ticks, .. } if self.ticks >= ticks)
    }
}

//! The progression of levels in stepped games, and the gravity of each level.

use super::Gravity;

/// The gravity curve: speed by level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GravityCurve {
    /// Pieces never fall by themselves.
    None,
    /// The guideline's curve: a row takes (0.8 - 0.007 (level - 1))^(level - 1) seconds (Tetris
    /// Wiki, "Marathon"). From level 19 on, the speed would exceed the limit of 20 rows per tick.
    Guideline,
    /// The table of the NES game (NTSC): ticks for a row, at levels 0 to 29.
    Nes,
    /// The table of the TGM games in 256ths of a row per tick, the same in TGM and in TGM3's Master
    /// mode.
    Tgm,
}

/// Every curve, with its name in specs.
pub(crate) const CURVES: &[(GravityCurve, &str)] = &[
    (GravityCurve::None, "none"),
    (GravityCurve::Guideline, "guideline"),
    (GravityCurve::Nes, "nes"),
    (GravityCurve::Tgm, "tgm"),
];

/// Rows per million seconds, which are [`GUIDELINE_TICKS`], at levels 1 to 18.
const GUIDELINE: [u32; 18] = [
    1_000_000,
    1_261_034,
    1_618_657,
    2_115_376,
    2_815_340,
    3_816_742,
    5_272_114,
    7_421_991,
    10_651_641,
    15_588_079,
    23_268_661,
    35_438_777,
    55_086_316,
    87_417_613,
    141_670_827,
    234_545_946,
    396_812_175,
    686_276_452,
];

/// A million seconds, in ticks.
const GUIDELINE_TICKS: u32 = 60_000_000;

/// Ticks per row at levels 0 to 18.
const NES: [u32; 19] = [
    48, 43, 38, 33, 28, 23, 18, 13, 8, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3,
];

/// The first level, and the speed in 256ths of a row per tick.
const TGM: [(u32, u32); 30] = [
    (0, 4),
    (30, 6),
    (35, 8),
    (40, 10),
    (50, 12),
    (60, 16),
    (70, 32),
    (80, 48),
    (90, 64),
    (100, 80),
    (120, 96),
    (140, 112),
    (160, 128),
    (170, 144),
    (200, 4),
    (220, 32),
    (230, 64),
    (233, 96),
    (236, 128),
    (239, 160),
    (243, 192),
    (247, 224),
    (251, 256),
    (300, 512),
    (330, 768),
    (360, 1024),
    (400, 1280),
    (420, 1024),
    (450, 768),
    (500, 5120),
];

impl GravityCurve {
    /// The speed at a level.
    pub fn at(self, level: u32) -> Gravity {
        match self {
            GravityCurve::None => Gravity::NONE,
            GravityCurve::Guideline => match GUIDELINE.get(level.saturating_sub(1) as usize) {
                Some(&rows) => Gravity {
                    rows,
                    ticks: GUIDELINE_TICKS,
                },
                None => Gravity { rows: 20, ticks: 1 },
            },
            GravityCurve::Nes => {
                let ticks = match level {
                    29.. => 1,
                    19.. => 2,
                    _ => NES[level as usize],
                };
                Gravity { rows: 1, ticks }
            }
            GravityCurve::Tgm => {
                let row = TGM.iter().rev().find(|row| row.0 <= level);
                let rows = row.map_or(4, |row| row.1);
                Gravity { rows, ticks: 256 }
            }
        }
    }
}

/// The rules for points, combos and levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreRule {
    /// Only lines are counted; the level stays the same.
    Lines,
    /// The guideline's levels. The level follows the fixed goal of Marathon: ten lines per level,
    /// counted from level 1 even if the game started at a higher one. A game started at level 5
    /// reaches level 6 with 50 lines.
    Guideline,
    /// The NES game's levels: ten lines per level, but the first level takes longer if the game
    /// starts at a high level.
    Nes,
    /// The first TGM's levels: one level for each line and each piece; a piece does not raise the
    /// last level of a section.
    Tgm,
    /// TGM3's levels, where clearing several lines with one piece counts more, with the first TGM's
    /// points.
    Tgm3,
}

/// The highest level of TGM.
const LAST_LEVEL: u32 = 999;

/// Lines per level in the guideline and the NES game.
const LINES_PER_LEVEL: u64 = 10;

/// The progression of level and speed in a stepped game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The progression of levels.
    pub score: ScoreRule,
    /// The gravity curve.
    pub curve: GravityCurve,
    /// The first level.
    pub first: u32,
}

impl Pace {
    /// Always level 0, without gravity.
    pub const NONE: Pace = Pace {
        score: ScoreRule::Lines,
        curve: GravityCurve::None,
        first: 0,
    };

    /// The level after a piece that locked at `level` and cleared `cleared` lines, which bring the
    /// game's total to `lines`.
    #[must_use]
    pub fn after_lock(self, level: u32, cleared: u32, lines: u64) -> u32 {
        let first = self.first;
        match self.score {
            ScoreRule::Lines => level,
            ScoreRule::Guideline => {
                let reached = first.min(1) + (lines / LINES_PER_LEVEL) as u32;
                reached.max(first)
            }
            ScoreRule::Nes => {
                let start = LINES_PER_LEVEL * u64::from(first);
                let goal = (start + LINES_PER_LEVEL).min(start.saturating_sub(50).max(100));
                if cleared > 0 && lines >= goal {
                    first + 1 + ((lines - goal) / LINES_PER_LEVEL) as u32
                } else {
                    level
                }
            }
            ScoreRule::Tgm => (level + cleared).min(LAST_LEVEL),
            ScoreRule::Tgm3 => (level + [0, 1, 2, 4, 6][cleared as usize]).min(LAST_LEVEL),
        }
    }

    /// The level when the next piece enters.
    #[must_use]
    pub fn after_entry(self, level: u32) -> u32 {
        let by_pieces = matches!(self.score, ScoreRule::Tgm | ScoreRule::Tgm3);
        let is_last = level % 100 == 99 || level >= LAST_LEVEL - 1;
        level + u32::from(by_pieces && !is_last)
    }
}

//! How fast pieces fall, level by level.

use crate::moves::Gravity;

/// How the speed grows with the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GravityCurve {
    /// Pieces never fall by themselves.
    None,
    /// The guideline's: a row takes (0.8 - 0.007 (level - 1))^(level - 1) seconds (Tetris Wiki, "Marathon"); from level 20 on 20 rows in a tick.
    Guideline,
    /// The table of the NES game (NTSC): ticks for a row, at levels 0 to 29.
    Nes,
    /// The table of the TGM games in 256ths of a row for each tick, the same in TGM and in TGM3's Master mode.
    Tgm,
}

/// Every curve, with its name in specs.
pub(super) const CURVES: &[(GravityCurve, &str)] = &[
    (GravityCurve::None, "none"),
    (GravityCurve::Guideline, "guideline"),
    (GravityCurve::Nes, "nes"),
    (GravityCurve::Tgm, "tgm"),
];

/// Rows for each tick at levels 1 to 19, in 65536ths.
const GUIDELINE: [u32; 19] = [
    1092, 1377, 1768, 2311, 3075, 4169, 5759, 8107, 11634, 17026, 25416, 38709, 60169, 95483,
    154742, 256_187, 433_425, 749_597, 1_325_716,
];

/// Ticks for a row at levels 0 to 18.
const NES: [u32; 19] = [
    48, 43, 38, 33, 28, 23, 18, 13, 8, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3,
];

/// From which level on, and 256ths of a row for each tick.
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
    /// How fast pieces fall at a level.
    #[must_use]
    pub fn at(self, level: u32) -> Gravity {
        match self {
            GravityCurve::None => Gravity::NONE,
            GravityCurve::Guideline => match GUIDELINE.get(level.saturating_sub(1) as usize) {
                Some(&rows) => Gravity { rows, ticks: 65536 },
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

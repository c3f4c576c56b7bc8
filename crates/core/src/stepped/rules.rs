//! The rules of a stepped game as data.

use super::score::SCORES;
use super::{GravityCurve, ScoreRule};
use crate::board::Board;
use crate::moves::CURVES;
use crate::moves::{DropKey, LockReset, LockRule, Locking, MoveRules, Pace, Spins};
use crate::registry::Entry;
use crate::rotation::{ROTATIONS, RotationSystem, rotation_system};
use crate::settings::{Kind, Setting, Settings};
use crate::spec::{Spec, SpecError};

/// The rules of a stepped game, apart from its board and its pieces.
#[derive(Clone, Debug)]
pub struct SteppedRules {
    /// How pieces move at the first level.
    pub move_rules: MoveRules,
    /// Whether a piece can be held.
    pub hold: bool,
    /// Ticks between two pieces.
    pub entry_delay: u16,
    /// Extra ticks after a line clear.
    pub clear_delay: u16,
    /// The points of clears.
    pub score: ScoreRule,
}

const fn word(
    id: &'static str,
    help: &'static str,
    default: &'static str,
    words: &'static [&'static str],
) -> Setting {
    Setting {
        id,
        help,
        default: Some(default),
        kind: Kind::Word(words),
    }
}

const fn flag(id: &'static str, help: &'static str, default: &'static str) -> Setting {
    Setting {
        id,
        help,
        default: Some(default),
        kind: Kind::Flag,
    }
}

const fn count(
    id: &'static str,
    help: &'static str,
    default: &'static str,
    (least, most): (usize, usize),
) -> Setting {
    Setting {
        id,
        help,
        default: Some(default),
        kind: Kind::Count { least, most },
    }
}

/// The minimum number of visible rows: every piece fits in them in every rotation.
const LEAST_VISIBLE: usize = 4;

/// The settings of a stepped game; the defaults are the guideline's.
pub const STEPPED_SETTINGS: &[Setting] = &[
    Setting {
        id: "rotation",
        help: "rotation system: how pieces turn and enter",
        default: Some("super"),
        kind: Kind::part("rotation system", "super"),
    },
    count(
        "visible",
        "number of visible rows, or all if there are fewer; pieces enter at the top of these rows",
        "20",
        (LEAST_VISIBLE, 40),
    ),
    flag(
        "entry-drop",
        "whether a piece that enters above the visible rows falls by one row immediately if it can",
        "true",
    ),
    word(
        "gravity",
        "gravity curve: speed by level",
        "guideline",
        &["none", "guideline", "nes", "tgm"],
    ),
    word(
        "lock",
        "when a piece on the ground locks: when gravity would move it (fall), or after a delay that is reset by falling a row (step), also by up to 15 moves (move), or by any number of moves (infinity)",
        "move",
        &["fall", "step", "move", "infinity"],
    ),
    count("delay", "ticks of the lock delay", "30", (0, 600)),
    flag(
        "down-locks",
        "whether pressing down locks a piece on the ground",
        "false",
    ),
    word(
        "drop",
        "effect of the drop key: none, drop (sonic), or drop and lock (hard)",
        "hard",
        &["none", "sonic", "hard"],
    ),
    flag("hold", "whether a piece can be held", "true"),
    word("spins", "which spins count", "t", &["none", "t", "all"]),
    word(
        "score",
        "points of line clears",
        "guideline",
        &["lines", "guideline", "nes", "tgm", "tgm3"],
    ),
    count("level", "the first level", "1", (0, 999)),
    count("entry-delay", "ticks between two pieces", "0", (0, 600)),
    count(
        "clear-delay",
        "extra ticks after a line clear",
        "0",
        (0, 600),
    ),
    word(
        "over",
        "what ends the game besides block-out: a piece that locks above the visible rows (lock-out), a piece that locks above the board (overflow), or a stack that reaches the top row",
        "lock-out",
        &["lock-out", "overflow", "top-row"],
    ),
];

/// The moves of stepped games, as a part of rulesets.
pub const STEPPED: Entry<()> = Entry {
    id: "stepped",
    definition: "pieces are moved and turned while they fall",
    source: "Tetris Wiki",
    settings: STEPPED_SETTINGS,
    make: (),
};

/// The rules of a spec such as `stepped(rotation=arika,lock=step)`, for a board of this size.
///
/// # Errors
/// If a setting is invalid.
pub fn read_stepped_rules(spec: &Spec, board: &Board) -> Result<SteppedRules, SpecError> {
    let settings = STEPPED.read(spec)?;
    let system = rotation(settings.part("rotation"))?;
    // On a low board, all rows are visible.
    let visible = settings.count("visible").min(board.height());
    if visible < LEAST_VISIBLE {
        return Err(spec.error(format!(
            "a stepped game needs a board of at least {LEAST_VISIBLE} rows, not {visible}"
        )));
    }
    let curve = named(CURVES, settings.word("gravity"), GravityCurve::None);
    let lock = lock_rule(&settings);
    let score = named(SCORES, settings.word("score"), ScoreRule::Lines);
    let mut move_rules = MoveRules::new(system, visible);
    move_rules.pace = Pace {
        score,
        curve,
        first: settings.count("level") as u32,
    };
    move_rules.set_level(move_rules.pace.first);
    move_rules.drop = match settings.word("drop") {
        "hard" => DropKey::Hard,
        "sonic" => DropKey::Sonic,
        _ => DropKey::None,
    };
    move_rules.locking = match (lock, settings.flag("down-locks")) {
        (LockRule::OnFall, _) => Locking::OnFall,
        (_, true) => Locking::DelayOrDown,
        (_, false) => Locking::Delay,
    };
    move_rules.lock = lock;
    move_rules.spins = match settings.word("spins") {
        "t" => Spins::T,
        "all" => Spins::All,
        _ => Spins::None,
    };
    move_rules.entry_drop = settings.flag("entry-drop");
    move_rules.lock_out = settings.word("over") == "lock-out";
    move_rules.top_row_ends = settings.word("over") == "top-row";
    Ok(SteppedRules {
        move_rules,
        hold: settings.flag("hold"),
        entry_delay: settings.count("entry-delay") as u16,
        clear_delay: settings.count("clear-delay") as u16,
        score,
    })
}

/// The rotation system of a spec; the error for an unknown name lists all systems.
fn rotation(spec: &Spec) -> Result<RotationSystem, SpecError> {
    rotation_system(spec).map_err(|error| match error {
        SpecError::Unknown { name, .. } => {
            let known: Vec<&str> = ROTATIONS.iter().map(|entry| entry.id).collect();
            let known = known.join(", ");
            SpecError::Part(format!(
                "there is no rotation system '{name}': choose one of {known}"
            ))
        }
        other => other,
    })
}

fn lock_rule(settings: &Settings) -> LockRule {
    let reset = match settings.word("lock") {
        "fall" => return LockRule::OnFall,
        "step" => LockReset::Step,
        "move" => LockReset::Move,
        _ => LockReset::Infinity,
    };
    let ticks = settings.count("delay") as u16;
    LockRule::Delay { ticks, reset }
}

fn named<T: Copy>(rows: &[(T, &str)], name: &str, other: T) -> T {
    let found = rows.iter().find(|row| row.1 == name);
    found.map_or(other, |row| row.0)
}

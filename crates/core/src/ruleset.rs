//! Rulesets: the board, the pieces, how many of them are visible, and when the game ends.

use crate::board::{Board, BoardError, HEIGHTS, WIDTHS};
pub use crate::deal::MAX_PREVIEW;
use crate::ends::{END_NAMES, End};
use crate::evaluators::EvaluatorLookup;
use crate::randomizers::{Forecast, Randomizer, RandomizerContext, randomizer};
use crate::registry::Entry;
use crate::rules::Rules;
use crate::settings::{Kind, Setting};
use crate::spec::{Arg, Spec, SpecError, nearest, shown};
use crate::stepped::{STEPPED, SteppedRules, read_stepped_rules};
use crate::stop::StopFlag;
use std::fmt;
use std::sync::Arc;

/// A playable game: board, game-over rule, visible pieces, and randomizer.
#[derive(Clone, Debug)]
pub struct Ruleset {
    /// The spec that creates this ruleset: its name, with the settings that differ from the
    /// defaults.
    pub name: String,
    /// Width of the board.
    pub width: usize,
    /// Height of the board.
    pub height: usize,
    /// The rules of a step; in a stepped game, with the gravity of the first level.
    pub rules: Rules,
    /// How many pieces after the current one a player can see.
    pub preview: usize,
    /// The spec of the randomizer.
    pub randomizer_spec: Spec,
    /// How pieces move: `drops`, or `stepped` with its settings.
    pub moves_spec: Spec,
    randomizer: Box<dyn Randomizer>,
    kind: Rules<Arc<SteppedRules>>,
}

/// Why a ruleset is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulesetError {
    /// The name or a setting is invalid.
    Spec(SpecError),
    /// The board is too small or too large.
    Board {
        /// The ruleset as given.
        name: String,
        /// Why the board is invalid.
        problem: BoardError,
    },
}

impl fmt::Display for RulesetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulesetError::Spec(error) => error.fmt(f),
            RulesetError::Board { name, problem } => write!(f, "ruleset {name}: {problem}"),
        }
    }
}

impl std::error::Error for RulesetError {}

impl From<SpecError> for RulesetError {
    fn from(error: SpecError) -> RulesetError {
        RulesetError::Spec(error)
    }
}

/// The definition of a ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesetParts {
    /// The name in results.
    pub name: String,
    /// Width of the board.
    pub width: usize,
    /// Height of the board.
    pub height: usize,
    /// How many pieces after the current one a player can see.
    pub preview: usize,
    /// The randomizer's spec.
    pub randomizer: Spec,
    /// When a placement game is over, or the moves of a stepped game: `stepped` with its settings.
    pub rules: Rules<Spec>,
}

impl RulesetParts {
    /// Sets the first level of a stepped game; a placement game has no levels.
    pub fn set_level(&mut self, level: u32) {
        let Rules::Stepped(moves) = &mut self.rules else {
            return;
        };
        let args = &mut moves.args;
        args.retain(|arg| arg.key.as_deref() != Some("level"));
        args.push(Arg {
            key: Some("level".to_owned()),
            value: Spec::name(&level.to_string()),
        });
    }
}

/// The moves of placement games: pieces drop straight down.
pub const DROPS: &str = "drops";

impl Rules<Spec> {
    /// The rules with these moves. `end` is only called for the game-over rule of a placement game.
    ///
    /// # Errors
    /// That of `end`.
    pub fn with_moves<E>(
        moves: Spec,
        end: impl FnOnce() -> Result<End, E>,
    ) -> Result<Rules<Spec>, E> {
        if moves == Spec::name(DROPS) {
            Ok(Rules::Drops(end()?))
        } else {
            Ok(Rules::Stepped(moves))
        }
    }

    /// How pieces move: [`DROPS`], or `stepped` with its settings.
    pub fn moves(&self) -> Spec {
        match self {
            Rules::Drops(_) => Spec::name(DROPS),
            Rules::Stepped(moves) => moves.clone(),
        }
    }
}

impl Ruleset {
    /// Creates a ruleset. `evaluators` finds evaluators by name, for the adversary.
    ///
    /// # Errors
    /// If the engine does not support the size, or the randomizer cannot be created.
    pub fn new(
        parts: RulesetParts,
        evaluators: &EvaluatorLookup<'_>,
    ) -> Result<Ruleset, RulesetError> {
        let RulesetParts {
            name,
            width,
            height,
            preview,
            randomizer: randomizer_spec,
            rules: definition,
        } = parts;
        let board = Board::new(width, height).map_err(|problem| {
            let name = shown(&name);
            RulesetError::Board { name, problem }
        })?;
        let kind = match &definition {
            Rules::Drops(end) => Rules::Drops(*end),
            Rules::Stepped(moves) => Rules::Stepped(Arc::new(stepped_rules(moves, &board)?)),
        };
        if preview > MAX_PREVIEW {
            let problem =
                format!("preview must be an integer from 0 to {MAX_PREVIEW}, got {preview}");
            return Err(SpecError::Argument {
                part: name,
                problem,
            }
            .into());
        }
        let rules = match &kind {
            Rules::Drops(end) => Rules::Drops(*end),
            Rules::Stepped(stepped) => Rules::Stepped(stepped.move_rules.clone()),
        };
        let context = RandomizerContext {
            rules: rules.as_ref(),
            width,
            evaluators,
        };
        let randomizer = randomizer(&randomizer_spec, &context)?;
        Ok(Ruleset {
            name,
            width,
            height,
            rules,
            preview,
            randomizer_spec,
            moves_spec: definition.moves(),
            randomizer,
            kind,
        })
    }

    /// The game-over rule of a placement game, or the rules of a stepped one.
    pub(crate) fn kind(&self) -> &Rules<Arc<SteppedRules>> {
        &self.kind
    }

    /// The rules of steps, if the game is a stepped one.
    pub fn stepped(&self) -> Option<&Arc<SteppedRules>> {
        match &self.kind {
            Rules::Drops(_) => None,
            Rules::Stepped(rules) => Some(rules),
        }
    }

    /// The definition of the ruleset: enough to create it again.
    pub fn parts(&self) -> RulesetParts {
        RulesetParts {
            name: self.name.clone(),
            width: self.width,
            height: self.height,
            preview: self.preview,
            randomizer: self.randomizer_spec.clone(),
            rules: match &self.rules {
                Rules::Drops(end) => Rules::Drops(*end),
                Rules::Stepped(_) => Rules::Stepped(self.moves_spec.clone()),
            },
        }
    }

    /// The randomizer in its initial state.
    pub fn randomizer(&self) -> Box<dyn Randomizer> {
        self.randomizer.clone()
    }

    /// The same ruleset, except that the randomizers of its games stop choosing a piece soon after
    /// the flag is raised. The games are then invalid.
    #[must_use]
    pub fn heeding(&self, stop: &StopFlag) -> Ruleset {
        let mut ruleset = self.clone();
        ruleset.randomizer.heed(stop);
        ruleset
    }

    /// The forecast at the start of a game.
    pub fn forecast(&self) -> Forecast {
        Forecast::new(self.randomizer.knowledge())
    }

    /// Whether the ruleset is deterministic: the same placements always get the same pieces.
    pub fn is_deterministic(&self) -> bool {
        self.randomizer.is_deterministic()
    }

    /// The empty board of this ruleset.
    pub fn empty_board(&self) -> Board {
        Board::new(self.width, self.height).expect("a ruleset's size was checked when it was made")
    }
}

/// The board sizes of a shipped ruleset. Its game-over rule, preview and randomizer are settings.
pub type RulesetEntry = Entry<Sizes>;

/// The sizes of a shipped ruleset.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// The listed sizes; the name accepts other sizes too. Empty for a ruleset with a single size.
    pub listed: &'static [(usize, usize)],
    /// The size if the name does not specify one.
    pub default: (usize, usize),
}

impl Sizes {
    /// Several sizes; the first is the default.
    const fn listed(listed: &'static [(usize, usize)]) -> Sizes {
        let default = listed[0];
        Sizes { listed, default }
    }

    /// One size.
    const fn only(width: usize, height: usize) -> Sizes {
        Sizes {
            listed: &[],
            default: (width, height),
        }
    }
}

/// The settings of a ruleset, with the defaults of a shipped one.
const fn settings(
    end: &'static str,
    preview: &'static str,
    randomizer: &'static str,
    moves: &'static str,
) -> [Setting; 5] {
    [
        Setting {
            id: "end",
            help: "game-over rule of placement games; stepped games have over=... among their moves instead",
            default: Some(end),
            kind: Kind::Word(END_NAMES),
        },
        Setting {
            id: "preview",
            help: "number of visible pieces after the current one",
            default: Some(preview),
            kind: Kind::count(0, MAX_PREVIEW),
        },
        Setting {
            id: "randomizer",
            help: "source of the pieces",
            default: Some(randomizer),
            kind: Kind::part("randomizer", "bag"),
        },
        Setting {
            id: "moves",
            help: "move generation: straight drops, or stepped with its own settings",
            default: Some(moves),
            kind: Kind::part("kind of move", DROPS),
        },
        Setting {
            id: "level",
            help: "first level of a stepped game; auto uses the level of its moves",
            default: Some("auto"),
            kind: Kind::count(0, 999),
        },
    ]
}

/// The rules of steps described by a spec.
fn stepped_rules(spec: &Spec, board: &Board) -> Result<SteppedRules, SpecError> {
    if spec.name != STEPPED.id {
        return Err(SpecError::unknown(
            "kind of move",
            &spec.name,
            [DROPS, STEPPED.id],
        ));
    }
    read_stepped_rules(spec, board)
}

/// Every shipped ruleset. To add one, add its row here.
pub const RULESETS: &[RulesetEntry] = &[
    RulesetEntry {
        id: "simplified",
        definition: "pieces drop straight down; over when a piece locks above the top row; only the current piece is visible",
        source: "MDPTetris; Thiery and Scherrer 2009; Boumaza 2009",
        settings: &settings("above-top", "0", "uniform", DROPS),
        make: Sizes::listed(&[(10, 20), (10, 16), (10, 10), (6, 12)]),
    },
    RulesetEntry {
        id: "simplified-hard",
        definition: "the simplified game with three times as many S and Z, to end training games sooner",
        source: "Boumaza 2009",
        settings: &settings("above-top", "0", "hard", DROPS),
        make: Sizes::listed(&[(10, 20)]),
    },
    RulesetEntry {
        id: "two-piece",
        definition: "the simplified game with the next piece visible",
        source: "Böhm, Kókai and Mandl 2005; strategies",
        settings: &settings("above-top", "1", "uniform", DROPS),
        make: Sizes::listed(&[(10, 20)]),
    },
    RulesetEntry {
        id: "near-perfect",
        definition: "the two top rows are hidden and pieces enter in their middle; over when a piece cannot enter; next piece visible",
        source: "Lee 2013 (near-perfect); ga-essay",
        settings: &settings("entry-blocked", "1", "bag", DROPS),
        make: Sizes::only(10, 22),
    },
    RulesetEntry {
        id: "thesis",
        definition: "over when a column reaches the top row; only the current piece is visible",
        source: "thesis",
        settings: &settings("top-row", "0", "tgm3", DROPS),
        make: Sizes::only(10, 20),
    },
    RulesetEntry {
        id: "guideline",
        definition: "stepped: super rotation, lock delay with 15 moves, hold, five next pieces, levels, T-spins, combos, back-to-back bonuses; 20 of 40 rows visible",
        source: "Tetris Wiki; Hard Drop",
        settings: &settings("entry-blocked", "5", "bag", "stepped"),
        make: Sizes::only(10, 40),
    },
    RulesetEntry {
        id: "nes",
        definition: "stepped: Nintendo's right-handed rotation without kicks or lock delay, with the speeds and points of the NES game; next piece visible",
        source: "Tetris Wiki; Hard Drop",
        settings: &settings(
            "entry-blocked",
            "1",
            "nes",
            "stepped(rotation=nintendo,gravity=nes,lock=fall,drop=none,hold=false,spins=none,score=nes,level=0,entry-delay=10,clear-delay=18,over=overflow)",
        ),
        make: Sizes::only(10, 20),
    },
    RulesetEntry {
        id: "tgm",
        definition: "stepped: Arika's rotation and lock delay, with the speeds, levels and grades of Tetris The Grand Master; next piece visible",
        source: "Tetris Wiki; Cambridge",
        settings: &settings(
            "entry-blocked",
            "1",
            "tgm",
            "stepped(rotation=arika,gravity=tgm,lock=step,down-locks=true,drop=none,hold=false,spins=none,score=tgm,level=0,entry-delay=30,clear-delay=41,over=overflow)",
        ),
        make: Sizes::only(10, 20),
    },
    RulesetEntry {
        id: "tgm3",
        definition: "stepped: TGM3's Arika rotation with its kicks, sonic drop and hold; three next pieces visible",
        source: "Tetris Wiki; Cambridge",
        settings: &settings(
            "entry-blocked",
            "3",
            "tgm3(opening-seen=true)",
            "stepped(rotation=arika(kicks=tgm3),gravity=tgm,lock=step,down-locks=true,drop=sonic,spins=none,score=tgm3,level=0,entry-delay=27,clear-delay=40,over=overflow)",
        ),
        make: Sizes::only(10, 20),
    },
    RulesetEntry {
        id: "near-perfect-stepped",
        definition: "the near-perfect game as a stepped game: super rotation, no gravity, hard drop, no hold; next piece visible",
        source: "Lee 2013 (near-perfect); Tetris Wiki",
        settings: &settings(
            "entry-blocked",
            "1",
            "bag",
            "stepped(entry-drop=false,gravity=none,hold=false,spins=none,score=lines,over=overflow)",
        ),
        make: Sizes::only(10, 22),
    },
    RulesetEntry {
        id: "thesis-stepped",
        definition: "the thesis' game as a stepped game: super rotation, over when a column reaches the top row; only the current piece is visible",
        source: "thesis; Tetris Wiki",
        settings: &settings(
            "top-row",
            "0",
            "tgm3",
            "stepped(entry-drop=false,gravity=none,hold=false,spins=none,score=lines,over=top-row)",
        ),
        make: Sizes::only(10, 20),
    },
];

impl RulesetEntry {
    /// The names under which the ruleset is listed.
    pub fn names(&self) -> Vec<String> {
        if self.make.listed.is_empty() {
            return vec![self.id.to_owned()];
        }
        let name = |(width, height): &(usize, usize)| format!("{}-{width}x{height}", self.id);
        self.make.listed.iter().map(name).collect()
    }
}

/// Creates the ruleset of a spec: a shipped name with any size, and settings that override its own,
/// as in `simplified-10x14` or `thesis(randomizer=bag)`. `evaluators` finds evaluators by name, for
/// the adversary.
///
/// # Errors
/// If the ruleset is unknown, or a setting or the size is invalid.
pub fn ruleset(spec: &Spec, evaluators: &EvaluatorLookup<'_>) -> Result<Ruleset, RulesetError> {
    let (entry, size) = find(&spec.name)?;
    let settings = entry.read(spec)?;
    let (width, height) = size.unwrap_or(entry.make.default);
    let end = || End::find(settings.word("end"));
    let mut parts = RulesetParts {
        name: spec.to_string(),
        width,
        height,
        preview: settings.count("preview"),
        randomizer: settings.part("randomizer").clone(),
        rules: Rules::with_moves(settings.part("moves").clone(), end)?,
    };
    let is_stepped = matches!(&parts.rules, Rules::Stepped(moves) if moves.name == STEPPED.id);
    let sets_end = |arg: &Arg| arg.key.as_deref() == Some("end");
    if is_stepped && spec.args.iter().any(sets_end) {
        let problem = "a stepped game does not use end=...; set over=lock-out, overflow or top-row in moves=stepped(over=...)";
        return Err(spec.error(problem).into());
    }
    if let Ok(level) = settings.word("level").parse() {
        if !is_stepped {
            let problem =
                "level only applies to stepped games, but in this one pieces drop straight down";
            return Err(spec.error(problem).into());
        }
        parts.set_level(level);
    }
    Ruleset::new(parts, evaluators)
}

/// The shipped ruleset with this name, with any size or without one.
pub fn shipped(name: &str) -> Option<&'static RulesetEntry> {
    find(name).ok().map(|found| found.0)
}

/// Whether a name, without settings, belongs to a shipped ruleset of any size.
pub fn is_shipped(name: &str) -> bool {
    find(name).is_ok()
}

type Found = (&'static RulesetEntry, Option<(usize, usize)>);

/// The shipped ruleset with this name, and the size in the name.
fn find(name: &str) -> Result<Found, SpecError> {
    if let Some(entry) = RULESETS.iter().find(|entry| entry.id == name) {
        return Ok((entry, None));
    }
    let sized = name.rsplit_once('-').and_then(|(id, size)| {
        let (width, height) = size.split_once('x')?;
        let number = |text: &str| text.parse::<usize>().ok().filter(|n| n.to_string() == text);
        Some((id, (number(width)?, number(height)?)))
    });
    if let Some((id, size)) = sized
        && let Some(entry) = RULESETS.iter().find(|entry| entry.id == id)
    {
        return Ok((entry, Some(size)));
    }
    let names: Vec<String> = RULESETS.iter().flat_map(RulesetEntry::names).collect();
    let mut error = SpecError::unknown("ruleset", name, names.iter().map(String::as_str));
    // The name is corrected, not the size, if the board can have this size.
    if let Some((id, (width, height))) = sized
        && WIDTHS.contains(&width)
        && HEIGHTS.contains(&height)
        && let SpecError::Unknown { nearest: found, .. } = &mut error
        && let Some(id) = nearest(id, RULESETS.iter().map(|entry| entry.id))
    {
        *found = Some(format!("{id}-{width}x{height}"));
    }
    Err(error)
}

#[cfg(test)]
mod tests;

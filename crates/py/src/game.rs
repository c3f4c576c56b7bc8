//! Games and rulesets as objects.

use crate::errors::{ActionError, Raise};
use crate::player::Player;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2};
use pyo3::prelude::*;
use std::time::{Duration, Instant};
use tetrolab::core::board::Board;
use tetrolab::core::game::{Game as CoreGame, Hold, Status};
use tetrolab::core::placement::Placement as CorePlacement;
use tetrolab::core::players::Player as CorePlayer;
use tetrolab::core::record::ShortPlacement;
use tetrolab::core::rng::game_seed;
use tetrolab::core::ruleset::Ruleset as CoreRuleset;
use tetrolab::core::stepped::Inputs;
use tetrolab::environment::LegalMoves;
use tetrolab::library::find_ruleset;

/// Time between two checks for Ctrl-C while games are played.
const SIGNALS: Duration = Duration::from_millis(50);

/// The rules of a game: a name (with any size), a spec with settings, or a file.
#[pyclass(frozen, module = "tetrolab")]
pub(crate) struct Ruleset {
    pub(crate) rules: CoreRuleset,
    spec: String,
}

/// A ruleset, or its name.
#[derive(FromPyObject)]
pub(crate) enum RulesetName<'py> {
    Made(PyRef<'py, Ruleset>),
    Named(String),
}

impl RulesetName<'_> {
    pub(crate) fn find(&self) -> PyResult<CoreRuleset> {
        match self {
            RulesetName::Made(ruleset) => Ok(ruleset.rules.clone()),
            RulesetName::Named(name) => find_ruleset(name).map_err(Raise::raise),
        }
    }
}

#[pymethods]
impl Ruleset {
    #[new]
    fn new(spec: String) -> PyResult<Ruleset> {
        let rules = find_ruleset(&spec).map_err(Raise::raise)?;
        Ok(Ruleset { rules, spec })
    }

    /// The name of the ruleset.
    #[getter]
    fn name(&self) -> &str {
        &self.rules.name
    }

    /// The text that the ruleset was made from.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// Number of columns.
    #[getter]
    fn width(&self) -> usize {
        self.rules.width
    }

    /// Number of rows.
    #[getter]
    fn height(&self) -> usize {
        self.rules.height
    }

    /// Number of pieces after the current one that a player sees.
    #[getter]
    fn preview(&self) -> usize {
        self.rules.preview
    }

    /// Whether pieces are moved and rotated while they fall.
    #[getter]
    fn is_stepped(&self) -> bool {
        self.rules.stepped().is_some()
    }

    /// Whether a piece can be held.
    #[getter]
    fn has_hold(&self) -> bool {
        self.rules.stepped().is_some_and(|rules| rules.hold)
    }

    /// The randomizer with its settings.
    #[getter]
    fn randomizer(&self) -> String {
        self.rules.randomizer_spec.to_string()
    }

    /// The kind of moves with its settings.
    #[getter]
    fn moves(&self) -> String {
        self.rules.moves_spec.to_string()
    }

    /// The game-over rule of a placement game; None for stepped games.
    #[getter]
    fn end(&self) -> Option<&'static str> {
        self.rules.rules.end().map(|end| end.name())
    }

    fn __repr__(&self) -> String {
        format!("Ruleset({:?})", self.spec)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Ruleset>();
        other.is_ok_and(|other| other.get().spec == self.spec)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.spec.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyAny>, (String,)) {
        let class = py.get_type::<Ruleset>().into_any().unbind();
        (class, (self.spec.clone(),))
    }
}

/// A game in progress: game number `index` of the series that `seed` gives, as in `evaluate`.
///
/// A placement is written as the piece's letter, the first letter of the rotation and the leftmost
/// column from 0: "Te3". In stepped games the lowest row follows: "Te3@0". `forecast` adds the
/// probabilities of the next pieces, for players that need them.
#[pyclass(module = "tetrolab")]
pub(crate) struct Game {
    pub(crate) game: CoreGame,
    pub(crate) rules: CoreRuleset,
    seed: u64,
    index: u64,
    legal: LegalMoves,
    /// The number of the piece that may be in mid-fall, or that has not entered yet. Some of its
    /// placements may be out of reach.
    pressed: Option<u64>,
}

impl Game {
    /// A game from another part of the package.
    pub(crate) fn made(game: CoreGame, rules: CoreRuleset, seed: u64, index: u64) -> Game {
        Game {
            game,
            rules,
            seed,
            index,
            legal: LegalMoves::default(),
            pressed: None,
        }
    }

    /// The same game after keys were pressed.
    pub(crate) fn pressed(mut self) -> Game {
        self.pressed = Some(self.game.pieces());
        self
    }

    /// Whether placements of the current piece may be out of reach.
    pub(crate) fn may_be_in_mid_fall(&self) -> bool {
        self.pressed == Some(self.game.pieces())
    }

    /// A placement as text; in stepped games with its row.
    pub(crate) fn text(&self, placement: CorePlacement) -> String {
        match self.game.stepped() {
            None => ShortPlacement::from(placement).to_string(),
            Some(_) => ShortPlacement::stepped(placement).to_string(),
        }
    }

    /// Parses a placement, and checks that the game allows it now.
    fn placement(&self, text: &str) -> PyResult<CorePlacement> {
        let wrong = |problem: &dyn std::fmt::Display| {
            ActionError::new_err(format!("the placement {text:?}: {problem}"))
        };
        let short: ShortPlacement = text.parse().map_err(|error| wrong(&error))?;
        let placement = short.on(self.game.board()).map_err(|error| wrong(&error))?;
        self.game.check(placement).map_err(|error| wrong(&error))?;
        Ok(placement)
    }

    pub(crate) fn playing(&self) -> PyResult<()> {
        match self.game.status() {
            Status::Playing => Ok(()),
            _ => Err(ActionError::new_err("the game has ended; start a new one")),
        }
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(
        signature = (ruleset=RulesetName::Named("simplified-10x10".to_owned()), seed=1, index=0, *, forecast=false),
        text_signature = "(ruleset='simplified-10x10', seed=1, index=0, *, forecast=False)"
    )]
    fn new(ruleset: RulesetName<'_>, seed: u64, index: u64, forecast: bool) -> PyResult<Game> {
        let rules = ruleset.find()?;
        let make = if forecast {
            CoreGame::with_forecast
        } else {
            CoreGame::new
        };
        Ok(Game {
            game: make(&rules, game_seed(seed, index)),
            rules,
            seed,
            index,
            legal: LegalMoves::default(),
            pressed: None,
        })
    }

    /// The seed of the series of games.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// The number of the game in the series, from 0.
    #[getter]
    fn index(&self) -> u64 {
        self.index
    }

    /// The name of the ruleset.
    #[getter]
    fn ruleset(&self) -> String {
        self.rules.name.clone()
    }

    /// The board as text, top row first: "." is empty, "#" filled.
    #[getter]
    fn rows(&self) -> Vec<String> {
        self.game.board().to_rows()
    }

    /// The board as an array of 0 and 1, top row first.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<u8>> {
        cells(self.game.board()).into_pyarray(py)
    }

    /// The board as an array, with the cells of the falling piece as 2.
    fn picture<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<u8>> {
        let mut cells = cells(self.game.board());
        let (height, width) = cells.dim();
        let falling = self.game.stepped().and_then(|game| game.falling());
        for (row, column) in falling.into_iter().flat_map(|falling| falling.cells()) {
            let (row, column) = (row as usize, column as usize);
            if row < height && column < width {
                cells[[height - 1 - row, column]] = 2;
            }
        }
        cells.into_pyarray(py)
    }

    /// The piece to place; None if the game has ended.
    #[getter]
    fn piece(&self) -> Option<char> {
        let pieces = self.game.waiting_pieces();
        let piece = pieces
            .first()
            .filter(|_| self.game.status() == Status::Playing);
        piece.map(|piece| piece.letter())
    }

    /// The pieces after it that the ruleset shows.
    #[getter]
    fn queue(&self) -> Vec<char> {
        let pieces = self.game.waiting_pieces().iter();
        pieces.skip(1).map(|piece| piece.letter()).collect()
    }

    /// The held piece, or None.
    #[getter]
    fn held(&self) -> Option<char> {
        let held = self.game.stepped().and_then(|game| game.held());
        held.map(|piece| piece.letter())
    }

    /// Whether a piece can be held now.
    #[getter]
    fn can_hold(&self) -> bool {
        let hold = || self.game.view().hold;
        self.game.status() == Status::Playing && matches!(hold(), Hold::Empty | Hold::Piece(_))
    }

    /// "playing", "over" or "out-of-pieces".
    #[getter]
    fn status(&self) -> &'static str {
        match self.game.status() {
            Status::Playing => "playing",
            Status::Over => "over",
            Status::OutOfPieces => "out-of-pieces",
        }
    }

    /// Number of cleared lines.
    #[getter]
    fn lines(&self) -> u64 {
        self.game.lines()
    }

    /// Number of placed pieces.
    #[getter]
    fn pieces(&self) -> u64 {
        self.game.pieces()
    }

    /// The score of the cleared lines alone.
    #[getter]
    fn line_points(&self) -> u64 {
        self.game.line_points()
    }

    /// The points of a stepped game; 0 in placement games.
    #[getter]
    fn points(&self) -> u64 {
        self.game.stepped().map_or(0, |game| game.tally().points)
    }

    /// Lists all legal placements, those after a hold included.
    fn placements(&mut self) -> Vec<String> {
        let mut placements = Vec::new();
        let mut legal = std::mem::take(&mut self.legal);
        let in_mid_fall = self.may_be_in_mid_fall();
        legal.visit(&self.game, |_, step| {
            if !in_mid_fall || self.game.check(step.placement).is_ok() {
                placements.push(self.text(step.placement));
            }
        });
        self.legal = legal;
        placements
    }

    /// Places the piece; returns the number of cleared lines.
    fn place(&mut self, placement: &str) -> PyResult<u32> {
        self.playing()?;
        let placement = self.placement(placement)?;
        Ok(self.game.apply(placement).lines())
    }

    /// Returns the four cells of a placement as (row from the bottom, column).
    fn cells(&self, placement: &str) -> PyResult<Vec<(usize, usize)>> {
        Ok(self.placement(placement)?.cells().to_vec())
    }

    /// Lets a player place this many pieces, or play to the end; returns the lines of the game.
    #[pyo3(signature = (player, pieces=None))]
    fn play(
        &mut self,
        py: Python<'_>,
        player: &Bound<'_, Player>,
        pieces: Option<u64>,
    ) -> PyResult<u64> {
        let mut player = player.try_borrow_mut()?;
        self.playing()?;
        player.check_game(self)?;
        let until = pieces.map_or(u64::MAX, |pieces| self.game.pieces().saturating_add(pieces));
        let in_mid_fall = self.may_be_in_mid_fall();
        let game = &mut self.game;
        if in_mid_fall && game.pieces() < until {
            player.decide(py, |decider, stop| {
                let choice = reachable_choice(game, decider);
                if let Some(placement) = choice.filter(|_| !stop.is_raised()) {
                    game.apply(placement);
                }
            })?;
        }
        while game.status() == Status::Playing && game.pieces() < until {
            // Some decisions take seconds, most take a microsecond.
            player.decide(py, |decider, stop| {
                let began = Instant::now();
                while began.elapsed() < SIGNALS {
                    if game.status() != Status::Playing || game.pieces() >= until {
                        break;
                    }
                    let placement = decider.decide(&game.view());
                    if stop.is_raised() {
                        break;
                    }
                    game.apply(placement);
                }
            })?;
            py.check_signals()?;
        }
        Ok(game.lines())
    }

    /// Returns the same position with other pieces to come.
    fn fork(&self, seed: u64) -> Game {
        Game {
            game: self.game.fork(seed),
            rules: self.rules.clone(),
            seed,
            index: self.index,
            legal: LegalMoves::default(),
            pressed: self.pressed,
        }
    }

    /// Returns a copy with the same pieces to come.
    fn clone(&self) -> Game {
        Game {
            game: self.game.clone(),
            rules: self.rules.clone(),
            seed: self.seed,
            index: self.index,
            legal: LegalMoves::default(),
            pressed: self.pressed,
        }
    }

    fn __copy__(&self) -> Game {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.clone()
    }

    fn __str__(&self) -> String {
        self.rows().join("\n")
    }

    fn __repr__(&self) -> String {
        format!(
            "<Game {} seed {} index {}: {} lines, {} pieces, {}>",
            self.rules.name,
            self.seed,
            self.index,
            self.lines(),
            self.pieces(),
            self.status()
        )
    }
}

/// The cells of a board, top row first.
fn cells(board: &Board) -> Array2<u8> {
    let top = board.height() - 1;
    Array2::from_shape_fn((board.height(), board.width()), |(row, column)| {
        u8::from(board.is_filled(top - row, column))
    })
}

/// A player's choice among the placements that a piece in mid-fall can still reach. A piece that
/// has not entered yet enters first. `None` if the game ends in the process.
pub(crate) fn reachable_choice(
    game: &mut CoreGame,
    player: &mut dyn CorePlayer,
) -> Option<CorePlacement> {
    loop {
        while game.status() == Status::Playing && !has_a_piece(game) {
            game.tick(Inputs::NONE);
        }
        if game.status() != Status::Playing {
            return None;
        }
        let choice = player.decide(&game.view());
        if game.check(choice).is_ok() {
            return Some(choice);
        }
        let rated = player.analyse(&game.view());
        let rated = rated.iter().map(|rated| rated.placement);
        let mut all = Vec::new();
        LegalMoves::default().visit(game, |_, step| all.push(step.placement));
        let reachable = rated
            .chain(all)
            .find(|&placement| game.check(placement).is_ok());
        if reachable.is_some() {
            return reachable;
        }
        // The piece is about to lock in a position that is not a listed placement.
        game.tick(Inputs::NONE);
    }
}

/// Whether there is a piece to place; between two pieces of a stepped game, there is not.
pub(crate) fn has_a_piece(game: &CoreGame) -> bool {
    game.stepped().is_none_or(|game| game.falling().is_some())
}

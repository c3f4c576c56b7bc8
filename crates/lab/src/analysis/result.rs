//! The result of an analysis.

use crate::formats::{as_rows, as_text};
use crate::number::{finite, optional};
use serde::{Serialize, Serializer};
use std::path::PathBuf;
use tetrolab_core::board::Board;
use tetrolab_core::evaluators::{Evaluator, TableSum};
use tetrolab_core::game::GameView;
use tetrolab_core::outcomes::Scored;
use tetrolab_core::piece::Piece;
use tetrolab_core::placement::{Placement, Transition};
use tetrolab_core::players::{Player, RatedPlacement};
use tetrolab_core::record::ShortPlacement;
use tetrolab_core::rules::Rules;

/// The version of the JSON of analyses; it increases when a field is removed or changes its
/// meaning.
pub const ANALYSIS_SCHEMA: u32 = 1;

/// The result of an analysis.
#[derive(Clone, Debug, Serialize)]
pub struct Analysed {
    /// The version of this schema: [`ANALYSIS_SCHEMA`].
    pub schema: u32,
    /// The position.
    pub position: AnalysedPosition,
    /// Each player's view, in the order in which they were given.
    pub players: Vec<AnalysedPlayer>,
}

/// The position that was analysed.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysedPosition {
    /// The name of the ruleset.
    pub ruleset: String,
    /// Width of the board.
    pub width: usize,
    /// Height of the board.
    pub height: usize,
    /// The settled stack.
    #[serde(rename = "rows", serialize_with = "as_rows")]
    pub board: Board,
    /// The piece to place.
    #[serde(serialize_with = "as_text")]
    pub piece: Piece,
    /// The visible pieces after the current one.
    #[serde(serialize_with = "as_letters")]
    pub queue: Vec<Piece>,
    /// Pieces placed before.
    pub pieces: u64,
    /// Lines cleared before.
    pub lines: u64,
    /// The recorded game that contains the position, if any.
    pub record: Option<AnalysedGame>,
}

/// The recorded game that contains a position.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysedGame {
    /// The file.
    pub file: PathBuf,
    /// The number of the game in the file, from 1.
    pub game: usize,
    /// The player.
    pub player: String,
    /// The placement played in the game at this point, if the record continues.
    pub played: Option<String>,
}

/// A player's view of the position.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysedPlayer {
    /// The player as given.
    pub player: String,
    /// Number of rated placements; 0 for a player that does not rate individual placements.
    pub rated: usize,
    /// Whether the player's decisions in a game depend on earlier ones, which an analysis does not have.
    pub has_memory: bool,
    /// The best placements; the first is the player's choice.
    pub placements: Vec<AnalysedPlacement>,
}

/// A placement with a player's rating.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysedPlacement {
    /// The placement and its effect.
    #[serde(flatten)]
    pub step: AnalysedStep,
    /// The value of the placement to the player, in the units of its weights; `None` if the
    /// placement is never chosen while there is an alternative, or if the player does not rate
    /// placements.
    #[serde(serialize_with = "optional")]
    pub score: Option<f64>,
    /// The probability of surviving the pieces that the player considers; `None` if the player may
    /// choose to lose and therefore ignores survival, or if it does not rate placements.
    #[serde(serialize_with = "optional")]
    pub survival: Option<f64>,
    /// The continuation that the player expects.
    pub line: Vec<AnalysedStep>,
    /// The features of this placement alone; empty if the evaluator does not use features.
    pub features: Vec<FeatureTerm>,
    /// The contribution of each lookup table to the score; empty if the player has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableTerm>,
    /// The evaluator's score of this placement alone: for a player with weights, the sum of the
    /// products.
    #[serde(serialize_with = "optional")]
    pub sum: Option<f64>,
    /// The board after the placement, without cells above the top.
    #[serde(rename = "rows", serialize_with = "as_rows")]
    pub after: Board,
}

/// One placement of a line of play.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysedStep {
    /// The placement.
    #[serde(skip)]
    pub placement: Placement,
    /// The placement in short notation, with the row in stepped games.
    #[serde(rename = "placement", serialize_with = "as_text")]
    pub short: ShortPlacement,
    /// The cells of the piece: row from the bottom, column.
    pub cells: [(usize, usize); 4],
    /// The rows that the placement clears, from the bottom, numbered before their removal.
    pub cleared: Vec<usize>,
    /// Whether the placement ends the game.
    pub game_over: bool,
}

/// A feature value and its contribution to the score.
#[derive(Clone, Debug, Serialize)]
pub struct FeatureTerm {
    /// The feature.
    pub feature: &'static str,
    /// The index among the feature's values, starting at 0, if it has several.
    pub index: Option<usize>,
    /// The number.
    #[serde(serialize_with = "finite")]
    pub value: f64,
    /// The weight of the feature, if the evaluator is linear.
    #[serde(serialize_with = "optional")]
    pub weight: Option<f64>,
    /// Weight times value.
    #[serde(serialize_with = "optional")]
    pub product: Option<f64>,
}

/// The contribution of a lookup table to the score.
#[derive(Clone, Debug, Serialize)]
pub struct TableTerm {
    /// The table with its settings.
    pub table: String,
    /// The sum of the board's entries.
    #[serde(serialize_with = "finite")]
    pub sum: f64,
}

impl AnalysedPlacement {
    /// A placement with its expected continuation.
    pub(super) fn new(
        view: &GameView<'_>,
        player: &dyn Player,
        placement: Placement,
        line: &[Placement],
    ) -> AnalysedPlacement {
        let known = |index: usize| view.queue.get(index).copied();
        let first = view.rules.step(view.board, placement, known(0), view.lines);
        let (mut steps, mut last) = (Vec::new(), first);
        for (index, next) in line.iter().enumerate() {
            if last.game_over {
                break;
            }
            let lines = last.lines_before + u64::from(last.lines());
            last = view.rules.step(&last.after, *next, known(index + 1), lines);
            steps.push(AnalysedStep::new(view, &last));
        }
        let evaluator = player.evaluator();
        let seen = scored(
            &first,
            player.rating().map(|rating| rating.options().scored),
        );
        let features = evaluator.map_or_else(Vec::new, |evaluator| terms(&**evaluator, &seen));
        let tables = evaluator.and_then(|evaluator| evaluator.as_tables());
        let tables = tables.map_or_else(Vec::new, |tables| table_terms(tables, &seen.after));
        let products: Option<Vec<f64>> = features.iter().map(|term| term.product).collect();
        AnalysedPlacement {
            step: AnalysedStep::new(view, &first),
            score: None,
            survival: None,
            line: steps,
            sum: products
                .filter(|all| !all.is_empty())
                .map(|all| all.iter().sum()),
            features,
            tables,
            after: first.after,
        }
    }

    /// Adds the player's rating.
    pub(super) fn rated(self, player: &dyn Player, rated: &RatedPlacement) -> AnalysedPlacement {
        let survives = player
            .rating()
            .is_none_or(|rating| !rating.options().may_lose);
        AnalysedPlacement {
            score: rated.score.is_finite().then_some(rated.score),
            survival: survives.then_some(rated.survival),
            ..self
        }
    }

    /// The cells of the piece and of the expected continuation, on the board before the placement
    /// with all its rows. A long continuation is truncated at the top of that board, because every
    /// cleared row moves the following placements up by one.
    pub fn cells_on_first_board(&self) -> Vec<(Piece, [(usize, usize); 4])> {
        let mut rows: Vec<usize> = (0..64).collect();
        let mut shown = Vec::new();
        for step in std::iter::once(&self.step).chain(&self.line) {
            if step.cells.iter().any(|cell| cell.0 >= rows.len()) {
                break;
            }
            let cells = step.cells.map(|(row, column)| (rows[row], column));
            shown.push((step.placement.piece, cells));
            for &row in step.cleared.iter().rev() {
                rows.remove(row);
            }
        }
        shown
    }
}

impl AnalysedStep {
    fn new(view: &GameView<'_>, transition: &Transition) -> AnalysedStep {
        let placement = transition.placement;
        let is_cleared = |row: &usize| transition.cleared >> row & 1 != 0;
        AnalysedStep {
            placement,
            short: match view.rules {
                Rules::Drops(_) => placement.into(),
                Rules::Stepped(_) => ShortPlacement::stepped(placement),
            },
            cells: placement.cells(),
            cleared: (0..64).filter(is_cleared).collect(),
            game_over: transition.game_over,
        }
    }
}

/// The step as the evaluator sees it.
fn scored(step: &Transition, scored: Option<Scored>) -> Transition {
    let mut step = *step;
    if scored == Some(Scored::BeforeRemoval) {
        let (x, y) = (usize::from(step.placement.x), usize::from(step.placement.y));
        step.after = step.before;
        step.after.fill_shape(step.placement.shape(), x, y);
    }
    step
}

/// The features of a step.
fn terms(evaluator: &dyn Evaluator, step: &Transition) -> Vec<FeatureTerm> {
    let weights = evaluator.as_linear().map(|linear| linear.weights());
    let mut terms = Vec::new();
    for feature in evaluator
        .features()
        .into_iter()
        .flat_map(|set| set.features())
    {
        for (index, value) in feature.values(step).into_iter().enumerate() {
            let weight = weights.and_then(|weights| weights.get(terms.len()).copied());
            terms.push(FeatureTerm {
                feature: feature.id,
                index: feature.is_vector().then_some(index),
                value,
                weight,
                product: weight.map(|weight| weight * value),
            });
        }
    }
    terms
}

/// The contribution of each lookup table to the score of a board.
fn table_terms(tables: &TableSum, board: &Board) -> Vec<TableTerm> {
    let specs = tables.set().iter().map(|(spec, _)| spec.to_string());
    let terms = specs.zip(tables.terms(board));
    terms.map(|(table, sum)| TableTerm { table, sum }).collect()
}

fn as_letters<S: Serializer>(pieces: &[Piece], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(pieces.iter().map(Piece::to_string))
}

//! A picture that explains a feature: a board, the cells that the feature counts, and its value.

use super::frame::BoardFrame;
use super::paper::{Paper, TextStyle};
use super::{CELL, HEADING, MARGIN};
use crate::library::{FileSource, LibraryError};
use serde::{Deserialize, Serialize};
use tetrolab_core::board::{Board, BoardError};
use tetrolab_core::features::{FEATURES, Feature, MarkedCell, feature_example};
use tetrolab_core::placement::{Placement, Transition};
use tetrolab_core::record::ShortPlacement;
use tetrolab_core::registry;
use tetrolab_core::spec::SpecError;

/// The minimum width of a picture, which its heading needs.
const LEAST_WIDTH: usize = 400;

/// A request to draw a feature on a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeatureRequest {
    /// The id of the feature.
    pub feature: String,
    /// The step; `None` for an example.
    #[serde(default)]
    pub step: Option<StepSource>,
}

/// A step: a board and a placement on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepSource {
    /// The ruleset, which defines the board size and the lock rules.
    pub ruleset: String,
    /// The lowest rows of the board, as `.` and `#`, top row first; those above are empty.
    pub rows: Vec<String>,
    /// The placement, such as `Te3`: piece, rotation, leftmost column.
    pub placement: String,
}

/// A feature, explained on one step.
#[derive(Clone, Debug, Serialize)]
pub struct DrawnFeature {
    /// The id of the feature.
    pub feature: &'static str,
    /// The definition of the feature.
    pub definition: &'static str,
    /// The value or values of the feature.
    pub values: Vec<f64>,
    /// The rows of the board with the cells, top row first.
    pub board: Vec<String>,
    /// The placement.
    pub placement: String,
    /// The cells that the feature counts.
    pub cells: Vec<DrawnCell>,
    /// Whether the counts of the cells add up to the value, or to the sum of the values.
    pub adds_up: bool,
    /// The picture.
    pub svg: String,
}

/// A cell that a feature counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DrawnCell {
    /// Row from the bottom, starting at 0.
    pub row: usize,
    /// Column from the left, starting at 0.
    pub column: usize,
    /// The contribution of the cell to the feature.
    pub count: f64,
}

impl From<MarkedCell> for DrawnCell {
    fn from(MarkedCell { row, column, count }: MarkedCell) -> DrawnCell {
        DrawnCell { row, column, count }
    }
}

/// Why a feature cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum FeatureDrawingError {
    /// The feature is unknown.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The ruleset is invalid.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The rows are not a valid board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The placement is invalid, or does not fit the board.
    #[error("placement {placement}: {problem}")]
    Placement {
        /// The placement as given.
        placement: String,
        /// The problem.
        problem: String,
    },
}

/// Draws a feature: finds the cells that it counts, computes its value, and creates the picture.
///
/// # Errors
/// If the feature or the ruleset is unknown, or the board or the placement is invalid.
pub fn draw_feature(
    request: &FeatureRequest,
    library: FileSource<'_>,
) -> Result<DrawnFeature, FeatureDrawingError> {
    let feature = registry::find(FEATURES, "feature", &request.feature)?;
    let step = match &request.step {
        Some(source) => source.open(library)?,
        None => feature_example(feature),
    };
    Ok(drawn(feature, &step))
}

impl StepSource {
    fn open(&self, library: FileSource<'_>) -> Result<Transition, FeatureDrawingError> {
        let ruleset = library.ruleset(&self.ruleset)?;
        let board = Board::from_lowest_rows(ruleset.width, ruleset.height, &self.rows)?;
        let refused = |problem: String| FeatureDrawingError::Placement {
            placement: self.placement.clone(),
            problem,
        };
        let short: ShortPlacement = self
            .placement
            .parse()
            .map_err(|error| refused(format!("{error}")))?;
        let placement = short
            .on(&board)
            .map_err(|error| refused(error.to_string()))?;
        check(&board, placement).map_err(|problem| refused(problem.to_owned()))?;
        Ok(ruleset.rules.as_ref().step(&board, placement, None, 0))
    }
}

/// Checks that a piece can lock at a placement.
fn check(board: &Board, placement: Placement) -> Result<(), &'static str> {
    let (shape, x, y) = (
        placement.shape(),
        usize::from(placement.x),
        usize::from(placement.y),
    );
    if x + shape.width > board.width() || y + shape.height > board.height() + 4 {
        return Err("the piece is outside the board");
    }
    if board.overlaps(shape, x, y) {
        return Err("the piece overlaps filled cells");
    }
    if y > 0 && !board.overlaps(shape, x, y - 1) {
        return Err("nothing is below the piece");
    }
    Ok(())
}

fn drawn(feature: &'static Feature, step: &Transition) -> DrawnFeature {
    let (marked, values) = (feature.marked(step), feature.values(step));
    let board = marked.board;
    let cells: Vec<DrawnCell> = marked.cells.into_iter().map(DrawnCell::from).collect();
    let mut drawn = DrawnFeature {
        feature: feature.id,
        definition: feature.definition,
        values,
        board: board.to_rows(),
        placement: ShortPlacement::from(step.placement).to_string(),
        cells,
        adds_up: marked.adds_up,
        svg: String::new(),
    };
    // Once rows have been removed, the piece is no longer where it landed.
    let is_in_place = step.cleared == 0 || board.full_rows() != 0;
    let piece = is_in_place.then_some(step.placement);
    drawn.svg = svg(&drawn, &board, piece);
    drawn
}

fn svg(drawn: &DrawnFeature, board: &Board, piece: Option<Placement>) -> String {
    let highest = drawn.cells.iter().map(|cell| cell.row + 1).max();
    let rows = board
        .height()
        .max(board.max_height())
        .max(highest.unwrap_or(0));
    let frame = BoardFrame {
        origin: (MARGIN, HEADING + MARGIN),
        cell: CELL,
        rows,
    };
    let mut paper = Paper::default();
    let title = format!("{} = {}", drawn.feature, shown_values(&drawn.values));
    paper.heading(&title, caption(drawn));
    frame.settled(&mut paper, board);
    if let Some(placement) = piece {
        frame.placed(&mut paper, placement.piece, &placement.cells());
    }
    let counts = drawn.adds_up && drawn.cells.iter().any(|cell| cell.count != 1.0);
    for cell in &drawn.cells {
        let (x, y) = frame.corner((cell.row, cell.column));
        paper.mark((x, y), CELL);
        if counts {
            let middle = (x + CELL / 2, y + CELL / 2 + 5);
            paper.text(middle, TextStyle::OnMark, &shown(cell.count));
        }
    }
    let width = LEAST_WIDTH.max(board.width() * CELL + 2 * MARGIN);
    paper.finish(width, HEADING + 2 * MARGIN + rows * CELL, &title)
}

fn caption(drawn: &DrawnFeature) -> &'static str {
    match (drawn.cells.is_empty(), drawn.adds_up) {
        (true, _) => "no cell is counted",
        (false, true) => "the marked cells add up to the value",
        (false, false) => "the value depends on the marked cells",
    }
}

fn shown_values(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(|&value| shown(value)).collect();
    values.join(" ")
}

/// A number with up to two decimal places.
fn shown(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(feature: &str, rows: &[&str], placement: &str) -> FeatureRequest {
        FeatureRequest {
            feature: feature.to_owned(),
            step: Some(StepSource {
                ruleset: "simplified-6x8".to_owned(),
                rows: rows.iter().map(|&row| row.to_owned()).collect(),
                placement: placement.to_owned(),
            }),
        }
    }

    #[test]
    fn every_feature_is_drawn_with_its_value() {
        for feature in FEATURES {
            let request = FeatureRequest {
                feature: feature.id.to_owned(),
                step: None,
            };
            let drawn = draw_feature(&request, FileSource::Disk).unwrap();
            assert_eq!(drawn.values, feature.values(&feature_example(feature)));
            assert_eq!(
                drawn.svg.matches("class=\"mark\"").count(),
                drawn.cells.len()
            );
            let title = format!("<title>{} = {}", feature.id, shown_values(&drawn.values));
            assert!(drawn.svg.contains(&title), "{title}");
        }
    }

    #[test]
    fn a_board_and_a_placement_of_ones_own() {
        let drawn = draw_feature(&request("holes", &["#.#.##"], "In0"), FileSource::Disk).unwrap();
        assert_eq!(drawn.values, [2.0]);
        let cell = |column| DrawnCell {
            row: 0,
            column,
            count: 1.0,
        };
        assert_eq!(drawn.cells, [cell(1), cell(3)]);
        assert_eq!(drawn.placement, "In0");
    }

    #[test]
    fn features_that_cannot_be_drawn_are_refused_with_the_reason() {
        let error = |request: FeatureRequest| {
            let error = draw_feature(&request, FileSource::Disk).unwrap_err();
            error.to_string()
        };
        assert!(error(request("hole", &[], "In0")).contains("did you mean 'holes'"));
        assert!(error(request("holes", &["#"], "In0")).contains("cells"));
        assert!(error(request("holes", &[], "Xn0")).starts_with("placement Xn0: "));
        assert!(error(request("holes", &[], "In4")).contains("extends beyond"));
        assert!(error(request("holes", &["######"], "In0@0")).contains("overlaps filled cells"));
        assert!(error(request("holes", &[], "In0@3")).contains("nothing is below"));
        assert!(error(request("holes", &[], "In0@12")).contains("outside the board"));
    }
}

//! A network whose inputs are the board itself: cells, heights and differences, one-hot encoded.
//!
//! The inputs are listed column by column from the left. Each column has one input per cell from
//! the bottom up, `H + 1` inputs of which one encodes the column's height, and nine inputs of which
//! one encodes the difference to the column on its right, clipped to -4 to 4. The networks of
//! Elfwing, Uchibe and Doya (2018) use this encoding for heights. The number of inputs determines
//! the height `H` for which a network was made; on a higher board it sees only the lowest `H` rows,
//! and higher columns count as `H` high.

use super::network::put_scores;
use super::{
    Evaluator, EvaluatorEntry, Form, MakeEvaluator, NUMBERS, Scores, WeightError, Workspace,
};
use crate::board::{Board, HEIGHTS, column_height};
use crate::network::Network;
use crate::outcomes::Outcomes;
use crate::simd::wide_forward;
use std::sync::Arc;

pub(super) const ENTRY: EvaluatorEntry = EvaluatorEntry {
    id: "board-network",
    definition: "output of a feed-forward network whose inputs are cells, heights and differences, one-hot",
    source: "after Elfwing, Uchibe and Doya 2018",
    settings: NUMBERS,
    make: Form {
        tables: &[],
        only_direction_counts: false,
        make: MakeEvaluator::Network {
            has_features: false,
            make: |features, network| Ok(Arc::new(BoardNetwork::new(features.width(), network)?)),
        },
    },
};

/// The maximum absolute value of a difference.
const MOST: i32 = 4;
/// Number of inputs for a difference.
const DIFFERENCES: usize = 2 * MOST as usize + 1;

/// Number of inputs of a network for a board of this size.
pub const fn board_inputs(width: usize, height: usize) -> usize {
    width * height + width * (height + 1) + (width - 1) * DIFFERENCES
}

/// Score = output of a network whose inputs are the board after the placement.
#[derive(Clone, Debug)]
pub struct BoardNetwork {
    height: usize,
    network: Network,
}

impl BoardNetwork {
    /// Uses a network with [`board_inputs`] inputs and one output on boards of this width.
    ///
    /// # Errors
    /// If the network has other inputs or outputs.
    pub fn new(width: usize, network: Network) -> Result<BoardNetwork, WeightError> {
        let found = network.inputs();
        let fits = |height: &usize| board_inputs(width, *height) == found;
        let Some(height) = HEIGHTS.into_iter().find(fits) else {
            return WeightError::because(format!(
                "the network has {found} inputs, which do not match any board height at width {width}"
            ));
        };
        WeightError::check_outputs(network.outputs())?;
        Ok(BoardNetwork { height, network })
    }
}

/// Finds the [inputs](board_inputs) of a network that are 1 for a board; all others are 0.
pub fn visit_board_inputs(board: &Board, height: usize, mut visit: impl FnMut(usize)) {
    let width = board.width();
    for column in 0..width {
        let mut cells = board.columns()[column] & (u64::MAX >> (64 - height));
        while cells != 0 {
            visit(column * height + cells.trailing_zeros() as usize);
            cells &= cells - 1;
        }
    }
    let heights = width * height;
    let of = |column: usize| column_height(board.columns()[column]).min(height);
    for column in 0..width {
        visit(heights + column * (height + 1) + of(column));
    }
    let differences = heights + width * (height + 1);
    for column in 0..width - 1 {
        let difference = of(column) as i32 - of(column + 1) as i32;
        let place = (difference.clamp(-MOST, MOST) + MOST) as usize;
        visit(differences + column * DIFFERENCES + place);
    }
}

impl Evaluator for BoardNetwork {
    fn rate(&self, outcomes: &mut Outcomes, workspace: &mut Workspace, scores: &mut Scores) {
        let (inputs, pass) = &mut workspace.signals;
        inputs.reset(self.network.inputs(), outcomes.len());
        inputs.clear();
        outcomes.settle_all();
        for index in 0..outcomes.len() {
            let board = outcomes.after(index).board;
            visit_board_inputs(&board, self.height, |input| {
                inputs.row_mut(input)[index] = 1.0;
            });
        }
        put_scores(wide_forward(&self.network, inputs, pass), scores);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::scores_of_squares;
    use super::*;
    use crate::network::Activation;

    fn network(width: usize, height: usize) -> Network {
        let inputs = board_inputs(width, height);
        Network::new(inputs, &[(1, Activation::Linear)]).unwrap()
    }

    /// The inputs that are 1 for a board drawn with its top row first.
    fn seen(width: usize, height: usize, rows: &[&str]) -> Vec<usize> {
        let mut board = Board::new(width, rows.len()).unwrap();
        for (row, text) in rows.iter().rev().enumerate() {
            for (column, cell) in text.bytes().enumerate() {
                if cell == b'#' {
                    board.fill(row, column);
                }
            }
        }
        let mut inputs = Vec::new();
        visit_board_inputs(&board, height, |input| inputs.push(input));
        inputs
    }

    #[test]
    fn a_board_is_seen_as_cells_heights_and_differences() {
        let rows = ["....", "#...", ".#..", "##.#"];
        // Cells: rows 0 and 2 of column 0, rows 0 and 1 of column 1, row 0 of column 3.
        let cells = [0, 2, 4, 5, 12];
        // Heights 3, 2, 0, 1, with five inputs each; differences 1, 2, -1, with nine inputs each.
        let heights = [16 + 3, 16 + 5 + 2, 16 + 10, 16 + 15 + 1];
        let differences = [36 + 5, 36 + 9 + 6, 36 + 18 + 3];
        let expected = [&cells[..], &heights, &differences].concat();
        assert_eq!(seen(4, 4, &rows), expected);
    }

    #[test]
    fn a_higher_board_is_clipped() {
        let rows = ["#...", "#...", "#...", "#...", "#...", "....", "...."];
        // The cells of rows 2 and 3 are visible; the column is 7 high, but counts as 4, and so does
        // its difference.
        let expected = [2, 3, 16 + 4, 21, 26, 31, 36 + 8, 36 + 9 + 4, 36 + 18 + 4];
        assert_eq!(seen(4, 4, &rows), expected);
    }

    #[test]
    fn the_board_after_the_placement_is_rated() {
        // One for each filled cell of column 0 and the height of column 1.
        let mut parameters = vec![0.0; board_inputs(4, 4) + 1];
        parameters[..4].fill(1.0);
        for height in 0..5 {
            parameters[16 + 5 + height] = 10.0 * height as f32;
        }
        let network = network(4, 4).with_parameters(parameters).unwrap();
        let evaluator = BoardNetwork::new(4, network).unwrap();
        assert_eq!(scores_of_squares(&evaluator), [22.0, 20.0, 0.0]);
    }

    #[test]
    fn a_network_for_no_board_is_refused() {
        let network = Network::new(77, &[(1, Activation::Linear)]).unwrap();
        assert_eq!(
            BoardNetwork::new(10, network).unwrap_err().to_string(),
            "the network has 77 inputs, which do not match any board height at width 10"
        );
    }
}

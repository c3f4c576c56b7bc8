//! What a search is told of the pieces that are not shown: the game's forecast, followed piece by piece.

use crate::board::Board;
use crate::choice::UnseenPieces;
use crate::piece::Piece;
use crate::randomizers::Forecast;

/// The forecasts after all sequences of pieces that a search has asked for, each worked out once: with some randomizers that is
/// slow.
pub(super) struct ForecastTree {
    nodes: Vec<ForecastNode>,
}

struct ForecastNode {
    forecast: Option<Forecast>,
    after: [Option<usize>; 7],
}

impl ForecastTree {
    /// Begins with the forecast of a game. Without one, no piece can come: a search ends with the pieces that are shown.
    pub(super) fn new(forecast: Option<&Forecast>) -> ForecastTree {
        let mut tree = ForecastTree { nodes: Vec::new() };
        tree.add(forecast.cloned());
        tree
    }

    fn add(&mut self, forecast: Option<Forecast>) -> usize {
        let after = [None; 7];
        self.nodes.push(ForecastNode { forecast, after });
        self.nodes.len() - 1
    }
}

impl UnseenPieces for ForecastTree {
    fn probabilities(&mut self, state: usize, board: &Board) -> [f64; 7] {
        let forecast = &self.nodes[state].forecast;
        forecast
            .as_ref()
            .map_or([0.0; 7], |forecast| forecast.probabilities(board))
    }

    fn after(&mut self, state: usize, piece: Piece) -> usize {
        let node = &self.nodes[state];
        if let Some(after) = node.after[piece as usize] {
            return after;
        }
        let forecast = node.forecast.as_ref().and_then(|before| {
            let after = before.after(piece);
            (!after.is_same(before)).then_some(after)
        });
        let after = match forecast {
            Some(forecast) => self.add(Some(forecast)),
            None => state,
        };
        self.nodes[state].after[piece as usize] = Some(after);
        after
    }
}

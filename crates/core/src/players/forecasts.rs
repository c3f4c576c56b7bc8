//! A search's knowledge of the pieces that are not shown: the game's forecast, followed piece by
//! piece.

use crate::board::Board;
use crate::choice::UnseenPieces;
use crate::piece::Piece;
use crate::randomizers::{Forecast, Probabilities};

/// The maximum number of large forecasts in memory ([`Forecast::is_large`]): they need about 200
/// megabytes. Others are recomputed on demand.
const MOST_LARGE: usize = 256;

/// The forecasts after all sequences of pieces in a search, each computed once, because that is
/// slow for some randomizers.
#[derive(Debug)]
pub(super) struct ForecastTree {
    nodes: Vec<ForecastNode>,
    /// Number of large forecasts in memory, and the last one that was not kept.
    large: usize,
    recent: Option<(usize, Forecast)>,
}

/// The forecast after a sequence of pieces.
#[derive(Debug)]
struct ForecastNode {
    /// `None` if no piece can follow, or if the forecast is recomputed on demand.
    forecast: Option<Forecast>,
    /// The probabilities of a forecast that is not kept, once they have been computed.
    probabilities: Option<Probabilities>,
    /// The sequence without its last piece, and that piece.
    before: Option<(usize, Piece)>,
    after: [Option<usize>; 7],
}

impl ForecastTree {
    /// Starts with the forecast of a game. Without a forecast, no piece can follow, and a search
    /// ends with the visible pieces.
    pub(super) fn new(forecast: Option<&Forecast>) -> ForecastTree {
        let root = ForecastNode {
            forecast: forecast.cloned(),
            probabilities: None,
            before: None,
            after: [None; 7],
        };
        ForecastTree {
            nodes: vec![root],
            large: 0,
            recent: None,
        }
    }

    fn add(&mut self, forecast: Forecast, before: (usize, Piece)) -> usize {
        let state = self.nodes.len();
        let is_kept = !forecast.is_large() || self.large < MOST_LARGE;
        self.large += usize::from(forecast.is_large() && is_kept);
        if !is_kept {
            self.recent = Some((state, forecast.clone()));
        }
        self.nodes.push(ForecastNode {
            forecast: Some(forecast).filter(|_| is_kept),
            probabilities: None,
            before: Some(before),
            after: [None; 7],
        });
        state
    }

    /// The forecast of a state, recomputed if it was not kept.
    fn forecast(&mut self, state: usize) -> Option<Forecast> {
        let node = &self.nodes[state];
        if let Some(forecast) = &node.forecast {
            return Some(forecast.clone());
        }
        if let Some((recent, forecast)) = &self.recent
            && *recent == state
        {
            return Some(forecast.clone());
        }
        let (before, piece) = node.before?;
        let forecast = self.forecast(before)?.after(piece);
        self.recent = Some((state, forecast.clone()));
        Some(forecast)
    }
}

impl UnseenPieces for ForecastTree {
    fn probabilities(&mut self, state: usize, board: &Board) -> [f64; 7] {
        let node = &self.nodes[state];
        if let Some(forecast) = &node.forecast {
            return forecast.probabilities(board);
        }
        if let Some(known) = node.probabilities {
            return known;
        }
        let forecast = self.forecast(state);
        let found = forecast.map_or([0.0; 7], |forecast| forecast.probabilities(board));
        self.nodes[state].probabilities = Some(found);
        found
    }

    fn after(&mut self, state: usize, piece: Piece) -> usize {
        if let Some(after) = self.nodes[state].after[piece as usize] {
            return after;
        }
        let forecast = self.forecast(state).and_then(|before| {
            let after = before.after(piece);
            (!after.is_same(&before)).then_some(after)
        });
        let after = match forecast {
            Some(forecast) => self.add(forecast, (state, piece)),
            None => state,
        };
        self.nodes[state].after[piece as usize] = Some(after);
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::PIECES;
    use crate::randomizers::{Randomizer, RandomizerContext, randomizer};
    use crate::rng::Rng;

    #[test]
    fn forecasts_that_are_not_kept_are_recomputed() {
        let context = RandomizerContext {
            width: 10,
            rules: crate::rules::Rules::Drops(crate::ends::End::ABOVE_TOP),
            evaluators: &crate::evaluators::testing::evaluator,
        };
        let dealt: Box<dyn Randomizer> = randomizer(&"tgm3".parse().unwrap(), &context).unwrap();
        let start = Forecast::new(dealt.knowledge());
        let board = Board::new(10, 20).unwrap();
        let mut tree = ForecastTree::new(Some(&start));
        tree.large = MOST_LARGE - 2;
        let mut rng = Rng::new(1);
        for _ in 0..4 {
            let (mut state, mut forecast) = (0, start.clone());
            for _ in 0..5 {
                let piece = PIECES[rng.below(7) as usize];
                if forecast.probabilities(&board)[piece as usize] == 0.0 {
                    break;
                }
                state = tree.after(state, piece);
                forecast = forecast.after(piece);
                let found = tree.probabilities(state, &board);
                assert_eq!(found, forecast.probabilities(&board));
            }
        }
        assert_eq!(tree.large, MOST_LARGE);
    }
}

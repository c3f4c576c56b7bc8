//! The afterstates of games in which pieces drop straight down, observed through features: several
//! games that wait with the same piece at a time.

use super::observation::{Observations, Strides};
use super::setup::EnvironmentSetup;
use super::{EnvironmentKind, Episode};
use tetrolab_core::features::FeatureSet;
use tetrolab_core::game::Game;
use tetrolab_core::kernel::{ObservedBoard, PlacementFeatures, PlacementRows};
use tetrolab_core::piece::PIECES;

/// Measures the afterstates of games. Those of many games are written together, which takes a
/// fraction of the time.
#[derive(Debug)]
pub(super) struct AfterstateWriter {
    features: PlacementFeatures,
    /// The numbers of the games that are waiting to be observed, by piece.
    waiting: [Vec<usize>; PIECES.len()],
}

impl AfterstateWriter {
    /// A writer, if the environment observes afterstates by their features alone, in a game in which
    /// pieces drop straight down.
    pub(super) fn new(setup: &EnvironmentSetup, features: &FeatureSet) -> Option<AfterstateWriter> {
        let by_features = setup.kind == EnvironmentKind::Afterstates && !setup.cells;
        let features = PlacementFeatures::new(&setup.ruleset, features).filter(|_| by_features)?;
        Some(AfterstateWriter {
            features,
            waiting: Default::default(),
        })
    }

    /// Writes the afterstates of one game.
    pub(super) fn write(&mut self, game: &Game, seen: &mut Observations<'_>) {
        let board = observed(game);
        self.features.measure(game.waiting_pieces()[0], &[board]);
        self.write_measured(0, &board, seen);
    }

    /// Writes the afterstates of a game later, with those of others.
    pub(super) fn add(&mut self, number: usize, game: &Game) {
        self.waiting[game.waiting_pieces()[0] as usize].push(number);
    }

    /// Writes the afterstates of all games that were added.
    pub(super) fn flush(
        &mut self,
        episodes: &[Episode],
        seen: &mut Observations<'_>,
        strides: &Strides,
    ) {
        for piece in PIECES {
            let waiting = std::mem::take(&mut self.waiting[piece as usize]);
            for together in waiting.chunks(PlacementFeatures::TOGETHER) {
                let mut boards =
                    [observed(&episodes[together[0]].game); PlacementFeatures::TOGETHER];
                let boards = &mut boards[..together.len()];
                for (board, &number) in boards.iter_mut().zip(together) {
                    *board = observed(&episodes[number].game);
                }
                self.features.measure(piece, boards);
                for (lane, (board, &number)) in boards.iter().zip(together).enumerate() {
                    self.write_measured(lane, board, &mut seen.game(number, strides));
                }
            }
            self.waiting[piece as usize] = waiting;
            self.waiting[piece as usize].clear();
        }
    }

    fn write_measured(
        &mut self,
        lane: usize,
        board: &ObservedBoard<'_>,
        seen: &mut Observations<'_>,
    ) {
        let rows = PlacementRows {
            features: seen.features,
            lines: seen.lines,
            over: seen.over,
        };
        let count = self.features.write(lane, board, rows);
        seen.end_afterstates(count);
    }
}

/// The board of a game, with the known pieces after the current one.
fn observed(game: &Game) -> ObservedBoard<'_> {
    ObservedBoard {
        board: game.board(),
        next: game.waiting_pieces().get(1).copied(),
        lines: game.lines(),
    }
}

//! Decisions for eight games at a time.
//!
//! The kernel plays the same games as the greedy player on the general path, piece for piece, only
//! faster.
//!
//! # Layout
//!
//! A register holds one 32-bit number for each of eight *games* that wait with the same piece
//! (`simd`). A column of a board is such a number: bit 0 is the floor, which is always filled, and
//! bit `r + 1` is row `r`; a stack may be 26 rows high. The walls next to the board are all ones.
//!
//! - `batch` plays many games of one player, or of several that share lanes, to their end, and lets
//!   other threads take over some of them. `slots` holds the games in play (`state` is one of
//!   them), sorts them by piece and takes the next eight.
//! - `trajectories` plays from any position until its importance leaves a window.
//! - `decide` finds the best placement of each of these games. It uses the exact weights (`exact`)
//!   where rounding (`weights`) could matter.
//! - `surface` measures the eight boards: heights, holes, cells next to filled cells, rows with few
//!   cells missing.
//! - `drop` visits the placements of the piece, shape by shape and column by column, and scores the
//!   changes that each makes. The shape is a compile-time constant. The cells next to it are
//!   three-bit indices into `tables` of scores. `runs` adds the measures of DT.
//! - `unusual` measures whole boards (`whole`) for the placements with wider effects: those that
//!   complete a row or close a hole from the side. On average there is less than one per decision.
//! - `by_tables` scores the boards after all placements by lookup tables, which depend on the whole
//!   surface.
//! - `replies` answers a search that asks for the best placements on many boards.
//! - `ahead` looks two pieces ahead: the lanes of the second piece are the boards after the
//!   first.
//! - `alone` rates the placements of a single game when few games are left: the lanes are eight
//!   columns of one board instead of one column of eight boards, and the code is the same `drop`.
//!   `whole_alone` does so for whole boards.
//! - `afterstates` finds the best boards after every piece, for a learner of lookup tables.
//! - `set` lists the measures that each kind of player needs.
//! - `by_features` decides with any features under any rules of placement games.
//!
//! Everything is written once for any kind of `simd::Lanes`: registers of AVX2, NEON or SIMD128, or
//! plain arrays in tests.

mod afterstates;
mod ahead;
mod alone;
mod batch;
mod by_features;
mod by_tables;
mod decide;
mod drop;
mod exact;
mod ratings;
mod replies;
mod runs;
mod set;
mod shape;
mod slots;
mod state;
mod surface;
mod tables;
#[cfg(test)]
mod tests;
mod trajectories;
mod unusual;
mod weights;
mod whole;
mod whole_alone;

pub use afterstates::{Afterstates, BestAfter, BestAfters, KernelBoard};
pub use batch::{Batch, BatchGame, Suspended};
pub use by_features::{ObservedBoard, PlacementFeatures, PlacementRows};
pub use replies::{RepliesTogether, replies};
pub use trajectories::{Importance, Position, Standing, Trajectories, TrajectoryBoard, Window};

use crate::board::Board;
use crate::choice::{BestPlacement, Dealing, GreedyOptions, Lookahead, SearchLimits, tie_ranks};
use crate::ends::End;
use crate::evaluators::Evaluator;
use crate::outcomes::Scored;
use crate::piece::PIECES;
use crate::randomizers::Chances;
use crate::ruleset::Ruleset;
use crate::simd::{Fastest, is_available};
use ahead::SecondPieces;
use by_features::{FeaturePlan, FeaturePlayer, FeatureWeights};
use by_tables::LookupWeights;
use set::SetKind;
use state::GameState;
use std::sync::Arc;
use tables::Tables;
use weights::Weights;

/// The maximum height of a board: 32 bits hold the floor, the board, and the piece that ends the
/// game.
const MOST_ROWS: usize = 26;

/// The result of a game played by a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelResult {
    /// Lines cleared.
    pub lines: u64,
    /// Pieces placed, including the one that ended the game.
    pub pieces: u64,
    /// The sum of 2^(n-1) over pieces that clear n lines.
    pub line_points: u64,
    /// Whether the game ended by itself; otherwise it was truncated.
    pub finished: bool,
    /// The last board; if the last piece ended the game, the board before it.
    pub board: Board,
}

impl KernelResult {
    /// The result of a game without any pieces.
    fn not_begun(board: Board) -> KernelResult {
        KernelResult {
            lines: 0,
            pieces: 0,
            line_points: 0,
            finished: false,
            board,
        }
    }
}

/// A player under a ruleset whose decisions can be made eight at a time.
#[derive(Clone, Debug)]
pub struct Kernel {
    tables: Tables,
    /// The second pieces of a kernel that looks two plies ahead, and the general path that it falls
    /// back to.
    ahead: Option<(SecondPieces, Lookahead)>,
    /// Additional data of a kernel for arbitrary features.
    features: Option<FeatureKernel>,
}

/// A kernel for any features and rules.
#[derive(Clone, Debug)]
struct FeatureKernel {
    plan: Arc<FeaturePlan>,
    player: FeaturePlayer,
    ruleset: Ruleset,
    /// Whether [`Slots`](slots::Slots) can play the game: it ends above the top row, pieces are
    /// independent, and so on.
    is_simple: bool,
}

impl FeatureKernel {
    fn new(
        ruleset: &Ruleset,
        evaluator: &Arc<dyn Evaluator>,
        options: GreedyOptions,
    ) -> Option<FeatureKernel> {
        let plan = FeaturePlan::new(ruleset, evaluator.features()?, options)?;
        let weights = FeatureWeights::new(&plan, evaluator)?;
        Some(FeatureKernel {
            plan: Arc::new(plan),
            player: FeaturePlayer {
                weights: Arc::new(weights),
                general: BestPlacement::new(evaluator.clone(), options),
                ahead: None,
            },
            ruleset: ruleset.clone(),
            is_simple: is_simple(ruleset, options),
        })
    }
}

impl FeatureKernel {
    /// Whether both kernels use the same features under the same rules.
    fn shares_lanes_with(&self, other: &FeatureKernel) -> bool {
        let ids = |kernel: &FeatureKernel| {
            let set = kernel.player.general.evaluator().features();
            set.map(|set| {
                set.features()
                    .iter()
                    .map(|feature| feature.id)
                    .collect::<Vec<_>>()
            })
        };
        let (one, two) = (&self.ruleset, &other.ruleset);
        (one.width, one.height, one.preview) == (two.width, two.height, two.preview)
            && one.rules.end() == two.rules.end()
            && one.randomizer_spec == two.randomizer_spec
            && self.player.general.options() == other.player.general.options()
            && ids(self) == ids(other)
            && self.player.shares_lanes_with(&other.player)
    }
}

/// Whether the game ends above the top row, its columns fit in 32-bit words, and players avoid the
/// end and score boards without full rows.
fn is_simple(ruleset: &Ruleset, options: GreedyOptions) -> bool {
    ruleset.rules.end() == Some(End::ABOVE_TOP)
        && ruleset.height <= MOST_ROWS
        && !options.may_lose
        && options.scored == Scored::AfterRemoval
}

impl Kernel {
    /// A kernel for this game and player, if there is one: on this processor, for placement games,
    /// and for evaluators that are sums of feature terms or of table entries.
    #[must_use]
    pub fn new(
        ruleset: &Ruleset,
        evaluator: &Arc<dyn Evaluator>,
        options: GreedyOptions,
    ) -> Option<Kernel> {
        if !is_available() {
            return None;
        }
        Kernel::anywhere(ruleset, evaluator, options)
    }

    /// A kernel for the two-piece player with this evaluator, under the same conditions, if the
    /// ruleset shows the next piece.
    #[must_use]
    pub fn two_piece(
        ruleset: &Ruleset,
        evaluator: &Arc<dyn Evaluator>,
        options: GreedyOptions,
    ) -> Option<Kernel> {
        let fits = ruleset.preview > 0;
        let kernel = Kernel::new(ruleset, evaluator, options).filter(|_| fits)?;
        kernel.looking_ahead(evaluator, options, SecondPieces::Next)
    }

    /// A kernel for a player that looks two pieces ahead without seeing the second: expectimax of
    /// depth 2, under the same conditions, if the ruleset does not show the next piece.
    #[must_use]
    pub fn expectimax(
        ruleset: &Ruleset,
        evaluator: &Arc<dyn Evaluator>,
        options: GreedyOptions,
    ) -> Option<Kernel> {
        let fits = ruleset.preview == 0;
        let kernel = Kernel::new(ruleset, evaluator, options).filter(|_| fits)?;
        kernel.looking_ahead(evaluator, options, SecondPieces::All)
    }

    /// Turns the kernel into one that looks two pieces ahead.
    fn looking_ahead(
        mut self,
        evaluator: &Arc<dyn Evaluator>,
        options: GreedyOptions,
        seconds: SecondPieces,
    ) -> Option<Kernel> {
        if let Some(features) = &mut self.features {
            // The next piece must not depend on earlier pieces.
            let chances = features.ruleset.randomizer().chances();
            if seconds == SecondPieces::All && chances.is_none() {
                return None;
            }
            let replies = replies(&features.ruleset, evaluator.clone(), options);
            let search = Lookahead::new(replies, Dealing::ByChance, SearchLimits::exact(2));
            features.player.ahead = Some((search, chances.unwrap_or_else(Chances::uniform)));
            return Some(self);
        }
        let fits = match evaluator.as_linear() {
            Some(linear) => weights::agree_on_moves(linear),
            // Ties are resolved with the exact weights of measures, which tables do not have.
            None => self.tables.first_wins,
        };
        self.ahead = Some((seconds, ahead::general(evaluator.clone(), options)));
        fits.then_some(self)
    }

    /// The same without checking the processor; where the instructions are missing, only
    /// `crate::simd::Plain` works.
    fn anywhere(
        ruleset: &Ruleset,
        evaluator: &Arc<dyn Evaluator>,
        options: GreedyOptions,
    ) -> Option<Kernel> {
        let randomizer = ruleset.randomizer();
        // The arena reports a game that runs out of pieces as an error; batches cannot.
        if randomizer.can_run_out() {
            return None;
        }
        Kernel::with_chances(ruleset, evaluator, options, randomizer.chances())
    }

    /// A kernel for these rules, but with these probabilities of pieces, if pieces are independent.
    fn with_chances(
        ruleset: &Ruleset,
        evaluator: &Arc<dyn Evaluator>,
        options: GreedyOptions,
        chances: Option<Chances>,
    ) -> Option<Kernel> {
        if let Some(chances) = chances.clone()
            && is_simple(ruleset, options)
            && let Some(kernel) = Kernel::special(ruleset, &**evaluator, options, chances)
        {
            return Some(kernel);
        }
        let mut features = FeatureKernel::new(ruleset, evaluator, options)?;
        features.is_simple &= chances.is_some();
        let chances = chances.unwrap_or_else(Chances::uniform);
        let mut kernel = Kernel::of(ruleset, Weights::none(1.0), options, chances, SetKind::Any);
        kernel.features = Some(features);
        Some(kernel)
    }

    /// A kernel specialised for a set of features, or for lookup tables.
    fn special(
        ruleset: &Ruleset,
        evaluator: &dyn Evaluator,
        options: GreedyOptions,
        chances: Chances,
    ) -> Option<Kernel> {
        if let Some(sum) = evaluator.as_tables() {
            let lookup = LookupWeights::new(sum, ruleset.width)?;
            let weights = Weights::none(sum.scale());
            let mut kernel = Kernel::of(ruleset, weights, options, chances, SetKind::Lookup);
            kernel.tables.lookup = Some(lookup);
            return Some(kernel);
        }
        let linear = evaluator.as_linear()?;
        if ruleset.width != linear.features().width() {
            return None;
        }
        let weights = Weights::new(linear, ruleset.height)?;
        let kind = SetKind::of(&weights)?;
        Some(Kernel::of(ruleset, weights, options, chances, kind))
    }

    fn of(
        ruleset: &Ruleset,
        weights: Weights,
        options: GreedyOptions,
        chances: Chances,
        kind: SetKind,
    ) -> Kernel {
        let ranks = PIECES.map(|piece| tie_ranks(options.ties, piece, ruleset.width));
        Kernel {
            tables: Tables::new(ruleset.width, ruleset.height, weights, ranks, chances, kind),
            ahead: None,
            features: None,
        }
    }

    /// Whether games of both kernels can be decided together in one [`Batch`], each with its own
    /// weights: if they use the same features under the same rules. Specialised kernels share no
    /// lanes, because their score tables depend on the weights.
    #[must_use]
    pub fn shares_lanes_with(&self, other: &Kernel) -> bool {
        let both = self.features.as_ref().zip(other.features.as_ref());
        both.is_some_and(|(one, other)| one.shares_lanes_with(other))
    }

    /// Whether this kernel can play [`Trajectories`].
    #[must_use]
    pub fn plays_trajectories(&self) -> bool {
        let features = self.features.as_ref();
        features.is_none_or(|kernel| kernel.is_simple && kernel.player.ahead.is_none())
    }

    /// Plays one game for each seed, as on the general path, until it ends or has `max_pieces`
    /// pieces. `stop` is called occasionally with the number of finished games and placed pieces;
    /// when it returns true, the remaining games are truncated, and those that were not started
    /// have no pieces.
    #[must_use]
    pub fn play(
        &self,
        seeds: &[u64],
        max_pieces: Option<u64>,
        stop: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Vec<KernelResult> {
        let mut results = vec![KernelResult::not_begun(self.tables.empty_board()); seeds.len()];
        if max_pieces == Some(0) {
            return results;
        }
        let mut batch = Batch::new(&[self], max_pieces);
        for (number, &seed) in seeds.iter().enumerate() {
            let (kernel, number) = (0, number as u64);
            batch.add(BatchGame { kernel, number }, seed);
        }
        while batch.play() && !stop((seeds.len() - batch.left()) as u64, batch.placed()) {}
        let ended = batch.take_ended();
        for (game, result) in ended.into_iter().chain(batch.cut_off()) {
            results[game.number as usize] = result;
        }
        results
    }

    /// The state of a game.
    fn result(&self, state: &GameState) -> KernelResult {
        let mut board = self.tables.empty_board();
        state.write_to(&mut board);
        KernelResult {
            lines: state.lines,
            pieces: state.pieces,
            line_points: state.line_points,
            finished: state.over,
            board,
        }
    }
}

//! The greedy decision of eight games at once.
//!
//! The kernel plays the same games as the greedy player on the general path, piece for piece, only sooner.
//!
//! # Layout
//!
//! A register holds one 32-bit number for each of eight *games* that wait with the same piece (`lanes`). A column of a
//! board is such a number: bit 0 is the floor, always filled, bit `r + 1` is row `r`; so a stack may be 26 rows high.
//! Beside the board stand walls, all ones.
//!
//! - `series` plays games to their end, many at a time, and hands them over to other threads; `games` holds
//!   those that are in play, and `batch` sorts them by their piece and takes the next eight.
//! - `trajectories` plays from any position until the stack leaves a window of levels.
//! - `surface` measures the eight boards: heights, holes, cells beside filled cells, rows with few cells missing.
//! - `drop` goes through the placements of the piece, shape by shape and column by column, and scores what each
//!   changes. The shape is known to the compiler. The cells beside it are three-bit numbers into `tables` of scores.
//!   `runs` adds what DT looks at.
//! - `whole` measures whole boards for the placements that change more than their surroundings: those that complete a
//!   row or close a hole from the side; less than one in a decision.
//! - `record` measures whole boards for all placements: the record player's features see the whole surface.
//! - `pairs` looks two pieces ahead: then the lanes of the second piece are the boards after the first.
//! - `alone` decides for one game by itself, its columns in the lanes, when few games are left: eight columns of a board
//!   see what one column of eight boards sees, through the same `drop`. `whole_alone` does so for whole boards.
//! - `set` says which measures each kind of player needs.
//! - `decide` takes the best, and asks the exact weights (`ties`) where rounding (`weights`) could matter.
//!
//! All of it is written once for any kind of `lanes::Lanes`: registers of AVX2 (`avx2`), or plain arrays in tests.

mod alone;
#[cfg(target_arch = "x86_64")]
mod avx2;
mod batch;
mod decide;
mod drop;
mod games;
mod lanes;
mod pairs;
mod ratings;
mod record;
mod runs;
mod series;
mod set;
mod shape;
mod surface;
mod tables;
#[cfg(test)]
mod tests;
mod ties;
mod trajectories;
mod weights;
mod whole;
mod whole_alone;

pub use series::Suspended;
pub use trajectories::{Position, Standing, Trajectories};

use crate::board::Board;
use crate::choice::{BestPair, GreedyOptions, tie_ranks};
use crate::evaluators::Linear;
use crate::outcomes::Scored;
use crate::piece::PIECES;
use crate::rules::End;
use crate::ruleset::Ruleset;
use series::{Course, STEPS_BETWEEN_LOOKS};
use set::Kind;
use std::sync::Arc;
use tables::Tables;
use weights::Weights;

#[cfg(target_arch = "x86_64")]
use avx2::Avx2 as Fastest;
#[cfg(not(target_arch = "x86_64"))]
use lanes::Plain as Fastest;

/// The highest board that fits: 32 bits hold the floor, the board, and the piece that ends the game.
const MOST_ROWS: usize = 26;

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Lines cleared.
    pub lines: u64,
    /// Pieces placed, the one that ended the game included.
    pub pieces: u64,
    /// 2^(n-1) for n lines cleared with one piece, summed up.
    pub line_points: u64,
    /// Whether the game came to its end; if not, it was cut off.
    pub finished: bool,
    /// The board as it stood at the end; before the last piece, if that one ended the game.
    pub board: Board,
}

impl GameResult {
    /// A game without a piece.
    fn not_begun(board: Board) -> GameResult {
        GameResult {
            lines: 0,
            pieces: 0,
            line_points: 0,
            finished: false,
            board,
        }
    }
}

/// A greedy player and a game for which decisions can be made eight at a time.
#[derive(Clone, Debug)]
pub struct Kernel {
    tables: Tables,
    kind: Kind,
    /// The general decision behind a kernel that looks two pieces ahead.
    two_piece: Option<BestPair>,
}

/// Whether this processor can run the kernel.
#[must_use]
pub fn is_available() -> bool {
    #[cfg(target_arch = "x86_64")]
    return avx2::Avx2::is_available();
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

impl Kernel {
    /// A kernel for this game and player, if there is one: on this processor, for the game that ends above the top row
    /// with independent pieces, and for features that the kernel knows.
    #[must_use]
    pub fn new(ruleset: &Ruleset, linear: &Linear, options: GreedyOptions) -> Option<Kernel> {
        Kernel::on_processor(is_available(), ruleset, linear, options)
    }

    /// The kernel on a processor that has the instructions for it, or none on one that has not.
    fn on_processor(
        has_lanes: bool,
        ruleset: &Ruleset,
        linear: &Linear,
        options: GreedyOptions,
    ) -> Option<Kernel> {
        if !has_lanes {
            return None;
        }
        Kernel::anywhere(ruleset, linear, options)
    }

    /// A kernel for the two-piece player with this evaluator, under the same conditions, if the ruleset shows the next piece.
    #[must_use]
    pub fn two_piece(ruleset: &Ruleset, linear: &Linear, options: GreedyOptions) -> Option<Kernel> {
        let mut kernel = Kernel::new(ruleset, linear, options)?;
        if ruleset.preview == 0 || matches!(kernel.kind, Kind::Eleven) {
            return None;
        }
        kernel.two_piece = Some(BestPair::new(Arc::new(linear.clone()), options));
        Some(kernel)
    }

    /// The same on any processor; only [`lanes::Plain`] runs there.
    fn anywhere(ruleset: &Ruleset, linear: &Linear, options: GreedyOptions) -> Option<Kernel> {
        let playable = ruleset.end == End::AboveTop
            && ruleset.height <= MOST_ROWS
            && ruleset.width == linear.features().width()
            && !options.may_lose
            && options.scored == Scored::AfterRemoval;
        if !playable {
            return None;
        }
        let chances = ruleset.randomizer().chances()?;
        let features = linear.features().features();
        let ids: Vec<&str> = features.iter().map(|feature| feature.id).collect();
        let weights = Weights::new(linear, &ids, ruleset.height)?;
        let kind = Kind::of(&weights)?;
        let ranks = PIECES.map(|piece| tie_ranks(options.ties, piece, ruleset.width));
        let tables = Tables::new(ruleset.width, ruleset.height, weights, ranks, chances);
        Some(Kernel {
            tables,
            kind,
            two_piece: None,
        })
    }

    /// Plays one game for each seed, as the game of that seed would go on the general path, until it ends or has `max_pieces` pieces.
    /// `stop` is told now and then how many games have ended and how many pieces were placed; when it says so, games that
    /// still go on are cut off, and those that were not begun have no pieces.
    #[must_use]
    pub fn play(
        &self,
        seeds: &[u64],
        max_pieces: Option<u64>,
        stop: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Vec<GameResult> {
        let empty = self.tables.empty_board();
        if max_pieces == Some(0) {
            return vec![GameResult::not_begun(empty); seeds.len()];
        }
        let course = Course::<Fastest>::new(self, max_pieces.unwrap_or(u64::MAX));
        course.play_all(seeds, empty, stop)
    }
}

/// Games that are played to their end, or to a number of pieces, many side by side. They may change hands on the
/// way: a series whose owner has company gives some of its games to the series of another thread.
pub struct Series<'k> {
    course: Course<'k, Fastest>,
}

impl<'k> Series<'k> {
    /// No games yet, each to have at most so many pieces.
    ///
    /// # Panics
    /// When games of no pieces are asked for.
    #[must_use]
    pub fn new(kernel: &'k Kernel, max_pieces: Option<u64>) -> Series<'k> {
        assert_ne!(max_pieces, Some(0), "a game has at least one piece");
        Series {
            course: Course::new(kernel, max_pieces.unwrap_or(u64::MAX)),
        }
    }

    /// Adds the game of a seed, as it would begin on the general path, under a number of the caller's.
    pub fn add(&mut self, number: u64, seed: u64) {
        self.course.add(number, seed);
    }

    /// Adds a game that another series of the same kernel gave away.
    pub fn resume(&mut self, game: Suspended) {
        self.course.resume(game);
    }

    /// Plays for some thousandths of a second at most; whether there are games left.
    pub fn play_a_while(&mut self) -> bool {
        self.course.play(STEPS_BETWEEN_LOOKS)
    }

    /// How many games have not ended.
    #[must_use]
    pub fn left(&self) -> usize {
        self.course.left()
    }

    /// How many games wait until one in play ends.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.course.waiting()
    }

    /// How many pieces this series has placed.
    #[must_use]
    pub fn placed(&self) -> u64 {
        self.course.placed()
    }

    /// The games that have ended since this was last asked, with their numbers.
    pub fn take_ended(&mut self) -> Vec<(u64, GameResult)> {
        self.course.take_ended()
    }

    /// Gives up to so many games away.
    pub fn give(&mut self, count: usize) -> Vec<Suspended> {
        self.course.give(count)
    }

    /// Ends all games that are left where they stand; those without a piece are not among them.
    #[must_use]
    pub fn cut_off(self) -> Vec<(u64, GameResult)> {
        self.course.cut_off()
    }
}

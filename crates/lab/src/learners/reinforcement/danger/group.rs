//! Eight games played side by side, which record the boards of their trajectories.

use super::ancestors::AncestorPool;
use super::draw_piece;
use super::settings::DangerSettings;
use super::weights::Rounded;
use crate::context::CancelToken;
use std::sync::Arc;
use tetrolab_core::board::Board;
use tetrolab_core::choice::{BestPlacement, GreedyOptions};
use tetrolab_core::ends::End;
use tetrolab_core::evaluators::Evaluator;
use tetrolab_core::kernel::{Afterstates, BestAfters, KernelBoard};
use tetrolab_core::outcomes::DecisionContext;
use tetrolab_core::piece::PIECES;
use tetrolab_core::rng::Rng;
use tetrolab_core::rules::Rules;

const LANES: usize = Afterstates::TOGETHER;
/// The probability that a piece of tilted play is drawn as in the game.
const UNTILTED: f64 = 0.15;
/// Number of pieces drawn naturally before tilted play: at least this many, plus a random number
/// below it.
const NATURAL: u64 = 5;
const MORE_NATURAL: u64 = 20;
/// The maximum number of pieces after the start of tilted play, and after an ancestor.
const MOST_DRAWN: u64 = 200;
const MOST_FROM_ANCESTOR: u64 = 80;
/// Play with tilted pieces, or from an ancestor, continues for at least this many pieces before it
/// may end because the board is [`NEARLY_USUAL`].
const LEAST_DRAWN: u64 = 40;
const LEAST_FROM_ANCESTOR: u64 = 4;
/// A board is nearly usual if its danger, a logarithm, exceeds the usual one by at most this much.
/// Trajectories from ancestors may end slightly earlier, because their boards were selected for
/// their danger.
const NEARLY_USUAL: f32 = 1.5;
const NEARLY_USUAL_FROM_ANCESTOR: f32 = 2.0;
/// The probability that, after a death on a lower board, the ceiling is raised and play continues.
const RISES: f64 = 0.6;

/// A board of a trajectory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visited {
    pub(super) stack: KernelBoard,
    /// The log danger after the best placement of each piece; 0 if every placement loses, NaN for a
    /// piece that is impossible or was not evaluated.
    dangers: [f32; 7],
    /// The piece that was played.
    piece: u8,
    /// Whether the piece was drawn as in the game, on a board of the game's height.
    pub(super) is_usual: bool,
}

impl Visited {
    /// The log danger implied by the following boards: the mean over the pieces, where the value
    /// for the piece played is replaced by the actual outcome.
    pub(super) fn target(
        &self,
        follows: Option<f64>,
        settings: &DangerSettings,
        chances: &[f64; 7],
    ) -> f64 {
        let (mut sum, mut whole) = (0.0, 0.0);
        let highest = self.dangers.iter().copied().filter(|one| !one.is_nan());
        let highest = f64::from(highest.fold(f32::NEG_INFINITY, f32::max));
        for (piece, danger) in self.dangers.iter().enumerate() {
            if danger.is_nan() {
                continue;
            }
            let mut relative = libm::exp(f64::from(*danger) - highest);
            if let Some(follows) = follows
                && piece == usize::from(self.piece)
            {
                let other = libm::exp((follows - highest).min(5.0));
                relative += settings.lambda * (other - relative);
            }
            sum += chances[piece] * relative;
            whole += chances[piece];
        }
        highest + libm::log(settings.gamma() * sum / whole)
    }
}

/// How the pieces of a game are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
enum PieceDraw {
    /// As in the game.
    Naturally,
    /// In proportion to this power of the danger after them.
    ByDanger(f64),
}

/// One of the games.
struct Way {
    stack: KernelBoard,
    visited: Vec<Visited>,
    /// Number of pieces that are drawn naturally at the start, and the maximum length of a
    /// trajectory.
    natural: u64,
    most: u64,
    drawn: PieceDraw,
    from_ancestor: bool,
    /// For each height, starting with the lowest, the current board of natural play.
    standing: Vec<KernelBoard>,
}

/// Eight games.
pub(super) struct GameGroup {
    rng: Rng,
    ways: Vec<Way>,
    afterstates: Afterstates,
    found: Box<BestAfters>,
    behaviour: BestPlacement,
    width: usize,
    heights: std::ops::RangeInclusive<usize>,
    /// Completed trajectories.
    pub(super) finished: Vec<Vec<Visited>>,
    pub(super) games: u64,
}

/// State shared by all groups while they play.
pub(super) struct PlayContext<'a> {
    pub(super) cancel: &'a CancelToken,
    pub(super) settings: &'a DangerSettings,
    pub(super) chances: &'a [f64; 7],
    pub(super) fast: &'a Rounded,
    pub(super) slow: &'a Rounded,
    pub(super) pool: &'a AncestorPool,
    pub(super) usual: f32,
    pub(super) is_warm_start: bool,
}

impl GameGroup {
    pub(super) fn new(
        seed: u64,
        afterstates: Afterstates,
        behaviour: Arc<dyn Evaluator>,
        width: usize,
        heights: std::ops::RangeInclusive<usize>,
    ) -> GameGroup {
        let empty =
            |height| KernelBoard::new(&Board::new(width, height).expect("a height of a board"));
        let way = || Way {
            stack: empty(*heights.end()),
            visited: Vec::new(),
            natural: 0,
            most: 0,
            drawn: PieceDraw::Naturally,
            from_ancestor: false,
            standing: heights.clone().map(empty).collect(),
        };
        GameGroup {
            rng: Rng::new(seed),
            ways: (0..LANES).map(|_| way()).collect(),
            afterstates,
            found: Box::default(),
            behaviour: BestPlacement::new(behaviour, GreedyOptions::default()),
            width,
            heights: heights.clone(),
            finished: Vec::new(),
            games: 0,
        }
    }

    /// Plays some pieces in every game.
    pub(super) fn play(&mut self, around: &PlayContext<'_>, pieces: u64) {
        // Plays with the averaged weights for some of the games, with the latest weights for the
        // others.
        let calm = self.rng.unit() < around.settings.calm;
        let by = if calm { around.slow } else { around.fast };
        for _ in 0..pieces {
            if around.cancel.is_cancelled() {
                return;
            }
            for lane in 0..LANES {
                if self.ways[lane].most == 0 {
                    self.begin(lane, around);
                }
            }
            if around.is_warm_start {
                self.follow_behaviour(around);
            } else {
                self.place(by, around);
            }
        }
    }

    /// Ends all games.
    pub(super) fn rest(&mut self) {
        for lane in 0..LANES {
            self.end(lane);
        }
    }

    /// Starts a trajectory: on a board of natural play with some height, or on an ancestor of
    /// deaths.
    fn begin(&mut self, lane: usize, around: &PlayContext<'_>) {
        let (settings, rng) = (around.settings, &mut self.rng);
        let way = &mut self.ways[lane];
        self.games += 1;
        let ancestor = if !around.is_warm_start && rng.unit() < settings.ancestors {
            around.pool.draw(rng)
        } else {
            None
        };
        let tilts = rng.unit() < settings.tilted && settings.tilt > 0.0 && !around.is_warm_start;
        way.drawn = if tilts {
            PieceDraw::ByDanger(settings.tilt * libm::sqrt(rng.unit()))
        } else {
            PieceDraw::Naturally
        };
        if let Some(ancestor) = ancestor {
            way.from_ancestor = true;
            way.stack = ancestor;
            (way.natural, way.most) = (0, MOST_FROM_ANCESTOR);
            return;
        }
        way.from_ancestor = false;
        let (lowest, highest) = (*self.heights.start(), *self.heights.end());
        let height = if rng.unit() < settings.full {
            highest
        } else {
            lowest + rng.below((highest - lowest + 1) as u64) as usize
        };
        way.stack = way.standing[height - lowest];
        way.natural = NATURAL + rng.below(MORE_NATURAL);
        way.most = way.natural + MOST_DRAWN;
    }

    /// Ends a trajectory, and keeps its boards.
    fn end(&mut self, lane: usize) {
        let way = &mut self.ways[lane];
        way.most = 0;
        if !way.visited.is_empty() {
            self.finished.push(std::mem::take(&mut way.visited));
        }
    }

    /// Places one piece in every game where the danger is smallest according to some weights;
    /// dangers are those of the latest weights.
    fn place(&mut self, by: &Rounded, around: &PlayContext<'_>) {
        let stacks: [KernelBoard; LANES] = std::array::from_fn(|lane| self.ways[lane].stack);
        let pieces = around.chances.map(|chance| chance > 0.0);
        let found = &mut *self.found;
        self.afterstates
            .search(&stacks, &pieces, by.weights(), found);
        let mut dangers = [[f32::NAN; 7]; LANES];
        for (piece, after) in found.iter().enumerate().filter(|row| pieces[row.0]) {
            let best: [KernelBoard; LANES] =
                std::array::from_fn(|lane| after[lane].map_or(stacks[lane], |best| best.stack));
            let sums = if std::ptr::eq(by, around.fast) {
                std::array::from_fn(|lane| after[lane].map_or(0, |best| best.score))
            } else {
                self.afterstates.scores(&best, around.fast.weights())
            };
            for lane in 0..LANES {
                // A danger is at most 1.
                let danger = around.fast.danger(sums[lane]).min(0.0);
                dangers[lane][piece] = if after[lane].is_some() { danger } else { 0.0 };
            }
        }
        for (lane, dangers) in dangers.iter().enumerate() {
            let piece = self.draw(lane, dangers, around.chances);
            let after = self.found[piece][lane].map(|best| best.stack);
            self.step(lane, piece, *dangers, after, around);
        }
    }

    /// Draws the next piece of a game.
    fn draw(&mut self, lane: usize, dangers: &[f32; 7], chances: &[f64; 7]) -> usize {
        let way = &self.ways[lane];
        let is_natural = (way.visited.len() as u64) < way.natural;
        let mut chances = *chances;
        if let PieceDraw::ByDanger(power) = way.drawn
            && !is_natural
            && self.rng.unit() >= UNTILTED
        {
            let known = dangers.iter().copied().filter(|danger| !danger.is_nan());
            let highest = known.fold(f32::NEG_INFINITY, f32::max);
            for (chance, danger) in chances.iter_mut().zip(dangers) {
                if *chance > 0.0 {
                    *chance = libm::exp(power * f64::from(danger - highest));
                }
            }
        }
        draw_piece(&chances, &mut self.rng)
    }

    /// Places one piece in every game as the behaviour policy does.
    fn follow_behaviour(&mut self, around: &PlayContext<'_>) {
        for lane in 0..LANES {
            let piece = self.draw(lane, &[0.0; 7], around.chances);
            let board = self.ways[lane].stack.board(self.width);
            let best = self
                .behaviour
                .best(&DecisionContext::simple(&board, PIECES[piece]));
            let after = (!best.game_over).then(|| {
                let placed = Rules::Drops(End::ABOVE_TOP).step(&board, best.placement, None, 0);
                KernelBoard::new(&placed.after)
            });
            let mut dangers = [f32::NAN; 7];
            dangers[piece] = 0.0;
            if let Some(after) = after {
                let sums = self
                    .afterstates
                    .scores(&[after; LANES], around.fast.weights());
                dangers[piece] = around.fast.danger(sums[0]).min(0.0);
            }
            self.step(lane, piece, dangers, after, around);
        }
    }

    /// Moves to the board after a piece, or ends the trajectory if there is no such board.
    fn step(
        &mut self,
        lane: usize,
        piece: usize,
        dangers: [f32; 7],
        after: Option<KernelBoard>,
        around: &PlayContext<'_>,
    ) {
        let (lowest, highest) = (*self.heights.start(), *self.heights.end());
        let way = &mut self.ways[lane];
        let steps = way.visited.len() as u64;
        let is_natural = steps < way.natural;
        let height = way.stack.height();
        way.visited.push(Visited {
            stack: way.stack,
            dangers,
            piece: piece as u8,
            is_usual: is_natural && height == highest && !way.from_ancestor,
        });
        let Some(after) = after else {
            let stack = way.stack;
            if !way.from_ancestor && is_natural {
                let empty = Board::new(self.width, height).expect("a height of a board");
                way.standing[height - lowest] = KernelBoard::new(&empty);
            }
            self.end(lane);
            if height < highest && self.rng.unit() < RISES {
                self.rise(lane, stack);
            }
            return;
        };
        way.stack = after;
        if way.natural == steps + 1 && !way.from_ancestor {
            way.standing[height - lowest] = after;
        }
        let (least, nearly) = if way.from_ancestor {
            (LEAST_FROM_ANCESTOR, NEARLY_USUAL_FROM_ANCESTOR)
        } else {
            (way.natural + LEAST_DRAWN, NEARLY_USUAL)
        };
        let is_usual = height == highest && steps > least && dangers[piece] < around.usual + nearly;
        if is_usual || steps + 1 >= way.most {
            // Natural play continues from here next time.
            if way.drawn == PieceDraw::Naturally && !way.from_ancestor {
                way.standing[height - lowest] = after;
            }
            self.end(lane);
        }
    }

    /// Continues with a lost stack on a higher board.
    fn rise(&mut self, lane: usize, stack: KernelBoard) {
        let highest = *self.heights.end();
        let height = (stack.height() + 2 + self.rng.below(3) as usize).min(highest);
        if let Some(stack) = stack.on_height(height) {
            let way = &mut self.ways[lane];
            way.stack = stack;
            way.drawn = PieceDraw::Naturally;
            (way.natural, way.most) = (0, MOST_DRAWN);
            way.from_ancestor = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> DangerSettings {
        let spec = text.parse().unwrap();
        let settings = tetrolab_core::settings::Settings::new(DangerSettings::SETTINGS, &[], &spec);
        DangerSettings::read(&settings.unwrap())
    }

    fn visited(dangers: [f32; 7], piece: u8) -> Visited {
        Visited {
            stack: KernelBoard::new(&Board::new(4, 6).unwrap()),
            dangers,
            piece,
            is_usual: false,
        }
    }

    #[test]
    fn a_target_is_the_discounted_mean_over_the_possible_pieces() {
        let log = |number: f64| libm::log(number) as f32;
        // I is twice as likely as O; other pieces are impossible.
        let chances = [2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let settings = settings("danger(horizon=10,lambda=0.5)");
        let nothing = f32::NAN;
        let dangers = [log(0.1), 0.0, nothing, nothing, nothing, nothing, nothing];
        let target = |follows| libm::exp(visited(dangers, 0).target(follows, &settings, &chances));
        let mean = 0.9 * (2.0 * 0.1 + 1.0) / 3.0;
        assert!((target(None) - mean).abs() < 1e-6);
        // I was played, and the outcome was three times as bad; half of that counts.
        let mean = 0.9 * (2.0 * 0.2 + 1.0) / 3.0;
        assert!((target(Some(libm::log(0.3))) - mean).abs() < 1e-6);
    }

    #[test]
    fn a_piece_that_ends_the_game_has_danger_1() {
        let settings = settings("danger(horizon=4)");
        let target = visited([0.0; 7], 3).target(None, &settings, &[1.0; 7]);
        assert!((libm::exp(target) - 0.75).abs() < 1e-9);
    }
}

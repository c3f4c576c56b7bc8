//! Ancestors of deaths: the boards that matter most to a learner, and that play rarely reaches.
//!
//! A small splitting run uses the danger learned so far as its importance function. The boards on
//! the paths of trajectories that die, back to the first level, are the ancestors of these deaths,
//! and the learner starts games from them. Passes are weighted by the square root of their death
//! rate.

use super::draw_piece;
use super::weights::Rounded;
use crate::context::CancelToken;
use crate::library::safetensors::Tensors;
use std::collections::VecDeque;
use tetrolab_core::board::Board;
use tetrolab_core::kernel::{Afterstates, BestAfter, BestAfters, KernelBoard};
use tetrolab_core::rng::Rng;

const LANES: usize = Afterstates::TOGETHER;
/// Number of passes that are kept.
const PASSES: usize = 24;
/// Chains that sample typical stacks: number of chains, of ignored pieces, and of recorded pieces.
const CHAINS: usize = 64;
const SETTLING: usize = 150;
const LOOKED_AT: usize = 100;
const CLIMBED: usize = 400;
/// The share of the time that the stack is in the base set, and the share that it is below the
/// first level.
const IN_BASE: f64 = 0.7;
const BELOW_FIRST: f64 = 0.8;
/// The distance between two levels, as a logarithm.
const BETWEEN_LEVELS: f32 = 1.0;
/// The danger above which death is the only next level.
const LAST_LEVEL: f32 = -0.5;
/// The maximum number of levels in a pass, and of pieces in a trajectory between two of them.
const MOST_LEVELS: usize = 100;
const LONGEST: usize = 2000;
/// The maximum number of boards kept per level.
const MOST_KEPT: usize = 60;

/// The ancestors that one pass has found.
#[derive(Clone, Debug)]
pub(super) struct Ancestors {
    /// Approximate number of deaths per piece.
    rate: f64,
    /// The boards of each level.
    levels: Vec<Vec<KernelBoard>>,
}

/// The ancestors of the last passes.
#[derive(Clone, Debug, Default)]
pub(super) struct AncestorPool {
    passes: VecDeque<Ancestors>,
}

impl AncestorPool {
    pub(super) fn add(&mut self, found: Ancestors) {
        if self.passes.len() == PASSES {
            self.passes.pop_front();
        }
        self.passes.push_back(found);
    }

    /// A random board, where all levels are equally likely.
    pub(super) fn draw(&self, rng: &mut Rng) -> Option<KernelBoard> {
        let weight = |pass: &Ancestors| libm::sqrt(pass.rate);
        let mut left = rng.unit() * self.passes.iter().map(weight).sum::<f64>();
        let drawn = self.passes.iter().find(|pass| {
            left -= weight(pass);
            left < 0.0
        });
        let pass = drawn.or(self.passes.back())?;
        let level = &pass.levels[rng.below(pass.levels.len() as u64) as usize];
        Some(level[rng.below(level.len() as u64) as usize])
    }

    pub(super) fn save(&self, tensors: &mut Tensors, width: usize) {
        let words: Vec<String> = self.passes.iter().map(Ancestors::head).collect();
        tensors.say("ancestors", &words.join(";"));
        let stacks = self.passes.iter().flat_map(|pass| &pass.levels).flatten();
        let columns = stacks.flat_map(|stack| stack.columns(width));
        // A column of up to 24 rows is a number that a 32-bit float can represent exactly; for
        // higher columns, the upper part follows separately.
        let numbers: Vec<f32> = columns
            .flat_map(|column| [(column & 0xFFFF) as f32, (column >> 16) as f32])
            .collect();
        tensors.add("ancestors", &[numbers.len()], numbers);
    }

    pub(super) fn restore(&mut self, tensors: &Tensors, width: usize, height: usize) -> Option<()> {
        let numbers = &tensors.find("ancestors")?.numbers;
        let mut boards = numbers.chunks(2 * width).map(|columns| {
            let mut board = Board::new(width, height).ok()?;
            for (column, halves) in columns.chunks(2).enumerate() {
                let cells = halves[0] as u32 | (*halves.get(1)? as u32) << 16;
                let filled = (0..height).filter(|row| cells >> row & 1 == 1);
                filled.for_each(|row| board.fill(row, column));
            }
            (board.full_rows() == 0).then(|| KernelBoard::new(&board))
        });
        self.passes.clear();
        let words = tensors.word("ancestors")?;
        for word in words.split(';').filter(|word| !word.is_empty()) {
            let mut parts = word.split(',');
            let rate = f64::from_bits(parts.next()?.parse().ok()?);
            let mut levels = Vec::new();
            for count in parts {
                let count: usize = count.parse().ok()?;
                let level: Option<Vec<KernelBoard>> = boards.by_ref().take(count).collect();
                levels.push(level.filter(|level| level.len() == count && count > 0)?);
            }
            (rate.is_finite() && !levels.is_empty()).then_some(())?;
            self.passes.push_back(Ancestors { rate, levels });
        }
        Some(())
    }
}

impl Ancestors {
    /// The rate, and the number of boards of each level.
    fn head(&self) -> String {
        let counts = self.levels.iter().map(|level| format!(",{}", level.len()));
        self.rate.to_bits().to_string() + &counts.collect::<String>()
    }
}

/// One pass: splitting with the danger of some weights.
pub(super) struct AncestorPass<'a> {
    pub(super) afterstates: &'a mut Afterstates,
    pub(super) by: &'a Rounded,
    pub(super) chances: &'a [f64; 7],
    pub(super) empty: KernelBoard,
    pub(super) trajectories: usize,
    pub(super) rng: Rng,
    pub(super) cancel: &'a CancelToken,
}

/// A board on the path of a trajectory.
struct Ancestor {
    stack: KernelBoard,
    /// The index of the board's parent.
    parent: Option<usize>,
    level: usize,
}

/// The end of a trajectory.
#[derive(Clone, Copy)]
enum ClimbEnd {
    Up(KernelBoard),
    /// On this board, all placements of the drawn piece lost.
    Dead(KernelBoard),
    Back,
}

impl AncestorPass<'_> {
    /// The ancestors of the deaths that were found, if there were any.
    pub(super) fn find(&mut self) -> Option<Ancestors> {
        let (starts, base, first) = self.usual();
        let (entered, pieces) = self.enter(starts, base, first);
        if entered.is_empty() {
            return None;
        }
        let mut chance = entered.len() as f64 / pieces as f64;
        let mut rate = 0.0;
        let mut nodes: Vec<Ancestor> = Vec::new();
        let mut starts: Vec<usize> = Vec::new();
        let add = |nodes: &mut Vec<Ancestor>, stack, parent, level| {
            nodes.push(Ancestor {
                stack,
                parent,
                level,
            });
            nodes.len() - 1
        };
        for stack in entered {
            let node = add(&mut nodes, stack, None, 0);
            starts.push(node);
        }
        let mut deaths: Vec<usize> = Vec::new();
        for level in 1..MOST_LEVELS {
            let next = first + BETWEEN_LEVELS * level as f32;
            let next = if next > LAST_LEVEL {
                f32::INFINITY
            } else {
                next
            };
            let count = self.trajectories;
            let from: Vec<usize> = (0..count).map(|k| starts[k % starts.len()]).collect();
            let stacks = from.iter().map(|node| nodes[*node].stack).collect();
            let ends = self.climb(stacks, base, next);
            let (mut up, mut dead) = (Vec::new(), 0);
            for (node, end) in from.into_iter().zip(ends) {
                match end {
                    ClimbEnd::Up(stack) => up.push(add(&mut nodes, stack, Some(node), level)),
                    ClimbEnd::Dead(stack) => {
                        deaths.push(add(&mut nodes, stack, Some(node), level));
                        dead += 1;
                    }
                    ClimbEnd::Back => {}
                }
            }
            rate += chance * f64::from(dead) / count as f64;
            chance *= up.len() as f64 / count as f64;
            if up.is_empty() {
                break;
            }
            // Shuffles, so that each is equally likely to be continued.
            for k in (1..up.len()).rev() {
                up.swap(k, self.rng.below(k as u64 + 1) as usize);
            }
            starts = up;
        }
        self.collect(&nodes, &deaths, rate)
    }

    /// Traces deaths back to the first level.
    fn collect(&mut self, nodes: &[Ancestor], deaths: &[usize], rate: f64) -> Option<Ancestors> {
        let mut is_ancestor = vec![false; nodes.len()];
        for &death in deaths {
            let mut at = Some(death);
            while let Some(node) = at.filter(|node| !is_ancestor[*node]) {
                is_ancestor[node] = true;
                at = nodes[node].parent;
            }
        }
        let mut levels: Vec<Vec<KernelBoard>> = Vec::new();
        for (node, is_ancestor) in nodes.iter().zip(is_ancestor) {
            if is_ancestor {
                levels.resize(levels.len().max(node.level + 1), Vec::new());
                let level = &mut levels[node.level];
                if level.len() < MOST_KEPT {
                    level.push(node.stack);
                } else {
                    level[self.rng.below(MOST_KEPT as u64) as usize] = node.stack;
                }
            }
        }
        levels.retain(|level| !level.is_empty());
        (rate > 0.0 && !levels.is_empty()).then_some(Ancestors { rate, levels })
    }

    /// Typical boards: those of the base set, its most dangerous ones, and the first level.
    fn usual(&mut self) -> (Vec<KernelBoard>, f32, f32) {
        let empty = self.empty;
        let mut stacks = vec![empty; CHAINS];
        let mut placed = vec![0; CHAINS];
        let mut dangers: Vec<f32> = Vec::new();
        let by = self.by;
        self.run(vec![empty; CHAINS], |chain, _, after| {
            placed[chain] += 1;
            let next = after.map_or(empty, |after| after.stack);
            if let Some(after) = after.filter(|_| placed[chain] > SETTLING) {
                dangers.push(by.danger(after.score));
            }
            stacks[chain] = next;
            (placed[chain] < SETTLING + LOOKED_AT).then_some(next)
        });
        dangers.sort_by(f32::total_cmp);
        let quantile = |share: f64| {
            let place = (dangers.len() as f64 * share) as usize;
            dangers.get(place).copied().unwrap_or(f32::NEG_INFINITY)
        };
        (stacks, quantile(IN_BASE), quantile(BELOW_FIRST))
    }

    /// Boards on which stacks first reach the first level from the base set, and the number of
    /// pieces that this took.
    fn enter(
        &mut self,
        chains: Vec<KernelBoard>,
        base: f32,
        first: f32,
    ) -> (Vec<KernelBoard>, usize) {
        let (empty, by) = (self.empty, self.by);
        let mut placed = vec![0; CHAINS];
        let mut was_in_base = [false; CHAINS];
        let mut entered = Vec::new();
        self.run(chains, |chain, _, after| {
            placed[chain] += 1;
            match after {
                None => was_in_base[chain] = true,
                Some(after) if by.danger(after.score) <= base => was_in_base[chain] = true,
                Some(after) if by.danger(after.score) >= first && was_in_base[chain] => {
                    was_in_base[chain] = false;
                    entered.push(after.stack);
                }
                Some(_) => {}
            }
            let next = after.map_or(empty, |after| after.stack);
            (placed[chain] < CLIMBED).then_some(next)
        });
        (entered, CHAINS * CLIMBED)
    }

    /// Plays from each of some boards until the game returns to the base set, reaches the next
    /// level, or ends.
    fn climb(&mut self, starts: Vec<KernelBoard>, base: f32, next: f32) -> Vec<ClimbEnd> {
        let by = self.by;
        let mut ends = vec![ClimbEnd::Back; starts.len()];
        let mut placed = vec![0; starts.len()];
        self.run(starts, |trajectory, before, after| {
            placed[trajectory] += 1;
            let Some(after) = after else {
                ends[trajectory] = ClimbEnd::Dead(before);
                return None;
            };
            let danger = by.danger(after.score);
            if danger >= next {
                ends[trajectory] = ClimbEnd::Up(after.stack);
                return None;
            }
            let continues = danger > base && placed[trajectory] < LONGEST;
            continues.then_some(after.stack)
        });
        ends
    }

    /// Plays many games, eight with the same piece at a time. After each piece, `on_step` receives
    /// the number of the game, the board before the piece, and the best board after it unless every
    /// placement loses. It returns the board on which the game continues, if it does.
    fn run(
        &mut self,
        mut stacks: Vec<KernelBoard>,
        mut on_step: impl FnMut(usize, KernelBoard, Option<BestAfter>) -> Option<KernelBoard>,
    ) {
        let mut waiting: [Vec<usize>; 7] = Default::default();
        for game in 0..stacks.len() {
            waiting[self.draw()].push(game);
        }
        let mut found = Box::<BestAfters>::default();
        loop {
            let longest = (0..7).max_by_key(|piece| waiting[*piece].len());
            let piece = longest.unwrap_or(0);
            let queue = &mut waiting[piece];
            if queue.is_empty() || self.cancel.is_cancelled() {
                return;
            }
            let games = queue.split_off(queue.len().saturating_sub(LANES));
            let eight = std::array::from_fn(|lane| stacks[games[lane.min(games.len() - 1)]]);
            let mut pieces = [false; 7];
            pieces[piece] = true;
            let weights = self.by.weights();
            self.afterstates
                .search(&eight, &pieces, weights, &mut found);
            for (lane, game) in games.into_iter().enumerate() {
                if let Some(next) = on_step(game, stacks[game], found[piece][lane]) {
                    stacks[game] = next;
                    waiting[self.draw()].push(game);
                }
            }
        }
    }

    fn draw(&mut self) -> usize {
        draw_piece(self.chances, &mut self.rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: &[&str]) -> KernelBoard {
        KernelBoard::new(&Board::from_lowest_rows(4, 6, rows).unwrap())
    }

    #[test]
    fn ancestors_are_the_same_after_they_were_saved() {
        let mut pool = AncestorPool::default();
        for pass in 1..30 {
            pool.add(Ancestors {
                rate: 1.0 / f64::from(pass),
                levels: vec![vec![board(&["#..#"]); 2], vec![board(&["##.."])]],
            });
        }
        assert_eq!(pool.passes.len(), PASSES);
        let mut tensors = Tensors::default();
        pool.save(&mut tensors, 4);
        let tensors = Tensors::parse(&tensors.bytes()).unwrap();
        let mut restored = AncestorPool::default();
        restored.restore(&tensors, 4, 6).unwrap();
        let draws = |pool: &AncestorPool| {
            let mut rng = Rng::new(3);
            (0..50)
                .map(|_| pool.draw(&mut rng).unwrap().columns(4))
                .collect::<Vec<_>>()
        };
        assert_eq!(draws(&restored), draws(&pool));
        assert!(restored.restore(&tensors, 5, 6).is_none());
        assert!(AncestorPool::default().draw(&mut Rng::new(1)).is_none());
    }

    #[test]
    fn ancestors_of_a_pass_lead_from_the_first_level_to_deaths() {
        let size = tetrolab_core::lookup::BoardSize {
            width: 6,
            height: 8,
        };
        let set =
            tetrolab_core::lookup::TableSet::find("cross(first=rows-left,second=holes)", size);
        let set = set.unwrap();
        // Every empty row at the top and the absence of a hole add to the score.
        let weights: Vec<f32> = (0..set.entries())
            .map(|entry| (entry / 19) as f32 - (entry % 19) as f32)
            .collect();
        let by = Rounded::new(
            &weights.iter().map(|weight| -weight).collect::<Vec<_>>(),
            -4.0,
        );
        let mut afterstates = Afterstates::new(&set, None);
        let mut pass = AncestorPass {
            afterstates: &mut afterstates,
            by: &by,
            chances: &[1.0; 7],
            empty: KernelBoard::new(&Board::new(6, 8).unwrap()),
            trajectories: 50,
            rng: Rng::new(1),
            cancel: &CancelToken::new(),
        };
        let found = pass.find().unwrap();
        assert!(found.rate > 1e-4 && found.rate < 1.0, "{}", found.rate);
        assert!(found.levels.len() > 1);
        assert!(
            found
                .levels
                .iter()
                .all(|level| !level.is_empty() && level.len() <= MOST_KEPT)
        );
    }
}

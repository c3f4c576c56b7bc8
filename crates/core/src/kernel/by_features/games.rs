//! Whole games whose decisions are made eight at a time.

use super::pairs::{PairDecisions, PairPlayer, Pairs};
use super::plan::{FeaturePlan, FeatureWeights};
use super::rater::{Decisions, LanePositions, Placed, Rater};
use crate::board::Board;
use crate::choice::{BestPlacement, Lookahead};
use crate::game::{Game, Status};
use crate::kernel::KernelResult;
use crate::outcomes::DecisionContext;
use crate::piece::PIECES;
use crate::placement::Placement;
use crate::randomizers::Chances;
use crate::simd::LANES;
use std::sync::Arc;

/// A player: its weights, and its decisions on the general path.
#[derive(Clone, Debug)]
pub(crate) struct FeaturePlayer {
    pub(crate) weights: Arc<FeatureWeights>,
    pub(crate) general: BestPlacement,
    /// The search of a player that looks two pieces ahead, whose last ply is decided eight at a
    /// time, and the probabilities of the hidden pieces.
    pub(crate) ahead: Option<(Lookahead, Chances)>,
}

impl FeaturePlayer {
    /// Whether games of both players can share lanes if they have the same plan: whether their
    /// terms are of the same kinds.
    pub(crate) fn shares_lanes_with(&self, other: &FeaturePlayer) -> bool {
        let rows = |player: &FeaturePlayer| {
            let tables = player.weights.tables.iter();
            tables.map(|table| table.0).collect::<Vec<usize>>()
        };
        self.ahead.is_none() && other.ahead.is_none() && rows(self) == rows(other)
    }

    /// Chooses a placement on the general path, or by looking ahead.
    fn choose(&mut self, general: &mut BestPlacement, game: &Game) -> Placement {
        let view = game.view();
        let decision = DecisionContext::from(&view);
        match &mut self.ahead {
            None => {
                general.set_evaluator(self.general.evaluator());
                general.best(&decision).placement
            }
            Some((search, chances)) => {
                let best = search.best(&decision, view.queue, chances, &|_| ());
                best.step.transition.placement
            }
        }
    }
}

/// A game in its slot.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    pub(crate) game: Game,
    /// The player that plays it.
    pub(crate) player: usize,
    /// The board before the piece that ended the game.
    before_end: Option<Board>,
}

impl Running {
    pub(crate) fn new(game: Game, player: usize) -> Running {
        Running {
            game,
            player,
            before_end: None,
        }
    }

    /// The result of the game so far.
    pub(crate) fn result(&self) -> KernelResult {
        let game = &self.game;
        KernelResult {
            lines: game.lines(),
            pieces: game.pieces(),
            line_points: game.line_points(),
            finished: game.status() == Status::Over,
            board: self.before_end.unwrap_or(*game.board()),
        }
    }
}

/// Games in slots. Games that wait with the same piece are decided together, even if their players
/// differ.
pub(crate) struct Games {
    players: Vec<FeaturePlayer>,
    /// Decisions on the general path for all players, which share scratch space.
    general: BestPlacement,
    games: Vec<Option<Running>>,
    /// For each piece, the slots of the games that wait with it.
    queues: [Vec<u8>; 7],
    rater: Rater,
    /// The two-piece search, if the players use it and all features can be measured in lanes.
    pairs: Option<Pairs>,
    /// Whether players look ahead by the general path's search.
    searches: bool,
    /// A game pauses after this many pieces, and after every later piece.
    pause_at: u64,
    /// The slots of the games that ended or paused in the last step.
    resting: Vec<u8>,
}

impl Games {
    /// Starts without games, for one or more players. A game pauses once it has `pause_at` pieces.
    pub(crate) fn new(
        plan: Arc<FeaturePlan>,
        players: Vec<FeaturePlayer>,
        slots: usize,
        pause_at: u64,
    ) -> Games {
        let ahead = |player: &FeaturePlayer| {
            let chances = player.ahead.as_ref().map(|ahead| ahead.1.clone())?;
            Some((player.general.clone(), chances))
        };
        // Features that cannot be measured in lanes require a search.
        let pairs: Option<Vec<PairPlayer>> = players.iter().map(ahead).collect();
        let pairs = pairs.filter(|_| plan.apart.is_none());
        let pairs = pairs.map(|players| Pairs::new(plan.clone(), players));
        Games {
            general: players[0].general.clone(),
            searches: pairs.is_none() && players.iter().any(|player| player.ahead.is_some()),
            pairs,
            players,
            games: vec![None; slots],
            queues: Default::default(),
            rater: Rater::new(plan),
            pause_at,
            resting: Vec::new(),
        }
    }

    /// Resumes a game in a free slot.
    pub(crate) fn resume(&mut self, slot: usize, running: Running) {
        let continues = running.game.status() == Status::Playing;
        self.games[slot] = Some(running);
        if continues {
            self.wait(slot);
        } else {
            self.resting.push(slot as u8);
        }
    }

    fn wait(&mut self, slot: usize) {
        if let Some(running) = &self.games[slot] {
            let piece = running.game.waiting_pieces()[0];
            self.queues[piece as usize].push(slot as u8);
        }
    }

    /// The games that ended or paused in the last step.
    pub(crate) fn resting(&self) -> &[u8] {
        &self.resting
    }

    /// Removes one of the waiting games: its slot and its state.
    pub(crate) fn remove(&mut self) -> Option<(usize, Running)> {
        let slot = usize::from(self.queues.iter_mut().find_map(Vec::pop)?);
        self.games[slot].take().map(|running| (slot, running))
    }

    /// Removes a game that ended or paused.
    pub(crate) fn take(&mut self, slot: usize) -> Option<Running> {
        self.games[slot].take()
    }

    /// Places one piece in some games: either in all groups of eight that wait with the same piece,
    /// or in the largest group; returns their number.
    pub(crate) fn step(&mut self) -> usize {
        self.resting.clear();
        let mut advanced = 0;
        for piece in 0..7 {
            let count = self.queues[piece].len() / LANES * LANES;
            advanced += self.step_first(piece, count);
        }
        if advanced == 0
            && let Some(longest) = (0..7).max_by_key(|&piece| self.queues[piece].len())
        {
            let count = self.queues[longest].len().min(LANES);
            advanced = self.step_first(longest, count);
        }
        advanced
    }

    /// Places a piece in the first of the games that wait with it, eight at a time; returns their
    /// number.
    fn step_first(&mut self, piece: usize, count: usize) -> usize {
        for first in (0..count).step_by(LANES) {
            let queue = &self.queues[piece][first..count];
            let own = queue.len().min(LANES);
            let slots = std::array::from_fn(|lane| queue[if lane < own { lane } else { 0 }]);
            let chosen = self.choose(piece, &slots, own);
            for (&slot, placed) in slots[..own].iter().zip(&chosen) {
                self.apply(usize::from(slot), placed.as_ref());
            }
        }
        // Games that get the same piece again are behind them, and wait for the next step.
        self.queues[piece].drain(..count);
        count
    }
}

impl Games {
    /// The placements of the games in these slots.
    fn choose(
        &mut self,
        piece: usize,
        slots: &[u8; LANES],
        count: usize,
    ) -> [Option<Placed>; LANES] {
        let Games {
            players,
            games,
            rater,
            pairs,
            ..
        } = self;
        if self.searches {
            return [None; LANES];
        }
        let running: [&Running; LANES] = slots.map(|slot| {
            let game = games[usize::from(slot)].as_ref();
            game.expect("a game waits in its slot")
        });
        let decisions = Decisions {
            positions: LanePositions {
                piece: PIECES[piece],
                boards: std::array::from_fn(|lane| running[lane].game.board()),
                next: std::array::from_fn(|lane| {
                    running[lane].game.waiting_pieces().get(1).copied()
                }),
                lines: std::array::from_fn(|lane| running[lane].game.lines()),
                count,
            },
            weights: std::array::from_fn(|lane| &*players[running[lane].player].weights),
        };
        if let Some(pairs) = pairs {
            let decisions = PairDecisions {
                shown: running.map(|running| &running.game.waiting_pieces()[1..]),
                players: running.map(|running| running.player),
                first: decisions,
            };
            let best = pairs.choose(rater, &decisions);
            let placed = |place, lane| rater.placed(&decisions.first, place, lane);
            return std::array::from_fn(|lane| best[lane].map(|place| placed(place, lane)));
        }
        let best = rater.rate(&decisions);
        std::array::from_fn(|lane| best[lane].map(|place| rater.placed(&decisions, place, lane)))
    }

    /// Places the piece of a game; without a placement the general path chooses one.
    fn apply(&mut self, slot: usize, placed: Option<&Placed>) {
        let Some(running) = &mut self.games[slot] else {
            return;
        };
        if let Some(placed) = placed.filter(|placed| placed.is_low) {
            let game = &mut running.game;
            game.place_safely(placed.shape, placed.corner, placed.cleared);
        } else {
            let player = &mut self.players[running.player];
            place_near_top(running, player, &mut self.general, placed);
        }
        let game = &running.game;
        if game.status() != Status::Playing || game.pieces() >= self.pause_at {
            self.resting.push(slot as u8);
        } else {
            let piece = game.waiting_pieces()[0];
            self.queues[piece as usize].push(slot as u8);
        }
    }
}

/// Places a piece that may end the game; without a placement the general path chooses one.
#[inline(never)]
fn place_near_top(
    running: &mut Running,
    player: &mut FeaturePlayer,
    general: &mut BestPlacement,
    placed: Option<&Placed>,
) {
    let game = &mut running.game;
    let placement = match placed {
        Some(placed) => placed.placement(game.waiting_pieces()[0]),
        None => player.choose(general, game),
    };
    let before = *game.board();
    if game.place(placement) {
        running.before_end = Some(before);
    }
}

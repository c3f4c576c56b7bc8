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
    queues: [Vec<usize>; 7],
    rater: Rater,
    /// The two-piece search, if the players use it and all features can be measured in lanes.
    pairs: Option<Pairs>,
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
            self.queues[piece as usize].push(slot);
        }
    }

    /// The games that ended or paused in the last step.
    pub(crate) fn resting(&self) -> &[u8] {
        &self.resting
    }

    /// Removes one of the waiting games: its slot and its state.
    pub(crate) fn remove(&mut self) -> Option<(usize, Running)> {
        let slot = self.queues.iter_mut().find_map(Vec::pop)?;
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
            // Games that get the same piece again wait until the next step.
            for _ in 0..self.queues[piece].len() / LANES {
                advanced += self.step_group(piece);
            }
        }
        if advanced == 0 {
            let longest = (0..7).max_by_key(|&piece| self.queues[piece].len());
            advanced = longest.map_or(0, |piece| self.step_group(piece));
        }
        advanced
    }

    /// Places a piece in up to eight of the games that wait with it.
    fn step_group(&mut self, piece: usize) -> usize {
        let queue = &mut self.queues[piece];
        let count = queue.len().min(LANES);
        if count == 0 {
            return 0;
        }
        let mut slots = [queue[0]; LANES];
        for (slot, waiting) in slots.iter_mut().zip(queue.drain(..count)) {
            *slot = waiting;
        }
        let chosen = self.choose(piece, &slots, count);
        for (&slot, placement) in slots[..count].iter().zip(chosen) {
            self.apply(slot, placement);
        }
        count
    }
}

impl Games {
    /// The placements of the games in these slots.
    fn choose(
        &mut self,
        piece: usize,
        slots: &[usize; LANES],
        count: usize,
    ) -> [Option<Placed>; LANES] {
        let Games {
            players,
            games,
            rater,
            pairs,
            ..
        } = self;
        if pairs.is_none() && players.iter().any(|player| player.ahead.is_some()) {
            return [None; LANES];
        }
        let running: [&Running; LANES] = std::array::from_fn(|lane| {
            let slot = slots[if lane < count { lane } else { 0 }];
            games[slot].as_ref().expect("a game waits in its slot")
        });
        let decisions = Decisions {
            positions: LanePositions {
                piece: PIECES[piece],
                boards: running.map(|running| running.game.board()),
                next: running.map(|running| running.game.waiting_pieces().get(1).copied()),
                lines: running.map(|running| running.game.lines()),
                count,
            },
            weights: running.map(|running| &*players[running.player].weights),
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
    fn apply(&mut self, slot: usize, placed: Option<Placed>) {
        let Some(running) = &mut self.games[slot] else {
            return;
        };
        let game = &mut running.game;
        if let Some(placed) = placed.filter(|placed| placed.is_low) {
            game.place_safely(placed.placement, placed.cleared);
        } else {
            let (player, general) = (&mut self.players[running.player], &mut self.general);
            let placement = placed.map(|placed| placed.placement);
            let placement = placement.unwrap_or_else(|| player.choose(general, game));
            let before = *game.board();
            if game.place(placement) {
                running.before_end = Some(before);
            }
        }
        if game.status() != Status::Playing || game.pieces() >= self.pause_at {
            self.resting.push(slot as u8);
        } else {
            self.wait(slot);
        }
    }
}

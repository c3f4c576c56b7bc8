//! The best placements in many positions: the lanes are the boards that a search has reached, from
//! any branch or game.

use super::by_features::{Decisions, LanePositions, Rater};
use super::decide::{Decider, MEMBERS};
use super::exact::exact_score;
use super::ratings::NO_SCORE;
use super::state;
use super::surface::Cells;
use super::tables::Tables;
use super::whole::board_scores;
use super::{Fastest, Kernel, is_available};
use crate::board::Board;
use crate::choice::{
    BestPlacement, Choice, GreedyOptions, Replies, ReplyRequest, SearchNode, SearchRules,
};
use crate::evaluators::Evaluator;
use crate::moves::placements;
use crate::piece::{PIECES, Piece};
use crate::placement::Placement;
use crate::randomizers::Chances;
use crate::ruleset::Ruleset;
use crate::simd::{LANES, Lanes, Words, Work};
use std::fmt;
use std::sync::Arc;

/// The best placements under these rules: through the kernel if there is one, otherwise one by one.
#[must_use]
pub fn replies(
    ruleset: &Ruleset,
    evaluator: Arc<dyn Evaluator>,
    options: GreedyOptions,
) -> Box<dyn Replies> {
    match RepliesTogether::new(ruleset, &evaluator, options) {
        Some(together) => Box::new(together),
        None => Box::new(BestPlacement::new(evaluator, options)),
    }
}

/// Finds the best placements eight at a time.
pub struct RepliesTogether {
    kernel: Arc<Kernel>,
    general: BestPlacement,
    /// For every piece, the shape and column of each placement; the rows are undefined.
    places: Arc<[Vec<Placement>; 7]>,
    scratch: Box<ReplyScratch<Fastest>>,
    /// The kernel for any features.
    rater: Option<Box<Rater>>,
    is_allowed: bool,
}

/// Scratch space for the decisions about some boards.
struct ReplyScratch<L> {
    decider: Decider<L>,
    /// The boards and their scores.
    cells: Vec<Cells>,
    scores: Vec<i32>,
    /// The indices of the requests for one piece.
    asked: Vec<usize>,
}

/// The result of one request.
#[derive(Clone, Copy)]
struct Found {
    index: u8,
    landing: i32,
    /// The score, in the unit of the evaluator.
    score: f64,
}

impl RepliesTogether {
    /// A finder under these rules, if the kernel supports the evaluator, the rules and the
    /// processor. The randomizer does not matter.
    #[must_use]
    pub fn new(
        ruleset: &Ruleset,
        evaluator: &Arc<dyn Evaluator>,
        options: GreedyOptions,
    ) -> Option<RepliesTogether> {
        if !is_available() {
            return None;
        }
        let chances = Some(Chances::uniform());
        let kernel = Kernel::with_chances(ruleset, evaluator, options, chances)?;
        let empty = kernel.tables.empty_board();
        Some(RepliesTogether {
            general: BestPlacement::new(evaluator.clone(), options),
            places: Arc::new(PIECES.map(|piece| placements(&empty, piece))),
            scratch: Box::new(ReplyScratch::new()),
            rater: rater(&kernel),
            is_allowed: true,
            kernel: Arc::new(kernel),
        })
    }

    /// Whether the kernel can play on this board.
    fn fits(&self, board: &Board) -> bool {
        let tables = &self.kernel.tables;
        let is_simple = board.max_height() <= board.height() && board.full_rows() == 0;
        (board.width(), board.height()) == (tables.width, tables.height)
            && (is_simple || self.rater.is_some())
    }

    /// Answers the requests for one piece that are listed in the scratch space, and stores each
    /// answer under its request.
    fn answer(&mut self, piece: Piece, requests: &[ReplyRequest], replies: &mut [Option<Choice>]) {
        let (kernel, scratch) = (&*self.kernel, &mut *self.scratch);
        let asked = std::mem::take(&mut scratch.asked);
        for chunk in asked.chunks(MEMBERS) {
            let found = scratch.find(kernel, piece, requests, chunk);
            for (&request, found) in chunk.iter().zip(found) {
                replies[request] = found.map(|found| Choice {
                    placement: Placement {
                        y: (found.landing - 1) as u8,
                        ..self.places[piece as usize][usize::from(found.index)]
                    },
                    score: found.score,
                    game_over: false,
                });
            }
        }
        scratch.asked = asked;
    }
}

/// The rater of a kernel for any features.
fn rater(kernel: &Kernel) -> Option<Box<Rater>> {
    let features = kernel.features.as_ref()?;
    Some(Box::new(Rater::new(features.plan.clone())))
}

impl RepliesTogether {
    /// Answers the listed requests for one piece with any features, eight at a time; requests that
    /// the lanes cannot answer remain unanswered.
    fn answer_by_features(
        &mut self,
        piece: Piece,
        nodes: &[SearchNode],
        requests: &[ReplyRequest],
        replies: &mut [Option<Choice>],
    ) {
        let (Some(features), Some(rater)) = (&self.kernel.features, &mut self.rater) else {
            return;
        };
        for eight in self.scratch.asked.chunks(LANES) {
            let request = |lane: usize| eight[if lane < eight.len() { lane } else { 0 }];
            let lanes: [usize; LANES] = std::array::from_fn(request);
            let node = |request: usize| &nodes[requests[request].node];
            let decisions = Decisions {
                positions: LanePositions {
                    piece,
                    boards: lanes.map(|request| &node(request).board),
                    next: lanes.map(|request| requests[request].next),
                    lines: lanes.map(|request| node(request).lines),
                    count: eight.len(),
                },
                weights: [&features.player.weights; LANES],
            };
            let best = rater.rate(&decisions);
            for (lane, &request) in eight.iter().enumerate() {
                replies[request] = best[lane].map(|place| Choice {
                    placement: rater.placement(&decisions, place, lane),
                    score: rater.score(&decisions, place, lane),
                    game_over: false,
                });
            }
        }
    }
}

impl Replies for RepliesTogether {
    fn find_all(
        &mut self,
        rules: &mut SearchRules<'_>,
        nodes: &[SearchNode],
        requests: &[ReplyRequest],
        replies: &mut Vec<Choice>,
    ) {
        if !self.is_allowed {
            return self.general.find_all(rules, nodes, requests, replies);
        }
        if self.rater.is_none() {
            self.scratch.take_boards(&self.kernel, nodes);
        }
        let fits: Vec<bool> = nodes.iter().map(|node| self.fits(&node.board)).collect();
        let mut found = vec![None; requests.len()];
        for piece in PIECES {
            let asked = requests.iter().enumerate();
            let asked = asked.filter(|(_, request)| request.piece == piece && fits[request.node]);
            self.scratch.asked.clear();
            self.scratch.asked.extend(asked.map(|(number, _)| number));
            if self.rater.is_some() {
                self.answer_by_features(piece, nodes, requests, &mut found);
            } else {
                self.answer(piece, requests, &mut found);
            }
        }
        replies.clear();
        let general = &mut self.general;
        let answers = requests.iter().zip(found);
        // If every placement loses, or the lanes cannot decide, the general path finds the best
        // one.
        replies.extend(answers.map(|(request, found)| {
            found.unwrap_or_else(|| general.reply(rules, &nodes[request.node], request))
        }));
    }

    fn evaluator(&self) -> &Arc<dyn Evaluator> {
        self.general.evaluator()
    }

    fn options(&self) -> GreedyOptions {
        self.general.options()
    }

    fn together(&self) -> usize {
        if self.is_allowed { LANES } else { 1 }
    }

    fn allow_kernel(&mut self, allowed: bool) {
        self.is_allowed = allowed;
    }

    fn boxed(&self) -> Box<dyn Replies> {
        Box::new(RepliesTogether {
            kernel: self.kernel.clone(),
            general: self.general.clone(),
            places: self.places.clone(),
            scratch: Box::new(ReplyScratch::new()),
            rater: rater(&self.kernel),
            is_allowed: self.is_allowed,
        })
    }
}

impl fmt::Debug for RepliesTogether {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RepliesTogether")
            .field("general", &self.general)
            .finish_non_exhaustive()
    }
}

impl<L: Lanes> ReplyScratch<L> {
    fn new() -> ReplyScratch<L> {
        ReplyScratch {
            decider: Decider::new(),
            cells: Vec::new(),
            scores: Vec::new(),
            asked: Vec::new(),
        }
    }

    /// Lays the boards out and scores them.
    fn take_boards(&mut self, kernel: &Kernel, nodes: &[SearchNode]) {
        self.cells.clear();
        self.cells
            .extend(nodes.iter().map(|node| state::cells(&node.board)));
        self.scores.clear();
        for boards in self.cells.chunks(LANES) {
            let mut eight = [boards[0]; LANES];
            eight[..boards.len()].copy_from_slice(boards);
            let scores = board_scores::<L>(&kernel.tables, &eight);
            self.scores.extend_from_slice(&scores.0[..boards.len()]);
        }
    }

    /// The best placements of a piece for some requests; `None` where all lose.
    fn find(
        &mut self,
        kernel: &Kernel,
        piece: Piece,
        requests: &[ReplyRequest],
        asked: &[usize],
    ) -> [Option<Found>; MEMBERS] {
        let mut nodes = [0; MEMBERS];
        for (node, &request) in nodes.iter_mut().zip(asked) {
            *node = requests[request].node;
        }
        L::enter(FindBest {
            scratch: self,
            tables: &kernel.tables,
            piece: piece as usize,
            nodes: &nodes[..asked.len()],
        })
    }
}

/// Finds the best placement of one piece on up to 64 boards.
struct FindBest<'a, L> {
    scratch: &'a mut ReplyScratch<L>,
    tables: &'a Tables,
    piece: usize,
    nodes: &'a [usize],
}

impl<L: Lanes> Work<L> for FindBest<'_, L> {
    type Output = [Option<Found>; MEMBERS];

    #[inline(always)]
    fn run(self) -> Self::Output {
        let FindBest {
            scratch,
            tables,
            nodes,
            ..
        } = self;
        let (decider, cells, scores) = (&mut scratch.decider, &scratch.cells, &scratch.scores);
        decider.clear();
        for group in nodes.chunks(LANES) {
            let node = |lane: usize| group[if lane < group.len() { lane } else { 0 }];
            let boards: [&Cells; LANES] = std::array::from_fn(|lane| &cells[node(lane)]);
            let own = Words(std::array::from_fn(|lane| scores[node(lane)]));
            decider.rate(tables, self.piece, &boards, own, group.len());
        }
        decider.taken = nodes.len();
        let board = |member: usize| &cells[nodes[member % nodes.len()]];
        decider.settle(tables, board);
        let mut found = [None; MEMBERS];
        for (member, found) in found[..nodes.len()].iter_mut().enumerate() {
            *found = best_of(decider, tables, member);
        }
        if tables.weights.tolerance > 0 {
            score_exactly(decider, tables, board, &mut found[..nodes.len()]);
        }
        found
    }
}

/// The best placement on one of the boards, with its rounded score; `None` if all lose.
#[inline(always)]
fn best_of<L: Lanes>(decider: &Decider<L>, tables: &Tables, member: usize) -> Option<Found> {
    let best = decider.best(member);
    let (group, lane) = (member / LANES, member % LANES);
    let index = decider.choices.index[group].0[lane] as usize;
    (best != NO_SCORE).then(|| Found {
        index: index as u8,
        landing: decider.ratings[group].landing(index, lane),
        score: f64::from(best) * tables.weights.rounded_unit,
    })
}

/// Replaces rounded scores by exact ones.
#[inline(always)]
fn score_exactly<'b, L: Lanes>(
    decider: &mut Decider<L>,
    tables: &Tables,
    board: impl Fn(usize) -> &'b Cells,
    found: &mut [Option<Found>],
) {
    decider.listed = 0;
    for (member, found) in found.iter().enumerate() {
        if let Some(found) = found {
            decider.list(member, found.index);
        }
    }
    for from in (0..decider.listed).step_by(LANES) {
        let measured = decider.measure(tables, &board, from, true);
        for k in 0..(decider.listed - from).min(LANES) {
            let candidate = decider.candidates[from + k];
            let removed = measured.removed.0[k] as u32;
            let spot = decider.spot(tables, candidate);
            let score = exact_score(tables, &decider.values, k, removed, spot);
            if let Some(found) = &mut found[usize::from(candidate.member)] {
                found.score = score as f64 * tables.weights.exact_unit;
            }
        }
    }
}

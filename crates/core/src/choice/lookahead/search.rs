//! A single search: the recursion.
//!
//! The last ply is evaluated in batches ([`Replies`]), so that the lanes of a kernel are full: one
//! batch contains all boards that result from the steps of all possible pieces on one board.

mod duel;
mod line;
mod transpositions;

use super::{Dealing, Lookahead, Narrow, SearchLimits, UnseenPieces};
use crate::board::Board;
use crate::choice::value::{Branches, expected, worst};
use crate::choice::{
    BestPlacement, Choice, RatedStep, Replies, ReplyRequest, SearchNode, SearchRules, SearchStep,
    SearchValue, best_first,
};
use crate::outcomes::{DecisionContext, Scored};
use crate::piece::{PIECES, Piece};
use crate::rules::{Hold, RulesRef};
use crate::stop::StopFlag;
use transpositions::Transpositions;

/// The search has reached its limit on placements, or was cancelled.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutOfNodes;

/// A search and its state.
pub(super) struct Search<'a> {
    expansion: &'a mut BestPlacement,
    replies: &'a mut dyn Replies,
    unseen: &'a mut dyn UnseenPieces,
    shown: &'a [Piece],
    hold: Hold,
    rules: SearchRules<'a>,
    /// Chooses the first steps that are searched.
    narrow: Narrow<'a>,
    dealing: Dealing,
    limits: SearchLimits,
    may_lose: bool,
    /// Number of placements that may be rated.
    budget: u64,
    /// Number of placements rated so far.
    nodes: u64,
    /// How often each piece has been the worst so far: the most harmful pieces are tried first.
    worst_pieces: [u32; 7],
    /// The values of boards that have been reached before.
    transpositions: Transpositions,
    /// The conditions that end the search early.
    stop: StopFlag,
}

/// A board that the search has reached, before the next piece is known.
#[derive(Clone, Copy, Debug)]
struct Reached {
    node: SearchNode,
    /// Number of pieces placed.
    ply: usize,
    /// The coming pieces.
    dealt: Dealt,
}

/// The search's knowledge of the coming pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Dealt {
    /// The number of the next piece among the visible ones.
    next: usize,
    /// The state of the hidden pieces.
    state: usize,
    hold: Hold,
}

impl Reached {
    /// The board after a step, with this many pieces placed.
    fn after((step, dealt): &Candidate, ply: usize) -> Reached {
        Reached {
            node: SearchNode::after(step),
            ply,
            dealt: *dealt,
        }
    }
}

/// A piece to place on a board that the search has reached, and the pieces after it.
#[derive(Clone, Copy, Debug)]
struct ToPlace {
    reached: Reached,
    piece: Piece,
}

/// A step, with the pieces that follow it.
type Candidate = (SearchStep, Dealt);

impl<'a> Search<'a> {
    pub(super) fn new(
        lookahead: &'a mut Lookahead,
        rules: RulesRef<'a>,
        shown: &'a [Piece],
        unseen: &'a mut dyn UnseenPieces,
    ) -> Search<'a> {
        Search {
            may_lose: lookahead.expansion.options().may_lose,
            expansion: &mut lookahead.expansion,
            replies: &mut *lookahead.replies,
            unseen,
            shown,
            hold: lookahead.hold,
            rules: SearchRules::new(rules),
            narrow: &|_| (),
            dealing: lookahead.dealing,
            limits: lookahead.limits,
            budget: u64::MAX,
            nodes: 0,
            worst_pieces: [0; 7],
            transpositions: Transpositions::default(),
            stop: lookahead.stop.clone(),
        }
    }

    /// Restricts the search to some first steps.
    pub(super) fn narrowed(self, narrow: Narrow<'a>) -> Search<'a> {
        Search { narrow, ..self }
    }

    /// All steps from the root, best first, and the depth of the search in pieces.
    pub(super) fn rated(&mut self, decision: &DecisionContext<'_>) -> (Vec<RatedStep>, usize) {
        let (mut rated, plies) = match (self.dealing, self.limits.nodes) {
            (Dealing::ByChance, _) | (_, 0) => self.rated_to_the_end(decision),
            (Dealing::ByOpponent, _) => {
                // As deep as the deciding search, which needs fewer nodes.
                let (_, plies) = self.deepest(|search, plies| search.duel(decision, plies));
                self.budget = u64::MAX;
                match self.root(decision, plies) {
                    Ok(rated) => (rated, plies),
                    Err(OutOfNodes) => {
                        self.shallowest(|search, plies| search.root(decision, plies))
                    }
                }
            }
        };
        RatedStep::sort(&mut rated, self.may_lose);
        (rated, plies)
    }

    fn rated_to_the_end(&mut self, decision: &DecisionContext<'_>) -> (Vec<RatedStep>, usize) {
        self.deepest(|search, plies| search.root(decision, plies))
    }

    /// The best step from the root.
    pub(super) fn best_step(&mut self, decision: &DecisionContext<'_>) -> RatedStep {
        match self.dealing {
            Dealing::ByChance => {
                let (mut rated, _) = self.rated_to_the_end(decision);
                let compare = |a: &usize, b: &usize| rated[*a].compare(&rated[*b], self.may_lose);
                let best = (0..rated.len()).min_by(compare);
                rated.swap_remove(best.expect("every piece has a placement"))
            }
            Dealing::ByOpponent => {
                let (step, _) = self.deepest(|search, plies| search.duel(decision, plies));
                step
            }
        }
    }

    /// The result of the deepest search that completes within the limit of nodes, and its depth in
    /// pieces.
    fn deepest<T>(
        &mut self,
        mut at: impl FnMut(&mut Self, usize) -> Result<T, OutOfNodes>,
    ) -> (T, usize) {
        let SearchLimits { depth, nodes, .. } = self.limits;
        let first = if nodes == 0 { depth } else { 1 };
        let mut deepest = None;
        for plies in first..=depth {
            // The first ply is always completed, so that there is a decision.
            self.budget = if plies > 1 && nodes > 0 {
                nodes
            } else {
                u64::MAX
            };
            match at(self, plies) {
                Ok(found) => deepest = Some((found, plies)),
                Err(OutOfNodes) => break,
            }
        }
        deepest.unwrap_or_else(|| self.shallowest(at))
    }

    /// The result of a search of depth one, even if it was cancelled: a decision is required, even
    /// if its result is discarded.
    fn shallowest<T>(
        &mut self,
        mut at: impl FnMut(&mut Self, usize) -> Result<T, OutOfNodes>,
    ) -> (T, usize) {
        self.stop = StopFlag::default();
        self.budget = u64::MAX;
        let found = at(self, 1);
        (found.expect("any number of nodes"), 1)
    }

    /// The expanded steps from the root.
    fn first_candidates(
        &mut self,
        decision: &DecisionContext<'_>,
        plies: usize,
    ) -> Result<Vec<Candidate>, OutOfNodes> {
        let dealt = self.dealt();
        let reached = Reached {
            node: SearchNode::of(decision),
            ply: 0,
            dealt,
        };
        let piece = decision.piece;
        let mut steps = self.expand(&ToPlace { reached, piece })?;
        (self.narrow)(&mut steps);
        if plies > 1 {
            self.keep_widest(&mut steps);
        }
        Ok(steps.into_iter().map(|step| (step, dealt)).collect())
    }

    /// The coming pieces after the first.
    fn dealt(&self) -> Dealt {
        Dealt {
            next: 0,
            state: 0,
            hold: self.hold,
        }
    }

    /// All steps from the root with their values.
    fn root(
        &mut self,
        decision: &DecisionContext<'_>,
        plies: usize,
    ) -> Result<Vec<RatedStep>, OutOfNodes> {
        self.transpositions = Transpositions::of_depth(plies);
        let candidates = self.first_candidates(decision, plies)?;
        let values = self.values(&candidates, 1, plies)?;
        let rated = candidates.into_iter().zip(values);
        Ok(rated
            .map(|((step, _), value)| RatedStep { step, value })
            .collect())
    }

    /// Counts placements before they are rated.
    fn spend(&mut self, placements: u64) -> Result<(), OutOfNodes> {
        let nodes = self.nodes.saturating_add(placements);
        if nodes > self.budget || self.stop.is_raised() {
            return Err(OutOfNodes);
        }
        self.nodes = nodes;
        Ok(())
    }

    /// All steps of a piece.
    fn expand(&mut self, to_place: &ToPlace) -> Result<Vec<SearchStep>, OutOfNodes> {
        let ToPlace { reached, piece } = to_place;
        let Reached { node, dealt, .. } = reached;
        self.spend(count_placements(*piece, node.board.width()))?;
        let next = self.shown.get(dealt.next).copied();
        let decision = self.rules.decision(node, *piece, next);
        Ok(self.expansion.expand(&decision))
    }

    /// Keeps the best steps of a piece, up to the width of the search.
    fn keep_widest(&self, steps: &mut Vec<SearchStep>) {
        if steps.len() > self.limits.width {
            steps.sort_by(|a, b| best_first((a, a.value()), (b, b.value()), self.may_lose));
            steps.truncate(self.limits.width);
        }
    }

    /// Appends the expanded steps of a piece when `plies` pieces remain to be placed.
    fn list(
        &mut self,
        to_place: &ToPlace,
        plies: usize,
        candidates: &mut Vec<Candidate>,
    ) -> Result<(), OutOfNodes> {
        let mut steps = self.expand(to_place)?;
        if plies > 1 {
            self.keep_widest(&mut steps);
        }
        let dealt = to_place.reached.dealt;
        candidates.extend(steps.into_iter().map(|step| (step, dealt)));
        Ok(())
    }

    /// The values of candidates. After each candidate's step, `ply` pieces have been placed;
    /// `plies` pieces, including the candidate's own, are searched.
    fn values(
        &mut self,
        candidates: &[Candidate],
        ply: usize,
        plies: usize,
    ) -> Result<Vec<SearchValue>, OutOfNodes> {
        let own = candidates.iter().map(|(step, _)| self.alone(step));
        let mut values: Vec<SearchValue> = own.collect();
        let continues = |place: &usize| plies > 1 && !candidates[*place].0.transition.game_over;
        let places: Vec<usize> = (0..candidates.len()).filter(continues).collect();
        let reached = places
            .iter()
            .map(|&place| Reached::after(&candidates[place], ply));
        let reached: Vec<Reached> = reached.collect();
        let follows = self.follows_all(&reached, plies - 1)?;
        for (place, value) in places.into_iter().zip(follows) {
            if let Some(value) = value {
                values[place] = value.after(candidates[place].0.step_value);
            }
        }
        Ok(values)
    }

    /// The value of a step without a continuation.
    fn alone(&self, step: &SearchStep) -> SearchValue {
        step.value().judged(self.may_lose)
    }

    /// The value of the continuation on each of the boards, `plies` deep; `None` where no piece can
    /// follow.
    fn follows_all(
        &mut self,
        reached: &[Reached],
        plies: usize,
    ) -> Result<Vec<Option<SearchValue>>, OutOfNodes> {
        let mut known: Vec<_> = reached
            .iter()
            .map(|reached| self.transpositions.get(reached))
            .collect();
        let is_new = |(_, known): &(&Reached, &Option<_>)| known.is_none();
        let mut new: Vec<Reached> = Vec::with_capacity(reached.len());
        let unknown = reached.iter().zip(&known).filter(is_new);
        new.extend(unknown.map(|(reached, _)| *reached));
        let found = match plies {
            1 => self.last_ply(&new)?,
            _ => new
                .iter()
                .map(|reached| self.follows(reached, plies))
                .collect::<Result<_, _>>()?,
        };
        for (reached, follows) in new.iter().zip(&found) {
            self.transpositions.add(reached, *follows);
        }
        let mut found = found.into_iter();
        Ok(known
            .iter_mut()
            .filter_map(|known| known.take().or_else(|| found.next()))
            .collect())
    }

    /// The value of the continuation on a board, `plies` deep.
    fn follows(
        &mut self,
        reached: &Reached,
        plies: usize,
    ) -> Result<Option<SearchValue>, OutOfNodes> {
        let coming = self.coming(reached);
        let mut values = Vec::new();
        let (mut to_place, mut came) = (Vec::new(), Vec::new());
        for piece in coming.pieces() {
            if coming.barred[piece as usize] {
                values.push((piece, self.barred(reached, piece)?));
            } else {
                to_place.extend(self.with_piece(reached, piece));
                came.resize(to_place.len(), piece);
            }
        }
        let best = self.best(&to_place, plies)?;
        values.extend(came.into_iter().zip(best));
        Ok(self.fold(&coming, &values))
    }

    /// The values of the best steps of pieces to place, all at the same depth.
    fn best(&mut self, to_place: &[ToPlace], plies: usize) -> Result<Vec<SearchValue>, OutOfNodes> {
        let (mut candidates, mut ends) = (Vec::new(), Vec::new());
        for one in to_place {
            self.list(one, plies, &mut candidates)?;
            ends.push(candidates.len());
        }
        let ply = to_place.first().map_or(0, |one| one.reached.ply);
        let values = self.values(&candidates, ply + 1, plies)?;
        let mut from = 0;
        let best = ends.into_iter().map(|end| {
            let own = from..end;
            from = end;
            let rated = own.map(|place| (&candidates[place].0, values[place]));
            let best = rated.min_by(|a, b| best_first(*a, *b, self.may_lose));
            best.expect("a piece has a placement on every board").1
        });
        Ok(best.collect())
    }

    /// The value of the continuation on each board on the last ply.
    fn last_ply(&mut self, reached: &[Reached]) -> Result<Vec<Option<SearchValue>>, OutOfNodes> {
        let coming: Vec<Coming> = reached.iter().map(|one| self.coming(one)).collect();
        let nodes: Vec<SearchNode> = reached.iter().map(|one| one.node).collect();
        let (mut requests, mut came) = (Vec::new(), Vec::new());
        for (node, coming) in coming.iter().enumerate() {
            for piece in coming.pieces() {
                self.last_requests(node, &reached[node], piece, &mut requests);
                came.resize(requests.len(), piece);
            }
        }
        let replies = self.reply(&nodes, &requests)?;
        let mut replies = requests.iter().zip(replies).zip(came).peekable();
        let follows = coming.iter().enumerate().map(|(node, coming)| {
            let is_own = |reply: &((&ReplyRequest, Choice), Piece)| reply.0.0.node == node;
            let own = std::iter::from_fn(|| replies.next_if(is_own));
            let values = own.map(|((_, choice), piece)| {
                let lost = choice.game_over || coming.barred[piece as usize];
                (piece, self.last_value(&choice, lost))
            });
            let values: Vec<(Piece, SearchValue)> = values.collect();
            self.fold(coming, &values)
        });
        Ok(follows.collect())
    }

    /// Requests the best step of a piece, and of the one that replaces it after a hold, on the last
    /// ply.
    fn last_requests(
        &mut self,
        node: usize,
        reached: &Reached,
        piece: Piece,
        requests: &mut Vec<ReplyRequest>,
    ) {
        let options = self.with_piece(reached, piece);
        requests.extend(options.map(|one| {
            let next = self.shown.get(one.reached.dealt.next).copied();
            ReplyRequest::new(node, one.piece, next)
        }));
    }

    /// The value of a board that a piece cannot enter.
    fn barred(&mut self, reached: &Reached, piece: Piece) -> Result<SearchValue, OutOfNodes> {
        let request = ReplyRequest::new(0, piece, None);
        let replies = self.reply(&[reached.node], &[request])?;
        Ok(self.last_value(&replies[0], true))
    }

    fn last_value(&self, choice: &Choice, lost: bool) -> SearchValue {
        SearchValue::of_last(choice.score, lost).judged(self.may_lose)
    }

    fn reply(
        &mut self,
        nodes: &[SearchNode],
        requests: &[ReplyRequest],
    ) -> Result<Vec<Choice>, OutOfNodes> {
        let placements = requests
            .iter()
            .map(|request| count_placements(request.piece, nodes[request.node].board.width()));
        self.spend(placements.sum())?;
        let mut replies = Vec::with_capacity(requests.len());
        self.replies
            .find_all(&mut self.rules, nodes, requests, &mut replies);
        Ok(replies)
    }

    /// The possible next pieces on a board.
    fn coming(&mut self, reached: &Reached) -> Coming {
        let mut coming = Coming::default();
        if let Some(&piece) = self.shown.get(reached.dealt.next) {
            coming.probabilities[piece as usize] = 1.0;
            return coming;
        }
        let board = self.board_of_entry(reached);
        coming.probabilities = self.unseen.probabilities(reached.dealt.state, &board);
        coming.barred = PIECES.map(|piece| self.rules.root().blocks_entry(&board, piece));
        coming
    }

    /// The board that the next piece enters, without full rows.
    fn board_of_entry(&self, reached: &Reached) -> Board {
        let mut board = reached.node.board;
        if self.expansion.options().scored == Scored::BeforeRemoval {
            board.remove_full_rows();
        }
        board
    }

    /// The pieces that can be placed on a board when a piece is dealt: that piece, and the one that
    /// replaces it after a hold.
    fn with_piece(
        &mut self,
        reached: &Reached,
        piece: Piece,
    ) -> impl Iterator<Item = ToPlace> + use<> {
        let Dealt { next, state, hold } = reached.dealt;
        let mut dealt = reached.dealt;
        if next < self.shown.len() {
            dealt.next += 1;
        } else {
            dealt.state = self.unseen.after(state, piece);
        }
        let swapped = Dealt {
            hold: Hold::Piece(piece),
            ..dealt
        };
        let other = match hold {
            Hold::Piece(held) => Some((held, swapped)),
            Hold::Empty => self.shown.get(dealt.next).map(|&other| {
                let next = dealt.next + 1;
                (other, Dealt { next, ..swapped })
            }),
            Hold::None | Hold::Used(_) => None,
        };
        let board = self.board_of_entry(reached);
        // If a piece cannot enter, it cannot be held either: the game is over.
        let rules = self.rules.root();
        let enters = |other: &(Piece, Dealt)| {
            !rules.blocks_entry(&board, other.0) && !rules.blocks_entry(&board, piece)
        };
        let other = other.filter(|other| other.0 != piece && enters(other));
        let reached = *reached;
        let own = std::iter::once((piece, dealt));
        own.chain(other).map(move |(piece, dealt)| ToPlace {
            reached: Reached { dealt, ..reached },
            piece,
        })
    }

    /// The value before the next piece is known.
    fn fold(&self, coming: &Coming, values: &[(Piece, SearchValue)]) -> Option<SearchValue> {
        let mut branches: Branches = [None; 7];
        for &(piece, value) in values {
            let branch = &mut branches[piece as usize];
            // With a hold there are two values, of which the player chooses the better one.
            if branch.is_none_or(|(_, known)| value > known) {
                *branch = Some((coming.probabilities[piece as usize], value));
            }
        }
        match self.dealing {
            Dealing::ByChance => expected(&branches, self.may_lose),
            Dealing::ByOpponent => worst(&branches),
        }
    }
}

/// The possible next pieces on a board.
#[derive(Clone, Copy, Debug, Default)]
struct Coming {
    probabilities: [f64; 7],
    /// Which of these pieces cannot enter the board.
    barred: [bool; 7],
}

impl Coming {
    fn pieces(&self) -> impl Iterator<Item = Piece> + use<> {
        let probabilities = self.probabilities;
        PIECES
            .into_iter()
            .filter(move |&piece| probabilities[piece as usize] > 0.0)
    }
}

/// Number of placements of a piece on a board of this width.
fn count_placements(piece: Piece, width: usize) -> u64 {
    let shapes = piece.shapes().iter();
    shapes.map(|shape| (width + 1 - shape.width) as u64).sum()
}

//! The last two plies against an opponent: many boards, each followed by one of several pieces.

use super::{Leader, SearchWindow};
use crate::choice::lookahead::search::{Candidate, Coming, OutOfNodes, Reached, Search};
use crate::choice::{Choice, SearchNode, SearchValue};
use crate::piece::{PIECES, Piece};

/// Number of boards in a batch when nodes are counted.
const TOGETHER: usize = 8;

/// A board before the last ply.
#[derive(Clone, Debug)]
struct OpenBoard {
    /// The index of the board's step among the candidates, and the contribution of the step.
    place: usize,
    step_value: f64,
    reached: Reached,
    coming: Coming,
    /// The remaining pieces, the most harmful last.
    left: Vec<Piece>,
    /// The step's value after the pieces so far, and the worst of these pieces.
    value: SearchValue,
    worst: Option<Piece>,
}

impl Search<'_> {
    /// The best of the steps that precede the last ply.
    pub(super) fn strongest_before_last(
        &mut self,
        candidates: &[Candidate],
        order: &[usize],
        ply: usize,
        window: SearchWindow,
    ) -> Result<Leader, OutOfNodes> {
        let mut best = None;
        let mut open = Vec::new();
        for &place in order {
            match self.open(candidates, place, ply) {
                Some(board) => open.push(board),
                None => {
                    let value = self.alone(&candidates[place].0);
                    self.contend(candidates, &mut best, Leader { place, value });
                }
            }
        }
        self.ask(&mut open, 1)?;
        open.sort_by(|a, b| b.value.compare(&a.value));
        let together = self.together();
        while !open.is_empty() && !best.is_some_and(|best: Leader| window.is_below(&best.value)) {
            let mut group: Vec<OpenBoard> = open.drain(..together.min(open.len())).collect();
            self.close(candidates, &mut group, &mut best, window)?;
        }
        Ok(best.expect("a piece has a placement on every board"))
    }

    /// Number of boards in a batch. If nodes are counted, it must not depend on the kernel, because
    /// it affects the depth of the search.
    fn together(&self) -> usize {
        match self.limits.nodes {
            0 => self.replies.together(),
            _ => TOGETHER,
        }
    }

    /// The board after a step; `None` if no piece can follow it.
    fn open(&mut self, candidates: &[Candidate], place: usize, ply: usize) -> Option<OpenBoard> {
        let step = &candidates[place].0;
        if step.transition.game_over {
            return None;
        }
        let reached = Reached::after(&candidates[place], ply);
        let coming = self.coming(&reached);
        let left = self.most_harmful_last(&coming);
        (!left.is_empty()).then_some(OpenBoard {
            place,
            step_value: step.step_value,
            reached,
            coming,
            left,
            value: SearchValue::HIGHEST,
            worst: None,
        })
    }

    /// Evaluates the remaining pieces, one by one or together, until each board's value is either
    /// known or shown to be below the best.
    fn close(
        &mut self,
        candidates: &[Candidate],
        group: &mut Vec<OpenBoard>,
        best: &mut Option<Leader>,
        window: SearchWindow,
    ) -> Result<(), OutOfNodes> {
        // For a batch, it is cheaper to evaluate all pieces than to find the deciding one.
        let pieces = match self.together() {
            1 => 1,
            _ => PIECES.len(),
        };
        while !group.is_empty() {
            let window = Self::beside(window, *best);
            let is_settled =
                |board: &mut OpenBoard| board.left.is_empty() || window.is_above(&board.value);
            for board in group.extract_if(.., is_settled) {
                if let Some(piece) = board.worst {
                    self.worst_pieces[piece as usize] += 1;
                }
                let OpenBoard { place, value, .. } = board;
                self.contend(candidates, best, Leader { place, value });
            }
            self.ask(group, pieces)?;
        }
        Ok(())
    }

    /// Evaluates this many of the most harmful remaining pieces on each of the boards.
    fn ask(&mut self, boards: &mut [OpenBoard], pieces: usize) -> Result<(), OutOfNodes> {
        let nodes: Vec<SearchNode> = boards.iter().map(|board| board.reached.node).collect();
        let (mut requests, mut came) = (Vec::new(), Vec::new());
        for (node, board) in boards.iter_mut().enumerate() {
            let first = board.left.len().saturating_sub(pieces);
            for piece in board.left.drain(first..) {
                self.last_requests(node, &board.reached, piece, &mut requests);
                came.resize(requests.len(), (node, piece));
            }
        }
        let replies = self.reply(&nodes, &requests)?;
        let mut replies = came.into_iter().zip(replies).peekable();
        while let Some((came, choice)) = replies.next() {
            let (node, piece) = came;
            let board = &mut boards[node];
            let is_barred = board.coming.barred[piece as usize];
            let value = |choice: &Choice| self.last_value(choice, choice.game_over || is_barred);
            let mut best = value(&choice);
            // The piece that replaces it after a hold.
            while let Some((_, other)) = replies.next_if(|reply| reply.0 == came) {
                let other = value(&other);
                if other > best {
                    best = other;
                }
            }
            best = best.after(board.step_value);
            if best < board.value {
                board.value = best;
                board.worst = Some(piece);
            }
        }
        Ok(())
    }
}

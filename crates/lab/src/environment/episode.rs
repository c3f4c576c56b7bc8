//! One game of an environment.

use super::action::{Actions, IllegalActions, drop_action};
use super::afterstates::AfterstateWriter;
use super::legal::LegalMoves;
use super::observation::{NOTHING, Observations, Strides};
use super::{EnvironmentKind, EnvironmentSetup};
use tetrolab_core::board::Board;
use tetrolab_core::evaluators::{Scores, Workspace};
use tetrolab_core::features::{FeatureMatrix, FeatureSet};
use tetrolab_core::game::{Game, Status};
use tetrolab_core::moves::{INPUTS, drop_in};
use tetrolab_core::outcomes::MAX_OUTCOMES;
use tetrolab_core::piece::Piece;
use tetrolab_core::placement::{Placement, Transition};
use tetrolab_core::rng::game_seed;
use tetrolab_core::rotation::ROWS_ABOVE;
use tetrolab_core::stepped::Inputs;

/// State shared by all games of an environment.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    pub(super) setup: EnvironmentSetup,
    pub(super) actions: Actions,
    pub(super) features: FeatureSet,
}

impl Shared {
    /// Whether features of the last step are observed.
    fn observes_steps(&self) -> bool {
        self.setup.kind == EnvironmentKind::Placement && !self.setup.features.is_empty()
    }
}

/// Buffers that games use one after the other.
#[derive(Debug)]
pub(super) struct EnvironmentScratch {
    /// Writes afterstates, if they are observed by features alone.
    pub(super) afterstates: Option<AfterstateWriter>,
    legal: LegalMoves,
    matrix: FeatureMatrix,
    workspace: Workspace,
    scores: Box<Scores>,
}

impl EnvironmentScratch {
    pub(super) fn new(shared: &Shared) -> EnvironmentScratch {
        EnvironmentScratch {
            afterstates: AfterstateWriter::new(&shared.setup, &shared.features),
            legal: LegalMoves::default(),
            matrix: FeatureMatrix::default(),
            workspace: Workspace::default(),
            scores: Box::new([0.0; MAX_OUTCOMES]),
        }
    }

    /// Writes the afterstates of the games that wait to be observed together.
    pub(super) fn write_waiting(
        &mut self,
        episodes: &[Episode],
        seen: &mut Observations<'_>,
        strides: &Strides,
    ) {
        if let Some(writer) = &mut self.afterstates {
            writer.flush(episodes, seen, strides);
        }
    }
}

/// The state of an episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// The episode continues.
    Playing,
    /// The game is over.
    Terminated,
    /// The episode was truncated, or no piece is left.
    Truncated,
}

/// Why an action is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ActionProblem {
    OutOfRange,
    Illegal,
}

/// A step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stepped {
    pub(super) reward: f64,
    pub(super) lines: i64,
    pub(super) legal: bool,
}

impl Stepped {
    /// No reward, as at the start of an episode.
    pub(super) const NONE: Stepped = Stepped {
        reward: 0.0,
        lines: 0,
        legal: true,
    };
}

/// A game with its episode.
#[derive(Clone, Debug)]
pub(super) struct Episode {
    pub(super) game: Game,
    /// The seed of the series, and the number of the game in the series.
    pub(super) seed: u64,
    pub(super) index: u64,
    pub(super) steps: u64,
    pub(super) progress: Progress,
    /// The cells of the board, top row first, kept up to date.
    cells: Vec<u8>,
    /// The legal actions in order, if they depend on the board.
    legal: Vec<(usize, Placement)>,
    /// The step that led to the current position.
    last: Option<Transition>,
    potential: f64,
}

impl Episode {
    pub(super) fn new(shared: &Shared, seed: u64, index: u64) -> Episode {
        let rules = &shared.setup.ruleset;
        let mut episode = Episode {
            game: Game::new(rules, game_seed(seed, index)),
            seed,
            index,
            steps: 0,
            progress: Progress::Playing,
            cells: vec![0; rules.width * rules.height],
            legal: Vec::new(),
            last: None,
            potential: 0.0,
        };
        episode.progress = episode.progress(shared);
        episode
    }

    /// Starts another game.
    pub(super) fn begin(&mut self, shared: &Shared, seed: u64, index: u64) {
        self.game = Game::new(&shared.setup.ruleset, game_seed(seed, index));
        (self.seed, self.index) = (seed, index);
        (self.steps, self.potential, self.last) = (0, 0.0, None);
        self.cells.fill(0);
        self.legal.clear();
        self.progress = self.progress(shared);
    }

    fn progress(&self, shared: &Shared) -> Progress {
        match self.game.status() {
            Status::Over => Progress::Terminated,
            Status::OutOfPieces => Progress::Truncated,
            Status::Playing => match shared.setup.max_steps {
                Some(most) if self.steps >= most => Progress::Truncated,
                _ => Progress::Playing,
            },
        }
    }

    /// Checks that an action is valid.
    #[inline]
    pub(super) fn check(&self, shared: &Shared, action: i64) -> Result<(), ActionProblem> {
        let number = usize::try_from(action).ok();
        let number = number.filter(|&number| number < shared.actions.count());
        let number = number.ok_or(ActionProblem::OutOfRange)?;
        if shared.setup.illegal == IllegalActions::Nearest {
            return Ok(());
        }
        let is_legal = match &shared.actions {
            Actions::Keys { mask } => mask[number] == 1,
            Actions::Drops { masks, .. } => {
                masks[self.game.waiting_pieces()[0] as usize][number] == 1
            }
            actions => self.find(actions, number).1,
        };
        is_legal.then_some(()).ok_or(ActionProblem::Illegal)
    }

    /// Takes an action that [`check`](Self::check) accepts.
    pub(super) fn step(
        &mut self,
        shared: &Shared,
        action: i64,
        scratch: &mut EnvironmentScratch,
    ) -> Stepped {
        let number = action as usize;
        let before = shared.setup.reward.count(&self.game);
        let lines = self.game.lines();
        let (rated, legal) = match &shared.actions {
            Actions::Keys { mask } => {
                self.press(number);
                (None, mask[number] == 1)
            }
            actions => {
                let (placement, legal) = self.find(actions, number);
                let rated = self.rate(shared, placement, scratch);
                self.place(shared, placement);
                (rated, legal)
            }
        };
        self.steps += 1;
        self.progress = self.progress(shared);
        let reward = self.shaped(shared, before, rated);
        Stepped {
            reward,
            lines: (self.game.lines() - lines) as i64,
            legal,
        }
    }

    /// The placement of an action, and whether the action is legal.
    #[inline]
    fn find(&self, actions: &Actions, number: usize) -> (Placement, bool) {
        if let Actions::Drops { width, masks } = actions {
            let piece = self.game.waiting_pieces()[0];
            let (rotation, x) = drop_action(piece, *width, number);
            let placement = drop_in(self.game.board(), piece, rotation, x as u8);
            let placement = placement.expect("the column is moved onto the board");
            return (placement, masks[piece as usize][number] == 1);
        }
        if let Actions::ListedDrops { spots, .. } = actions {
            let piece = self.game.waiting_pieces()[0];
            let spots = &spots[piece as usize];
            let (rotation, x) = spots[number.min(spots.len() - 1)];
            let placement = drop_in(self.game.board(), piece, rotation, x);
            let placement = placement.expect("a listed column is on the board");
            return (placement, number < spots.len());
        }
        let place = self.legal.partition_point(|row| row.0 < number);
        let nearest = [place.wrapping_sub(1), place];
        let nearest = nearest.iter().filter_map(|&place| self.legal.get(place));
        let nearest = nearest.min_by_key(|row| row.0.abs_diff(number));
        let &(found, placement) = nearest.expect("a game that goes on has placements");
        (placement, found == number)
    }

    fn press(&mut self, key: usize) {
        let inputs = match key.checked_sub(1) {
            None => Inputs::NONE,
            Some(key) => Inputs::NONE.with(INPUTS[key]),
        };
        self.game.tick(inputs);
    }

    /// Places the piece. Recording the step costs more than the step itself, so it is only recorded
    /// if features of the step are observed.
    #[inline]
    fn place(&mut self, shared: &Shared, placement: Placement) {
        let lines = self.game.lines();
        if shared.observes_steps() {
            self.last = Some(self.game.apply(placement));
        } else {
            self.game.place(placement);
        }
        if !shared.setup.cells {
            return;
        }
        if lines == self.game.lines() && self.game.stepped().is_none() {
            let (width, height) = (self.game.board().width(), self.game.board().height());
            for (row, column) in placement.cells() {
                if row < height {
                    self.cells[(height - 1 - row) * width + column] = 1;
                }
            }
        } else {
            fill_cells(self.game.board(), &mut self.cells);
        }
    }

    /// The shaping evaluator's value of a placement.
    fn rate(
        &self,
        shared: &Shared,
        placement: Placement,
        scratch: &mut EnvironmentScratch,
    ) -> Option<f64> {
        let shaping = shared.setup.shaping.as_ref()?;
        let (workspace, scores) = (&mut scratch.workspace, &mut scratch.scores);
        let mut found = None;
        scratch.legal.visit_groups(&self.game, |_, outcomes| {
            let index = (0..outcomes.len()).find(|&index| outcomes.placement(index) == placement);
            if let Some(index) = index {
                shaping.evaluator.rate(outcomes, workspace, scores);
                found = Some(scores[index] * shaping.evaluator.unit() * shaping.scale);
            }
        });
        found
    }

    /// The reward of the last step, including the shaping.
    #[inline]
    fn shaped(&mut self, shared: &Shared, before: u64, rated: Option<f64>) -> f64 {
        let reward = shared.setup.reward.of(before, &self.game);
        let Some(shaping) = &shared.setup.shaping else {
            return reward;
        };
        let is_over = self.progress == Progress::Terminated;
        let potential = rated.filter(|_| !is_over).unwrap_or(0.0);
        let before = std::mem::replace(&mut self.potential, potential);
        reward + shaping.discount * potential - before
    }

    /// Writes the current observation.
    pub(super) fn observe(
        &mut self,
        shared: &Shared,
        seen: &mut Observations<'_>,
        scratch: &mut EnvironmentScratch,
    ) {
        if self.observe_position(shared, seen, scratch)
            && let Some(writer) = &mut scratch.afterstates
        {
            writer.write(&self.game, seen);
        }
    }

    /// Like [`Self::observe`], but afterstates that are better written together with those of other
    /// games are only queued, under the number of this game.
    #[inline]
    pub(super) fn observe_together(
        &mut self,
        shared: &Shared,
        seen: &mut Observations<'_>,
        (scratch, number): (&mut EnvironmentScratch, usize),
    ) {
        if self.observe_position(shared, seen, scratch)
            && let Some(writer) = &mut scratch.afterstates
        {
            writer.add(number, &self.game);
        }
    }

    /// Writes all but the afterstates that an [`AfterstateWriter`] writes; returns whether there
    /// are some.
    #[inline]
    fn observe_position(
        &mut self,
        shared: &Shared,
        seen: &mut Observations<'_>,
        scratch: &mut EnvironmentScratch,
    ) -> bool {
        if !seen.board.is_empty() {
            if shared.setup.kind == EnvironmentKind::Keys {
                self.show_falling();
            }
            seen.board.copy_from_slice(&self.cells);
        }
        if !seen.columns.is_empty() {
            seen.columns.copy_from_slice(self.game.board().columns());
            self.show_falling_columns(seen.falling);
        }
        self.show_pieces(shared, seen.pieces);
        let waits = self.show_actions(shared, seen, scratch);
        if shared.observes_steps() {
            match &self.last {
                None => seen.features.fill(0.0),
                Some(step) => {
                    let values = shared.features.values(step);
                    let numbers = seen.features.iter_mut().zip(values);
                    numbers.for_each(|(number, value)| *number = value as f32);
                }
            }
        }
        waits
    }

    /// Marks the falling piece in the cells of the board.
    fn show_falling(&mut self) {
        let board = self.game.board();
        fill_cells(board, &mut self.cells);
        let falling = self.game.stepped().and_then(|game| game.falling());
        let cells = falling.into_iter().flat_map(|falling| falling.cells());
        let (width, height) = (board.width(), board.height());
        for (row, column) in cells {
            let (row, column) = (row as usize, column as usize);
            if row < height && column < width {
                self.cells[(height - 1 - row) * width + column] = 2;
            }
        }
    }

    /// Writes the falling piece as columns.
    fn show_falling_columns(&self, columns: &mut [u64]) {
        columns.fill(0);
        let rows = self.game.board().height() + ROWS_ABOVE;
        let falling = self.game.stepped().and_then(|game| game.falling());
        for (row, column) in falling.into_iter().flat_map(|falling| falling.cells()) {
            if let (row @ 0.., Some(column)) = (row, columns.get_mut(column as usize))
                && (row as usize) < rows
            {
                *column |= 1 << row;
            }
        }
    }

    #[inline]
    fn show_pieces(&self, shared: &Shared, shown: &mut [u8]) {
        let pieces = self.game.waiting_pieces();
        let slots = shared.setup.piece_slots();
        let held = self.game.stepped().and_then(|game| game.held());
        let at = |slot: usize| -> Option<Piece> {
            if slot > shared.setup.ruleset.preview {
                held
            } else {
                pieces.get(slot).copied()
            }
        };
        if shared.setup.one_hot {
            shown.fill(0);
            for (slot, row) in shown.chunks_exact_mut(7).enumerate() {
                if let Some(piece) = at(slot) {
                    row[piece as usize] = 1;
                }
            }
        } else {
            for (slot, number) in shown[..slots].iter_mut().enumerate() {
                *number = at(slot).map_or(NOTHING, |piece| piece as u8);
            }
        }
    }

    /// The legal actions, and their afterstates; returns whether an [`AfterstateWriter`] writes
    /// them.
    #[inline]
    fn show_actions(
        &mut self,
        shared: &Shared,
        seen: &mut Observations<'_>,
        scratch: &mut EnvironmentScratch,
    ) -> bool {
        if self.progress != Progress::Playing && self.game.status() != Status::Playing {
            self.legal.clear();
            if shared.setup.kind == EnvironmentKind::Afterstates {
                seen.end_afterstates(0);
            } else {
                seen.mask.fill(0);
            }
            return false;
        }
        match &shared.actions {
            Actions::Drops { masks, .. } => {
                let piece = self.game.waiting_pieces()[0];
                seen.mask.copy_from_slice(&masks[piece as usize]);
            }
            Actions::Keys { mask } => seen.mask.copy_from_slice(mask),
            Actions::Places { .. } => self.show_places(shared, seen, scratch),
            Actions::ListedDrops { .. } if scratch.afterstates.is_some() => return true,
            Actions::ListedDrops { most, .. } | Actions::Listed { most } => {
                self.show_afterstates(shared, *most, seen, scratch);
            }
        }
        false
    }

    fn show_places(
        &mut self,
        shared: &Shared,
        seen: &mut Observations<'_>,
        scratch: &mut EnvironmentScratch,
    ) {
        let legal = &mut self.legal;
        legal.clear();
        scratch.legal.visit_groups(&self.game, |is_held, outcomes| {
            for index in 0..outcomes.len() {
                let placement = outcomes.placement(index);
                legal.push((shared.actions.number_of(is_held, placement), placement));
            }
        });
        // The same cells can be reached with and without a spin; a spin scores more.
        legal.sort_by_key(|row| (row.0, std::cmp::Reverse(row.1.spin)));
        legal.dedup_by_key(|row| row.0);
        seen.mask.fill(0);
        for row in legal {
            seen.mask[row.0] = 1;
        }
    }

    fn show_afterstates(
        &mut self,
        shared: &Shared,
        most: usize,
        seen: &mut Observations<'_>,
        scratch: &mut EnvironmentScratch,
    ) {
        let (legal, matrix) = (&mut self.legal, &mut scratch.matrix);
        legal.clear();
        let numbers = shared.features.len();
        let size = shared.setup.ruleset.width * shared.setup.ruleset.height;
        scratch.legal.visit_groups(&self.game, |_, outcomes| {
            let first = legal.len();
            let count = outcomes.len().min(most - first);
            if numbers > 0 {
                shared.features.fill(outcomes, matrix);
                let rows = &mut seen.features[first * numbers..];
                for (number, values) in matrix.rows().enumerate() {
                    for (row, &value) in values[..count].iter().enumerate() {
                        rows[row * numbers + number] = value as f32;
                    }
                }
            }
            for index in 0..count {
                let landing = outcomes.landing(index);
                let number = first + index;
                legal.push((number, landing.placement()));
                seen.lines[number] = landing.lines() as u8;
                seen.over[number] = i8::from(landing.game_over);
                if !seen.boards.is_empty() {
                    let cells = &mut seen.boards[number * size..(number + 1) * size];
                    fill_cells(&outcomes.board_after(index), cells);
                }
            }
        });
        seen.end_afterstates(legal.len());
    }
}

/// The cells of a board, top row first.
fn fill_cells(board: &Board, cells: &mut [u8]) {
    let (width, height) = (board.width(), board.height());
    for (index, row) in cells.chunks_exact_mut(width).enumerate() {
        let shift = height - 1 - index;
        for (cell, column) in row.iter_mut().zip(board.columns()) {
            *cell = (column >> shift & 1) as u8;
        }
    }
}

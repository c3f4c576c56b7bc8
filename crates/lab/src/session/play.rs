//! Playing a game: ticks, and whole pieces by the bot or the record.

use super::Session;
use super::log::Hand;
use super::plan::{self, DROP_TICKS, Plan};
use tetrolab_core::moves::Input;
use tetrolab_core::piece::Piece;
use tetrolab_core::placement::{Placement, Transition};
use tetrolab_core::stepped::Inputs;

impl Session {
    /// The player that places the piece.
    pub(super) fn hand(&self) -> Hand {
        match (&self.script, self.bot_plays) {
            (Some(_), _) => Hand::Record,
            (None, true) => Hand::Bot,
            (None, false) => Hand::You,
        }
    }

    /// Plays a tick; the person's inputs count unless the bot or a record plays.
    pub fn tick(&mut self, pressed: Inputs) {
        if !self.is_playing() || self.waits_for_piece {
            return;
        }
        if self.game.stepped().is_some() {
            self.tick_stepped(pressed);
        } else {
            self.tick_drops(pressed);
        }
    }

    fn tick_stepped(&mut self, pressed: Inputs) {
        let inputs = if self.is_automatic() {
            self.automatic_input()
        } else {
            pressed
        };
        let hand = self.hand();
        if let Some(step) = self.play_tick(inputs) {
            self.locked(&step, hand);
            self.keep_past();
        }
    }

    fn play_tick(&mut self, inputs: Inputs) -> Option<Transition> {
        let before = self.waiting_piece();
        let ticked = self.game.tick(inputs);
        self.log.add_inputs(inputs);
        if ticked.locked.is_none() {
            self.log_drawn_pieces();
            if self.waiting_piece() != before {
                // Another piece is falling.
                self.hint = None;
                self.analysis = None;
            }
        }
        ticked.locked
    }

    /// The falling piece and the held one.
    fn waiting_piece(&self) -> Option<(Option<Piece>, Option<Piece>)> {
        let game = self.game.stepped()?;
        Some((game.falling().map(|falling| falling.piece), game.held()))
    }

    fn tick_drops(&mut self, pressed: Inputs) {
        if !self.is_automatic() {
            if let Some(aim) = self.aim {
                self.aim = Some(plan::moved(&self.game, aim, pressed));
            }
            if pressed.has(Input::Drop) {
                self.drop_aim();
            }
            return;
        }
        if self.plan.is_none() {
            self.plan = self.next_placement().map(Plan::drop);
        }
        let Some(Plan::Drop { placement, ticks }) = &mut self.plan else {
            return;
        };
        *ticks += 1;
        if *ticks >= DROP_TICKS {
            let placement = *placement;
            self.place(placement);
            self.keep_past();
        }
    }

    /// Drops the person's piece.
    fn drop_aim(&mut self) {
        let placement = self.aim.map(|aim| plan::dropped(self.game.board(), aim));
        if let Some(placement) = placement.filter(|&to| self.game.check(to).is_ok()) {
            self.place(placement);
            self.keep_past();
        }
    }

    fn place(&mut self, placement: Placement) {
        let hand = self.hand();
        let step = self.game.apply(placement);
        self.locked(&step, hand);
    }

    /// Lets the bot, or the record, place a piece; returns whether it could. This cannot be undone
    /// before [`Self::keep_past`].
    pub(crate) fn leap(&mut self) -> bool {
        if !self.is_playing() || self.waits_for_piece || !self.is_automatic() {
            return false;
        }
        if self.game.stepped().is_none() {
            let placement = self.planned();
            if let Some(placement) = placement {
                self.place(placement);
            }
            return placement.is_some();
        }
        let pieces = self.game.pieces();
        while self.is_playing() && !self.waits_for_piece && self.game.pieces() == pieces {
            self.leap_tick();
        }
        // Until the next piece is visible.
        while self.is_playing() && self.waiting_piece().is_some_and(|piece| piece.0.is_none()) {
            self.leap_tick();
        }
        true
    }

    fn leap_tick(&mut self) {
        let (inputs, hand) = (self.automatic_input(), self.hand());
        if let Some(step) = self.play_tick(inputs) {
            self.locked(&step, hand);
        }
    }

    /// Plays one piece of a bot or a record immediately, as a step that can be undone.
    pub fn step(&mut self) -> bool {
        let leapt = self.leap();
        if leapt {
            self.keep_past();
        }
        leapt
    }

    fn planned(&mut self) -> Option<Placement> {
        match self.plan.take() {
            Some(Plan::Drop { placement, .. }) => Some(placement),
            _ => self.next_placement(),
        }
    }

    /// The placement of the record or the bot.
    fn next_placement(&mut self) -> Option<Placement> {
        match &self.script {
            Some(script) => script.placement(&self.game),
            None => self.bot.as_mut()?.choose(&self.game),
        }
    }

    /// The inputs of the record or the bot in the next tick.
    fn automatic_input(&mut self) -> Inputs {
        let script = self.script.as_ref();
        if let Some(inputs) = script.and_then(|script| script.inputs(&self.game)) {
            return inputs;
        }
        let stepped = self.game.stepped();
        if self.plan.is_none() && stepped.is_some_and(|game| game.falling().is_some()) {
            let path = match &self.script {
                Some(script) => script.path(&self.game, &mut self.finder),
                None => {
                    let bot = self.bot.as_mut();
                    bot.and_then(|bot| bot.path(&self.game, &mut self.finder))
                }
            };
            self.plan = Some(Plan::path(path));
        }
        self.plan.as_mut().map_or(Inputs::NONE, Plan::next_input)
    }
}

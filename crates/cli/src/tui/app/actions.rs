//! What the keys do.

use super::{App, Editor, Mode};
use crate::tui::keys::Action;
use crate::tui::seat::{Dealer, Seat};
use crate::tui::speed::Speed;
use anyhow::Context;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind};
use tetrolab::core::moves::Input;
use tetrolab::core::piece::Piece;
use tetrolab::core::randomizers::{Randomizer, RandomizerContext, randomizer};
use tetrolab::core::rng::game_seed;
use tetrolab::library::find_evaluator;

impl App {
    pub(super) fn act(&mut self, action: Option<Action>, event: &KeyEvent) {
        let Some(action) = action else {
            return;
        };
        match action {
            Action::Play(input) => {
                // The keyboard protocol does not tell when these are let go.
                let mute = [KeyCode::Enter, KeyCode::Tab, KeyCode::Backspace];
                let is_told = !mute.contains(&event.code);
                self.keyboard.key(input, event.kind, is_told);
            }
            // Where the terminal tells repetitions from presses, a key that is held asks once, but for those that make sense many times.
            Action::Undo => self.undo(),
            Action::Step => self.step(),
            Action::Faster => self.speed = self.speed.faster(),
            Action::Slower => self.speed = self.speed.slower(),
            _ if event.kind == KeyEventKind::Repeat => (),
            Action::Pause => self.pause(),
            Action::Restart => self.restart(),
            Action::NewGame => self.new_game(),
            Action::Bot => self.toggle_bot(),
            Action::Hint => self.hint(),
            Action::Edit => self.edit(),
            Action::Dealing => self.change_dealing(),
            Action::FullSpeed => {
                self.speed = match self.speed {
                    Speed::Full => Speed::NORMAL,
                    Speed::Doubled(_) => Speed::Full,
                };
            }
            Action::Save => self.save(),
            Action::Picture => self.wants_picture = true,
            Action::Panel => self.shows_panel = !self.shows_panel,
            Action::Help => self.help_page = Some(0),
            Action::Quit => self.has_quit = true,
        }
    }

    fn pause(&mut self) {
        if self.has_come_to_its_end() {
            // Who has seen as many pieces as were asked for may see more.
            self.pieces = None;
            return;
        }
        self.mode = match self.mode {
            Mode::Paused => Mode::Playing,
            _ => Mode::Paused,
        };
        self.keyboard.clear();
    }

    /// One piece more by those who play by themselves.
    fn step(&mut self) {
        self.mode = Mode::Paused;
        let mut stepped = false;
        for index in 0..self.seats.len() {
            // An opponent plays when it is its turn.
            if index == 0 || self.pace.is_none() || self.has_turn(index) {
                stepped |= self.seats[index].step();
            }
        }
        if !stepped {
            let bot = self.settings.bindings.keys(Action::Bot);
            let text = match self.is_over() {
                true => "the game has ended".to_owned(),
                false => format!("a step is one piece of the bot's: {bot} lets it play"),
            };
            self.say(text);
        }
    }

    fn undo(&mut self) {
        let undone = self.seats.iter_mut().map(Seat::undo_piece);
        let mut any = undone.fold(false, |any, undone| any | undone);
        if !any {
            let undone = self.seats.iter_mut().map(Seat::undo_edit);
            any = undone.fold(false, |any, undone| any | undone);
            self.rates.clear();
        }
        self.keyboard.clear();
        self.mode = Mode::Paused;
        match any {
            true => {
                let pause = self.settings.bindings.keys(Action::Pause);
                self.say(format!("taken back; {pause} goes on"));
            }
            false => self.say("there is nothing to take back"),
        }
    }

    fn restart(&mut self) {
        self.seats.iter_mut().for_each(Seat::restart);
        self.begin_again("the same game again");
    }

    fn new_game(&mut self) {
        self.game += 1;
        let seed = game_seed(self.seed, self.game);
        self.seats.iter_mut().for_each(|seat| seat.new_game(seed));
        self.begin_again("another game");
    }

    fn begin_again(&mut self, what: &str) {
        self.reset_clock();
        self.mode = Mode::Playing;
        self.say(what);
    }

    /// A game begins: the time, the speed and the keys of the one before do not count.
    fn reset_clock(&mut self) {
        self.keyboard.clear();
        self.elapsed = std::time::Duration::ZERO;
        self.rates.clear();
        self.owed = 0.0;
    }

    fn toggle_bot(&mut self) {
        let Some(seat) = self.seats.first_mut() else {
            return;
        };
        seat.toggle_bot();
        let name = seat
            .bot
            .as_ref()
            .map_or_else(String::new, |bot| bot.short_name());
        let text = match seat.bot_plays {
            true => format!("{name} plays"),
            false => "you play".to_owned(),
        };
        self.keyboard.clear();
        self.say(text);
    }

    fn hint(&mut self) {
        let Some(seat) = self.seats.first_mut() else {
            return;
        };
        seat.give_hint();
        let text = match (seat.hint, &seat.bot) {
            (Some(hint), Some(bot)) => {
                let name = bot.short_name();
                let holds = seat
                    .falling()
                    .is_some_and(|falling| falling.piece != hint.piece);
                match holds {
                    true => format!("{name} would hold, and place the {} here", hint.piece),
                    false => format!("{name} would go here"),
                }
            }
            _ => "there is no piece to place".to_owned(),
        };
        self.say(text);
    }

    fn edit(&mut self) {
        if let Some(seat) = self.seats.first() {
            self.mode = Mode::Editing(Editor::new(*seat.game().board(), seat.visible_rows()));
        }
    }

    pub(super) fn edit_key(&mut self, event: &KeyEvent) {
        let Mode::Editing(editor) = &mut self.mode else {
            return;
        };
        match event.code {
            KeyCode::Esc => self.mode = Mode::Paused,
            KeyCode::Enter => {
                let board = editor.board_without_full_rows();
                self.seats.iter_mut().for_each(|seat| seat.edit(board));
                self.mode = Mode::Paused;
                self.reset_clock();
                let pause = self.settings.bindings.keys(Action::Pause);
                self.say(format!("a new game from this board; {pause} goes on"));
            }
            code => editor.key(code),
        }
    }

    /// A letter chooses the piece for which a game waits; whether it was one.
    pub(super) fn choose_piece(&mut self, event: &KeyEvent) -> bool {
        let waits = self.seats.iter().any(Seat::waits_for_piece);
        let KeyCode::Char(letter) = event.code else {
            return false;
        };
        let Some(piece) = Piece::from_letter(letter).filter(|_| waits) else {
            return false;
        };
        self.seats
            .iter_mut()
            .for_each(|seat| seat.choose_piece(piece));
        true
    }

    fn change_dealing(&mut self) {
        if self
            .seats
            .iter()
            .any(|seat| seat.recorded_pieces().is_some())
        {
            self.say("a record has its pieces: enter makes it your game");
            return;
        }
        let [seat] = &self.seats[..] else {
            self.say("two boards get the same pieces: one board lets you choose them");
            return;
        };
        let next = match seat.dealing() {
            Dealer::Rules => Dealer::You,
            Dealer::You => Dealer::Adversary,
            Dealer::Adversary => Dealer::Rules,
        };
        let adversary = match next {
            Dealer::Adversary => self.make_adversary().map(Some),
            _ => Ok(None),
        };
        match adversary {
            Err(error) => self.say(format!("{error:#}")),
            Ok(adversary) => {
                self.seats[0].deal_by(next, adversary);
                self.say(match next {
                    Dealer::Rules => "pieces come as the rules say".to_owned(),
                    Dealer::You => "you choose the pieces: I O T Z S J L".to_owned(),
                    Dealer::Adversary => {
                        format!("the adversary of {} deals the worst pieces", self.adversary)
                    }
                });
            }
        }
    }

    /// The adversary that deals when it is asked to.
    pub(super) fn make_adversary(&self) -> anyhow::Result<Box<dyn Randomizer>> {
        let spec = format!("adversary({})", self.adversary);
        let context = RandomizerContext {
            rules: self.ruleset.rules.as_ref(),
            width: self.ruleset.width,
            evaluators: &find_evaluator,
        };
        let made = spec.parse().map(|spec| randomizer(&spec, &context));
        made.map_err(anyhow::Error::from)
            .and_then(|made| Ok(made?))
            .context("--adversary")
    }

    /// Keys that move through a record; whether it was one.
    pub(super) fn replay_key(&mut self, event: &KeyEvent, action: Option<Action>) -> bool {
        let Some(all) = self.seats.first().and_then(Seat::recorded_pieces) else {
            return false;
        };
        let here = self.seats[0].game().pieces();
        let to = match (event.code, action) {
            (KeyCode::Home, _) => 0,
            (KeyCode::End, _) => all as u64,
            (KeyCode::PageUp, _) => here.saturating_sub(10),
            (KeyCode::PageDown, _) => here + 10,
            (_, Some(Action::Play(Input::Left) | Action::Undo)) => here.saturating_sub(1),
            (_, Some(Action::Play(Input::Right))) => here + 1,
            (_, Some(Action::Play(Input::Drop))) => {
                self.pause();
                return true;
            }
            (KeyCode::Enter, _) => {
                self.seats[0].take_over();
                self.mode = Mode::Paused;
                let keys = |action| self.settings.bindings.keys(action);
                let (pause, bot) = (keys(Action::Pause), keys(Action::Bot));
                self.say(format!(
                    "your game from here: {pause} goes on, {bot} lets the bot play"
                ));
                return true;
            }
            _ => return false,
        };
        self.go_to(to);
        true
    }
}

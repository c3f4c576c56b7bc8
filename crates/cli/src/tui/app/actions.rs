//! The effects of the keys.

use super::App;
use crate::tui::keys::Action;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind};
use tetrolab::core::moves::Input;
use tetrolab::core::piece::Piece;
use tetrolab::session::{Dealer, Edit, Editor, KeyStroke, Speed};

/// The keys for editing a board.
const EDITS: [(&[KeyCode], Edit); 9] = [
    (&[KeyCode::Left], Edit::Left),
    (&[KeyCode::Right], Edit::Right),
    (&[KeyCode::Up], Edit::Up),
    (&[KeyCode::Down], Edit::Down),
    (&[KeyCode::Char(' '), KeyCode::Char('x')], Edit::Toggle),
    (&[KeyCode::Char('f')], Edit::FillRow),
    (&[KeyCode::Char('g')], Edit::Garbage),
    (&[KeyCode::Delete, KeyCode::Backspace], Edit::ClearRow),
    (&[KeyCode::Char('c')], Edit::ClearAll),
];

impl App {
    pub(super) fn act(&mut self, action: Option<Action>, event: &KeyEvent) {
        let Some(action) = action else {
            return;
        };
        match action {
            Action::Play(input) => {
                // The keyboard protocol does not report the release of these keys.
                let mute = [KeyCode::Enter, KeyCode::Tab, KeyCode::Backspace];
                let is_reported = self.reports_releases && !mute.contains(&event.code);
                if !is_reported {
                    self.games.key(input, KeyStroke::Tap);
                } else if event.kind == KeyEventKind::Press {
                    self.games.key(input, KeyStroke::Press);
                }
            }
            // Only these actions repeat while their key is held down.
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::Step => self.step(),
            Action::Faster => self.games.set_speed(self.games.speed().faster()),
            Action::Slower => self.games.set_speed(self.games.speed().slower()),
            _ if event.kind == KeyEventKind::Repeat => (),
            Action::Pause => self.games.toggle_pause(),
            Action::Restart => {
                self.games.restart();
                self.say("the same game again");
            }
            Action::NewGame => {
                self.games.new_game();
                self.say("another game");
            }
            Action::Bot => self.toggle_bot(),
            Action::Hint => self.hint(),
            Action::Edit => self.edit(),
            Action::Dealing => self.change_dealing(),
            Action::FullSpeed => {
                let is_full = self.games.speed() == Speed::Full;
                self.games
                    .set_speed(if is_full { Speed::NORMAL } else { Speed::Full });
            }
            Action::Save => self.save(),
            Action::Picture => self.wants_picture = true,
            Action::Panel => self.shows_panel = !self.shows_panel,
            Action::Help => self.help_page = Some(0),
            Action::Quit => self.has_quit = true,
        }
    }

    /// Plays one more piece of a bot or a record.
    fn step(&mut self) {
        if !self.games.step() {
            let bot = self.settings.bindings.keys(Action::Bot);
            self.say(if self.games.is_over() {
                "the game has ended".to_owned()
            } else {
                format!("a step places one piece of the bot; {bot} lets the bot play")
            });
        }
    }

    fn undo(&mut self) {
        if self.games.undo() {
            let pause = self.settings.bindings.keys(Action::Pause);
            self.say(format!("undone; {pause} continues"));
        } else {
            self.say("nothing to undo");
        }
    }

    fn redo(&mut self) {
        let redone = self.games.redo();
        self.say(if redone {
            "played again"
        } else {
            "nothing to redo"
        });
    }

    fn toggle_bot(&mut self) {
        let bot_plays = self.sessions()[0].bot_plays();
        self.games.set_bot_plays(!bot_plays);
        let session = &self.sessions()[0];
        let bot = session.bot().filter(|_| session.bot_plays());
        let text = bot.map_or("you play".to_owned(), |bot| {
            format!("{} plays", bot.short_name())
        });
        self.say(text);
    }

    fn hint(&mut self) {
        let hint = self.games.give_hint();
        let session = &self.sessions()[0];
        let text = match (hint, session.bot()) {
            (Some(hint), Some(bot)) => {
                let name = bot.short_name();
                if session
                    .falling()
                    .is_some_and(|falling| falling.piece != hint.piece)
                {
                    format!("{name} would hold, and place the {} here", hint.piece)
                } else {
                    format!("{name} would go here")
                }
            }
            _ => "there is no piece to place".to_owned(),
        };
        self.say(text);
    }

    fn edit(&mut self) {
        let session = &self.sessions()[0];
        self.editor = Some(Editor::new(*session.game().board(), session.visible_rows()));
    }

    pub(super) fn edit_key(&mut self, event: &KeyEvent) {
        let Some(editor) = &mut self.editor else {
            return;
        };
        match event.code {
            KeyCode::Esc => {
                self.editor = None;
                self.games.set_paused(true);
            }
            KeyCode::Enter => {
                let board = editor.board_without_full_rows();
                self.editor = None;
                self.games.edit(board);
                let pause = self.settings.bindings.keys(Action::Pause);
                self.say(format!("a new game from this board; {pause} continues"));
            }
            code => {
                let row = EDITS.iter().find(|(keys, _)| keys.contains(&code));
                if let Some((_, edit)) = row {
                    editor.edit(*edit);
                }
            }
        }
    }

    /// Handles a letter that chooses the piece for which a game is waiting; returns whether it did
    /// so.
    pub(super) fn choose_piece(&mut self, event: &KeyEvent) -> bool {
        let KeyCode::Char(letter) = event.code else {
            return false;
        };
        let piece = Piece::from_letter(letter).filter(|_| self.games.waits_for_piece());
        if let Some(piece) = piece {
            self.games.choose_piece(piece);
        }
        piece.is_some()
    }

    fn change_dealing(&mut self) {
        let next = match self.sessions()[0].dealing() {
            Dealer::Rules => Dealer::You,
            Dealer::You => Dealer::Adversary,
            Dealer::Adversary => Dealer::Rules,
        };
        let text = match (self.games.deal_by(next), next) {
            (Err(error), _) => error.to_string(),
            (Ok(()), Dealer::Rules) => "the ruleset chooses the pieces".to_owned(),
            (Ok(()), Dealer::You) => "you choose the pieces: I O T Z S J L".to_owned(),
            (Ok(()), Dealer::Adversary) => {
                let adversary = self.games.adversary();
                format!("the adversary of {adversary} deals the worst pieces")
            }
        };
        self.say(text);
    }

    /// Handles keys that move through a record; returns whether it did so.
    pub(super) fn replay_key(&mut self, event: &KeyEvent, action: Option<Action>) -> bool {
        let session = &self.sessions()[0];
        let Some(all) = session.recorded_pieces() else {
            return false;
        };
        let here = session.game().pieces();
        let to = match (event.code, action) {
            (KeyCode::Home, _) => 0,
            (KeyCode::End, _) => all as u64,
            (KeyCode::PageUp, _) => here.saturating_sub(10),
            (KeyCode::PageDown, _) => here + 10,
            (_, Some(Action::Play(Input::Left) | Action::Undo)) => here.saturating_sub(1),
            (_, Some(Action::Play(Input::Right))) => here + 1,
            (_, Some(Action::Play(Input::Drop))) => {
                self.games.toggle_pause();
                return true;
            }
            (KeyCode::Enter, _) => {
                self.games.take_over();
                let keys = |action| self.settings.bindings.keys(action);
                let (pause, bot) = (keys(Action::Pause), keys(Action::Bot));
                self.say(format!(
                    "your game from here: {pause} continues, {bot} lets the bot play"
                ));
                return true;
            }
            _ => return false,
        };
        self.games.go_to(to);
        true
    }
}

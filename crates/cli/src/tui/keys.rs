//! The actions of a human player, and their keys.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tetrolab::core::moves::Input;

/// An action of a human player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Action {
    /// An input of the game.
    Play(Input),
    Pause,
    Step,
    Undo,
    Redo,
    Restart,
    NewGame,
    Bot,
    Hint,
    Edit,
    Dealing,
    Faster,
    Slower,
    FullSpeed,
    Save,
    Picture,
    Panel,
    Help,
    Quit,
}

/// Every action: its name in the settings file, its default keys, and its effect.
pub(crate) const ACTIONS: &[(Action, &str, &[&str], &str)] = &[
    (Action::Play(Input::Left), "left", &["left"], "move left"),
    (
        Action::Play(Input::Right),
        "right",
        &["right"],
        "move right",
    ),
    (Action::Play(Input::Down), "down", &["down"], "soft drop"),
    (
        Action::Play(Input::Drop),
        "drop",
        &["space"],
        "hard or sonic drop",
    ),
    (
        Action::Play(Input::Clockwise),
        "clockwise",
        &["up", "x"],
        "turn clockwise",
    ),
    (
        Action::Play(Input::Counterclockwise),
        "counterclockwise",
        &["z"],
        "turn counterclockwise",
    ),
    (Action::Play(Input::Half), "half-turn", &["a"], "half turn"),
    (Action::Play(Input::Hold), "hold", &["c"], "hold the piece"),
    (Action::Bot, "bot", &["b"], "turn the bot on or off"),
    (Action::Hint, "hint", &["h"], "show the bot's placement"),
    (Action::Pause, "pause", &["p"], "pause or continue"),
    (Action::Step, "step", &["."], "one piece more"),
    (Action::Undo, "undo", &["u", "backspace"], "undo a piece"),
    (Action::Redo, "redo", &["y"], "play it again"),
    (Action::Restart, "restart", &["r"], "the same game again"),
    (Action::NewGame, "new-game", &["n"], "another game"),
    (Action::Faster, "faster", &["+", "="], "faster"),
    (Action::Slower, "slower", &["-"], "slower"),
    (
        Action::FullSpeed,
        "full-speed",
        &["m"],
        "full speed, and back",
    ),
    (Action::Edit, "edit", &["e"], "edit the board"),
    (Action::Dealing, "dealing", &["d"], "source of the pieces"),
    (Action::Panel, "panel", &["tab"], "show the bot's ratings"),
    (Action::Save, "save", &["w"], "write the game to a file"),
    (Action::Picture, "picture", &["v"], "save a picture"),
    (Action::Help, "help", &["?"], "this help"),
    (Action::Quit, "quit", &["q"], "leave"),
];

/// A key, possibly combined with Ctrl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    code: KeyCode,
    with_control: bool,
}

/// The keys that have names.
const WORDS: &[(&str, KeyCode)] = &[
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("space", KeyCode::Char(' ')),
    ("enter", KeyCode::Enter),
    ("tab", KeyCode::Tab),
    ("backspace", KeyCode::Backspace),
    ("escape", KeyCode::Esc),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
    ("insert", KeyCode::Insert),
    ("delete", KeyCode::Delete),
];

impl Key {
    /// Parses a key of the settings file: a character or a word such as `left`, optionally after
    /// `ctrl+`.
    pub(crate) fn parse(text: &str) -> Option<Key> {
        let (name, with_control) = match text.strip_prefix("ctrl+") {
            Some(name) => (name, true),
            None => (text, false),
        };
        let mut letters = name.chars();
        let code = match (letters.next(), letters.next()) {
            (Some(letter), None) => KeyCode::Char(letter),
            _ => WORDS.iter().find(|(word, _)| *word == name)?.1,
        };
        Some(Key { code, with_control })
    }

    pub(crate) fn of(event: &KeyEvent) -> Key {
        Key {
            code: event.code,
            with_control: event.modifiers.contains(KeyModifiers::CONTROL),
        }
    }
}

/// Whether the key is this letter combined with Ctrl.
pub(crate) fn is_control(event: &KeyEvent, letter: char) -> bool {
    event.code == KeyCode::Char(letter) && event.modifiers.contains(KeyModifiers::CONTROL)
}

/// The assignment of keys to actions.
#[derive(Clone, Debug)]
pub(crate) struct Bindings {
    rows: Vec<(Action, Vec<Key>)>,
}

impl Default for Bindings {
    fn default() -> Bindings {
        let keys = |names: &[&str]| names.iter().filter_map(|name| Key::parse(name)).collect();
        let rows = ACTIONS.iter().map(|row| (row.0, keys(row.2)));
        Bindings {
            rows: rows.collect(),
        }
    }
}

impl Bindings {
    /// Replaces the keys of an action; other actions lose these keys.
    pub(crate) fn bind(&mut self, action: Action, keys: &[Key]) {
        for (_, others) in &mut self.rows {
            others.retain(|key| !keys.contains(key));
        }
        for row in self.rows.iter_mut().filter(|row| row.0 == action) {
            row.1 = keys.to_vec();
        }
    }

    /// The action of a key.
    pub(crate) fn action(&self, key: Key) -> Option<Action> {
        let row = self.rows.iter().find(|(_, keys)| keys.contains(&key));
        row.map(|(action, _)| *action)
    }

    /// The keys of an action, for the help.
    pub(crate) fn keys(&self, action: Action) -> String {
        let row = self.rows.iter().find(|row| row.0 == action);
        let keys = row.map_or(&[][..], |row| &row.1);
        let names: Vec<String> = keys.iter().map(Key::to_string).collect();
        names.join(" ")
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.with_control {
            f.write_str("ctrl+")?;
        }
        let word = WORDS.iter().find(|(_, code)| *code == self.code);
        match (self.code, word) {
            (_, Some((word, _))) => f.write_str(word),
            (KeyCode::Char(letter), None) => write!(f, "{letter}"),
            (code, None) => write!(f, "{code}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_key_is_read_and_has_one_action() {
        let bindings = Bindings::default();
        for (action, name, keys, _) in ACTIONS {
            for text in *keys {
                let key = Key::parse(text).unwrap_or_else(|| panic!("{name}: {text}"));
                assert_eq!(key.to_string(), *text);
                assert_eq!(bindings.action(key), Some(*action), "{text}");
            }
        }
    }

    #[test]
    fn a_key_that_is_given_to_an_action_is_taken_from_the_others() {
        let mut bindings = Bindings::default();
        let key = Key::parse("x").unwrap();
        bindings.bind(Action::Play(Input::Drop), &[key]);
        assert_eq!(bindings.action(key), Some(Action::Play(Input::Drop)));
        assert_eq!(bindings.keys(Action::Play(Input::Clockwise)), "up");
        assert_eq!(Key::parse("ctrl+s").unwrap().to_string(), "ctrl+s");
        assert_eq!(Key::parse("nonsense"), None);
    }
}

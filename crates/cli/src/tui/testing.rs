//! Shows for tests: the same on every machine.

use super::app::{App, Seating, Setup};
use super::bot::Bot;
use super::palette::{Colours, Palette};
use super::screen_flags::ScreenSettings;
use super::settings::UserSettings;
use super::speed::Speed;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tetrolab::core::record::GameRecord;
use tetrolab::library::find_ruleset;

/// One tick at normal speed, and a little.
pub(crate) const TICK: Duration = Duration::from_micros(16_670);

/// A show under a ruleset.
pub(crate) fn show(ruleset: &str, seating: impl FnOnce(&dyn Fn(&str) -> Bot) -> Seating) -> App {
    show_in(Path::new(""), ruleset, seating)
}

/// A show that saves its games in a folder.
pub(crate) fn show_in(
    folder: &Path,
    ruleset: &str,
    seating: impl FnOnce(&dyn Fn(&str) -> Bot) -> Seating,
) -> App {
    let ruleset = find_ruleset(ruleset).unwrap();
    let seating = seating(&|name| Bot::find(name, &ruleset).unwrap());
    app(folder, ruleset, seating)
}

fn app(folder: &Path, ruleset: tetrolab::core::ruleset::Ruleset, seating: Seating) -> App {
    let colours = Colours {
        palette: Palette::Plain,
        is_true_colour: true,
    };
    App::new(Setup {
        ruleset: Arc::new(ruleset),
        seating,
        seed: 1,
        speed: Speed::NORMAL,
        pieces: None,
        screen: ScreenSettings {
            settings: UserSettings::default(),
            colours,
            adversary: "dellacherie".to_owned(),
            danger: false,
            folder: folder.to_owned(),
        },
    })
    .unwrap()
}

/// Bots that are watched.
pub(crate) fn watch(ruleset: &str, players: &[&str]) -> App {
    show(ruleset, |bot| {
        Seating::Bots(players.iter().map(|name| bot(name)).collect())
    })
}

/// A person at play, with a bot at hand.
pub(crate) fn play(ruleset: &str) -> App {
    show(ruleset, |bot| Seating::You {
        bot: bot("bcts"),
        opponent: None,
    })
}

/// A record that is watched.
pub(crate) fn replay(record: GameRecord) -> App {
    let ruleset = tetrolab::game_records::ruleset(&record).unwrap();
    let bot = Bot::find("dellacherie", &ruleset).unwrap();
    let record = Box::new(record);
    app(Path::new(""), ruleset, Seating::Record { record, bot })
}

impl App {
    /// Lets so many ticks pass at normal speed.
    pub(crate) fn pass(&mut self, ticks: usize) {
        for _ in 0..ticks {
            self.advance(TICK, &mut || true);
        }
    }

    /// Presses keys one after the other, a tick apart.
    pub(crate) fn press(&mut self, keys: &[KeyCode]) {
        for &code in keys {
            self.key(&KeyEvent::new(code, KeyModifiers::NONE));
            self.pass(1);
        }
    }

    pub(crate) fn set_palette(&mut self, palette: Palette) {
        self.colours.palette = palette;
    }

    pub(crate) fn set_speed(&mut self, speed: Speed) {
        self.speed = speed;
    }

    /// Presses the keys of these letters.
    pub(crate) fn type_keys(&mut self, letters: &str) {
        let keys: Vec<KeyCode> = letters.chars().map(KeyCode::Char).collect();
        self.press(&keys);
    }
}

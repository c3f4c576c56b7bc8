//! Programs for tests, identical on every machine.

use super::app::App;
use super::palette::{Colours, Palette};
use super::screen_flags::ScreenSettings;
use super::settings::UserSettings;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tetrolab::core::record::GameRecord;
use tetrolab::library::{FileSource, find_ruleset};
use tetrolab::session::{Bot, GroupSetup, Lineup, Speed};

/// Slightly more than one tick at normal speed.
pub(crate) const TICK: Duration = Duration::from_micros(16_670);

/// A program under a ruleset.
pub(crate) fn show(ruleset: &str, lineup: impl FnOnce(&dyn Fn(&str) -> Bot) -> Lineup) -> App {
    show_in(Path::new(""), ruleset, lineup)
}

/// A program that saves its games in a folder.
pub(crate) fn show_in(
    folder: &Path,
    ruleset: &str,
    lineup: impl FnOnce(&dyn Fn(&str) -> Bot) -> Lineup,
) -> App {
    let ruleset = find_ruleset(ruleset).unwrap();
    let lineup = lineup(&|name| Bot::find(FileSource::Disk, name, &ruleset).unwrap());
    app(folder, ruleset, lineup)
}

fn app(folder: &Path, ruleset: tetrolab::core::ruleset::Ruleset, lineup: Lineup) -> App {
    let colours = Colours {
        palette: Palette::Plain,
        is_true_colour: true,
    };
    let games = GroupSetup {
        ruleset: Arc::new(ruleset),
        lineup,
        seed: 1,
        speed: Speed::NORMAL,
        pieces: None,
        adversary: "dellacherie".to_owned(),
        library: FileSource::Disk,
        keys: None,
    };
    let screen = ScreenSettings {
        settings: UserSettings::default(),
        colours,
        danger: false,
        folder: folder.to_owned(),
    };
    App::new(games, screen).unwrap()
}

/// A program that shows bots.
pub(crate) fn watch(ruleset: &str, players: &[&str]) -> App {
    show(ruleset, |bot| {
        Lineup::Bots(players.iter().map(|name| bot(name)).collect())
    })
}

/// A program with a human player and a bot for hints.
pub(crate) fn play(ruleset: &str) -> App {
    show(ruleset, |bot| Lineup::Person {
        bot: bot("bcts"),
        opponent: None,
    })
}

/// A program that shows a record.
pub(crate) fn replay(record: GameRecord) -> App {
    let ruleset = tetrolab::formats::games::ruleset(&record).unwrap();
    let bot = Bot::find(FileSource::Disk, "dellacherie", &ruleset).unwrap();
    let record = Box::new(record);
    app(Path::new(""), ruleset, Lineup::Record { record, bot })
}

impl App {
    /// Lets this many ticks pass at normal speed.
    pub(crate) fn pass(&mut self, ticks: usize) {
        for _ in 0..ticks {
            self.advance(TICK, &mut || true);
        }
    }

    /// Presses keys one after the other, one tick apart.
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
        self.games.set_speed(speed);
    }

    /// Presses the keys of these letters.
    pub(crate) fn type_keys(&mut self, letters: &str) {
        let keys: Vec<KeyCode> = letters.chars().map(KeyCode::Char).collect();
        self.press(&keys);
    }
}

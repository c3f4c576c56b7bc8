//! The flags that `play` and `watch` share.

use super::app::App;
use super::film::FilmFlags;
use super::palette::{Colours, Palette};
use super::settings::{UserSettings, palette_named};
use crate::output::{line, print_json};
use anyhow::Context;
use serde_json::{Value, json};
use std::path::PathBuf;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::formats::games::to_json;
use tetrolab::library::{FileSource, find_ruleset};
use tetrolab::report::thousands;
use tetrolab::session::{Bot, Session, at_level};

/// Settings of display and recording.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ScreenFlags {
    /// The settings file: keys, colours, and how keys repeat.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// The colours: guideline, colour-blind or plain [default: those of the settings file].
    #[arg(long, value_name = "NAME", value_parser = palette_named)]
    palette: Option<Palette>,
    /// Learn in the background how dangerous boards are for the bot, and show the danger.
    #[arg(long)]
    danger: bool,
    /// Evaluator that the adversary plays against when it chooses pieces.
    #[arg(long, value_name = "EVALUATOR", default_value = "dellacherie")]
    pub(crate) adversary: String,
    #[command(flatten)]
    pub(crate) film: FilmFlags,
    /// Print the games as JSON at the end.
    #[arg(long)]
    json: bool,
}

/// The settings from the flags and the settings file.
pub(crate) struct ScreenSettings {
    pub(crate) settings: UserSettings,
    pub(crate) colours: Colours,
    pub(crate) danger: bool,
    /// Where games and pictures are saved.
    pub(crate) folder: PathBuf,
}

impl ScreenFlags {
    pub(crate) fn read(&self) -> anyhow::Result<ScreenSettings> {
        let settings = UserSettings::read(self.settings.as_deref())?;
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let palette = match self.palette {
            Some(palette) => palette,
            None if is_set("NO_COLOR") => Palette::Plain,
            None => settings.palette,
        };
        let shown = std::env::var("COLORTERM").unwrap_or_default();
        let is_true_colour =
            shown.contains("truecolor") || shown.contains("24bit") || !super::terminal::is_there();
        Ok(ScreenSettings {
            settings,
            colours: Colours {
                palette,
                is_true_colour,
            },
            danger: self.danger,
            folder: PathBuf::new(),
        })
    }

    /// Prints the results at the end, and the command that shows the same again.
    pub(crate) fn tell(&self, app: &App, command: &str) -> std::io::Result<()> {
        let danger = if self.danger { " --danger" } else { "" };
        let command = format!("{command}{danger}");
        let records = app.sessions().iter().map(Session::record);
        if self.json {
            let games = records.map(|record| to_json(&record));
            return print_json(&json!({ "games": Value::from_iter(games), "command": command }));
        }
        let before = app
            .sessions()
            .iter()
            .filter_map(Session::record_before_edit);
        let before = before.map(|record| (record, " before the board was edited"));
        for (record, when) in before.chain(records.map(|record| (record, ""))) {
            let count = |count: u64, word: &str| {
                let s = if count == 1 { "" } else { "s" };
                format!("{} {word}{s}", thousands(count))
            };
            let (lines, pieces) = (count(record.lines, "line"), count(record.pieces, "piece"));
            line(&format!("{}: {lines}, {pieces}{when}", record.player))?;
        }
        let game = match app.games.game_number() {
            1 => String::new(),
            game => format!("; this was game {game}"),
        };
        line(&format!("again: {command}{game}"))
    }
}

/// Finds a ruleset, optionally with another first level.
pub(crate) fn ruleset_at(text: &str, level: Option<u32>) -> anyhow::Result<Ruleset> {
    let ruleset = find_ruleset(text)?;
    let at = |level| at_level(&ruleset, level, FileSource::Disk).context("--level");
    level.map_or_else(|| Ok(ruleset.clone()), at)
}

/// Finds the player of a session.
pub(crate) fn find_bot(name: &str, ruleset: &Ruleset) -> anyhow::Result<Bot> {
    Bot::find(FileSource::TYPED, name, ruleset).map_err(crate::in_flags::study)
}

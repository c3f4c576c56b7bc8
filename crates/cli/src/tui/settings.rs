//! The settings file: colours, keys, and how keys repeat.

use super::keys::{ACTIONS, Bindings, Key};
use super::palette::{PALETTES, Palette};
use anyhow::{Context, bail};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tetrolab::core::ruleset::Ruleset;
use tetrolab::core::stepped::InputSettings;
use tetrolab::session::usual_keys;
use toml::{Table, Value};

/// The user's settings.
#[derive(Clone, Debug)]
pub(crate) struct UserSettings {
    pub(crate) palette: Palette,
    /// Whether to show where the falling piece would land.
    pub(crate) ghost: bool,
    pub(crate) bindings: Bindings,
    shift_delay: Option<u16>,
    shift_repeat: Option<u16>,
    down_repeat: Option<u16>,
}

impl Default for UserSettings {
    fn default() -> UserSettings {
        UserSettings {
            palette: Palette::default(),
            ghost: true,
            bindings: Bindings::default(),
            shift_delay: None,
            shift_repeat: None,
            down_repeat: None,
        }
    }
}

impl UserSettings {
    /// Reads the settings from a file, or from the default one if it exists.
    pub(crate) fn read(given: Option<&Path>) -> anyhow::Result<UserSettings> {
        let usual = || usual_path().filter(|path| path.exists());
        let Some(path) = given.map(Path::to_owned).or_else(usual) else {
            return Ok(UserSettings::default());
        };
        let here = || path.display().to_string();
        let text = tetrolab::library::read_text(&path)?;
        UserSettings::parse(&text).with_context(here)
    }

    fn parse(text: &str) -> anyhow::Result<UserSettings> {
        let table: Table = text.parse().map_err(|error: toml::de::Error| {
            let line = error
                .span()
                .map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            anyhow::anyhow!("line {line}: {}", error.message().replace('\n', ", "))
        })?;
        let mut settings = UserSettings::default();
        for (name, value) in &table {
            settings.set(name, value)?;
        }
        Ok(settings)
    }

    fn set(&mut self, name: &str, value: &Value) -> anyhow::Result<()> {
        match name {
            "palette" => {
                let palette = palette_named(value.as_str().unwrap_or_default());
                self.palette = palette.map_err(anyhow::Error::msg)?;
            }
            "ghost" => {
                let ghost = value.as_bool();
                self.ghost = ghost.context("ghost must be true or false")?;
            }
            "shift-delay" => self.shift_delay = Some(ticks(name, value)?),
            "shift-repeat" => self.shift_repeat = Some(ticks(name, value)?),
            "down-repeat" => self.down_repeat = Some(ticks(name, value)?),
            "keys" => {
                let keys = value.as_table().context("keys must be a table: [keys]")?;
                for (action, keys) in keys {
                    self.bind(action, keys)?;
                }
            }
            _ => bail!(
                "there is no setting '{name}'; the settings are palette, ghost, shift-delay, shift-repeat, down-repeat and [keys]"
            ),
        }
        Ok(())
    }

    fn bind(&mut self, name: &str, value: &Value) -> anyhow::Result<()> {
        let Some(row) = ACTIONS.iter().find(|row| row.1 == name) else {
            let names: Vec<&str> = ACTIONS.iter().map(|row| row.1).collect();
            bail!(
                "[keys] has no action '{name}'; the actions are {}",
                names.join(", ")
            );
        };
        let texts = match value {
            Value::String(text) => vec![text.as_str()],
            Value::Array(all) if all.iter().all(Value::is_str) => {
                all.iter().filter_map(Value::as_str).collect()
            }
            _ => bail!("{name} must be a key in quotation marks, or a list of keys"),
        };
        let keys = texts.iter().map(|text| {
            Key::parse(text).with_context(|| {
                format!("expected a key such as a, left, space, enter or ctrl+s, got '{text}'")
            })
        });
        let keys = keys.collect::<anyhow::Result<Vec<Key>>>()?;
        self.bindings.bind(row.0, &keys);
        Ok(())
    }

    /// How keys repeat in a game: the configured settings, or the defaults for games of this kind.
    pub(crate) fn input_settings(&self, ruleset: &Ruleset) -> InputSettings {
        let usual = usual_keys(ruleset);
        InputSettings {
            shift_delay: self.shift_delay.unwrap_or(usual.shift_delay),
            shift_repeat: self.shift_repeat.unwrap_or(usual.shift_repeat),
            down_repeat: self.down_repeat.unwrap_or(usual.down_repeat),
        }
    }
}

/// Finds a palette by name.
pub(crate) fn palette_named(name: &str) -> Result<Palette, String> {
    let row = PALETTES.iter().find(|row| row.1 == name);
    let names: Vec<&str> = PALETTES.iter().map(|row| row.1).collect();
    let row =
        row.ok_or_else(|| format!("palette must be one of {}, got '{name}'", names.join(", ")))?;
    Ok(row.0)
}

fn ticks(name: &str, value: &Value) -> anyhow::Result<u16> {
    let ticks = value.as_integer().and_then(|ticks| ticks.try_into().ok());
    ticks.with_context(|| {
        format!("{name} must be a number of ticks from 0 to 65535 (60 per second)")
    })
}

/// The default path of the settings.
pub(crate) fn usual_path() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let folder = variable("XDG_CONFIG_HOME")
        .or_else(|| variable("APPDATA"))
        .map(PathBuf::from)
        .or_else(|| variable("HOME").map(|home| PathBuf::from(home).join(".config")))?;
    Some(folder.join("tetrolab").join("settings.toml"))
}

/// The text of a settings file with the default settings.
pub(crate) fn example() -> String {
    let palettes: Vec<&str> = PALETTES.iter().map(|row| row.1).collect();
    let mut text = format!(
        "# tetrolab play and watch: settings.\n\n\
         palette = \"guideline\" # {}\n\
         ghost = true # show where the falling piece would land\n\n\
         # How keys repeat, in ticks (60 per second). If left out, the usual values of the game apply.\n\
         # shift-delay = 10  # from a press of left or right until it repeats (DAS)\n\
         # shift-repeat = 2  # between repetitions (ARR); 0 moves to the wall immediately\n\
         # down-repeat = 2   # between rows while down is held\n\
         # A terminal that does not report when a key is released repeats keys at its own rate.\n\n\
         [keys]\n",
        palettes.join(", ")
    );
    for (_, name, keys, help) in ACTIONS {
        let keys: Vec<String> = keys.iter().map(|key| format!("\"{key}\"")).collect();
        let setting = format!("{name} = [{}]", keys.join(", "));
        writeln!(text, "{setting:<34} # {help}").expect("a string takes everything");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::keys::Action;
    use tetrolab::library::find_ruleset;

    #[test]
    fn the_example_is_a_settings_file_that_changes_nothing() {
        let settings = UserSettings::parse(&example()).unwrap();
        for (action, _, keys, _) in ACTIONS {
            assert_eq!(settings.bindings.keys(*action), keys.join(" "));
        }
        assert_eq!(settings.palette, Palette::Guideline);
    }

    #[test]
    fn given_settings_apply_and_the_rest_are_defaults() {
        let text = "palette = 'colour-blind'\nshift-repeat = 0\n[keys]\nquit = 'escape'\n";
        let settings = UserSettings::parse(text).unwrap();
        assert_eq!(settings.palette, Palette::ColourBlind);
        assert_eq!(settings.bindings.keys(Action::Quit), "escape");
        let nes = settings.input_settings(&find_ruleset("nes").unwrap());
        assert_eq!((nes.shift_delay, nes.shift_repeat), (16, 0));
    }

    #[test]
    fn wrong_settings_are_explained() {
        for (text, said) in [
            (
                "palette = 'red'",
                "palette must be one of guideline, colour-blind, plain, got 'red'",
            ),
            ("ghost = 1", "ghost must be true or false"),
            ("shift-delay = -1", "shift-delay must be a number of ticks"),
            ("colour = 1", "there is no setting 'colour'"),
            ("[keys]\njump = 'j'", "[keys] has no action 'jump'"),
            ("[keys]\nquit = 'quit'", "expected a key such as a, left"),
            (
                "[keys]\nquit = [1]",
                "quit must be a key in quotation marks",
            ),
            ("palette = 'plain'\nghost = ", "line 2: "),
        ] {
            let error = UserSettings::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(said), "{text}: {error}");
        }
    }
}

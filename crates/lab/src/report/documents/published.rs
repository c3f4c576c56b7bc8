//! Published numbers: `experiments/published.toml`.

use super::read;
use crate::report::error::{At, ReportError};
use std::path::Path;

/// One table of published numbers.
pub(super) struct Published(toml::Table);

/// What is published of a player.
#[derive(Default)]
pub(super) struct PublishedNumber {
    /// What the table calls the player, if not by its name.
    pub(super) label: Option<String>,
    pub(super) lines: String,
    pub(super) source: String,
}

impl Published {
    pub(super) fn read(experiments: &Path, section: &str) -> Result<Published, ReportError> {
        let text = read(experiments, "published.toml")?;
        let all: toml::Table = text.parse().at("experiments/published.toml")?;
        let own = all.get(section).and_then(toml::Value::as_table).cloned();
        let unknown = || {
            ReportError(format!(
                "experiments/published.toml has no section '{section}'"
            ))
        };
        Ok(Published(own.ok_or_else(unknown)?))
    }

    pub(super) fn of(&self, player: &str) -> PublishedNumber {
        let text = |key: &str| Some(self.0.get(player)?.get(key)?.as_str()?.to_owned());
        PublishedNumber {
            label: text("label"),
            lines: text("lines").unwrap_or("–".to_owned()),
            source: text("source").unwrap_or_default(),
        }
    }
}

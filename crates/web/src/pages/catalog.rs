//! The available choices: players, rulesets, learning methods, experiments.

use serde_json::{Value, json};
use std::sync::OnceLock;
use tetrolab::core::evaluators::EVALUATORS;
use tetrolab::core::features::FEATURE_SETS;
use tetrolab::core::players::PLAYERS;
use tetrolab::core::registry::Entry;
use tetrolab::core::settings::Setting;
use tetrolab::learners::{LEARNERS, Learner, Preset};
use tetrolab::learning::objective::OBJECTIVES;
use tetrolab::library::{FileSource, PUBLISHED, rulesets};

/// A setting for a form.
fn setting(of: &Setting) -> Value {
    json!({
        "name": of.id,
        "help": of.help,
        "default": of.default,
        "values": of.values(),
        "words": of.kind.words(),
        "positional": of.is_positional(),
    })
}

/// The catalog. It never changes, and is cached because reading every published player takes a
/// moment.
static CATALOG: OnceLock<Value> = OnceLock::new();

/// Everything that pages offer.
#[must_use]
pub fn catalog() -> &'static Value {
    CATALOG.get_or_init(all)
}

fn all() -> Value {
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "players": players(),
        "kinds": kinds(),
        "rulesets": all_rulesets(),
        "learners": LEARNERS.iter().map(learner).collect::<Vec<_>>(),
        "feature_sets": FEATURE_SETS.iter().map(defined).collect::<Vec<_>>(),
        "objectives": OBJECTIVES.iter().map(defined).collect::<Vec<_>>(),
        "evaluators": EVALUATORS.iter().map(defined).collect::<Vec<_>>(),
    })
}

fn players() -> Vec<Value> {
    let row = |(name, text): &(&str, &str)| json!({ "name": name, "source": source(text) });
    PUBLISHED.iter().map(row).collect()
}

/// The source stated in the file of a published player. Its model is not read for this, because it
/// is large, and a page may not have loaded it yet.
fn source(text: &str) -> Option<&str> {
    let mut lines = text.lines();
    lines.find_map(|line| line.strip_prefix("source = \"")?.strip_suffix('"'))
}

fn kinds() -> Vec<Value> {
    let kind = |entry: &tetrolab::core::players::PlayerEntry| {
        json!({
            "name": entry.id,
            "definition": entry.definition,
            "settings": entry.settings.iter().map(setting).collect::<Vec<_>>(),
        })
    };
    PLAYERS.iter().map(kind).collect()
}

fn all_rulesets() -> Vec<Value> {
    let rows = rulesets().flat_map(|(entry, names)| {
        names.into_iter().filter_map(move |name| {
            let rules = FileSource::NAMES.ruleset(&name).ok()?;
            Some(json!({
                "name": name,
                "definition": entry.definition,
                "width": rules.width,
                "height": rules.height,
                "preview": rules.preview,
                "stepped": rules.stepped().is_some(),
            }))
        })
    });
    rows.collect()
}

/// A part that a form offers by name.
fn defined<M>(entry: &Entry<M>) -> Value {
    json!({ "name": entry.id, "definition": entry.definition })
}

/// A learning method with the settings of its form and its presets.
fn learner(of: &Learner) -> Value {
    let preset = |preset: &Preset| {
        let settings = preset
            .settings()
            .map(|(name, value)| (name.to_owned(), json!(value)));
        json!({
            "name": preset.id,
            "definition": preset.definition,
            "source": preset.source,
            "settings": settings.collect::<serde_json::Map<_, _>>(),
        })
    };
    json!({
        "name": of.id,
        "definition": of.definition,
        "source": of.source,
        "settings": of.settings.iter().map(setting).collect::<Vec<_>>(),
        "presets": of.make.presets.iter().map(preset).collect::<Vec<_>>(),
        "trains_model": of.make.trains_model(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrolab::library::published;

    #[test]
    fn the_sources_of_players_are_those_of_their_files() {
        for (name, text) in PUBLISHED {
            let file = published(name).unwrap();
            assert_eq!(source(text), Some(file.source.as_str()), "{name}");
        }
    }
}

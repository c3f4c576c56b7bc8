//! Everything about one part.

use super::{ListedPart, PartKind, settings_table};
use crate::output::{after_name, line, print_lines, print_table};
use tetrolab::core::features::FEATURE_SETS;
use tetrolab::core::settings::Setting;
use tetrolab::learners::{Protocol, find_learner};
use tetrolab::library;
use tetrolab::report::thousands;

/// Prints a part: definition, source, details and settings.
pub(super) fn print(kind: &PartKind, row: &ListedPart) -> anyhow::Result<()> {
    line(&format!("{} ({})", row.name, kind.singular()))?;
    tell("definition", &row.definition)?;
    tell("source", &row.source)?;
    let mut settings = row.settings.to_vec();
    match kind.name {
        "players" => player(&row.name)?,
        "features" => feature(&row.name)?,
        "learners" => settings = learner(&row.name)?,
        "evaluators" => {
            let tables: Vec<&str> = row.tables.iter().map(|table| table.id).collect();
            tell("numbers", &tables.join(", "))?;
        }
        _ => {}
    }
    if !settings.is_empty() {
        print_table(&settings_table("settings", &settings))?;
    }
    Ok(())
}

/// Prints a name and a text, unless the text is empty.
fn tell(name: &str, text: &str) -> anyhow::Result<()> {
    if !text.is_empty() {
        print_lines(&after_name(name, text))?;
    }
    Ok(())
}

/// Prints the content of a published player's file; kinds of players have none.
fn player(name: &str) -> anyhow::Result<()> {
    let Some(file) = library::published(name) else {
        return Ok(());
    };
    tell("evaluator", file.form())?;
    tell("features", file.feature_set.as_deref().unwrap_or_default())?;
    let weights = file.weights().map(|(feature, numbers)| {
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        format!("{feature}={}", numbers.join(" "))
    });
    tell("weights", &weights.collect::<Vec<_>>().join(", "))?;
    tell("note", file.note.as_deref().unwrap_or_default())?;
    tell("made by", file.provenance.as_deref().unwrap_or_default())
}

/// Prints the sets that contain a feature.
fn feature(name: &str) -> anyhow::Result<()> {
    let sets = FEATURE_SETS.iter().filter(|set| set.make.contains(&name));
    let sets: Vec<&str> = sets.map(|set| set.id).collect();
    tell("in the sets", &sets.join(", "))
}

/// Prints the details of a learning method or a preset, and returns its settings: those of a preset
/// are the method's with the defaults that the preset changes.
fn learner(name: &str) -> anyhow::Result<Vec<Setting>> {
    let chosen = find_learner(name)?;
    let method = &chosen.learner.make;
    let kind = match (chosen.preset, method.trains_model()) {
        (Some(_), _) => format!("preset of {}", chosen.learner.id),
        (None, true) => "reinforcement learner".to_owned(),
        (None, false) => "optimiser".to_owned(),
    };
    tell("kind", &kind)?;
    if chosen.preset.is_none() {
        let presets: Vec<&str> = method.presets.iter().map(|preset| preset.id).collect();
        tell("presets", &presets.join(", "))?;
        let evaluators = method.evaluators.iter();
        let evaluators: Vec<String> = evaluators
            .map(|(form, features)| match *features {
                "" => (*form).to_owned(),
                features => format!("{form} (usually with {features})"),
            })
            .collect();
        tell("learns", &evaluators.join(", "))?;
    }
    let protocol = chosen
        .preset
        .map_or(method.protocol, |preset| preset.protocol);
    tell("fixes", &fixed(&protocol))?;
    let mut settings = chosen.learner.settings.to_vec();
    let changed = chosen.preset.map(|preset| preset.settings());
    for (name, value) in changed.into_iter().flatten() {
        let known = settings.iter_mut().filter(|setting| setting.id == name);
        known.for_each(|setting| setting.default = Some(value));
    }
    Ok(settings)
}

/// The parts of a training setup that a method prescribes besides its own settings.
pub(crate) fn fixed(protocol: &Protocol) -> String {
    let text = |name: &str, value: Option<&str>| value.map(|value| format!("{name} {value}"));
    let count =
        |name: &str, value: Option<u64>| value.map(|value| format!("{name} {}", thousands(value)));
    let parts = [
        text("ruleset", protocol.ruleset),
        text("features", protocol.features),
        text("evaluator", protocol.evaluator),
        text("player", protocol.player),
        text("objective", protocol.objective),
        count("games", protocol.games),
        count("max pieces", protocol.max_pieces),
        count("generations", protocol.generations),
        count("runs", protocol.runs),
        count("test games", protocol.test_games),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

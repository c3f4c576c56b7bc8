//! `tetrolab list`: every part with a name.

use crate::Outcome;
use crate::output::{Align, Table, print_json};
use clap::ValueEnum;
use serde_json::{Value, json};
use tetrolab::core::evaluators::EVALUATORS;
use tetrolab::core::features::{FEATURE_SETS, FEATURES};
use tetrolab::core::players::PLAYERS;
use tetrolab::core::randomizers::RANDOMIZERS;
use tetrolab::learners::{LEARNERS, Preset, Setting};
use tetrolab::learning::objective::OBJECTIVES;
use tetrolab::library::{self, PUBLISHED};

/// Show every part that has a name: rulesets, randomizers, features, players, learners and more.
///
/// Every name can be used wherever such a part is asked for. Names of rulesets take any size from 4x4 to 16x40:
/// simplified-7x12. Settings go into parentheses: thesis(randomizer=bag), greedy(bcts,losing=allow).
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which kind of part; all of them by default.
    kind: Option<Kind>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Accepted for the sake of uniformity; a list draws no random numbers.
    #[arg(long, hide = true)]
    seed: Option<u64>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    Rulesets,
    Randomizers,
    Features,
    FeatureSets,
    Evaluators,
    Players,
    Learners,
    Objectives,
}

/// One part: its name, what it is, where it comes from.
struct Row {
    name: String,
    definition: String,
    source: String,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Rulesets => "rulesets",
            Kind::Randomizers => "randomizers",
            Kind::Features => "features",
            Kind::FeatureSets => "feature-sets",
            Kind::Evaluators => "evaluators",
            Kind::Players => "players",
            Kind::Learners => "learners",
            Kind::Objectives => "objectives",
        }
    }

    fn rows(self) -> Vec<Row> {
        let row = |name: &str, definition: &str, source: &str| Row {
            name: name.to_owned(),
            definition: definition.to_owned(),
            source: source.to_owned(),
        };
        match self {
            Kind::Rulesets => library::rulesets()
                .flat_map(|(entry, names)| {
                    names
                        .into_iter()
                        .map(move |name| row(&name, entry.definition, entry.source))
                })
                .collect(),
            Kind::Randomizers => RANDOMIZERS
                .iter()
                .map(|entry| row(entry.id, entry.definition, entry.source))
                .collect(),
            Kind::Features => FEATURES
                .iter()
                .map(|entry| row(entry.id, entry.definition, entry.source))
                .collect(),
            Kind::FeatureSets => FEATURE_SETS
                .iter()
                .map(|entry| row(entry.id, &entry.features.join(" "), entry.source))
                .collect(),
            Kind::Evaluators => EVALUATORS
                .iter()
                .map(|entry| row(entry.id, entry.definition, entry.source))
                .collect(),
            Kind::Players => published().chain(kinds_of_players()).collect(),
            Kind::Learners => learners().collect(),
            Kind::Objectives => OBJECTIVES
                .iter()
                .map(|entry| row(entry.id, entry.definition, entry.source))
                .collect(),
        }
    }
}

fn published() -> impl Iterator<Item = Row> {
    PUBLISHED
        .iter()
        .filter_map(|(name, _)| library::published(name))
        .map(|file| Row {
            definition: format!("{} [{}]", file.title, file.spec()),
            source: file.source.clone(),
            name: file.name,
        })
}

fn kinds_of_players() -> impl Iterator<Item = Row> {
    PLAYERS.iter().map(|entry| Row {
        name: entry.id.to_owned(),
        definition: format!("{} [{}({})]", entry.definition, entry.id, entry.settings),
        source: entry.source.to_owned(),
    })
}

/// Every learner with its settings, and below each the published ways to use it.
fn learners() -> impl Iterator<Item = Row> {
    LEARNERS.iter().flat_map(|learner| {
        let setting = |setting: &Setting| format!("{}={}", setting.id, setting.default);
        let settings: Vec<String> = learner.settings.iter().map(setting).collect();
        let own = Row {
            name: learner.id.to_owned(),
            definition: format!("{} [{}({})]", learner.doc, learner.id, settings.join(",")),
            source: learner.source.to_owned(),
        };
        std::iter::once(own).chain(learner.presets.iter().map(preset))
    })
}

fn preset(preset: &Preset) -> Row {
    let setting = |(id, value): &(&str, &str)| format!("{id}={value}");
    let settings: Vec<String> = preset.settings.iter().map(setting).collect();
    Row {
        name: preset.id.to_owned(),
        definition: format!(
            "{} [{}({})]",
            preset.doc,
            preset.learner,
            settings.join(",")
        ),
        source: preset.source.to_owned(),
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let kinds = args
        .kind
        .map_or(Kind::value_variants().to_vec(), |kind| vec![kind]);
    if args.json {
        print_json(&as_json(&kinds))?;
        return Ok(Outcome::Done);
    }
    for (index, kind) in kinds.iter().enumerate() {
        let rows = kind.rows();
        if kinds.len() > 1 {
            let gap = if index > 0 { "\n" } else { "" };
            crate::output::line(&format!("{gap}{} ({})", kind.name(), rows.len()))?;
        }
        let mut table = Table::new(&[
            ("name", Align::Left),
            ("what it is", Align::Wrapped),
            ("from", Align::Wrapped),
        ]);
        for row in rows {
            table.row(vec![row.name, row.definition, row.source]);
        }
        table.print()?;
    }
    Ok(Outcome::Done)
}

fn as_json(kinds: &[Kind]) -> Value {
    let rows = |kind: &Kind| {
        let rows = kind.rows().into_iter().map(
            |row| json!({ "name": row.name, "definition": row.definition, "source": row.source }),
        );
        (kind.name().to_owned(), Value::from_iter(rows))
    };
    Value::from_iter(kinds.iter().map(rows))
}

//! The catalogue: every named part of every registry, for programs and for people.
//!
//! ```
//! use tetrolab::catalogue::PartKind;
//!
//! let randomizers = PartKind::find("randomizers").expect("a kind");
//! assert!(randomizers.parts().iter().any(|part| part.name == "bag"));
//! ```

use crate::experiments::EXPERIMENTS;
use crate::learners::{LEARNERS, Learner, Preset};
use crate::learning::objective::OBJECTIVES;
use crate::library::{self, PUBLISHED};
use serde_json::{Value, json};
use tetrolab_core::ends::ENDS;
use tetrolab_core::evaluators::{EVALUATORS, EvaluatorEntry, ParameterTable};
use tetrolab_core::features::{FEATURE_SETS, FEATURES};
use tetrolab_core::lookup::{TABLE_SETS, TABLES};
use tetrolab_core::players::PLAYERS;
use tetrolab_core::randomizers::RANDOMIZERS;
use tetrolab_core::registry::Entry;
use tetrolab_core::rotation::ROTATIONS;
use tetrolab_core::ruleset::{RulesetEntry, shipped};
use tetrolab_core::settings::{Kind as SettingKind, Setting};

/// A kind of part.
#[derive(Clone, Copy, Debug)]
pub struct PartKind {
    /// The plural name of the kind.
    pub name: &'static str,
    rows: fn() -> Vec<ListedPart>,
}

/// Every kind.
pub static KINDS: [PartKind; 13] = [
    kind("rulesets", rulesets),
    kind("randomizers", || rows_of(RANDOMIZERS)),
    kind("rotations", || rows_of(ROTATIONS)),
    kind("ends", || rows_of(ENDS)),
    kind("features", || rows_of(FEATURES)),
    kind("feature-sets", || named_sets(FEATURE_SETS)),
    kind("tables", || rows_of(TABLES)),
    kind("table-sets", || named_sets(TABLE_SETS)),
    kind("evaluators", evaluators),
    kind("players", players),
    kind("learners", learners),
    kind("objectives", || rows_of(OBJECTIVES)),
    kind("experiments", || rows_of(EXPERIMENTS)),
];

const fn kind(name: &'static str, rows: fn() -> Vec<ListedPart>) -> PartKind {
    PartKind { name, rows }
}

/// One part: name, definition, source and settings.
#[derive(Clone, Debug, Default)]
pub struct ListedPart {
    /// The name of the part.
    pub name: String,
    /// The definition of the part.
    pub definition: String,
    /// The source of the part.
    pub source: String,
    /// The settings of the part.
    pub settings: &'static [Setting],
    /// The parameter tables of an evaluator.
    pub tables: &'static [ParameterTable],
}

impl ListedPart {
    fn new<M>(entry: &Entry<M>) -> ListedPart {
        ListedPart {
            name: entry.id.to_owned(),
            definition: entry.definition.to_owned(),
            source: entry.source.to_owned(),
            settings: entry.settings,
            ..ListedPart::default()
        }
    }
}

fn rows_of<M>(registry: &[Entry<M>]) -> Vec<ListedPart> {
    registry.iter().map(ListedPart::new).collect()
}

impl PartKind {
    /// Every part of the kind.
    pub fn parts(&self) -> Vec<ListedPart> {
        (self.rows)()
    }

    /// The kind with this name, in the singular or in the plural.
    pub fn find(name: &str) -> Option<&'static PartKind> {
        let plain = |kind: &&PartKind| kind.name == name || kind.singular() == name;
        KINDS.iter().find(plain)
    }

    /// The singular name of the kind.
    pub fn singular(&self) -> &'static str {
        self.name.trim_end_matches('s')
    }

    /// The names of all kinds.
    pub fn names() -> [&'static str; KINDS.len()] {
        KINDS.each_ref().map(|kind| kind.name)
    }
}

/// The rulesets, each under all of its listed names.
fn rulesets() -> Vec<ListedPart> {
    let rows = |(entry, names): (&'static RulesetEntry, Vec<String>)| {
        let named = |name| ListedPart {
            name,
            ..ListedPart::new(entry)
        };
        names.into_iter().map(named)
    };
    library::rulesets().flat_map(rows).collect()
}

/// A ruleset with a size that is not listed.
pub fn sized_ruleset(name: &str) -> Option<ListedPart> {
    let entry = shipped(name)?;
    library::find_ruleset(name).ok()?;
    Some(ListedPart {
        name: name.to_owned(),
        ..ListedPart::new(entry)
    })
}

/// The named sets of features or of tables: both are lists of names.
fn named_sets(sets: &[Entry<&'static [&'static str]>]) -> Vec<ListedPart> {
    let row = |set: &Entry<&'static [&'static str]>| ListedPart {
        definition: format!("{}: {}", set.definition, set.make.join(" ")),
        ..ListedPart::new(set)
    };
    sets.iter().map(row).collect()
}

fn evaluators() -> Vec<ListedPart> {
    let row = |entry: &EvaluatorEntry| ListedPart {
        tables: entry.make.tables,
        ..ListedPart::new(entry)
    };
    EVALUATORS.iter().map(row).collect()
}

/// Published players, then kinds of players.
fn players() -> Vec<ListedPart> {
    let files = PUBLISHED.iter();
    let files = files.filter_map(|(name, _)| library::published(name));
    let published = files.map(|file| ListedPart {
        definition: format!("{} [{}]", file.title, file.spec()),
        source: file.source.clone(),
        name: file.name,
        ..ListedPart::default()
    });
    published.chain(rows_of(PLAYERS)).collect()
}

/// The learners, each followed by its published presets.
fn learners() -> Vec<ListedPart> {
    let rows = |learner: &'static Learner| {
        let presets = learner.make.presets.iter();
        std::iter::once(ListedPart::new(learner)).chain(presets.map(|one| preset(learner, one)))
    };
    LEARNERS.iter().flat_map(rows).collect()
}

fn preset(learner: &Learner, preset: &Preset) -> ListedPart {
    let (learner, settings) = (learner.id, preset.settings);
    ListedPart {
        name: preset.id.to_owned(),
        definition: format!("{} [{learner}({settings})]", preset.definition),
        source: preset.source.to_owned(),
        ..ListedPart::default()
    }
}

impl ListedPart {
    /// The part as data.
    pub fn json(&self) -> Value {
        let mut json = json!({
            "name": self.name,
            "definition": self.definition,
            "source": self.source,
            "settings": self.settings.iter().map(setting_json).collect::<Vec<_>>(),
        });
        if !self.tables.is_empty() {
            json["tables"] = self.tables.iter().map(table_json).collect();
        }
        json
    }
}

fn table_json(table: &ParameterTable) -> Value {
    json!({
        "id": table.id,
        "per_feature": table.is_per_feature(),
        "neutral": table.neutral,
    })
}

/// A setting as JSON: name, type and default.
fn setting_json(setting: &Setting) -> Value {
    let mut json = json!({
        "id": setting.id,
        "default": setting.default,
        "needed": setting.is_positional(),
        "values": setting.values(),
        "help": setting.help,
    });
    let of_kind = match setting.kind {
        SettingKind::Count { least, most } => {
            json!({"kind": "count", "least": least, "most": most})
        }
        SettingKind::Number { least, most } => {
            json!({"kind": "number", "least": least, "most": most})
        }
        SettingKind::Decimal { most, digits } => {
            json!({"kind": "decimal", "least": 0, "most": most, "digits": digits})
        }
        SettingKind::Word(words) => json!({"kind": "word", "words": words}),
        SettingKind::Flag => json!({"kind": "flag"}),
        SettingKind::Pieces => json!({"kind": "pieces"}),
        SettingKind::Part { registry, .. } => json!({"kind": "part", "registry": registry}),
    };
    if let (Some(json), Value::Object(of_kind)) = (json.as_object_mut(), of_kind) {
        json.extend(of_kind);
    }
    json
}

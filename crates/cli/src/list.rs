//! `tetrolab list`: every part with a name.

mod details;
mod overview;

pub(crate) use details::fixed;

use crate::output::{line, print_json, print_table};
use anyhow::bail;
use serde_json::{Value, json};
use std::slice::from_ref;
use tetrolab::core::ends::ENDS;
use tetrolab::core::evaluators::{EVALUATORS, EvaluatorEntry, ParameterTable};
use tetrolab::core::features::{FEATURE_SETS, FEATURES};
use tetrolab::core::lookup::{TABLE_SETS, TABLES};
use tetrolab::core::players::PLAYERS;
use tetrolab::core::randomizers::RANDOMIZERS;
use tetrolab::core::registry::Entry;
use tetrolab::core::rotation::ROTATIONS;
use tetrolab::core::ruleset::{RulesetEntry, shipped};
use tetrolab::core::settings::{Kind as SettingKind, Setting};
use tetrolab::core::spec::SpecError;
use tetrolab::experiments::EXPERIMENTS;
use tetrolab::learners::{LEARNERS, Learner, Preset};
use tetrolab::learning::objective::OBJECTIVES;
use tetrolab::library::{self, PUBLISHED};
use tetrolab::report::{Align, Table};

const EXAMPLES: &str = "\
Examples:
  tetrolab list players
  tetrolab list features holes
  tetrolab list cma-es";

/// List every named part: rulesets, randomizers, features, players, learning methods and more.
///
/// Without arguments, prints all names. With a kind (`list features`), prints one line per part.
/// With a name (`list bcts`, `list features holes`), prints its definition, source and settings.
/// --all prints everything.
///
/// A name can be used wherever a part of its kind is expected. Ruleset names accept any size from
/// 4x4 to 16x40: simplified-7x12. Settings go into parentheses: thesis(randomizer=bag),
/// greedy(bcts,losing=allow).
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[arg(value_name = "KIND|NAME", help = kinds_help())]
    kind_or_name: Option<String>,
    /// Name of a part of this kind.
    name: Option<String>,
    /// Print every part in full, with settings and source.
    #[arg(long)]
    all: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Accepted for the sake of uniformity; a list draws no random numbers.
    #[arg(long, hide = true)]
    seed: Option<u64>,
}

fn kinds_help() -> String {
    let names = ListKind::names().join(", ");
    format!("A kind of part ({names}), or the name of one part")
}

/// A kind of part.
pub(crate) struct ListKind {
    /// The name of its parts, in the plural.
    pub(crate) name: &'static str,
    pub(crate) rows: fn() -> Vec<Row>,
}

/// Every kind.
pub(crate) static KINDS: [ListKind; 13] = [
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

const fn kind(name: &'static str, rows: fn() -> Vec<Row>) -> ListKind {
    ListKind { name, rows }
}

/// One part: its name, what it is, where it comes from, what can be set.
#[derive(Default)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) definition: String,
    pub(crate) source: String,
    pub(crate) settings: &'static [Setting],
    /// The tables of numbers that an evaluator has.
    tables: &'static [ParameterTable],
}

impl Row {
    fn new<M>(entry: &Entry<M>) -> Row {
        Row {
            name: entry.id.to_owned(),
            definition: entry.definition.to_owned(),
            source: entry.source.to_owned(),
            settings: entry.settings,
            ..Row::default()
        }
    }
}

fn rows_of<M>(registry: &[Entry<M>]) -> Vec<Row> {
    registry.iter().map(Row::new).collect()
}

impl ListKind {
    /// The kind with this name, in the singular or in the plural.
    fn find(name: &str) -> Option<&'static ListKind> {
        let plain = |kind: &&ListKind| kind.name == name || kind.singular() == name;
        KINDS.iter().find(plain)
    }

    /// What one part of the kind is.
    fn singular(&self) -> &'static str {
        self.name.trim_end_matches('s')
    }

    fn names() -> [&'static str; KINDS.len()] {
        KINDS.each_ref().map(|kind| kind.name)
    }
}

/// The rulesets, each under all of its listed names.
fn rulesets() -> Vec<Row> {
    let rows = |(entry, names): (&'static RulesetEntry, Vec<String>)| {
        let named = |name| Row {
            name,
            ..Row::new(entry)
        };
        names.into_iter().map(named)
    };
    library::rulesets().flat_map(rows).collect()
}

/// A ruleset whose size is not one of the listed ones.
fn sized_ruleset(name: &str) -> Option<Row> {
    let entry = shipped(name)?;
    library::find_ruleset(name).ok()?;
    Some(Row {
        name: name.to_owned(),
        ..Row::new(entry)
    })
}

/// The named sets of features or of tables: both are lists of names.
fn named_sets(sets: &[Entry<&'static [&'static str]>]) -> Vec<Row> {
    let row = |set: &Entry<&'static [&'static str]>| Row {
        definition: format!("{}: {}", set.definition, set.make.join(" ")),
        ..Row::new(set)
    };
    sets.iter().map(row).collect()
}

fn evaluators() -> Vec<Row> {
    let row = |entry: &EvaluatorEntry| Row {
        tables: entry.make.tables,
        ..Row::new(entry)
    };
    EVALUATORS.iter().map(row).collect()
}

/// Published players, then kinds of players.
fn players() -> Vec<Row> {
    let files = PUBLISHED.iter();
    let files = files.filter_map(|(name, _)| library::published(name));
    let published = files.map(|file| Row {
        definition: format!("{} [{}]", file.title, file.spec()),
        source: file.source.clone(),
        name: file.name,
        ..Row::default()
    });
    published.chain(rows_of(PLAYERS)).collect()
}

/// The learners, and below each the published ways to use it.
fn learners() -> Vec<Row> {
    let rows = |learner: &'static Learner| {
        let presets = learner.make.presets.iter();
        std::iter::once(Row::new(learner)).chain(presets.map(|one| preset(learner, one)))
    };
    LEARNERS.iter().flat_map(rows).collect()
}

fn preset(learner: &Learner, preset: &Preset) -> Row {
    let (learner, settings) = (learner.id, preset.settings);
    Row {
        name: preset.id.to_owned(),
        definition: format!("{} [{learner}({settings})]", preset.definition),
        source: preset.source.to_owned(),
        ..Row::default()
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let asked = args.kind_or_name.as_deref();
    let kind = asked.and_then(ListKind::find);
    match (asked, kind, args.name.as_deref()) {
        (None, ..) => list(args, &KINDS),
        (_, Some(kind), None) => list(args, from_ref(kind)),
        (_, Some(kind), Some(name)) => one(args, from_ref(kind), name),
        (Some(name), None, None) => one(args, &KINDS, name),
        (Some(asked), None, Some(_)) => {
            let kinds = ListKind::names();
            bail!(SpecError::unknown("kind of part", asked, kinds))
        }
    }
}

/// Prints all parts of some kinds.
fn list(args: &Args, kinds: &[ListKind]) -> anyhow::Result<()> {
    if args.json {
        return Ok(print_json(&as_json(kinds))?);
    }
    match (args.all, kinds) {
        (true, kinds) => full(kinds),
        (false, [kind]) => overview::of_kind(kind),
        (false, kinds) => overview::of_all(kinds),
    }
}

/// Prints everything about the parts with this name.
fn one(args: &Args, kinds: &[ListKind], name: &str) -> anyhow::Result<()> {
    let mut all: Vec<(&ListKind, Row)> = kinds
        .iter()
        .flat_map(|kind| (kind.rows)().into_iter().map(move |row| (kind, row)))
        .collect();
    let rulesets = kinds.iter().find(|kind| kind.name == "rulesets");
    if all.iter().all(|part| part.1.name != name) {
        all.extend(rulesets.and_then(|kind| Some((kind, sized_ruleset(name)?))));
    }
    let found: Vec<_> = all.iter().filter(|part| part.1.name == name).collect();
    if found.is_empty() {
        let what = match kinds {
            [kind] => kind.singular(),
            _ => "part",
        };
        let kinds = kinds.iter().filter(|_| kinds.len() > 1);
        let known = all.iter().map(|part| &*part.1.name);
        let known = known.chain(kinds.map(|kind| kind.name));
        bail!(SpecError::unknown(what, name, known));
    }
    if args.json {
        let mut json = Value::Object(serde_json::Map::new());
        for (kind, row) in found {
            json[kind.name] = json!([row_json(row)]);
        }
        return Ok(print_json(&json)?);
    }
    for (index, (kind, row)) in found.into_iter().enumerate() {
        if index > 0 {
            line("")?;
        }
        details::print(kind, row)?;
    }
    Ok(())
}

/// Prints the full text of all parts of some kinds.
fn full(kinds: &[ListKind]) -> anyhow::Result<()> {
    for (index, kind) in kinds.iter().enumerate() {
        let rows = (kind.rows)();
        if kinds.len() > 1 {
            let gap = if index > 0 { "\n" } else { "" };
            line(&format!("{gap}{} ({})", kind.name, rows.len()))?;
        }
        let mut table = Table::new(&[
            ("name", Align::Left),
            ("what it is", Align::Wrapped),
            ("from", Align::Wrapped),
        ]);
        fill(&mut table, rows);
        print_table(&table)?;
    }
    Ok(())
}

/// The parts with their settings below them. What every part of the list takes stands once, at its end.
fn fill(table: &mut Table, rows: Vec<Row>) {
    let common = common_settings(&rows);
    for row in rows {
        table.row(vec![row.name, row.definition, row.source]);
        if common.is_empty() {
            row.settings.iter().for_each(|s| table.row(setting_row(s)));
        }
    }
    if !common.is_empty() {
        table.row(vec!["each takes".to_owned(), String::new(), String::new()]);
        common.iter().for_each(|s| table.row(setting_row(s)));
    }
}

/// The settings of every part, if all of several parts take the same; a default that differs between them is left out.
fn common_settings(rows: &[Row]) -> Vec<Setting> {
    let Some((first, others)) = rows.split_first().filter(|(_, others)| !others.is_empty()) else {
        return Vec::new();
    };
    let ids = |row: &Row| -> Vec<&str> { row.settings.iter().map(|s| s.id).collect() };
    if others.iter().any(|row| ids(row) != ids(first)) {
        return Vec::new();
    }
    let mut common = first.settings.to_vec();
    for (place, setting) in common.iter_mut().enumerate() {
        let is_other = |row: &Row| row.settings[place].default != setting.default;
        if others.iter().any(is_other) {
            setting.default = Some("...");
        }
    }
    common
}

/// Settings, one to a row.
fn settings_table(heading: &str, settings: &[Setting]) -> Table {
    let mut table = Table::new(&[
        (heading, Align::Left),
        ("what it does", Align::Wrapped),
        ("values", Align::Wrapped),
    ]);
    settings.iter().for_each(|s| table.row(setting_row(s)));
    table
}

/// A setting below its part: its default, its help, its values.
fn setting_row(setting: &Setting) -> Vec<String> {
    let name = match setting.default {
        Some(default) => format!("  {}={default}", setting.id),
        None => format!("  {}", setting.id.to_uppercase()),
    };
    vec![name, setting.help.to_owned(), setting.values()]
}

fn as_json(kinds: &[ListKind]) -> Value {
    let rows = |kind: &ListKind| {
        let rows = (kind.rows)().into_iter().map(|row| row_json(&row));
        (kind.name.to_owned(), Value::from_iter(rows))
    };
    Value::from_iter(kinds.iter().map(rows))
}

fn row_json(row: &Row) -> Value {
    let mut json = json!({
        "name": row.name,
        "definition": row.definition,
        "source": row.source,
        "settings": row.settings.iter().map(setting_json).collect::<Vec<_>>(),
    });
    if !row.tables.is_empty() {
        json["tables"] = row.tables.iter().map(table_json).collect();
    }
    json
}

fn table_json(table: &ParameterTable) -> Value {
    json!({
        "id": table.id,
        "per_feature": table.is_per_feature(),
        "neutral": table.neutral,
    })
}

/// A setting for programs: what it is called, what it takes, what it is by default.
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

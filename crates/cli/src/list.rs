//! `tetrolab list`: every part that has a name.

mod details;
mod overview;

pub(crate) use details::fixed;

use crate::output::{line, print_json, print_table};
use anyhow::bail;
use serde_json::{Value, json};
use std::slice::from_ref;
use tetrolab::catalogue::{KINDS, ListedPart, PartKind, sized_ruleset};
use tetrolab::core::settings::Setting;
use tetrolab::core::spec::SpecError;
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
/// 4x4 to 16x40, such as simplified-7x12. Settings go in parentheses: thesis(randomizer=bag),
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
    /// Accepted by every command; a list draws no random numbers.
    #[arg(long, hide = true)]
    seed: Option<u64>,
}

fn kinds_help() -> String {
    let names = PartKind::names().join(", ");
    format!("A kind of part ({names}), or the name of one part")
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let asked = args.kind_or_name.as_deref();
    let kind = asked.and_then(PartKind::find);
    match (asked, kind, args.name.as_deref()) {
        (None, ..) => list(args, &KINDS),
        (_, Some(kind), None) => list(args, from_ref(kind)),
        (_, Some(kind), Some(name)) => one(args, from_ref(kind), name),
        (Some(name), None, None) => one(args, &KINDS, name),
        (Some(asked), None, Some(_)) => {
            let kinds = PartKind::names();
            bail!(SpecError::unknown("kind of part", asked, kinds))
        }
    }
}

/// Prints all parts of some kinds.
fn list(args: &Args, kinds: &[PartKind]) -> anyhow::Result<()> {
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
fn one(args: &Args, kinds: &[PartKind], name: &str) -> anyhow::Result<()> {
    let mut all: Vec<(&PartKind, ListedPart)> = kinds
        .iter()
        .flat_map(|kind| kind.parts().into_iter().map(move |row| (kind, row)))
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
            json[kind.name] = json!([row.json()]);
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
fn full(kinds: &[PartKind]) -> anyhow::Result<()> {
    for (index, kind) in kinds.iter().enumerate() {
        let rows = kind.parts();
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

/// The parts with their settings below them. Settings that every part has are listed once, at the
/// end.
fn fill(table: &mut Table, rows: Vec<ListedPart>) {
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

/// The settings that several parts share; defaults are omitted where they differ.
fn common_settings(rows: &[ListedPart]) -> Vec<Setting> {
    let Some((first, others)) = rows.split_first().filter(|(_, others)| !others.is_empty()) else {
        return Vec::new();
    };
    let ids = |row: &ListedPart| -> Vec<&str> { row.settings.iter().map(|s| s.id).collect() };
    if others.iter().any(|row| ids(row) != ids(first)) {
        return Vec::new();
    }
    let mut common = first.settings.to_vec();
    for (place, setting) in common.iter_mut().enumerate() {
        let is_other = |row: &ListedPart| row.settings[place].default != setting.default;
        if others.iter().any(is_other) {
            setting.default = Some("...");
        }
    }
    common
}

/// A table of settings, one per row.
fn settings_table(heading: &str, settings: &[Setting]) -> Table {
    let mut table = Table::new(&[
        (heading, Align::Left),
        ("what it does", Align::Wrapped),
        ("values", Align::Wrapped),
    ]);
    settings.iter().for_each(|s| table.row(setting_row(s)));
    table
}

/// The row of a setting below its part: default, help, values.
fn setting_row(setting: &Setting) -> Vec<String> {
    let name = match setting.default {
        Some(default) => format!("  {}={default}", setting.id),
        None => format!("  {}", setting.id.to_uppercase()),
    };
    vec![name, setting.help.to_owned(), setting.values()]
}

fn as_json(kinds: &[PartKind]) -> Value {
    let rows = |kind: &PartKind| {
        let rows = kind.parts().into_iter().map(|row| row.json());
        (kind.name.to_owned(), Value::from_iter(rows))
    };
    Value::from_iter(kinds.iter().map(rows))
}

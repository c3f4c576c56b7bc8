//! The pages of rulesets and of all other named parts.

use super::{GeneratedFile, cell, settings};
use tetrolab::catalogue::{KINDS, ListedPart};
use tetrolab::core::stepped::STEPPED_SETTINGS;
use tetrolab::report::{Align, Table};

const RULESETS: &str = "\
A ruleset is a game: board size, piece sequence, how pieces move, and when a game is over. Names\n\
accept any size from 4x4 to 16x40 (`simplified-7x12`); settings go into parentheses\n\
(`thesis(randomizer=bag)`). A [ruleset file](file-formats.md#ruleset-files) describes a game of your\n\
own.\n\n";

const STEPPED: &str = "\
## Stepped moves\n\n\
Settings of `stepped(...)`, the `moves` of stepped games;\n\
[Stepped games](../explanation/stepped-games.md) explains them.\n\n";

/// The kinds of parts that share a page: their name in lists, a title, and what they are for.
const OTHERS: [(&str, &str, &str); 6] = [
    (
        "randomizers",
        "Randomizers",
        "A randomizer draws the pieces of a game (`randomizer` in a ruleset).",
    ),
    (
        "ends",
        "Game-over rules",
        "When a placement game is over (`end` in a ruleset).",
    ),
    (
        "rotations",
        "Rotation systems",
        "How pieces turn in stepped games (`rotation` in `moves=stepped(...)`).",
    ),
    (
        "evaluators",
        "Evaluators",
        "An evaluator turns features or boards into the score of a placement.",
    ),
    (
        "tables",
        "Lookup tables",
        "Kinds of lookup tables of the evaluator `tables`.",
    ),
    (
        "table-sets",
        "Sets of lookup tables",
        "Named lists of lookup tables.",
    ),
];

pub(super) fn pages() -> [GeneratedFile; 2] {
    let stepped = settings(STEPPED_SETTINGS);
    let rulesets = format!("{RULESETS}{}\n{STEPPED}{stepped}", body("rulesets"));
    let others =
        OTHERS.map(|(kind, title, purpose)| format!("## {title}\n\n{purpose}\n\n{}\n", body(kind)));
    [
        GeneratedFile::page("rulesets.md", "Rulesets", &rulesets),
        GeneratedFile::page(
            "parts.md",
            "Randomizers, evaluators and other parts",
            &others.concat(),
        ),
    ]
}

/// The parts of a kind as a table, followed by their settings.
fn body(kind: &str) -> String {
    let kind = KINDS.iter().find(|known| known.name == kind);
    let rows = kind.map(|kind| kind.parts()).unwrap_or_default();
    let mut table = Table::new(&[
        ("name", Align::Left),
        ("what it is", Align::Left),
        ("source", Align::Left),
    ]);
    for row in &rows {
        let name = format!("`{}`", row.name);
        table.row(vec![name, cell(&row.definition), cell(&row.source)]);
    }
    table.to_markdown() + &settings_of(&rows)
}

/// Tables of settings; parts with the same settings share a table.
fn settings_of(rows: &[ListedPart]) -> String {
    let mut groups: Vec<(Vec<&str>, String)> = Vec::new();
    for row in rows.iter().filter(|row| !row.settings.is_empty()) {
        let table = settings(row.settings);
        match groups.iter_mut().find(|group| group.1 == table) {
            Some(group) => group.0.push(&row.name),
            None => groups.push((vec![&row.name], table)),
        }
    }
    let section = |(names, table): (Vec<&str>, String)| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        format!("\nSettings of {}:\n\n{table}", names.join(", "))
    };
    groups.into_iter().map(section).collect()
}

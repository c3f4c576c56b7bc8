//! `tetrolab tables`.

use super::{json, sentence, stdout};
use tempfile::tempdir;

#[test]
fn tables_describe_their_entries() {
    let folder = tempdir().unwrap();
    let quick = [
        "tables",
        "wary-10",
        "--pieces=400",
        "--tables=3",
        "--entries=1",
    ];
    let said = stdout(folder.path(), &quick);
    assert!(
        said.starts_with("Lookup tables of wary-10 · simplified-10x10 · 400 boards · seed 1\n"),
        "{said}"
    );
    assert!(
        said.contains("32 more tables vary less from board to board (--tables)"),
        "{said}"
    );
    assert_eq!(stdout(folder.path(), &quick), said);
    let all = json(folder.path(), &quick);
    let tables = all["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 35);
    let first = tables[0]["table"].as_str().unwrap();
    assert!(said.contains(&format!("\n{first} · ")), "{said}");
    let entry = &tables[0]["best"][0];
    assert!(said.contains(entry["entry"].as_str().unwrap()), "{said}");
    assert!(entry["adds"].as_f64().unwrap() > tables[0]["worst"][0]["adds"].as_f64().unwrap());
}

#[test]
fn players_without_tables_are_refused_in_a_sentence() {
    let folder = tempdir().unwrap();
    let said = |args: &[&str]| sentence(folder.path(), &[&["tables"], args].concat());
    assert_eq!(said(&["bcts"]), "bcts has no lookup tables");
    assert!(said(&["nobody"]).contains("nobody"));
    assert!(said(&["wary-10", "--pieces=0"]).contains("--pieces"));
    assert!(said(&["wary-10", "--entries=0"]).contains("--entries"));
    assert!(said(&["two-piece(wary-10)"]).contains("two-piece"));
    assert!(said(&["wary-10", "--ruleset=simplified-8x10"]).contains("wide"));
}

//! The documents agree with the program: tables, pictures and references.

use crate::pages::{read, root};
use crate::{json, stdout};
use serde_json::Value;
use std::fs;

#[test]
fn the_tables_of_the_documents_match_the_raw_results() {
    let said = stdout(&root(), &["results", "--check"]);
    let agreeing = said.matches(".md: agrees with the raw results").count();
    assert_eq!(agreeing, 10, "{said}");
}

#[test]
fn the_reference_pages_are_up_to_date() {
    let said = stdout(&root(), &["reference", "--check"]);
    assert!(said.contains("files up to date"), "{said}");
}

#[test]
fn the_readme_is_short() {
    let lines = read("README.md").lines().count();
    assert!(lines <= 150, "{lines} lines");
}

#[test]
fn the_recording_in_the_readme_matches_its_command() {
    let readme = read("README.md");
    let marker = "made by `tetrolab watch ";
    let start = readme.find(marker).expect("README says how") + marker.len();
    let command = readme[start..].split('`').next().unwrap();
    let command = command.strip_suffix("docs/images/watch.gif").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let film = folder.path().join("watch.gif");
    let mut args: Vec<&str> = vec!["watch"];
    args.extend(command.split_whitespace());
    args.push(film.to_str().unwrap());
    stdout(&root(), &args);
    let committed = fs::read(root().join("docs/images/watch.gif")).unwrap();
    assert!(
        fs::read(film).unwrap() == committed,
        "docs/images/watch.gif is another film"
    );
}

#[test]
fn every_short_form_of_a_source_is_in_the_references() {
    let references = read("docs/REFERENCES.md");
    let mut sources = Vec::new();
    collect_sources(&json(&root(), &["list"]), &mut sources);
    assert!(sources.len() > 100, "{} sources", sources.len());
    for source in &sources {
        for (name, year) in short_forms(source) {
            let known = |line: &str| line.contains(&name) && line.contains(&year);
            assert!(
                references.lines().any(known),
                "expected {name} {year} of the source '{source}' in docs/REFERENCES.md"
            );
        }
    }
}

fn collect_sources(json: &Value, sources: &mut Vec<String>) {
    match json {
        Value::Object(fields) => {
            let own = fields.get("source").and_then(Value::as_str);
            sources.extend(own.map(str::to_owned));
            fields
                .values()
                .for_each(|value| collect_sources(value, sources));
        }
        Value::Array(values) => values
            .iter()
            .for_each(|value| collect_sources(value, sources)),
        _ => {}
    }
}

/// Every year in a source, with the name before it: "MDPTetris; Thiery and Scherrer 2009" contains
/// (Scherrer, 2009).
fn short_forms(source: &str) -> Vec<(String, String)> {
    let words = source.split(|letter: char| letter.is_whitespace() || ",;()".contains(letter));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_year = |word: &str| {
        word.len() == 4
            && word
                .parse()
                .is_ok_and(|year: u32| (1900..2100).contains(&year))
    };
    let mut found = Vec::new();
    for (index, year) in words.iter().enumerate().filter(|(_, word)| is_year(word)) {
        let is_name = |word: &&&str| word.starts_with(char::is_uppercase);
        let name = words[..index].iter().rev().find(is_name);
        found.extend(name.map(|name| ((*name).to_owned(), (*year).to_owned())));
    }
    found
}

#[test]
fn short_forms_are_found_in_sources() {
    let forms = short_forms("MDPTetris; de Boer et al. 2005 (as in Hansen, 2016)");
    let expected = [("Boer", "2005"), ("Hansen", "2016")];
    assert_eq!(
        forms,
        expected.map(|(name, year)| (name.to_owned(), year.to_owned()))
    );
}

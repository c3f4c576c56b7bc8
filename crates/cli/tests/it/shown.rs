//! Runs every command shown in README and tutorial and compares its output; checks every link.

use crate::pages::{Block, blocks, read, root, tutorial_pages};
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn commands_of_the_readme_print_what_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    run_page("README.md", folder.path());
}

#[test]
fn commands_of_the_tutorial_print_what_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    let pages = tutorial_pages();
    assert!(pages.len() > 5, "{pages:?}");
    pages.iter().for_each(|page| run_page(page, folder.path()));
}

#[test]
fn commands_among_the_file_formats_print_what_they_show() {
    let folder = tempfile::tempdir().unwrap();
    run_page("docs/reference/file-formats.md", folder.path());
    let players = run(
        "tetrolab eval mine.toml --ruleset rules.toml --games 1",
        folder.path(),
    );
    assert!(players.contains("mine.toml"), "{players}");
}

/// Runs the commands of a page in order, and compares their output and the files that they write.
fn run_page(page: &str, folder: &Path) {
    let text = read(page);
    for block in blocks(&text) {
        if let Some(name) = block.marker("file") {
            fs::write(folder.join(name), block.text()).unwrap();
        }
        if let Some(path) = block.marker("code") {
            assert_eq!(block.text(), read(path), "{page}: the code of {path}");
        }
        if block.language == "console" {
            run_block(page, &block, folder);
        }
    }
    compare_pictures(page, &text, folder);
}

fn run_block(page: &str, block: &Block<'_>, folder: &Path) {
    let mut lines = block.lines.iter().copied().peekable();
    while let Some(line) = lines.next() {
        let command = line
            .strip_prefix("$ ")
            .expect("a block starts with a command");
        let mut shown = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
            shown.push(line);
        }
        let printed = run(command, folder);
        let printed: Vec<&str> = printed.lines().collect();
        if let Err(problem) = matches(&comparable(&shown), &comparable(&printed)) {
            panic!(
                "{page}: {command}\n{problem}\nprinted:\n{}",
                printed.join("\n")
            );
        }
    }
}

fn run(command: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_tetrolab")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder);
    // Screens are drawn in colours, whatever the terminal of the tests prefers.
    shell.env("PATH", path).env_remove("NO_COLOR");
    let output = shell.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Lines without the parts that differ between machines: times, speeds, numbers of threads, and
/// the width of columns.
fn comparable(lines: &[&str]) -> Vec<String> {
    let mut dropped = None;
    let mut kept = Vec::new();
    for line in lines {
        if *line == "..." {
            dropped = None;
        }
        let mut fields = fields(line);
        let is_timed = |field: &&str| ["pieces/s", "games/s", "seconds"].contains(field);
        if let Some(column) = fields.iter().position(is_timed) {
            dropped = Some(fields.len() - column);
        } else if line.trim().is_empty() {
            dropped = None;
        }
        if let Some(from_end) = dropped.filter(|from_end| *from_end <= fields.len()) {
            fields.remove(fields.len() - from_end);
        }
        if fields.first() != Some(&"threads") {
            kept.push(without_seconds(&fields.join(" ")));
        }
    }
    kept
}

/// The columns of a line, which are separated by at least two spaces.
fn fields(line: &str) -> Vec<&str> {
    line.split("  ")
        .map(str::trim)
        .filter(|field| !field.is_empty())
        .collect()
}

/// A text in which times such as `1.4 s` are replaced.
fn without_seconds(text: &str) -> String {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    for index in 1..words.len() {
        let is_number = words[index - 1].parse::<f64>().is_ok();
        if is_number && words[index].trim_end_matches([',', '.']) == "s" {
            words[index - 1] = "N";
        }
    }
    words.join(" ")
}

/// Compares lines; `...` stands for any number of them.
fn matches(shown: &[String], printed: &[String]) -> Result<(), String> {
    let Some((first, rest)) = shown.split_first() else {
        return match printed.iter().find(|line| !line.is_empty()) {
            None => Ok(()),
            Some(line) => Err(format!("not shown: {line}")),
        };
    };
    if first == "..." {
        let mut starts = 0..=printed.len();
        if starts.any(|start| matches(rest, &printed[start..]).is_ok()) {
            return Ok(());
        }
        return Err(format!("not printed after ...: {}", rest.join("\n")));
    }
    match printed.split_first() {
        Some((line, others)) if line == first => matches(rest, others),
        Some((line, _)) => Err(format!("shown:   {first}\nprinted: {line}")),
        None => Err(format!("not printed: {first}")),
    }
}

/// Compares the pictures drawn by the commands with those on the page.
fn compare_pictures(page: &str, text: &str, folder: &Path) {
    for line in text.lines().filter(|line| line.starts_with("![")) {
        let target = line.rsplit_once("](").unwrap().1.trim_end_matches(')');
        let shown = root().join(page).parent().unwrap().join(target);
        let drawn = folder.join(shown.file_name().unwrap());
        if drawn.exists() {
            let is_same = fs::read(&shown).unwrap() == fs::read(drawn).unwrap();
            assert!(is_same, "{page}: {target} is not what the command draws");
        }
    }
}

#[test]
fn lines_are_compared_without_times_and_speeds() {
    let shown = [
        "player  mean  pieces/s",
        "bcts    3.50  1.20 M",
        "",
        "ended: 4 generations, 1.4 s",
    ];
    let printed = [
        "player  mean   pieces/s",
        "bcts    3.50  970,000",
        "",
        "ended: 4 generations, 12 s",
    ];
    assert_eq!(matches(&comparable(&shown), &comparable(&printed)), Ok(()));
    let other = [
        "player  mean  pieces/s",
        "bcts    3.51  1.20 M",
        "",
        "ended: 4 generations, 1.4 s",
    ];
    assert!(matches(&comparable(&other), &comparable(&printed)).is_err());
    let cut: Vec<&str> = vec!["...", "ended: 4 generations, 2 s"];
    assert_eq!(matches(&comparable(&cut), &comparable(&printed)), Ok(()));
}

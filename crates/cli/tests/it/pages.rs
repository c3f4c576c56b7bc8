//! The documentation as text: its pages, their blocks of code, links and headings.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn read(name: impl AsRef<Path>) -> String {
    let name = name.as_ref();
    let text = fs::read_to_string(root().join(name));
    text.unwrap_or_else(|error| panic!("{}: {error}", name.display()))
}

/// The Markdown pages below a folder, relative to the root.
fn pages(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            found.extend(pages(&name));
        } else if name.ends_with(".md") {
            found.push(name);
        }
    }
    found.sort();
    found
}

/// The pages of the tutorial, in order.
pub(crate) fn tutorial_pages() -> Vec<String> {
    pages("docs/tutorial")
}

/// A code block, and the comment in front of it.
pub(crate) struct Block<'a> {
    pub(crate) language: &'a str,
    pub(crate) lines: Vec<&'a str>,
    comment: Option<&'a str>,
}

impl<'a> Block<'a> {
    pub(crate) fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [line, "\n"]).collect()
    }

    /// The text WHAT of a comment `<!-- KIND: WHAT -->` directly in front of the block.
    pub(crate) fn marker(&self, kind: &str) -> Option<&'a str> {
        let comment = self.comment?.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
        comment.strip_prefix(kind)?.strip_prefix(": ")
    }
}

/// The code blocks of a page.
pub(crate) fn blocks(text: &str) -> Vec<Block<'_>> {
    let (mut found, mut lines, mut before) = (Vec::new(), text.lines(), None);
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let lines = lines
                .by_ref()
                .take_while(|line| !line.starts_with("```"))
                .collect();
            let comment = before;
            found.push(Block {
                language,
                lines,
                comment,
            });
        }
        before = Some(line);
    }
    found
}

/// The lines of a page outside its code blocks.
fn prose(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let is_prose = |line: &&str| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    };
    text.lines().filter(is_prose).collect()
}

/// The targets of the links of a page.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let text = prose(text).join("\n");
    for part in text.split("](").skip(1) {
        let target = part.split(')').next().unwrap();
        found.push(target.replace(['\n', ' '], ""));
    }
    found
}

/// The anchors of a page's headings, as GitHub generates them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).into_iter().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| -> String {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

fn all_pages() -> Vec<String> {
    let top = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(str::to_owned);
    top.into_iter().chain(pages("docs")).collect()
}

/// Whether a page of the book links to a file of the book: the site contains nothing else.
fn is_in_book(page: &str, file: &str) -> bool {
    let depth = page.matches('/').count();
    !page.starts_with("docs/") || file.matches("../").count() < depth
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut broken = Vec::new();
    for page in all_pages() {
        for link in links(&read(&page)) {
            let is_elsewhere = link.contains("://") || link.starts_with("mailto:");
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let folder = Path::new(&page).parent().unwrap();
            let target = match file {
                "" => PathBuf::from(&page),
                file => folder.join(file),
            };
            let is_page = target.extension().is_some_and(|ending| ending == "md");
            let is_there = root().join(&target).exists() && is_in_book(&page, file);
            let has_anchor = || !is_page || anchors(&read(&target)).contains(anchor);
            if !is_elsewhere && (!is_there || !anchor.is_empty() && !has_anchor()) {
                broken.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "broken links: {broken:#?}");
}

#[test]
fn the_summary_lists_every_page_once() {
    let summary = links(&read("docs/SUMMARY.md"));
    let listed: BTreeSet<String> = summary.iter().map(|link| format!("docs/{link}")).collect();
    assert_eq!(listed.len(), summary.len(), "a page is listed twice");
    let pages: BTreeSet<String> = pages("docs").into_iter().collect();
    let unlisted: Vec<&String> = pages.difference(&listed).collect();
    assert_eq!(
        unlisted,
        ["docs/SUMMARY.md"],
        "pages that docs/SUMMARY.md does not list"
    );
}

#[test]
fn lines_of_pages_are_at_most_100_columns_wide() {
    // Tables, pictures, comments, links and code cannot be wrapped at arbitrary places.
    let is_rigid =
        |line: &str| line.starts_with(['|', '!', '<', '*']) || line.contains(['`', '[', '(']);
    let written = [
        "README.md",
        "docs/tutorial",
        "docs/how-to",
        "docs/explanation",
    ];
    let is_written = |page: &&String| written.iter().any(|start| page.starts_with(start));
    for page in all_pages().iter().filter(is_written) {
        for line in prose(&read(page)) {
            let width = line.chars().count();
            assert!(
                width <= 100 || is_rigid(line),
                "{page}: {width} columns: {line}"
            );
        }
    }
}

#[test]
fn anchors_are_those_of_github() {
    let text = "# A `b_c` (d)\n```\n# no heading\n```\n## 10x20, by splitting\n";
    let expected = ["a-b_c-d", "10x20-by-splitting"].map(str::to_owned);
    assert_eq!(anchors(text), BTreeSet::from(expected));
    assert_eq!(
        links("a [b](c.md) and [d](e.md#f)\n```\n[x](y)\n```"),
        ["c.md", "e.md#f"]
    );
}

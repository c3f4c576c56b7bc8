//! An index of pages.

use super::IndexEntry;
use super::markup::{document, plain};

/// The page that links to others in the same folder.
#[must_use]
pub fn index_html(title: &str, entries: &[IndexEntry]) -> String {
    let heading = plain(title);
    let cards: String = entries.iter().map(card).collect();
    let body = format!(
        "<header>\n<h1>{heading}</h1>\n</header>\n<main id=\"main\">\n<ul class=\"cards\">\n{cards}</ul>\n</main>\n"
    );
    document(title, &body)
}

fn card(entry: &IndexEntry) -> String {
    let (file, title) = (address(&entry.file), plain(&entry.title));
    let summary = plain(&entry.summary);
    format!("<li><h2><a href=\"{file}\">{title}</a></h2><p>{summary}</p></li>\n")
}

/// The name of a file as a relative address: all but plain characters are escaped.
fn address(file: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    };
    let path: String = file.bytes().map(byte).collect();
    format!("./{path}")
}

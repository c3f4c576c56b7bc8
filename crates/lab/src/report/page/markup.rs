//! Pieces of HTML that pages and indexes share.

use crate::draw::paper::escaped;
use crate::draw::plot::STYLE;

/// The style sheet of pages.
pub(super) const CSS: &str = include_str!("page.css");
const JS: &str = include_str!("page.js");
/// The page cannot load anything, no matter what its texts contain.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// A text as content or attribute; line breaks become spaces.
pub(super) fn plain(text: &str) -> String {
    escaped(&text.replace(['\n', '\r'], " "))
}

/// A text in which backquotes mark code.
pub(super) fn prose(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let count = text.matches('`').count();
    let part = |(index, part): (usize, &str)| match index % 2 {
        1 if index < count || count.is_multiple_of(2) => format!("<code>{}</code>", plain(part)),
        // The last backquote has no partner.
        1 => format!("`{}", plain(part)),
        _ => plain(part),
    };
    parts.map(part).collect()
}

/// A command that can be copied, folded behind a word.
pub(super) fn folded_command(command: &str) -> String {
    format!(
        "<details><summary>command</summary>{}</details>",
        open_command(command)
    )
}

/// A command that can be copied.
pub(super) fn open_command(command: &str) -> String {
    let command = plain(command);
    format!(
        "<div class=\"command\"><code>{command}</code><button type=\"button\">Copy</button></div>"
    )
}

/// A part that scrolls if it is too wide, also with the keyboard.
pub(super) fn scrolling(class: &str, label: &str, content: &str) -> String {
    let label = plain(label);
    format!(
        "<div class=\"{class}\" tabindex=\"0\" role=\"group\" aria-label=\"{label}\">\n{content}</div>\n"
    )
}

/// A whole document.
pub(super) fn document(title: &str, body: &str) -> String {
    let title = plain(title);
    let version = env!("CARGO_PKG_VERSION");
    format!(
        r##"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="tetrolab {version}">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{STYLE}{CSS}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
{body}<footer>
<p>Made by tetrolab {version}, a laboratory for artificial Tetris players.</p>
</footer>
<script>
{JS}</script>
</body>
</html>
"##
    )
}

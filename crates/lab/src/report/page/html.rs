//! Pages as HTML.

use super::markup::{document, folded_command, open_command, plain, prose, scrolling};
use super::replay;
use super::{Badge, BadgeClass, Block, Page, PageCell, PageTable, Provenance, Section};
use crate::draw::plot::Plot;
use crate::report::Align;

/// Texts longer than this may wrap, even on a phone.
const LONG: usize = 40;

impl Page {
    /// The page as a single HTML file that loads nothing else.
    #[must_use]
    pub fn html(&self) -> String {
        let (title, question) = (plain(&self.title), prose(&self.question));
        let sections: String = self.sections.iter().enumerate().map(section).collect();
        let body = format!(
            "<header>\n<h1>{title}</h1>\n<p class=\"question\">{question}</p>\n{}</header>\n\
             <main id=\"main\">\n{sections}{}</main>\n",
            self.contents(),
            self.provenance_section()
        );
        document(&self.title, &body)
    }

    /// Links to the sections, if there are several.
    fn contents(&self) -> String {
        if self.sections.len() < 2 {
            return String::new();
        }
        let link = |(index, section): (usize, &Section)| {
            let heading = plain(&section.heading);
            format!("<li><a href=\"#s{}\">{heading}</a></li>\n", index + 1)
        };
        let links: String = self.sections.iter().enumerate().map(link).collect();
        format!("<nav aria-label=\"Sections\">\n<ul>\n{links}</ul>\n</nav>\n")
    }

    fn provenance_section(&self) -> String {
        if self.provenance.is_empty() {
            return String::new();
        }
        let rows: String = self.provenance.iter().map(provenance).collect();
        format!(
            "<section aria-labelledby=\"provenance\">\n<h2 id=\"provenance\">Provenance</h2>\n<dl>\n{rows}</dl>\n</section>\n"
        )
    }
}

fn provenance(row: &Provenance) -> String {
    let value = if row.is_command {
        open_command(&row.value)
    } else {
        prose(&row.value)
    };
    format!("<dt>{}</dt><dd>{value}</dd>\n", plain(&row.name))
}

fn section((index, section): (usize, &Section)) -> String {
    let (id, heading) = (format!("s{}", index + 1), plain(&section.heading));
    let blocks = blocks(&section.blocks, &id);
    format!(
        "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{heading}</h2>\n{blocks}</section>\n"
    )
}

/// Blocks in order: text before a plot is placed next to it, and boards are placed in a row.
fn blocks(mut rest: &[Block], section: &str) -> String {
    let mut html = String::new();
    while let Some(first) = rest.first() {
        let texts = count(rest, |block| matches!(block, Block::Text(_)));
        let boards = count(rest, |block| matches!(block, Block::Board { .. }));
        let used = match (first, rest.get(texts)) {
            (Block::Text(_), Some(plot @ Block::Plot { .. })) => {
                let words: String = rest[..texts]
                    .iter()
                    .map(|text| block(text, section))
                    .collect();
                let plot = block(plot, section);
                html += &format!(
                    "<div class=\"text-and-plot\">\n<div class=\"words\">\n{words}</div>\n{plot}</div>\n"
                );
                texts + 1
            }
            (Block::Board { .. }, _) => {
                let row: String = rest[..boards]
                    .iter()
                    .map(|one| block(one, section))
                    .collect();
                html += &format!("<div class=\"boards\">\n{row}</div>\n");
                boards
            }
            (first, _) => {
                html += &block(first, &format!("{section}-{}", rest.len()));
                1
            }
        };
        rest = &rest[used..];
    }
    html
}

fn count(blocks: &[Block], is_kind: impl Fn(&Block) -> bool) -> usize {
    blocks.iter().take_while(|block| is_kind(block)).count()
}

/// One block; `id` is unique among the blocks of the page that need one.
fn block(block: &Block, id: &str) -> String {
    match block {
        Block::Text(text) => format!("<p>{}</p>\n", prose(text)),
        Block::Table(content) => table(content),
        Block::Plot {
            caption,
            plot,
            command,
        } => figure(caption, plot, command.as_deref()),
        Block::Replay { caption, record } => replay::figure(caption, record, id),
        Block::Board { caption, rows } => replay::board(caption, rows),
    }
}

fn figure(caption: &str, plot: &Plot, command: Option<&str>) -> String {
    let words = prose(caption);
    let command = command.map(folded_command).unwrap_or_default();
    match plot.inline_svg() {
        Ok(svg) => {
            let svg = scrolling("scroll", caption, &svg);
            format!("<figure>\n{svg}<figcaption>{words}{command}</figcaption>\n</figure>\n")
        }
        Err(error) => format!("<p>{words} ({error})</p>\n"),
    }
}

fn table(table: &PageTable) -> String {
    let heads = table.columns.iter().map(|column| {
        let class = class_of(column.align);
        format!("<th scope=\"col\"{class}>{}</th>", plain(&column.head))
    });
    let heads: String = heads.collect();
    let row = |cells: &Vec<PageCell>| {
        let cells = cells.iter().enumerate().map(|(index, content)| {
            let align = table.columns.get(index).map(|column| column.align);
            let class = match class_of(align.unwrap_or(Align::Left)) {
                "" if content.text.chars().count() > LONG => " class=\"words\"",
                class => class,
            };
            match index {
                0 => format!("<th scope=\"row\"{class}>{}</th>", cell(content)),
                _ => format!("<td{class}>{}</td>", cell(content)),
            }
        });
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = table.rows.iter().map(row).collect();
    let content = format!(
        "<table>\n<caption><span>{}</span></caption>\n<thead>\n<tr>{heads}</tr>\n</thead>\n<tbody>\n{rows}</tbody>\n</table>\n",
        prose(&table.caption)
    );
    scrolling("table scroll", &table.caption, &content)
}

fn class_of(align: Align) -> &'static str {
    match align {
        Align::Right => " class=\"number\"",
        Align::Left | Align::Wrapped => "",
    }
}

fn cell(cell: &PageCell) -> String {
    let mut html = prose(&cell.text);
    if !cell.detail.is_empty() {
        html += &format!("<span class=\"detail\">{}</span>", plain(&cell.detail));
    }
    html += &cell.badge.as_ref().map(badge).unwrap_or_default();
    html += &cell
        .command
        .as_deref()
        .map(folded_command)
        .unwrap_or_default();
    html
}

/// A verdict: a sign and a word in colour, with the reason below.
fn badge(badge: &Badge) -> String {
    let (class, sign, word) = match badge.class {
        BadgeClass::Agrees => ("agrees", "=", "agrees"),
        BadgeClass::Higher => ("higher", "↑", "higher"),
        BadgeClass::Lower => ("lower", "↓", "lower"),
        BadgeClass::Inconclusive => ("inconclusive", "?", "inconclusive"),
        BadgeClass::NotComparable => ("not-comparable", "≠", "not comparable"),
    };
    let reason = match badge.reason.as_str() {
        "" => String::new(),
        reason => format!("<span class=\"reason\">{}</span>", prose(reason)),
    };
    format!(
        "<span class=\"badge {class}\"><span aria-hidden=\"true\">{sign}</span> {word}</span>{reason}"
    )
}

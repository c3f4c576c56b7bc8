//! Tables as text and as Markdown.

use super::text::{harmless_name, wrap};
use serde::{Deserialize, Serialize};

/// The width of a table with wrapped columns, in characters: the same as in help texts.
pub const WIDTH: usize = 100;
/// The minimum width of a wrapped column: one long word, or two or three short ones.
const NARROWEST: usize = 16;

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Align {
    /// To the left.
    Left,
    /// Right-aligned: numbers.
    Right,
    /// Left-aligned; wrapped if the table would be too wide.
    Wrapped,
}

/// A table: a heading, and rows with a cell for each column.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(columns: &[(&str, Align)]) -> Table {
        let column = |&(head, align): &(&str, Align)| (head.to_owned(), align);
        Table {
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.columns.len());
        let cells = cells.into_iter();
        let cells = cells.map(|cell| harmless_name(&cell).into_owned());
        self.rows.push(cells.collect());
    }

    fn heads(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.0.clone()).collect()
    }

    /// The table as lines of text.
    pub fn to_text(&self) -> String {
        let (heads, widths) = (self.heads(), self.widths());
        let rows = std::iter::once(&heads).chain(&self.rows);
        let lines = rows.flat_map(|row| self.lines(row, &widths));
        lines.map(|line| line + "\n").collect()
    }

    /// The table in Markdown.
    pub fn to_markdown(&self) -> String {
        let line = |cells: &Vec<String>| format!("| {} |\n", cells.join(" | "));
        let rule = |column: &(String, Align)| {
            if column.1 == Align::Right {
                "--:|"
            } else {
                "---|"
            }
        };
        let rules: String = self.columns.iter().map(rule).collect();
        let rows: String = self.rows.iter().map(line).collect();
        format!("{}|{rules}\n{rows}", line(&self.heads()))
    }

    /// The widths of all columns: those of their cells, or less if wrapping makes the table fit.
    fn widths(&self) -> Vec<usize> {
        let sizes = |column: usize| self.rows.iter().map(move |row| row[column].chars().count());
        let columns = self.columns.iter().enumerate();
        let natural = columns.map(|(index, (head, _))| sizes(index).fold(head.len(), usize::max));
        let mut widths: Vec<usize> = natural.collect();
        let gaps = 2 * widths.len().saturating_sub(1);
        let texts: Vec<usize> = (0..widths.len()).map(|k| sizes(k).sum()).collect();
        while widths.iter().sum::<usize>() + gaps > WIDTH {
            // The column with the most blanks shrinks, so that widths end up proportional to the
            // text.
            let can_lose =
                |&k: &usize| self.columns[k].1 == Align::Wrapped && widths[k] > NARROWEST;
            let wrapped = (0..widths.len()).filter(can_lose);
            let filled = |&k: &usize| texts[k] as f64 / widths[k] as f64;
            match wrapped.min_by(|a, b| filled(a).total_cmp(&filled(b))) {
                Some(emptiest) => widths[emptiest] -= 1,
                None => break,
            }
        }
        widths
    }

    /// A row as lines: several if a cell is wrapped.
    fn lines(&self, row: &[String], widths: &[usize]) -> Vec<String> {
        let cells = row.iter().zip(widths);
        let cells: Vec<Vec<String>> = cells.map(|(cell, &width)| wrap(cell, width)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let line = |number: usize| {
            let mut line = String::new();
            for ((cell, &width), (_, align)) in cells.iter().zip(widths).zip(&self.columns) {
                let text = cell.get(number).map_or("", String::as_str);
                line += &match align {
                    Align::Left | Align::Wrapped => format!("{text:width$}  "),
                    Align::Right => format!("{text:>width$}  "),
                };
            }
            line.trim_end().to_owned()
        };
        (0..height).map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_aligns_numbers_to_the_right() {
        let mut table = Table::new(&[("player", Align::Left), ("lines", Align::Right)]);
        table.row(vec!["`bcts`".to_owned(), "3,877".to_owned()]);
        let text = "| player | lines |\n|---|--:|\n| `bcts` | 3,877 |\n";
        assert_eq!(table.to_markdown(), text);
    }

    #[test]
    fn wrapped_columns_share_the_width_by_their_amount_of_text() {
        let [what, from] = ["what", "from"].map(|head| (head, Align::Wrapped));
        let mut table = Table::new(&[("name", Align::Left), what, from]);
        let words = |count: usize| "word ".repeat(count).trim_end().to_owned();
        (0..5).for_each(|_| table.row(vec!["x".repeat(14), words(40), words(20)]));
        table.row(vec!["y".to_owned(), words(1), words(80)]);
        let widths = table.widths();
        assert_eq!(widths.iter().sum::<usize>() + 4, WIDTH);
        assert!(widths[0] == 14 && widths[1] >= widths[2], "{widths:?}");
        let lines = table.lines(&table.rows[0], &widths);
        assert!(lines.len() > 3 && lines.iter().all(|line| line.len() <= WIDTH));
        assert!(lines[1].starts_with(&" ".repeat(16)));
    }
}

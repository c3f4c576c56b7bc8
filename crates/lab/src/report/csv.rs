//! Tables with comma-separated cells (RFC 4180), as written by the program.

use super::error::{ReportError, fail};

/// A table with a heading.
pub(super) struct CsvTable {
    pub(super) heads: Vec<String>,
    /// The rows, each with its line number in the file.
    pub(super) rows: Vec<(usize, Vec<String>)>,
}

impl CsvTable {
    /// Reads a table. Every row must have as many cells as the heading.
    pub(super) fn parse(text: &str) -> Result<CsvTable, ReportError> {
        let mut records = records(text)?.into_iter();
        let heads = records.next().map(|record| record.1).unwrap_or_default();
        let rows: Vec<(usize, Vec<String>)> = records.collect();
        for (line, cells) in &rows {
            if cells.len() != heads.len() {
                let (found, expected) = (cells.len(), heads.len());
                fail!("line {line}: expected {expected} cells as in the header, found {found}");
            }
        }
        Ok(CsvTable { heads, rows })
    }

    /// The index of a column.
    pub(super) fn column(&self, name: &str) -> Result<usize, ReportError> {
        let found = self.heads.iter().position(|head| head == name);
        found.ok_or_else(|| ReportError(format!("there is no column '{name}'")))
    }
}

/// The records of a text with their line numbers; empty lines are skipped.
fn records(text: &str) -> Result<Vec<(usize, Vec<String>)>, ReportError> {
    let (mut records, mut record, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut quoted, mut line, mut begin) = (false, 1, 1);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => cell.extend(letters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                if !record.is_empty() || !cell.is_empty() {
                    record.push(std::mem::take(&mut cell));
                    records.push((begin, std::mem::take(&mut record)));
                }
                begin = line + 1;
            }
            letter => cell.push(letter),
        }
        line += usize::from(letter == '\n');
    }
    if quoted {
        fail!("line {begin}: a quotation mark is not closed");
    }
    if !record.is_empty() || !cell.is_empty() {
        record.push(cell);
        records.push((begin, record));
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_cells_hold_commas_quotes_and_line_breaks() {
        let table = CsvTable::parse("a,\"b,c\"\n1,\"x\"\"y\nz\"\r\n\n2,\n").unwrap();
        assert_eq!(table.heads, ["a", "b,c"]);
        let expected = [
            (2, vec!["1".to_owned(), "x\"y\nz".to_owned()]),
            (5, vec!["2".to_owned(), String::new()]),
        ];
        assert_eq!(table.rows, expected);
        assert_eq!(table.column("b,c").unwrap(), 1);
    }

    #[test]
    fn wrong_tables_are_explained() {
        let error = |text: &str| CsvTable::parse(text).err().unwrap().to_string();
        assert_eq!(
            error("a,b\n1\n"),
            "line 2: expected 2 cells as in the header, found 1"
        );
        assert_eq!(error("a\n\"1\n"), "line 2: a quotation mark is not closed");
    }
}

//! Look-up tables: what a board shows, as the numbers of a few entries among many. One kind of table per file, one line each in
//! [`TABLES`].
//!
//! A *set* of tables gives every board a short list of entries. An evaluator adds up the weights of these
//! ([`tables`](crate::evaluators::TableSum)); a learner changes them. Tables are made for one size of board. On a higher board those
//! that count rows from the top still see the top, and those that count from the bottom see the lowest rows.

mod covers;
mod cross;
mod differences;
mod fits;
mod heights;
mod measure;
mod measurements;
mod rectangles;
mod row_patterns;
mod rows;
mod sets;
mod skyline;
mod stretches;
#[cfg(test)]
mod tests;
mod tops;
mod words;

pub(crate) use covers::COVERS;
pub(crate) use fits::fit_counts;
pub(crate) use measure::{BoardMeasure, ClippedMeasure};
pub use measurements::BoardMeasurements;
pub(crate) use rows::FARTHEST;
pub use sets::{TABLE_SETS, TableSetEntry};

use crate::board::{Board, HEIGHTS, WIDTHS};
use crate::registry::{Entry, find};
use crate::settings::Settings;
use crate::spec::{Spec, SpecError};
use std::fmt::Debug;
use std::sync::Arc;

/// A table: which of its entries a board shows.
pub trait LookupTable: Send + Sync + Debug {
    /// How many entries it has.
    fn entries(&self) -> usize;

    /// The most entries that a board can show.
    fn most_shown(&self) -> usize {
        *WIDTHS.end()
    }

    /// Tells which entries a board shows; some tables show one, others one for each row or column.
    fn find(&self, measurements: &BoardMeasurements, found: &mut FoundEntries<'_>);

    /// What a board is like that shows an entry, in a few words.
    fn describe(&self, entry: usize) -> String;
}

/// Where a table tells which entries a board shows.
#[derive(Debug)]
pub struct FoundEntries<'a> {
    first: u32,
    list: &'a mut Vec<u32>,
}

impl FoundEntries<'_> {
    /// The board shows this entry of the table.
    #[inline]
    pub fn entry(&mut self, entry: usize) {
        self.list.push(self.first + entry as u32);
    }
}

/// The board for which tables are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardSize {
    /// Its columns.
    pub width: usize,
    /// Its rows.
    pub height: usize,
}

impl BoardSize {
    /// Whether the engine plays on such boards.
    #[must_use]
    pub fn is_playable(self) -> bool {
        WIDTHS.contains(&self.width) && HEIGHTS.contains(&self.height)
    }
}

/// How a kind of table is made from its settings; an error says what does not fit.
pub type MakeTable = fn(&Settings, BoardSize) -> Result<Box<dyn LookupTable>, String>;

/// A kind of table.
pub type TableEntry = Entry<MakeTable>;

/// Every kind of table. To add one: write its file, add its line here.
pub const TABLES: &[TableEntry] = &[
    rectangles::ENTRY,
    differences::ENTRY,
    tops::ENTRY,
    row_patterns::ENTRY,
    rows::ENTRY,
    covers::ENTRY,
    fits::ENTRY,
    heights::ENTRY,
    skyline::ENTRY,
    stretches::ENTRY,
    cross::ENTRY,
];

/// The most entries of a set of tables: a learner's checkpoint has four numbers for each, and must stay readable.
const MOST_ENTRIES: usize = 50_000_000;

/// Tables that are looked up together.
#[derive(Clone, Debug)]
pub struct TableSet {
    tables: Arc<[PlacedTable]>,
    size: BoardSize,
    entries: usize,
}

/// A table of a set.
#[derive(Debug)]
struct PlacedTable {
    spec: Spec,
    table: Box<dyn LookupTable>,
    /// The number of its first entry.
    first: u32,
}

impl TableSet {
    /// The tables of these specs, for boards of a size.
    ///
    /// # Errors
    /// When there is none, one is unknown, has a wrong setting or does not fit the board, or stands there twice, or together they are too large.
    pub fn new(specs: &[Spec], size: BoardSize) -> Result<TableSet, SpecError> {
        let mut tables: Vec<PlacedTable> = Vec::new();
        let mut entries = 0;
        if specs.is_empty() {
            return Err(Spec::name("tables").error("there is none".to_owned()));
        }
        for spec in specs {
            let (spec, table) = make(spec, size)?;
            if tables.iter().any(|other| other.spec == spec) {
                return Err(spec.error("stands there twice".to_owned()));
            }
            let first = entries as u32;
            entries += table.entries();
            if entries > MOST_ENTRIES {
                let most = "makes the tables larger than 50 million entries";
                return Err(spec.error(most.to_owned()));
            }
            tables.push(PlacedTable { spec, table, first });
        }
        Ok(TableSet {
            tables: tables.into(),
            size,
            entries,
        })
    }

    /// The tables of a named set that fit the board, or those that a text lists with `+` between them.
    ///
    /// # Errors
    /// As [`TableSet::new`]; and when a text is neither the name of a set nor a list of specs.
    pub fn find(text: &str, size: BoardSize) -> Result<TableSet, SpecError> {
        if let Some(set) = TABLE_SETS.iter().find(|set| set.id == text) {
            let mut specs = set.specs()?;
            specs.retain(|spec| make(spec, size).is_ok());
            return TableSet::new(&specs, size);
        }
        let specs: Result<Vec<Spec>, SpecError> = text.split('+').map(spec_of).collect();
        TableSet::new(&specs?, size)
    }

    /// The board for which they are made.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// How many entries they have together.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// Every table: its spec with all settings, and the numbers of its entries.
    pub fn iter(&self) -> impl Iterator<Item = (&Spec, std::ops::Range<usize>)> {
        self.tables.iter().map(|table| {
            let first = table.first as usize;
            (&table.spec, first..first + table.table.entries())
        })
    }

    /// What a board is like that shows an entry, in a few words.
    ///
    /// # Panics
    /// When there is no such entry.
    #[must_use]
    pub fn describe(&self, entry: usize) -> String {
        assert!(entry < self.entries, "there is no entry {entry}");
        let place = self
            .tables
            .partition_point(|table| table.first as usize <= entry);
        let PlacedTable { table, first, .. } = &self.tables[place - 1];
        table.describe(entry - *first as usize)
    }

    /// The most entries of every table that a board can show.
    pub fn most_shown(&self) -> impl Iterator<Item = usize> {
        self.tables.iter().map(|table| table.table.most_shown())
    }

    /// The entries that a board shows, table after table.
    #[inline]
    pub fn look_up(&self, measurements: &BoardMeasurements, list: &mut Vec<u32>) {
        list.clear();
        for table in &*self.tables {
            let first = table.first;
            table
                .table
                .find(measurements, &mut FoundEntries { first, list });
        }
    }

    /// The same for a board that nothing has been measured of.
    #[must_use]
    pub fn entries_of(&self, board: &Board) -> Vec<u32> {
        let (mut measurements, mut list) = (BoardMeasurements::default(), Vec::new());
        measurements.look(board);
        self.look_up(&measurements, &mut list);
        list
    }
}

/// The table of a spec, and the spec with every setting.
fn make(spec: &Spec, size: BoardSize) -> Result<(Spec, Box<dyn LookupTable>), SpecError> {
    let entry = find(TABLES, "table", &spec.name)?;
    let settings = entry.read(spec)?;
    let complete = settings.spec(entry.id);
    let made = (entry.make)(&settings, size);
    let table = made.map_err(|problem| spec.error(problem))?;
    Ok((complete, table))
}

/// A spec of a table; a wrong name is told with the nearest of all sets and tables.
fn spec_of(text: &str) -> Result<Spec, SpecError> {
    let spec: Spec = text.trim().parse()?;
    let sets = TABLE_SETS.iter().map(|set| set.id);
    let mut names = sets.chain(TABLES.iter().map(|table| table.id));
    if TABLES.iter().any(|table| table.id == spec.name) {
        Ok(spec)
    } else {
        Err(SpecError::unknown("table", &spec.name, &mut names))
    }
}

/// A number of an entry from several small ones: each below its own size.
#[derive(Clone, Copy, Debug, Default)]
struct Mixed(usize);

impl Mixed {
    #[inline]
    fn with(self, value: usize, size: usize) -> Mixed {
        debug_assert!(value < size);
        Mixed(self.0 * size + value)
    }
}

/// A difference as one of `2 * most + 1` numbers.
#[inline]
fn clipped(difference: i32, most: i32) -> usize {
    (difference.clamp(-most, most) + most) as usize
}

//! Sets of tables that are used together.

use super::found::{EntryList, EntrySink, Offset};
use super::measurements::NumberTables;
use super::{
    AnyTable, BoardMeasurements, BoardSize, BoardView, LookupTable, MOST_COLUMNS, Measurements,
    Needs, TABLE_SETS, TABLES,
};
use crate::board::Board;
use crate::registry::find;
use crate::simd::Word;
use crate::spec::{Spec, SpecError};
use std::sync::Arc;

/// The maximum number of entries in a set of tables: a learner's checkpoint has four numbers for
/// each, and must remain readable.
const MOST_ENTRIES: usize = 50_000_000;

/// Tables that are used together.
#[derive(Clone, Debug)]
pub struct TableSet {
    tables: Arc<[PlacedTable]>,
    size: BoardSize,
    entries: usize,
    /// The combined needs of all tables.
    needs: Needs,
    numbers: Arc<NumberTables>,
}

/// A table of a set.
#[derive(Debug)]
struct PlacedTable {
    spec: Spec,
    table: AnyTable,
    /// The index of the table's first entry.
    first: u32,
}

impl TableSet {
    /// The tables of these specs for boards of one size.
    ///
    /// # Errors
    /// If there are no specs, if one of them is unknown, has an invalid setting, does not fit the
    /// board or is listed twice, or if the tables together are too large.
    pub fn new(specs: &[Spec], size: BoardSize) -> Result<TableSet, SpecError> {
        let mut tables: Vec<PlacedTable> = Vec::new();
        let (mut entries, mut needs) = (0, Needs::NONE);
        if specs.is_empty() {
            return Err(
                Spec::name("tables").error("expected at least one table, found none".to_owned())
            );
        }
        for spec in specs {
            let (spec, table) = make(spec, size)?;
            if tables.iter().any(|other| other.spec == spec) {
                return Err(spec.error("listed twice".to_owned()));
            }
            let first = entries as u32;
            entries += table.entries();
            needs = needs | table.needs();
            if entries > MOST_ENTRIES {
                let most = "the tables would have more than 50 million entries in total";
                return Err(spec.error(most.to_owned()));
            }
            tables.push(PlacedTable { spec, table, first });
        }
        Ok(TableSet {
            tables: tables.into(),
            size,
            entries,
            needs,
            numbers: Arc::new(NumberTables::new(needs, size.width)),
        })
    }

    /// The tables of a named set that fit the board, or those listed in a text with `+` between
    /// them.
    ///
    /// # Errors
    /// As for [`TableSet::new`], and if a text is neither the name of a set nor a list of specs.
    pub fn find(text: &str, size: BoardSize) -> Result<TableSet, SpecError> {
        if let Some(set) = TABLE_SETS.iter().find(|set| set.id == text) {
            let mut specs = set.specs()?;
            specs.retain(|spec| make(spec, size).is_ok());
            return TableSet::new(&specs, size);
        }
        let specs: Result<Vec<Spec>, SpecError> = text.split('+').map(spec_of).collect();
        TableSet::new(&specs?, size)
    }

    /// The board size that the tables are made for.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The total number of entries.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// Every table: its spec with all settings, and the indices of its entries.
    pub fn iter(&self) -> impl Iterator<Item = (&Spec, std::ops::Range<usize>)> {
        self.tables.iter().map(|table| {
            let first = table.first as usize;
            (&table.spec, first..first + table.table.entries())
        })
    }

    /// A short description of the boards that have an entry.
    ///
    /// # Panics
    /// If the entry does not exist.
    pub fn describe(&self, entry: usize) -> String {
        assert!(entry < self.entries, "there is no entry {entry}");
        let place = self
            .tables
            .partition_point(|table| table.first as usize <= entry);
        let PlacedTable { table, first, .. } = &self.tables[place - 1];
        table.describe(entry - *first as usize)
    }

    /// For each table, the maximum number of entries that a board can have.
    pub fn most_shown(&self) -> impl Iterator<Item = usize> {
        self.tables.iter().map(|table| table.table.most_shown())
    }

    /// The entries of a board, table after table. Cells above its top are ignored.
    ///
    /// # Panics
    /// If the board's width differs from the one that the tables are made for.
    pub fn look_up(
        &self,
        board: &Board,
        measurements: &mut BoardMeasurements,
        list: &mut Vec<u32>,
    ) {
        assert_eq!(board.width(), self.size.width, "the width of these tables");
        list.clear();
        let inside = u64::MAX >> (64 - board.height());
        let mut columns = [0; MOST_COLUMNS];
        for (own, column) in columns.iter_mut().zip(board.columns()) {
            *own = column & inside;
        }
        let mut sink = EntryList {
            list,
            nothing: self.entries,
        };
        self.find_entries(&columns, board.height() as i32, measurements, &mut sink);
    }

    /// The same, but allocates scratch space.
    pub fn entries_of(&self, board: &Board) -> Vec<u32> {
        let (mut measurements, mut list) = (BoardMeasurements::default(), Vec::new());
        self.look_up(board, &mut measurements, &mut list);
        list
    }

    /// Finds the entries of one board, or of each of eight boards. Boards of ten columns have
    /// specialised code, in which the loops over columns are unrolled.
    #[inline(always)]
    pub(crate) fn find_entries<W: Word>(
        &self,
        columns: &[W; MOST_COLUMNS],
        height: W::Num,
        measurements: &mut Measurements<W>,
        sink: &mut impl EntrySink<W::Num>,
    ) {
        match self.size.width {
            10 => self.find_in((10, height), columns, measurements, sink),
            width => self.find_in((width, height), columns, measurements, sink),
        }
    }

    #[inline(always)]
    fn find_in<W: Word>(
        &self,
        (width, height): (usize, W::Num),
        columns: &[W; MOST_COLUMNS],
        measurements: &mut Measurements<W>,
        sink: &mut impl EntrySink<W::Num>,
    ) {
        measurements.measure((width, height), columns, self.needs, &self.numbers);
        let board = BoardView {
            width,
            measured: measurements,
        };
        for table in &*self.tables {
            let mut found = Offset {
                first: table.first as i32,
                nothing: self.entries as i32,
                sink: &mut *sink,
            };
            table.table.find(&board, &mut found);
        }
    }
}

/// Creates the table of a spec, and the spec with every setting.
fn make(spec: &Spec, size: BoardSize) -> Result<(Spec, AnyTable), SpecError> {
    let entry = find(TABLES, "table", &spec.name)?;
    let settings = entry.read(spec)?;
    let complete = settings.spec(entry.id);
    let made = (entry.make)(&settings, size);
    let table = made.map_err(|problem| spec.error(problem))?;
    Ok((complete, table))
}

/// Parses the spec of a table; the error for an unknown name suggests the most similar set or
/// table.
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

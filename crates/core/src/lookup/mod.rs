//! Lookup tables, each of which selects entries for a board. Each kind of table has a file, and a
//! line in [`TABLES`].
//!
//! A *set* of tables maps each board to a short list of entries. An evaluator adds up their weights
//! ([`tables`](crate::evaluators::TableSum)); a learner changes these weights. Tables are made for
//! one board size. On a higher board, tables that count rows from the top still see the top, and
//! tables that count from the bottom see the lowest rows.
//!
//! A table is written once, generic over [`Word`]: it finds the entries of one board, and of eight
//! boards at a time for a kernel.

mod covers;
mod cross;
mod differences;
mod fits;
mod found;
mod heights;
mod measure;
mod measurements;
mod rectangles;
mod row_digits;
mod row_patterns;
mod rows;
mod sets;
mod skyline;
mod stretches;
mod table_set;
#[cfg(test)]
mod tests;
mod tops;
mod words;

pub use found::Found;
pub(crate) use found::{EntryRows, WeightSum};
pub(crate) use measurements::MOST_COLUMNS;
pub use measurements::{BoardMeasurements, BoardView, Measurements, Needs};
pub use sets::{TABLE_SETS, TableSetEntry};
pub use table_set::TableSet;

use crate::board::{HEIGHTS, WIDTHS};
use crate::registry::Entry;
use crate::settings::Settings;
use crate::simd::{Word, WordNumber};
use std::fmt::Debug;

/// A table: maps a board to some of its entries.
pub trait LookupTable: Debug {
    /// The total number of entries.
    fn entries(&self) -> usize;

    /// The maximum number of entries that a board can have.
    fn most_shown(&self) -> usize {
        *WIDTHS.end()
    }

    /// The measurements needed to find entries.
    fn needs(&self) -> Needs {
        Needs::NONE
    }

    /// Finds the entries of one board, or of each of eight boards; some tables have one entry per
    /// board, others one per row or column. Implementations and all functions that they call must
    /// be `#[inline(always)]`, because they are compiled into functions that use the processor's
    /// vector registers.
    fn find<W: Word>(&self, board: &BoardView<'_, W>, found: &mut impl Found<W::Num>);

    /// A short description of the boards that have an entry.
    fn describe(&self, entry: usize) -> String;
}

/// The board size that tables are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardSize {
    /// The number of columns.
    pub width: usize,
    /// The number of rows.
    pub height: usize,
}

impl BoardSize {
    /// Whether the engine supports boards of this size.
    pub fn is_playable(self) -> bool {
        WIDTHS.contains(&self.width) && HEIGHTS.contains(&self.height)
    }
}

/// Creates a table of a kind from its settings; fails if a setting does not fit.
pub type MakeTable = fn(&Settings, BoardSize) -> Result<AnyTable, String>;

/// A kind of table.
pub type TableEntry = Entry<MakeTable>;

/// Lists the kinds of tables, and makes an enum of their types.
macro_rules! tables {
    ($($module:ident::$Table:ident),* $(,)?) => {
        /// Every kind of table. To add one: write its file, add its line here.
        pub const TABLES: &[TableEntry] = &[$($module::ENTRY),*];

        /// A table of any kind.
        #[derive(Debug)]
        pub enum AnyTable {
            $(
                #[doc = concat!("One of the kind `", stringify!($module), "`.")]
                $Table($module::$Table),
            )*
        }

        $(impl From<$module::$Table> for AnyTable {
            fn from(table: $module::$Table) -> AnyTable {
                AnyTable::$Table(table)
            }
        })*

        impl LookupTable for AnyTable {
            fn entries(&self) -> usize {
                match self {
                    $(AnyTable::$Table(table) => table.entries(),)*
                }
            }

            fn most_shown(&self) -> usize {
                match self {
                    $(AnyTable::$Table(table) => table.most_shown(),)*
                }
            }

            fn needs(&self) -> Needs {
                match self {
                    $(AnyTable::$Table(table) => table.needs(),)*
                }
            }

            #[inline(always)]
            fn find<W: Word>(&self, board: &BoardView<'_, W>, found: &mut impl Found<W::Num>) {
                match self {
                    $(AnyTable::$Table(table) => table.find(board, found),)*
                }
            }

            fn describe(&self, entry: usize) -> String {
                match self {
                    $(AnyTable::$Table(table) => table.describe(entry),)*
                }
            }
        }
    };
}

tables! {
    rectangles::Rectangles,
    differences::Differences,
    tops::Tops,
    row_patterns::RowPatterns,
    rows::Rows,
    covers::Covers,
    fits::Fits,
    heights::Heights,
    skyline::Skyline,
    stretches::Stretches,
    cross::Cross,
}

/// Maps a difference, clipped to `most`, to one of `2 * most + 1` numbers.
#[inline(always)]
fn clipped<N: WordNumber>(difference: N, most: i32) -> N {
    let (low, high) = (N::splat(-most), N::splat(most));
    difference.most(low).least(high) + high
}

//! Lookup tables: which of many entries a board shows. One kind of table per file, one line each
//! in [`TABLES`].
//!
//! A *set* of tables gives every board a short list of entries. An evaluator adds up the weights of
//! these ([`tables`](crate::evaluators::TableSum)); a learner changes them. Tables are made for one
//! size of board. On a higher board those that count rows from the top still see the top, and those
//! that count from the bottom see the lowest rows.
//!
//! A table is written once, for any [`Word`]: it finds the entries of one board, and those of eight
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

/// A table: which of its entries a board shows.
pub trait LookupTable: Debug {
    /// How many entries it has.
    fn entries(&self) -> usize;

    /// The most entries that a board can show.
    fn most_shown(&self) -> usize {
        *WIDTHS.end()
    }

    /// The measurements that it needs to find entries.
    fn needs(&self) -> Needs {
        Needs::NONE
    }

    /// Finds the entries that one board or each of eight boards shows; some tables show one, others
    /// one for each row or column. Must be `#[inline(always)]`, and so must all that it calls: it
    /// is compiled into functions for the vector registers of the processor.
    fn find<W: Word>(&self, board: &BoardView<'_, W>, found: &mut impl Found<W::Num>);

    /// A short description of the boards that show an entry.
    fn describe(&self, entry: usize) -> String;
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
    pub fn is_playable(self) -> bool {
        WIDTHS.contains(&self.width) && HEIGHTS.contains(&self.height)
    }
}

/// Creates a kind of table from its settings; an error says what does not fit.
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

/// A difference as one of `2 * most + 1` numbers.
#[inline(always)]
fn clipped<N: WordNumber>(difference: N, most: i32) -> N {
    let (low, high) = (N::splat(-most), N::splat(most));
    difference.most(low).least(high) + high
}

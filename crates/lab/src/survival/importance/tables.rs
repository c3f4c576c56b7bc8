//! A player's lookup tables as an importance function.

use super::LEVELS_PER_NAT;
use tetrolab_core::board::Board;
use tetrolab_core::evaluators::TableSum;

/// The level of the empty board.
pub(crate) const EMPTY_LEVEL: f64 = 2000.0;

/// The importance of boards according to lookup tables whose highest sum is the best. For tables
/// that contain the logarithm of the probability of losing, it is the danger that the player
/// minimises.
#[derive(Clone, Debug)]
pub(crate) struct TableDanger {
    tables: TableSum,
    /// Rows of the board.
    height: usize,
    /// The sum for the empty board, as an integer of the tables' scale.
    empty: f64,
}

impl PartialEq for TableDanger {
    fn eq(&self, other: &TableDanger) -> bool {
        self.height == other.height && self.tables == other.tables
    }
}

impl Eq for TableDanger {}

impl TableDanger {
    /// The importance function of these tables on boards of this height.
    ///
    /// # Panics
    /// If no board can have this height.
    pub(crate) fn new(tables: TableSum, height: usize) -> TableDanger {
        let width = tables.set().size().width;
        let empty = Board::new(width, height).expect("a height of a board");
        TableDanger {
            empty: tables.value(&empty) / tables.scale(),
            tables,
            height,
        }
    }

    /// The level of a board with this sum, an integer of the tables' scale: [`LEVELS_PER_NAT`] for
    /// each unit below the sum of the empty board.
    #[inline]
    pub(crate) fn level_of_sum(&self, sum: f64) -> u32 {
        let worse = (self.empty - sum) * self.tables.scale();
        // Negative values and NaN become 0.
        (EMPTY_LEVEL + worse * LEVELS_PER_NAT) as u32
    }

    /// The level of a board with these columns.
    pub(crate) fn level(&self, columns: &[u64]) -> u32 {
        let mut board = Board::new(columns.len(), self.height).expect("the size of a board");
        for (number, column) in columns.iter().enumerate() {
            let filled = (0..self.height).filter(|row| column >> row & 1 == 1);
            filled.for_each(|row| board.fill(row, number));
        }
        self.level_of_sum(self.tables.value(&board) / self.tables.scale())
    }

    /// The tables.
    pub(crate) fn tables(&self) -> &TableSum {
        &self.tables
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrolab_core::lookup::{BoardSize, TableSet};

    #[test]
    fn a_level_counts_how_much_worse_than_the_empty_board_tables_think() {
        let size = BoardSize {
            width: 4,
            height: 6,
        };
        let set = TableSet::find("cross(first=rows-left,second=holes)", size).unwrap();
        // Every free row adds half a unit.
        let holes = set.entries() / 7;
        let weights = (0..set.entries()).map(|entry| (entry / holes) as f32 / 2.0);
        let tables = TableSum::new(set.clone(), weights.collect()).unwrap();
        let danger = TableDanger::new(tables.clone(), 6);
        assert_eq!(danger.level(&[0; 4]), 2000);
        assert_eq!(danger.level(&[0b111, 0, 0, 0]), 2000 + 3 * 16);
        let board = Board::from_lowest_rows(4, 6, &["#...", "#...", "#..."]).unwrap();
        let sum = tables.value(&board) / tables.scale();
        assert_eq!(danger.level_of_sum(sum), danger.level(board.columns()));
    }
}

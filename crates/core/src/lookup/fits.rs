//! Fits: for which pieces the surface has a place without a hole.

use super::measure::{BoardMeasure, ClippedMeasure};
use super::words::Unmixed;
use super::{BoardMeasurements, BoardSize, FoundEntries, LookupTable, Mixed, TableEntry};
use crate::piece::Piece;
use crate::settings::{Kind, Setting};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "fits",
    definition: "how many places take each of O, S, Z, T, J and L without a hole (none, one, more), with another measure",
    source: "ours, after Misakamm 2026",
    settings: &[Setting {
        id: "with",
        help: "the other measure",
        default: Some("rows-left"),
        kind: Kind::Word(BoardMeasure::NAMES),
    }],
    make: |settings, size| {
        Ok(Box::new(Fits::new(
            BoardMeasure::named(settings.word("with")),
            size,
        )))
    },
};

/// The pieces that are counted: I fits everywhere when it stands.
const PIECES: [Piece; 6] = [Piece::O, Piece::S, Piece::Z, Piece::T, Piece::J, Piece::L];
/// None, one, more.
const COUNTS: usize = 3;
/// Five bits for the places of each piece: on a board 16 wide there are at most 29.
const BITS: usize = 5;
/// Rises beyond these fit nothing.
const RISES: i32 = 2;

#[derive(Debug)]
struct Fits {
    with: ClippedMeasure,
    /// For one rise, and for two rises in a row, how many places of each piece that is.
    of_rise: [u64; 5],
    of_rises: [[u64; 5]; 5],
}

/// For one rise, and for two rises in a row, how many places of each piece that is: five bits for each piece.
pub(crate) fn fit_counts() -> ([u64; 5], [[u64; 5]; 5]) {
    let (mut of_rise, mut of_rises) = ([0; 5], [[0; 5]; 5]);
    for (number, piece) in PIECES.into_iter().enumerate() {
        let place = 1 << (BITS * number);
        for shape in piece.shapes() {
            let rise = |j: usize| {
                let rise = i32::from(shape.bottoms[j + 1]) - i32::from(shape.bottoms[j]);
                (rise + RISES) as usize
            };
            match shape.width {
                2 => of_rise[rise(0)] += place,
                _ => of_rises[rise(0)][rise(1)] += place,
            }
        }
    }
    (of_rise, of_rises)
}

impl Fits {
    fn new(with: BoardMeasure, size: BoardSize) -> Fits {
        let (of_rise, of_rises) = fit_counts();
        Fits {
            with: ClippedMeasure::new(with, size),
            of_rise,
            of_rises,
        }
    }

    /// None, one or more places for each piece, as a number to the base 3.
    fn counts(&self, board: &BoardMeasurements) -> usize {
        let (mut places, mut before) = (0u64, None::<usize>);
        for gap in 0..board.width() - 1 {
            let rise = board.rise(gap);
            let own = (rise.abs() <= RISES).then_some((rise + RISES) as usize);
            places += own.map_or(0, |own| self.of_rise[own]);
            if let (Some(before), Some(own)) = (before, own) {
                places += self.of_rises[before][own];
            }
            before = own;
        }
        let count = |number: usize| (places >> (BITS * number) & ((1 << BITS) - 1)) as usize;
        (0..PIECES.len()).fold(0, |all, number| {
            all * COUNTS + count(number).min(COUNTS - 1)
        })
    }
}

impl LookupTable for Fits {
    fn entries(&self) -> usize {
        COUNTS.pow(PIECES.len() as u32) * self.with.values()
    }

    fn find(&self, board: &BoardMeasurements, found: &mut FoundEntries<'_>) {
        let patterns = COUNTS.pow(PIECES.len() as u32);
        let entry = Mixed::default()
            .with(self.with.of(board), self.with.values())
            .with(self.counts(board), patterns);
        found.entry(entry.0);
    }

    fn describe(&self, entry: usize) -> String {
        let mut rest = Unmixed(entry);
        let counts = rest.take_all(PIECES.len(), COUNTS);
        let places = |wanted: usize, words: &str| -> Option<String> {
            let pieces = PIECES.iter().zip(&counts);
            let pieces = pieces.filter(|(_, count)| **count == wanted);
            let names: Vec<String> = pieces.map(|(piece, _)| piece.to_string()).collect();
            (!names.is_empty()).then(|| format!("{words} {}", names.join(" ")))
        };
        let counted = ["no place for", "one for", "more for"]
            .into_iter()
            .enumerate();
        let mut parts: Vec<String> = counted.filter_map(|(n, words)| places(n, words)).collect();
        parts.push(self.with.describe(rest.0));
        parts.join(", ")
    }
}

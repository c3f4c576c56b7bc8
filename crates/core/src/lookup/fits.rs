//! Fits: the number of placements of each piece on the surface that create no hole.

use super::measure::{BoardMeasure, ClippedMeasure};
use super::words::Unmixed;
use super::{BoardView, Found, LookupTable, Needs, TableEntry, clipped};
use crate::piece::Piece;
use crate::settings::{Kind, Setting};
use crate::simd::{Word, WordNumber};

pub(super) const ENTRY: TableEntry = TableEntry {
    id: "fits",
    definition: "number of placements of each of O, S, Z, T, J and L without a new hole (none, one, more), with another measure",
    source: "ours, after Misakamm 2026",
    settings: &[Setting {
        id: "with",
        help: "the other measure",
        default: Some("rows-left"),
        kind: Kind::Word(BoardMeasure::NAMES),
    }],
    make: |settings, size| {
        let with = BoardMeasure::named(settings.word("with"));
        let with = ClippedMeasure::new(with, size);
        Ok(Fits { with }.into())
    },
};

/// The counted pieces; I is not counted because it fits everywhere when vertical.
const PIECES: [Piece; 6] = [Piece::O, Piece::S, Piece::Z, Piece::T, Piece::J, Piece::L];
/// None, one or more.
const COUNTS: usize = 3;
/// The number of combinations of these counts.
const PATTERNS: usize = COUNTS.pow(PIECES.len() as u32);
/// Five bits for the number of placements of each piece: on a board 16 columns wide there are at
/// most 29.
const BITS: i32 = 5;
/// No piece fits height differences of at least this size.
const FITS_NOTHING: i32 = 3;
const RISES: usize = 2 * FITS_NOTHING as usize + 1;
/// Number of entries per first rise: a power of two, so that products are shifts.
const STRIDE: usize = 8;

/// See [`ENTRY`].
#[derive(Debug)]
pub struct Fits {
    with: ClippedMeasure,
}

/// The number of placements of each piece on two consecutive rises, in five bits each: those on the
/// second rise alone, and those on both.
#[derive(Debug)]
pub(super) struct FitPlaces([i32; RISES * STRIDE]);

impl FitPlaces {
    pub(super) fn new() -> FitPlaces {
        let mut places = [0; RISES * STRIDE];
        for (number, piece) in PIECES.into_iter().enumerate() {
            let place = 1 << (BITS as usize * number);
            for shape in piece.shapes() {
                let rise = |j: usize| {
                    let rise = i32::from(shape.bottoms[j + 1]) - i32::from(shape.bottoms[j]);
                    (rise + FITS_NOTHING) as usize
                };
                match shape.width {
                    2 => (0..RISES).for_each(|first| places[STRIDE * first + rise(0)] += place),
                    _ => places[STRIDE * rise(0) + rise(1)] += place,
                }
            }
        }
        FitPlaces(places)
    }

    /// None, one or more placements of each piece, as a number in base 3.
    #[inline(always)]
    pub(super) fn count<N: WordNumber>(&self, rises: &[N]) -> N {
        // A piece that needs two rises does not fit at the wall, nor after a large drop.
        let (mut places, mut before) = (N::splat(0), N::splat(0));
        for &rise in rises {
            let rise = clipped(rise, FITS_NOTHING);
            let both = before * N::splat(STRIDE as i32) + rise;
            places = places + both.gather(&self.0);
            before = rise;
        }
        let (mut counts, most) = (N::splat(0), N::splat(COUNTS as i32 - 1));
        for _ in PIECES {
            let count = places & N::splat((1 << BITS) - 1);
            counts = counts + counts + counts + count.least(most);
            places = places.shr::<BITS>();
        }
        counts
    }
}

impl LookupTable for Fits {
    fn entries(&self) -> usize {
        PATTERNS * self.with.values()
    }

    fn needs(&self) -> Needs {
        Needs::FITS | self.with.needs()
    }

    #[inline(always)]
    fn find<W: Word>(&self, board: &BoardView<'_, W>, found: &mut impl Found<W::Num>) {
        let measure = self.with.of(board);
        found.entry(0, measure * W::Num::splat(PATTERNS as i32) + board.fits);
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

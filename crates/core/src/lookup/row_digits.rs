//! Rows of cells as numbers.

use crate::simd::WordNumber;

/// The maximum width of a board for which two numbers in base 3 fit in one word.
const MOST_PACKED: usize = 10;

/// The mirror image of the cells of a row.
pub(super) fn mirrored(mask: u32, width: usize) -> u32 {
    mask.reverse_bits() >> (32 - width)
}

/// Numbers for all rows of cells, indexed by their masks.
///
/// The pattern of a row is a number in base 3 with a digit for each cell: 1 if it is filled, 2 if
/// it is covered. The smaller of this number and that of the mirror image is used. Gathers take
/// most of the time, so both numbers are packed into one word if they fit: the mirror image's in
/// the upper half, minus [`RowDigits::centre`].
#[derive(Debug)]
pub(super) struct RowDigits {
    /// The contribution of the filled cells to the pattern, indexed by their mask.
    filled: Vec<i32>,
    /// The contribution of the covered cells.
    covered: Vec<i32>,
    /// Both contributions to the mirror image's pattern, if it does not fit in the same word.
    mirrored: Option<[Vec<i32>; 2]>,
    /// Half of the largest pattern.
    centre: i32,
}

impl RowDigits {
    /// The numbers for rows of this width.
    pub(super) fn new(width: usize) -> RowDigits {
        let digits = |mask: u32| -> i32 {
            let set = (0..width as u32).filter(|bit| mask >> bit & 1 == 1);
            set.map(|bit| 3i32.pow(bit)).sum()
        };
        let mirror = |mask: u32| mirrored(mask, width);
        let table = |of: &dyn Fn(u32) -> i32| (0..1 << width).map(of).collect();
        let centre = digits((1 << width) - 1);
        if width > MOST_PACKED {
            return RowDigits {
                filled: table(&digits),
                covered: table(&|mask| 2 * digits(mask)),
                mirrored: Some([
                    table(&|mask| digits(mirror(mask))),
                    table(&|mask| 2 * digits(mirror(mask))),
                ]),
                centre,
            };
        }
        let packed = |digits: i32, mirrored: i32| (mirrored << 16) + digits;
        RowDigits {
            filled: table(&|mask| packed(digits(mask), digits(mirror(mask)))),
            covered: table(&|mask| packed(2 * digits(mask), 2 * digits(mirror(mask)) - centre)),
            mirrored: None,
            centre,
        }
    }

    /// The pattern of rows with these filled and covered cells. An empty row has number 0, which is
    /// never an entry.
    #[inline(always)]
    pub(super) fn pattern<N: WordNumber>(&self, filled: N, covered: N) -> N {
        let sum = filled.gather(&self.filled) + covered.gather(&self.covered);
        match &self.mirrored {
            None => {
                let mirrored = sum.shr::<16>() + N::splat(self.centre);
                (sum & N::splat(0xFFFF)).least(mirrored)
            }
            Some([of_filled, of_covered]) => {
                sum.least(filled.gather(of_filled) + covered.gather(of_covered))
            }
        }
    }
}

//! Values for many samples, side by side.

/// Number of samples in a block. Sums over inputs are computed for a whole block; sums over samples
/// are computed lane by lane, and then over the lanes in a fixed order. Therefore, results do not
/// depend on the width of the machine's registers.
pub(super) const BLOCK: usize = 16;

/// One number for each sample of a block.
pub(super) type Lane = [f32; BLOCK];

/// A row of numbers for each unit, one number per sample; rows are padded with zeros to whole
/// blocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signals {
    units: usize,
    count: usize,
    blocks: Vec<Lane>,
}

impl Signals {
    /// Zeros for this many units and samples.
    pub fn new(units: usize, count: usize) -> Signals {
        let mut signals = Signals::default();
        signals.reset(units, count);
        signals
    }

    /// One row per unit, all of the same length.
    ///
    /// # Panics
    /// If the rows have different lengths.
    pub fn from_rows(rows: &[&[f32]]) -> Signals {
        let mut signals = Signals::new(rows.len(), rows.first().map_or(0, |row| row.len()));
        for (unit, row) in rows.iter().enumerate() {
            signals.row_mut(unit).copy_from_slice(row);
        }
        signals
    }

    /// Makes space for this many units and samples; if the size changes, all values become 0.
    pub fn reset(&mut self, units: usize, count: usize) {
        if (units, count) != (self.units, self.count) {
            (self.units, self.count) = (units, count);
            self.blocks.clear();
            self.blocks.resize(units * self.stride(), [0.0; BLOCK]);
        }
    }

    /// Sets all numbers to 0.
    pub fn clear(&mut self) {
        self.blocks.fill([0.0; BLOCK]);
    }

    /// Number of units.
    #[inline(always)]
    pub fn units(&self) -> usize {
        self.units
    }

    /// Number of samples.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The numbers of a unit, sample by sample.
    #[inline(always)]
    pub fn row(&self, unit: usize) -> &[f32] {
        &self.blocks_of(unit).as_flattened()[..self.count]
    }

    /// The numbers of a unit, for modification.
    #[inline(always)]
    pub fn row_mut(&mut self, unit: usize) -> &mut [f32] {
        let count = self.count;
        &mut self.blocks_of_mut(unit).as_flattened_mut()[..count]
    }

    /// Number of blocks in a row.
    #[inline(always)]
    pub(super) fn stride(&self) -> usize {
        self.count.div_ceil(BLOCK)
    }

    #[inline(always)]
    pub(super) fn blocks_of(&self, unit: usize) -> &[Lane] {
        &self.blocks[unit * self.stride()..][..self.stride()]
    }

    #[inline(always)]
    pub(super) fn blocks_of_mut(&mut self, unit: usize) -> &mut [Lane] {
        let stride = self.stride();
        &mut self.blocks[unit * stride..][..stride]
    }

    /// All blocks, row after row.
    #[inline(always)]
    pub(super) fn blocks(&self) -> &[Lane] {
        &self.blocks
    }

    #[inline(always)]
    pub(super) fn blocks_mut(&mut self) -> &mut [Lane] {
        &mut self.blocks
    }
}

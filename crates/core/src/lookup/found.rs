//! The entries that boards show, and visitors of them.

use crate::simd::WordNumber;

/// Where a table says which entries boards show.
pub trait Found<N> {
    /// Every board shows the entry `base + number`.
    fn entry(&mut self, base: usize, number: N);

    /// Boards where the mask is set show the entry `base + number`; the others show nothing.
    fn entry_if(&mut self, shown: N, base: usize, number: N);
}

/// A visitor of entries.
pub(crate) trait EntrySink<N> {
    /// Visits the number of an entry among those of all tables, or [`Offset::nothing`].
    fn take(&mut self, entries: N);
}

/// Makes numbers of the entries of one table those of the whole set.
pub(super) struct Offset<'s, S> {
    /// The number of the table's first entry.
    pub(super) first: i32,
    /// One more than the last entry of all tables: boards that show no entry show this one.
    pub(super) nothing: i32,
    pub(super) sink: &'s mut S,
}

impl<N: WordNumber, S: EntrySink<N>> Found<N> for Offset<'_, S> {
    #[inline(always)]
    fn entry(&mut self, base: usize, number: N) {
        self.sink.take(number + N::splat(self.first + base as i32));
    }

    #[inline(always)]
    fn entry_if(&mut self, shown: N, base: usize, number: N) {
        let entry = number + N::splat(self.first + base as i32);
        self.sink.take(shown.pick(entry, N::splat(self.nothing)));
    }
}

/// Adds up the weights of all entries; the last weight is that of nothing, and 0.
pub(crate) struct WeightSum<'w, N> {
    pub(crate) weights: &'w [i32],
    pub(crate) sum: N,
}

impl<N: WordNumber> EntrySink<N> for WeightSum<'_, N> {
    #[inline(always)]
    fn take(&mut self, entries: N) {
        self.sum = self.sum + entries.gather(self.weights);
    }
}

/// Lists all entries of one board.
pub(super) struct EntryList<'l> {
    pub(super) list: &'l mut Vec<u32>,
    /// See [`Offset::nothing`].
    pub(super) nothing: usize,
}

impl EntrySink<i32> for EntryList<'_> {
    #[inline(always)]
    fn take(&mut self, entry: i32) {
        if entry != self.nothing as i32 {
            self.list.push(entry as u32);
        }
    }
}

/// Stores the entries of several boards as they are found: tables find them in many places, so the
/// work in each must be small.
pub(crate) struct EntryRows<N: WordNumber>(pub(crate) Vec<N::Stored>);

impl<N: WordNumber> EntrySink<N> for EntryRows<N> {
    #[inline(always)]
    fn take(&mut self, entries: N) {
        self.0.push(entries.store());
    }
}

impl<N: WordNumber> EntryRows<N> {
    /// Lists the entries of each board; for `nothing` see [`Offset::nothing`].
    pub(crate) fn list(&self, nothing: usize, lists: &mut [Vec<u32>]) {
        for entries in &self.0 {
            for (list, &entry) in lists.iter_mut().zip(entries.as_ref()) {
                if entry != nothing as i32 {
                    list.push(entry as u32);
                }
            }
        }
    }
}

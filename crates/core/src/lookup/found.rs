//! The entries that match boards, and visitors for them.

use crate::simd::WordNumber;

/// Receives the entries that a table finds.
pub trait Found<N> {
    /// Every board has the entry `base + number`.
    fn entry(&mut self, base: usize, number: N);

    /// Boards selected by the mask have the entry `base + number`; the others have none.
    fn entry_if(&mut self, shown: N, base: usize, number: N);
}

/// A visitor of entries.
pub(crate) trait EntrySink<N> {
    /// Visits the index of an entry among the entries of all tables, or [`Offset::nothing`].
    fn take(&mut self, entries: N);
}

/// Converts entry numbers of one table into indices within the whole set.
pub(super) struct Offset<'s, S> {
    /// The index of the table's first entry.
    pub(super) first: i32,
    /// One more than the last entry of all tables; it represents the absence of an entry.
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

/// Adds up the weights of all entries; the last weight, that of no entry, is 0.
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

/// Stores the entries of several boards in the order in which they are found. Tables find entries
/// in many places of their code, so each call must be cheap.
pub(crate) struct EntryRows<N: WordNumber>(pub(crate) Vec<N::Stored>);

impl<N: WordNumber> EntrySink<N> for EntryRows<N> {
    #[inline(always)]
    fn take(&mut self, entries: N) {
        self.0.push(entries.store());
    }
}

impl<N: WordNumber> EntryRows<N> {
    /// Lists the entries of each board; for `nothing`, see [`Offset::nothing`].
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

//! Room for one way through a network and back.

use super::Signals;

/// What every layer made of the samples, and what was found on the way back; reused from batch to batch.
#[derive(Clone, Debug, Default)]
pub struct Pass {
    /// The weighted sums of each layer.
    pub(super) pre: Vec<Signals>,
    /// What its units made of them.
    pub(super) post: Vec<Signals>,
    /// How much the loss changes with each weighted sum.
    pub(super) deltas: Vec<Signals>,
}

impl Pass {
    pub(super) fn fit(&mut self, layers: usize) {
        for signals in [&mut self.pre, &mut self.post, &mut self.deltas] {
            signals.resize_with(layers, Signals::default);
        }
    }

    /// What came out of the network.
    ///
    /// # Panics
    /// When nothing went through it yet.
    #[must_use]
    #[inline(always)]
    pub fn outputs(&self) -> &Signals {
        let last = self.post.last();
        last.expect("outputs are asked for after a way through the network")
    }
}

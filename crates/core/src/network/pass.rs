//! Scratch space for a forward and a backward pass.

use super::Signals;
use crate::stop::StopFlag;

/// The outputs of every layer, and the results of the backward pass; reused across batches.
#[derive(Clone, Debug, Default)]
pub struct Pass {
    /// The weighted sums of each layer.
    pub(super) pre: Vec<Signals>,
    /// The outputs of the units of each layer.
    pub(super) post: Vec<Signals>,
    /// The derivative of the loss with respect to each weighted sum.
    pub(super) deltas: Vec<Signals>,
    /// Stops the pass early; its outputs are then invalid.
    pub(super) stop: StopFlag,
}

impl Pass {
    /// Makes passes through large networks, or with many samples, stop early once a flag is raised;
    /// their outputs are then invalid.
    pub fn heed(&mut self, stop: &StopFlag) {
        self.stop = stop.clone();
    }

    pub(super) fn fit(&mut self, layers: usize) {
        for signals in [&mut self.pre, &mut self.post, &mut self.deltas] {
            signals.resize_with(layers, Signals::default);
        }
    }

    /// The outputs of the network.
    ///
    /// # Panics
    /// If there was no forward pass.
    #[inline(always)]
    pub fn outputs(&self) -> &Signals {
        let last = self.post.last();
        last.expect("outputs are requested after a forward pass")
    }
}

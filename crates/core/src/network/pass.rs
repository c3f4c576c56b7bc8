//! Space for one way through a network and back.

use super::Signals;
use crate::stop::StopFlag;

/// What every layer made of the samples, and what was found on the way back; reused from batch to
/// batch.
#[derive(Clone, Debug, Default)]
pub struct Pass {
    /// The weighted sums of each layer.
    pub(super) pre: Vec<Signals>,
    /// What its units made of them.
    pub(super) post: Vec<Signals>,
    /// How much the loss changes with each weighted sum.
    pub(super) deltas: Vec<Signals>,
    /// Ends the way early; what comes out is of no use then.
    pub(super) stop: StopFlag,
}

impl Pass {
    /// Goes through large networks, or with many samples, only until a flag is raised: what comes
    /// out is of no use then.
    pub fn heed(&mut self, stop: &StopFlag) {
        self.stop = stop.clone();
    }

    pub(super) fn fit(&mut self, layers: usize) {
        for signals in [&mut self.pre, &mut self.post, &mut self.deltas] {
            signals.resize_with(layers, Signals::default);
        }
    }

    /// What came out of the network.
    ///
    /// # Panics
    /// When nothing went through it yet.
    #[inline(always)]
    pub fn outputs(&self) -> &Signals {
        let last = self.post.last();
        last.expect("outputs are asked for after a way through the network")
    }
}

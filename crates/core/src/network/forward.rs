//! The forward pass, from inputs to outputs.

use super::signals::{BLOCK, Lane, Signals};
use super::{Activation, DenseLayer, Network, Pass};
use crate::stop::StopFlag;

/// Adds a multiple of a block to another.
#[inline(always)]
fn add_multiple(sums: &mut Lane, weight: f32, row: &Lane) {
    for lane in 0..BLOCK {
        sums[lane] += weight * row[lane];
    }
}

/// For each row of weights, the weighted sum of all rows of a block, starting with the row's bias
/// and added in the order of the rows. Four sums are computed at a time, so that the processor need
/// not wait for one before it continues with the next.
#[inline(always)]
pub(super) fn weigh(
    weights: &[f32],
    bias: impl Fn(usize) -> f32,
    rows: &Signals,
    block: usize,
    mut put: impl FnMut(usize, &Lane),
) {
    let (inputs, stride, blocks) = (rows.units(), rows.stride(), rows.blocks());
    let mut fours = weights.chunks_exact(4 * inputs);
    let mut unit = 0;
    for four in &mut fours {
        let (wa, rest) = four.split_at(inputs);
        let (wb, rest) = rest.split_at(inputs);
        let (wc, wd) = rest.split_at(inputs);
        let (mut a, mut b) = ([bias(unit); BLOCK], [bias(unit + 1); BLOCK]);
        let (mut c, mut d) = ([bias(unit + 2); BLOCK], [bias(unit + 3); BLOCK]);
        let mut place = block;
        for (((wa, wb), wc), wd) in wa.iter().zip(wb).zip(wc).zip(wd) {
            let row = &blocks[place];
            place += stride;
            add_multiple(&mut a, *wa, row);
            add_multiple(&mut b, *wb, row);
            add_multiple(&mut c, *wc, row);
            add_multiple(&mut d, *wd, row);
        }
        put(unit, &a);
        put(unit + 1, &b);
        put(unit + 2, &c);
        put(unit + 3, &d);
        unit += 4;
    }
    for own in fours.remainder().chunks_exact(inputs) {
        let mut sum = [bias(unit); BLOCK];
        for (place, weight) in own.iter().enumerate() {
            add_multiple(&mut sum, *weight, &blocks[place * stride + block]);
        }
        put(unit, &sum);
        unit += 1;
    }
}

impl DenseLayer {
    /// The weighted sums and outputs of all units.
    #[inline(always)]
    fn forward(
        &self,
        parameters: &[f32],
        input: &Signals,
        (pre, post): (&mut Signals, &mut Signals),
        stop: &StopFlag,
    ) {
        pre.reset(self.units, input.count());
        post.reset(self.units, input.count());
        let weights = &parameters[self.weights()];
        let biases = &parameters[self.biases()];
        for block in 0..input.stride() {
            if stop.is_raised() {
                return;
            }
            weigh(
                weights,
                |unit| biases[unit],
                input,
                block,
                |unit, sum| {
                    pre.blocks_of_mut(unit)[block] = *sum;
                },
            );
        }
        match self.activation {
            Activation::Linear => post.clone_from(pre),
            Activation::Relu => activate(pre, post, |z| Activation::Relu.value(z)),
            Activation::Sigmoid => activate(pre, post, |z| Activation::Sigmoid.value(z)),
            Activation::Silu => activate(pre, post, |z| Activation::Silu.value(z)),
            Activation::Dsilu => activate(pre, post, |z| Activation::Dsilu.value(z)),
        }
    }
}

/// Applies the activation function.
#[inline(always)]
fn activate(pre: &Signals, post: &mut Signals, value: impl Fn(f32) -> f32) {
    let post = post.blocks_mut().as_flattened_mut().iter_mut();
    for (post, pre) in post.zip(pre.blocks().as_flattened()) {
        *post = value(*pre);
    }
}

impl Network {
    /// The outputs for all samples, with one row per output.
    ///
    /// # Panics
    /// If the number of input rows differs from the number of inputs.
    #[inline(always)]
    pub fn forward<'a>(&self, inputs: &Signals, pass: &'a mut Pass) -> &'a Signals {
        assert_eq!(inputs.units(), self.inputs, "one row for each input");
        pass.fit(self.layers.len());
        for (number, layer) in self.layers.iter().enumerate() {
            let (before, rest) = pass.post.split_at_mut(number);
            let input = before.last().unwrap_or(inputs);
            let sums = (&mut pass.pre[number], &mut rest[0]);
            layer.forward(&self.parameters, input, sums, &pass.stop);
        }
        pass.outputs()
    }
}

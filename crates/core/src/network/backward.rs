//! Gradients of the parameters from the slopes of the outputs (backpropagation: Rumelhart, Hinton
//! and Williams 1986).

use super::forward::weigh;
use super::signals::{BLOCK, Lane, Signals};
use super::{Activation, DenseLayer, Network, Pass};
use crate::stop::StopFlag;

/// Multiplies two blocks and adds the products to a sum, lane by lane.
#[inline(always)]
fn add_products(sums: &mut Lane, one: &Lane, other: &Lane) {
    for lane in 0..BLOCK {
        sums[lane] += one[lane] * other[lane];
    }
}

/// The products of a row with every row of `others`, summed over blocks but not yet over lanes. If
/// the lanes were summed here too, the compiler would mix lanes of different rows in its registers.
#[inline(always)]
fn weigh_rows(row: &[Lane], others: &Signals, sums: &mut [Lane]) {
    let (fours, rest) = sums.as_chunks_mut::<4>();
    let beyond = 4 * fours.len();
    for (number, sums) in fours.iter_mut().enumerate() {
        let [mut a, mut b, mut c, mut d] = [[0.0; BLOCK]; 4];
        let first = 4 * number;
        let rows = [
            &others.blocks_of(first)[..row.len()],
            &others.blocks_of(first + 1)[..row.len()],
            &others.blocks_of(first + 2)[..row.len()],
            &others.blocks_of(first + 3)[..row.len()],
        ];
        for block in 0..row.len() {
            add_products(&mut a, &row[block], &rows[0][block]);
            add_products(&mut b, &row[block], &rows[1][block]);
            add_products(&mut c, &row[block], &rows[2][block]);
            add_products(&mut d, &row[block], &rows[3][block]);
        }
        *sums = [a, b, c, d];
    }
    for (number, sum) in rest.iter_mut().enumerate() {
        let mut own = [0.0; BLOCK];
        for (block, other) in row.iter().zip(others.blocks_of(beyond + number)) {
            add_products(&mut own, block, other);
        }
        *sum = own;
    }
}

/// Adds the sum over the lanes of each block to a number, always in the same order.
#[inline(always)]
fn add_lanes(sums: &[Lane], numbers: &mut [f32]) {
    for (number, lane) in numbers.iter_mut().zip(sums) {
        let mut lane = *lane;
        let mut width = BLOCK / 2;
        while width > 0 {
            for index in 0..width {
                lane[index] += lane[index + width];
            }
            width /= 2;
        }
        *number += lane[0];
    }
}

impl DenseLayer {
    /// Adds the gradient of each weight and bias.
    #[inline(always)]
    fn add_gradient(
        &self,
        input: &Signals,
        deltas: &Signals,
        gradient: &mut [f32],
        stop: &StopFlag,
    ) {
        let (weights, biases) = (self.weights(), self.biases());
        let mut sums = vec![[0.0; BLOCK]; self.inputs];
        for unit in 0..self.units {
            if stop.is_raised() {
                return;
            }
            let row = deltas.blocks_of(unit);
            weigh_rows(row, input, &mut sums);
            let own = weights.start + unit * self.inputs;
            add_lanes(&sums, &mut gradient[own..own + self.inputs]);
            let mut sum = [0.0; BLOCK];
            for block in row {
                for lane in 0..BLOCK {
                    sum[lane] += block[lane];
                }
            }
            add_lanes(&[sum], &mut gradient[biases.start + unit..][..1]);
        }
    }

    /// The gradient with respect to each input: the deltas of the previous layer, before its slopes
    /// are applied.
    #[inline(always)]
    fn pass_back(
        &self,
        parameters: &[f32],
        deltas: &Signals,
        before: &mut Signals,
        stop: &StopFlag,
    ) {
        let weights = &parameters[self.weights()];
        let mut columns = vec![0.0; weights.len()];
        for (unit, row) in weights.chunks_exact(self.inputs).enumerate() {
            for (input, &weight) in row.iter().enumerate() {
                columns[input * self.units + unit] = weight;
            }
        }
        for block in 0..deltas.stride() {
            if stop.is_raised() {
                return;
            }
            weigh(
                &columns,
                |_| 0.0,
                deltas,
                block,
                |input, sum| {
                    before.blocks_of_mut(input)[block] = *sum;
                },
            );
        }
    }

    /// Multiplies by the slopes of the layer's units.
    #[inline(always)]
    fn add_slopes(&self, pre: &Signals, deltas: &mut Signals) {
        match self.activation {
            Activation::Linear => {}
            Activation::Relu => multiply(pre, deltas, |z| Activation::Relu.slope(z)),
            Activation::Sigmoid => multiply(pre, deltas, |z| Activation::Sigmoid.slope(z)),
            Activation::Silu => multiply(pre, deltas, |z| Activation::Silu.slope(z)),
            Activation::Dsilu => multiply(pre, deltas, |z| Activation::Dsilu.slope(z)),
        }
    }
}

/// Multiplies deltas by the slopes at the weighted sums.
#[inline(always)]
fn multiply(pre: &Signals, deltas: &mut Signals, slope: impl Fn(f32) -> f32) {
    let deltas = deltas.blocks_mut().as_flattened_mut().iter_mut();
    for (delta, pre) in deltas.zip(pre.blocks().as_flattened()) {
        *delta *= slope(*pre);
    }
}

impl Network {
    /// Adds the gradient of a loss to `gradient`, one number for each parameter; `slopes` contains
    /// the derivative of the loss with respect to each output of each sample. The samples must have
    /// been passed [forward](Network::forward) through this network with this pass.
    ///
    /// # Panics
    /// If the sizes do not match.
    #[inline(always)]
    pub fn backward(
        &self,
        inputs: &Signals,
        slopes: &Signals,
        pass: &mut Pass,
        gradient: &mut [f32],
    ) {
        assert_eq!(gradient.len(), self.parameters.len(), "one for each");
        assert_eq!(slopes.units(), self.outputs(), "one row for each output");
        assert_eq!(slopes.count(), inputs.count(), "one number for each sample");
        let last = self.layers.len() - 1;
        pass.deltas[last].clone_from(slopes);
        for (number, layer) in self.layers.iter().enumerate().rev() {
            layer.add_slopes(&pass.pre[number], &mut pass.deltas[number]);
            let input = match number {
                0 => inputs,
                _ => &pass.post[number - 1],
            };
            layer.add_gradient(input, &pass.deltas[number], gradient, &pass.stop);
            if number > 0 {
                let (before, deltas) = pass.deltas.split_at_mut(number);
                let before = &mut before[number - 1];
                before.reset(layer.inputs, inputs.count());
                layer.pass_back(&self.parameters, &deltas[0], before, &pass.stop);
            }
        }
    }
}

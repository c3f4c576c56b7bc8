//! Networks in the widest registers that the processor has: the same work as anywhere else and the same bits, in about half the time.

use crate::network::{Network, Pass, Signals, Training};

/// Work whose `run` is inlined into a function that is compiled for wide registers: all that it calls should be inlined too.
pub(crate) trait WideWork {
    type Output;

    fn run(self) -> Self::Output;
}

/// A way through a network.
struct WideForward<'a, 'b> {
    network: &'a Network,
    inputs: &'a Signals,
    pass: &'b mut Pass,
}

impl<'b> WideWork for WideForward<'_, 'b> {
    type Output = &'b Signals;

    #[inline(always)]
    fn run(self) -> &'b Signals {
        self.network.forward(self.inputs, self.pass)
    }
}

/// A step of learning.
struct WideStep<'a> {
    training: &'a mut Training,
    network: &'a mut Network,
    inputs: &'a Signals,
    targets: &'a [f32],
}

impl WideWork for WideStep<'_> {
    type Output = f32;

    #[inline(always)]
    fn run(self) -> f32 {
        self.training.step(self.network, self.inputs, self.targets)
    }
}

/// The gradient of the outputs.
struct WideGradient<'a> {
    network: &'a Network,
    inputs: &'a Signals,
    slopes: &'a Signals,
    pass: &'a mut Pass,
    gradient: &'a mut [f32],
}

impl WideWork for WideGradient<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.network.forward(self.inputs, self.pass);
        self.network
            .backward(self.inputs, self.slopes, self.pass, self.gradient);
    }
}

fn widened<W: WideWork>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if super::is_available() {
        return super::avx2::widened(work);
    }
    work.run()
}

/// [`Network::forward`] in wide registers.
pub fn wide_forward<'b>(network: &Network, inputs: &Signals, pass: &'b mut Pass) -> &'b Signals {
    widened(WideForward {
        network,
        inputs,
        pass,
    })
}

/// [`Training::step`] in wide registers.
pub fn wide_step(
    training: &mut Training,
    network: &mut Network,
    inputs: &Signals,
    targets: &[f32],
) -> f32 {
    widened(WideStep {
        training,
        network,
        inputs,
        targets,
    })
}

/// [`Network::forward`] and [`Network::backward`] in wide registers.
pub fn wide_gradient(
    network: &Network,
    inputs: &Signals,
    slopes: &Signals,
    pass: &mut Pass,
    gradient: &mut [f32],
) {
    widened(WideGradient {
        network,
        inputs,
        slopes,
        pass,
        gradient,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Activation, Initialisation, UpdateRule};
    use crate::rng::Rng;

    #[test]
    fn wide_registers_give_the_same_bits() {
        for (activation, _) in Activation::ALL {
            let layers = [(7, activation), (32, activation), (1, Activation::Linear)];
            let mut plain = Network::new(5, &layers).unwrap();
            let mut rng = Rng::new(1);
            plain.initialise(Initialisation::He, &mut rng);
            let mut wide = plain.clone();
            let rule = UpdateRule::adam(0.01);
            let [mut one, mut other] = [(); 2].map(|()| Training::new(&plain, rule));
            let mut inputs = Signals::new(5, 37);
            for step in 0..20 {
                for unit in 0..5 {
                    let row = inputs.row_mut(unit);
                    row.fill_with(|| (rng.unit() * 4.0 - 2.0) as f32);
                }
                let targets: Vec<f32> = inputs.row(step % 5).to_vec();
                let expected = one.step(&mut plain, &inputs, &targets);
                assert_eq!(
                    wide_step(&mut other, &mut wide, &inputs, &targets),
                    expected
                );
                assert_eq!(plain, wide);
                let (mut a, mut b) = (Pass::default(), Pass::default());
                assert_eq!(
                    plain.forward(&inputs, &mut a),
                    wide_forward(&wide, &inputs, &mut b)
                );
                let slopes = Signals::from_rows(&[&targets]);
                let [mut slow, mut fast] = [(); 2].map(|()| vec![0.0; plain.parameters().len()]);
                plain.backward(&inputs, &slopes, &mut a, &mut slow);
                wide_gradient(&wide, &inputs, &slopes, &mut b, &mut fast);
                assert_eq!(slow, fast);
            }
        }
    }
}

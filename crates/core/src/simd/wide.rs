//! Networks in the widest registers of the processor: bit-identical results in about half the time.

use crate::network::{Network, Pass, Signals, Training};

/// Functions whose bodies are compiled a second time for wide registers; everything they call
/// should be inlined.
macro_rules! widened {
    ($($(#[$doc:meta])* pub fn $name:ident$(<$life:lifetime>)?($($own:ident: $kind:ty),* $(,)?) $(-> $out:ty)? $body:block)*) => {$(
        $(#[$doc])*
        #[allow(unsafe_code)]
        pub fn $name$(<$life>)?($($own: $kind),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            if super::is_available() {
                #[target_feature(enable = "avx2")]
                #[inline(never)]
                fn entered$(<$life>)?($($own: $kind),*) $(-> $out)? $body
                // SAFETY: the processor has AVX2.
                return unsafe { entered($($own),*) };
            }
            $body
        }
    )*};
}

widened! {
    /// [`Network::forward`] in wide registers.
    pub fn wide_forward<'b>(network: &Network, inputs: &Signals, pass: &'b mut Pass) -> &'b Signals {
        network.forward(inputs, pass)
    }

    /// [`Training::step`] in wide registers.
    pub fn wide_step(
        training: &mut Training,
        network: &mut Network,
        inputs: &Signals,
        targets: &[f32],
    ) -> f32 {
        training.step(network, inputs, targets)
    }

    /// [`Network::forward`] and [`Network::backward`] in wide registers.
    pub fn wide_gradient(
        network: &Network,
        inputs: &Signals,
        slopes: &Signals,
        pass: &mut Pass,
        gradient: &mut [f32],
    ) {
        network.forward(inputs, pass);
        network.backward(inputs, slopes, pass, gradient);
    }
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

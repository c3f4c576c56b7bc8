use super::*;

/// A network with random parameters, including biases.
fn drawn(inputs: usize, layers: &[(usize, Activation)], seed: u64) -> Network {
    let mut network = Network::new(inputs, layers).unwrap();
    let mut rng = Rng::new(seed);
    network.initialise(Initialisation::Xavier, &mut rng);
    for parameter in network.parameters_mut() {
        *parameter += (rng.unit() - 0.5) as f32 * 0.2;
    }
    network
}

fn samples(inputs: usize, count: usize, seed: u64) -> Signals {
    let mut rng = Rng::new(seed);
    let mut signals = Signals::new(inputs, count);
    for unit in 0..inputs {
        let row = signals.row_mut(unit);
        row.fill_with(|| (4.0 * rng.unit() - 2.0) as f32);
    }
    signals
}

/// The expected output of a network, computed sample by sample and unit by unit in `f64`.
fn slow_outputs(network: &Network, inputs: &Signals, sample: usize) -> Vec<f64> {
    let row = |unit| f64::from(inputs.row(unit)[sample]);
    let mut values: Vec<f64> = (0..inputs.units()).map(row).collect();
    for layer in network.layers() {
        let weights = &network.parameters()[layer.weights()];
        let biases = &network.parameters()[layer.biases()];
        let unit = |unit: usize| {
            let own = &weights[unit * layer.inputs..][..layer.inputs];
            let products = own.iter().zip(&values).map(|(w, v)| f64::from(*w) * v);
            let sum = f64::from(biases[unit]) + products.sum::<f64>();
            f64::from(layer.activation.value(sum as f32))
        };
        values = (0..layer.units).map(unit).collect();
    }
    values
}

#[test]
fn every_sample_of_any_batch_gives_the_same_result_as_alone() {
    let layers = [
        (5, Activation::Silu),
        (4, Activation::Relu),
        (3, Activation::Linear),
    ];
    let network = drawn(3, &layers, 1);
    for count in [1, 2, 15, 16, 17, 34, 128] {
        let inputs = samples(3, count, count as u64);
        let mut pass = Pass::default();
        let outputs = network.forward(&inputs, &mut pass).clone();
        for sample in 0..count {
            let expected = slow_outputs(&network, &inputs, sample);
            let rows: Vec<Vec<f32>> = (0..3).map(|unit| vec![inputs.row(unit)[sample]]).collect();
            let rows: Vec<&[f32]> = rows.iter().map(|row| &row[..]).collect();
            let alone = network
                .forward(&Signals::from_rows(&rows), &mut pass)
                .clone();
            for (unit, expected) in expected.iter().enumerate() {
                let found = outputs.row(unit)[sample];
                assert_eq!(found, alone.row(unit)[0], "the same bits");
                assert!((f64::from(found) - expected).abs() < 1e-5);
            }
        }
    }
}

/// The sum over samples and outputs of each output times its coefficient, in `f64`.
fn weighted_sum(network: &Network, inputs: &Signals) -> f64 {
    let of_sample = |sample| -> f64 {
        let outputs = slow_outputs(network, inputs, sample);
        outputs
            .iter()
            .enumerate()
            .map(|(n, v)| (n + 1) as f64 * v)
            .sum()
    };
    (0..inputs.count()).map(of_sample).sum()
}

#[test]
fn gradients_agree_with_finite_differences_for_every_layer_and_unit() {
    for (activation, name) in Activation::ALL {
        let layers = [(3, activation), (4, activation), (2, activation)];
        let mut network = drawn(5, &layers, 7);
        let inputs = samples(5, 19, 8);
        let mut slopes = Signals::new(2, 19);
        slopes.row_mut(0).fill(1.0);
        slopes.row_mut(1).fill(2.0);
        let mut pass = Pass::default();
        network.forward(&inputs, &mut pass);
        let mut gradient = vec![0.0; network.parameters().len()];
        network.backward(&inputs, &slopes, &mut pass, &mut gradient);
        for index in 0..gradient.len() {
            let h = 1e-3;
            let old = network.parameters()[index];
            let mut at = |value: f32| {
                network.parameters_mut()[index] = value;
                weighted_sum(&network, &inputs)
            };
            let rise = at(old + h) - at(old - h);
            at(old);
            let expected = rise / (f64::from(old + h) - f64::from(old - h));
            let found = f64::from(gradient[index]);
            // A rectifier may have its kink between the two points; the other functions differ only
            // by their curvature.
            let tolerance = if activation == Activation::Relu {
                0.05
            } else {
                5e-3
            };
            assert!(
                (found - expected).abs() < tolerance * (1.0 + expected.abs()),
                "{name}, parameter {index}: {found}, not {expected}"
            );
        }
    }
}

#[test]
fn every_rule_teaches_exclusive_or() {
    let rules = [
        UpdateRule::Sgd { rate: 0.2 },
        UpdateRule::Momentum {
            rate: 0.05,
            decay: 0.9,
        },
        UpdateRule::adam(0.02),
    ];
    for rule in rules {
        let layers = [(8, Activation::Dsilu), (1, Activation::Linear)];
        let mut network = Network::new(2, &layers).unwrap();
        network.initialise(Initialisation::Xavier, &mut Rng::new(1));
        let inputs = Signals::from_rows(&[&[0.0, 0.0, 1.0, 1.0], &[0.0, 1.0, 0.0, 1.0]]);
        let targets = [0.0, 1.0, 1.0, 0.0];
        let mut training = Training::new(&network, rule);
        for _ in 0..5_000 {
            training.step(&mut network, &inputs, &targets);
        }
        let mut pass = Pass::default();
        let outputs = network.forward(&inputs, &mut pass).row(0);
        for (output, target) in outputs.iter().zip(targets) {
            assert!((output - target).abs() < 0.05, "{rule:?}: {outputs:?}");
        }
    }
}

#[test]
fn a_sine_is_learned_from_samples_and_known_between_them() {
    let layers = [
        (32, Activation::Relu),
        (32, Activation::Relu),
        (1, Activation::Linear),
    ];
    let mut network = Network::new(1, &layers).unwrap();
    let mut rng = Rng::new(3);
    network.initialise(Initialisation::He, &mut rng);
    let mut training = Training::new(&network, UpdateRule::adam(0.002));
    for _ in 0..4_000 {
        let x: Vec<f32> = (0..64).map(|_| (6.0 * rng.unit() - 3.0) as f32).collect();
        let y: Vec<f32> = x.iter().map(|x| libm::sinf(*x)).collect();
        training.step(&mut network, &Signals::from_rows(&[&x]), &y);
    }
    let x: Vec<f32> = (0..100).map(|n| n as f32 * 0.06 - 3.0).collect();
    let mut pass = Pass::default();
    let outputs = network.forward(&Signals::from_rows(&[&x]), &mut pass);
    let error = |(x, y): (&f32, &f32)| (libm::sinf(*x) - y).abs();
    let worst = x.iter().zip(outputs.row(0)).map(error).fold(0.0, f32::max);
    assert!(worst < 0.1, "{worst}");
}

#[test]
fn adam_takes_the_first_steps_of_the_paper() {
    // The first step of Adam has the size of its rate, regardless of the gradient; the second is
    // computed by hand.
    let mut updater = Updater::new(UpdateRule::adam(0.1), 2);
    let mut parameters = [1.0, 1.0];
    updater.apply(&mut parameters, &[0.5, -20.0]);
    assert!((parameters[0] - 0.9).abs() < 1e-6 && (parameters[1] - 1.1).abs() < 1e-6);
    let memory = updater.memory();
    updater.apply(&mut parameters, &[0.5, 0.0]);
    assert!((parameters[0] - 0.8).abs() < 1e-5);
    // m = 0.9 * -2 = -1.8 over 0.19; v = 0.999 * 0.4 over 0.001999.
    let step = 0.1 * (-1.8 / 0.19) / (0.3996f32 / 0.001999).sqrt();
    assert!((parameters[1] - (1.1 - step)).abs() < 1e-4);
    let mut again = Updater::new(UpdateRule::adam(0.1), 2);
    assert!(again.restore(&memory) && again.memory() == memory);
    assert!(!again.restore(&memory[1..]));
}

#[test]
fn a_network_is_trained_to_the_same_bits_on_every_machine() {
    let layers = [
        (32, Activation::Relu),
        (9, Activation::Dsilu),
        (1, Activation::Linear),
    ];
    let mut network = Network::new(6, &layers).unwrap();
    network.initialise(Initialisation::He, &mut Rng::new(2));
    let mut training = Training::new(&network, UpdateRule::adam(0.01)).clipped(1.0);
    let inputs = samples(6, 50, 3);
    let targets: Vec<f32> = inputs.row(1).to_vec();
    let mut loss = 0.0;
    for _ in 0..50 {
        loss = training.step(&mut network, &inputs, &targets);
    }
    let hash = network.parameters().iter().fold(0u32, |hash, number| {
        hash.rotate_left(5).wrapping_mul(0x9E37_79B1) ^ number.to_bits()
    });
    assert_eq!((loss.to_bits(), hash), BITS);
}

/// The result of training when this test was written.
const BITS: (u32, u32) = (1_015_893_561, 3_969_947_825);

#[test]
fn a_change_of_units_is_absorbed_by_the_first_layer() {
    let network = drawn(3, &[(4, Activation::Sigmoid), (1, Activation::Linear)], 5);
    let (shifts, scales) = ([1.0, -3.0, 20.0], [0.5, 2.0, 0.01]);
    let plain = samples(3, 20, 6);
    let mut scaled = plain.clone();
    for unit in 0..3 {
        let row = scaled.row_mut(unit).iter_mut();
        row.for_each(|value| *value = (*value - shifts[unit]) * scales[unit]);
    }
    let (mut first, mut second) = (Pass::default(), Pass::default());
    let expected = network.forward(&scaled, &mut first).row(0);
    let absorbed = network.absorbing(&shifts, &scales);
    let found = absorbed.forward(&plain, &mut second).row(0);
    let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-5;
    assert!(expected.iter().zip(found).all(near));
}

#[test]
fn wrong_sizes_and_numbers_are_named() {
    let error = |inputs, layers: &[_]| Network::new(inputs, layers).unwrap_err().to_string();
    assert_eq!(error(3, &[]), "a network needs at least one layer");
    assert_eq!(
        error(3, &[(0, Activation::Relu)]),
        "units and inputs of a layer must be between 1 and 65536, got 0"
    );
    assert_eq!(
        error(60_000, &[(60_000, Activation::Relu)]),
        "a network can have at most 16777216 parameters, got 3600060000"
    );
    let network = Network::new(1, &[(1, Activation::Linear)]).unwrap();
    let with = |numbers: &[f32]| network.clone().with_parameters(numbers.to_vec());
    assert_eq!(
        with(&[1.0]).unwrap_err().to_string(),
        "the layers have 2 parameters, not 1"
    );
    assert_eq!(
        with(&[1.0, f32::NAN]).unwrap_err().to_string(),
        "parameter 1 is NaN, not a finite number"
    );
    assert!(with(&[1.0, 2.0]).is_ok());
}

#[test]
fn a_raised_flag_ends_the_way_through_a_network_and_a_step() {
    use crate::stop::StopFlag;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    let layers = [(4, Activation::Linear), (1, Activation::Linear)];
    let mut network = Network::new(2, &layers).unwrap();
    network.parameters_mut().fill(1.0);
    let inputs = Signals::from_rows(&[&[1.0; 40], &[2.0; 40]]);
    for raised in [false, true] {
        let stop = StopFlag::new(Arc::new(AtomicBool::new(raised)));
        let mut pass = Pass::default();
        pass.heed(&stop);
        // (1 + 2 + 1) * 4 + 1; nothing is computed after the flag is raised.
        let expected = if raised { 0.0 } else { 17.0 };
        assert_eq!(network.forward(&inputs, &mut pass).row(0), [expected; 40]);
        let slopes = Signals::from_rows(&[&[1.0; 40]]);
        let mut gradient = vec![0.0; network.parameters().len()];
        network.backward(&inputs, &slopes, &mut pass, &mut gradient);
        assert_eq!(gradient.iter().all(|number| *number == 0.0), raised);
    }
}

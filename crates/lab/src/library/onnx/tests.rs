//! Outputs of exported networks in another runtime: `fixture.json` was made by `fixture.py` with
//! onnxruntime (see its head).

use super::*;
use serde_json::Value;
use tetrolab_core::network::{Initialisation, Pass, Signals};
use tetrolab_core::rng::Rng;

/// A network with units of every kind.
fn network() -> Network {
    let layers = [
        (5, Activation::Relu),
        (6, Activation::Silu),
        (4, Activation::Dsilu),
        (3, Activation::Sigmoid),
        (2, Activation::Linear),
    ];
    let mut network = Network::new(4, &layers).unwrap();
    let mut rng = Rng::new(15);
    network.initialise(Initialisation::He, &mut rng);
    for parameter in network.parameters_mut() {
        *parameter += (rng.unit() - 0.5) as f32;
    }
    network
}

/// Samples of drawn inputs, one row for each input.
fn inputs() -> Signals {
    let mut rng = Rng::new(16);
    let mut inputs = Signals::new(4, 20);
    for unit in 0..4 {
        inputs
            .row_mut(unit)
            .fill_with(|| (6.0 * rng.unit() - 3.0) as f32);
    }
    inputs
}

#[test]
fn a_real_runtime_makes_our_outputs_of_an_exported_network() {
    let bytes = onnx_bytes(&network(), "fixture");
    assert_eq!(
        bytes,
        include_bytes!("fixture.onnx"),
        "what the runtime was given"
    );
    let fixture: Value = serde_json::from_str(include_str!("fixture.json")).unwrap();
    let mut pass = Pass::default();
    let inputs = inputs();
    let outputs = network().forward(&inputs, &mut pass).clone();
    for sample in 0..inputs.count() {
        for unit in 0..inputs.units() {
            let given = fixture["inputs"][sample][unit].as_f64().unwrap();
            assert!((given - f64::from(inputs.row(unit)[sample])).abs() < 1e-6);
        }
        for unit in 0..outputs.units() {
            let theirs = fixture["outputs"][sample][unit].as_f64().unwrap();
            let ours = f64::from(outputs.row(unit)[sample]);
            assert!((theirs - ours).abs() < 1e-5, "{theirs} and {ours}");
        }
    }
}

/// Writes what `fixture.py` takes: `cargo test -p tetrolab --lib onnx -- --ignored`.
#[test]
#[ignore = "writes the fixture"]
fn write_the_fixture() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/library/onnx");
    std::fs::write(
        folder.join("fixture.onnx"),
        onnx_bytes(&network(), "fixture"),
    )
    .unwrap();
    let inputs = inputs();
    let sample =
        |sample: usize| -> Vec<f32> { (0..4).map(|unit| inputs.row(unit)[sample]).collect() };
    let rows: Vec<Vec<f32>> = (0..inputs.count()).map(sample).collect();
    let text = serde_json::json!({ "inputs": rows }).to_string();
    std::fs::write(folder.join("fixture.json"), text).unwrap();
}

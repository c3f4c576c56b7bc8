//! Outputs of exported networks in another runtime: `fixture.json` was made by `fixture.py` with
//! onnxruntime (see its head).

use super::*;
use crate::library::{FileSource, PlayerFile, find_ruleset};
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

/// Random input samples, with one row per input.
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
    let bytes = onnx_bytes(&network(), "fixture", &[]);
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

/// Writes the input of `fixture.py`: `cargo test -p tetrolab --lib onnx -- --ignored`.
#[test]
#[ignore = "writes the fixture"]
fn write_the_fixture() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/library/onnx");
    std::fs::write(
        folder.join("fixture.onnx"),
        onnx_bytes(&network(), "fixture", &[]),
    )
    .unwrap();
    let inputs = inputs();
    let sample =
        |sample: usize| -> Vec<f32> { (0..4).map(|unit| inputs.row(unit)[sample]).collect() };
    let rows: Vec<Vec<f32>> = (0..inputs.count()).map(sample).collect();
    let text = serde_json::json!({ "inputs": rows }).to_string();
    std::fs::write(folder.join("fixture.json"), text).unwrap();
}

/// A network with one output, as players need it, and units of every kind.
fn scores(features: usize) -> Network {
    let units = [
        Activation::Relu,
        Activation::Silu,
        Activation::Dsilu,
        Activation::Sigmoid,
    ];
    let mut layers: Vec<_> = units.map(|activation| (3, activation)).to_vec();
    layers.push((1, Activation::Linear));
    let mut network = Network::new(features, &layers).unwrap();
    network.initialise(Initialisation::He, &mut Rng::new(17));
    network
}

#[test]
fn an_exported_network_is_read_back_to_the_bit() {
    let network = scores(2);
    let text = onnx_player_text(
        &onnx_bytes(&network, "mine", &["holes", "well_sums"]),
        "mine",
    )
    .unwrap();
    let file = PlayerFile::parse_alone(&text, "mine.onnx").unwrap();
    assert_eq!(file.network(), Some(&network));
    let ids: Vec<&str> = file.features.iter().map(|feature| feature.id).collect();
    assert_eq!(ids, ["holes", "well_sums"]);
}

#[test]
fn a_file_of_onnx_plays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.onnx");
    std::fs::write(&path, onnx_bytes(&scores(8), "mine", &["bcts"])).unwrap();
    let name = path.display().to_string();
    let ruleset = find_ruleset("simplified-6x8").unwrap();
    FileSource::Disk.player(&name, &ruleset).unwrap();
    let carried = FileSource::Disk.files_of_player(&name).unwrap();
    FileSource::Given(&carried).player(&name, &ruleset).unwrap();
    assert!(FileSource::NAMES.player(&name, &ruleset).is_err());
    assert!(
        FileSource::Disk
            .player("there-is-none.onnx", &ruleset)
            .is_err()
    );
}

#[test]
fn files_that_hold_something_else_are_refused() {
    let whole = onnx_bytes(&scores(2), "mine", &["holes", "well_sums"]);
    let without = onnx_player_text(&onnx_bytes(&scores(2), "mine", &[]), "mine").unwrap_err();
    assert!(without.contains("metadata entry `features`"), "{without}");
    // Damage anywhere gives an error or another network, never a panic.
    for length in 0..whole.len() {
        let _ = onnx_player_text(&whole[..length], "mine");
    }
    let mut rng = Rng::new(3);
    for _ in 0..2000 {
        let mut bytes = whole.clone();
        let place = rng.below(bytes.len() as u64) as usize;
        bytes[place] = rng.below(256) as u8;
        let _ = onnx_player_text(&bytes, "mine");
    }
    let place = whole.windows(4).position(|part| part == b"Relu").unwrap();
    let mut other = whole.clone();
    other[place..place + 4].copy_from_slice(b"Tanh");
    let error = onnx_player_text(&other, "mine").unwrap_err();
    assert!(error.starts_with("operator Tanh"), "{error}");
}

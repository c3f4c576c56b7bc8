//! Networks that were trained elsewhere, as players of the laboratory.

use crate::errors::{InputError, Raise};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use std::path::PathBuf;
use tetrolab::core::evaluators::Model;
use tetrolab::core::network::{Activation, Network};
use tetrolab::learning::{write_whole, write_whole_bytes};
use tetrolab::library::{PlayerFile, sealed_model_bytes};

/// The weights (units x inputs) and biases of a layer.
type Layer<'py> = (PyReadonlyArray2<'py, f32>, PyReadonlyArray1<'py, f32>);

/// Writes a player file and its network next to it.
#[pyfunction]
pub(crate) fn save_network(
    path: PathBuf,
    layers: Vec<Layer<'_>>,
    activations: Vec<String>,
    features: &str,
    player: &str,
) -> PyResult<()> {
    let network = network(&layers, &activations)?;
    crate::parts::wanted(Some(features))?;
    let model = path.with_extension("safetensors");
    let (Some(name), Some(beside)) = (path.file_stem(), model.file_name()) else {
        return Err(InputError::new_err("path: expected the name of a file"));
    };
    let text = |text: &std::ffi::OsStr| serde_json::to_string(&text.to_string_lossy());
    let quoted = |value: Result<String, serde_json::Error>| value.unwrap_or_default();
    let content = format!(
        "name = {}\nplayer = {}\nevaluator = \"network\"\nfeatures = {}\nnetwork = {}\n",
        quoted(text(name)),
        quoted(serde_json::to_string(player)),
        quoted(if features.contains(',') {
            serde_json::to_string(&features.split(',').map(str::trim).collect::<Vec<_>>())
        } else {
            serde_json::to_string(features)
        }),
        quoted(text(beside)),
    );
    let bytes = sealed_model_bytes(&Model::Network(network));
    write_whole_bytes(&model, &bytes).map_err(Raise::raise)?;
    // Reads what was written, because the player, its features and its network must fit together.
    let read = PlayerFile::parse(&content, &path.display().to_string());
    if let Err(error) = read {
        let _ = std::fs::remove_file(&model);
        return Err(error.raise());
    }
    write_whole(&path, &content).map_err(Raise::raise)
}

fn network(layers: &[Layer<'_>], activations: &[String]) -> PyResult<Network> {
    let wrong = |problem: String| InputError::new_err(problem);
    if layers.len() != activations.len() {
        return Err(wrong(format!(
            "expected one activation for each of {} layers, found {}",
            layers.len(),
            activations.len()
        )));
    }
    let (mut sizes, mut parameters, mut before) = (Vec::new(), Vec::new(), None);
    for (number, ((weight, bias), activation)) in layers.iter().zip(activations).enumerate() {
        let (weight, bias) = (weight.as_array(), bias.as_array());
        let (units, inputs) = weight.dim();
        if before.is_some_and(|before| before != inputs) || bias.len() != units {
            return Err(wrong(format!(
                "layer {number}: weights of shape [{units}, {inputs}] and {} biases do not fit the \
                 layer before, or each other",
                bias.len()
            )));
        }
        let known = || Activation::ALL.map(|row| row.1).join(", ");
        let found = Activation::from_name(activation).ok_or_else(|| {
            wrong(format!(
                "activation: expected {}, found {activation}",
                known()
            ))
        })?;
        sizes.push((units, found));
        before = Some(units);
        parameters.extend(weight.iter());
        parameters.extend(bias.iter());
    }
    let inputs = layers.first().map_or(0, |layer| layer.0.as_array().dim().1);
    let network = Network::new(inputs, &sizes);
    let network = network.and_then(|network| network.with_parameters(parameters));
    network.map_err(|error| wrong(error.to_string()))
}

//! Networks in tensor files: `layer.0.weight`, `layer.0.bias` and so on, and the activations of the
//! layers.

use super::safetensors::Tensors;
use tetrolab_core::network::{Activation, Network};

/// The metadata key of the activations, starting with the first layer.
const ACTIVATIONS: &str = "activations";

/// The network as tensors.
pub(super) fn tensors_of(network: &Network) -> Tensors {
    let mut tensors = Tensors::default();
    let names: Vec<&str> = network
        .layers()
        .iter()
        .map(|layer| layer.activation.name())
        .collect();
    tensors.say(ACTIVATIONS, &names.join(","));
    for (number, layer) in network.layers().iter().enumerate() {
        let weights = network.parameters()[layer.weights()].to_vec();
        let biases = network.parameters()[layer.biases()].to_vec();
        tensors.add(&weight_of(number), &[layer.units, layer.inputs], weights);
        tensors.add(&bias_of(number), &[layer.units], biases);
    }
    tensors
}

fn weight_of(layer: usize) -> String {
    format!("layer.{layer}.weight")
}

fn bias_of(layer: usize) -> String {
    format!("layer.{layer}.bias")
}

/// Reads the network of a file.
pub(super) fn network_of(tensors: &Tensors) -> Result<Network, String> {
    let names = tensors
        .word(ACTIVATIONS)
        .ok_or("expected a network, found no activations of its layers")?;
    let (mut layers, mut parameters, mut inputs) = (Vec::new(), Vec::new(), None);
    for (number, name) in names.split(',').enumerate() {
        let activation = Activation::from_name(name);
        let activation = activation.ok_or_else(|| {
            format!(
                "layer {number}: there is no activation '{}'",
                name.escape_debug()
            )
        })?;
        let find = |name: String| {
            let missing = format!("tensor '{name}' is missing");
            tensors.find(&name).ok_or(missing)
        };
        let (weight, bias) = (find(weight_of(number))?, find(bias_of(number))?);
        let [units, before] = weight.shape[..] else {
            return Err(format!(
                "tensor '{}' has {} dimensions, not 2",
                weight.name,
                weight.shape.len()
            ));
        };
        if layers
            .last()
            .is_some_and(|layer: &(usize, Activation)| layer.0 != before)
        {
            return Err(format!(
                "tensor '{}' has {before} columns, but the layer before it has {} units",
                weight.name,
                layers[number - 1].0
            ));
        }
        if bias.shape != [units] {
            return Err(format!(
                "tensor '{}' has the shape {:?}, not [{units}]",
                bias.name, bias.shape
            ));
        }
        inputs.get_or_insert(before);
        layers.push((units, activation));
        for tensor in [weight, bias] {
            if let Some(place) = tensor.numbers.iter().position(|number| !number.is_finite()) {
                let number = tensor.numbers[place];
                return Err(format!(
                    "tensor '{}': number {place} is {number}, not a finite number",
                    tensor.name
                ));
            }
            parameters.extend(&tensor.numbers);
        }
    }
    if tensors.arrays.len() != 2 * layers.len() {
        return Err(format!(
            "expected {} tensors for a network of {} layers, found {}",
            2 * layers.len(),
            layers.len(),
            tensors.arrays.len()
        ));
    }
    let network = Network::new(inputs.unwrap_or(0), &layers);
    let network = network.and_then(|network| network.with_parameters(parameters));
    network.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network_bytes(network: &Network) -> Vec<u8> {
        tensors_of(network).bytes()
    }

    fn parse_network(bytes: &[u8]) -> Result<Network, String> {
        network_of(&Tensors::parse(bytes)?)
    }
    use tetrolab_core::network::Initialisation;
    use tetrolab_core::rng::Rng;

    fn network() -> Network {
        let layers = [(3, Activation::Dsilu), (1, Activation::Linear)];
        let mut network = Network::new(2, &layers).unwrap();
        network.initialise(Initialisation::He, &mut Rng::new(1));
        network
    }

    #[test]
    fn a_network_is_read_back_to_the_bit() {
        assert_eq!(
            parse_network(&network_bytes(&network())).unwrap(),
            network()
        );
    }

    #[test]
    fn a_file_without_such_a_network_is_named_with_the_position() {
        let error = |change: fn(&mut Tensors)| {
            let mut tensors = tensors_of(&network());
            change(&mut tensors);
            parse_network(&tensors.bytes()).unwrap_err()
        };
        assert_eq!(
            error(|t| t.words.clear()),
            "expected a network, found no activations of its layers"
        );
        assert_eq!(
            error(|t| t.words[0].1 = "tanh,linear".into()),
            "layer 0: there is no activation 'tanh'"
        );
        assert_eq!(
            error(|t| t.arrays[2].name = "x".into()),
            "tensor 'layer.1.weight' is missing"
        );
        assert_eq!(
            error(|t| t.arrays[1].numbers[2] = f32::NAN),
            "tensor 'layer.0.bias': number 2 is NaN, not a finite number"
        );
        assert_eq!(
            error(|t| t.arrays[0].shape = vec![2, 3]),
            "tensor 'layer.0.bias' has the shape [3], not [2]"
        );
        assert_eq!(
            error(|t| t.words[0].1 = "dsilu".into()),
            "expected 2 tensors for a network of 1 layers, found 4"
        );
    }
}

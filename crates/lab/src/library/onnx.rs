//! Reads and writes networks for other programs: ONNX, with a `Gemm` for each layer and elementwise
//! nodes for the units.
//!
//! ONNX files are protocol buffer messages. The few kinds of fields that a dense network needs are
//! encoded by hand here: integers, texts and messages, each after its number and kind
//! (<https://protobuf.dev/programming-guides/encoding/>). Field numbers are those of `onnx.proto`.

mod read;

pub(super) use read::player_text as onnx_player_text;

use tetrolab_core::network::{Activation, Network};

/// The version of the format and of its operator set; any runtime since 2020 supports both.
const IR_VERSION: u64 = 7;
const OPSET: u64 = 13;
/// The type of 32-bit floats.
const FLOAT: u64 = 1;

/// The bytes of an ONNX file of a network: input `inputs` of any number of rows, with one column
/// per input of the network; output `outputs` with the same rows. The ids of its input features are
/// stored in the metadata entry `features`.
pub fn onnx_bytes(network: &Network, name: &str, features: &[&str]) -> Vec<u8> {
    let mut graph = OnnxGraph::default();
    let mut value = "inputs".to_owned();
    for (number, layer) in network.layers().iter().enumerate() {
        let is_last = number + 1 == network.layers().len();
        let names = ["weight", "bias"].map(|part| format!("layer.{number}.{part}"));
        let parameters = network.parameters();
        graph.tensor(
            &names[0],
            &[layer.units, layer.inputs],
            &parameters[layer.weights()],
        );
        graph.tensor(&names[1], &[layer.units], &parameters[layer.biases()]);
        let output = if is_last {
            "outputs".to_owned()
        } else {
            format!("values.{number}")
        };
        let sum = match layer.activation {
            Activation::Linear => output.clone(),
            _ => format!("sums.{number}"),
        };
        graph.node(
            "Gemm",
            &[&value, &names[0], &names[1]],
            &sum,
            &[("transB", 1)],
        );
        graph.activation(layer.activation, &sum, &output, number);
        value = output;
    }
    graph.finish(network, name, features)
}

/// A protocol buffer message under construction.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn number(&mut self, field: u64, value: u64) -> &mut Message {
        self.varint(field << 3);
        self.varint(value);
        self
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) -> &mut Message {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn text(&mut self, field: u64, text: &str) -> &mut Message {
        self.bytes(field, text.as_bytes())
    }

    fn message(&mut self, field: u64, message: &Message) -> &mut Message {
        self.bytes(field, &message.0)
    }
}

/// The nodes and parameters of a network.
#[derive(Default)]
struct OnnxGraph {
    nodes: Vec<Message>,
    tensors: Vec<Message>,
    has_one: bool,
}

impl OnnxGraph {
    fn node(&mut self, operator: &str, inputs: &[&str], output: &str, attributes: &[(&str, u64)]) {
        let mut node = Message::default();
        for input in inputs {
            node.text(1, input);
        }
        node.text(2, output).text(4, operator);
        for (name, value) in attributes {
            let mut attribute = Message::default();
            // Kind 2 is an integer.
            attribute.text(1, name).number(3, *value).number(20, 2);
            node.message(5, &attribute);
        }
        self.nodes.push(node);
    }

    fn tensor(&mut self, name: &str, shape: &[usize], numbers: &[f32]) {
        let mut tensor = Message::default();
        for size in shape {
            tensor.number(1, *size as u64);
        }
        let bytes: Vec<u8> = numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        tensor.number(2, FLOAT).text(8, name).bytes(9, &bytes);
        self.tensors.push(tensor);
    }

    /// The activation functions. SiLU and its derivative have no operator in this version.
    fn activation(&mut self, activation: Activation, z: &str, output: &str, layer: usize) {
        let name = |part: &str| format!("{part}.{layer}");
        match activation {
            Activation::Linear => {}
            Activation::Relu => self.node("Relu", &[z], output, &[]),
            Activation::Sigmoid => self.node("Sigmoid", &[z], output, &[]),
            Activation::Silu => {
                self.node("Sigmoid", &[z], &name("sigmoid"), &[]);
                self.node("Mul", &[z, &name("sigmoid")], output, &[]);
            }
            Activation::Dsilu => {
                if !self.has_one {
                    self.tensor("one", &[1], &[1.0]);
                    self.has_one = true;
                }
                let s = name("sigmoid");
                self.node("Sigmoid", &[z], &s, &[]);
                self.node("Sub", &["one", &s], &name("rest"), &[]);
                self.node("Mul", &[z, &name("rest")], &name("product"), &[]);
                self.node("Add", &["one", &name("product")], &name("sum"), &[]);
                self.node("Mul", &[&s, &name("sum")], output, &[]);
            }
        }
    }

    fn finish(&self, network: &Network, name: &str, features: &[&str]) -> Vec<u8> {
        let mut graph = Message::default();
        for node in &self.nodes {
            graph.message(1, node);
        }
        graph.text(2, name);
        for tensor in &self.tensors {
            graph.message(5, tensor);
        }
        graph.message(11, &described("inputs", network.inputs()));
        graph.message(12, &described("outputs", network.outputs()));
        let mut opset = Message::default();
        opset.text(1, "").number(2, OPSET);
        let mut model = Message::default();
        model
            .number(1, IR_VERSION)
            .text(2, "tetrolab")
            .message(7, &graph)
            .message(8, &opset);
        if !features.is_empty() {
            let mut entry = Message::default();
            entry.text(1, "features").text(2, &features.join(","));
            model.message(14, &entry);
        }
        model.0
    }
}

/// A value with its type: a float for each sample and column, with any number of samples and this
/// number of columns.
fn described(name: &str, columns: usize) -> Message {
    let [
        mut samples,
        mut fixed,
        mut shape,
        mut tensor,
        mut kind,
        mut value,
    ] = std::array::from_fn(|_| Message::default());
    samples.text(2, "samples");
    fixed.number(1, columns as u64);
    shape.message(1, &samples).message(1, &fixed);
    tensor.number(1, FLOAT).message(2, &shape);
    kind.message(1, &tensor);
    value.text(1, name).message(2, &kind);
    value
}

#[cfg(test)]
mod tests;

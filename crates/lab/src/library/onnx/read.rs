//! Reads networks of other programs: ONNX files that use the operators we write.
//!
//! The file specifies its inputs: the metadata entry `features` contains a feature set, or ids
//! separated by commas.

use super::FLOAT;
use crate::library::model_file::model_bytes;
use crate::library::player_file::model::data_entry;
use std::collections::BTreeMap;
use tetrolab_core::evaluators::Model;
use tetrolab_core::network::{Activation, Network};

/// The text of a player file with this name that contains the network of an ONNX file.
///
/// # Errors
/// If the file is invalid; the error says why.
pub(in crate::library) fn player_text(bytes: &[u8], name: &str) -> Result<String, String> {
    let mut graph = None;
    let mut features = None;
    for field in fields(bytes)? {
        match field {
            (7, Wire::Bytes(bytes)) => graph = Some(bytes),
            (14, Wire::Bytes(bytes)) => {
                let (key, value) = metadata(bytes)?;
                features = (key == "features").then_some(value).or(features);
            }
            _ => {}
        }
    }
    let graph = graph.ok_or("not an ONNX file: it has no graph")?;
    let network = Network::try_from(&Graph::parse(graph)?)?;
    let features = features.ok_or(
        "the metadata entry `features` is missing (a feature set, or the ids of its inputs separated by commas)",
    )?;
    let features = if features.contains(',') {
        let ids = features.split(',').map(|id| quoted(id.trim()));
        format!("[{}]", ids.collect::<Vec<_>>().join(", "))
    } else {
        quoted(features.trim())
    };
    let data = data_entry(&model_bytes(&Model::Network(network)));
    Ok(format!(
        "name = {}\nplayer = \"greedy\"\nevaluator = \"network\"\nfeatures = {features}\n\
         network = \"{data}\"\n",
        quoted(name)
    ))
}

/// A TOML string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The value of a field.
enum Wire<'a> {
    Number(u64),
    Float(f32),
    Bytes(&'a [u8]),
}

/// The fields of a message of protocol buffers.
fn fields(mut bytes: &[u8]) -> Result<Vec<(u64, Wire<'_>)>, String> {
    const WRONG: &str = "not an ONNX file: a message is truncated or damaged";
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes).ok_or(WRONG)?;
        let value = match key & 7 {
            0 => Wire::Number(varint(&mut bytes).ok_or(WRONG)?),
            1 => {
                bytes = bytes.get(8..).ok_or(WRONG)?;
                continue;
            }
            2 => {
                let length = varint(&mut bytes).and_then(|length| usize::try_from(length).ok());
                let (own, rest) = bytes.split_at_checked(length.ok_or(WRONG)?).ok_or(WRONG)?;
                bytes = rest;
                Wire::Bytes(own)
            }
            5 => {
                let (own, rest) = bytes.split_first_chunk::<4>().ok_or(WRONG)?;
                bytes = rest;
                Wire::Float(f32::from_le_bytes(*own))
            }
            _ => return Err(WRONG.to_owned()),
        };
        fields.push((key >> 3, value));
    }
    Ok(fields)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|_| "not an ONNX file: a name is not text".to_owned())
}

fn metadata(bytes: &[u8]) -> Result<(&str, &str), String> {
    let (mut key, mut value) = ("", "");
    for field in fields(bytes)? {
        match field {
            (1, Wire::Bytes(bytes)) => key = text(bytes)?,
            (2, Wire::Bytes(bytes)) => value = text(bytes)?,
            _ => {}
        }
    }
    Ok((key, value))
}

/// An array of parameters.
#[derive(Default)]
struct Parameters {
    shape: Vec<usize>,
    numbers: Vec<f32>,
}

/// An operator with its inputs, its output and its attributes.
#[derive(Default)]
struct Node<'a> {
    operator: &'a str,
    inputs: Vec<&'a str>,
    output: &'a str,
    integers: BTreeMap<&'a str, u64>,
    floats: BTreeMap<&'a str, f32>,
}

/// The operators in order, and the parameters by name.
#[derive(Default)]
struct Graph<'a> {
    nodes: Vec<Node<'a>>,
    parameters: BTreeMap<&'a str, Parameters>,
    output: Option<&'a str>,
}

impl<'a> Graph<'a> {
    fn parse(bytes: &'a [u8]) -> Result<Graph<'a>, String> {
        let mut graph = Graph::default();
        for field in fields(bytes)? {
            match field {
                (1, Wire::Bytes(bytes)) => graph.nodes.push(Node::parse(bytes)?),
                (5, Wire::Bytes(bytes)) => {
                    let (name, parameters) = Parameters::parse(bytes)?;
                    graph.parameters.insert(name, parameters);
                }
                (12, Wire::Bytes(bytes)) => graph.output = Some(metadata(bytes)?.0),
                _ => {}
            }
        }
        Ok(graph)
    }

    fn parameters(&self, name: &str) -> Result<&Parameters, String> {
        let found = self.parameters.get(name);
        found.ok_or_else(|| format!("the parameters '{}' are missing", name.escape_debug()))
    }
}

impl Parameters {
    fn parse(bytes: &[u8]) -> Result<(&str, Parameters), String> {
        let (mut name, mut kind) = ("", 0);
        let mut parameters = Parameters::default();
        for field in fields(bytes)? {
            match field {
                (1, Wire::Number(size)) => parameters.shape.push(size as usize),
                (1, Wire::Bytes(mut packed)) => {
                    while let Some(size) = varint(&mut packed) {
                        parameters.shape.push(size as usize);
                    }
                }
                (2, Wire::Number(number)) => kind = number,
                (4, Wire::Float(number)) => parameters.numbers.push(number),
                (4 | 9, Wire::Bytes(bytes)) => {
                    let numbers = bytes.chunks_exact(4);
                    let number =
                        |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                    parameters.numbers.extend(numbers.map(number));
                }
                (8, Wire::Bytes(bytes)) => name = text(bytes)?,
                _ => {}
            }
        }
        let count = parameters
            .shape
            .iter()
            .try_fold(1usize, |count, &size| count.checked_mul(size));
        if kind != FLOAT || count != Some(parameters.numbers.len()) {
            let name = name.escape_debug();
            return Err(format!(
                "the parameters '{name}' must be 32-bit floats in the file itself, and match their shape"
            ));
        }
        Ok((name, parameters))
    }
}

impl<'a> Node<'a> {
    fn parse(bytes: &'a [u8]) -> Result<Node<'a>, String> {
        let mut node = Node::default();
        for field in fields(bytes)? {
            match field {
                (1, Wire::Bytes(bytes)) => node.inputs.push(text(bytes)?),
                (2, Wire::Bytes(bytes)) => node.output = text(bytes)?,
                (4, Wire::Bytes(bytes)) => node.operator = text(bytes)?,
                (5, Wire::Bytes(bytes)) => node.attribute(bytes)?,
                _ => {}
            }
        }
        Ok(node)
    }

    fn attribute(&mut self, bytes: &'a [u8]) -> Result<(), String> {
        let mut name = "";
        for field in fields(bytes)? {
            match field {
                (1, Wire::Bytes(bytes)) => name = text(bytes)?,
                (2, Wire::Float(number)) => {
                    self.floats.insert(name, number);
                }
                (3, Wire::Number(number)) => {
                    self.integers.insert(name, number);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn error(&self, problem: &str) -> String {
        format!("operator {}: {problem}", self.operator.escape_debug())
    }
}

/// The role of a value in the layer whose sums `z` were computed last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The outputs of the layer's units with this activation; with `Linear`, the sums themselves.
    Output(Activation),
    /// Steps on the way to the derivative of SiLU, with s = sigmoid(z): 1 - s, z (1 - s), and
    /// 1 + z (1 - s).
    Rest,
    Product,
    Sum,
}

/// A network under construction.
#[derive(Default)]
struct Layers<'a> {
    sizes: Vec<(usize, Activation)>,
    inputs: usize,
    parameters: Vec<f32>,
    /// The known values of the last layer.
    forms: BTreeMap<&'a str, Form>,
}

impl TryFrom<&Graph<'_>> for Network {
    type Error = String;

    fn try_from(graph: &Graph<'_>) -> Result<Network, String> {
        let mut layers = Layers::default();
        for node in &graph.nodes {
            match node.operator {
                "Gemm" => layers.gemm(node, graph)?,
                _ => layers.elementwise(node, graph)?,
            }
        }
        let output = graph.output.unwrap_or_default();
        layers
            .activate(output)
            .ok_or("its output is not that of its last layer")?;
        let network = Network::new(layers.inputs, &layers.sizes);
        let network = network.and_then(|network| network.with_parameters(layers.parameters));
        network.map_err(|error| error.to_string())
    }
}

impl<'a> Layers<'a> {
    /// Sets the output of the last layer to this value.
    fn activate(&mut self, value: &str) -> Option<()> {
        match (self.forms.get(value), self.sizes.last_mut()) {
            (Some(Form::Output(activation)), Some(layer)) => {
                layer.1 = *activation;
                Some(())
            }
            _ => None,
        }
    }

    /// Adds a layer: inputs times weights plus biases.
    fn gemm(&mut self, node: &Node<'a>, graph: &Graph<'_>) -> Result<(), String> {
        let &[input, weight, bias] = &node.inputs[..] else {
            return Err(node.error("expected an input, weights and biases"));
        };
        let is_plain = ["alpha", "beta"]
            .iter()
            .all(|name| node.floats.get(name).is_none_or(|&f| f == 1.0));
        if !is_plain || node.integers.get("transA").is_some_and(|&flag| flag != 0) {
            return Err(node.error("alpha and beta must be 1, transA 0"));
        }
        if !self.sizes.is_empty() && self.activate(input).is_none() {
            return Err(node.error("its input is not the output of the layer before"));
        }
        let (weight, bias) = (graph.parameters(weight)?, graph.parameters(bias)?);
        let &[rows, columns] = &weight.shape[..] else {
            return Err(node.error("the weights must have two dimensions"));
        };
        let is_turned = node.integers.get("transB").is_some_and(|&flag| flag != 0);
        let (units, inputs) = if is_turned {
            (rows, columns)
        } else {
            (columns, rows)
        };
        if bias.numbers.len() != units {
            return Err(node.error("expected one bias for each unit"));
        }
        match self.sizes.last() {
            None => self.inputs = inputs,
            Some(&(before, _)) if before != inputs => {
                return Err(node.error("its inputs are not the units of the layer before"));
            }
            Some(_) => {}
        }
        if is_turned {
            self.parameters.extend(&weight.numbers);
        } else {
            let turned = (0..units).flat_map(|unit| weight.numbers[unit..].iter().step_by(units));
            self.parameters.extend(turned);
        }
        self.parameters.extend(&bias.numbers);
        self.sizes.push((units, Activation::Linear));
        self.forms.clear();
        self.forms
            .insert(node.output, Form::Output(Activation::Linear));
        Ok(())
    }

    /// An operator on the values of the last layer.
    fn elementwise(&mut self, node: &Node<'a>, graph: &Graph<'_>) -> Result<(), String> {
        use Activation::{Dsilu, Linear, Relu, Sigmoid, Silu};
        use Form::{Output, Product, Rest, Sum};
        let is_one = |name: &&str| {
            let constant = graph.parameters.get(*name);
            constant.is_some_and(|constant| constant.numbers == [1.0])
        };
        let one = node.inputs.iter().position(is_one);
        let forms = node
            .inputs
            .iter()
            .filter_map(|name| self.forms.get(name).copied());
        let forms: Vec<Form> = forms.collect();
        let made = match (node.operator, &forms[..], one) {
            ("Relu", [Output(Linear)], None) => Output(Relu),
            ("Sigmoid", [Output(Linear)], None) => Output(Sigmoid),
            (
                "Mul",
                [Output(Linear), Output(Sigmoid)] | [Output(Sigmoid), Output(Linear)],
                None,
            ) => Output(Silu),
            ("Sub", [Output(Sigmoid)], Some(0)) => Rest,
            ("Mul", [Output(Linear), Rest] | [Rest, Output(Linear)], None) => Product,
            ("Add", [Product], Some(_)) => Sum,
            ("Mul", [Output(Sigmoid), Sum] | [Sum, Output(Sigmoid)], None) => Output(Dsilu),
            _ => {
                return Err(node.error(
                    "expected dense layers (Gemm) with units relu, sigmoid, silu, dsilu or linear, \
                     as `tetrolab onnx` writes them",
                ));
            }
        };
        self.forms.insert(node.output, made);
        Ok(())
    }
}

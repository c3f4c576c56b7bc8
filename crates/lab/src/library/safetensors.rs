//! Files of tensors in the safetensors format: named arrays of 32-bit floats, and metadata.
//!
//! A file consists of eight bytes with the length of the header, a JSON header with the type, shape
//! and byte position of each tensor, and the bytes. It is parsed by hand, in about a hundred lines,
//! because only one type of number is needed, and because errors should name the file and the
//! position, which the crate of the same name does not do.
//!
//! # Content hash
//!
//! A file that tetrolab writes to disk is *sealed*: the first entry of its metadata is a hash of
//! all other bytes of the file. A reader that finds the entry checks it, so a changed bit is an
//! error rather than a different player. Files without the entry (older ones, or those of other
//! programs) are read without the check.

use super::FileError;
use super::file::open_regular;
use crate::hash::Fnv;
use serde_json::{Map, Value, json};
use std::io::Read;
use std::ops::Range;
use std::path::Path;

/// The maximum size of a file of tensors.
const MOST_BYTES: u64 = 1 << 30;

/// Named arrays of numbers, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tensors {
    /// Metadata.
    pub(crate) words: Vec<(String, String)>,
    /// The name, shape and values of each array.
    pub(crate) arrays: Vec<Tensor>,
}

/// One array.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tensor {
    pub(crate) name: String,
    pub(crate) shape: Vec<usize>,
    pub(crate) numbers: Vec<f32>,
}

impl Tensors {
    /// Adds an array.
    pub(crate) fn add(&mut self, name: &str, shape: &[usize], numbers: Vec<f32>) {
        debug_assert_eq!(shape.iter().product::<usize>(), numbers.len());
        self.arrays.push(Tensor {
            name: name.to_owned(),
            shape: shape.to_vec(),
            numbers,
        });
    }

    /// Adds metadata.
    pub(crate) fn say(&mut self, key: &str, word: &str) {
        self.words.push((key.to_owned(), word.to_owned()));
    }

    /// The metadata under a key.
    pub(crate) fn word(&self, key: &str) -> Option<&str> {
        let found = self.words.iter().find(|row| row.0 == key);
        found.map(|row| row.1.as_str())
    }

    /// The array with this name.
    pub(crate) fn find(&self, name: &str) -> Option<&Tensor> {
        self.arrays.iter().find(|tensor| tensor.name == name)
    }

    /// The bytes of a file with a content hash, as files on disk have it.
    pub(crate) fn sealed_bytes(&self) -> Vec<u8> {
        let mut sealed = Tensors::default();
        sealed.say(HASH, NO_HASH);
        sealed.words.extend_from_slice(&self.words);
        let mut bytes = sealed.bytes_with(&self.arrays);
        let hash = content_hash(&bytes);
        bytes[HASH_PLACE].copy_from_slice(hash.as_bytes());
        bytes
    }

    /// The bytes of the file without a content hash: a function of the tensors alone, which
    /// identifies a model.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.bytes_with(&self.arrays)
    }

    /// The bytes of the file with the metadata of these tensors and some arrays.
    fn bytes_with(&self, arrays: &[Tensor]) -> Vec<u8> {
        let mut header = Map::new();
        if !self.words.is_empty() {
            let words = self.words.iter();
            let words = words.map(|(key, word)| (key.clone(), json!(word)));
            header.insert(METADATA.to_owned(), Value::Object(words.collect()));
        }
        let mut end = 0;
        for tensor in arrays {
            let start = end;
            end += 4 * tensor.numbers.len();
            let row = json!({"dtype": "F32", "shape": tensor.shape, "data_offsets": [start, end]});
            header.insert(tensor.name.clone(), row);
        }
        let mut header = Value::Object(header).to_string();
        // The values begin at a multiple of eight bytes.
        header.extend(std::iter::repeat_n(
            ' ',
            header.len().next_multiple_of(8) - header.len(),
        ));
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        for tensor in arrays {
            bytes.extend(
                tensor
                    .numbers
                    .iter()
                    .flat_map(|number| number.to_le_bytes()),
            );
        }
        bytes
    }

    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Tensors, FileError> {
        let wrong = |error: std::io::Error| FileError::reading(path, &error);
        let file = open_regular(path)?;
        let mut bytes = Vec::new();
        file.take(MOST_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(wrong)?;
        if bytes.len() as u64 > MOST_BYTES {
            let problem = format!("the file is larger than {} MiB", MOST_BYTES >> 20);
            return Err(FileError::of_file(path, problem));
        }
        Tensors::parse(&bytes).map_err(|problem| FileError::of_file(path, problem))
    }

    /// Reads the bytes of a file.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Tensors, String> {
        let mut tensors = Tensors::parse_unchecked(bytes)?;
        if tensors.words.first().is_some_and(|word| word.0 == HASH) {
            let (_, stated) = tensors.words.remove(0);
            check_hash(bytes, &stated)?;
        }
        Ok(tensors)
    }

    fn parse_unchecked(bytes: &[u8]) -> Result<Tensors, String> {
        let foreign = |why: String| format!("not a safetensors file: {why}");
        let Some((length, rest)) = bytes.split_first_chunk::<8>() else {
            return Err(foreign(format!("it has only {} bytes", bytes.len())));
        };
        let length = u64::from_le_bytes(*length);
        let Some((header, data)) = usize::try_from(length)
            .ok()
            .and_then(|n| rest.split_at_checked(n))
        else {
            let problem = format!(
                "its header should have {length} bytes, but only {} follow",
                rest.len()
            );
            return Err(foreign(problem));
        };
        let header: Map<String, Value> = serde_json::from_slice(header)
            .map_err(|error| foreign(format!("its header is not JSON: {error}")))?;
        let (mut tensors, mut end) = (Tensors::default(), 0);
        for (name, row) in &header {
            if name == METADATA {
                let words = row.as_object().into_iter().flatten();
                let word = |(key, word): (&String, &Value)| {
                    (key.clone(), word.as_str().unwrap_or_default().to_owned())
                };
                tensors.words = words.map(word).collect();
            } else {
                let tensor = tensor(name, row, data, &mut end)?;
                tensors.arrays.push(tensor);
            }
        }
        if data.len() == end {
            Ok(tensors)
        } else {
            Err(format!(
                "the header states {end} bytes of data, but the file has {}",
                data.len()
            ))
        }
    }
}

/// The header key of the metadata.
const METADATA: &str = "__metadata__";
/// The first metadata entry of a sealed file, and its value while the hash is computed.
const HASH: &str = "tetrolab_hash";
const NO_HASH: &str = "0000000000000000";
/// The start of a sealed file, after the eight bytes of its length.
const SEAL: &str = "{\"__metadata__\":{\"tetrolab_hash\":\"";
/// The position of the hash's digits in a sealed file.
const HASH_PLACE: Range<usize> = 8 + SEAL.len()..8 + SEAL.len() + NO_HASH.len();

/// The hash of all bytes of a sealed file, computed with zeros in place of the hash's digits.
fn content_hash(bytes: &[u8]) -> String {
    let mut hash = Fnv::new();
    hash.add(&bytes[..HASH_PLACE.start]);
    hash.add(NO_HASH.as_bytes());
    hash.add(&bytes[HASH_PLACE.end..]);
    format!("{:016x}", hash.value())
}

/// Compares the hash that a file states with that of its bytes.
fn check_hash(bytes: &[u8], stated: &str) -> Result<(), String> {
    let is_in_place = bytes.get(8..HASH_PLACE.start) == Some(SEAL.as_bytes())
        && bytes.get(HASH_PLACE) == Some(stated.as_bytes());
    if is_in_place && content_hash(bytes) == stated {
        Ok(())
    } else {
        Err(
            "the file is damaged: its content does not match the hash in its header; restore it from a copy"
                .to_owned(),
        )
    }
}

/// Reads one array, which must begin where the previous one ended.
fn tensor(name: &str, row: &Value, data: &[u8], end: &mut usize) -> Result<Tensor, String> {
    let wrong = |problem: String| format!("tensor '{}': {problem}", name.escape_debug());
    let count = |value: &Value| value.as_u64().and_then(|n| usize::try_from(n).ok());
    if row["dtype"] != "F32" {
        return Err(wrong(format!("its type is {}, not \"F32\"", row["dtype"])));
    }
    let shape = row["shape"]
        .as_array()
        .map(|shape| shape.iter().map(count).collect());
    let Some(Some(shape)): Option<Option<Vec<usize>>> = shape else {
        return Err(wrong(format!(
            "its shape is {}, not a list of counts",
            row["shape"]
        )));
    };
    let size = shape
        .iter()
        .try_fold(4usize, |size, n| size.checked_mul(*n));
    let (from, to) = (
        count(&row["data_offsets"][0]),
        count(&row["data_offsets"][1]),
    );
    let (Some(from), Some(to), Some(size)) = (from, to, size) else {
        return Err(wrong("its position in the file is missing".to_owned()));
    };
    if from != *end || to.checked_sub(from) != Some(size) {
        return Err(wrong(format!(
            "it should occupy {size} bytes from byte {end} of the data, but occupies {from} to {to}"
        )));
    }
    let Some(bytes) = data.get(from..to) else {
        return Err(wrong(format!(
            "it ends at byte {to} of the data, but the data has only {} bytes",
            data.len()
        )));
    };
    *end = to;
    let numbers = bytes.as_chunks::<4>().0.iter();
    Ok(Tensor {
        name: name.to_owned(),
        shape,
        numbers: numbers.map(|bytes| f32::from_le_bytes(*bytes)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Tensors {
        let mut tensors = Tensors::default();
        tensors.say("activations", "relu");
        tensors.add(
            "a",
            &[2, 3],
            vec![1.0, -2.5, 3.0, f32::MIN_POSITIVE, -0.0, 1e30],
        );
        tensors.add("b", &[1], vec![7.0]);
        tensors
    }

    #[test]
    fn written_tensors_are_read_back_bit_for_bit() {
        let bytes = some().bytes();
        let read = Tensors::parse(&bytes).unwrap();
        assert_eq!(read, some());
        assert_eq!(read.bytes(), bytes);
        assert_eq!(bytes.len() % 4, 0);
    }

    #[test]
    fn a_sealed_file_reads_as_the_same_tensors_and_any_flipped_bit_is_found_or_harmless() {
        let bytes = some().sealed_bytes();
        assert_eq!(Tensors::parse(&bytes).unwrap(), some());
        assert_eq!(some().sealed_bytes(), bytes);
        let mut harmless = 0;
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            if let Ok(mut read) = Tensors::parse(&damaged) {
                // The name of the entry itself was damaged, so the file is treated as one without a
                // hash.
                read.words.remove(0);
                assert_eq!(read, some(), "bit {bit}");
                harmless += 1;
            }
        }
        assert!(harmless <= 8 * HASH.len(), "{harmless}");
        // Swapped numbers are detected too.
        let mut damaged = bytes.clone();
        let end = bytes.len();
        damaged.copy_within(end - 4..end, end - 8);
        let said = Tensors::parse(&damaged).unwrap_err();
        assert!(said.starts_with("the file is damaged: "), "{said}");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_or_a_device_is_no_file_of_tensors() {
        let said = Tensors::read(Path::new("/dev/zero"))
            .unwrap_err()
            .to_string();
        assert!(
            said.starts_with("/dev/zero: expected a regular file, found a pipe or a device"),
            "{said}"
        );
    }

    #[test]
    fn a_file_that_is_cut_off_anywhere_is_refused() {
        let bytes = some().bytes();
        for end in 0..bytes.len() {
            assert!(Tensors::parse(&bytes[..end]).is_err(), "{end}");
        }
        let error = Tensors::parse(&bytes[..bytes.len() - 3]).unwrap_err();
        assert_eq!(
            error,
            "tensor 'b': it ends at byte 28 of the data, but the data has only 25 bytes"
        );
        assert_eq!(
            Tensors::parse(b"abc").unwrap_err(),
            "not a safetensors file: it has only 3 bytes"
        );
        assert!(Tensors::parse(&[bytes, vec![0; 4]].concat()).is_err());
    }

    #[test]
    fn any_other_file_is_refused() {
        let parse = |header: &str, data: &[u8]| {
            let bytes = [
                &(header.len() as u64).to_le_bytes(),
                header.as_bytes(),
                data,
            ]
            .concat();
            Tensors::parse(&bytes).unwrap_err()
        };
        assert!(
            parse("not json", &[]).starts_with("not a safetensors file: its header is not JSON")
        );
        let half = r#"{"a": {"dtype": "F16", "shape": [1], "data_offsets": [0, 2]}}"#;
        assert_eq!(
            parse(half, &[0; 2]),
            "tensor 'a': its type is \"F16\", not \"F32\""
        );
        let huge =
            r#"{"a": {"dtype": "F32", "shape": [9223372036854775807, 8], "data_offsets": [0, 4]}}"#;
        assert_eq!(
            parse(huge, &[0; 4]),
            "tensor 'a': its position in the file is missing"
        );
        let overlapping = r#"{"a": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}}"#;
        assert!(
            parse(overlapping, &[0; 8])
                .starts_with("tensor 'a': it should occupy 4 bytes from byte 0")
        );
        // An impossible length.
        assert!(Tensors::parse(&[255; 16]).is_err());
    }
}

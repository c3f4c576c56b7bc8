//! Files of JSON lines that other programs may write too: whole games, and single placements.
//!
//! Each format is a struct that serde reads and writes, and a conversion that validates it. Errors
//! name the field.

pub mod games;
pub mod placements;

use crate::library::one_line;
use serde::de::value::MapAccessDeserializer;
use serde::de::{
    Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, Error, IgnoredAny,
    IntoDeserializer, MapAccess, Visitor,
};
use serde::{Serialize, Serializer};
use std::fmt::{self, Display};
use std::marker::PhantomData;
use tetrolab_core::board::Board;

/// Why a line is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LineError(String);

impl LineError {
    fn new(problem: impl Display) -> LineError {
        LineError(problem.to_string())
    }

    fn in_field(field: &str, problem: impl Display) -> LineError {
        LineError(format!("'{field}': {problem}"))
    }
}

/// Reads the object of a line.
fn read_line<T: DeserializeOwned>(line: &str) -> Result<T, LineError> {
    let mut json = serde_json::Deserializer::from_str(line);
    let read = with_fields(&mut json).and_then(|read| json.end().map(|()| read));
    read.map_err(|error| match serde_json::from_str::<IgnoredAny>(line) {
        Err(error) => LineError(format!("not a JSON object: {}", in_a_line(&error))),
        Ok(_) => LineError(in_a_line(&error)),
    })
}

/// The problem with the JSON of a line, with its column. The caller adds the line number. Control
/// characters are escaped.
pub(crate) fn in_a_line(error: &serde_json::Error) -> String {
    let mut text = error.to_string();
    for (serde, plain) in [
        (" at line 1 column ", " at column "),
        ("expected usize", "expected a non-negative integer"),
        ("expected u64", "expected a non-negative integer"),
    ] {
        text = text.replace(serde, plain);
    }
    one_line(&text)
}

/// For `#[serde(serialize_with)]`: a board as its rows, top row first.
pub(crate) fn as_rows<S: Serializer>(board: &Board, serializer: S) -> Result<S::Ok, S::Error> {
    board.to_rows().serialize(serializer)
}

/// For `#[serde(serialize_with)]`: a value as text.
pub(crate) fn as_text<S: Serializer>(
    value: &impl Display,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Reads an object; errors name the field.
fn with_fields<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    from.deserialize_map(ObjectVisitor(PhantomData))
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object in braces")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        let field = String::new();
        T::deserialize(MapAccessDeserializer::new(NamedFields { map, field }))
    }
}

/// The fields of an object, with the name of the last one read.
struct NamedFields<A> {
    map: A,
    field: String,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for NamedFields<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        let Some(field) = self.map.next_key()? else {
            return Ok(None);
        };
        self.field = field;
        let name = self.field.as_str().into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        let value = self.map.next_value_seed(seed);
        value.map_err(|error| A::Error::custom(format_args!("'{}': {error}", self.field)))
    }
}

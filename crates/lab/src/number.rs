//! Numbers in JSON: whole numbers without a point, and `null` for what is not finite.

use serde::{Serialize, Serializer};

/// A number as results print it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(pub(crate) f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.0;
        if value.fract() == 0.0 && value.abs() < 9e15 {
            serializer.serialize_i64(value as i64)
        } else if value.is_finite() {
            serializer.serialize_f64(value)
        } else {
            serializer.serialize_none()
        }
    }
}

/// For `#[serde(serialize_with)]` of a number that is always finite.
pub(crate) fn finite<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    Number(*value).serialize(serializer)
}

/// For `#[serde(serialize_with)]` of a number that may be unknown.
pub(crate) fn optional<S: Serializer>(
    value: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.map(Number).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn whole_numbers_have_no_point_in_json() {
        let text = |value: f64| serde_json::to_string(&Number(value)).unwrap();
        assert_eq!(text(44.0), "44");
        assert_eq!(text(-0.5), "-0.5");
        assert_eq!(text(1e300), "1e+300");
        assert_eq!(text(f64::NAN), "null");
    }
}

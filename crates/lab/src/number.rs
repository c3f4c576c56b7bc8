//! Formats numbers as text and as JSON. No other code rounds numbers or chooses units.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number in JSON: integers have no decimal point, and a number that is not finite is `null`.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub f64);

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

/// For `#[serde(deserialize_with)]` of a fitness: one that is not finite was written as `null`.
pub(crate) fn fitness<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let value = Option::<f64>::deserialize(deserializer)?;
    Ok(value.unwrap_or(f64::NEG_INFINITY))
}

/// A seed in JSON: an integer, or its digits in a string.
#[derive(Deserialize)]
#[serde(untagged)]
enum SeedText {
    Number(u64),
    Digits(String),
}

impl SeedText {
    fn seed<E: serde::de::Error>(self) -> Result<u64, E> {
        match self {
            SeedText::Number(seed) => Ok(seed),
            SeedText::Digits(digits) => digits.parse().map_err(|_| {
                let found = digits.escape_debug();
                let range = "an integer from 0 to 18446744073709551615";
                E::custom(format!("seed: expected {range}, found '{found}'"))
            }),
        }
    }
}

/// For `#[serde(deserialize_with)]` of a seed sent by a page. JavaScript's numbers are exact only
/// up to 2^53, so pages send the digits.
///
/// # Errors
/// If it is not a seed.
pub fn seed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    SeedText::deserialize(deserializer)?.seed()
}

/// Like [`seed`], for a seed that may be missing.
pub(crate) fn optional_seed<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<u64>, D::Error> {
    let seed = Option::<SeedText>::deserialize(deserializer)?;
    seed.map(SeedText::seed).transpose()
}

/// For `#[serde(serialize_with)]` of a number that may be unknown.
pub(crate) fn optional<S: Serializer>(
    value: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.map(Number).serialize(serializer)
}

/// Large units and their letters: trillions, billions, millions.
pub const UNITS: [(f64, &str); 3] = [(1e12, "T"), (1e9, "B"), (1e6, "M")];

/// A number as text: all digits up to a million, then three digits and a unit (`31.6 M`, `251 B`);
/// small numbers have up to two decimals.
pub fn show(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return "?".to_owned();
    } else if size >= 9.995e14 {
        return format!("{value:.2e}");
    }
    let sign = if value < 0.0 { "-" } else { "" };
    match UNITS.iter().find(|unit| size >= 0.9995 * unit.0) {
        Some((unit, letter)) => format!("{sign}{} {letter}", digits(size / unit)),
        None => format!("{sign}{}", digits(size)),
    }
}

/// At least three digits of a number that is not negative.
fn digits(size: f64) -> String {
    match size {
        999.5.. => thousands(size.round() as u64),
        99.95.. => format!("{size:.0}"),
        9.995.. => format!("{size:.1}"),
        _ => format!("{size:.2}"),
    }
}

/// A number that may be unknown.
pub(crate) fn show_optional(value: Option<f64>) -> String {
    value.map_or("?".to_owned(), show)
}

/// A count with all its digits, in groups of three: `1,234,567`.
pub fn thousands(value: u64) -> String {
    let digits = value.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<String> = groups
        .map(|group| String::from_utf8_lossy(group).into())
        .collect();
    groups.join(",")
}

/// A count in few characters: all digits up to a million, then as in [`show`].
pub fn show_count(value: u64) -> String {
    if value < 1_000_000 {
        thousands(value)
    } else {
        show(value as f64)
    }
}

/// A share or a probability in at most twelve characters: `43 %`, `1.5 %` or `1 in 31,250`.
pub fn percent(part: f64) -> String {
    match part {
        0.0995.. => format!("{:.0} %", 100.0 * part),
        0.00095.. => format!("{:.1} %", 100.0 * part),
        part if part > 0.0 => format!("1 in {}", show(1.0 / part)),
        _ => "0 %".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_no_point_in_json() {
        let text = |value: f64| serde_json::to_string(&Number(value)).unwrap();
        assert_eq!(text(44.0), "44");
        assert_eq!(text(-0.5), "-0.5");
        assert_eq!(text(1e300), "1e+300");
        assert_eq!(text(f64::NAN), "null");
    }

    #[test]
    fn numbers_have_all_digits_up_to_a_million_and_three_after_it() {
        for (value, text) in [
            (0.0, "0.00"),
            (3.456, "3.46"),
            (12.34, "12.3"),
            (123.4, "123"),
            (999.7, "1,000"),
            (3877.2, "3,877"),
            (-1234.4, "-1,234"),
            (1_234_567.0, "1.23 M"),
            (31_600_000.0, "31.6 M"),
            (2_345_000_000.0, "2.35 B"),
            (1_443_706_000_000.0, "1.44 T"),
            (999.6e9, "1.00 T"),
            (5.79e16, "5.79e16"),
            (f64::NAN, "?"),
        ] {
            assert_eq!(show(value), text);
        }
        assert_eq!(
            [0, 999, 1_000, 1_234_567].map(thousands),
            ["0", "999", "1,000", "1,234,567"]
        );
    }

    #[test]
    fn parts_are_short() {
        for (part, text) in [
            (0.9996, "100 %"),
            (0.43, "43 %"),
            (0.0994, "9.9 %"),
            (0.00096, "0.1 %"),
            (3.2e-5, "1 in 31,250"),
            (1e-9, "1 in 1.00 B"),
            (1e-15, "1 in 1.00e15"),
            (0.0, "0 %"),
        ] {
            assert_eq!(percent(part), text);
            assert!(text.len() <= 12);
        }
    }
}

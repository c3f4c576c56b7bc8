//! A validator for the part of JSON Schema that this project uses.

use serde_json::Value;

/// Checks a value against a schema; `root` holds its definitions. Unknown keywords are errors.
pub(crate) fn check(
    value: &Value,
    schema: &Value,
    root: &Value,
    place: &str,
) -> Result<(), String> {
    let fields = schema.as_object().ok_or("a schema is an object")?;
    let wrong = |what: &str| Err(format!("{place}: {value} is not {what}"));
    for (keyword, rule) in fields {
        let holds = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let pointer = rule.as_str().and_then(|to| to.strip_prefix('#'));
                let schema = pointer.and_then(|to| root.pointer(to));
                check(value, schema.ok_or(format!("no {rule}"))?, root, place)?;
                true
            }
            "anyOf" => {
                let mut all = rule.as_array().unwrap().iter();
                all.any(|schema| check(value, schema, root, place).is_ok())
            }
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "type" => is_of_type(value, rule),
            "minimum" => value.as_f64().is_none_or(|v| v >= rule.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|v| v <= rule.as_f64().unwrap()),
            "minItems" => value
                .as_array()
                .is_none_or(|v| v.len() as u64 >= rule.as_u64().unwrap()),
            "maxItems" => value
                .as_array()
                .is_none_or(|v| v.len() as u64 <= rule.as_u64().unwrap()),
            "pattern" => value
                .as_str()
                .is_none_or(|text| matches(text, rule.as_str().unwrap())),
            "required" => {
                let names = rule
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|name| name.as_str().unwrap());
                value
                    .as_object()
                    .is_none_or(|own| names.into_iter().all(|name| own.contains_key(name)))
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(item, rule, root, &format!("{place}/{index}"))?;
                }
                true
            }
            "properties" => {
                for (name, schema) in rule.as_object().unwrap() {
                    if let Some(own) = value.get(name) {
                        check(own, schema, root, &format!("{place}/{name}"))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = schema["properties"].as_object().unwrap();
                value
                    .as_object()
                    .is_none_or(|own| own.keys().all(|name| known.contains_key(name)))
            }
            _ => return Err(format!("the schema has an unknown keyword {keyword}")),
        };
        if !holds {
            return wrong(&format!("{keyword} {rule}"));
        }
    }
    Ok(())
}

fn is_of_type(value: &Value, rule: &Value) -> bool {
    let is = |name: &Value| match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        other => panic!("no type {other}"),
    };
    rule.as_array()
        .map_or_else(|| is(rule), |names| names.iter().any(is))
}

/// The two regular expressions of the schemas, in code.
fn matches(text: &str, pattern: &str) -> bool {
    match pattern {
        "^[.#]{4,16}$" => (4..=16).contains(&text.len()) && text.chars().all(|c| ".#".contains(c)),
        "^[IOTZSJL][nesw](0|[1-9]|1[0-5])$" => {
            let column = text.get(2..).and_then(|digits| digits.parse::<u8>().ok());
            let letters = text.get(..2).map(|two| two.split_at(1));
            letters.is_some_and(|(piece, turn)| "IOTZSJL".contains(piece) && "nesw".contains(turn))
                && column.is_some_and(|column| column < 16 && text[2..] == column.to_string())
        }
        _ => panic!("an unknown pattern: {pattern}"),
    }
}

#[test]
fn wrong_values_are_found() {
    let schema: Value = serde_json::from_str(
        r##"{"type":"object","required":["a"],"additionalProperties":false,
             "properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"type":["integer","null"],"maximum":3}}}"##,
    )
    .unwrap();
    let holds =
        |text: &str| check(&serde_json::from_str(text).unwrap(), &schema, &schema, "").is_ok();
    assert!(holds(r#"{"a":3}"#) && holds(r#"{"a":null}"#));
    for wrong in [
        r#"{"a":4}"#,
        r#"{"a":"x"}"#,
        r#"{"a":0.5}"#,
        "{}",
        "[]",
        r#"{"a":1,"b":1}"#,
    ] {
        assert!(!holds(wrong), "{wrong}");
    }
}

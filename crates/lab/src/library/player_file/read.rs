//! Parses player files; errors include the line.

use super::super::Parts;
use super::super::file::{FileError, TomlFile, Value};
use super::model::{ModelPlace, model_of};
use super::{Numbers, PlayerFile};
use tetrolab_core::evaluators::{EvaluatorEntry, ModelKind, ParameterTable};
use tetrolab_core::features::{FEATURES, Feature, feature, feature_set};
use tetrolab_core::players::PlayerEntry;
use tetrolab_core::registry::Entry;
use tetrolab_core::settings::Setting;
use tetrolab_core::spec::{Arg, Spec, SpecError, nearest, shown};
use toml::de::DeValue;

/// The keys that every player file may have, regardless of its player and evaluator.
const KEYS: [&str; 8] = [
    "name",
    "title",
    "source",
    "note",
    "player",
    "evaluator",
    "features",
    "provenance",
];

impl PlayerFile {
    /// Reads a player from the text of a file. `path` names the file in errors, and `place` says
    /// where to find its model.
    pub(in crate::library) fn parse_at(
        parts: &Parts,
        text: &str,
        path: &str,
        place: ModelPlace<'_>,
    ) -> Result<PlayerFile, FileError> {
        let file = TomlFile::parse(text, path)?;
        let kinds = parts.players_with_evaluator();
        let kind = row_of(&file, "player", "greedy", &kinds)?;
        let forms: Vec<_> = parts.evaluators.iter().collect();
        let form = row_of(&file, "evaluator", "linear", &forms)?;
        check_keys(&file, parts, kind)?;
        let (feature_set, features) = if form.make.has_features() {
            features_of(&file)?
        } else {
            (None, no_features(&file, form)?)
        };
        check_tables(&file, parts, form)?;
        let tables = form.make.tables.iter();
        let tables = tables.map(|table| numbers_of_table(&file, table, &features));
        Ok(PlayerFile {
            name: name_of(&file)?,
            title: file.text("title")?.unwrap_or_default().to_owned(),
            source: file.text("source")?.unwrap_or_default().to_owned(),
            note: file.text("note")?.map(str::to_owned),
            provenance: file.text("provenance")?.map(str::to_owned),
            path: path.to_owned(),
            kind,
            options: options_of(&file, kind)?,
            tables: tables.collect::<Result<_, _>>()?,
            model: model_of(&file, form, place)?,
            form,
            feature_set,
            features,
        })
    }
}

fn name_of(file: &TomlFile<'_>) -> Result<String, FileError> {
    let name = file.name("name")?.map(str::to_owned);
    name.ok_or_else(|| file.error_of_file("'name' is missing; write, for example, name = \"mine\""))
}

fn check_keys(file: &TomlFile<'_>, parts: &Parts, kind: &PlayerEntry) -> Result<(), FileError> {
    let options = kind.options().map(|setting| setting.id);
    let tables = parts.tables().map(|table| table.id);
    let models = ModelKind::ALL.map(ModelKind::key);
    let keys = KEYS.into_iter().chain(models);
    let keys: Vec<&str> = keys.chain(options).chain(tables).collect();
    file.check_keys(&keys)
}

/// The registry row that is named by the value of a key.
fn row_of<M>(
    file: &TomlFile<'_>,
    key: &str,
    default: &str,
    rows: &[&'static Entry<M>],
) -> Result<&'static Entry<M>, FileError> {
    let wanted = file.text(key)?.unwrap_or(default);
    let found = rows.iter().find(|row| row.id == wanted).copied();
    found.ok_or_else(|| {
        let ids: Vec<&str> = rows.iter().map(|row| row.id).collect();
        let hint = if wanted.contains('(') {
            "; write each setting on a separate line, as in losing = \"allow\""
        } else {
            ""
        };
        let wanted = shown(wanted);
        let problem = format!(
            "{key} must be one of {}, got '{wanted}'{hint}",
            ids.join(", ")
        );
        file.error(&file.span(key), problem)
    })
}

/// The player's options in the file, checked.
fn options_of(file: &TomlFile<'_>, kind: &PlayerEntry) -> Result<Vec<Arg>, FileError> {
    let mut options = Vec::new();
    for setting in kind.options() {
        if let Some(value) = file.get(setting.id) {
            options.push(Arg {
                key: Some(setting.id.to_owned()),
                value: option(file, setting, value)?,
            });
        }
    }
    Ok(options)
}

fn option(file: &TomlFile<'_>, setting: &Setting, value: &Value<'_>) -> Result<Spec, FileError> {
    let here = |problem: String| file.error(&value.span(), problem);
    let spec = match value.get_ref() {
        DeValue::String(text) => text
            .parse()
            .map_err(|error: SpecError| here(error.to_string()))?,
        DeValue::Integer(number) => Spec::name(&number.to_string()),
        DeValue::Float(number) => Spec::name(number.as_str()),
        DeValue::Boolean(flag) => Spec::name(&flag.to_string()),
        _ => {
            return Err(here(format!(
                "{} must be {}",
                setting.id,
                setting.kind.describe()
            )));
        }
    };
    setting.check(&spec).map_err(here)?;
    Ok(spec)
}

/// Rejects features in the file of an evaluator that uses none.
fn no_features(
    file: &TomlFile<'_>,
    form: &EvaluatorEntry,
) -> Result<Vec<&'static Feature>, FileError> {
    match file.get("features") {
        None => Ok(Vec::new()),
        Some(value) => {
            let problem = format!("the {} evaluator has no features", form.id);
            Err(file.error(&value.span(), problem))
        }
    }
}

/// Rejects tables that belong to another evaluator.
fn check_tables(
    file: &TomlFile<'_>,
    parts: &Parts,
    form: &EvaluatorEntry,
) -> Result<(), FileError> {
    let own = |table: &&ParameterTable| form.make.tables.iter().any(|own| own.id == table.id);
    let mut others = parts.tables().filter(|table| !own(table));
    let found = others.find_map(|table| Some((table, file.get(table.id)?)));
    found.map_or(Ok(()), |(table, value)| {
        let problem = format!("this evaluator has no {}", table.id);
        Err(file.error(&value.span(), problem))
    })
}

type Features = (Option<String>, Vec<&'static Feature>);

/// The features of the file: a named set, or a list of ids.
fn features_of(file: &TomlFile<'_>) -> Result<Features, FileError> {
    let Some(value) = file.get("features") else {
        let problem = "'features' is missing: the name of a feature set or a list of feature ids";
        return Err(file.error_of_file(problem));
    };
    match value.get_ref() {
        DeValue::String(name) => {
            let set = feature_set(name).map_err(|error| {
                let hint = if name.contains(',') {
                    "; write several features as a list: [\"holes\", \"bumpiness\"]"
                } else {
                    ""
                };
                file.error(&value.span(), format!("{error}{hint}"))
            })?;
            Ok((Some(name.to_string()), set.resolve()))
        }
        DeValue::Array(ids) => {
            let mut features: Vec<&'static Feature> = Vec::new();
            for id in ids.iter() {
                let feature = listed_feature(file, id)?;
                if features.iter().any(|other| other.id == feature.id) {
                    let problem = format!("the feature {} is listed twice", feature.id);
                    return Err(file.error(&id.span(), problem));
                }
                features.push(feature);
            }
            if features.is_empty() {
                return Err(file.error(&value.span(), "expected at least one feature, found none"));
            }
            Ok((None, features))
        }
        _ => Err(file.error(
            &value.span(),
            "features must be the name of a feature set or a list of feature ids",
        )),
    }
}

fn listed_feature(file: &TomlFile<'_>, value: &Value<'_>) -> Result<&'static Feature, FileError> {
    let DeValue::String(id) = value.get_ref() else {
        return Err(file.error(&value.span(), "expected a feature id in quotation marks"));
    };
    feature(id).ok_or_else(|| {
        let error = SpecError::unknown("feature", id, FEATURES.iter().map(|feature| feature.id));
        file.error(&value.span(), error.to_string())
    })
}

/// The parameters of a table: those of each feature in turn, or all in one list.
fn numbers_of_table(
    file: &TomlFile<'_>,
    table: &ParameterTable,
    features: &[&'static Feature],
) -> Result<Vec<Numbers>, FileError> {
    let Some(value) = file.get(table.id) else {
        let problem = if table.is_per_feature() {
            format!("the table [{}] is missing", table.id)
        } else {
            format!("'{}' is missing: a list of numbers", table.id)
        };
        return Err(file.error_of_file(problem));
    };
    if !table.is_per_feature() {
        let owner = format!("the {} are", table.id);
        return Ok(vec![list_of(file, &owner, value, true)?]);
    }
    let DeValue::Table(rows) = value.get_ref() else {
        let problem = format!(
            "expected a table [{id}] with one line per feature, got {}",
            written(value),
            id = table.id
        );
        return Err(file.error(&value.span(), problem));
    };
    let stranger = rows.keys().find(|key| {
        let known = |feature: &&Feature| feature.id == key.get_ref().as_ref();
        !features.iter().any(known)
    });
    if let Some(key) = stranger {
        let known = features.iter().map(|feature| feature.id);
        let name = shown(key.get_ref());
        let near = nearest(&name, known);
        let hint = near.map_or_else(
            || "; add it to 'features' or remove this line".to_owned(),
            |near| format!("; did you mean '{near}'?"),
        );
        let problem = format!("this player does not list the feature '{name}'{hint}");
        return Err(file.error(&key.span(), problem));
    }
    let numbers = |feature: &&'static Feature| {
        let owner = format!("the {} of {} is", table.number, feature.id);
        let Some(row) = rows.get(feature.id) else {
            return Err(file.error(&value.span(), format!("{owner} missing")));
        };
        list_of(file, &owner, row, feature.is_vector())
    };
    features.iter().map(numbers).collect()
}

/// Parses a number or a list of numbers; errors begin with `owner`.
fn list_of(
    file: &TomlFile<'_>,
    owner: &str,
    value: &Value<'_>,
    is_list: bool,
) -> Result<Numbers, FileError> {
    let single = std::slice::from_ref(value);
    let values = match (value.get_ref(), is_list) {
        (DeValue::Array(values), true) => &values[..],
        (DeValue::Array(_), false) => {
            return Err(file.error(&value.span(), format!("{owner} one number")));
        }
        (_, true) => return Err(file.error(&value.span(), format!("{owner} a list of numbers"))),
        (_, false) => single,
    };
    let number = |value: &Value<'_>| {
        let number = match value.get_ref() {
            DeValue::Integer(number) if number.radix() == 10 => number.as_str().parse().ok(),
            DeValue::Integer(number) => {
                let whole = i128::from_str_radix(number.as_str(), number.radix());
                whole.ok().map(|whole| whole as f64)
            }
            DeValue::Float(number) => number.as_str().replace('_', "").parse::<f64>().ok(),
            _ => None,
        };
        number.filter(|number| number.is_finite()).ok_or_else(|| {
            let written = written(value);
            let problem = format!("{owner} {written}, not a finite number");
            file.error(&value.span(), problem)
        })
    };
    Ok(Numbers {
        values: values.iter().map(number).collect::<Result<_, _>>()?,
        line: file.error(&value.span(), "").line,
    })
}

/// A value as written in the file, for errors.
fn written(value: &Value<'_>) -> String {
    match value.get_ref() {
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::String(text) => format!("'{}'", shown(text)),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

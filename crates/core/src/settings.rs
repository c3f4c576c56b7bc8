//! Typed settings: names, limits and defaults, and their values in specs.

use crate::piece::Piece;
use crate::spec::{Arg, Spec, SpecError, nearest, shown};
use std::borrow::Cow;

/// A parameter of a part, such as `population` in `ga(population=50)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// The name in specs.
    pub id: &'static str,
    /// One line that describes the effect, with the symbol used in the literature.
    pub help: &'static str,
    /// The default; `auto` if the part chooses a value. A setting without a default is required,
    /// and its value is given without a name: `bcts` in `greedy(bcts)`.
    pub default: Option<&'static str>,
    /// The allowed values.
    pub kind: Kind,
}

/// The values of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// An integer within limits.
    Count {
        /// The smallest.
        least: usize,
        /// The largest.
        most: usize,
    },
    /// A number within limits.
    Number {
        /// The smallest.
        least: f64,
        /// The largest.
        most: f64,
    },
    /// A decimal from 0 to a limit that is read exactly: see [`decimal`].
    Decimal {
        /// The largest.
        most: u64,
        /// The maximum number of decimals.
        digits: usize,
    },
    /// One of a few words.
    Word(&'static [&'static str]),
    /// Yes or no: `true` or `false`.
    Flag,
    /// A list of pieces: `IOTZSJL`.
    Pieces,
    /// A part of another registry, with its own settings.
    Part {
        /// The kind of part: `evaluator`, `randomizer`.
        registry: &'static str,
        /// The name of an example.
        example: &'static str,
    },
}

/// The value that lets the part choose.
const AUTO: &str = "auto";

impl Kind {
    /// An evaluator by name.
    pub const EVALUATOR: Kind = Kind::part("evaluator", "dellacherie");
    /// The number of candidates in a generation, a memory or a swarm.
    pub const POPULATION: Kind = Kind::count(2, 100_000);
    /// A share of a whole.
    pub const SHARE: Kind = Kind::number(0.0, 1.0);
    /// A positive length in the space of weights.
    pub const LENGTH: Kind = Kind::number(1e-6, 1e6);

    /// An integer within limits.
    pub const fn count(least: usize, most: usize) -> Kind {
        Kind::Count { least, most }
    }

    /// A number within limits.
    pub const fn number(least: f64, most: f64) -> Kind {
        Kind::Number { least, most }
    }

    /// A part of another registry, with an example.
    pub const fn part(registry: &'static str, example: &'static str) -> Kind {
        Kind::Part { registry, example }
    }

    /// The problem with a value of this kind, if any.
    fn problem(self, value: &Spec) -> Option<Problem> {
        let text = value.to_string();
        let fits = match self {
            Kind::Count { least, most } => {
                let count = text.parse::<usize>();
                count.is_ok_and(|count| (least..=most).contains(&count))
            }
            Kind::Number { least, most } => {
                let number = text.parse::<f64>();
                number.is_ok_and(|number| (least..=most).contains(&number))
            }
            Kind::Decimal { most, digits } => decimal(&text, most, digits).is_some(),
            Kind::Word(_) | Kind::Flag => self.words().contains(&text.as_str()),
            Kind::Pieces => return wrong_piece(&text).map(Problem::Piece),
            Kind::Part { .. } => true,
        };
        (!fits).then_some(Problem::Value)
    }

    /// The allowed words, for settings whose values are words.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Kind::Word(words) => words,
            Kind::Flag => &["true", "false"],
            _ => &[],
        }
    }

    /// The allowed values as text.
    pub fn describe(self) -> String {
        match self {
            Kind::Count { least, most } => format!("an integer from {least} to {most}"),
            Kind::Number { least, most } => format!("a number from {least} to {most}"),
            Kind::Decimal { most, digits } => {
                format!("a number from 0 to {most} with at most {digits} decimals")
            }
            Kind::Word(_) | Kind::Flag => self.words().join(" or "),
            Kind::Pieces => "a list of pieces".to_owned(),
            Kind::Part { registry, .. } => {
                let is_vowel = registry.starts_with(['a', 'e', 'i', 'o', 'u']);
                format!("{} {registry}", if is_vowel { "an" } else { "a" })
            }
        }
    }

    /// An example of a value of this kind.
    pub fn example(self) -> &'static str {
        match self {
            Kind::Count { .. } | Kind::Number { .. } | Kind::Decimal { .. } => "1",
            Kind::Word(_) | Kind::Flag => self.words()[0],
            Kind::Pieces => "IOTZSJL",
            Kind::Part { example, .. } => example,
        }
    }

    /// Whether the value is a part of this registry.
    pub fn is_part_of(self, wanted: &str) -> bool {
        matches!(self, Kind::Part { registry, .. } if registry == wanted)
    }
}

/// Why a value is invalid.
enum Problem {
    Value,
    Piece(char),
}

/// The first letter that does not denote a piece.
fn wrong_piece(text: &str) -> Option<char> {
    text.chars()
        .find(|letter| Piece::from_letter(*letter).is_none())
}

/// Parses a decimal such as `2.5` as an integer number of units of its last place: `25` with one
/// decimal. `None` for anything but digits with at most one point between them, and for numbers
/// above `most`.
pub fn decimal(text: &str, most: u64, digits: usize) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !is_number(decimals) || decimals.len() > digits {
        return None;
    }
    let unit = 10u64.checked_pow(digits as u32)?;
    let whole: u64 = whole.parse().ok().filter(|&whole| whole <= most)?;
    let decimals: u64 = format!("{decimals:0<digits$}").parse().ok()?;
    let units = whole.checked_mul(unit)?.checked_add(decimals)?;
    (units <= most.checked_mul(unit)?).then_some(units)
}

impl Setting {
    /// Whether the value is required, and given without the setting's name.
    pub fn is_positional(&self) -> bool {
        self.default.is_none()
    }

    /// Whether the part can choose the value.
    pub fn can_be_auto(&self) -> bool {
        self.default == Some(AUTO)
    }

    /// The allowed values as text.
    pub fn values(&self) -> String {
        if self.can_be_auto() {
            format!("{} or auto", self.kind.describe())
        } else {
            self.kind.describe()
        }
    }

    /// Checks a value.
    ///
    /// # Errors
    /// A predicate without a subject that gives the allowed values and the value found.
    pub fn check(&self, value: &Spec) -> Result<(), String> {
        if self.can_be_auto() && *value == Spec::name(AUTO) {
            return Ok(());
        }
        let wanted = self.values();
        let shown = shown(&value.to_string());
        match self.kind.problem(value) {
            None => Ok(()),
            Some(Problem::Value) => Err(format!("{} must be {wanted}, got '{shown}'", self.id)),
            Some(Problem::Piece(letter)) => Err(format!(
                "'{}' in '{shown}' is not a piece; the pieces are I O T Z S J L",
                letter.escape_debug()
            )),
        }
    }
}

/// A checked value for every setting of a part.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings(Vec<(&'static Setting, Spec)>);

impl Settings {
    /// The defaults, overridden by a preset, overridden by a spec.
    ///
    /// # Errors
    /// If the spec has an unknown argument, lacks a required one, or has a value outside its
    /// limits.
    pub fn new(
        known: &'static [Setting],
        preset: &[(&str, &str)],
        spec: &Spec,
    ) -> Result<Settings, SpecError> {
        let spec = &with_current_names(known, spec);
        check_args(known, spec)?;
        let mut positional = spec.positional();
        let value = |setting: &'static Setting| {
            let given = if setting.is_positional() {
                positional.next()
            } else {
                spec.get(setting.id)
            };
            let of_preset = preset.iter().find(|(id, _)| *id == setting.id);
            let default = of_preset.map(|(_, value)| *value).or(setting.default);
            let value = given
                .cloned()
                .or_else(|| default.map(|text| default_value(setting, text)));
            let value = value.ok_or_else(|| missing(setting, spec))?;
            setting
                .check(&value)
                .map_err(|problem| spec.error(problem))?;
            Ok((setting, value))
        };
        let values: Result<_, SpecError> = known.iter().map(value).collect();
        Ok(Settings(values?))
    }

    /// Every setting with its value, in the order of the part's list.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Setting, &Spec)> {
        self.0.iter().map(|(setting, value)| (*setting, value))
    }

    /// The spec that recreates the part even if defaults change: its name with every setting.
    pub fn spec(&self, name: &str) -> Spec {
        let arg = |(setting, value): (&Setting, &Spec)| Arg {
            key: (!setting.is_positional()).then(|| setting.id.to_owned()),
            value: value.clone(),
        };
        Spec {
            name: name.to_owned(),
            args: self.iter().map(arg).collect(),
        }
    }

    /// The value of one of the part's settings.
    ///
    /// # Panics
    /// If the part has no such setting: a part only reads its own settings.
    pub fn part(&self, id: &str) -> &Spec {
        let found = self.iter().find(|(setting, _)| setting.id == id);
        found.expect("a part asks for settings of its list").1
    }

    /// A value that is a word, a number or a list of pieces, none of which has arguments.
    pub fn word(&self, id: &str) -> &str {
        &self.part(id).name
    }

    fn parsed<T: std::str::FromStr>(&self, id: &str) -> T {
        let parsed = self.word(id).parse().ok();
        parsed.expect("a value was checked when the settings were made")
    }

    /// An integer.
    pub fn count(&self, id: &str) -> usize {
        self.parsed(id)
    }

    /// An integer, or `auto` if the part may choose.
    pub fn count_or(&self, id: &str, auto: usize) -> usize {
        match self.word(id) {
            AUTO => auto,
            _ => self.count(id),
        }
    }

    /// A number.
    pub fn number(&self, id: &str) -> f64 {
        self.parsed(id)
    }

    /// A share of `whole` as a number of candidates, at least `least`.
    pub fn share_of(&self, id: &str, whole: usize, least: usize) -> usize {
        let share = (self.number(id) * whole as f64).round() as usize;
        share.clamp(least.min(whole), whole)
    }

    /// Yes or no.
    pub fn flag(&self, id: &str) -> bool {
        self.word(id) == "true"
    }

    /// A list of pieces.
    pub fn pieces(&self, id: &str) -> Vec<Piece> {
        let letters = self.word(id).chars();
        letters.filter_map(Piece::from_letter).collect()
    }
}

/// Parses a default. Only parts have arguments.
fn default_value(setting: &Setting, text: &str) -> Spec {
    let part = match setting.kind {
        Kind::Part { .. } => text.parse().ok(),
        _ => None,
    };
    part.unwrap_or_else(|| Spec::name(text))
}

fn missing(setting: &Setting, spec: &Spec) -> SpecError {
    let (wanted, example) = (setting.kind.describe(), setting.kind.example());
    let name = shown(&spec.name);
    spec.error(format!("needs {wanted}, as in {name}({example})"))
}

/// Former names of settings, which specs may still use, with their current names.
const FORMER_NAMES: &[(&str, &str)] = &[
    ("guide", "behaviour"),
    ("guided", "warmup"),
    ("period", "interval"),
];

/// The spec with the current names of settings that it gives by their former names.
fn with_current_names<'s>(known: &'static [Setting], spec: &'s Spec) -> Cow<'s, Spec> {
    let is_known = |name: &str| known.iter().any(|setting| setting.id == name);
    let current = |key: &str| {
        let names = FORMER_NAMES.iter().find(|(former, _)| *former == key);
        names.filter(|(former, current)| is_known(current) && !is_known(former))
    };
    let keys = |arg: &Arg| arg.key.as_deref().and_then(current).is_some();
    if !spec.args.iter().any(keys) {
        return Cow::Borrowed(spec);
    }
    let mut spec = spec.clone();
    for key in spec.args.iter_mut().filter_map(|arg| arg.key.as_mut()) {
        if let Some((_, current)) = current(key) {
            (*current).clone_into(key);
        }
    }
    Cow::Owned(spec)
}

/// Checks that a spec does not have too many unnamed values, an unknown name, or a repeated one.
fn check_args(known: &'static [Setting], spec: &Spec) -> Result<(), SpecError> {
    let positional = known.iter().filter(|setting| setting.is_positional());
    if let Some(extra) = spec.positional().nth(positional.count()) {
        let extra = shown(&extra.to_string());
        return Err(spec.error(format!("does not take '{extra}' here")));
    }
    let named = known.iter().filter(|setting| !setting.is_positional());
    let ids: Vec<&str> = named.map(|setting| setting.id).collect();
    let keys: Vec<&str> = spec
        .args
        .iter()
        .filter_map(|arg| arg.key.as_deref())
        .collect();
    for (index, key) in keys.iter().enumerate() {
        if !ids.contains(key) {
            let hint = match (nearest(key, ids.iter().copied()), ids.is_empty()) {
                (Some(name), _) => format!("; did you mean '{name}'?"),
                (None, true) => "; there are no settings".to_owned(),
                (None, false) => format!("; the settings are {}", ids.join(", ")),
            };
            let key = shown(key);
            return Err(spec.error(format!("there is no setting '{key}'{hint}")));
        }
        if keys[..index].contains(key) {
            return Err(spec.error(format!("the setting '{key}' is given twice")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;

//! Settings of learners: what there is to set, within which limits, and what a spec says about it.

use super::LearnerError;
use tetrolab_core::spec::{Spec, SpecError};

/// Something about a learner that can be set, as `population` in `ga(population=50)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Its name in specs.
    pub id: &'static str,
    /// One line: what it does, and the symbol it has in the literature.
    pub doc: &'static str,
    /// The value when none is given; `auto` where it depends on the number of weights to learn.
    pub default: &'static str,
    /// Which values it takes.
    pub kind: Kind,
}

/// Which values a setting takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A whole number within limits.
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
    /// One of a few words.
    Word(&'static [&'static str]),
}

impl Kind {
    /// How many candidates a generation, a memory or a swarm may have.
    pub(super) const POPULATION: Kind = Kind::Count {
        least: 2,
        most: 100_000,
    };
    /// Part of a whole.
    pub(super) const SHARE: Kind = Kind::Number {
        least: 0.0,
        most: 1.0,
    };
    /// A length that is not 0.
    pub(super) const LENGTH: Kind = Kind::Number {
        least: 1e-6,
        most: 1e6,
    };
    /// Yes or no.
    pub(super) const FLAG: Kind = Kind::Word(&["true", "false"]);

    fn allows(self, text: &str) -> bool {
        match self {
            Kind::Count { least, most } => {
                let count = text.parse::<usize>();
                count.is_ok_and(|count| (least..=most).contains(&count))
            }
            Kind::Number { least, most } => {
                let number = text.parse::<f64>();
                number.is_ok_and(|number| (least..=most).contains(&number))
            }
            Kind::Word(words) => words.contains(&text),
        }
    }

    /// The allowed values in words.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Kind::Count { least, most } => format!("a whole number from {least} to {most}"),
            Kind::Number { least, most } => format!("a number from {least} to {most}"),
            Kind::Word(words) => words.join(" or "),
        }
    }
}

/// The value that stands for "whatever suits the number of weights".
const AUTO: &str = "auto";

impl Setting {
    /// Whether the value may be left to the learner.
    fn can_be_auto(&self) -> bool {
        self.default == AUTO
    }

    fn check(&self, text: &str) -> Result<(), String> {
        if self.kind.allows(text) || (self.can_be_auto() && text == AUTO) {
            return Ok(());
        }
        let auto = if self.can_be_auto() { " or auto" } else { "" };
        let wanted = self.kind.describe();
        Err(format!("{} is {wanted}{auto}, not '{text}'", self.id))
    }
}

/// A value for every setting of a learner, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings(Vec<(&'static Setting, String)>);

impl Settings {
    /// The defaults, replaced by what a preset says, replaced by what a spec says.
    ///
    /// # Errors
    /// When the spec has a setting that there is not, or a value outside its limits.
    pub(super) fn new(
        known: &'static [Setting],
        preset: &[(&str, &str)],
        spec: &Spec,
    ) -> Result<Settings, LearnerError> {
        let ids: Vec<&str> = known.iter().map(|setting| setting.id).collect();
        spec.check_args(0, &ids)?;
        let value = |setting: &'static Setting| -> Result<_, SpecError> {
            let of_preset = preset.iter().find(|(id, _)| *id == setting.id);
            let of_preset = of_preset.map_or(setting.default, |(_, value)| value);
            let given = spec.get(setting.id);
            let text = given.map_or(of_preset.to_owned(), Spec::to_string);
            setting
                .check(&text)
                .map_err(|problem| spec.error(problem))?;
            Ok((setting, text))
        };
        let values: Result<_, SpecError> = known.iter().map(value).collect();
        Ok(Settings(values?))
    }

    /// Every setting with its value as text, in the order of the learner's list.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Setting, &str)> {
        self.0
            .iter()
            .map(|(setting, text)| (*setting, text.as_str()))
    }

    /// The value of a setting that the learner has.
    fn text(&self, id: &str) -> &str {
        let found = self.iter().find(|(setting, _)| setting.id == id);
        found.expect("a learner asks for settings of its list").1
    }

    fn parsed<T: std::str::FromStr>(&self, id: &str) -> T {
        let parsed = self.text(id).parse().ok();
        parsed.expect("a value was checked when the settings were made")
    }

    /// A whole number.
    pub(super) fn count(&self, id: &str) -> usize {
        self.parsed(id)
    }

    /// A whole number, or `auto` where the learner may choose.
    pub(super) fn count_or(&self, id: &str, auto: usize) -> usize {
        match self.text(id) {
            AUTO => auto,
            _ => self.count(id),
        }
    }

    /// A number.
    pub(super) fn number(&self, id: &str) -> f64 {
        self.parsed(id)
    }

    /// A share of `whole` candidates as a number of them, at least `least`.
    pub(super) fn share_of(&self, id: &str, whole: usize, least: usize) -> usize {
        let share = (self.number(id) * whole as f64).round() as usize;
        share.clamp(least.min(whole), whole)
    }

    /// One of a few words.
    pub(super) fn word(&self, id: &str) -> &str {
        self.text(id)
    }

    /// Yes or no.
    pub(super) fn flag(&self, id: &str) -> bool {
        self.text(id) == "true"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[Setting] = &[
        Setting {
            id: "population",
            doc: "",
            default: "auto",
            kind: Kind::POPULATION,
        },
        Setting {
            id: "inertia",
            doc: "",
            default: "0.7",
            kind: Kind::SHARE,
        },
        Setting {
            id: "selection",
            doc: "",
            default: "roulette",
            kind: Kind::Word(&["roulette", "ranking"]),
        },
    ];

    fn settings(text: &str) -> Result<Settings, LearnerError> {
        Settings::new(KNOWN, &[("inertia", "0.5")], &text.parse().unwrap())
    }

    #[test]
    fn a_spec_replaces_a_preset_and_a_preset_replaces_a_default() {
        let settings = settings("x(selection=ranking)").unwrap();
        assert_eq!(settings.count_or("population", 12), 12);
        assert_eq!(settings.number("inertia"), 0.5);
        assert_eq!(settings.word("selection"), "ranking");
        let other = super::Settings::new(KNOWN, &[], &"x(population=9)".parse().unwrap());
        assert_eq!(other.unwrap().count_or("population", 12), 9);
    }

    #[test]
    fn a_wrong_value_is_one_clear_sentence() {
        let problem = |text: &str| settings(text).unwrap_err().to_string();
        assert_eq!(
            problem("x(population=0)"),
            "x: population is a whole number from 2 to 100000 or auto, not '0'"
        );
        assert_eq!(
            problem("x(inertia=NaN)"),
            "x: inertia is a number from 0 to 1, not 'NaN'"
        );
        assert_eq!(
            problem("x(inertia=auto)"),
            "x: inertia is a number from 0 to 1, not 'auto'"
        );
        assert_eq!(
            problem("x(selection=best)"),
            "x: selection is roulette or ranking, not 'best'"
        );
        assert_eq!(
            problem("x(inertai=1)"),
            "x: there is no setting 'inertai'; did you mean 'inertia'?"
        );
        assert_eq!(problem("x(0.5)"), "x: takes no '0.5' here");
    }

    #[test]
    fn a_share_is_rounded_and_stays_within_the_whole() {
        let share = |text: &str, whole, least| {
            let settings = settings(&format!("x(inertia={text})")).unwrap();
            settings.share_of("inertia", whole, least)
        };
        assert_eq!(share("0.3", 1000, 1), 300);
        assert_eq!(share("0", 10, 2), 2);
        assert_eq!(share("1", 10, 2), 10);
        assert_eq!(share("0", 1, 2), 1);
    }
}

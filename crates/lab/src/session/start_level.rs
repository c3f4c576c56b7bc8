//! The first level of a stepped game.

use super::SessionError;
use crate::library::FileSource;
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::spec::Spec;
use tetrolab_core::stepped::GravityCurve;

/// The ruleset with another first level. The library contains the players that its randomizer
/// refers to.
///
/// # Errors
/// If the ruleset has no levels, or not this level.
pub fn at_level(
    ruleset: &Ruleset,
    level: u32,
    library: FileSource<'_>,
) -> Result<Ruleset, SessionError> {
    let name = &ruleset.name;
    let Some(rules) = ruleset.stepped() else {
        return SessionError::refused(format!(
            "{name} is a placement game without levels; use a stepped ruleset, such as guideline, \
             nes or tgm"
        ));
    };
    let (least, most) = match rules.move_rules.pace.curve {
        GravityCurve::None => {
            let text = format!("{name} has no gravity, so its levels do not differ");
            return SessionError::refused(text);
        }
        GravityCurve::Guideline => (1, 20),
        GravityCurve::Nes => (0, 29),
        GravityCurve::Tgm => (0, 998),
    };
    if !(least..=most).contains(&level) {
        return SessionError::refused(format!(
            "{name} needs a first level from {least} to {most}, got {level}"
        ));
    }
    let mut parts = ruleset.parts();
    parts.set_level(level);
    parts.name = format!("{name} from level {level}");
    let evaluators = |spec: &Spec, width| library.evaluator(spec, width);
    Ok(Ruleset::new(parts, &evaluators)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{find_evaluator, find_ruleset};

    #[test]
    fn games_begin_at_the_level() {
        for (text, level) in [("nes", 18), ("guideline", 20), ("tgm", 500)] {
            let ruleset = at_level(&find_ruleset(text).unwrap(), level, FileSource::Disk).unwrap();
            assert_eq!(ruleset.rules.as_ref().level(), level);
            // Records contain the level.
            let again = Ruleset::new(ruleset.parts(), &find_evaluator).unwrap();
            assert_eq!(again.rules.as_ref().level(), level);
        }
    }

    #[test]
    fn a_spec_sets_the_level_without_the_other_settings_of_moves() {
        let nes = find_ruleset("nes").unwrap();
        let fast = find_ruleset("nes(level=18)").unwrap();
        let (rules, other) = (nes.stepped().unwrap(), fast.stepped().unwrap());
        assert_eq!((rules.move_rules.level, other.move_rules.level), (0, 18));
        assert_eq!(rules.score, other.score);
        assert_eq!(
            find_ruleset("nes(level=auto)").unwrap().moves_spec,
            nes.moves_spec
        );
        for (spec, said) in [
            (
                "thesis(level=2)",
                "thesis: level only applies to stepped games, but in this one pieces drop straight down",
            ),
            (
                "nes(level=1000)",
                "nes: level must be an integer from 0 to 999",
            ),
        ] {
            let problem = find_ruleset(spec).err().unwrap().to_string();
            assert!(problem.starts_with(said), "{problem}");
        }
    }

    #[test]
    fn games_without_such_a_level_are_refused() {
        for (text, level, said) in [
            (
                "simplified-10x20",
                3,
                "simplified-10x20 is a placement game",
            ),
            ("thesis-stepped", 3, "thesis-stepped has no gravity"),
            (
                "guideline",
                0,
                "guideline needs a first level from 1 to 20, got 0",
            ),
            ("nes", 30, "nes needs a first level from 0 to 29, got 30"),
        ] {
            let problem = at_level(&find_ruleset(text).unwrap(), level, FileSource::Disk)
                .err()
                .unwrap()
                .to_string();
            assert!(problem.starts_with(said), "{problem}");
        }
    }
}

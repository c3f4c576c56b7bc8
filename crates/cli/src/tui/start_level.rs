//! `--level N`: the first level of a stepped game.

use anyhow::bail;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::core::stepped::GravityCurve;
use tetrolab::library::{find_evaluator, find_ruleset};

/// Finds a ruleset, and lets its games begin at a level.
pub(crate) fn ruleset_at(text: &str, level: Option<u32>) -> anyhow::Result<Ruleset> {
    let ruleset = find_ruleset(text)?;
    let Some(level) = level else {
        return Ok(ruleset);
    };
    let Some(rules) = ruleset.stepped() else {
        bail!(
            "--level: {text} is a placement game without levels; use a stepped ruleset, such as guideline, nes or tgm"
        );
    };
    let levels = match rules.steering.pace.curve {
        GravityCurve::None => bail!("--level: {text} has no gravity, so its levels do not differ"),
        GravityCurve::Guideline => 1..=20,
        GravityCurve::Nes => 0..=29,
        GravityCurve::Tgm => 0..=998,
    };
    if !levels.contains(&level) {
        let (least, most) = levels.into_inner();
        bail!("--level: {text} begins at a level from {least} to {most}, not {level}");
    }
    let mut parts = ruleset.parts();
    parts.set_level(level);
    parts.name = format!("{} from level {level}", parts.name);
    Ok(Ruleset::new(parts, &find_evaluator)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_begin_at_the_level() {
        for (text, level) in [("nes", 18), ("guideline", 20), ("tgm", 500)] {
            let ruleset = ruleset_at(text, Some(level)).unwrap();
            assert_eq!(ruleset.rules.as_ref().level(), level);
            // Records hold the level.
            let again = Ruleset::new(ruleset.parts(), &find_evaluator).unwrap();
            assert_eq!(again.rules.as_ref().level(), level);
        }
        assert_eq!(ruleset_at("nes", None).unwrap().name, "nes");
    }

    #[test]
    fn a_spec_sets_the_level_without_the_other_settings_of_moves() {
        let nes = find_ruleset("nes").unwrap();
        let fast = find_ruleset("nes(level=18)").unwrap();
        let (rules, other) = (nes.stepped().unwrap(), fast.stepped().unwrap());
        assert_eq!((rules.steering.level, other.steering.level), (0, 18));
        assert_eq!(rules.score, other.score);
        assert_eq!(
            find_ruleset("nes(level=auto)").unwrap().moves_spec,
            nes.moves_spec
        );
        for (spec, said) in [
            (
                "thesis(level=2)",
                "thesis: level is a setting of stepped games, and in this one pieces drop",
            ),
            (
                "nes(level=1000)",
                "nes: level is a whole number from 0 to 999",
            ),
        ] {
            let problem = find_ruleset(spec).err().unwrap().to_string();
            assert!(problem.starts_with(said), "{problem}");
        }
    }

    #[test]
    fn what_has_no_such_level_is_refused() {
        for (text, level, said) in [
            (
                "simplified-10x20",
                3,
                "--level: simplified-10x20 is a placement game",
            ),
            (
                "thesis-stepped",
                3,
                "--level: thesis-stepped has no gravity",
            ),
            (
                "guideline",
                0,
                "--level: guideline begins at a level from 1 to 20, not 0",
            ),
            (
                "nes",
                30,
                "--level: nes begins at a level from 0 to 29, not 30",
            ),
        ] {
            let problem = ruleset_at(text, Some(level)).err().unwrap().to_string();
            assert!(problem.starts_with(said), "{problem}");
        }
    }
}

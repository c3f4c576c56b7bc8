//! Settings that differ between runs shown together, so that their values are not directly
//! comparable.

use super::curves::HEIGHT;
use super::thousands;
use crate::learning::Learning;
use crate::learning::objective::find_objective;
use std::collections::BTreeSet;

/// Number of values of a setting that are listed by name; the others are counted.
const NAMED: usize = 4;

/// A setting that matters for a fair comparison.
type ComparedSetting = (&'static str, fn(&Learning) -> String);

const SETTINGS: [ComparedSetting; 9] = [
    ("ruleset", |plan| plan.ruleset.clone()),
    ("features", |plan| plan.features.clone()),
    ("evaluator", |plan| plan.evaluator.clone()),
    ("player", |plan| plan.player.clone()),
    ("objective", |plan| plan.objective.clone()),
    ("games", |plan| thousands(plan.games)),
    ("fixed games", |plan| plan.fixed_games.to_string()),
    ("max pieces", |plan| {
        plan.max_pieces.map_or("none".to_owned(), thousands)
    }),
    ("scale", |plan| plan.scale.name().to_owned()),
];

fn values(plans: &[&Learning], setting: &ComparedSetting) -> BTreeSet<String> {
    plans.iter().map(|plan| (setting.1)(plan)).collect()
}

/// The names of the settings in which the runs differ.
pub fn fields(plans: &[&Learning]) -> Vec<&'static str> {
    let differs = |setting: &&ComparedSetting| values(plans, setting).len() > 1;
    let found = SETTINGS.iter().filter(differs);
    found.map(|setting| setting.0).collect()
}

/// The settings in which the runs differ, with their values; `None` if there are none.
pub fn settings(plans: &[&Learning]) -> Option<String> {
    let differing = SETTINGS.iter().filter_map(|setting| {
        let values = values(plans, setting);
        let named: Vec<&str> = values.iter().take(NAMED).map(String::as_str).collect();
        let more = match values.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let text = format!("{} ({}{more})", setting.0, named.join("; "));
        (values.len() > 1).then_some(text)
    });
    let differing: Vec<String> = differing.collect();
    (!differing.is_empty()).then(|| differing.join(", "))
}

/// A sentence about the settings in which the runs differ, with their values.
pub fn sentence(plans: &[&Learning]) -> Option<String> {
    let differing = settings(plans)?;
    Some(format!(
        "These runs differ in {differing}: their values are not directly comparable."
    ))
}

/// The vertical axis of the runs' learning curves, with the unit if they share one.
pub fn height(plans: &[&Learning]) -> String {
    let unit = |plan: &&Learning| {
        let unit = find_objective(&plan.objective).ok()?.unit();
        Some((unit.quantity, unit.logarithm))
    };
    let units: BTreeSet<_> = plans.iter().map(unit).collect();
    match units.into_iter().collect::<Vec<_>>()[..] {
        [Some((quantity, true))] => format!("{HEIGHT} (logarithm of {quantity})"),
        [Some((quantity, false))] => format!("{HEIGHT} ({quantity})"),
        _ => HEIGHT.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_differ_are_distinguished_by_their_settings() {
        let one = Learning::default();
        let same = Learning {
            seed: 9,
            learner: "ga".to_owned(),
            ..one.clone()
        };
        assert_eq!(sentence(&[&one, &same]), None);
        assert!(height(&[&one, &same]).ends_with("(lines)"));
        let other = Learning {
            games: 5,
            max_pieces: None,
            ..one.clone()
        };
        assert_eq!(fields(&[&one, &other]), ["games", "max pieces"]);
        let said = sentence(&[&one, &other]).unwrap();
        assert!(
            said.contains("games (30; 5), max pieces (100,000; none): "),
            "{said}"
        );
    }
}

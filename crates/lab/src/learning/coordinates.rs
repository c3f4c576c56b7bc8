//! The coordinates in which a learner searches.
//!
//! A learner uses one step size for all coordinates, regardless of the units of the features. With
//! [`Scale::Spread`], a coordinate is a weight times the spread of its feature in play, so that a
//! unit of any coordinate changes scores by about the same amount; exponents stay unchanged, and
//! displacements are measured in spreads. A search from a player starts at its coordinates, scaled
//! to length 1; with a learner's default settings, its first candidates are a tenth of that length
//! away.

use super::description::Scale;
use super::template::outline;
use super::{Learning, LearningError};
use crate::feature_scale::{reference, sample_features};
use crate::learners::vectors::{length, scale_to_unit_length};
use crate::learners::{Learner, first_spread};
use crate::library::{Parts, PlayerFile, find_player_file, find_ruleset};
use tetrolab_core::evaluators::{Form, Model, ParameterTable, Scaling};
use tetrolab_core::features::{Feature, FeatureSet};
use tetrolab_core::ruleset::Ruleset;

/// Maps a learner's vector to the parameters of a player.
pub(super) struct Coordinates {
    /// The start of the search, as parameters of the player; `None` for 0.
    start: Option<Vec<f64>>,
    /// The size of a unit of each coordinate, in terms of its parameter; `None` for 1.
    units: Option<Vec<f64>>,
}

/// Distance of a learner's first candidates from the start with default settings, relative to the
/// norm of the start.
const FIRST_STEP: f64 = 0.1;

impl Coordinates {
    /// The coordinates of a plan whose scale is resolved.
    pub(super) fn new(
        plan: &Learning,
        outline: &PlayerFile,
        ruleset: &Ruleset,
        learner: &Learner,
    ) -> Result<Coordinates, LearningError> {
        let features = outline.feature_set_on(ruleset.width);
        let start = Start::find(plan, outline, ruleset.width)?;
        let units = match plan.scale {
            Scale::None | Scale::Auto => None,
            Scale::Spread => {
                let player = start.as_ref().map(|start| &start.file);
                let spreads = spreads(&features, player, ruleset)?;
                Some(units(&outline.form.make, &features, &spreads))
            }
        };
        let Some(start) = start else {
            return Ok(Coordinates { start: None, units });
        };
        let (numbers, size) = start.scaled(&outline.form.make, &features, units.as_deref());
        Ok(Coordinates {
            start: Some(numbers),
            units: units
                .map(|units| first_steps(units, size, learner))
                .transpose()?,
        })
    }

    /// The coordinates of a model's parameters with known step units: around 0, or around those of
    /// a start.
    pub(super) fn of_model(
        start: Option<Vec<f64>>,
        units: Option<Vec<f64>>,
        learner: &Learner,
    ) -> Result<Coordinates, LearningError> {
        let units = match (&start, units) {
            (Some(start), Some(units)) => {
                let size = length_in(&units, start);
                let size = if size > 0.0 { size } else { 1.0 };
                Some(first_steps(units, size, learner)?)
            }
            (_, units) => units,
        };
        Ok(Coordinates { start, units })
    }

    /// A learner's vector as the parameters of a player.
    pub(super) fn place(&self, mut vector: Vec<f64>) -> Vec<f64> {
        if let Some(units) = &self.units {
            let pairs = vector.iter_mut().zip(units);
            pairs.for_each(|(value, unit)| *value *= unit);
        }
        if let Some(start) = &self.start {
            let pairs = vector.iter_mut().zip(start);
            pairs.for_each(|(value, start)| *value += start);
        }
        vector
    }

    /// Scales the parameters of a player so that they have length 1 in these coordinates.
    pub(super) fn scale_to_unit_length(&self, numbers: &mut [f64]) {
        let Some(units) = &self.units else {
            return scale_to_unit_length(numbers);
        };
        let length = length_in(units, numbers);
        if length > 0.0 {
            numbers.iter_mut().for_each(|number| *number /= length);
        }
    }
}

/// Units for which the learner's first candidates, with default settings, are at a distance of a
/// tenth of the norm of the start.
fn first_steps(
    mut units: Vec<f64>,
    size: f64,
    learner: &Learner,
) -> Result<Vec<f64>, LearningError> {
    let first_step = size * FIRST_STEP / (units.len() as f64).sqrt();
    let step = first_step / first_spread(learner, units.len())?;
    units.iter_mut().for_each(|unit| *unit *= step);
    Ok(units)
}

fn length_in(units: &[f64], numbers: &[f64]) -> f64 {
    let coordinates: Vec<f64> = numbers
        .iter()
        .zip(units)
        .map(|(n, unit)| n / unit)
        .collect();
    length(&coordinates)
}

/// The size of a unit of each coordinate in terms of its parameter of an evaluator.
fn units(form: &Form, features: &FeatureSet, spreads: &[f64]) -> Vec<f64> {
    let unit = |table: &ParameterTable| -> Vec<f64> {
        match (table.is_per_feature(), table.scaling) {
            (true, Scaling::Weight) => spreads.iter().map(|spread| 1.0 / spread).collect(),
            (true, Scaling::Value) => spreads.to_vec(),
            _ => vec![1.0; table.len(features)],
        }
    };
    form.tables.iter().flat_map(unit).collect()
}

/// The player from which a search starts.
struct Start {
    file: PlayerFile,
    /// The parameters of the player in the order of the tables and features of the plan.
    tables: Vec<Vec<f64>>,
}

impl Start {
    fn find(
        plan: &Learning,
        outline: &PlayerFile,
        width: usize,
    ) -> Result<Option<Start>, LearningError> {
        let Some(name) = &plan.start else {
            return Ok(None);
        };
        let file = find_player_file(name)?;
        file.evaluator(width)?;
        check_fits(plan, name, &file, outline)?;
        let features = outline.feature_set_on(width);
        let numbers = |table: &ParameterTable| numbers_of(&file, table, &features);
        let tables = outline.form.make.tables.iter().map(numbers).collect();
        Ok(Some(Start { file, tables }))
    }

    /// The parameters, and their norm in the coordinates. Parameters whose scale does not matter
    /// are scaled to norm 1.
    fn scaled(&self, form: &Form, features: &FeatureSet, units: Option<&[f64]>) -> (Vec<f64>, f64) {
        let numbers: Vec<f64> = self.tables.concat();
        let no_units = vec![1.0; numbers.len()];
        let units = units.unwrap_or(&no_units);
        let counts = |table: &ParameterTable| {
            let counts = form.only_direction_counts || table.scaling == Scaling::Weight;
            vec![counts; table.len(features)]
        };
        let free: Vec<bool> = form.tables.iter().flat_map(counts).collect();
        let kept = |(number, free): (&f64, &bool)| if *free { *number } else { 0.0 };
        let of_free: Vec<f64> = numbers.iter().zip(&free).map(kept).collect();
        let length = length_in(units, &of_free);
        if length == 0.0 {
            let whole = length_in(units, &numbers);
            return (numbers, if whole > 0.0 { whole } else { 1.0 });
        }
        let scaled = |(number, free): (&f64, &bool)| if *free { number / length } else { *number };
        (numbers.iter().zip(&free).map(scaled).collect(), 1.0)
    }
}

/// The player's parameters in a table, in the order of these features; neutral values if it has
/// none.
fn numbers_of(file: &PlayerFile, table: &ParameterTable, features: &FeatureSet) -> Vec<f64> {
    let or_neutral = |found: Option<&[f64]>, count: usize| match found {
        Some(numbers) => numbers.to_vec(),
        None => vec![table.neutral; count],
    };
    if !table.is_per_feature() {
        return or_neutral(file.numbers(table, None), table.len(features));
    }
    let of_feature = |feature: &&'static Feature| {
        or_neutral(
            file.numbers(table, Some(feature)),
            feature.len(features.width()),
        )
    };
    features.features().iter().flat_map(of_feature).collect()
}

/// Checks that a player can be the start: its features must be among those of the plan, and its
/// tables among those of the plan's evaluator.
fn check_fits(
    plan: &Learning,
    name: &str,
    file: &PlayerFile,
    outline: &PlayerFile,
) -> Result<(), LearningError> {
    let known = |feature: &Feature| outline.features.iter().any(|f| f.id == feature.id);
    if !file.features.iter().all(|feature| known(feature)) {
        let found: Vec<&str> = file.features.iter().map(|feature| feature.id).collect();
        return LearningError::refused(format!(
            "{name} has features ({}) that are not among those of the search ({}); a search can only start from a player whose features it includes",
            found.join(", "),
            plan.features
        ));
    }
    let own = outline.form.make.tables;
    let has = |table: &&ParameterTable| own.iter().any(|other| other.id == table.id);
    let lost = match file.model() {
        Some(Model::Network(_)) => "a network",
        Some(Model::Tables(_)) => "lookup tables",
        None => match file.form.make.tables.iter().find(|table| !has(table)) {
            Some(table) => table.id,
            None => return Ok(()),
        },
    };
    LearningError::refused(format!(
        "{name} has {lost}, which the {} evaluator does not have, so a search cannot start there",
        plan.evaluator
    ))
}

/// The maximum ratio between the spreads of features for which weights are searched unscaled.
const WIDE: f64 = 1_000.0;

/// The spread of each feature between the placements of one decision: the root of the variance,
/// averaged over a thousand decisions of the player from which the search starts, or of the
/// reference.
fn spreads(
    features: &FeatureSet,
    player: Option<&PlayerFile>,
    ruleset: &Ruleset,
) -> Result<Vec<f64>, LearningError> {
    let evaluator = match player {
        Some(player) => player.evaluator(ruleset.width)?,
        None => reference(ruleset.width),
    };
    let mut sums = vec![0.0; features.len()];
    let mut decisions = 0.0;
    sample_features(features, evaluator, ruleset, |values, placements| {
        for (sum, row) in sums.iter_mut().zip(values.rows()) {
            *sum += variance(&row[..placements]);
        }
        decisions += 1.0;
    });
    let spread = |sum: &f64| (sum / f64::max(decisions, 1.0)).sqrt();
    Ok(floored(sums.iter().map(spread).collect()))
}

/// Features that were constant in all decisions have no spread; they get the smallest spread of the
/// others.
fn floored(mut spreads: Vec<f64>) -> Vec<f64> {
    let positive = spreads.iter().copied().filter(|spread| *spread > 0.0);
    let least = positive.fold(f64::INFINITY, f64::min);
    let least = if least.is_finite() { least } else { 1.0 };
    for spread in &mut spreads {
        *spread = spread.max(least);
    }
    spreads
}

fn variance(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let square = |value: &f64| (value - mean) * (value - mean);
    values.iter().map(square).sum::<f64>() / count
}

/// Whether a plan without a given scale uses spreads: if it starts from a player, if one step size
/// does not suit all of its features, or if the features are inputs of a network. False for an
/// invalid plan.
pub(super) fn calls_for_spread(plan: &Learning) -> bool {
    let made = || -> Result<bool, LearningError> {
        let ruleset = find_ruleset(&plan.ruleset)?;
        needs_spread(&outline(plan, &Parts::default())?, &ruleset)
    };
    plan.start.is_some() || made().unwrap_or(false)
}

/// Whether the parameters of a plan belong to a model; false for an invalid plan.
pub(super) fn searches_model(plan: &Learning) -> bool {
    outline(plan, &Parts::default()).is_ok_and(|outline| outline.form.make.model().is_some())
}

fn needs_spread(outline: &PlayerFile, ruleset: &Ruleset) -> Result<bool, LearningError> {
    if outline.form.make.model().is_some() {
        return Ok(true);
    }
    let features = outline.feature_set_on(ruleset.width);
    let spreads = spreads(&features, None, ruleset)?;
    let most = spreads.iter().copied().fold(0.0, f64::max);
    let least = spreads.iter().copied().fold(f64::INFINITY, f64::min);
    Ok(most > WIDE * least)
}

/// The scale of a plan, resolved.
pub(super) fn resolved(
    plan: &Learning,
    outline: &PlayerFile,
    ruleset: &Ruleset,
) -> Result<Scale, LearningError> {
    if plan.scale != Scale::Auto {
        return Ok(plan.scale);
    }
    let spread = plan.start.is_some() || needs_spread(outline, ruleset)?;
    Ok(if spread { Scale::Spread } else { Scale::None })
}

#[cfg(test)]
mod tests;

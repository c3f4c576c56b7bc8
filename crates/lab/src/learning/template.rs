//! From a vector to a player: candidates are made from the text of a player file, so what is judged is what will be written.

use super::{Learning, LearningError};
use crate::learners::vectors::scale_to_unit_length;
use crate::library::{PlayerFile, find_features, find_player_file};
use tetrolab_core::evaluators::EVALUATORS;
use tetrolab_core::features::{Feature, feature_set};
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::spec::{Spec, SpecError};

/// Everything about a player but the numbers that are learned.
pub(super) struct Template {
    plan: Learning,
    features: Vec<&'static Feature>,
    player: Spec,
    width: usize,
    /// Added to every vector of the learner: the search begins here.
    start: Option<Vec<f64>>,
}

/// The kinds of players that weigh something.
const WEIGHING: [&str; 2] = ["greedy", "two-piece"];

/// The tables of a player file that a form of evaluator has.
fn tables(evaluator: &str) -> &'static [&'static str] {
    match evaluator {
        "exponential" => &["weights", "exponents"],
        "displaced" => &["weights", "exponents", "displacements"],
        _ => &["weights"],
    }
}

/// What the numbers that a plan learns are called, for boards of a width: `weight:holes`, and with a number from 1 on for each
/// value of a vector feature.
pub(super) fn names_of_numbers(plan: &Learning, width: usize) -> Result<Vec<String>, SpecError> {
    let features = find_features(&plan.features)?;
    let name = |table: &str, feature: &Feature| {
        let name = format!("{}:{}", table.trim_end_matches('s'), feature.id);
        match feature.is_vector() {
            true => numbered(&name, feature.len(width)),
            false => vec![name],
        }
    };
    let tables = tables(&plan.evaluator).iter();
    let names = tables.flat_map(|table| features.iter().flat_map(|feature| name(table, feature)));
    Ok(names.collect())
}

/// So many names with numbers from 1 on: `eigenvalue:1`.
pub(super) fn numbered(name: &str, count: usize) -> Vec<String> {
    (1..=count).map(|index| format!("{name}:{index}")).collect()
}

impl Template {
    /// The template of a plan, for boards of a width.
    pub(super) fn new(plan: &Learning, width: usize) -> Result<Template, LearningError> {
        let mut template = Template {
            plan: plan.clone(),
            features: find_features(&plan.features)?,
            player: plan.player.parse()?,
            width,
            start: None,
        };
        template.check()?;
        template.start = template.start_vector()?;
        Ok(template)
    }

    /// How many numbers are learned.
    pub(super) fn dimension(&self) -> usize {
        tables(&self.plan.evaluator).len() * self.values_per_table()
    }

    fn values_per_table(&self) -> usize {
        self.features
            .iter()
            .map(|feature| feature.len(self.width))
            .sum()
    }

    fn check(&self) -> Result<(), LearningError> {
        self.check_names()?;
        self.player.check_args(0, &["losing", "scored", "ties"])?;
        for (index, feature) in self.features.iter().enumerate() {
            if self.features[..index]
                .iter()
                .any(|other| other.id == feature.id)
            {
                return Err(LearningError::TwiceTheSameFeature(feature.id));
            }
        }
        Ok(())
    }

    fn check_names(&self) -> Result<(), LearningError> {
        if !WEIGHING.contains(&self.player.name.as_str()) {
            return Err(LearningError::WeighsNothing {
                player: self.player.name.clone(),
                known: WEIGHING.join(" or "),
            });
        }
        let forms = || EVALUATORS.iter().map(|entry| entry.id);
        let form = self.plan.evaluator.as_str();
        match forms().any(|known| known == form) {
            true => Ok(()),
            false => Err(SpecError::unknown("evaluator", form, forms()).into()),
        }
    }

    /// The weights of the player from which the search begins, scaled to unit length, so that the steps of a learner mean the
    /// same for every start. They are small beside it only if the learner's settings make them so, as `cma-es(sigma=0.1)` does.
    fn start_vector(&self) -> Result<Option<Vec<f64>>, LearningError> {
        let Some(name) = &self.plan.start else {
            return Ok(None);
        };
        let file = find_player_file(name)?;
        let ids = |features: &[&Feature]| -> Vec<&str> { features.iter().map(|f| f.id).collect() };
        if file.form() != "linear" || self.plan.evaluator != "linear" {
            return Err(LearningError::StartIsNotLinear(name.clone()));
        }
        let (found, wanted) = (ids(&file.features), ids(&self.features));
        if found != wanted {
            return Err(LearningError::OtherFeatures {
                player: name.clone(),
                found: found.join(", "),
                wanted: self.plan.features.clone(),
            });
        }
        file.evaluator(self.width)?;
        let mut weights: Vec<f64> = file.weights().flat_map(|row| row.1.to_vec()).collect();
        scale_to_unit_length(&mut weights);
        Ok(Some(weights))
    }

    /// A learner's vector as the numbers of a player.
    pub(super) fn place(&self, mut vector: Vec<f64>) -> Vec<f64> {
        if let Some(start) = &self.start {
            let pairs = vector.iter_mut().zip(start);
            pairs.for_each(|(value, start)| *value += start);
        }
        vector
    }

    /// The player with these numbers, for the rules under which it will play.
    pub(super) fn player(
        &self,
        numbers: &[f64],
        ruleset: &Ruleset,
    ) -> Result<Box<dyn Player>, LearningError> {
        let text = format!("name = \"candidate\"\n{}", self.body(numbers));
        let file = PlayerFile::parse(&text, "the player that is learned")?;
        Ok(file.player(ruleset)?)
    }

    /// The text of the file of a learned player. It depends on the description, the name of the run, its provenance and the
    /// numbers alone: no clock, no machine.
    pub(super) fn file(&self, run: &str, numbers: &[f64], provenance: &str) -> String {
        let learner = self.plan.learner.split('(').next().unwrap_or_default();
        let title = format!("learned with {learner} on {}", self.plan.ruleset);
        let source = format!("tetrolab {}", env!("CARGO_PKG_VERSION"));
        let head = [
            ("name", run),
            ("title", &title),
            ("source", &source),
            ("provenance", provenance),
        ];
        let head: String = head.iter().map(|(key, value)| entry(key, value)).collect();
        head + &self.body(numbers)
    }

    fn body(&self, numbers: &[f64]) -> String {
        let mut text = entry("player", &self.player.name);
        for arg in &self.player.args {
            let key = arg.key.as_deref().unwrap_or_default();
            text += &entry(key, &arg.value.to_string());
        }
        text += &entry("evaluator", &self.plan.evaluator);
        text += &self.features_entry();
        let tables = tables(&self.plan.evaluator);
        for (table, numbers) in tables.iter().zip(numbers.chunks(self.values_per_table())) {
            text += &format!("\n[{table}]\n");
            text += &self.rows(numbers);
        }
        text
    }

    fn features_entry(&self) -> String {
        if feature_set(&self.plan.features).is_ok() {
            return entry("features", &self.plan.features);
        }
        let ids: Vec<String> = self.features.iter().map(|f| quoted(f.id)).collect();
        format!("features = [{}]\n", ids.join(", "))
    }

    fn rows(&self, mut numbers: &[f64]) -> String {
        let mut text = String::new();
        for feature in &self.features {
            let own = numbers
                .split_off(..feature.len(self.width))
                .unwrap_or_default();
            // The shortest decimals that read back as the same number.
            text += &match feature.is_vector() {
                true => format!("{} = {own:?}\n", feature.id),
                false => format!("{} = {:?}\n", feature.id, own[0]),
            };
        }
        text
    }
}

/// A line of a player file.
fn entry(key: &str, value: &str) -> String {
    format!("{key} = {}\n", quoted(value))
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

//! From a vector to a player: the text of a player file is made for each candidate (or its model,
//! which will be written next to the file), so the evaluated player is the one that is written.

use super::coordinates::{Coordinates, resolved};
use super::searched_model::{SearchedModel, names_of_model, searched_model};
use super::{Learning, LearningError};
use crate::learners::{BoardObservation, Learner, Solution};
use crate::library::{Parts, PlayerFile, find_features};
use tetrolab_core::evaluators::{Model, ModelKind, ParameterTable};
use tetrolab_core::features::{Feature, feature_set};
use tetrolab_core::lookup::{BoardSize, TableSet};
use tetrolab_core::players::{Player, PlayerEntry};
use tetrolab_core::registry::find;
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::spec::{Arg, Spec, shown};

/// Everything about a player except the parameters that are learned.
pub(super) struct Template {
    parts: Parts,
    outline: PlayerFile,
    /// The parameters that are searched; `None` for a method that trains a model.
    searched: Option<SearchedNumbers>,
    width: usize,
}

/// The names of the learned parameters of a plan, for boards of a game: `weight:holes`; the values
/// of a vector feature are numbered from 1.
pub(super) fn names_of_numbers(
    plan: &Learning,
    ruleset: &Ruleset,
) -> Result<Vec<String>, LearningError> {
    let outline = outline(plan, &Parts::default())?;
    if let Some(kind) = outline.form.make.model() {
        return names_of_model(kind, plan, &outline, ruleset);
    }
    let width = ruleset.width;
    let features = outline.feature_set_on(width);
    let of_feature = |table: &ParameterTable, feature: &Feature| {
        let name = format!("{}:{}", table.number, feature.id);
        if feature.is_vector() {
            numbered(&name, feature.len(width))
        } else {
            vec![name]
        }
    };
    let of_table = |table: &'static ParameterTable| -> Vec<String> {
        if table.is_per_feature() {
            let features = features.features().iter();
            features
                .flat_map(|feature| of_feature(table, feature))
                .collect()
        } else {
            numbered(table.number, table.len(&features))
        }
    };
    Ok(outline.form.make.tables.iter().flat_map(of_table).collect())
}

/// Names numbered from 1: `eigenvalue:1`.
pub(super) fn numbered(name: &str, count: usize) -> Vec<String> {
    (1..=count).map(|index| format!("{name}:{index}")).collect()
}

/// The player of a plan, without parameters.
pub(super) fn outline(plan: &Learning, parts: &Parts) -> Result<PlayerFile, LearningError> {
    let player: Spec = plan.player.parse()?;
    let kind = kind_of(&player, parts)?;
    check_options(kind, &player)?;
    let form = find(parts.evaluators, "evaluator", &plan.evaluator)?;
    let (set, features) = if form.make.has_features() {
        (
            feature_set(&plan.features)
                .ok()
                .map(|set| set.id.to_owned()),
            find_features(&plan.features)?,
        )
    } else {
        (None, Vec::new())
    };
    check_once(&features)?;
    Ok(PlayerFile::outline(kind, player.args, form, set, features))
}

/// The kind of a player that takes an evaluator.
fn kind_of(player: &Spec, parts: &Parts) -> Result<&'static PlayerEntry, LearningError> {
    let kinds = parts.players_with_evaluator();
    let kind = kinds.iter().find(|kind| kind.id == player.name).copied();
    kind.ok_or_else(|| {
        let known: Vec<&str> = kinds.iter().map(|kind| kind.id).collect();
        LearningError::WeighsNothing {
            player: shown(&player.name),
            known: known.join(", "),
        }
    })
}

/// Checks that a plan names a player without its evaluator, which is learned.
fn check_options(kind: &PlayerEntry, player: &Spec) -> Result<(), LearningError> {
    if let Some(extra) = player.positional().next() {
        let extra = shown(&extra.to_string());
        return Err(player.error(format!("does not take '{extra}' here")).into());
    }
    let mut complete = player.clone();
    let needed = kind
        .settings
        .iter()
        .filter(|setting| setting.is_positional());
    complete.args.extend(needed.map(|setting| Arg {
        key: None,
        value: Spec::name(setting.kind.example()),
    }));
    kind.read(&complete)?;
    Ok(())
}

fn check_once(features: &[&'static Feature]) -> Result<(), LearningError> {
    for (index, feature) in features.iter().enumerate() {
        if features[..index].iter().any(|other| other.id == feature.id) {
            return LearningError::refused(format!("the feature {} is listed twice", feature.id));
        }
    }
    Ok(())
}

/// The parameters that a method searches.
struct SearchedNumbers {
    coordinates: Coordinates,
    /// The model whose parameters are searched, if there is one.
    model: Option<Box<dyn SearchedModel>>,
    dimension: usize,
}

impl Template {
    /// The template of a plan whose scale has been resolved.
    pub(super) fn new(
        plan: &mut Learning,
        parts: Parts,
        ruleset: &Ruleset,
        learner: &Learner,
    ) -> Result<Template, LearningError> {
        let outline = outline(plan, &parts)?;
        let searched = if learner.make.trains_model() {
            None
        } else {
            Some(SearchedNumbers::new(plan, &outline, ruleset, learner)?)
        };
        Ok(Template {
            searched,
            parts,
            outline,
            width: ruleset.width,
        })
    }

    /// Number of values searched, if any.
    pub(super) fn dimension(&self) -> Option<usize> {
        self.searched.as_ref().map(|searched| searched.dimension)
    }

    /// The observation of a board.
    pub(super) fn observation(
        &self,
        tables: &str,
        ruleset: &Ruleset,
    ) -> Result<BoardObservation, LearningError> {
        let (width, height) = (ruleset.width, ruleset.height);
        let form = &self.outline.form.make;
        Ok(match form.model() {
            Some(ModelKind::Tables) => {
                let size = BoardSize { width, height };
                BoardObservation::Tables(TableSet::find(tables, size)?)
            }
            _ if form.has_features() => {
                BoardObservation::Features(self.outline.feature_set_on(width))
            }
            _ => BoardObservation::Board,
        })
    }

    /// Whether decisions stay the same if all parameters are multiplied by a positive factor.
    pub(super) fn only_direction_counts(&self) -> bool {
        self.outline.form.make.only_direction_counts
    }

    /// A vector of a search as the parameters of a player.
    pub(super) fn place(&self, vector: Vec<f64>) -> Vec<f64> {
        match &self.searched {
            Some(searched) => searched.place(vector),
            None => vector,
        }
    }

    /// Whether the learned player has a model, which is stored in a separate file.
    pub(super) fn has_model(&self) -> bool {
        let searched = self.searched.as_ref();
        searched.is_none_or(|searched| searched.model.is_some())
    }

    /// The model of a solution, if it has one.
    pub(super) fn model(&self, solution: &Solution) -> Option<Model> {
        match solution {
            Solution::Model(model) => Some(model.clone()),
            Solution::Numbers(numbers) => {
                let model = self.searched.as_ref()?.model.as_ref()?;
                Some(model.model(numbers))
            }
        }
    }

    /// The player file with this solution; a model is stored in a file of this name next to it, or
    /// in the text.
    fn with_solution(&self, solution: &Solution, model_file: Option<&str>) -> PlayerFile {
        match self.model(solution) {
            Some(model) => self
                .outline
                .with_model(model, model_file.map(str::to_owned)),
            None => (self.outline).with_numbers(self.width, solution.stored_numbers()),
        }
    }

    /// Scales the parameters of a player so that those of several runs have equal influence.
    pub(super) fn scale_to_unit_length(&self, numbers: &mut [f64]) {
        if let Some(searched) = &self.searched {
            searched.coordinates.scale_to_unit_length(numbers);
        }
    }

    /// The player with this solution, for a ruleset.
    pub(super) fn player(
        &self,
        solution: &Solution,
        ruleset: &Ruleset,
    ) -> Result<Box<dyn Player>, LearningError> {
        if self.has_model() {
            // Embedding the model in the text would only cost time.
            return Ok(self.with_solution(solution, None).player(ruleset)?);
        }
        let text = self.text(solution);
        let file = PlayerFile::parse_with(&self.parts, &text, "the player that is learned")?;
        Ok(file.player(ruleset)?)
    }

    /// The text of a player file with this solution and its embedded model.
    pub(super) fn text(&self, solution: &Solution) -> String {
        self.with_solution(solution, None).text()
    }

    /// The text of the file of a learned player. It depends only on the plan, the name of the run,
    /// the parameters and the provenance, not on the clock or the machine.
    pub(super) fn file(
        &self,
        plan: &Learning,
        run: &str,
        solution: &Solution,
        provenance: &str,
        model_file: Option<&str>,
    ) -> String {
        let learner = plan.learner.split('(').next().unwrap_or_default();
        let mut file = self.with_solution(solution, model_file);
        file.name = run.to_owned();
        file.title = format!("learned with {learner} on {}", plan.ruleset);
        file.source = format!("tetrolab {}", env!("CARGO_PKG_VERSION"));
        file.provenance = Some(provenance.to_owned());
        file.text()
    }
}

impl SearchedNumbers {
    fn new(
        plan: &mut Learning,
        outline: &PlayerFile,
        ruleset: &Ruleset,
        learner: &Learner,
    ) -> Result<SearchedNumbers, LearningError> {
        plan.scale = resolved(plan, outline, ruleset)?;
        let model = searched_model(plan, outline, ruleset, learner)?;
        let coordinates = match &model {
            Some(model) => model.coordinates(plan, outline, learner)?,
            None => Coordinates::new(plan, outline, ruleset, learner)?,
        };
        let features = outline.feature_set_on(ruleset.width);
        let dimension = match &model {
            Some(model) => model.len(),
            None => outline.form.make.len(&features),
        };
        Ok(SearchedNumbers {
            coordinates,
            model,
            dimension,
        })
    }

    /// A vector of the search as the parameters of a player.
    fn place(&self, vector: Vec<f64>) -> Vec<f64> {
        let numbers = self.coordinates.place(vector);
        match &self.model {
            Some(model) => model.absorbed(numbers),
            None => numbers,
        }
    }
}

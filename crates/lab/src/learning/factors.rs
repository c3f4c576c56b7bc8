//! Optimises one scale per lookup table, which multiplies all entries of the table.
//!
//! There are far too many entries for an optimiser, so a reinforcement learner finds them. However,
//! its target, the probability of losing soon, is not the mean over whole games, and tables that
//! describe the same property share its effect arbitrarily. There are only a few dozen scales, and
//! they are evaluated by whole games. The search starts from a player with tables, where all scales
//! are 1.

use super::coordinates::Coordinates;
use super::description::Scale;
use super::searched_model::SearchedModel;
use super::{Learning, LearningError};
use crate::hash::hash_of_bytes;
use crate::learners::Learner;
use crate::library::{PlayerFile, find_player_file, model_bytes};
use tetrolab_core::evaluators::{Model, ModelKind, TableSum};
use tetrolab_core::lookup::{BoardSize, TABLE_SETS, TableSet};
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::spec::SpecError;

/// The maximum absolute value of a scale, so that entries stay finite.
const FARTHEST: f64 = 1e6;

/// Tables with all scales at 1.
pub(super) struct SearchedTables {
    tables: TableSum,
}

impl SearchedTables {
    /// The tables of the player from which a plan starts, if its evaluator uses tables.
    pub(super) fn find(
        plan: &mut Learning,
        outline: &PlayerFile,
        ruleset: &Ruleset,
        learner: &Learner,
    ) -> Result<Option<SearchedTables>, LearningError> {
        if outline.form.make.model() != Some(ModelKind::Tables) {
            return Ok(None);
        }
        let Some(start) = &plan.start else {
            return LearningError::refused(format!(
                "{} with the evaluator {} optimises one scale per table of an existing \
                 player: name one as the start of the search",
                learner.id, outline.form.id
            ));
        };
        let file = find_player_file(start)?;
        let Some(Model::Tables(tables)) = file.model() else {
            return LearningError::refused(format!(
                "{start} has no lookup tables; start from a player that has some"
            ));
        };
        let named = TableSet::find(&plan.features, size_of(ruleset))?;
        if !specs(&named).eq(specs(tables.set())) {
            let wanted = &plan.features;
            return LearningError::refused(format!(
                "the lookup tables of {start} are not those of {wanted}"
            ));
        }
        let tables = tables.clone();
        let bytes = model_bytes(&Model::Tables(tables.clone()));
        plan.start_tables = Some(hash_of_bytes(&bytes));
        Ok(Some(SearchedTables { tables }))
    }
}

impl SearchedModel for SearchedTables {
    /// Number of scales.
    fn len(&self) -> usize {
        self.tables.set().iter().count()
    }

    /// Coordinates around 1, with the same unit for all.
    fn coordinates(
        &self,
        plan: &Learning,
        _outline: &PlayerFile,
        learner: &Learner,
    ) -> Result<Coordinates, LearningError> {
        let ones = vec![1.0; self.len()];
        let units = (plan.scale == Scale::Spread).then(|| ones.clone());
        Coordinates::of_model(Some(ones), units, learner)
    }

    /// The tables with these scales.
    fn model(&self, factors: &[f64]) -> Model {
        // NaN counts as 0.
        let factor = |factor: &f64| {
            if factor.is_nan() {
                0.0
            } else {
                factor.clamp(-FARTHEST, FARTHEST) as f32
            }
        };
        let factors: Vec<f32> = factors.iter().map(factor).collect();
        Model::Tables(self.tables.scaled(&factors))
    }
}

/// The properties of the lookup tables from which a plan starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablesOfStart {
    /// The name of the table set, or a list of the tables.
    pub features: String,
    /// A game on the board for which the tables were made.
    pub ruleset: String,
}

/// The lookup tables of the player from which a search starts; `None` for a player without tables.
///
/// # Errors
/// If the player is unknown, or its file is invalid.
pub(crate) fn tables_of_start(start: &str) -> Result<Option<TablesOfStart>, SpecError> {
    let file = find_player_file(start)?;
    let Some(Model::Tables(tables)) = file.model() else {
        return Ok(None);
    };
    let set = tables.set();
    let is_named =
        |id: &str| TableSet::find(id, set.size()).is_ok_and(|named| specs(&named).eq(specs(set)));
    let named = TABLE_SETS.iter().find(|entry| is_named(entry.id));
    let one_by_one = || specs(set).collect::<Vec<_>>().join(" + ");
    let BoardSize { width, height } = set.size();
    Ok(Some(TablesOfStart {
        features: named.map_or_else(one_by_one, |entry| entry.id.to_owned()),
        ruleset: format!("simplified-{width}x{height}"),
    }))
}

/// The names of the scales of a plan: `factor:heights(with=place)`.
pub(super) fn names_of_factors(
    plan: &Learning,
    ruleset: &Ruleset,
) -> Result<Vec<String>, LearningError> {
    let named = TableSet::find(&plan.features, size_of(ruleset))?;
    Ok(specs(&named).map(|spec| format!("factor:{spec}")).collect())
}

fn size_of(ruleset: &Ruleset) -> BoardSize {
    BoardSize {
        width: ruleset.width,
        height: ruleset.height,
    }
}

fn specs(set: &TableSet) -> impl Iterator<Item = String> {
    set.iter().map(|(spec, _)| spec.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::description::tests::tiny;
    use super::super::{Task, export};
    use super::*;
    use crate::learners::Solution;

    fn plan() -> Learning {
        Learning {
            learner: "cma-es(population=4)".to_owned(),
            ruleset: "simplified-10x10".to_owned(),
            evaluator: "tables".to_owned(),
            features: "wary".to_owned(),
            start: Some("wary-10".to_owned()),
            ..tiny()
        }
    }

    fn problem(change: impl Fn(&mut Learning)) -> String {
        let mut plan = plan();
        change(&mut plan);
        Task::new(plan).err().unwrap().to_string()
    }

    #[test]
    fn a_search_of_factors_begins_at_the_tables_of_its_start() {
        let task = Task::new(plan()).unwrap();
        let ones = vec![1.0; task.dimension()];
        assert_eq!(task.template.place(vec![0.0; task.dimension()]), ones);
        let file = find_player_file("wary-10").unwrap();
        let Some(Model::Tables(start)) = file.model() else {
            panic!("wary-10 has tables");
        };
        let Some(Model::Tables(found)) = task.template.model(&Solution::Numbers(ones)) else {
            panic!("tables are searched");
        };
        assert_eq!(&found, start);
        let mut other = task.plan.clone();
        other.start_tables = Some("another".to_owned());
        let difference = task.plan.difference(&other).unwrap().to_string();
        assert!(
            difference.contains("the tables of the start"),
            "{difference}"
        );
        let ruleset = crate::library::find_ruleset("simplified-10x10").unwrap();
        let names = names_of_factors(&task.plan, &ruleset).unwrap();
        assert_eq!(names.len(), task.dimension());
        assert_eq!(
            names[0],
            "factor:differences(columns=3,most=7,shared=place)"
        );
        let heads = export::candidates_csv(&task.plan, &[]);
        assert!(
            heads.contains(",\"factor:differences(columns=3,most=7,shared=place)\","),
            "{heads}"
        );
    }

    #[test]
    fn a_factor_multiplies_every_entry_of_its_table_and_no_other() {
        let task = Task::new(plan()).unwrap();
        let mut factors = vec![1.0; task.dimension()];
        factors[1] = -0.5;
        let model = |factors: &[f64]| {
            let factors = Solution::Numbers(factors.to_vec());
            task.template.model(&factors).unwrap()
        };
        let (plain, scaled) = (model(&vec![1.0; factors.len()]), model(&factors));
        let Model::Tables(tables) = &plain else {
            panic!("tables are searched");
        };
        let second = tables.set().iter().nth(1).unwrap().1;
        for (entry, (before, after)) in plain.numbers().iter().zip(scaled.numbers()).enumerate() {
            let factor = if second.contains(&entry) { -0.5 } else { 1.0 };
            assert_eq!(*after, before * factor, "entry {entry}");
        }
        for far in [f64::MAX, f64::NAN] {
            let far = model(&vec![far; factors.len()]);
            assert!(far.numbers().iter().all(|number| number.is_finite()));
        }
    }

    #[test]
    fn factors_need_a_start_with_the_same_tables() {
        assert_eq!(
            problem(|plan| plan.start = None),
            "cma-es with the evaluator tables optimises one scale per table of an existing player: name one as the start of the search"
        );
        assert_eq!(
            problem(|plan| plan.start = Some("bcts".to_owned())),
            "bcts has no lookup tables; start from a player that has some"
        );
        assert_eq!(
            problem(|plan| plan.features = "outline".to_owned()),
            "the lookup tables of wary-10 are not those of outline"
        );
        assert_eq!(
            problem(|plan| {
                plan.evaluator = "linear".to_owned();
                plan.features = "bcts".to_owned();
            }),
            "wary-10 has lookup tables, which the linear evaluator does not have, so a search cannot start there"
        );
    }
}

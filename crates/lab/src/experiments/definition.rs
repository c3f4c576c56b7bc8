//! An experiment as data: its question, its stages, and the arms that the stages measure.

use super::analysis::Analysis;
use super::{ExperimentError, Quantity, Stage, StageStudy};
use crate::study::{Plan, SplittingPlan};
use crate::survival::{Goal, LevelKind};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The size of an experiment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExperimentScale {
    /// Takes less than two minutes on two cores, to show how the experiment works.
    #[default]
    Quick,
    /// Uses the populations, games and caps of the document.
    Paper,
}

impl ExperimentScale {
    /// Every scale with its name.
    pub const ALL: [(ExperimentScale, &'static str); 2] = [
        (ExperimentScale::Quick, "quick"),
        (ExperimentScale::Paper, "paper"),
    ];

    /// The name of the scale.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ExperimentScale::Quick => "quick",
            ExperimentScale::Paper => "paper",
        }
    }
}

impl std::str::FromStr for ExperimentScale {
    type Err = String;

    fn from_str(text: &str) -> Result<ExperimentScale, String> {
        let found = ExperimentScale::ALL.iter().find(|row| row.1 == text);
        found
            .map(|row| row.0)
            .ok_or_else(|| "expected quick or paper".to_owned())
    }
}

/// The scale and seed of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExperimentSize {
    /// The scale of the experiment.
    pub scale: ExperimentScale,
    /// The seed from which all other seeds are derived.
    pub seed: u64,
}

impl ExperimentSize {
    /// One of two values, depending on the scale.
    pub(super) fn pick<T>(self, quick: T, paper: T) -> T {
        match self.scale {
            ExperimentScale::Quick => quick,
            ExperimentScale::Paper => paper,
        }
    }

    /// The seeds of independent training runs.
    pub(super) fn training_seeds(self, quick: u64, paper: u64) -> impl Iterator<Item = u64> {
        (0..self.pick(quick, paper)).map(move |run| self.seed.wrapping_add(run))
    }

    /// The seed of tests, which differs from all seeds used for learning.
    pub(super) fn test_seed(self) -> u64 {
        self.seed.wrapping_add(1000)
    }
}

/// Means by splitting to a precision. At quick scale the estimate is rough: it uses few
/// trajectories, a small number of pieces, and levels of the stack, which need no preparation.
pub(super) fn splitting(size: ExperimentSize, precision: f64) -> Plan {
    let rough = SplittingPlan {
        trajectories: 1000,
        level: LevelKind::Stack,
    };
    Plan::Splitting {
        until: size.pick(Goal::Pieces(3_000_000), Goal::Precision(precision)),
        splitting: size.pick(rough, SplittingPlan::default()),
    }
}

/// A part of an experiment that is run separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExperimentPart {
    /// The number of the part, starting at 1.
    number: usize,
    /// The number of parts.
    of: usize,
}

impl std::str::FromStr for ExperimentPart {
    type Err = String;

    fn from_str(text: &str) -> Result<ExperimentPart, String> {
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(number, of)| {
            Some((number.parse::<usize>().ok()?, of.parse::<usize>().ok()?))
        });
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(ExperimentPart { number, of }),
            _ => Err("expected a part and the number of parts, such as 2/4".to_owned()),
        }
    }
}

impl std::fmt::Display for ExperimentPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// Creates the definition of an experiment.
pub type MakeDefinition = fn(ExperimentSize) -> Definition;

/// An experiment as data.
#[derive(Clone, Debug, Default)]
pub struct Definition {
    /// The question that the experiment answers.
    pub question: String,
    /// What the document leaves open, and our choices.
    pub open: Vec<String>,
    /// Where the experiment differs from the document.
    pub deviations: Vec<String>,
    /// Approximate duration at this scale.
    pub cost: String,
    /// The stages, in order.
    pub stages: Vec<Stage>,
    /// The arms.
    pub arms: Vec<ExperimentArm>,
    /// Additional results reported for every arm.
    pub further: Vec<Quantity>,
    /// Tables and texts that combine several results.
    pub analyses: Vec<Analysis>,
}

/// One of the configurations that an experiment compares.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ExperimentArm {
    /// The name of the arm in the table of the document, by which published numbers refer to it.
    pub id: String,
    /// The variant, such as the game as stated or as identified; may be empty.
    pub variant: String,
    /// The stages that learn the arm's player, one for each independent training run; empty for a
    /// given player.
    pub learned: Vec<String>,
    /// The stages that measure the arm's player, one per training run.
    pub tested: Vec<TestedPlayer>,
    /// The unit of the arm's results.
    pub unit: ResultUnit,
}

/// A player in an evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestedPlayer {
    /// The stage that evaluates the player.
    pub stage: String,
    /// The player, as named in the description of the stage.
    pub player: String,
}

/// The unit of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResultUnit {
    /// Lines.
    #[default]
    Lines,
    /// Line points: clearing n lines with one piece gives 2^(n-1).
    LinePoints,
}

impl ExperimentArm {
    /// An arm with a given player.
    #[must_use]
    pub fn given(id: impl Into<String>, stage: &str, player: impl Into<String>) -> ExperimentArm {
        let tested = TestedPlayer {
            stage: stage.to_owned(),
            player: player.into(),
        };
        ExperimentArm {
            id: id.into(),
            tested: vec![tested],
            ..ExperimentArm::default()
        }
    }

    /// Sets the name of a variant.
    #[must_use]
    pub fn variant(self, variant: impl Into<String>) -> ExperimentArm {
        let variant = variant.into();
        ExperimentArm { variant, ..self }
    }

    /// Sets another unit for the results.
    #[must_use]
    pub fn unit(self, unit: ResultUnit) -> ExperimentArm {
        ExperimentArm { unit, ..self }
    }

    /// The name of the arm with its variant.
    #[must_use]
    pub(crate) fn full_name(&self) -> String {
        match self.variant.as_str() {
            "" => self.id.clone(),
            variant => format!("{} · {variant}", self.id),
        }
    }
}

impl Definition {
    /// Adds an evaluation of players on the same games; each player is an arm.
    pub(super) fn evaluate(
        &mut self,
        stage: &str,
        evaluation: crate::study::Evaluation,
        arms: &[(&str, &str)],
    ) {
        for (arm, player) in arms {
            let arm = ExperimentArm::given(*arm, stage, *player);
            self.arms.push(arm);
        }
        self.stages.push(Stage::evaluate(stage, evaluation));
    }

    /// Sorts the stages so that the first training run of every arm and its tests come first, then
    /// the second runs, so that an experiment that is stopped early has measured every arm.
    pub(super) fn one_seed_after_the_other(&mut self) {
        let mut runs: BTreeMap<String, usize> = BTreeMap::new();
        for arm in &self.arms {
            for (run, stage) in arm.learned.iter().enumerate() {
                runs.insert(stage.clone(), run);
            }
        }
        let run_of = |stage: &Stage| {
            let own = runs.get(&stage.id).copied();
            let needed = stage.study.needs().into_iter();
            let needed = needed.filter_map(|name| runs.get(name).copied()).max();
            own.or(needed).unwrap_or(0)
        };
        let order: Vec<usize> = self.stages.iter().map(run_of).collect();
        let mut stages: Vec<_> = order.into_iter().zip(self.stages.drain(..)).collect();
        stages.sort_by_key(|stage| stage.0);
        self.stages = stages.into_iter().map(|stage| stage.1).collect();
    }

    /// One of several parts that can run on different machines: training runs and measurements of
    /// given players are distributed round-robin, and a part contains only stages that do not
    /// depend on other parts. With the results of all parts in one folder, only the stages that
    /// need several parts remain.
    #[must_use]
    pub(super) fn part(&self, part: ExperimentPart) -> Definition {
        let mut known: BTreeSet<&str> = BTreeSet::new();
        let mut own: BTreeSet<&str> = BTreeSet::new();
        let mut roots = 0;
        for stage in &self.stages {
            let needs = stage.study.needs();
            let written = |name: &&str| {
                let mut stages = self.stages.iter();
                let found = stages.find(|other| other.id == **name);
                found.is_some_and(|other| matches!(other.study, StageStudy::Write { .. }))
            };
            if matches!(stage.study, StageStudy::Write { .. }) {
                known.insert(&stage.id);
            } else if needs.iter().all(written) {
                if roots % part.of == part.number - 1 {
                    known.insert(&stage.id);
                    own.insert(&stage.id);
                }
                roots += 1;
            } else if needs.iter().all(|name| known.contains(name)) {
                known.insert(&stage.id);
                own.insert(&stage.id);
            }
        }
        let is_needed = |stage: &&Stage| {
            let mut users = self
                .stages
                .iter()
                .filter(|user| own.contains(user.id.as_str()));
            own.contains(stage.id.as_str())
                || known.contains(stage.id.as_str())
                    && users.any(|user| user.study.needs().contains(&stage.id.as_str()))
        };
        let arms = self.arms.iter().cloned().map(|mut arm| {
            arm.learned.retain(|stage| own.contains(stage.as_str()));
            arm.tested
                .retain(|tested| own.contains(tested.stage.as_str()));
            arm
        });
        Definition {
            stages: self.stages.iter().filter(is_needed).cloned().collect(),
            arms: arms
                .filter(|arm| !arm.learned.is_empty() || !arm.tested.is_empty())
                .collect(),
            ..self.clone()
        }
    }

    /// Checks that stages have different names and refer to earlier ones, and that arms refer to
    /// existing stages.
    ///
    /// # Errors
    /// The error names the stage or the arm.
    pub fn check(&self) -> Result<(), ExperimentError> {
        let mut known: Vec<&str> = Vec::new();
        for stage in &self.stages {
            let of_stage = |problem: String| ExperimentError::Stage {
                stage: stage.id.clone(),
                problem,
            };
            if known.contains(&stage.id.as_str()) {
                return Err(of_stage("the name is used twice".to_owned()));
            }
            let needs = stage.study.needs();
            if let Some(missing) = needs.iter().find(|name| !known.contains(name)) {
                let problem = format!("needs the stage '{missing}', which must come before it");
                return Err(of_stage(problem));
            }
            known.push(&stage.id);
        }
        let tested = |arm: &ExperimentArm| {
            let tested = arm.tested.iter().map(|tested| tested.stage.clone());
            tested.chain(arm.learned.clone()).collect::<Vec<_>>()
        };
        for arm in &self.arms {
            let stages = tested(arm);
            if let Some(stage) = stages.iter().find(|stage| !known.contains(&stage.as_str())) {
                let problem = format!(
                    "does not exist, but the arm {} refers to it",
                    arm.full_name()
                );
                let stage = stage.clone();
                return Err(ExperimentError::Stage { stage, problem });
            }
        }
        Ok(())
    }
}

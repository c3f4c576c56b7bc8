//! Stages: the studies of an experiment, and how they refer to players of other stages.
//!
//! A stage contains the description of a study. In place of a player, a description may contain
//! `@STAGE`, which stands for the player that an earlier stage learned, wrote or selected; it can
//! also be part of a spec: `greedy(@learn-1,losing=allow)`.

use super::ExperimentError;
use crate::learning::{Learning, Task};
use crate::library::FileSource;
use crate::study::{Comparison, Evaluation};
use serde::{Deserialize, Serialize};

/// The prefix of a reference to a stage.
const REFERENCE: char = '@';

/// A part of an experiment with a separate result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// The name of the stage: letters, digits, hyphens and points.
    pub id: String,
    /// The study of the stage.
    pub study: StageStudy,
}

/// The study of a stage, or one of two small steps between studies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StageStudy {
    /// Learns a player.
    Learn(Box<Learning>),
    /// Measures players.
    Evaluate(Evaluation),
    /// Compares two players.
    Compare(Comparison),
    /// Selects the player with the highest mean lines in an evaluation.
    Select {
        /// The stage that evaluated the candidates.
        from: String,
    },
    /// Writes a player file that is part of the experiment, such as published weights with other
    /// features.
    Write {
        /// The text of the file.
        player: String,
    },
}

impl Stage {
    /// A stage that learns.
    #[must_use]
    pub fn learn(id: impl Into<String>, learning: Learning) -> Stage {
        let (id, study) = (id.into(), StageStudy::Learn(Box::new(learning)));
        Stage { id, study }
    }

    /// A stage that evaluates.
    #[must_use]
    pub fn evaluate(id: impl Into<String>, evaluation: Evaluation) -> Stage {
        let (id, study) = (id.into(), StageStudy::Evaluate(evaluation));
        Stage { id, study }
    }

    /// A stage that compares.
    #[must_use]
    pub fn compare(id: impl Into<String>, comparison: Comparison) -> Stage {
        let (id, study) = (id.into(), StageStudy::Compare(comparison));
        Stage { id, study }
    }

    /// A stage that selects the best player of an evaluation.
    #[must_use]
    pub fn select(id: impl Into<String>, from: impl Into<String>) -> Stage {
        let (id, from) = (id.into(), from.into());
        let study = StageStudy::Select { from };
        Stage { id, study }
    }

    /// A stage that writes a player file.
    #[must_use]
    pub fn write(id: impl Into<String>, player: impl Into<String>) -> Stage {
        let (id, player) = (id.into(), player.into());
        let study = StageStudy::Write { player };
        Stage { id, study }
    }

    /// The player of this stage, as named in later stages.
    #[must_use]
    pub fn player(&self) -> String {
        reference(&self.id)
    }
}

/// The player of a stage, as named in later stages.
#[must_use]
pub fn reference(stage: &str) -> String {
    format!("{REFERENCE}{stage}")
}

/// The text of a player file with linear weights. `rule` contains the lines of its decision rule.
pub(super) fn linear_player(
    name: &str,
    source: &str,
    rule: &str,
    weights: &[(&str, f64)],
) -> String {
    let features: Vec<String> = weights.iter().map(|row| format!("{:?}", row.0)).collect();
    let weights: Vec<String> = weights
        .iter()
        .map(|(feature, weight)| format!("{feature} = {weight:?}\n"))
        .collect();
    format!(
        "name = \"{name}\"\ntitle = \"{name}\"\nsource = \"{source}\"\n{rule}\n\
         evaluator = \"linear\"\nfeatures = [{}]\n\n[weights]\n{}",
        features.join(", "),
        weights.concat()
    )
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "-._".contains(letter)
}

/// The stages that a text refers to.
pub(super) fn references(text: &str) -> impl Iterator<Item = &str> {
    text.split(REFERENCE).skip(1).map(|rest| {
        let end = rest.find(|letter| !is_of_name(letter));
        &rest[..end.unwrap_or(rest.len())]
    })
}

/// A text with every reference replaced by the result of `find` for its stage.
pub(super) fn with_references<E>(
    text: &str,
    mut find: impl FnMut(&str) -> Result<String, E>,
) -> Result<String, E> {
    let mut parts = text.split(REFERENCE);
    let mut found = parts.next().unwrap_or_default().to_owned();
    for rest in parts {
        let end = rest.find(|letter| !is_of_name(letter));
        let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
        found += &find(name)?;
        found += after;
    }
    Ok(found)
}

impl StageStudy {
    /// A word for the kind of study.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            StageStudy::Learn(_) => "learn",
            StageStudy::Evaluate(_) => "evaluate",
            StageStudy::Compare(_) => "compare",
            StageStudy::Select { .. } => "select",
            StageStudy::Write { .. } => "write",
        }
    }

    /// The texts that refer to players.
    pub(super) fn players(&self) -> Vec<&str> {
        match self {
            StageStudy::Learn(learning) => learning.start.iter().map(String::as_str).collect(),
            StageStudy::Evaluate(evaluation) => {
                evaluation.players.iter().map(String::as_str).collect()
            }
            StageStudy::Compare(comparison) => vec![&comparison.first, &comparison.second],
            StageStudy::Select { .. } | StageStudy::Write { .. } => Vec::new(),
        }
    }

    /// The stages that must be completed first.
    pub(super) fn needs(&self) -> Vec<&str> {
        let selected = match self {
            StageStudy::Select { from } => Some(from.as_str()),
            _ => None,
        };
        let players = self.players();
        let players = players.into_iter().flat_map(references);
        players.chain(selected).collect()
    }

    /// The game of the study, if it has one.
    pub(super) fn ruleset(&self) -> Option<&str> {
        match self {
            StageStudy::Learn(learning) => Some(&learning.ruleset),
            StageStudy::Evaluate(evaluation) => Some(&evaluation.ruleset),
            StageStudy::Compare(comparison) => Some(&comparison.ruleset),
            StageStudy::Select { .. } | StageStudy::Write { .. } => None,
        }
    }

    /// The seed of the study, if it has one.
    pub(super) fn seed(&self) -> Option<u64> {
        match self {
            StageStudy::Learn(learning) => Some(learning.seed),
            StageStudy::Evaluate(evaluation) => Some(evaluation.seed),
            StageStudy::Compare(comparison) => Some(comparison.seed),
            StageStudy::Select { .. } | StageStudy::Write { .. } => None,
        }
    }

    /// The same study with every reference replaced by a player.
    pub(super) fn resolved<E>(
        &self,
        mut find: impl FnMut(&str) -> Result<String, E>,
    ) -> Result<StageStudy, E> {
        let mut named = |text: &str| with_references(text, &mut find);
        let mut study = self.clone();
        match &mut study {
            StageStudy::Learn(learning) => {
                learning.start = learning.start.as_deref().map(named).transpose()?;
            }
            StageStudy::Evaluate(evaluation) => {
                for player in &mut evaluation.players {
                    *player = named(player)?;
                }
            }
            StageStudy::Compare(comparison) => {
                comparison.first = named(&comparison.first)?;
                comparison.second = named(&comparison.second)?;
            }
            StageStudy::Select { .. } | StageStudy::Write { .. } => {}
        }
        Ok(study)
    }

    /// Finds invalid settings before anything is played. References must have been replaced.
    pub(super) fn check(&self) -> Result<(), ExperimentError> {
        let library = FileSource::Disk;
        match self {
            StageStudy::Learn(learning) => Task::new((**learning).clone()).map(drop)?,
            StageStudy::Evaluate(evaluation) => {
                evaluation.check(library)?;
                evaluation.check_games()?;
            }
            StageStudy::Compare(comparison) => {
                let ruleset = library.ruleset(&comparison.ruleset)?;
                for player in self.players() {
                    crate::study::find_able_player(library, player, &ruleset)?;
                }
            }
            StageStudy::Select { .. } => {}
            StageStudy::Write { player } => {
                crate::library::PlayerFile::parse(player, "the player of the experiment")
                    .map(drop)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_found_and_replaced_inside_specs() {
        let text = "greedy(@learn-6.1,losing=allow)";
        assert_eq!(references(text).collect::<Vec<_>>(), ["learn-6.1"]);
        let replaced = with_references(text, |name| Ok::<_, ()>(format!("<{name}>")));
        assert_eq!(replaced.unwrap(), "greedy(<learn-6.1>,losing=allow)");
        assert_eq!(references("bcts").count(), 0);
    }
}

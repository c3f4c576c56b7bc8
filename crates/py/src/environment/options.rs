//! The options of environments.

use crate::convert::{described, to_json};
use crate::errors::Raise;
use crate::game::RulesetName;
use pyo3::prelude::*;
use serde::Deserialize;
use std::sync::Arc;
use tetrolab::core::spec::Spec;
use tetrolab::environment::{
    EnvironmentKind, EnvironmentSetup, IllegalActions, RewardKind, Shaping,
};
use tetrolab::library::{FileSource, FullRules, find_evaluator, find_features};

/// The setup of an environment, and a text that is equal for environments with compatible states.
pub(super) fn setup_of(
    ruleset: &RulesetName<'_>,
    options: &Bound<'_, PyAny>,
) -> PyResult<(EnvironmentSetup, Arc<str>)> {
    let given = to_json(options, "environment")?;
    let options: Options = described(options, "environment")?;
    let setup = options.setup(ruleset)?;
    let rules = FullRules::with_files(&setup.ruleset, FileSource::Disk);
    let rules = serde_json::to_string(&rules.map_err(Raise::raise)?).unwrap_or_default();
    Ok((setup, format!("{given}, {rules}").into()))
}

/// The options of an environment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    kind: Kind,
    board: Option<BoardForm>,
    pieces: PieceForm,
    features: Option<String>,
    reward: Reward,
    shaping: Option<String>,
    shaping_discount: f64,
    shaping_scale: f64,
    max_steps: Option<u64>,
    illegal: Illegal,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Placement,
    Afterstates,
    Keys,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum BoardForm {
    Cells,
    Packed,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum PieceForm {
    OneHot,
    Index,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Reward {
    Lines,
    Points,
    Survival,
    Nothing,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Illegal {
    Nearest,
    Raise,
}

impl Options {
    fn setup(&self, ruleset: &RulesetName<'_>) -> PyResult<EnvironmentSetup> {
        let ruleset = ruleset.find()?;
        let width = ruleset.width;
        let kind = match self.kind {
            Kind::Placement => EnvironmentKind::Placement,
            Kind::Afterstates => EnvironmentKind::Afterstates,
            Kind::Keys => EnvironmentKind::Keys,
        };
        let features = self.features.as_deref().map(find_features).transpose();
        let shaping = self
            .shaping
            .as_deref()
            .map(|name| self.shaping(name, width));
        Ok(EnvironmentSetup {
            cells: self.board == Some(BoardForm::Cells),
            packed: self.board == Some(BoardForm::Packed),
            one_hot: self.pieces == PieceForm::OneHot,
            features: features.map_err(Raise::raise)?.unwrap_or_default(),
            reward: match self.reward {
                Reward::Lines => RewardKind::Lines,
                Reward::Points => RewardKind::Points,
                Reward::Survival => RewardKind::Survival,
                Reward::Nothing => RewardKind::Nothing,
            },
            shaping: shaping.transpose()?,
            max_steps: self.max_steps,
            illegal: match self.illegal {
                Illegal::Nearest => IllegalActions::Nearest,
                Illegal::Raise => IllegalActions::Refuse,
            },
            ..EnvironmentSetup::new(kind, ruleset)
        })
    }

    fn shaping(&self, name: &str, width: usize) -> PyResult<Shaping> {
        let spec: Spec = name.parse().map_err(Raise::raise)?;
        Ok(Shaping {
            evaluator: find_evaluator(&spec, width).map_err(Raise::raise)?,
            discount: self.shaping_discount,
            scale: self.shaping_scale,
        })
    }
}

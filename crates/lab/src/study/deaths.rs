//! Deaths: how a player loses, for players that rarely lose.

use super::StudyError;
use super::players::find_able_player;
use crate::context::Context;
use crate::survival::{Death, Deaths, Goal, LevelKind, Splitting, TRAJECTORIES};
use serde::{Deserialize, Serialize};

/// The player and the search parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DeathSearch {
    /// The player.
    pub player: String,
    /// The game: a ruleset by name, spec or file.
    pub ruleset: String,
    /// The importance function.
    pub level: LevelKind,
    /// Trajectories that start at each level of a repetition.
    pub trajectories: usize,
    /// Maximum number of deaths shown.
    pub deaths: usize,
    /// Number of repetitions, from which the one with the highest death rate is chosen.
    pub worst_of: u64,
    /// The seed of the estimate: an evaluation with the same seed and level counts the same deaths.
    pub seed: u64,
}

impl Default for DeathSearch {
    /// The deaths of a well-known player on the small board.
    fn default() -> DeathSearch {
        DeathSearch {
            player: "bcts".to_owned(),
            ruleset: "simplified-10x10".to_owned(),
            level: LevelKind::default(),
            trajectories: TRAJECTORIES,
            deaths: 3,
            worst_of: 1,
            seed: 1,
        }
    }
}

/// The deaths of one repetition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundDeaths {
    /// The name of the ruleset.
    pub ruleset: String,
    /// The number of the repetition, starting at 0.
    pub repetition: u64,
    /// Deaths per piece in this repetition.
    pub rate: f64,
    /// Some of these deaths, each from a different excursion.
    pub deaths: Vec<Death>,
}

/// Finds deaths by splitting.
///
/// # Errors
/// If a name or a number is invalid, the player's games may never end, or the search is cancelled.
pub fn find_deaths(search: &DeathSearch, context: &Context) -> Result<FoundDeaths, StudyError> {
    let ruleset = context.library().ruleset(&search.ruleset)?;
    let player = find_able_player(context.library(), &search.player, &ruleset)?;
    let splitting = Splitting {
        trajectories: search.trajectories,
        level: search.level.clone(),
        player: search.player.clone(),
        ..Splitting::default()
    };
    context.run(|| {
        let mut prepared = splitting.prepare(context, &*player, &ruleset, search.seed)?;
        if search.worst_of > 1 {
            prepared.run(context, Goal::Repetitions(search.worst_of))?;
        }
        let rates = prepared.rates().into_iter().zip(0..);
        let worst = rates.max_by(|a, b| a.0.total_cmp(&b.0));
        let repetition = worst.map_or(0, |(_, index)| index);
        let Deaths { rate, deaths } = prepared.deaths(context, repetition, search.deaths)?;
        Ok(FoundDeaths {
            ruleset: ruleset.name.clone(),
            repetition,
            rate,
            deaths,
        })
    })
}

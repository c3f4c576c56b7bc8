//! The players of a study, with their names as given.

use super::StudyError;
use crate::arena::{Arm, check_player};
use crate::library::FileSource;
use tetrolab_core::players::Player;
use tetrolab_core::ruleset::Ruleset;

/// A player under its name.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) player: Box<dyn Player>,
}

impl Named {
    pub(super) fn arm(&self) -> Arm<'_> {
        (&self.name, &*self.player)
    }

    /// The number of rows for which the player's lookup tables were learned, if it has any.
    pub(super) fn learned_rows(&self) -> Option<usize> {
        let tables = self.player.evaluator()?.as_tables()?;
        Some(tables.set().size().height)
    }
}

/// Finds a player that can play under a ruleset.
///
/// # Errors
/// If the name is unknown, or the player needs to see more than the ruleset shows.
pub fn find_able_player(
    library: FileSource<'_>,
    name: &str,
    ruleset: &Ruleset,
) -> Result<Box<dyn Player>, StudyError> {
    let player = library.player(name, ruleset)?;
    check_player((name, &*player), ruleset)?;
    Ok(player)
}

/// Finds players that can play under a ruleset; none may occur twice.
pub(crate) fn find_players(
    library: FileSource<'_>,
    names: &[String],
    ruleset: &Ruleset,
) -> Result<Vec<Named>, StudyError> {
    let mut players: Vec<Named> = Vec::new();
    for name in names {
        if players.iter().any(|known| known.name == *name) {
            return StudyError::refused(format!("the player {name} is listed twice"));
        }
        let player = library.player(name, ruleset)?;
        players.push(Named {
            name: name.clone(),
            player,
        });
    }
    players
        .iter()
        .try_for_each(|named| check_player(named.arm(), ruleset))?;
    if players.is_empty() {
        StudyError::refused("expected at least one player, found none")
    } else {
        Ok(players)
    }
}

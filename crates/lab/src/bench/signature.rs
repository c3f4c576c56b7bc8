//! A signature of the decisions of all published players.

use crate::hash::Fnv;
use crate::library::{LibraryError, PUBLISHED, find_player, find_ruleset, published};
use tetrolab_core::game::Status;
use tetrolab_core::players::Player;
use tetrolab_core::rng::game_seed;
use tetrolab_core::ruleset::Ruleset;

/// The rulesets of the signature.
const SIGNATURE_RULESETS: [&str; 5] = [
    "simplified-10x20",
    "simplified-10x10",
    "two-piece-7x12",
    "near-perfect",
    "thesis",
];
/// Number of placements per player and ruleset that enter the signature.
const SIGNATURE_PIECES: u64 = 400;

/// Number of published players in the signature, from the first: players added later are at the end
/// of the list and do not change it.
const SIGNATURE_PLAYERS: usize = 23;

/// A hash of the decisions of published players, which changes if any decision changes. Sixteen
/// hexadecimal digits, the same on every machine.
///
/// # Errors
/// Never, unless a shipped name is invalid.
pub fn signature() -> Result<String, LibraryError> {
    let mut hash = Fnv::new();
    for name in SIGNATURE_RULESETS {
        let ruleset = find_ruleset(name)?;
        for (name, _) in &PUBLISHED[..SIGNATURE_PLAYERS] {
            let per_column = published(name).is_some_and(|file| file.has_vectors());
            if per_column && ruleset.width != 10 {
                continue; // weights per column are for boards 10 wide
            }
            let mut player = find_player(name, &ruleset)?;
            if player.needs_preview() <= ruleset.preview {
                sign_games(player.as_mut(), &ruleset, &mut hash);
            }
        }
    }
    Ok(format!("{:016x}", hash.value()))
}

fn sign_games(player: &mut dyn Player, ruleset: &Ruleset, hash: &mut Fnv) {
    let mut games = 0;
    let mut game = player.begin(ruleset, game_seed(0, games));
    for _ in 0..SIGNATURE_PIECES {
        if game.status() != Status::Playing {
            games += 1;
            game = player.begin(ruleset, game_seed(0, games));
        }
        let placement = player.choose(&game.view());
        hash.add(&[
            placement.piece as u8,
            placement.rotation as u8,
            placement.x,
            placement.y,
        ]);
        game.apply(placement);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_changes_only_when_a_decision_is_meant_to_change() {
        // A deliberate change of behaviour changes this and is mentioned in the changelog.
        assert_eq!(signature().unwrap(), "c446aab4906441eb");
    }
}

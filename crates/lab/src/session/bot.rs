//! The player that plays, gives hints and analyses.

use crate::analysis::{AnalysedPlacement, AnalysedPlayer, ask};
use crate::library::FileSource;
use crate::study::{StudyError, find_able_player};
use std::path::Path as FilePath;
use tetrolab_core::game::{Game, Status};
use tetrolab_core::moves::{Path, PathFinder};
use tetrolab_core::placement::Placement;
use tetrolab_core::players::Player;
use tetrolab_core::rng::player_seed;
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::stepped::SteppedGame;
use tetrolab_core::stop::StopFlag;

/// Placements in an analysis.
const TOP: usize = 5;

/// A player under its name.
#[derive(Clone)]
pub struct Bot {
    /// The name as given.
    pub name: String,
    player: Box<dyn Player>,
}

impl Bot {
    /// A player that was found elsewhere.
    pub fn new(name: &str, player: Box<dyn Player>) -> Bot {
        let name = name.to_owned();
        Bot { name, player }
    }

    /// Finds a player of a library by its name, file or spec.
    ///
    /// # Errors
    /// If the name is unknown, or the player cannot play under the ruleset.
    pub fn find(library: FileSource<'_>, name: &str, ruleset: &Ruleset) -> Result<Bot, StudyError> {
        Ok(Bot::new(name, find_able_player(library, name, ruleset)?))
    }

    /// A short name for a narrow column: that of a file without its folders.
    pub fn short_name(&self) -> String {
        let file = FilePath::new(&self.name).file_name();
        let file = file.filter(|_| self.name.contains('/'));
        file.map_or_else(|| self.name.clone(), |file| file.to_string_lossy().into())
    }

    /// The player.
    pub fn player(&self) -> &dyn Player {
        &*self.player
    }

    /// Sets a flag that stops slow decisions.
    pub(super) fn heed(&mut self, stop: &StopFlag) {
        self.player.heed(stop);
    }

    /// Prepares the player for a new game, or for continuing from another position.
    pub(super) fn start(&mut self, game_seed: u64) {
        self.player.start(player_seed(game_seed));
    }

    /// The player's current placement, if a piece is waiting; the player's state does not change.
    pub(super) fn suggest(&self, game: &Game) -> Option<Placement> {
        self.clone().choose(game)
    }

    /// The player's placement, if a piece is waiting.
    pub(super) fn choose(&mut self, game: &Game) -> Option<Placement> {
        is_asked(game).then(|| self.player.decide(&game.view()))
    }

    /// The inputs that move the falling piece to the bot's placement or, if that can no longer be
    /// reached, to the best one that can.
    pub(super) fn path(&mut self, game: &Game, finder: &mut PathFinder) -> Option<Path> {
        let stepped = game.stepped()?;
        stepped.falling()?;
        let choice = self.choose(game)?;
        if let Some(path) = stepped.path_to(choice, finder) {
            return Some(path);
        }
        let rated = self.player.analyse(&game.view());
        let mut reachable = rated
            .iter()
            .filter_map(|rated| stepped.path_to(rated.placement, finder));
        reachable.next()
    }

    /// The player's best placements, including those after a hold.
    pub(super) fn analyse(&self, game: &Game) -> Option<AnalysedPlayer> {
        if !is_asked(game) {
            return None;
        }
        let (view, mut player) = (game.view(), self.player.clone());
        let mut analysed = ask(&self.name, &mut *player, &view, TOP);
        // As in `Player::decide`: the piece after a hold, if the player then sees enough pieces and
        // rates placements.
        let held = view.after_hold().filter(|held| {
            held.piece != view.piece && held.queue.len() >= self.player.needs_preview()
        });
        if let Some(held) = held.filter(|_| analysed.rated > 0) {
            let other = ask(&self.name, &mut *player, &held, TOP);
            analysed.placements.extend(other.placements);
            let value = |rated: &AnalysedPlacement| {
                let score = rated.score.unwrap_or(f64::NEG_INFINITY);
                (rated.survival.unwrap_or(0.0), score)
            };
            let by_value = |one: &AnalysedPlacement, other: &AnalysedPlacement| {
                let (one, other) = (value(one), value(other));
                other.0.total_cmp(&one.0).then(other.1.total_cmp(&one.1))
            };
            analysed.placements.sort_by(by_value);
            analysed.placements.truncate(TOP);
        }
        Some(analysed)
    }
}

/// Whether there is a piece to place; between two pieces of a stepped game, there is not.
fn is_asked(game: &Game) -> bool {
    let falls = |stepped: &SteppedGame| stepped.falling().is_some();
    game.status() == Status::Playing && game.stepped().is_none_or(falls)
}

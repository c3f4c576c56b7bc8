//! The player that plays, hints and shows what it thinks.

use std::path::PathBuf;
use tetrolab::analysis::{AnalysedPlacement, AnalysedPlayer, ask};
use tetrolab::core::game::{Game, Status};
use tetrolab::core::moves::{Path, PathFinder};
use tetrolab::core::placement::Placement;
use tetrolab::core::players::Player;
use tetrolab::core::rng::player_seed;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::core::stepped::SteppedGame;
use tetrolab::study::find_able_player;

/// How many placements the panel shows.
const SHOWN: usize = 5;

/// A player under its name.
#[derive(Clone)]
pub(crate) struct Bot {
    pub(crate) name: String,
    player: Box<dyn Player>,
}

impl Bot {
    pub(crate) fn find(name: &str, ruleset: &Ruleset) -> anyhow::Result<Bot> {
        let player = find_able_player(name, ruleset).map_err(crate::in_flags::study)?;
        Ok(Bot {
            name: name.to_owned(),
            player,
        })
    }

    /// A name that fits into a narrow column: that of a file without its folders.
    pub(crate) fn short_name(&self) -> String {
        let path = PathBuf::from(&self.name);
        let file = path.file_name().filter(|_| self.name.contains('/'));
        file.map_or_else(|| self.name.clone(), |file| file.to_string_lossy().into())
    }

    /// Whether games must keep a forecast for it.
    pub(crate) fn needs_forecast(&self) -> bool {
        self.player.needs_forecast()
    }

    pub(crate) fn player(&self) -> &dyn Player {
        &*self.player
    }

    /// Told when a game begins, or goes on from another moment.
    pub(crate) fn start(&mut self, game_seed: u64) {
        self.player.start(player_seed(game_seed));
    }

    /// Where it would go now; none when no piece waits. What it has in mind for the game itself does not change.
    pub(crate) fn look(&self, game: &Game) -> Option<Placement> {
        self.clone().choose(game)
    }

    /// Where it goes.
    pub(crate) fn choose(&mut self, game: &Game) -> Option<Placement> {
        is_asked(game).then(|| self.player.decide(&game.view()))
    }

    /// The inputs that bring the falling piece where the bot wants it. If it cannot get there from where it is, to the best place that it can reach.
    pub(crate) fn path(&mut self, game: &Game, finder: &mut PathFinder) -> Option<Path> {
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

    /// What it thinks of the position.
    pub(crate) fn think(&self, game: &Game) -> Option<AnalysedPlayer> {
        if !is_asked(game) {
            return None;
        }
        let (view, mut player) = (game.view(), self.player.clone());
        let mut thoughts = ask(&self.name, &mut *player, &view, SHOWN);
        // As `Player::decide` does: the piece after a hold, if the player sees enough then and rates placements.
        let held = view.after_hold().filter(|held| {
            held.piece != view.piece && held.queue.len() >= self.player.needs_preview()
        });
        if let Some(held) = held.filter(|_| thoughts.rated > 0) {
            let other = ask(&self.name, &mut *player, &held, SHOWN);
            thoughts.placements.extend(other.placements);
            let worth = |rated: &AnalysedPlacement| {
                let score = rated.score.unwrap_or(f64::NEG_INFINITY);
                (rated.survival.unwrap_or(0.0), score)
            };
            let by_worth = |one: &AnalysedPlacement, other: &AnalysedPlacement| {
                let (one, other) = (worth(one), worth(other));
                other.0.total_cmp(&one.0).then(other.1.total_cmp(&one.1))
            };
            thoughts.placements.sort_by(by_worth);
            thoughts.placements.truncate(SHOWN);
        }
        Some(thoughts)
    }
}

/// Whether there is a piece to place: between two pieces of a stepped game there is none.
fn is_asked(game: &Game) -> bool {
    let falls = |stepped: &SteppedGame| stepped.falling().is_some();
    game.status() == Status::Playing && game.stepped().is_none_or(falls)
}

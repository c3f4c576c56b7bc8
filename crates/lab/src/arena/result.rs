//! What was played.

use crate::stats::Observation;
use std::time::Duration;
use tetrolab_core::placement::Placement;

/// What became of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Its number in the series, from 0.
    pub index: u64,
    /// Its own seed: with the ruleset it gives the same pieces again.
    pub seed: u64,
    /// Lines cleared.
    pub lines: u64,
    /// Pieces placed.
    pub pieces: u64,
    /// The thesis' line points.
    pub line_points: u64,
    /// Whether the player lost; otherwise the game was cut off, by the cap or by an interruption.
    pub finished: bool,
    /// The first placements, as many as were to be kept; all of them if there are as many as pieces.
    pub placements: Option<Vec<Placement>>,
}

impl GameResult {
    /// The lines of the game, and whether there could have been more.
    #[must_use]
    pub fn observe_lines(&self) -> Observation {
        self.observe(self.lines)
    }

    fn observe(&self, value: u64) -> Observation {
        let finished = self.finished;
        Observation { value, finished }
    }
}

/// A series of games of one player.
#[derive(Clone, Debug)]
pub struct Played {
    /// The player's name.
    pub name: String,
    /// The games in the order of their numbers. If play was interrupted some numbers are missing.
    pub records: Vec<GameResult>,
    /// Whether play was interrupted before all was played: see [the module](super).
    pub interrupted: bool,
    /// How long it took by the clock; arms that were played side by side share the time by what they cost.
    pub elapsed: Duration,
}

impl Played {
    /// Games that the player lost.
    #[must_use]
    pub fn finished(&self) -> usize {
        self.records.iter().filter(|game| game.finished).count()
    }

    /// Games that were cut off.
    #[must_use]
    pub fn cut_off(&self) -> usize {
        self.records.len() - self.finished()
    }

    /// Lines of every game.
    #[must_use]
    pub fn lines(&self) -> Vec<Observation> {
        self.records.iter().map(GameResult::observe_lines).collect()
    }

    /// Pieces of every game.
    #[must_use]
    pub fn pieces(&self) -> Vec<Observation> {
        let observe = |game: &GameResult| game.observe(game.pieces);
        self.records.iter().map(observe).collect()
    }

    /// Line points of every game.
    #[must_use]
    pub fn line_points(&self) -> Vec<Observation> {
        let observe = |game: &GameResult| game.observe(game.line_points);
        self.records.iter().map(observe).collect()
    }

    /// How many placements the player chose.
    #[must_use]
    pub fn decisions(&self) -> u64 {
        self.records.iter().map(|game| game.pieces).sum()
    }

    /// How many placements it chose per second by the clock, on all threads together.
    #[must_use]
    pub fn decisions_per_second(&self) -> f64 {
        self.decisions() as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// The lines of the games that all of these players played, in the same order for each: what can be compared. An
/// interruption leaves games that only some have begun; they are not among them.
#[must_use]
pub fn common_lines(played: &[Played]) -> Vec<Vec<Observation>> {
    let Some((first, others)) = played.split_first() else {
        return Vec::new();
    };
    let find = |arm: &Played, index: u64| {
        let found = arm.records.binary_search_by_key(&index, |game| game.index);
        found.ok().map(|at| arm.records[at].observe_lines())
    };
    let mut common = vec![Vec::new(); played.len()];
    for game in &first.records {
        let same: Option<Vec<_>> = others.iter().map(|arm| find(arm, game.index)).collect();
        if let Some(same) = same {
            common[0].push(game.observe_lines());
            for (arm, lines) in common[1..].iter_mut().zip(same) {
                arm.push(lines);
            }
        }
    }
    common
}

//! Results of played games.

use super::GameSeries;
use crate::stats::Observation;
use std::ops::Range;
use std::time::Duration;
use tetrolab_core::placement::Placement;
use tetrolab_core::rng::game_seed;

/// The result of one game; [48 bytes](super::MOST_GAMES).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The number of the game in the series, starting at 0.
    pub index: u64,
    /// Lines cleared.
    pub lines: u64,
    /// Pieces placed.
    pub pieces: u64,
    /// The thesis' line points.
    pub line_points: u64,
    /// The points by the rules of a stepped game; 0 where the ruleset gives no points.
    pub points: u64,
    /// Whether the player lost; otherwise the game was truncated, by the cap or by an interruption.
    pub finished: bool,
}

impl GameResult {
    /// The lines of the game, and whether they are censored.
    pub(crate) fn observe_lines(&self) -> Observation {
        self.observe(self.lines)
    }

    fn observe(&self, value: u64) -> Observation {
        let finished = self.finished;
        Observation { value, finished }
    }
}

/// Games of one arm played by one worker.
#[derive(Debug)]
pub(super) struct PlayedChunk {
    pub(super) arm: usize,
    pub(super) games: Vec<GameResult>,
    /// The placements of each game, if they are recorded.
    pub(super) placements: Vec<Vec<Placement>>,
    pub(super) took: Duration,
}

impl PlayedChunk {
    /// No games.
    pub(super) fn new(arm: usize) -> PlayedChunk {
        PlayedChunk {
            arm,
            games: Vec::new(),
            placements: Vec::new(),
            took: Duration::ZERO,
        }
    }

    /// Games that were played before this call.
    pub(super) fn known(arm: usize, games: &[GameResult]) -> PlayedChunk {
        PlayedChunk {
            games: games.to_vec(),
            ..PlayedChunk::new(arm)
        }
    }
}

/// A range of a series, played by one player.
#[derive(Clone, Debug)]
pub struct Played {
    /// The player's name.
    pub name: String,
    /// The seed of the series.
    pub seed: u64,
    /// The games, ordered by number. If play was interrupted, some numbers are missing.
    pub games: Vec<GameResult>,
    /// For each of these games, its first placements, up to the limit; empty if none are recorded.
    pub placements: Vec<Vec<Placement>>,
    /// Whether play was interrupted: see [the module](super).
    pub interrupted: bool,
    /// Wall-clock time; arms played together share it according to their cost.
    pub elapsed: Duration,
}

impl Played {
    /// Merges the games of several workers.
    pub(super) fn new(
        name: &str,
        series: &GameSeries<'_>,
        games: &Range<u64>,
        chunks: Vec<PlayedChunk>,
        elapsed: Duration,
    ) -> Played {
        let mut played = Played {
            name: name.to_owned(),
            seed: series.seed,
            games: Vec::new(),
            placements: Vec::new(),
            interrupted: false,
            elapsed,
        };
        let count = chunks.iter().map(|chunk| chunk.games.len()).sum();
        if chunks.len() > 1 {
            played.games.reserve_exact(count);
        }
        for chunk in chunks {
            extend(&mut played.games, chunk.games);
            extend(&mut played.placements, chunk.placements);
        }
        played.sort();
        let cap = series.limits.max_pieces.unwrap_or(u64::MAX);
        let cut_short = |game: &GameResult| !game.finished && game.pieces < cap;
        played.interrupted = (played.games.len() as u64) < games.end - games.start
            || played.games.iter().any(cut_short);
        played
    }

    /// Sorts the games, with their placements, by their numbers.
    fn sort(&mut self) {
        if self.placements.is_empty() {
            self.games.sort_unstable_by_key(|game| game.index);
            return;
        }
        let placements = std::mem::take(&mut self.placements);
        let mut together: Vec<_> = self.games.drain(..).zip(placements).collect();
        together.sort_unstable_by_key(|(game, _)| game.index);
        (self.games, self.placements) = together.into_iter().unzip();
    }

    /// Appends the next games of the same player and series, adding their time.
    ///
    /// # Panics
    /// If the games are from another series, or do not follow the existing ones.
    pub fn append(&mut self, next: Played) {
        assert!(
            self.is_continued_by(&next),
            "a range is continued by a later one of the same series"
        );
        self.games.extend(next.games);
        self.placements.extend(next.placements);
        self.interrupted |= next.interrupted;
        self.elapsed += next.elapsed;
    }

    /// Whether games are from the same series and follow these.
    fn is_continued_by(&self, next: &Played) -> bool {
        let (Some(last), Some(first)) = (self.games.last(), next.games.first()) else {
            return self.seed == next.seed;
        };
        let keeps_placements = |played: &Played| !played.placements.is_empty();
        self.seed == next.seed
            && last.index < first.index
            && keeps_placements(self) == keeps_placements(next)
    }

    /// The seed of a game of this series: with the ruleset it determines the pieces.
    pub(crate) fn seed_of(&self, game: &GameResult) -> u64 {
        game_seed(self.seed, game.index)
    }

    /// Number of games that the player lost.
    pub fn finished(&self) -> usize {
        self.games.iter().filter(|game| game.finished).count()
    }

    /// Number of truncated games.
    #[must_use]
    pub fn cut_off(&self) -> usize {
        self.games.len() - self.finished()
    }

    fn observations(&self, value: fn(&GameResult) -> u64) -> Vec<Observation> {
        let observe = |game: &GameResult| game.observe(value(game));
        self.games.iter().map(observe).collect()
    }

    /// Lines of every game.
    pub fn lines(&self) -> Vec<Observation> {
        self.observations(|game| game.lines)
    }

    /// Pieces of every game.
    pub fn pieces(&self) -> Vec<Observation> {
        self.observations(|game| game.pieces)
    }

    /// Line points of every game.
    pub fn line_points(&self) -> Vec<Observation> {
        self.observations(|game| game.line_points)
    }

    /// Points of every game.
    pub fn points(&self) -> Vec<Observation> {
        self.observations(|game| game.points)
    }

    /// Number of placements that the player chose.
    pub fn decisions(&self) -> u64 {
        self.games.iter().map(|game| game.pieces).sum()
    }

    /// Number of placements chosen per second of wall-clock time, on all threads together.
    pub fn decisions_per_second(&self) -> f64 {
        self.decisions() as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// Appends one vector to another without copying the first, unless its capacity is too small.
fn extend<T>(all: &mut Vec<T>, more: Vec<T>) {
    if all.capacity() == 0 {
        *all = more;
    } else {
        all.extend(more);
    }
}

/// The lines of the games that all of these players played, in the same order for each. Games that
/// only some of them started before an interruption are omitted.
pub(crate) fn common_lines(played: &[Played]) -> Vec<Vec<Observation>> {
    let Some((first, others)) = played.split_first() else {
        return Vec::new();
    };
    let find = |arm: &Played, index: u64| {
        let found = arm.games.binary_search_by_key(&index, |game| game.index);
        found.ok().map(|at| arm.games[at].observe_lines())
    };
    let mut common = vec![Vec::new(); played.len()];
    for game in &first.games {
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

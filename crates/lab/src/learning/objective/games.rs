//! Objectives that average over whole or capped games.

use super::{FitnessUnit, Judgement, Objective, ObjectiveEntry, Trial};
use crate::arena::{Arm, GameResult, Played};
use crate::learning::LearningError;
use tetrolab_core::players::Player;

pub(super) const LINES: ObjectiveEntry = ObjectiveEntry {
    id: "lines",
    definition: "mean lines of the games",
    source: "Boumaza 2009; Thiery and Scherrer 2009",
    settings: &[],
    make: |_| games("lines", |game| game.lines, mean),
};

pub(super) const LINE_POINTS: ObjectiveEntry = ObjectiveEntry {
    id: "line-points",
    definition: "mean line points of the games: n lines cleared with one piece give 2^(n-1)",
    source: "thesis",
    settings: &[],
    make: |_| games("points", |game| game.line_points, mean),
};

pub(super) const PIECES: ObjectiveEntry = ObjectiveEntry {
    id: "pieces",
    definition: "mean pieces placed in the games",
    source: "survival time, as in Bertsekas and Ioffe 1996",
    settings: &[],
    make: |_| games("pieces", |game| game.pieces, mean),
};

pub(super) const TRIMMED: ObjectiveEntry = ObjectiveEntry {
    id: "trimmed",
    definition: "mean lines of the middle third of the games, which excludes very lucky and very unlucky games",
    source: "Misakamm 2026",
    settings: &[],
    make: |_| games("lines", |game| game.lines, middle_third),
};

type ScoreOf = fn(&GameResult) -> u64;
type Average = fn(&mut [u64]) -> f64;

/// An objective without settings.
fn games(quantity: &'static str, score: ScoreOf, average: Average) -> Box<dyn Objective> {
    Box::new(AverageOfGames {
        quantity,
        score,
        average,
    })
}

/// Plays the games of the trial and averages a score.
struct AverageOfGames {
    quantity: &'static str,
    score: ScoreOf,
    average: Average,
}

impl Objective for AverageOfGames {
    fn unit(&self) -> FitnessUnit {
        FitnessUnit::mean(self.quantity)
    }

    fn judge_games(&self, played: &[Played]) -> Option<Judgement> {
        Some(Judgement {
            fitness: played.iter().map(|arm| self.fitness(arm)).collect(),
            games: played.iter().map(|arm| arm.games.len() as u64).sum(),
            pieces: played.iter().map(Played::decisions).sum(),
            cut_off: Some(played.iter().map(|played| played.cut_off() as u64).sum()),
        })
    }

    fn judge(
        &self,
        trial: &Trial<'_>,
        candidates: &[Box<dyn Player>],
    ) -> Result<Option<Judgement>, LearningError> {
        let mut judgement = Judgement::default();
        for some in candidates.chunks(judged_together(trial.games)) {
            let Some(part) = self.judge_together(trial, some)? else {
                return Ok(None);
            };
            judgement.add(part);
        }
        Ok(Some(judgement))
    }
}

/// Number of candidates that play at the same time: the arena needs about 60 KB for each.
const TOGETHER: usize = 2_000;
/// Number of games played at the same time: their results need 120 bytes each.
const MOST_RESULTS: u64 = 2_000_000;

/// Number of candidates that are judged at the same time, each by this many games.
pub(in crate::learning) fn judged_together(games: u64) -> usize {
    let together = usize::try_from(MOST_RESULTS / games.max(1));
    together.unwrap_or(TOGETHER).clamp(1, TOGETHER)
}

impl AverageOfGames {
    /// Evaluates as many candidates as fit into one batch.
    fn judge_together(
        &self,
        trial: &Trial<'_>,
        candidates: &[Box<dyn Player>],
    ) -> Result<Option<Judgement>, LearningError> {
        let arm = |player| -> Arm<'_> { ("a candidate", player) };
        let arms: Vec<Arm<'_>> = candidates.iter().map(|player| arm(&**player)).collect();
        let played = trial
            .context
            .play_all(&arms, &trial.series, 0..trial.games)?;
        if played.iter().any(|arm| arm.interrupted) {
            return Ok(None);
        }
        Ok(self.judge_games(&played))
    }

    fn fitness(&self, played: &Played) -> f64 {
        let mut scores: Vec<u64> = played.games.iter().map(self.score).collect();
        (self.average)(&mut scores)
    }
}

/// The mean; the sum is exact, so it does not depend on the order.
fn mean(scores: &mut [u64]) -> f64 {
    let sum: u128 = scores.iter().map(|&score| u128::from(score)).sum();
    sum as f64 / scores.len() as f64
}

/// The mean without the lowest and the highest third, each rounded down.
fn middle_third(scores: &mut [u64]) -> f64 {
    scores.sort_unstable();
    let (n, third) = (scores.len(), scores.len() / 3);
    mean(&mut scores[third..n - third])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_third_excludes_the_extremes() {
        assert_eq!(middle_third(&mut [7]), 7.0);
        assert_eq!(middle_third(&mut [9, 1]), 5.0);
        assert_eq!(middle_third(&mut [1_000_000, 4, 0]), 4.0);
        assert_eq!(middle_third(&mut [900, 1, 0, 4, 5, 800]), 4.5);
    }
}

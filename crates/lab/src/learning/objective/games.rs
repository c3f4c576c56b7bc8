//! Objectives that average over whole or capped games.

use super::{Objective, ObjectiveEntry, Stage, Verdict};
use crate::arena::{Arm, GameResult, Played};
use crate::learning::LearningError;
use tetrolab_core::players::Player;

pub(super) const LINES: ObjectiveEntry = ObjectiveEntry {
    id: "lines",
    definition: "mean lines of the games",
    source: "Boumaza 2009; Thiery and Scherrer 2009",
    settings: &[],
    make: |_| games(|game| game.lines, mean),
};

pub(super) const LINE_POINTS: ObjectiveEntry = ObjectiveEntry {
    id: "line-points",
    definition: "mean line points of the games: n lines cleared with one piece give 2^(n-1)",
    source: "thesis",
    settings: &[],
    make: |_| games(|game| game.line_points, mean),
};

pub(super) const PIECES: ObjectiveEntry = ObjectiveEntry {
    id: "pieces",
    definition: "mean pieces placed in the games",
    source: "survival time, as in Bertsekas and Ioffe 1996",
    settings: &[],
    make: |_| games(|game| game.pieces, mean),
};

pub(super) const TRIMMED: ObjectiveEntry = ObjectiveEntry {
    id: "trimmed",
    definition: "mean lines of the middle third of the games: neither luck nor misfortune counts",
    source: "Misakamm 2026",
    settings: &[],
    make: |_| games(|game| game.lines, middle_third),
};

type Score = fn(&GameResult) -> u64;
type Average = fn(&mut [u64]) -> f64;

/// An objective without settings.
fn games(score: Score, average: Average) -> Box<dyn Objective> {
    Box::new(Games { score, average })
}

/// Plays the games of the stage and averages a score.
struct Games {
    score: Score,
    average: Average,
}

impl Objective for Games {
    fn judge(
        &self,
        stage: &Stage<'_>,
        candidates: &[Box<dyn Player>],
    ) -> Result<Option<Verdict>, LearningError> {
        let arm = |player| -> Arm<'_> { ("a candidate", player) };
        let arms: Vec<Arm<'_>> = candidates.iter().map(|player| arm(&**player)).collect();
        let played = stage
            .arena
            .play_all(&arms, stage.ruleset, stage.games, stage.seed)?;
        if played.iter().any(|arm| arm.interrupted) {
            return Ok(None);
        }
        Ok(Some(Verdict {
            fitness: played.iter().map(|arm| self.fitness(arm)).collect(),
            games: played.iter().map(|arm| arm.records.len() as u64).sum(),
            pieces: played.iter().map(Played::decisions).sum(),
            cut_off: Some(played.iter().map(|played| played.cut_off() as u64).sum()),
        }))
    }
}

impl Games {
    fn fitness(&self, played: &Played) -> f64 {
        let mut scores: Vec<u64> = played.records.iter().map(self.score).collect();
        (self.average)(&mut scores)
    }
}

/// The mean; the sum is exact, so that it does not depend on an order.
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
    fn the_middle_third_sees_neither_luck_nor_misfortune() {
        assert_eq!(middle_third(&mut [7]), 7.0);
        assert_eq!(middle_third(&mut [9, 1]), 5.0);
        assert_eq!(middle_third(&mut [1_000_000, 4, 0]), 4.0);
        assert_eq!(middle_third(&mut [900, 1, 0, 4, 5, 800]), 4.5);
    }
}

//! Fits the danger to the trajectories that reached the next level.
//!
//! Let q(s) = exp f(s) be the probability of dying from board s before the base is reached, with f
//! linear in the terms of the board. For a level, Q is the probability of dying from its entries:
//! the product of the fractions that continued from here to the end. A trajectory through s gives
//! an observation y of q(s): the Q of the next level if it reached that level, 1 if it died, and 0
//! if it fell back. This is a Poisson regression with its natural link, whose gradient is the
//! relative error:
//!
//! > minimise over f, summed over the levels, the mean over the boards of a level of
//! > q(s) / c - (y / c) f(s)
//!
//! with c the mean of y on the level, so that all levels count equally, however small their
//! probabilities are. It is convex, and Newton's method finds the minimum. The value of a board at
//! the next level beyond the mean is ignored: f would otherwise be fitted to its own errors, which
//! are largest where a trajectory has just reached a level of f.

use super::super::importance::{DANGER_TERMS, Danger, DangerTerms};
use super::{Explored, ExploredEnd, ExploredLevel};

/// Maximum number of steps of Newton's method.
const STEPS: usize = 40;
/// Shorter steps end the fit.
const SHORT: f64 = 1e-3;
/// The maximum step, in the logarithm of the probability for a term that is one standard deviation
/// away.
const LONGEST: f64 = 0.5;
/// The initial strength of the prior, relative to data of weight 1 per level.
const RIDGE: f64 = 0.01;
/// Observations and predictions are clipped at this multiple of the mean of the level.
const MOST: f64 = 30.0;

/// Intercept and terms.
const SIZE: usize = DANGER_TERMS + 1;
type Vector = [f64; SIZE];

/// The danger that fits these levels on a board of this width; `None` if they contain no
/// information.
pub(in super::super) fn fit(levels: &[ExploredLevel], width: usize) -> Option<Danger> {
    let logs = logs_of_chances(levels)?;
    let scale = TermScale::of(levels)?;
    let shown = levels.iter().zip(&logs);
    let shown: Vec<Shown> = shown
        .filter_map(|(level, next)| Shown::of(level, *next, &scale))
        .collect();
    let start = start(levels, &logs, &scale, width)?;
    let mut numbers = start;
    for _ in 0..STEPS {
        let step = newton_step(&shown, &numbers, &start)?;
        let longest = step.iter().fold(0.0_f64, |most, part| most.max(part.abs()));
        let part = (LONGEST / longest).min(1.0);
        for (number, step) in numbers.iter_mut().zip(step) {
            *number += part * step;
        }
        if longest < SHORT {
            break;
        }
    }
    Some(scale.danger(&numbers))
}

/// For every level, the logarithm of the probability of dying once the next one is reached; `None`
/// if no trajectory continued from some level.
fn logs_of_chances(levels: &[ExploredLevel]) -> Option<Vec<f64>> {
    let mut logs = vec![0.0; levels.len()];
    for index in (1..levels.len()).rev() {
        let level = &levels[index];
        let went_on = level
            .iter()
            .filter(|one| one.end != ExploredEnd::Back)
            .count();
        logs[index - 1] = logs[index] + libm::log(went_on as f64 / level.len() as f64);
    }
    logs.iter().all(|log| log.is_finite()).then_some(logs)
}

/// The mean and the spread of every term: the fit is done in standard deviations.
struct TermScale {
    means: [f64; DANGER_TERMS],
    spreads: [f64; DANGER_TERMS],
}

impl TermScale {
    fn of(levels: &[ExploredLevel]) -> Option<TermScale> {
        let boards = || levels.iter().flatten().flat_map(|one| &one.boards);
        let count = boards().count() as f64;
        if count == 0.0 {
            return None;
        }
        let mut means = [0.0; DANGER_TERMS];
        let mut spreads = [0.0; DANGER_TERMS];
        for board in boards() {
            for (mean, &term) in means.iter_mut().zip(board) {
                *mean += f64::from(term) / count;
            }
        }
        for board in boards() {
            for ((spread, mean), &term) in spreads.iter_mut().zip(means).zip(board) {
                *spread += (f64::from(term) - mean).powi(2) / count;
            }
        }
        // A term that never varies carries no information.
        let spreads = spreads.map(|square| {
            if square > 0.0 {
                square.sqrt()
            } else {
                f64::INFINITY
            }
        });
        Some(TermScale { means, spreads })
    }

    fn vector(&self, terms: &DangerTerms) -> Vector {
        let mut vector = [1.0; SIZE];
        for (term, value) in vector[1..].iter_mut().enumerate() {
            *value = (f64::from(terms[term]) - self.means[term]) / self.spreads[term];
        }
        vector
    }

    /// The danger with these parameters in units of standard deviations.
    fn danger(&self, numbers: &Vector) -> Danger {
        let mut weights = [0.0; DANGER_TERMS];
        let mut intercept = numbers[0];
        for (term, weight) in weights.iter_mut().enumerate() {
            *weight = numbers[1 + term] / self.spreads[term];
            intercept -= *weight * self.means[term];
        }
        Danger::new(intercept, &weights)
    }
}

/// The observations of one level.
struct Shown {
    /// The logarithm of c.
    log_mean: f64,
    /// Boards, each with y / c.
    boards: Vec<(Vector, f64)>,
}

impl Shown {
    /// `None` if no trajectory of the level continued.
    fn of(level: &[Explored], next: f64, scale: &TermScale) -> Option<Shown> {
        let shows = |one: &Explored| match one.end {
            ExploredEnd::Back => 0.0,
            ExploredEnd::Up => libm::exp(next),
            ExploredEnd::Dead => 1.0,
        };
        let count: usize = level.iter().map(|one| one.boards.len()).sum();
        let total: f64 = level
            .iter()
            .map(|one| one.boards.len() as f64 * shows(one))
            .sum();
        let mean = total / count as f64;
        if mean.is_nan() || mean <= 0.0 {
            return None;
        }
        let boards = level.iter().flat_map(|one| {
            let shown = (shows(one) / mean).min(MOST);
            one.boards
                .iter()
                .map(move |board| (scale.vector(board), shown))
        });
        Some(Shown {
            log_mean: libm::log(mean),
            boards: boards.collect(),
        })
    }
}

/// The start and the prior of the fit: the importance of the stack, with the observed
/// probabilities.
fn start(
    levels: &[ExploredLevel],
    logs: &[f64],
    scale: &TermScale,
    width: usize,
) -> Option<Vector> {
    let weights = [(0, 2.0), (1, width as f64)];
    let stack = |level: &ExploredLevel| {
        let boards = || level.iter().flat_map(|one| &one.boards);
        let stacks = boards().map(|board| 2 * board[0] + width as i32 * board[1]);
        let sum: i64 = stacks.map(i64::from).sum();
        sum as f64 / boards().count().max(1) as f64
    };
    // The straight line from the first level to the last.
    let (first, last) = (stack(levels.first()?), stack(levels.last()?));
    let slope = if last > first {
        (logs[levels.len() - 1] - logs[0]) / (last - first)
    } else {
        0.0
    };
    let mut numbers = [0.0; SIZE];
    let mut centre = 0.0;
    for (term, weight) in weights {
        centre += weight * scale.means[term];
        if scale.spreads[term].is_finite() {
            numbers[1 + term] = slope * weight * scale.spreads[term];
        }
    }
    numbers[0] = logs[0] + slope * (centre - first);
    Some(numbers)
}

/// The step of Newton's method from these numbers.
fn newton_step(levels: &[Shown], numbers: &Vector, start: &Vector) -> Option<Vector> {
    let mut gradient = [0.0; SIZE];
    let mut curvature = [[0.0; SIZE]; SIZE];
    for level in levels {
        level.add_to(numbers, &mut gradient, &mut curvature);
    }
    for term in 1..SIZE {
        gradient[term] += RIDGE * (numbers[term] - start[term]);
        curvature[term][term] += RIDGE;
    }
    for row in 0..SIZE {
        for column in 0..row {
            curvature[column][row] = curvature[row][column];
        }
    }
    solve(curvature, gradient.map(|part| -part))
}

impl Shown {
    /// Adds the gradient and the lower half of the Hessian of the objective.
    fn add_to(&self, numbers: &Vector, gradient: &mut Vector, curvature: &mut [Vector; SIZE]) {
        let count = self.boards.len() as f64;
        for (board, shown) in &self.boards {
            let log: f64 = numbers.iter().zip(board).map(|(a, b)| a * b).sum();
            let said = libm::exp(log - self.log_mean).min(MOST);
            for row in 0..SIZE {
                gradient[row] += (said - shown) / count * board[row];
                let weight = said / count * board[row];
                for column in 0..=row {
                    curvature[row][column] += weight * board[column];
                }
            }
        }
    }
}

/// Solves a system of linear equations by elimination; `None` if it has no unique solution.
fn solve(mut matrix: [Vector; SIZE], mut right: Vector) -> Option<Vector> {
    for pivot in 0..SIZE {
        let size = |row: &usize| matrix[*row][pivot].abs();
        let largest = (pivot..SIZE).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        matrix.swap(pivot, largest);
        right.swap(pivot, largest);
        if !matrix[pivot][pivot].is_normal() {
            return None;
        }
        for row in pivot + 1..SIZE {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            for column in pivot..SIZE {
                matrix[row][column] -= factor * matrix[pivot][column];
            }
            right[row] -= factor * right[pivot];
        }
    }
    for pivot in (0..SIZE).rev() {
        let solved = pivot + 1..SIZE;
        let known: f64 = solved
            .map(|column| matrix[pivot][column] * right[column])
            .sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right.iter().all(|part| part.is_finite()).then_some(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetrolab_core::rng::Rng;

    #[test]
    fn a_system_of_equations_is_solved() {
        let mut rng = Rng::new(3);
        let matrix: [Vector; SIZE] =
            std::array::from_fn(|_| std::array::from_fn(|_| rng.unit() - 0.5));
        let solution: Vector = std::array::from_fn(|index| index as f64 - 7.0);
        let right = matrix.map(|row| row.iter().zip(solution).map(|(a, b)| a * b).sum());
        let found = solve(matrix, right).unwrap();
        for (found, expected) in found.iter().zip(solution) {
            assert!((found - expected).abs() < 1e-8);
        }
        assert_eq!(solve([[0.0; SIZE]; SIZE], [1.0; SIZE]), None);
    }

    /// Trajectories from one level whose probability of continuing is exp(-1.5 + 0.2 holes), with 0
    /// to 6 holes.
    fn level(seed: u64) -> ExploredLevel {
        let mut rng = Rng::new(seed);
        let trajectory = |_| {
            let holes = (rng.unit() * 7.0) as i32;
            let mut board = [0; DANGER_TERMS];
            (board[0], board[1], board[2]) = (20, 4, holes);
            let continues = rng.unit() < libm::exp(-1.5 + 0.2 * f64::from(holes));
            Explored {
                boards: vec![board],
                end: if continues {
                    ExploredEnd::Dead
                } else {
                    ExploredEnd::Back
                },
            }
        };
        (0..20_000).map(trajectory).collect()
    }

    #[test]
    fn the_fit_finds_the_terms_that_make_trajectories_continue() {
        let danger = fit(&[level(1)], 10).unwrap();
        let (_, weights) = danger.numbers();
        // In units of 1/65536 of a level, 32 levels for each factor of e.
        let holes = weights[2] as f64 / 65536.0 / 32.0;
        assert!((holes - 0.2).abs() < 0.02, "{holes}");
        assert!(weights[3..].iter().all(|&weight| weight == 0));
    }

    #[test]
    fn levels_that_show_nothing_give_no_danger() {
        assert_eq!(fit(&[], 10), None);
        let back = Explored {
            boards: Vec::new(),
            end: ExploredEnd::Back,
        };
        assert_eq!(fit(&[vec![back]], 10), None);
    }
}

//! Shared code for the tests of all randomizers.

use super::{Draw, Randomizer, RandomizerContext, randomizer};
use crate::board::Board;
use crate::ends::End;
use crate::evaluators::testing::evaluator;
use crate::piece::Piece;
use crate::rng::Rng;
use crate::rules::Rules;
use crate::spec::SpecError;

/// Creates a randomizer for games on the standard board.
pub(super) fn make(spec: &str) -> Result<Box<dyn Randomizer>, SpecError> {
    make_for(spec, End::ABOVE_TOP, 10)
}

pub(super) fn make_for(
    spec: &str,
    end: End,
    width: usize,
) -> Result<Box<dyn Randomizer>, SpecError> {
    let context = RandomizerContext {
        rules: Rules::Drops(end),
        width,
        evaluators: &evaluator,
    };
    randomizer(&spec.parse()?, &context)
}

/// The error message for an invalid spec.
pub(super) fn problem(spec: &str) -> String {
    make(spec).unwrap_err().to_string()
}

fn board() -> Board {
    Board::new(10, 20).unwrap()
}

/// The first pieces of a seed.
pub(super) fn sequence(spec: &str, seed: u64, count: usize) -> Vec<Piece> {
    let (mut randomizer, mut rng) = (make(spec).unwrap(), Rng::new(seed));
    let board = board();
    let next = || randomizer.next(&mut rng, &board);
    std::iter::from_fn(next).take(count).collect()
}

/// A script of draws: the expected bound, and the number to return.
struct Script<'a>(std::slice::Iter<'a, (u64, u64)>);

impl Draw for Script<'_> {
    fn below(&mut self, bound: u64) -> u64 {
        let &(expected, number) = self.0.next().expect("a draw that the script does not have");
        assert_eq!(bound, expected);
        number
    }
}

/// The pieces that result from these draws, all of which must be used.
pub(super) fn scripted_with(spec: &str, draws: &[(u64, u64)]) -> String {
    let (mut randomizer, mut script) = (make(spec).unwrap(), Script(draws.iter()));
    let mut letters = String::new();
    while script.0.len() > 0 {
        letters.extend(randomizer.next(&mut script, &board()).map(Piece::letter));
    }
    letters
}

/// The first pieces of a seed as letters.
pub(super) fn letters(spec: &str, seed: u64, count: usize) -> String {
    let pieces = sequence(spec, seed, count);
    pieces.into_iter().map(Piece::letter).collect()
}

/// The number of times that each piece occurs, in the order of pieces.
pub(super) fn counts(spec: &str, seed: u64, count: usize) -> [u64; 7] {
    let mut counts = [0; 7];
    for piece in sequence(spec, seed, count) {
        counts[piece as usize] += 1;
    }
    counts
}

/// Pearson's statistic over the rows with a positive expectation.
pub(super) fn chi_square(counts: &[u64], expected: &[f64]) -> f64 {
    let pairs = counts
        .iter()
        .zip(expected)
        .filter(|(_, expected)| **expected > 0.0);
    pairs
        .map(|(&count, expected)| (count as f64 - expected).powi(2) / expected)
        .sum()
}

/// The number of pieces that equal their predecessor.
pub(super) fn repeats(pieces: &[Piece]) -> usize {
    pieces.windows(2).filter(|pair| pair[0] == pair[1]).count()
}

/// The maximum number of other pieces between two equal ones.
pub(super) fn longest_drought(pieces: &[Piece]) -> usize {
    let mut last = [None; 7];
    let mut longest = 0;
    for (index, &piece) in pieces.iter().enumerate() {
        if let Some(before) = last[piece as usize].replace(index) {
            longest = longest.max(index - before - 1);
        }
    }
    longest
}

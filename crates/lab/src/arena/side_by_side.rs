//! Plays games side by side with a kernel, and shares them with workers that have none.

use super::GameResult;
use super::chunk::Terms;
use super::exchange::{Exchange, Parcel};
use super::progress::Meter;
use std::ops::Range;
use tetrolab_core::kernel::{self, Kernel, Series, Suspended};
use tetrolab_core::rng::game_seed;

/// Games of one arm, begun or not.
pub(super) enum Games {
    /// Games with these numbers from their beginning.
    New(Range<u64>),
    /// Games that another worker has handed over.
    Handed(Vec<Suspended>),
}

/// Plays games of an arm side by side and appends their results: the same as if they were played one after the other,
/// sooner. When another worker has nothing to do, it gets half of them.
pub(super) fn play_side_by_side(
    kernel: &Kernel,
    terms: &Terms<'_>,
    arm: usize,
    games: Games,
    exchange: &Exchange,
    meter: &mut Meter<'_>,
    results: &mut Vec<GameResult>,
) {
    let mut series = Series::new(kernel, terms.limits.max_pieces);
    match games {
        Games::New(numbers) => {
            numbers.for_each(|index| series.add(index, game_seed(terms.seed, index)));
        }
        Games::Handed(games) => games.into_iter().for_each(|game| series.resume(game)),
    }
    let mut placed = 0;
    let keep = |game: (u64, kernel::GameResult)| result(terms, game.0, &game.1);
    while !terms.stopped() && series.play_a_while() {
        let ended = series.take_ended();
        meter.batch(ended.len() as u64, series.placed() - placed);
        placed = series.placed();
        results.extend(ended.into_iter().map(keep));
        if exchange.is_wanted() && series.left() > 1 {
            let games = series.give(series.left() / 2);
            exchange.hand_over(Parcel { arm, games });
        }
    }
    let ended = series.take_ended();
    let pieces = series.placed() - placed;
    let cut_off = series.cut_off();
    meter.batch((ended.len() + cut_off.len()) as u64, pieces);
    results.extend(ended.into_iter().chain(cut_off).map(keep));
}

fn result(terms: &Terms<'_>, index: u64, game: &kernel::GameResult) -> GameResult {
    GameResult {
        index,
        seed: game_seed(terms.seed, index),
        lines: game.lines,
        pieces: game.pieces,
        line_points: game.line_points,
        finished: game.finished,
        placements: None,
    }
}

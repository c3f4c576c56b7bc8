use super::*;
use crate::deal::Status;
use crate::moves::INPUTS;
use crate::rng::Rng;
use crate::stepped::Inputs;

/// The filled cells of a board.
fn cells(game: &SteppedGame) -> u32 {
    game.board()
        .columns()
        .iter()
        .map(|column| column.count_ones())
        .sum()
}

/// Presses random keys for this many ticks under every ruleset, and counts all cells.
fn fuzz(ticks: u64, seed: u64) {
    let mut rng = Rng::new(seed);
    for spec in STEPPED_RULESETS {
        let rules = rules(spec);
        let mut game = begin(&rules, seed);
        for _ in 0..ticks / STEPPED_RULESETS.len() as u64 {
            if game.status() != Status::Playing {
                game = begin(&rules, rng.below(1 << 40));
            }
            let pressed = INPUTS.into_iter().filter(|_| rng.below(5) == 0);
            let inputs: Inputs = pressed.collect();
            let inputs = inputs.sliding(rng.below(9) == 0);
            if rng.below(300) == 0 {
                game.add_garbage(rng.below(12) as usize);
            }
            let (before, waiting) = (cells(&game), game.waiting_garbage());
            let ticked = game.tick(inputs);
            let risen = (waiting - game.waiting_garbage()) as u32;
            let width = rules.width as u32;
            let expected = ticked.locked.map_or(before, |locked| {
                before + 4 - width * locked.lines() + (width - 1) * risen
            });
            assert_eq!(cells(&game), expected, "{spec}");
            if let Some(falling) = game.falling() {
                let over = game.status() == Status::Over;
                assert!(over || falling.fits(game.board()), "{spec}");
            }
        }
    }
}

#[test]
fn random_keys_neither_lose_nor_double_a_cell() {
    fuzz(300_000, 1);
}

/// The complete test: `cargo test -p tetrolab-core --lib ten_million -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn ten_million_ticks_of_random_keys_neither_lose_nor_double_a_cell() {
    fuzz(10_000_000, 2);
}

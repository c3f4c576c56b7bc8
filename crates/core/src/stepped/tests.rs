mod combinations;
mod entries;
mod fuzz;
mod locks;
mod paths;
mod scores;
mod steps;

use crate::board::Board;
use crate::evaluators::testing::evaluator;
use crate::game::Game;
use crate::moves::Input;
use crate::ruleset::{RULESETS, Ruleset, ruleset};
use crate::stepped::{SteppedGame, Ticked};

/// Every shipped stepped ruleset.
const STEPPED_RULESETS: [&str; 6] = [
    "guideline",
    "nes",
    "tgm",
    "tgm3",
    "near-perfect-stepped",
    "thesis-stepped",
];

fn rules(spec: &str) -> Ruleset {
    ruleset(&spec.parse().unwrap(), &evaluator).unwrap()
}

/// A game with these pieces on this board.
fn game(spec: &str, rows: &[&str]) -> SteppedGame {
    let rules = rules(spec);
    let board = Board::from_lowest_rows(rules.width, rules.height, rows).unwrap();
    on_board(&rules, board, 1)
}

/// A new game on an empty board.
fn begin(rules: &Ruleset, seed: u64) -> SteppedGame {
    on_board(rules, rules.empty_board(), seed)
}

fn on_board(rules: &Ruleset, board: Board, seed: u64) -> SteppedGame {
    let game = Game::on_board(rules, board, seed, None);
    game.stepped().unwrap().clone()
}

/// Presses keys one after the other, one per tick.
fn press(game: &mut SteppedGame, keys: &str) -> Vec<Ticked> {
    let inputs = keys.chars().map(Input::from_letter);
    inputs.map(|input| game.tick(input.into())).collect()
}

#[test]
fn every_stepped_ruleset_is_tested_and_no_placement_game_has_become_one() {
    for entry in RULESETS {
        let name = entry.names()[0].clone();
        let stepped = rules(&name).stepped().is_some();
        assert_eq!(stepped, STEPPED_RULESETS.contains(&entry.id), "{name}");
    }
}

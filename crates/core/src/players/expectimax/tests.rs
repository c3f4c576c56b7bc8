use super::*;
use crate::choice::RatedStep;
use crate::evaluators::Linear;
use crate::evaluators::testing::{evaluator, features};
use crate::game::{Game, Status};
use crate::players::Random;
use crate::players::plain::{Plain, PlainStep};
use crate::randomizers::RANDOMIZERS;
use crate::ruleset::ruleset;

fn rules(spec: &str) -> Ruleset {
    ruleset(&spec.parse().unwrap(), &evaluator).unwrap()
}

fn limits(depth: usize) -> SearchLimits {
    SearchLimits {
        depth,
        width: usize::MAX,
        nodes: 0,
    }
}

fn linear(rows: &[(&str, f64)], width: usize) -> Arc<dyn Evaluator> {
    let ids: Vec<&str> = rows.iter().map(|row| row.0).collect();
    let weights = rows.iter().map(|row| row.1).collect();
    Arc::new(Linear::new(features(&ids, width), weights).unwrap())
}

/// Sees the board, the move and the lines of the whole game, and is quick to compute.
fn quick(width: usize) -> Arc<dyn Evaluator> {
    let rows = [
        ("holes", -4.0),
        ("row_transitions", -1.0),
        ("landing_height", -1.5),
        ("eroded_piece_cells", 1.0),
        ("delta_max_height", -0.5),
        ("total_lines", 0.25),
    ];
    linear(&rows, width)
}

fn search(rules: &Ruleset, options: GreedyOptions, dealing: Dealing, depth: usize) -> Lookahead {
    let replies = leaves::replies(rules, quick(rules.width), options);
    Lookahead::new(replies, dealing, limits(depth))
}

fn rated(search: &mut Lookahead, view: &GameView<'_>) -> Vec<RatedStep> {
    let mut unseen = ForecastTree::new(view.forecast);
    search.rate(&Question::from(view), view.queue, &mut unseen)
}

/// Compares the values of all placements with those of the plain recursion.
fn compare(rules: &Ruleset, game: &Game, options: GreedyOptions, dealing: Dealing, depth: usize) {
    let evaluator = quick(rules.width);
    let view = game.view();
    let plain = Plain {
        evaluator: evaluator.as_linear().unwrap(),
        options,
        dealing,
        end: rules.end,
        shown: view.queue,
    };
    let mut expected = plain.rate(&view, depth);
    let found = rated(&mut search(rules, options, dealing, depth), &view);
    let found: Vec<PlainStep> = found
        .iter()
        .map(|row| PlainStep {
            placement: row.step.transition.placement,
            ends: row.step.transition.game_over,
            value: row.value,
        })
        .collect();
    // The plain list is in the order that decides ties.
    expected.sort_by(|a, b| {
        let lost = |step: &PlainStep| step.ends && !options.may_lose;
        lost(a).cmp(&lost(b)).then(b.value.compare(&a.value))
    });
    assert_eq!(found, expected, "{} {:?}", rules.name, view.board);
}

/// Plays at random and compares in some positions on the way.
fn compare_on_the_way(spec: &str, options: GreedyOptions, checks: &[(Dealing, usize, u64)]) {
    let rules = rules(spec);
    let mut random = Random::new(false);
    for seed in 0..2 {
        let mut game = Game::with_forecast(&rules, seed);
        while game.status() == Status::Playing && game.pieces() < 12 {
            for &(dealing, depth, every) in checks {
                if game.pieces() % every == every / 2 {
                    compare(&rules, &game, options, dealing, depth);
                }
            }
            game.apply(random.choose(&game.view()));
        }
    }
}

#[test]
fn plain_recursion_agrees_under_every_randomizer() {
    for entry in RANDOMIZERS {
        let (two, three) = match entry.id {
            "tgm3" => (6, 20),
            _ => (2, 10),
        };
        for game in ["simplified-4x8", "two-piece-4x8"] {
            let spec = format!("{game}(randomizer={})", entry.example());
            let checks = [(Dealing::ByChance, 2, two), (Dealing::ByChance, 3, three)];
            compare_on_the_way(&spec, GreedyOptions::default(), &checks);
        }
    }
}

//! Tests that every registered kind of player must pass.

use super::*;
use crate::board::Board;
use crate::choice::BestPlacement;
use crate::evaluators::Linear;
use crate::evaluators::testing::{evaluator, features};
use crate::game::{GameSnapshot, Status};
use crate::moves::placements;
use crate::piece::{PIECES, Piece};
use crate::rng::Rng;
use crate::ruleset::ruleset;

/// The two-piece player without the kernel, under any ruleset.
pub(crate) fn two_piece_by_one(
    evaluator: Arc<dyn Evaluator>,
    options: GreedyOptions,
) -> LookaheadPlayer {
    LookaheadPlayer::two_piece_with(Box::new(BestPlacement::new(evaluator, options)))
}

/// The player of a spec, created for the two-piece game on a board of this size.
fn made(spec: &str, size: &str) -> Result<Box<dyn Player>, SpecError> {
    let rules = format!("two-piece-{size}").parse()?;
    let context = PlayerContext {
        ruleset: &ruleset(&rules, &evaluator).unwrap(),
        evaluators: &evaluator,
    };
    player(&spec.parse()?, &context)
}

/// Plays a game and checks every placement along the way; returns the placements.
fn played(player: &mut dyn Player, rules: &str, seed: u64, max_pieces: u64) -> Vec<Placement> {
    let rules = ruleset(&rules.parse().unwrap(), &evaluator).unwrap();
    let mut game = player.begin(&rules, seed);
    let mut placements = Vec::new();
    player.start(seed);
    while game.status() == Status::Playing && game.pieces() < max_pieces {
        let placement = player.choose(&game.view());
        assert_eq!(game.check(placement), Ok(()));
        game.apply(placement);
        placements.push(placement);
    }
    placements
}

#[test]
fn every_example_names_its_entry() {
    for entry in PLAYERS {
        let spec: Spec = entry.example().parse().unwrap();
        assert_eq!(spec.name, entry.id);
        assert!(!entry.definition.is_empty() && !entry.source.is_empty());
        assert!(!entry.settings.is_empty());
        let same_id = PLAYERS.iter().filter(|other| other.id == entry.id);
        assert_eq!(same_id.count(), 1, "{}", entry.id);
    }
}

#[test]
fn every_player_plays_legal_games_on_boards_of_every_kind() {
    let boards = ["4x4", "5x40", "6x12", "7x9", "10x20", "13x5", "16x16"];
    let ends = [
        "above-top",
        "above-top-after-clearing",
        "top-row",
        "entry-blocked",
    ];
    for entry in PLAYERS {
        for board in boards {
            for end in ends {
                let rules = format!("two-piece-{board}(end={end})");
                let mut player = made(&entry.example(), board).unwrap();
                assert!(player.needs_preview() <= 1);
                played(&mut *player, &rules, 6, 60);
            }
        }
    }
}

#[test]
fn every_player_repeats_itself_and_so_does_its_copy() {
    for entry in PLAYERS {
        // A kind that cannot lose on purpose has no such setting.
        let can_lose = entry.options().any(|setting| setting.id == "losing");
        let losing = ["losing=allow", "losing=avoid"].into_iter();
        for settings in losing.filter(|_| can_lose).chain([""]) {
            let example = entry.example();
            let spec = match example.strip_suffix(')') {
                Some(open) if !settings.is_empty() => format!("{open},{settings})"),
                None if !settings.is_empty() => format!("{example}({settings})"),
                _ => example,
            };
            let mut player = made(&spec, "8x10").unwrap();
            let mut copy = player.clone();
            let once = played(&mut *player, "two-piece-8x10", 4, 100);
            assert_eq!(
                once,
                played(&mut *player, "two-piece-8x10", 4, 100),
                "{spec}"
            );
            assert_eq!(once, played(&mut *copy, "two-piece-8x10", 4, 100), "{spec}");
        }
    }
}

#[test]
fn better_players_live_longer() {
    let pieces = |spec: &str| {
        let mut player = made(spec, "6x8").unwrap();
        let games = (0..8).map(|seed| played(&mut *player, "two-piece-6x8", seed, 400).len());
        games.sum::<usize>()
    };
    let [reckless, random, greedy, pairs] = [
        "random(losing=allow)",
        "random",
        "greedy(dellacherie)",
        "two-piece(dellacherie)",
    ]
    .map(pieces);
    assert!(reckless < random && random < greedy && greedy < pairs);
}

#[test]
fn settings_change_how_a_player_chooses() {
    let game = |spec: &str| played(&mut *made(spec, "10x20").unwrap(), "two-piece", 4, 300);
    for kind in ["greedy", "two-piece"] {
        let plain = game(&format!("{kind}(dellacherie)"));
        let same = format!("{kind}(dellacherie,losing=avoid,scored=after,ties=reference)");
        assert_eq!(plain, game(&same));
        assert_ne!(plain, game(&format!("{kind}(dellacherie,scored=before)")));
        assert_ne!(plain, game(&format!("{kind}(dellacherie,ties=center)")));
        assert_ne!(
            plain,
            game(&format!("{kind}(dellacherie,ties=dellacherie)"))
        );
    }
}

#[test]
fn wrong_specs_give_one_clear_sentence() {
    let problem = |spec: &str| made(spec, "10x20").err().map(|error| error.to_string());
    let problem = |spec: &str| problem(spec).unwrap();
    assert_eq!(
        problem("gredy(bcts)"),
        "there is no player 'gredy'; did you mean 'greedy'?"
    );
    assert_eq!(
        problem("greedy"),
        "greedy: needs an evaluator, as in greedy(dellacherie)"
    );
    assert_eq!(
        problem("two-piece(nobody)"),
        "there is no evaluator 'nobody'"
    );
    assert_eq!(
        problem("greedy(dellacherie,ties=left)"),
        "greedy: ties must be reference or center or dellacherie, got 'left'"
    );
    assert_eq!(
        problem("random(losing=never)"),
        "random: losing must be avoid or allow, got 'never'"
    );
    assert_eq!(
        problem("random(dellacherie)"),
        "random: does not take 'dellacherie' here"
    );
    assert_eq!(
        problem("greedy(dellacherie,score=after)"),
        "greedy: there is no setting 'score'; did you mean 'scored'?"
    );
}

#[test]
fn every_player_that_rates_placements_rates_all_and_chooses_the_first() {
    let specs = PLAYERS.iter().map(Entry::example);
    let losing = [
        "greedy(dellacherie,losing=allow)",
        "two-piece(dellacherie,losing=allow)",
    ];
    for spec in specs.chain(losing.map(str::to_owned)) {
        let rules = ruleset(&"two-piece-7x6".parse().unwrap(), &evaluator).unwrap();
        let mut player = made(&spec, "7x6").unwrap();
        if player.has_memory() {
            continue; // It would remember that it was asked.
        }
        for seed in 0..4 {
            let mut game = player.begin(&rules, seed);
            player.start(seed);
            while game.status() == Status::Playing && game.pieces() < 40 {
                let rated = player.analyse(&game.view());
                let choice = player.choose(&game.view());
                if let Some(first) = rated.first() {
                    assert_eq!(first.placement, choice, "{spec}");
                    let all = placements(game.board(), game.view().piece).len();
                    assert!(rated.len() <= all, "{spec}");
                }
                game.apply(choice);
            }
        }
    }
}

#[test]
fn scores_are_in_the_units_of_the_weights() {
    let rules = ruleset(&"two-piece-10x20".parse().unwrap(), &evaluator).unwrap();
    for spec in ["greedy(dellacherie)", "two-piece(dellacherie)"] {
        let mut player = made(spec, "10x20").unwrap();
        let mut game = Game::new(&rules, 1);
        for _ in 0..50 {
            let rated = player.analyse(&game.view());
            let own = rated[0].score;
            assert!(rated.iter().all(|row| row.score <= own));
            assert_eq!(own.fract().abs() % 0.5, 0.0, "weights of 1 and 4 as given");
            assert!((-300.0..0.0).contains(&own), "{own}");
            game.apply(rated[0].placement);
        }
    }
    let view = Game::new(&rules, 1);
    let mut random = made("random", "10x20").unwrap();
    assert!(random.analyse(&view.view()).is_empty());
}

#[test]
fn a_cancelled_search_returns_some_placement() {
    let slow = [
        "mcts(dellacherie,simulations=10000000,depth=100)",
        "rollout(dellacherie,count=10000,length=1000)",
        "beam(dellacherie,width=20000,depth=6)",
        "expectimax(dellacherie,depth=6)",
        "expectimax(dellacherie,depth=6,nodes=1000000000000)",
        "minimax(dellacherie,depth=6)",
        "minimax(dellacherie,depth=6,nodes=1000000000000)",
    ];
    let rules = ruleset(&"two-piece-10x20(preview=6)".parse().unwrap(), &evaluator).unwrap();
    let raised = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    for spec in slow {
        let context = PlayerContext {
            ruleset: &rules,
            evaluators: &evaluator,
        };
        let mut player = player(&spec.parse().unwrap(), &context).unwrap();
        player.heed(&StopFlag::new(raised.clone()));
        let mut player = player.boxed();
        let game = player.begin(&rules, 1);
        let placement = player.choose(&game.view());
        assert_eq!(game.check(placement), Ok(()), "{spec}");
        assert!(!player.analyse(&game.view()).is_empty(), "{spec}");
    }
}

/// A board of a stepped game with cells under overhangs, and a piece.
fn cavernous(rules: &Ruleset, rng: &mut Rng) -> Option<GameSnapshot> {
    let mut board = rules.empty_board();
    for column in 0..rules.width {
        for row in 0..rng.below(13) as usize {
            if rng.below(5) > 1 {
                board.fill(row, column);
            }
        }
    }
    board.remove_full_rows();
    let piece = PIECES[rng.below(7) as usize];
    GameSnapshot::new(rules, board, &[piece, Piece::O]).ok()
}

#[test]
fn the_first_placement_of_an_analysis_is_the_choice_in_stepped_games_too() {
    let rules = ruleset(&"guideline".parse().unwrap(), &evaluator).unwrap();
    // One feature, so that there are many ties.
    let set = features(&["landing_height"], 10);
    let linear = Arc::new(Linear::new(set, vec![-1.0]).unwrap());
    for ties in [Ties::Reference, Ties::Center, Ties::Dellacherie] {
        let mut player = Greedy::new(
            linear.clone(),
            GreedyOptions {
                ties,
                ..GreedyOptions::default()
            },
        );
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let Some(snapshot) = cavernous(&rules, &mut rng) else {
                continue;
            };
            let view = snapshot.view();
            assert_eq!(player.analyse(&view)[0].placement, player.choose(&view));
        }
    }
}

#[test]
fn players_that_look_ahead_rate_their_choice_as_their_analysis_does() {
    let rules = ruleset(&"guideline".parse().unwrap(), &evaluator).unwrap();
    let context = PlayerContext {
        ruleset: &rules,
        evaluators: &evaluator,
    };
    let specs = [
        "greedy(dellacherie)",
        "two-piece(dellacherie)",
        "accelerated(dellacherie)",
        "expectimax(dellacherie,depth=2)",
        "minimax(dellacherie,depth=2)",
        "beam(dellacherie,depth=2,width=3)",
        "rollout(dellacherie,length=1,count=1)",
        "mcts(dellacherie,simulations=40)",
    ];
    for spec in specs {
        let mut player = player(&spec.parse().unwrap(), &context).unwrap();
        let mut rng = Rng::new(3);
        for _ in 0..8 {
            let Some(snapshot) = cavernous(&rules, &mut rng) else {
                continue;
            };
            let view = snapshot.view();
            let analysed = player.analyse(&view).swap_remove(0);
            let rated = player.rated_choice(&view).unwrap();
            assert_eq!(rated.placement, player.choose(&view), "{spec}");
            assert_eq!(rated.placement, analysed.placement, "{spec}");
            assert!(rated.line.is_empty(), "{spec}: nobody asked for a line");
            assert_eq!(
                (rated.score, rated.survival),
                (analysed.score, analysed.survival),
                "{spec}"
            );
        }
    }
}

#[test]
fn searches_under_stepped_rules_test_the_entry_of_the_next_piece_by_these_rules() {
    let rules = ruleset(&"tgm".parse().unwrap(), &evaluator).unwrap();
    let context = PlayerContext {
        ruleset: &rules,
        evaluators: &evaluator,
    };
    let specs = [
        "expectimax(dellacherie,depth=2)",
        "minimax(dellacherie,depth=2)",
        "rollout(dellacherie,length=1,count=1)",
        "mcts(dellacherie,simulations=40)",
    ];
    for rows in [18, 19] {
        let tower = vec!["...#......"; rows];
        let board = Board::from_lowest_rows(10, 20, &tower).unwrap();
        // Arika's T enters with its point down and fits next to the tower.
        let snapshot = GameSnapshot::new(&rules, board, &[Piece::T, Piece::T]).unwrap();
        for spec in specs {
            let mut player = player(&spec.parse().unwrap(), &context).unwrap();
            let analysed = player.analyse(&snapshot.view());
            let survives = analysed.iter().any(|row| row.survival > 0.0);
            assert!(survives, "{spec} with {rows} rows");
        }
    }
}

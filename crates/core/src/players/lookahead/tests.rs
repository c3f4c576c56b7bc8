mod worked;

use super::*;
use crate::board::Board;
use crate::evaluators::Linear;
use crate::evaluators::testing::{evaluator, features};
use crate::game::{Game, GameSnapshot, Hold, Status};
use crate::moves::{PathFinder, PathStart, drop_in};
use crate::outcomes::Scored;
use crate::piece::Piece;
use crate::players::plain::{PlainSearch, PlainStep};
use crate::players::{Greedy, Random};
use crate::randomizers::RANDOMIZERS;
use crate::ruleset::ruleset;

fn rules(spec: &str) -> Ruleset {
    ruleset(&spec.parse().unwrap(), &evaluator).unwrap()
}

fn linear(rows: &[(&str, f64)], width: usize) -> Arc<dyn Evaluator> {
    let ids: Vec<&str> = rows.iter().map(|row| row.0).collect();
    let weights = rows.iter().map(|row| row.1).collect();
    Arc::new(Linear::new(features(&ids, width), weights).unwrap())
}

/// An evaluator that depends on the board, the move and the lines of the whole game, and is fast to
/// compute.
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
    let replies = replies(rules, quick(rules.width), options);
    Lookahead::new(replies, dealing, SearchLimits::exact(depth))
}

fn rated(search: &mut Lookahead, view: &GameView<'_>) -> Vec<RatedStep> {
    let mut unseen = ForecastTree::new(view.forecast);
    search.rate(&DecisionContext::from(view), view.queue, &mut unseen)
}

/// Compares the values of all placements with those of plain recursion, and the choice with the
/// best of them.
fn compare(rules: &Ruleset, game: &Game, options: GreedyOptions, dealing: Dealing, depth: usize) {
    let evaluator = quick(rules.width);
    let view = game.view();
    let plain = PlainSearch {
        evaluator: evaluator.as_linear().unwrap(),
        options,
        dealing,
        rules: rules.rules.as_ref(),
        shown: view.queue,
    };
    let mut expected = plain.rate(&view, depth);
    let mut search = search(rules, options, dealing, depth);
    let found = rated(&mut search, &view);
    let found: Vec<PlainStep> = found
        .iter()
        .map(|row| PlainStep {
            placement: row.step.transition.placement,
            ends: row.step.transition.game_over,
            value: row.value,
        })
        .collect();
    // The list of the plain search is in tie-breaking order.
    expected.sort_by(|a, b| {
        let lost = |step: &PlainStep| step.ends && !options.may_lose;
        lost(a).cmp(&lost(b)).then(b.value.compare(&a.value))
    });
    assert_eq!(found, expected, "{} {:?}", rules.name, view.board);
    let mut unseen = ForecastTree::new(view.forecast);
    let best = search.best(
        &DecisionContext::from(&view),
        view.queue,
        &mut unseen,
        &|_| (),
    );
    assert_eq!(best.step.transition.placement, expected[0].placement);
}

/// Plays at random and compares in some positions along the way.
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
            let checks = [
                (Dealing::ByChance, 2, two),
                (Dealing::ByChance, 3, three),
                (Dealing::ByOpponent, 2, two),
                (Dealing::ByOpponent, 3, three),
            ];
            compare_on_the_way(&spec, GreedyOptions::default(), &checks);
        }
    }
}

#[test]
fn plain_recursion_agrees_however_games_end_and_decisions_are_made() {
    let checks = [
        (Dealing::ByChance, 2, 3),
        (Dealing::ByOpponent, 2, 3),
        (Dealing::ByOpponent, 3, 10),
    ];
    for end in ["above-top-after-clearing", "top-row", "entry-blocked"] {
        for may_lose in [false, true] {
            for scored in [Scored::AfterRemoval, Scored::BeforeRemoval] {
                let options = GreedyOptions {
                    may_lose,
                    scored,
                    ..GreedyOptions::default()
                };
                for game in ["simplified-4x6", "two-piece-4x6"] {
                    compare_on_the_way(&format!("{game}(end={end})"), options, &checks);
                }
            }
        }
    }
}

#[test]
fn plain_recursion_agrees_where_boards_are_reached_in_several_orders() {
    let spec = "simplified-4x8(randomizer=weighted(T=0,Z=0,J=0,L=0))";
    let checks = [(Dealing::ByChance, 4, 5), (Dealing::ByOpponent, 4, 5)];
    compare_on_the_way(spec, GreedyOptions::default(), &checks);
}

/// A player with Dellacherie's evaluator, which has a kernel.
fn player(rules: &Ruleset, dealing: Dealing, limits: SearchLimits) -> LookaheadPlayer {
    let spec = "dellacherie".parse().unwrap();
    let evaluator = evaluator(&spec, rules.width).unwrap();
    LookaheadPlayer::new(rules, evaluator, GreedyOptions::default(), dealing, limits)
}

/// Positions of some random games, one out of this many.
fn positions(rules: &Ruleset, every: u64) -> Vec<Game> {
    let mut random = Random::new(false);
    let mut all = Vec::new();
    for seed in 0..4 {
        let mut game = Game::with_forecast(rules, seed);
        while game.status() == Status::Playing {
            if game.pieces() % every == every - 1 {
                all.push(game.clone());
            }
            game.apply(random.choose(&game.view()));
        }
    }
    assert!(all.len() > 2);
    all
}

#[test]
fn pruning_against_an_opponent_never_changes_the_choice() {
    for (spec, depth, every) in [
        ("simplified-6x12", 2, 1),
        ("simplified-5x10(randomizer=bag)", 3, 2),
        ("two-piece-5x10", 4, 6),
    ] {
        let rules = rules(spec);
        let mut quick = player(&rules, Dealing::ByOpponent, SearchLimits::exact(depth));
        let mut general = quick.clone();
        general.allow_kernel(false);
        for game in positions(&rules, every) {
            let view = game.view();
            let choice = quick.choose(&view);
            assert_eq!(choice, quick.analyse(&view)[0].placement, "{spec}");
            assert_eq!(choice, general.choose(&view), "{spec}");
        }
    }
}

#[test]
fn with_few_nodes_the_choice_is_that_of_the_deepest_search_that_fits() {
    let rules = rules("simplified-6x12");
    for dealing in [Dealing::ByChance, Dealing::ByOpponent] {
        let unlimited = [1, 2, 3].map(|depth| player(&rules, dealing, SearchLimits::exact(depth)));
        // A piece has at most 18 placements here, and all seven have 86: depth 2 rates fewer than
        // 1,600, depth 3 many thousands.
        for (nodes, depth) in [(1, 1), (4_000, 2), (1_000_000_000, 3)] {
            let limits = SearchLimits {
                nodes,
                ..SearchLimits::exact(3)
            };
            let mut limited = player(&rules, dealing, limits);
            let mut same = unlimited[depth - 1].clone();
            for game in positions(&rules, 5) {
                let choice = limited.choose(&game.view());
                assert_eq!(choice, same.choose(&game.view()), "{dealing:?} {nodes}");
                assert_eq!(choice, limited.analyse(&game.view())[0].placement);
            }
        }
    }
}

#[test]
fn one_piece_ahead_is_the_greedy_player_over_100_000_pieces() {
    let rules = rules("simplified-6x12");
    let evaluator = quick(rules.width);
    let options = GreedyOptions::default();
    let mut greedy = Greedy::new(evaluator.clone(), options);
    let players = [Dealing::ByChance, Dealing::ByOpponent];
    let mut players = players.map(|dealing| {
        LookaheadPlayer::new(
            &rules,
            evaluator.clone(),
            options,
            dealing,
            SearchLimits::exact(1),
        )
    });
    let mut game = Game::new(&rules, 0);
    let mut lines = 0;
    for piece in 0..100_000 {
        let placement = greedy.choose(&game.view());
        for player in &mut players {
            assert_eq!(player.choose(&game.view()), placement);
        }
        game.apply(placement);
        if game.status() != Status::Playing {
            lines += game.lines();
            game = Game::new(&rules, piece);
        }
    }
    assert!(lines > 1000, "real games: {lines} lines");
}

#[test]
fn a_narrow_search_expands_the_best_placements_and_a_wide_one_is_exact() {
    let rules = rules("simplified-6x8");
    let with_width = |width| {
        let limits = SearchLimits {
            width,
            ..SearchLimits::exact(3)
        };
        player(&rules, Dealing::ByChance, limits)
    };
    let mut exact = player(&rules, Dealing::ByChance, SearchLimits::exact(3));
    let (mut narrow, mut wide) = (with_width(2), with_width(64));
    let mut greedy = player(&rules, Dealing::ByChance, SearchLimits::exact(1));
    for game in positions(&rules, 4) {
        let view = game.view();
        assert_eq!(wide.choose(&view), exact.choose(&view));
        let best: Vec<Placement> = greedy
            .analyse(&view)
            .iter()
            .map(|row| row.placement)
            .collect();
        let looked_into = narrow.analyse(&view);
        assert_eq!(looked_into.len(), 2);
        assert!(
            looked_into
                .iter()
                .all(|row| best[..2].contains(&row.placement))
        );
    }
}

#[test]
fn the_line_is_as_long_as_the_search_and_can_be_played() {
    let rules = rules("two-piece-6x10(randomizer=bag)");
    for dealing in [Dealing::ByChance, Dealing::ByOpponent] {
        let mut player = player(&rules, dealing, SearchLimits::exact(3));
        for game in positions(&rules, 5) {
            for row in player.analyse(&game.view()) {
                let mut board = *game.board();
                for placement in [row.placement].iter().chain(&row.line) {
                    assert!(crate::moves::placements(&board, placement.piece).contains(placement));
                    board = rules.rules.as_ref().step(&board, *placement, None, 0).after;
                }
                if row.survival == 1.0 {
                    assert_eq!(row.line.len(), 2);
                    assert_eq!(row.line[0].piece, game.view().queue[0]);
                }
            }
        }
    }
}

#[test]
fn a_line_of_a_stepped_game_shows_placements_where_they_are() {
    let rules = rules("guideline");
    let rows = ["###.......", "##........", "##.#######"];
    let board = Board::from_lowest_rows(10, 40, &rows).unwrap();
    let pieces = [Piece::I, Piece::T, Piece::O];
    let snapshot = GameSnapshot::new(&rules, board, &pieces).unwrap();
    let view = snapshot.view();
    let options = GreedyOptions::default();
    let mut player = LookaheadPlayer::new(
        &rules,
        quick(10),
        options,
        Dealing::ByChance,
        SearchLimits::exact(2),
    );
    let (mut finder, mut places) = (PathFinder::default(), Vec::new());
    let move_rules = view.rules.move_rules().unwrap();
    let mut tucks = 0;
    for row in player.analyse(&view) {
        let after = view.rules.step(view.board, row.placement, None, 0).after;
        let start = PathStart::entering(move_rules.entry(Piece::T, &after));
        finder.search_placements(&after, move_rules, start);
        finder.placements(&after, move_rules, &mut places);
        assert!(places.contains(&row.line[0]), "{:?}", row.line);
        let drop = drop_in(&after, Piece::T, row.line[0].rotation, row.line[0].x).unwrap();
        tucks += usize::from(drop.y != row.line[0].y);
    }
    assert!(tucks > 0, "some replies go under the overhang");
}

#[test]
fn the_last_piece_falls_as_fast_as_at_the_level_after_the_first() {
    // A square on the left completes a row. The lowest position for the next one is the well on the
    // right, behind a wall that a piece can only pass in the air.
    let rows = [
        ".......#..",
        ".......#..",
        ".......#..",
        "...#####..",
        "...#####..",
        "..######..",
        "..########",
    ];
    let mut rules = rules("tgm");
    let board = Board::from_lowest_rows(10, rules.height, &rows).unwrap();
    let low = linear(&[("landing_height", -1.0)], 10);
    let options = GreedyOptions::default();
    // From level 500 on pieces fall to the ground in the tick in which they enter.
    for (level, reply) in [(100, (8, 0)), (499, (0, 1))] {
        let crate::rules::Rules::Stepped(move_rules) = &mut rules.rules else {
            panic!("a stepped ruleset");
        };
        move_rules.set_level(level);
        let view = GameView {
            board: &board,
            piece: Piece::O,
            queue: &[Piece::O],
            rules: rules.rules.as_ref(),
            lines: 0,
            pieces: 0,
            forecast: None,
            hold: Hold::None,
        };
        let mut player = LookaheadPlayer::two_piece(&rules, low.clone(), options);
        let rated = player.analyse(&view);
        let clears = |row: &&RatedPlacement| (row.placement.x, row.placement.y) == (0, 0);
        let line = &rated.iter().find(clears).unwrap().line;
        assert_eq!((line[0].x, line[0].y), reply, "level {level}");
    }
}

#[test]
fn the_second_piece_of_a_search_may_be_the_one_that_a_hold_brings() {
    let rules = rules("guideline");
    let rows = ["#.........", "##..##....", "##.#######"];
    let board = Board::from_lowest_rows(10, 40, &rows).unwrap();
    let queue = [Piece::S, Piece::I, Piece::O];
    let pieces = [&[Piece::J][..], &queue].concat();
    let snapshot = GameSnapshot::new(&rules, board, &pieces).unwrap();
    let view = snapshot.view();
    for dealing in [Dealing::ByChance, Dealing::ByOpponent] {
        let mut search = search(&rules, GreedyOptions::default(), dealing, 2);
        let mut values = |hold: Hold, queue: &[Piece]| {
            search.set_hold(hold);
            let (mut unseen, decision) = (ForecastTree::new(None), DecisionContext::from(&view));
            let best = search.best(&decision, queue, &mut unseen, &|_| ());
            let mut rated = search.rate(&decision, queue, &mut unseen);
            assert_eq!(best.value, rated[0].value);
            rated.sort_by_key(|row| row.step.tie_key);
            let values = rated.iter().map(|row| row.value.score);
            values.collect::<Vec<f64>>()
        };
        let own = values(Hold::None, &queue);
        // The held piece, or the piece after the next one if nothing is held yet.
        for (hold, other) in [
            (Hold::Piece(Piece::O), Piece::O),
            (Hold::Used(Piece::L), Piece::L),
            (Hold::Empty, Piece::I),
        ] {
            let other = values(Hold::None, &[other, Piece::I, Piece::O]);
            let better = own.iter().zip(&other).map(|(own, other)| own.max(*other));
            assert_eq!(values(hold, &queue), better.collect::<Vec<f64>>());
            assert_ne!(own, values(hold, &queue), "{hold:?}");
        }
    }
}

//! Random combinations of all settings of stepped games: each is played without panicking, or
//! rejected with one sentence.

use super::*;
use crate::game::{Game, Status};
use crate::piece::{Piece, Rotation};
use crate::placement::{Placement, Spin};
use crate::players::{PlayerContext, player};
use crate::rng::Rng;
use crate::settings::{Kind, Setting};
use crate::stepped::STEPPED_SETTINGS;
use std::panic::{AssertUnwindSafe, catch_unwind};

const ROTATIONS: [&str; 9] = [
    "super",
    "super(half=true)",
    "arika",
    "arika(kicks=tgm3)",
    "nintendo",
    "nintendo-left",
    "original",
    "sega",
    "dtet",
];

const RANDOMIZERS: [&str; 11] = [
    "uniform",
    "bag",
    "nes",
    "tgm",
    "tgm2",
    "tgm3",
    "hard",
    "alternating",
    "weighted(S=3,Z=3)",
    "fixed(TISZOJL,then=repeat)",
    "fixed(TTI)",
];

const PLAYERS: [&str; 3] = ["greedy(dellacherie)", "random", "two-piece(dellacherie)"];

fn one_of<'a>(rng: &mut Rng, words: &[&'a str]) -> &'a str {
    words[rng.below(words.len() as u64) as usize]
}

/// A value of a setting; `None` for its default.
fn value(rng: &mut Rng, setting: &Setting) -> Option<String> {
    if rng.below(4) == 0 {
        return None;
    }
    let value = match &setting.kind {
        Kind::Word(words) => one_of(rng, words).to_owned(),
        Kind::Flag => one_of(rng, &["true", "false"]).to_owned(),
        Kind::Part { .. } => one_of(rng, &ROTATIONS).to_owned(),
        Kind::Count { least, most } => {
            let (least, most) = (*least as u64, *most as u64);
            let number = match rng.below(8) {
                0 => least,
                1 => most,
                2 => least + rng.below(most - least + 1),
                3 => least + rng.below(6),
                _ => least + rng.below(31),
            };
            number.to_string()
        }
        _ => return None,
    };
    Some(value)
}

/// A ruleset with random settings.
fn combination(rng: &mut Rng) -> String {
    let settings = STEPPED_SETTINGS.iter().filter_map(|setting| {
        let value = value(rng, setting)?;
        Some(format!("{}={value}", setting.id))
    });
    let settings: Vec<String> = settings.collect();
    let (width, height) = match rng.below(3) {
        0 => (10, 20 + 20 * rng.below(2)),
        _ => (4 + rng.below(13), 4 + rng.below(37)),
    };
    let (preview, randomizer) = (rng.below(7), one_of(rng, &RANDOMIZERS));
    let moves = settings.join(",");
    format!(
        "guideline-{width}x{height}(preview={preview},randomizer={randomizer},moves=stepped({moves}))"
    )
}

/// Plays this many pieces in as many games as necessary; returns the number played.
fn play(rules: &Ruleset, spec: &str, pieces: u64) -> u64 {
    let context = PlayerContext {
        ruleset: rules,
        evaluators: &evaluator,
    };
    let mut player = player(&spec.parse().unwrap(), &context).unwrap();
    if player.needs_preview() > rules.preview {
        return 0;
    }
    let mut played = 0;
    for seed in 0..pieces {
        let mut game = player.begin(rules, seed);
        player.start(seed);
        while game.status() == Status::Playing && played < pieces {
            let placement = player.decide(&game.view());
            assert_eq!(game.check(placement), Ok(()), "{spec}");
            assert_eq!(game.apply(placement).placement, placement, "{spec}");
            played += 1;
        }
    }
    played
}

/// How many combinations were played, rejected, and panicked, and the total number of pieces.
#[derive(Debug, Default, PartialEq, Eq)]
struct Combinations {
    played: u64,
    refused: u64,
    panics: u64,
    pieces: u64,
}

fn try_combinations(combinations: u64, pieces: u64, seed: u64) -> Combinations {
    let mut count = Combinations::default();
    let mut rng = Rng::new(seed);
    for number in 0..combinations {
        let spec = combination(&mut rng);
        let rules = match ruleset(&spec.parse().unwrap(), &evaluator) {
            Ok(rules) => rules,
            Err(error) => {
                let sentence = error.to_string();
                assert!(!sentence.is_empty() && !sentence.contains('\n'), "{spec}");
                count.refused += 1;
                continue;
            }
        };
        let games = || {
            let pieces = PLAYERS.map(|player| play(&rules, player, pieces));
            pieces.into_iter().sum::<u64>()
        };
        match catch_unwind(AssertUnwindSafe(games)) {
            Ok(pieces) => {
                count.played += 1;
                count.pieces += pieces;
            }
            Err(_) => {
                eprintln!("combination {number}: {spec}");
                count.panics += 1;
            }
        }
    }
    count
}

#[test]
fn random_combinations_of_settings_are_played_or_refused() {
    let count = try_combinations(100, 15, 1);
    assert_eq!(count.panics, 0);
    assert!(count.played > 50 && count.pieces > 2000, "{count:?}");
}

/// The complete test: `cargo test -p tetrolab-core --lib fifteen_hundred -- --ignored --nocapture`.
#[test]
#[ignore = "takes many minutes"]
fn fifteen_hundred_combinations_of_settings_are_played_or_refused() {
    let part: u64 = std::env::var("PART").map_or(0, |part| part.parse().unwrap());
    let parts: u64 = std::env::var("PARTS").map_or(1, |parts| parts.parse().unwrap());
    let count = try_combinations(1500 / parts, 500, 100 + part);
    eprintln!("{count:?}");
    assert_eq!(count.panics, 0);
}

/// Plays one game of a few pieces.
fn play_one(spec: &str, player: &str, pieces: u64) {
    assert!(play(&rules(spec), player, pieces) > 0);
}

#[test]
fn short_lock_delays_are_played() {
    for lock in ["step", "move", "infinity"] {
        for delay in [0, 1, 3, 5, 10] {
            let spec = format!("guideline(moves=stepped(lock={lock},delay={delay}))");
            play_one(&spec, "greedy(dellacherie)", 25);
            play_one(&spec, "random", 50);
        }
    }
}

#[test]
fn pieces_that_lock_when_they_should_fall_can_be_dropped() {
    for drop in ["none", "sonic", "hard"] {
        for level in [1, 13, 15, 20] {
            let spec = format!("guideline(moves=stepped(lock=fall,drop={drop},level={level}))");
            play_one(&spec, "greedy(dellacherie)", 20);
            play_one(&spec, "random", 40);
        }
    }
}

#[test]
fn the_random_player_plays_on_wide_boards() {
    let wide = "guideline-16x40(moves=stepped(over=overflow))";
    play_one(wide, "random", 500);
}

#[test]
fn every_placement_on_a_wide_board_is_as_likely_as_any_other() {
    let rules = rules("guideline-16x20(randomizer=fixed(T,then=repeat))");
    // Overhangs on both sides, under which pieces are tucked and turned.
    let rows = [
        "##............##",
        "................",
        "................",
        ".####........##.",
        ".##..........##.",
    ];
    let board = Board::from_lowest_rows(16, 20, &rows).unwrap();
    let game = Game::on_board(&rules, board, 1, None);
    let legal = |placement: &Placement| game.check(*placement).is_ok();
    let spins = [Spin::None, Spin::Mini, Spin::Full];
    let mut all = Vec::new();
    let rotations = [
        Rotation::North,
        Rotation::East,
        Rotation::South,
        Rotation::West,
    ];
    for (rotation, spin) in rotations
        .into_iter()
        .flat_map(|rotation| spins.map(|spin| (rotation, spin)))
    {
        for (x, y) in (0..16).flat_map(|x| (0..8).map(move |y| (x, y))) {
            all.push(Placement {
                piece: Piece::T,
                rotation,
                x,
                y,
                spin,
            });
        }
    }
    all.retain(legal);
    assert!(all.len() > 64, "{}", all.len());
    let context = PlayerContext {
        ruleset: &rules,
        evaluators: &evaluator,
    };
    let mut player = player(&"random".parse().unwrap(), &context).unwrap();
    player.start(1);
    let each = 300;
    let mut counts = vec![0; all.len()];
    for _ in 0..each * all.len() {
        let drawn = player.decide(&game.view());
        counts[all.iter().position(|one| *one == drawn).unwrap()] += 1;
    }
    let square = |count: &usize| count.abs_diff(each).pow(2) as f64 / each as f64;
    let chi_square: f64 = counts.iter().map(square).sum();
    let freedom = (all.len() - 1) as f64;
    // Four standard deviations: a placement drawn twice as often would add 300.
    let most = freedom + 4.0 * (2.0 * freedom).sqrt();
    assert!(chi_square < most, "{chi_square} of {freedom}: {counts:?}");
}

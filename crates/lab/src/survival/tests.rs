//! Compares splitting with whole games, and checks the guarantees of estimates.

mod checkpoints;
mod coverage;

use super::*;
use crate::context::Event;
use crate::library::{find_player, find_ruleset};
use crate::stats::{Estimate, Interval};

fn context(threads: usize) -> Context {
    Context::on_threads(threads)
}

/// Quick settings, at the cost of precision.
fn small() -> Splitting {
    Splitting {
        trajectories: 500,
        level: LevelKind::Stack,
        ..Splitting::default()
    }
}

/// Even quicker settings, for estimates that are compared with each other, to the last digit, and
/// not with whole games.
fn few_chains(level: LevelKind) -> Splitting {
    Splitting {
        trajectories: 100,
        chains: 16.try_into().unwrap(),
        level,
        ..small()
    }
}

/// Like `small`, with a learned danger.
fn small_with_danger() -> Splitting {
    Splitting {
        level: LevelKind::Danger,
        ..small()
    }
}

fn estimate(context: &Context, player: &str, ruleset: &str, goal: Goal, seed: u64) -> Survival {
    estimate_by(&small(), context, (player, ruleset), goal, seed)
}

fn estimate_by(
    splitting: &Splitting,
    context: &Context,
    (player, ruleset): (&str, &str),
    goal: Goal,
    seed: u64,
) -> Survival {
    let ruleset = find_ruleset(ruleset).unwrap();
    let player = find_player(player, &ruleset).unwrap();
    let mut prepared = splitting
        .prepare(context, &*player, &ruleset, seed)
        .unwrap();
    prepared.run(context, goal).unwrap()
}

/// The mean of whole games, and three standard errors.
fn by_games(player: &str, ruleset: &str, games: u64) -> (f64, f64) {
    let ruleset = find_ruleset(ruleset).unwrap();
    let player = find_player(player, &ruleset).unwrap();
    let played = context(2).play(&*player, &ruleset, 0..games, 99).unwrap();
    let mean = Estimate::of(&played.lines()).unwrap().mean.unwrap();
    (mean, 3.0 * mean / (games as f64).sqrt())
}

#[track_caller]
fn assert_agrees(context: &Context, player: &str, ruleset: &str, games: u64) {
    let (mean, off) = by_games(player, ruleset, games);
    for splitting in [small(), small_with_danger()] {
        let goal = Goal::Repetitions(8);
        let survival = estimate_by(&splitting, context, (player, ruleset), goal, 1);
        let lines = survival.lines.unwrap();
        let allowed = off + 3.0 * survival.relative_error * lines;
        assert!(
            (lines - mean).abs() < allowed,
            "{:?}: {lines} is not {mean} +- {allowed}",
            splitting.level
        );
        assert_eq!(survival.doubts, [], "{:?}", splitting.level);
    }
}

#[test]
fn a_learned_danger_halves_the_pieces_for_the_same_error() {
    let pieces = |splitting: &Splitting| {
        let survival = estimate_by(
            splitting,
            &context(2),
            ("dt-20", "simplified-10x12"),
            Goal::Repetitions(24),
            1,
        );
        survival.pieces_simulated as f64 * survival.relative_error.powi(2)
    };
    let (stack, danger) = (pieces(&small()), pieces(&small_with_danger()));
    assert!(2.0 * danger < stack, "{danger} {stack}");
}

#[test]
fn a_danger_is_the_same_with_and_without_a_kernel_and_on_any_number_of_threads() {
    for (player, ruleset) in [
        ("bcts", "simplified-8x5"),
        ("two-piece(bcts)", "two-piece-6x5"),
    ] {
        let of = |context: &Context| {
            let goal = Goal::Repetitions(2);
            let splitting = few_chains(LevelKind::Danger);
            estimate_by(&splitting, context, (player, ruleset), goal, 3)
        };
        let expected = of(&context(1));
        assert_eq!(expected, of(&context(3)));
        assert_eq!(expected, of(&Context::without_kernels(2)));
    }
}

#[test]
fn splitting_agrees_with_whole_games_on_the_kernel() {
    assert_agrees(&context(2), "bcts", "simplified-10x8", 4000);
    assert_agrees(&context(2), "dt-10", "simplified-8x7", 4000);
}

#[test]
fn splitting_agrees_with_whole_games_without_the_kernel() {
    assert_agrees(
        &Context::without_kernels(2),
        "dellacherie",
        "simplified-6x6",
        4000,
    );
}

#[test]
fn the_memory_of_a_randomizer_is_part_of_the_state() {
    for (player, ruleset) in [
        ("dellacherie", "simplified-8x5(randomizer=bag)"),
        ("bcts", "simplified-6x6(randomizer=tgm3)"),
    ] {
        assert_agrees(&context(2), player, ruleset, 10_000);
    }
}

#[test]
fn a_piece_that_was_seen_is_part_of_the_state() {
    assert_agrees(&context(2), "two-piece(dellacherie)", "two-piece-6x5", 1000);
}

#[test]
fn unequal_pieces_are_drawn_as_the_ruleset_specifies() {
    assert_agrees(&context(2), "bcts", "simplified-hard-10x10", 4000);
}

/// A short form of the check in `experiments/survival/`: 20 independent estimates of a known mean.
#[test]
fn intervals_hold_the_mean_about_as_often_as_they_say() {
    // Of 1,000,000 games: tetrolab eval bcts --ruleset simplified-8x6 --games 1000000 --seed 12345.
    let mean = 39.4;
    let held = (0..20).filter(|&seed| {
        let survival = estimate(
            &context(2),
            "bcts",
            "simplified-8x6",
            Goal::Precision(0.2),
            seed,
        );
        survival.lines_ci95.contains(mean)
    });
    let held = held.count();
    assert!((16..=20).contains(&held), "{held} of 20");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let one = |threads| {
        let (splitting, goal) = (few_chains(LevelKind::Stack), Goal::Precision(0.2));
        let player = ("bcts", "simplified-10x9");
        estimate_by(&splitting, &context(threads), player, goal, 5)
    };
    assert_eq!(one(1), one(2));
    assert_eq!(one(1), one(3));
}

#[test]
fn a_pilot_run_on_one_thread_equals_one_on_all_threads() {
    for (player, ruleset) in [
        ("bcts", "simplified-8x6"),
        ("dellacherie", "simplified-6x5(randomizer=bag)"),
    ] {
        let ruleset = find_ruleset(ruleset).unwrap();
        let player = find_player(player, &ruleset).unwrap();
        let context = context(3);
        let splitting = few_chains(LevelKind::Danger);
        let together = splitting.pilot(&context, &*player, &ruleset, 5).unwrap();
        let alone = splitting
            .pilot_alone(&context, &*player, &ruleset, 5)
            .unwrap();
        assert_eq!(together.pilot_pieces(), alone.pilot_pieces());
        assert_eq!(
            together.mean_pieces_at_a_glance(),
            alone.mean_pieces_at_a_glance()
        );
        let mut together = together.prepare(&context).unwrap();
        let mut alone = alone.prepare(&context).unwrap();
        assert_eq!(together.pieces_prepared(), alone.pieces_prepared());
        let goal = Goal::Repetitions(2);
        let together = together.run(&context, goal).unwrap();
        assert_eq!(together, alone.repeat_alone(&context, 2).unwrap());
    }
}

#[test]
fn lines_that_are_known_less_precisely_than_pieces_are_doubted() {
    let of = |player: &str, ruleset: &str| {
        let goal = Goal::Repetitions(4);
        let splitting = few_chains(LevelKind::Stack);
        estimate_by(&splitting, &context(1), (player, ruleset), goal, 1)
    };
    let short = of("random", "simplified-10x10");
    let Interval { lo, hi } = short.lines_ci95;
    assert!(hi.unwrap() > lo * 1.5 && short.precision < 0.1, "{short:?}");
    assert!(short.doubts.contains(&Doubt::ShortGames), "{short:?}");
    let long = of("bcts", "simplified-8x6");
    assert!(!long.doubts.contains(&Doubt::ShortGames), "{long:?}");
}

#[test]
fn an_estimate_is_read_back_from_json_to_the_last_digit() {
    let mut survival = estimate(
        &context(2),
        "bcts",
        "simplified-8x6",
        Goal::Repetitions(3),
        1,
    );
    survival.doubts = vec![
        Doubt::Wild(1.0 / 3.0),
        Doubt::FewAncestors(3),
        Doubt::Identical,
    ];
    survival.unmet = Some(Unmet::MostRepetitions { repetitions: 7 });
    let read = |survival: &Survival| -> Survival {
        serde_json::from_str(&serde_json::to_string(survival).unwrap()).unwrap()
    };
    assert_eq!(read(&survival), survival);
    survival.precision = f64::INFINITY;
    assert_eq!(read(&survival), survival);
}

#[test]
fn an_estimate_that_misses_its_goal_states_the_reason() {
    let reached = estimate(
        &context(2),
        "bcts",
        "simplified-8x6",
        Goal::Repetitions(3),
        1,
    );
    assert_eq!(reached.unmet, None);
    let context = context(1);
    let token = context.token().clone();
    let context = context.observer(move |event| {
        if matches!(event.event, Event::Repetition { repetitions: 5, .. }) {
            token.cancel();
        }
    });
    let ruleset = find_ruleset("simplified-8x6").unwrap();
    let player = find_player("bcts", &ruleset).unwrap();
    let mut prepared = small().prepare(&context, &*player, &ruleset, 1).unwrap();
    let stopped = prepared.run(&context, Goal::Precision(0.001));
    let stopped = stopped.unwrap();
    assert_eq!(stopped.unmet, Some(Unmet::Stopped { repetitions: 5 }));
    let repetition = repetition::Repetition {
        equilibrium: equilibrium::Equilibrium::default(),
        levels: Vec::new(),
        rate: 0.5,
        cells: 0.0,
    };
    let many = vec![&repetition; MOST_REPETITIONS as usize];
    let unmet = Goal::Repetitions(MOST_REPETITIONS + 1).unmet(&many);
    assert!(
        unmet
            .unwrap()
            .to_string()
            .contains("maximum of 20000 repetitions")
    );
}

#[test]
fn more_repetitions_continue_where_fewer_ended() {
    let ruleset = find_ruleset("simplified-10x8").unwrap();
    let player = find_player("bcts", &ruleset).unwrap();
    let context = context(2);
    let mut prepared = small().prepare(&context, &*player, &ruleset, 3).unwrap();
    let few = prepared.run(&context, Goal::Repetitions(4)).unwrap();
    let more = prepared.run(&context, Goal::Repetitions(9)).unwrap();
    assert_eq!((few.repetitions, more.repetitions), (4, 9));
    assert_eq!(prepared.rates().len(), 9);
    let again = estimate(&context, "bcts", "simplified-10x8", Goal::Repetitions(9), 3);
    assert_eq!(more, again);
}

#[test]
fn invalid_settings_are_errors() {
    let context = context(1);
    let ruleset = find_ruleset("simplified-10x8").unwrap();
    let player = find_player("bcts", &ruleset).unwrap();
    let mut prepared = small().prepare(&context, &*player, &ruleset, 1).unwrap();
    for precision in [0.0, -1.0, 1.5, f64::NAN] {
        let goal = Goal::Precision(precision);
        assert!(matches!(
            prepared.run(&context, goal),
            Err(SurvivalError::Precision(_))
        ));
    }
    assert!(prepared.run(&context, Goal::Pieces(0)).is_err());
    let few = Splitting {
        trajectories: 3,
        ..Splitting::default()
    };
    assert!(matches!(
        few.prepare(&context, &*player, &ruleset, 1),
        Err(SurvivalError::Trajectories(3))
    ));
    for rule in ["fixed(ISZO)", "alternating", "adversary(bcts)"] {
        let ruleset = find_ruleset(&format!("simplified-10x8(randomizer={rule})")).unwrap();
        assert!(matches!(
            small().prepare(&context, &*player, &ruleset, 1),
            Err(SurvivalError::FixedPieces(_))
        ));
    }
    let two = find_player("two-piece(bcts)", &ruleset).unwrap();
    assert!(matches!(
        small().prepare(&context, &*two, &ruleset, 1),
        Err(SurvivalError::Arena(ArenaError::Preview { .. }))
    ));
}

#[test]
fn a_game_without_an_end_is_not_estimated() {
    let spec = "simplified-10x20(randomizer=weighted(I=0,T=0,S=0,Z=0,L=0,J=0))";
    let ruleset = find_ruleset(spec).unwrap();
    let player = find_player("bcts", &ruleset).unwrap();
    let prepared = small().prepare(&context(1), &*player, &ruleset, 1);
    let error = prepared
        .err()
        .map(|error| error.to_string())
        .unwrap_or_default();
    assert!(error.contains("may never end"), "{error}");
}

#[test]
fn the_kernel_never_changes_an_estimate() {
    for (player, ruleset) in [
        ("bcts", "simplified-10x6"),
        ("bcts", "simplified-10x6(preview=1)"),
        ("dellacherie", "simplified-hard-8x8"),
        ("two-piece(dellacherie)", "two-piece-6x5"),
    ] {
        let (splitting, goal) = (few_chains(LevelKind::Stack), Goal::Repetitions(2));
        let of = |context: &Context| estimate_by(&splitting, context, (player, ruleset), goal, 4);
        let (with, without) = (of(&context(2)), of(&Context::without_kernels(2)));
        assert_eq!(with, without, "{player} {ruleset}");
    }
}

/// Levels of lookup tables give the mean of whole games, and the same digits with and without the
/// kernel.
#[track_caller]
fn assert_tables_agree(level: LevelKind, player: (&str, &str), games: u64) {
    let quick = few_chains(level.clone());
    let splitting = Splitting { level, ..small() };
    let survival = estimate_by(&splitting, &context(2), player, Goal::Repetitions(6), 1);
    let (mean, off) = by_games(player.0, player.1, games);
    let lines = survival.lines.unwrap();
    let half = lines - survival.lines_ci95.lo;
    assert!((lines - mean).abs() < off + 1.6 * half, "{lines} {mean}");
    let few = Goal::Repetitions(2);
    let slowly = estimate_by(&quick, &Context::without_kernels(2), player, few, 1);
    let quickly = estimate_by(&quick, &context(1), player, few, 1);
    assert_eq!(slowly.lines, quickly.lines);
}

#[test]
fn splitting_by_a_players_own_danger_agrees_with_whole_games_with_the_kernel_and_without() {
    assert_tables_agree(LevelKind::Own, ("wary-10", "simplified-10x5"), 400);
}

#[test]
fn splitting_by_the_tables_of_another_player_gives_the_same_mean_on_every_path() {
    let level = LevelKind::Tables("wary-20".to_owned());
    assert_tables_agree(level, ("bcts", "simplified-10x6"), 1000);
}

#[test]
fn a_player_without_tables_has_no_danger_of_its_own() {
    let own = Splitting {
        level: LevelKind::Own,
        ..small()
    };
    let ruleset = find_ruleset("simplified-10x5").unwrap();
    let player = find_player("bcts", &ruleset).unwrap();
    let refused = own
        .prepare(&context(1), &*player, &ruleset, 1)
        .err()
        .unwrap();
    assert!(
        refused.to_string().contains("no lookup tables"),
        "{refused}"
    );
}

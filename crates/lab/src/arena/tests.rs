mod every_player;
mod kernels;

use super::general::play_chunk;
use super::progress::Meter;
use super::result::PlayedChunk;
use super::*;
use crate::context::Event;
use crate::core::game::GameView;
use crate::core::piece::Piece;
use crate::core::placement::Placement;
use crate::core::rng::{Rng, game_seed, player_seed};
use crate::core::ruleset::ruleset;
use crate::core::spec::{Spec, SpecError};
use crate::library::find_player;
use crate::stats::{Estimate, Estimator, Paired};

/// Drops pieces into random columns determined by its seed; optionally cancels its study at the
/// n-th piece.
#[derive(Clone)]
struct Dropper {
    rng: Rng,
    seeds: Arc<Mutex<Vec<u64>>>,
    needs_preview: usize,
    stops: Option<(CancelToken, u64)>,
}

impl Dropper {
    fn new() -> Dropper {
        Dropper {
            rng: Rng::new(0),
            seeds: Arc::default(),
            needs_preview: 0,
            stops: None,
        }
    }
}

impl Player for Dropper {
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        if let Some((token, at)) = &self.stops
            && view.pieces == *at
        {
            token.cancel();
        }
        place(view, &mut self.rng)
    }

    fn start(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.seeds.lock().unwrap().push(seed);
    }

    fn needs_preview(&self) -> usize {
        self.needs_preview
    }

    fn boxed(&self) -> Box<dyn Player> {
        Box::new(self.clone())
    }
}

/// A random rotation in a random column.
fn place(view: &GameView<'_>, rng: &mut Rng) -> Placement {
    let piece: Piece = view.piece;
    let shapes = piece.shapes();
    let shape = &shapes[rng.below(shapes.len() as u64) as usize];
    let x = rng.below((view.board.width() - shape.width + 1) as u64) as usize;
    Placement {
        piece,
        rotation: shape.rotation,
        x: x as u8,
        y: view.board.resting_row(shape, x) as u8,
        spin: tetrolab_core::placement::Spin::None,
    }
}

pub(super) fn rules(spec: &str) -> Ruleset {
    let no_evaluator = |spec: &Spec, _| Err(SpecError::unknown("evaluator", &spec.name, []));
    ruleset(&spec.parse().unwrap(), &no_evaluator).unwrap()
}

/// A study, and the last event it has reported.
fn heard(threads: usize) -> (Context, Arc<Mutex<Option<Event>>>) {
    let last = Arc::new(Mutex::new(None));
    let heard = Arc::clone(&last);
    let context = Context::on_threads(threads);
    let context = context.observer(move |event| *lock(&heard) = Some(event.event));
    (context, last)
}

/// A call without an observer that is never stopped.
pub(super) fn with_call(
    arms: &[Arm<'_>],
    series: &GameSeries<'_>,
    test: impl FnOnce(&ArenaCall<'_>),
) {
    let context = Context::on_threads(1);
    let counts = Counts::new(0, &context, None);
    let kernels = arms.iter().map(|arm| arm.1.kernel(series.ruleset));
    let kernels = kernels.collect();
    test(&ArenaCall::new(
        arms.iter().map(|arm| arm.1.boxed()).collect(),
        kernels,
        (series, 0..1),
        1,
        context.token(),
        &counts,
    ));
}

/// Plays games of one player with limits.
fn play_limited(
    context: &Context,
    player: &dyn Player,
    series: (&Ruleset, u64, Limits),
    games: Range<u64>,
) -> Result<Played, ArenaError> {
    let series = GameSeries::new(series.0, series.1).limits(series.2);
    let played = context.play_all(&[("", player)], &series, games);
    played.map(|mut played| played.remove(0))
}

/// Plays whole games of several players.
fn play_all(
    context: &Context,
    arms: &[Arm<'_>],
    (ruleset, seed): (&Ruleset, u64),
    games: Range<u64>,
) -> Result<Vec<Played>, ArenaError> {
    context.play_all(arms, &GameSeries::new(ruleset, seed), games)
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let rules = rules("simplified-6x12");
    let alone = Context::on_threads(1)
        .play(&Dropper::new(), &rules, 0..3000, 7)
        .unwrap();
    assert_eq!(alone.games.len(), 3000);
    assert!(alone.finished() == 3000 && !alone.interrupted);
    for threads in [2, 5] {
        let together = Context::on_threads(threads)
            .play(&Dropper::new(), &rules, 0..3000, 7)
            .unwrap();
        assert_eq!(together.games, alone.games);
    }
}

#[test]
fn results_do_not_depend_on_the_chunks() {
    let rules = rules("simplified-6x12");
    let mut player = Dropper::new();
    let series = GameSeries::new(&rules, 3);
    with_call(&[("", &Dropper::new())], &series, |call| {
        let mut in_chunks = |size: u64| {
            let (mut meter, mut played) = (Meter::new(call.counts), PlayedChunk::new(0));
            for start in (0..60).step_by(size as usize) {
                let games = start..start + size;
                play_chunk(&mut player, call, games, &mut meter, &mut played).unwrap();
            }
            played.games
        };
        assert_eq!(in_chunks(1), in_chunks(60));
        assert_eq!(in_chunks(1), in_chunks(20));
    });
}

#[test]
fn ranges_of_a_series_add_up_to_the_whole() {
    let rules = rules("simplified-6x12");
    let limits = Limits {
        max_pieces: Some(12),
        record_placements: Some(5),
    };
    for limits in [Limits::default(), limits] {
        let play = |games| {
            let series = (&rules, 1, limits);
            play_limited(&Context::on_threads(2), &Dropper::new(), series, games).unwrap()
        };
        let whole = play(0..500);
        let mut parts = play(0..10);
        let first = parts.elapsed;
        for games in [10..11, 11..500] {
            parts.append(play(games));
        }
        assert_eq!(parts.games, whole.games);
        assert_eq!(parts.placements, whole.placements);
        assert!(parts.elapsed > first && !parts.interrupted);
    }
}

#[test]
fn a_later_call_leaves_an_interruption_in_place() {
    let rules = rules("simplified-6x12");
    let stopped = Context::on_threads(1).cancelled();
    let mut played = stopped.play(&Dropper::new(), &rules, 0..3, 1).unwrap();
    played.append(
        Context::on_threads(1)
            .play(&Dropper::new(), &rules, 3..6, 1)
            .unwrap(),
    );
    assert!(played.interrupted);
    assert_eq!(played.games[0].index, 3);
}

#[test]
fn only_a_later_range_of_the_same_series_is_appended() {
    let rules = rules("simplified-6x12");
    let play = |games, seed| {
        Context::on_threads(1)
            .play(&Dropper::new(), &rules, games, seed)
            .unwrap()
    };
    for (games, seed) in [(0..3, 1), (2..5, 1), (3..6, 2)] {
        let (mut first, next) = (play(0..3, 1), play(games, seed));
        let appended = std::panic::catch_unwind(move || first.append(next));
        assert!(appended.is_err());
    }
}

#[test]
fn players_receive_a_separate_seed_for_each_game() {
    let player = Dropper::new();
    let played = Context::on_threads(2)
        .play(&player, &rules("simplified-6x12"), 0..20, 9)
        .unwrap();
    let mut told = player.seeds.lock().unwrap().clone();
    let seeds: Vec<u64> = (0..20).map(|index| game_seed(9, index)).collect();
    let recorded: Vec<u64> = played
        .games
        .iter()
        .map(|game| played.seed_of(game))
        .collect();
    assert_eq!(recorded, seeds);
    let mut expected: Vec<u64> = seeds.into_iter().map(player_seed).collect();
    told.sort_unstable();
    expected.sort_unstable();
    assert_eq!(told, expected);
}

#[test]
fn a_capped_game_is_cut_off_at_the_cap() {
    let limits = Limits {
        max_pieces: Some(10),
        record_placements: Some(8),
    };
    let series = (&rules("simplified-6x12"), 2, limits);
    let played = play_limited(&Context::on_threads(2), &Dropper::new(), series, 0..100).unwrap();
    assert!(played.cut_off() > 0 && played.finished() > 0 && !played.interrupted);
    assert_eq!(played.placements.len(), 100);
    for (game, placements) in played.games.iter().zip(&played.placements) {
        assert!(game.pieces <= 10 && (game.finished || game.pieces == 10));
        assert_eq!(placements.len() as u64, game.pieces.min(8));
    }
    assert_eq!(
        Estimate::of(&played.pieces()).unwrap().estimator,
        Estimator::Censored
    );
    assert_eq!(
        played.decisions(),
        played.games.iter().map(|game| game.pieces).sum::<u64>()
    );
}

#[test]
fn recorded_placements_play_the_game_again() {
    let limits = Limits {
        max_pieces: None,
        record_placements: Some(usize::MAX),
    };
    let rules = rules("simplified-6x12");
    let played = play_limited(
        &Context::on_threads(1),
        &Dropper::new(),
        (&rules, 4, limits),
        0..3,
    )
    .unwrap();
    for (result, placements) in played.games.iter().zip(&played.placements) {
        let mut game = crate::core::game::Game::new(&rules, played.seed_of(result));
        for &placement in placements {
            assert_eq!(game.check(placement), Ok(()));
            game.apply(placement);
        }
        assert_eq!((game.lines(), game.pieces()), (result.lines, result.pieces));
    }
}

#[test]
fn an_interruption_keeps_the_games_in_progress_as_cut_off() {
    let rules = rules("simplified-6x12");
    let whole = Context::on_threads(1)
        .play(&Dropper::new(), &rules, 0..400, 5)
        .unwrap();
    let longest = whole.games.iter().map(|game| game.pieces).max().unwrap();
    for threads in [1, 2] {
        let context = Context::on_threads(threads);
        let player = Dropper {
            stops: Some((context.token().clone(), longest - 1)),
            ..Dropper::new()
        };
        let limits = Limits {
            max_pieces: None,
            record_placements: Some(3),
        };
        let played = play_limited(&context, &player, (&rules, 5, limits), 0..100_000).unwrap();
        assert!(played.interrupted && played.games.len() < 100_000);
        assert!(played.games.iter().all(|game| game.pieces > 0));
        assert!(played.cut_off() <= threads);
        for game in played
            .games
            .iter()
            .filter(|game| game.finished && game.index < 400)
        {
            assert_eq!(game.pieces, whole.games[game.index as usize].pieces);
        }
    }
}

#[test]
fn a_study_that_was_cancelled_before_leaves_nothing() {
    let played = Context::on_threads(2)
        .cancelled()
        .play(&Dropper::new(), &rules("simplified-6x12"), 0..5, 5)
        .unwrap();
    assert!(played.interrupted && played.games.is_empty());
    assert_eq!(Estimate::of(&played.lines()), None);
}

#[test]
fn arms_play_the_same_games() {
    let rules = rules("simplified-6x12");
    let (a, b) = (Dropper::new(), Dropper::new());
    let arms: [Arm<'_>; 2] = [("a", &a), ("b", &b)];
    let played = play_all(&Context::on_threads(2), &arms, (&rules, 8), 0..200).unwrap();
    assert_eq!(played[0].games, played[1].games);
    assert_eq!(
        (played[0].name.as_str(), played[1].name.as_str()),
        ("a", "b")
    );
    let paired = Paired::against_first(&common_lines(&played)).unwrap();
    assert_eq!((paired[0].games, paired[0].ties), (200, 200));
    let nobody = play_all(&Context::on_threads(1), &[], (&rules, 5), 0..5).unwrap();
    assert!(nobody.is_empty());
}

#[test]
fn only_games_that_all_arms_played_are_compared() {
    let rules = rules("simplified-6x12");
    let mut played = vec![
        Context::on_threads(1)
            .play(&Dropper::new(), &rules, 0..5, 8)
            .unwrap();
        2
    ];
    played[0].games.remove(1);
    played[1].games.remove(4);
    let common = common_lines(&played);
    assert_eq!(common[0].len(), 3);
    assert_eq!(common[0], common[1]);
}

#[test]
fn nothing_to_play_is_an_error() {
    let rules = rules("simplified-6x12");
    let error = Context::on_threads(1)
        .play(&Dropper::new(), &rules, 7..7, 1)
        .unwrap_err();
    assert!(matches!(error, ArenaError::NoGames));
    let limits = Limits {
        max_pieces: Some(0),
        ..Limits::default()
    };
    let error = play_limited(
        &Context::on_threads(1),
        &Dropper::new(),
        (&rules, 1, limits),
        0..1,
    )
    .unwrap_err();
    assert!(matches!(error, ArenaError::NoPieces));
}

#[test]
fn more_games_than_memory_may_hold_are_refused_before_anything_is_played() {
    let (rules, dropper) = (rules("simplified-6x12"), Dropper::new());
    let error = Context::on_threads(1).play(&dropper, &rules, 0..100_000_000_000, 1);
    assert_eq!(
        error.unwrap_err().to_string(),
        "expected at most 50000000 games in total, got 100000000000"
    );
    let arms: [Arm<'_>; 2] = [("a", &dropper), ("b", &dropper)];
    let error = play_all(
        &Context::on_threads(1),
        &arms,
        (&rules, 1),
        0..MOST_GAMES / 2 + 1,
    )
    .unwrap_err();
    assert!(matches!(error, ArenaError::TooManyGames(50_000_002)));
    assert_eq!(size_of::<GameResult>(), 48);
}

#[test]
fn a_player_that_must_see_more_than_the_ruleset_shows_is_an_error() {
    let player = Dropper {
        needs_preview: 1,
        ..Dropper::new()
    };
    let arms: [Arm<'_>; 2] = [("blind", &Dropper::new()), ("two-piece", &player)];
    let play = |rules: &Ruleset| play_all(&Context::on_threads(1), &arms, (rules, 1), 0..1);
    let error = play(&rules("simplified-6x12")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "two-piece needs preview=1, but the ruleset simplified-6x12 has preview=0; use a ruleset such as simplified-10x10(preview=1)"
    );
    assert!(play(&rules("two-piece")).is_ok());
}

#[test]
fn the_observer_learns_how_it_ended() {
    let (context, last) = heard(2);
    let (rules, dropper) = (rules("simplified-6x12"), Dropper::new());
    let series = GameSeries::new(&rules, 1);
    let played = context.play_all(&[("", &dropper)], &series, 50..350);
    let expected = Event::Games {
        done: 300,
        total: 300,
        pieces: played.unwrap()[0].decisions(),
    };
    assert_eq!(*lock(&last), Some(expected));
}

/// Fails at its first piece.
#[derive(Clone)]
struct Broken;

impl Player for Broken {
    fn choose(&mut self, _: &GameView<'_>) -> Placement {
        panic!("a broken player")
    }

    fn boxed(&self) -> Box<dyn Player> {
        Box::new(self.clone())
    }
}

#[test]
#[should_panic(expected = "a broken player")]
fn a_panic_of_a_player_does_not_wait_for_the_games_of_others() {
    let rules = rules("simplified-10x20");
    let (bcts, broken) = (find_player("bcts", &rules).unwrap(), Broken);
    let arms: [Arm<'_>; 2] = [("bcts", bcts.as_ref()), ("broken", &broken)];
    let arena = Context::without_kernels(2);
    // A game of that player takes minutes.
    drop(play_all(&arena, &arms, (&rules, 1), 0..1));
}

#[test]
fn two_callers_can_play_on_the_same_threads_simultaneously() {
    // Short games: the tested behaviour happens between them.
    let rules = rules("simplified-10x4");
    let bcts = find_player("bcts", &rules).unwrap().boxed();
    let (arena, player) = (Context::on_threads(4), Mutex::new(bcts));
    let play = || {
        let player = lock(&player).boxed();
        (0..2000).for_each(|seed| drop(arena.play(player.as_ref(), &rules, 0..5, seed).unwrap()));
    };
    std::thread::scope(|scope| {
        scope.spawn(play);
        scope.spawn(play);
    });
}

#[test]
#[should_panic(expected = "a broken player")]
fn a_panic_of_a_player_ends_the_run() {
    let arms: [Arm<'_>; 2] = [("dropper", &Dropper::new()), ("broken", &Broken)];
    // These games would take minutes.
    drop(play_all(
        &Context::on_threads(2),
        &arms,
        (&rules("simplified-6x12"), 1),
        0..MOST_GAMES / 2,
    ));
}

#[test]
#[should_panic(expected = "a broken observer")]
fn a_panic_of_the_observer_is_passed_on() {
    let rules = rules("simplified-6x12");
    let series = GameSeries::new(&rules, 1);
    let context = Context::on_threads(2).observer(|_| panic!("a broken observer"));
    drop(context.play_all(&[("dropper", &Dropper::new())], &series, 0..10));
}

#[test]
fn a_list_of_pieces_that_runs_out_is_an_error_that_names_the_first_game() {
    let rules = rules("simplified-6x12(randomizer=fixed(IOTZSJLIO))");
    let first = (0..).find(|&index| {
        let ended = Context::on_threads(1).play(&Dropper::new(), &rules, 0..index + 1, 7);
        ended.is_err()
    });
    for threads in [1, 2] {
        let error = Context::on_threads(threads)
            .play(&Dropper::new(), &rules, 0..5000, 7)
            .unwrap_err();
        let ArenaError::OutOfPieces(error) = error else {
            panic!("{error}");
        };
        assert_eq!((Some(error.index), error.pieces), (first, 9));
        let start = error.index;
        let later = Context::on_threads(threads).play(&Dropper::new(), &rules, start..5000, 7);
        assert_eq!(later.unwrap_err().to_string(), error.to_string());
    }
    let limits = Limits {
        max_pieces: Some(9),
        ..Limits::default()
    };
    let capped = play_limited(
        &Context::on_threads(2),
        &Dropper::new(),
        (&rules, 7, limits),
        0..500,
    )
    .unwrap();
    assert!(capped.cut_off() > 0 && !capped.interrupted);
}

#[test]
fn a_random_player_learns_nothing_from_its_own_numbers() {
    use tetrolab_core::players::Random;
    // With the stream of the pieces, the placement would depend on the piece: an O would always go
    // to the same column.
    let limits = Limits {
        max_pieces: Some(1),
        record_placements: Some(1),
    };
    let series = (&rules("simplified-10x20"), 1, limits);
    let played =
        play_limited(&Context::on_threads(1), &Random::new(false), series, 0..700).unwrap();
    let first = played.placements.iter().flatten();
    let squares: Vec<u8> = first.filter(|p| p.piece == Piece::O).map(|p| p.x).collect();
    let columns: std::collections::BTreeSet<u8> = squares.iter().copied().collect();
    assert!(squares.len() > 60 && columns.len() == 9, "{squares:?}");
}

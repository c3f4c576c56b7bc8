mod kernels;

use super::chunk::play_chunk;
use super::progress::Meter;
use super::*;
use crate::core::game::GameView;
use crate::core::piece::Piece;
use crate::core::placement::Placement;
use crate::core::rng::{Rng, game_seed, player_seed};
use crate::core::ruleset::ruleset;
use crate::core::spec::{Spec, SpecError};
use crate::library::find_player;
use crate::stats::{Estimate, Method, Paired};
use std::sync::atomic::Ordering;

/// Drops pieces into random columns, as its seed says; optionally raises a flag at its n-th piece.
#[derive(Clone)]
struct Dropper {
    rng: Rng,
    seeds: Arc<Mutex<Vec<u64>>>,
    needs_preview: usize,
    stops: Option<(Arc<AtomicBool>, u64)>,
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
        if let Some((flag, at)) = &self.stops
            && view.pieces == *at
        {
            flag.store(true, Ordering::Relaxed);
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

/// A random way up, in a random column.
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
    }
}

pub(super) fn rules(spec: &str) -> Ruleset {
    let no_evaluator = |spec: &Spec, _| Err(SpecError::unknown("evaluator", &spec.name, []));
    ruleset(&spec.parse().unwrap(), &no_evaluator).unwrap()
}

fn arena(threads: usize) -> Arena {
    Arena::new(threads).unwrap()
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let rules = rules("simplified-6x12");
    let alone = arena(1).play(&Dropper::new(), &rules, 3000, 7).unwrap();
    assert_eq!(alone.records.len(), 3000);
    assert!(alone.finished() == 3000 && !alone.interrupted);
    for threads in [2, 5] {
        let together = arena(threads)
            .play(&Dropper::new(), &rules, 3000, 7)
            .unwrap();
        assert_eq!(together.records, alone.records);
    }
}

#[test]
fn results_do_not_depend_on_the_chunks() {
    let rules = rules("simplified-6x12");
    let stop = AtomicBool::new(false);
    let terms = Terms {
        ruleset: &rules,
        seed: 3,
        limits: Limits::default(),
        stop: &stop,
        broken: AtomicBool::new(false),
    };
    let mut player = Dropper::new();
    let mut in_chunks = |size: u64| {
        let (mut meter, mut results) = (Meter::new(None), Vec::new());
        for start in (0..60).step_by(size as usize) {
            play_chunk(
                &mut player,
                &terms,
                start..start + size,
                &mut meter,
                &mut results,
            )
            .unwrap();
        }
        results
    };
    assert_eq!(in_chunks(1), in_chunks(60));
    assert_eq!(in_chunks(1), in_chunks(20));
}

#[test]
fn fewer_games_are_the_first_of_more() {
    let rules = rules("simplified-6x12");
    let few = arena(2).play(&Dropper::new(), &rules, 10, 1).unwrap();
    let many = arena(2).play(&Dropper::new(), &rules, 50, 1).unwrap();
    assert_eq!(few.records[..], many.records[..10]);
}

#[test]
fn players_are_told_a_seed_of_their_own_for_each_game() {
    let player = Dropper::new();
    let played = arena(2)
        .play(&player, &rules("simplified-6x12"), 20, 9)
        .unwrap();
    let mut told = player.seeds.lock().unwrap().clone();
    let seeds: Vec<u64> = (0..20).map(|index| game_seed(9, index)).collect();
    let recorded: Vec<u64> = played.records.iter().map(|game| game.seed).collect();
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
        ..Limits::default()
    };
    let played = arena(2)
        .limits(limits)
        .play(&Dropper::new(), &rules("simplified-6x12"), 100, 2)
        .unwrap();
    assert!(played.cut_off() > 0 && played.finished() > 0 && !played.interrupted);
    for game in &played.records {
        assert!(game.pieces <= 10 && (game.finished || game.pieces == 10));
        assert_eq!(
            game.placements.as_ref().unwrap().len() as u64,
            game.pieces.min(8)
        );
    }
    assert_eq!(
        Estimate::of(&played.pieces()).unwrap().method,
        Method::Censored
    );
    assert_eq!(
        played.decisions(),
        played.records.iter().map(|game| game.pieces).sum::<u64>()
    );
}

#[test]
fn recorded_placements_play_the_game_again() {
    let limits = Limits {
        max_pieces: None,
        record_placements: Some(usize::MAX),
        ..Limits::default()
    };
    let rules = rules("simplified-6x12");
    let played = arena(1)
        .limits(limits)
        .play(&Dropper::new(), &rules, 3, 4)
        .unwrap();
    for result in &played.records {
        let mut game = crate::core::game::Game::new(&rules, result.seed);
        for &placement in result.placements.as_ref().unwrap() {
            assert_eq!(game.check(placement), Ok(()));
            game.apply(placement);
        }
        assert_eq!((game.lines(), game.pieces()), (result.lines, result.pieces));
    }
}

#[test]
fn an_interruption_keeps_the_games_in_progress_as_cut_off() {
    let rules = rules("simplified-6x12");
    let whole = arena(1).play(&Dropper::new(), &rules, 400, 5).unwrap();
    let longest = whole.records.iter().map(|game| game.pieces).max().unwrap();
    for threads in [1, 2] {
        let stop = Arc::new(AtomicBool::new(false));
        let player = Dropper {
            stops: Some((Arc::clone(&stop), longest - 1)),
            ..Dropper::new()
        };
        let mut arena = arena(threads).stop_flag(stop);
        arena.limits.record_placements = Some(3);
        let played = arena.play(&player, &rules, 100_000, 5).unwrap();
        assert!(played.interrupted && played.records.len() < 100_000);
        assert!(played.records.iter().all(|game| game.pieces > 0));
        assert!(played.cut_off() <= threads);
        for game in played
            .records
            .iter()
            .filter(|game| game.finished && game.index < 400)
        {
            assert_eq!(game.pieces, whole.records[game.index as usize].pieces);
        }
    }
}

#[test]
fn a_flag_that_is_up_from_the_start_leaves_nothing() {
    let stop = Arc::new(AtomicBool::new(true));
    let played = arena(2)
        .stop_flag(stop)
        .play(&Dropper::new(), &rules("simplified-6x12"), 5, 5)
        .unwrap();
    assert!(played.interrupted && played.records.is_empty());
    assert_eq!(Estimate::of(&played.lines()), None);
}

#[test]
fn arms_play_the_same_games() {
    let rules = rules("simplified-6x12");
    let (a, b) = (Dropper::new(), Dropper::new());
    let played = arena(2)
        .play_all(&[("a", &a), ("b", &b)], &rules, 200, 8)
        .unwrap();
    assert_eq!(played[0].records, played[1].records);
    assert_eq!(
        (played[0].name.as_str(), played[1].name.as_str()),
        ("a", "b")
    );
    let paired = Paired::against_first(&common_lines(&played)).unwrap();
    assert_eq!((paired[0].games, paired[0].ties), (200, 200));
    assert!(arena(1).play_all(&[], &rules, 5, 5).unwrap().is_empty());
}

#[test]
fn only_games_that_all_arms_played_are_compared() {
    let rules = rules("simplified-6x12");
    let mut played = vec![arena(1).play(&Dropper::new(), &rules, 5, 8).unwrap(); 2];
    played[0].records.remove(1);
    played[1].records.remove(4);
    let common = common_lines(&played);
    assert_eq!(common[0].len(), 3);
    assert_eq!(common[0], common[1]);
}

#[test]
fn nothing_to_play_is_an_error() {
    let rules = rules("simplified-6x12");
    let error = arena(1).play(&Dropper::new(), &rules, 0, 1).unwrap_err();
    assert!(matches!(error, ArenaError::NoGames));
    let limits = Limits {
        max_pieces: Some(0),
        ..Limits::default()
    };
    let error = arena(1)
        .limits(limits)
        .play(&Dropper::new(), &rules, 1, 1)
        .unwrap_err();
    assert!(matches!(error, ArenaError::NoPieces));
}

#[test]
fn a_player_that_must_see_more_than_the_ruleset_shows_is_an_error() {
    let player = Dropper {
        needs_preview: 1,
        ..Dropper::new()
    };
    let arms: [Arm<'_>; 2] = [("blind", &Dropper::new()), ("two-piece", &player)];
    let error = arena(1)
        .play_all(&arms, &rules("simplified-6x12"), 1, 1)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "two-piece must see 1 next piece(s), but the ruleset simplified-6x12 shows 0; preview=1 in the parentheses of \
         a ruleset shows more"
    );
    assert!(arena(1).play_all(&arms, &rules("two-piece"), 1, 1).is_ok());
}

#[test]
fn the_observer_learns_how_it_ended() {
    let last = Arc::new(Mutex::new(None));
    let heard = Arc::clone(&last);
    let arena = arena(2).on_progress(move |progress| *heard.lock().unwrap() = Some(progress));
    let played = arena
        .play(&Dropper::new(), &rules("simplified-6x12"), 300, 1)
        .unwrap();
    let expected = Progress {
        games_done: 300,
        games_total: 300,
        pieces: played.decisions(),
    };
    assert_eq!(*last.lock().unwrap(), Some(expected));
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
    let limits = Limits {
        no_kernel: true,
        ..Limits::default()
    };
    // A game of that player lasts for minutes.
    let played = arena(2).limits(limits).play_all(&arms, &rules, 1, 1);
    drop(played);
}

#[test]
fn two_callers_can_play_on_the_same_threads_at_once() {
    let rules = rules("simplified-10x6");
    let bcts = find_player("bcts", &rules).unwrap().boxed();
    let (arena, player) = (arena(4), Mutex::new(bcts));
    let play = || {
        let player = lock(&player).boxed();
        (0..2000).for_each(|seed| drop(arena.play(player.as_ref(), &rules, 5, seed).unwrap()));
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
    // So many games would take hours.
    let played = arena(2).play_all(&arms, &rules("simplified-6x12"), 1 << 40, 1);
    drop(played);
}

#[test]
fn a_list_of_pieces_that_runs_out_is_an_error_that_names_the_first_game() {
    let rules = rules("simplified-6x12(randomizer=fixed(IOTZSJLIO))");
    let first = (0..).find(|&index| {
        let ended = arena(1).play(&Dropper::new(), &rules, index + 1, 7);
        ended.is_err()
    });
    for threads in [1, 2] {
        let error = arena(threads)
            .play(&Dropper::new(), &rules, 5000, 7)
            .unwrap_err();
        let ArenaError::OutOfPieces(error) = error else {
            panic!("{error}");
        };
        assert_eq!((Some(error.index), error.pieces), (first, 9));
    }
    let limits = Limits {
        max_pieces: Some(9),
        ..Limits::default()
    };
    let capped = arena(2)
        .limits(limits)
        .play(&Dropper::new(), &rules, 500, 7)
        .unwrap();
    assert!(capped.cut_off() > 0 && !capped.interrupted);
}

#[test]
fn a_random_player_learns_nothing_from_its_own_numbers() {
    use tetrolab_core::players::Random;
    // With the pieces' own stream, the placement would follow from the piece: an O would always go to one column.
    let limits = Limits {
        max_pieces: Some(1),
        record_placements: Some(1),
        ..Limits::default()
    };
    let arena = arena(1).limits(limits);
    let played = arena
        .play(&Random::new(false), &rules("simplified-10x20"), 700, 1)
        .unwrap();
    let first = played
        .records
        .iter()
        .flat_map(|game| game.placements.iter().flatten());
    let squares: Vec<u8> = first.filter(|p| p.piece == Piece::O).map(|p| p.x).collect();
    let columns: std::collections::BTreeSet<u8> = squares.iter().copied().collect();
    assert!(squares.len() > 60 && columns.len() == 9, "{squares:?}");
}

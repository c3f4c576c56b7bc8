use super::slow::{Places, Slow};
use super::*;
use crate::moves::{CURVES, DropKey, Gravity, Input, LockReset, LockRule, Locking, Path};
use crate::piece::{PIECES, Piece};
use crate::placement::Spin;
use crate::rng::Rng;
use crate::rotation::{Turn, rotation_system};

const SYSTEMS: [&str; 9] = [
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

fn move_rules(system: &str, visible: usize) -> MoveRules {
    MoveRules::new(rotation_system(&system.parse().unwrap()).unwrap(), visible)
}

/// The placements that the path finder finds, with the lengths of its paths.
fn found(board: &Board, move_rules: &MoveRules, start: PathStart) -> Places {
    let mut finder = PathFinder::default();
    finder.search(board, move_rules, start);
    let mut placements = Vec::new();
    finder.placements(board, move_rules, &mut placements);
    let found = placements.into_iter().map(|place| {
        let path = finder.path(board, move_rules, place);
        let path = path.expect("a place that was found has a path");
        assert_eq!(
            walked(board, move_rules, start, &path),
            Some(place),
            "{path}"
        );
        let key = (place.rotation as u8, place.x, place.y);
        (key, (place.spin, path.len()))
    });
    found.collect()
}

/// The end of a path according to the rules: a reference implementation of a stepped game.
fn walked(
    board: &Board,
    move_rules: &MoveRules,
    start: PathStart,
    path: &Path,
) -> Option<Placement> {
    let (mut falling, mut kicked) = (start.falling, start.floor_kicked);
    let mut spin = Spin::None;
    for (index, input) in path.ticks().enumerate() {
        let before = falling;
        let turn = match input {
            Some(Input::Left) => {
                falling = falling.moved(-1, 0);
                None
            }
            Some(Input::Right) => {
                falling = falling.moved(1, 0);
                None
            }
            Some(Input::Down) if !falling.is_grounded(board) => {
                falling = falling.moved(0, -1);
                None
            }
            Some(Input::Drop) => {
                falling = falling.fallen(board, 64);
                None
            }
            Some(Input::Clockwise) => Some(Turn::Clockwise),
            Some(Input::Counterclockwise) => Some(Turn::Counterclockwise),
            Some(Input::Half) => Some(Turn::Half),
            _ => None,
        };
        if let Some(turn) = turn {
            let turned = move_rules.system.turn(board, falling, turn, kicked)?;
            falling = turned.falling;
            kicked |= turned.floor_kick;
            spin = move_rules.spin(board, falling, turned.far_kick);
        } else if falling != before {
            spin = Spin::None;
        }
        if !falling.fits(board) {
            return None;
        }
        let rows = move_rules.gravity.rows_in(start.age + index as u32 + 1);
        let fallen = falling.fallen(board, rows);
        let locks = move_rules.locking == Locking::OnFall && rows > 0 && fallen == falling;
        if fallen != falling {
            spin = Spin::None;
        }
        falling = fallen;
        if locks {
            break;
        }
    }
    let lies = falling.is_grounded(board);
    lies.then(|| Placement {
        spin,
        ..falling.placement()
    })
}

fn check(board: &Board, move_rules: &MoveRules, piece: Piece) {
    let start = PathStart::entering(move_rules.entry(piece, board));
    let slow = Slow {
        board,
        move_rules,
        placements: Places::new(),
    };
    let expected = slow.search(start);
    check_places_alone(board, move_rules, start);
    let found = found(board, move_rules, start);
    assert_eq!(
        found, expected,
        "{piece} {} {:?}\n{board:?}",
        move_rules.system.name, move_rules.gravity
    );
}

/// Checks that the search without paths finds the same placements.
fn check_places_alone(board: &Board, move_rules: &MoveRules, start: PathStart) {
    let mut finder = PathFinder::default();
    let (mut placements, mut alone) = (Vec::new(), Vec::new());
    finder.search(board, move_rules, start);
    finder.placements(board, move_rules, &mut placements);
    finder.search_placements(board, move_rules, start);
    finder.placements(board, move_rules, &mut alone);
    assert_eq!(alone, placements, "{start:?} {move_rules:?}\n{board:?}");
}

/// A board with holes, overhangs and towers of at most this height.
fn ragged(rng: &mut Rng, most: u64) -> Board {
    let mut board = Board::new(10, 22).unwrap();
    let density = 2 + rng.below(4);
    for column in 0..10 {
        for row in 0..rng.below(most + 1) as usize {
            if rng.below(density) > 0 {
                board.fill(row, column);
            }
        }
    }
    // A roof somewhere with a gap below it that only a tuck or a twist can reach.
    let (row, column) = (rng.below(most) as usize, rng.below(8) as usize);
    board.fill(row, column);
    board
}

/// All lock and gravity rules.
fn variants(system: &str) -> Vec<MoveRules> {
    let plain = move_rules(system, 20);
    let gravity = |rows, ticks| Gravity { rows, ticks };
    let falls = [
        gravity(1, 60),
        gravity(1, 2),
        gravity(1, 1),
        gravity(5, 3),
        gravity(20, 1),
        gravity(3, 16),
    ];
    let mut all = vec![
        MoveRules {
            spins: Spins::All,
            ..plain.clone()
        },
        MoveRules {
            drop: DropKey::None,
            locking: Locking::DelayOrDown,
            ..plain.clone()
        },
    ];
    for (index, gravity) in falls.into_iter().enumerate() {
        all.push(MoveRules {
            gravity,
            spins: Spins::T,
            ..plain.clone()
        });
        let drop = [DropKey::None, DropKey::Sonic][index % 2];
        all.push(MoveRules {
            gravity,
            drop,
            locking: Locking::DelayOrDown,
            ..plain.clone()
        });
        for drop in [DropKey::None, DropKey::Sonic, DropKey::Hard] {
            let locking = Locking::OnFall;
            all.push(MoveRules {
                gravity,
                drop,
                locking,
                ..plain.clone()
            });
        }
    }
    all
}

fn compare(boards: u64, seed: u64) {
    let mut rng = Rng::new(seed);
    for system in SYSTEMS {
        let variants = variants(system);
        for round in 0..boards {
            let most = [0, 6, 12, 18][round as usize % 4];
            let board = ragged(&mut rng, most.max(1));
            let piece = PIECES[rng.below(7) as usize];
            let variant = &variants[rng.below(variants.len() as u64) as usize];
            check(&board, variant, piece);
        }
    }
}

#[test]
fn places_and_lengths_are_those_of_the_slow_twin() {
    compare(60, 1);
}

/// Checks that searches without paths, at the speeds of all levels, find the same placements as the
/// search with paths.
fn compare_places_alone(boards: u64, seed: u64) {
    let mut rng = Rng::new(seed);
    for system in SYSTEMS {
        for round in 0..boards {
            let board = ragged(&mut rng, 1 + round % 9);
            let (curve, _) = CURVES[rng.below(CURVES.len() as u64) as usize];
            let one_of = |rng: &mut Rng| rng.below(3) as usize;
            let locking = [Locking::Delay, Locking::DelayOrDown, Locking::OnFall][one_of(&mut rng)];
            let reset = [LockReset::Step, LockReset::Move, LockReset::Infinity][one_of(&mut rng)];
            let move_rules = MoveRules {
                gravity: curve.at(rng.below(22) as u32 * [1, 20][round as usize % 2]),
                drop: [DropKey::None, DropKey::Sonic, DropKey::Hard][one_of(&mut rng)],
                spins: [Spins::None, Spins::T, Spins::All][one_of(&mut rng)],
                lock: match locking {
                    Locking::OnFall => LockRule::OnFall,
                    _ => LockRule::Delay { ticks: 30, reset },
                },
                locking,
                ..move_rules(system, 20)
            };
            let piece = PIECES[rng.below(7) as usize];
            let start = PathStart::entering(move_rules.entry(piece, &board));
            check_places_alone(&board, &move_rules, start);
        }
    }
}

#[test]
fn without_paths_the_same_places_are_found() {
    compare_places_alone(300, 3);
}

/// The complete test: `cargo test --release -p tetrolab-core --lib on_many_boards -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn without_paths_the_same_places_are_found_on_many_boards() {
    compare_places_alone(3000, 4);
}

/// An assumption of searches without paths about turns in the open space: the first test succeeds.
#[test]
fn turns_in_the_open_move_a_piece_by_few_rows() {
    for system in SYSTEMS {
        let move_rules = move_rules(system, 20);
        for piece in PIECES {
            let turns = move_rules.system.piece(piece);
            let height = |rotation: usize| turns.corners[rotation].1;
            let rows = (0..4).map(|to| height(to) - height(turns.enters as usize));
            assert!(rows.into_iter().all(|rows| (-2..=1).contains(&rows)));
            let edges = move_rules
                .graph(piece)
                .nodes
                .iter()
                .flat_map(|node| &node.edges);
            let mut tests = edges.flat_map(|edge| &edge.tests);
            assert!(tests.all(|test| test.dy.abs() <= OPEN_ROWS as i32));
        }
    }
}

/// The complete test: `cargo test --release -p tetrolab-core --lib slow_twin_on_many -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn places_and_lengths_are_those_of_the_slow_twin_on_many_boards() {
    compare(1200, 2);
}

/// A small board with holes and overhangs, and rules with a short lock delay.
fn with_short_delay(rng: &mut Rng, gravity: Gravity) -> (Board, MoveRules) {
    let mut board = Board::new(6, 9).unwrap();
    for column in 0..6 {
        for row in 0..rng.below(6) as usize {
            if rng.below(4) > 0 {
                board.fill(row, column);
            }
        }
    }
    let one_of = |rng: &mut Rng| rng.below(3) as usize;
    let ticks = rng.below(7) as u16;
    let reset = [LockReset::Step, LockReset::Move, LockReset::Infinity][one_of(rng)];
    let move_rules = MoveRules {
        gravity,
        drop: [DropKey::None, DropKey::Sonic, DropKey::Hard][one_of(rng)],
        locking: [Locking::Delay, Locking::DelayOrDown][rng.below(2) as usize],
        spins: [Spins::None, Spins::T, Spins::All][one_of(rng)],
        lock: LockRule::Delay { ticks, reset },
        ..move_rules(SYSTEMS[rng.below(9) as usize], 9)
    };
    (board, move_rules)
}

fn compare_short_delays(boards: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let gravities = [(0, 1), (1, 1), (20, 1)].map(|(rows, ticks)| Gravity { rows, ticks });
    for round in 0..boards {
        let (board, move_rules) = with_short_delay(&mut rng, gravities[round % 3]);
        let start = PathStart::entering(move_rules.entry(PIECES[rng.below(7) as usize], &board));
        let slow = Slow {
            board: &board,
            move_rules: &move_rules,
            placements: Places::new(),
        };
        let expected = super::slow_timed::search(slow, start);
        check_places_alone(&board, &move_rules, start);
        // A path may press a key that locks in the tick in which the delay ends anyway: one more
        // tick.
        let found = found(&board, &move_rules, start);
        let spins = |placements: &Places| -> Vec<_> {
            let spin = placements.iter().map(|(&place, &(spin, _))| (place, spin));
            spin.collect()
        };
        let about = format!("{:?} {:?}\n{board:?}", start.falling, move_rules.lock);
        assert_eq!(spins(&found), spins(&expected), "{about}");
        let lengths = found.values().zip(expected.values());
        for ((_, found), (_, expected)) in lengths {
            assert!((*expected..=expected + 1).contains(found), "{about}");
        }
    }
}

#[test]
fn under_short_lock_delays_places_are_those_of_the_slow_twin() {
    compare_short_delays(60, 1);
}

/// The complete test: `cargo test --release -p tetrolab-core --lib slow_twin_on_many -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn under_short_lock_delays_places_are_those_of_the_slow_twin_on_many_boards() {
    compare_short_delays(3000, 2);
}

#[test]
fn on_the_empty_board_the_places_are_the_straight_drops() {
    let board = Board::new(10, 20).unwrap();
    for system in SYSTEMS {
        let move_rules = move_rules(system, 18);
        let count = |piece| {
            let mut finder = PathFinder::default();
            finder.search(
                &board,
                &move_rules,
                PathStart::entering(move_rules.entry(piece, &board)),
            );
            let mut placements = Vec::new();
            finder.placements(&board, &move_rules, &mut placements);
            assert_eq!(
                placements,
                crate::moves::placements(&board, piece),
                "{system}"
            );
            placements.len()
        };
        assert_eq!(PIECES.map(count), [17, 9, 34, 17, 17, 34, 34]);
    }
}

fn board(rows: &[&str]) -> Board {
    Board::from_lowest_rows(10, 22, rows).unwrap()
}

/// The paths of a T to placements with a spin.
fn spins(board: &Board, move_rules: &MoveRules) -> Vec<(Placement, String)> {
    let mut finder = PathFinder::default();
    let start = PathStart::entering(move_rules.entry(Piece::T, board));
    finder.search(board, move_rules, start);
    let mut placements = Vec::new();
    finder.placements(board, move_rules, &mut placements);
    let spins = placements
        .into_iter()
        .filter(|place| place.spin != Spin::None);
    let path = |place| finder.path(board, move_rules, place).unwrap().to_string();
    spins.map(|place| (place, path(place))).collect()
}

#[test]
fn a_double_and_a_triple_are_found_as_full_spins() {
    let move_rules = MoveRules {
        spins: Spins::T,
        ..move_rules("super", 20)
    };
    let double = board(&[".#........", "#...######", "##.#######"]);
    let full = spins(&double, &move_rules);
    let is_full = |(place, _): &&(Placement, String)| place.spin == Spin::Full;
    let found = full.iter().find(is_full).expect("the slot of a double");
    assert_eq!((found.0.x, found.0.y), (1, 0));
    assert!(
        found.1.ends_with("cD") || found.1.ends_with("wD"),
        "{}",
        found.1
    );
    let triple = board(&[
        "##........",
        "#.........",
        "#.########",
        "#..#######",
        "#.########",
    ]);
    let full = spins(&triple, &move_rules);
    let found = full.iter().find(is_full).expect("the slot of a triple");
    assert_eq!(
        (found.0.rotation, found.0.x, found.0.y),
        (crate::piece::Rotation::East, 1, 0)
    );
}

#[test]
fn a_piece_that_cannot_enter_has_no_placements() {
    let move_rules = move_rules("nintendo", 20);
    let mut board = Board::new(10, 20).unwrap();
    board.fill(19, 4);
    let mut finder = PathFinder::default();
    finder.search(
        &board,
        &move_rules,
        PathStart::entering(move_rules.entry(Piece::O, &board)),
    );
    let mut placements = vec![];
    finder.placements(&board, &move_rules, &mut placements);
    assert!(placements.is_empty());
}

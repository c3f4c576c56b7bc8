use super::*;
use crate::piece::PIECES;
use Rotation::{East, North, South, West};
use Turn::{Clockwise, Counterclockwise, Half};

fn system(spec: &str) -> RotationSystem {
    rotation_system(&spec.parse().unwrap()).unwrap()
}

/// Every system with every setting.
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

fn kicks(system: &RotationSystem, piece: Piece, from: Rotation, turn: Turn) -> Vec<(i8, i8)> {
    let tests = &system.tests(piece, from, turn).kicks;
    tests.iter().map(|kick| (kick.dx, kick.dy)).collect()
}

#[test]
fn every_registered_system_is_tested() {
    for entry in ROTATIONS {
        assert!(SYSTEMS.contains(&entry.id), "{}", entry.id);
    }
}

/// The published tables: from, to, tests.
type Published = [(Rotation, Rotation, [(i8, i8); 5])];

const PUBLISHED_3X3: &Published = &[
    (North, East, [(0, 0), (-1, 0), (-1, 1), (0, -2), (-1, -2)]),
    (East, North, [(0, 0), (1, 0), (1, -1), (0, 2), (1, 2)]),
    (East, South, [(0, 0), (1, 0), (1, -1), (0, 2), (1, 2)]),
    (South, East, [(0, 0), (-1, 0), (-1, 1), (0, -2), (-1, -2)]),
    (South, West, [(0, 0), (1, 0), (1, 1), (0, -2), (1, -2)]),
    (West, South, [(0, 0), (-1, 0), (-1, -1), (0, 2), (-1, 2)]),
    (West, North, [(0, 0), (-1, 0), (-1, -1), (0, 2), (-1, 2)]),
    (North, West, [(0, 0), (1, 0), (1, 1), (0, -2), (1, -2)]),
];

const PUBLISHED_BAR: &Published = &[
    (North, East, [(0, 0), (-2, 0), (1, 0), (-2, -1), (1, 2)]),
    (East, North, [(0, 0), (2, 0), (-1, 0), (2, 1), (-1, -2)]),
    (East, South, [(0, 0), (-1, 0), (2, 0), (-1, 2), (2, -1)]),
    (South, East, [(0, 0), (1, 0), (-2, 0), (1, -2), (-2, 1)]),
    (South, West, [(0, 0), (2, 0), (-1, 0), (2, 1), (-1, -2)]),
    (West, South, [(0, 0), (-2, 0), (1, 0), (-2, -1), (1, 2)]),
    (West, North, [(0, 0), (1, 0), (-2, 0), (1, -2), (-2, 1)]),
    (North, West, [(0, 0), (-1, 0), (2, 0), (-1, 2), (2, -1)]),
];

#[test]
fn the_kicks_of_the_super_system_are_the_published_ones() {
    let system = system("super");
    let check = |piece: Piece, published: &Published| {
        for (from, to, expected) in published {
            let turn = TURNS[..2].iter().find(|turn| turn.of(*from) == *to);
            assert_eq!(kicks(&system, piece, *from, *turn.unwrap()), expected);
        }
    };
    for piece in [Piece::J, Piece::L, Piece::S, Piece::T, Piece::Z] {
        check(piece, PUBLISHED_3X3);
    }
    check(Piece::I, PUBLISHED_BAR);
    for from in ALL_ROTATIONS {
        assert_eq!(kicks(&system, Piece::O, from, Clockwise), [(0, 0)]);
    }
}

#[test]
fn a_reverse_turn_tries_the_negated_kicks_of_the_turn() {
    let system = system("super");
    for piece in PIECES {
        for from in ALL_ROTATIONS {
            let there = kicks(&system, piece, from, Clockwise);
            let back = kicks(&system, piece, Clockwise.of(from), Counterclockwise);
            let negated: Vec<_> = there.iter().map(|(dx, dy)| (-dx, -dy)).collect();
            assert_eq!(back, negated, "{piece}");
        }
    }
}

#[test]
fn the_super_system_turns_its_pieces_about_a_point() {
    let system = system("super");
    for piece in PIECES {
        let size = match piece {
            Piece::I => 4,
            Piece::O => 2,
            _ => 3,
        };
        let cells = |rotation: Rotation| {
            let corner = system.piece(piece).corners[rotation as usize];
            let cells = piece.shape(rotation).cells();
            let mut cells: Vec<(i8, i8)> = cells
                .map(|(row, column)| (column as i8 + corner.0, row as i8 + corner.1))
                .collect();
            cells.sort_unstable();
            cells
        };
        for from in ALL_ROTATIONS {
            let turned = cells(from).into_iter().map(|(x, y)| (y, size - 1 - x));
            let mut turned: Vec<_> = turned.collect();
            turned.sort_unstable();
            assert_eq!(turned, cells(Clockwise.of(from)), "{piece}");
        }
    }
}

/// The lower left corners of all pieces, as in the published pictures: I O T Z S J L, each north,
/// east, south, west.
type Corners = [[(i8, i8); 4]; 7];

const O: [(i8, i8); 4] = [(0, 0); 4];
const CENTRED: [(i8, i8); 4] = [(0, 1), (1, 0), (0, 0), (0, 0)];
const LOW: [(i8, i8); 4] = [(0, 0), (1, 0), (0, 0), (0, 0)];
const RIGHT: [(i8, i8); 4] = [(0, 0), (1, 0), (0, 0), (1, 0)];
const LEFT: [(i8, i8); 4] = [(0, 0); 4];

const GOLDEN: [(&str, Corners); 7] = [
    (
        "super",
        [
            [(0, 2), (2, 0), (0, 1), (1, 0)],
            O,
            CENTRED,
            CENTRED,
            CENTRED,
            CENTRED,
            CENTRED,
        ],
    ),
    (
        "arika",
        [
            [(0, 2), (2, 0), (0, 2), (2, 0)],
            O,
            LOW,
            RIGHT,
            LEFT,
            LOW,
            LOW,
        ],
    ),
    (
        "sega",
        [
            [(0, 2), (2, 0), (0, 2), (2, 0)],
            O,
            LOW,
            RIGHT,
            LEFT,
            LOW,
            LOW,
        ],
    ),
    (
        "nintendo",
        [
            [(0, 1), (2, 0), (0, 1), (2, 0)],
            O,
            CENTRED,
            RIGHT,
            RIGHT,
            CENTRED,
            CENTRED,
        ],
    ),
    (
        "nintendo-left",
        [
            [(0, 1), (1, 0), (0, 1), (1, 0)],
            O,
            CENTRED,
            LEFT,
            LEFT,
            CENTRED,
            CENTRED,
        ],
    ),
    (
        "original",
        [
            [(0, 2), (2, 0), (0, 2), (2, 0)],
            O,
            CENTRED,
            RIGHT,
            RIGHT,
            CENTRED,
            CENTRED,
        ],
    ),
    (
        "dtet",
        [[(0, 1), (2, 0), (0, 1), (1, 0)], O, LOW, LOW, LOW, LOW, LOW],
    ),
];

#[test]
fn every_piece_is_in_its_box_as_published() {
    for (spec, expected) in GOLDEN {
        let system = system(spec);
        assert_eq!(
            PIECES.map(|piece| system.piece(piece).corners),
            expected,
            "{spec}"
        );
    }
}

#[test]
fn pieces_enter_where_their_rotation_system_specifies() {
    // I O T Z S J L: rotation, column, row, on a board 10 wide with 20 visible rows.
    let entries = |spec: &str| {
        let system = system(spec);
        PIECES.map(|piece| {
            let entry = system.entry(piece, 10, 20);
            (entry.rotation, entry.x, entry.y)
        })
    };
    let flat = |x, y| (North, x, y);
    let down = |x| (South, x, 18);
    let above = [3, 4, 3, 3, 3, 3, 3].map(|x| flat(x, 20));
    assert_eq!(entries("super"), above);
    let left = [
        flat(3, 19),
        flat(4, 18),
        down(3),
        flat(3, 18),
        flat(3, 18),
        down(3),
        down(3),
    ];
    for spec in ["arika", "sega", "dtet", "nintendo-left"] {
        assert_eq!(entries(spec), left, "{spec}");
    }
    let right = [
        flat(3, 19),
        flat(4, 18),
        down(4),
        flat(4, 18),
        flat(4, 18),
        down(4),
        down(4),
    ];
    for spec in ["nintendo", "original"] {
        assert_eq!(entries(spec), right, "{spec}");
    }
}

/// A board that is full except for the cells of these pieces.
fn carved(pieces: &[Falling]) -> Board {
    let mut board = Board::new(12, 20).unwrap();
    let free: Vec<(i32, i32)> = pieces.iter().flat_map(Falling::cells).collect();
    for row in 0..20 {
        for column in 0..12 {
            if !free.contains(&(row, column)) {
                board.fill(row as usize, column as usize);
            }
        }
    }
    board
}

/// The position of the piece after each test of a turn.
fn targets(system: &RotationSystem, falling: Falling, turn: Turn) -> Vec<Falling> {
    let basic = turned_in_place(system.piece(falling.piece), falling, turn);
    let kicks = &system.tests(falling.piece, falling.rotation, turn).kicks;
    kicks
        .iter()
        .map(|kick| basic.moved(kick.dx, kick.dy))
        .collect()
}

#[test]
fn every_kick_of_every_system_is_used_where_no_earlier_test_succeeds() {
    for spec in SYSTEMS {
        let system = system(spec);
        for (piece, rotation) in PIECES
            .into_iter()
            .flat_map(|piece| ALL_ROTATIONS.map(|rotation| (piece, rotation)))
        {
            let falling = Falling {
                piece,
                rotation,
                x: 4,
                y: 8,
            };
            for turn in TURNS
                .into_iter()
                .filter(|turn| *turn != Half || system.has_half)
            {
                check_kicks(&system, falling, turn);
            }
        }
    }
}

fn check_kicks(system: &RotationSystem, falling: Falling, turn: Turn) {
    let targets = targets(system, falling, turn);
    for (test, &target) in targets.iter().enumerate() {
        let board = carved(&[falling, target]);
        let first = targets
            .iter()
            .position(|target| target.fits(&board))
            .unwrap();
        let turned = system.turn(&board, falling, turn, false);
        let barred = system
            .tests(falling.piece, falling.rotation, turn)
            .barring_column;
        if first == test && barred.is_none() {
            let turned = turned.expect("there is room for this test");
            assert_eq!((turned.falling, turned.test), (target, test));
        }
    }
}

/// A board ten columns wide, given by its lowest rows.
fn board(rows: &[&str]) -> Board {
    Board::from_lowest_rows(10, 20, rows).unwrap()
}

fn at(piece: Piece, rotation: Rotation, x: i8, y: i8) -> Falling {
    Falling {
        piece,
        rotation,
        x,
        y,
    }
}

/// The position of a piece after a turn, and the test that succeeded.
fn turned(spec: &str, board: &Board, falling: Falling, turn: Turn) -> Option<(Falling, usize)> {
    let turned = system(spec).turn(board, falling, turn, false)?;
    Some((turned.falling, turned.test))
}

#[test]
fn a_t_twists_into_the_slot_of_a_double() {
    let slot = board(&[
        ".#........", //
        "#...######", //
        "##.#######",
    ]);
    let upright = at(Piece::T, East, 2, 0);
    assert!(upright.fits(&slot) && upright.is_grounded(&slot));
    let down = at(Piece::T, South, 1, 0);
    assert_eq!(turned("super", &slot, upright, Clockwise), Some((down, 0)));
}

#[test]
fn a_t_twists_into_the_slot_of_a_triple_by_its_fifth_test() {
    let right = board(&[
        "##........", //
        "#.........", //
        "#.########", //
        "#..#######", //
        "#.########",
    ]);
    let lying = at(Piece::T, North, 1, 3);
    let into = at(Piece::T, East, 1, 0);
    assert_eq!(turned("super", &right, lying, Clockwise), Some((into, 4)));
    let left = board(&[
        "........##", //
        ".........#", //
        "########.#", //
        "#######..#", //
        "########.#",
    ]);
    let lying = at(Piece::T, North, 6, 3);
    let into = at(Piece::T, West, 7, 0);
    assert_eq!(
        turned("super", &left, lying, Counterclockwise),
        Some((into, 4))
    );
}

#[test]
fn a_z_twists_under_an_overhang() {
    let slot = board(&[
        "#.........", //
        "#..#######", //
        "##..######",
    ]);
    let standing = at(Piece::Z, East, 1, 1);
    let into = at(Piece::Z, South, 1, 0);
    assert_eq!(turned("super", &slot, standing, Clockwise), Some((into, 2)));
}

#[test]
fn standing_bars_kick_off_both_walls() {
    let empty = board(&[]);
    for spec in ["super", "arika(kicks=tgm3)"] {
        let left = at(Piece::I, East, 0, 4);
        let (off_left, test) = turned(spec, &empty, left, Clockwise).unwrap();
        assert_eq!((off_left.x, test > 0), (0, true), "{spec}");
        let right = at(Piece::I, East, 9, 4);
        let (off_right, test) = turned(spec, &empty, right, Counterclockwise).unwrap();
        assert_eq!((off_right.x, test > 0), (6, true), "{spec}");
    }
    for spec in ["arika", "sega", "nintendo", "nintendo-left", "original"] {
        assert_eq!(
            turned(spec, &empty, at(Piece::I, East, 0, 4), Clockwise),
            None
        );
        assert_eq!(
            turned(spec, &empty, at(Piece::I, East, 9, 4), Clockwise),
            None
        );
    }
    // A vertical T at the left wall kicks to the right, at the right wall to the left.
    for spec in ["super", "arika", "dtet"] {
        let left = turned(spec, &empty, at(Piece::T, East, 0, 4), Clockwise).unwrap();
        let right = turned(spec, &empty, at(Piece::T, West, 8, 4), Counterclockwise).unwrap();
        assert_eq!((left.0.x, right.0.x), (0, 7), "{spec}");
    }
}

#[test]
fn arikas_middle_column_keeps_j_l_and_t_from_kicking() {
    // With something above the middle of a T that points down, it cannot turn upright in either
    // direction.
    let above = board(&["....#.....", "..........", ".........."]);
    let lying = at(Piece::T, South, 3, 0);
    for turn in [Clockwise, Counterclockwise] {
        assert_eq!(turned("arika", &above, lying, turn), None);
        assert_eq!(turned("arika(kicks=tgm3)", &above, lying, turn), None);
    }
    // An L that turns upright with its head to the upper left: if the head's cell is filled, that
    // comes first in reading order, and it kicks.
    let l = at(Piece::L, North, 3, 0);
    let head = board(&["...#......", "..........", ".........."]);
    let kicked = at(Piece::L, West, 4, 0);
    assert_eq!(
        turned("arika", &head, l, Counterclockwise),
        Some((kicked, 1))
    );
    let middle = board(&["....#.....", "..........", ".........."]);
    assert_eq!(turned("arika", &middle, l, Counterclockwise), None);
}

#[test]
fn arikas_z_kicks_right_before_left() {
    let beside = board(&[".....#....", "..........", ".........."]);
    let z = at(Piece::Z, North, 3, 0);
    let kicked = at(Piece::Z, East, 5, 0);
    assert_eq!(turned("arika", &beside, z, Clockwise), Some((kicked, 1)));
}

#[test]
fn floor_kicks_of_tgm3_need_the_ground_and_occur_once() {
    let empty = board(&[]);
    let system = system("arika(kicks=tgm3)");
    let lying = at(Piece::I, North, 3, 0);
    let up = system.turn(&empty, lying, Clockwise, false).unwrap();
    assert_eq!((up.falling, up.test), (at(Piece::I, East, 5, 0), 2));
    assert!(up.floor_kick);
    assert_eq!(system.turn(&empty, lying, Clockwise, true), None);
    // One row above the ground there is no floor kick, and no space.
    let above = at(Piece::I, North, 3, 1);
    assert_eq!(system.turn(&empty, above, Clockwise, false), None);
    // The first two games have none.
    assert_eq!(turned("arika", &empty, lying, Clockwise), None);
    // A vertical T whose foot is in a hole gets out upwards, flat side down.
    let hole = board(&["...#######", "#.########"]);
    let standing = at(Piece::T, East, 1, 0);
    let out = at(Piece::T, North, 0, 1);
    let kicked = turned("arika(kicks=tgm3)", &hole, standing, Counterclockwise);
    assert_eq!(kicked, Some((out, 3)));
    assert_eq!(turned("arika", &hole, standing, Counterclockwise), None);
}

#[test]
fn dtet_tries_the_side_of_the_turn_first_then_down() {
    let system = system("dtet");
    let right = [(0, 0), (1, 0), (-1, 0), (0, -1), (1, -1), (-1, -1)];
    for piece in PIECES {
        for from in ALL_ROTATIONS {
            assert_eq!(kicks(&system, piece, from, Clockwise), right);
            assert_eq!(
                kicks(&system, piece, from, Counterclockwise),
                right.map(|(dx, dy)| (-dx, dy))
            );
        }
    }
    // A vertical S between towers: there is no space on either side, but one row further down it
    // can turn flat.
    let slot = board(&[
        "#..#######",
        "#..#######",
        "#..#######",
        "#...######",
        "..########",
    ]);
    let standing = at(Piece::S, East, 1, 1);
    assert!(standing.fits(&slot));
    let lying = at(Piece::S, South, 0, 0);
    assert_eq!(turned("dtet", &slot, standing, Clockwise), Some((lying, 3)));
}

#[test]
fn half_turns_are_an_option() {
    let empty = board(&[]);
    let flat = at(Piece::T, North, 3, 1);
    assert_eq!(turned("super", &empty, flat, Half), None);
    let half = turned("super(half=true)", &empty, flat, Half);
    assert_eq!(half, Some((at(Piece::T, South, 3, 0), 0)));
    assert!(rotation_system(&"super(half=maybe)".parse().unwrap()).is_err());
    assert!(rotation_system(&"supper".parse().unwrap()).is_err());
}

#[test]
fn only_the_fifth_tests_of_quarter_turns_of_super_are_far_kicks() {
    for spec in SYSTEMS {
        let system = system(spec);
        for from in ALL_ROTATIONS {
            for turn in TURNS {
                let kicks = &system.tests(Piece::T, from, turn).kicks;
                let far = kicks.iter().map(|kick| kick.is_far(turn));
                let is_quarter = spec.starts_with("super") && turn != Half;
                let expected = (0..kicks.len()).map(|test| is_quarter && test == 4);
                assert!(far.eq(expected), "{spec} {from:?} {turn:?}");
            }
        }
    }
}

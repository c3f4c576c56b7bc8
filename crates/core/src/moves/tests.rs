use super::*;
use crate::board::WIDTHS;
use crate::piece::PIECES;
use crate::rng::Rng;

#[test]
fn placements_on_the_empty_board_are_counted_right_for_every_width() {
    for width in WIDTHS {
        let board = Board::new(width, 20).unwrap();
        for piece in PIECES {
            let expected = match piece {
                Piece::O => width - 1,
                Piece::I => width + (width - 3),
                Piece::S | Piece::Z => (width - 1) + (width - 2),
                Piece::L | Piece::J | Piece::T => 2 * (width - 1) + 2 * (width - 2),
            };
            let count = placements(&board, piece).len();
            assert_eq!(count, expected, "{piece} on {width}");
        }
    }
    let count = |piece| placements(&Board::new(10, 20).unwrap(), piece).len();
    assert_eq!(PIECES.map(count), [17, 9, 34, 17, 17, 34, 34]);
}

/// A board with holes and towers.
fn ragged_board(rng: &mut Rng) -> Board {
    let (width, height) = (4 + rng.below(13) as usize, 4 + rng.below(20) as usize);
    let mut board = Board::new(width, height).unwrap();
    for column in 0..width {
        for row in 0..rng.below(height as u64) as usize {
            if rng.below(3) > 0 {
                board.fill(row, column);
            }
        }
    }
    board
}

#[test]
fn the_placements_are_the_drops_of_every_shape_in_every_column_and_no_other_exists() {
    let mut rng = Rng::new(5);
    for _ in 0..300 {
        let board = ragged_board(&mut rng);
        let piece = PIECES[rng.below(7) as usize];
        let mut expected = Vec::new();
        for shape in piece.shapes() {
            for x in 0..=(board.width() - shape.width) as u8 {
                expected.extend(drop_in(&board, piece, shape.rotation, x));
            }
        }
        assert_eq!(placements(&board, piece), expected);
        for placement in expected {
            assert_eq!(check(&board, placement), Ok(()));
            let (expected, found) = (placement.y, placement.y + 1);
            let hanging = Placement {
                y: found,
                ..placement
            };
            assert_eq!(
                check(&board, hanging),
                Err(MoveError::Row { expected, found })
            );
        }
    }
}

#[test]
fn a_piece_does_not_stick_out_of_the_board() {
    let board = Board::new(6, 6).unwrap();
    let outside = |x| drop_in(&board, Piece::I, Rotation::North, x).err();
    assert_eq!(outside(2), None);
    assert_eq!(outside(3), Some(MoveError::Outside(3)));
    assert_eq!(outside(255), Some(MoveError::Outside(255)));
}

#[test]
fn the_fifth_test_of_another_system_makes_no_full_spin() {
    use crate::rotation::{Falling, Turn, rotation_system};
    let rows = ["#..#", "#..."];
    let board = Board::from_lowest_rows(4, 6, &rows).unwrap();
    let system = rotation_system(&"dtet".parse().unwrap()).unwrap();
    let move_rules = MoveRules {
        spins: Spins::T,
        ..MoveRules::new(system, 6)
    };
    let west = Falling {
        piece: Piece::T,
        rotation: Rotation::West,
        x: 0,
        y: 1,
    };
    let turned = move_rules.system.turn(&board, west, Turn::Clockwise, false);
    let turned = turned.unwrap();
    assert_eq!((turned.test, turned.far_kick), (4, false));
    assert_eq!((turned.falling.x, turned.falling.y), (1, 0));
    // Both corners below are outside the board, and one of those next to the point is free.
    let spin = move_rules.spin(&board, turned.falling, turned.far_kick);
    assert_eq!(spin, Spin::Mini);
}

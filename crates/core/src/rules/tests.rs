use super::*;
use crate::piece::Rotation;

fn board(rows: &[&str]) -> Board {
    Board::from_rows(rows[0].len(), rows.len(), rows).unwrap()
}

/// The effects of dropping the piece in this column, and the resulting board.
fn dropped(
    end: End,
    mut board: Board,
    (piece, rotation, x): (Piece, Rotation, usize),
    next: Option<Piece>,
) -> (u32, bool, Board) {
    let shape = piece.shape(rotation);
    let y = board.resting_row(shape, x);
    let settled = Rules::Drops(end).settle(&mut board, shape, (x, y), next);
    (settled.cleared.count_ones(), settled.game_over, board)
}

const UPRIGHT_I: (Piece, Rotation, usize) = (Piece::I, Rotation::East, 3);

#[test]
fn a_piece_above_the_top_ends_the_game_and_clears_nothing() {
    let high = board(&["....", "###.", "####", "...."]);
    // The bar rests on row 2 and reaches row 5 of a board with 4 rows, although it fills a row.
    let (lines, over, after) = dropped(End::ABOVE_TOP, high, UPRIGHT_I, None);
    assert_eq!((lines, over), (0, true));
    assert!(after.is_filled(4, 3) && after.is_filled(5, 3));
    // From the floor it just fits, and clears a row.
    let low = board(&["....", "###.", "###.", "..#."]);
    let (lines, over, after) = dropped(End::ABOVE_TOP, low, UPRIGHT_I, None);
    assert_eq!((lines, over), (2, false));
    assert_eq!(after, board(&["....", "....", "...#", "..##"]));
}

#[test]
fn lines_can_be_cleared_before_the_top_is_looked_at() {
    let rows = board(&["###.", "###.", "###.", "##.#"]);
    // The bar rests on row 1: rows 1 to 3 are full, and its cell above the top falls to row 1.
    let (lines, over, after) = dropped(End::ABOVE_TOP_AFTER_CLEARING, rows, UPRIGHT_I, None);
    assert_eq!((lines, over), (3, false));
    assert_eq!(after, board(&["....", "....", "...#", "##.#"]));
    assert!(dropped(End::ABOVE_TOP, rows, UPRIGHT_I, None).1);
    // If too few lines are cleared, the stack remains too high.
    let rows = board(&["##..", "##..", "###.", "##.#"]);
    let (lines, over, _) = dropped(End::ABOVE_TOP_AFTER_CLEARING, rows, UPRIGHT_I, None);
    assert_eq!((lines, over), (1, false));
    let rows = board(&["##..", "##..", "##..", "##.#"]);
    let (lines, over, _) = dropped(End::ABOVE_TOP_AFTER_CLEARING, rows, UPRIGHT_I, None);
    assert_eq!((lines, over), (0, true));
}

#[test]
fn the_top_row_ends_the_thesis_game() {
    let rows = board(&["....", "###.", "###.", "###."]);
    // Three lines are cleared, so the bar's fourth cell leaves the top row.
    let (lines, over, _) = dropped(End::TOP_ROW, rows, UPRIGHT_I, None);
    assert_eq!((lines, over), (3, false));
    let rows = board(&["....", "....", "##..", "##.."]);
    assert!(dropped(End::TOP_ROW, rows, UPRIGHT_I, None).1);
    assert!(!dropped(End::ABOVE_TOP, rows, UPRIGHT_I, None).1);
    let square = (Piece::O, Rotation::North, 0);
    assert!(dropped(End::TOP_ROW, rows, square, None).1);
    let low = board(&["....", "....", "....", "##.."]);
    assert!(!dropped(End::TOP_ROW, low, square, None).1);
}

#[test]
fn a_taken_entry_ends_the_game_when_the_piece_is_known() {
    let rows = board(&["......", "......", "......", ".#....", ".#....", ".#...."]);
    let square = (Piece::O, Rotation::North, 0);
    let blocked = |next| dropped(End::ENTRY_BLOCKED, rows, square, next).1;
    // The square locks in columns 0 and 1, rows 3 and 4; a bar enters in row 4 from column 1 on.
    assert!(blocked(Some(Piece::I)));
    // A Z enters from column 1 on too, but its left cell is in the top row.
    assert!(!blocked(Some(Piece::Z)));
    assert!(blocked(Some(Piece::S)));
    assert!(!blocked(Some(Piece::O)));
    assert!(!blocked(None));
    // Nothing can enter above the top.
    let full = board(&["......", ".#....", "......", ".#....", ".#....", ".#...."]);
    assert!(dropped(End::ENTRY_BLOCKED, full, square, None).1);
}

#[test]
fn a_stack_in_the_top_row_blocks_no_piece() {
    let high = board(&["#...", "#...", "#...", "#..."]);
    let rules = Rules::Drops(End::TOP_ROW);
    assert!(rules.ends_on(&high, Some(Piece::O)) && !rules.blocks_entry(&high, Piece::O));
}

#[test]
fn line_points_double_with_every_line() {
    assert_eq!([0, 1, 2, 3, 4].map(line_points), [0, 1, 2, 4, 8]);
}

#[test]
fn a_stepped_game_continues_if_a_clear_lowers_the_stack_below_the_top() {
    let system = crate::rotation::rotation_system(&"arika".parse().unwrap()).unwrap();
    let mut move_rules = MoveRules::new(system, 4);
    move_rules.lock_out = false;
    let rows = &["....", "###.", "....", "...."];
    let mut filled = board(rows);
    let shape = Piece::I.shape(Rotation::East);
    let stepped = Rules::Stepped(&move_rules);
    let settled = stepped.settle(&mut filled, shape, (3, 1), None);
    assert_eq!((settled.cleared, settled.game_over), (0b100, false));
    assert!(dropped_over(End::ENTRY_BLOCKED, board(rows), shape));
    move_rules.lock_out = true;
    let above = Rules::Stepped(&move_rules).settle(&mut board(rows), shape, (0, 4), None);
    assert!(above.game_over);
}

/// Whether a placement game is over when the shape locks in row 1 of the last column.
fn dropped_over(end: End, mut board: Board, shape: &Shape) -> bool {
    Rules::Drops(end)
        .settle(&mut board, shape, (3, 1), None)
        .game_over
}

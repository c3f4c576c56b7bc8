use super::*;
use tetrolab_core::piece::Rotation;

fn board(rows: &[&str]) -> Board {
    Board::from_rows(4, 4, rows).unwrap()
}

fn placed(piece: Piece, rotation: Rotation, x: u8, y: u8) -> Placement {
    Placement {
        piece,
        rotation,
        x,
        y,
        spin: tetrolab_core::placement::Spin::None,
    }
}

fn picture(board: &Board) -> Picture<'_> {
    Picture {
        title: "greedy(<mine> & \"yours\")".to_owned(),
        caption: "after 3 pieces".to_owned(),
        board,
        queue: &[Piece::I],
        placements: vec![
            (placed(Piece::O, Rotation::North, 2, 0), Some(-1.5)),
            (placed(Piece::O, Rotation::North, 0, 2), Some(-2.25)),
        ],
    }
}

fn count(svg: &str, what: &str) -> usize {
    svg.matches(what).count()
}

#[test]
fn every_cell_of_the_board_is_drawn_once() {
    let board = board(&["....", "....", "##..", "##.."]);
    let svg = svg(&picture(&board));
    assert_eq!(count(&svg, "class=\"settled\""), 4);
    assert_eq!(count(&svg, "class=\"empty\""), 12);
}

#[test]
fn the_choice_is_filled_and_the_others_are_outlined_and_all_have_their_scores() {
    let board = board(&["....", "....", "##..", "##.."]);
    let svg = svg(&picture(&board));
    // Four cells on the board, four of the piece next to it, and the mark in the list.
    assert_eq!(count(&svg, "class=\"piece O\""), 4 + 4 + 1);
    assert_eq!(count(&svg, "<polygon class=\"outline O\""), 1);
    assert!(svg.contains(">−1.50</text>") && svg.contains(">−2.25</text>"));
    assert_eq!(count(&svg, "class=\"piece I\""), 4, "the next piece");
}

#[test]
fn text_cannot_break_the_picture() {
    let board = board(&["....", "....", "##..", "##.."]);
    let svg = svg(&picture(&board));
    assert!(svg.contains("greedy(&lt;mine&gt; &amp; &quot;yours&quot;)"));
    let (opened, closed) = (count(&svg, "<text "), count(&svg, "</text>"));
    assert!(opened == closed && opened > 0);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
}

#[test]
fn a_placement_above_the_board_makes_the_picture_higher() {
    let board = board(&["##..", "##..", "##..", "##.."]);
    let low = svg(&picture(&board));
    let mut losing = picture(&board);
    losing.placements = vec![(placed(Piece::I, Rotation::East, 0, 4), None); 5];
    let drawing = Drawing::new(&losing);
    assert_eq!(drawing.frame.rows, 8);
    assert!(!svg(&losing).contains("NaN") && low != svg(&losing));
}

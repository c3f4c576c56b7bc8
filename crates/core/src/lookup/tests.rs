//! Tests of all tables: the entries of a worked board, mirror images, and the range of entries.

use super::*;
use crate::board::Board;
use crate::game::{Game, Status};
use crate::outcomes::{DecisionContext, Outcomes};
use crate::rng::Rng;
use crate::ruleset::ruleset;
use crate::spec::Spec;

const TEN: BoardSize = BoardSize {
    width: 10,
    height: 10,
};

/// The entries of a board in one table.
fn shown(spec: &str, rows: &[&str]) -> Vec<u32> {
    let board = Board::from_rows(rows[0].len(), rows.len(), rows).unwrap();
    let size = BoardSize {
        width: board.width(),
        height: board.height(),
    };
    TableSet::new(&[spec.parse().unwrap()], size)
        .unwrap()
        .entries_of(&board)
}

/// Boards from games in which every placement is chosen at random.
fn boards(width: usize, height: usize, count: usize) -> Vec<Board> {
    let spec = format!("simplified-{width}x{height}");
    let rules = ruleset(&spec.parse().unwrap(), &|_, _| unreachable!()).unwrap();
    let (mut rng, mut outcomes) = (Rng::new(7), Outcomes::default());
    let mut boards = Vec::new();
    for seed in 0.. {
        let mut game = Game::new(&rules, seed);
        while game.status() == Status::Playing && boards.len() < count {
            outcomes.generate(&DecisionContext::from(&game.view()));
            let drawn = rng.below(outcomes.len() as u64) as usize;
            game.apply(outcomes.placement(drawn));
            boards.push(*game.board());
        }
        if boards.len() == count {
            break;
        }
    }
    boards
}

fn mirrored(board: &Board) -> Board {
    let rows = board.to_rows();
    let rows: Vec<String> = rows.iter().map(|row| row.chars().rev().collect()).collect();
    Board::from_rows(board.width(), board.height(), &rows).unwrap()
}

/// Every table with its default settings, and all tables of the named sets.
fn all_specs() -> Vec<Spec> {
    let mut specs: Vec<Spec> = TABLES.iter().map(|table| Spec::name(table.id)).collect();
    for set in TABLE_SETS {
        specs.extend(set.specs().unwrap());
    }
    specs
}

#[test]
fn every_entry_is_within_its_table_on_boards_of_many_sizes() {
    for (width, height) in [(4, 4), (5, 8), (10, 10), (10, 20), (12, 12), (16, 40)] {
        let size = BoardSize { width, height };
        for spec in all_specs() {
            // Those that do not fit are omitted.
            let Ok(set) = TableSet::new(std::slice::from_ref(&spec), size) else {
                continue;
            };
            for board in boards(width, height, 200) {
                let entries = set.entries_of(&board);
                assert!(
                    entries
                        .iter()
                        .all(|entry| (*entry as usize) < set.entries()),
                    "{spec} on {board:?}"
                );
            }
        }
    }
}

#[test]
fn a_board_and_its_mirror_image_show_the_same_entries() {
    for spec in all_specs() {
        let is_plain = spec.name == "rectangles" && spec.to_string().contains("shared=");
        // Rectangles that share a table are not mirrored; for `fits`, the mirror images of S and J
        // are Z and L.
        if is_plain || spec.name == "fits" {
            continue;
        }
        let set = TableSet::new(std::slice::from_ref(&spec), TEN).unwrap();
        for board in boards(10, 10, 200) {
            let sorted = |board: &Board| {
                let mut entries = set.entries_of(board);
                entries.sort_unstable();
                entries
            };
            assert_eq!(
                sorted(&board),
                sorted(&mirrored(&board)),
                "{spec} on {board:?}"
            );
        }
    }
}

#[test]
fn higher_boards_are_looked_up_in_tables_of_lower_ones() {
    for set in TABLE_SETS {
        let set = TableSet::find(set.id, TEN).unwrap();
        for board in boards(10, 20, 500) {
            let entries = set.entries_of(&board);
            assert!(
                entries
                    .iter()
                    .all(|entry| (*entry as usize) < set.entries())
            );
        }
    }
}

const WORKED: [&str; 4] = ["....", "#...", ".#..", "##.#"];

#[test]
fn rectangles_are_read_column_by_column_and_mirrored_on_the_right() {
    // Two positions: the left one has columns 0 to 2, the right one columns 3 to 1, and both share
    // a table. Columns from the bottom: 101, 110, 000, 100 (bit 0 first).
    let cells = |columns: [u32; 3]| columns.iter().fold(0, |all, column| all << 3 | column);
    let low = [cells([0b101, 0b011, 0b000]), cells([0b001, 0b000, 0b011])];
    let high = [cells([0b010, 0b001, 0b000]), cells([0b000, 0b000, 0b001])];
    let expected = [low[0], low[1], 512 + high[0], 512 + high[1]];
    assert_eq!(shown("rectangles", &WORKED), expected);
    let shared = [low[0], cells([0b011, 0b000, 0b001])];
    assert_eq!(shown("rectangles(shared=board)", &WORKED)[..2], shared);
}

#[test]
fn differences_are_digits_and_mirror_images_share_them() {
    // Heights 3, 2, 0, 1: rises -1, -2, 1, clipped to 1: digits 0, 0, 2; mirrored -1, 2, 1: digits
    // 0, 2, 2.
    assert_eq!(shown("differences(most=1)", &WORKED), [2]);
    // Two columns each, clipped to 2: there are three positions, the first and the last share a
    // table; -1, (-2 or 2), and 1 mirrored is -1.
    assert_eq!(shown("differences(columns=2,most=2)", &WORKED), [1, 5, 1]);
}

#[test]
fn a_column_is_seen_with_the_cells_below_its_top_and_its_sides() {
    // Column 0 is 3 high, with a hole in row 1 and row 0 filled; the floor below counts as filled.
    // Below its top, from the top down: 0, 1, 1 (floor): bit 2 is the nearest. Sides 1 (wall) and
    // -1.
    let nearest_first = 0b011;
    let mirror_pairs = [(1, -1), (-1, 1)].map(|(left, right)| {
        let digit = |side: i32| (side + 3) as u32;
        (nearest_first * 7 + digit(left)) * 7 + digit(right)
    });
    let expected = mirror_pairs[0].min(mirror_pairs[1]);
    assert_eq!(
        shown("tops(columns=1,cells=3,most=3)", &WORKED)[0],
        expected
    );
    // An empty column: the floor is its top.
    let empty = (0b111 * 7 + (1 + 3)) * 7 + (2 + 3);
    assert_eq!(shown("tops(columns=1,cells=3,most=3)", &WORKED)[2], empty);
}

#[test]
fn rows_are_patterns_of_three_kinds_of_cells() {
    // From the bottom: ##.# ; .#.. with a hole in column 0 ; #...
    let digits = |cells: [u32; 4]| cells.iter().rev().fold(0, |all, cell| 3 * all + cell);
    let both = |cells: [u32; 4]| {
        let mut mirrored = cells;
        mirrored.reverse();
        digits(cells).min(digits(mirrored))
    };
    let expected = [both([1, 1, 0, 1]), both([2, 1, 0, 0]), both([1, 0, 0, 0])];
    assert_eq!(shown("row-patterns", &WORKED), expected);
    assert_eq!(
        shown("row-patterns(of=highest-hole)", &WORKED),
        expected[1..2]
    );
    assert_eq!(
        shown("row-patterns(of=below-highest-hole)", &WORKED),
        expected[..1]
    );
    assert_eq!(
        shown(
            "row-patterns(of=highest-hole)",
            &["....", "....", "....", "#..."]
        ),
        [0]
    );
}

#[test]
fn rows_above_the_highest_hole_and_missing_cells_of_rows() {
    // Row 2 (#...) is one above the hole in row 1; its mirror image is 1000 in binary, the row
    // itself 0001.
    assert_eq!(shown("rows(by=open)", &WORKED), [1]);
    // Without a hole, every row has the maximum distance.
    assert_eq!(
        shown("rows(by=open)", &["....", "....", "....", ".#.."]),
        [5 << 4 | 2]
    );
    // Row 0 has 1 empty cell and is 3 below the top row, row 1 has 3 and is 2 below, row 2 has 3
    // and is 1 below.
    assert_eq!(
        shown("rows(by=missing)", &WORKED),
        [3 * 5 + 1, 2 * 5 + 3, 5 + 3]
    );
}

#[test]
fn covers_are_described_by_depth_and_missing_cells() {
    // Column 0: one filled cell above its hole, whose row has 3 empty cells; no other column is
    // covered there.
    assert_eq!(shown("covers", &WORKED), [3 * 6]);
    // Its sides: the wall is 1 higher, column 1 is one lower: digits 4 and 2.
    assert_eq!(shown("covers(with=sides)", &WORKED), [(3 * 7 + 2) * 7 + 4]);
}

#[test]
fn fits_count_places_without_a_hole() {
    // On the empty board, O fits in three places, T, J and L in two, S and Z in none; four rows are
    // left.
    let empty = ["...."; 4];
    let counts = [2, 0, 0, 2, 2, 2]
        .iter()
        .fold(0, |all, count| 3 * all + count);
    assert_eq!(shown("fits", &empty), [4 * 729 + counts]);
    // Rises -1, -2, 1. -1: T and S standing; -2: J or L standing; 1: T and Z standing.
    let one = shown("fits(with=holes)", &WORKED)[0];
    let digit = |place: u32| one % 729 / 3u32.pow(5 - place) % 3;
    assert_eq!([digit(0), digit(1), digit(2), digit(3)], [0, 1, 1, 2]);
    assert_eq!(digit(4) + digit(5), 1);
    assert_eq!(one / 729, 1);
}

#[test]
fn crosses_heights_and_stretches_of_a_worked_board() {
    // One row left, one hole.
    assert_eq!(shown("cross", &WORKED), [13 + 1]);
    let value = |measure: &str| {
        let entry = shown(&format!("cross(first={measure},second=rows-left)"), &WORKED)[0];
        assert_eq!(entry % 5, 1, "{measure}");
        entry / 5
    };
    let expected = [
        ("holes", 1),
        ("hole-rows", 1),
        // ##.#: 2; .#..: 4; #...: 2.
        ("row-transitions", 8),
        ("hole-runs", 1),
        ("highest-hole", 3),
        ("bumpiness", 4),
        ("cells", 5),
        ("empty-cells", 7),
        ("spread", 3),
        // Column 2 is 1 lower than column 3.
        ("wells", 16),
        ("deepest-well", 1),
    ];
    for (measure, worked) in expected {
        assert_eq!(value(measure), worked, "{measure}");
    }
    // Rows left above columns 1, 2, 4, 3; positions 0, 1, 1, 0.
    assert_eq!(shown("heights", &WORKED), [1, 5 + 2, 5 + 4, 3]);
    // Heights 3, 2, 0, 1: columns 0 and 2 are 3 and 0 above the lower one; columns 3 and 1 are 0
    // and 1 above it.
    assert_eq!(shown("skyline", &WORKED), [30, 1]);
    // Wells 0, 0, 1, 0 with one row left.
    assert_eq!(shown("heights(with=well)", &WORKED), [1, 1, 5 + 1, 1]);
    // The deepest well of one column is 1, the highest tower 1 (column 0 above column 1, column 3
    // above column 2).
    assert_eq!(shown("stretches", &WORKED), [5 + 1, 25 + 5 + 1]);
    // Of two columns: columns 2 and 3 are 1 below column 1; columns 0 and 1 are 2 above column 2.
    assert_eq!(shown("stretches(columns=2)", &WORKED), [5 + 1, 25 + 10 + 1]);
}

#[test]
fn invalid_tables_are_refused_in_a_sentence() {
    let problem = |text: &str| TableSet::find(text, TEN).unwrap_err().to_string();
    assert_eq!(
        problem("rectangles(wide=11)"),
        "rectangles: does not fit a board of 10x10"
    );
    assert_eq!(
        problem("rectangles(wide=5,high=5)"),
        "rectangles: a rectangle may have at most 20 cells, got 25"
    );
    assert_eq!(
        problem("heights + heights(with=place)"),
        "heights: listed twice"
    );
    assert!(problem("rectangle").contains("did you mean 'rectangles'?"));
    assert!(problem("cross(first=luck)").contains("first must be rows-left or holes"));
    assert!(problem("differences(columns=10,most=7)").contains("more than 10 million patterns"));
    assert!(TableSet::new(&[], TEN).is_err());
    let wide = BoardSize {
        width: 16,
        height: 20,
    };
    assert!(TableSet::find("wary", wide).unwrap().entries() > 0);
    assert!(TableSet::find("row-patterns", wide).is_err());
}

/// A board with a hole, a well and steps.
fn worked() -> Board {
    Board::from_rows(4, 6, &["....", "....", "....", "#...", "##.#", "#.##"]).unwrap()
}

#[test]
fn entries_are_described_in_words() {
    let size = BoardSize {
        width: 4,
        height: 6,
    };
    let board = worked();
    for (text, expected) in [
        (
            "differences(columns=3,most=2)",
            &[
                "height differences -1 -1 from column 1 on",
                "height differences -1 +1 from column 1 on",
            ][..],
        ),
        (
            "differences(columns=4,most=1,shared=board)",
            &["steps ≤-1 ≤-1 ≥1"],
        ),
        (
            "tops(columns=1,cells=2,most=1)",
            &[
                "cells below the top of a column ##, height differences ≤-1 ≥1",
                "cells below the top of a column .#, height differences ≤-1 ≥1",
                "cells below the top of a column ##, height differences ≥1 ≥1",
                "cells below the top of a column ##, height differences ≤-1 ≥1",
            ],
        ),
        (
            "row-patterns(of=all)",
            &["row #o##, o is covered", "row ##.#", "row #..."],
        ),
        ("row-patterns(of=below-highest-hole)", &["no such row"]),
        (
            "rows(by=missing)",
            &[
                "row with 1 empty cells, rows of the board above it: 5 or more",
                "row with 1 empty cells, rows of the board above it: 4",
            ],
        ),
        (
            "rows(by=open)",
            &[
                "row ##.#, 1 above the highest hole",
                "row #..., 2 above the highest hole",
            ],
        ),
        (
            "covers(with=others)",
            &[
                "hole with a cover of depth 1 whose rows have 1 empty cells, columns covered there: 0",
            ],
        ),
        (
            "covers(with=sides)",
            &[
                "hole with a cover of depth 1 whose rows have 1 empty cells, height differences -1 +1",
            ],
        ),
        (
            "fits(with=rows-left)",
            &["no place for O J L, one for Z, more for S T, rows-left 3"],
        ),
        (
            "heights(with=place)",
            &[
                "rows left above column 1 or 4: 3",
                "rows left above column 2 or 3: 4",
                "rows left above column 2 or 3: 5",
                "rows left above column 1 or 4: 4",
            ],
        ),
        (
            "stretches(columns=1)",
            &[
                "deepest well of width 1: 1, rows left above the stack: 3",
                "highest tower of width 1: 1, rows left above the stack: 3",
            ],
        ),
        (
            "skyline(step=2,most=3)",
            &["heights of columns 1, 3 and so on above the lowest of them: 2, 0"],
        ),
        (
            "cross(first=rows-left,second=holes)",
            &["rows-left 3, holes 1"],
        ),
        (
            "cross(first=wells,second=cells)",
            &["wells of depth 1, 2 and more: 1, 0, 0, cells 7"],
        ),
        (
            "rectangles(wide=4,high=3)",
            &["cells ...#/#.##/##.#, from row 1 and column 1 on"],
        ),
    ] {
        let set = TableSet::find(text, size);
        let Ok(set) = set else {
            panic!("{text}: {}", set.unwrap_err());
        };
        let entries = set.entries_of(&board);
        let told: Vec<String> = entries.iter().map(|e| set.describe(*e as usize)).collect();
        assert_eq!(told[..expected.len()], *expected, "{text}");
    }
}

#[test]
fn no_two_entries_of_a_table_have_the_same_description() {
    let size = BoardSize {
        width: 6,
        height: 7,
    };
    for kind in TABLES {
        let set = TableSet::find(kind.id, size).unwrap();
        let most = set.entries().min(30_000);
        let mut told: Vec<String> = (0..most).map(|entry| set.describe(entry)).collect();
        told.sort_unstable();
        let twice = told.windows(2).find(|pair| pair[0] == pair[1]);
        assert_eq!(twice, None, "{}", kind.id);
    }
}

use super::*;
use crate::draw::sheet_svg;
use std::collections::BTreeSet;
use tetrolab_core::piece::Piece;

fn on_board(rows: &[&str], pieces: &str, players: &[&str]) -> Result<Analysed, AnalysisError> {
    let analysis = Analysis {
        players: players.iter().map(ToString::to_string).collect(),
        position: PositionSource::Board(BoardSource {
            ruleset: "simplified-6x6".to_owned(),
            rows: rows.iter().map(ToString::to_string).collect(),
            piece: pieces[..1].to_owned(),
            next: pieces[1..].to_owned(),
        }),
        ..Analysis::default()
    };
    analyse(&analysis, &Context::on_threads(1))
}

#[test]
fn the_sum_of_the_features_is_the_score_of_a_greedy_player() {
    let rows = ["#.....", "##.###", "##.###"];
    for player in ["dellacherie", "dt-20", "near-perfect"] {
        let player = format!("greedy({player})");
        let analysed = on_board(&rows, "I", &[&player]).unwrap();
        for placed in &analysed.players[0].placements {
            let (sum, score) = (placed.sum.unwrap(), placed.score.unwrap());
            assert!((sum - score).abs() < 1e-6 * score.abs(), "{player}");
        }
    }
    let before = on_board(&rows, "I", &["greedy(near-perfect,scored=before)"]).unwrap();
    let placed = &before.players[0].placements[0];
    assert!((placed.sum.unwrap() - placed.score.unwrap()).abs() < 1e-6);
}

#[test]
fn placements_of_a_stepped_game_have_different_short_names() {
    // A T fits below the overhang and on top of it, in the same column and rotation.
    let rows = ["###.......", "##........", "##.#######"];
    let analysis = Analysis {
        players: vec!["greedy(bcts)".to_owned()],
        position: PositionSource::Board(BoardSource {
            ruleset: "guideline".to_owned(),
            rows: rows.map(str::to_owned).to_vec(),
            piece: "T".to_owned(),
            next: "OSZJI".to_owned(),
        }),
        top: usize::MAX,
        ..Analysis::default()
    };
    let analysed = analyse(&analysis, &Context::on_threads(1)).unwrap();
    let placements = &analysed.players[0].placements;
    let names = placements
        .iter()
        .map(|placed| placed.step.short.to_string());
    let different: BTreeSet<String> = names.collect();
    assert_eq!(different.len(), placements.len());
    let columns = placements.iter().map(|placed| {
        let placement = placed.step.placement;
        (
            placement.piece.letter(),
            placement.rotation.name(),
            placement.x,
        )
    });
    let without_rows: BTreeSet<_> = columns.collect();
    assert!(without_rows.len() < placements.len(), "no row is necessary");
}

#[test]
fn a_line_is_shown_on_the_board_before_its_rows_disappear() {
    let rows = ["##.###", "##.###"];
    let analysed = on_board(&rows, "IO", &["two-piece(dellacherie)"]).unwrap();
    let placed = &analysed.players[0].placements[0];
    assert_eq!(placed.step.cleared, [0, 1]);
    assert_eq!(placed.after.to_rows()[4..], ["..#...", "..#..."]);
    assert_eq!(placed.survival, Some(1.0));
    let reply = &placed.line[0];
    let shown = placed.cells_on_first_board();
    assert_eq!(shown[1].0, Piece::O);
    // Two rows have been removed when the square lands on the floor.
    for (own, shown) in reply.cells.iter().zip(shown[1].1) {
        assert_eq!((own.0 + 2, own.1), shown);
    }
}

#[test]
fn a_line_that_clears_more_rows_than_a_picture_has_is_shown_in_part() {
    let analysed = on_board(&[], "O", &["rollout(dt-20,length=1000,count=1)"]).unwrap();
    let placed = &analysed.players[0].placements[0];
    let cleared: usize = placed.line.iter().map(|step| step.cleared.len()).sum();
    assert!(cleared > 64, "{cleared} rows");
    let shown = placed.cells_on_first_board();
    assert!((2..placed.line.len()).contains(&shown.len()));
    assert!(
        shown
            .iter()
            .flat_map(|(_, cells)| cells)
            .all(|cell| cell.0 < 64)
    );
}

#[test]
fn a_line_is_one_that_can_be_played_whatever_the_player_leaves_on_the_board() {
    let rows = ["##.###", "##.###"];
    let player = "two-piece(near-perfect,scored=before)";
    let analysed = on_board(&rows, "IO", &[player]).unwrap();
    for placed in &analysed.players[0].placements {
        let reply = placed.line[0].placement;
        assert_eq!(tetrolab_core::moves::check(&placed.after, reply), Ok(()));
    }
}

#[test]
fn a_player_that_rates_nothing_shows_its_choice() {
    let analysed = on_board(&[], "TS", &["random", "dellacherie"]).unwrap();
    let [random, dellacherie] = &analysed.players[..] else {
        panic!("two players");
    };
    assert_eq!((random.rated, random.placements.len()), (0, 1));
    let choice = &random.placements[0];
    assert!(choice.score.is_none() && choice.survival.is_none() && choice.features.is_empty());
    assert_eq!(dellacherie.placements.len(), 3);
    assert!(dellacherie.rated > 15);
    let svg = sheet_svg(&analysed);
    assert_eq!(svg.matches("class=\"well\"").count(), 4);
    // Both pieces in the heading, one piece on each board, and the marks of the two choices.
    assert_eq!(svg.matches("class=\"piece T\"").count(), 4 + 4 * 4 + 2);
    assert_eq!(svg.matches("class=\"piece S\"").count(), 4);
    assert_eq!(svg.matches("class=\"empty\"").count(), 4 * 36);
}

#[test]
fn a_piece_over_a_row_that_disappears_has_no_outline() {
    // The bar clears only the middle row; whatever lands across that row cannot be drawn in one
    // piece.
    let rows = [".#.###", "##.###", ".#.###"];
    let analysed = on_board(&rows, "IO", &["two-piece(dellacherie)"]).unwrap();
    assert!(!sheet_svg(&analysed).contains("NaN"));
}

#[test]
fn invalid_positions_are_refused() {
    let said = |rows: &[&str], pieces: &str, players: &[&str]| {
        on_board(rows, pieces, players).unwrap_err().to_string()
    };
    assert_eq!(
        said(&["######"], "T", &["bcts"]),
        "row 1 from the bottom is full; full rows must be removed first"
    );
    assert_eq!(
        said(&["......"; 7], "T", &["bcts"]),
        "the board has 7 rows, but the board of the ruleset simplified-6x6 has 6"
    );
    assert_eq!(
        said(&[], "X", &["bcts"]),
        "'X' is not a piece; the pieces are I, O, T, Z, S, J and L"
    );
    assert_eq!(
        said(&[], "T", &["two-piece(bcts)"]),
        "two-piece(bcts) needs 1 or more next pieces, but the position shows 0"
    );
    assert_eq!(
        said(&[], "TTTTTTTT", &["bcts"]),
        "expected at most 6 next pieces, got 7"
    );
    assert_eq!(
        said(&[], "T", &["bcts", "bcts"]),
        "the player bcts is listed twice"
    );
    let nothing = Analysis {
        top: 0,
        ..Analysis::default()
    };
    assert!(analyse(&nothing, &Context::on_threads(1)).is_err());
}

#[test]
fn a_description_reads_back_as_the_same() {
    let record = GameSource {
        file: "games.jsonl".into(),
        game: 2,
        at: 30,
    };
    let other = Analysis {
        position: PositionSource::Record(record),
        ..Analysis::default()
    };
    for analysis in [Analysis::default(), other] {
        let text = serde_json::to_string(&analysis).unwrap();
        assert_eq!(serde_json::from_str::<Analysis>(&text).unwrap(), analysis);
    }
}

#[test]
fn the_contributions_of_a_players_tables_sum_to_its_score() {
    let rows = ["#.......##", "##.#######"];
    let analysis = Analysis {
        players: vec!["wary-10".to_owned()],
        position: PositionSource::Board(BoardSource {
            ruleset: "simplified-10x10".to_owned(),
            rows: rows.iter().map(ToString::to_string).collect(),
            piece: "T".to_owned(),
            next: String::new(),
        }),
        ..Analysis::default()
    };
    let analysed = analyse(&analysis, &Context::on_threads(1));
    for placed in &analysed.unwrap().players[0].placements {
        let sum: f64 = placed.tables.iter().map(|term| term.sum).sum();
        assert_eq!(placed.tables.len(), 35);
        assert!((sum - placed.score.unwrap()).abs() < 1e-9);
    }
}

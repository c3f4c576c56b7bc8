use super::*;
use crate::evaluators::testing::evaluator;
use crate::piece::PIECES;
use crate::players::{PLAYERS, player};
use crate::ruleset::ruleset;

fn rules(spec: &str) -> Ruleset {
    ruleset(&spec.parse().unwrap(), &evaluator).unwrap()
}

fn recorded(player_spec: &str, rules: &Ruleset, seed: u64) -> (GameRecord, Game) {
    let spec = player_spec.parse().unwrap();
    let mut player = player(&spec, &evaluator, rules.width).unwrap();
    let (mut game, mut placements) = (Game::new(rules, seed), Vec::new());
    player.start(seed);
    while game.status() == Status::Playing && game.pieces() < 500 {
        let placement = player.choose(&game.view());
        placements.push(placement);
        game.apply(placement);
    }
    let record = GameRecord::new(rules, seed, player_spec, placements, &game);
    (record, game)
}

#[test]
fn a_replay_is_the_game_again() {
    for name in [
        "simplified-10x10",
        "near-perfect",
        "thesis",
        "two-piece-6x8",
    ] {
        let rules = rules(name);
        for entry in PLAYERS {
            let (record, played) = recorded(entry.example, &rules, 77);
            assert_eq!((&*record.ruleset, &*record.player), (name, entry.example));
            let again = replay(&rules, record.seed, &record.placements).unwrap();
            assert_eq!(again.board(), played.board());
            assert_eq!(again.status(), record.status);
            let counts = (again.lines(), again.pieces(), again.line_points());
            assert_eq!(counts, (record.lines, record.pieces, record.line_points));
            let texts = record
                .placements
                .iter()
                .map(|&p| ShortPlacement::from(p).to_string());
            let shorts: Vec<_> = texts.map(|text| text.parse().unwrap()).collect();
            let (again, placements) = replay_short(&rules, record.seed, &shorts).unwrap();
            assert_eq!(again.board(), played.board());
            assert_eq!(placements, record.placements);
        }
    }
}

#[test]
fn the_first_bad_placement_is_named() {
    let rules = rules("simplified-10x10");
    let (record, _) = recorded("random", &rules, 5);
    let mut bad = record.placements.clone();
    bad[3].y += 1;
    let (row, at) = (record.placements[3].y, record.placements.len());
    assert_eq!(
        replay(&rules, 5, &bad).unwrap_err().to_string(),
        format!(
            "placement 4: the piece comes to rest in row {row}, not in row {}",
            row + 1
        )
    );
    let long = [&record.placements[..], &record.placements[..1]].concat();
    assert_eq!(record.status, Status::Over);
    assert_eq!(
        replay(&rules, 5, &long).unwrap_err().to_string(),
        format!("placement {}: the game has ended", at + 1)
    );
    let outside = ["On9".parse().unwrap()];
    let error = replay_short(&rules, 5, &outside).unwrap_err();
    assert_eq!(
        error.to_string(),
        "placement 1: the piece sticks out of the board at column 9"
    );
    assert!(replay(&rules, 6, &record.placements).is_err());
}

#[test]
fn a_short_placement_reads_back_as_it_was_written() {
    for piece in PIECES {
        for shape in piece.shapes() {
            for x in [0, 7, 15] {
                let short = ShortPlacement {
                    piece,
                    rotation: shape.rotation,
                    x,
                };
                assert_eq!(short.to_string().parse(), Ok(short));
            }
        }
    }
    assert_eq!("Te3".parse::<ShortPlacement>().unwrap().to_string(), "Te3");
    // Rotations that look alike are one.
    assert_eq!(
        "Sw12".parse::<ShortPlacement>().unwrap().to_string(),
        "Se12"
    );
    let board = Board::from_rows(4, 4, &["....", "....", "....", "..##"]).unwrap();
    let placement = "Jn1".parse::<ShortPlacement>().unwrap().on(&board).unwrap();
    assert_eq!(placement.cells(), [(1, 1), (1, 2), (1, 3), (2, 1)]);
}

#[test]
fn texts_that_are_no_placements_are_refused() {
    for text in [
        "", "T", "Te", "Tx3", "Xe3", "Te+3", "Te03", "Te 3", "Te256", "TE3", "Te3 ", "Té3",
    ] {
        let error = text.parse::<ShortPlacement>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("'{text}' is not a placement like Te3")));
    }
}

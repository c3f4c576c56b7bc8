//! Boards on which the effect of look-ahead is worked out by hand.
//!
//! The evaluator subtracts 1 for every hole, and 1 for every row between the floor and the middle
//! of a piece.

use super::*;
use crate::board::Board;
use crate::game::GameSnapshot;
use crate::piece::{Piece, Rotation};
use crate::players::two_piece_by_one;

/// A position in which one of a few pieces comes next, each with a weight.
struct Worked {
    rules: Ruleset,
    snapshot: GameSnapshot,
    evaluator: Arc<dyn Evaluator>,
}

/// A placement without its row: the rotation and the leftmost column.
type Aim = (Rotation, u8);

impl Worked {
    fn new(rows: &[&str], piece: Piece, weights: &str) -> Worked {
        let (width, height) = (rows[0].len(), rows.len());
        let others = "IOTZSJL".chars().filter(|piece| !weights.contains(*piece));
        let others: String = others.map(|piece| format!(",{piece}=0")).collect();
        let rules = rules(&format!(
            "simplified-{width}x{height}(randomizer=weighted({weights}{others}))"
        ));
        let board = Board::from_rows(width, height, rows).unwrap();
        let snapshot = GameSnapshot::new(&rules, board, &[piece]).unwrap();
        Worked {
            snapshot: snapshot.with_forecast(&rules, &[]).unwrap(),
            evaluator: linear(&[("holes", -1.0), ("landing_height", -1.0)], width),
            rules,
        }
    }

    fn greedy(&self) -> Aim {
        let mut greedy = Greedy::new(self.evaluator.clone(), GreedyOptions::default());
        aim(greedy.choose(&self.snapshot.view()))
    }

    /// The choice of the two-piece player when this piece is shown.
    fn two_piece(&self, next: Piece) -> Aim {
        let mut player = two_piece_by_one(self.evaluator.clone(), GreedyOptions::default());
        aim(player.choose(&GameView {
            queue: &[next],
            ..self.snapshot.view()
        }))
    }

    /// The placements of a player that looks two pieces ahead, best first, with score and survival.
    fn rated(&self, dealing: Dealing) -> Vec<(Aim, f64, f64)> {
        let options = GreedyOptions::default();
        let evaluator = self.evaluator.clone();
        let mut player = LookaheadPlayer::new(
            &self.rules,
            evaluator,
            options,
            dealing,
            SearchLimits::exact(2),
        );
        let rated = player.analyse(&self.snapshot.view());
        let choice = player.choose(&self.snapshot.view());
        assert_eq!(rated[0].placement, choice);
        let row = |row: &RatedPlacement| (aim(row.placement), row.score, row.survival);
        rated.iter().map(row).collect()
    }
}

fn aim(placement: Placement) -> Aim {
    (placement.rotation, placement.x)
}

/// Score and survival of a placement.
fn of(rated: &[(Aim, f64, f64)], placement: Aim) -> (f64, f64) {
    let row = rated.iter().find(|row| row.0 == placement).unwrap();
    (row.1, row.2)
}

#[test]
fn greedy_is_wrong_and_all_look_ahead_players_are_right() {
    let rows = ["....", "....", "....", "....", "..#."];
    let worked = Worked::new(&rows, Piece::S, "O=1,T=1");
    // Considered alone, S lies on the left, against the cell: 0.5 high, no hole, -0.5. Vertical on
    // the right it is 1 high: -1.
    let (lying, standing) = ((Rotation::North, 0), (Rotation::East, 2));
    assert_eq!(worked.greedy(), lying);
    // After S flat     After S vertical
    //                        ..#.
    //      .##.              ..##
    //      ###.              ..##
    // Flat: O lands on top (2.5). T is on the left, its arm over the second column (2). O: -0.5 -
    // 2.5 = -3     T: -0.5 - 2 = -2.5 Vertical: O fits on the left (0.5) and completes two rows. T
    // is there (1), and the row of its arm is full, so that no hole remains. O: -1 - 0.5 = -1.5 T:
    // -1 - 1 = -2
    assert_eq!(worked.two_piece(Piece::O), standing);
    assert_eq!(worked.two_piece(Piece::T), standing);
    // Expected: (-3 - 2.5) / 2 = -2.75 and (-1.5 - 2) / 2 = -1.75.
    let expected = worked.rated(Dealing::ByChance);
    assert_eq!(expected[0], (standing, -1.75, 1.0));
    assert_eq!(of(&expected, lying), (-2.75, 1.0));
    // In the worst case: -3 and -2.
    let worst = worked.rated(Dealing::ByOpponent);
    assert_eq!(worst[0], (standing, -2.0, 1.0));
    assert_eq!(of(&worst, lying), (-3.0, 1.0));
}

#[test]
fn expectimax_weighs_probabilities_and_minimax_only_possibilities() {
    let rows = ["......", "......", "......", "......", "..####"];
    // A vertical T in the trough is 1 high, a flat one on the right 1.5. After the vertical one, O
    // (1.5, on the right) and I (1.5, vertical in the first column, completing the row) give -2.5.
    // After the flat one, O fits in the trough (0.5): -2, and I too (1.5): -3.
    let (in_trough, on_right) = ((Rotation::East, 1), (Rotation::North, 2));
    let often = Worked::new(&rows, Piece::T, "O=3,I=1");
    assert_eq!(often.greedy(), in_trough);
    // (3 x -2 - 3) / 4 = -2.25
    let expected = often.rated(Dealing::ByChance);
    assert_eq!(expected[0], (on_right, -2.25, 1.0));
    assert_eq!(of(&expected, in_trough), (-2.5, 1.0));
    // (3 x -2 + 5 x -3) / 8 = -2.625
    let seldom = Worked::new(&rows, Piece::T, "O=3,I=5").rated(Dealing::ByChance);
    assert_eq!(seldom[0], (in_trough, -2.5, 1.0));
    assert_eq!(of(&seldom, on_right), (-2.625, 1.0));
    let worst = often.rated(Dealing::ByOpponent);
    assert_eq!(worst[0], (in_trough, -2.5, 1.0));
    assert_eq!(of(&worst, on_right), (-3.0, 1.0));
}

#[test]
fn survival_takes_precedence_over_the_score() {
    let mut worked = Worked::new(&["....", "....", "....", "#.##"], Piece::O, "O=1,I=1");
    worked.evaluator = linear(&[("landing_height", 1.0)], 4);
    // Height is good here, and O always lands 1.5 high. On the left it leaves space for another O
    // next to it (1.5), and a flat I fits on top (3). In the middle it leaves space only for a flat
    // I (3); O would end the game, 3.5 high.
    let (left, middle) = ((Rotation::North, 0), (Rotation::North, 1));
    // 1.5 + (1.5 + 3) / 2 = 3.75. In the middle, half of the games survive, and these give 1.5 + 3
    // / 2 = 3.
    let expected = worked.rated(Dealing::ByChance);
    assert_eq!(expected[0], (left, 3.75, 1.0));
    assert_eq!(of(&expected, middle), (3.0, 0.5));
    // In the worst case O comes: 1.5 + 1.5, or the end of the game, which would be higher: 1.5 +
    // 3.5.
    let worst = worked.rated(Dealing::ByOpponent);
    assert_eq!(worst[0], (left, 3.0, 1.0));
    assert_eq!(of(&worst, middle), (5.0, 0.0));
}

#[test]
fn the_expected_line_follows_the_likely_piece_and_the_feared_line_the_worst() {
    let rows = ["......", "......", "......", "......", "..####"];
    let worked = Worked::new(&rows, Piece::T, "O=3,I=1");
    let line = |dealing| {
        let evaluator = worked.evaluator.clone();
        let options = GreedyOptions::default();
        let mut player = LookaheadPlayer::new(
            &worked.rules,
            evaluator,
            options,
            dealing,
            SearchLimits::exact(2),
        );
        let rated = player.analyse(&worked.snapshot.view());
        let on_right = rated
            .iter()
            .find(|row| aim(row.placement) == (Rotation::North, 2));
        let reply = on_right.unwrap().line[0];
        (reply.piece, aim(reply))
    };
    let (o, i) = ((Rotation::North, 0), (Rotation::East, 0));
    assert_eq!(line(Dealing::ByChance), (Piece::O, o));
    assert_eq!(line(Dealing::ByOpponent), (Piece::I, i));
}

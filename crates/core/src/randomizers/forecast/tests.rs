//! Tests that the forecast of every registered randomizer must pass.

use super::*;
use crate::piece::PIECES;
use crate::piece::Piece::{I, J, L, O, S, T, Z};
use crate::randomizers::testing::{chi_square, make};
use crate::randomizers::{RANDOMIZERS, Randomizer};
use crate::rng::Rng;

fn board() -> Board {
    Board::new(10, 20).unwrap()
}

fn forecast(spec: &str) -> Forecast {
    Forecast::new(make(spec).unwrap().knowledge())
}

/// The probabilities after these pieces.
fn after(spec: &str, pieces: &[Piece]) -> Probabilities {
    let seen = pieces.iter();
    let forecast = seen.fold(forecast(spec), |forecast, &piece| forecast.after(piece));
    forecast.probabilities(&board())
}

fn assert_close(found: Probabilities, expected: Probabilities) {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
    assert!(
        found.iter().zip(&expected).all(near),
        "{found:?} is not {expected:?}"
    );
}

#[test]
fn probabilities_sum_to_one_and_the_dealt_piece_was_possible() {
    for entry in RANDOMIZERS {
        let (mut randomizer, mut rng) = (make(&entry.example()).unwrap(), Rng::new(7));
        let mut forecast = forecast(&entry.example());
        for _ in 0..40 {
            let probabilities = forecast.probabilities(&board());
            let sum: f64 = probabilities.iter().sum();
            let Some(piece) = randomizer.next(&mut rng, &board()) else {
                assert_eq!(sum, 0.0, "{}: no piece is left", entry.id);
                break;
            };
            assert!((sum - 1.0).abs() < 1e-9, "{}: {sum}", entry.id);
            assert!(probabilities[piece as usize] > 0.0, "{}", entry.id);
            forecast = forecast.after(piece);
        }
    }
}

/// How often each piece came when its forecast probability was about the same, and how often it
/// should have come: a pair of numbers for each piece and each tenth of probability.
fn calibration(spec: &str, games: u64, pieces: usize) -> (Vec<u64>, Vec<f64>, f64) {
    let (mut came, mut expected, mut variance) = (vec![0; 77], vec![0.0; 77], 0.0);
    for game in 0..games {
        let (mut randomizer, mut rng) = (make(spec).unwrap(), Rng::new(1000 + game));
        let mut forecast = forecast(spec);
        for _ in 0..pieces {
            let probabilities = forecast.probabilities(&board());
            let Some(piece) = randomizer.next(&mut rng, &board()) else {
                break;
            };
            for (place, probability) in probabilities.into_iter().enumerate() {
                let cell = 11 * place + (10.0 * probability + 0.5) as usize;
                expected[cell] += probability;
                variance += probability * (1.0 - probability);
                came[cell] += u64::from(place == piece as usize);
            }
            forecast = forecast.after(piece);
        }
    }
    (came, expected, variance)
}

#[test]
fn pieces_are_dealt_as_often_as_forecast() {
    for entry in RANDOMIZERS {
        // TGM3's is slower, so it gets fewer pieces.
        let (games, pieces) = match entry.id {
            "tgm3" => (12, 25),
            "adversary" => (2, 20),
            _ => (200, 100),
        };
        let (came, expected, variance) = calibration(&entry.example(), games, pieces);
        if variance < 1e-9 {
            // Whatever is certain always happens.
            let exactly = |(&came, &expected): (&u64, &f64)| (came as f64 - expected).abs() < 1e-6;
            assert!(came.iter().zip(&expected).all(exactly), "{}", entry.id);
            assert!(make(&entry.example()).unwrap().is_deterministic());
            continue;
        }
        let cells: Vec<usize> = (0..77).filter(|&cell| expected[cell] > 5.0).collect();
        let came: Vec<u64> = cells.iter().map(|&cell| came[cell]).collect();
        let expected: Vec<f64> = cells.iter().map(|&cell| expected[cell]).collect();
        // The statistic has fewer degrees of freedom than cells; this bound is exceeded less than
        // once in a thousand times.
        let freedom = cells.len() as f64;
        let limit = freedom + 3.5 * (2.0 * freedom).sqrt() + 5.0;
        let statistic = chi_square(&came, &expected);
        assert!(statistic < limit, "{}: {statistic} of {limit}", entry.id);
    }
}

#[test]
fn a_forecast_is_conditional_on_the_pieces_seen() {
    // How often each piece follows each pair of pieces, compared with the forecast after that pair.
    for spec in ["nes", "tgm", "tgm2", "bag", "tgm3"] {
        let mut came = vec![[0u64; 7]; 49];
        for seed in 0..40_000 {
            let (mut randomizer, mut rng) = (make(spec).unwrap(), Rng::new(seed));
            let [a, b, c] =
                std::array::from_fn(|_| randomizer.next(&mut rng, &board()).unwrap() as usize);
            came[7 * a + b][c] += 1;
        }
        for (pair, came) in came.iter().enumerate() {
            let total: u64 = came.iter().sum();
            if total < 200 {
                continue;
            }
            let probabilities = after(spec, &[PIECES[pair / 7], PIECES[pair % 7]]);
            let expected = probabilities.map(|probability| probability * total as f64);
            let impossible = came.iter().zip(&expected).filter(|row| *row.1 == 0.0);
            assert!(impossible.into_iter().all(|row| *row.0 == 0), "{spec}");
            // With six degrees of freedom, one of some 150 pairs exceeds 32 once in a thousand
            // times.
            let statistic = chi_square(came, &expected);
            assert!(statistic < 32.0, "{spec} {pair}: {statistic}");
        }
    }
}

#[test]
fn drawn_pieces_have_the_chances_that_draw_them() {
    assert_close(after("uniform", &[I, I]), [1.0 / 7.0; 7]);
    let hard = [1.0, 1.0, 1.0, 3.0, 3.0, 1.0, 1.0].map(|weight| weight / 11.0);
    assert_close(after("hard", &[S]), hard);
    let weighted = [2.0, 0.0, 2.0, 2.0, 1.0, 2.0, 2.0].map(|weight| weight / 11.0);
    assert_close(after("weighted(O=0,S=0.5)", &[]), weighted);
}

#[test]
fn a_repeat_is_rare_on_the_nes() {
    assert_close(after("nes", &[]), [1.0 / 7.0; 7]);
    let mut expected = [9.0 / 56.0; 7];
    expected[T as usize] = 1.0 / 28.0;
    assert_close(after("nes", &[I, T]), expected);
}

#[test]
fn tgm_avoids_the_last_four() {
    let opening = [0.25, 0.0, 0.25, 0.0, 0.0, 0.25, 0.25];
    for spec in ["tgm", "tgm2", "tgm3"] {
        assert_close(after(spec, &[]), opening);
    }
    // After the opening, the memory contains Z and T: a try hits one of them with probability 2/7.
    let (held, last) = (2.0 / 7.0, (2.0f64 / 7.0).powi(3));
    let mut expected = [(1.0 + held + held * held + last) / 7.0; 7];
    expected[Z as usize] = last / 7.0;
    expected[T as usize] = last / 7.0;
    assert_close(after("tgm", &[T]), expected);
    // Four different pieces: six tries, five of which avoid them.
    let (held, last) = (4.0 / 7.0, (4.0f64 / 7.0).powi(5));
    let tries: f64 = (0..5).map(|tried| f64::powi(held, tried)).sum();
    let free = (tries + last) / 7.0;
    let expected = PIECES.map(|piece| match piece {
        I | O | S | J => last / 7.0,
        _ => free,
    });
    assert_close(after("tgm2", &[L, I, O, S, J]), expected);
}

#[test]
fn a_bag_contains_the_pieces_not_yet_dealt() {
    let third = |pieces: &[Piece]| {
        PIECES.map(|piece| {
            if pieces.contains(&piece) {
                1.0 / 3.0
            } else {
                0.0
            }
        })
    };
    assert_close(after("bag", &[J, S, I, T]), third(&[O, Z, L]));
    assert_close(after("bag", &[J, S, I, T, L, O]), certainly(Some(Z)));
    assert_close(after("bag", &[J, S, I, T, L, O, Z]), [1.0 / 7.0; 7]);
    let again = after("bag", &[J, S, I, T, L, O, Z, Z]);
    assert_eq!((again[Z as usize], again[J as usize]), (0.0, 1.0 / 6.0));
}

#[test]
fn rules_without_chance_predict_their_piece_with_certainty() {
    assert_eq!(after("fixed(IO)", &[I]), certainly(Some(O)));
    assert_eq!(after("fixed(IO)", &[I, O]), [0.0; 7]);
    assert_eq!(after("fixed(IO,then=repeat)", &[I, O]), certainly(Some(I)));
    assert_eq!(after("alternating", &[S, Z]), certainly(Some(S)));
    // An adversary looks at the board: on a flat floor Z leaves a hole, on this one S does.
    let rows = ["....", "....", "....", ".###"];
    let adversary = crate::randomizers::testing::make_for(
        "adversary(few-holes)",
        crate::ends::End::ABOVE_TOP,
        4,
    );
    let forecast = Forecast::new(adversary.unwrap().knowledge());
    let flat = Board::new(4, 4).unwrap();
    assert_eq!(forecast.probabilities(&flat), certainly(Some(Z)));
    let uneven = Board::from_rows(4, 4, &rows).unwrap();
    assert_eq!(forecast.after(Z).probabilities(&uneven), certainly(Some(S)));
}

#[test]
fn only_randomizers_without_chance_are_deterministic() {
    let deterministic = |spec: &str| make(spec).unwrap().is_deterministic();
    let random = RANDOMIZERS
        .iter()
        .filter(|entry| !deterministic(&entry.example()));
    let ids: Vec<&str> = random.map(|entry| entry.id).collect();
    let expected = [
        "uniform", "weighted", "hard", "nes", "tgm", "tgm2", "bag", "tgm3",
    ];
    assert_eq!(ids, expected);
    assert!(deterministic("weighted(O=0,T=0,Z=0,S=0,J=0,L=0)"));
    assert!(!deterministic("weighted(O=0,T=0,Z=0,S=0,J=0)"));
}

#[test]
fn a_search_goes_back_by_keeping_the_forecast_it_came_from() {
    for entry in RANDOMIZERS {
        let start = forecast(&entry.example());
        let known = start.probabilities(&board());
        let possible = PIECES
            .into_iter()
            .filter(|&piece| known[piece as usize] > 0.0);
        for piece in possible {
            let _ = start.after(piece).probabilities(&board());
        }
        assert_eq!(start.probabilities(&board()), known, "{}", entry.id);
    }
}

/// Elsewhere the trait is always used through boxes and shared pointers; here it is used directly.
#[test]
fn knowledge_that_does_not_change_is_not_copied() {
    let known: Box<dyn Randomizer> = make("uniform").unwrap();
    assert!(known.knowledge().after(I).is_none());
}

#[test]
fn pieces_are_drawn_in_proportion_to_their_probabilities() {
    // After six pieces of a bag the seventh is certain; after five, two are left.
    let seen = [I, O, T, Z, S];
    let five = seen
        .iter()
        .fold(forecast("bag"), |known, &piece| known.after(piece));
    assert_eq!(five.draw(&board(), 0.0), Some(J));
    assert_eq!(five.draw(&board(), 0.499), Some(J));
    assert_eq!(five.draw(&board(), 0.501), Some(L));
    assert_eq!(five.draw(&board(), 0.999), Some(L));
    assert_eq!(five.most_likely(&board()), Some(J));
    assert_eq!(five.after(J).most_likely(&board()), Some(L));
    let none = forecast("fixed(I)").after(I);
    assert_eq!(none.draw(&board(), 0.5), None);
    assert_eq!(none.most_likely(&board()), None);
}

#[test]
fn only_an_adversary_depends_on_the_board() {
    for entry in RANDOMIZERS {
        let looks = forecast(&entry.example()).looks_at_board();
        assert_eq!(looks, entry.id == "adversary", "{}", entry.id);
    }
}

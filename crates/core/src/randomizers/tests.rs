//! Tests that every registered randomizer must pass.

use super::testing::{
    chi_square, counts, letters, longest_drought, make, problem, repeats, sequence,
};
use super::*;
use crate::rng::Rng;

/// Every kind with some settings, and its pieces for seed 1: a change of these lines would change
/// recorded games.
const GOLDEN: &[(&str, &str)] = &[
    ("uniform", "JJIJOSLZIILTITIOZZLSOJOT"),
    ("weighted(S=3,Z=2.5,O=0)", "JSISTSLSITLZIZITSZLSZJTZ"),
    ("hard", "SSOSTSLZOOLZIZIOSZLSTSOZ"),
    ("nes", "LJIJOSZIOTIZIOSZSTLOZOSO"),
    ("tgm", "LJIOSLZITOLSJTOLSJZTILSZ"),
    ("tgm2", "LJIOSLZITOLSJTOLSJZTILSZ"),
    ("bag", "JSITLOZZIJLOSTILTOSZJJIT"),
    ("tgm3", "LJISTLZJOTLIZSJOOZIJSTZI"),
    ("fixed(IOTZSJL,then=repeat)", "IOTZSJLIOTZSJLIOTZSJLIOT"),
    ("alternating", "SZSZSZSZSZSZSZSZSZSZSZSZ"),
    ("adversary(dellacherie)", "ZZZZZZZZZZZZZZZZZZZZZZZZ"),
];

/// A spec of this kind that never runs out of pieces.
fn example(entry: &RandomizerEntry) -> &'static str {
    let of_entry = |row: &&(&'static str, _)| row.0.split('(').next() == Some(entry.id);
    GOLDEN.iter().find(of_entry).unwrap().0
}

#[test]
fn every_example_names_its_entry_and_makes_a_randomizer() {
    for entry in RANDOMIZERS {
        let spec: Spec = example(entry).parse().unwrap();
        assert_eq!(spec.name, entry.id);
        assert!(make(&entry.example()).is_ok(), "{}", entry.id);
        assert!(!entry.definition.is_empty() && !entry.source.is_empty());
        let same_id = RANDOMIZERS.iter().filter(|other| other.id == entry.id);
        assert_eq!(same_id.count(), 1, "{}", entry.id);
    }
}

#[test]
fn the_same_seed_gives_the_same_pieces() {
    for entry in RANDOMIZERS {
        let pieces = sequence(example(entry), 42, 50);
        assert_eq!(pieces.len(), 50, "{}", entry.id);
        assert_eq!(pieces, sequence(example(entry), 42, 50), "{}", entry.id);
        let is_random = !["fixed", "alternating", "adversary"].contains(&entry.id);
        let other = sequence(example(entry), 43, 50);
        assert_eq!(pieces != other, is_random, "{}", entry.id);
    }
}

#[test]
fn a_copy_has_the_memory_of_the_original() {
    let board = Board::new(10, 20).unwrap();
    for entry in RANDOMIZERS {
        let (mut randomizer, mut rng) = (make(example(entry)).unwrap(), Rng::new(8));
        for _ in 0..5 {
            randomizer.next(&mut rng, &board);
        }
        let (mut copy, mut same_rng) = (randomizer.clone(), rng.clone());
        for _ in 0..30 {
            let piece = randomizer.next(&mut rng, &board);
            assert_eq!(piece, copy.next(&mut same_rng, &board), "{}", entry.id);
        }
    }
}

#[test]
fn settings_that_do_not_belong_are_refused() {
    for entry in RANDOMIZERS {
        let sentence = problem(&format!("{}(speed=3)", entry.id));
        let start = format!("{}: there is no setting 'speed'", entry.id);
        assert!(sentence.starts_with(&start), "{sentence}");
    }
    assert_eq!(
        problem("tmg3"),
        "there is no randomizer 'tmg3'; did you mean 'tgm3'?"
    );
    assert_eq!(problem("bag(7)"), "bag: does not take '7' here");
}

#[test]
fn the_chances_of_a_randomizer_draw_its_pieces() {
    let mut with_chances = Vec::new();
    for entry in RANDOMIZERS {
        let mut randomizer = make(example(entry)).unwrap();
        let Some(chances) = randomizer.chances() else {
            continue;
        };
        with_chances.push(entry.id);
        let (mut one, mut other) = (Rng::new(3), Rng::new(3));
        let board = Board::new(10, 20).unwrap();
        for _ in 0..1000 {
            let expected = randomizer.next(&mut one, &board).unwrap();
            assert_eq!(chances.draw(&mut other), expected as usize, "{}", entry.id);
        }
    }
    assert_eq!(with_chances, ["uniform", "weighted", "hard"]);
}

#[test]
fn uniform_pieces_have_equal_chances_whatever_came_before() {
    let drawn = counts("uniform", 1, 70_000);
    // With 6 degrees of freedom, 22.5 is exceeded once in a thousand times.
    assert!(chi_square(&drawn, &[10_000.0; 7]) < 22.5, "{drawn:?}");
    let pieces = sequence("uniform", 2, 70_000);
    // The expected number of repeats is 10,000 with a standard deviation of 93; droughts are
    // unbounded.
    assert!(repeats(&pieces).abs_diff(10_000) < 370);
    assert!((50..110).contains(&longest_drought(&pieces)));
}

#[test]
fn the_first_pieces_of_a_seed_do_not_change() {
    let id = |spec: &str| spec.split('(').next().unwrap().to_owned();
    let ids = RANDOMIZERS.iter().map(|entry| entry.id.to_owned());
    assert!(GOLDEN.iter().map(|row| id(row.0)).eq(ids));
    for (spec, expected) in GOLDEN {
        assert_eq!(letters(spec, 1, 24), *expected, "{spec}");
    }
}

use super::*;
use crate::evaluators::testing::evaluator;
use crate::game::{Game, Status};
use crate::moves::placements;
use crate::piece::Rotation;
use crate::placement::Placement;

fn made(spec: &str) -> Result<Ruleset, RulesetError> {
    ruleset(&spec.parse()?, &evaluator)
}

fn problem(spec: &str) -> String {
    made(spec).unwrap_err().to_string()
}

/// Plays the pieces of the ruleset, each in the given rotation and column; returns the game.
fn played(spec: &str, drops: &[(Rotation, usize)]) -> Game {
    let mut game = Game::new(&made(spec).unwrap(), 0);
    for &(rotation, x) in drops {
        let piece = game.view().piece;
        let shape = piece.shape(rotation);
        let y = game.board().resting_row(shape, x) as u8;
        game.apply(Placement {
            piece,
            rotation: shape.rotation,
            x: x as u8,
            y,
            spin: crate::placement::Spin::None,
        });
    }
    game
}

#[test]
fn a_taken_entry_ends_the_game_with_and_without_preview() {
    let drops = [(Rotation::North, 2), (Rotation::North, 2)];
    for preview in [0, 1] {
        let spec =
            format!("simplified-6x5(end=entry-blocked,preview={preview},randomizer=fixed(OOI))");
        let game = played(&spec, &drops);
        assert_eq!(game.status(), Status::Over, "{spec}");
        assert_eq!((game.pieces(), game.lines()), (2, 0));
        let game = played(&spec.replace("OOI", "OOOI"), &drops[..1]);
        assert_eq!(game.status(), Status::Playing);
    }
}

#[test]
fn every_listed_name_creates_the_ruleset_of_that_name() {
    for entry in RULESETS {
        for name in entry.names() {
            let ruleset = made(&name).unwrap();
            assert_eq!(ruleset.name, name);
            // Stepped games do not use the setting `end`.
            let end = ruleset.rules.end().map(|end| end.name().to_owned());
            let made_of = [
                end.or_else(|| entry.settings[0].default.map(str::to_owned))
                    .unwrap(),
                ruleset.preview.to_string(),
                ruleset.randomizer_spec.to_string(),
                ruleset.moves_spec.to_string(),
                "auto".to_owned(),
            ];
            let defaults = entry.settings.iter().map(|setting| setting.default);
            assert!(defaults.eq(made_of.iter().map(|value| Some(value.as_str()))));
            assert_eq!(Game::new(&ruleset, 1).status(), Status::Playing);
        }
        let plain = made(entry.id).unwrap();
        assert_eq!((plain.width, plain.height), entry.make.default);
    }
    let randomizer = |name| made(name).unwrap().randomizer_spec.to_string();
    assert_eq!(randomizer("simplified-hard-10x20"), "hard");
    assert_eq!(randomizer("near-perfect"), "bag");
    assert_eq!(randomizer("thesis"), "tgm3");
}

#[test]
fn a_name_takes_any_size_the_engine_plays_on() {
    let small = made("simplified-7x9").unwrap();
    assert_eq!((small.width, small.height), (7, 9));
    assert_eq!(
        (small.empty_board().width(), small.empty_board().height()),
        (7, 9)
    );
    let hard = made("simplified-hard-16x40").unwrap();
    assert_eq!((hard.width, hard.height), (16, 40));
}

#[test]
fn wrong_sizes_and_names_are_named() {
    assert_eq!(
        problem("simplified-3x20"),
        "ruleset simplified-3x20: a board must be 4 to 16 columns wide, got 3"
    );
    assert_eq!(
        problem("simplified-10x41"),
        "ruleset simplified-10x41: a board must be 4 to 40 rows high, got 41"
    );
    assert_eq!(
        problem("thesi"),
        "there is no ruleset 'thesi'; did you mean 'thesis'?"
    );
    for typo in [
        "simplifed-10x20",
        "simplified-10x2O",
        "simplified_10x20",
        "Simplified-10x20",
    ] {
        assert_eq!(
            problem(typo),
            format!("there is no ruleset '{typo}'; did you mean 'simplified-10x20'?")
        );
    }
    for (typo, meant) in [
        ("simplfied-6x10", "simplified-6x10"),
        ("two-peice-7x9", "two-piece-7x9"),
        ("simplfied-6x99", "simplified-6x12"),
    ] {
        assert_eq!(
            problem(typo),
            format!("there is no ruleset '{typo}'; did you mean '{meant}'?")
        );
    }
    for odd in [
        "simplified-+10x20",
        "simplified-010x20",
        "simplified-10x99999999999999999999",
    ] {
        assert!(problem(odd).starts_with(&format!("there is no ruleset '{odd}'")));
    }
    assert!(problem("").contains("a name is missing"));
}

#[test]
fn settings_replace_those_of_the_name() {
    let bag = made("thesis(randomizer=bag)").unwrap();
    assert_eq!(bag.name, "thesis(randomizer=bag)");
    assert_eq!(bag.randomizer_spec.to_string(), "bag");
    assert_eq!((bag.rules.end(), bag.preview), (Some(End::TOP_ROW), 0));
    let seen = made("simplified(preview=1)").unwrap();
    assert_eq!(Game::new(&seen, 3).view().queue.len(), 1);
    let other = made("simplified-10x10(end=top-row,preview=6)").unwrap();
    assert_eq!(
        (other.rules.end(), other.preview),
        (Some(End::TOP_ROW), MAX_PREVIEW)
    );
    let against = made("simplified-6x12(randomizer=adversary(dellacherie))").unwrap();
    assert_eq!(
        against.randomizer_spec.to_string(),
        "adversary(dellacherie)"
    );
}

#[test]
fn wrong_settings_are_named() {
    assert_eq!(
        problem("thesis(preview=7)"),
        "thesis: preview must be an integer from 0 to 6, got '7'"
    );
    assert_eq!(
        problem("thesis(randomiser=bag)"),
        "thesis: there is no setting 'randomiser'; did you mean 'randomizer'?"
    );
    assert_eq!(
        problem("thesis(randomizer=bog)"),
        "there is no randomizer 'bog'; did you mean 'bag'?"
    );
    assert!(problem("thesis(end=never)").starts_with("thesis: end must be "));
    assert_eq!(problem("thesis(10)"), "thesis: does not take '10' here");
}

#[test]
fn the_pieces_shown_are_the_pieces_dealt() {
    for entry in RULESETS {
        let spec = format!("{}(preview=3)", entry.id);
        let mut game = Game::new(&made(&spec).unwrap(), 5);
        for _ in 0..5 {
            let shown = game.view().queue.to_vec();
            assert_eq!(shown.len(), 3);
            let first = placements(game.board(), game.view().piece)[0];
            game.apply(first);
            assert_eq!(game.view().piece, shown[0]);
            assert_eq!(game.view().queue[..2], shown[1..]);
        }
    }
}

#[test]
fn a_stepped_game_has_no_end() {
    let made = |spec: &str| ruleset(&spec.parse().unwrap(), &evaluator);
    for spec in [
        "guideline(end=top-row)",
        "simplified(moves=stepped,end=above-top)",
    ] {
        let problem = made(spec).unwrap_err().to_string();
        assert!(
            problem.contains("a stepped game does not use end"),
            "{problem}"
        );
    }
    assert_eq!(made("guideline").unwrap().parts().rules.end(), None);
    let drops = made("guideline(moves=drops)").unwrap();
    assert_eq!(drops.rules.end(), Some(End::ENTRY_BLOCKED));
}

use super::*;
use crate::evaluators::testing::evaluator;
use crate::piece::PIECES;
use crate::players::{PLAYERS, PlayerContext, player};
use crate::ruleset::ruleset;

fn rules(spec: &str) -> Ruleset {
    ruleset(&spec.parse().unwrap(), &evaluator).unwrap()
}

/// A game of at most 500 pieces.
fn recorded(player_spec: &str, rules: &Ruleset, seed: u64) -> (GameRecord, Game) {
    let spec = player_spec.parse().unwrap();
    let context = PlayerContext {
        ruleset: rules,
        evaluators: &evaluator,
    };
    let mut player = player(&spec, &context).unwrap();
    let (mut game, mut placements) = (Game::new(rules, seed), Vec::new());
    player.start(seed);
    while game.status() == Status::Playing && game.pieces() < 500 {
        let placement = player.choose(&game.view());
        placements.push(ShortPlacement::from(placement));
        game.apply(placement);
    }
    let record = GameRecord {
        player: player_spec.to_owned(),
        rules: rules.parts(),
        files: BTreeMap::new(),
        seed,
        start: None,
        inputs: None,
        placements,
        complete: true,
        lines: game.lines(),
        pieces: game.pieces(),
        finished: game.status() == Status::Over,
    };
    (record, game)
}

#[test]
fn a_replay_equals_the_game() {
    for name in [
        "simplified-10x10",
        "near-perfect",
        "thesis",
        "two-piece-6x8",
    ] {
        let rules = rules(name);
        for entry in PLAYERS {
            let (record, played) = recorded(&entry.example(), &rules, 77);
            let made_again = Ruleset::new(record.rules.clone(), &evaluator).unwrap();
            let again = record.replay(&made_again, None).unwrap();
            assert_eq!(again.board(), played.board());
            assert_eq!(again.status(), played.status());
            let counts = |game: &Game| (game.lines(), game.pieces(), game.line_points());
            assert_eq!(counts(&again), counts(&played));
        }
    }
}

#[test]
fn the_first_bad_placement_is_named() {
    let rules = rules("simplified-10x10");
    let (record, _) = recorded("random", &rules, 5);
    assert!(record.finished);
    let error = |placements: Vec<ShortPlacement>| {
        let pieces = placements.len() as u64;
        let bad = GameRecord {
            placements,
            pieces,
            ..record.clone()
        };
        bad.replay(&rules, None).unwrap_err().to_string()
    };
    let at = record.placements.len();
    let long = [&record.placements[..], &record.placements[..1]].concat();
    assert_eq!(
        error(long),
        format!("placement {}: the game has ended", at + 1)
    );
    assert_eq!(
        error(vec!["On9".parse().unwrap()]),
        "placement 1: the piece extends beyond the board at column 9"
    );
    let other_pieces = GameRecord { seed: 6, ..record };
    assert!(other_pieces.replay(&rules, None).is_err());
}

#[test]
fn a_game_that_does_not_end_as_recorded_is_refused() {
    let rules = rules("simplified-10x10");
    let (record, _) = recorded("random", &rules, 5);
    let held = record.placements.len();
    let error = |change: &dyn Fn(&mut GameRecord)| {
        let mut changed = record.clone();
        change(&mut changed);
        changed.replay(&rules, None).unwrap_err().to_string()
    };
    let (lines, pieces) = (record.lines, record.pieces);
    assert_eq!(
        error(&|record| record.lines += 1),
        format!(
            "the game has {lines} lines, but the record says {}",
            lines + 1
        )
    );
    assert_eq!(
        error(&|record| record.finished = false),
        format!("the game is lost after {pieces} pieces, but the record does not say so")
    );
    assert_eq!(
        error(&|record| record.pieces += 1),
        format!(
            "the record has {held} placements, but states that {} pieces were placed",
            pieces + 1
        )
    );
    assert_eq!(
        error(&|record| record.complete = false),
        format!(
            "the record is marked as incomplete, but has {held} placements for {pieces} pieces"
        )
    );
    let cut = |record: &mut GameRecord| {
        record.placements.pop();
        record.pieces -= 1;
    };
    assert_eq!(
        error(&cut),
        format!(
            "the game is not lost after {} pieces, but the record says that it is",
            pieces - 1
        )
    );
}

#[test]
fn the_beginning_of_a_game_is_checked_as_far_as_it_goes() {
    let rules = rules("simplified-10x10");
    let (record, _) = recorded("random", &rules, 5);
    let mut beginning = record.clone();
    (beginning.complete, beginning.pieces) = (false, record.pieces + 10);
    let pieces = record.pieces;
    let lost = format!("the game is lost after {pieces} pieces, but the record does not say so");
    assert_eq!(
        beginning.replay(&rules, None).unwrap_err().to_string(),
        lost
    );
    beginning.placements.truncate(7);
    assert_eq!(beginning.replay(&rules, None).unwrap().pieces(), 7);
    assert_eq!(beginning.replay(&rules, Some(3)).unwrap().pieces(), 3);
    assert_eq!(
        beginning.replay(&rules, Some(8)).unwrap_err().to_string(),
        "expected a number of placements from 0 to 7, got 8"
    );
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
                    at: None,
                };
                assert_eq!(short.to_string().parse(), Ok(short));
            }
        }
    }
    assert_eq!("Te3".parse::<ShortPlacement>().unwrap().to_string(), "Te3");
    // Rotations that look the same are equivalent.
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
        assert!(error.ends_with(&format!("got '{text}'")), "{error}");
    }
}

#[test]
fn a_record_of_a_stepped_game_replays_from_placements_with_their_rows() {
    for spec in ["guideline", "nes", "tgm3", "near-perfect-stepped"] {
        let rules = rules(spec);
        let context = PlayerContext {
            ruleset: &rules,
            evaluators: &evaluator,
        };
        let mut player = player(&"greedy(dellacherie)".parse().unwrap(), &context).unwrap();
        let mut game = player.begin(&rules, 7);
        let mut placements = Vec::new();
        while game.status() == Status::Playing && game.pieces() < 60 {
            let placement = player.decide(&game.view());
            let short = ShortPlacement::stepped(placement);
            assert_eq!(short.to_string().parse(), Ok(short));
            placements.push(short);
            game.apply(placement);
        }
        let record = GameRecord {
            player: "greedy(dellacherie)".to_owned(),
            rules: rules.parts(),
            files: BTreeMap::new(),
            seed: 7,
            start: None,
            inputs: None,
            complete: true,
            lines: game.lines(),
            pieces: game.pieces(),
            finished: game.status() == Status::Over,
            placements,
        };
        let again = record.replay(&rules, None).unwrap();
        assert_eq!((again.board(), again.lines()), (game.board(), game.lines()));
        assert_eq!(
            again.stepped().unwrap().ticks(),
            game.stepped().unwrap().ticks(),
            "{spec}"
        );
        let mut wrong = record.clone();
        wrong.placements[3].at = Some((19, Spin::None));
        let error = wrong.replay(&rules, None).unwrap_err().to_string();
        assert!(
            error.starts_with("placement 4: no path leads to"),
            "{error}"
        );
    }
}

/// A stepped game in which keys are pressed at random, with its record.
fn played_by_inputs(rules: &Ruleset, start: Option<Board>) -> (GameRecord, Game) {
    let board = start.unwrap_or_else(|| rules.empty_board());
    let mut game = Game::on_board(rules, board, 5, None);
    let mut rng = crate::rng::Rng::new(2);
    let (mut log, mut placements) = (Vec::new(), Vec::new());
    for _ in 0..20_000 {
        if game.status() != Status::Playing {
            break;
        }
        let pressed = crate::moves::INPUTS
            .into_iter()
            .filter(|_| rng.below(9) == 0);
        let inputs: Inputs = pressed.collect();
        let inputs = inputs.sliding(inputs != Inputs::NONE && rng.below(9) == 0);
        log.push(inputs);
        let locked = game.tick(inputs).locked;
        placements.extend(locked.map(|locked| ShortPlacement::stepped(locked.placement)));
    }
    let record = GameRecord {
        player: "you".to_owned(),
        rules: rules.parts(),
        files: BTreeMap::new(),
        seed: 5,
        start,
        placements,
        inputs: Some(log.into_iter().collect()),
        complete: true,
        lines: game.lines(),
        pieces: game.pieces(),
        finished: game.status() == Status::Over,
    };
    (record, game)
}

#[test]
fn a_record_of_inputs_replays_every_tick() {
    let rules = rules("guideline");
    let board = Board::from_lowest_rows(10, 40, &["#########.", "####.#####"]).unwrap();
    for start in [None, Some(board)] {
        let (record, game) = played_by_inputs(&rules, start);
        let again = record.replay(&rules, None).unwrap();
        let [one, other] = [&again, &game].map(|game| game.stepped().unwrap());
        assert_eq!((one.board(), one.tally()), (other.board(), other.tally()));
        assert_eq!(one.ticks(), other.ticks());
        let third = record.replay(&rules, Some(3)).unwrap();
        assert_eq!(third.pieces(), 3);
    }
}

#[test]
fn a_moment_of_a_record_of_inputs_is_one_at_which_a_piece_falls() {
    for name in ["nes", "tgm", "tgm3"] {
        let rules = rules(name);
        let (record, game) = played_by_inputs(&rules, None);
        assert_eq!(game.status(), Status::Over, "{name}: random keys lose");
        let all = record.placements.len();
        let end = record.replay(&rules, Some(all)).unwrap();
        assert_eq!(end.status(), Status::Over, "{name}");
        for at in [0, 1, all / 2] {
            let there = record.replay(&rules, Some(at)).unwrap();
            assert_eq!(there.pieces(), at as u64, "{name}");
            assert!(there.stepped().unwrap().falling().is_some(), "{name}");
        }
    }
}

#[test]
fn inputs_that_lead_elsewhere_are_refused() {
    let rules = rules("guideline");
    let (record, _) = played_by_inputs(&rules, None);
    let error = |record: &GameRecord| record.replay(&rules, None).unwrap_err().to_string();
    let mut wrong = record.clone();
    let told = wrong.placements[2];
    wrong.placements[2].x = if told.x == 0 { 1 } else { 0 };
    assert!(error(&wrong).starts_with("the inputs bring piece 3 to "));
    let mut short = record.clone();
    short.inputs = Some("5".parse().unwrap());
    let held = record.placements.len();
    let said = format!("the inputs place 0 pieces, but the record has {held} placements");
    assert_eq!(error(&short), said);
    let drops = super::tests::rules("simplified-10x40");
    let refused = record.replay(&drops, None).unwrap_err().to_string();
    assert_eq!(
        refused,
        "the record has inputs, but its game is not a stepped game"
    );
}

#[test]
fn a_log_of_inputs_is_read_as_it_is_written() {
    let (record, _) = played_by_inputs(&rules("guideline"), None);
    let log = record.inputs.unwrap();
    assert_eq!(log.to_string().parse(), Ok(log));
    for wrong in ["lx", "0", "c,999999999", "l!c"] {
        assert!(wrong.parse::<InputLog>().is_err(), "{wrong}");
    }
}

#[test]
fn a_log_takes_as_much_memory_as_its_text_however_long_it_is() {
    let ticks = |parts: usize| vec!["2160000"; parts].join(",").parse::<InputLog>();
    let log = ticks(7).unwrap();
    assert_eq!((log.len(), log.runs.len()), (15_120_000, 1));
    assert_eq!(ticks(1000), Err(InputLogError::TooLong));
    let log: InputLog = "3,l,cD,12,4".parse().unwrap();
    assert_eq!(log.to_string(), "3,l,cD,16");
    assert_eq!(log.ticks().collect::<InputLog>(), log);
    let each: Vec<Inputs> = (0..21).map(|tick| log.at(tick)).collect();
    assert_eq!(log.ticks().collect::<Vec<_>>(), each);
    assert_eq!(log.at(1 << 40), Inputs::NONE);
}

#[test]
fn inputs_after_the_end_of_a_game_take_no_time() {
    let rules = rules("guideline");
    let (mut record, game) = played_by_inputs(&rules, None);
    assert_eq!(game.status(), Status::Over);
    let longer = format!("{}{}", record.inputs.unwrap(), ",2160000".repeat(7));
    record.inputs = Some(longer.parse().unwrap());
    assert!(record.replay(&rules, None).is_ok());
}

#[test]
fn a_spin_where_pieces_drop_straight_down_is_refused() {
    let rules = rules("simplified-10x20");
    let (mut record, _) = recorded("greedy(dellacherie)", &rules, 3);
    let game = Game::new(&rules, 3);
    let first = record.placements[0].on(game.board()).unwrap();
    let spun = |spin: Spin| Some((first.y, spin));
    record.placements[0].at = spun(Spin::None);
    assert!(record.replay(&rules, None).is_ok());
    for spin in [Spin::Mini, Spin::Full] {
        record.placements[0].at = spun(spin);
        let error = record.replay(&rules, None).unwrap_err().to_string();
        let expected = "has a spin, but pieces drop straight down in this game";
        assert!(
            error.starts_with("placement 1: ") && error.ends_with(expected),
            "{error}"
        );
    }
}

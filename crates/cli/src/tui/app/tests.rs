use super::*;
use crate::tui::testing::{play, replay, show_in, watch};
use ratatui::crossterm::event::KeyCode;
use tetrolab::arena::{Arena, GameSeries, Limits};
use tetrolab::context::Context;
use tetrolab::core::board::Board;
use tetrolab::core::game::{Game, Status};
use tetrolab::core::record::GameRecord;
use tetrolab::formats::games::{parse, read, ruleset, to_json};
use tetrolab::library::{find_player, find_ruleset};
use tetrolab::session::{Dealer, Lineup};

fn session(app: &App) -> &Session {
    &app.sessions()[0]
}

/// Serialises the record, parses it and replays it: the game must end as recorded.
fn replayed(record: &GameRecord) -> Game {
    let again = parse(&to_json(record).to_string()).unwrap();
    assert_eq!(&again, record);
    again.replay(&ruleset(&again).unwrap(), None).unwrap()
}

#[test]
fn the_game_that_is_watched_is_the_one_that_eval_plays() {
    for (rules, player) in [
        ("simplified-10x10", "bcts"),
        ("two-piece-10x20", "accelerated(strategies,n=4)"),
        ("simplified-10x10", "rollout(bcts,length=2,count=2)"),
        ("guideline", "bcts"),
        ("nes", "two-piece(dt-20)"),
        ("tgm3", "dellacherie"),
    ] {
        let rules = find_ruleset(rules).unwrap();
        let found = find_player(player, &rules).unwrap();
        let series = GameSeries::new(&rules, 1).limits(Limits {
            max_pieces: Some(20),
            record_placements: Some(20),
        });
        let arms = [(player, &*found)];
        let context = Context::new(&Arena::new(1).unwrap());
        let played = context.play_all(&arms, &series, 0..1).unwrap();
        let mut app = watch(&rules.name, &[player]);
        while session(&app).game().pieces() < 20 && !app.games.is_over() {
            app.pass(1);
        }
        let shown = &session(&app).record().placements;
        let expected = played[0].placements[0].iter();
        let expected: Vec<String> = expected
            .map(|placement| format!("{:?}", placement.cells()))
            .collect();
        let mut game = Game::new(&rules, session(&app).record().seed);
        for (short, expected) in shown.iter().zip(&expected) {
            let placement = short.on(game.board()).unwrap();
            assert_eq!(&format!("{:?}", placement.cells()), expected, "{player}");
            game.apply(placement);
        }
        assert_eq!(shown.len(), expected.len(), "{player}");
    }
}

#[test]
fn undone_pieces_are_dealt_again_in_the_same_order() {
    for rules in ["simplified-10x10", "guideline"] {
        let mut app = watch(rules, &["bcts"]);
        while session(&app).game().pieces() < 12 {
            app.pass(1);
        }
        let (board, record) = (*session(&app).game().board(), session(&app).record());
        for _ in 0..5 {
            app.type_keys("u");
        }
        assert_eq!(session(&app).game().pieces(), 7);
        assert_eq!(replayed(&session(&app).record()).pieces(), 7);
        for _ in 0..5 {
            app.type_keys(".");
        }
        assert_eq!(session(&app).game().board(), &board, "{rules}");
        assert_eq!(session(&app).record().placements, record.placements);
    }
}

#[test]
fn everything_can_be_undone_and_no_more() {
    let mut app = watch("simplified-10x10", &["bcts"]);
    app.pass(5 * 12 + 3);
    for _ in 0..5 {
        app.type_keys("u");
    }
    assert_eq!(session(&app).game().pieces(), 0);
    app.type_keys("u");
    assert_eq!(app.message(), Some("nothing to undo"));
}

#[test]
fn a_game_of_a_person_and_a_bot_is_saved_and_replays() {
    let mut app = play("guideline");
    app.press(&[KeyCode::Left, KeyCode::Char(' '), KeyCode::Up]);
    app.pass(25);
    // The piece has fallen a few rows when the bot takes over.
    app.type_keys("b");
    app.pass(90);
    app.type_keys("b");
    app.press(&[KeyCode::Char('c'), KeyCode::Char(' '), KeyCode::Down]);
    let record = session(&app).record();
    assert_eq!(record.player, "you and bcts");
    assert!(record.pieces > 5, "{}", record.pieces);
    let again = replayed(&record);
    let [one, other] = [&again, session(&app).game()].map(|game| game.stepped().unwrap());
    assert_eq!(
        (one.tally(), one.falling()),
        (other.tally(), other.falling())
    );
}

#[test]
fn a_placement_game_takes_left_right_turns_and_drops() {
    let mut app = play("simplified-10x20(randomizer=fixed(IOT))");
    app.press(&[KeyCode::Up, KeyCode::Left]);
    let left = [KeyCode::Left; 9];
    app.press(&left);
    app.press(&[KeyCode::Char(' ')]);
    app.press(&[KeyCode::Char(' ')]);
    let record = session(&app).record();
    let placements: Vec<String> = record.placements.iter().map(ToString::to_string).collect();
    assert_eq!(placements, ["Ie0", "On4"]);
    assert_eq!(replayed(&record).pieces(), 2);
}

#[test]
fn an_edited_board_begins_a_game_that_replays_and_can_be_undone() {
    for rules in ["simplified-10x20", "guideline"] {
        let mut app = watch(rules, &["bcts"]);
        while session(&app).game().pieces() < 4 {
            app.pass(1);
        }
        let before = *session(&app).game().board();
        app.type_keys("e");
        app.press(&[
            KeyCode::Char('g'),
            KeyCode::Char('g'),
            KeyCode::Up,
            KeyCode::Char('x'),
        ]);
        app.press(&[KeyCode::Enter]);
        assert_ne!(session(&app).game().board(), &before);
        app.type_keys("..");
        let record = session(&app).record();
        assert!(record.start.is_some());
        assert_eq!(replayed(&record).pieces(), 2);
        app.type_keys("r");
        assert_eq!(session(&app).game().pieces(), 0, "the edited board again");
        app.type_keys("u");
        assert_eq!(
            session(&app).game().board(),
            &before,
            "{rules}: the edit is undone"
        );
        assert_eq!(replayed(&session(&app).record()).pieces(), 4);
    }
}

#[test]
fn a_full_row_disappears_from_an_edited_board() {
    let mut app = play("simplified-10x20");
    app.type_keys("e");
    app.press(&[
        KeyCode::Char('f'),
        KeyCode::Char(' '),
        KeyCode::Up,
        KeyCode::Char('x'),
    ]);
    app.press(&[KeyCode::Enter]);
    let rows = session(&app).game().board().to_rows();
    assert_eq!(rows[19], ".....#....");
    assert!(rows[..19].iter().all(|row| !row.contains('#')));
}

#[test]
fn chosen_pieces_are_dealt_and_recorded() {
    for rules in [
        "simplified-10x20",
        "near-perfect",
        "guideline",
        "nes",
        "tgm3",
        "tgm(preview=0)",
    ] {
        let mut app = watch(rules, &["bcts"]);
        app.type_keys("d");
        // If the hold is empty at first, one more piece is drawn.
        for letter in ["s", "z", "i", "o", "t"] {
            assert!(session(&app).waits_for_piece(), "{rules}");
            app.type_keys(letter);
            app.pass(400);
        }
        let record = session(&app).record();
        assert_eq!(replayed(&record).pieces(), record.pieces);
        let randomizer = record.rules.randomizer.to_string();
        assert!(randomizer.contains("SZIOT"), "{rules}: {randomizer}");
    }
}

#[test]
fn the_adversary_deals_until_it_is_sent_away() {
    let mut app = watch("simplified-10x20", &["bcts"]);
    app.pass(12);
    app.type_keys("dd");
    app.pass(12 * 12);
    let record = session(&app).record();
    assert_eq!(replayed(&record).board(), session(&app).game().board());
    let last: Vec<char> = record
        .placements
        .iter()
        .rev()
        .take(6)
        .map(|short| short.piece.letter())
        .collect();
    let hard = last.iter().filter(|letter| "SZ".contains(**letter)).count();
    assert!(hard >= 4, "{last:?}");
    app.type_keys("d");
    assert_eq!(session(&app).dealing(), Dealer::Rules);
    app.pass(12 * 30);
    assert_eq!(
        replayed(&session(&app).record()).board(),
        session(&app).game().board()
    );
}

#[test]
fn a_record_goes_back_and_forth_and_can_be_taken_over() {
    for rules in ["simplified-10x10", "guideline"] {
        let mut watched = watch(rules, &["bcts"]);
        while session(&watched).game().pieces() < 20 {
            watched.pass(1);
        }
        let record = session(&watched).record();
        let mut app = replay(record.clone());
        app.press(&[KeyCode::End]);
        assert_eq!(
            session(&app).game().board(),
            session(&watched).game().board()
        );
        app.press(&[KeyCode::PageUp, KeyCode::Right, KeyCode::Left]);
        assert_eq!(session(&app).game().pieces(), 10);
        let half = record.replay(&ruleset(&record).unwrap(), Some(10)).unwrap();
        assert_eq!(session(&app).game().board(), half.board(), "{rules}");
        app.press(&[KeyCode::Enter]);
        app.type_keys("b...");
        assert_eq!(session(&app).game().pieces(), 13);
        assert_eq!(replayed(&session(&app).record()).pieces(), 13);
    }
}

#[test]
fn games_are_saved_under_a_name_that_is_free() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = show_in(folder.path(), "simplified-10x20", |bot| {
        Lineup::Bots(vec![bot("bcts"), bot("dt-20")])
    });
    app.type_keys("w");
    assert_eq!(app.message(), Some("nothing was played yet"));
    app.pass(60);
    app.type_keys("ww");
    for name in ["game-1.jsonl", "game-2.jsonl"] {
        let games = read(&folder.path().join(name), None).unwrap();
        assert_eq!(games.len(), 2, "both boards");
        let [one, other] = [0, 1].map(|place: usize| &games[place].record);
        assert_eq!(
            (one.player.as_str(), other.player.as_str()),
            ("bcts", "dt-20")
        );
        assert_eq!(one.seed, other.seed);
    }
}

#[test]
fn another_game_has_another_seed_and_a_restart_the_same() {
    let mut app = watch("simplified-10x10", &["bcts"]);
    app.pass(10 * 12);
    let first = session(&app).record();
    app.type_keys("r");
    app.pass(10 * 12);
    assert_eq!(
        session(&app).record().placements[..9],
        first.placements[..9]
    );
    app.type_keys("n");
    app.pass(12);
    assert_ne!(session(&app).record().seed, first.seed);
}

#[test]
fn a_list_of_pieces_that_ends_in_an_entry_delay_ends_the_game() {
    for rules in [
        "nes(randomizer=fixed(IOT))",
        "nes(preview=0,randomizer=fixed(IOT))",
    ] {
        let mut app = watch(rules, &["bcts"]);
        app.pass(400);
        assert_eq!(
            session(&app).game().status(),
            Status::OutOfPieces,
            "{rules}"
        );
        assert_eq!(session(&app).record().pieces, 3);
    }
}

#[test]
fn a_step_ends_when_the_next_piece_has_entered() {
    let mut app = watch("tgm3", &["bcts"]);
    for _ in 0..5 {
        app.type_keys(".");
        assert!(session(&app).falling().is_some());
        assert!(session(&app).analysis().is_some());
    }
}

#[test]
fn undo_restores_the_source_of_pieces_too() {
    let mut app = watch("simplified-10x20", &["bcts"]);
    app.pass(3 * 12);
    app.type_keys("dd");
    app.pass(5 * 12);
    assert_eq!(session(&app).dealing(), Dealer::Adversary);
    while session(&app).game().pieces() > 1 {
        app.type_keys("u");
    }
    assert_eq!(session(&app).dealing(), Dealer::Rules);
    app.type_keys(".....");
    assert_eq!(
        replayed(&session(&app).record()).board(),
        session(&app).game().board()
    );
}

#[test]
fn two_boards_are_edited_and_undone_together() {
    let mut app = watch("simplified-10x20", &["bcts", "dt-20"]);
    app.pass(4 * 12);
    let before: Vec<Board> = app
        .sessions()
        .iter()
        .map(|session| *session.game().board())
        .collect();
    app.type_keys("e");
    app.press(&[KeyCode::Char('g'), KeyCode::Enter]);
    app.type_keys(".");
    app.type_keys("u");
    for session in app.sessions() {
        assert_eq!(session.game().pieces(), 0);
        assert!(session.record().start.is_some(), "still the edited board");
    }
    app.type_keys("u");
    for (session, before) in app.sessions().iter().zip(&before) {
        assert_eq!(session.game().board(), before);
    }
    app.type_keys("u");
    assert!(
        app.sessions()
            .iter()
            .all(|session| session.game().pieces() == 3),
        "and further back"
    );
}

#[test]
fn a_record_keeps_its_pieces_and_its_player() {
    let mut watched = watch("simplified-10x10", &["bcts"]);
    watched.pass(10 * 12 + 1);
    let mut app = replay(session(&watched).record());
    app.type_keys("d");
    assert_eq!(session(&app).dealing(), Dealer::Rules);
    app.pass(4 * 12);
    assert_eq!(session(&app).record().player, "bcts");
    app.press(&[KeyCode::Enter]);
    app.type_keys("b.");
    assert_eq!(session(&app).record().player, "bcts and dellacherie");
}

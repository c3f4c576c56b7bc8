use super::*;
use crate::tui::palette::Palette;
use crate::tui::testing::{play, replay, show, watch};
use ratatui::crossterm::event::KeyCode;
use ratatui::style::Color;
use std::path::PathBuf;
use tetrolab::session::{Lineup, OpponentPace, Speed};

/// The characters of a screen, line by line.
fn text(app: &App, width: u16, height: u16) -> String {
    let screen = screen(app, width, height);
    let mut text = String::new();
    for row in 0..height {
        let line: String = (0..width)
            .map(|column| screen[(column, row)].symbol())
            .collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Compares a screen with the snapshot of this name in `snapshots`; `TETROLAB_SNAPSHOTS=write`
/// writes the snapshot instead.
fn check(name: &str, app: &App, (width, height): (u16, u16)) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/tui/draw/snapshots");
    let path = folder.join(format!("{name}.txt"));
    let found = text(app, width, height);
    if std::env::var("TETROLAB_SNAPSHOTS").is_ok_and(|value| value == "write") {
        std::fs::write(&path, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let expected = expected.replace("\r\n", "\n");
    assert!(
        found == expected,
        "{name} has changed; expected\n{expected}found\n{found}"
    );
}

const USUAL: (u16, u16) = (80, 24);

#[test]
fn a_game_that_a_person_plays() {
    let mut app = play("guideline");
    app.press(&[KeyCode::Left, KeyCode::Left, KeyCode::Char(' ')]);
    app.press(&[
        KeyCode::Up,
        KeyCode::Right,
        KeyCode::Char(' '),
        KeyCode::Char('c'),
    ]);
    app.pass(40);
    check("play", &app, USUAL);
}

#[test]
fn a_placement_game_that_a_person_plays() {
    let mut app = play("simplified-10x20");
    app.press(&[
        KeyCode::Up,
        KeyCode::Left,
        KeyCode::Char(' '),
        KeyCode::Right,
    ]);
    app.pass(3);
    check("play-placement", &app, USUAL);
}

#[test]
fn a_player_that_is_watched() {
    let mut app = watch("simplified-10x20", &["bcts"]);
    app.pass(30 * 12 + 8);
    check("watch", &app, USUAL);
    check("watch-large", &app, (100, 30));
    check("watch-small", &app, (40, 14));
    check("watch-narrow", &app, (30, 12));
    check("watch-too-small", &app, (29, 12));
    app.press(&[KeyCode::Tab]);
    check("watch-without-panel", &app, USUAL);
}

#[test]
fn a_large_screen_has_large_cells() {
    let mut app = watch("simplified-10x20", &["bcts"]);
    app.pass(30 * 12 + 8);
    app.set_palette(Palette::Guideline);
    check("watch-half-lines", &app, (120, 40));
    app.set_palette(Palette::Plain);
    check("watch-huge", &app, (120, 44));
}

#[test]
fn a_board_higher_than_the_screen_shows_its_stack_and_its_piece() {
    let mut app = watch("simplified-10x40", &["bcts"]);
    app.pass(30 * 12 + 8);
    check("watch-high", &app, (40, 14));
    app.press(&[KeyCode::Char('e')]);
    app.press(&[KeyCode::Up; 39]);
    check("edit-high", &app, (40, 14));
}

#[test]
fn long_names_and_numbers_stay_apart() {
    let mut app = watch("simplified-10x20", &["expectimax(bcts,depth=1)"]);
    app.pass(20);
    check("watch-long-name", &app, USUAL);
    let mut buffer = Buffer::empty(Rect::new(0, 0, 15, 2));
    let mut pen = Pen::new(&mut buffer, Rect::new(0, 0, 15, 2), app.colours);
    pen.pair("points", "999,999");
    let row: String = (0..15).map(|column| buffer[(column, 0)].symbol()).collect();
    assert_eq!(row, " points 999,999");
}

#[test]
fn a_player_of_a_stepped_game() {
    let mut app = watch("guideline", &["bcts"]);
    app.pass(200);
    check("watch-guideline", &app, USUAL);
}

#[test]
fn a_hint_shows_where_the_bot_would_go() {
    let mut app = play("guideline");
    app.pass(30);
    app.type_keys("h");
    check("hint", &app, USUAL);
}

#[test]
fn a_board_that_is_edited() {
    let mut app = watch("simplified-10x20", &["bcts"]);
    app.pass(10 * 12);
    app.type_keys("e");
    app.press(&[
        KeyCode::Char('g'),
        KeyCode::Up,
        KeyCode::Up,
        KeyCode::Char('f'),
        KeyCode::Right,
    ]);
    check("edit", &app, USUAL);
    app.press(&[KeyCode::Enter]);
    check("edited", &app, USUAL);
}

#[test]
fn two_players_side_by_side() {
    let mut app = watch("simplified-10x20", &["bcts", "dt-20"]);
    app.pass(20 * 12 + 5);
    check("side-by-side", &app, USUAL);
    let mut app = show("guideline", |bot| Lineup::Person {
        bot: bot("bcts"),
        opponent: Some((bot("near-perfect"), OpponentPace::Waits)),
    });
    app.pass(60);
    assert_eq!(app.sessions()[1].game().pieces(), 0, "it waits");
    app.type_keys(" ");
    app.pass(60);
    check("versus", &app, USUAL);
    app.pass(60);
    assert_eq!(
        app.sessions()[1].game().pieces(),
        1,
        "one piece for each of yours"
    );
    app.type_keys(".");
    assert_eq!(app.sessions()[1].game().pieces(), 1);
}

#[test]
fn an_opponent_with_a_pace_does_not_wait() {
    let mut app = show("simplified-10x20", |bot| Lineup::Person {
        bot: bot("bcts"),
        opponent: Some((bot("dt-20"), OpponentPace::PerSecond(2.0))),
    });
    app.pass(3 * 60 + 5);
    assert_eq!(app.sessions()[0].game().pieces(), 0);
    assert_eq!(app.sessions()[1].game().pieces(), 6);
}

#[test]
fn a_game_that_is_over() {
    let mut app = watch(
        "simplified-10x8(randomizer=fixed(SSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS))",
        &["random"],
    );
    app.pass(40 * 12);
    assert!(app.games.is_over());
    check("over", &app, USUAL);
}

#[test]
fn a_record_and_what_a_player_thinks_of_it() {
    let mut watched = watch("simplified-10x20", &["bcts"]);
    watched.pass(40 * 12);
    let mut app = replay(watched.sessions()[0].record());
    app.pass(5 * 12);
    assert!(text(&app, 80, 24).contains("space pauses"));
    app.press(&[KeyCode::PageDown, KeyCode::Left]);
    check("replay", &app, USUAL);
    app.press(&[KeyCode::End]);
    check("replay-end", &app, USUAL);
}

#[test]
fn the_keys() {
    let mut app = play("guideline");
    app.type_keys("?");
    check("help", &app, USUAL);
    check("help-narrow", &app, (40, 30));
    // On small screens the help has pages, which together show every key.
    for size in [(30, 12), (40, 14), (80, 12), (100, 16)] {
        app.size = size;
        let mut seen = String::new();
        for _ in 0..help_pages(size) {
            seen += &text(&app, size.0, size.1);
            app.press(&[KeyCode::Right]);
        }
        for (_, _, keys, help) in crate::tui::keys::ACTIONS {
            let help: String = help.chars().take(16).collect();
            assert!(
                seen.contains(keys[0]) && seen.contains(&help),
                "{size:?}: {help}"
            );
        }
        assert_eq!(
            app.help_page,
            Some(0),
            "after the last page comes the first"
        );
    }
    app.type_keys("x");
    assert_eq!(app.help_page, None);
}

#[test]
fn pieces_that_the_person_chooses() {
    let mut app = watch("simplified-10x20", &["bcts"]);
    app.type_keys("d");
    app.pass(300);
    check("choose", &app, USUAL);
    assert_eq!(app.sessions()[0].game().pieces(), 0, "it waits");
    app.type_keys("szt");
    app.pass(12);
    assert_eq!(
        app.sessions()[0].game().pieces(),
        1,
        "only one piece was asked for"
    );
}

#[test]
fn pieces_have_their_colours() {
    let mut app = watch(
        "simplified-10x20(randomizer=fixed(OO,then=repeat))",
        &["bcts"],
    );
    app.pass(12 + 2);
    for (palette, expected) in [
        (Palette::Guideline, Color::Rgb(235, 196, 52)),
        (Palette::ColourBlind, Color::Rgb(240, 228, 66)),
        (Palette::Plain, Color::Reset),
    ] {
        app.set_palette(palette);
        let screen = screen(&app, 80, 24);
        let filled = screen.content().iter().filter(|cell| cell.bg == expected);
        let at_least = filled.count();
        // Two squares of four cells with two characters each.
        match palette {
            Palette::Plain => assert_eq!(at_least, 80 * 24),
            _ => assert_eq!(at_least, 2 * 8, "{palette:?}"),
        }
    }
}

#[test]
fn every_size_of_screen_is_drawn_without_a_panic() {
    let mut apps = [
        watch("simplified-16x40", &["bcts"]),
        watch("guideline", &["bcts", "dt-20"]),
        watch("simplified-4x4", &["random"]),
        play("nes"),
    ];
    for app in &mut apps {
        app.pass(30);
        for palette in [Palette::Plain, Palette::Guideline] {
            app.set_palette(palette);
            for width in [1, 13, 30, 31, 43, 60, 80, 121, 200] {
                for height in (1..26).step_by(3).chain([12, 24, 40, 90]) {
                    screen(app, width, height);
                }
            }
        }
    }
}

#[test]
fn full_speed_shows_the_same_game() {
    let mut slow = watch("simplified-10x10", &["bcts"]);
    slow.pass(50 * 12);
    let mut fast = watch("simplified-10x10", &["bcts"]);
    fast.set_speed(Speed::Full);
    let mut leaps = 0;
    fast.advance(crate::tui::testing::TICK, &mut || {
        leaps += 1;
        leaps == 50
    });
    assert_eq!(fast.sessions()[0].game().pieces(), 50);
    assert_eq!(
        fast.sessions()[0].game().board(),
        slow.sessions()[0].game().board()
    );
}

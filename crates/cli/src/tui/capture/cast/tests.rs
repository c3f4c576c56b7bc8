use super::*;
use ratatui::style::Style;
use std::fs;
use std::num::NonZeroU16;
use tempfile::TempDir;

/// The lines of a recording of these screens, each with its time in milliseconds.
fn recorded(screens: &[(Buffer, u64)], end: u64) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let (mut cast, path) = new_cast(&folder);
    for (screen, at) in screens {
        cast.add(screen, Duration::from_millis(*at)).unwrap();
    }
    cast.finish(Duration::from_millis(end)).unwrap();
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn new_cast(folder: &TempDir) -> (CastFile, PathBuf) {
    let path = folder.path().join("x.cast");
    let cast = CastFile::create(&path, 8, 3, "A \"game\"").unwrap();
    (cast, path)
}

fn terminal() -> vt100::Parser {
    let size = |length| NonZeroU16::new(length).unwrap();
    vt100::Parser::new(size(3), size(8), 0)
}

fn send(terminal: &mut vt100::Parser, event: &Value) {
    assert_eq!(event[1], "o");
    terminal.process(event[2].as_str().unwrap().as_bytes());
}

/// A colour as the terminal should show it.
fn in_terminal(colour: Color) -> vt100::Color {
    match (colour, named(colour)) {
        (Color::Rgb(red, green, blue), _) => vt100::Color::Rgb(red, green, blue),
        (Color::Indexed(index), _) => vt100::Color::Idx(index),
        (_, Some(index)) => vt100::Color::Idx(index),
        (_, None) => vt100::Color::Default,
    }
}

fn assert_shows(terminal: &vt100::Parser, screen: &Buffer) {
    for row in 0..3 {
        for column in 0..8 {
            let cell = cell_at(screen, column, row);
            let shown = terminal.screen().cell(row, column).unwrap();
            let contents = match shown.contents() {
                "" => " ",
                contents => contents,
            };
            let place = format!("column {column} of row {row}");
            assert_eq!(contents, cell.symbol(), "{place}");
            assert_eq!(shown.fgcolor(), in_terminal(cell.fg), "{place}");
            assert_eq!(shown.bgcolor(), in_terminal(cell.bg), "{place}");
            let has = |modifier| cell.modifier.contains(modifier);
            assert_eq!(shown.bold(), has(Modifier::BOLD), "{place}");
            assert_eq!(shown.dim(), has(Modifier::DIM), "{place}");
            assert_eq!(shown.underline(), has(Modifier::UNDERLINED), "{place}");
            assert_eq!(shown.inverse(), has(Modifier::REVERSED), "{place}");
        }
    }
}

/// Screens with all kinds of colours, up to the last corner.
fn screens() -> Vec<(Buffer, u64)> {
    let mut first = Buffer::with_lines(["╭─ ab ─╮", "│ \"\\é  │", "╰──────╯"]);
    first.set_string(3, 0, "ab", Style::new().fg(Color::LightCyan).bg(Color::Red));
    let mut second = first.clone();
    let loud = Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
    second.set_string(1, 1, "██", loud.fg(Color::Rgb(1, 20, 255)));
    second.set_string(5, 1, "x", loud.bg(Color::Indexed(208)));
    second.set_string(6, 2, "yz", Style::new().add_modifier(Modifier::REVERSED));
    let mut third = second.clone();
    third.set_string(1, 1, "▀ dim", Style::reset().add_modifier(Modifier::DIM));
    let blank = Buffer::with_lines(["        "; 3]);
    vec![(first, 0), (second, 500), (third, 1250), (blank, 2000)]
}

#[test]
fn a_terminal_shows_every_screen_again() {
    let screens = screens();
    let lines = recorded(&screens, 3000);
    let mut terminal = terminal();
    send(&mut terminal, &lines[1]);
    assert!(terminal.screen().hide_cursor());
    assert_eq!(lines.len(), screens.len() + 3);
    for (event, (screen, _)) in lines[2..].iter().zip(&screens) {
        send(&mut terminal, event);
        assert_shows(&terminal, screen);
    }
    send(&mut terminal, lines.last().unwrap());
    assert_shows(&terminal, &screens.last().unwrap().0);
    assert!(!terminal.screen().hide_cursor());
}

#[test]
fn the_first_line_is_the_header() {
    let header = &recorded(&[], 0)[0];
    assert_eq!(header["version"], 2);
    assert_eq!(
        (&header["width"], &header["height"]),
        (&json!(8), &json!(3))
    );
    assert_eq!(header["title"], "A \"game\"");
    assert_eq!(header["theme"]["bg"], "#14181f");
    let palette = header["theme"]["palette"].as_str().unwrap();
    assert_eq!(palette.split(':').count(), 16);
}

#[test]
fn screens_have_their_times_in_seconds() {
    let lines = recorded(&screens(), 3000);
    let times: Vec<f64> = lines[1..]
        .iter()
        .map(|event| event[0].as_f64().unwrap())
        .collect();
    assert_eq!(times, [0.0, 0.0, 0.5, 1.25, 2.0, 3.0]);
}

#[test]
fn only_changes_are_sent() {
    let before = Buffer::with_lines(["abcdefgh"]);
    let mut after = before.clone();
    after.set_string(2, 0, "X", Style::new().fg(Color::Green));
    after.set_string(5, 0, "YZ", Style::new().fg(Color::Green));
    let lines = recorded(&[(before.clone(), 0), (before, 10), (after, 20)], 30);
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[3][2], "\u{1b}[1;3H\u{1b}[32mX\u{1b}[2CYZ");
}

#[test]
fn time_does_not_run_backwards() {
    let screens = [
        (Buffer::with_lines(["a"]), 700),
        (Buffer::with_lines(["b"]), 600),
    ];
    let lines = recorded(&screens, 0);
    assert!(lines[2..].iter().all(|event| event[0] == 0.7));
}

#[test]
fn a_recording_appears_only_when_it_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let (mut cast, path) = new_cast(&folder);
    cast.add(&screens()[0].0, Duration::ZERO).unwrap();
    assert!(!path.exists());
    drop(cast);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_that_does_not_exist_is_named() {
    let problem = CastFile::create(Path::new("/none/x.cast"), 8, 3, "").unwrap_err();
    assert_eq!(
        format!("{problem:#}"),
        "/none/x.cast: there is no such folder"
    );
}

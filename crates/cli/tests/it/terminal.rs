//! `play` and `watch` in a pseudo-terminal, whose screen is read through a terminal emulator.

use crate::{sentence, stdout};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// How long a test waits for something to appear: machines may be slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program in a terminal of 80 columns and 24 rows.
struct Session {
    screen: Arc<Mutex<vt100::Parser>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn portable_pty::Child + Send + Sync>,
    /// Ends when the program has exited and all its output has been read.
    reader: JoinHandle<()>,
    terminal: Box<dyn portable_pty::MasterPty + Send>,
    /// Set when the screen is no longer read.
    is_closed: Arc<AtomicBool>,
}

impl Session {
    fn begin(folder: &Path, args: &[&str]) -> Session {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_tetrolab"));
        command.args(args);
        Session::run(folder, command)
    }

    fn run(folder: &Path, mut command: CommandBuilder) -> Session {
        let size = PtySize {
            rows: 24,
            cols: 80,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        command.cwd(folder);
        command.env("TERM", "xterm-256color");
        command.env("XDG_CONFIG_HOME", folder);
        let child = pair.slave.spawn_command(command).unwrap();
        let [rows, columns] = [24, 80].map(|size| NonZero::new(size).unwrap());
        let screen = Arc::new(Mutex::new(vt100::Parser::new(rows, columns, 0)));
        let (mut output, shown) = (pair.master.try_clone_reader().unwrap(), Arc::clone(&screen));
        let is_closed = Arc::new(AtomicBool::new(false));
        let closed = Arc::clone(&is_closed);
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                shown.lock().unwrap().process(&bytes[..count]);
                if closed.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        Session {
            screen,
            keys: pair.master.take_writer().unwrap(),
            child,
            reader,
            terminal: pair.master,
            is_closed,
        }
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// Waits until the screen shows this text.
    fn wait_for(&self, wanted: &str) -> String {
        let began = Instant::now();
        loop {
            let text = self.text();
            if text.contains(wanted) {
                return text;
            }
            assert!(began.elapsed() < PATIENCE, "no '{wanted}' in\n{text}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until the terminal shows the alternate screen, or the normal one with a cursor.
    fn wait_for_screen(&self, alternate: bool) {
        let began = Instant::now();
        loop {
            let is_there = {
                let parser = self.screen.lock().unwrap();
                let screen = parser.screen();
                screen.alternate_screen() == alternate && (alternate || !screen.hide_cursor())
            };
            if is_there {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "alternate: {alternate}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Closes the terminal as a user closes a window; returns the program's exit code.
    #[cfg(unix)]
    fn close(self) -> u32 {
        let Session {
            mut child,
            keys,
            terminal,
            is_closed,
            ..
        } = self;
        is_closed.store(true, Ordering::Relaxed);
        drop((keys, terminal));
        let began = Instant::now();
        loop {
            if let Some(status) = child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(began.elapsed() < PATIENCE, "it goes on without a terminal");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until the program has exited; returns its exit code, and whether the previous screen
    /// is back, with a cursor.
    fn leave(mut self) -> (u32, String) {
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(began.elapsed() < PATIENCE, "it does not leave");
            std::thread::sleep(Duration::from_millis(5));
        };
        // Its last output may not have arrived yet.
        self.reader.join().unwrap();
        let screen = self.screen.lock().unwrap();
        assert!(
            !screen.screen().alternate_screen(),
            "the old screen is back"
        );
        assert!(!screen.screen().hide_cursor(), "the cursor is back");
        (status.exit_code(), screen.screen().contents())
    }
}

#[test]
fn a_game_is_played_saved_and_watched_again() {
    let folder = tempdir().unwrap();
    let mut session = Session::begin(folder.path(), &["play", "--seed", "5"]);
    session.wait_for("guideline · seed 5 · game 1");
    session.press("\x1b[D ");
    session.wait_for("pieces       1");
    session.press("h");
    session.wait_for("bcts would");
    session.press("b");
    session.wait_for("bcts plays");
    session.wait_for("pieces      12");
    session.press("p");
    session.wait_for("PAUSED");
    session.press("w");
    session.wait_for("saved: tetrolab watch --record game-1.jsonl");
    session.press("v");
    session.wait_for("saved: tetrolab-1.svg");
    session.press("?");
    session.wait_for("Any key goes back.");
    session.press("x");
    session.press("q");
    let (code, text) = session.leave();
    assert_eq!(code, 0);
    assert!(text.contains("you and bcts: "), "{text}");
    assert!(
        text.contains("again: tetrolab play --ruleset guideline --bot bcts --seed 5"),
        "{text}"
    );
    assert!(folder.path().join("tetrolab-1.svg").exists());
    let replayed = stdout(folder.path(), &["replay", "game-1.jsonl"]);
    assert!(replayed.contains("still playing"), "{replayed}");

    let args = [
        "watch",
        "dellacherie",
        "--record",
        "game-1.jsonl",
        "--at",
        "6",
    ];
    let mut session = Session::begin(folder.path(), &args);
    session.wait_for("a game of you and bcts");
    session.wait_for("6/");
    session.wait_for("was played");
    session.press("\x1b[C");
    session.wait_for("7/");
    session.press("q");
    assert_eq!(session.leave().0, 0);
}

#[test]
fn control_c_and_signals_give_the_terminal_back() {
    let folder = tempdir().unwrap();
    let mut session = Session::begin(folder.path(), &["watch", "bcts", "--speed", "full"]);
    session.wait_for("speed full");
    session.press("\x03");
    assert_eq!(session.leave().0, 130);
    #[cfg(unix)]
    {
        let session = Session::begin(folder.path(), &["watch", "bcts", "dt-20"]);
        session.wait_for("dt-20 thinks");
        let id = session.child.process_id().unwrap();
        let kill = format!("kill -TERM {id}");
        let mut shell = std::process::Command::new("sh");
        assert!(shell.args(["-c", &kill]).status().unwrap().success());
        assert_eq!(session.leave().0, 130);
    }
}

#[cfg(unix)]
#[test]
fn a_terminal_that_goes_away_ends_the_program_without_a_panic() {
    let folder = tempdir().unwrap();
    let session = Session::begin(folder.path(), &["watch", "bcts"]);
    session.wait_for("bcts thinks");
    assert_eq!(session.close(), 130);
    // Also a terminal that never answers and is closed before anything is shown.
    for args in [&["play"][..], &["watch", "bcts"]] {
        let session = Session::begin(folder.path(), args);
        session.wait_for_screen(true);
        assert_eq!(session.close(), 130);
    }
}

#[cfg(unix)]
#[test]
fn a_program_that_ignores_hang_ups_ends_with_its_terminal_too() {
    let folder = tempdir().unwrap();
    let mut command = CommandBuilder::new("sh");
    let program = env!("CARGO_BIN_EXE_tetrolab");
    command.args(["-c", &format!("trap '' HUP; exec {program} watch bcts")]);
    let session = Session::run(folder.path(), command);
    session.wait_for("bcts thinks");
    assert_eq!(session.close(), 130);
}

#[test]
fn unfinished_escape_sequences_neither_freeze_the_screen_nor_swallow_keys() {
    let folder = tempdir().unwrap();
    for start in [&b"\x1b["[..], b"\xf0", b"\x1b[200~", b"\x1b[200"] {
        let mut session = Session::begin(folder.path(), &["watch", "bcts"]);
        session.wait_for("bcts thinks");
        session.keys.write_all(start).unwrap();
        session.keys.flush().unwrap();
        // The game continues.
        let lines = |text: &str| {
            text.lines()
                .find(|line| line.contains("pieces"))
                .map(str::to_owned)
        };
        let before = lines(&session.text());
        let began = Instant::now();
        while lines(&session.text()) == before {
            assert!(began.elapsed() < PATIENCE, "{start:?} freezes the screen");
            std::thread::sleep(Duration::from_millis(5));
        }
        session.keys.write_all(start).unwrap();
        session.press("\x03");
        assert_eq!(session.leave().0, 130, "{start:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_shell_suspends_and_continues_the_program() {
    let folder = tempdir().unwrap();
    let mut command = CommandBuilder::new("sh");
    command.arg("-i");
    command.env("PS1", "ready> ");
    command.env("ENV", "/dev/null");
    let mut session = Session::run(folder.path(), command);
    session.wait_for("ready>");
    let program = env!("CARGO_BIN_EXE_tetrolab");
    session.press(&format!("{program} watch bcts\n"));
    session.wait_for("bcts thinks");
    // Ctrl-Z, and the signal from outside.
    let mut stops = 0;
    for signal in ["\x1a", "TSTP"] {
        match signal {
            "\x1a" => session.press(signal),
            _ => {
                let shell = session.child.process_id().unwrap();
                let children = format!("/proc/{shell}/task/{shell}/children");
                let Ok(children) = std::fs::read_to_string(children) else {
                    continue;
                };
                let kill = format!("kill -TSTP {children}");
                let mut kills = std::process::Command::new("sh");
                assert!(kills.args(["-c", &kill]).status().unwrap().success());
            }
        }
        session.wait_for_screen(false);
        // Keys typed before the shell reports the stop still go to the program.
        stops += 1;
        let began = Instant::now();
        while session.text().matches("Stopped").count() < stops {
            assert!(began.elapsed() < PATIENCE, "{}", session.text());
            std::thread::sleep(Duration::from_millis(5));
        }
        session.press("fg\n");
        session.wait_for_screen(true);
        session.wait_for("bcts thinks");
    }
    // A single key arrives without a line end: raw mode is back.
    session.press("q");
    session.wait_for_screen(false);
    // Keys typed before the prompt is back still go to the program.
    let is_back = |text: &str| {
        let end = text.rsplit_once("again: tetrolab watch bcts");
        end.is_some_and(|(_, rest)| rest.contains("ready>"))
    };
    let began = Instant::now();
    while !is_back(&session.text()) {
        assert!(began.elapsed() < PATIENCE, "{}", session.text());
        std::thread::sleep(Duration::from_millis(5));
    }
    session.press("exit\n");
    assert_eq!(session.leave().0, 0);
}

#[test]
fn an_edited_board_begins_a_game_and_the_previous_one_is_reported_at_the_end() {
    let folder = tempdir().unwrap();
    let mut session = Session::begin(folder.path(), &["watch", "bcts", "--speed", "1000"]);
    session.wait_for("per s");
    session.press("pe\r");
    let text = session.wait_for("a new game from this board");
    assert!(
        text.contains("time      0:00") && !text.contains("per s"),
        "{text}"
    );
    session.press("q");
    let (code, text) = session.leave();
    assert_eq!(code, 0);
    assert!(
        text.contains("pieces before the board was edited"),
        "{text}"
    );
    assert!(text.contains("bcts: 0 lines, 0 pieces"), "{text}");
}

#[test]
fn without_a_terminal_it_fails_or_records() {
    let folder = tempdir().unwrap();
    for args in [
        &["play"][..],
        &["watch", "bcts"],
        &["watch", "bcts", "--pieces", "5"],
    ] {
        let said = sentence(folder.path(), args);
        assert!(
            said.starts_with("there is no terminal to show a game in"),
            "{said}"
        );
    }
    let args = [
        "watch", "bcts", "--pieces", "5", "--gif", "a.gif", "--cast", "a.cast", "--svg", "a.svg",
    ];
    let said = stdout(folder.path(), &args);
    let expected = "bcts: 0 lines, 5 pieces\nagain: tetrolab watch bcts --ruleset simplified-10x20 --seed 1 --pieces 5\n";
    assert_eq!(said, expected);
    let bytes = |name| std::fs::read(folder.path().join(name)).unwrap();
    assert!(bytes("a.gif").starts_with(b"GIF89a"));
    assert!(bytes("a.cast").starts_with(b"{\"version\":2"));
    assert!(bytes("a.svg").starts_with(b"<svg"));
    let first = (bytes("a.gif"), bytes("a.cast"), bytes("a.svg"));
    stdout(folder.path(), &args);
    let second = (bytes("a.gif"), bytes("a.cast"), bytes("a.svg"));
    assert!(first == second, "the same command films the same");
}

#[test]
fn films_of_records_and_of_games_that_end_early_have_an_end() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let eval = [
        "eval",
        "bcts",
        "--games",
        "1",
        "--max-pieces",
        "40",
        "--record",
        "g.jsonl",
    ];
    stdout(path, &eval);
    let record = ["watch", "dt-20", "--record", "g.jsonl", "--at", "30"];
    let film = ["--pieces", "50", "--speed", "16", "--svg", "a.svg"];
    let said = stdout(path, &[&record[..], &film].concat());
    assert!(said.starts_with("bcts: "), "{said}");
    assert!(said.contains(", 40 pieces"), "{said}");
    let two = ["watch", "random", "bcts", "--ruleset", "simplified-10x10"];
    let said = stdout(path, &[&two[..], &film].concat());
    assert!(said.contains("\nbcts: 19 lines, 50 pieces"), "{said}");
}

#[test]
fn invalid_requests_are_refused_before_the_screen_changes() {
    let folder = tempdir().unwrap();
    std::fs::write(folder.path().join("bad.toml"), "palette = 'red'").unwrap();
    std::fs::write(folder.path().join("bad.jsonl"), "{}").unwrap();
    for (args, said) in [
        (&["watch", "nobody"][..], "there is no player 'nobody'"),
        (
            &["watch", "two-piece(bcts)"],
            "two-piece(bcts) needs preview=1",
        ),
        (
            &["watch", "bcts", "--settings", "bad.toml"],
            "bad.toml: palette must be one of",
        ),
        (&["watch", "bcts", "--settings", "none.toml"], "none.toml: "),
        (
            &["watch", "bcts", "--record", "bad.jsonl"],
            "bad.jsonl, line 1: ",
        ),
        (
            &["watch", "bcts", "--speed", "0"],
            "invalid value '0' for '--speed <FACTOR>'",
        ),
        (&["watch", "a", "b", "c"], ""),
        (&["watch", "bcts", "--adversary", "nobody"], "--adversary: "),
        #[cfg(unix)]
        (
            &["watch", "bcts", "--pieces", "1", "--gif", "/dev/null"],
            "not a regular file, so it cannot be replaced",
        ),
        (
            &["play", "--versus", "nobody"],
            "there is no player 'nobody'",
        ),
        (
            &["watch", "bcts", "--ruleset", "nes", "--danger"],
            "--danger works in placement games only, and nes is a stepped game",
        ),
        (
            &["play", "--ruleset", "nes", "--level", "30"],
            "--level: nes needs a first level from 0 to 29, got 30",
        ),
        (
            &["play", "--versus", "bcts", "--versus-speed", "0"],
            "expected a number from 0.01 to 1000",
        ),
    ] {
        let sentence = sentence(folder.path(), args);
        assert!(sentence.contains(said), "{args:?}: {sentence}");
    }
}

#[test]
fn the_settings_that_are_printed_are_settings() {
    let folder = tempdir().unwrap();
    let settings = stdout(folder.path(), &["play", "--print-settings"]);
    std::fs::create_dir(folder.path().join("tetrolab")).unwrap();
    let changed = settings.replace("quit = [\"q\"]", "quit = [\"k\"]");
    assert_ne!(changed, settings);
    std::fs::write(folder.path().join("tetrolab/settings.toml"), changed).unwrap();
    let mut session = Session::begin(folder.path(), &["play", "--ruleset", "nes"]);
    session.wait_for("k quit");
    session.press("k");
    assert_eq!(session.leave().0, 0);
}

//! `play` and `watch` in a real terminal: a pseudo-terminal, whose screen a terminal emulator reads.

use crate::{sentence, stdout};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// For how long a test waits for something to be shown: machines may be slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program in a terminal of 80 columns and 24 rows.
struct Session {
    screen: Arc<Mutex<vt100::Parser>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn portable_pty::Child + Send + Sync>,
    terminal: Box<dyn portable_pty::MasterPty + Send>,
    /// Whether nobody reads the screen any more.
    is_closed: Arc<AtomicBool>,
}

impl Session {
    fn begin(folder: &Path, args: &[&str]) -> Session {
        let size = PtySize {
            rows: 24,
            cols: 80,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_tetrolab"));
        command.args(args);
        command.cwd(folder);
        command.env("TERM", "xterm-256color");
        command.env("XDG_CONFIG_HOME", folder);
        let child = pair.slave.spawn_command(command).unwrap();
        let [rows, columns] = [24, 80].map(|size| NonZero::new(size).unwrap());
        let screen = Arc::new(Mutex::new(vt100::Parser::new(rows, columns, 0)));
        let (mut output, shown) = (pair.master.try_clone_reader().unwrap(), Arc::clone(&screen));
        let is_closed = Arc::new(AtomicBool::new(false));
        let closed = Arc::clone(&is_closed);
        std::thread::spawn(move || {
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
            terminal: pair.master,
            is_closed,
        }
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// Waits until something is shown.
    fn wait_for(&self, wanted: &str) -> String {
        let began = Instant::now();
        loop {
            let text = self.text();
            if text.contains(wanted) {
                return text;
            }
            assert!(began.elapsed() < PATIENCE, "no '{wanted}' in\n{text}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until the program has left; its exit code, and whether the screen is the one from before, with a cursor.
    fn leave(mut self) -> (u32, String) {
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(began.elapsed() < PATIENCE, "it does not leave");
            std::thread::sleep(Duration::from_millis(20));
        };
        // What it wrote last may still be on its way.
        std::thread::sleep(Duration::from_millis(300));
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
    session.wait_for("pieces     1");
    session.press("h");
    session.wait_for("bcts would");
    session.press("b");
    session.wait_for("bcts plays");
    session.wait_for("pieces    12");
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
    let text = session.wait_for("a game of you and bcts");
    assert!(text.contains("6/"), "{text}");
    assert!(text.contains("was played"), "{text}");
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

#[test]
fn a_terminal_that_goes_away_ends_the_program() {
    let folder = tempdir().unwrap();
    let session = Session::begin(folder.path(), &["watch", "bcts"]);
    session.wait_for("bcts thinks");
    let Session {
        mut child,
        keys,
        terminal,
        is_closed,
        ..
    } = session;
    is_closed.store(true, Ordering::Relaxed);
    drop((keys, terminal));
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < PATIENCE, "it goes on without a terminal");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn without_a_terminal_it_says_so_or_films() {
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
fn what_cannot_be_shown_is_refused_before_the_screen_is_touched() {
    let folder = tempdir().unwrap();
    std::fs::write(folder.path().join("bad.toml"), "palette = 'red'").unwrap();
    std::fs::write(folder.path().join("bad.jsonl"), "{}").unwrap();
    for (args, said) in [
        (&["watch", "nobody"][..], "there is no player 'nobody'"),
        (
            &["watch", "two-piece(bcts)"],
            "two-piece(bcts) must see 1 next piece(s)",
        ),
        (
            &["watch", "bcts", "--settings", "bad.toml"],
            "bad.toml: palette is one of",
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
            "is not a file that can be replaced",
        ),
        (
            &["play", "--versus", "nobody"],
            "there is no player 'nobody'",
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

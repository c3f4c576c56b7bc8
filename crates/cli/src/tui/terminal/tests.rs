use super::*;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use std::io::Read;

/// Takes the screen and panics. Only the test below uses it, in a separate terminal.
#[test]
#[ignore = "run by the_terminal_is_given_back_by_a_panic"]
fn panics_on_the_screen() {
    let _screen = Screen::enter().unwrap();
    panic!("in the middle of a game");
}

#[test]
fn the_terminal_is_given_back_by_a_panic() {
    let pair = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    let test = "tui::terminal::tests::panics_on_the_screen";
    command.args(["--exact", test, "--ignored", "--nocapture"]);
    command.env("TERM", "xterm-256color");
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut output = pair.master.try_clone_reader().unwrap();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // On Linux, the end of a terminal is an error.
        let _ = output.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    child.wait().unwrap();
    drop(pair.master);
    let text = reader.join().unwrap();
    let place = |wanted: &str| text.find(wanted).unwrap_or_else(|| panic!("{text:?}"));
    let (entered, left) = (place("\x1b[?1049h"), place("\x1b[?1049l"));
    let told = place("in the middle of a game");
    assert!(entered < left && left < told, "{text:?}");
    assert!(text.contains("\x1b[?25h"), "the cursor is back: {text:?}");
}

use super::super::colours::{BACKGROUND, Rgb};
use super::*;
use ::gif::{ColorOutput, DecodeOptions, DisposalMethod};
use ratatui::style::{Color, Style};
use std::fs::{self, File};
use tempfile::TempDir;

/// A frame as read back: position, size, duration and pixels.
struct Read {
    place: (u16, u16),
    size: (u16, u16),
    delay: u16,
    pixels: Vec<Option<Rgb>>,
}

/// A GIF as read back.
struct Picture {
    width: usize,
    frames: Vec<Read>,
}

impl Picture {
    fn of(path: &Path) -> Picture {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let mut decoder = options.read_info(File::open(path).unwrap()).unwrap();
        assert_eq!(decoder.repeat(), Repeat::Infinite);
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            assert_eq!(frame.dispose, DisposalMethod::Keep);
            let pixels = frame.buffer.chunks_exact(4);
            let pixels = pixels.map(|p| (p[3] > 0).then_some(Rgb(p[0], p[1], p[2])));
            frames.push(Read {
                place: (frame.left, frame.top),
                size: (frame.width, frame.height),
                delay: frame.delay,
                pixels: pixels.collect(),
            });
        }
        let width = usize::from(decoder.width());
        Picture { width, frames }
    }

    fn delays(&self) -> Vec<u16> {
        self.frames.iter().map(|frame| frame.delay).collect()
    }

    /// The picture after this many frames.
    fn seen_after(&self, frames: usize) -> Vec<Rgb> {
        let first = self.frames[0].pixels.iter();
        let mut seen: Vec<Rgb> = first.map(|pixel| pixel.expect("is opaque")).collect();
        for frame in &self.frames[1..frames] {
            for (index, pixel) in frame.pixels.iter().enumerate() {
                let across = index % usize::from(frame.size.0) + usize::from(frame.place.0);
                let down = index / usize::from(frame.size.0) + usize::from(frame.place.1);
                seen[down * self.width + across] =
                    pixel.unwrap_or(seen[down * self.width + across]);
            }
        }
        seen
    }
}

/// The expected pixels of a screen.
fn expected(screen: &Buffer) -> Vec<Rgb> {
    let mut canvas = Canvas::new(screen.area.width, screen.area.height);
    canvas.draw(screen);
    let palette = canvas.palette.bytes();
    let colour = |&place: &u8| {
        let start = 3 * usize::from(place);
        Rgb(palette[start], palette[start + 1], palette[start + 2])
    };
    canvas.pixels.iter().map(colour).collect()
}

fn new_gif(folder: &TempDir, width: u16, height: u16) -> (GifFile, PathBuf) {
    let path = folder.path().join("x.gif");
    (GifFile::create(&path, width, height).unwrap(), path)
}

fn screen(text: &str) -> Buffer {
    Buffer::with_lines([text])
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[test]
fn screens_are_seen_at_their_times() {
    let folder = tempfile::tempdir().unwrap();
    let (mut gif, path) = new_gif(&folder, 5, 1);
    let mut coloured = screen("Hi ██");
    coloured.set_string(3, 0, "▀█", Style::new().fg(Color::Yellow).bg(Color::Blue));
    let screens = [screen("Hello"), coloured, screen("▲╭╮░é")];
    for (screen, at) in screens.iter().zip([0, 500, 1234]) {
        gif.add(screen, ms(at)).unwrap();
    }
    gif.finish(ms(2000)).unwrap();
    let picture = Picture::of(&path);
    assert_eq!(picture.delays(), [50, 73, 77]);
    for (number, screen) in screens.iter().enumerate() {
        assert!(picture.seen_after(number + 1) == expected(screen));
    }
}

#[test]
fn a_cell_has_the_colours_of_its_block() {
    let folder = tempfile::tempdir().unwrap();
    let (mut gif, path) = new_gif(&folder, 1, 1);
    let mut half = screen("▀");
    half.set_string(
        0,
        0,
        "▀",
        Style::new().fg(Color::Rgb(9, 8, 7)).bg(Color::White),
    );
    gif.add(&half, ms(0)).unwrap();
    gif.finish(ms(100)).unwrap();
    let seen = Picture::of(&path).seen_after(1);
    let at = |across: usize, down: usize| seen[down * 24 + across];
    assert_eq!(seen.len(), 24 * 32);
    assert_eq!(
        (at(0, 0), at(7, 8), at(16, 8)),
        (BACKGROUND, BACKGROUND, BACKGROUND)
    );
    assert_eq!((at(8, 8), at(15, 15)), (Rgb(9, 8, 7), Rgb(9, 8, 7)));
    assert_eq!(
        (at(8, 16), at(15, 23)),
        (Rgb(255, 255, 255), Rgb(255, 255, 255))
    );
}

#[test]
fn only_changes_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let (mut gif, path) = new_gif(&folder, 10, 2);
    let mut board = Buffer::with_lines(["          ", "          "]);
    gif.add(&board, ms(0)).unwrap();
    board.set_string(3, 1, "██", Style::new());
    gif.add(&board, ms(100)).unwrap();
    gif.finish(ms(200)).unwrap();
    let picture = Picture::of(&path);
    assert_eq!(picture.frames[0].size, (96, 48));
    assert_eq!(picture.frames[1].place, (8 + 24, 8 + 16));
    assert_eq!(picture.frames[1].size, (16, 16));
}

#[test]
fn equal_screens_add_nothing_but_time() {
    let folder = tempfile::tempdir().unwrap();
    let (mut gif, path) = new_gif(&folder, 2, 1);
    for at in [0, 200, 400] {
        gif.add(&screen("ab"), ms(at)).unwrap();
    }
    gif.finish(ms(1000)).unwrap();
    assert_eq!(Picture::of(&path).delays(), [100]);
}

#[test]
fn of_screens_too_close_together_the_later_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let (mut gif, path) = new_gif(&folder, 1, 1);
    for (text, at) in [("a", 0), ("b", 100), ("c", 110), ("d", 200), ("c", 205)] {
        gif.add(&screen(text), ms(at)).unwrap();
    }
    gif.finish(ms(201)).unwrap();
    let picture = Picture::of(&path);
    // The last frame has the minimum duration and changes nothing.
    assert_eq!(picture.delays(), [10, 10, 2]);
    assert_eq!(picture.frames[2].size, (1, 1));
    assert!(picture.seen_after(2) == expected(&screen("c")));
    assert!(picture.seen_after(3) == expected(&screen("c")));
}

#[test]
fn a_screen_can_be_seen_for_very_long() {
    let folder = tempfile::tempdir().unwrap();
    let (mut gif, path) = new_gif(&folder, 1, 1);
    gif.add(&screen("a"), ms(0)).unwrap();
    gif.add(&screen("b"), Duration::from_secs(1500)).unwrap();
    gif.finish(Duration::from_secs(1501)).unwrap();
    assert_eq!(Picture::of(&path).delays(), [60_000, 60_000, 30_000, 100]);
}

#[test]
fn even_the_longest_recording_ends() {
    let folder = tempfile::tempdir().unwrap();
    let (gif, path) = new_gif(&folder, 1, 1);
    gif.finish(Duration::MAX).unwrap();
    let delays = Picture::of(&path).delays();
    assert_eq!(delays.into_iter().map(u64::from).sum::<u64>(), LAST);
}

#[test]
fn recordings_that_are_too_long_are_truncated() {
    let folder = tempfile::tempdir().unwrap();
    let (mut gif, path) = new_gif(&folder, 1, 1);
    gif.limit = 2;
    for (text, at) in [("a", 0), ("b", 100), ("b", 150)] {
        gif.add(&screen(text), ms(at)).unwrap();
        assert!(!gif.is_cut_off());
    }
    for (text, at) in [("c", 200), ("d", 300)] {
        gif.add(&screen(text), ms(at)).unwrap();
        assert!(gif.is_cut_off());
    }
    gif.finish(ms(9000)).unwrap();
    let picture = Picture::of(&path);
    assert_eq!(picture.delays(), [10, 10]);
    assert!(picture.seen_after(2) == expected(&screen("b")));
}

#[test]
fn a_gif_without_screens_is_an_empty_one() {
    let folder = tempfile::tempdir().unwrap();
    let (gif, path) = new_gif(&folder, 1, 1);
    gif.finish(ms(100)).unwrap();
    let picture = Picture::of(&path);
    assert!(
        picture
            .seen_after(1)
            .iter()
            .all(|&pixel| pixel == BACKGROUND)
    );
}

#[test]
fn screens_of_another_size_are_cut_or_filled_up() {
    let folder = tempfile::tempdir().unwrap();
    let (mut gif, path) = new_gif(&folder, 3, 1);
    gif.add(&Buffer::with_lines(["abcdef", "second"]), ms(0))
        .unwrap();
    gif.add(&screen("a"), ms(100)).unwrap();
    gif.finish(ms(200)).unwrap();
    let picture = Picture::of(&path);
    assert!(picture.seen_after(1) == expected(&screen("abc")));
    assert!(picture.seen_after(2) == expected(&screen("a  ")));
}

#[test]
fn a_gif_appears_only_when_it_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let (mut gif, path) = new_gif(&folder, 1, 1);
    gif.add(&screen("a"), ms(0)).unwrap();
    assert!(!path.exists());
    drop(gif);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn errors_are_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let problem = |name: &str, width| {
        let made = GifFile::create(&folder.path().join(name), width, 9);
        format!("{:#}", made.err().expect("cannot be made"))
    };
    assert!(problem("none/x.gif", 9).ends_with("x.gif: there is no such folder"));
    assert!(problem("x.gif", 9000).ends_with("x.gif: the screen is too large for a GIF"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

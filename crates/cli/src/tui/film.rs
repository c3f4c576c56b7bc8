//! Records the screen.

use super::app::App;
use super::capture::{CastFile, GifFile, save_svg};
use super::draw::screen;
use ratatui::buffer::Buffer;
use std::path::PathBuf;
use std::time::Duration;
use tetrolab::session::Speed;

/// Frames per second of a recording made without a terminal.
const FRAMES: u32 = 30;

/// Where recordings and pictures are saved.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct FilmFlags {
    /// Record an animated GIF.
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Record the terminal as an asciicast file (for asciinema and others).
    #[arg(long, value_name = "FILE")]
    cast: Option<PathBuf>,
    /// Save the last screen as a picture.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The size of the screen in a recording made without a terminal.
    #[arg(long, value_name = "COLUMNSxROWS", default_value = "80x24", value_parser = parse_size)]
    size: (u16, u16),
}

/// Parses a size such as 80x24.
fn parse_size(text: &str) -> Result<(u16, u16), String> {
    let wrong = || "expected columns and rows from 1 to 400, such as 80x24".to_owned();
    let (columns, rows) = text.split_once('x').ok_or_else(wrong)?;
    let number = |text: &str| {
        let number = text.parse().ok();
        number.filter(|number| (1..=400).contains(number))
    };
    number(columns).zip(number(rows)).ok_or_else(wrong)
}

impl FilmFlags {
    /// Whether anything is recorded.
    pub(crate) fn is_wanted(&self) -> bool {
        self.gif.is_some() || self.cast.is_some() || self.svg.is_some()
    }

    /// Begins the files.
    pub(crate) fn begin(&self, width: u16, height: u16, title: &str) -> anyhow::Result<Film> {
        let gif = self.gif.as_deref();
        let gif = gif.map(|path| GifFile::create(path, width, height));
        let cast = self.cast.as_deref();
        let cast = cast.map(|path| CastFile::create(path, width, height, title));
        Ok(Film {
            gif: gif.transpose()?,
            cast: cast.transpose()?,
            svg: self.svg.clone(),
            title: title.to_owned(),
            last: None,
        })
    }

    /// Runs the program on a virtual screen until it ends.
    pub(crate) fn film(&self, app: &mut App, title: &str) -> anyhow::Result<()> {
        let (width, height) = self.size;
        let mut film = self.begin(width, height, title)?;
        let frame = Duration::from_secs(1) / FRAMES;
        let mut at = Duration::ZERO;
        let stop = crate::interrupt::token();
        app.begin_film();
        loop {
            // At full speed a frame covers a thousand pieces, on every machine.
            let most = match app.games.speed() {
                Speed::Full => 1000,
                Speed::Doubled(_) => usize::MAX,
            };
            let mut leaps = 0;
            let deadline = crate::interrupt::deadline();
            app.advance(frame, &mut || {
                leaps += 1;
                leaps >= most
            });
            drop(deadline);
            at += frame;
            film.add(screen(app, width, height), at)?;
            if app.games.has_all_pieces() || app.games.is_over() || stop.is_cancelled() {
                return film.finish(at + Duration::from_secs(1));
            }
        }
    }
}

/// The files of a recording.
pub(crate) struct Film {
    gif: Option<GifFile>,
    cast: Option<CastFile>,
    svg: Option<PathBuf>,
    title: String,
    last: Option<Buffer>,
}

impl Film {
    /// Whether anything is recorded.
    pub(crate) fn is_wanted(&self) -> bool {
        self.gif.is_some() || self.cast.is_some() || self.svg.is_some()
    }

    /// Adds the screen at this time.
    pub(crate) fn add(&mut self, screen: Buffer, at: Duration) -> anyhow::Result<()> {
        if let Some(gif) = &mut self.gif {
            gif.add(&screen, at)?;
        }
        if let Some(cast) = &mut self.cast {
            cast.add(&screen, at)?;
        }
        self.last = Some(screen);
        Ok(())
    }

    /// Gives the files their names.
    pub(crate) fn finish(self, at: Duration) -> anyhow::Result<()> {
        if let Some(gif) = self.gif {
            gif.finish(at)?;
        }
        if let Some(cast) = self.cast {
            cast.finish(at)?;
        }
        match (self.svg, self.last) {
            (Some(path), Some(screen)) => save_svg(&path, &screen, &self.title),
            _ => Ok(()),
        }
    }
}

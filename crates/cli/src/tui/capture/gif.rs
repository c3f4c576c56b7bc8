//! Recordings of the screen as an animated GIF.

use super::canvas::{Canvas, Patch};
use super::palette::UNCHANGED;
use super::part_file::{PartFile, cannot_write};
use ::gif::{Encoder, EncodingError, Frame, Repeat};
use anyhow::{Result, anyhow};
use ratatui::buffer::Buffer;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The maximum number of frames; later ones are omitted.
const MAX_FRAMES: usize = 3_000;
/// The minimum duration of a frame in hundredths of a second: viewers show shorter frames far too
/// long.
const SHORTEST: u64 = 2;
/// The maximum duration of a frame in hundredths of a second; a longer one is followed by a frame
/// without changes.
const HOLD: u16 = 60_000;
/// The maximum time in hundredths of a second: a day.
const LAST: u64 = 24 * 60 * 60 * 100;
/// The position of the palette in the file: after the signature and the size.
const PALETTE: u64 = 13;

/// An animated GIF in progress. It repeats for ever, and gets its name only when it is finished.
pub(crate) struct GifFile {
    path: PathBuf,
    encoder: Encoder<PartFile>,
    /// The latest screen. It is written once its duration is known.
    canvas: Canvas,
    /// When the latest screen appeared, in hundredths of a second.
    since: u64,
    /// The pixels after the last written frame.
    written: Vec<u8>,
    /// Number of frames including the latest, and the maximum.
    frames: usize,
    limit: usize,
    /// The time of the first screen that did not fit.
    cut_off_at: Option<u64>,
}

impl GifFile {
    /// Begins a file for screens of this size.
    pub(crate) fn create(path: &Path, width: u16, height: u16) -> Result<GifFile> {
        let canvas = Canvas::new(width, height);
        let side = |length: usize| {
            let problem = || anyhow!("{}: the screen is too large for a GIF", path.display());
            u16::try_from(length).map_err(|_| problem())
        };
        let (width, height) = (side(canvas.width())?, side(canvas.height())?);
        // The palette is only known at the end; this is its position.
        let palette = canvas.palette.bytes();
        let out = PartFile::create(path)?;
        let encoder = Encoder::new(out, width, height, &palette).and_then(|mut encoder| {
            encoder.set_repeat(Repeat::Infinite)?;
            Ok(encoder)
        });
        Ok(GifFile {
            path: path.to_owned(),
            encoder: encoder.map_err(|error| cannot_write(path, &error))?,
            canvas,
            since: 0,
            written: Vec::new(),
            frames: 0,
            limit: MAX_FRAMES,
            cut_off_at: None,
        })
    }

    /// Adds a screen that was visible from this time on. The first screen is shown from the start;
    /// one that follows too soon replaces its predecessor. Does nothing once the GIF is full.
    pub(crate) fn add(&mut self, screen: &Buffer, at: Duration) -> Result<()> {
        if self.is_cut_off() {
            return Ok(());
        }
        if self.frames == 0 {
            self.frames = 1;
            self.canvas.draw(screen);
            return Ok(());
        }
        let at = hundredths(at).max(self.since);
        let before = self.canvas.pixels.clone();
        self.canvas.draw(screen);
        if self.canvas.pixels == before || at - self.since < SHORTEST {
            return Ok(());
        }
        if self.frames == self.limit {
            self.canvas.pixels = before;
            self.cut_off_at = Some(at);
            return Ok(());
        }
        let after = std::mem::replace(&mut self.canvas.pixels, before);
        self.write_until(at)?;
        self.canvas.pixels = after;
        self.frames += 1;
        Ok(())
    }

    /// Whether some screens did not fit; the animation then ends at the first of them.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.cut_off_at.is_some()
    }

    /// Shows the last screen until this time of the recording, then gives the file its name.
    pub(crate) fn finish(mut self, at: Duration) -> Result<()> {
        let end = self.cut_off_at.unwrap_or(hundredths(at));
        self.write_until(end.max(self.since + SHORTEST))?;
        let GifFile {
            path,
            encoder,
            canvas,
            ..
        } = self;
        let out = with_palette(encoder, &canvas.palette.bytes());
        out.map_err(|error| cannot_write(&path, &error))?.finish()
    }

    /// Writes the latest screen, which was visible until this time.
    fn write_until(&mut self, end: u64) -> Result<()> {
        let written = self.write_frames(end - self.since);
        written.map_err(|error| cannot_write(&self.path, &error))?;
        self.since = end;
        Ok(())
    }

    /// Writes a frame with the changes, plus empty frames if it was visible for very long.
    fn write_frames(&mut self, mut delay: u64) -> Result<(), EncodingError> {
        loop {
            let shown = u16::try_from(delay).unwrap_or(HOLD);
            let mut frame = self.new_frame();
            frame.delay = shown;
            self.encoder.write_frame(&frame)?;
            self.written.clone_from(&self.canvas.pixels);
            delay -= u64::from(shown);
            if delay == 0 {
                return Ok(());
            }
        }
    }

    fn new_frame(&self) -> Frame<'static> {
        let (width, height) = (self.canvas.width(), self.canvas.height());
        if self.written.is_empty() {
            let whole = Patch::sized(width, height);
            return frame(whole, self.canvas.pixels.clone(), None);
        }
        let patch = Patch::between(&self.written, &self.canvas.pixels, width);
        // There may be no changes, but a frame has at least one pixel.
        let patch = patch.unwrap_or(Patch::sized(1, 1));
        let changes = patch.changes(&self.written, &self.canvas.pixels, width);
        frame(patch, changes, Some(UNCHANGED))
    }
}

fn frame(patch: Patch, pixels: Vec<u8>, transparent: Option<u8>) -> Frame<'static> {
    let short = |length| u16::try_from(length).expect("a GIF is not larger");
    Frame {
        left: short(patch.left),
        top: short(patch.top),
        width: short(patch.width),
        height: short(patch.height),
        transparent,
        buffer: pixels.into(),
        ..Frame::default()
    }
}

/// Ends the animation and writes the palette to its position.
fn with_palette(encoder: Encoder<PartFile>, palette: &[u8]) -> Result<PartFile, EncodingError> {
    let mut out = encoder.into_inner()?;
    out.seek(SeekFrom::Start(PALETTE))?;
    out.write_all(palette)?;
    Ok(out)
}

/// A time in hundredths of a second, to the nearest one.
fn hundredths(time: Duration) -> u64 {
    u64::try_from((time.as_millis() + 5) / 10).map_or(LAST, |time| time.min(LAST))
}

#[cfg(test)]
mod tests;

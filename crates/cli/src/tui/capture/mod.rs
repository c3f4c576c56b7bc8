//! Saves screens: one as a picture ([`save_svg`]), or many as an animation ([`GifFile`]) or a
//! recording of the terminal ([`CastFile`]).
//!
//! Both kinds of picture have cells of [`CELL_WIDTH`] by [`CELL_HEIGHT`] units and the same lines
//! and blocks in them. Files get their names only when they are complete (see [`part_file`]).

mod boxes;
mod canvas;
mod cast;
mod colours;
mod gif;
mod glyphs;
mod look;
mod palette;
mod part_file;
mod rects;
mod shapes;
mod svg;

pub(crate) use cast::CastFile;
pub(crate) use gif::GifFile;
pub(crate) use svg::save_svg;

/// The width of a cell, in pixels of a GIF and in units of an SVG picture.
const CELL_WIDTH: u16 = 8;
/// The height of a cell.
const CELL_HEIGHT: u16 = 16;
/// Margin around the screen.
const MARGIN: u16 = 8;

//! The colours of a GIF: at most 256 in the whole file.

use super::colours::Rgb;
use std::collections::HashMap;

/// The palette index of transparent pixels.
pub(super) const UNCHANGED: u8 = 0;

/// Number of entries for arbitrary colours; the rest is reserved for the colours of large areas.
const ROOM: usize = 192;
/// Number of entries.
const ALL_ROOM: usize = 256;

/// Colours in the order of their first use; when the palette is full, further colours are mapped to
/// the nearest one.
#[derive(Debug)]
pub(super) struct GifPalette {
    colours: Vec<Rgb>,
    places: HashMap<Rgb, u8>,
    nearest: HashMap<Rgb, u8>,
}

impl GifPalette {
    pub(super) fn new() -> GifPalette {
        GifPalette {
            // The index of the transparent colour.
            colours: vec![Rgb(0, 0, 0)],
            places: HashMap::new(),
            nearest: HashMap::new(),
        }
    }

    /// The index of a colour that fills areas.
    pub(super) fn place(&mut self, colour: Rgb) -> u8 {
        self.place_within(colour, ALL_ROOM)
    }

    /// The index of a colour at the edge of a letter.
    pub(super) fn place_of_blend(&mut self, colour: Rgb) -> u8 {
        self.place_within(colour, ROOM)
    }

    fn place_within(&mut self, colour: Rgb, room: usize) -> u8 {
        if let Some(&place) = self.places.get(&colour) {
            return place;
        }
        if self.colours.len() < room {
            let place = u8::try_from(self.colours.len()).expect("there are 256 places");
            self.colours.push(colour);
            self.places.insert(colour, place);
            return place;
        }
        if let Some(&place) = self.nearest.get(&colour) {
            return place;
        }
        let place = self.nearest_place(colour);
        self.nearest.insert(colour, place);
        place
    }

    fn nearest_place(&self, colour: Rgb) -> u8 {
        let places = (UNCHANGED + 1..=u8::MAX).zip(&self.colours[1..]);
        let nearest = places.min_by_key(|(_, other)| colour.distance(**other));
        nearest.map_or(UNCHANGED, |(place, _)| place)
    }

    /// The colours as stored in the file; unused entries are black.
    pub(super) fn bytes(&self) -> [u8; 3 * ALL_ROOM] {
        let mut bytes = [0; 3 * ALL_ROOM];
        for (place, &Rgb(red, green, blue)) in bytes.chunks_exact_mut(3).zip(&self.colours) {
            place.copy_from_slice(&[red, green, blue]);
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_exact_until_the_palette_is_full_and_then_the_nearest_is_used() {
        let mut palette = GifPalette::new();
        for blue in 0..=u8::MAX {
            let place = palette.place(Rgb(0, 0, blue));
            assert_eq!(place, blue.saturating_add(1));
        }
        let bytes = palette.bytes();
        assert_eq!(bytes[3..6], [0, 0, 0]);
        assert_eq!(bytes[765..], [0, 0, 254]);
        assert_eq!(palette.place(Rgb(0, 3, 40)), 41);
    }

    #[test]
    fn blends_leave_space_for_colours_of_areas() {
        let mut palette = GifPalette::new();
        for red in 0..=u8::MAX {
            palette.place_of_blend(Rgb(red, 0, 0));
        }
        assert_eq!(palette.place(Rgb(9, 9, 9)), 192);
        assert_eq!(palette.place_of_blend(Rgb(255, 0, 0)), 191);
    }
}

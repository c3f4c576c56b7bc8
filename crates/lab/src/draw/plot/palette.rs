//! The colours of series: eight colours that are distinguishable with any kind of colour vision
//! (after Okabe and Ito 2008, but darker where a white background requires it). From the ninth
//! series on, the colours repeat with dashed lines.

use std::collections::BTreeSet;

/// Number of colours in the style sheet.
pub(super) const COLOURS: usize = 8;

/// The classes of the series with this index.
pub(super) fn class(index: usize) -> String {
    let again = if index < COLOURS { "" } else { " again" };
    format!("c{}{again}", index % COLOURS)
}

/// Series by name: a name has the same colour in all plots with the same names, determined by
/// alphabetical order.
pub(super) struct Palette<'a>(Vec<&'a str>);

impl<'a> Palette<'a> {
    /// Colours in the order of the alphabet.
    pub(super) fn new(names: impl Iterator<Item = &'a str>) -> Palette<'a> {
        Palette(names.collect::<BTreeSet<_>>().into_iter().collect())
    }

    /// Colours in the order of the names.
    pub(super) fn in_order(names: impl Iterator<Item = &'a str>) -> Palette<'a> {
        let mut found: Vec<&str> = Vec::new();
        for name in names {
            if !found.contains(&name) {
                found.push(name);
            }
        }
        Palette(found)
    }

    /// The names in the order of their colours.
    pub(super) fn names(&self) -> &[&'a str] {
        &self.0
    }

    /// The index of a name.
    pub(super) fn index(&self, name: &str) -> usize {
        let index = self.0.iter().position(|&own| own == name);
        index.unwrap_or_default()
    }

    /// The classes of a name's lines and dots.
    pub(super) fn class(&self, name: &str) -> String {
        class(self.index(name))
    }
}

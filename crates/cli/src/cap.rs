//! The cap on pieces per game: values of `--max-pieces`.

/// The number of pieces after which games are truncated, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cap(pub(crate) Option<u64>);

/// A cap: a number, or `none`.
pub(crate) fn parse_cap(text: &str) -> Result<Cap, String> {
    if text == "none" {
        return Ok(Cap(None));
    }
    let pieces = text.parse().map(|pieces| Cap(Some(pieces)));
    pieces.map_err(|_| "expected a number of pieces, or none".to_owned())
}

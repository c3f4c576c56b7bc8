//! A constant: the bias of value functions.

use super::Feature;

pub(super) const CONSTANT: Feature = Feature::landing(
    "constant",
    "always 1, independent of the board and the move",
    "Bertsekas and Ioffe 1996; Lagoudakis, Parr and Littman 2002",
    |_| 1.0,
);

#[cfg(test)]
mod tests {
    use super::super::testing::{board, on_board};
    use super::*;

    #[test]
    fn it_is_one() {
        let rows = board(&["....", "....", "....", "#.#."]);
        assert_eq!(on_board(&CONSTANT, &rows), 1.0);
    }
}

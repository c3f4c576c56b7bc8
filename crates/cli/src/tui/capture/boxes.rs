//! The lines of boxes: light, heavy, double and rounded ones.

use super::shapes::{SignPart, rect};

/// The arms that lines have (up, right, down, left), and the characters: light, heavy and double.
const LINES: &[(&str, &str)] = &[
    ("rl", "─━═"),
    ("ud", "│┃║"),
    ("rd", "┌┏╔"),
    ("dl", "┐┓╗"),
    ("ur", "└┗╚"),
    ("ul", "┘┛╝"),
    ("urd", "├┣╠"),
    ("udl", "┤┫╣"),
    ("rdl", "┬┳╦"),
    ("url", "┴┻╩"),
    ("urdl", "┼╋╬"),
    ("l", "╴╸"),
    ("u", "╵╹"),
    ("r", "╶╺"),
    ("d", "╷╻"),
];

/// Which ways lines go from the middle of a cell.
#[derive(Clone, Copy)]
struct Arms {
    up: bool,
    right: bool,
    down: bool,
    left: bool,
}

impl Arms {
    fn from_letters(letters: &str) -> Arms {
        Arms {
            up: letters.contains('u'),
            right: letters.contains('r'),
            down: letters.contains('d'),
            left: letters.contains('l'),
        }
    }
}

/// What a line of a box consists of; nothing if the character is none.
pub(super) fn parts(character: char) -> Vec<SignPart> {
    match character {
        '╭' => corner(true, true),
        '╮' => corner(false, true),
        '╰' => corner(true, false),
        '╯' => corner(false, false),
        '╌' | '┄' | '┈' => vec![rect(1, 8, 2, 1), rect(5, 8, 2, 1)],
        '╎' | '┆' | '┊' => vec![rect(4, 2, 1, 4), rect(4, 10, 1, 4)],
        _ => straight(character),
    }
}

fn straight(character: char) -> Vec<SignPart> {
    for (letters, characters) in LINES {
        let weight = characters.chars().position(|other| other == character);
        if let Some(weight) = weight {
            let arms = Arms::from_letters(letters);
            return match weight {
                0 => single(arms, (4, 8), 1),
                1 => single(arms, (3, 7), 2),
                _ => double(arms),
            };
        }
    }
    Vec::new()
}

/// Lines through the square that begins at (x, y) and is as large as they are thick.
fn single(arms: Arms, (x, y): (u8, u8), thick: u8) -> Vec<SignPart> {
    let all = [
        (arms.up, rect(x, 0, thick, y + thick)),
        (arms.right, rect(x, y, 8 - x, thick)),
        (arms.down, rect(x, y, thick, 16 - y)),
        (arms.left, rect(0, y, x + thick, thick)),
    ];
    let drawn = all.into_iter().filter(|row| row.0);
    drawn.map(|row| row.1).collect()
}

/// Two lines for each arm, at 3 and 5 across or 7 and 9 down. A line goes on to the far one of the lines that it meets,
/// or stops at the near one if an arm leaves on its side.
fn double(arms: Arms) -> Vec<SignPart> {
    let mut parts = Vec::new();
    for (y, leaves) in [(7, arms.up), (9, arms.down)] {
        let reach = if leaves { 5 } else { 3 };
        if arms.right {
            parts.push(rect(reach, y, 8 - reach, 1));
        }
        if arms.left {
            parts.push(rect(0, y, 9 - reach, 1));
        }
    }
    for (x, leaves) in [(3, arms.left), (5, arms.right)] {
        let reach = if leaves { 9 } else { 7 };
        if arms.down {
            parts.push(rect(x, reach, 1, 16 - reach));
        }
        if arms.up {
            parts.push(rect(x, 0, 1, 17 - reach));
        }
    }
    parts
}

/// A light corner that is round.
fn corner(right: bool, down: bool) -> Vec<SignPart> {
    let x = if right { 8 } else { 1 };
    let (y, stem) = if down {
        (12, rect(4, 12, 1, 4))
    } else {
        (5, rect(4, 0, 1, 5))
    };
    let arc = SignPart::Arc {
        x,
        y,
        to_left: right,
        to_top: down,
    };
    let mut parts = vec![stem, arc];
    if !right {
        parts.push(rect(0, 8, 1, 1));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_meet_in_the_middle() {
        assert_eq!(parts('┌'), [rect(4, 8, 4, 1), rect(4, 8, 1, 8)]);
        assert_eq!(parts('┛'), [rect(3, 0, 2, 9), rect(0, 7, 5, 2)]);
    }

    #[test]
    fn double_corners_have_an_outer_and_an_inner_line() {
        let outer = [rect(3, 7, 5, 1), rect(3, 7, 1, 9)];
        let inner = [rect(5, 9, 3, 1), rect(5, 9, 1, 7)];
        let corner = parts('╔');
        assert_eq!(corner.len(), 4);
        assert!(outer.iter().chain(&inner).all(|part| corner.contains(part)));
    }

    #[test]
    fn letters_are_no_lines() {
        assert_eq!(parts('x'), []);
    }
}

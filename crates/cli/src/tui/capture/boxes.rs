//! The lines of box-drawing characters.

use super::shapes::{SignPart, rect};

/// Box-drawing characters, with the sides to which their lines extend from the centre: up, right,
/// down, left.
const LINES: [(char, &str); 6] = [
    ('─', "rl"),
    ('│', "ud"),
    ('┌', "rd"),
    ('┐', "dl"),
    ('└', "ur"),
    ('┘', "ul"),
];

/// The lines of a box-drawing character; `None` for other characters.
pub(super) fn parts(character: char) -> Vec<SignPart> {
    match character {
        '╭' => corner(true, true),
        '╮' => corner(false, true),
        '╰' => corner(true, false),
        '╯' => corner(false, false),
        _ => {
            let line = LINES.iter().find(|row| row.0 == character);
            line.map_or(Vec::new(), |row| straight(row.1))
        }
    }
}

fn straight(sides: &str) -> Vec<SignPart> {
    let all = [
        ('u', rect(4, 0, 1, 9)),
        ('r', rect(4, 8, 4, 1)),
        ('d', rect(4, 8, 1, 8)),
        ('l', rect(0, 8, 5, 1)),
    ];
    let drawn = all.into_iter().filter(|row| sides.contains(row.0));
    drawn.map(|row| row.1).collect()
}

/// A rounded corner.
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
        assert_eq!(parts('┘'), [rect(4, 0, 1, 9), rect(0, 8, 5, 1)]);
    }

    #[test]
    fn letters_are_no_lines() {
        assert_eq!(parts('x'), []);
    }
}

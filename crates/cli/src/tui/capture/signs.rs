//! Signs: squares, discs, triangles and arrows.

use super::shapes::{SignPart, rect};

/// Signs with slanted sides.
const POLYGONS: &[(&str, &[(f32, f32)])] = &[
    ("▲", &[(4.0, 4.0), (8.0, 12.0), (0.0, 12.0)]),
    ("▼", &[(0.0, 5.0), (8.0, 5.0), (4.0, 13.0)]),
    ("◀◄", &[(7.0, 4.5), (7.0, 12.5), (1.0, 8.5)]),
    ("▶►", &[(1.0, 4.5), (7.0, 8.5), (1.0, 12.5)]),
    ("◆", &[(4.0, 4.5), (8.0, 8.5), (4.0, 12.5), (0.0, 8.5)]),
    (
        "✓✔",
        &[
            (0.5, 8.5),
            (1.5, 7.5),
            (3.0, 9.5),
            (6.5, 3.5),
            (7.5, 4.5),
            (3.0, 12.0),
        ],
    ),
    (
        "←",
        &[
            (7.5, 8.0),
            (4.0, 8.0),
            (4.0, 5.5),
            (0.5, 8.5),
            (4.0, 11.5),
            (4.0, 9.0),
            (7.5, 9.0),
        ],
    ),
    (
        "→",
        &[
            (0.5, 8.0),
            (4.0, 8.0),
            (4.0, 5.5),
            (7.5, 8.5),
            (4.0, 11.5),
            (4.0, 9.0),
            (0.5, 9.0),
        ],
    ),
    (
        "↑",
        &[
            (4.0, 12.5),
            (4.0, 8.0),
            (1.5, 8.0),
            (4.5, 4.0),
            (7.5, 8.0),
            (5.0, 8.0),
            (5.0, 12.5),
        ],
    ),
    (
        "↓",
        &[
            (4.0, 4.0),
            (4.0, 8.5),
            (1.5, 8.5),
            (4.5, 12.5),
            (7.5, 8.5),
            (5.0, 8.5),
            (5.0, 4.0),
        ],
    ),
];

/// What a sign consists of; nothing if the character is none.
pub(super) fn parts(character: char) -> Vec<SignPart> {
    let disc = |radius, hole| vec![SignPart::Disc { radius, hole }];
    match character {
        '■' => vec![rect(1, 5, 7, 7)],
        '□' => vec![
            rect(1, 5, 7, 1),
            rect(1, 11, 7, 1),
            rect(1, 5, 1, 7),
            rect(7, 5, 1, 7),
        ],
        '▪' => vec![rect(2, 6, 5, 5)],
        '●' => disc(3.5, 0.0),
        '○' => disc(3.5, 2.5),
        '•' => disc(2.0, 0.0),
        _ => {
            let found = POLYGONS.iter().find(|row| row.0.contains(character));
            found.map_or(Vec::new(), |row| vec![SignPart::Polygon(row.1)])
        }
    }
}

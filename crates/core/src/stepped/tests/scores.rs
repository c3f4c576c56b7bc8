use super::*;
use crate::moves::Pace;
use crate::placement::Spin;
use crate::stepped::{Clear, GravityCurve, ScoreRule, Tally, grade};

fn clear(lines: u32, spin: Spin) -> Clear {
    Clear {
        lines,
        spin,
        perfect: false,
        soft_rows: 0,
        hard_rows: 0,
    }
}

/// The pace of a game with this score rule that starts at this level.
fn pace(rule: ScoreRule, first: u32) -> Pace {
    Pace {
        score: rule,
        first,
        ..Pace::NONE
    }
}

/// The points of consecutive clears, starting at level 1 or 0.
fn points(rule: ScoreRule, level: u32, clears: &[Clear]) -> Vec<u64> {
    let mut tally = Tally::new(level);
    clears
        .iter()
        .map(|clear| rule.add(&mut tally, clear, pace(rule, level)))
        .collect()
}

#[test]
fn clears_of_the_guideline_score_the_published_points() {
    let alone = |lines, spin| points(ScoreRule::Guideline, 1, &[clear(lines, spin)])[0];
    assert_eq!(
        [1, 2, 3, 4].map(|lines| alone(lines, Spin::None)),
        [100, 300, 500, 800]
    );
    assert_eq!(
        [0, 1, 2, 3].map(|lines| alone(lines, Spin::Full)),
        [400, 800, 1200, 1600]
    );
    assert_eq!(
        [0, 1, 2].map(|lines| alone(lines, Spin::Mini)),
        [100, 200, 400]
    );
    let at_level_3 = points(ScoreRule::Guideline, 3, &[clear(4, Spin::None)]);
    assert_eq!(at_level_3, [2400]);
}

#[test]
fn combos_and_back_to_back_add_up() {
    // Single, double (combo 1), nothing, four lines, four lines (back to back, combo 1), a single
    // in between, a T-spin double, another one.
    let clears = [
        clear(1, Spin::None),
        clear(2, Spin::None),
        clear(0, Spin::None),
        clear(4, Spin::None),
        clear(4, Spin::None),
        clear(0, Spin::None),
        clear(1, Spin::None),
        clear(0, Spin::None),
        clear(2, Spin::Full),
        clear(0, Spin::Full),
        clear(2, Spin::Full),
    ];
    // The level rises to 2 with the tenth line, so the fourth clear scores 11.
    let expected = [100, 350, 0, 800, 1250, 0, 200, 0, 2400, 800, 3600];
    assert_eq!(points(ScoreRule::Guideline, 1, &clears), expected);
}

#[test]
fn an_empty_board_scores_more() {
    let perfect = |lines| Clear {
        perfect: true,
        ..clear(lines, Spin::None)
    };
    let alone = |lines| points(ScoreRule::Guideline, 1, &[perfect(lines)])[0];
    assert_eq!([1, 2, 3, 4].map(alone), [900, 1500, 2300, 2800]);
    let again = points(
        ScoreRule::Guideline,
        1,
        &[clear(4, Spin::None), clear(0, Spin::None), perfect(4)],
    );
    assert_eq!(again[2], 1200 + 3200);
}

#[test]
fn a_t_spin_double_played_by_keys_scores_as_one() {
    let spec = "guideline(randomizer=fixed(T,then=repeat))";
    let slot = [".#........", "#...######", "##.#######"];
    let mut game = game(spec, &slot);
    // Turns upright on the right, moves left, moves down to the ground next to the overhang, and
    // turns into the slot.
    press(&mut game, "cll");
    while !game.falling().unwrap().is_grounded(game.board()) {
        press(&mut game, "d");
    }
    let soft = 20;
    let ticked = press(&mut game, "cD");
    let locked = ticked[1].locked.unwrap();
    assert_eq!((locked.placement.spin, locked.lines()), (Spin::Full, 2));
    assert!(ticked[1].points >= 1200 && ticked[1].points <= 1200 + soft);
}

#[test]
fn lines_of_the_nes_game_score_its_table() {
    for (level, expected) in [
        (0, [40, 100, 300, 1200]),
        (1, [80, 200, 600, 2400]),
        (9, [400, 1000, 3000, 12_000]),
    ] {
        let alone = |lines| points(ScoreRule::Nes, level, &[clear(lines, Spin::None)])[0];
        assert_eq!([1, 2, 3, 4].map(alone), expected);
    }
    // Starting at level 5, the first level-up takes 60 lines, starting at level 12 it takes 100;
    // after that, every ten lines.
    let level_after = |start, lines| {
        let mut tally = Tally::new(start);
        for _ in 0..lines {
            ScoreRule::Nes.add(
                &mut tally,
                &clear(1, Spin::None),
                pace(ScoreRule::Nes, start),
            );
        }
        tally.level
    };
    assert_eq!(
        [9, 10, 19, 20].map(|lines| level_after(0, lines)),
        [0, 1, 1, 2]
    );
    assert_eq!([59, 60, 70].map(|lines| level_after(5, lines)), [5, 6, 7]);
    assert_eq!(
        [99, 100, 110].map(|lines| level_after(12, lines)),
        [12, 13, 14]
    );
}

#[test]
fn speeds_are_those_of_the_tables() {
    let nes = |level| GravityCurve::Nes.at(level).ticks;
    let table: Vec<u32> = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 16, 18, 19, 28, 29, 40,
    ]
    .map(nes)
    .to_vec();
    assert_eq!(
        table,
        [
            48, 43, 38, 33, 28, 23, 18, 13, 8, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1
        ]
    );
    let tgm = |level| GravityCurve::Tgm.at(level).rows;
    assert_eq!(
        [0, 29, 30, 100, 200, 251, 300, 420, 499, 500, 999].map(tgm),
        [4, 4, 6, 80, 4, 256, 512, 1024, 768, 5120, 5120]
    );
    // At level 1 of the guideline a row takes one second, at level 2 47.58 ticks, at level 13
    // slightly more than a tick.
    let rows = |level: u32, ticks: u32| {
        (1..=ticks)
            .map(|tick| GravityCurve::Guideline.at(level).rows_in(tick))
            .sum::<u32>()
    };
    for row in 1..=22 {
        assert_eq!((rows(1, 60 * row - 1), rows(1, 60 * row)), (row - 1, row));
    }
    assert_eq!([47, 48, 95, 96].map(|ticks| rows(2, ticks)), [0, 1, 1, 2]);
    assert_eq!((rows(13, 100), rows(18, 100)), (91, 1143));
    assert_eq!((rows(19, 100), rows(20, 100)), (2000, 2000));
}

/// The lines that each of these clears sends.
fn sent(clears: &[Clear]) -> Vec<u64> {
    let mut tally = Tally::new(1);
    let sent = clears.iter().map(|clear| {
        let before = tally.attack;
        ScoreRule::Guideline.add(&mut tally, clear, pace(ScoreRule::Guideline, 1));
        tally.attack - before
    });
    sent.collect()
}

#[test]
fn combos_send_the_lines_of_the_published_table() {
    let singles = [clear(1, Spin::None); 14];
    assert_eq!(sent(&singles), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5]);
}

#[test]
fn an_empty_board_sends_ten_lines_more() {
    let perfect = |lines| Clear {
        perfect: true,
        ..clear(lines, Spin::None)
    };
    assert_eq!(sent(&[perfect(1)]), [10]);
    assert_eq!(sent(&[perfect(4)]), [14]);
    assert_eq!(sent(&[clear(4, Spin::None), perfect(4)]), [4, 15]);
}

#[test]
fn levels_of_the_guideline_take_ten_lines_from_level_one_on() {
    let level_after = |start, lines| {
        let mut tally = Tally::new(start);
        for _ in 0..lines {
            let pace = pace(ScoreRule::Guideline, start);
            ScoreRule::Guideline.add(&mut tally, &clear(1, Spin::None), pace);
        }
        tally.level
    };
    assert_eq!([9, 10, 20].map(|lines| level_after(1, lines)), [1, 2, 3]);
    assert_eq!(
        [0, 10, 49, 50, 60].map(|lines| level_after(5, lines)),
        [5, 5, 5, 6, 7]
    );
    assert_eq!([9, 10].map(|lines| level_after(0, lines)), [0, 1]);
}

#[test]
fn tgm_counts_levels_points_and_grades() {
    let mut tally = Tally::new(0);
    let tgm = pace(ScoreRule::Tgm, 0);
    (0..150).for_each(|_| tally.level = tgm.after_entry(tally.level));
    assert_eq!(tally.level, 99, "only a line ends a section");
    ScoreRule::Tgm.add(&mut tally, &clear(1, Spin::None), tgm);
    assert_eq!(tally.level, 100);
    // Ceil((100 + 2) / 4) * 2 lines * combo 3 (the single before it left 1).
    assert_eq!(
        ScoreRule::Tgm.add(&mut tally, &clear(2, Spin::None), tgm),
        26 * 2 * 3
    );
    let mut tally = Tally::new(0);
    ScoreRule::Tgm3.add(&mut tally, &clear(4, Spin::None), pace(ScoreRule::Tgm3, 0));
    assert_eq!(tally.level, 6);
    assert_eq!(
        [0, 399, 400, 12_000, 39_999, 40_000, 120_000].map(grade),
        ["9", "9", "8", "1", "S3", "S4", "S9"]
    );
}

//! Games that workers play side by side and share.

use super::*;

/// A study that is cancelled once more than this many pieces have been placed.
fn cancelled_after(threads: usize, most: u64) -> Context {
    let context = Context::on_threads(threads);
    let token = context.token().clone();
    context.observer(move |event| {
        if matches!(event.event, Event::Games { pieces, .. } if pieces > most) {
            token.cancel();
        }
    })
}

#[test]
fn games_handed_over_between_threads_end_the_same() {
    let rules = rules("simplified-10x10");
    let (bcts, dropper) = (find_player("bcts", &rules).unwrap(), Dropper::new());
    // The second arm has no kernel.
    let arms: [Arm<'_>; 2] = [("bcts", bcts.as_ref()), ("dropper", &dropper)];
    let expected = play_all(&Context::on_threads(1), &arms, (&rules, 3), 0..60).unwrap();
    assert!(expected.iter().all(|arm| arm.finished() == 60));
    for threads in [2, 3, 8] {
        let played = play_all(&Context::on_threads(threads), &arms, (&rules, 3), 0..60).unwrap();
        for (arm, expected) in played.iter().zip(&expected) {
            assert_eq!(arm.games, expected.games, "{threads} threads");
        }
    }
    let general = play_all(&Context::without_kernels(2), &arms, (&rules, 3), 0..10);
    assert_eq!(general.unwrap()[0].games, expected[0].games[..10]);
}

#[test]
fn the_observer_counts_games_that_were_handed_over_once() {
    let (context, last) = heard(3);
    let rules = rules("simplified-10x10");
    let bcts = find_player("bcts", &rules).unwrap();
    let arms: [Arm<'_>; 4] = [("", bcts.as_ref()); 4];
    let played = context.play_all(&arms, &GameSeries::new(&rules, 1), 0..40);
    let expected = Event::Games {
        done: 160,
        total: 160,
        pieces: played.unwrap().iter().map(Played::decisions).sum(),
    };
    assert_eq!(*lock(&last), Some(expected));
}

#[test]
fn an_interruption_keeps_games_that_are_played_side_by_side() {
    let rules = rules("simplified-10x20");
    let bcts = find_player("bcts", &rules).unwrap();
    for threads in [1, 2, 3] {
        let context = cancelled_after(threads, 100_000);
        let arms = [("", bcts.as_ref())];
        let played = context.play_all(&arms, &GameSeries::new(&rules, 5), 0..50);
        let played = played.unwrap().remove(0);
        assert!(played.interrupted && played.cut_off() > 0);
        assert_eq!(played.games.len(), 50);
        assert!(played.decisions() > 100_000);
    }
}

#[test]
fn more_arms_than_a_thread_alternates_between_equal_each_arm_alone() {
    let rules = rules("simplified-10x8");
    let names = ["bcts", "dellacherie", "dt-10", "boumaza-6"];
    let players: Vec<_> = (0..20)
        .map(|arm| find_player(names[arm % names.len()], &rules).unwrap())
        .collect();
    let arms: Vec<Arm<'_>> = players.iter().map(|player| ("", player.as_ref())).collect();
    for threads in [1, 3] {
        let played = play_all(&Context::on_threads(threads), &arms, (&rules, 3), 0..12).unwrap();
        assert_eq!(played.len(), arms.len());
        for (arm, (_, player)) in played.iter().zip(&arms) {
            let alone = Context::on_threads(1)
                .play(*player, &rules, 0..12, 3)
                .unwrap();
            assert_eq!(arm.games, alone.games, "{threads} threads");
        }
    }
}

#[test]
fn an_interruption_finds_all_arms_in_play() {
    let rules = rules("simplified-10x20");
    let bcts = find_player("bcts", &rules).unwrap();
    let arms: [Arm<'_>; 4] = [("", bcts.as_ref()); 4];
    for threads in [1, 2, 3] {
        let context = cancelled_after(threads, 400_000);
        let played = context
            .play_all(&arms, &GameSeries::new(&rules, 5), 0..50)
            .unwrap();
        assert!(played.iter().all(|arm| arm.interrupted));
        if tetrolab_core::simd::is_available() {
            assert!(played.iter().all(|arm| arm.games.len() == 50));
        }
    }
}

//! Several studies at the same time on the same threads.

use super::*;
use crate::arena::Arena;
use std::thread::{ScopedJoinHandle, scope};

/// The result of a study, without the parts that depend on the clock.
type Study = fn(&Context) -> String;

/// Whole games that would take years.
fn endless_games(context: &Context) -> String {
    let evaluation = Evaluation {
        ruleset: "simplified-10x20".to_owned(),
        ..quick(&["misakamm-v2"], Plan::games(1000))
    };
    let found = evaluate(&evaluation, &Keep::nothing(), context).unwrap();
    assert!(found.interrupted);
    String::new()
}

fn splitting(context: &Context) -> String {
    let evaluation = Evaluation {
        ruleset: "simplified-8x6".to_owned(),
        ..quick(&["bcts"], few(2, 100, LevelKind::Danger))
    };
    let found = evaluate(&evaluation, &Keep::nothing(), context).unwrap();
    serde_json::to_string(&timeless(found)).unwrap()
}

fn comparison(context: &Context) -> String {
    let comparison = Comparison {
        ruleset: "simplified-6x8".to_owned(),
        ..Comparison::new("bcts", "dt-10")
    };
    serde_json::to_string(&compare(&comparison, context).unwrap()).unwrap()
}

fn learning(context: &Context) -> String {
    let folder = tempdir().unwrap();
    let place = LearningPlace::new(&folder.path().join("run")).unwrap();
    let learned = learn(&tiny(), &place, context).unwrap();
    format!("{:?}", (learned.solutions, learned.games, learned.pieces))
}

#[test]
fn one_of_four_studies_is_cancelled_and_the_others_give_the_same_digits_as_alone() {
    let others: [Study; 3] = [splitting, comparison, learning];
    let alone = others.map(|study| study(&context()));
    for cancelled_first in [true, false] {
        let arena = Arena::new(2).unwrap();
        let (endless, events) = Context::new(&arena).recorded();
        let contexts = others.map(|_| Context::new(&arena));
        let found = scope(|scope| {
            let endless = scope.spawn(|| endless_games(&endless));
            while !lock(&events)
                .iter()
                .any(|event| matches!(event.event, Event::Games { .. }))
            {
                std::thread::yield_now();
            }
            let studies = others.iter().zip(&contexts);
            let studies: Vec<_> = studies
                .map(|(study, context)| scope.spawn(|| study(context)))
                .collect();
            let study = lock(&events)[0].study;
            if cancelled_first {
                assert!(arena.cancel(study));
            }
            let ended = studies.into_iter().map(ScopedJoinHandle::join);
            let found: Vec<String> = ended.map(Result::unwrap).collect();
            arena.cancel(study);
            endless.join().unwrap();
            found
        });
        assert_eq!(found, alone);
        assert!(contexts.iter().all(|context| !context.is_cancelled()));
    }
}

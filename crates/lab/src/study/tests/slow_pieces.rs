//! Studies are cancelled soon even while an adversary looks for its next piece.

use super::*;
use std::time::Duration;

/// Takes many minutes per piece in a debug build.
const SLOW: &str = "simplified-10x20(randomizer=adversary(dellacherie,depth=4))";

/// Runs a study that is cancelled while its first piece is being chosen. Without a flag in the
/// randomizer, this does not end in time for the test to pass.
fn cancelled_soon(study: impl FnOnce(&Context)) {
    let context = context();
    let token = context.token().clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        token.cancel();
    });
    study(&context);
    canceller.join().unwrap();
    assert!(context.is_cancelled());
}

#[test]
fn evaluations_and_comparisons_are_cancelled_while_an_adversary_thinks() {
    let ruleset = SLOW.to_owned();
    cancelled_soon(|context| {
        let evaluation = Evaluation {
            ruleset: ruleset.clone(),
            ..quick(&["bcts"], Plan::games(2))
        };
        let found = evaluate(&evaluation, &Keep::nothing(), context).unwrap();
        assert!(found.interrupted);
    });
    cancelled_soon(|context| {
        let comparison = Comparison {
            ruleset: ruleset.clone(),
            ..Comparison::new("bcts", "dellacherie")
        };
        assert!(compare(&comparison, context).unwrap().interrupted);
    });
}

#[test]
fn learning_is_cancelled_while_an_adversary_thinks() {
    for (learner, evaluator) in [
        ("cma-es", "linear"),
        ("td-lambda", "network"),
        ("q-network", "network"),
    ] {
        cancelled_soon(|context| {
            let learning = Learning {
                learner: learner.to_owned(),
                evaluator: evaluator.to_owned(),
                ruleset: SLOW.to_owned(),
                budget: Budget::generations(1),
                ..Learning::default()
            };
            let learned = learn_in_memory(&learning, ("x", ""), context).unwrap();
            assert!(learned.result.interrupted, "{learner}");
        });
    }
}

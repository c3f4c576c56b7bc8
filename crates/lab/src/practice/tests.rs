//! What holds for every learner that plays, and what the shipped ones learn.

use super::replay::Memorised;
use super::*;
use crate::library::find_ruleset;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tetrolab_core::features::feature_set;
use tetrolab_core::settings::Kind;

/// A small game in which little is to be learned, quickly.
fn apprentice(spec: &str, seed: u64) -> Box<dyn Apprentice> {
    let ruleset = find_ruleset("simplified-6x8").unwrap();
    let features = feature_set("dellacherie").unwrap().resolve();
    let chosen = find_practice(spec).unwrap().unwrap();
    chosen.apprentice(&Lesson {
        ruleset: &ruleset,
        features: FeatureSet::new(features, ruleset.width),
        seed,
    })
}

/// Settings with which a period takes some milliseconds, and learning begins in the first one.
const SMALL: &str = "units=4,layers=1,queue=300,begin=0.3,period=400,batch=16,epochs=2";

fn small(practice: &Practice) -> String {
    format!("{}({SMALL},actors=3,ahead=5)", practice.id)
}

fn practise(apprentice: &mut dyn Apprentice, threads: usize, periods: std::ops::Range<u64>) {
    let arena = Arena::new(threads).unwrap();
    for period in periods {
        let practised = apprentice.practise(&arena, period).unwrap().unwrap();
        assert!(practised.pieces >= 400 && practised.games >= 3);
    }
}

#[test]
fn every_one_learns_the_same_on_any_number_of_threads_and_from_any_checkpoint() {
    for practice in PRACTICES {
        let spec = small(practice);
        let mut whole = apprentice(&spec, 5);
        let drawn = whole.network();
        practise(&mut *whole, 1, 0..4);
        assert_ne!(whole.network(), drawn, "{spec}: something is learned");
        let mut parts = apprentice(&spec, 5);
        practise(&mut *parts, 2, 0..2);
        let checkpoint = Tensors::parse(&parts.checkpoint().bytes()).unwrap();
        let mut parts = apprentice(&spec, 5);
        parts.restore(&checkpoint).unwrap();
        practise(&mut *parts, 3, 2..4);
        assert_eq!(parts.network(), whole.network(), "{spec}");
        assert_eq!(parts.checkpoint().bytes(), whole.checkpoint().bytes());
        let mut other = apprentice(&spec, 6);
        practise(&mut *other, 1, 0..4);
        assert_ne!(other.network(), whole.network(), "{spec}: the seed matters");
    }
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    for practice in PRACTICES {
        let spec = small(practice);
        let checkpoint = apprentice(&spec.replace("units=4", "units=5"), 5).checkpoint();
        let error = apprentice(&spec, 5).restore(&checkpoint).unwrap_err();
        assert_eq!(error, "is not a checkpoint of this run");
        assert!(apprentice(&spec, 5).restore(&Tensors::default()).is_err());
    }
}

#[test]
fn every_word_of_every_setting_matters_and_its_limits_cannot_be_passed() {
    for practice in PRACTICES {
        for setting in practice.settings {
            let with = |value: &str| {
                let small = SMALL
                    .split(',')
                    .filter(|part| !part.starts_with(&format!("{}=", setting.id)));
                let small: Vec<&str> = small.collect();
                format!(
                    "{}({},{}={value})",
                    practice.id,
                    small.join(","),
                    setting.id
                )
            };
            // What is kept is the driver's concern, and three lines at once are rare.
            if !["keep", "reward"].contains(&setting.id) {
                let learned = |word: &&str| {
                    let mut apprentice = apprentice(&with(word), 5);
                    let arena = Arena::new(1).unwrap();
                    apprentice.practise(&arena, 0).unwrap();
                    apprentice.network().parameters().to_vec()
                };
                let all: Vec<_> = setting.kind.words().iter().map(learned).collect();
                for (index, one) in all.iter().enumerate() {
                    assert!(!all[..index].contains(one), "{}", setting.id);
                }
            }
            let beyond = match setting.kind {
                Kind::Count { most, .. } => (most + 1).to_string(),
                Kind::Number { most, .. } => (2.0 * most).to_string(),
                _ => "nonsense".to_owned(),
            };
            let error = find_practice(&with(&beyond)).unwrap_err().to_string();
            assert!(
                error.starts_with(practice.id) && error.contains(setting.id),
                "{error}"
            );
        }
    }
}

#[test]
fn a_network_that_runs_away_says_so() {
    let spec = format!("q-network({SMALL},rule=sgd,rate=10)");
    let mut wild = apprentice(&spec, 1);
    let arena = Arena::new(1).unwrap();
    let error = (0..20)
        .find_map(|period| wild.practise(&arena, period).err())
        .unwrap();
    let said = error.to_string();
    assert!(said.starts_with("the network ran away after "), "{said}");
    assert!(error.error.is_nan() || error.error > 1e12);
}

#[test]
fn one_that_is_stopped_says_so() {
    let arena = Arena::new(1)
        .unwrap()
        .stop_flag(Arc::new(AtomicBool::new(true)));
    let mut apprentice = apprentice(&small(&PRACTICES[0]), 1);
    assert_eq!(apprentice.practise(&arena, 0), Ok(None));
}

#[test]
fn survival_is_learned_on_a_small_board() {
    let spec = format!("q-network({SMALL},units=16,inputs=scaled,queue=5000,begin=0.1,period=30000,every=2,reward=survival,cooling=10000)")
        .replace("units=4,", "").replace("queue=300,begin=0.3,period=400,", "");
    let lines = |apprentice: &dyn Apprentice| {
        let ruleset = find_ruleset("simplified-6x8").unwrap();
        let features = FeatureSet::new(feature_set("dellacherie").unwrap().resolve(), 6);
        let evaluator =
            tetrolab_core::evaluators::FeatureNetwork::new(features, apprentice.network());
        let player =
            tetrolab_core::players::Greedy::new(Arc::new(evaluator.unwrap()), Default::default());
        let played = Arena::new(2)
            .unwrap()
            .play(&player, &ruleset, 0..200, 9)
            .unwrap();
        played.games.iter().map(|game| game.lines).sum::<u64>() / 200
    };
    let mut learner = apprentice(&spec, 3);
    let before = lines(&*learner);
    let arena = Arena::new(2).unwrap();
    learner.practise(&arena, 0).unwrap();
    let after = lines(&*learner);
    assert!(before < 5 && after > 20, "{before} lines, then {after}");
}

#[test]
fn what_several_steps_earned_is_added_up_and_discounted() {
    use super::actor::{Actor, Manners, Reward};
    use super::input_scale::InputScale;
    let ruleset = find_ruleset("simplified-6x8").unwrap();
    let features = FeatureSet::new(feature_set("dellacherie").unwrap().resolve(), 6);
    let manners = |steps| Manners {
        scale: InputScale::plain(features.len()),
        ruleset: ruleset.clone(),
        features: features.clone(),
        reward: Reward::Survival,
        gamma: 0.5,
        steps,
    };
    let network =
        tetrolab_core::network::Network::new(6, &[(1, tetrolab_core::network::Activation::Linear)])
            .unwrap();
    let seen = |steps: usize| {
        let manners = manners(steps);
        let mut actor = Actor::new(&manners, 4);
        actor.play(&network, 200, 1.0);
        actor.rest();
        (actor.games(), actor.take_seen())
    };
    let (games, one) = seen(1);
    let ends = |seen: &[Memorised]| seen.iter().filter(|seen| seen.discount == 0.0).count() as u64;
    // Every game but the last has ended; every placement but the first of a game is the end of a move.
    assert!(games > 5 && ends(&one) == games - 1);
    assert_eq!(one.len() as u64, 200 - games);
    assert!(
        one.iter()
            .all(|seen| (seen.reward, seen.discount) == (1.0, 0.5)
                || (seen.reward, seen.discount) == (0.0, 0.0))
    );
    // Three moves earn 1 + 1/2 + 1/4; a game that ends earlier earns less, and its last move nothing.
    let (_, three) = seen(3);
    assert_eq!(three.len(), one.len());
    assert_eq!(ends(&three), ends(&one) * 3);
    assert!(
        three
            .iter()
            .any(|seen| (seen.reward, seen.discount) == (1.75, 0.125))
    );
    let early: Vec<f32> = three
        .iter()
        .filter(|seen| seen.discount == 0.0)
        .map(|seen| seen.reward)
        .collect();
    assert!(early[..3] == [1.5, 1.0, 0.0], "{early:?}");
}

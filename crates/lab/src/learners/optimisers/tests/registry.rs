//! Properties of every optimiser and every preset of one.

use super::functions::{DIMENSION, generation, sphere};
use crate::learners::{Kind, LEARNERS, Learner, Optimizer, find_learner};

/// Every learner that is an optimiser.
pub(super) fn optimisers() -> impl Iterator<Item = &'static Learner> {
    let is_optimiser = |learner: &&Learner| {
        let found = find_learner(learner.id).unwrap();
        found.optimizer(1, 1).is_ok()
    };
    LEARNERS.iter().filter(is_optimiser)
}

/// Every optimiser and every preset of one by name.
fn names() -> impl Iterator<Item = &'static str> {
    optimisers().flat_map(|learner| {
        let presets = learner.make.presets.iter().map(|preset| preset.id);
        std::iter::once(learner.id).chain(presets)
    })
}

/// All of these, plus those that become a different strategy with some setting.
fn strategies() -> impl Iterator<Item = &'static str> {
    let more = [
        "cma-es(covariance=diagonal)",
        "cma-es(covariance=low-rank)",
        "boumaza(covariance=diagonal)",
        "boumaza(covariance=low-rank)",
    ];
    names().chain(more)
}

fn optimizer(spec: &str, dimension: usize, seed: u64) -> Box<dyn Optimizer> {
    find_learner(spec)
        .unwrap()
        .optimizer(dimension, seed)
        .unwrap()
}

/// Every candidate and solution of a few generations, bit for bit.
fn trace(spec: &str, seed: u64, fitness: fn(usize, &[f64]) -> f64) -> Vec<u64> {
    let mut optimizer = optimizer(spec, 5, seed);
    let mut bits = Vec::new();
    for _ in 0..6 {
        let candidates = optimizer.ask();
        assert!(!candidates.is_empty(), "{spec}");
        let told: Vec<f64> = candidates
            .iter()
            .enumerate()
            .map(|(i, x)| fitness(i, x))
            .collect();
        optimizer.tell(&told);
        let solution = optimizer.solution();
        for vector in candidates.iter().chain([&solution]) {
            assert_eq!(vector.len(), 5, "{spec}");
            assert!(vector.iter().all(|x| x.is_finite()), "{spec}: {vector:?}");
            bits.extend(vector.iter().map(|x| x.to_bits()));
        }
        assert!(optimizer.diagnostics().spread.is_finite(), "{spec}");
    }
    bits
}

#[test]
fn the_same_seed_and_fitness_give_the_same_candidates_bit_for_bit() {
    for name in strategies() {
        let first = trace(name, 11, |_, x| -sphere(x));
        assert_eq!(first, trace(name, 11, |_, x| -sphere(x)), "{name}");
        assert_ne!(first, trace(name, 12, |_, x| -sphere(x)), "{name}");
    }
}

#[test]
fn a_run_is_resumed_by_replaying_fitness_values_to_a_new_optimizer() {
    for name in strategies() {
        let mut undisturbed = optimizer(name, DIMENSION, 3);
        let mut told = Vec::new();
        for _ in 0..4 {
            let candidates = undisturbed.ask();
            let fitness: Vec<f64> = candidates.iter().map(|x| -sphere(x)).collect();
            undisturbed.tell(&fitness);
            told.push(fitness);
        }
        let mut resumed = optimizer(name, DIMENSION, 3);
        for fitness in &told {
            resumed.ask();
            resumed.tell(fitness);
        }
        assert_eq!(resumed.ask(), undisturbed.ask(), "{name}");
        assert_eq!(resumed.solution(), undisturbed.solution(), "{name}");
        assert_eq!(resumed.diagnostics(), undisturbed.diagnostics(), "{name}");
    }
}

#[test]
fn any_fitness_leaves_the_candidates_finite() {
    for name in strategies() {
        trace(name, 1, |_, _| 0.0);
        trace(name, 1, |i, _| if i % 2 == 0 { f64::NAN } else { 1.0 });
        trace(name, 1, |_, _| f64::NAN);
        trace(name, 1, |i, _| {
            [f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300][i % 4]
        });
    }
}

#[test]
fn one_weight_can_be_learned_but_zero_weights_cannot() {
    for name in strategies() {
        let mut one = optimizer(name, 1, 1);
        for _ in 0..20 {
            generation(&mut *one, sphere);
        }
        assert!(one.solution()[0].is_finite(), "{name}");
        let none = find_learner(name).unwrap().optimizer(0, 1).err().unwrap();
        assert!(
            none.to_string()
                .ends_with("the player has no weights to learn")
        );
    }
}

#[test]
fn every_word_of_every_setting_matters() {
    for learner in optimisers() {
        for setting in learner.settings {
            let words = setting.kind.words();
            let spec = |word: &str| format!("{}({}={word})", learner.id, setting.id);
            let traces: Vec<_> = words
                .iter()
                .map(|word| trace(&spec(word), 5, |_, x| 100.0 - sphere(x)))
                .collect();
            for (i, trace) in traces.iter().enumerate() {
                assert!(!traces[..i].contains(trace), "{}", spec(words[i]));
            }
        }
    }
}

#[test]
fn the_limits_of_every_setting_can_be_used_and_not_passed() {
    for learner in optimisers() {
        for setting in learner.settings {
            let (within, beyond) = match setting.kind {
                Kind::Count { least, most } => (
                    vec![least.to_string()],
                    vec!["-1".to_owned(), (most + 1).to_string()],
                ),
                Kind::Number { least, most } => {
                    let beyond = vec!["NaN".to_owned(), "inf".to_owned(), (2.0 * most).to_string()];
                    (vec![least.to_string(), most.to_string()], beyond)
                }
                kind => (vec![kind.example().to_owned()], vec!["nonsense".to_owned()]),
            };
            let spec = |value: &str| format!("{}({}={value})", learner.id, setting.id);
            for value in &within {
                trace(&spec(value), 1, |_, x| -sphere(x));
            }
            for value in &beyond {
                let error = find_learner(&spec(value)).unwrap_err().to_string();
                assert!(
                    error.starts_with(learner.id) && error.contains(setting.id),
                    "{error}"
                );
            }
        }
    }
}

#[test]
fn the_full_spec_of_a_choice_makes_the_same_optimizer() {
    for name in strategies() {
        let spec = find_learner(name).unwrap().spec().to_string();
        let traced = |spec: &str| trace(spec, 2, |_, x| -sphere(x));
        assert_eq!(traced(name), traced(&spec), "{spec}");
    }
}

#[test]
fn near_a_start_only_explicit_settings_scale_to_unit_length_or_set_lengths() {
    let near = |spec: &str| find_learner(spec).unwrap().near_a_start().unwrap();
    assert!(find_learner("boumaza").unwrap().normalises());
    let spec = near("boumaza").spec().to_string();
    assert_eq!(
        spec,
        "cma-es(population=30,sigma=0.5,normalise=false,active=false,covariance=auto)"
    );
    assert!(near("boumaza(normalise=true)").normalises());
    assert_eq!(near("bohm").settings.number("range"), 1.0);
    assert_eq!(near("bohm(range=7)").settings.number("range"), 7.0);
    assert_eq!(near("bohm").settings.word("change"), "relative");
}

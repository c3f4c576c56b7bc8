//! Networks that optimisers search.

use super::*;
use crate::learners::LEARNERS;
use crate::learners::Solution;
use crate::learning::description::tests::tiny;
use crate::learning::{Budget, Task, export};
use crate::library::{find_ruleset, model_bytes};
use tetrolab_core::evaluators::Model;
use tetrolab_core::network::{Pass, Signals};

/// The thesis' network with few games.
fn plan() -> Learning {
    Learning {
        learner: "cma-es".to_owned(),
        features: "thesis-6".to_owned(),
        evaluator: "network".to_owned(),
        runs: 1,
        ..tiny()
    }
}

fn task(change: impl Fn(&mut Learning)) -> Task {
    let mut plan = plan();
    change(&mut plan);
    Task::new(plan).unwrap()
}

fn refused(change: impl Fn(&mut Learning)) -> String {
    let mut plan = plan();
    change(&mut plan);
    Task::new(plan).err().unwrap().to_string()
}

/// The network with these numbers.
fn searched_network(task: &Task, numbers: &[f64]) -> Network {
    match task.template.model(&Solution::Numbers(numbers.to_vec())) {
        Some(Model::Network(network)) => network,
        _ => panic!("a network is searched"),
    }
}

#[test]
fn the_default_network_is_that_of_the_thesis() {
    let task = task(|_| {});
    assert_eq!(task.dimension(), 2_369);
    assert_eq!(task.plan.layers.as_deref(), Some("32,32,32"));
    assert_eq!(task.plan.activation.as_deref(), Some("relu"));
    assert_eq!(task.plan.scale, Scale::Spread);
    let names = export::candidates_csv(&task.plan, &[]);
    assert!(names.starts_with("run,generation,candidate,fitness,layer.0.weight:1,"));
    assert!(names.ends_with(",layer.3.weight:32,layer.3.bias:1\n"));
}

#[test]
fn the_box_of_a_swarm_is_hes_initialisation() {
    let ruleset = find_ruleset("simplified-6x8").unwrap();
    let task = task(|plan| plan.layers = Some("4,5".to_owned()));
    let network = searched_network(&task, &vec![0.0; task.dimension()]);
    let scale = InputScale::plain(network.inputs());
    let layers = network.clone();
    let units = SearchedNetwork { layers, scale }.units();
    assert_eq!(units.len(), network.parameters().len());
    assert_eq!(units[0], 1.0);
    assert_eq!(units[6 * 4 + 4], (6.0f64 / 4.0).sqrt());
    assert_eq!(units[units.len() - 1], (6.0f64 / 5.0).sqrt());
    assert!(
        task.template
            .player(&Solution::Numbers(units), &ruleset)
            .is_ok()
    );
}

/// The output of a network for scaled feature values, or for unscaled ones.
fn output(network: &Network, values: &[f64]) -> f32 {
    let rows: Vec<[f32; 1]> = values.iter().map(|value| [*value as f32]).collect();
    let rows: Vec<&[f32]> = rows.iter().map(|row| &row[..]).collect();
    network
        .forward(&Signals::from_rows(&rows), &mut Pass::default())
        .row(0)[0]
}

#[test]
fn the_player_scores_unscaled_inputs_like_the_search_scored_scaled_ones() {
    let task = task(|plan| plan.layers = Some("3".to_owned()));
    let ruleset = find_ruleset(&task.plan.ruleset).unwrap();
    let outline = crate::learning::template::outline(&task.plan, &crate::library::Parts::default());
    let outline = outline.unwrap();
    let mut plan = task.plan.clone();
    let searched = SearchedNetwork::find(&mut plan, &outline, &ruleset)
        .unwrap()
        .unwrap();
    let parameters: Vec<f64> = (0..searched.len())
        .map(|n| (n % 7) as f64 / 4.0 - 0.6)
        .collect();
    let values = [3.5, 4.0, 6.0, 9.0, 12.0, 2.0];
    let InputScale { shifts, scales } = &searched.scale;
    let scaled = values.iter().zip(shifts.iter().zip(scales));
    let scaled: Vec<f64> = scaled
        .map(|(v, (a, b))| (v - f64::from(*a)) * f64::from(*b))
        .collect();
    let expected = output(&searched.network(&parameters), &scaled);
    let numbers = searched.absorbed(parameters.clone());
    let found = output(&searched.network(&numbers), &values);
    assert!((found - expected).abs() < 1e-4, "{found} {expected}");
    assert!(scales.iter().any(|scale| (scale - 1.0).abs() > 0.1));
}

#[test]
fn a_number_of_a_candidate_is_the_shortest_decimal_of_a_parameter() {
    assert_eq!(shortest(0.1), 0.1);
    for value in [1.0e-30f32, -7.25, 16_777_217.0, f32::MIN_POSITIVE, 0.3] {
        assert_eq!(shortest(value) as f32, value);
    }
    let task = task(|plan| plan.layers = Some("3".to_owned()));
    let far = task.template.place(vec![1e300; task.dimension()]);
    assert!(searched_network(&task, &far).is_finite());
}

/// A folder with a player learned by the plan.
fn learned(task: &Task, numbers: Vec<f64>) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let network = searched_network(task, &numbers);
    let text = task.player_text(
        "mine",
        &[Solution::Numbers(numbers)],
        "here",
        Some("mine.safetensors"),
    );
    assert!(text.contains("network = \"mine.safetensors\""), "{text}");
    std::fs::write(
        path.with_extension("safetensors"),
        model_bytes(&Model::Network(network)),
    )
    .unwrap();
    std::fs::write(&path, text).unwrap();
    (folder, path.display().to_string())
}

#[test]
fn every_learner_begins_at_a_network_a_tenth_of_its_length_away() {
    for evaluator in ["network", "board-network"] {
        let first = task(|plan| {
            plan.evaluator = evaluator.to_owned();
            plan.layers = Some("4,3".to_owned());
            plan.activation = Some("silu".to_owned());
        });
        let vector: Vec<f64> = (0..first.dimension())
            .map(|n| (n % 5) as f64 / 2.0 - 1.0)
            .collect();
        let numbers = first.template.place(vector);
        let (_folder, player) = learned(&first, numbers.clone());
        for learner in LEARNERS
            .iter()
            .filter(|learner| !learner.make.trains_model())
        {
            let near = task(|plan| {
                plan.evaluator = evaluator.to_owned();
                plan.learner = learner.id.to_owned();
                plan.start = Some(player.clone());
            });
            assert_eq!(near.plan.layers.as_deref(), Some("4,3"));
            assert_eq!(near.plan.activation.as_deref(), Some("silu"));
            let start = near.template.place(vec![0.0; near.dimension()]);
            let far = |a: &[f64]| -> f64 {
                a.iter()
                    .zip(&numbers)
                    .map(|(a, b)| (a - b).powi(2))
                    .sum::<f64>()
                    .sqrt()
            };
            let length: f64 = numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!(far(&start) < 1e-4 * length, "{}", learner.id);
            let optimizer = near.learner.optimizer(near.dimension(), 1);
            for vector in optimizer.into_iter().flat_map(|mut one| one.ask()) {
                let change = far(&near.template.place(vector)) / length;
                assert!((0.01..0.5).contains(&change), "{}: {change}", learner.id);
            }
        }
    }
}

#[test]
fn invalid_networks_are_refused_in_a_sentence() {
    assert_eq!(
        refused(|plan| plan.layers = Some("32,x".to_owned())),
        "expected 1 to 8 layers of 1 to 4096 units, such as 32,32,32, got '32,x'"
    );
    assert!(refused(|plan| plan.layers = Some("1,1,1,1,1,1,1,1,1".to_owned())).contains("1 to 8"));
    assert_eq!(
        refused(|plan| plan.layers = Some("400,400".to_owned())),
        "an optimiser searches at most 100000 parameters, and this network has 163601"
    );
    assert_eq!(
        refused(|plan| plan.activation = Some("rely".to_owned())),
        "there is no activation 'rely'; did you mean 'relu'?"
    );
    assert_eq!(
        refused(|plan| plan.runs = 2),
        "the network evaluator supports one run only, because networks cannot be averaged"
    );
    let linear = |plan: &mut Learning| {
        plan.evaluator = "linear".to_owned();
        plan.layers = Some("3".to_owned());
    };
    assert_eq!(
        refused(linear),
        "the linear evaluator is not a network and has no layers"
    );
    assert_eq!(
        refused(|plan| plan.start = Some("dellacherie".to_owned())),
        "dellacherie has no network with the same features and layers, which the start of a search needs"
    );
    assert!(refused(|plan| plan.learner = "boumaza".to_owned()).contains("use normalise=false"));
    let small = task(|plan| plan.layers = Some("3".to_owned()));
    let (_folder, player) = learned(&small, vec![0.5; small.dimension()]);
    let other = |plan: &mut Learning| {
        plan.start = Some(player.clone());
        plan.layers = Some("4".to_owned());
    };
    assert!(refused(other).contains("has no network with the same features and layers"));
    let linear = |plan: &mut Learning| {
        plan.start = Some(player.clone());
        plan.evaluator = "linear".to_owned();
    };
    assert!(refused(linear).contains("has a network, which the linear evaluator does not have"));
}

#[test]
fn plain_coordinates_are_the_parameters_themselves() {
    let task = task(|plan| {
        plan.scale = Scale::None;
        plan.layers = Some("3".to_owned());
        plan.budget = Budget::generations(1);
    });
    let vector = vec![0.25; task.dimension()];
    assert_eq!(task.template.place(vector.clone()), vector);
}

#[test]
fn a_resolved_plan_states_no_more_layers_than_an_unresolved_one() {
    for layers in [None, Some("4,3".to_owned())] {
        let mut asked = plan();
        asked.layers = layers.clone();
        let resolved = Task::new(asked.clone()).unwrap().plan;
        assert_eq!(resolved.fields(), asked.fields());
        assert_eq!(resolved.difference(&asked), None);
        let said = resolved.fields().into_iter().find(|row| row.0 == "layers");
        assert_eq!(said.unwrap().1, layers);
    }
}

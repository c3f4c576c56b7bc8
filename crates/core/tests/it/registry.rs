//! Properties of every registered feature.

use crate::boards::decision;
use proptest::prelude::*;
use tetrolab_core::features::{FEATURES, Feature, FeatureMatrix, FeatureSet, feature};
use tetrolab_core::outcomes::Outcomes;

#[test]
fn ids_are_unique_snake_case_names() {
    let mut ids: Vec<_> = FEATURES.iter().map(|feature| feature.id).collect();
    let in_snake_case = |id: &&str| {
        let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        id.starts_with(|c: char| c.is_ascii_lowercase()) && id.chars().all(known)
    };
    assert!(ids.iter().all(in_snake_case));
    ids.sort_unstable();
    assert!(ids.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn every_feature_has_a_definition_and_a_source() {
    for feature in FEATURES {
        assert!(!feature.definition.is_empty(), "{}", feature.id);
        assert!(!feature.source.is_empty(), "{}", feature.id);
        assert!(!feature.definition.contains('\n'), "{}", feature.id);
    }
}

#[test]
fn every_feature_is_found_by_its_id() {
    for known in FEATURES {
        assert_eq!(feature(known.id).unwrap().definition, known.definition);
    }
    assert!(feature("no_such_feature").is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn all_placements_together_give_the_values_of_each_alone(decision in decision()) {
        let mut outcomes = Outcomes::default();
        outcomes.generate(&decision.context());
        let all: Vec<&'static Feature> = FEATURES.iter().collect();
        let set = FeatureSet::new(all, decision.board.width());
        let mut matrix = FeatureMatrix::default();
        set.fill(&mut outcomes, &mut matrix);
        prop_assert_eq!(matrix.rows().len(), set.len());
        for index in 0..outcomes.len() {
            let transition = outcomes.transition(index);
            let mut row = 0;
            for feature in FEATURES {
                let values = feature.values(&transition);
                prop_assert_eq!(values.len(), feature.len(decision.board.width()));
                let of_move = feature.value_of_move(&transition);
                prop_assert_eq!(of_move.is_some(), feature.describes_move(), "{}", feature.id);
                if let Some(value) = of_move {
                    prop_assert_eq!(&values[..], [value], "{}", feature.id);
                }
                for value in values {
                    prop_assert!(value.is_finite(), "{} is {}", feature.id, value);
                    prop_assert_eq!(matrix.row(row)[index], value, "{}", feature.id);
                    row += 1;
                }
            }
        }
    }

    #[test]
    fn a_feature_has_the_same_value_alone_and_after_other_features(decision in decision()) {
        let mut outcomes = Outcomes::default();
        let (mut alone, mut together) = (FeatureMatrix::default(), FeatureMatrix::default());
        let feature = &FEATURES[decision.pick % FEATURES.len()];
        let width = decision.board.width();
        outcomes.generate(&decision.context());
        FeatureSet::new(vec![feature], width).fill(&mut outcomes, &mut alone);
        let count = outcomes.len();
        outcomes.generate(&decision.context());
        let every = FEATURES.iter().chain([feature]).collect();
        FeatureSet::new(every, width).fill(&mut outcomes, &mut together);
        let first = together.rows().len() - alone.rows().len();
        for (row, values) in alone.rows().enumerate() {
            prop_assert_eq!(&values[..count], &together.row(first + row)[..count], "{}", feature.id);
        }
    }
}

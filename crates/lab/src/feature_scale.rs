//! Feature statistics: the values of features in play, computed before learning.
//!
//! Features have different units. A thousand decisions of a good player in seeded games give the
//! spread of each feature: between the placements of one decision, which scales weights
//! ([`learning`](crate::learning)), and over all decisions, which scales the inputs of networks
//! ([`InputScale`]).

mod input_scale;

pub(crate) use input_scale::InputScale;

use crate::library::published;
use std::sync::Arc;
use tetrolab_core::choice::{BestPlacement, GreedyOptions};
use tetrolab_core::evaluators::Evaluator;
use tetrolab_core::features::{FeatureMatrix, FeatureSet};
use tetrolab_core::game::{Game, Status};
use tetrolab_core::outcomes::{DecisionContext, Outcomes};
use tetrolab_core::ruleset::{Ruleset, RulesetParts};
use tetrolab_core::spec::Spec;

/// Number of decisions.
const DECISIONS: u64 = 1_000;
/// The default player whose decisions are used.
const REFERENCE: &str = "dellacherie";

/// The evaluator of the reference player for boards of a width.
pub(crate) fn reference(width: usize) -> Arc<dyn Evaluator> {
    let reference = published(REFERENCE).expect("it is shipped");
    reference.evaluator(width).expect("it fits every width")
}

/// Visits the feature values of all placements, with their number, in a thousand decisions of
/// seeded games. A pure function of its arguments. The pieces of these games are never chosen by an
/// adversary: that could take hours, and the units of features do not depend on it.
pub(crate) fn sample_features(
    features: &FeatureSet,
    evaluator: Arc<dyn Evaluator>,
    ruleset: &Ruleset,
    mut see: impl FnMut(&FeatureMatrix, usize),
) {
    let without_adversary = uniform_instead_of_adversary(ruleset);
    let ruleset = without_adversary.as_ref().unwrap_or(ruleset);
    let mut player = BestPlacement::new(evaluator, GreedyOptions::default());
    let (mut outcomes, mut values) = (Outcomes::default(), FeatureMatrix::default());
    let mut decisions = 0;
    for seed in 0..DECISIONS {
        let mut game = Game::new(ruleset, seed);
        while game.status() == Status::Playing && decisions < DECISIONS {
            let view = game.view();
            let decision = DecisionContext::from(&view);
            outcomes.generate(&decision);
            loop {
                features.fill(&mut outcomes, &mut values);
                see(&values, outcomes.len());
                if !outcomes.generate_more(&decision) {
                    break;
                }
            }
            decisions += 1;
            let placement = player.best(&decision).placement;
            game.apply(placement);
        }
    }
}

/// The same ruleset with pieces drawn uniformly, if its pieces depend on the board.
fn uniform_instead_of_adversary(ruleset: &Ruleset) -> Option<Ruleset> {
    let parts = || RulesetParts {
        randomizer: Spec::name("uniform"),
        ..ruleset.parts()
    };
    let uniform = || Ruleset::new(parts(), &|_, _| unreachable!("uniform has no evaluator"));
    let depends_on_board = ruleset.randomizer().knowledge().looks_at_board();
    depends_on_board.then(|| uniform().expect("only the randomizer differs"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::find_ruleset;
    use tetrolab_core::features::feature;
    use tetrolab_core::moves::{PathFinder, PathStart};

    #[test]
    fn an_adversary_does_not_choose_the_sampled_pieces() {
        let sampled = |randomizer: &str| {
            let name = format!("simplified-8x10(randomizer={randomizer})");
            let features = FeatureSet::new(vec![feature("holes").unwrap()], 8);
            let mut placements = Vec::new();
            let ruleset = find_ruleset(&name).unwrap();
            sample_features(&features, reference(8), &ruleset, |_, count| {
                placements.push(count);
            });
            placements
        };
        // An adversary of depth 4 takes seconds per piece.
        let slow = sampled("adversary(dellacherie,depth=4)");
        assert_eq!(slow, sampled("uniform"));
    }

    /// With maximum gravity, some straight drops cannot be reached.
    #[test]
    fn in_stepped_games_only_placements_that_can_be_reached_are_looked_at() {
        let ruleset = find_ruleset("tgm(level=500)").unwrap();
        let features = FeatureSet::new(vec![feature("holes").unwrap()], 10);
        let mut seen = 0;
        sample_features(&features, reference(10), &ruleset, |_, placements| {
            seen += placements;
        });
        let mut player = BestPlacement::new(reference(10), GreedyOptions::default());
        let (mut finder, mut reached) = (PathFinder::default(), Vec::new());
        let (mut decisions, mut expected, mut drops) = (0, 0, 0);
        for seed in 0..DECISIONS {
            let mut game = Game::new(&ruleset, seed);
            while game.status() == Status::Playing && decisions < DECISIONS {
                let view = game.view();
                let move_rules = view.rules.move_rules().unwrap();
                let start = PathStart::entering(move_rules.entry(view.piece, view.board));
                finder.search(view.board, move_rules, start);
                finder.placements(view.board, move_rules, &mut reached);
                expected += reached.len();
                drops += tetrolab_core::moves::placements(view.board, view.piece).len();
                decisions += 1;
                let placement = player.best(&DecisionContext::from(&view)).placement;
                game.apply(placement);
            }
        }
        assert_eq!(seen, expected);
        assert!(expected < drops, "{expected} of {drops}");
    }
}

//! Evaluations that report intermediate results.

use super::{Evaluated, Evaluation, GamesGoal, Keep, Plan, StudyError, evaluate};
use crate::context::Context;
use std::path::Path;

/// Number of games in the first step.
const FIRST: u64 = 20;

/// Evaluates in steps, each with about one and a half times as many whole games as the previous
/// one, and reports the result after each. No game is played twice: finished games are stored in
/// `folder`, from which the evaluation can also be resumed. The last result is that of
/// [`evaluate`].
///
/// # Errors
/// Those of [`evaluate`].
pub fn evaluate_in_steps(
    evaluation: &Evaluation,
    (folder, table): (&Path, Option<&Path>),
    context: &Context,
    interim: &dyn Fn(&Evaluated),
) -> Result<Evaluated, StudyError> {
    let keep = |table: Option<&Path>| Keep {
        records: None,
        table: table.map(Path::to_owned),
        resume: Some(folder.to_owned()),
    };
    if let Plan::Games {
        until: GamesGoal::Games(all),
        max_pieces,
    } = evaluation.plan
    {
        let mut games = FIRST;
        while games < all {
            let until = GamesGoal::Games(games);
            let step = Evaluation {
                plan: Plan::Games { until, max_pieces },
                ..evaluation.clone()
            };
            let known = evaluate(&step, &keep(None), context)?;
            if known.interrupted {
                return Ok(known);
            }
            interim(&known);
            games += games.div_ceil(2);
        }
    }
    evaluate(evaluation, &keep(table), context)
}

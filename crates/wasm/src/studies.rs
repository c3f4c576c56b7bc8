//! Studies of a page: they run to their end in one call, and report events along the way. A page
//! stops a study by ending its worker.

use crate::door::PlannedRun;
use crate::report;
use serde_json::{Value, json};
use tetrolab::arena::Arena;
use tetrolab::context::Context;
use tetrolab::library::GivenFiles;
use tetrolab::study::{Evaluated, Evaluation, GamesGoal, Keep, Plan, evaluate as whole};
use tetrolab::study::{StudyError, learn_in_memory};
use tetrolab_web::command;
use tetrolab_web::pages::{ComparisonRequest, event_kind};

/// Maximum numbers of players in an evaluation, and of games per player, because a page plays on
/// one thread.
const MOST: (usize, u64) = (12, 100_000);
/// Number of games per player before the first table.
const FIRST: u64 = 20;

/// A study on this thread, whose events go to the page.
fn context() -> Result<Context, String> {
    let arena = Arena::new(1).map_err(|error| error.to_string())?;
    Ok(Context::new(&arena).observer(|event| {
        let data = json!(event);
        tell(event_kind(&data).0, &data);
    }))
}

fn tell(kind: &str, data: &Value) {
    report(&json!({ "event": kind, "data": data }).to_string());
}

/// Compares players.
pub(crate) fn evaluate(request: ComparisonRequest, given: GivenFiles) -> Result<Value, String> {
    let evaluation = request.evaluation(MOST, &given)?;
    let command = command::evaluation(&evaluation);
    let seed = evaluation.seed.to_string();
    let about = json!({ "evaluation": evaluation, "seed": seed, "command": command });
    tell("about", &about);
    let context = context()?.names_only(given);
    let evaluated = in_steps(&evaluation, &context).map_err(|error| error.to_string())?;
    Ok(json!({ "evaluated": evaluated, "plots": [] }))
}

/// Evaluates, and reports results after 20 games, after twice as many, and so on. There are no
/// files in which games could be stored, so each step replays the games of earlier steps: twice as
/// many games in total.
fn in_steps(evaluation: &Evaluation, context: &Context) -> Result<Evaluated, StudyError> {
    let Plan::Games {
        until: GamesGoal::Games(all),
        max_pieces,
    } = evaluation.plan
    else {
        return whole(evaluation, &Keep::nothing(), context);
    };
    let mut games = FIRST;
    while games < all {
        let until = GamesGoal::Games(games);
        let step = Evaluation {
            plan: Plan::Games { until, max_pieces },
            ..evaluation.clone()
        };
        tell("interim", &json!(whole(&step, &Keep::nothing(), context)?));
        games *= 2;
    }
    whole(evaluation, &Keep::nothing(), context)
}

/// Learns a player.
pub(crate) fn learn(planned: &PlannedRun) -> Result<Value, String> {
    let names = (planned.name.as_str(), planned.command.as_str());
    let learned = learn_in_memory(&planned.task.plan, names, &context()?);
    let learned = learned.map_err(|error| error.to_string())?;
    Ok(json!({
        "run": planned.name,
        "player": learned.player,
        "games": learned.result.games,
        "pieces": learned.result.pieces,
        "seconds": learned.result.seconds,
        "ended": learned.result.ended,
    }))
}

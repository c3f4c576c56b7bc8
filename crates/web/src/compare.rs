//! Comparisons: players play the same games, and their means become known while they play.

use crate::app::App;
use crate::body::JsonBody;
use crate::error::Refusal;
use crate::runs::players_of;
use crate::studies::Studies;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use tetrolab::context::Context;
use tetrolab::draw::plot::Plot;
use tetrolab::learning::RunFolder;
use tetrolab::library::{FileSource, GivenFiles};
use tetrolab::report::scores;
use tetrolab::study::{Evaluated, Evaluation, GamesGoal, Plan, evaluate_in_steps};

/// Games of all players together.
const MOST_GAMES: u64 = 2_000_000;

/// What a page asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ComparisonRequest {
    players: Vec<String>,
    ruleset: String,
    games: u64,
    #[serde(default)]
    max_pieces: Option<u64>,
    #[serde(default = "one")]
    seed: u64,
}

fn one() -> u64 {
    1
}

impl ComparisonRequest {
    /// The evaluation, and the players of runs in it.
    fn evaluation(self, app: &App) -> Result<(Evaluation, GivenFiles), Refusal> {
        let (players, games) = (self.players.len(), self.games);
        let limits = app.limits;
        if players == 0 || players > limits.players {
            let most = limits.players;
            return Err(Refusal::wrong(format!(
                "expected 1 to {most} players, found {players}"
            )));
        }
        let total = games.saturating_mul(players as u64);
        if games == 0 || games > limits.games || total > MOST_GAMES {
            let most = limits.games;
            return Err(Refusal::wrong(format!(
                "expected 1 to {most} games, and at most {MOST_GAMES} of all players together; found {games}"
            )));
        }
        let mut names = self.players.clone();
        names.sort();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Refusal::wrong(format!(
                "player {} is listed twice",
                pair[0]
            )));
        }
        let (until, max_pieces) = (GamesGoal::Games(games), self.max_pieces);
        let evaluation = Evaluation {
            players: self.players,
            ruleset: self.ruleset,
            plan: Plan::Games { until, max_pieces },
            seed: self.seed,
        };
        let given = players_of(app, evaluation.players.iter().map(String::as_str))?;
        let library = FileSource::Given(&given);
        evaluation.check(library).map_err(Refusal::wrong)?;
        Ok((evaluation, given))
    }
}

/// Starts a comparison. A comparison that was stopped, and is started again, continues.
pub(crate) async fn start(
    State(app): State<Arc<App>>,
    JsonBody(request): JsonBody<ComparisonRequest>,
) -> Result<Json<Value>, Refusal> {
    let (evaluation, given) = request.evaluation(&app)?;
    let command = app.commands.evaluation(&evaluation);
    let folder = RunFolder::named(&app.lab.join("compare"), "games", &command);
    let about = json!({ "evaluation": evaluation, "command": command });
    if let Some(study) = app.studies.running("evaluation", &folder.id) {
        return Ok(Json(json!({ "study": study.id, "command": command })));
    }
    let path = folder.path();
    let work = move |context: &Context, study: &Arc<crate::studies::Study>| {
        let interim = |known: &Evaluated| study.report("interim", &json!(known), true);
        let table = path.join("games.csv");
        let done = evaluate_in_steps(&evaluation, (&path, Some(&table)), context, &interim);
        let done = done.map_err(|error| error.to_string())?;
        let plots = plots(&table);
        if !done.interrupted {
            // The result is complete: it can be had again by its command.
            let _ = std::fs::remove_dir_all(&path);
        }
        Ok(json!({ "evaluated": done, "plots": plots }))
    };
    let study = Studies::start(&app, ("evaluation", folder.id, about), given, work)?;
    Ok(Json(json!({ "study": study.id, "command": command })))
}

/// The survival curves of all players, and a histogram of each with the exponential fit.
fn plots(table: &Path) -> Vec<Value> {
    let Ok(text) = std::fs::read_to_string(table) else {
        return Vec::new();
    };
    let Ok(players) = scores::from_csv(&text) else {
        return Vec::new();
    };
    let all = Plot::Survival(scores::survival_plot(&players));
    let histograms = players.iter().filter_map(|player| player.histogram().ok());
    let plots = std::iter::once(all).chain(histograms.map(Plot::Histogram));
    let svg = |plot: Plot| plot.inline_svg().ok().map(|svg| json!(svg));
    plots.filter_map(svg).collect()
}

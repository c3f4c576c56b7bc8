//! Comparisons requested by a page, and the plots of their games.

use serde::Deserialize;
use serde_json::{Value, json};
use tetrolab::draw::plot::Plot;
use tetrolab::library::{FileSource, GivenFiles};
use tetrolab::report::scores::{self, PlayerScores};
use tetrolab::study::{Evaluation, GamesGoal, Plan};

/// Games of all players together.
const MOST_GAMES: u64 = 2_000_000;

/// A page's request for a comparison.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparisonRequest {
    /// The players.
    pub players: Vec<String>,
    ruleset: String,
    games: u64,
    #[serde(default)]
    max_pieces: Option<u64>,
    #[serde(default = "one", deserialize_with = "tetrolab::session::seed")]
    seed: u64,
}

fn one() -> u64 {
    1
}

impl ComparisonRequest {
    /// The evaluation, with at most this many players and games per player; learned players are
    /// among the given texts.
    ///
    /// # Errors
    /// If there are too many of something, or a part is invalid.
    pub fn evaluation(
        self,
        (most_players, most_games): (usize, u64),
        given: &GivenFiles,
    ) -> Result<Evaluation, String> {
        let (players, games) = (self.players.len(), self.games);
        if players == 0 || players > most_players {
            return Err(format!(
                "expected 1 to {most_players} players, found {players}"
            ));
        }
        let total = games.saturating_mul(players as u64);
        if games == 0 || games > most_games || total > MOST_GAMES {
            return Err(format!(
                "expected 1 to {most_games} games, and at most {MOST_GAMES} of all players \
                 together; found {games}"
            ));
        }
        let mut names = self.players.clone();
        names.sort();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("player {} is listed twice", pair[0]));
        }
        let (until, max_pieces) = (GamesGoal::Games(games), self.max_pieces);
        let evaluation = Evaluation {
            players: self.players,
            ruleset: self.ruleset,
            plan: Plan::Games { until, max_pieces },
            seed: self.seed,
        };
        let checked = evaluation.check(FileSource::Given(given));
        checked.map_err(|error| error.to_string())?;
        Ok(evaluation)
    }
}

/// The survival curves of all players, and a histogram of each with the exponential fit, as SVG.
#[must_use]
pub fn score_plots(players: &[PlayerScores]) -> Vec<Value> {
    let all = Plot::Survival(scores::survival_plot(players));
    let histograms = players.iter().filter_map(|player| player.histogram().ok());
    let plots = std::iter::once(all).chain(histograms.map(Plot::Histogram));
    let svg = |plot: Plot| plot.inline_svg().ok().map(|svg| json!(svg));
    plots.filter_map(svg).collect()
}

//! Scores of games, from the table that an evaluation writes (one line per game), as plots.

use super::csv::CsvTable;
use super::error::{ReportError, fail};
use super::show;
use crate::draw::plot::{Histogram, PlotTitle, SurvivalCurve, SurvivalPlot};
use crate::stats::censored::{CapCheck, lower_bound};
use crate::stats::{Estimate, Interval, Observation};

/// The quantity of a score.
const LABEL: &str = "lines of a game";

/// Number of pieces that fill a 10x20 board. A table of games does not contain the board, so caps
/// are judged too strictly on a smaller board.
const CAPACITY: f64 = 50.0;

/// The games of one player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerScores {
    /// The player.
    pub player: String,
    /// Lines of each game, and whether it ended by itself.
    pub games: Vec<Observation>,
    /// Pieces of each game; empty if the table has no such column.
    pub pieces: Vec<Observation>,
}

/// The games of all players in a table of games.
///
/// # Errors
/// If a column is missing or a cell is invalid.
pub fn from_csv(text: &str) -> Result<Vec<PlayerScores>, ReportError> {
    let table = CsvTable::parse(text)?;
    let columns = ["player", "lines", "finished"].map(|name| table.column(name));
    let columns = columns.into_iter().collect::<Result<Vec<_>, _>>()?;
    let pieces_column = table.column("pieces").ok();
    let mut players: Vec<PlayerScores> = Vec::new();
    for (line, cells) in &table.rows {
        let [player, lines, finished] = [0, 1, 2].map(|index| &*cells[columns[index]]);
        let (Ok(value), Ok(finished)) = (lines.parse(), finished.parse()) else {
            fail!("line {line} is not a game: '{lines}' lines, finished '{finished}'");
        };
        let known = players.iter().position(|known| known.player == player);
        let known = known.unwrap_or_else(|| {
            players.push(PlayerScores {
                player: player.to_owned(),
                ..PlayerScores::default()
            });
            players.len() - 1
        });
        players[known].games.push(Observation { value, finished });
        if let Some(pieces) = pieces_column.map(|at| &cells[at]) {
            let Ok(value) = pieces.parse() else {
                fail!("line {line} is not a game: '{pieces}' pieces");
            };
            players[known].pieces.push(Observation { value, finished });
        }
    }
    if players.is_empty() {
        fail!("expected one line per game, found none");
    }
    Ok(players)
}

impl PlayerScores {
    /// The mean and its interval; only a lower bound if games were truncated so early that the mean
    /// would be too high.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        let estimate = Estimate::of(&self.games)?;
        let is_short = self.truncated() > 0 && CapCheck::of(&self.pieces, CAPACITY).is_short();
        if !is_short {
            return Some(estimate);
        }
        Some(Estimate {
            mean: None,
            ci95: Interval {
                lo: lower_bound(&self.games)?,
                hi: None,
            },
            ..estimate
        })
    }

    fn truncated(&self) -> usize {
        self.games.iter().filter(|game| !game.finished).count()
    }

    /// A sentence about the games.
    fn note(&self) -> String {
        let games = self.games.len();
        match self.truncated() {
            0 => format!("{games} games"),
            cut => format!("{games} games, {cut} of them truncated"),
        }
    }

    /// The histogram of the games with the exponential distribution of the estimated mean. If games
    /// were truncated, the distribution is omitted, because the histogram does not show final
    /// scores.
    ///
    /// # Errors
    /// If there are no games.
    pub fn histogram(&self) -> Result<Histogram, ReportError> {
        let title = PlotTitle::new(format!("Scores of {}", self.player), self.note());
        let scores: Vec<f64> = self.games.iter().map(|game| game.value as f64).collect();
        let Some(mut histogram) = Histogram::of_scores(title, LABEL, &scores) else {
            fail!("{} has no games", self.player);
        };
        if self.truncated() > 0 {
            histogram.fit = None;
        }
        Ok(histogram)
    }
}

/// The survival curves of players, each with the exponential distribution of the same mean.
#[must_use]
pub fn survival_plot(players: &[PlayerScores]) -> SurvivalPlot {
    let curve = |player: &PlayerScores| SurvivalCurve {
        fit: player.estimate().and_then(|estimate| estimate.mean),
        ..SurvivalCurve::of_games(&player.player, &player.games)
    };
    let note = match players {
        [only] => only.note(),
        _ => "a straight line is an exponential distribution".to_owned(),
    };
    SurvivalPlot {
        title: PlotTitle::new("Share of games that reach a score", note),
        label: LABEL.to_owned(),
        curves: players.iter().map(curve).collect(),
    }
}

/// A mean with its interval as text.
pub(super) fn mean_in_words(estimate: &Estimate) -> (String, String) {
    let mean = estimate.mean.map_or("unknown".to_owned(), show);
    (mean, super::show_interval(&estimate.ci95))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSV: &str = "player,game,seed,lines,pieces,line_points,points,finished
bcts,1,11,100,260,5,,true
\"a(b,c)\",1,11,7,20,5,,false
bcts,2,12,300,760,5,,true
";

    #[test]
    fn games_that_were_truncated_early_give_a_lower_bound_only() {
        let games = |pieces: u64| {
            let line = |k: u64| format!("a,{k},1,20,{pieces},0,,{}\n", k == 1);
            let head = "player,game,seed,lines,pieces,line_points,points,finished\n";
            let lines: String = (1..=100).map(line).collect();
            let players = from_csv(&[head, &lines].concat()).unwrap();
            players[0].estimate().unwrap()
        };
        let early = games(60);
        assert_eq!((early.mean, early.ci95.hi), (None, None));
        assert!(games(60_000).mean.is_some());
    }

    #[test]
    fn games_are_read_player_by_player() {
        let players = from_csv(CSV).unwrap();
        assert_eq!(players.len(), 2);
        let expected = [Observation::finished(100), Observation::finished(300)];
        assert_eq!(players[0].games, expected);
        assert_eq!(players[1].player, "a(b,c)");
        assert_eq!(players[0].histogram().unwrap().fit, Some(200.0));
        assert_eq!(players[1].histogram().unwrap().fit, None);
        let curves = survival_plot(&players).curves;
        assert_eq!(curves[0].points, [(0.0, 1.0), (100.0, 0.5), (300.0, 0.0)]);
        assert_eq!((curves[0].fit, curves[1].fit), (Some(200.0), None));
    }

    #[test]
    fn wrong_tables_are_told() {
        let error = |text: &str| from_csv(text).unwrap_err().to_string();
        assert_eq!(error("a\n"), "there is no column 'player'");
        assert_eq!(
            error("player,lines,finished\n"),
            "expected one line per game, found none"
        );
        assert_eq!(
            error("player,lines,finished\nx,many,true\n"),
            "line 2 is not a game: 'many' lines, finished 'true'"
        );
    }
}

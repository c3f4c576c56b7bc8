//! Pages of tables of games.

use super::{plot, program, section, text};
use crate::draw::plot::Plot;
use crate::report::error::ReportError;
use crate::report::page::{Block, Page, PageCell, PageColumn, PageTable, Section};
use crate::report::scores::{PlayerScores, mean_in_words, survival_plot};
use crate::report::{show_optional, thousands};

/// The maximum number of players whose histograms are drawn.
const MOST: usize = 8;

/// The page of a table with one line per game.
///
/// # Errors
/// If a player has no games.
pub fn games_page(title: &str, players: &[PlayerScores]) -> Result<Page, ReportError> {
    let mut sections = vec![section("Means", vec![Block::Table(means(players))])];
    sections.push(score_section(players, None)?);
    Ok(Page {
        title: title.to_owned(),
        question: "How are the scores of these games distributed?".to_owned(),
        sections,
        provenance: vec![program()],
    })
}

/// The distribution of scores: histograms, and survival curves of all players together.
pub(super) fn score_section(
    players: &[PlayerScores],
    command: Option<&str>,
) -> Result<Section, ReportError> {
    let mut blocks = Vec::new();
    for (index, player) in players.iter().take(MOST).enumerate() {
        if index == 0 {
            blocks.push(text(
                "If every piece ends a game with the same probability, scores are distributed \
                 exponentially: the dashed line, drawn where no game was truncated. Most players come \
                 close to it.",
            ));
        }
        let caption = format!("Scores of {}", player.player);
        let histogram = Plot::Histogram(player.histogram()?);
        blocks.push(plot(&caption, histogram, command));
    }
    blocks.push(text(
        "The same games on a logarithmic axis, where an exponential distribution is a straight line. This plot shows the largest games best.",
    ));
    let caption = "Share of games that reach more than a score";
    blocks.push(plot(
        caption,
        Plot::Survival(survival_plot(players)),
        command,
    ));
    Ok(section("Distribution of scores", blocks))
}

fn means(players: &[PlayerScores]) -> PageTable {
    let row = |player: &PlayerScores| {
        let estimate = player.estimate();
        let (mean, interval) = estimate.as_ref().map(mean_in_words).unwrap_or_default();
        let lost = player.games.iter().filter(|game| game.finished).count();
        let largest = player.games.iter().map(|game| game.value).max();
        let count = |count: usize| thousands(count as u64);
        vec![
            PageCell::new(format!("`{}`", player.player)),
            PageCell::new(mean).detail(format!("95 %: {interval}")),
            PageCell::new(show_optional(estimate.and_then(|estimate| estimate.median))),
            PageCell::new(largest.map_or("?".to_owned(), thousands)),
            PageCell::new(format!("{} of {}", count(lost), count(player.games.len()))),
        ]
    };
    PageTable {
        caption: "Lines of a game: the mean with its 95 % interval, the median and the largest \
                  game. Where games were truncated, the mean is their total over the number of \
                  losses, or only a lower bound if they were truncated early."
            .to_owned(),
        columns: vec![
            PageColumn::text("player"),
            PageColumn::number("mean lines"),
            PageColumn::number("median"),
            PageColumn::number("largest game"),
            PageColumn::number("games lost"),
        ],
        rows: players.iter().map(row).collect(),
    }
}

//! Pages of players.

use super::games::score_section;
use super::{plot, program, section, text};
use crate::draw::plot::{LinePanel, LineSeries, PanelPlot, Plot, PlotAxis, PlotScale, PlotTitle};
use crate::formats::games;
use crate::library::PlayerFile;
use crate::report::error::{At, ReportError};
use crate::report::page::{Block, Page, PageCell, PageColumn, PageTable, Provenance, Section};
use crate::report::scores::{PlayerScores, mean_in_words};
use crate::session::RiskMeter;
use tetrolab_core::features::{Feature, feature_set};
use tetrolab_core::game::Game;

/// The maximum number of pieces whose features are drawn.
const MOST: usize = 400;
/// The maximum number of features drawn.
const MOST_FEATURES: usize = 8;

/// The data of a player's page.
pub struct PlayerReport<'a> {
    /// The player as given.
    pub name: &'a str,
    /// The player's file, if it has one.
    pub file: Option<&'a PlayerFile>,
    /// The name of the ruleset.
    pub ruleset: &'a str,
    /// The player's games.
    pub scores: &'a PlayerScores,
    /// The command that plays the games.
    pub command: &'a str,
    /// The record of one game, as a line of a file.
    pub record: &'a str,
    /// The player's risk of losing, if it could be learned.
    pub risk: Option<&'a RiskMeter>,
}

/// The page of a player: its weights, its scores, and one game with features and risk.
///
/// # Errors
/// If there are no games, or the record is invalid.
pub fn player_page(of: &PlayerReport<'_>) -> Result<Page, ReportError> {
    let mut sections = Vec::new();
    sections.extend(of.file.and_then(weights));
    sections.push(scores(of)?);
    sections.push(one_game(of)?);
    let mut provenance = vec![Provenance::new("ruleset", of.ruleset)];
    if let Some(file) = of.file {
        provenance.push(Provenance::new("source", &file.source));
        let made = file.provenance.as_deref();
        provenance.extend(made.map(|made| Provenance::command("learned by", made)));
    }
    provenance.push(program());
    provenance.push(Provenance::command("games", of.command));
    let about = of.file.map_or("", |file| &file.title);
    Ok(Page {
        title: format!("The player {}", of.name),
        question: if about.is_empty() {
            "What are this player's weights, and how does it play?".to_owned()
        } else {
            about.to_owned()
        },
        sections,
        provenance,
    })
}

/// The features and their weights.
fn weights(file: &PlayerFile) -> Option<Section> {
    let row = |(feature, numbers): (&'static str, &[f64])| {
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        let definition = tetrolab_core::features::feature(feature);
        let definition = definition.map_or("", |feature| feature.definition);
        vec![
            PageCell::new(format!("`{feature}`")),
            PageCell::new(numbers.join(" ")),
            PageCell::new(definition),
        ]
    };
    let rows: Vec<Vec<PageCell>> = file.weights().map(row).collect();
    if rows.is_empty() {
        return None;
    }
    let table = PageTable {
        caption: format!("The weights of its {} evaluator.", file.form()),
        columns: vec![
            PageColumn::text("feature"),
            PageColumn::number("weight"),
            PageColumn::text("definition"),
        ],
        rows,
    };
    let mut blocks = vec![Block::Table(table)];
    blocks.extend(file.note.iter().map(|note| text(note.as_str())));
    Some(section("Features and weights", blocks))
}

fn scores(of: &PlayerReport<'_>) -> Result<Section, ReportError> {
    let scores = of.scores;
    let mut scored = score_section(std::slice::from_ref(scores), Some(of.command))?;
    if let Some(estimate) = scores.estimate() {
        let (mean, interval) = mean_in_words(&estimate);
        let on_average = match estimate.mean {
            Some(_) => format!("{mean} lines on average (95 % interval: {interval})"),
            None => format!("{interval} lines on average"),
        };
        let words = format!(
            "`{}` clears {on_average} in {} games on {}.",
            of.name,
            scores.games.len(),
            of.ruleset
        );
        scored.blocks.insert(0, text(words));
    }
    Ok(scored)
}

/// A game to replay, with its features and the risk of losing over time.
fn one_game(of: &PlayerReport<'_>) -> Result<Section, ReportError> {
    let mut blocks = vec![Block::Replay {
        caption: format!("A game of {}.", of.name),
        record: of.record.to_owned(),
    }];
    let (plot_of_game, from) = over_time(of)?;
    blocks.push(text(format!(
        "Features of the board after each placement, from piece {from} to the end of the record: \
         how the stack grows and shrinks.{}",
        if of.risk.is_some() {
            " The last panel is the learned risk of losing before the stack returns to normal."
        } else {
            ""
        }
    )));
    let caption = "Features over time";
    blocks.push(plot(caption, Plot::Panels(plot_of_game), Some(of.command)));
    Ok(section("One game", blocks))
}

/// The features of a player with a single value, or those of a classic set.
fn drawn_features(file: Option<&PlayerFile>) -> Vec<&'static Feature> {
    let own = file.map_or(Vec::new(), |file| file.features.clone());
    let single = own.into_iter().filter(|feature| !feature.is_vector());
    let single: Vec<&'static Feature> = single.take(MOST_FEATURES).collect();
    if single.is_empty() {
        let classic = feature_set("near-perfect").map(|set| set.resolve());
        return classic.unwrap_or_default();
    }
    single
}

/// Features and risk of the last pieces of the record, and the first of these pieces.
fn over_time(of: &PlayerReport<'_>) -> Result<(PanelPlot, usize), ReportError> {
    let record = games::parse(of.record).at("the record")?;
    let ruleset = games::ruleset(&record).at("the record")?;
    let features = drawn_features(of.file);
    let board = record.start.unwrap_or_else(|| ruleset.empty_board());
    let mut game = Game::on_board(&ruleset, board, record.seed, None);
    let from = record.placements.len().saturating_sub(MOST);
    let mut lines: Vec<Vec<(f64, f64)>> = vec![Vec::new(); features.len()];
    let mut risks = Vec::new();
    for (index, short) in record.placements.iter().enumerate() {
        let placement = short.on(game.board()).at("the record")?;
        let transition = game.apply(placement);
        if index < from {
            continue;
        }
        let number = (index + 1) as f64;
        for (line, feature) in lines.iter_mut().zip(&features) {
            line.push((number, feature.values(&transition)[0]));
        }
        let risk = of.risk.and_then(|meter| meter.risk(&transition.after));
        risks.extend(risk.map(|risk| (number, risk)));
    }
    let panel = |name: &str, scale, points| LinePanel {
        y: PlotAxis::new(name).scaled(scale),
        series: vec![LineSeries {
            name: name.to_owned(),
            points,
        }],
    };
    let named = features.iter().zip(lines);
    let named = named.map(|(feature, line)| panel(feature.id, PlotScale::Linear, line));
    let mut panels: Vec<LinePanel> = named.collect();
    if let Some(meter) = of.risk.filter(|_| !risks.is_empty()) {
        panels.push(panel(meter.unit(), PlotScale::Log, risks));
    }
    let title = PlotTitle::new("Features over time", format!("a game of {}", of.name));
    let x = PlotAxis::new("piece");
    Ok((PanelPlot { title, x, panels }, from + 1))
}

//! Pages of evaluations.

use super::{plot, program, section, text};
use crate::draw::plot::{
    BarPlot, BarRow, DotPlot, DotRow, Plot, PlotAxis, PlotDot, PlotScale, PlotTitle,
};
use crate::report::error::{At, ReportError, fail};
use crate::report::page::{
    BadgeClass, Block, Page, PageCell, PageColumn, PageTable, Provenance, Section,
};
use crate::report::{percent, show, show_interval, show_optional, thousands};
use crate::stats::Interval;
use crate::study::{Evaluated, PairResult, PlayerResult};
use crate::survival::{LevelKind, danger_chance, times_empty};
use serde_json::Value;

/// The page of an evaluation, from its result as JSON with the command of each player.
///
/// # Errors
/// If it is not the result of an evaluation, or has no players.
pub fn evaluation_page(json: &Value) -> Result<Page, ReportError> {
    let evaluated: Evaluated =
        serde_json::from_value(json.clone()).at("this is not the result of an evaluation")?;
    let Some(first) = evaluated.results.first() else {
        fail!("the evaluation has no results");
    };
    let commands = commands(json);
    let names: Vec<&str> = evaluated.results.iter().map(|one| &*one.player).collect();
    let title = format!("{} on {}", names.join(", "), first.ruleset);
    let mut provenance = vec![
        Provenance::new("ruleset", &first.ruleset),
        Provenance::new("seed", first.seed.to_string()),
        program(),
    ];
    let named = names.iter().zip(&commands);
    provenance.extend(
        named.filter_map(|(name, command)| Some(Provenance::command(*name, command.as_deref()?))),
    );
    Ok(Page {
        title,
        question:
            "How many lines do these players clear on average, and how precise are these means?"
                .to_owned(),
        sections: evaluation_sections(&evaluated, &commands),
        provenance,
    })
}

/// The command of each result.
pub(super) fn commands(json: &Value) -> Vec<Option<String>> {
    let results = json["results"].as_array().into_iter().flatten();
    let command = |result: &Value| result["command"].as_str().map(str::to_owned);
    results.map(command).collect()
}

/// The sections of an evaluation: means, comparisons, levels, notes.
pub(super) fn evaluation_sections(
    evaluated: &Evaluated,
    commands: &[Option<String>],
) -> Vec<Section> {
    let mut blocks = vec![Block::Table(means(&evaluated.results, commands))];
    if evaluated.results.len() > 1 {
        blocks.push(text(
            "The same means with their 95 % intervals. Overlapping intervals do not mean that two players are equally good: players that played the same games are compared below.",
        ));
        let caption = "Mean lines with 95 % intervals";
        blocks.push(plot(
            caption,
            Plot::Dots(mean_dots(&evaluated.results)),
            None,
        ));
    }
    blocks.extend(notes(evaluated));
    let mut sections = vec![section("Means", blocks)];
    if !evaluated.comparisons.is_empty() {
        let table = pairs(&evaluated.comparisons);
        sections.push(section("On the same games", vec![Block::Table(table)]));
    }
    for result in &evaluated.results {
        if let Some(bars) = levels(result) {
            let heading = format!("How {} loses", result.player);
            let words = "Splitting follows a stack from level to level. Each bar shows how many pieces pass, on average, before a stack reaches that level for the first time after a normal state.";
            let caption = "Rarity of the levels on the way to the end of a game";
            let blocks = vec![text(words), plot(caption, Plot::Bars(bars), None)];
            sections.push(section(&heading, blocks));
        }
    }
    sections
}

fn means(results: &[PlayerResult], commands: &[Option<String>]) -> PageTable {
    let row = |(index, result): (usize, &PlayerResult)| {
        let lines = &result.lines;
        let interval = lines.ci95.as_ref().map_or(String::new(), interval);
        let mut mean = PageCell::new(show_optional(lines.mean)).detail(interval);
        mean.command = commands.get(index).cloned().flatten();
        let played = match &result.splitting {
            Some(found) => format!("{} repetitions of splitting", found.repetitions),
            None => format!(
                "{} of {} games lost",
                thousands(result.finished),
                thousands(result.games)
            ),
        };
        vec![
            PageCell::new(format!("`{}`", result.player)),
            mean,
            PageCell::new(show_optional(lines.median)),
            PageCell::new(show_optional(lines.sd)),
            PageCell::new(lines.max.map_or("?".to_owned(), thousands)),
            PageCell::new(played),
            PageCell::new(show(result.decisions_per_second)),
        ]
    };
    PageTable {
        caption: "Lines of a game: the mean with its 95 % interval, the median, the standard \
                  deviation and the largest game."
            .to_owned(),
        columns: vec![
            PageColumn::text("player"),
            PageColumn::number("mean lines"),
            PageColumn::number("median"),
            PageColumn::number("standard deviation"),
            PageColumn::number("largest game"),
            PageColumn::text("measured by"),
            PageColumn::number("pieces per second"),
        ],
        rows: results.iter().enumerate().map(row).collect(),
    }
}

fn interval(interval: &Interval) -> String {
    format!("95 %: {}", show_interval(interval))
}

/// The means as dots, best first.
fn mean_dots(results: &[PlayerResult]) -> DotPlot {
    let row = |result: &PlayerResult| {
        let mean = result.lines.mean?;
        let ends = result.lines.ci95.and_then(|ci95| Some([ci95.lo, ci95.hi?]));
        Some(DotRow {
            name: result.player.clone(),
            dots: vec![PlotDot {
                mean,
                interval: ends,
            }],
            references: Vec::new(),
            ..DotRow::default()
        })
    };
    let mut rows: Vec<DotRow> = results.iter().filter_map(row).collect();
    rows.sort_by(|a, b| b.dots[0].mean.total_cmp(&a.dots[0].mean));
    DotPlot {
        title: PlotTitle::new("Mean lines of a game", "with 95 % intervals"),
        x: PlotAxis::new("mean lines"),
        rows,
    }
}

/// Compares players with the first of them.
fn pairs(pairs: &[PairResult]) -> PageTable {
    let row = |pair: &PairResult| {
        let ratio = pair.ratio.as_ref();
        let value = ratio.map_or("?".to_owned(), |ratio| show(ratio.second_to_first));
        let detail = ratio.map_or(String::new(), |ratio| interval(&ratio.ci95));
        let class = match ratio.map(|ratio| ratio.ci95) {
            Some(ci95) if ci95.lo > 1.0 => BadgeClass::Higher,
            Some(ci95) if ci95.hi.is_some_and(|hi| hi < 1.0) => BadgeClass::Lower,
            _ => BadgeClass::Inconclusive,
        };
        let count = |count: usize| PageCell::new(thousands(count as u64));
        vec![
            PageCell::new(format!("`{}`", pair.second)),
            PageCell::new(value).detail(detail),
            PageCell::default().badge(class, ""),
            count(pair.second_wins),
            count(pair.first_wins),
            count(pair.ties),
        ]
    };
    let first = pairs.first().map_or("", |pair| &pair.first);
    PageTable {
        caption: format!("Each player against `{first}` on the games that all of them played."),
        columns: vec![
            PageColumn::text("player"),
            PageColumn::number("ratio of means"),
            PageColumn::text("verdict"),
            PageColumn::number("games won"),
            PageColumn::number("games lost"),
            PageColumn::number("equal"),
        ],
        rows: pairs.iter().map(row).collect(),
    }
}

/// Remarks, player by player.
fn notes(evaluated: &Evaluated) -> Vec<Block> {
    let mut notes = Vec::new();
    for result in &evaluated.results {
        let player = &result.player;
        let doubts = result.splitting.iter().flat_map(|found| &found.doubts);
        notes.extend(doubts.map(|doubt| text(format!("`{player}` is unreliable: {doubt}."))));
        let said = result.notes.iter();
        notes.extend(said.map(|note| text(format!("`{player}`: {}.", note.text))));
    }
    if evaluated.interrupted {
        notes.push(text(
            "The evaluation was interrupted before all games were played.",
        ));
    }
    notes
}

/// A plot of how rarely the levels of splitting are reached.
fn levels(result: &PlayerResult) -> Option<BarPlot> {
    let splitting = result.splitting.as_ref()?;
    let mut reached = splitting.entry_rate;
    let mut rows = Vec::new();
    for row in result.levels.iter().take_while(|row| row.successes > 0) {
        let name = match &splitting.level {
            LevelKind::Stack => format!("level {}", row.level),
            LevelKind::Danger => format!("danger {}", percent(danger_chance(row.level))),
            LevelKind::Own | LevelKind::Tables(_) => {
                format!("danger {:.1e} x empty", times_empty(row.level))
            }
        };
        rows.push(bar(
            name,
            reached,
            &format!(", {} continue", percent(row.chance)),
        ));
        reached *= row.chance;
    }
    if rows.is_empty() {
        return None;
    }
    if result.rate.is_some_and(|rate| rate > 0.0) {
        rows.push(bar("end of the game".to_owned(), reached, ""));
    }
    Some(BarPlot {
        title: PlotTitle::new(
            format!("Levels of {}", result.player),
            "mean number of pieces between visits, and the share that reaches the next level",
        ),
        x: PlotAxis::new("pieces between two such boards").scaled(PlotScale::Log),
        rows,
    })
}

fn bar(name: String, rate: f64, more: &str) -> BarRow {
    let value = 1.0 / rate;
    let note = format!("once in {}{more}", show(value));
    BarRow { name, value, note }
}

//! The bot's view: its best placements, the features of the best one, and the danger of the board.

use super::pen::{Pen, shortened};
use crate::tui::app::App;
use ratatui::style::{Modifier, Style};
use tetrolab::analysis::{AnalysedPlacement, AnalysedPlayer, FeatureTerm};
use tetrolab::core::record::ShortPlacement;
use tetrolab::report::show;
use tetrolab::session::RiskReading;
use tetrolab::session::Session;

/// The panel, if it is enabled and fits.
pub(super) fn draw(app: &App, session: &Session, pen: &mut Pen<'_>) {
    let (Some(bot), true) = (session.bot(), app.shows_panel) else {
        return;
    };
    let Some(thoughts) = session.analysis().filter(|_| pen.rows_left() > 3) else {
        return;
    };
    let room = usize::from(pen.size().0).saturating_sub(8);
    pen.heading(&format!("{} thinks", shortened(&bot.short_name(), room)));
    placements(thoughts, session.recorded_placement(), pen);
    if let Some(best) = thoughts.placements.first().filter(|_| pen.size().0 >= 28) {
        features(best, pen);
    }
}

/// Draws the best placements: the score of the first, and differences from it for the others.
fn placements(thoughts: &AnalysedPlayer, played: Option<ShortPlacement>, pen: &mut Pen<'_>) {
    let best = thoughts.placements.first().and_then(|first| first.score);
    let faint = pen.faint();
    let mut was_played = false;
    for (place, rated) in thoughts.placements.iter().enumerate() {
        if pen.rows_left() == 0 {
            return;
        }
        let name = rated.step.short.to_string();
        let is_played = played == Some(rated.step.short);
        was_played |= is_played;
        let score = match (rated.score, best) {
            _ if rated.step.game_over => "loses".to_owned(),
            (Some(score), _) if place == 0 => signed(score),
            (Some(score), Some(best)) => signed(score - best),
            _ => "-".to_owned(),
        };
        if place == 1 && pen.rows_left() > 2 {
            pen.line("  vs. the best:", faint);
        }
        let row = pen.take_rows(1);
        let style = match place {
            0 => Style::new().add_modifier(Modifier::BOLD),
            _ => Style::new(),
        };
        let mark = if is_played { "*" } else { " " };
        let end = pen.text(1, row, &format!("{}{mark}{name:<6}", place + 1), style);
        let width = usize::from(pen.size().0.saturating_sub(end + 1)).min(10);
        let score_style = if place == 0 { style } else { faint };
        pen.text(end, row, &format!("{score:>width$}"), score_style);
    }
    if let Some(played) = played {
        let text = if was_played {
            "* was played".to_owned()
        } else {
            format!("{played} was played")
        };
        pen.line(&text, pen.alert());
    }
}

/// Draws the features of the best placement: values and contributions to the score.
fn features(best: &AnalysedPlacement, pen: &mut Pen<'_>) {
    if best.features.is_empty() || pen.rows_left() < 4 {
        return;
    }
    pen.heading("features of the best");
    let width = usize::from(pen.size().0);
    let faint = pen.faint();
    let room = usize::from(pen.rows_left());
    let (rows, left_out) = if best.features.len() > room {
        (room - 1, best.features.len() + 1 - room)
    } else {
        (best.features.len(), 0)
    };
    let texts = |term: &FeatureTerm| {
        let name = match term.index {
            Some(index) => format!("{}[{index}]", term.feature),
            None => term.feature.to_owned(),
        };
        let product = term.product.map(signed).unwrap_or_default();
        [name, signed(term.value), product]
    };
    let texts: Vec<[String; 3]> = best.features.iter().take(rows).map(texts).collect();
    // Numbers use as many columns as they need; names get the rest.
    let widest = |column: usize| {
        let lengths = texts.iter().map(|row| row[column].chars().count());
        lengths.max().unwrap_or(0) + 1
    };
    let (values, products) = (widest(1), widest(2));
    let names = width.saturating_sub(1 + values + products).min(24);
    for [name, value, product] in &texts {
        let row = pen.take_rows(1);
        let name = shortened(name, names);
        let end = pen.text(1, row, &format!("{name:<names$}"), faint);
        let end = pen.text(end, row, &format!("{value:>values$}"), Style::new());
        pen.text(end, row, &format!("{product:>products$}"), faint);
    }
    if left_out > 0 {
        pen.line(&format!("and {left_out} more"), faint);
    }
}

/// A signed number in few characters.
fn signed(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else {
        show(value)
    }
}

/// Draws the danger of the board for the bot, if known.
pub(super) fn danger(app: &App, session: &Session, pen: &mut Pen<'_>) {
    let Some(risk) = &app.risk else {
        return;
    };
    // The meter belongs to the first bot.
    let first = app.sessions().first();
    let is_first = first.is_some_and(|first| std::ptr::eq(first, session));
    if !is_first || pen.rows_left() < 3 {
        return;
    }
    pen.heading("danger");
    let faint = pen.faint();
    let game = session.game();
    let waiting = game.waiting_pieces();
    let known = waiting.first().copied().filter(|_| waiting.len() > 1);
    let meter = risk.meter();
    match meter.and_then(|meter| meter.reading(game.board(), known)) {
        Some(RiskReading { text, share }) => {
            pen.line(&text, Style::new());
            let width = usize::from(pen.size().0).saturating_sub(2).min(12);
            let filled = (share.clamp(0.0, 1.0) * width as f64).ceil() as usize;
            let row = pen.take_rows(1);
            let bar = Style::new().fg(pen.colours().danger(share));
            let end = pen.text(1, row, &"█".repeat(filled), bar);
            pen.text(end, row, &"░".repeat(width - filled), faint);
        }
        None => pen.line("learning ...", faint),
    }
}

//! Draws the screen into a buffer, without a terminal.

mod board;
mod help;
mod layout;
mod pen;
mod side;
mod thoughts;

use super::app::App;
use super::keys::Action;
pub(super) use help::pages as help_pages;
use layout::BoardLayout;
use pen::{Pen, shortened};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use tetrolab::core::game::Status;
use tetrolab::report::{show, show_count};
use tetrolab::session::{Dealer, Session};

/// The minimum size of the screen that can show a game.
const SMALLEST: (u16, u16) = (30, 12);
/// Width of the panel with numbers next to a board.
const SIDE: u16 = 15;
/// Width of the panel with the next pieces.
const NEXT: u16 = 10;
/// With at least this many columns next to the board, there are panels on both sides.
const BOTH_SIDES: u16 = 42;

/// Draws the current screen into a new buffer.
pub(crate) fn screen(app: &App, width: u16, height: u16) -> Buffer {
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    draw(app, area, &mut buffer);
    buffer
}

/// Draws the screen.
pub(crate) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let mut pen = Pen::new(buffer, area, app.colours);
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        let (width, height) = SMALLEST;
        let needed = format!("too small: {width}x{height} are needed");
        pen.line(&needed, Style::new());
        return;
    }
    if let Some(page) = app.help_page {
        help::draw(app, page, &mut pen);
        return;
    }
    title(app, &mut pen.part(0, 0, area.width, 1));
    status(app, &mut pen.part(0, area.height - 1, area.width, 1));
    let sessions = app.sessions();
    let width = area.width / sessions.len().max(1) as u16;
    for (index, session) in sessions.iter().enumerate() {
        let left = width * index as u16;
        let mut part = pen.part(left, 1, width, area.height - 2);
        draw_session(app, session, index, &mut part);
    }
}

fn title(app: &App, pen: &mut Pen<'_>) {
    let Some(session) = app.sessions().first() else {
        return;
    };
    let what = match session.recorded_player() {
        Some(player) => format!("a game of {player}"),
        None if session.begins_in_a_record() => "from a record".to_owned(),
        None => {
            let (game, seed) = (app.games.game_number(), app.games.seed());
            format!("seed {seed} · game {game}")
        }
    };
    let games = &app.games;
    let state = match () {
        () if app.editor.is_some() => "EDIT".to_owned(),
        () if games.is_over() && session.recorded_pieces().is_some() => "END".to_owned(),
        () if games.is_over() => "OVER".to_owned(),
        () if games.is_paused() => "PAUSED".to_owned(),
        () => format!("speed {}", games.speed()),
    };
    let heading = Style::new().fg(app.colours.heading());
    pen.text(1, 0, "tetrolab", heading.add_modifier(Modifier::BOLD));
    let rules = format!("{} · {what}", session.ruleset().name);
    let room = usize::from(pen.size().0).saturating_sub(13 + state.chars().count());
    pen.text(11, 0, &shortened(&rules, room), pen.faint());
    let alert = pen.alert().add_modifier(Modifier::BOLD);
    pen.text_right(0, &state, alert);
}

/// The last line: the latest message, or the keys.
fn status(app: &App, pen: &mut Pen<'_>) {
    let is_editing = app.editor.is_some();
    let waits = app.games.waits_for_piece();
    if let Some(message) = app.message().filter(|_| !is_editing && !waits) {
        pen.text(1, 0, message, pen.alert());
        return;
    }
    let keys = |action: Action| {
        let keys = app.settings.bindings.keys(action);
        keys.split(' ').next().unwrap_or_default().to_owned()
    };
    let session = app.sessions().first();
    let replayed = session.is_some_and(|session| session.recorded_pieces().is_some());
    let parts: Vec<String> = match () {
        () if is_editing => words(&[
            "arrows move",
            "enter done",
            "esc leave",
            "space cell",
            "f row",
            "g garbage",
            "del clear row",
            "c clear",
        ]),
        () if waits => vec![
            "choose the next piece: I O T Z S J L".to_owned(),
            format!("{} another source of pieces", keys(Action::Dealing)),
        ],
        () if replayed => words(&[
            "left right one piece",
            if app.is_running() {
                "space pauses"
            } else {
                "space plays"
            },
            "enter your game",
            "pgup pgdn ten",
            "home end",
            "? help",
        ]),
        () => {
            let is_over = app.games.is_over();
            let shown = if is_over { KEYS_AT_THE_END } else { USUAL_KEYS };
            let shown = shown.iter();
            shown
                .map(|(action, word)| format!("{} {word}", keys(*action)))
                .collect()
        }
    };
    let mut column = 1;
    for part in parts {
        // Items that do not fit completely are omitted.
        if column + part.chars().count() as u16 > pen.size().0 {
            break;
        }
        column = pen.text(column, 0, &(part + "  "), pen.faint());
    }
}

/// The keys shown in the last line, most important first.
const USUAL_KEYS: &[(Action, &str)] = &[
    (Action::Help, "help"),
    (Action::Quit, "quit"),
    (Action::Bot, "bot"),
    (Action::Hint, "hint"),
    (Action::Pause, "pause"),
    (Action::Undo, "undo"),
    (Action::Restart, "restart"),
    (Action::Edit, "edit"),
    (Action::Faster, "faster"),
    (Action::Step, "step"),
];

/// The keys shown when the game has ended.
const KEYS_AT_THE_END: &[(Action, &str)] = &[
    (Action::Restart, "the same game again"),
    (Action::NewGame, "another game"),
    (Action::Undo, "take back"),
    (Action::Save, "save"),
    (Action::Help, "help"),
    (Action::Quit, "quit"),
];

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn draw_session(app: &App, session: &Session, index: usize, pen: &mut Pen<'_>) {
    let (width, height) = pen.size();
    let editor = app.editor.as_ref().filter(|_| index == 0);
    let colours = app.colours;
    let layout = BoardLayout::fitting(
        session,
        editor,
        (width, height),
        app.sessions().len() == 1,
        colours.has_colours() && !colours.has_letters(),
    );
    let (board_width, board_height) = layout.size();
    let room = width.saturating_sub(board_width);
    let is_wide = room >= BOTH_SIDES;
    let board_left = if is_wide { SIDE + 1 } else { 1.min(room) };
    let top = (height - board_height) / 2;
    let mut part = pen.part(board_left, top, board_width, board_height);
    board::draw(app, session, editor, layout, &mut part);
    over(app, session, &mut part);
    let right = board_left + board_width + 1;
    // Next to a low board, the panels are higher than the board.
    let panel_top = top.min(height.saturating_sub(22));
    let panel_height = height - panel_top;
    if is_wide {
        let mut left = pen.part(0, panel_top, SIDE, panel_height);
        side::hold(session, &mut left);
        numbers(app, (session, index), &mut left);
        let next_width = match session.ruleset().preview {
            0 => 0,
            _ => NEXT,
        };
        side::next(
            session,
            &mut pen.part(right, panel_top, next_width, panel_height),
        );
        let rest = width.saturating_sub(right + next_width);
        let mut panel = pen.part(right + next_width, panel_top, rest, panel_height);
        thoughts::draw(app, session, &mut panel);
    } else if room > SIDE {
        let mut panel = pen.part(right, panel_top, width.saturating_sub(right), panel_height);
        side::hold(session, &mut panel);
        numbers(app, (session, index), &mut panel);
        side::next(session, &mut panel);
        thoughts::draw(app, session, &mut panel);
    }
}

/// Points, lines and other counters.
fn numbers(app: &App, (session, index): (&Session, usize), pen: &mut Pen<'_>) {
    let game = session.game();
    let (heading, who) = match (session.recorded_pieces(), session.bot()) {
        (Some(all), _) => ("piece", format!("{}/{all}", game.pieces())),
        (None, Some(bot)) if session.bot_plays() => ("plays", bot.short_name()),
        _ => ("plays", "you".to_owned()),
    };
    pen.heading(heading);
    pen.wrapped(&who, 3);
    let mut rows = Vec::new();
    if let Some(stepped) = game.stepped() {
        let tally = stepped.tally();
        if tally.points > 0 {
            rows.push(("points", show_count(tally.points)));
        }
        rows.push(("level", tally.level.to_string()));
        if tally.combo > 1 {
            rows.push(("combo", tally.combo.to_string()));
        }
    }
    rows.push(("lines", show_count(game.lines())));
    rows.push(("pieces", show_count(game.pieces())));
    if let Some(rate) = app.games.pieces_per_second(index) {
        rows.push(("per s", show(rate)));
    }
    let seconds = app.games.elapsed().as_secs();
    rows.push(("time", format!("{}:{:02}", seconds / 60, seconds % 60)));
    match session.dealing() {
        Dealer::Rules => (),
        Dealer::You => rows.push(("deals", "you".to_owned())),
        Dealer::Adversary => rows.push(("deals", "foe".to_owned())),
    }
    for (name, value) in rows {
        pen.pair(name, &value);
    }
    thoughts::danger(app, session, pen);
}

/// Draws the game-over notice on top of the board.
fn over(app: &App, session: &Session, pen: &mut Pen<'_>) {
    if session.is_playing() || app.editor.is_some() {
        return;
    }
    let text = match (session.recorded_pieces(), session.game().status()) {
        (Some(_), _) => " end of record ",
        (None, Status::OutOfPieces) => " no more pieces ",
        _ => " game over ",
    };
    let (width, height) = pen.size();
    let left = width.saturating_sub(text.chars().count() as u16) / 2;
    let modifiers = Modifier::REVERSED | Modifier::BOLD;
    let style = pen.alert().add_modifier(modifiers);
    pen.text(left, height / 2, text, style);
}

#[cfg(test)]
mod tests;

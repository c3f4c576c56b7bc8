//! Messages: actions in, state out. Servers and pages only forward their JSON.

use super::{
    Bot, Dealer, GroupSetup, KeyStroke, Lineup, RiskReading, Session, SessionError, SessionGroup,
    Speed, at_level, parse_speed,
};
use crate::analysis::AnalysedPlayer;
use crate::arena::check_player;
use crate::context::CancelToken;
use crate::formats::games::{parse, ruleset, to_json};
use crate::library::FileSource;
use crate::study::StudyError;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tetrolab_core::board::Board;
use tetrolab_core::game::Status;
use tetrolab_core::moves::Input;
use tetrolab_core::piece::Piece;
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::stepped::InputSettings;

/// The maximum number of pieces played for a message about elapsed time at full speed.
const PIECES_AT_FULL_SPEED: usize = 100;

/// The start of a session. Names are published ones or specs; no file is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SessionStart {
    /// The ruleset.
    pub ruleset: String,
    /// The initial level of a stepped game.
    pub level: Option<u32>,
    /// The bots, each on its own board; if a person or a record plays, the first one helps.
    pub players: Vec<String>,
    /// Whether a person plays on the first board.
    pub person: bool,
    /// A recorded game to watch, as JSON; it has its own rules.
    pub record: Option<String>,
    /// The seed of the series of games; in JSON a number, or its digits as a string.
    #[serde(deserialize_with = "crate::number::seed")]
    pub seed: u64,
    /// How keys repeat; `None` for the usual settings of the ruleset.
    pub keys: Option<KeyRepeat>,
}

/// How keys repeat while they are held, in ticks of a sixtieth of a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyRepeat {
    /// Ticks from a press of left or right until it repeats (DAS).
    pub delay: u16,
    /// Ticks between repetitions (ARR); 0 moves as far as possible.
    pub every: u16,
    /// Ticks between rows while down is held.
    pub down: u16,
}

impl From<KeyRepeat> for InputSettings {
    fn from(keys: KeyRepeat) -> InputSettings {
        InputSettings {
            shift_delay: keys.delay,
            shift_repeat: keys.every,
            down_repeat: keys.down,
        }
    }
}

impl Default for SessionStart {
    fn default() -> SessionStart {
        SessionStart {
            ruleset: "guideline".to_owned(),
            level: None,
            players: vec!["bcts".to_owned()],
            person: true,
            record: None,
            seed: 1,
            keys: None,
        }
    }
}

/// An action of a person, or elapsed time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SessionMessage {
    /// A key of the game.
    Key {
        /// The letter of the input in records: one of `lrcwhdDH`.
        input: char,
        /// Pressed or released.
        stroke: KeyStroke,
    },
    /// Time has passed.
    Time {
        /// The elapsed time in milliseconds.
        milliseconds: u64,
    },
    /// Pauses or resumes the games.
    Pause {
        /// Whether to pause the games.
        on: bool,
    },
    /// Sets the speed.
    Speed {
        /// A factor, or `full`.
        factor: String,
    },
    /// Hands the first game over to its bot, or to the person.
    Bot {
        /// Whether the bot plays.
        plays: bool,
    },
    /// Jumps to the position after this many pieces.
    GoTo {
        /// The pieces.
        pieces: u64,
    },
    /// Begins new games on a board.
    Edit {
        /// The lowest rows of the board, top row first, as `.` and `#`.
        rows: Vec<String>,
    },
    /// Sets the source of the pieces.
    Deal {
        /// The source.
        by: Dealer,
    },
    /// Chooses the piece for which a game waits.
    Piece {
        /// The letter of the piece.
        piece: char,
    },
    /// Plays one piece of a bot or a record.
    Step,
    /// Undoes a piece or an edit.
    Undo,
    /// Redoes an undone piece.
    Redo,
    /// Restarts the same games.
    Restart,
    /// Starts the next games of the series.
    NewGame,
    /// Shows the bot's suggestion for the first game.
    Hint,
    /// Adds the bots' best placements to the state, until the next piece.
    Analyse,
    /// Ends a record: the person continues its game.
    TakeOver,
}

/// The state of all boards, for drawing.
#[derive(Clone, Debug, Serialize)]
pub struct SessionState {
    /// Whether the games are paused.
    pub paused: bool,
    /// Whether all games have ended.
    pub over: bool,
    /// The speed: `x1`, `x1/4` or `full`.
    pub speed: String,
    /// The time that has passed in these games.
    pub seconds: f64,
    /// The number of the game in its series, starting at 1.
    pub game: u64,
    /// The boards.
    pub boards: Vec<BoardState>,
}

/// A drawn piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DrawnPiece {
    /// The letter of the piece.
    pub piece: char,
    /// The cells of the piece: row from the bottom, and column.
    pub cells: [(i32, i32); 4],
}

/// The state of one board.
#[derive(Clone, Debug, Serialize)]
pub struct BoardState {
    /// The ruleset.
    pub ruleset: String,
    /// The player: `you`, a bot, or the player of a record.
    pub player: String,
    /// All rows, top row first: letters of pieces, `#` for unknown ones, `.` for empty cells.
    pub rows: Vec<String>,
    /// Number of visible rows, counted from the bottom.
    pub visible_rows: usize,
    /// The falling piece.
    pub falling: Option<DrawnPiece>,
    /// Where the piece would land.
    pub ghost: Option<DrawnPiece>,
    /// The bot's suggestion, if requested.
    pub hint: Option<DrawnPiece>,
    /// The letters of the next pieces.
    pub queue: String,
    /// The held piece.
    pub hold: Option<char>,
    /// Lines so far.
    pub lines: u64,
    /// Pieces so far.
    pub pieces: u64,
    /// Pieces of the record, if one is watched.
    pub recorded_pieces: Option<usize>,
    /// The level of a stepped game.
    pub level: Option<u32>,
    /// The points of a stepped game.
    pub points: Option<u64>,
    /// Whether the game, or the record, is running.
    pub playing: bool,
    /// The source of the pieces.
    pub dealing: Dealer,
    /// Whether the game is waiting for a piece to be chosen.
    pub waits_for_piece: bool,
    /// Steps that can be undone; at full speed a step has several pieces.
    pub undo: usize,
    /// Steps that can be redone.
    pub redo: usize,
    /// The numbers of pieces at the earliest and the latest points that these steps can reach.
    pub moments: (u64, u64),
    /// Pieces per second, once they are known.
    pub pieces_per_second: Option<f64>,
    /// The risk of the board, for a bot whose tables estimate it.
    pub risk: Option<RiskReading>,
    /// The bot's best placements with their scores, if requested.
    pub analysis: Option<AnalysedPlayer>,
}

impl SessionStart {
    /// Begins the games.
    ///
    /// # Errors
    /// If a name is unknown, a player cannot play under the ruleset, or the record is invalid.
    pub fn open(&self) -> Result<SessionGroup, SessionError> {
        self.open_from(FileSource::NAMES, &CancelToken::new())
    }

    /// Starts the games with players and rulesets that may also come from the given texts. The
    /// token stops slow decisions and slow choices of pieces; the games are then invalid.
    ///
    /// # Errors
    /// If a name is unknown, a player cannot play under the ruleset, or the record is invalid.
    pub fn open_from(
        &self,
        source: FileSource<'_>,
        token: &CancelToken,
    ) -> Result<SessionGroup, SessionError> {
        let record = self.record.as_deref().map(parse).transpose()?;
        let rules = match (&record, self.level) {
            (Some(record), _) => ruleset(record)?,
            (None, None) => source.ruleset(&self.ruleset)?,
            (None, Some(level)) => at_level(&source.ruleset(&self.ruleset)?, level, source)?,
        };
        let rules = rules.heeding(&token.flag());
        let bot = |name: &String| {
            let player = source.player(name, &rules)?;
            check_player((name, &*player), &rules).map_err(StudyError::from)?;
            Ok::<Bot, SessionError>(Bot::new(name, player))
        };
        let mut bots = self
            .players
            .iter()
            .map(bot)
            .collect::<Result<Vec<_>, _>>()?;
        let lineup = if let Some(record) = record {
            record
                .replay(&rules, None)
                .map_err(|error| SessionError::Refused(format!("record: {error}")))?;
            check_most(&bots, 1, "a record is watched with at most one player")?;
            let bot = bots.pop().ok_or_else(SessionError::no_players)?;
            Lineup::Record {
                record: Box::new(record),
                bot,
            }
        } else if self.person {
            check_most(
                &bots,
                2,
                "a person plays with at most one helper and one opponent",
            )?;
            let opponent = (bots.len() > 1).then(|| (bots.remove(1), super::OpponentPace::Waits));
            let bot = bots.pop().ok_or_else(SessionError::no_players)?;
            Lineup::Person { bot, opponent }
        } else {
            Lineup::Bots(bots)
        };
        let mut group = SessionGroup::new(GroupSetup {
            ruleset: Arc::new(rules),
            lineup,
            seed: self.seed,
            speed: Speed::NORMAL,
            pieces: None,
            adversary: "dellacherie".to_owned(),
            library: FileSource::NAMES,
            keys: self.keys.map(InputSettings::from),
        })?;
        group.cancelled_by(token);
        group.measure_risk();
        Ok(group)
    }
}

/// Rejects a setup with more players than boards.
fn check_most(bots: &[Bot], most: usize, places: &str) -> Result<(), SessionError> {
    if bots.len() <= most {
        return Ok(());
    }
    SessionError::refused(format!("{places}; got {} players", bots.len()))
}

impl SessionGroup {
    /// Carries out a message.
    ///
    /// # Errors
    /// If a value in the message is invalid, or this is not possible now.
    pub fn handle(&mut self, message: &SessionMessage) -> Result<(), SessionError> {
        match message {
            SessionMessage::Key { input, stroke } => {
                let unknown = || {
                    let inputs = "expected the letter of an input, one of l r c w h d D H";
                    SessionError::Refused(format!("{inputs}; found '{input}'"))
                };
                let input = Input::from_letter(*input).ok_or_else(unknown)?;
                self.key(input, *stroke);
            }
            SessionMessage::Time { milliseconds } => {
                let mut played = 0;
                let is_full = self.speed() == Speed::Full;
                self.advance(Duration::from_millis(*milliseconds), &mut || {
                    played += 1;
                    is_full && played >= PIECES_AT_FULL_SPEED
                });
            }
            SessionMessage::Pause { on } => self.set_paused(*on),
            SessionMessage::Speed { factor } => {
                let wrong = |problem| SessionError::Refused(format!("speed: {problem}"));
                self.set_speed(parse_speed(factor).map_err(wrong)?);
            }
            SessionMessage::Bot { plays } => self.set_bot_plays(*plays),
            SessionMessage::GoTo { pieces } => self.go_to(*pieces),
            SessionMessage::Edit { rows } => {
                let rules: &Ruleset = self.sessions()[0].ruleset();
                let mut board = Board::from_lowest_rows(rules.width, rules.height, rows)?;
                board.remove_full_rows();
                self.edit(board);
            }
            SessionMessage::Deal { by } => self.deal_by(*by)?,
            SessionMessage::Piece { piece } => {
                let unknown = || {
                    let pieces = "expected the letter of a piece, one of I O T Z S J L";
                    SessionError::Refused(format!("{pieces}; found '{piece}'"))
                };
                let piece = Piece::from_letter(*piece).ok_or_else(unknown)?;
                self.choose_piece(piece);
            }
            SessionMessage::Step => drop(self.step()),
            SessionMessage::Undo => drop(self.undo()),
            SessionMessage::Redo => drop(self.redo()),
            SessionMessage::Restart => self.restart(),
            SessionMessage::NewGame => self.new_game(),
            SessionMessage::Hint => drop(self.give_hint()),
            SessionMessage::Analyse => self.analyse(),
            SessionMessage::TakeOver => self.take_over(),
        }
        Ok(())
    }

    /// Carries out a message in JSON; the answer is the state, or `{"error": ...}`.
    pub fn handle_json(&mut self, message: &str) -> String {
        let message = serde_json::from_str(message).map_err(SessionError::Message);
        let done = message.and_then(|message| self.handle(&message));
        let answer = match done {
            Ok(()) => json!(self.state()),
            Err(error) => json!({ "error": error.to_string() }),
        };
        answer.to_string()
    }

    /// The games so far as JSON lines: a file of game records.
    pub fn records_json(&self) -> String {
        let records = self.sessions().iter().map(Session::record);
        records
            .map(|record| format!("{}\n", to_json(&record)))
            .collect()
    }

    /// The state of all boards.
    pub fn state(&self) -> SessionState {
        SessionState {
            paused: self.is_paused(),
            over: self.is_over(),
            speed: self.speed().to_string(),
            seconds: self.elapsed().as_secs_f64(),
            game: self.game_number(),
            boards: (0..self.sessions().len())
                .map(|index| BoardState::of(self, index))
                .collect(),
        }
    }
}

impl BoardState {
    fn of(group: &SessionGroup, index: usize) -> BoardState {
        let session = &group.sessions()[index];
        let (game, stack) = (session.game(), session.stack());
        let (board, stepped) = (game.board(), game.stepped());
        let cell = |row: usize, column: usize| match stack.piece(row, column) {
            _ if !board.is_filled(row, column) => '.',
            Some(piece) => piece.letter(),
            None => '#',
        };
        let row = |row| (0..board.width()).map(|column| cell(row, column)).collect();
        let placed = |placement: tetrolab_core::placement::Placement| DrawnPiece {
            piece: placement.piece.letter(),
            cells: placement
                .cells()
                .map(|(row, column)| (row as i32, column as i32)),
        };
        let bot = session.bot().filter(|_| session.bot_plays());
        let player = session.recorded_player().or(bot.map(|bot| &*bot.name));
        // In a placement game, and while a piece is falling, that is the first waiting piece.
        let current = game.status() == Status::Playing && !session.is_between_pieces();
        let queue = game.waiting_pieces().iter().skip(usize::from(current));
        let (undo, redo) = session.history();
        BoardState {
            ruleset: session.ruleset().name.clone(),
            player: player.unwrap_or("you").to_owned(),
            rows: (0..board.height()).rev().map(row).collect(),
            visible_rows: session.visible_rows(),
            falling: session.falling().map(|falling| DrawnPiece {
                piece: falling.piece.letter(),
                cells: falling.cells(),
            }),
            ghost: session.ghost().map(placed),
            hint: session.hint().map(placed),
            queue: queue
                .take(session.ruleset().preview)
                .map(|piece| piece.letter())
                .collect(),
            hold: stepped.and_then(|game| game.held()).map(Piece::letter),
            lines: game.lines(),
            pieces: game.pieces(),
            recorded_pieces: session.recorded_pieces(),
            level: stepped.map(|game| game.tally().level),
            points: stepped.map(|game| game.tally().points),
            playing: session.is_playing(),
            dealing: session.dealing(),
            waits_for_piece: session.waits_for_piece(),
            undo,
            redo,
            moments: session.moments(),
            pieces_per_second: group.pieces_per_second(index),
            risk: group.risk(index),
            analysis: session.analysis().cloned(),
        }
    }
}

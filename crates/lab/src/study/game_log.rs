//! Whole games stored on disk, from which an interrupted evaluation can be resumed.
//!
//! Each player has a journal (see [`crate::journal`]) in the folder. A line contains the games that
//! ended within about half a second, as `[number, lines, pieces, line points, points, finished]`,
//! and the seconds that they took. A game takes 20 to 60 bytes: ten million games of a weak player
//! take about 250 MB. Only games that were lost or reached the cap are kept.

use super::StudyError;
use super::evaluation::Request;
use crate::arena::{GameResult, MOST_GAMES};
use crate::hash::hash_of;
use crate::journal::{Journal, JournalError, JournalHead, JournalLimits, JournalWords};
use crate::library::{FileError, FileSource};
use crate::time::Instant;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The version of the files.
const FORMAT: u64 = 1;
/// Games are written at least this often.
const BETWEEN_WRITES: Duration = Duration::from_millis(500);
/// Games are also written when this many are waiting.
const MOST_WAITING: usize = 4096;
/// More bytes than the maximum number of games needs.
const LIMITS: JournalLimits = JournalLimits {
    file: MOST_GAMES * 140,
    line: MOST_WAITING as u64 * 140 * 20,
};

const WORDS: JournalWords = JournalWords {
    work: "games",
    study: "evaluation",
    other: "the games of another evaluation",
    place: "folder",
    file: "log of games",
};

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LoggedGames {
    seconds: f64,
    games: Vec<LoggedGame>,
}

/// Number, lines, pieces, line points, points, and 1 if the player lost.
type LoggedGame = (u64, u64, u64, u64, u64, u8);

fn logged(game: &GameResult) -> LoggedGame {
    let finished = u8::from(game.finished);
    let GameResult {
        index,
        lines,
        pieces,
        line_points,
        points,
        ..
    } = *game;
    (index, lines, pieces, line_points, points, finished)
}

fn game((index, lines, pieces, line_points, points, finished): LoggedGame) -> GameResult {
    GameResult {
        index,
        lines,
        pieces,
        line_points,
        points,
        finished: finished != 0,
    }
}

/// The finished games of one player.
pub(super) struct ResultLog {
    journal: Journal,
    waiting: Vec<GameResult>,
    written: Instant,
}

/// The content of a log when it was opened.
#[derive(Default)]
pub(super) struct KnownGames {
    /// The games, ordered by number.
    pub(super) games: Vec<GameResult>,
    /// The time they took in seconds.
    pub(super) seconds: f64,
}

impl KnownGames {
    /// The time of the first games, estimated by their share of the pieces.
    pub(super) fn seconds_of_first(&self, games: u64) -> f64 {
        let pieces =
            |games: &[GameResult]| games.iter().map(|game| game.pieces as f64).sum::<f64>();
        let first = self.games.partition_point(|game| game.index < games);
        self.seconds * (pieces(&self.games[..first]) / pieces(&self.games).max(1.0))
    }
}

impl ResultLog {
    /// Opens the log of a player in a folder, and reads its games; creates it if it does not exist.
    pub(super) fn open(
        folder: &Path,
        player: &str,
        request: &Request<'_>,
        library: FileSource<'_>,
    ) -> Result<(ResultLog, KnownGames), StudyError> {
        let path = file_in(folder, player, "games")?;
        let head = head(player, request, library)?;
        let mut known = KnownGames::default();
        let journal = Journal::open(&path, &head, LIMITS, &mut |content| {
            let Ok(line) = serde_json::from_str::<LoggedGames>(content) else {
                return false;
            };
            known.seconds += line.seconds.max(0.0);
            known.games.extend(line.games.into_iter().map(game));
            known.games.len() as u64 <= MOST_GAMES
        });
        let journal = journal.map_err(|error| error.of_file(&path, &WORDS))?;
        known.games.sort_unstable_by_key(|game| game.index);
        known.games.dedup_by_key(|game| game.index);
        let log = ResultLog {
            journal,
            waiting: Vec::new(),
            written: Instant::now(),
        };
        Ok((log, known))
    }

    /// Starts the clock.
    pub(super) fn start_clock(&mut self) {
        self.written = Instant::now();
    }

    /// Adds games, which are written soon. `share` is the player's share of the games in play.
    pub(super) fn add(&mut self, games: &[GameResult], share: f64) -> Result<(), StudyError> {
        for part in games.chunks(MOST_WAITING) {
            self.waiting.extend_from_slice(part);
            self.write_if_due(share)?;
        }
        Ok(())
    }

    /// Writes the waiting games, if there are many or they have waited long enough.
    pub(super) fn write_if_due(&mut self, share: f64) -> Result<(), StudyError> {
        let is_due = self.written.elapsed() >= BETWEEN_WRITES || self.waiting.len() >= MOST_WAITING;
        if is_due { self.write(share) } else { Ok(()) }
    }

    /// Writes the waiting games.
    pub(super) fn write(&mut self, share: f64) -> Result<(), StudyError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let line = LoggedGames {
            seconds: (self.written.elapsed().as_secs_f64() * share * 1e4).round() / 1e4,
            games: self.waiting.drain(..).map(|game| logged(&game)).collect(),
        };
        self.written = Instant::now();
        let content = serde_json::to_string(&line).map_err(|error| JournalError::Io(error.into()));
        let added = content.and_then(|content| self.journal.add(&content));
        added.map_err(|error| error.of_file(&self.journal.path, &WORDS).into())
    }
}

/// Everything that the games in a log depend on.
fn head(
    player: &str,
    request: &Request<'_>,
    library: FileSource<'_>,
) -> Result<JournalHead, StudyError> {
    let json = json!({
        "games": FORMAT,
        "version": env!("CARGO_PKG_VERSION"),
        "player": player,
        "player_hash": hash_of(&library.player_identity(player)?),
        "seed": request.evaluation.seed,
        "max_pieces": request.evaluation.plan.max_pieces(),
    });
    Ok(JournalHead::with_rules(json, request.ruleset, library)?)
}

/// The file in a folder for one player's finished work. Creates the folder if it does not exist.
pub(super) fn file_in(folder: &Path, player: &str, kind: &str) -> Result<PathBuf, StudyError> {
    if folder.is_file() {
        return Err(StudyError::NotAFolder(folder.display().to_string()));
    }
    std::fs::create_dir_all(folder).map_err(|error| {
        FileError::of_file(folder, format!("the folder cannot be created: {error}"))
    })?;
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let safe = |c: char| if is_safe(c) { c } else { '_' };
    let name: String = player.chars().map(safe).collect();
    Ok(folder.join(format!("{name}.{kind}.jsonl")))
}

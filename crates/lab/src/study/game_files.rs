//! The files of an evaluation: logs for resuming it, records, and a table.

use super::StudyError;
use super::evaluation::Evaluating;
use super::game_log::{KnownGames, ResultLog};
use super::players::Named;
use crate::arena::{GameResult, GameSink, Played, SinkFailed, into_inner, lock};
use crate::formats::games::{RecordedRules, to_json};
use crate::ordered_file::OrderedFile;
use std::sync::Mutex;
use tetrolab_core::placement::Placement;
use tetrolab_core::rng::game_seed;
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::stepped::ScoreRule;

/// The columns of a table of games.
const COLUMNS: &str = "player,game,seed,lines,pieces,line_points,points,finished";

/// The files of an evaluation by whole games.
pub(super) struct GameFiles<'a> {
    ruleset: &'a Ruleset,
    seed: u64,
    players: Vec<&'a str>,
    /// The log of each player; empty without logs.
    logs: Vec<Mutex<ResultLog>>,
    /// The initial content of each player's log; empty if there are no logs.
    pub(super) known: Vec<KnownGames>,
    records: Option<(RecordedRules<'a>, Mutex<OrderedFile>)>,
    table: Option<OrderedFile>,
    failure: Mutex<Option<StudyError>>,
}

impl<'a> GameFiles<'a> {
    /// Opens the files before anything is played.
    pub(super) fn open(
        of: &'a Evaluating<'a>,
        players: &'a [Named],
    ) -> Result<GameFiles<'a>, StudyError> {
        let records = of.keep.records.as_deref().map(|path| {
            let rules = RecordedRules::of(of.request.ruleset, of.context.library())?;
            let file = OrderedFile::create(path, "records")?;
            Ok::<_, StudyError>((rules, Mutex::new(file)))
        });
        let records = records.transpose()?;
        let (mut logs, mut known) = (Vec::new(), Vec::new());
        for named in players {
            if let Some(folder) = &of.keep.resume {
                let (log, before) =
                    ResultLog::open(folder, &named.name, &of.request, of.context.library())?;
                logs.push(Mutex::new(log));
                known.push(before);
            }
        }
        let create = match of.keep.resume {
            // The logs contain every game of an interrupted run, so its table can be recreated.
            Some(_) => OrderedFile::create_again,
            None => OrderedFile::create,
        };
        let table = of.keep.table.as_deref();
        let table = table.map(|path| create(path, "results")).transpose()?;
        Ok(GameFiles {
            ruleset: of.request.ruleset,
            seed: of.request.evaluation.seed,
            players: players.iter().map(|named| named.name.as_str()).collect(),
            logs,
            known,
            records,
            table,
            failure: Mutex::new(None),
        })
    }

    /// The finished games of these players, which need not be played.
    pub(super) fn known_of(&self, players: &[usize]) -> Vec<&[GameResult]> {
        let known = |&player: &usize| {
            let known = self.known.get(player);
            known.map_or(&[][..], |known| &known.games)
        };
        players.iter().map(known).collect()
    }

    /// Starts the clock of the logs.
    pub(super) fn start_clock(&self) {
        self.logs.iter().for_each(|log| lock(log).start_clock());
    }

    /// Writes games that have waited long enough.
    fn write_if_due(&self, playing: &[usize]) {
        let share = 1.0 / playing.len().max(1) as f64;
        for &player in playing {
            if let Some(log) = self.logs.get(player) {
                self.keep_failure(lock(log).write_if_due(share));
            }
        }
        if let Some((_, records)) = &self.records {
            self.keep_failure(lock(records).write_if_due().map_err(StudyError::from));
        }
    }

    /// Writes all games that were played.
    ///
    /// # Errors
    /// If a file could not be written, now or before.
    pub(super) fn write(&self, playing: &[usize]) -> Result<(), StudyError> {
        let share = 1.0 / playing.len().max(1) as f64;
        for &player in playing {
            if let Some(log) = self.logs.get(player) {
                self.keep_failure(lock(log).write(share));
            }
        }
        lock(&self.failure).take().map_or(Ok(()), Err)
    }

    /// Finishes the files when everything has been played. They contain the games of the players
    /// that could play (`able`). No table is written for an interrupted evaluation that can be
    /// resumed.
    pub(super) fn finish(self, played: &[Played], able: &[usize]) -> Result<(), StudyError> {
        if let Some((_, records)) = self.records {
            into_inner(records).finish(|player| able.contains(&player))?;
        }
        let Some(mut table) = self.table else {
            return Ok(());
        };
        if !self.logs.is_empty() && played.iter().any(|arm| arm.interrupted) {
            // The same command continues from the logs, and writes the table at the end.
            return Ok(());
        }
        let scores = gives_points(self.ruleset);
        table.append(COLUMNS)?;
        for arm in played {
            let player = in_a_cell(&arm.name);
            for game in &arm.games {
                table.append(&row(&player, arm.seed_of(game), game, scores))?;
            }
        }
        Ok(table.finish(|_| true)?)
    }

    fn keep_failure(&self, done: Result<(), StudyError>) -> bool {
        let Err(error) = done else {
            return true;
        };
        lock(&self.failure).get_or_insert(error);
        false
    }

    fn take(
        &self,
        (player, share): (usize, f64),
        games: &[GameResult],
        placements: &[Vec<Placement>],
        whole: bool,
    ) -> Result<(), StudyError> {
        if let Some(log) = self.logs.get(player).filter(|_| whole) {
            lock(log).add(games, share)?;
        }
        let Some((rules, records)) = &self.records else {
            return Ok(());
        };
        for (game, placements) in games.iter().zip(placements) {
            let seed = game_seed(self.seed, game.index);
            let record = rules.record((self.players[player], seed), game, placements);
            lock(records).add((player, game.index), &to_json(&record).to_string())?;
        }
        Ok(())
    }
}

/// The files of an evaluation while some of its players play.
pub(super) struct PlayingFiles<'a> {
    pub(super) files: &'a GameFiles<'a>,
    /// Which of the players play, in the order of the arms.
    pub(super) playing: &'a [usize],
}

impl GameSink for PlayingFiles<'_> {
    fn take(
        &self,
        arm: usize,
        games: &[GameResult],
        placements: &[Vec<Placement>],
        whole: bool,
    ) -> Result<(), SinkFailed> {
        let player = (self.playing[arm], 1.0 / self.playing.len().max(1) as f64);
        let taken = self.files.take(player, games, placements, whole);
        if self.files.keep_failure(taken) {
            Ok(())
        } else {
            Err(SinkFailed)
        }
    }

    fn tick(&self) {
        self.files.write_if_due(self.playing);
    }
}

/// Whether games of this ruleset have points.
pub(super) fn gives_points(ruleset: &Ruleset) -> bool {
    let stepped = ruleset.stepped();
    stepped.is_some_and(|rules| rules.score != ScoreRule::Lines)
}

fn row(player: &str, seed: u64, game: &GameResult, scores: bool) -> String {
    let GameResult {
        index,
        lines,
        pieces,
        line_points,
        points,
        finished,
    } = game;
    let number = index + 1;
    let points = if scores {
        points.to_string()
    } else {
        String::new()
    };
    format!("{player},{number},{seed},{lines},{pieces},{line_points},{points},{finished}")
}

/// A text as a CSV cell (RFC 4180).
fn in_a_cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::in_a_cell;

    #[test]
    fn a_player_with_commas_is_one_cell() {
        assert_eq!(in_a_cell("bcts"), "bcts");
        assert_eq!(in_a_cell("a(b,c=\"d\")"), "\"a(b,c=\"\"d\"\")\"");
    }
}

//! Means from whole games: a given number, or as many as a precision needs.

use super::chance::is_deterministic;
use super::evaluation::{Evaluating, Request};
use super::players::Named;
use super::result::{LinesResult, MeanResult, PairResult, PlayerResult};
use super::{Event, Note, NoteKind, StudyError, Target};
use crate::arena::{Arm, Played, Progress, common_lines};
use crate::game_records::RecordFile;
use crate::stats::censored::{CapCheck, lower_bound};
use crate::stats::{Estimate, Observation, Paired, Summary};
use std::ops::Range;
use tetrolab_core::ruleset::Ruleset;

/// Whole games for a precision, at most: about 100 MB of results. It is enough for 0.15 %.
const MOST_GAMES: u64 = 2_000_000;
/// A player without a line in this many games plays no more: its mean may be 0, and then no relative precision can be reached.
const HOPELESS_GAMES: u64 = 100_000;

/// The number of whole games for a precision, if scores are exponential: then the standard error is mean / sqrt(n).
pub(super) fn games_for(precision: f64) -> u64 {
    (((1.96 / precision).powi(2) * 1.05).ceil() as u64).min(MOST_GAMES)
}

/// Whole games of an evaluation.
pub(super) struct Games<'a> {
    of: &'a Evaluating<'a>,
}

impl<'a> Games<'a> {
    pub(super) fn of(of: &'a Evaluating<'a>) -> Games<'a> {
        Games { of }
    }

    /// Plays as many games as were asked for, or until the interval of every player is narrow enough.
    pub(super) fn play(&self, players: &[Named]) -> Result<Vec<Played>, StudyError> {
        let asked = match self.of.request.evaluation.target {
            Target::Games(games) => Ok(games),
            Target::Precision(precision) => Err(precision),
            Target::Pieces(_) | Target::Repetitions(_) => return Ok(Vec::new()),
        };
        if players.is_empty() || (self.of.is_stopped() && asked.is_err()) {
            return Ok(Vec::new());
        }
        let record = self.of.keep.records.as_deref().map(RecordFile::create);
        let record = record.transpose()?;
        let arms: Vec<Arm<'_>> = players.iter().map(Named::arm).collect();
        let games = asked.unwrap_or_else(games_for);
        let mut played = self.play_range(&arms, 0..games)?;
        if let Err(precision) = asked {
            for (arm, player) in played.iter_mut().zip(&arms) {
                self.play_on(arm, *player, precision)?;
            }
        }
        if let Some(mut file) = record {
            file.write(self.of.request.ruleset, &played)?;
            file.finish()?;
        }
        let is_empty = played.iter().all(|arm| arm.games.is_empty());
        Ok(if is_empty { Vec::new() } else { played })
    }

    fn play_range(&self, arms: &[Arm<'_>], games: Range<u64>) -> Result<Vec<Played>, StudyError> {
        let observer = self.of.observer;
        let all = (games.end - games.start).saturating_mul(arms.len() as u64);
        observer(&Event::GamesBegan { games: all });
        let tell = |progress: Progress| {
            observer(&Event::Games {
                done: progress.games_done,
                total: progress.games_total,
                pieces: progress.pieces,
            });
        };
        let played = self
            .of
            .arena
            .play_all(arms, &self.of.series(), games, &tell);
        observer(&Event::GamesEnded);
        Ok(played?)
    }

    /// Plays more games with one player, after those that it has played, until its interval is narrow enough.
    fn play_on(&self, arm: &mut Played, player: Arm<'_>, precision: f64) -> Result<(), StudyError> {
        while let Some(games) = more_games(arm, precision) {
            let more = self.play_range(&[player], arm.games.len() as u64..games)?;
            for more in more {
                if more.interrupted {
                    // Games that were cut off would make another estimate of what is known.
                    arm.interrupted = true;
                    return Ok(());
                }
                arm.append(more);
            }
        }
        Ok(())
    }
}

/// How many games a player needs in all for a precision that it has not reached; none if these are enough.
fn more_games(arm: &Played, wanted: f64) -> Option<u64> {
    let games = arm.games.len() as u64;
    let precision = precision_of(&arm.lines()).unwrap_or(f64::INFINITY);
    let hopeless = games >= HOPELESS_GAMES && precision.is_infinite();
    if arm.interrupted || games >= MOST_GAMES || hopeless || precision <= wanted {
        return None;
    }
    let more = (precision / wanted).powi(2).clamp(1.02, 4.0);
    Some(((games as f64 * more * 1.02).ceil() as u64).min(MOST_GAMES))
}

/// How far the interval of a player's lines reaches, as a part of the mean: the wider side.
fn precision_of(lines: &[Observation]) -> Option<f64> {
    let estimate = Estimate::of(lines)?;
    let (mean, hi) = (estimate.mean?, estimate.ci95.hi?);
    let width = ((hi / mean) - 1.0).max(1.0 - estimate.ci95.lo / mean);
    width.is_finite().then_some(width)
}

/// The players of whole games, each but the first against the first.
pub(super) fn compare_with_first(played: &[Played]) -> Result<Vec<PairResult>, StudyError> {
    let lines = common_lines(played);
    if lines.len() < 2 || lines[0].is_empty() {
        return Ok(Vec::new());
    }
    let compared = Paired::against_first(&lines)?;
    let pairs = played[1..].iter().zip(&compared);
    let pair =
        |(arm, paired): (&Played, &Paired)| PairResult::new(&played[0].name, &arm.name, paired);
    Ok(pairs.map(pair).collect())
}

impl Request<'_> {
    /// What the games of a player say.
    pub(super) fn result_of_games(&self, arm: &Played) -> PlayerResult {
        let mean = |games: &[Observation]| MeanResult {
            mean: Estimate::of(games).and_then(|estimate| estimate.mean),
            ci95: None,
        };
        let lines = arm.lines();
        let precision = precision_of(&lines);
        let reached = !arm.interrupted && self.is_reached(arm, precision);
        let pieces = arm.decisions();
        let rate = arm.finished() as f64 / pieces as f64;
        PlayerResult {
            player: arm.name.clone(),
            ruleset: self.ruleset.name.clone(),
            seed: self.evaluation.seed,
            method: "games".to_owned(),
            games: arm.games.len() as u64,
            finished: arm.finished() as u64,
            cut_off: arm.cut_off() as u64,
            interrupted: arm.interrupted,
            lines: LinesResult::of_games(&lines),
            pieces: mean(&arm.pieces()),
            line_points: mean(&arm.line_points()),
            rate: rate.is_finite().then_some(rate),
            precision,
            reached,
            splitting: None,
            pieces_simulated: pieces,
            levels: Vec::new(),
            notes: self.notes(arm, precision, reached),
            decisions_per_second: arm.decisions_per_second().round(),
            seconds: arm.elapsed.as_secs_f64(),
        }
    }

    fn is_reached(&self, arm: &Played, precision: Option<f64>) -> bool {
        match self.evaluation.target {
            Target::Games(games) => arm.games.len() as u64 >= games,
            Target::Precision(wanted) => precision.is_some_and(|precision| precision <= wanted),
            Target::Pieces(_) | Target::Repetitions(_) => false,
        }
    }

    fn notes(&self, arm: &Played, precision: Option<f64>, reached: bool) -> Vec<Note> {
        let mut notes = Vec::new();
        if is_deterministic(self.ruleset, arm) {
            let text = "every game was the same: the ruleset leaves nothing to chance, and the interval means nothing";
            notes.push(Note::new(NoteKind::Deterministic, text));
        }
        if let Some(text) = short_cap(self.ruleset, self.evaluation.max_pieces, arm) {
            notes.push(Note::new(NoteKind::CapIsShort, text));
        }
        if !reached && !arm.interrupted {
            let reached = precision.map_or("no precision".to_owned(), |precision| {
                format!("{:.2} %", 100.0 * precision)
            });
            let text = format!(
                "{} games are the most that are played for a precision; they give {reached}",
                arm.games.len()
            );
            notes.push(Note::new(NoteKind::TargetNotReached, text));
        }
        notes
    }
}

/// Why the mean of capped games is too high, if it is by more than the interval allows for.
fn short_cap(ruleset: &Ruleset, cap: Option<u64>, arm: &Played) -> Option<String> {
    let cap = cap.filter(|_| arm.cut_off() > 0)?;
    let capacity = (ruleset.width * ruleset.height) as f64 / 4.0;
    let is_short = CapCheck::of(&arm.pieces(), capacity).is_short();
    let bound = lower_bound(&arm.lines()).filter(|_| is_short)?;
    Some(format!(
        "a cap of {cap} pieces is short for this estimate: few games end while the board, which {capacity} pieces fill, is \
         still filling, so the mean and its interval are too high; all that is sure is a mean above {bound:.2} lines"
    ))
}

impl LinesResult {
    fn of_games(lines: &[Observation]) -> LinesResult {
        let raw: Vec<u64> = lines.iter().map(|game| game.value).collect();
        let estimate = Estimate::of(lines);
        let summary = Summary::of(&raw);
        // The spread of scores of which some were cut off says nothing about whole games.
        let whole = lines.iter().all(|game| game.finished);
        LinesResult {
            mean: estimate.and_then(|estimate| estimate.mean),
            ci95: estimate.map(|estimate| estimate.ci95),
            method: estimate.map(|estimate| estimate.estimator.as_str().to_owned()),
            median: estimate.and_then(|estimate| estimate.median),
            mean_by_median: estimate.as_ref().and_then(Estimate::mean_by_median),
            sd: summary.and_then(|summary| summary.sd).filter(|_| whole),
            max: summary.map(|summary| summary.max),
        }
    }
}

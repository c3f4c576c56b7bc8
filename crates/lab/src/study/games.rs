//! Means from whole games: either a given number, or as many as the requested precision needs.

use super::chance::is_deterministic;
use super::evaluation::{Evaluating, Request};
use super::expected::while_expecting;
use super::game_files::{GameFiles, PlayingFiles, gives_points};
use super::players::Named;
use super::result::{FailedPlayer, LinesResult, MeanResult, PairResult, PlayerResult};
use super::{GamesGoal, Note, NoteKind, StudyError};
use crate::arena::{ArenaError, Arm, GameResult, Hooks, Played, common_lines};
use crate::context::Event;
use crate::stats::censored::{CapCheck, lower_bound};
use crate::stats::{Estimate, Interval, Observation, Paired, Summary};
use std::ops::Range;
use std::time::Duration;
use tetrolab_core::ruleset::Ruleset;

/// Maximum number of whole games for a precision: about 100 MB of results, enough for 0.15 %.
const MOST_GAMES: u64 = 2_000_000;
/// A player that clears no line in this many games stops: its mean may be 0, and then no relative
/// precision can be reached.
const HOPELESS_GAMES: u64 = 100_000;

/// The number of whole games for a precision, if scores are exponential, so that the standard error
/// is mean / sqrt(n).
pub(super) fn games_for(precision: f64) -> u64 {
    (((1.96 / precision).powi(2) * 1.05).ceil() as u64).min(MOST_GAMES)
}

impl Evaluating<'_> {
    /// Plays the given number of games, or until the interval of every player is narrow enough.
    /// Players that cannot play are omitted; the second part of the result gives the reasons.
    pub(super) fn play_games(
        &self,
        players: &[Named],
    ) -> Result<(Vec<Played>, Vec<FailedPlayer>), StudyError> {
        let asked = match self.request.evaluation.plan.games_goal() {
            Some(GamesGoal::Games(games)) => Ok(games),
            Some(GamesGoal::Precision(precision)) => Err(precision),
            None => return Ok(Default::default()),
        };
        if players.is_empty() || (self.context.is_cancelled() && asked.is_err()) {
            return Ok(Default::default());
        }
        let files = GameFiles::open(self, players)?;
        let games = asked.unwrap_or_else(games_for);
        let playing = PlayingGames {
            of: self,
            players,
            files: &files,
        };
        let mut able: Vec<usize> = (0..players.len()).collect();
        let (mut played, failed) = playing.first_range(&mut able, 0..games)?;
        for (arm, &player) in played.iter_mut().zip(&able) {
            if let Err(precision) = asked {
                playing.play_on(arm, player, precision)?;
            }
            // A log may contain more games than are reported.
            let last = arm.games.last().map_or(0, |game| game.index + 1);
            if let Some(known) = files.known.get(player) {
                let seconds = Duration::try_from_secs_f64(known.seconds_of_first(last));
                arm.elapsed += seconds.unwrap_or_default();
            }
        }
        files.finish(&played, &able)?;
        let is_empty = played.iter().all(|arm| arm.games.is_empty());
        Ok((if is_empty { Vec::new() } else { played }, failed))
    }
}

/// Whole games of some players in progress.
struct PlayingGames<'a> {
    of: &'a Evaluating<'a>,
    players: &'a [Named],
    files: &'a GameFiles<'a>,
}

impl PlayingGames<'_> {
    /// Plays the same games with all players that can. A player that runs out of pieces is removed
    /// from the list, and the others start again. This is rare, and such games are short.
    fn first_range(
        &self,
        able: &mut Vec<usize>,
        games: Range<u64>,
    ) -> Result<(Vec<Played>, Vec<FailedPlayer>), StudyError> {
        let mut failed = Vec::new();
        loop {
            let error = match self.play_range(able, games.clone()) {
                Err(StudyError::Arena(ArenaError::OutOfPieces(error))) => error,
                played => return Ok((played?, failed)),
            };
            let player = &self.players[able.remove(error.arm)].name;
            let error = StudyError::from(ArenaError::from(error));
            if able.is_empty() {
                return Err(error.of_player(player));
            }
            failed.push(FailedPlayer::new(player, &error));
        }
    }

    fn play_range(&self, playing: &[usize], games: Range<u64>) -> Result<Vec<Played>, StudyError> {
        let context = self.of.context;
        let all = (games.end - games.start).saturating_mul(playing.len() as u64);
        let max_pieces = self.of.request.evaluation.plan.max_pieces();
        context.report(Event::GamesBegan {
            games: all,
            max_pieces,
        });
        let players: Vec<&Named> = playing.iter().map(|&index| &self.players[index]).collect();
        let arms: Vec<Arm<'_>> = players.iter().map(|named| named.arm()).collect();
        let files = PlayingFiles {
            files: self.files,
            playing,
        };
        let known = self.files.known_of(playing);
        // About the number of games that each player still has to play.
        let in_range = |known: &[GameResult]| {
            known
                .iter()
                .filter(|game| games.contains(&game.index))
                .count()
        };
        let before: u64 = known.iter().map(|known| in_range(known) as u64).sum();
        let new = all.saturating_sub(before) / playing.len().max(1) as u64;
        let hooks = Hooks {
            known: &known,
            sink: Some(&files),
        };
        let series = self.of.series();
        self.files.start_clock();
        let played = while_expecting(self.of, &players, new, || {
            context.play_rest(&arms, &series, games, hooks)
        });
        context.report(Event::GamesEnded);
        self.files.write(playing)?;
        Ok(played?)
    }

    /// Plays more games with one player, following those already played, until its interval is
    /// narrow enough.
    fn play_on(&self, arm: &mut Played, player: usize, precision: f64) -> Result<(), StudyError> {
        while let Some(games) = more_games(arm, precision) {
            let more = self.play_range(&[player], arm.games.len() as u64..games)?;
            for more in more {
                if more.interrupted {
                    // Truncated games would require another estimator.
                    arm.interrupted = true;
                    return Ok(());
                }
                arm.append(more);
            }
        }
        Ok(())
    }
}

/// The total number of games that a player needs for a precision that it has not reached; `None` if
/// there are enough already.
///
/// The rule stops on the interval itself. Of 1,000 intervals (`bcts` on `simplified-6x8`, seeds 1
/// to 1,000), 970 contain the mean with a precision of 50 %, and 956 with 20 % and with 10 %. The
/// last two numbers agree by chance: the evaluations play at least 101 games with 20 % and at least
/// 404 with 10 % ([`games_for`]), and only 12 of the 44 seeds whose intervals miss are the same.
/// These play 101 to 157 and 404 to 421 games.
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

/// The relative half width of the interval of a player's lines, taken on the wider side.
fn precision_of(lines: &[Observation]) -> Option<f64> {
    let estimate = Estimate::of(lines)?;
    let (mean, hi) = (estimate.mean?, estimate.ci95.hi?);
    let width = ((hi / mean) - 1.0).max(1.0 - estimate.ci95.lo / mean);
    width.is_finite().then_some(width)
}

/// Compares the players of whole games with the first of them.
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
    /// The result from a player's games.
    pub(super) fn result_of_games(&self, arm: &Played) -> PlayerResult {
        let mean = |games: &[Observation]| MeanResult {
            mean: Estimate::of(games).and_then(|estimate| estimate.mean),
            ci95: None,
        };
        let lines = arm.lines();
        let cap = ShortCap::find(self.ruleset, self.evaluation.plan.max_pieces(), arm);
        let precision = precision_of(&lines).filter(|_| cap.is_none());
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
            lines: LinesResult::of_games(&lines).under(cap.is_some().then_some(&lines)),
            pieces: mean(&arm.pieces()).under(cap.is_some()),
            line_points: mean(&arm.line_points()).under(cap.is_some()),
            points: gives_points(self.ruleset).then(|| points(&arm.points(), cap.is_some())),
            rate: rate.is_finite().then_some(rate),
            precision,
            reached,
            splitting: None,
            pieces_simulated: pieces,
            levels: Vec::new(),
            notes: self.notes(arm, precision, (reached, cap)),
            decisions_per_second: arm.decisions_per_second().round(),
            seconds: arm.elapsed.as_secs_f64(),
        }
    }

    fn is_reached(&self, arm: &Played, precision: Option<f64>) -> bool {
        match self.evaluation.plan.games_goal() {
            Some(GamesGoal::Games(games)) => arm.games.len() as u64 >= games,
            Some(GamesGoal::Precision(wanted)) => {
                precision.is_some_and(|precision| precision <= wanted)
            }
            None => false,
        }
    }

    fn notes(
        &self,
        arm: &Played,
        precision: Option<f64>,
        (reached, cap): (bool, Option<ShortCap>),
    ) -> Vec<Note> {
        let mut notes = Vec::new();
        if is_deterministic(self.ruleset, arm) {
            let text = "every game was identical: nothing is random under this ruleset, so the interval is meaningless";
            notes.push(Note::new(NoteKind::Deterministic, text));
        }
        if let Some(cap) = cap {
            notes.push(Note::new(NoteKind::CapIsShort, cap.text()));
        }
        if !reached && !arm.interrupted {
            let reached = precision.map_or("no precision".to_owned(), |precision| {
                format!("{:.2} %", 100.0 * precision)
            });
            let text = format!(
                "the maximum of {} games was reached before the precision; they give {reached}",
                arm.games.len()
            );
            notes.push(Note::new(NoteKind::TargetNotReached, text));
        }
        notes
    }
}

/// A cap that is too short to estimate the mean of whole games: only a lower bound is known.
#[derive(Clone, Copy)]
struct ShortCap {
    cap: u64,
    capacity: f64,
}

impl ShortCap {
    /// The cap, if its bias exceeds what the interval allows for.
    fn find(ruleset: &Ruleset, cap: Option<u64>, arm: &Played) -> Option<ShortCap> {
        let cap = cap.filter(|_| arm.cut_off() > 0)?;
        let capacity = (ruleset.width * ruleset.height) as f64 / 4.0;
        let is_short = CapCheck::of(&arm.pieces(), capacity).is_short();
        is_short.then_some(ShortCap { cap, capacity })
    }

    fn text(self) -> String {
        let ShortCap { cap, capacity } = self;
        format!(
            "a cap of {cap} pieces is too short to estimate the mean: {capacity} pieces fill the board, and few games end while it is still filling; the interval shows a reliable lower bound"
        )
    }
}

/// A lower bound on the mean from games with a short cap: whole games do not score less.
fn bounded(games: &[Observation]) -> Option<Interval> {
    lower_bound(games).map(|lo| Interval { lo, hi: None })
}

impl MeanResult {
    /// Removes the mean if the cap was too short to estimate one.
    fn under(self, short_cap: bool) -> MeanResult {
        MeanResult {
            mean: self.mean.filter(|_| !short_cap),
            ..self
        }
    }
}

/// The mean of the points, or its lower bound if the cap was too short to estimate a mean.
fn points(games: &[Observation], short_cap: bool) -> MeanResult {
    let estimate = Estimate::of(games);
    let mean = estimate.and_then(|estimate| estimate.mean);
    if short_cap {
        MeanResult {
            mean: None,
            ci95: bounded(games),
        }
    } else {
        MeanResult {
            mean,
            ci95: estimate.map(|estimate| estimate.ci95),
        }
    }
}

impl LinesResult {
    /// Keeps only the lower bound if the cap was too short to estimate a mean.
    fn under(self, short_cap: Option<&Vec<Observation>>) -> LinesResult {
        let Some(games) = short_cap else {
            return self;
        };
        LinesResult {
            mean: None,
            ci95: bounded(games),
            method: Some("lower-bound".to_owned()),
            mean_by_median: None,
            ..self
        }
    }

    fn of_games(lines: &[Observation]) -> LinesResult {
        let raw: Vec<u64> = lines.iter().map(|game| game.value).collect();
        let estimate = Estimate::of(lines);
        let summary = Summary::of(&raw);
        // If some games were truncated, the spread of scores gives no information about whole
        // games.
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

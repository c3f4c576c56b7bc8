//! Evaluations: the mean lines of players, by whole games or by splitting.

use super::games;
use super::plan::{EvaluationFields, GamesGoal, Plan, SplittingPlan};
use super::players::{Named, find_players};
use super::result::{Evaluated, FailedPlayer, PlayerResult};
use super::splitting::Estimating;
use super::{Note, NoteKind, StudyError};
use crate::arena::{ArenaError, GameSeries, Limits, MOST_GAMES};
use crate::context::{Context, Event};
use crate::external::catch_bot_error;
use crate::library::{FileSource, LibraryError};
use crate::survival::{Goal, LevelKind, PilotRun, SurvivalError};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use tetrolab_core::ruleset::Ruleset;

/// Maximum number of placements per game in a record.
pub const RECORDED_PIECES: usize = 1_000_000;
/// Up to this number of pieces, whole games are played even if splitting needs fewer: they take
/// only seconds.
const CHEAP: f64 = 6e7;

/// An evaluation: the mean lines of players, with 95 % intervals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "EvaluationFields", into = "EvaluationFields")]
pub struct Evaluation {
    /// The players: published names, player files, folders of learning runs, or specs.
    pub players: Vec<String>,
    /// The game: a name, a spec, or a file.
    pub ruleset: String,
    /// The method, and when to stop.
    pub plan: Plan,
    /// The seed of the games. Players that play whole games play the same ones.
    pub seed: u64,
}

impl Default for Evaluation {
    /// No players; the small board, on which comparisons are cheap, and a precision of 5 %.
    fn default() -> Evaluation {
        Evaluation {
            players: Vec::new(),
            ruleset: "simplified-10x10".to_owned(),
            plan: Plan::default(),
            seed: 1,
        }
    }
}

/// The method of estimating a mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The cheaper method for each player; whole games for programs and objects of the caller.
    #[default]
    Auto,
    /// Whole games.
    Games,
    /// Multilevel splitting.
    Splitting,
}

/// The files of an evaluation, which do not affect results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// Every whole game is written to this new file, with its placements.
    pub records: Option<PathBuf>,
    /// The result of every whole game is written to this new file, as CSV. With `resume`, an
    /// interrupted evaluation writes no table; it is written when the evaluation is finished.
    pub table: Option<PathBuf>,
    /// Finished games and repetitions of splitting are stored in this folder, and not repeated.
    pub resume: Option<PathBuf>,
}

impl Keep {
    /// No files.
    pub fn nothing() -> Keep {
        Keep::default()
    }

    /// Whether something is stored that only exists for whole games.
    fn of_games(&self) -> bool {
        self.records.is_some() || self.table.is_some()
    }
}

impl Evaluation {
    /// Finds problems before anything is played.
    ///
    /// # Errors
    /// If a name is unknown, a number is invalid, or parts do not fit together.
    pub fn check(&self, library: FileSource<'_>) -> Result<(), StudyError> {
        self.plan.check()?;
        let ruleset = library.ruleset(&self.ruleset)?;
        self.find_players(library, &ruleset).map(drop)
    }

    /// Refuses more games than a process can keep at a time; units of work may share more.
    #[cfg_attr(not(feature = "store"), expect(dead_code, reason = "for experiments"))]
    pub(crate) fn check_games(&self) -> Result<(), StudyError> {
        let Some(GamesGoal::Games(games)) = self.plan.games_goal() else {
            return Ok(());
        };
        let all = games.saturating_mul(self.players.len() as u64);
        if all > MOST_GAMES {
            return Err(ArenaError::TooManyGames(all).into());
        }
        Ok(())
    }

    /// The players, if the evaluation suits them.
    fn find_players(
        &self,
        library: FileSource<'_>,
        ruleset: &Ruleset,
    ) -> Result<Vec<Named>, StudyError> {
        let players = find_players(library, &self.players, ruleset)?;
        // The importance function is irrelevant for whole games.
        let is_auto = matches!(self.plan, Plan::Auto { .. });
        let splitting = self.plan.splitting().map(|plan| plan.1);
        let splitting = splitting.filter(|plan| !is_auto || plan.level != LevelKind::default());
        for Named { name, player } in &players {
            let is_own = library.is_own_player(name);
            match splitting {
                Some(_) if is_own && !is_auto => return StudyError::own_player_by_splitting(name),
                Some(plan) if !is_own => plan.of(name).check(library, &**player, ruleset)?,
                _ => {}
            }
        }
        Ok(players)
    }

    /// Checks that records and tables are requested only for whole games, and not together with a
    /// log, which has no placements.
    fn check_kept(&self, keep: &Keep) -> Result<(), StudyError> {
        let games = match keep {
            Keep {
                records: Some(_), ..
            } => "a record of games",
            _ => "a table of games",
        };
        match (&self.plan, keep.of_games(), &keep.resume) {
            (Plan::Splitting { .. }, true, _) => StudyError::two_methods(games, "the plan"),
            (_, _, Some(_)) if keep.records.is_some() => Err(StudyError::RecordAndResume),
            _ => Ok(()),
        }
    }

    /// The evaluation that repeats one player's result on its own.
    pub fn repeat(&self, result: &PlayerResult) -> Evaluation {
        // For the same precision, some players need more games than others.
        let played = if result.interrupted { 0 } else { result.games };
        let games = |precision| GamesGoal::Games(games::games_for(precision).max(played));
        let plan = match (&self.plan, result.splitting.is_none()) {
            (Plan::Auto { precision, .. }, true) => Plan::Games {
                until: games(*precision),
                max_pieces: None,
            },
            (
                Plan::Auto {
                    precision,
                    splitting,
                },
                false,
            ) => Plan::Splitting {
                until: Goal::Precision(*precision),
                splitting: splitting.clone(),
            },
            (
                &Plan::Games {
                    until: GamesGoal::Precision(precision),
                    max_pieces,
                },
                _,
            ) => Plan::Games {
                until: games(precision),
                max_pieces,
            },
            (plan, _) => plan.clone(),
        };
        Evaluation {
            players: vec![result.player.clone()],
            plan,
            ..self.clone()
        }
    }
}

/// Estimates the mean lines of players. If the study is cancelled, the result covers the work done
/// so far.
///
/// # Errors
/// If a name or a number is invalid, a file cannot be written, or a player cannot play.
pub fn evaluate(
    evaluation: &Evaluation,
    keep: &Keep,
    context: &Context,
) -> Result<Evaluated, StudyError> {
    evaluation.plan.check()?;
    evaluation.check_kept(keep)?;
    let library = context.library();
    let ruleset = library.ruleset(&evaluation.ruleset)?;
    let players = evaluation.find_players(library, &ruleset)?;
    if keep.resume.is_some() {
        let mut names = evaluation.players.iter();
        names
            .try_for_each(|name| library.check_is_known(name))
            .map_err(LibraryError::from)?;
    }
    let evaluating = Evaluating {
        request: Request {
            evaluation,
            ruleset: &ruleset,
        },
        keep,
        context,
    };
    catch_bot_error(|| context.run(|| evaluating.run(players)))
}

/// The evaluation, with its ruleset resolved.
#[derive(Clone, Copy)]
pub(super) struct Request<'a> {
    pub(super) evaluation: &'a Evaluation,
    pub(super) ruleset: &'a Ruleset,
}

/// An evaluation in progress.
pub(super) struct Evaluating<'a> {
    pub(super) request: Request<'a>,
    pub(super) keep: &'a Keep,
    pub(super) context: &'a Context,
}

impl Evaluating<'_> {
    fn run(&self, players: Vec<Named>) -> Result<Evaluated, StudyError> {
        let names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
        let learned: Vec<Option<usize>> = players.iter().map(Named::learned_rows).collect();
        let splitting = self.request.evaluation.plan.splitting();
        let estimated = match splitting.filter(|_| !self.keep.of_games()) {
            None => Estimated::none(players),
            Some(splitting) => self.estimate(players, splitting)?,
        };
        let Estimated {
            by_games,
            mut results,
            mut failed,
        } = estimated;
        let (played, out_of_pieces) = self.play_games(&by_games)?;
        failed.extend(out_of_pieces);
        let comparisons = games::compare_with_first(&played)?;
        results.extend(played.iter().map(|arm| self.request.result_of_games(arm)));
        // In the order in which they were given.
        let place = |player: &str| names.iter().position(|name| name == player);
        results.sort_by_key(|result| place(&result.player));
        failed.sort_by_key(|failed| place(&failed.player));
        for result in &mut results {
            let rows = place(&result.player).and_then(|place| learned[place]);
            result.notes.extend(self.request.note_on_height(rows));
        }
        let interrupted = results.len() + failed.len() < names.len()
            || results.iter().any(|result| result.interrupted);
        for result in &results {
            for note in &result.notes {
                self.context.report(Event::Noted {
                    player: result.player.clone(),
                    note: note.clone(),
                });
            }
        }
        Ok(Evaluated::new(interrupted, results, failed, comparisons))
    }

    /// Estimates the players for which splitting is requested or cheaper; the others will play
    /// whole games. An error for one player does not affect the others, if there are any.
    fn estimate(
        &self,
        players: Vec<Named>,
        splitting: (Goal, &SplittingPlan),
    ) -> Result<Estimated, StudyError> {
        let mut estimated = Estimated::none(Vec::new());
        let mut first_error = None;
        for named in players {
            // A program cannot be copied in the middle of a game, so only whole games remain.
            if self.context.library().is_own_player(&named.name) {
                estimated.by_games.push(named);
                continue;
            }
            match self.pilot_and_estimate(&named, splitting) {
                Ok(Some(result)) => estimated.results.push(result),
                Ok(None) => estimated.by_games.push(named),
                // The work done so far is the result.
                Err(StudyError::Survival(SurvivalError::Stopped)) => break,
                Err(error) => {
                    let failed = FailedPlayer::new(&named.name, &error);
                    estimated.failed.push(failed);
                    first_error.get_or_insert(error.of_player(&named.name));
                }
            }
        }
        let nothing = estimated.results.is_empty() && estimated.by_games.is_empty();
        match first_error.filter(|_| nothing) {
            Some(error) => Err(error),
            None => Ok(estimated),
        }
    }

    /// A player's estimate; `None` if whole games are cheaper.
    fn pilot_and_estimate(
        &self,
        named: &Named,
        splitting: (Goal, &SplittingPlan),
    ) -> Result<Option<PlayerResult>, StudyError> {
        let mut estimating = Estimating::new(self, named, splitting)?;
        let player = || named.name.clone();
        let began = Event::PilotBegan { player: player() };
        self.context.report(began);
        let pilot = estimating.pilot();
        let whole = match (&pilot, &self.request.evaluation.plan) {
            (Err(SurvivalError::FixedPieces(_) | SurvivalError::Stepped(_)), plan) => {
                matches!(plan, Plan::Auto { .. })
            }
            (Ok(pilot), Plan::Auto { precision, .. }) => games_are_cheaper(pilot, *precision),
            _ => false,
        };
        let method = Some(if whole {
            Method::Games
        } else {
            Method::Splitting
        });
        let prepared = if whole {
            None
        } else {
            Some(pilot.and_then(|pilot| pilot.prepare(self.context)))
        };
        let player = player();
        self.context.report(Event::PilotEnded { player, method });
        match prepared {
            None => Ok(None),
            Some(prepared) => estimating.repeat(prepared?).map(Some),
        }
    }

    pub(super) fn series(&self) -> GameSeries<'_> {
        let record_placements = self.keep.records.as_ref().map(|_| RECORDED_PIECES);
        GameSeries::new(self.request.ruleset, self.request.evaluation.seed).limits(Limits {
            max_pieces: self.request.evaluation.plan.max_pieces(),
            record_placements,
        })
    }
}

/// The estimates by splitting so far.
struct Estimated {
    /// The players that still have to play whole games.
    by_games: Vec<Named>,
    results: Vec<PlayerResult>,
    failed: Vec<FailedPlayer>,
}

impl Estimated {
    /// No estimates: these players play whole games.
    fn none(by_games: Vec<Named>) -> Estimated {
        Estimated {
            by_games,
            results: Vec::new(),
            failed: Vec::new(),
        }
    }
}

impl Request<'_> {
    /// A remark on lookup tables that were learned on this many rows, if the board has more.
    fn note_on_height(&self, rows: Option<usize>) -> Option<Note> {
        let height = self.ruleset.height;
        let rows = rows.filter(|&rows| rows < height)?;
        let text = format!(
            "its lookup tables were learned on a board with {rows} rows, but this board has {height}: they do not distinguish higher stacks, so the player may build towers"
        );
        Some(Note::new(NoteKind::BoardIsHigher, text))
    }
}

/// Whether whole games reach a precision with fewer pieces than splitting, or with few enough to
/// take only seconds.
pub(super) fn games_are_cheaper(pilot: &PilotRun, precision: f64) -> bool {
    let splitting = pilot.expected_pieces(precision);
    let pieces = pilot.mean_pieces_at_a_glance();
    let games = games::games_for(precision) as f64;
    pieces.is_some_and(|pieces| games * pieces <= splitting.max(CHEAP))
}

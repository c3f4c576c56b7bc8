//! Comparisons: a sequential test of which of two players is better.

use super::evaluation::games_are_cheaper;
use super::players::{Named, find_players};
use super::result::RatioResult;
use super::{Method, SCHEMA, StudyError, check_part};
use crate::arena::{GameResult, GameSeries};
use crate::context::{Context, Event};
use crate::external::catch_bot_error;
use crate::number::finite;
use crate::stats::sequential::{ERROR_RATE, InterimAnalysis, MOST_ANALYSES, Verdict, units_at};
use crate::survival::{
    Goal, LevelKind, PilotRun, Prepared, Splitting, SurvivalError, TRAJECTORIES,
};
use serde::{Deserialize, Serialize};
use tetrolab_core::rng::game_seed;
use tetrolab_core::ruleset::Ruleset;

/// Whole games in one unit of the test.
const GAMES_PER_UNIT: usize = 32;

/// A comparison of two players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Comparison {
    /// The first player.
    pub first: String,
    /// The second player.
    pub second: String,
    /// The game: a ruleset by name, spec or file.
    pub ruleset: String,
    /// How both players are measured.
    pub method: Method,
    /// A relative difference that does not matter: players within it count as equal.
    pub margin: f64,
    /// Splitting: number of trajectories started at each level of a repetition.
    pub trajectories: usize,
    /// Splitting: the importance function.
    pub level: LevelKind,
    /// The seed of the games; both players are measured on the same ones.
    pub seed: u64,
}

impl Default for Comparison {
    /// No players; the default board and margin.
    fn default() -> Comparison {
        Comparison {
            first: String::new(),
            second: String::new(),
            ruleset: "simplified-10x10".to_owned(),
            method: Method::Auto,
            margin: 0.05,
            trajectories: TRAJECTORIES,
            level: LevelKind::default(),
            seed: 1,
        }
    }
}

impl Comparison {
    /// Two players on the default board.
    pub fn new(first: &str, second: &str) -> Comparison {
        Comparison {
            first: first.to_owned(),
            second: second.to_owned(),
            ..Comparison::default()
        }
    }
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// The version of this schema: [`SCHEMA`].
    pub schema: u32,
    /// Whether the comparison was stopped before a decision.
    pub interrupted: bool,
    /// The first player.
    pub first: String,
    /// The second player.
    pub second: String,
    /// The name of the ruleset.
    pub ruleset: String,
    /// The seed of the games.
    pub seed: u64,
    /// `games` or `splitting`; `None` if the comparison was stopped before the choice.
    pub method: Option<Method>,
    /// Number of units in which each player was measured: blocks of games, or repetitions.
    pub units: usize,
    /// Number of interim analyses made.
    #[serde(rename = "looks")]
    pub analyses: usize,
    /// Maximum number of interim analyses.
    #[serde(rename = "most_looks")]
    pub most_analyses: usize,
    /// The maximum probability of a wrong decision.
    pub error_rate: f64,
    /// The difference that does not matter.
    pub margin: f64,
    /// The means; `None` if the comparison was stopped before the first interim analysis.
    pub lines: Option<TwoMeans>,
    /// The ratio of the means.
    pub ratio: Option<RatioResult>,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether the estimates are reliable: there are no doubts about them.
    pub trusted: bool,
    /// Why the estimates may be unreliable; each reason starts with the player's name.
    pub doubts: Vec<String>,
    /// Pieces played.
    pub pieces_simulated: u64,
}

/// The mean lines of two players.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TwoMeans {
    /// The mean of the first player.
    #[serde(serialize_with = "finite")]
    pub first: f64,
    /// The mean of the second player.
    #[serde(serialize_with = "finite")]
    pub second: f64,
}

impl Compared {
    /// Number of games that each player played, if they played whole games.
    pub fn games(&self) -> Option<u64> {
        let whole = self.method == Some(Method::Games);
        whole.then_some((self.units * GAMES_PER_UNIT) as u64)
    }
}

/// Decides which of two players is better, and stops as soon as the data are sufficient.
///
/// # Errors
/// If a name or a number is invalid, a player cannot play, or there is nothing to compare.
pub fn compare(comparison: &Comparison, context: &Context) -> Result<Compared, StudyError> {
    check_part("a margin", comparison.margin)?;
    let ruleset = context.library().ruleset(&comparison.ruleset)?;
    let names = [comparison.first.clone(), comparison.second.clone()];
    let players = find_players(context.library(), &names, &ruleset)?;
    let mut own = names
        .iter()
        .filter(|name| context.library().is_own_player(name));
    if comparison.method == Method::Splitting
        && let Some(player) = own.next()
    {
        return StudyError::own_player_by_splitting(player);
    }
    let comparing = Comparing {
        comparison,
        context,
        ruleset: &ruleset,
        players,
    };
    catch_bot_error(|| context.run(|| comparing.run()))
}

/// A comparison in progress.
struct Comparing<'a> {
    comparison: &'a Comparison,
    context: &'a Context,
    ruleset: &'a Ruleset,
    players: Vec<Named>,
}

/// How both players are measured.
enum Measurement {
    Games,
    Splitting(Vec<Prepared>),
}

/// The state after an interim analysis.
#[derive(Clone, Default)]
struct Known {
    found: Option<InterimAnalysis>,
    analyses: usize,
    means: [f64; 2],
    pieces: u64,
    doubts: Vec<String>,
}

impl Known {
    fn is_decided(&self) -> bool {
        self.found
            .is_some_and(|found| found.verdict != Verdict::Open)
    }
}

impl Comparing<'_> {
    fn run(&self) -> Result<Compared, StudyError> {
        let (method, known) = match self.measurement() {
            Ok(Measurement::Games) => (Some(Method::Games), self.by_games()?),
            Ok(Measurement::Splitting(prepared)) => {
                (Some(Method::Splitting), self.by_splitting(prepared)?)
            }
            Err(StudyError::Survival(SurvivalError::Stopped)) => (None, Known::default()),
            Err(error) => return Err(error),
        };
        if known.found.is_none() && !self.context.is_cancelled() {
            let why = match method {
                Some(Method::Games) => "no lines were cleared",
                _ => "a player never lost",
            };
            return StudyError::refused(format!("{why}: there is nothing to compare"));
        }
        Ok(self.result(method, &known))
    }

    fn result(&self, method: Option<Method>, known: &Known) -> Compared {
        let asked = self.comparison;
        let [first, second] = known.means;
        Compared {
            schema: SCHEMA,
            interrupted: self.context.is_cancelled() && !known.is_decided(),
            first: asked.first.clone(),
            second: asked.second.clone(),
            ruleset: self.ruleset.name.clone(),
            seed: asked.seed,
            method,
            units: known.found.map_or(0, |found| found.units),
            analyses: known.analyses,
            most_analyses: MOST_ANALYSES,
            error_rate: ERROR_RATE,
            margin: asked.margin,
            lines: known.found.map(|_| TwoMeans { first, second }),
            ratio: (known.found).map(|found| RatioResult::new(found.ratio, found.ci95)),
            verdict: known.found.map_or(Verdict::Open, |found| found.verdict),
            trusted: known.doubts.is_empty(),
            doubts: known.doubts.clone(),
            pieces_simulated: known.pieces,
        }
    }

    /// Whole games if the games of both players are short or one of them is a program or an object
    /// of the caller, otherwise splitting for both.
    fn measurement(&self) -> Result<Measurement, StudyError> {
        let Comparison { method, margin, .. } = self.comparison;
        let is_auto = *method == Method::Auto;
        let library = self.context.library();
        let mut players = self.players.iter();
        let has_own = players.any(|named| library.is_own_player(&named.name));
        if *method == Method::Games || (is_auto && has_own) {
            return Ok(Measurement::Games);
        }
        let mut pilots = Vec::new();
        for named in &self.players {
            let player = named.name.clone();
            self.context.report(Event::PilotBegan { player });
            let pilot = self.pilot(named);
            let (player, method) = (named.name.clone(), None);
            self.context.report(Event::PilotEnded { player, method });
            match pilot {
                Err(SurvivalError::FixedPieces(_) | SurvivalError::Stepped(_)) if is_auto => {
                    return Ok(Measurement::Games);
                }
                one => pilots.push(one?),
            }
        }
        let end_soon = |pilot: &PilotRun| games_are_cheaper(pilot, *margin);
        if is_auto && pilots.iter().all(end_soon) {
            return Ok(Measurement::Games);
        }
        let pilots = pilots.into_iter();
        let prepared = pilots.map(|pilot| pilot.prepare(self.context));
        Ok(Measurement::Splitting(
            prepared.collect::<Result<_, SurvivalError>>()?,
        ))
    }

    fn pilot(&self, named: &Named) -> Result<PilotRun, SurvivalError> {
        let splitting = Splitting {
            trajectories: self.comparison.trajectories,
            level: self.comparison.level.clone(),
            player: named.name.clone(),
            ..Splitting::default()
        };
        splitting.pilot(
            self.context,
            &*named.player,
            self.ruleset,
            self.comparison.seed,
        )
    }

    fn by_games(&self) -> Result<Known, StudyError> {
        let mut units: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
        let (mut known, mut pieces) = (Known::default(), 0);
        let arms: Vec<_> = self.players.iter().map(Named::arm).collect();
        for number in 0..MOST_ANALYSES {
            self.context.report(Event::AnalysisBegan { number });
            let games = ((units_at(number) - units[0].len()) * GAMES_PER_UNIT) as u64;
            // Every interim analysis plays new games.
            let seed = game_seed(self.comparison.seed, number as u64);
            let series = GameSeries::new(self.ruleset, seed);
            let played = self.context.play_all(&arms, &series, 0..games)?;
            if played.iter().any(|arm| arm.interrupted) {
                break;
            }
            for (units, arm) in units.iter_mut().zip(&played) {
                units.extend(arm.games.chunks(GAMES_PER_UNIT).map(mean_lines));
                pieces += arm.decisions();
            }
            let mean = |units: &[f64]| units.iter().sum::<f64>() / units.len() as f64;
            known = Known {
                found: InterimAnalysis::at(&units[0], &units[1], self.comparison.margin),
                analyses: number + 1,
                means: [mean(&units[0]), mean(&units[1])],
                pieces,
                doubts: Vec::new(),
            };
            if self.tell(&known) {
                break;
            }
        }
        Ok(known)
    }

    fn by_splitting(&self, mut prepared: Vec<Prepared>) -> Result<Known, StudyError> {
        let mut known = Known::default();
        for number in 0..MOST_ANALYSES {
            self.context.report(Event::AnalysisBegan { number });
            let units = units_at(number) as u64;
            let mut next = Known {
                analyses: number + 1,
                ..Known::default()
            };
            for (turn, prepared) in prepared.iter_mut().enumerate() {
                let survival = match prepared.run(self.context, Goal::Repetitions(units)) {
                    Err(SurvivalError::Stopped) => return Ok(known),
                    survival => survival?,
                };
                next.means[turn] = survival.lines.unwrap_or(0.0);
                next.pieces += survival.pieces_simulated;
                let player = &self.players[turn].name;
                let doubts = survival.doubts.iter();
                let doubts = doubts.map(|doubt| format!("{player}: {doubt}"));
                next.doubts.extend(doubts);
            }
            if self.context.is_cancelled() {
                break;
            }
            // A player with a lower death rate survives longer, so the rates are swapped.
            let (first, second) = (prepared[1].rates(), prepared[0].rates());
            next.found = InterimAnalysis::at(&first, &second, self.comparison.margin);
            known = next;
            if self.tell(&known) {
                break;
            }
        }
        Ok(known)
    }

    /// Reports the result of an interim analysis; returns whether it is decisive.
    fn tell(&self, known: &Known) -> bool {
        self.context.report(Event::AnalysisEnded {
            number: known.analyses - 1,
            found: known.found,
        });
        known.is_decided()
    }
}

fn mean_lines(games: &[GameResult]) -> f64 {
    games.iter().map(|game| game.lines as f64).sum::<f64>() / GAMES_PER_UNIT as f64
}

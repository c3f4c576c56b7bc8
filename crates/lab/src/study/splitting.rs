//! Means by multilevel splitting: a pilot run, then repetitions until the target is reached.

use super::evaluation::{Evaluating, Request};
use super::game_log::file_in;
use super::players::Named;
use super::result::{LevelRow, LinesResult, MeanResult, PlayerResult, SplittingResult};
use super::{Note, NoteKind, SplittingPlan, StudyError};
use crate::context::Event;
use crate::survival::{Goal, PilotRun, Prepared, Splitting, Survival, SurvivalError, Unmet};
use crate::time::Instant;
use std::time::Duration;

/// The estimate of one player.
pub(super) struct Estimating<'a> {
    of: &'a Evaluating<'a>,
    named: &'a Named,
    splitting: Splitting,
    goal: Goal,
    began: Instant,
}

impl<'a> Estimating<'a> {
    pub(super) fn new(
        of: &'a Evaluating<'a>,
        named: &'a Named,
        (goal, splitting): (Goal, &SplittingPlan),
    ) -> Result<Estimating<'a>, StudyError> {
        let folder = of.keep.resume.as_deref();
        let checkpoint = folder.map(|folder| file_in(folder, &named.name, "survival"));
        Ok(Estimating {
            of,
            named,
            splitting: Splitting {
                checkpoint: checkpoint.transpose()?,
                identity: of.context.library().player_identity(&named.name)?,
                ..splitting.of(&named.name)
            },
            goal,
            began: Instant::now(),
        })
    }

    /// A pilot run of the player.
    pub(super) fn pilot(&mut self) -> Result<PilotRun, SurvivalError> {
        let Evaluating {
            context, request, ..
        } = self.of;
        let (player, seed) = (&*self.named.player, request.evaluation.seed);
        self.splitting.pilot(context, player, request.ruleset, seed)
    }

    /// Repeats until the target is reached.
    pub(super) fn repeat(&self, mut prepared: Prepared) -> Result<PlayerResult, StudyError> {
        let (context, name) = (self.of.context, &self.named.name);
        let player = name.clone();
        context.report(Event::RepetitionsBegan { player });
        let before = Duration::try_from_secs_f64(prepared.seconds_before());
        let survival = prepared.run(context, self.goal);
        let player = name.clone();
        context.report(Event::RepetitionsEnded { player });
        let elapsed = self.began.elapsed() + before.unwrap_or_default();
        let request = self.of.request;
        Ok(request.result_of_splitting(name, &survival?, elapsed))
    }
}

impl Request<'_> {
    /// The result of an estimate.
    pub(super) fn result_of_splitting(
        &self,
        player: &str,
        survival: &Survival,
        elapsed: Duration,
    ) -> PlayerResult {
        let known = |value: f64| value.is_finite().then_some(value);
        let plan = self.evaluation.plan.splitting();
        let plan = plan.map_or_else(SplittingPlan::default, |plan| plan.1.clone());
        let seconds = elapsed.as_secs_f64();
        let speed = survival.pieces_simulated as f64 / seconds.max(1e-9);
        PlayerResult {
            player: player.to_owned(),
            ruleset: self.ruleset.name.clone(),
            seed: self.evaluation.seed,
            method: "splitting".to_owned(),
            games: 0,
            finished: 0,
            cut_off: 0,
            interrupted: matches!(survival.unmet, Some(Unmet::Stopped { .. })),
            lines: LinesResult {
                mean: survival.lines,
                ci95: Some(survival.lines_ci95),
                method: Some("splitting".to_owned()),
                median: None,
                mean_by_median: None,
                sd: None,
                max: None,
            },
            pieces: MeanResult {
                mean: survival.pieces,
                ci95: Some(survival.pieces_ci95),
            },
            line_points: MeanResult {
                mean: survival.line_points,
                ci95: None,
            },
            points: None,
            rate: known(survival.rate),
            precision: known(survival.precision),
            reached: survival.unmet.is_none(),
            splitting: Some(SplittingResult {
                relative_error: known(survival.relative_error),
                trusted: survival.doubts.is_empty(),
                doubts: survival.doubts.iter().map(ToString::to_string).collect(),
                repetitions: survival.repetitions,
                trajectories: plan.trajectories,
                level: plan.level,
                saving: survival.saving(),
                base: survival.base,
                entry_rate: survival.entry_rate,
            }),
            pieces_simulated: survival.pieces_simulated,
            levels: LevelRow::all(survival),
            notes: survival.unmet.and_then(note).into_iter().collect(),
            decisions_per_second: speed.round(),
            seconds,
        }
    }
}

/// A note about a target that was not reached, unless the study was stopped.
fn note(unmet: Unmet) -> Option<Note> {
    match unmet {
        Unmet::Stopped { .. } => None,
        unmet => Some(Note::new(NoteKind::TargetNotReached, unmet.to_string())),
    }
}

//! Runs each stage of an experiment once; results are stored in the run's folder.
//!
//! ```text
//! runs/reproduce/strategies-quick/
//!   5b7c...e1.json              the result of a stage, under its key
//!   learned/STAGE-KEY/          a learned or written player; learning runs have their store here
//!   unfinished/KEY/             games of an evaluation that was interrupted
//! ```

use super::result::{STAGE_SCHEMA, StageProvenance};
use super::stage::with_references;
use super::{
    Experiment, ExperimentError, ExperimentResults, LearnedPlayer, Stage, StageRecord, StageResult,
    StageStudy, key,
};
use crate::context::{Context, Event};
use crate::learning::{RunFolder, write_whole};
use crate::library::PLAYER_FILE;
use crate::study::{Evaluated, Evaluation, Keep, LearningPlace, compare, evaluate, learn};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The command with which the caller repeats a study; `None` for steps between studies.
pub type RepeatCommand<'a> = &'a dyn Fn(&StageStudy) -> Option<String>;

/// The completed part of an experiment.
#[derive(Clone, Debug)]
pub(super) struct Done {
    pub(super) results: ExperimentResults,
    /// Whether the experiment was stopped early.
    pub(super) interrupted: bool,
}

/// Runs all stages that have no result yet.
pub(super) fn run(
    experiment: &Experiment,
    out: &Path,
    command: RepeatCommand<'_>,
    context: &Context,
) -> Result<Done, ExperimentError> {
    experiment.definition.check()?;
    check_folder(out)?;
    std::fs::create_dir_all(out).map_err(|error| ExperimentError::folder(out, &error))?;
    let mut driver = Driver {
        experiment,
        out,
        command,
        context,
        done: Done {
            results: ExperimentResults::new(experiment.size),
            interrupted: false,
        },
        durations: Vec::new(),
    };
    for (number, stage) in experiment.definition.stages.iter().enumerate() {
        if driver.done.interrupted {
            break;
        }
        let of_stage = |error: ExperimentError| error.of_stage(&stage.id);
        driver.stage(number, stage).map_err(of_stage)?;
    }
    Ok(driver.done)
}

/// Rejects a folder whose players could not be named in a spec such as
/// `greedy(PLAYER,losing=allow)`.
fn check_folder(out: &Path) -> Result<(), ExperimentError> {
    let wrong = |problem: &str| {
        let error = std::io::Error::new(std::io::ErrorKind::InvalidInput, problem);
        ExperimentError::folder(out, &error)
    };
    let path = out.to_str();
    let path = path.ok_or_else(|| wrong("expected a path in UTF-8: choose another folder"))?;
    if path.contains([',', '(', ')', '=', '@', '"']) {
        let problem = "expected a path without , ( ) = @ or quotes: choose another folder";
        return Err(wrong(problem));
    }
    Ok(())
}

struct Driver<'a> {
    experiment: &'a Experiment,
    out: &'a Path,
    command: RepeatCommand<'a>,
    context: &'a Context,
    done: Done,
    /// The kind of every completed stage, and how long it took.
    durations: Vec<(&'static str, f64)>,
}

impl Driver<'_> {
    /// Runs a stage, unless its result is stored.
    fn stage(&mut self, number: usize, stage: &Stage) -> Result<(), ExperimentError> {
        let resolved = stage.study.resolved(|name| self.player_of(name))?;
        let from = match &stage.study {
            StageStudy::Select { from } => self.done.results.stage(from),
            _ => None,
        };
        let from = from.map(|record| record.key.as_str());
        let key = key::key(&stage.study, &resolved, from)?;
        let path = self.out.join(format!("{key}.json"));
        let kept = StageRecord::read(&path, &key).filter(|record| self.restore(stage, record));
        let is_kept = kept.is_some();
        self.context.report(Event::StageBegan {
            stage: stage.id.clone(),
            number: number + 1,
            of: self.experiment.definition.stages.len(),
            to_go: self.seconds_to_go(number),
        });
        let record = match kept {
            Some(record) => Some(record),
            None => self.make(stage, &resolved, &key)?,
        };
        match record {
            Some(record) => {
                if !is_kept {
                    record.write(&path)?;
                    self.forget_unfinished(&key);
                }
                let seconds = record.provenance.seconds;
                self.durations.push((stage.study.kind(), seconds));
                self.done.results.add(&stage.id, record);
            }
            None => self.done.interrupted = true,
        }
        self.context.report(Event::StageEnded {
            stage: stage.id.clone(),
            was_kept: is_kept,
        });
        Ok(())
    }

    /// The estimated time of the remaining stages, if similar stages have been completed.
    fn seconds_to_go(&self, number: usize) -> Option<f64> {
        let left = &self.experiment.definition.stages[number..];
        let mean = |kind: &str| {
            let like = self.durations.iter().filter(|done| done.0 == kind);
            let (count, sum) =
                like.fold((0.0, 0.0), |(count, sum), done| (count + 1.0, sum + done.1));
            (count > 0.0).then(|| sum / count)
        };
        let any = || {
            let sum: f64 = self.durations.iter().map(|done| done.1).sum();
            (!self.durations.is_empty()).then(|| sum / self.durations.len() as f64)
        };
        left.iter()
            .map(|stage| mean(stage.study.kind()).or_else(any))
            .sum()
    }

    /// The folder of the player of a stage.
    fn player_folder(&self, stage: &str, key: &str) -> PathBuf {
        self.out.join("learned").join(format!("{stage}-{key}"))
    }

    fn unfinished(&self, key: &str) -> PathBuf {
        self.out.join("unfinished").join(key)
    }

    /// Removes the stored games of a finished evaluation. Leftovers after an error do no harm.
    fn forget_unfinished(&self, key: &str) {
        let _ = std::fs::remove_dir_all(self.unfinished(key));
        let _ = std::fs::remove_dir(self.out.join("unfinished"));
    }

    /// The player of an earlier stage, in the form that studies accept.
    fn player_of(&self, stage: &str) -> Result<String, ExperimentError> {
        let record = self.done.results.stage(stage);
        let record = record.ok_or_else(|| ExperimentError::Stage {
            stage: stage.to_owned(),
            problem: "there is no result yet".to_owned(),
        })?;
        match &record.result {
            StageResult::Selected { player } => {
                with_references(player, |name| self.player_of(name))
            }
            _ => {
                let file = self.player_folder(stage, &record.key).join(PLAYER_FILE);
                Ok(file.display().to_string())
            }
        }
    }

    /// Restores the player of a stored result if necessary; returns whether it is available.
    fn restore(&self, stage: &Stage, record: &StageRecord) -> bool {
        let text = match (&record.result, &stage.study) {
            (StageResult::Learned(learned), _) => learned.player.as_ref(),
            (StageResult::Written, StageStudy::Write { player }) => Some(player),
            _ => return true,
        };
        let file = self.player_folder(&stage.id, &record.key).join(PLAYER_FILE);
        file.exists() || text.is_some_and(|text| write_player(&file, text).is_ok())
    }

    /// The result of a stage; `None` if it was interrupted.
    fn make(
        &self,
        stage: &Stage,
        resolved: &StageStudy,
        key: &str,
    ) -> Result<Option<StageRecord>, ExperimentError> {
        let began = Instant::now();
        let command = (self.command)(resolved);
        let result = match resolved {
            StageStudy::Learn(learning) => {
                let run = RunFolder::at(&self.player_folder(&stage.id, key))?;
                let place = LearningPlace {
                    resume: run.path().exists(),
                    provenance: command.clone(),
                    ..LearningPlace::new(&run.path())?
                };
                let mut learned = learn(learning, &place, self.context)?;
                if learned.interrupted {
                    return Ok(None);
                }
                // Results can be moved, so they contain no folders.
                (learned.run, learned.player) = (run.id.clone(), None);
                learned.finished_before = false;
                StageResult::Learned(Box::new(LearnedPlayer::read(learned, &run)?))
            }
            StageStudy::Evaluate(evaluation) => {
                let folder = self.unfinished(key);
                let keep = Keep {
                    resume: Some(folder),
                    ..Keep::nothing()
                };
                let found = evaluate(evaluation, &keep, self.context)?;
                if found.interrupted {
                    return Ok(None);
                }
                StageResult::Evaluated(renamed(found, evaluation, &stage.study))
            }
            StageStudy::Compare(comparison) => {
                let found = compare(comparison, self.context)?;
                if found.interrupted {
                    return Ok(None);
                }
                StageResult::Compared(Box::new(found))
            }
            StageStudy::Select { from } => StageResult::Selected {
                player: self.best_of(from)?,
            },
            StageStudy::Write { player } => {
                let file = self.player_folder(&stage.id, key).join(PLAYER_FILE);
                write_player(&file, player)?;
                StageResult::Written
            }
        };
        Ok(Some(StageRecord {
            schema: STAGE_SCHEMA,
            experiment: self.experiment.id.clone(),
            stage: stage.id.clone(),
            key: key.to_owned(),
            study: stage.study.clone(),
            provenance: StageProvenance {
                command,
                seed: stage.study.seed(),
                tetrolab: env!("CARGO_PKG_VERSION").to_owned(),
                seconds: began.elapsed().as_secs_f64(),
            },
            result,
        }))
    }

    /// The player with the highest mean lines in an evaluation.
    fn best_of(&self, stage: &str) -> Result<String, ExperimentError> {
        let record = self.done.results.stage(stage);
        let results = match record.map(|record| &record.result) {
            Some(StageResult::Evaluated(evaluated)) => &evaluated.results[..],
            _ => &[],
        };
        let mean = |place: &usize| results[*place].lines.mean.unwrap_or(f64::INFINITY);
        let best = (0..results.len()).max_by(|a, b| mean(a).total_cmp(&mean(b)));
        let best = best.ok_or_else(|| ExperimentError::Stage {
            stage: stage.to_owned(),
            problem: "measured no players to select from".to_owned(),
        })?;
        Ok(results[best].player.clone())
    }
}

/// An evaluation whose players have the names used in the description instead of file names.
fn renamed(mut found: Evaluated, resolved: &Evaluation, study: &StageStudy) -> Evaluated {
    let StageStudy::Evaluate(named) = study else {
        return found;
    };
    let rename = |name: &mut String| {
        let place = resolved.players.iter().position(|player| player == name);
        if let Some(place) = place {
            named.players[place].clone_into(name);
        }
    };
    found
        .results
        .iter_mut()
        .for_each(|result| rename(&mut result.player));
    found
        .failed
        .iter_mut()
        .for_each(|failed| rename(&mut failed.player));
    for pair in &mut found.comparisons {
        rename(&mut pair.first);
        rename(&mut pair.second);
    }
    found
}

/// Writes the file of a player, and creates its folders.
fn write_player(file: &Path, text: &str) -> Result<(), ExperimentError> {
    let folder = file.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(folder).map_err(|error| ExperimentError::folder(folder, &error))?;
    Ok(write_whole(file, text)?)
}

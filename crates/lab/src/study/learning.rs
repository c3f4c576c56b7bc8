//! Learning: from a description to a player file, in one call.

use super::{LearningResult, StudyError};
use crate::context::Context;
use crate::learners::Solution;
use crate::learning::export::generations;
use crate::learning::{
    KeptInLab, Learning, LearningError, RunFolder, RunLock, Store, StoredRun, Task, USUAL_MEMORY,
    drive, model_beside, model_so_far, try_to_write, write_whole, write_whole_bytes,
};
use crate::library::{FileError, FileSource, PlayerFile, check_place, is_path, sealed_model_bytes};
use std::path::{Path, PathBuf};
use tetrolab_core::evaluators::Model;

/// The folder and output of a run; they do not affect what is learned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearningPlace {
    /// The run's folder.
    pub run: RunFolder,
    /// The player is also written to this new file.
    pub out: Option<PathBuf>,
    /// Continue an existing run instead of refusing to.
    pub resume: bool,
    /// How to repeat the run, such as a command line; it is stored with the run and in the
    /// player's file. If missing, the description is stored as JSON.
    pub provenance: Option<String>,
    /// The memory limit of the run, in bytes; [`USUAL_MEMORY`] by default.
    pub memory: Option<u64>,
}

impl LearningPlace {
    /// A new run in this folder; its lab is the parent folder.
    ///
    /// # Errors
    /// If the path does not end with a name.
    pub fn new(folder: &Path) -> Result<LearningPlace, StudyError> {
        Ok(LearningPlace {
            run: RunFolder::at(folder)?,
            out: None,
            resume: false,
            provenance: None,
            memory: None,
        })
    }

    fn folder(&self) -> String {
        self.run.path().display().to_string()
    }

    fn memory(&self) -> u64 {
        self.memory.unwrap_or(USUAL_MEMORY)
    }

    fn provenance(&self, learning: &Learning) -> String {
        let json = || serde_json::to_string(learning).expect("a description is JSON");
        self.provenance.clone().unwrap_or_else(json)
    }

    /// Finds problems that would otherwise only appear at the end of learning.
    fn check(&self, plan: &Learning) -> Result<(), StudyError> {
        self.check_begun(plan)?;
        self.check_out()?;
        let path = self.run.path();
        match path.ancestors().find(|part| part.is_file()) {
            Some(file) => Err(LearningError::NotAFolder(file.display().to_string()).into()),
            None => Ok(()),
        }
    }

    /// An existing run is continued only on request. A finished one can be shown again. If the
    /// folder exists but nothing is stored, the run was killed at its start, and starts again.
    fn check_begun(&self, plan: &Learning) -> Result<(), LearningError> {
        match find(&self.run)? {
            None if self.resume && !self.run.path().is_dir() => {
                Err(LearningError::no_run(&self.folder()))
            }
            None => Ok(()),
            Some(stored) => {
                stored.check(plan)?;
                if stored.ended.is_none() && !self.resume {
                    Err(LearningError::Begun(self.folder()))
                } else {
                    Ok(())
                }
            }
        }
    }

    /// Performs the same check for the file of a model next to the player's.
    fn check_model(&self, has_model: bool) -> Result<(), FileError> {
        match &self.out {
            Some(out) if has_model => try_to_write(&model_beside(out)),
            _ => Ok(()),
        }
    }

    /// Rejects a path that is not writable or already exists. An existing file is only replaced by
    /// the run that was supposed to write it.
    fn check_out(&self) -> Result<(), FileError> {
        let Some(out) = &self.out else {
            return Ok(());
        };
        check_place(out)?;
        let ours = || PlayerFile::read(out).is_ok_and(|player| player.name == self.run.id);
        if out.exists() && !(self.resume && ours()) {
            let problem = "already exists; choose a new file name";
            return Err(FileError::of_file(out, problem));
        }
        try_to_write(out)
    }
}

/// Learns a player, or continues with a run that was stopped, and writes the player's file into the
/// run's folder.
///
/// # Errors
/// If the description is invalid, files cannot be written, or the run differs or is locked by
/// another process.
pub fn learn(
    learning: &Learning,
    place: &LearningPlace,
    context: &Context,
) -> Result<LearningResult, StudyError> {
    if let FileSource::Given(_) = context.library() {
        learning.check_names()?;
    }
    let task = Task::new(learning.clone())?;
    task.check_memory(context.arena().threads(), place.memory())?;
    if context.cluster().is_some() {
        task.check_distributed()?;
    }
    place.check(&task.plan)?;
    place.check_model(task.has_model())?;
    let mut begun = Begun::new(&task.plan, learning, place)?;
    context.report(task.began(place.folder(), begun.finished_before));
    let driven = context.run(|| drive(&task, context, &mut begun.kept(place)))?;
    let mut result = LearningResult::of(&task.plan, &driven, place.folder(), begun.finished_before);
    if !driven.interrupted {
        let (id, solutions) = (&place.run.id, &driven.solutions);
        let text = |file: Option<&str>| task.player_text(id, solutions, &begun.provenance, file);
        let model = task.model(solutions);
        result.player = Some(write_player(place, model.as_ref(), text)?);
    }
    Ok(result)
}

/// A run that this process is working on.
struct Begun {
    store: Store,
    provenance: String,
    /// Whether the run had been finished before.
    finished_before: bool,
    _lock: RunLock,
}

impl Begun {
    /// Locks the run of a plan, and stores how it was requested.
    fn new(
        plan: &Learning,
        learning: &Learning,
        place: &LearningPlace,
    ) -> Result<Begun, LearningError> {
        let lock = place.run.lock()?;
        let mut store = Store::open(&place.run.store())?;
        let (id, provenance) = (&place.run.id, place.provenance(learning));
        let before = store.run(id)?;
        store.begin(id, plan, &provenance)?;
        Ok(Begun {
            store,
            provenance,
            finished_before: before.is_some_and(|run| run.ended.is_some()),
            _lock: lock,
        })
    }

    fn kept<'a>(&'a mut self, place: &'a LearningPlace) -> KeptInLab<'a> {
        KeptInLab {
            store: &mut self.store,
            folder: &place.run,
        }
    }
}

/// Writes the player into the run's folder, with its model, if it has one, next to it, and then to
/// the requested file; returns the file that other studies accept. The text depends on the name of
/// the model's file.
fn write_player(
    place: &LearningPlace,
    model: Option<&Model>,
    text: impl Fn(Option<&str>) -> String,
) -> Result<String, FileError> {
    let own = place.run.player();
    for path in [&own].into_iter().chain(&place.out) {
        let beside = model_beside(path);
        let name = beside.file_name().unwrap_or_default().display().to_string();
        if let Some(model) = model {
            write_whole_bytes(&beside, &sealed_model_bytes(model))?;
        }
        write_whole(path, &text(model.map(|_| name.as_str())))?;
    }
    Ok(as_player(place.out.as_ref().unwrap_or(&own)))
}

/// A file in the form of a player's name, because a bare name could refer to a published player.
fn as_player(file: &Path) -> String {
    let name = file.display().to_string();
    if is_path(&name) {
        name
    } else {
        Path::new(".").join(file).display().to_string()
    }
}

/// A stored run, if it exists.
fn find(run: &RunFolder) -> Result<Option<StoredRun>, LearningError> {
    let store = Store::find(&run.store())?;
    let stored = store.map(|store| store.run(&run.id)).transpose()?;
    Ok(stored.flatten())
}

/// The description of an existing run.
///
/// # Errors
/// If the run does not exist, or its store cannot be read.
pub fn stored(run: &RunFolder) -> Result<Learning, StudyError> {
    let missing = || LearningError::no_run(&run.path().display().to_string());
    Ok(find(run)?.ok_or_else(missing)?.plan)
}

/// The text of the best player that a run has found so far, including its model: from the last
/// generation of a search, or from the last checkpoint. `None` before the first.
///
/// # Errors
/// If there is no such run, or its files cannot be read.
pub fn player_so_far(run: &RunFolder) -> Result<Option<String>, StudyError> {
    let task = Task::new(stored(run)?)?;
    let mut store = Store::read(&run.store()).map_err(LearningError::from)?;
    let rows = generations(&store, &run.id).map_err(LearningError::from)?;
    let last = rows.last().map(|row| row.solution.clone());
    let solution = match last {
        None => None,
        Some(numbers) if !numbers.is_empty() => Some(Solution::Numbers(numbers)),
        Some(_) => {
            let store = &mut store;
            model_so_far(&task, &KeptInLab { store, folder: run })?
        }
    };
    let text = |solution| task.player_text(&run.id, &[solution], "", None);
    Ok(solution.map(text))
}

/// The latest run of a lab that is not finished, if there is one.
///
/// # Errors
/// If the store cannot be read.
pub fn find_unfinished(lab: &Path) -> Result<Option<RunFolder>, StudyError> {
    let lab = RunFolder {
        lab: lab.to_owned(),
        id: String::new(),
    };
    let store = Store::read(&lab.store()).map_err(LearningError::from)?;
    let runs = store.runs().map_err(LearningError::from)?;
    let unfinished = runs.into_iter().find(|run| run.ended.is_none());
    Ok(unfinished.map(|run| RunFolder { id: run.id, ..lab }))
}

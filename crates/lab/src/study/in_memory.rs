//! Learning without files: for programs that have none, such as a page.

use super::{LearningResult, StudyError};
use crate::context::Context;
use crate::learning::{Learning, NothingKept, Task, USUAL_MEMORY, drive};

/// What was learned in memory.
#[derive(Clone, Debug)]
pub struct LearnedInMemory {
    /// What was learned, as [`learn`](super::learn) says it.
    pub result: LearningResult,
    /// The text of the player's file with its model in it; none if it was stopped.
    pub player: Option<String>,
}

/// Learns a player and writes nothing: a run that is stopped is lost. The names of the description
/// lead to published parts alone. The player plays as that of [`learn`](super::learn); its file has
/// this name and says how the run is made again.
///
/// # Errors
/// If the description makes no sense, names a file, or takes too much memory.
pub fn learn_in_memory(
    learning: &Learning,
    (name, provenance): (&str, &str),
    context: &Context,
) -> Result<LearnedInMemory, StudyError> {
    learning.check_names()?;
    let task = Task::new(learning.clone())?;
    task.check_memory(context.arena().threads(), USUAL_MEMORY)?;
    context.report(task.began(name.to_owned(), false));
    let driven = context.run(|| drive(&task, context, &mut NothingKept))?;
    let result = LearningResult::of(&task.plan, &driven, name.to_owned(), false);
    let text = || task.player_text(name, &driven.solutions, provenance, None);
    let player = (!driven.interrupted).then(text);
    Ok(LearnedInMemory { result, player })
}

//! Learning without files, for programs that have none, such as a web page.

use super::{LearningResult, StudyError};
use crate::context::Context;
use crate::learning::{Learning, NothingKept, Task, USUAL_MEMORY, drive};

/// The result of learning in memory.
#[derive(Clone, Debug)]
pub struct LearnedInMemory {
    /// The result, as returned by [`learn`](super::learn).
    pub result: LearningResult,
    /// The text of the player file, including the model; `None` if learning was stopped.
    pub player: Option<String>,
}

/// Learns a player without writing files: a run that is stopped is lost. Names in the description
/// can only refer to published parts. The player makes the same decisions as that of
/// [`learn`](super::learn); its file contains `name`, and `provenance` as the instructions to repeat
/// the run.
///
/// # Errors
/// If the description is invalid, refers to a file, or needs too much memory.
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

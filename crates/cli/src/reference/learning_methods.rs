//! The page of all learning methods with their settings and presets.

use super::{GeneratedFile, cell, sentence, settings};
use crate::list::fixed;
use tetrolab::learners::{LEARNERS, Learner};
use tetrolab::learning::objective::OBJECTIVES;
use tetrolab::report::{Align, Table};

pub(super) fn page() -> GeneratedFile {
    let mut body = "\
`tetrolab learn METHOD` trains a player. An *optimiser* searches a vector of weights or network\n\
parameters and sees only the score of each candidate. A *reinforcement learner* trains a network or\n\
lookup tables while it plays. Settings go in parentheses: `tetrolab learn 'cma-es(population=40)'`.\n\
A *preset* is a published configuration.\n\n\
[Learning methods](../explanation/learning.md) compares them;\n\
[Choose a learning method](../how-to/choose-a-learning-method.md) recommends one to start with.\n\n"
        .to_owned();
    for learner in LEARNERS {
        body += &section(learner);
    }
    body += "## Objectives\n\nAn objective defines how an optimiser's candidates are scored (`learn --objective`).\n\n";
    for objective in OBJECTIVES {
        body += &format!(
            "### `{}`\n\n{} Source: {}.\n\n",
            objective.id,
            sentence(objective.definition),
            cell(objective.source)
        );
        if !objective.settings.is_empty() {
            body += &(settings(objective.settings) + "\n");
        }
    }
    GeneratedFile::page("learning-methods.md", "Learning methods", &body)
}

fn section(learner: &Learner) -> String {
    let kind = if learner.make.trains_model() {
        "Reinforcement learner"
    } else {
        "Optimiser"
    };
    let (definition, source) = (cell(learner.definition), cell(learner.source));
    let mut text = format!(
        "## `{}`\n\n{kind}: {definition}. Source: {source}.\n\n",
        learner.id
    );
    let own = fixed(&learner.make.protocol);
    if !own.is_empty() {
        text += &format!("Defaults: {own}.\n\n");
    }
    if !learner.settings.is_empty() {
        text += &(settings(learner.settings) + "\n");
    }
    if !learner.make.presets.is_empty() {
        let mut table = Table::new(&[
            ("preset", Align::Left),
            ("what it is", Align::Left),
            ("settings", Align::Left),
            ("fixes", Align::Left),
            ("source", Align::Left),
        ]);
        for preset in learner.make.presets {
            let settings = match preset.settings {
                "" => String::new(),
                settings => format!("`{}`", settings.replace(',', ", ")),
            };
            table.row(vec![
                format!("`{}`", preset.id),
                cell(preset.definition),
                settings,
                fixed(&preset.protocol),
                cell(preset.source),
            ]);
        }
        text += &(table.to_markdown() + "\n");
    }
    text
}

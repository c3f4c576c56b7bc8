//! Command lines of the program `tetrolab` that repeat a study, for display on pages.

use tetrolab::learning::Learning;
use tetrolab::study::{Comparison, Evaluation, GamesGoal, Method, Plan, SplittingPlan};
use tetrolab::survival::{Goal, LevelKind, TRAJECTORIES};

/// A word for a shell.
#[must_use]
pub fn quote(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// An option with its value for a shell. A value that looks like an option is joined to its option
/// with `=`.
#[must_use]
pub fn option(flag: &str, value: &str) -> String {
    let between = if value.starts_with('-') { '=' } else { ' ' };
    format!(" {flag}{between}{}", quote(value))
}

/// An option with its value, formatted for a shell, if there is a value.
#[must_use]
pub fn option_if(flag: &str, value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| option(flag, &value.to_string()))
}

/// A command with its positional arguments before the options, or, if one of them looks like an
/// option, at the end.
fn with_words(command: &str, words: &[&str], options: &str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quote(word)).collect();
    let quoted = quoted.join(" ");
    if words.iter().any(|word| word.starts_with('-')) {
        format!("{command}{options} -- {quoted}")
    } else {
        format!("{command} {quoted}{options}")
    }
}

/// The command of an evaluation.
#[must_use]
pub fn evaluation(of: &Evaluation) -> String {
    evaluation_with(of, "")
}

/// The command of an evaluation, with more options.
#[must_use]
pub fn evaluation_with(of: &Evaluation, more: &str) -> String {
    let options = format!(
        "{}{} --seed {}{more}",
        option("--ruleset", &of.ruleset),
        plan(&of.plan),
        of.seed
    );
    let players: Vec<&str> = of.players.iter().map(String::as_str).collect();
    with_words("tetrolab eval", &players, &options)
}

/// The flags of a plan.
fn plan(of: &Plan) -> String {
    let precision = |part: f64| format!(" --precision {part}");
    let with = |plan: &SplittingPlan| trajectories(plan.trajectories) + &level(&plan.level);
    match of {
        Plan::Auto {
            precision: part,
            splitting,
        } => precision(*part) + &with(splitting),
        Plan::Games { until, max_pieces } => {
            let cap = option_if("--max-pieces", *max_pieces);
            match until {
                GamesGoal::Games(games) => format!(" --games {games}{cap}"),
                GamesGoal::Precision(part) => {
                    format!("{}{}{cap}", method(Method::Games), precision(*part))
                }
            }
        }
        Plan::Splitting { until, splitting } => {
            let until = match until {
                Goal::Precision(part) => precision(*part),
                Goal::Pieces(pieces) => format!(" --budget {pieces}"),
                Goal::Repetitions(count) => format!(" --repetitions {count}"),
            };
            method(Method::Splitting).to_owned() + &until + &with(splitting)
        }
    }
}

/// The command of a comparison.
#[must_use]
pub fn comparison(of: &Comparison) -> String {
    let options = format!(
        "{}{} --margin {}{} --seed {}",
        option("--ruleset", &of.ruleset),
        method(of.method),
        of.margin,
        [trajectories(of.trajectories), level(&of.level)].concat(),
        of.seed
    );
    with_words("tetrolab compare", &[&of.first, &of.second], &options)
}

/// The command that repeats a learning run.
#[must_use]
pub fn learning(of: &Learning) -> String {
    let mut command = format!("tetrolab learn {}", quote(&of.learner));
    for (field, value) in of.fields() {
        let flag = flag(field);
        match value.as_deref() {
            None => {}
            Some("") => command += &format!(" {flag}"),
            Some(value) => command += &option(&flag, value),
        }
    }
    command
}

fn method(of: Method) -> &'static str {
    match of {
        Method::Auto => "",
        Method::Games => " --method games",
        Method::Splitting => " --method splitting",
    }
}

fn trajectories(of: usize) -> String {
    match of {
        TRAJECTORIES => String::new(),
        other => format!(" --trajectories {other}"),
    }
}

fn level(of: &LevelKind) -> String {
    match of {
        LevelKind::Danger => String::new(),
        other => format!(" --level {}", quote(&other.to_string())),
    }
}

/// The flag of `tetrolab learn` that sets a field of a learning description.
#[must_use]
pub fn flag(field: &str) -> String {
    let flag = match field {
        "budget.games" => "total-games",
        "budget.pieces" => "total-pieces",
        "budget.seconds" => "time",
        "budget.fitness" => "until",
        field => field.rsplit('.').next().unwrap_or(field),
    };
    format!("--{}", flag.replace('_', "-"))
}

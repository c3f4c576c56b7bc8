//! The page of all commands: their help, and the exit codes.

use super::GeneratedFile;
use crate::{DONE, INTERRUPTED, TRY_ELSEWHERE, WRONG_INPUT, parser};

/// The width at which help is wrapped.
const WIDTH: usize = 100;

pub(super) fn page() -> GeneratedFile {
    let mut command = parser().term_width(WIDTH);
    command.build();
    let mut body = exit_codes();
    let names: Vec<String> = command
        .get_subcommands()
        .filter(|command| command.get_name() != "help")
        .map(|command| command.get_name().to_owned())
        .collect();
    for name in names {
        let subcommand = command.find_subcommand_mut(&name).expect("it was listed");
        body += &format!("## `tetrolab {name}`\n\n");
        body += &help(subcommand);
        let nested: Vec<String> = subcommand
            .get_subcommands()
            .filter(|command| command.get_name() != "help")
            .map(|command| command.get_name().to_owned())
            .collect();
        for inner in nested {
            let inner_command = subcommand
                .find_subcommand_mut(&inner)
                .expect("it was listed");
            body += &format!("### `tetrolab {name} {inner}`\n\n");
            body += &help(inner_command);
        }
    }
    GeneratedFile::page("commands.md", "Commands", &body)
}

fn help(command: &mut clap::Command) -> String {
    let text = command.render_long_help().to_string();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    format!("```text\n{}\n```\n\n", lines.join("\n").trim_end())
}

fn exit_codes() -> String {
    format!(
        "Every command accepts `--help`. The exit code indicates how the command ended:\n\n\
         | code | meaning |\n|--:|---|\n\
         | {DONE} | done |\n\
         | {WRONG_INPUT} | the input was wrong; one sentence on standard error says what and where |\n\
         | {TRY_ELSEWHERE} | `work` refused units that another worker may be able to compute, or could not read units or write answers |\n\
         | {INTERRUPTED} | interrupted (Ctrl-C, SIGTERM, a closed terminal); partial results are printed |\n\n"
    )
}

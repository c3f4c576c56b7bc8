//! `tetrolab serve`: serves the laboratory to a browser.

use crate::interrupt;
use crate::machine::MachineFlags;
use crate::output::line;
use crate::runs::RUNS;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tetrolab_web::{ServeOptions, Server, ServerLimits};

const EXAMPLES: &str = "\
Examples:
  tetrolab serve                       then open the address that it prints
  tetrolab serve --port 0 --open       any free port; opens the browser
  tetrolab serve --host 0.0.0.0        for other machines, with a token in the address";

/// Serve the laboratory as web pages: watch, play, compare, learn, read reports.
///
/// The server runs on this machine and makes no requests to others. By default it listens on the
/// loopback address, which only programs on this machine can reach. With --host it listens on
/// another address and requires a token, which is part of the address that it prints. Learning runs
/// and reports are kept in the folder of runs, where the other commands find them. Ctrl-C ends it;
/// learning runs and experiments can be resumed. See docs/how-to/use-the-browser.md.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The port to listen on; 0 for any free one.
    #[arg(long, value_name = "PORT", default_value_t = 8265)]
    port: u16,
    /// Listen on this address or name instead of loopback; requires a token.
    #[arg(long, value_name = "ADDRESS")]
    host: Option<String>,
    /// Open the start page in the browser.
    #[arg(long)]
    open: bool,
    /// The folder of learning runs.
    #[arg(long, value_name = "DIR", default_value = RUNS)]
    lab: PathBuf,
    /// Serve the pages from this folder instead of the embedded ones (for development).
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
    #[command(flatten)]
    machine: MachineFlags,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let server = Server::bind(ServeOptions {
        host: args.host.clone(),
        port: args.port,
        lab: args.lab.clone(),
        assets: args.assets.clone(),
        arena: args.machine.arena()?,
        stage_command: crate::reproduce::repeat,
        cancel: interrupt::token().clone(),
        limits: ServerLimits::default(),
    })?;
    line(&format!("tetrolab is at {}", server.url()))?;
    line("Ctrl-C ends it.")?;
    if args.open {
        open(server.url());
    }
    Ok(server.run()?)
}

/// Opens an address in the user's browser, if the system can.
fn open(url: &str) {
    let (program, words): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    let command = command.args(words).arg(url).stdin(Stdio::null());
    if command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .is_err()
    {
        crate::complain(&format!("cannot open a browser; open {url} yourself"));
    }
}

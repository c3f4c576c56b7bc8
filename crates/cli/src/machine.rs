//! Flags about threads and the kernel; they never change a result.

use crate::interrupt;
use anyhow::bail;
use tetrolab::arena::Arena;
use tetrolab::context::Context;
use tetrolab::external::OwnPlayers;

/// The maximum number of threads: more than any machine has cores.
const MOST_THREADS: usize = 1024;

#[derive(clap::Args)]
pub(crate) struct MachineFlags {
    /// Number of threads; by default one per core.
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    /// Use the general engine for every decision; the kernel is faster and never changes a result.
    #[arg(long)]
    pub no_kernel: bool,
}

impl MachineFlags {
    /// A study on this machine; Ctrl-C cancels it.
    pub(crate) fn context(&self) -> anyhow::Result<Context> {
        Ok(Context::new(&self.arena()?).cancelled_by(interrupt::token()))
    }

    /// The context for players that the user typed: these may start programs.
    pub(crate) fn context_of_typed(&self) -> anyhow::Result<Context> {
        Ok(self.context()?.own_players(OwnPlayers::default()))
    }

    /// An arena with the requested threads.
    pub(crate) fn arena(&self) -> anyhow::Result<Arena> {
        Ok(Arena::new(self.threads()?)?.kernels(!self.no_kernel))
    }

    /// The number of threads; 0 means one per core.
    pub(crate) fn threads(&self) -> anyhow::Result<usize> {
        count_threads(self.threads)
    }
}

/// A context with one thread for players that the user typed; Ctrl-C cancels it.
pub(crate) fn one_thread() -> anyhow::Result<Context> {
    let context = Context::new(&Arena::new(1)?).own_players(OwnPlayers::default());
    Ok(context.cancelled_by(interrupt::token()))
}

/// The requested number of threads; 0 means one per core.
pub(crate) fn count_threads(asked: Option<usize>) -> anyhow::Result<usize> {
    match asked {
        Some(threads) if !(1..=MOST_THREADS).contains(&threads) => bail!(
            "--threads must be between 1 and {MOST_THREADS}, got {threads}; leave it out to use every core"
        ),
        threads => Ok(threads.unwrap_or(0)),
    }
}

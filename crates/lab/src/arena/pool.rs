//! The threads of an arena or, without the feature `threads`, just the calling thread.
//!
//! Long work, such as games, runs on threads that are started for it: several studies at the same
//! time then share the cores, because the operating system schedules their threads fairly. Short
//! steps of training run on a pool that is started once.

use super::ArenaError;

/// Does work on all of its threads.
pub(super) struct Pool {
    #[cfg(feature = "threads")]
    pool: rayon::ThreadPool,
}

#[cfg(feature = "threads")]
impl Pool {
    /// A pool with this number of threads; 0 means one per core.
    pub(super) fn new(threads: usize) -> Result<Pool, ArenaError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        Ok(Pool { pool })
    }

    /// Number of threads.
    pub(super) fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Does the same work on every thread, including the calling one, and waits until all are done.
    pub(super) fn on_all_threads(&self, work: impl Fn() + Sync) {
        let work = &work;
        let panic = std::thread::scope(|scope| {
            let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
            // If the system cannot provide enough threads, fewer do the work.
            let others: Vec<_> = (1..self.threads()).filter_map(spawn).collect();
            work();
            let ended = others.into_iter().map(std::thread::ScopedJoinHandle::join);
            ended.filter_map(Result::err).last()
        });
        if let Some(panic) = panic {
            std::panic::resume_unwind(panic);
        }
    }

    /// Runs one task and, in parallel, another task for each item of a list.
    pub(super) fn beside<T: Send, A: Send>(
        &self,
        work: impl FnOnce() -> T + Send,
        others: &mut [A],
        each: impl Fn(&mut A) + Sync,
    ) -> T {
        use rayon::iter::{IntoParallelRefMutIterator as _, ParallelIterator as _};
        let others = || others.par_iter_mut().for_each(&each);
        self.pool.install(|| rayon::join(work, others).0)
    }
}

#[cfg(not(feature = "threads"))]
impl Pool {
    pub(super) fn new(_threads: usize) -> Result<Pool, ArenaError> {
        Ok(Pool {})
    }

    pub(super) fn threads(&self) -> usize {
        1
    }

    pub(super) fn on_all_threads(&self, work: impl Fn() + Sync) {
        work();
    }

    pub(super) fn beside<T: Send, A: Send>(
        &self,
        work: impl FnOnce() -> T + Send,
        others: &mut [A],
        each: impl Fn(&mut A) + Sync,
    ) -> T {
        others.iter_mut().for_each(each);
        work()
    }
}

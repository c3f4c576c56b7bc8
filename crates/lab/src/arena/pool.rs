//! The threads of an arena: a pool of them, or the calling thread alone where there are none (feature `threads`).

use super::ArenaError;

/// Does work on all its threads.
pub(super) struct Pool {
    #[cfg(feature = "threads")]
    pool: rayon::ThreadPool,
}

#[cfg(feature = "threads")]
impl Pool {
    /// A pool of this number of threads; 0 means one for every core.
    pub(super) fn new(threads: usize) -> Result<Pool, ArenaError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        Ok(Pool { pool })
    }

    /// How many threads there are.
    pub(super) fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Does the same work on every thread, until all have done it.
    pub(super) fn on_all_threads(&self, work: impl Fn() + Sync) {
        self.pool.in_place_scope(|scope| {
            for _ in 0..self.threads() {
                scope.spawn(|_| work());
            }
        });
    }

    /// Does one piece of work, and beside it something with each of some others.
    #[cfg(feature = "store")]
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

    #[cfg(feature = "store")]
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

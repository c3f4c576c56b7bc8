//! Estimates the memory of a learning run before it starts.
//!
//! The estimates include everything that grows with settings: vectors, matrices, queues, tables.
//! They are rough, and tend to be too high.

/// The memory that a learner needs because of one setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryPart {
    /// The setting to reduce.
    pub setting: &'static str,
    /// Bytes.
    pub bytes: u64,
}

impl MemoryPart {
    /// The product of some counts, saturating.
    pub(crate) fn new(setting: &'static str, counts: &[usize]) -> MemoryPart {
        let product = |bytes: u64, count: &usize| bytes.saturating_mul(*count as u64);
        MemoryPart {
            setting,
            bytes: counts.iter().fold(1, product),
        }
    }
}

/// The default memory limit of learning, in bytes.
pub const USUAL_MEMORY: u64 = 1_000_000_000;

/// A run that would need too much memory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{learner} with these settings needs about {} of memory, but the limit is {}: choose a smaller \
     {setting} or a higher limit",
    gigabytes(*.needed),
    gigabytes(*.limit)
)]
pub struct TooMuchMemory {
    /// The learner.
    pub learner: &'static str,
    /// The setting that contributes most.
    pub setting: &'static str,
    /// Bytes needed.
    pub needed: u64,
    /// Bytes allowed.
    pub limit: u64,
}

impl TooMuchMemory {
    /// Checks that all parts together fit into a limit.
    pub(crate) fn check(
        learner: &'static str,
        parts: &[MemoryPart],
        limit: u64,
    ) -> Result<(), TooMuchMemory> {
        let sum = |sum: u64, part: &MemoryPart| sum.saturating_add(part.bytes);
        let needed = parts.iter().fold(0, sum);
        let largest = parts.iter().max_by_key(|part| part.bytes);
        match largest {
            Some(part) if needed > limit => Err(TooMuchMemory {
                learner,
                setting: part.setting,
                needed,
                limit,
            }),
            _ => Ok(()),
        }
    }
}

/// A number of bytes as text.
fn gigabytes(bytes: u64) -> String {
    match bytes {
        0..100_000_000 => format!("{} MB", bytes.div_ceil(1_000_000)),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_part_is_named_and_sums_do_not_overflow() {
        let parts = [
            MemoryPart::new("population", &[100_000, 2_369, 32]),
            MemoryPart::new("levels", &[11]),
        ];
        let said = TooMuchMemory::check("cma-es", &parts, USUAL_MEMORY);
        assert_eq!(
            said.unwrap_err().to_string(),
            "cma-es with these settings needs about 7.6 GB of memory, but the limit is 1.0 GB: choose \
             a smaller population or a higher limit"
        );
        assert_eq!(
            TooMuchMemory::check("cma-es", &parts, 8_000_000_000),
            Ok(())
        );
        let endless = [MemoryPart::new("x", &[usize::MAX, 9]); 2];
        assert!(TooMuchMemory::check("x", &endless, u64::MAX - 1).is_err());
    }
}

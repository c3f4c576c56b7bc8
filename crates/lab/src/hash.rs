//! A hash that is the same on every machine and in every version.

/// The Fowler, Noll and Vo hash (FNV-1a, 64 bits).
pub(crate) struct Fnv(u64);

impl Fnv {
    pub(crate) fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub(crate) fn value(&self) -> u64 {
        self.0
    }
}

/// The hash of a text, as 16 digits.
pub(crate) fn hash_of(text: &str) -> String {
    hash_of_bytes(text.as_bytes())
}

/// The hash of some bytes, as 16 digits.
pub(crate) fn hash_of_bytes(bytes: &[u8]) -> String {
    let mut hash = Fnv::new();
    hash.add(bytes);
    format!("{:016x}", hash.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv_agrees_with_its_published_test_vector() {
        let mut hash = Fnv::new();
        hash.add(b"a");
        assert_eq!(hash.value(), 0xaf63_dc4c_8601_ec8c);
    }
}

//! Descriptions of table entries in words.

/// Splits an entry number into digits of several bases, the last digit first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unmixed(pub(super) usize);

impl Unmixed {
    /// The last digit, which is less than `size`.
    pub(super) fn take(&mut self, size: usize) -> usize {
        let part = self.0 % size;
        self.0 /= size;
        part
    }

    /// The last digits in a common base, in order.
    pub(super) fn take_all(&mut self, count: usize, size: usize) -> Vec<usize> {
        let mut parts: Vec<usize> = (0..count).map(|_| self.take(size)).collect();
        parts.reverse();
        parts
    }
}

/// A difference that was clipped: the inverse of [`clipped`](super::clipped).
pub(super) fn difference(number: usize, most: i32) -> String {
    match number as i32 - most {
        0 => "0".to_owned(),
        difference if difference == most => format!("≥{most}"),
        difference if difference == -most => format!("≤-{most}"),
        difference => format!("{difference:+}"),
    }
}

/// Several such differences.
pub(super) fn differences(numbers: &[usize], most: i32) -> String {
    let words: Vec<String> = numbers.iter().map(|n| difference(*n, most)).collect();
    words.join(" ")
}

/// A count whose maximum value also stands for all larger ones.
pub(super) fn count(number: usize, most: usize) -> String {
    if number == most {
        format!("{number} or more")
    } else {
        number.to_string()
    }
}

/// Some cells, lowest bit first.
pub(super) fn cells(mask: usize, count: usize) -> String {
    let cell = |bit: usize| if mask >> bit & 1 == 1 { '#' } else { '.' };
    (0..count).map(cell).collect()
}

/// A position whose mirror image shares its table, counted from 1.
pub(super) fn mirrored_place(place: usize, places: usize) -> String {
    let partner = places - 1 - place;
    if place == partner {
        format!("{}", place + 1)
    } else {
        format!("{} or {}", place + 1, partner + 1)
    }
}

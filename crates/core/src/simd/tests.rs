//! The vector lanes of this processor compared with the plain ones, operation by operation.

use super::{Fastest, Lanes, Plain, Words, Work, is_available};
use crate::rng::Rng;
use std::marker::PhantomData;

/// The results of all operations on two numbers per lane, in sequence.
struct Everything<L>(Words, Words, PhantomData<L>);

impl<L: Lanes> Work<L> for Everything<L> {
    type Output = Vec<[i32; 8]>;

    #[inline(always)]
    fn run(self) -> Vec<[i32; 8]> {
        let (a, b) = (L::load(&self.0), L::load(&self.1));
        let by = b.and(L::splat(31));
        let positive = a.and(L::splat(i32::MAX)).or(L::splat(1));
        let chunk = |words: &Words| words.0.as_chunks::<4>().0[0];
        let (low, high) = (chunk(&self.0), chunk(&self.1));
        let columns = L::columns([&low, &high, &low, &low, &high, &low, &high, &high]);
        let mut all = vec![a.add(b), a.sub(b), a.mul(b), a.min(b), a.max(b), a.and(b)];
        all.extend([a.and_not(b), a.or(b), a.xor(b), a.gt(b), a.eq(b), a.eq(a)]);
        all.extend([
            a.gt(b).pick(a, b),
            a.shl::<3>(),
            a.shr::<5>(),
            a.shr_signed::<1>(),
            a.shr_signed::<5>(),
        ]);
        all.extend([a.shl_by(by), a.shr_by(by), a.shl_by(b), a.shr_by(b)]);
        all.extend([a.look_up(&self.1), positive.bit_length(), a.byte_counts()]);
        all.extend([a.byte_sum(), a.count(), L::splat(a.gt(b).bits() as i32)]);
        let edges = L::load(&Words([0, 1, 31, 32, 33, 127, 256, -1]));
        all.extend([a.shl_by(edges), a.shr_by(edges), L::splat(-1).shr_by(edges)]);
        all.extend([
            a.abs(),
            a.gather(&self.1.0),
            by.gather(&self.1.0[..5]),
            by.gather(&[7]),
        ]);
        all.extend(columns);
        let long = |words: &[i32; 4], other: &[i32; 4]| -> [u64; 4] {
            let pair = |k: usize| u64::from(words[k] as u32) | u64::from(other[k] as u32) << 32;
            [pair(0), pair(1), pair(2), pair(3)]
        };
        let (one, two) = (&long(&low, &high), &long(&high, &low));
        all.extend(L::low_columns([one, two, one, one, two, one, two, two]));
        let (x, y) = (a.to_float(), b.to_float());
        all.extend([x, x.add_float(y), x.mul_float(y)]);
        all.extend([
            a.following(b),
            a.preceding(b),
            a.fold(L::max),
            a.fold(L::or),
        ]);
        all.extend([a.swap::<1>(), a.swap::<2>(), a.swap::<4>()]);
        let mut numbers = [[0; 8]; 3];
        let flat = numbers.as_flattened_mut();
        a.store_to(flat[3..].first_chunk_mut().unwrap());
        b.store_to(flat[11..].first_chunk_mut().unwrap());
        all.push(L::load_from(
            numbers.as_flattened()[5..].first_chunk().unwrap(),
        ));
        all.into_iter().map(|lanes| lanes.store().0).collect()
    }
}

#[test]
fn every_operation_of_the_vector_lanes_is_that_of_the_plain_ones() {
    if !is_available() {
        return;
    }
    let mut rng = Rng::new(11);
    for round in 0..2000 {
        // Numbers of all magnitudes.
        let mut word = || (rng.below(1 << 32) as u32 >> rng.below(32)) as i32;
        let a = Words(std::array::from_fn(|_| word()));
        let b = if round % 8 == 0 {
            a
        } else {
            Words(std::array::from_fn(|_| word()))
        };
        let vector = Fastest::enter(Everything::<Fastest>(a, b, PhantomData));
        let plain = Plain::enter(Everything::<Plain>(a, b, PhantomData));
        assert_eq!(vector, plain, "{a:?} {b:?}");
    }
}

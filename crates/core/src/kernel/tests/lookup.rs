//! Lookup tables on eight boards, compared with the same tables on one.

use super::*;
use crate::evaluators::TableSum;
use crate::kernel::by_tables::lookup_score;
use crate::lookup::{BoardSize, TABLE_SETS, TABLES, TableSet};
use crate::simd::Plain;

/// An arbitrary board without full rows.
fn settled_board(rng: &mut Rng, width: usize, height: usize) -> Board {
    let boards = std::iter::repeat_with(|| wild_board(rng, width, height));
    let mut settled = boards.filter(|board| board.full_rows() == 0);
    settled.next().unwrap()
}

/// Tables with weights of all magnitudes.
fn random_tables(text: &str, size: BoardSize, rng: &mut Rng) -> TableSum {
    let set = TableSet::find(text, size).unwrap();
    let weights = (0..set.entries()).map(|_| normal(rng) as f32).collect();
    TableSum::new(set, weights).unwrap()
}

/// Every set and every kind of table, some of them with other settings.
fn texts() -> Vec<&'static str> {
    let mut texts: Vec<&str> = TABLE_SETS.iter().map(|set| set.id).collect();
    texts.retain(|id| *id != "systematic-4x4");
    texts.extend(TABLES.iter().map(|table| table.id));
    texts.extend([
        "differences(columns=4,most=2,shared=board)",
        "tops(columns=4,cells=2,most=1)+tops(columns=1,cells=9,most=2)",
        "rectangles(wide=2,high=3,shared=row)+rectangles(wide=3,high=2,shared=board)",
        "stretches(columns=4)+fits(with=deepest-well)",
        "skyline(step=3,most=5)+rows(by=missing)",
    ]);
    texts
}

/// The evaluator, shared as players need it.
fn tables(sum: &TableSum) -> Arc<dyn Evaluator> {
    Arc::new(sum.clone())
}

#[test]
fn eight_boards_show_the_entries_that_each_shows_by_itself() {
    let mut rng = Rng::new(7);
    for text in texts() {
        for (width, made, height) in [
            (10, 20, 20),
            (10, 20, 12),
            (7, 10, 26),
            (9, 12, 12),
            (12, 16, 16),
        ] {
            let size = BoardSize {
                width,
                height: made,
            };
            let sum = random_tables(text, size, &mut rng);
            let rules = sized(width, height);
            let kernel = Kernel::anywhere(&rules, &tables(&sum), GreedyOptions::default()).unwrap();
            for _ in 0..60 {
                let board = settled_board(&mut rng, width, height);
                let score = lookup_score::<Plain>(&kernel.tables, &board);
                let expected = sum.value(&board);
                assert_eq!(f64::from(score) * sum.scale(), expected, "{text} {board:?}");
            }
        }
    }
}

#[test]
fn tables_play_the_same_games_eight_at_a_time() {
    if !is_available() {
        return;
    }
    let mut rng = Rng::new(8);
    for text in texts() {
        for (width, height) in [(10, 12), (8, 20)] {
            let rules = sized(width, height);
            let sum = random_tables(text, BoardSize { width, height: 12 }, &mut rng);
            for (ties, most) in [(Ties::Reference, None), (Ties::Center, Some(1))] {
                let sum = sum.clone().covering_at_most(most);
                let options = GreedyOptions {
                    ties,
                    ..GreedyOptions::default()
                };
                let kernel = Kernel::new(&rules, &tables(&sum), options).unwrap();
                let seeds: Vec<u64> = (0..20).collect();
                let results = kernel.play(&seeds, Some(60), &mut |_, _| false);
                let mut player = Greedy::new(Arc::new(sum.clone()), options);
                for (seed, result) in seeds.into_iter().zip(results) {
                    let expected = general(&rules, &mut player, seed, 60);
                    assert_eq!(result, expected, "{text} {seed}");
                }
            }
        }
    }
}

#[test]
fn tables_look_ahead_the_same_with_and_without_the_kernel() {
    if !is_available() {
        return;
    }
    let mut rng = Rng::new(12);
    let limits = SearchLimits::exact(2);
    // The limit on covered cells applies while eight rows above the stack are empty.
    for (text, (width, height)) in texts()
        .into_iter()
        .flat_map(|t| [(t, (10, 14)), (t, (6, 11))])
    {
        let rules = sized(width, height);
        let sum = random_tables(text, BoardSize { width, height }, &mut rng);
        for (ties, most) in [
            (Ties::Reference, Some(1)),
            (Ties::Reference, None),
            (Ties::Center, Some(0)),
        ] {
            let evaluator: Arc<dyn Evaluator> = Arc::new(sum.clone().covering_at_most(most));
            let options = GreedyOptions {
                ties,
                ..GreedyOptions::default()
            };
            let dealing = Dealing::ByChance;
            let mut player =
                LookaheadPlayer::new(&rules, evaluator.clone(), options, dealing, limits);
            let mut alone = player.clone();
            alone.allow_kernel(false);
            let kernel = Kernel::expectimax(&rules, &evaluator, options);
            assert_eq!(kernel.is_some(), ties == Ties::Reference, "{text}");
            for seed in 0..2 {
                let expected = general(&rules, &mut alone, seed, 20);
                // Only the last ply goes through the kernel, ...
                assert_eq!(
                    general(&rules, &mut player, seed, 20),
                    expected,
                    "{text} {seed}"
                );
                // ... and all of it.
                if let Some(kernel) = &kernel {
                    let results = kernel.play(&[seed], Some(20), &mut |_, _| false);
                    assert_eq!(results, [expected], "{text} {seed}");
                }
            }
        }
    }
}

#[test]
fn a_learner_finds_the_same_boards_with_lanes_and_without() {
    let mut rng = Rng::new(9);
    let size = BoardSize {
        width: 10,
        height: 20,
    };
    let sum = random_tables("wary", size, &mut rng);
    let mut lanes = Afterstates::new(sum.set(), Some(2));
    let mut single = lanes.clone().one_by_one();
    let nothing = BestAfters::default();
    for round in 0..40 {
        // Boards of several heights side by side.
        let stacks = std::array::from_fn(|lane| {
            let height = 6 + (lane + round) % 15;
            KernelBoard::new(&settled_board(&mut rng, 10, height))
        });
        let (mut found, mut expected) = (nothing, nothing);
        let pieces = [true; 7];
        lanes.search(&stacks, &pieces, sum.rounded(), &mut found);
        single.search(&stacks, &pieces, sum.rounded(), &mut expected);
        for (found, expected) in found.as_flattened().iter().zip(expected.as_flattened()) {
            let seen = |best: &Option<BestAfter>| {
                best.map(|best| (best.score, best.stack.height(), best.stack.columns(10)))
            };
            assert_eq!(seen(found), seen(expected));
        }
        assert_eq!(
            lanes.scores(&stacks, sum.rounded()),
            single.scores(&stacks, sum.rounded())
        );
        let mut lists = [(); 2].map(|()| <[Vec<u32>; 8]>::default());
        lanes.entries(&stacks, &mut lists[0]);
        single.entries(&stacks, &mut lists[1]);
        // The order is the same too, because a learner adds up floats in this order.
        assert_eq!(lists[0], lists[1]);
    }
}

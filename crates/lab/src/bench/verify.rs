//! Compares the kernel with the general path: every game must be the same.

use super::BenchError;
use super::workload::greedy_on;
use crate::context::{CancelToken, Context, Event};
use crate::library::{LibraryError, PUBLISHED, find_player, find_ruleset, published};
use serde::{Deserialize, Serialize};
use tetrolab_core::board::{HEIGHTS, WIDTHS};
use tetrolab_core::choice::{GreedyOptions, Ties};
use tetrolab_core::ends::ENDS;
use tetrolab_core::features::FEATURE_SETS;
use tetrolab_core::game::Status;
use tetrolab_core::kernel::KernelResult;
use tetrolab_core::outcomes::Scored;
use tetrolab_core::players::Player;
use tetrolab_core::rng::{Rng, game_seed};
use tetrolab_core::ruleset::Ruleset;
use tetrolab_core::simd::is_available;

/// A comparison of the two paths on one player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// The player, and the ruleset.
    pub what: String,
    /// Number of compared decisions.
    pub decisions: u64,
    /// The seed of the first game that differs.
    pub difference: Option<u64>,
}

/// Maximum number of games compared at a time; smaller if few decisions are requested.
const VERIFY_GAMES: u64 = 64;
/// Number of pieces in a compared game: enough to leave the empty board, but few enough for several
/// games.
const VERIFY_PIECES: std::ops::RangeInclusive<u64> = 12..=20_000;

/// The number of games in a round, and of pieces in each, if this many decisions are compared.
/// Eight games fill the lanes of the kernel; more are played only if that many decisions are
/// needed.
fn round_size(decisions: u64) -> (u64, u64) {
    let games = (decisions / VERIFY_PIECES.start()).clamp(8, VERIFY_GAMES);
    let pieces = (decisions / games).clamp(*VERIFY_PIECES.start(), *VERIFY_PIECES.end());
    (games, pieces)
}

/// With two known pieces, the general path is about this many times slower, so the number of
/// decisions is divided by this.
const TWO_PIECE_SHARE: u64 = 20;
/// Like [`TWO_PIECE_SHARE`], for decisions that consider all seven possible next pieces.
const EXPECTIMAX_SHARE: u64 = 200;

/// Plays games with and without the kernel and compares all of them: lines, pieces, points and the
/// last board. At least this many decisions are compared with each of
///
/// - twenty players whose kernels are specialised for a feature set, on boards 10, 16 and 20
///   high;
/// - every published player;
/// - every named feature set, with twenty weight vectors, each under different rules: all
///   game-over rules, randomizers, tie-breaking rules and scored boards, heights from 4 to 40 and
///   widths from 4 to 16.
///
/// For players that look ahead, fewer decisions are compared. Each comparison is reported as an
/// event. If the study is cancelled, an unfinished comparison is omitted. If this processor has no
/// kernel, nothing is compared.
///
/// # Errors
/// If a player that should have a kernel has none.
pub fn verify(context: &Context, decisions: u64, seed: u64) -> Result<Vec<Verified>, BenchError> {
    let mut all = Vec::new();
    if !is_available() {
        return Ok(all);
    }
    context.run(|| {
        for case in cases(decisions, seed)? {
            let Some(verified) = case.compare(seed, context.token())? else {
                break;
            };
            context.report(Event::Verified(verified.clone()));
            all.push(verified);
        }
        Ok(all)
    })
}

/// Something to compare: a player under a ruleset.
struct Case {
    name: String,
    player: Box<dyn Player>,
    ruleset: Ruleset,
    /// At least this many decisions.
    decisions: u64,
}

impl Case {
    fn new(
        name: &str,
        player: Box<dyn Player>,
        ruleset: &str,
        decisions: u64,
    ) -> Result<Case, LibraryError> {
        Ok(Case {
            name: name.to_owned(),
            player,
            ruleset: find_ruleset(ruleset)?,
            decisions,
        })
    }

    /// A player by its name or spec.
    fn found(name: &str, ruleset: &str, decisions: u64) -> Result<Case, LibraryError> {
        let player = find_player(name, &find_ruleset(ruleset)?)?;
        Case::new(name, player, ruleset, decisions)
    }

    /// Plays on both paths until enough decisions have been made, or a game differs; `None` if it
    /// was stopped.
    fn compare(mut self, seed: u64, cancel: &CancelToken) -> Result<Option<Verified>, BenchError> {
        let what = format!("{} on {}", self.name, self.ruleset.name);
        let Some(kernel) = self.player.kernel(&self.ruleset) else {
            return Err(BenchError::NoKernel(what));
        };
        let mut verified = Verified {
            what,
            decisions: 0,
            difference: None,
        };
        self.player.allow_kernel(false);
        let mut games = 0;
        let (round, cap) = round_size(self.decisions);
        while verified.decisions < self.decisions && verified.difference.is_none() {
            let seeds: Vec<u64> = (games..games + round)
                .map(|index| game_seed(seed, index))
                .collect();
            games += round;
            let played = kernel.play(&seeds, Some(cap), &mut |_, _| cancel.is_cancelled());
            for (&seed, result) in seeds.iter().zip(&played) {
                if cancel.is_cancelled() {
                    return Ok(None);
                }
                verified.decisions += result.pieces;
                if generally(self.player.as_mut(), &self.ruleset, seed, cap) != *result {
                    verified.difference = verified.difference.or(Some(seed));
                }
            }
        }
        Ok(Some(verified))
    }
}

/// Number of weight vectors compared for each feature set.
const VECTORS: u64 = 20;

/// One randomizer of every kind, with the settings that it needs.
const DEALERS: [&str; 11] = [
    "uniform",
    "bag",
    "nes",
    "tgm",
    "tgm2",
    "tgm3",
    "alternating",
    "hard",
    "weighted(S=3,Z=2.5,O=0)",
    "fixed(SZTOIJL,then=repeat)",
    "adversary(dellacherie)",
];

/// The settings of a placement game, which differ from case to case.
fn drawn_game(rng: &mut Rng, number: usize) -> String {
    let end = ENDS[number % ENDS.len()].id;
    let dealer = DEALERS[number % DEALERS.len()];
    let heights = (HEIGHTS.end() - HEIGHTS.start() + 1) as u64;
    let widths = (WIDTHS.end() - WIDTHS.start() + 1) as u64;
    let height = HEIGHTS.start() + rng.below(heights) as usize;
    let width = WIDTHS.start() + rng.below(widths) as usize;
    let preview = rng.below(2);
    format!("simplified-{width}x{height}(randomizer={dealer},end={end},preview={preview})")
}

/// Cases for every feature set: random weights, each vector under different rules.
fn drawn_cases(decisions: u64, seed: u64) -> Result<Vec<Case>, LibraryError> {
    let mut rng = Rng::new(seed);
    let mut cases = Vec::new();
    for set in FEATURE_SETS {
        for vector in 0..VECTORS {
            let ruleset = drawn_game(&mut rng, cases.len());
            let width = find_ruleset(&ruleset)?.width;
            // Small integers make many ties; fractions make few.
            let mut weight = || match vector % 3 {
                0 => rng.below(7) as f64 - 3.0,
                1 => -rng.unit(),
                _ => 2.0 * rng.unit() - 1.0,
            };
            let options = GreedyOptions {
                may_lose: vector % 4 == 3,
                scored: [Scored::AfterRemoval, Scored::BeforeRemoval][vector as usize % 2],
                ties: [Ties::Reference, Ties::Center, Ties::Dellacherie][vector as usize % 3],
            };
            let player = greedy_on(set.id, width, options, &mut weight)?;
            let name = format!("drawn weights {vector} on {}", set.id);
            let decisions = decisions.div_ceil(VECTORS);
            cases.push(Case::new(&name, player, &ruleset, decisions)?);
        }
    }
    Ok(cases)
}

/// All comparisons.
fn cases(decisions: u64, seed: u64) -> Result<Vec<Case>, LibraryError> {
    let mut cases = drawn_cases(decisions, seed)?;
    for (name, _) in PUBLISHED {
        let ruleset = "simplified-10x20(preview=1)";
        let player = find_player(name, &find_ruleset(ruleset)?)?;
        let share = if player.needs_preview() > 0 {
            TWO_PIECE_SHARE
        } else {
            1
        };
        cases.push(Case::new(name, player, ruleset, decisions.div_ceil(share))?);
    }
    for (name, player) in verified_players(seed)? {
        for height in [10, 16, 20] {
            let ruleset = format!("simplified-10x{height}");
            cases.push(Case::new(&name, player.boxed(), &ruleset, decisions)?);
        }
    }
    for (name, width, height) in [("dellacherie", 4, 26), ("bcts", 7, 12), ("dt-20", 16, 20)] {
        let ruleset = format!("simplified-{width}x{height}");
        cases.push(Case::found(name, &ruleset, decisions)?);
    }
    for name in [
        "two-piece(dellacherie)",
        "two-piece(bcts)",
        "two-piece(dt-20)",
        "two-piece(misakamm-v2)",
    ] {
        let decisions = decisions.div_ceil(TWO_PIECE_SHARE);
        cases.push(Case::found(name, "two-piece-10x16", decisions)?);
    }
    for name in ["dellacherie", "bcts", "dt-20", "misakamm-v2"] {
        let name = format!("expectimax({name},depth=2)");
        for height in [10, 20] {
            let ruleset = format!("simplified-10x{height}");
            let decisions = decisions.div_ceil(EXPECTIMAX_SHARE);
            cases.push(Case::found(&name, &ruleset, decisions)?);
        }
    }
    Ok(cases)
}

/// Named players.
type NamedPlayers = Vec<(String, Box<dyn Player>)>;

/// Twenty players that the kernel supports: published ones, and random weights on their features.
fn verified_players(seed: u64) -> Result<NamedPlayers, LibraryError> {
    let mut players = Vec::new();
    // They play on all heights; their tables only depend on the width.
    let ruleset = find_ruleset("simplified-10x20")?;
    for name in [
        "dellacherie",
        "boumaza-6",
        "ce-6",
        "bcts",
        "boumaza-8",
        "dt-10",
        "dt-20",
        "misakamm-v2",
    ] {
        players.push((name.to_owned(), find_player(name, &ruleset)?));
    }
    let mut rng = Rng::new(seed);
    for number in 0..12 {
        let set = ["bcts", "dellacherie", "dt", "misakamm"][number % 4];
        // Small integers make many ties; fractions make few. The wells of Misakamm are thousands of
        // times larger than other features and their weight correspondingly smaller, so perturbed
        // versions of its own weights are tried.
        let own: Option<Vec<f64>> =
            published("misakamm-v2").map(|file| file.weights().map(|row| row.1[0]).collect());
        let mut own = own.unwrap_or_default().into_iter();
        let mut weight = || match (set, number % 3) {
            ("misakamm", _) => own.next().unwrap_or(1.0) * (0.5 + rng.unit()),
            (_, 0) => rng.below(7) as f64 - 3.0,
            _ => 2.0 * rng.unit() - 1.0,
        };
        let player = greedy_on(set, 10, GreedyOptions::default(), &mut weight)?;
        players.push((format!("random weights {number} on {set}"), player));
    }
    Ok(players)
}

/// A game on the general path, in the format of the kernel's results.
fn generally(player: &mut dyn Player, ruleset: &Ruleset, seed: u64, cap: u64) -> KernelResult {
    let mut game = player.begin(ruleset, seed);
    let mut board = *game.board();
    while game.status() == Status::Playing && game.pieces() < cap {
        let transition = game.apply(player.choose(&game.view()));
        board = if transition.game_over {
            transition.before
        } else {
            transition.after
        };
    }
    KernelResult {
        lines: game.lines(),
        pieces: game.pieces(),
        line_points: game.line_points(),
        finished: game.status() == Status::Over,
        board,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Arena;

    fn context() -> Context {
        Context::new(&Arena::new(1).unwrap())
    }

    #[test]
    fn the_kernel_decides_like_the_general_path() {
        let verified = verify(&context(), 1_500, 5).unwrap();
        let sets = FEATURE_SETS.len() * VECTORS as usize;
        let all = 75 + sets + PUBLISHED.len();
        assert_eq!(verified.len(), if is_available() { all } else { 0 });
        for one in verified {
            let wanted = match &one.what {
                what if what.starts_with("expectimax") => 7,
                what if what.starts_with("random weights") => 1_500,
                _ => 75,
            };
            assert_eq!(one.difference, None, "{}", one.what);
            assert!(one.decisions >= wanted, "{}", one.what);
        }
    }

    #[test]
    fn a_stopped_comparison_has_no_verdict() {
        let context = context();
        context.token().cancel();
        assert!(verify(&context, 1, 5).unwrap().is_empty());
    }
}

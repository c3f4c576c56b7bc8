//! Descriptions of a player's lookup tables: the entries that occur on its boards, and their
//! contributions to the score.
//!
//! Most entries of a learned table never occur in play, so boards are taken from games of the
//! player. If every board has the same number of entries of a table, a constant can be moved
//! between tables, so only differences are meaningful: an entry is then compared with the mean of
//! those that occurred. If the number varies (one per row, or one per hole), the weight itself is
//! reported.

use crate::context::Context;
use crate::study::{StudyError, find_able_player};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use tetrolab_core::evaluators::TableSum;
use tetrolab_core::game::Status;
use tetrolab_core::rng::{game_seed, player_seed};

/// Entries that occurred on fewer boards are omitted, because their weights are mostly noise.
pub const LEAST_BOARDS: u32 = 30;

/// The player and the games to inspect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Inquiry {
    /// The player.
    pub player: String,
    /// The game: a ruleset by name, spec or file.
    pub ruleset: String,
    /// Number of pieces to place, in one or more games.
    pub pieces: u64,
    /// The seed of the games.
    pub seed: u64,
    /// Number of best and of worst entries of each table in the result.
    pub told: usize,
}

impl Default for Inquiry {
    /// The published player with tables for the small board.
    fn default() -> Inquiry {
        Inquiry {
            player: "wary-10".to_owned(),
            ruleset: "simplified-10x10".to_owned(),
            pieces: 20_000,
            seed: 1,
            told: 2,
        }
    }
}

/// Why the tables cannot be described.
#[derive(Debug, thiserror::Error)]
pub enum KnowledgeError {
    /// The player is unknown or cannot play this game.
    #[error(transparent)]
    Player(#[from] StudyError),
    /// The player has no lookup tables.
    #[error("{0} has no lookup tables")]
    NoTables(String),
}

/// The description of a player's tables.
#[derive(Clone, Debug, Serialize)]
pub struct KnownTables {
    /// The name of the ruleset.
    #[serde(skip)]
    pub ruleset: String,
    /// Number of boards.
    pub boards: u64,
    /// All tables, most informative first.
    pub tables: Vec<TableKnowledge>,
}

/// The description of one table.
#[derive(Clone, Debug, Serialize)]
pub struct TableKnowledge {
    /// The spec of the table.
    pub table: String,
    /// The number of entries in the table.
    pub entries: usize,
    /// The number of entries that occurred.
    pub shown: usize,
    /// The standard deviation of the table's contribution to the score over the boards.
    pub spread: f64,
    /// The entries that contribute most, best first.
    pub best: Vec<EntryKnowledge>,
    /// The entries that contribute least, worst first, excluding the best ones.
    pub worst: Vec<EntryKnowledge>,
}

/// The description of one entry.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntryKnowledge {
    /// A description of the boards that have the entry.
    pub entry: String,
    /// The share of boards that have the entry.
    pub share: f64,
    /// The contribution of the entry to the score; see the module documentation.
    pub adds: f64,
}

/// Describes the tables of a player. If the study is cancelled, the boards so far are used;
/// otherwise the result depends only on the request.
///
/// # Errors
/// If the player is unknown, cannot play this game, or has no lookup tables.
pub fn ask(inquiry: &Inquiry, context: &Context) -> Result<KnownTables, KnowledgeError> {
    let library = context.library();
    let ruleset = library.ruleset(&inquiry.ruleset);
    let ruleset = context.copy_of_ruleset(&ruleset.map_err(StudyError::from)?);
    let player = find_able_player(library, &inquiry.player, &ruleset)?;
    let mut player = context.copy_of(&*player);
    let tables = player.evaluator().and_then(|own| own.as_tables());
    let tables = tables.ok_or_else(|| KnowledgeError::NoTables(inquiry.player.clone()))?;
    let mut seen = SeenBoards::new(tables.clone());
    context.run(|| {
        let (mut placed, mut games) = (0, 0);
        let continues = |placed| placed < inquiry.pieces && !context.is_cancelled();
        while continues(placed) {
            let seed = game_seed(inquiry.seed, games);
            let mut game = player.begin(&ruleset, seed);
            player.start(player_seed(seed));
            while game.status() == Status::Playing && continues(placed) {
                let transition = game.apply(player.decide(&game.view()));
                if !transition.game_over {
                    let entries = seen.tables.set().entries_of(&transition.after);
                    seen.see(&entries);
                }
                placed += 1;
            }
            games += 1;
        }
    });
    let (boards, tables) = seen.tell(inquiry.told);
    Ok(KnownTables {
        ruleset: ruleset.name,
        boards,
        tables,
    })
}

/// The entries that occurred on boards.
struct SeenBoards {
    tables: TableSum,
    boards: u64,
    of_entries: Vec<EntryCount>,
    of_tables: Vec<TableCount>,
}

/// The occurrences of an entry.
#[derive(Clone, Copy, Default)]
struct EntryCount {
    boards: u32,
    /// The total number of occurrences; some entries occur more than once on a board.
    times: u32,
    /// The number of the last board that had the entry.
    last: u64,
}

/// The contributions of a table to the scores.
#[derive(Clone, Copy)]
struct TableCount {
    sum: f64,
    squares: f64,
    /// The minimum and maximum number of entries on a board.
    fewest: usize,
    most: usize,
}

impl SeenBoards {
    fn new(tables: TableSum) -> SeenBoards {
        let nothing = TableCount {
            sum: 0.0,
            squares: 0.0,
            fewest: usize::MAX,
            most: 0,
        };
        SeenBoards {
            boards: 0,
            of_entries: vec![EntryCount::default(); tables.set().entries()],
            of_tables: vec![nothing; tables.set().iter().count()],
            tables,
        }
    }

    fn see(&mut self, entries: &[u32]) {
        self.boards += 1;
        for entry in entries {
            let count = &mut self.of_entries[*entry as usize];
            count.times += 1;
            count.boards += u32::from(count.last != self.boards);
            count.last = self.boards;
        }
        // The entries are in the order of their tables.
        let mut rest = entries;
        for ((_, range), of_table) in self.tables.set().iter().zip(&mut self.of_tables) {
            let own = rest.partition_point(|entry| (*entry as usize) < range.end);
            let added: f64 = rest[..own].iter().map(|e| weight(&self.tables, *e)).sum();
            of_table.sum += added;
            of_table.squares += added * added;
            of_table.fewest = of_table.fewest.min(own);
            of_table.most = of_table.most.max(own);
            rest = &rest[own..];
        }
    }

    /// The number of boards, and the descriptions of the tables.
    fn tell(&self, told: usize) -> (u64, Vec<TableKnowledge>) {
        let of_tables = self.tables.set().iter().zip(&self.of_tables);
        let known = of_tables
            .map(|((spec, range), count)| self.tell_table(spec.to_string(), range, count, told));
        let mut tables: Vec<TableKnowledge> = known.collect();
        tables.sort_by(|a, b| b.spread.total_cmp(&a.spread));
        (self.boards, tables)
    }

    fn tell_table(
        &self,
        table: String,
        range: Range<usize>,
        count: &TableCount,
        told: usize,
    ) -> TableKnowledge {
        let shown: Vec<usize> = range
            .clone()
            .filter(|e| self.of_entries[*e].times > 0)
            .collect();
        let compared_with = if count.fewest == count.most {
            self.mean_weight(&shown)
        } else {
            0.0
        };
        let common = shown
            .iter()
            .filter(|e| self.of_entries[**e].boards >= LEAST_BOARDS);
        let mut common: Vec<(usize, f64)> = common
            .map(|entry| (*entry, weight(&self.tables, *entry as u32) - compared_with))
            .collect();
        common.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let boards = self.boards.max(1) as f64;
        let tell = |&(entry, adds): &(usize, f64)| EntryKnowledge {
            entry: self.tables.set().describe(entry),
            share: f64::from(self.of_entries[entry].boards) / boards,
            adds,
        };
        let best = told.min(common.len().div_ceil(2));
        let worst = told.min(common.len() - best);
        let mean = count.sum / boards;
        TableKnowledge {
            table,
            entries: range.len(),
            shown: shown.len(),
            spread: (count.squares / boards - mean * mean).max(0.0).sqrt(),
            best: common.iter().take(best).map(tell).collect(),
            worst: common.iter().rev().take(worst).map(tell).collect(),
        }
    }

    /// The mean weight of the entries, weighted by their number of occurrences.
    fn mean_weight(&self, entries: &[usize]) -> f64 {
        let times = |entry: usize| f64::from(self.of_entries[entry].times);
        let all: f64 = entries.iter().map(|entry| times(*entry)).sum();
        let weights = entries.iter();
        let sum: f64 = weights
            .map(|entry| times(*entry) * weight(&self.tables, *entry as u32))
            .sum();
        sum / all.max(1.0)
    }
}

/// The weight of an entry, rounded as in scores.
fn weight(tables: &TableSum, entry: u32) -> f64 {
    f64::from(tables.rounded()[entry as usize]) * tables.scale()
}

#[cfg(test)]
mod tests;

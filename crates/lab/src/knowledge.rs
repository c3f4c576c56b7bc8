//! What the look-up tables of a player know: which entries its boards show, and what these add to the score.
//!
//! Most of the entries of a learned table were never shown, and only differences between entries mean anything: a constant that one
//! table has more, another may have less. So boards are taken from games that the player plays, and every entry is compared with the
//! mean of those that its table showed.

use crate::library::{LibraryError, find_player};
use serde::Serialize;
use std::collections::HashMap;
use tetrolab_core::evaluators::TableSum;
use tetrolab_core::game::Status;
use tetrolab_core::rng::game_seed;
use tetrolab_core::ruleset::Ruleset;

/// Entries that fewer boards showed are not told: their weights are mostly chance.
pub const LEAST_BOARDS: u64 = 30;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Inquiry<'a> {
    /// Who plays.
    pub player: &'a str,
    /// Which game.
    pub ruleset: &'a Ruleset,
    /// How many pieces are placed, in as many games as it takes.
    pub pieces: u64,
    /// The seed of the games.
    pub seed: u64,
    /// How many of the best and of the worst entries of each table are told.
    pub told: usize,
}

/// Why it cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum KnowledgeError {
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] LibraryError),
    /// It has none.
    #[error("{0} has no look-up tables")]
    NoTables(String),
}

/// What one table knows.
#[derive(Clone, Debug, Serialize)]
pub struct TableKnowledge {
    /// Its spec.
    pub table: String,
    /// How many entries it has.
    pub entries: usize,
    /// How many of them were shown.
    pub shown: usize,
    /// How far what it adds to the score differs from board to board: a standard deviation.
    pub spread: f64,
    /// The entries that add most, the best first.
    pub best: Vec<EntryKnowledge>,
    /// The entries that add least, the worst first.
    pub worst: Vec<EntryKnowledge>,
}

/// What one entry is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntryKnowledge {
    /// What a board is like that shows it.
    pub entry: String,
    /// On which share of the boards it stood; some stand on one board more than once.
    pub share: f64,
    /// What it adds to the score, beyond the mean of all entries of its table that were shown.
    pub adds: f64,
}

/// Asks the tables of a player what they know, the one that tells most first. A pure function of its arguments.
///
/// # Errors
/// When there is no such player, or it has no look-up tables.
pub fn ask(inquiry: &Inquiry<'_>) -> Result<Vec<TableKnowledge>, KnowledgeError> {
    let mut player = find_player(inquiry.player, inquiry.ruleset)?;
    let tables = player.evaluator().and_then(|own| own.as_tables());
    let tables = tables.ok_or_else(|| KnowledgeError::NoTables(inquiry.player.to_owned()))?;
    let tables = tables.clone();
    let mut seen = SeenEntries::new(&tables);
    let (mut placed, mut games) = (0, 0);
    while placed < inquiry.pieces {
        let mut game = player.begin(inquiry.ruleset, game_seed(inquiry.seed, games));
        while game.status() == Status::Playing && placed < inquiry.pieces {
            let placement = player.choose(&game.view());
            let transition = game.apply(placement);
            if !transition.game_over {
                seen.see(&tables, &tables.set().entries_of(&transition.after));
            }
            placed += 1;
        }
        games += 1;
    }
    Ok(seen.tell(&tables, inquiry.told))
}

fn weight(tables: &TableSum, entry: u32) -> f64 {
    f64::from(tables.weights()[entry as usize])
}

/// The entries that boards showed.
struct SeenEntries {
    boards: u64,
    /// How often each entry stood on a board.
    times: HashMap<u32, u64>,
    /// For every table the sum of what it added to the scores, and of the squares.
    added: Vec<[f64; 2]>,
}

impl SeenEntries {
    fn new(tables: &TableSum) -> SeenEntries {
        SeenEntries {
            boards: 0,
            times: HashMap::new(),
            added: vec![[0.0; 2]; tables.set().iter().count()],
        }
    }

    fn see(&mut self, tables: &TableSum, entries: &[u32]) {
        self.boards += 1;
        for entry in entries {
            *self.times.entry(*entry).or_default() += 1;
        }
        // The entries stand in the order of their tables.
        let mut rest = entries;
        for ((_, range), [sum, squares]) in tables.set().iter().zip(&mut self.added) {
            let own = rest.partition_point(|entry| (*entry as usize) < range.end);
            let added: f64 = rest[..own].iter().map(|entry| weight(tables, *entry)).sum();
            *sum += added;
            *squares += added * added;
            rest = &rest[own..];
        }
    }

    fn tell(&self, tables: &TableSum, told: usize) -> Vec<TableKnowledge> {
        let of_tables = tables.set().iter().zip(&self.added);
        let mut known: Vec<TableKnowledge> = of_tables
            .map(|((spec, range), [sum, squares])| {
                let boards = self.boards.max(1) as f64;
                let mean = sum / boards;
                let mut entries = self.entries(tables, range.clone());
                let shown = entries.len();
                entries.retain(|(entry, _)| self.times[entry] >= LEAST_BOARDS);
                entries.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
                let tell = |(entry, adds): &(u32, f64)| EntryKnowledge {
                    entry: tables.set().describe(*entry as usize),
                    share: self.times[entry] as f64 / boards,
                    adds: *adds,
                };
                // No entry is both.
                let told = told.min(entries.len() / 2);
                TableKnowledge {
                    table: spec.to_string(),
                    entries: range.len(),
                    shown,
                    spread: (squares / boards - mean * mean).max(0.0).sqrt(),
                    best: entries.iter().take(told).map(tell).collect(),
                    worst: entries.iter().rev().take(told).map(tell).collect(),
                }
            })
            .collect();
        known.sort_by(|a, b| b.spread.total_cmp(&a.spread));
        known
    }

    /// The entries of one table that were shown, and how much more each adds than their mean.
    fn entries(&self, tables: &TableSum, range: std::ops::Range<usize>) -> Vec<(u32, f64)> {
        let shown = self.times.iter();
        let mut shown: Vec<(u32, u64)> = shown
            .filter(|(entry, _)| range.contains(&(**entry as usize)))
            .map(|(entry, times)| (*entry, *times))
            .collect();
        shown.sort_unstable();
        let times: u64 = shown.iter().map(|(_, times)| times).sum();
        let sum: f64 = shown
            .iter()
            .map(|(entry, times)| weight(tables, *entry) * *times as f64)
            .sum();
        let mean = sum / times.max(1) as f64;
        let beyond = |(entry, _): (u32, u64)| (entry, weight(tables, entry) - mean);
        shown.into_iter().map(beyond).collect()
    }
}

#[cfg(test)]
mod tests;

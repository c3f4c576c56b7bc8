//! The log of a game, from which its record is made.

use crate::library::{GivenFiles, names_files};
use tetrolab_core::board::Board;
use tetrolab_core::game::{Game, Status};
use tetrolab_core::piece::Piece;
use tetrolab_core::placement::Placement;
use tetrolab_core::record::{GameRecord, ShortPlacement};
use tetrolab_core::ruleset::RulesetParts;
use tetrolab_core::spec::Spec;
use tetrolab_core::stepped::{Inputs, SteppedGame};

/// Number of placements kept, starting with the first: a game at full speed may last for hours.
const MOST_PLACEMENTS: usize = 1_000_000;
/// Number of ticks kept: 18 hours at normal speed.
const MOST_TICKS: usize = 4_000_000;

/// The player that places a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hand {
    /// The player of a record.
    Record,
    You,
    Bot,
}

/// The log of a game.
#[derive(Clone, Debug)]
pub(super) struct GameLog {
    rules: RulesetParts,
    is_stepped: bool,
    pub(super) seed: u64,
    pub(super) start: Option<Board>,
    /// Maximum number of placements and of ticks.
    most: (usize, usize),
    kept: LogLength,
    placements: Vec<ShortPlacement>,
    inputs: Vec<Inputs>,
    /// The pieces in the order in which they were drawn.
    drawn: Vec<Piece>,
}

/// The length of a log, and the state of the game at that point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LogLength {
    placements: usize,
    inputs: usize,
    drawn: usize,
    /// Number of pieces drawn, including those not kept.
    all_drawn: usize,
    /// Whether some pieces were chosen, and are therefore not determined by the rules and the seed.
    is_dealt_otherwise: bool,
    by_record: bool,
    by_you: bool,
    by_bot: bool,
}

/// A part of a log up to its end.
pub(super) struct LogTail {
    placements: Vec<ShortPlacement>,
    inputs: Vec<Inputs>,
    drawn: Vec<Piece>,
}

impl GameLog {
    pub(super) fn new(
        rules: RulesetParts,
        seed: u64,
        start: Option<Board>,
        game: &Game,
    ) -> GameLog {
        let mut log = GameLog {
            rules,
            is_stepped: game.stepped().is_some(),
            seed,
            start,
            most: (MOST_PLACEMENTS, MOST_TICKS),
            kept: LogLength::default(),
            placements: Vec::new(),
            inputs: Vec::new(),
            drawn: Vec::new(),
        };
        log.add_drawn(game);
        log
    }

    pub(super) fn kept(&self) -> LogLength {
        self.kept
    }

    /// Removes the part of the log after a position.
    pub(super) fn back_to(&mut self, kept: LogLength) -> LogTail {
        self.kept = kept;
        LogTail {
            placements: self.placements.split_off(kept.placements),
            inputs: self.inputs.split_off(kept.inputs),
            drawn: self.drawn.split_off(kept.drawn),
        }
    }

    /// Appends a removed part, up to the position at its end.
    pub(super) fn add_again(&mut self, tail: LogTail, kept: LogLength) {
        self.kept = kept;
        self.placements.extend(tail.placements);
        self.inputs.extend(tail.inputs);
        self.drawn.extend(tail.drawn);
    }

    /// The number of placements and ticks in the part.
    pub(super) fn size(&self) -> usize {
        self.placements.len() + self.inputs.len()
    }

    fn is_full(&self) -> bool {
        self.placements.len() >= self.most.0 || self.inputs.len() >= self.most.1
    }

    /// Records that a tick was played.
    pub(super) fn add_inputs(&mut self, inputs: Inputs) {
        if !self.is_full() {
            self.inputs.push(inputs);
            self.kept.inputs = self.inputs.len();
        }
    }

    /// Records that a piece has locked.
    pub(super) fn add(&mut self, placement: Placement, hand: Hand) {
        if self.is_full() {
            return;
        }
        let short = if self.is_stepped {
            ShortPlacement::stepped(placement)
        } else {
            placement.into()
        };
        self.placements.push(short);
        self.kept.placements = self.placements.len();
        match hand {
            Hand::Record => self.kept.by_record = true,
            Hand::You => self.kept.by_you = true,
            Hand::Bot => self.kept.by_bot = true,
        }
    }

    /// Adds the pieces that were drawn since the last call; returns whether there were any.
    pub(super) fn add_drawn(&mut self, game: &Game) -> bool {
        let held = game.stepped().and_then(SteppedGame::held);
        let waiting = game.waiting_pieces();
        // The piece that ended a game is still waiting, or is on the board.
        let total = game.pieces() as usize + waiting.len() + usize::from(held.is_some());
        let new = total.saturating_sub(self.kept.all_drawn);
        let new = new.min(waiting.len());
        if !self.is_full() {
            self.drawn
                .extend_from_slice(&waiting[waiting.len() - new..]);
        }
        self.kept.drawn = self.drawn.len();
        self.kept.all_drawn += new;
        new > 0
    }

    /// Records that the person chose the last piece.
    pub(super) fn choose_last(&mut self, piece: Piece) {
        let is_kept = self.kept.drawn == self.kept.all_drawn;
        if let Some(last) = self.drawn.last_mut().filter(|_| is_kept) {
            *last = piece;
        }
        self.kept.is_dealt_otherwise = true;
    }

    /// Records that from now on the pieces are not determined by the rules and the seed.
    pub(super) fn deal_otherwise(&mut self) {
        self.kept.is_dealt_otherwise = true;
    }

    /// The record of the game so far. Players are recorded by name, the person as `you`; `next` is
    /// the player of a game without placements.
    pub(super) fn record(&self, game: &Game, recorded: &str, bot: &str, next: Hand) -> GameRecord {
        let mut rules = self.rules.clone();
        // A record refers to no file: if the rules refer to one, the record lists the pieces.
        if self.kept.is_dealt_otherwise || names_files(&rules.randomizer) {
            let letters: String = self.drawn.iter().map(|piece| piece.letter()).collect();
            rules.randomizer = format!("fixed({letters})")
                .parse()
                .unwrap_or_else(|_| Spec::name("fixed"));
        }
        let hands = [
            (self.kept.by_record, recorded),
            (self.kept.by_you, "you"),
            (self.kept.by_bot, bot),
        ];
        let mut names: Vec<&str> = Vec::new();
        for (_, name) in hands.into_iter().filter(|(played, _)| *played) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() {
            names.push(match next {
                Hand::Record => recorded,
                Hand::You => "you",
                Hand::Bot => bot,
            });
        }
        let player = names.join(" and ");
        GameRecord {
            player,
            rules,
            files: GivenFiles::new(),
            seed: self.seed,
            start: self.start,
            placements: self.placements.clone(),
            inputs: self
                .is_stepped
                .then(|| self.inputs.iter().copied().collect()),
            complete: self.placements.len() as u64 == game.pieces(),
            lines: game.lines(),
            pieces: game.pieces(),
            finished: game.status() == Status::Over,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{find_player, find_ruleset};

    #[test]
    fn a_long_game_keeps_its_first_part_only() {
        let ruleset = find_ruleset("simplified-10x20").unwrap();
        let mut player = find_player("bcts", &ruleset).unwrap();
        let mut game = Game::new(&ruleset, 3);
        let mut log = GameLog::new(ruleset.parts(), 3, None, &game);
        log.most = (100, 100);
        let mut full = None;
        for _ in 0..300 {
            let step = game.apply(player.decide(&game.view()));
            log.add(step.placement, Hand::Bot);
            log.add_drawn(&game);
            if full.is_none() && log.is_full() {
                full = Some(log.drawn.len());
            }
        }
        assert_eq!(
            full,
            Some(log.drawn.len()),
            "nothing is added to a full log"
        );
        assert_eq!(log.kept.all_drawn, 301);
        let record = log.record(&game, "", "bcts", Hand::Bot);
        assert_eq!((record.placements.len(), record.pieces), (100, 300));
        assert!(!record.complete);
        record.replay(&ruleset, None).unwrap();
    }
}

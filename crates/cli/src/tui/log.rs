//! What was played, so that it can be saved.

use tetrolab::core::board::Board;
use tetrolab::core::game::{Game, Status};
use tetrolab::core::piece::Piece;
use tetrolab::core::placement::Placement;
use tetrolab::core::record::{GameRecord, ShortPlacement};
use tetrolab::core::ruleset::RulesetParts;
use tetrolab::core::spec::Spec;
use tetrolab::core::stepped::{Inputs, SteppedGame};
use tetrolab::library::{GivenFiles, names_files};

/// Placements that are kept of a game: the first million. A game at full speed may last for hours.
const MOST_PLACEMENTS: usize = 1_000_000;
/// Ticks that are kept of a stepped game: 18 hours at normal speed.
const MOST_TICKS: usize = 4_000_000;

/// Who placed a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hand {
    /// It was placed in a record.
    Record,
    You,
    Bot,
}

/// What was played of a game.
#[derive(Clone, Debug)]
pub(crate) struct GameLog {
    rules: RulesetParts,
    is_stepped: bool,
    pub(crate) seed: u64,
    pub(crate) start: Option<Board>,
    /// How many placements and ticks are kept, from the first on.
    most: (usize, usize),
    /// How much of the log belongs to the game; the rest belongs to pieces that were taken back.
    kept: LogLength,
    placements: Vec<ShortPlacement>,
    inputs: Vec<Inputs>,
    /// The pieces in the order in which they were drawn.
    drawn: Vec<Piece>,
}

/// How much of a log there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LogLength {
    placements: usize,
    inputs: usize,
    drawn: usize,
    /// The pieces that were drawn, also those that are not kept.
    all_drawn: usize,
    /// Whether pieces came otherwise than the rules and the seed say.
    is_dealt_otherwise: bool,
    by_record: bool,
    by_you: bool,
    by_bot: bool,
}

impl GameLog {
    pub(crate) fn new(
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
        log.see_pieces(game);
        log
    }

    pub(crate) fn kept(&self) -> LogLength {
        self.kept
    }

    /// Forgets what came after a moment.
    pub(crate) fn back_to(&mut self, kept: LogLength) {
        self.kept = kept;
        self.placements.truncate(kept.placements);
        self.inputs.truncate(kept.inputs);
        self.drawn.truncate(kept.drawn);
    }

    fn is_full(&self) -> bool {
        self.placements.len() >= self.most.0 || self.inputs.len() >= self.most.1
    }

    /// A tick was played.
    pub(crate) fn add_inputs(&mut self, inputs: Inputs) {
        if !self.is_full() {
            self.inputs.push(inputs);
            self.kept.inputs = self.inputs.len();
        }
    }

    /// A piece has come to rest.
    pub(crate) fn add(&mut self, placement: Placement, hand: Hand) {
        if self.is_full() {
            return;
        }
        self.placements.push(match self.is_stepped {
            true => ShortPlacement::stepped(placement),
            false => placement.into(),
        });
        self.kept.placements = self.placements.len();
        match hand {
            Hand::Record => self.kept.by_record = true,
            Hand::You => self.kept.by_you = true,
            Hand::Bot => self.kept.by_bot = true,
        }
    }

    /// Takes note of pieces that were drawn since; whether there were any.
    pub(crate) fn see_pieces(&mut self, game: &Game) -> bool {
        let held = game.stepped().and_then(SteppedGame::held);
        let waiting = game.waiting_pieces();
        // The piece that ended a game still stands where it could not enter, or lies on the board.
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

    /// The last piece was chosen by someone.
    pub(crate) fn choose_last(&mut self, piece: Piece) {
        let is_kept = self.kept.drawn == self.kept.all_drawn;
        if let Some(last) = self.drawn.last_mut().filter(|_| is_kept) {
            *last = piece;
        }
        self.kept.is_dealt_otherwise = true;
    }

    /// From here on pieces come from elsewhere than the rules say.
    pub(crate) fn deal_otherwise(&mut self) {
        self.kept.is_dealt_otherwise = true;
    }

    /// The record of the game so far. Players have their names, the person is `you`; `next` plays a game
    /// in which nobody has placed a piece yet.
    pub(crate) fn record(&self, game: &Game, recorded: &str, bot: &str, next: Hand) -> GameRecord {
        let mut rules = self.rules.clone();
        // A record leads to no file: where the rules name one, it lists the pieces.
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
    use tetrolab::library::{find_player, find_ruleset};

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
            log.see_pieces(&game);
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

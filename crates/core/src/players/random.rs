//! The random player: all placements are equally likely. The baseline for every other player.

use super::{LOSING, Player, PlayerEntry, may_lose};
use crate::game::GameView;
use crate::outcomes::{DecisionContext, Outcomes};
use crate::placement::Placement;
use crate::rng::Rng;

pub(super) const ENTRY: PlayerEntry = PlayerEntry {
    id: "random",
    definition: "a placement chosen uniformly at random",
    source: "the baseline",
    settings: &[LOSING],
    make: |settings, _| Ok(Box::new(Random::new(may_lose(settings)))),
};

/// Chooses among all placements with equal probability.
#[derive(Clone, Debug)]
pub struct Random {
    may_lose: bool,
    rng: Rng,
    outcomes: Outcomes,
    /// The placements of the current decision that do not end the game, and those that do.
    surviving: Vec<Placement>,
    losing: Vec<Placement>,
}

impl Random {
    /// A random player. Unless losing is allowed, it chooses a placement that ends the game only if
    /// all do.
    pub fn new(may_lose: bool) -> Random {
        Random {
            may_lose,
            rng: Rng::new(0),
            outcomes: Outcomes::default(),
            surviving: Vec::new(),
            losing: Vec::new(),
        }
    }
}

impl Player for Random {
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        let decision = DecisionContext::from(view);
        self.outcomes.generate(&decision);
        self.surviving.clear();
        self.losing.clear();
        loop {
            let outcomes = &self.outcomes;
            for index in 0..outcomes.len() {
                let is_lost = outcomes.landing(index).game_over && !self.may_lose;
                let list = if is_lost {
                    &mut self.losing
                } else {
                    &mut self.surviving
                };
                list.push(outcomes.placement(index));
            }
            // A stepped game can have more placements than fit into the outcomes.
            if !self.outcomes.generate_more(&decision) {
                break;
            }
        }
        let allowed = if self.surviving.is_empty() {
            &self.losing
        } else {
            &self.surviving
        };
        allowed[self.rng.below(allowed.len() as u64) as usize]
    }

    fn start(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    fn boxed(&self) -> Box<dyn Player> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::ends::End;
    use crate::piece::Piece;
    use crate::rules::Rules;

    fn chosen(may_lose: bool, rows: &[&str], piece: Piece, draws: usize) -> Vec<Placement> {
        let board = Board::from_rows(rows[0].len(), rows.len(), rows).unwrap();
        let view = GameView {
            board: &board,
            piece,
            queue: &[],
            rules: Rules::Drops(End::ABOVE_TOP),
            lines: 0,
            pieces: 0,
            forecast: None,
            hold: crate::game::Hold::None,
        };
        let mut player = Random::new(may_lose);
        player.start(3);
        (0..draws).map(|_| player.choose(&view)).collect()
    }

    #[test]
    fn every_placement_is_as_likely_as_any_other() {
        let empty = ["....."; 6];
        let mut counts = [0u32; 4];
        for placement in chosen(false, &empty, Piece::O, 4_000) {
            counts[usize::from(placement.x)] += 1;
        }
        // The expected count is 1000 each, with a standard deviation of 27.
        assert!(
            counts.iter().all(|count| count.abs_diff(1_000) < 110),
            "{counts:?}"
        );
    }

    #[test]
    fn a_losing_placement_is_chosen_only_when_all_lose_or_when_it_may() {
        let narrow = ["##...", "##...", "##...", "##..."];
        let columns = |may_lose| {
            let mut columns: Vec<u8> = chosen(may_lose, &narrow, Piece::O, 200)
                .iter()
                .map(|placement| placement.x)
                .collect();
            columns.sort_unstable();
            columns.dedup();
            columns
        };
        assert_eq!(columns(false), [2, 3]);
        assert_eq!(columns(true), [0, 1, 2, 3]);
        let full = ["#.#.#"; 4];
        assert_eq!(chosen(false, &full, Piece::O, 1).len(), 1);
    }
}

//! How players are tested: with whole games if they are short, otherwise by splitting or with
//! truncated games.

use crate::study::PlayerResult;
use tetrolab_core::ruleset::Ruleset;

/// Number of pilot games, which show how long games are.
pub(super) const PILOT_GAMES: u64 = 8;
/// With fewer whole games than this, the result would be too imprecise.
const FEWEST_GAMES: u64 = 20;
/// A player whose pilot games reached this many pieces is fast enough for splitting, even if time
/// ran out before all of them were played.
const FAST_PIECES: u64 = 40_000;
/// The maximum number of truncated games.
const MOST_CAPPED: u64 = 50;

/// How a player is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestWay {
    /// With this many whole games.
    Whole(u64),
    /// By splitting.
    Splitting,
    /// With truncated games.
    Capped { games: u64, cap: u64 },
}

/// The outcome of a player's pilot games.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pilot {
    pub(super) pieces: u64,
    pub(super) lost: u64,
    /// Whether time ran out before all games were played.
    pub(super) is_cut_short: bool,
}

impl Pilot {
    /// The outcome for a player; `None` if time ran out before its first game.
    pub(super) fn of(result: Option<&PlayerResult>) -> Pilot {
        Pilot {
            pieces: result.map_or(0, |result| result.pieces_simulated),
            lost: result.map_or(0, |result| result.finished),
            is_cut_short: result.is_none_or(|result| result.interrupted),
        }
    }
}

/// The limits that a ruleset sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct TestRules {
    /// The number of pieces after which a pilot game is truncated.
    pub(super) pilot_cap: u64,
    /// The maximum number of pieces in all whole games of a player: about ten seconds on two cores.
    most_pieces: u64,
    /// Whether splitting can estimate means under this ruleset.
    can_split: bool,
}

impl TestRules {
    pub(super) fn of(ruleset: &Ruleset, can_split: bool) -> TestRules {
        let (pilot_cap, most_pieces) = match ruleset.stepped() {
            Some(_) => (1_000, 200_000),
            None => (20_000, 20_000_000),
        };
        TestRules {
            pilot_cap,
            most_pieces,
            can_split,
        }
    }

    /// How to test a player with this pilot result, if this many games are requested.
    fn way(self, pilot: &Pilot, wanted: u64) -> TestWay {
        if pilot.is_cut_short && self.can_split && pilot.pieces >= FAST_PIECES {
            return TestWay::Splitting;
        }
        if pilot.is_cut_short {
            let games = PILOT_GAMES.min(wanted);
            let cap = round_down((pilot.pieces / games.max(1)).max(10));
            return TestWay::Capped { games, cap };
        }
        let mean = pilot.pieces.checked_div(pilot.lost);
        let affordable = mean.map_or(0, |mean| self.most_pieces / mean.max(1));
        match (affordable >= wanted, affordable >= FEWEST_GAMES) {
            (true, _) => TestWay::Whole(wanted),
            (_, true) => TestWay::Whole(round_down(affordable)),
            _ if self.can_split => TestWay::Splitting,
            _ => TestWay::Capped {
                games: wanted.min(MOST_CAPPED),
                cap: self.pilot_cap,
            },
        }
    }

    /// How to test each of several players, the learned one first. Games are truncated for all
    /// players or for none, and whole games have the same seeds for all.
    pub(super) fn ways(self, pilots: &[Pilot], wanted: u64) -> Vec<TestWay> {
        let ways: Vec<TestWay> = pilots.iter().map(|pilot| self.way(pilot, wanted)).collect();
        // A player without pilot games gives no information about the cap.
        let rows = ways.iter().zip(pilots);
        let capped = rows.filter_map(|(way, pilot)| match way {
            TestWay::Capped { games, cap } if pilot.pieces > 0 => Some((*games, *cap)),
            _ => None,
        });
        let shortest = capped.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1)));
        let whole = ways.iter().filter_map(|way| match way {
            TestWay::Whole(games) => Some(*games),
            _ => None,
        });
        let fewest = whole.min();
        let same = |way| match (shortest, fewest, way) {
            (Some((games, cap)), ..) => TestWay::Capped { games, cap },
            (None, Some(games), TestWay::Whole(_)) => TestWay::Whole(games),
            (.., way) => way,
        };
        ways.into_iter().map(same).collect()
    }
}

/// The largest number of the form 1, 2 or 5 times a power of ten that is not above this one.
fn round_down(number: u64) -> u64 {
    let mut ten = 1;
    while number / ten >= 10 {
        ten *= 10;
    }
    let digit = match number / ten {
        5.. => 5,
        2.. => 2,
        _ => 1,
    };
    digit * ten
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::find_ruleset;

    fn pilot(pieces: u64, lost: u64) -> Pilot {
        Pilot {
            pieces,
            lost,
            is_cut_short: false,
        }
    }

    fn rules(name: &str, can_split: bool) -> TestRules {
        TestRules::of(&find_ruleset(name).unwrap(), can_split)
    }

    #[test]
    fn games_are_whole_where_they_end_and_otherwise_split_or_cut_off() {
        let (small, thesis) = (rules("simplified-10x10", true), rules("thesis", true));
        let nes = rules("nes", false);
        let endless = pilot(160_000, 0);
        assert_eq!(small.way(&pilot(80_000, 8), 1000), TestWay::Whole(1000));
        assert_eq!(small.way(&pilot(150_000, 2), 1000), TestWay::Whole(200));
        assert_eq!(thesis.way(&endless, 1000), TestWay::Splitting);
        let capped = TestWay::Capped {
            games: 50,
            cap: 1_000,
        };
        assert_eq!(nes.way(&pilot(8_000, 0), 1000), capped);
        assert_eq!(nes.way(&pilot(800, 8), 1000), TestWay::Whole(1000));
        let fixed = rules("simplified-10x10", false);
        assert!(matches!(
            fixed.way(&endless, 9),
            TestWay::Capped { games: 9, .. }
        ));
        let slow = Pilot {
            is_cut_short: true,
            ..pilot(500, 0)
        };
        let capped = TestWay::Capped { games: 8, cap: 50 };
        assert_eq!(thesis.way(&slow, 1000), capped);
        let fast = Pilot {
            pieces: 90_000,
            ..slow
        };
        assert_eq!(thesis.way(&fast, 1000), TestWay::Splitting);
        assert!(matches!(nes.way(&fast, 1000), TestWay::Capped { .. }));
    }

    #[test]
    fn all_players_have_the_same_games_and_the_same_cap() {
        let nes = rules("nes", false);
        let ways = nes.ways(&[pilot(400, 8), pilot(8_000, 0)], 30);
        let capped = TestWay::Capped {
            games: 30,
            cap: 1_000,
        };
        assert_eq!(ways, [capped, capped]);
        let small = rules("simplified-10x10", true);
        let ways = small.ways(
            &[pilot(150_000, 2), pilot(8_000, 8), pilot(160_000, 0)],
            1000,
        );
        let whole = TestWay::Whole(200);
        assert_eq!(ways, [whole, whole, TestWay::Splitting]);
    }

    #[test]
    fn numbers_are_rounded_to_one_two_or_five() {
        let rounded = [1, 4, 9, 10, 49, 266, 999, 1000].map(round_down);
        assert_eq!(rounded, [1, 2, 5, 10, 20, 200, 500, 1000]);
    }
}

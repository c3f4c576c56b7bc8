//! Environments side by side.

use super::action::Actions;
use super::episode::{ActionProblem, EnvironmentScratch, Episode, Progress, Shared, Stepped};
use super::observation::{Observations, Outputs, Strides};
use super::{EnvironmentError, EnvironmentSetup};
use tetrolab_core::rng::Rng;

/// When a new episode starts after one has ended (Gymnasium's three modes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Autoreset {
    /// In the step after the episode ends; the action of this step is ignored.
    NextStep,
    /// In the step that ends the episode; the last observation is written to a separate array.
    SameStep,
    /// Never: the caller resets the environment.
    Disabled,
}

/// Games side by side, each with its own seed.
#[derive(Debug)]
pub struct Environments {
    shared: Shared,
    strides: Strides,
    autoreset: Autoreset,
    episodes: Vec<Episode>,
    scratch: Vec<EnvironmentScratch>,
}

/// The state of games, to which they can return.
#[derive(Clone, Debug)]
pub struct SavedEnvironments {
    episodes: Vec<Episode>,
}

/// Games of one thread, with their arrays.
struct Part<'a> {
    /// The number of the first game of this part.
    first: usize,
    episodes: &'a mut [Episode],
    scratch: &'a mut EnvironmentScratch,
    seen: Observations<'a>,
    outputs: Outputs<'a>,
    last: Observations<'a>,
}

impl Environments {
    /// Creates `games` games, stepped by `threads` threads. They start as the first games of seeds
    /// 0, 1, 2 and so on, until they are [reset](Self::reset).
    ///
    /// # Errors
    /// If parts of the setup do not fit together.
    pub fn new(
        setup: EnvironmentSetup,
        games: usize,
        autoreset: Autoreset,
        threads: usize,
    ) -> Result<Environments, EnvironmentError> {
        setup.check()?;
        let strides = setup.strides();
        let shared = Shared {
            actions: Actions::new(setup.kind, &setup.ruleset),
            features: setup.feature_set(),
            setup,
        };
        let episode = |game: usize| Episode::new(&shared, game as u64, 0);
        let threads = threads.clamp(1, games.max(1));
        Ok(Environments {
            episodes: (0..games).map(episode).collect(),
            scratch: (0..threads)
                .map(|_| EnvironmentScratch::new(&shared))
                .collect(),
            strides,
            autoreset,
            shared,
        })
    }

    /// The setup of the environment.
    pub fn setup(&self) -> &EnvironmentSetup {
        &self.shared.setup
    }

    /// Number of actions.
    pub fn actions(&self) -> usize {
        self.shared.actions.count()
    }

    /// Number of games.
    pub fn len(&self) -> usize {
        self.episodes.len()
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.episodes.is_empty()
    }

    /// The state of all games.
    pub fn save(&self) -> SavedEnvironments {
        SavedEnvironments {
            episodes: self.episodes.clone(),
        }
    }

    /// Returns to a state of environments with the same setup.
    ///
    /// # Errors
    /// If the state has a different number of games.
    pub fn restore(&mut self, state: &SavedEnvironments) -> Result<(), EnvironmentError> {
        let (found, expected) = (state.episodes.len(), self.len());
        if found != expected {
            return Err(wrong_size("games", found, expected));
        }
        self.episodes.clone_from(&state.episodes);
        Ok(())
    }

    /// The seed and the number of the game that an episode plays.
    pub fn episode(&self, game: usize) -> Option<(u64, u64)> {
        let episode = self.episodes.get(game)?;
        Some((episode.seed, episode.index))
    }

    /// The game of an episode.
    pub fn game(&self, game: usize) -> Option<&tetrolab_core::game::Game> {
        self.episodes.get(game).map(|episode| &episode.game)
    }

    /// Starts episodes: for each game with an entry, episode number `index` of a seed.
    ///
    /// # Errors
    /// If an array has the wrong size.
    pub fn reset(
        &mut self,
        episodes: &[Option<(u64, u64)>],
        seen: &mut Observations<'_>,
    ) -> Result<(), EnvironmentError> {
        if episodes.len() != self.len() {
            return Err(wrong_size("episodes", episodes.len(), self.len()));
        }
        self.check_size(seen)?;
        let scratch = &mut self.scratch[0];
        for (game, asked) in episodes.iter().enumerate() {
            if let Some((seed, index)) = *asked {
                let episode = &mut self.episodes[game];
                episode.begin(&self.shared, seed, index);
                let mut seen = seen.game(game, &self.strides);
                episode.observe_together(&self.shared, &mut seen, (scratch, game));
            }
        }
        scratch.write_waiting(&self.episodes, seen, &self.strides);
        Ok(())
    }

    /// Writes the observations of all games.
    ///
    /// # Errors
    /// If an array has the wrong size.
    pub fn observe(&mut self, seen: &mut Observations<'_>) -> Result<(), EnvironmentError> {
        self.check_size(seen)?;
        let scratch = &mut self.scratch[0];
        for (game, episode) in self.episodes.iter_mut().enumerate() {
            let mut seen = seen.game(game, &self.strides);
            episode.observe_together(&self.shared, &mut seen, (scratch, game));
        }
        scratch.write_waiting(&self.episodes, seen, &self.strides);
        Ok(())
    }

    /// Takes one action in every game. All actions are checked before any is taken. `last` receives
    /// the last observations of episodes that end, if they [restart](Autoreset::SameStep) in the
    /// same step; otherwise it may be empty.
    ///
    /// # Errors
    /// If an action is invalid, an episode has ended, or an array has the wrong size.
    pub fn step(
        &mut self,
        actions: &[i64],
        seen: Observations<'_>,
        outputs: Outputs<'_>,
        last: Observations<'_>,
    ) -> Result<(), EnvironmentError> {
        let games = self.len();
        if actions.len() != games {
            return Err(wrong_size("actions", actions.len(), games));
        }
        self.check_size(&seen)?;
        if !outputs.fits(games) {
            return Err(EnvironmentError::Refused(format!(
                "the arrays of rewards and ends do not have the size of {games} games"
            )));
        }
        let strides = match self.autoreset {
            Autoreset::SameStep => self.strides,
            _ => Strides::default(),
        };
        if !last.fits(games, &strides) {
            return Err(EnvironmentError::Refused(
                "the arrays of last observations do not fit the environment".to_owned(),
            ));
        }
        self.check_actions(actions)?;
        self.step_parts(actions, seen, outputs, (last, &strides));
        Ok(())
    }

    /// Finds invalid actions before anything is changed.
    fn check_actions(&self, actions: &[i64]) -> Result<(), EnvironmentError> {
        let last = self.actions() - 1;
        for (game, (episode, &action)) in self.episodes.iter().zip(actions).enumerate() {
            if episode.progress != Progress::Playing {
                match self.autoreset {
                    Autoreset::NextStep => continue,
                    _ => return Err(EnvironmentError::Ended { game }),
                }
            }
            match episode.check(&self.shared, action) {
                Ok(()) => {}
                Err(ActionProblem::OutOfRange) => {
                    return Err(EnvironmentError::OutOfRange { game, action, last });
                }
                Err(ActionProblem::Illegal) => {
                    return Err(EnvironmentError::Illegal { game, action });
                }
            }
        }
        Ok(())
    }

    fn step_parts(
        &mut self,
        actions: &[i64],
        seen: Observations<'_>,
        outputs: Outputs<'_>,
        last: (Observations<'_>, &Strides),
    ) {
        let (shared, strides, autoreset) = (&self.shared, &self.strides, self.autoreset);
        let share = self.episodes.len().div_ceil(self.scratch.len()).max(1);
        let (last, last_strides) = last;
        let mut rest = (&mut self.episodes[..], seen, outputs, last);
        let mut parts = Vec::with_capacity(self.scratch.len());
        let mut first = 0;
        for scratch in &mut self.scratch {
            let games = share.min(rest.0.len());
            let episodes = rest.0.split_at_mut(games);
            let seen = rest.1.split(games, strides);
            let outputs = rest.2.split(games);
            let last = rest.3.split(games, last_strides);
            parts.push(Part {
                first,
                episodes: episodes.0,
                scratch,
                seen: seen.0,
                outputs: outputs.0,
                last: last.0,
            });
            rest = (episodes.1, seen.1, outputs.1, last.1);
            first += games;
        }
        let step = |part: &mut Part<'_>| part.step(shared, strides, autoreset, actions);
        match &mut parts[..] {
            [one] => step(one),
            [one, others @ ..] => std::thread::scope(|scope| {
                for part in others {
                    scope.spawn(|| step(part));
                }
                step(one);
            }),
            [] => {}
        }
    }

    /// Draws a random legal action for every game, or 0 if no action is legal. The actions depend
    /// only on the generator.
    ///
    /// # Errors
    /// If an array has the wrong size.
    pub fn sample(
        &self,
        rng: &mut Rng,
        masks: &[i8],
        actions: &mut [i64],
    ) -> Result<(), EnvironmentError> {
        let count = self.actions();
        if masks.len() != count * actions.len() {
            return Err(wrong_size("masks", masks.len(), count * actions.len()));
        }
        for (mask, action) in masks.chunks_exact(count).zip(actions) {
            *action = sample_legal(rng, mask);
        }
        Ok(())
    }

    fn check_size(&self, seen: &Observations<'_>) -> Result<(), EnvironmentError> {
        if seen.fits(self.len(), &self.strides) {
            return Ok(());
        }
        Err(EnvironmentError::Refused(
            "the arrays of observations do not fit the environment".to_owned(),
        ))
    }
}

impl Part<'_> {
    fn step(&mut self, shared: &Shared, strides: &Strides, autoreset: Autoreset, actions: &[i64]) {
        for (game, episode) in self.episodes.iter_mut().enumerate() {
            let mut seen = self.seen.game(game, strides);
            let outputs = &mut self.outputs;
            let again = |episode: &mut Episode| {
                let (seed, index) = (episode.seed, episode.index.wrapping_add(1));
                episode.begin(shared, seed, index);
            };
            let stepped = if episode.progress == Progress::Playing {
                let action = actions[self.first + game];
                episode.step(shared, action, self.scratch)
            } else {
                again(episode);
                Stepped::NONE
            };
            outputs.rewards[game] = stepped.reward;
            outputs.lines[game] = stepped.lines;
            outputs.legal[game] = stepped.legal;
            outputs.terminated[game] = episode.progress == Progress::Terminated;
            outputs.truncated[game] = episode.progress == Progress::Truncated;
            outputs.total_lines[game] = episode.game.lines() as i64;
            outputs.total_pieces[game] = episode.game.pieces() as i64;
            if episode.progress != Progress::Playing && autoreset == Autoreset::SameStep {
                let mut last = self.last.game(game, strides);
                episode.observe(shared, &mut last, self.scratch);
                again(episode);
            }
            episode.observe_together(shared, &mut seen, (self.scratch, game));
        }
        self.scratch
            .write_waiting(self.episodes, &mut self.seen, strides);
    }
}

/// The index of a random entry of a mask that is 1; 0 if all are 0.
fn sample_legal(rng: &mut Rng, mask: &[i8]) -> i64 {
    let (eights, rest) = mask.as_chunks::<8>();
    let rest = std::array::from_fn(|place| rest.get(place).copied().unwrap_or(0));
    let words = || eights.iter().chain([&rest]).map(legal_bits);
    let legal: u32 = words().map(u64::count_ones).sum();
    if legal == 0 {
        return 0;
    }
    let mut left = rng.below(u64::from(legal)) as u32;
    for (place, mut bits) in words().enumerate() {
        if left < bits.count_ones() {
            for _ in 0..left {
                bits &= bits - 1;
            }
            return 8 * place as i64 + i64::from(bits.trailing_zeros() / 8);
        }
        left -= bits.count_ones();
    }
    0
}

/// Finds which of eight numbers of a mask are 1: the lowest bit of each byte.
#[inline]
fn legal_bits(numbers: &[i8; 8]) -> u64 {
    u64::from_le_bytes(numbers.map(|number| number as u8)) & 0x0101_0101_0101_0101
}

fn wrong_size(what: &str, found: usize, expected: usize) -> EnvironmentError {
    EnvironmentError::Refused(format!("expected {expected} {what}, found {found}"))
}

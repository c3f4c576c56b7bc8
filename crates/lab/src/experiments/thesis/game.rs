//! Which game did the thesis play? A search over readings of its words.
//!
//! Table 11 reports the means of seven weight vectors (table 10). A reading fits if these weights
//! give about the same means. Its misfit is the sum over the players of the squared logarithm of
//! the ratio of means, divided by the squared error of that logarithm; for the right reading it is
//! about the number of players.

use super::super::{
    Definition, ExperimentArm, ExperimentEntry, ExperimentResults, ExperimentSize, Finding,
    FoundTable, Quantity, ResultUnit, Stage, TestedPlayer, published_values,
};
use super::features::SETS;
use super::readings::{PLAY, RULES, Reading, Word, player_text_of, thesis_player};
use crate::report::show;
use crate::study::{Evaluation, GamesGoal, Plan};
use std::collections::BTreeMap;

pub(in crate::experiments) const ENTRY: ExperimentEntry = ExperimentEntry {
    id: "thesis-game",
    definition: "which game did the thesis play? A search over readings of its words",
    source: "thesis, Tab 10 and 11",
    settings: &[],
    make: definition,
};

/// Players of the first part of the search, whose features are almost certain.
const PLAIN_PLAYERS: usize = 3;
/// Number of players in one evaluation.
const TOGETHER: usize = 100;
/// Games are truncated after this many pieces: several times the longest published mean.
const CAP: u64 = 20_000;
/// Number of readings shown in a table.
const SHOWN: usize = 10;

fn definition(size: ExperimentSize) -> Definition {
    let search = Search::new(size);
    let arms = SETS.iter().enumerate().map(|(player, set)| {
        let tested = &search.trials[&(player, Reading::IDENTIFIED.into())];
        ExperimentArm {
            id: set.0.to_owned(),
            variant: "identified game".to_owned(),
            tested: vec![tested.clone()],
            unit: ResultUnit::LinePoints,
            ..ExperimentArm::default()
        }
    });
    Definition {
        question: "With which reading of its words do the weights of table 10 give the means of table 11?"
            .to_owned(),
        open: vec![
            "The randomizer as programmed, the height of the board, whether losing placements are avoided, which row \"piece position\" refers to, which board is scored, and how transitions, wells, the weighted relative height, the difference of heights and the fill were programmed."
                .to_owned(),
        ],
        deviations: vec![format!(
            "Games are truncated after {CAP} pieces; means are estimated from finished and truncated games."
        )],
        cost: size.pick("a minute", "three minutes on two cores").to_owned(),
        arms: arms.collect(),
        analyses: vec![analysis],
        stages: search.stages,
        ..Definition::default()
    }
}

/// A reading as a key: rules, play and the meanings of the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ReadingKey(usize, usize, [usize; Word::ALL.len()]);

impl From<Reading> for ReadingKey {
    fn from(reading: Reading) -> ReadingKey {
        ReadingKey(reading.rules, reading.play, reading.words)
    }
}

impl From<ReadingKey> for Reading {
    fn from(ReadingKey(rules, play, words): ReadingKey) -> Reading {
        Reading { rules, play, words }
    }
}

/// The readings to try: for every player and reading, the stage that measures it.
#[derive(Default)]
struct Search {
    stages: Vec<Stage>,
    trials: BTreeMap<(usize, ReadingKey), TestedPlayer>,
}

/// The readings of the first part: rules, decision rule and the position of the piece.
fn plain_readings() -> impl Iterator<Item = Reading> {
    let places = [RULES.len(), PLAY.len(), Word::Position.meanings().len()];
    combinations(&places).map(|places| {
        let mut words = Reading::IDENTIFIED.words;
        words[Word::Position as usize] = places[2];
        Reading {
            rules: places[0],
            play: places[1],
            words,
        }
    })
}

/// The readings of the second part: all meanings of the other words, with the identified rules,
/// decision rule and position.
fn full_readings() -> impl Iterator<Item = Reading> {
    let mut places: Vec<usize> = Word::ALL.map(|word| word.meanings().len()).into();
    places[Word::Position as usize] = 1;
    combinations(&places).map(|words| Reading {
        words: words.try_into().expect("a place for every word"),
        ..Reading::IDENTIFIED
    })
}

/// All combinations of indices below these numbers.
fn combinations(below: &[usize]) -> impl Iterator<Item = Vec<usize>> + use<> {
    let below = below.to_vec();
    (0..below.iter().product::<usize>()).map(move |mut number| {
        let place = |below: &usize| {
            let place = number % below;
            number /= below;
            place
        };
        below.iter().map(place).collect()
    })
}

impl Search {
    fn new(size: ExperimentSize) -> Search {
        let plain = plain_readings();
        let plain =
            plain.flat_map(|reading| (0..PLAIN_PLAYERS).map(move |player| (player, reading)));
        let full = full_readings();
        let full = full.flat_map(|reading| (0..SETS.len()).map(move |player| (player, reading)));
        // Readings that mean the same for a player share its games.
        let mut written: BTreeMap<(usize, String), usize> = BTreeMap::new();
        let files = SETS.map(|set| thesis_player(set.1));
        let mut players: Vec<Vec<String>> = vec![Vec::new(); RULES.len()];
        let mut trials = Vec::new();
        let mut search = Search::default();
        for (player, reading) in plain.chain(full) {
            let text = player_text_of(&files[player], SETS[player].1, &reading);
            let number = written.len();
            let place = *written
                .entry((player, text))
                .or_insert_with_key(|(_, text)| {
                    let stage = Stage::write(format!("player-{number}"), text.as_str());
                    search.stages.push(stage);
                    number
                });
            let spec = format!("greedy(@player-{place},{})", PLAY[reading.play].1);
            let of_rules = &mut players[reading.rules];
            let known = of_rules.iter().position(|known| *known == spec);
            let index = known.unwrap_or_else(|| {
                of_rules.push(spec.clone());
                of_rules.len() - 1
            });
            let stage = stage_name(reading.rules, index / TOGETHER);
            trials.push((
                (player, reading.into()),
                TestedPlayer {
                    stage,
                    player: spec,
                },
            ));
        }
        search.trials = trials.into_iter().collect();
        search.evaluations(size, &players);
        search
    }

    /// The evaluations of all players, several players per stage.
    fn evaluations(&mut self, size: ExperimentSize, players: &[Vec<String>]) {
        for (rules, players) in players.iter().enumerate() {
            for (part, players) in players.chunks(TOGETHER).enumerate() {
                let evaluation = Evaluation {
                    players: players.to_vec(),
                    ruleset: RULES[rules].1.to_owned(),
                    plan: Plan::Games {
                        until: GamesGoal::Games(size.pick(24, 100)),
                        max_pieces: Some(CAP),
                    },
                    seed: size.test_seed(),
                };
                self.stages
                    .push(Stage::evaluate(stage_name(rules, part), evaluation));
            }
        }
    }
}

fn stage_name(rules: usize, part: usize) -> String {
    format!("games-{rules}-{part}")
}

/// The published means of the players, with the number of games behind them.
fn published_means() -> Vec<(f64, f64)> {
    let of_set = |set: &(&str, &str)| {
        let mut values = published_values().iter();
        let value = values.find(|value| {
            value.experiment == "thesis-features"
                && value.arm == set.0
                && value.quantity == Quantity::Mean
        });
        let games = value.and_then(|value| value.games).unwrap_or(100);
        let mean = value.and_then(|value| value.value).unwrap_or(f64::NAN);
        (mean, games as f64)
    };
    SETS.iter().map(of_set).collect()
}

/// How well a reading explains one player.
#[derive(Clone, Copy)]
struct PlayerFit {
    measured: f64,
    /// The logarithm of the ratio of means, divided by its error.
    z: f64,
}

/// How well a reading explains some players; `None` if one of them has not been measured.
fn fit(
    results: &ExperimentResults,
    search: &Search,
    reading: Reading,
    players: usize,
) -> Option<Vec<PlayerFit>> {
    let published = published_means();
    let of_player = |player: usize| {
        let tested = search.trials.get(&(player, reading.into()))?;
        let arm = ExperimentArm {
            tested: vec![tested.clone()],
            unit: ResultUnit::LinePoints,
            ..ExperimentArm::default()
        };
        let own = results.measured(&arm, Quantity::Mean, None)?;
        let (mean, games) = published[player];
        // Uses the errors of exponential scores: those of the data would favour readings with very
        // short games.
        let error = (games.recip() + (own.games.max(1) as f64).recip()).sqrt();
        Some(PlayerFit {
            measured: own.mean.value,
            z: (own.mean.value.max(0.1) / mean).ln() / error,
        })
    };
    (0..players).map(of_player).collect()
}

fn misfit(fits: &[PlayerFit]) -> f64 {
    fits.iter().map(|fit| fit.z * fit.z).sum()
}

/// The readings, sorted by misfit, smallest first.
fn ranked(
    results: &ExperimentResults,
    search: &Search,
    readings: impl Iterator<Item = Reading>,
    players: usize,
) -> Vec<(Reading, Vec<PlayerFit>)> {
    let fits =
        readings.filter_map(|reading| Some((reading, fit(results, search, reading, players)?)));
    let mut fits: Vec<_> = fits.collect();
    fits.sort_by(|a, b| misfit(&a.1).total_cmp(&misfit(&b.1)));
    fits
}

fn analysis(results: &ExperimentResults) -> Vec<Finding> {
    let Some(size) = results.size() else {
        return Vec::new();
    };
    let search = Search::new(size);
    let plain = ranked(results, &search, plain_readings(), PLAIN_PLAYERS);
    let full = ranked(results, &search, full_readings(), SETS.len());
    let mut findings = Vec::new();
    if !plain.is_empty() {
        findings.push(rules_finding(&plain));
    }
    if let Some(best) = full.first() {
        findings.push(words_finding(&full));
        findings.push(meanings_finding(&full));
        findings.push(rest_finding(best, &full));
        findings.push(alone_finding(&full));
    }
    findings
}

/// The rules, the decision rule and the position that explain the unambiguous players.
fn rules_finding(fits: &[(Reading, Vec<PlayerFit>)]) -> Finding {
    let mut table = FoundTable::new(
        "The best readings of rules, play and piece position for the players with 4, 5 and 6 features",
        &["reading", "4", "5", "6", "misfit"],
    );
    for (reading, fits) in fits.iter().take(SHOWN) {
        let position = reading.meaning(Word::Position).0;
        let name = format!(
            "{}; {}; {position}",
            RULES[reading.rules].0, PLAY[reading.play].0
        );
        table.row(row(name, fits));
    }
    let best = fits.first().map_or(0.0, |best| misfit(&best.1));
    let near = fits.iter().filter(|row| misfit(&row.1) < best + 4.0);
    let near = near.count();
    let text = format!(
        "Line points of the weights of table 10. The misfit is the sum of squared logarithms of ratios \
         over their squared errors; a right reading has about 3. {near} of {} readings are within 4 of \
         the best, which these games cannot distinguish: a higher board, a milder game-over rule and a \
         lower row for the position have about the same effect.",
        fits.len()
    );
    Finding::of_table("Rules and play", &text, table)
}

fn row(name: String, fits: &[PlayerFit]) -> Vec<String> {
    let means = fits.iter().map(|fit| show(fit.measured));
    let misfit = format!("{:.1}", misfit(fits));
    std::iter::once(name).chain(means).chain([misfit]).collect()
}

/// The meanings of all words that explain all players.
fn words_finding(fits: &[(Reading, Vec<PlayerFit>)]) -> Finding {
    let heads: Vec<&str> = SETS.iter().map(|set| set.0).collect();
    let columns: Vec<&str> = [&["reading"][..], &heads, &["misfit"]].concat();
    let caption = "The best readings of all words for all seven players";
    let mut table = FoundTable::new(caption, &columns);
    let published = published_means();
    let published = published.iter().map(|mean| show(mean.0));
    let first = std::iter::once("published".to_owned()).chain(published);
    table.row(first.chain([String::new()]).collect());
    for (number, (_, fits)) in fits.iter().take(SHOWN).enumerate() {
        table.row(row(format!("reading {}", number + 1), fits));
    }
    let named = fits.iter().take(SHOWN).enumerate();
    let mut finding = Finding::of_table("All words", "", table);
    finding.texts = named
        .map(|(number, (reading, _))| format!("Reading {}: {}.", number + 1, reading.describe()))
        .collect();
    finding
}

/// For every meaning of every word, the smallest misfit among all readings that contain it.
fn meanings_finding(fits: &[(Reading, Vec<PlayerFit>)]) -> Finding {
    let mut table = FoundTable::new(
        "The smallest misfit with each meaning, over all meanings of the other words",
        &["word and meaning", "least misfit", "above the best"],
    );
    let best = fits.first().map_or(0.0, |best| misfit(&best.1));
    for word in Word::ALL {
        for (place, meaning) in word.meanings().iter().enumerate() {
            let mut with = fits.iter();
            let with = with.find(|(reading, _)| reading.words[word as usize] == place);
            if let Some((_, fits)) = with {
                let least = misfit(fits);
                table.row(vec![
                    format!("{}: {}", word.name(), meaning.0),
                    format!("{least:.1}"),
                    format!("{:.1}", least - best),
                ]);
            }
        }
    }
    let text = "Meanings within 4 of the best cannot be distinguished by these numbers (95 %, one word at \
        a time).";
    Finding::of_table("The meaning of each word", text, table)
}

/// What the best reading does not explain.
fn rest_finding(
    (reading, fits): &(Reading, Vec<PlayerFit>),
    all: &[(Reading, Vec<PlayerFit>)],
) -> Finding {
    let mut table = FoundTable::new(
        "The best reading, player by player",
        &["features", "published", "measured", "ratio", "errors apart"],
    );
    let published = published_means();
    for ((set, published), fit) in SETS.iter().zip(&published).zip(fits) {
        table.row(vec![
            set.0.to_owned(),
            show(published.0),
            show(fit.measured),
            show(fit.measured / published.0),
            format!("{:+.1}", fit.z),
        ]);
    }
    let unexplained = SETS.iter().zip(fits).filter(|(_, fit)| fit.z.abs() > 2.0);
    let unexplained: Vec<&str> = unexplained.map(|(set, _)| set.0).collect();
    let rest = match unexplained.as_slice() {
        [] => "It explains all seven players.".to_owned(),
        sets => format!(
            "It does not explain the players with {} features: their means differ by more than two \
             errors.",
            sets.join(", ")
        ),
    };
    let (best, count) = (misfit(fits), all.len());
    let near = all.iter().filter(|other| misfit(&other.1) < best + 4.0);
    let near = near.count();
    let text = format!(
        "{}. Its misfit is {best:.1}; a right reading would have about {}. {near} of {count} readings \
         are within 4 of it, which these games cannot distinguish. {rest}",
        reading.describe(),
        fits.len()
    );
    Finding::of_table("What remains", &text, table)
}

/// For every player, the readings that explain it, independently of the other players.
fn alone_finding(fits: &[(Reading, Vec<PlayerFit>)]) -> Finding {
    let mut table = FoundTable::new(
        "Each player separately: the closest reading",
        &[
            "features",
            "published",
            "nearest",
            "errors apart",
            "readings within two errors",
        ],
    );
    let published = published_means();
    for (player, set) in SETS.iter().enumerate() {
        let of_player = || fits.iter().map(|row| row.1[player]);
        let nearest = of_player().min_by(|a, b| a.z.abs().total_cmp(&b.z.abs()));
        let Some(nearest) = nearest else { continue };
        let within = of_player().filter(|fit| fit.z.abs() <= 2.0).count();
        table.row(vec![
            set.0.to_owned(),
            show(published[player].0),
            show(nearest.measured),
            format!("{:+.1}", nearest.z),
            format!("{within} of {}", fits.len()),
        ]);
    }
    let text = "A player without a reading within two errors is not explained by any of these meanings: \
        its weights may be misprinted, or another word means something else.";
    Finding::of_table("Each player alone", text, table)
}

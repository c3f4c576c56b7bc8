//! Plans: everything that a learning run depends on.

use super::coordinates;
use crate::command::quote;
use serde::{Deserialize, Serialize};

/// Everything that the result of a learning run depends on: the same plan gives the same player on any machine, unless it has
/// a limit on time. Parts are named as on the command line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The learner with its settings.
    pub learner: String,
    /// The game that candidates play.
    pub ruleset: String,
    /// What is weighed: a named feature set, or ids separated by commas.
    pub features: String,
    /// Who plays with the weights, without its evaluator: `greedy`, `two-piece(losing=allow)`.
    pub player: String,
    /// The form of the evaluator.
    pub evaluator: String,
    /// The player around whose weights the search begins; around 0 without one.
    pub start: Option<String>,
    /// In which coordinates the learner searches. Plans of older stores say nothing, which is none.
    #[serde(default)]
    pub scale: Scale,
    /// What a candidate is worth.
    pub objective: String,
    /// How many games each candidate plays.
    pub games: u64,
    /// Whether all generations play the same games.
    pub fixed_games: bool,
    /// Games are cut off after so many pieces.
    pub max_pieces: Option<u64>,
    /// When to stop.
    pub budget: Budget,
    /// How many independent runs are made, whose solutions are averaged.
    pub runs: u64,
    /// Where all random numbers come from.
    pub seed: u64,
    /// The rules of the game in full, as they were when the run was begun: a ruleset's file may change. A task fills them in;
    /// they are no part of the command, and plans of older stores have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
}

/// In which coordinates a learner searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Weights as they are, as in the papers.
    #[default]
    None,
    /// Each weight times the spread of its feature in play.
    Spread,
    /// Whichever suits: a task resolves it to one of the others.
    Auto,
}

impl Scale {
    /// Every scale with its name.
    pub const ALL: [(Scale, &'static str); 3] = [
        (Scale::None, "none"),
        (Scale::Spread, "spread"),
        (Scale::Auto, "auto"),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        let row = Scale::ALL.iter().find(|row| row.0 == self);
        row.map_or("", |row| row.1)
    }
}

/// When to stop. What is counted is compared between generations, so the last one may go beyond it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// Generations of each run.
    pub generations: u64,
    /// Games of each run.
    pub games: Option<u64>,
    /// Pieces of each run.
    pub pieces: Option<u64>,
    /// Seconds by the clock for all runs, in equal shares. The only limit that makes a result depend on the machine.
    pub seconds: Option<f64>,
    /// Enough: the fitness of a candidate.
    pub fitness: Option<f64>,
}

impl Budget {
    /// So many generations, and no other limit.
    #[must_use]
    pub fn generations(generations: u64) -> Budget {
        Budget {
            generations,
            games: None,
            pieces: None,
            seconds: None,
            fitness: None,
        }
    }
}

impl Default for Plan {
    /// Boumaza's experiment (2009) with fewer games and generations, once: about a minute on two cores without the kernel, a few
    /// seconds with it. Games of the harder game end far below the cap; it is there for other games.
    fn default() -> Plan {
        Plan {
            learner: "boumaza".to_owned(),
            ruleset: "simplified-hard-10x20".to_owned(),
            features: "bcts".to_owned(),
            player: "greedy".to_owned(),
            evaluator: "linear".to_owned(),
            start: None,
            scale: Scale::Auto,
            objective: "lines".to_owned(),
            games: 30,
            fixed_games: false,
            max_pieces: Some(100_000),
            budget: Budget::generations(40),
            runs: 1,
            seed: 1,
            rules: None,
        }
    }
}

/// A setting of a plan: the flag that sets it, and its value if it has one.
type Flag = (&'static str, Option<String>);

impl Plan {
    /// The settings as flags of the command line, in a fixed order.
    fn flags(&self) -> Vec<Flag> {
        fn number<T: ToString>(value: Option<T>) -> Option<String> {
            value.map(|value| value.to_string())
        }
        let unless = |value: &str, default| (value != default).then(|| value.to_owned());
        let budget = &self.budget;
        // Without the flag there may be a cap.
        let cap = number(self.max_pieces).or(Some("none".to_owned()));
        vec![
            ("--ruleset", Some(self.ruleset.clone())),
            ("--features", Some(self.features.clone())),
            ("--player", unless(&self.player, "greedy")),
            ("--evaluator", unless(&self.evaluator, "linear")),
            ("--start", self.start.clone()),
            ("--scale", self.scale_flag()),
            ("--objective", Some(self.objective.clone())),
            ("--games", number(Some(self.games))),
            ("--fixed-games", self.fixed_games.then(String::new)),
            ("--max-pieces", cap),
            ("--generations", number(Some(budget.generations))),
            ("--total-games", number(budget.games)),
            ("--total-pieces", number(budget.pieces)),
            ("--time", number(budget.seconds)),
            ("--until", number(budget.fitness)),
            ("--runs", number(Some(self.runs))),
            ("--seed", number(Some(self.seed))),
        ]
    }

    /// The scale, where a command that says nothing could mean another one.
    fn scale_flag(&self) -> Option<String> {
        let says_nothing = match self.scale {
            Scale::Auto => true,
            Scale::None => !coordinates::calls_for_spread(self),
            Scale::Spread => false,
        };
        (!says_nothing).then(|| self.scale.name().to_owned())
    }

    /// The command that learns the same again.
    #[must_use]
    pub fn command(&self) -> String {
        let mut command = format!("tetrolab learn {}", quote(&self.learner));
        for (flag, value) in self.flags() {
            match value.as_deref() {
                None => {}
                Some("") => command += &format!(" {flag}"),
                Some(value) => command += &format!(" {flag} {}", quote(value)),
            }
        }
        command
    }

    /// Where this plan differs from another, in words, if it does.
    #[must_use]
    pub fn difference(&self, other: &Plan) -> Option<String> {
        if self.learner != other.learner {
            return Some(format!("{}, not {}", self.learner, other.learner));
        }
        let mut pairs = self.flags().into_iter().zip(other.flags());
        let Some((own, other)) = pairs.find(|(own, other)| own != other) else {
            return self.other_rules(other);
        };
        let show = |flag: Flag| match flag {
            (name, None) => format!("no {name}"),
            (name, Some(value)) => format!("{name} {value}").trim_end().to_owned(),
        };
        Some(format!("{}, not {}", show(own), show(other)))
    }

    /// How the rules behind the same name differ, if they are known and do.
    fn other_rules(&self, other: &Plan) -> Option<String> {
        let (own, other) = (self.rules.as_ref()?, other.rules.as_ref()?);
        let ruleset = &self.ruleset;
        (own != other).then(|| format!("{ruleset} with the rules {own}, not {other}"))
    }

    /// A name that belongs to this plan alone: a word, and a hash of the settings.
    #[must_use]
    pub fn id(&self, word: &str) -> String {
        let mut hash = crate::hash::Fnv::new();
        hash.add(self.command().as_bytes());
        let hash = hash.value();
        format!("{word}-{:08x}", (hash >> 32) as u32 ^ hash as u32)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A plan that is done in milliseconds.
    pub(crate) fn tiny() -> Plan {
        Plan {
            learner: "random-search(population=4)".to_owned(),
            ruleset: "simplified-6x8".to_owned(),
            features: "dellacherie".to_owned(),
            games: 3,
            max_pieces: Some(200),
            budget: Budget::generations(3),
            runs: 2,
            seed: 5,
            ..Plan::default()
        }
    }

    #[test]
    fn a_plan_knows_the_command_that_repeats_it() {
        let plan = Plan {
            fixed_games: true,
            ..tiny()
        };
        assert_eq!(
            plan.command(),
            "tetrolab learn 'random-search(population=4)' --ruleset simplified-6x8 --features dellacherie --objective lines \
             --games 3 --fixed-games --max-pieces 200 --generations 3 --runs 2 --seed 5"
        );
    }

    #[test]
    fn a_plan_without_a_cap_says_so_in_its_command() {
        let plan = Plan {
            max_pieces: None,
            ..tiny()
        };
        assert!(plan.command().contains(" --max-pieces none "));
    }

    #[test]
    fn a_plan_reads_back_as_it_was_written() {
        let mut plan = tiny();
        plan.budget.seconds = Some(0.1 + 0.2);
        plan.seed = u64::MAX;
        let text = serde_json::to_string(&plan).unwrap();
        assert_eq!(serde_json::from_str::<Plan>(&text).unwrap(), plan);
    }

    #[test]
    fn a_plan_of_an_older_store_has_no_rules_and_fits_any() {
        let old: Plan = serde_json::from_str(&serde_json::to_string(&tiny()).unwrap()).unwrap();
        let with = |rules: &str| Plan {
            rules: Some(rules.to_owned()),
            ..tiny()
        };
        assert_eq!(old.difference(&with("6x8")), None);
        assert!(with("6x9").difference(&with("6x8")).is_some());
        assert_eq!(with("6x8").command(), tiny().command());
    }

    #[test]
    fn every_setting_makes_another_name() {
        let mut other = tiny();
        assert_eq!(other.id("x"), tiny().id("x"));
        assert_eq!(tiny().difference(&other), None);
        other.budget.pieces = Some(9);
        assert_ne!(other.id("x"), tiny().id("x"));
        assert_eq!(
            tiny().difference(&other).unwrap(),
            "no --total-pieces, not --total-pieces 9"
        );
    }
}

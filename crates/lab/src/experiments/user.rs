//! Experiments of users: a TOML file instead of a named definition.
//!
//! ```toml
//! question = "Does CMA-ES learn more than random search from as many pieces?"
//! seeds = 3                      # training runs of every arm that learns
//!
//! [learning]                     # a description of learning, shared by all arms that learn
//! ruleset = "simplified-10x10"
//! features = "bcts"
//! games = 20
//! budget = { pieces = 10000000 }
//!
//! [test]                         # a description of an evaluation, without its players
//! ruleset = "simplified-10x10"
//! target = { games = 500 }
//!
//! [[arm]]
//! id = "cma-es"
//! learner = "cma-es"             # and any other field of a description of learning
//!
//! [[arm]]
//! id = "bcts"
//! player = "bcts"                # a player that is not learned
//! ```

use super::{
    Definition, EXPERIMENTS, Experiment, ExperimentArm, ExperimentError, ExperimentSize, Stage,
    StageStudy, TestedPlayer,
};
use crate::learning::{Budget, Learning, LearningRequest};
use crate::library::{FileError, read_text};
use crate::report::differing;
use crate::study::Evaluation;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;

/// The maximum number of training runs per arm.
const MOST_SEEDS: u64 = 1000;
/// Maximum number of training runs of an experiment; all their descriptions are kept and compared.
const MOST_RUNS: usize = 10_000;
/// Maximum length of the id of an arm, which is part of folder names.
const LONGEST_ID: usize = 60;

/// The content of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UserFile {
    question: String,
    #[serde(default = "one")]
    seeds: u64,
    #[serde(default)]
    learning: toml::Table,
    #[serde(default)]
    test: toml::Table,
    #[serde(default = "no_arms")]
    arm: toml::Value,
}

fn no_arms() -> toml::Value {
    toml::Value::Array(Vec::new())
}

fn one() -> u64 {
    1
}

impl Experiment {
    /// The experiment of a user's file.
    ///
    /// # Errors
    /// If the file cannot be read or is invalid. Nothing has been played in that case.
    pub fn from_file(path: &Path, size: ExperimentSize) -> Result<Experiment, ExperimentError> {
        let wrong = |problem: String| FileError::of_file(path, problem);
        let text = read_text(path)?;
        let file: UserFile = toml::from_str(&text).map_err(|error| {
            let line = error
                .span()
                .map(|span| text[..span.start].matches('\n').count() + 1);
            let problem = plain(error.message());
            match line {
                Some(line) => FileError::at_line(path, line, problem),
                None => wrong(problem),
            }
        })?;
        let definition = file.definition(size).map_err(wrong)?;
        let name = path.file_stem().unwrap_or_default();
        if EXPERIMENTS.iter().any(|entry| name == entry.id) {
            let name = name.display();
            let problem = format!("the name is that of the experiment {name}: rename the file");
            return Err(wrong(problem).into());
        }
        let experiment = Experiment {
            id: name.display().to_string(),
            title: file.question.clone(),
            source: path.display().to_string(),
            size,
            definition,
        };
        experiment.check().map_err(wrong)?;
        Ok(experiment)
    }

    /// The settings in which the training runs differ, with their values; `None` if there are none.
    #[must_use]
    pub fn differing_settings(&self) -> Option<String> {
        let studies = self.definition.stages.iter().map(|stage| &stage.study);
        let plans = studies.filter_map(|study| match study {
            StageStudy::Learn(plan) => Some(&**plan),
            _ => None,
        });
        differing::settings(&plans.collect::<Vec<_>>())
    }

    /// Checks every stage before anything is played. Players that are not learned yet are replaced
    /// by a published one. An error names the table of the file.
    fn check(&self) -> Result<(), String> {
        self.definition.check().map_err(|error| error.to_string())?;
        for stage in &self.definition.stages {
            let mut arms = self.definition.arms.iter();
            let learns = arms.find(|arm| arm.learned.contains(&stage.id));
            let place = learns.map_or("[test]".to_owned(), |arm| format!("arm {}", arm.id));
            check_stage(&stage.study).map_err(|error| format!("{place}: {error}"))?;
        }
        Ok(())
    }
}

fn check_stage(study: &StageStudy) -> Result<(), ExperimentError> {
    let mut study: StageStudy =
        study.resolved(|_| Ok::<_, ExperimentError>("dellacherie".to_owned()))?;
    if let StageStudy::Evaluate(evaluation) = &mut study {
        evaluation.check_games()?;
        // Several learned players have the same stand-in here.
        evaluation.players.sort();
        evaluation.players.dedup();
    }
    study.check()
}

/// The message of a parser in plain words, on one line.
fn plain(message: &str) -> String {
    let words = [
        ("expected u64", "expected a non-negative integer"),
        (
            "wanted exactly 1 element, more than 1 element",
            "expected exactly one target",
        ),
    ];
    let message = words.iter().fold(message.to_owned(), |text, (from, to)| {
        text.replace(from, to)
    });
    crate::library::one_line(&message)
}

impl UserFile {
    fn definition(&self, size: ExperimentSize) -> Result<Definition, String> {
        if !(1..=MOST_SEEDS).contains(&self.seeds) {
            let seeds = self.seeds;
            return Err(format!(
                "seeds must be between 1 and {MOST_SEEDS}, got {seeds}"
            ));
        }
        if self.question.trim().is_empty() {
            return Err("the question is empty".to_owned());
        }
        let arms = self.arms()?;
        let shared = toml::Value::Table(self.learning.clone()).try_into::<Learning>();
        shared.map_err(|error| format!("[learning]: {}", plain(error.message())))?;
        let test = self.test()?;
        let mut definition = Definition {
            question: self.question.clone(),
            ..Definition::default()
        };
        let mut players: Vec<String> = Vec::new();
        let mut known = BTreeSet::new();
        for arm in arms {
            let (arm, stages) = self.arm(arm, size)?;
            if definition.arms.iter().any(|other| other.id == arm.id) {
                return Err(format!("two arms have the id {}", arm.id));
            }
            for tested in &arm.tested {
                if !known.insert(tested.player.clone()) {
                    return Err(format!("two arms have the player {}", tested.player));
                }
                players.push(tested.player.clone());
            }
            definition.stages.extend(stages);
            definition.arms.push(arm);
            if players.len() > MOST_RUNS {
                return Err(format!(
                    "an experiment has at most {MOST_RUNS} training runs and players; use fewer \
                     seeds or arms"
                ));
            }
        }
        if players.is_empty() {
            return Err("expected at least one [[arm]], found none".to_owned());
        }
        let evaluation = Evaluation {
            players,
            seed: test.seed.wrapping_add(size.test_seed()),
            ..test
        };
        definition.stages.push(Stage::evaluate(TEST, evaluation));
        Ok(definition)
    }

    /// The tables `[[arm]]`.
    fn arms(&self) -> Result<Vec<&toml::Table>, String> {
        let instead = || "write [[arm]] instead of [arm]".to_owned();
        let arms = self.arm.as_array().ok_or_else(instead)?;
        let arms = arms.iter().map(toml::Value::as_table);
        arms.collect::<Option<Vec<_>>>().ok_or_else(instead)
    }

    /// The description of the test, whose players are the arms.
    fn test(&self) -> Result<Evaluation, String> {
        if self.test.contains_key("players") {
            return Err("[test]: the players of the test are the arms".to_owned());
        }
        let test = toml::Value::Table(self.test.clone()).try_into::<Evaluation>();
        test.map_err(|error| format!("[test]: {}", plain(error.message())))
    }

    /// An arm, with the stages that learn its players.
    fn arm(
        &self,
        table: &toml::Table,
        size: ExperimentSize,
    ) -> Result<(ExperimentArm, Vec<Stage>), String> {
        let text = |key: &str| table.get(key).and_then(toml::Value::as_str);
        let id = text("id").ok_or("every [[arm]] needs an id in quotes")?;
        let of_arm = |problem: String| format!("arm {id}: {problem}");
        if id.len() > LONGEST_ID {
            return Err(format!(
                "an id has at most {LONGEST_ID} characters, not {}",
                id.len()
            ));
        }
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
        if id.is_empty() || !id.chars().all(is_plain) {
            return Err(of_arm(
                "an id may contain only letters, digits, hyphens and dots".to_owned(),
            ));
        }
        let mut own = table.clone();
        own.remove("id");
        let tested = |player: String| TestedPlayer {
            stage: TEST.to_owned(),
            player,
        };
        match (text("player"), text("learner")) {
            (Some(player), None) if own.len() == 1 => {
                Ok((ExperimentArm::given(id, TEST, player), Vec::new()))
            }
            (_, Some(_)) => {
                let learning = self.learning(own).map_err(of_arm)?;
                let stages = (0..self.seeds).map(|run| {
                    let seed = learning.seed.wrapping_add(size.seed).wrapping_add(run);
                    let learning = Learning {
                        seed,
                        ..learning.clone()
                    };
                    Stage::learn(format!("{id}-{}", run + 1), learning)
                });
                let stages: Vec<Stage> = stages.collect();
                let arm = ExperimentArm {
                    id: id.to_owned(),
                    learned: stages.iter().map(|stage| stage.id.clone()).collect(),
                    tested: stages.iter().map(|stage| tested(stage.player())).collect(),
                    ..ExperimentArm::default()
                };
                Ok((arm, stages))
            }
            _ => Err(of_arm(
                "needs either only a player, or a learner with settings".to_owned(),
            )),
        }
    }

    /// The learning description of an arm: the shared description with the arm's own fields.
    /// Missing fields are those of `learn`: the preset's, or the defaults.
    fn learning(&self, own: toml::Table) -> Result<Learning, String> {
        let mut fields = self.learning.clone();
        fields.entry("seed").or_insert(toml::Value::Integer(0));
        fields.extend(own);
        let learning = toml::Value::Table(fields.clone()).try_into::<Learning>();
        let given = learning.map_err(|error| plain(error.message()))?;
        let is_given = |field: &str| fields.contains_key(field);
        let text = |field: &str, text: &String| is_given(field).then(|| text.clone());
        let request = LearningRequest {
            learner: given.learner.clone(),
            ruleset: text("ruleset", &given.ruleset),
            features: text("features", &given.features),
            player: text("player", &given.player),
            evaluator: text("evaluator", &given.evaluator),
            objective: text("objective", &given.objective),
            layers: given.layers.clone(),
            activation: given.activation.clone(),
            start: given.start.clone(),
            scale: is_given("scale").then_some(given.scale),
            games: is_given("games").then_some(given.games),
            fixed_games: given.fixed_games,
            max_pieces: is_given("max_pieces").then_some(given.max_pieces),
            budget: Budget::default(),
            runs: is_given("runs").then_some(given.runs),
            seed: Some(given.seed),
        };
        let planned = request.plan().map_err(|error| error.to_string())?.learning;
        // A budget is the same for all arms: a preset does not limit it further.
        let budget = if is_given("budget") {
            given.budget
        } else {
            planned.budget
        };
        // A start changes the preset: the range of weights of a preset does not hold near it.
        let learner = if given.start.is_some() {
            planned.learner.clone()
        } else {
            given.learner
        };
        Ok(Learning {
            learner,
            budget,
            rules: given.rules,
            start_tables: given.start_tables,
            ..planned
        })
    }
}

/// The stage that tests all arms.
const TEST: &str = "test";

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: ExperimentSize = ExperimentSize {
        scale: super::super::ExperimentScale::Quick,
        seed: 1,
    };

    fn read(text: &str) -> Result<Experiment, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.toml");
        std::fs::write(&path, text).unwrap();
        let read = Experiment::from_file(&path, SIZE);
        let folder = format!("{}/", folder.path().display());
        read.map_err(|error| error.to_string().replace(&folder, ""))
    }

    const FILE: &str = "question = \"Which?\"\nseeds = 2\n\
        [learning]\nruleset = \"simplified-6x8\"\nfeatures = \"dellacherie\"\ngames = 2\n\
        [test]\nruleset = \"simplified-6x8\"\ntarget = { games = 3 }\n\
        [[arm]]\nid = \"a\"\nlearner = \"random-search\"\n\
        [[arm]]\nid = \"b\"\nplayer = \"bcts\"\n";

    #[test]
    fn arms_are_learned_with_every_seed_and_tested_together() {
        let experiment = read(FILE).unwrap();
        let stages = experiment.definition.stages.iter();
        let stages: Vec<&str> = stages.map(|stage| stage.id.as_str()).collect();
        assert_eq!(stages, ["a-1", "a-2", "test"]);
        assert_eq!(experiment.definition.arms[0].tested[1].player, "@a-2");
    }

    /// As `tetrolab learn thesis-ga` does. A given field and the shared budget apply to all arms.
    #[test]
    fn missing_fields_of_an_arm_are_those_of_its_preset() {
        let file = FILE.replace(
            "features = \"dellacherie\"\ngames = 2\n",
            "budget = { pieces = 900 }\n",
        );
        let file = file.replace("learner = \"random-search\"", "learner = \"thesis-ga\"");
        let arms = format!("{file}[[arm]]\nid = \"c\"\nlearner = \"random-search\"\n");
        let experiment = read(&arms).unwrap();
        let learned = |id: &str| {
            let mut stages = experiment.definition.stages.iter();
            let stage = stages.find(|stage| stage.id == id).unwrap();
            match &stage.study {
                StageStudy::Learn(learning) => Learning::clone(learning),
                _ => panic!("{id}"),
            }
        };
        let request = LearningRequest {
            learner: "thesis-ga".to_owned(),
            ruleset: Some("simplified-6x8".to_owned()),
            seed: Some(1),
            ..LearningRequest::default()
        };
        let pieces = Budget {
            pieces: Some(900),
            ..Budget::default()
        };
        let expected = Learning {
            learner: "thesis-ga".to_owned(),
            budget: pieces.clone(),
            ..request.plan().unwrap().learning
        };
        assert_eq!(learned("a-1"), expected);
        assert_eq!(expected.features, "thesis-7");
        let plain = Learning {
            learner: "random-search".to_owned(),
            ruleset: "simplified-6x8".to_owned(),
            budget: pieces,
            seed: 1,
            ..Learning::default()
        };
        assert_eq!(learned("c-1"), plain);
        let differing = experiment.differing_settings().unwrap();
        assert!(differing.contains("games (30; 8)"), "{differing}");
        assert_eq!(read(FILE).unwrap().differing_settings(), None);
    }

    /// `learn boumaza --start bcts` leaves out the normalisation of the preset: so does an arm.
    #[test]
    fn a_start_changes_the_preset_of_an_arm() {
        let arm = "learner = \"boumaza\"\nstart = \"bcts\"";
        let file = FILE.replace("learner = \"random-search\"", arm);
        let file = file.replace("features = \"dellacherie\"\n", "");
        let experiment = read(&file).unwrap();
        let mut stages = experiment.definition.stages.iter();
        let learner = stages.find_map(|stage| match &stage.study {
            StageStudy::Learn(learning) => Some(learning.learner.clone()),
            _ => None,
        });
        let request = LearningRequest {
            learner: "boumaza".to_owned(),
            start: Some("bcts".to_owned()),
            ..LearningRequest::default()
        };
        let planned = request.plan().unwrap().learning.learner;
        assert_eq!(learner, Some(planned));
    }

    #[test]
    fn errors_in_a_file_are_one_sentence() {
        let problem = |from: &str, to: &str| read(&FILE.replace(from, to)).unwrap_err();
        assert_eq!(
            problem("seeds = 2", "seeds = 0"),
            "mine.toml: seeds must be between 1 and 1000, got 0"
        );
        assert!(
            problem("question", "quest").starts_with("mine.toml, line 1: unknown field `quest`")
        );
        assert!(problem("\"random-search\"", "\"cma\"").contains("cma"));
        assert!(problem("player = \"bcts\"", "player = \"bct\"").contains("bcts"));
        for (from, to, said) in [
            (
                "seeds = 2",
                "seeds = -1",
                "mine.toml, line 2: invalid value: integer `-1`, expected a non-negative integer",
            ),
            ("\"Which?\"", "\" \"", "mine.toml: the question is empty"),
            (
                "games = 2\n",
                "games = 0\n",
                "mine.toml: arm a: the number of games must be at least 1, got 0",
            ),
            (
                "features =",
                "featuers =",
                "mine.toml: [learning]: unknown field `featuers`, expected one of `learner`, `ruleset`, \
                 `features`, `player`, `evaluator`, `layers`, `activation`, `start`, `scale`, `objective`, \
                 `games`, `fixed_games`, `max_pieces`, `budget`, `runs`, `seed`, `rules`, `start_tables`",
            ),
            (
                "{ games = 3 }",
                "{ games = 20000000 }",
                "mine.toml: [test]: expected at most 50000000 games in total, got \
                 60000000",
            ),
            (
                "{ games = 3 }",
                "{ games = 3, precision = 0.1 }",
                "mine.toml: [test]: expected exactly one target",
            ),
            (
                "{ games = 3 }",
                "{ games = 3 }\nplayers = [\"bcts\"]",
                "mine.toml: [test]: the players of the test are the arms",
            ),
            (
                "id = \"b\"",
                "id = 3",
                "mine.toml: every [[arm]] needs an id in quotes",
            ),
        ] {
            assert_eq!(problem(from, to), said);
        }
        let without_arms = FILE.split("[[arm]]").next().unwrap();
        let none = "mine.toml: expected at least one [[arm]], found none";
        assert_eq!(read(without_arms).unwrap_err(), none);
        let one = format!("{without_arms}[arm]\nid = \"b\"\nplayer = \"bcts\"\n");
        assert_eq!(
            read(&one).unwrap_err(),
            "mine.toml: write [[arm]] instead of [arm]"
        );
        let twice = "player = \"bcts\"\n[[arm]]\nid = \"c\"\nplayer = \"bcts\"";
        assert_eq!(
            problem("player = \"bcts\"", twice),
            "mine.toml: two arms have the player bcts"
        );
        assert_eq!(
            problem("id = \"b\"", "id = \"a\""),
            "mine.toml: two arms have the id a"
        );
        assert_eq!(
            problem("id = \"b\"", &format!("id = \"{}\"", "b".repeat(61))),
            "mine.toml: an id has at most 60 characters, not 61"
        );
        let many =
            (0..11).map(|arm| format!("[[arm]]\nid = \"r{arm}\"\nlearner = \"random-search\"\n"));
        let many = FILE.replace("seeds = 2", "seeds = 1000") + &many.collect::<String>();
        assert_eq!(
            read(&many).unwrap_err(),
            "mine.toml: an experiment has at most 10000 training runs and players; use fewer seeds or \
             arms"
        );
        assert!(
            problem("\"b\"\n", "\"b\"\ngames = 3\n").starts_with("mine.toml: arm b: needs either")
        );
    }
}

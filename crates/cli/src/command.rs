//! Command lines that repeat a study. `tetrolab-web` writes them for its pages, and this program
//! parses them.

pub(crate) use tetrolab_web::command::{
    comparison, evaluation, evaluation_with, flag, learning, option, option_if, quote,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cli, Command};
    use clap::FromArgMatches;
    use tetrolab::learning::{Budget, Learning};
    use tetrolab::study::{Comparison, Evaluation, GamesGoal, Method, Plan, SplittingPlan};
    use tetrolab::survival::{Goal, LevelKind};

    #[test]
    fn arguments_that_a_shell_would_split_are_quoted() {
        assert_eq!(quote("simplified-10x20"), "simplified-10x20");
        assert_eq!(quote("greedy(bcts)"), "'greedy(bcts)'");
        assert_eq!(quote("it's"), r"'it'\''s'");
        assert_eq!(quote(""), "''");
    }

    /// Splits a command as a shell does.
    fn words(command: &str) -> Vec<String> {
        let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
        let mut letters = command.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\'' => quoted = !quoted,
                '\\' if !quoted => word.extend(letters.next()),
                ' ' if !quoted => words.push(std::mem::take(&mut word)),
                letter => word.push(letter),
            }
        }
        words.push(word);
        words
    }

    fn parsed(command: &str) -> Command {
        let matches = crate::parser().try_get_matches_from(words(command));
        Cli::from_arg_matches(&matches.unwrap()).unwrap().command
    }

    fn many_evaluations() -> impl Iterator<Item = Evaluation> {
        let (precision, splitting) = (
            1.0 / 3.0,
            SplittingPlan {
                trajectories: 300,
                level: LevelKind::Stack,
            },
        );
        let capped = Plan::Games {
            until: GamesGoal::Games(60),
            max_pieces: Some(9),
        };
        let games = Plan::Games {
            until: GamesGoal::Precision(0.1 + 0.2),
            max_pieces: None,
        };
        let auto = Plan::Auto {
            precision,
            splitting: splitting.clone(),
        };
        let goals = [Goal::Precision(1.0), Goal::Pieces(7), Goal::Repetitions(16)];
        let split = goals.map(|until| Plan::Splitting {
            until,
            splitting: splitting.clone(),
        });
        let plans = [Plan::default(), capped, games, auto]
            .into_iter()
            .chain(split);
        plans.map(|plan| Evaluation {
            players: vec![
                "bcts".to_owned(),
                "greedy(it's.toml, losing=allow)".to_owned(),
            ],
            ruleset: "-my rules.toml".to_owned(),
            plan,
            seed: u64::MAX,
        })
    }

    #[test]
    fn the_command_of_an_evaluation_reads_back_as_the_same() {
        for mut of in many_evaluations() {
            for player in ["bcts.toml", "--levels", "-", "--", "-1", "\"$HOME\"\n", "ü"] {
                of.players[0] = player.to_owned();
                let Command::Eval(args) = parsed(&evaluation(&of)) else {
                    panic!("another command");
                };
                assert_eq!(args.evaluation(), of);
            }
        }
    }

    #[test]
    fn the_command_of_a_comparison_reads_back_as_the_same() {
        let methods = [
            (Method::Auto, "runs/mine"),
            (Method::Games, "--json"),
            (Method::Splitting, "-x y.toml"),
        ];
        for (method, first) in methods {
            let of = Comparison {
                method,
                margin: 0.1 + 0.2,
                trajectories: 250,
                level: match method {
                    Method::Splitting => LevelKind::Stack,
                    Method::Games => LevelKind::Tables("it's (mine).toml".to_owned()),
                    Method::Auto => LevelKind::Danger,
                },
                seed: 3,
                ..Comparison::new(first, "two-piece(dt-20)")
            };
            let Command::Compare(args) = parsed(&comparison(&of)) else {
                panic!("another command");
            };
            assert_eq!(args.comparison(), of);
        }
    }

    fn many_learnings() -> [Learning; 4] {
        let learner = tetrolab::learners::find_learner("boumaza").unwrap();
        let usual = Learning {
            learner: learner.spec().to_string(),
            ..Learning::default()
        };
        let endless = Budget {
            generations: None,
            seconds: Some(0.1 + 0.2),
            ..Budget::generations(1)
        };
        let all = Budget {
            generations: Some(5),
            games: Some(6),
            pieces: Some(7),
            seconds: Some(8.5),
            fitness: Some(-1e-9),
        };
        let changed = Learning {
            player: "two-piece(losing=allow)".to_owned(),
            evaluator: "exponential".to_owned(),
            layers: Some("8,4".to_owned()),
            activation: Some("silu".to_owned()),
            start: Some("-it's mine.toml".to_owned()),
            fixed_games: true,
            max_pieces: None,
            budget: all,
            ..usual.clone()
        };
        let by_time = Learning {
            budget: endless,
            ..usual.clone()
        };
        let capped = Learning {
            max_pieces: Some(9),
            seed: u64::MAX,
            ..usual.clone()
        };
        [usual, changed, by_time, capped]
    }

    #[test]
    fn the_command_of_a_learning_run_round_trips() {
        for of in many_learnings() {
            let Command::Learn(args) = parsed(&learning(&of)) else {
                panic!("another command");
            };
            assert_eq!(args.settings.learning().unwrap().learning, of);
        }
    }

    #[test]
    fn the_command_of_a_learning_run_does_not_change() {
        let of = Learning {
            learner: "random-search(population=4)".to_owned(),
            ruleset: "simplified-6x8".to_owned(),
            features: "dellacherie".to_owned(),
            games: 3,
            fixed_games: true,
            max_pieces: Some(200),
            budget: Budget::generations(3),
            runs: 2,
            seed: 5,
            ..Learning::default()
        };
        assert_eq!(
            learning(&of),
            "tetrolab learn 'random-search(population=4)' --ruleset simplified-6x8 --features dellacherie --objective lines \
             --games 3 --fixed-games --max-pieces 200 --generations 3 --runs 2 --seed 5"
        );
    }
}

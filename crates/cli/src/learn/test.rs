//! The test of a learned player: games that it has not seen, beside published players.

use crate::Outcome;
use crate::machine::Machine;
use crate::output::line;
use crate::progress;
use crate::standings::{Players, Series, Standings};
use serde_json::{Value, json};
use tetrolab::command::quote;
use tetrolab::core::ruleset::Ruleset;
use tetrolab::learning::Plan;
use tetrolab::library::{LibraryError, find_player, find_ruleset};

/// Who plays beside the learned player.
const PUBLISHED: [&str; 3] = ["boumaza-8", "bcts", "dellacherie"];
/// How many games a test has, unless asked for otherwise ...
const GAMES: u64 = 1000;
/// ... and of what.
const GAME: &str = "simplified-10x10";

#[derive(clap::Args)]
pub(super) struct TestGames {
    /// How many games the learned player is tested on; 0 for no test.
    #[arg(long, value_name = "N", default_value_t = GAMES)]
    test_games: u64,
    /// The game of the test.
    #[arg(long, value_name = "RULESET", default_value = GAME)]
    test_ruleset: String,
}

/// What came of the test.
pub(super) struct Test {
    pub json: Value,
    pub outcome: Outcome,
}

impl TestGames {
    /// Finds a wrong name before anything is learned.
    pub(super) fn check(&self) -> Result<(), LibraryError> {
        find_ruleset(&self.test_ruleset).map(drop)
    }

    /// The flags that ask for this test, where it is not the usual one.
    pub(super) fn flags(&self) -> String {
        let mut flags = String::new();
        if self.test_games != GAMES {
            flags += &format!(" --test-games {}", self.test_games);
        }
        if self.test_ruleset != GAME {
            flags += &format!(" --test-ruleset {}", quote(&self.test_ruleset));
        }
        flags
    }

    /// Plays the test. Its seed is that of the run: training games have seeds of their own, derived from it, so these are new.
    pub(super) fn run(
        &self,
        machine: &Machine,
        plan: &Plan,
        file: &str,
        silent: bool,
    ) -> anyhow::Result<Test> {
        let ruleset = find_ruleset(&self.test_ruleset)?;
        if self.test_games == 0 {
            return Ok(Test {
                json: Value::Null,
                outcome: Outcome::Done,
            });
        }
        let players = match players(file, &ruleset) {
            Ok(players) => players,
            Err(why) => {
                if !silent {
                    line(&format!(
                        "No test: {why}; --test-ruleset names another game."
                    ))?;
                }
                return Ok(Test {
                    json: json!({ "skipped": why }),
                    outcome: Outcome::Done,
                });
            }
        };
        let series = Series {
            text: &self.test_ruleset,
            ruleset: &ruleset,
            games: self.test_games,
            max_pieces: None,
            seed: plan.seed,
        };
        let played = series.play(machine, &players, None)?;
        let standings = Standings::new(&series, &played)?;
        if !silent {
            print(&standings, &series, &players)?;
        }
        Ok(Test {
            json: standings.json(),
            outcome: standings.outcome(),
        })
    }
}

fn print(standings: &Standings<'_>, series: &Series<'_>, players: &Players) -> anyhow::Result<()> {
    line("Tested on games that it has not seen:")?;
    standings.print_heading()?;
    standings.print_means()?;
    standings.print_warnings()?;
    let names: Vec<&str> = players.iter().map(|player| player.0.as_str()).collect();
    line(progress::again())?;
    Ok(line(&format!("  {}", series.command(&names)))?)
}

/// The learned player and those beside it; or why it cannot play this game.
fn players(file: &str, ruleset: &Ruleset) -> Result<Players, String> {
    let mut players = Players::new();
    for name in [file].into_iter().chain(PUBLISHED) {
        let player = find_player(name, ruleset).map_err(|error| error.to_string())?;
        if player.needs_preview() > ruleset.preview {
            return Err(format!(
                "{name} must see the next piece, which {} does not show",
                ruleset.name
            ));
        }
        players.push((name.to_owned(), player));
    }
    Ok(players)
}

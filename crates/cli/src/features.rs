//! `tetrolab features`: feature values of recorded placements and games, and players' choices.

mod games;

use crate::output::json_line;
use anyhow::{Context, bail};
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use tetrolab::core::ends::End;
use tetrolab::core::features::{FEATURES, Feature};
use tetrolab::core::game::GameView;
use tetrolab::core::outcomes::{DecisionContext, Outcomes};
use tetrolab::core::players::Player;
use tetrolab::core::randomizers::Forecast;
use tetrolab::core::rules::Rules;
use tetrolab::core::spec::SpecError;
use tetrolab::formats::placements::{PlacementCase, feature_values};
use tetrolab::library::{FileError, Lines, find_features, find_player, find_ruleset};

const EXAMPLES: &str = "\
Examples:
  tetrolab eval bcts --games 2 --record games.jsonl && tetrolab features --from games.jsonl
  tetrolab features --from placements.jsonl --features bcts --players dellacherie,bcts";

/// Compute the features of recorded placements or games, and the choices of other players.
///
/// Reads one JSON object per line: a placement, or a whole game as written by `tetrolab eval
/// --record`.
///
/// For a game, prints one JSON object per placement: game (its number in the file, from 1), player,
/// ruleset, seed, index (the piece's number, from 1), piece, placement (see `tetrolab replay`),
/// cells, lines, game_over and features, under the rules of the game.
///
/// A placement needs width, height, rows (strings of '.' and '#', top row first), piece, and cells
/// (the four placed cells, [row from the bottom, column]). queue may contain the next pieces for
/// players that need to see them. id is copied to the output; other fields are ignored. The output
/// is one JSON object: id, lines, game_over, features and, with --players, choices: the four cells
/// that each player would choose, or null if every placement loses. The rules are those of the
/// simplified game.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file to read; - means standard input.
    #[arg(long, value_name = "FILE.jsonl")]
    from: PathBuf,
    /// Also print the choices of these players (names, files or specs, separated by commas).
    #[arg(long, value_name = "PLAYER,...", value_parser = split_players)]
    players: Option<Names>,
    /// Only these features: a named set, or ids separated by commas.
    #[arg(long, value_name = "SET|ID,...")]
    features: Option<String>,
    /// Accepted for consistency: the output is always JSON.
    #[arg(long)]
    json: bool,
    /// The seed of players that draw random numbers.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// Names in a list. A flag of the type `Vec` would parse each separately.
type Names = Vec<String>;

fn split_players(text: &str) -> Result<Names, String> {
    let names = split_at_commas(text);
    if names.iter().any(String::is_empty) {
        return Err("a name is missing".to_owned());
    }
    Ok(names)
}

/// Splits at commas outside parentheses: specs contain commas.
pub(crate) fn split_at_commas(text: &str) -> Vec<String> {
    let mut depth = 0;
    let names = text.split(|letter| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0
    });
    names.map(|name| name.trim().to_owned()).collect()
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let features = wanted_features(args.features.as_deref())?;
    let mut players = Players::new(args)?;
    players.check_names()?;
    let shown = args.from.display();
    let mut out = io::BufWriter::new(io::stdout().lock());
    let (mut is_empty, mut games) = (true, 0);
    for line in open(&args.from)? {
        let (number, line) = line?;
        is_empty = false;
        let here = || format!("{shown}, line {number}");
        if is_game(&line).with_context(here)? {
            if args.players.is_some() {
                bail!(
                    "{}: --players takes recorded placements, found a recorded game; leave --players out",
                    here()
                );
            }
            games += 1;
            let mut emit = |json: Value| json_line(&mut out, &json);
            games::each_placement(&line, games, &features, &mut emit).with_context(here)?;
            continue;
        }
        let case = PlacementCase::parse(&line).with_context(here)?;
        let mut json = values(&case, &features);
        if let Some(choices) = players.choices(&case).with_context(here)? {
            json["choices"] = choices;
        }
        json_line(&mut out, &json)?;
    }
    out.flush()?;
    if is_empty {
        bail!("{shown}: expected placements or games, found neither");
    }
    Ok(())
}

/// Whether a line contains a whole game rather than a placement. A line that is neither is
/// rejected; a line that is not a JSON object gets its error from the parser of placements.
fn is_game(line: &str) -> anyhow::Result<bool> {
    let Ok(fields) = serde_json::from_str::<BTreeMap<String, IgnoredAny>>(line) else {
        return Ok(false);
    };
    let has = |keys: &[&str]| keys.iter().any(|key| fields.contains_key(*key));
    let is_game = has(&["placements", "rules"]);
    if !is_game && !has(&["rows", "cells", "width"]) {
        bail!(
            "expected a placement (width, height, rows, piece, cells) or a game that `tetrolab eval --record` wrote (player, rules, \
             seed, placements), found neither"
        );
    }
    Ok(is_game)
}

/// The lines of a file; `-` means standard input.
pub(crate) fn open(path: &Path) -> Result<Lines, FileError> {
    if path == Path::new("-") {
        return Ok(Lines::of(BufReader::new(io::stdin()), path));
    }
    Lines::open(path)
}

fn wanted_features(wanted: Option<&str>) -> Result<Vec<&'static Feature>, SpecError> {
    wanted.map_or_else(|| Ok(FEATURES.iter().collect()), find_features)
}

fn values(case: &PlacementCase, features: &[&'static Feature]) -> Value {
    let transition = case.transition();
    json!({
        "id": case.id,
        "lines": transition.lines(),
        "game_over": transition.game_over,
        "features": feature_values(&transition, features),
    })
}

/// The players, created for each board size.
struct Players<'a> {
    names: &'a [String],
    seed: u64,
    by_size: BTreeMap<(usize, usize), Vec<Box<dyn Player>>>,
    outcomes: Outcomes,
    /// The forecast of the simplified game: all pieces are equally likely.
    forecast: Forecast,
}

impl<'a> Players<'a> {
    fn new(args: &'a Args) -> anyhow::Result<Players<'a>> {
        let names = args.players.as_deref().unwrap_or_default();
        Ok(Players {
            names,
            seed: args.seed,
            by_size: BTreeMap::new(),
            outcomes: Outcomes::default(),
            forecast: find_ruleset("simplified")?.forecast(),
        })
    }

    /// Checks all names before the first record is read.
    fn check_names(&self) -> anyhow::Result<()> {
        self.made_for((10, 20)).map(drop)
    }

    /// The players for the simplified game on a board of this size.
    fn made_for(&self, (width, height): (usize, usize)) -> anyhow::Result<Vec<Box<dyn Player>>> {
        let ruleset = find_ruleset(&format!("simplified-{width}x{height}"))?;
        let made = self.names.iter().map(|name| find_player(name, &ruleset));
        Ok(made.collect::<Result<_, _>>()?)
    }

    /// The choice of each player for the board and the piece; `None` without players.
    fn choices(&mut self, case: &PlacementCase) -> anyhow::Result<Option<Value>> {
        if self.names.is_empty() {
            return Ok(None);
        }
        let view = GameView {
            board: &case.board,
            piece: case.placement.piece,
            queue: &case.queue,
            rules: Rules::Drops(End::ABOVE_TOP),
            lines: 0,
            pieces: 0,
            forecast: Some(&self.forecast),
            hold: tetrolab::core::game::Hold::None,
        };
        self.outcomes.generate(&DecisionContext::from(&view));
        let mut outcomes = self.outcomes.iter();
        let all_lose = outcomes.all(|outcome| outcome.landing.game_over);
        let size = (case.board.width(), case.board.height());
        if !self.by_size.contains_key(&size) {
            self.by_size.insert(size, self.made_for(size)?);
        }
        let players = self.by_size.get_mut(&size).expect("just made");
        let mut choices = Map::new();
        for (name, player) in self.names.iter().zip(players) {
            if player.needs_preview() > case.queue.len() {
                bail!("{name} needs to see the next piece, but the placement has no 'queue'");
            }
            player.start(self.seed);
            let choice = (!all_lose).then(|| player.choose(&view).cells());
            choices.insert(name.clone(), json!(choice));
        }
        Ok(Some(Value::Object(choices)))
    }
}

//! `tetrolab watch`: shows players and recorded games.

use crate::command::{option, option_if, quote};
use crate::eval::check_commas;
use crate::tui::app::App;
use crate::tui::screen_flags::{ScreenFlags, find_bot, ruleset_at};
use crate::tui::terminal;
use anyhow::{Context, bail};
use std::path::PathBuf;
use std::sync::Arc;
use tetrolab::formats::games;
use tetrolab::library::FileSource;
use tetrolab::session::{GroupSetup, Lineup, Speed, parse_speed};

const EXAMPLES: &str = "\
Examples:
  tetrolab watch bcts
  tetrolab watch dellacherie dt-20 --ruleset simplified-10x10 --speed 4
  tetrolab watch bcts --danger
  tetrolab watch 'expectimax(bcts,depth=2)' --pieces 60 --gif bcts.gif
  tetrolab eval bcts --games 1 --max-pieces 200 --record games.jsonl
  tetrolab watch dt-20 --record games.jsonl --at 120";

/// Watch one player, two players with the same pieces, or a recorded game in the terminal.
///
/// The panel next to the board shows the player's best placements, the features of the best one,
/// and with --danger the probability of losing soon. You can pause, step, take pieces back, edit
/// the board and take over; press ? for the keys. The first game is the one that `tetrolab eval`
/// plays with the same seed and ruleset.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// One or two players: published names, player files, folders of learning runs, or specs.
    #[arg(value_name = "PLAYER", default_value = "bcts", num_args = 1..=2)]
    players: Vec<String>,
    /// The rules of the game: a name, a file or a spec. A recorded game includes its own rules.
    #[arg(
        long,
        value_name = "RULESET",
        default_value = "simplified-10x20",
        conflicts_with = "record"
    )]
    ruleset: String,
    /// First level of a stepped game [default: the ruleset's].
    #[arg(long, value_name = "N", conflicts_with = "record")]
    level: Option<u32>,
    /// The seed of the series of games.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Speed: 1 is normal, 1/4 is slow motion, 1000 is fast, and full is unlimited.
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = parse_speed)]
    speed: Speed,
    /// Stop after this many pieces.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pieces: Option<u64>,
    /// A file of recorded games, one of which is shown.
    #[arg(long, value_name = "FILE.jsonl")]
    record: Option<PathBuf>,
    /// The number of the game in the file, from 1; by default the first.
    #[arg(long, value_name = "N", requires = "record")]
    game: Option<usize>,
    /// Start after this many pieces of the record.
    #[arg(long, value_name = "K", requires = "record")]
    at: Option<u64>,
    #[command(flatten)]
    screen: ScreenFlags,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    check_commas(&args.players)?;
    let (ruleset, lineup) = match &args.record {
        Some(_) => args.recorded()?,
        None => {
            let ruleset = ruleset_at(&args.ruleset, args.level)?;
            let bots = args.players.iter().map(|name| find_bot(name, &ruleset));
            let bots = bots.collect::<Result<_, _>>()?;
            (ruleset, Lineup::Bots(bots))
        }
    };
    let games = GroupSetup {
        ruleset: Arc::new(ruleset),
        lineup,
        seed: args.seed,
        speed: args.speed,
        pieces: args.pieces,
        adversary: args.screen.adversary.clone(),
        library: FileSource::Disk,
        keys: None,
    };
    let mut app = App::new(games, args.screen.read()?)?;
    if let Some(at) = args.at {
        app.games.go_to(at);
    }
    let title = args.title();
    let film = &args.screen.film;
    if args.pieces.is_some() && film.is_wanted() && !terminal::is_there() {
        film.film(&mut app, &title)?;
    } else {
        terminal::show(&mut app, film, &title)?;
    }
    Ok(args.screen.tell(&app, &title)?)
}

impl Args {
    /// The recorded game with its own rules.
    fn recorded(&self) -> anyhow::Result<(tetrolab::core::ruleset::Ruleset, Lineup)> {
        let path = self.record.as_deref().context("--record")?;
        let found = games::read(path, Some(self.game.unwrap_or(1)))?;
        let Some(recorded) = found.into_iter().next() else {
            bail!("{}: expected games, found none", path.display());
        };
        let here = || format!("{}, line {}", path.display(), recorded.line);
        let ruleset = games::ruleset(&recorded.record).with_context(here)?;
        recorded.record.replay(&ruleset, None).with_context(here)?;
        let [player] = &self.players[..] else {
            bail!("a record is watched with at most one player, which rates its placements");
        };
        let bot = find_bot(player, &ruleset)?;
        let record = Box::new(recorded.record);
        Ok((ruleset, Lineup::Record { record, bot }))
    }

    /// The command that shows the same games.
    fn title(&self) -> String {
        let players: Vec<String> = self.players.iter().map(|name| quote(name)).collect();
        let game = match &self.record {
            Some(path) => {
                let number = self.game.unwrap_or(1).to_string();
                option("--record", &path.to_string_lossy()) + &option("--game", &number)
            }
            None => [
                option("--ruleset", &self.ruleset),
                option_if("--level", self.level),
                option("--seed", &self.seed.to_string()),
            ]
            .concat(),
        };
        let (players, at) = (players.join(" "), option_if("--at", self.at));
        let pieces = option_if("--pieces", self.pieces);
        format!("tetrolab watch {players}{game}{at}{pieces}")
    }
}

//! `tetrolab play`: a game for a human player.

use crate::command::{option, option_if};
use crate::tui::app::App;
use crate::tui::screen_flags::{ScreenFlags, find_bot, ruleset_at};
use crate::tui::settings::example;
use crate::tui::terminal;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use tetrolab::library::FileSource;
use tetrolab::session::{GroupSetup, Lineup, OpponentPace, Speed};

const EXAMPLES: &str = "\
Keys: arrows move, up and z rotate, space drops, c holds, b lets the bot play, h shows a hint, u takes a piece back, \
? shows all keys.
Settings: tetrolab/settings.toml in $XDG_CONFIG_HOME or ~/.config (on Windows in %APPDATA%).

Examples:
  tetrolab play
  tetrolab play --ruleset nes --level 18
  tetrolab play --ruleset simplified-10x20 --versus dt-20
  tetrolab play --print-settings > settings.toml";

/// Play in the terminal, with a bot that gives hints, takes over, or plays alongside you.
///
/// In stepped games (guideline, nes, tgm, tgm3), pieces fall, and you move, rotate, hold and drop
/// them. In placement games, you move the piece above the board and drop it. You can edit the
/// board, take pieces back, and choose the next pieces yourself or let an adversary choose them. A
/// saved game can be watched with `tetrolab watch --record FILE`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The rules of the game: a name, a file or a spec.
    #[arg(long, value_name = "RULESET", default_value = "guideline")]
    ruleset: String,
    /// Bot that gives hints and takes over on request.
    #[arg(long, value_name = "PLAYER", default_value = "bcts")]
    bot: String,
    /// First level of a stepped game [default: the ruleset's].
    #[arg(long, value_name = "N")]
    level: Option<u32>,
    /// Player that plays alongside you with the same pieces. It waits for you and places one piece
    /// for each of yours.
    #[arg(long, value_name = "PLAYER")]
    versus: Option<String>,
    /// Let the --versus player place this many pieces per second instead of waiting for you.
    #[arg(long, value_name = "PIECES", requires = "versus", value_parser = parse_pace)]
    versus_speed: Option<f64>,
    /// Seed of the series of games [default: a random one].
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Print a settings file with the default settings.
    #[arg(long)]
    print_settings: bool,
    #[command(flatten)]
    screen: ScreenFlags,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.print_settings {
        crate::output::line(example().trim_end())?;
        return Ok(());
    }
    let ruleset = Arc::new(ruleset_at(&args.ruleset, args.level)?);
    let versus = args.versus.as_ref();
    let opponent = versus.map(|name| find_bot(name, &ruleset)).transpose()?;
    let pace = args.versus_speed.map(OpponentPace::PerSecond);
    let pace = pace.unwrap_or(OpponentPace::Waits);
    let opponent = opponent.map(|bot| (bot, pace));
    let bot = find_bot(&args.bot, &ruleset)?;
    let seed = args.seed.unwrap_or_else(drawn_seed);
    let games = GroupSetup {
        ruleset,
        lineup: Lineup::Person { bot, opponent },
        seed,
        speed: Speed::NORMAL,
        pieces: None,
        adversary: args.screen.adversary.clone(),
        library: FileSource::Disk,
        keys: None,
    };
    let mut app = App::new(games, args.screen.read()?)?;
    let title = [
        "tetrolab play".to_owned(),
        option("--ruleset", &args.ruleset),
        option("--bot", &args.bot),
        option_if("--level", args.level),
        option_if("--versus", args.versus.as_ref()),
        option_if("--versus-speed", args.versus_speed),
        option("--seed", &seed.to_string()),
    ]
    .concat();
    terminal::show(&mut app, &args.screen.film, &title)?;
    Ok(args.screen.tell(&app, &title)?)
}

/// Parses the number of pieces per second that an opponent places.
fn parse_pace(text: &str) -> Result<f64, String> {
    let pace = text.parse().ok();
    let pace = pace.filter(|pace| (0.01..=1000.0).contains(pace));
    pace.ok_or_else(|| "expected a number from 0.01 to 1000".to_owned())
}

/// A random seed taken from the clock, short enough to type.
fn drawn_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |now| now.as_millis() as u64 % 1_000_000)
}

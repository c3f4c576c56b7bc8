//! `tetrolab play`: a game for a person.

use crate::Completion;
use crate::command::option;
use crate::tui::app::{App, Seating, Setup};
use crate::tui::bot::Bot;
use crate::tui::screen_flags::ScreenFlags;
use crate::tui::settings::{example, usual_path};
use crate::tui::speed::Speed;
use crate::tui::terminal;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use tetrolab::library::find_ruleset;

fn examples() -> String {
    let path = usual_path().map_or_else(
        || "settings.toml in the folder of configurations".to_owned(),
        |path| path.display().to_string(),
    );
    format!(
        "Keys: arrows, up and z turn, space drops, c holds, b lets the bot play, h asks it for a hint, u takes a piece back, ? shows all.\n\
         Settings: {path}\n\n\
         Examples:\n  \
         tetrolab play\n  \
         tetrolab play --ruleset nes --bot dellacherie\n  \
         tetrolab play --ruleset simplified-10x20 --versus dt-20\n  \
         tetrolab play --print-settings > settings.toml"
    )
}

/// Play in the terminal, with a bot that hints, takes over when you ask, or plays beside you.
///
/// Stepped games (guideline, nes, tgm, tgm3) are played as everywhere: pieces fall and are moved, turned, held and dropped. In placement games you move the piece
/// above the board and drop it. The board can be edited, pieces can be taken back, and the pieces can be chosen by you or
/// by an adversary. A game can be saved, and watched with `tetrolab watch --record FILE`.
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Args {
    /// The rules of the game: a name, a file or a spec.
    #[arg(long, value_name = "RULESET", default_value = "guideline")]
    ruleset: String,
    /// Who hints, and takes over when you ask for it.
    #[arg(long, value_name = "PLAYER", default_value = "bcts")]
    bot: String,
    /// Who plays beside you, with the same pieces.
    #[arg(long, value_name = "PLAYER")]
    versus: Option<String>,
    /// The seed of the series of games; drawn anew if it is left out.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Print a settings file in which everything is as usual.
    #[arg(long)]
    print_settings: bool,
    #[command(flatten)]
    screen: ScreenFlags,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Completion> {
    if args.print_settings {
        crate::output::line(example().trim_end())?;
        return Ok(Completion::Done);
    }
    let ruleset = Arc::new(find_ruleset(&args.ruleset)?);
    let versus = args.versus.as_ref();
    let opponent = versus.map(|name| Bot::find(name, &ruleset)).transpose()?;
    let bot = Bot::find(&args.bot, &ruleset)?;
    let seed = args.seed.unwrap_or_else(drawn_seed);
    let mut app = App::new(Setup {
        ruleset,
        seating: Seating::You { bot, opponent },
        seed,
        speed: Speed::NORMAL,
        pieces: None,
        screen: args.screen.read()?,
    })?;
    let mut title = format!(
        "tetrolab play{}{}",
        option("--ruleset", &args.ruleset),
        option("--bot", &args.bot)
    );
    if let Some(versus) = &args.versus {
        title.push_str(&option("--versus", versus));
    }
    title.push_str(&option("--seed", &seed.to_string()));
    terminal::show(&mut app, &args.screen.film, &title)?;
    Ok(args.screen.tell(&app, &title)?)
}

/// A seed that nobody has chosen: the clock's, short enough to be typed again.
fn drawn_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |now| now.as_millis() as u64 % 1_000_000)
}

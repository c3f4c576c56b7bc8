//! Pages of results: evaluations and comparisons, learning runs, tables of games, and players.

mod comparison;
mod evaluation;
mod games;
mod player;
#[cfg(feature = "store")]
mod run;

pub use comparison::comparison_page;
pub use evaluation::evaluation_page;
pub use games::games_page;
pub use player::{PlayerReport, player_page};
#[cfg(feature = "store")]
pub use run::{RunReport, run_page};

use super::{Block, Provenance, Section};
use crate::draw::plot::Plot;

/// A section.
fn section(heading: &str, blocks: Vec<Block>) -> Section {
    let heading = heading.to_owned();
    Section { heading, blocks }
}

/// A plot with its caption.
fn plot(caption: &str, plot: Plot, command: Option<&str>) -> Block {
    Block::Plot {
        caption: caption.to_owned(),
        plot,
        command: command.map(str::to_owned),
    }
}

fn text(words: impl Into<String>) -> Block {
    Block::Text(words.into())
}

/// The program that created the page.
fn program() -> Provenance {
    Provenance::new("program", concat!("tetrolab ", env!("CARGO_PKG_VERSION")))
}

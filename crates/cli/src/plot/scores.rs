//! Plots of the scores of games.

use super::Drawing;
use anyhow::{Context, bail};
use std::path::Path;
use tetrolab::draw::plot::Plot;
use tetrolab::library::read_long_text;
use tetrolab::report::scores::{PlayerScores, from_csv, survival_plot};

/// The games of a file.
pub(crate) fn read(file: &str) -> anyhow::Result<Vec<PlayerScores>> {
    let text = read_long_text(Path::new(file))?;
    from_csv(&text).with_context(|| file.to_owned())
}

/// The histogram of one player's games.
pub(super) fn histogram(file: &str, player: Option<&str>) -> anyhow::Result<Drawing> {
    let players = read(file)?;
    let names: Vec<&str> = players.iter().map(|one| &*one.player).collect();
    let chosen = match (player, &players[..]) {
        (None, [only]) => only,
        (None, _) => bail!(
            "{file} has games of several players ({}); choose one with --player",
            names.join(", ")
        ),
        (Some(name), players) => {
            let found = players.iter().find(|one| one.player == name);
            found.with_context(|| {
                format!("{file} has games of {}, not of {name}", names.join(", "))
            })?
        }
    };
    Ok(Drawing {
        plot: Plot::Histogram(chosen.histogram()?),
        remark: None,
        names: file.to_owned(),
    })
}

/// The survival curves of all players in the files.
pub(super) fn survival(files: &[String]) -> anyhow::Result<Drawing> {
    let mut players: Vec<PlayerScores> = Vec::new();
    for file in files {
        for one in read(file)? {
            if players.iter().any(|known| known.player == one.player) {
                bail!("{file}: another file also has games of {}", one.player);
            }
            players.push(one);
        }
    }
    Ok(Drawing {
        plot: Plot::Survival(survival_plot(&players)),
        remark: None,
        names: files.join(", "),
    })
}

//! The page of all players: published ones with their source and mean, and the kinds of players
//! with their settings.

use super::{GeneratedFile, cell, sentence, settings};
use anyhow::Context;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use tetrolab::core::players::PLAYERS;
use tetrolab::library::{PUBLISHED, published};
use tetrolab::report::{Align, Table, show};

/// Raw results with the means of published players on a low board.
const MEANS: [&str; 3] = [
    "experiments/standings/simplified-10x10.json",
    "experiments/standings/rv-ce-10x10.json",
    "experiments/danger/wary-10.json",
];

pub(super) fn page() -> anyhow::Result<GeneratedFile> {
    let mut body = "\
Wherever a command expects a player, it accepts a published name, a\n\
[player file](file-formats.md#player-files), the folder of a learning run, or a spec: a kind of\n\
player with an evaluator and settings, such as `expectimax(bcts,depth=2)`. Some commands also\n\
accept a program of yours, `exec(COMMAND)`: see\n\
[Write a bot in any language](../how-to/write-a-bot.md).\n\n## Published players\n\n\
The mean is in lines on `simplified-10x10`, for players whose raw results are in `experiments/`;\n\
[Results](../explanation/results.md) has intervals and commands.\n\n"
        .to_owned();
    body += &published_players()?;
    body += "\n## Kinds of players\n\n";
    for player in PLAYERS {
        let (id, definition) = (player.id, sentence(player.definition));
        body += &format!(
            "### `{id}`\n\n{definition} Source: {}.\n\n",
            cell(player.source)
        );
        if !player.settings.is_empty() {
            body += &(settings(player.settings) + "\n");
        }
    }
    Ok(GeneratedFile::page("players.md", "Players", &body))
}

fn published_players() -> anyhow::Result<String> {
    let means = means()?;
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("what it is", Align::Left),
        ("features", Align::Left),
        ("mean lines", Align::Right),
        ("source", Align::Left),
    ]);
    for file in PUBLISHED.iter().filter_map(|(name, _)| published(name)) {
        let mean = means
            .get(&file.name)
            .map_or("–".to_owned(), |&mean| show(mean));
        let features = file
            .feature_set
            .as_ref()
            .map_or(String::new(), |set| format!("`{set}`"));
        table.row(vec![
            format!("`{}`", file.name),
            cell(&file.title),
            features,
            mean,
            cell(&file.source),
        ]);
    }
    Ok(table.to_markdown())
}

/// Mean lines of players, from raw results.
fn means() -> anyhow::Result<BTreeMap<String, f64>> {
    let mut means = BTreeMap::new();
    for file in MEANS {
        let text = fs::read_to_string(file).context(file)?;
        let json: Value = serde_json::from_str(&text).context(file)?;
        let results = json["results"]
            .as_array()
            .context("'results' is missing")
            .context(file)?;
        for result in results {
            let mean = result["lines"]["mean"].as_f64();
            let player = result["player"].as_str();
            if let (Some(player), Some(mean), Some("simplified-10x10")) =
                (player, mean, result["ruleset"].as_str())
            {
                means.entry(player.to_owned()).or_insert(mean);
            }
        }
    }
    Ok(means)
}

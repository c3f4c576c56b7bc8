//! `tetrolab onnx`: exports a player's network for other programs.

use crate::output::{line, print_json};
use anyhow::bail;
use serde_json::json;
use std::path::PathBuf;
use tetrolab::learning::write_whole_bytes;
use tetrolab::library::{find_player_file, onnx_bytes};

const EXAMPLES: &str = "\
Examples:
  tetrolab onnx runs/mine mine.onnx
  tetrolab onnx network.toml network.onnx";

/// Write the network of a player as an ONNX file.
///
/// The input `inputs` has a row per placement and a column per feature, in the order of the player
/// file; the output `outputs` is the score of each placement. Any ONNX runtime computes the same
/// scores, up to rounding. The file can also be used as a player: `tetrolab eval mine.onnx`.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// A player file whose evaluator is a network, or the folder of a learning run.
    player: String,
    /// The new file.
    #[arg(value_name = "FILE.onnx")]
    out: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Accepted by every command; this one draws no random numbers.
    #[arg(long, hide = true)]
    seed: Option<u64>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let file = find_player_file(&args.player)?;
    let Some(network) = file.network() else {
        let (player, form) = (&args.player, file.form());
        bail!("{player} has the {form} evaluator; only a network can be written as ONNX");
    };
    let out = args.out.display();
    if args.out.exists() {
        bail!("{out}: already exists; choose a new file name");
    }
    let inputs: Vec<&str> = file.features.iter().map(|feature| feature.id).collect();
    let bytes = onnx_bytes(network, &file.name, &inputs);
    write_whole_bytes(&args.out, &bytes)?;
    if args.json {
        print_json(&json!({
            "file": out.to_string(), "bytes": bytes.len(), "features": inputs,
            "inputs": network.inputs(), "outputs": network.outputs(),
        }))?;
    } else {
        line(&format!(
            "{out}: {} inputs, {} bytes",
            network.inputs(),
            bytes.len()
        ))?;
    }
    Ok(())
}

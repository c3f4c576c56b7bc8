//! Builds the page of a player after playing its games.

use super::Args;
use crate::command;
use crate::in_flags;
use anyhow::{Context, bail};
use std::fs;
use tetrolab::context::Context as StudyContext;
use tetrolab::library::{find_player, find_player_file, find_ruleset};
use tetrolab::report::page::Page;
use tetrolab::report::page::of::{PlayerReport, player_page};
use tetrolab::report::scores::from_csv;
use tetrolab::session::RiskMeter;
use tetrolab::study::{Evaluation, GamesGoal, Keep, Plan, evaluate};

/// The maximum number of pieces of the recorded game.
const RECORDED: u64 = 4_000;

pub(super) fn page(args: &Args, name: &str) -> anyhow::Result<Page> {
    let ruleset = find_ruleset(&args.ruleset)?;
    let player = find_player(name, &ruleset)?;
    let folder = Scratch::new()?;
    let context = args.machine.context()?;
    let games = evaluation(args, name, args.games, args.max_pieces);
    let table = folder.0.join("games.csv");
    let kept = Keep {
        table: Some(table.clone()),
        ..Keep::nothing()
    };
    play(&games, &kept, &context)?;
    let scores = from_csv(&fs::read_to_string(&table)?)?;
    let scores = scores.first().context("no game was played")?;
    let records = folder.0.join("game.jsonl");
    let kept = Keep {
        records: Some(records.clone()),
        ..Keep::nothing()
    };
    let one = evaluation(args, name, 1, args.max_pieces.min(RECORDED));
    play(&one, &kept, &context)?;
    let record = fs::read_to_string(&records)?;
    let own = RiskMeter::own(&ruleset, &*player);
    let risk = own.or_else(|| RiskMeter::learn(&context, &ruleset, &*player).ok());
    Ok(player_page(&PlayerReport {
        name,
        file: find_player_file(name).ok().as_ref(),
        ruleset: &args.ruleset,
        scores,
        command: &command::evaluation(&games),
        record: record.trim(),
        risk: risk.as_ref(),
    })?)
}

fn evaluation(args: &Args, name: &str, games: u64, max_pieces: u64) -> Evaluation {
    Evaluation {
        players: vec![name.to_owned()],
        ruleset: args.ruleset.clone(),
        plan: Plan::Games {
            until: GamesGoal::Games(games),
            max_pieces: Some(max_pieces),
        },
        seed: args.seed,
    }
}

fn play(evaluation: &Evaluation, keep: &Keep, context: &StudyContext) -> anyhow::Result<()> {
    let evaluated = evaluate(evaluation, keep, context).map_err(in_flags::study)?;
    if evaluated.interrupted {
        bail!("interrupted before its games were played");
    }
    crate::standings::fail_if_some_failed(&evaluated)
}

/// A temporary folder, removed when it is dropped.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new() -> anyhow::Result<Scratch> {
        let name = format!("tetrolab-report-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).with_context(|| path.display().to_string())?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

//! `tetrolab learn`: learn the weights of a player, watch it improve, and see how good it is.

mod settings;
mod show;
mod test;

use crate::Outcome;
use crate::machine::Machine;
use crate::output::{line, print_json, thousands};
use crate::progress;
use crate::runs::{RUNS, folded};
use anyhow::bail;
use serde_json::{Value, json};
use settings::Settings;
use show::Show;
use std::path::{Path, PathBuf};
use tetrolab::command::quote;
use tetrolab::learning::{
    self, Ended, Generation, Learned, RunFolder, Store, StoredRun, Task, learn,
};
use tetrolab::library::{PlayerFile, is_path};

const EXAMPLES: &str = "\
Examples:
  tetrolab learn                               a quarter of a minute
  tetrolab learn boumaza                       the paper's full experiment: 20 runs
  tetrolab learn 'ga(population=50)' --features near-perfect --generations 50
  tetrolab learn cross-entropy --ruleset simplified-10x10 --time 5m --run runs/mine
  tetrolab learn --resume --run runs/mine";

/// Learn the weights of a player.
///
/// Without arguments: CMA-ES looks for the weights of eight features on a game with many S and Z, as in Boumaza (2009) but in
/// a quarter of a minute. Every generation is a line: the best and the mean fitness of the candidates, which grow while the step size sigma
/// shrinks. Then the learned player is tested on games that it has not seen, beside published players.
///
/// The player is written to player.toml in the run's folder (runs/NAME); `tetrolab eval` takes it like any other. Every
/// generation and candidate is kept in runs/lab.sqlite: `tetrolab runs` shows and exports them.
///
/// The same settings and seed learn the same player on any number of threads. A run that was stopped, by Ctrl-C or by a power
/// cut, goes on with --resume and ends with the same player, to the byte.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    machine: Machine,
    /// The run's folder; its lab, with the store, is the folder around it [default: runs/, and a name made from the settings].
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// Go on with a run: that of --run, or of these settings, or else the last one in runs/ that is not finished.
    #[arg(long)]
    resume: bool,
    /// Write the player to this new file too.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    test: test::TestGames,
    /// Print JSON at the end, and nothing else.
    #[arg(long)]
    json: bool,
    /// Print the player's file and how good it is, without the way there.
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    args.machine.threads()?;
    let (place, task) = find_run(args)?;
    check_out(args, &place)?;
    args.test.check()?;
    check_folder(&place)?;
    let _lock = place.lock()?;
    let mut store = Store::open(&place.store())?;
    let before = store.run(&place.id)?;
    store.begin(&place.id, &task.plan)?;
    say_what_begins(args, &place, &task)?;
    let Some((learned, note)) = watch(args, &place, &task, &mut store)? else {
        return interrupted(args, &place);
    };
    if before.is_some_and(|run| run.ended.is_some()) && !args.json {
        line("\nThis run was finished before: it is shown again, and nothing new was learned.")?;
    }
    let text = task.player_file(&place.id, &learned.solutions);
    let file = place.player();
    for path in args.out.iter().chain([&file]) {
        learning::write_whole(path, &text)?;
    }
    let shown = as_player(args.out.as_ref().unwrap_or(&file));
    report(args, &place, &task, &learned, note.as_deref(), &shown)
}

/// A file as other commands take it for a player: a bare name could be that of a published one.
fn as_player(file: &Path) -> String {
    let name = file.display().to_string();
    match is_path(&name) {
        true => name,
        false => Path::new(".").join(file).display().to_string(),
    }
}

/// A run needs a folder, where a file may stand.
fn check_folder(place: &RunFolder) -> anyhow::Result<()> {
    let path = place.path();
    match path.ancestors().find(|part| part.is_file()) {
        Some(file) => bail!("{}: is a file; --run names a folder", file.display()),
        None => Ok(()),
    }
}

/// An existing file is never replaced, unless by the run that was to write it.
fn check_out(args: &Args, place: &RunFolder) -> anyhow::Result<()> {
    let Some(out) = &args.out else {
        return Ok(());
    };
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        bail!("{}: there is no such folder", out.display());
    }
    let ours = || PlayerFile::read(out).is_ok_and(|player| player.name == place.id);
    if out.exists() && !(args.resume && ours()) {
        bail!(
            "{}: exists already; a player is written to a new file",
            out.display()
        );
    }
    Ok(())
}

/// The run that is meant, with everything that it needs.
fn find_run(args: &Args) -> anyhow::Result<(RunFolder, Task)> {
    if args.resume && !args.settings.any() {
        let (place, run) = stored_run(args.run.as_deref())?;
        return Ok((place, Task::new(run.plan)?));
    }
    let (plan, word) = args.settings.plan()?;
    let task = Task::new(plan)?;
    let place = match &args.run {
        Some(path) => RunFolder::at(path)?,
        None => RunFolder::at(&Path::new(RUNS).join(task.plan.id(word)))?,
    };
    check_begun(args, &place, &task)?;
    Ok((place, task))
}

/// A run that is to go on as the store has it.
fn stored_run(path: Option<&Path>) -> anyhow::Result<(RunFolder, StoredRun)> {
    let Some(path) = path else {
        let place = |id: &str| RunFolder::at(&Path::new(RUNS).join(id));
        let mut runs = Store::read(&place("any")?.store())?.runs()?;
        let Some(unfinished) = runs.iter().position(|run| run.ended.is_none()) else {
            bail!("there is no unfinished run in {RUNS} to go on with");
        };
        let run = runs.swap_remove(unfinished);
        return Ok((place(&run.id)?, run));
    };
    let place = RunFolder::at(path)?;
    match Store::read(&place.store())?.run(&place.id)? {
        Some(run) => Ok((place, run)),
        None => bail!("{}: there is no run to go on with", path.display()),
    }
}

/// A run that was begun before goes on only if asked to. One that is done can be shown again.
fn check_begun(args: &Args, place: &RunFolder, task: &Task) -> anyhow::Result<()> {
    let folder = place.path();
    let folder = folder.display();
    let store = Store::find(&place.store())?;
    let stored = store
        .map(|store| store.run(&place.id))
        .transpose()?
        .flatten();
    let Some(stored) = stored else {
        if args.resume {
            bail!("{folder}: there is no run to go on with");
        }
        return Ok(());
    };
    stored.check(&task.plan)?;
    if stored.ended.is_none() && !args.resume {
        bail!("{folder}: this run was begun before and is not finished; --resume goes on with it");
    }
    Ok(())
}

fn say_what_begins(args: &Args, place: &RunFolder, task: &Task) -> anyhow::Result<()> {
    if args.json || args.quiet {
        return Ok(());
    }
    let plan = &task.plan;
    let runs = match plan.runs {
        1 => String::new(),
        runs => format!(" · {runs} runs"),
    };
    let (run, weights) = (place.path(), task.dimension());
    let judged = if task.estimates_logarithm() {
        plan.objective.clone()
    } else {
        format!("{} games each", thousands(plan.games))
    };
    line(&format!(
        "{} · {weights} weights ({}) on {} · {judged}{runs} · seed {}",
        run.display(),
        plan.features,
        plan.ruleset,
        plan.seed
    ))?;
    // Not refused: the commands in the files of players that were learned so have a number of games.
    if task.estimates_logarithm() && args.settings.asks_for_games() {
        line("--games does nothing here: this objective plays no whole games")?;
    }
    Ok(line(&format!("{}\n", plan.learner))?)
}

/// Learns, and shows how it goes; nothing if it was interrupted. With what was learned comes what is to be noted about it.
fn watch(
    args: &Args,
    place: &RunFolder,
    task: &Task,
    store: &mut Store,
) -> anyhow::Result<Option<(Learned, Option<String>)>> {
    let mut show = Show::new(task, args.json || args.quiet);
    let machine = learning::Machine {
        threads: args.machine.threads()?,
        no_kernel: args.machine.no_kernel,
        stop: progress::stop_on_interrupt(),
        observer: Some(show.observer()),
    };
    let mut last: Option<Generation> = None;
    let mut watch = |generation: &Generation| {
        if let Some(last) = last.take().filter(|last| last.run != generation.run) {
            show.run_ended(&last);
        }
        show.generation(generation);
        last = Some(generation.clone());
    };
    let ended = learn(task, machine, store, &place.id, &mut watch);
    if let (Some(last), Ok(Ended::Learned(_))) = (&last, &ended) {
        show.run_ended(last);
    }
    show.finish();
    match ended? {
        Ended::Learned(learned) => Ok(Some((learned, last.as_ref().and_then(cap_note)))),
        Ended::Interrupted => Ok(None),
    }
}

/// What to say if the cap ended most games of the last generation.
fn cap_note(last: &Generation) -> Option<String> {
    let (cut_off, games) = (last.mostly_cut_off()?, last.games);
    Some(format!(
        "{} of {} games of the last generation were cut off by --max-pieces",
        thousands(cut_off),
        thousands(games)
    ))
}

fn interrupted(args: &Args, place: &RunFolder) -> anyhow::Result<Outcome> {
    let folder = place.path().display().to_string();
    let command = resume_command(args, &folder)?;
    if args.json {
        print_json(&json!({ "run": folder, "interrupted": true, "command": command }))?;
    } else {
        line(&format!("\nInterrupted. To go on:\n  {command}"))?;
    }
    Ok(Outcome::Interrupted)
}

/// The command that goes on with a run, as it was asked for.
fn resume_command(args: &Args, folder: &str) -> anyhow::Result<String> {
    let mut command = format!("tetrolab learn --resume --run {}", quote(folder));
    if let Some(out) = &args.out {
        command += &format!(" --out {}", quote(&out.display().to_string()));
    }
    command += &args.test.flags();
    match args.machine.threads()? {
        0 => {}
        threads => command += &format!(" --threads {threads}"),
    }
    let flags = [
        (args.machine.no_kernel, " --no-kernel"),
        (args.json, " --json"),
        (args.quiet, " --quiet"),
    ];
    command.extend(flags.iter().filter(|flag| flag.0).map(|flag| flag.1));
    Ok(command)
}

/// Says what was learned, and how good it is.
fn report(
    args: &Args,
    place: &RunFolder,
    task: &Task,
    learned: &Learned,
    note: Option<&str>,
    file: &str,
) -> anyhow::Result<Outcome> {
    if !args.json {
        let pieces = thousands(learned.pieces);
        let games = match learned.games {
            0 => String::new(),
            games => format!("{} games, ", thousands(games)),
        };
        let seconds = learned.seconds;
        let ended = folded(learned.stops.iter().map(String::as_str));
        line(&format!(
            "\nended: {ended} · {games}{pieces} pieces, {seconds:.1} s"
        ))?;
        if let Some(note) = note {
            line(note)?;
        }
        line(&format!("player: {file}\n"))?;
    }
    let test = args.test.run(&args.machine, &task.plan, file, args.json)?;
    if args.json {
        let mut json = as_json(place, task, learned, file, &test.json);
        json["note"] = note.into();
        print_json(&json)?;
    }
    Ok(test.outcome)
}

fn as_json(place: &RunFolder, task: &Task, learned: &Learned, file: &str, test: &Value) -> Value {
    json!({
        "run": place.path().display().to_string(),
        "player": file,
        "plan": serde_json::to_value(&task.plan).unwrap_or_default(),
        "ended": learned.stops,
        "games": learned.games,
        "pieces": learned.pieces,
        "seconds": learned.seconds,
        "solutions": learned.solutions,
        "test": test,
        "command": task.plan.command(),
    })
}

//! Where names of files are looked up: on the disk of this machine, or among the texts of a
//! request.

use super::file::{FileError, read_bytes, read_text};
use super::onnx::onnx_player_text;
use super::player_file::model::{ModelPlace, in_one_text};
use super::published::published_file;
use super::{LibraryError, PLAYER_FILE, PUBLISHED, Parts, PlayerFile, is_path, ruleset_file};
use crate::external::{BotCommand, ExecPlayer, OwnPlayers, is_command};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tetrolab_core::evaluators::{EVALUATORS, Evaluator};
use tetrolab_core::players::{PLAYERS, Player, PlayerContext, player};
use tetrolab_core::registry::find;
use tetrolab_core::ruleset::{Ruleset, ruleset};
use tetrolab_core::spec::{Spec, SpecError, shown};

/// Texts of player and ruleset files, by the name that specs use for them. If a player has a
/// network or lookup tables, its text contains them.
pub type GivenFiles = BTreeMap<String, String>;

/// Where names of files are looked up. Published names never refer to a file: they refer to the
/// data compiled into the program.
#[derive(Clone, Copy, Debug)]
pub enum FileSource<'a> {
    /// On the disk of this machine: for names typed by its user, and names in files of this user.
    Disk,
    /// The files on this machine, plus the user's own players: programs, which a player's name can
    /// start, and objects. Only for names typed by the user.
    Own(&'a OwnPlayers),
    /// Only among these texts: for names from another machine. Nothing is read from disk,
    /// regardless of what a name, a player file or a ruleset says.
    Given(&'a GivenFiles),
}

/// The file name extension of networks from other programs.
const ONNX: &str = ".onnx";

static NO_FILES: GivenFiles = GivenFiles::new();

impl FileSource<'static> {
    /// Nowhere: names refer only to published players and shipped rulesets.
    pub const NAMES: FileSource<'static> = FileSource::Given(&NO_FILES);

    /// On disk, and programs on this machine: for names typed by its user.
    pub const TYPED: FileSource<'static> = FileSource::Own(OwnPlayers::PROGRAMS);
}

impl<'a> FileSource<'a> {
    /// Makes a player, as [`find_player`](super::find_player) does.
    ///
    /// # Errors
    /// If the name is unknown, or the file or a setting is invalid.
    pub fn player(self, text: &str, ruleset: &Ruleset) -> Result<Box<dyn Player>, LibraryError> {
        if let FileSource::Own(own) = self
            && let Some(made) = own.make(text, ruleset)
        {
            return Ok(made?);
        }
        if is_path(text) {
            return Ok(self.read_player(text)?.player(ruleset)?);
        }
        if is_command(text) {
            let command = BotCommand::parse(text)?;
            return match self {
                FileSource::Own(_) => Ok(Box::new(ExecPlayer::new(command, ruleset))),
                FileSource::Disk | FileSource::Given(_) => Err(not_started(text).into()),
            };
        }
        let spec: Spec = text.parse()?;
        if spec.args.is_empty()
            && let Some(file) = super::published(&spec.name)
        {
            return Ok(file.player(ruleset)?);
        }
        if find(EVALUATORS, "evaluator", &spec.name).is_ok() {
            let problem = format!("an evaluator, not a player; use greedy({spec})");
            return Err(spec.error(problem).into());
        }
        if find(PLAYERS, "player", &spec.name).is_err() {
            let problem = super::published(&spec.name).map(|_| {
                let name = &spec.name;
                spec.error(format!("does not take settings; use greedy({name}, ...)"))
            });
            return Err(problem.unwrap_or_else(|| unknown(&spec.name)).into());
        }
        let context = PlayerContext {
            ruleset,
            evaluators: &|spec, width| self.evaluator(spec, width),
        };
        Ok(player(&spec, &context)?)
    }

    /// Makes an evaluator, as [`find_evaluator`](super::find_evaluator) does.
    ///
    /// # Errors
    /// If the name is unknown, the file is invalid, or the evaluator has another form.
    pub fn evaluator(self, spec: &Spec, width: usize) -> Result<Arc<dyn Evaluator>, SpecError> {
        let part = |error: FileError| SpecError::Part(error.to_string());
        let Ok(form) = find(EVALUATORS, "evaluator", &spec.name) else {
            if !spec.args.is_empty() {
                let problem = "not an evaluator; use a published player or a player file";
                return Err(spec.error(problem));
            }
            return self.player_file(&spec.name)?.evaluator(width).map_err(part);
        };
        let settings = form.read(spec)?;
        let name = settings.part("player");
        let file = self.player_file(&name.to_string())?;
        if file.form() != form.id {
            let problem = format!(
                "{name} has the {} evaluator, not the {} one",
                file.form(),
                form.id
            );
            return Err(SpecError::Part(problem));
        }
        file.evaluator(width).map_err(part)
    }

    /// Reads a player, as [`find_player_file`](super::find_player_file) does.
    ///
    /// # Errors
    /// If the name is unknown or the file is invalid.
    pub(crate) fn player_file(self, name: &str) -> Result<PlayerFile, SpecError> {
        if is_path(name) {
            let file = self.read_player(name);
            return file.map_err(|error| SpecError::Part(error.to_string()));
        }
        let names = || PUBLISHED.iter().map(|row| row.0);
        super::published(name).ok_or_else(|| if name.ends_with(')') { SpecError::Part(format!(
                "expected a published player, a player file or the folder of a learning run, got the spec '{}'",
                shown(name)
            )) } else { SpecError::unknown("published player", name, names()) })
    }

    /// Makes a ruleset, as [`find_ruleset`](super::find_ruleset) does.
    ///
    /// # Errors
    /// If the name is unknown, or the file or a setting is invalid.
    pub fn ruleset(self, text: &str) -> Result<Ruleset, LibraryError> {
        if !is_path(text) {
            let evaluators = |spec: &Spec, width| self.evaluator(spec, width);
            return Ok(ruleset(&text.parse()?, &evaluators)?);
        }
        let path = Path::new(text);
        let read = match self {
            FileSource::Disk | FileSource::Own(_) => Cow::Owned(read_text(path)?),
            FileSource::Given(files) => Cow::Borrowed(given(files, text)?),
        };
        ruleset_file::read_text(&read, path, self)
    }

    /// Everything that determines a player: the text itself, and the text of every player file that
    /// it names, with the networks and tables of these players. Players with the same identity make
    /// the same decisions.
    pub(crate) fn player_identity(self, text: &str) -> Result<String, LibraryError> {
        self.check_is_known(text)?;
        if is_path(text) {
            return Ok(self.one_text(text)?.into_owned());
        }
        Ok(self.spec_identity(&text.parse()?)?)
    }

    /// Like [`player_identity`](Self::player_identity), for a spec.
    pub(crate) fn spec_identity(self, spec: &Spec) -> Result<String, FileError> {
        let mut identity = format!("{spec}\n");
        for name in names_of(spec) {
            if is_path(name) {
                identity.push_str(&self.one_text(name)?);
            } else if let Some(text) = published_text(name) {
                identity.push_str(&text?);
            }
        }
        Ok(identity)
    }

    /// The texts of all player files that a player's name or spec refers to; none for published
    /// players.
    pub(crate) fn files_of_player(self, text: &str) -> Result<GivenFiles, LibraryError> {
        self.check_is_known(text)?;
        if is_path(text) {
            let file = self.one_text(text)?.into_owned();
            return Ok(GivenFiles::from([(text.to_owned(), file)]));
        }
        Ok(self.files_of(&text.parse()?)?)
    }

    /// The texts of all player files that a spec names.
    pub(crate) fn files_of(self, spec: &Spec) -> Result<GivenFiles, FileError> {
        let files = names_of(spec).into_iter().filter(|name| is_path(name));
        files
            .map(|name| Ok((name.to_owned(), self.one_text(name)?.into_owned())))
            .collect()
    }

    /// Whether the player is a program or an object of the caller.
    pub(crate) fn is_own_player(self, text: &str) -> bool {
        let is_object = matches!(self, FileSource::Own(own) if own.has(text));
        is_object || (!is_path(text) && is_command(text))
    }

    /// Rejects players that may change unnoticed: it is impossible to determine whether a program
    /// is still the same, or the same on another machine.
    pub(crate) fn check_is_known(self, text: &str) -> Result<(), SpecError> {
        if !self.is_own_player(text) {
            return Ok(());
        }
        let text = shown(text);
        Err(SpecError::Part(format!(
            "{text}: a program may change, so its games can be neither resumed nor distributed"
        )))
    }

    /// The player of a file, or of a folder that contains one.
    fn read_player(self, name: &str) -> Result<PlayerFile, FileError> {
        match self {
            FileSource::Given(files) => PlayerFile::parse_alone(given(files, name)?, name),
            FileSource::Disk | FileSource::Own(_) if name.ends_with(ONNX) => {
                PlayerFile::parse_alone(&read_onnx(Path::new(name))?, name)
            }
            FileSource::Disk | FileSource::Own(_) => {
                PlayerFile::read(&player_path(Path::new(name))?)
            }
        }
    }

    /// The text of a player file, or of the one in a folder, with its embedded model if it has one.
    pub(crate) fn one_text(self, name: &str) -> Result<Cow<'a, str>, FileError> {
        match self {
            FileSource::Given(files) => given(files, name).map(Cow::Borrowed),
            FileSource::Disk | FileSource::Own(_) if name.ends_with(ONNX) => {
                read_onnx(Path::new(name)).map(Cow::Owned)
            }
            FileSource::Disk | FileSource::Own(_) => {
                let path = player_path(Path::new(name))?;
                in_one_text(read_text(&path)?, &path, ModelPlace::Beside(&path)).map(Cow::Owned)
            }
        }
    }
}

/// The player of a network from another program, as the text of a player file.
fn read_onnx(path: &Path) -> Result<String, FileError> {
    let bytes = read_bytes(path)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    onnx_player_text(&bytes, &name).map_err(|problem| FileError::of_file(path, problem))
}

/// All names in a spec, at any depth, in the order of its text.
pub(super) fn names_of(spec: &Spec) -> Vec<&str> {
    let of_args = spec.args.iter().flat_map(|arg| names_of(&arg.value));
    std::iter::once(spec.name.as_str()).chain(of_args).collect()
}

/// The text of a request under a name.
fn given<'f>(files: &'f GivenFiles, name: &str) -> Result<&'f str, FileError> {
    let problem = "the text of this file was not provided, and files cannot be read here";
    let text = files.get(name).map(String::as_str);
    text.ok_or_else(|| FileError::of_file(Path::new(name), problem))
}

/// The file of a player: the path itself, or a file of a folder.
fn player_path(path: &Path) -> Result<PathBuf, FileError> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let file = path.join(PLAYER_FILE);
    if file.exists() {
        Ok(file)
    } else {
        let problem =
            format!("this folder has no {PLAYER_FILE}; a learning run writes it when it ends");
        Err(FileError::of_file(path, problem))
    }
}

/// The text of the published player with this name, with its embedded model, if there is one.
pub(super) fn published_text(name: &str) -> Option<Result<String, FileError>> {
    let (text, path) = published_file(name)?;
    Some(in_one_text(
        text.to_owned(),
        Path::new(&path),
        ModelPlace::Published,
    ))
}

/// The published player of this name.
pub(super) fn published_player(name: &str) -> Option<Result<PlayerFile, FileError>> {
    let (text, path) = published_file(name)?;
    let parts = Parts::default();
    Some(PlayerFile::parse_at(
        &parts,
        text,
        &path,
        ModelPlace::Published,
    ))
}

/// The error for a command that the user did not type, which is never run.
fn not_started(text: &str) -> SpecError {
    let text = shown(text);
    SpecError::Part(format!(
        "{text}: programs can only be started by name on the command line or from Python, for an evaluation, a comparison, an analysis or a game to watch, not from files, requests or units of work"
    ))
}

fn unknown(name: &str) -> SpecError {
    let kinds = PLAYERS.iter().map(|entry| entry.id);
    SpecError::unknown(
        "player",
        name,
        PUBLISHED.iter().map(|row| row.0).chain(kinds),
    )
}

#[cfg(test)]
mod tests;

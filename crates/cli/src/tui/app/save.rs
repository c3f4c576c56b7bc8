//! Saves games and pictures on request.

use super::App;
use std::path::{Path, PathBuf};
use tetrolab::formats::games;
use tetrolab::session::Session;

impl App {
    /// Saves the games to a new file.
    pub(super) fn save(&mut self) {
        let path = free_name(&self.folder, "game", "jsonl");
        let text = match self.write_games(&path) {
            Ok(0) => "nothing was played yet".to_owned(),
            Ok(_) => format!("saved: tetrolab watch --record {}", path.display()),
            Err(error) => format!("not saved: {error:#}"),
        };
        self.say(text);
    }

    /// Writes the games; returns their number.
    fn write_games(&self, path: &Path) -> anyhow::Result<usize> {
        let records = self.sessions().iter().map(Session::record);
        let records: Vec<_> = records.filter(|record| record.pieces > 0).collect();
        if records.is_empty() {
            return Ok(0);
        }
        games::write(path, &records)?;
        Ok(records.len())
    }

    /// The file for a picture of the screen, if one was requested.
    pub(crate) fn wanted_picture(&mut self) -> Option<PathBuf> {
        let wanted = std::mem::take(&mut self.wants_picture);
        wanted.then(|| free_name(&self.folder, "tetrolab", "svg"))
    }

    /// Shows a message about whether the picture was saved.
    pub(crate) fn say_picture(&mut self, path: &Path, saved: anyhow::Result<()>) {
        self.say(match saved {
            Ok(()) => format!("saved: {}", path.display()),
            Err(error) => format!("not saved: {error:#}"),
        });
    }
}

/// A file name that is not in use: the first of `game-1.jsonl`, `game-2.jsonl`, ...
fn free_name(folder: &Path, stem: &str, extension: &str) -> PathBuf {
    let names = (1..).map(|number| folder.join(format!("{stem}-{number}.{extension}")));
    let mut free = names.filter(|path| std::fs::symlink_metadata(path).is_err());
    free.next().expect("there are more numbers than files")
}

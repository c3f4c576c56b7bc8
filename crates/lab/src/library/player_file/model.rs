//! The model of a player file, a network or lookup tables: a file of tensors next to it, or the
//! bytes of one in the text itself.

use super::super::file::{FileError, TomlFile};
use super::super::model_file::{model_bytes, parse_model, read_model};
use super::super::published::published_model;
use super::PlayerFile;
use std::path::Path;
use std::sync::Arc;
use tetrolab_core::evaluators::{EvaluatorEntry, Model, ModelKind};
use tetrolab_core::network::Network;

/// The prefix of bytes in base 64.
const DATA: &str = "data:";

/// The model of a player.
#[derive(Clone, Debug)]
pub(super) struct ModelEntry {
    pub(super) model: Arc<Model>,
    /// The name of the model's file next to the player file; `None` if the text contains the model.
    file: Option<String>,
    /// The line that refers to the model.
    pub(super) line: Option<usize>,
}

/// Where to look for the model that a player's text refers to.
#[derive(Clone, Copy, Debug)]
pub(in crate::library) enum ModelPlace<'a> {
    /// In a file next to this one.
    Beside(&'a Path),
    /// In the program: the player is a published one.
    Published,
    /// Nowhere: no file may be read for this text.
    Nowhere,
}

impl ModelPlace<'_> {
    /// The model of this name; an error refers to the line that names it, or to its file.
    fn model(
        self,
        name: &str,
        kind: ModelKind,
        here: impl Fn(String) -> FileError,
    ) -> Result<Model, FileError> {
        let key = kind.key();
        match self {
            ModelPlace::Beside(path) => {
                let beside = beside(path, name, key).map_err(here)?;
                read_model(&beside, kind)
            }
            ModelPlace::Published => {
                let bytes = published_model(name);
                let bytes =
                    bytes.ok_or_else(|| here(format!("{key}: the program has no such file")))?;
                parse_model(bytes, kind).map_err(|problem| here(format!("{key} {problem}")))
            }
            ModelPlace::Nowhere => Err(here(format!(
                "{key} must contain bytes in base 64 (\"{DATA}...\"), because no file is read for a player given as a text"
            ))),
        }
    }
}

impl ModelEntry {
    /// The key and value in the player file.
    pub(super) fn key_and_value(&self) -> (&'static str, String) {
        let bytes = || data_entry(&model_bytes(&self.model));
        (
            self.model.kind().key(),
            self.file.clone().unwrap_or_else(bytes),
        )
    }
}

impl PlayerFile {
    /// The network of the player's evaluator, if the evaluator is a network.
    pub fn network(&self) -> Option<&Network> {
        match self.model() {
            Some(Model::Network(network)) => Some(network),
            _ => None,
        }
    }

    /// The network or the tables of the player's evaluator, if it has any.
    pub fn model(&self) -> Option<&Model> {
        self.model.as_ref().map(|entry| &*entry.model)
    }

    /// The same player with this model, which its text refers to as a file next to it, or contains.
    #[must_use]
    pub(crate) fn with_model(&self, model: Model, file: Option<String>) -> PlayerFile {
        PlayerFile {
            model: Some(ModelEntry {
                model: Arc::new(model),
                file,
                line: None,
            }),
            ..self.clone()
        }
    }
}

/// The model that a player file refers to, if its evaluator uses one.
pub(super) fn model_of(
    file: &TomlFile<'_>,
    form: &EvaluatorEntry,
    place: ModelPlace<'_>,
) -> Result<Option<ModelEntry>, FileError> {
    let wanted = form.make.model();
    let mut others = ModelKind::ALL
        .into_iter()
        .filter(|kind| Some(*kind) != wanted);
    if let Some(value) = others.find_map(|kind| Some((kind.key(), file.get(kind.key())?))) {
        let problem = format!("the {} evaluator has no {}", form.id, value.0);
        return Err(file.error(&value.1.span(), problem));
    }
    let Some(kind) = wanted else {
        return Ok(None);
    };
    let key = kind.key();
    if file.get(key).is_none() {
        let problem =
            format!("'{key}' is missing: the name of a safetensors file next to this one");
        return Err(file.error_of_file(&problem));
    }
    let name = file.needed_text(key)?;
    let here = |problem: String| file.error(&file.span(key), problem);
    let (model, name) = match name.strip_prefix(DATA) {
        Some(data) => {
            let bytes =
                from_base64(data).ok_or_else(|| here(format!("{key} is not in base 64")))?;
            let model = parse_model(&bytes, kind);
            (
                model.map_err(|problem| here(format!("{key} {problem}")))?,
                None,
            )
        }
        None => (place.model(name, kind, here)?, Some(name.to_owned())),
    };
    Ok(Some(ModelEntry {
        model: Arc::new(model),
        file: name,
        line: file.error(&file.span(key), "").line,
    }))
}

/// The file of this name in the same folder as another file.
fn beside(path: &Path, name: &str, key: &str) -> Result<std::path::PathBuf, String> {
    let is_name = Path::new(name).file_name().is_some_and(|file| file == name);
    if is_name {
        Ok(path.with_file_name(name))
    } else {
        Err(format!(
            "{key} is the name of a safetensors file next to this one"
        ))
    }
}

/// The self-contained text of a player file: with the bytes of its model instead of the name of the
/// model's file.
pub(in crate::library) fn in_one_text(
    text: String,
    path: &Path,
    place: ModelPlace<'_>,
) -> Result<String, FileError> {
    let shown = path.display().to_string();
    // A text that is not a player's is passed through unchanged.
    let Ok(file) = TomlFile::parse(&text, &shown) else {
        return Ok(text);
    };
    let named = |kind: &ModelKind| matches!(file.text(kind.key()), Ok(Some(_)));
    let Some(kind) = ModelKind::ALL.into_iter().find(named) else {
        return Ok(text);
    };
    let name = file.needed_text(kind.key())?;
    if name.starts_with(DATA) {
        return Ok(text);
    }
    let span = file.span(kind.key());
    let model = place.model(name, kind, |problem| file.error(&span, problem))?;
    let data = base64(&model_bytes(&model));
    let value = format!("\"{DATA}{data}\"");
    Ok([&text[..span.start], &value, &text[span.end..]].concat())
}

/// Bytes as the value of a key.
pub(in crate::library) fn data_entry(bytes: &[u8]) -> String {
    format!("{DATA}{}", base64(bytes))
}

/// The letters of base 64 (RFC 4648).
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |index: usize| u32::from(three.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * index) & 63) as usize];
            text.push(if index <= three.len() {
                letter as char
            } else {
                '='
            });
        }
    }
    text
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    let (fours, rest) = text.as_bytes().as_chunks::<4>();
    let mut bytes = Vec::with_capacity(3 * fours.len());
    for (number, four) in fours.iter().enumerate() {
        let padding = four
            .iter()
            .rev()
            .take_while(|letter| **letter == b'=')
            .count();
        if padding > 2 || (padding > 0 && number + 1 < fours.len()) {
            return None;
        }
        let mut bits = 0;
        for letter in &four[..4 - padding] {
            bits = bits << 6 | LETTERS.iter().position(|known| known == letter)? as u32;
        }
        bits <<= 6 * padding;
        bytes.extend(&bits.to_be_bytes()[1..4 - padding]);
    }
    rest.is_empty().then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{FileSource, find_player, find_ruleset};
    use tetrolab_core::network::{Activation, Initialisation};
    use tetrolab_core::rng::Rng;

    const TEXT: &str = "name = \"mine\"\nevaluator = \"network\"\nfeatures = \"strategies\"\nnetwork = \"mine.safetensors\"\n";

    fn network(seed: u64) -> Network {
        let mut network =
            Network::new(3, &[(4, Activation::Relu), (1, Activation::Linear)]).unwrap();
        network.initialise(Initialisation::He, &mut Rng::new(seed));
        network
    }

    /// A folder with a player and its network.
    fn folder(seed: u64) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("mine.toml"), TEXT).unwrap();
        let bytes = model_bytes(&Model::Network(network(seed)));
        std::fs::write(folder.path().join("mine.safetensors"), bytes).unwrap();
        folder
    }

    #[test]
    fn base_64_is_that_of_the_standard() {
        let pairs = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ];
        for (plain, coded) in pairs {
            assert_eq!(base64(plain.as_bytes()), coded);
            assert_eq!(from_base64(coded).unwrap(), plain.as_bytes());
        }
        for wrong in ["Zg", "Z===", "Zg==Zm8=", "Zm9?"] {
            assert_eq!(from_base64(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_player_with_a_network_beside_it_is_read_written_and_carried_in_one_text() {
        let folder = folder(1);
        let path = folder.path().join("mine.toml");
        let file = PlayerFile::read(&path).unwrap();
        assert_eq!(file.network(), Some(&network(1)));
        assert!(file.text().contains("network = \"mine.safetensors\""));
        let name = path.display().to_string();
        let carried = &FileSource::Disk.files_of_player(&name).unwrap()[&name];
        let alone = PlayerFile::parse_alone(carried, "elsewhere.toml").unwrap();
        assert_eq!(alone.network(), Some(&network(1)));
        assert_eq!(
            PlayerFile::parse(&alone.text(), "x").unwrap().text(),
            alone.text()
        );
        let ruleset = find_ruleset("simplified-10x20").unwrap();
        assert!(find_player(&format!("greedy(network({name}))"), &ruleset).is_ok());
        let before = FileSource::Disk.player_identity(&name).unwrap();
        std::fs::write(
            folder.path().join("mine.safetensors"),
            model_bytes(&Model::Network(network(2))),
        )
        .unwrap();
        assert_ne!(FileSource::Disk.player_identity(&name).unwrap(), before);
    }

    #[test]
    fn errors_in_a_network_are_reported_with_their_position() {
        let folder = folder(1);
        let path = folder.path().join("mine.toml");
        let error = |text: &str| {
            PlayerFile::parse(text, &path.display().to_string())
                .unwrap_err()
                .to_string()
        };
        let weights = folder.path().join("mine.safetensors");
        let bytes = std::fs::read(&weights).unwrap();
        std::fs::write(&weights, &bytes[..bytes.len() - 2]).unwrap();
        let said = error(TEXT);
        assert!(said.starts_with(&weights.display().to_string()), "{said}");
        assert!(
            said.ends_with(
                "tensor 'layer.1.bias': it ends at byte 84 of the data, but the data has only 82 bytes"
            ),
            "{said}"
        );
        std::fs::remove_file(&weights).unwrap();
        assert!(error(TEXT).ends_with("mine.safetensors: there is no such file"));
        assert!(
            error(&TEXT.replace("mine.saf", "../mine.saf"))
                .ends_with("line 4: network is the name of a safetensors file next to this one")
        );
        assert!(
            error(&TEXT.replace("mine.safetensors", "data:?"))
                .ends_with("line 4: network is not in base 64")
        );
        assert!(
            error("name = \"x\"\nevaluator = \"network\"\nfeatures = \"bcts\"")
                .ends_with("'network' is missing: the name of a safetensors file next to this one")
        );
        assert!(
            error("name = \"x\"\nfeatures = \"bcts\"\nnetwork = \"a\"\n[weights]\n")
                .contains("line 3: the linear evaluator has no network")
                || error("name = \"x\"\nfeatures = \"bcts\"\nnetwork = \"a\"\n[weights]\n")
                    .contains("the weight of")
        );
        let other = TEXT
            .replace("strategies", "bcts")
            .replace("mine.safetensors", &format!("data:{}", base64(&bytes)));
        let file = PlayerFile::parse(&other, "mine.toml").unwrap();
        assert_eq!(
            file.evaluator(10).unwrap_err().to_string(),
            "mine.toml, line 4: the network has 3 inputs, but 8 are needed on a board 10 wide"
        );
    }
}

//! Models in files of tensors: networks and lookup tables.

use super::safetensors::Tensors;
use super::{FileError, network_file, table_file};
use std::path::Path;
use tetrolab_core::evaluators::{Model, ModelKind};

/// The bytes of a model, which identify it; for those of its file, see [`sealed_model_bytes`].
pub(crate) fn model_bytes(model: &Model) -> Vec<u8> {
    tensors_of(model).bytes()
}

/// The bytes of a model file with a hash of the content, so that readers detect damage.
pub fn sealed_model_bytes(model: &Model) -> Vec<u8> {
    tensors_of(model).sealed_bytes()
}

fn tensors_of(model: &Model) -> Tensors {
    match model {
        Model::Network(network) => network_file::tensors_of(network),
        Model::Tables(tables) => table_file::tensors_of(tables),
    }
}

/// Reads the file of a model.
///
/// # Errors
/// If it cannot be read, is incomplete, or has other content.
pub(crate) fn read_model(path: &Path, kind: ModelKind) -> Result<Model, FileError> {
    let tensors = Tensors::read(path)?;
    model_of(&tensors, kind).map_err(|problem| FileError::of_file(path, problem))
}

/// Reads a model from the bytes of a file.
pub(super) fn parse_model(bytes: &[u8], kind: ModelKind) -> Result<Model, String> {
    model_of(&Tensors::parse(bytes)?, kind)
}

fn model_of(tensors: &Tensors, kind: ModelKind) -> Result<Model, String> {
    match kind {
        ModelKind::Network => network_file::network_of(tensors).map(Model::Network),
        ModelKind::Tables => table_file::tables_of(tensors).map(Model::Tables),
    }
}

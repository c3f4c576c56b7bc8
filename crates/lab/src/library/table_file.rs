//! Lookup tables in tensor files: one tensor for each table, named by its spec, and the board size
//! as metadata.

use super::safetensors::Tensors;
use tetrolab_core::evaluators::TableSum;
use tetrolab_core::lookup::{BoardSize, TableSet};
use tetrolab_core::spec::Spec;

/// The metadata keys of the board size.
const WIDTH: &str = "width";
const HEIGHT: &str = "height";
/// The metadata key of [`TableSum::most_covered`], if that limit is set.
const COVERS: &str = "covers";

/// The tables as tensors.
pub(super) fn tensors_of(tables: &TableSum) -> Tensors {
    let mut tensors = Tensors::default();
    let BoardSize { width, height } = tables.set().size();
    tensors.say(WIDTH, &width.to_string());
    tensors.say(HEIGHT, &height.to_string());
    if let Some(most) = tables.most_covered() {
        tensors.say(COVERS, &most.to_string());
    }
    for (spec, entries) in tables.set().iter() {
        let weights = tables.weights()[entries].to_vec();
        tensors.add(&spec.to_string(), &[weights.len()], weights);
    }
    tensors
}

/// Reads the tables of a file.
pub(super) fn tables_of(tensors: &Tensors) -> Result<TableSum, String> {
    let number = |key: &str| tensors.word(key)?.parse::<usize>().ok();
    let (Some(width), Some(height)) = (number(WIDTH), number(HEIGHT)) else {
        return Err("expected lookup tables, found no board size".to_owned());
    };
    let size = BoardSize { width, height };
    if !size.is_playable() {
        return Err(format!("boards of {width}x{height} are not supported"));
    }
    let named =
        |problem: String, name: &str| format!("tensor '{}': {problem}", name.escape_debug());
    let mut specs = Vec::new();
    for tensor in &tensors.arrays {
        let spec: Result<Spec, _> = tensor.name.parse();
        specs.push(spec.map_err(|error| named(error.to_string(), &tensor.name))?);
    }
    let set = TableSet::new(&specs, size).map_err(|error| error.to_string())?;
    let mut weights = Vec::with_capacity(set.entries());
    for (tensor, (_, entries)) in tensors.arrays.iter().zip(set.iter()) {
        let (found, needed) = (tensor.numbers.len(), entries.len());
        if found != needed {
            let problem = format!("expected {needed} entries, found {found}");
            return Err(named(problem, &tensor.name));
        }
        if let Some(place) = tensor.numbers.iter().position(|number| !number.is_finite()) {
            let number = tensor.numbers[place];
            let problem = format!("entry {place} is {number}, not a finite number");
            return Err(named(problem, &tensor.name));
        }
        weights.extend(&tensor.numbers);
    }
    let covers = tensors.word(COVERS).map(str::parse::<u32>).transpose();
    let covers = covers.map_err(|_| format!("'{COVERS}' must be a number"))?;
    let tables = TableSum::new(set, weights).map_err(|error| error.to_string())?;
    Ok(tables.covering_at_most(covers))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables() -> TableSum {
        let size = BoardSize {
            width: 4,
            height: 6,
        };
        let set = TableSet::find("heights + cross", size).unwrap();
        let weights = (0..set.entries()).map(|entry| entry as f32 / 8.0).collect();
        TableSum::new(set, weights).unwrap()
    }

    #[test]
    fn tables_are_read_back_to_the_bit() {
        let written = tensors_of(&tables()).bytes();
        let read = tables_of(&Tensors::parse(&written).unwrap()).unwrap();
        assert_eq!(read.weights(), tables().weights());
        assert_eq!(tensors_of(&read).bytes(), written);
        let limited = tensors_of(&tables().covering_at_most(Some(2)));
        assert_eq!(tables_of(&limited).unwrap().most_covered(), Some(2));
        assert_eq!(read.most_covered(), None);
    }

    #[test]
    fn foreign_and_damaged_tables_are_refused_with_their_place() {
        let problem = |change: fn(&mut Tensors)| {
            let mut tensors = tensors_of(&tables());
            change(&mut tensors);
            tables_of(&tensors).unwrap_err()
        };
        assert_eq!(
            problem(|tensors| tensors.words.clear()),
            "expected lookup tables, found no board size"
        );
        assert_eq!(
            problem(|tensors| tensors.words[1].1 = "3".to_owned()),
            "boards of 4x3 are not supported"
        );
        assert_eq!(
            problem(|tensors| tensors.arrays[0].name = "layer.0.weight".to_owned()),
            "there is no table 'layer.0.weight'"
        );
        assert_eq!(
            problem(|tensors| {
                tensors.arrays[0].numbers.pop();
            }),
            "tensor 'heights(with=place)': expected 14 entries, found 13"
        );
        assert_eq!(
            problem(|tensors| tensors.arrays[0].numbers[3] = f32::NAN),
            "tensor 'heights(with=place)': entry 3 is NaN, not a finite number"
        );
        assert_eq!(
            problem(|tensors| tensors.say(COVERS, "many")),
            "'covers' must be a number"
        );
    }
}

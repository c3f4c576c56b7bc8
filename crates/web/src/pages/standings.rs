//! Standings of published players: the committed results of `experiments/standings`.

use serde_json::{Value, json};

/// The results compiled into the program. A test compares them with those of the repository.
const STANDINGS: [&str; 4] = [
    include_str!("../../standings/simplified-10x10.json"),
    include_str!("../../standings/rv-ce-10x10.json"),
    include_str!("../../standings/simplified-10x16.json"),
    include_str!("../../standings/simplified-10x20.json"),
];

/// The results of all players, grouped by ruleset, best first.
#[must_use]
pub fn standings() -> Value {
    let files = STANDINGS
        .iter()
        .map(|text| serde_json::from_str::<Value>(text));
    let files = files.filter_map(Result::ok);
    let mut rows: Vec<Value> = files
        .flat_map(|file| file["results"].as_array().cloned().unwrap_or_default())
        .collect();
    let place = |row: &Value| row["ruleset"].as_str().unwrap_or_default().to_owned();
    let mean = |row: &Value| row["lines"]["mean"].as_f64().unwrap_or(0.0);
    rows.sort_by(|one, other| {
        let rulesets = place(one).cmp(&place(other));
        rulesets.then(mean(other).total_cmp(&mean(one)))
    });
    json!({ "results": rows })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[test]
    fn the_standings_are_those_of_the_repository() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let repository = here.join("../../experiments/standings");
        // A package of this crate alone is not inside the repository.
        let Ok(files) = std::fs::read_dir(repository) else {
            return;
        };
        for file in files {
            let path = file.unwrap().path();
            let own = here.join("standings").join(path.file_name().unwrap());
            let text = |path: &Path| std::fs::read_to_string(path).unwrap();
            assert_eq!(
                text(&own),
                text(&path),
                "copy {} to crates/web/standings",
                path.display()
            );
        }
    }
}

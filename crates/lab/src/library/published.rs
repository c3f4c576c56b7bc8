//! The published players, and those learned by tetrolab itself, each in a data file with its
//! source.

macro_rules! published {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../players/", $name, ".toml")))),*]
    };
}

/// Every published player: its name and its file. To add one: write its file under
/// `crates/lab/players/`, add its line here.
pub const PUBLISHED: &[(&str, &str)] = published![
    "dellacherie",
    "bcts",
    "bdu",
    "ce-6",
    "boumaza-6",
    "boumaza-8",
    "dt-10",
    "dt-20",
    "misakamm-v2",
    "near-perfect",
    "el-tetris",
    "fahey-two-piece",
    "xtris",
    "lspi-thiery",
    "pso-nus",
    "strategies",
    "thesis-4",
    "thesis-5",
    "thesis-6",
    "thesis-7",
    "thesis-8",
    "thesis-10",
    "thesis-14",
    "rv-ce",
    "wary-10",
    "wary-20",
];

macro_rules! published_models {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../players/", $name)))),*]
    };
}

/// The files of lookup tables that published players use. To add one: put it next to the player's
/// file, add its line here.
const PUBLISHED_MODELS: &[(&str, &[u8])] =
    published_models!["wary-10.safetensors", "wary-20.safetensors"];

/// The text of a published player's file, and its name in errors.
pub(super) fn published_file(name: &str) -> Option<(&'static str, String)> {
    let text = PUBLISHED.iter().find(|row| row.0 == name)?.1;
    Some((text, format!("players/{name}.toml")))
}

/// The bytes of a file that a published player refers to.
pub(super) fn published_model(name: &str) -> Option<&'static [u8]> {
    let model = PUBLISHED_MODELS.iter().find(|row| row.0 == name);
    model.map(|row| row.1)
}

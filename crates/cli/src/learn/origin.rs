//! The sources of a plan's settings, in terms of the command line.

use tetrolab::learning::{SettingOrigin, SettingOrigins};

/// The source of each setting, by the name of its field.
#[derive(Debug, Default)]
pub(super) struct Origins(pub(super) SettingOrigins);

impl Origins {
    /// The source of a setting, if known.
    pub(super) fn of(&self, field: &str) -> Option<String> {
        self.0.get(field).map(|origin| match origin {
            SettingOrigin::Given => "given".to_owned(),
            SettingOrigin::GivenButGenerations(name) => format!("given; generations from {name}"),
            SettingOrigin::Start => "from --start".to_owned(),
            SettingOrigin::From(name) => format!("from {name}"),
            SettingOrigin::Default => "default".to_owned(),
        })
    }
}

//! Where the settings of a plan come from, in the words of the command line.

use tetrolab::learning::{SettingOrigin, SettingOrigins};

/// Where each setting comes from, by the name of its field.
#[derive(Debug, Default)]
pub(super) struct Origins(pub(super) SettingOrigins);

impl Origins {
    /// Where a setting comes from, if it is known.
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

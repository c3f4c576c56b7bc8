//! Settings of learners and objectives, each declared once: name, help, default, limits and type.

use tetrolab_core::network::{Activation, Initialisation};
use tetrolab_core::spec::Spec;

/// Declares a struct whose fields are settings. `SETTINGS` lists them for the registry and for
/// users, and `read` takes their values from checked settings.
///
/// The doc comment of a field is its help. A field without one is a [`Setting`] that several
/// learners share: `range: f64 = RANGE;`.
///
/// [`Setting`]: tetrolab_core::settings::Setting
macro_rules! settings {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $($(#[doc = $help:literal])* $id:ident: $type:ty = $default:tt $(in $kind:expr)?;)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug)]
        #[allow(dead_code, reason = "the driver of runs reads some settings by their names")]
        $visibility struct $name {
            $($visibility $id: $type,)*
        }

        impl $name {
            /// The settings.
            $visibility const SETTINGS: &'static [tetrolab_core::settings::Setting] = &[
                $($crate::settings::settings!(@one $id [$($help)*] $default $($kind)?)),*
            ];

            /// The values of checked settings.
            $visibility fn read(settings: &tetrolab_core::settings::Settings) -> $name {
                $name {
                    $($id: $crate::settings::FromSetting::read(settings.part(stringify!($id))),)*
                }
            }
        }
    };
    (@one $id:ident [] $shared:ident) => {
        $shared
    };
    (@one $id:ident [$($help:literal)+] $default:literal $kind:expr) => {
        tetrolab_core::settings::Setting {
            id: stringify!($id),
            help: concat!($($help),+).trim_ascii_start(),
            default: Some($default),
            kind: $kind,
        }
    };
}

pub(crate) use settings;

/// The type of a setting's value. Values have been checked: they are of the setting's kind.
pub(crate) trait FromSetting {
    fn read(value: &Spec) -> Self;
}

macro_rules! parsed {
    ($($type:ty),*) => {
        $(impl FromSetting for $type {
            fn read(value: &Spec) -> $type {
                value.name.parse().expect("settings are checked when they are made")
            }
        })*
    };
}

parsed!(bool, usize, u32, u64, f64, String);

impl FromSetting for f32 {
    /// Rounded from 64 bits, in which every number is parsed.
    fn read(value: &Spec) -> f32 {
        f64::read(value) as f32
    }
}

impl FromSetting for Activation {
    fn read(value: &Spec) -> Activation {
        Activation::from_name(&value.name).expect("settings are checked when they are made")
    }
}

impl FromSetting for Initialisation {
    fn read(value: &Spec) -> Initialisation {
        Initialisation::from_name(&value.name).expect("settings are checked when they are made")
    }
}

impl FromSetting for Spec {
    fn read(value: &Spec) -> Spec {
        value.clone()
    }
}

/// A count that may be `auto`.
impl FromSetting for Option<usize> {
    fn read(value: &Spec) -> Option<usize> {
        value.name.parse().ok()
    }
}

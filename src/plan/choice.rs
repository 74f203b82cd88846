//! Enums that a person chooses from: each variant knows its text key, each enum all its variants.

/// A closed list of alternatives, in the order in which they are offered.
pub trait Choice: Copy + PartialEq + 'static {
    /// Every alternative.
    const ALL: &'static [Self];

    /// Key of its name in the localisation files; `<key>-hint` is the longer explanation.
    fn key(self) -> &'static str;
}

/// Declares an enum with its text keys and implements [`Choice`] for it.
macro_rules! choices {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $key:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$variant_meta])* $variant,)+ }

        impl $crate::plan::Choice for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn key(self) -> &'static str {
                match self { $(Self::$variant => $key,)+ }
            }
        }
    };
}

pub(crate) use choices;

//! Methods and conversions that builders have in common.

/// Declares methods that set a field, or the value of an `Option`: `title => data.title: String;`.
macro_rules! setters {
    ($($(#[$doc:meta])+ $name:ident => $($field:ident).+: $type:ty;)+) => {$(
        $(#[$doc])+
        #[must_use]
        pub fn $name(mut self, value: impl Into<$type>) -> Self {
            let value: $type = value.into();
            self.$($field).+ = value.into();
            self
        }
    )+};
}

/// Implements `From` for several types: `from_each!(Status: &str, String; text => Self::new(text));`.
macro_rules! from_each {
    ($name:ident: $($type:ty),+; $value:ident => $made:expr) => {$(
        impl From<$type> for $name {
            fn from($value: $type) -> Self {
                $made
            }
        }
    )+};
}

pub(crate) use {from_each, setters};

//! Who owns a file, and whether others can change it.

pub(crate) use footlight::ownership::Ownership;

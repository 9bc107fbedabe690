//! The surfaces, over one set of fixtures.

mod bounds;
mod fixtures;
mod page;
mod safe;
mod snapshots;

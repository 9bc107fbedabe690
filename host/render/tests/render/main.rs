//! The surfaces, over one set of fixtures.

mod any;
mod attacks;
mod bounds;
mod fixtures;
mod page;
mod promises;
mod safe;
mod snapshots;

//! Tests of the surfaces over a common set of fixtures.

mod allow_list;
mod any;
mod attacks;
mod bounds;
mod fixtures;
mod formulas;
mod page;
mod promises;
mod safe;
mod snapshots;
mod visible;

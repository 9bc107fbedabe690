//! The host of Footlight, for embedders: policy, plugins, models, sessions, store.
//!
//! Nothing is here yet. What comes, in reading order: `policy` (the pure function that decides),
//! `plugin` (load, describe, call), `model` (language models), `session` (the completion loop),
//! `store` (the record on disk).
//!
//! Invariant: it knows no renderer and no surface. Calls go down, items come up, nothing else
//! crosses.

#![forbid(unsafe_code)]

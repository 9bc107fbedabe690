//! Every test that needs WebAssembly or the whole tree: one binary, a file per promise.

#![forbid(unsafe_code)]

/// The contract: a bare host binds, describes and runs what the SDK builds.
mod contract;

/// The manifest travels inside the component.
mod manifest;

/// Old plugins keep working.
mod compat;

/// The same contract in Python.
mod python;

/// The SDK as it is published.
mod published;

/// What a reviewer would otherwise check by eye.
mod tidy;

/// The host as an embedder meets it.
mod host;

/// The completion loop, its record, and what waits for a person.
mod session;

/// What a person presses.
mod actions;

/// Sessions whose process is killed.
mod killed;

/// Sessions that end in the middle.
mod restart;

/// Every wire against a server that others wrote.
mod wires;

/// Whatever a session holds, the model can be sent it.
mod prefix;

/// What a person decides and answers.
mod approvals;

/// Which test shows which promise.
mod promises;

/// What an embedder copies.
mod examples;

/// Attacks on a single call.
mod rogue;

/// What `rogue` is called with, and how each call must end.
mod rogue_cases;

/// Components that no compiler would emit.
mod attackers;

/// Everything a plugin can show, on every surface.
mod gallery;

/// The same in a browser.
mod browser;

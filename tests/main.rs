//! Every test that needs WebAssembly or the whole repository, in one binary.

#![forbid(unsafe_code)]

/// The contract, on a host made of wasmtime alone.
mod contract;

/// The manifest inside a component.
mod manifest;

/// Old plugins keep working.
mod compat;

/// The same plugin in three languages.
mod languages;

/// The SDK as it is published.
mod published;

/// Pages of the authoring guide that are generated, with pictures.
mod guide;

/// Links between documents.
mod links;

/// The chapters of the book.
mod chapters;

/// Rules that a reviewer would otherwise check by eye.
mod tidy;

/// The host as an embedder uses it.
mod host;

/// The completion loop, its record, and what is pending.
mod session;

/// Several people on one host.
mod people;

/// The server, over real connections.
mod serve;

/// The page of the server, in a real browser.
mod page;

/// Actions in widgets.
mod actions;

/// Results that are widgets.
mod hydration;

/// Widget files as tools.
mod widget_files;

/// Prompts that run again.
mod retries;

/// What a stranger can make the disk grow by.
mod disk;

/// Sessions whose process is killed by `kill -9`.
mod killed;

/// Sessions whose process ends in the middle of a turn.
mod restart;

/// Turns that are suspended.
mod suspended;

/// Every wire against a third-party server.
mod wires;

/// Every prefix of a session is a valid request to a model.
mod prefix;

/// What a model reads of plugins, and a person of faults.
mod reads;

/// Approvals and questions.
mod approvals;

/// The table of promises.
mod promises;

/// The tables of attacks.
mod adversarial;

/// The examples of the library.
mod examples;

/// Cancelled calls.
mod cancelled;

/// Files in granted folders.
mod files;

/// Attacks on a single call.
mod rogue;

/// The calls of `rogue`, and how each must end.
mod rogue_cases;

/// Random sequences of host calls, compared with a model.
mod op_sequences;

/// The example plugins that work with powers.
mod example_plugins;

/// The network of plugins: grants, exchanges, secrets and the record.
mod network;

/// Components that no compiler would emit.
mod attackers;

/// Everything a plugin can show, on every surface.
mod gallery;

/// The gallery in a browser.
mod browser;

//! End-to-end tests of `run`, `chat` and related commands, each with its own data folder.

mod machine;

#[path = "../shared/mod.rs"]
mod shared;

#[path = "../../../../tests/src/folder_size.rs"]
#[expect(unreachable_pub, reason = "the file is a module of a library too")]
mod folder_size;

#[cfg(unix)]
#[path = "../../../../tests/src/random.rs"]
#[expect(
    dead_code,
    unreachable_pub,
    reason = "the file is a module of a library too"
)]
mod random;

#[cfg(unix)]
#[path = "../../../../tests/src/programs.rs"]
#[expect(unreachable_pub, reason = "the file is a module of a library too")]
mod programs;

#[cfg(unix)]
mod terminal;

mod run;
mod thoughts;

mod traced;

#[cfg(unix)]
mod cases;

mod pending;

#[cfg(unix)]
mod interrupted;

#[cfg(unix)]
mod reload;

mod grants;

mod consents;

#[cfg(unix)]
mod powers;

#[cfg(unix)]
mod plugins;

#[cfg(unix)]
mod flags;

#[cfg(unix)]
mod folders;

#[cfg(unix)]
mod secrets;

#[cfg(unix)]
mod serve;
mod serving;

#[cfg(unix)]
mod dev;

#[cfg(unix)]
mod remote;

#[cfg(unix)]
mod killed_server;

mod chat;

#[cfg(unix)]
mod edges;

mod models;

mod drawing;

mod json;

mod outputs;

#[cfg(unix)]
mod keyboard;

#[cfg(unix)]
mod native_code;

#[cfg(unix)]
mod signals;

#[cfg(unix)]
mod resumed_builds;

#[cfg(unix)]
mod permissions;

#[cfg(target_os = "linux")]
mod odd_paths;

#[cfg(unix)]
mod project_file;

#[cfg(unix)]
mod identity;

#[cfg(unix)]
mod bounded;

#[cfg(target_os = "linux")]
mod child_compiler;

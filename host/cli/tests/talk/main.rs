//! `run`, `chat` and what belongs to them, as a person runs them: the data in a folder of its own.

mod machine;

#[cfg(unix)]
mod terminal;

mod run;

mod waiting;

mod rules;

mod chat;

mod models;

mod drawing;

mod outputs;

#[cfg(unix)]
mod keyboard;

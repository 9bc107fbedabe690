//! Works with the files of one folder that the person chose.
//!
//! | tool | what it returns |
//! | --- | --- |
//! | `list` | the entries of a folder, to any depth |
//! | `search` | the files or the lines that match a regular expression |
//! | `read` | lines of a text file, for the model |
//! | `show` | nothing but an id: the file, or the picture, is for the person alone |
//! | `diff` | the differences between two files |
//! | `write` | the change that it made, after the person has approved it |
//!
//! Files are read with `std::fs`. The plugin checks paths only to give the model a clear answer: what
//! keeps it inside the folder is the host, which gives it nothing else.
//!
//! Every loop has a bound with a number, and a result that is incomplete says so.

#![forbid(unsafe_code)]

mod change;
mod compare;
mod folder;
mod glob;
mod list;
mod pattern;
mod read;
mod search;
mod show;
mod text;
mod tools;
mod walk;
mod write;

#[cfg(test)]
mod tests;

use footlight_sdk::prelude::*;

plugin!(
    tools: [
        tools::list,
        tools::search,
        tools::read,
        tools::show,
        tools::diff,
        tools::write,
    ],
    instructions: "Paths are relative to the one folder that the person chose. When the person wants \
                   to look at a file (\"show me\"), call `show`; when you have to know its content \
                   (\"fix\", \"explain\"), call `read`. `write` replaces a whole file.",
);

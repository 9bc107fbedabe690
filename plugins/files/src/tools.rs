//! The tools: their arguments, and what the model reads about them.

use crate::folder::Folder;
use crate::text::Range;
use footlight_sdk::prelude::*;

/// Lists the files and folders in a folder: names and sizes, or the whole tree below it.
#[tool(
    read_only,
    title = "List files",
    example = "List the files in src",
    example = "What is in this folder?"
)]
pub(crate) fn list(
    stage: &Stage,
    /// The folder to list; the whole folder if absent.
    folder: Option<String>,
    /// How many levels to descend.
    #[arg(default = 1, range = 1..=20)]
    depth: u8,
    /// Only files that match one of these globs, such as `*.rs` or `src/**/*.txt`.
    globs: Option<Vec<String>>,
    /// Whether hidden files and folders, `target`, `node_modules` and caches are listed, too.
    #[arg(default = false)]
    hidden: bool,
) -> Result<FileList> {
    crate::list::run(
        stage,
        &Folder::granted(),
        &crate::list::Query {
            folder: folder.unwrap_or_default(),
            depth: usize::from(depth),
            globs: globs.unwrap_or_default(),
            hidden,
        },
    )
}

/// Searches the content of files: which files mention or contain a word or match a regular
/// expression, how often, and where.
#[tool(
    read_only,
    title = "Search files",
    example = "Which files mention wasmtime?",
    example = "Search for \"fn main\"",
    example = "Find the files that contain unsafe"
)]
pub(crate) fn search(
    stage: &Stage,
    /// A word or a regular expression.
    #[arg(length = 1..=400)]
    pattern: String,
    /// The folder to search; the whole folder if absent.
    folder: Option<String>,
    /// Only files that match one of these globs, such as `*.rs` or `src/**/*.txt`; `!` in front excludes.
    globs: Option<Vec<String>>,
    /// Whether capital and small letters differ.
    #[arg(default = false)]
    case_sensitive: bool,
    /// One row for each matching line, instead of one for each file.
    #[arg(default = false)]
    each_line: bool,
    /// Whether hidden files and folders, `target`, `node_modules` and caches are searched, too.
    #[arg(default = false)]
    hidden: bool,
) -> Result<Table> {
    crate::search::run(
        stage,
        &Folder::granted(),
        &crate::search::Query {
            pattern,
            folder: folder.unwrap_or_default(),
            globs: globs.unwrap_or_default(),
            case_sensitive,
            each_line,
            hidden,
        },
    )
}

/// Reads a text file, or a range of its lines, in order to answer a question about it or to fix it.
/// To let the person look at a file, call `show` instead.
#[tool(
    read_only,
    title = "Read a file",
    example = "Read \"src/main.rs\"",
    example = "Fix the typo in \"README.md\""
)]
pub(crate) fn read(
    /// The file.
    #[arg(length = 1..=1_024)]
    path: String,
    /// The first line, counted from 1.
    #[arg(default = 1, range = 1..=100_000_000)]
    from: u32,
    /// The most lines to read.
    #[arg(default = 500, range = 1..=5_000)]
    lines: u32,
) -> Result<FileContent> {
    crate::read::run(&Folder::granted(), &path, Range::new(from, lines))
}

/// Shows a file, a range of its lines or a picture to the person, and nothing of it to the model. Use
/// it when the person wants to look ("show me", "open", "display"); to fix or explain a file, call
/// `read`.
#[tool(
    read_only,
    title = "Show a file",
    example = "Show me \"src/main.rs\"",
    example = "Show me the picture \"logo.png\"",
    example = "Open \"notes.txt\""
)]
pub(crate) fn show(
    stage: &Stage,
    /// The file.
    #[arg(length = 1..=1_024)]
    path: String,
    /// The first line, counted from 1; the whole file if absent.
    #[arg(range = 1..=100_000_000)]
    from: Option<u32>,
    /// The most lines to show.
    #[arg(range = 1..=100_000)]
    lines: Option<u32>,
) -> Result<Text> {
    let range = Range::new(from.unwrap_or(1), lines.unwrap_or(u32::MAX));
    crate::show::run(stage, &Folder::granted(), &path, range)
}

/// Compares two text files, and returns the differences between them as a diff.
#[tool(
    read_only,
    title = "Compare two files",
    example = "Compare \"old.txt\" with \"new.txt\""
)]
pub(crate) fn diff(
    /// The file before.
    #[arg(length = 1..=1_024)]
    before: String,
    /// The file after.
    #[arg(length = 1..=1_024)]
    after: String,
) -> Result<Diff> {
    crate::change::between(&Folder::granted(), &before, &after)
}

/// Writes a text file: creates it, or replaces all of its content. The person sees the change and
/// decides. Read the file first.
#[tool(
    destructive,
    idempotent,
    requests = "files.write",
    title = "Write a file"
)]
pub(crate) fn write(
    stage: &Stage,
    /// The file.
    #[arg(length = 1..=1_024)]
    path: String,
    /// The whole new content.
    #[arg(length = 0..=1_000_000)]
    content: String,
) -> Result<Diff> {
    crate::write::run(stage, &Folder::granted(), &path, &content)
}

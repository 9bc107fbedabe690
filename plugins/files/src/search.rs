//! `search`: the files or lines that match a pattern.

use crate::folder::{Folder, Place};
use crate::glob::Globs;
use crate::pattern::Pattern;
use crate::text::{is_binary, shortened};
use crate::walk::{MAX_ENTRIES, Skipped, Walk};
use footlight_sdk::kinds::EntryType;
use footlight_sdk::prelude::*;
use std::fs::File;
use std::io::Read;

/// The deepest folder.
const MAX_DEPTH: usize = 64;
/// The most files and bytes that one search reads, and the largest file.
const MAX_FILES: usize = 20_000;
const MAX_BYTES: u64 = 64 << 20;
const MAX_FILE: u64 = 4 << 20;
/// The most rows of the result, and characters of a line in it.
const MAX_ROWS: usize = 200;
const MAX_LINE_CHARS: usize = 160;
/// The number of files between two reports of progress.
const REPORTED: usize = 100;

/// What to search for, and where.
pub(crate) struct Query {
    pub(crate) pattern: String,
    pub(crate) folder: String,
    pub(crate) globs: Vec<String>,
    pub(crate) case_sensitive: bool,
    pub(crate) each_line: bool,
    pub(crate) hidden: bool,
}

/// A file with matches, and its first match.
#[derive(Serialize)]
struct FileRow {
    file: String,
    matches: usize,
    line: usize,
    text: String,
}

/// A line that matches.
#[derive(Serialize)]
struct LineRow {
    file: String,
    line: usize,
    text: String,
}

/// What a search found, and what it did not look at.
#[derive(Default)]
struct Report {
    files: Vec<FileRow>,
    lines: Vec<LineRow>,
    searched: usize,
    bytes: u64,
    matching_files: usize,
    matching_lines: usize,
    binary: usize,
    too_large: usize,
    unreadable: usize,
    skipped: Skipped,
    stopped: Option<String>,
}

pub(crate) fn run(stage: &Stage, folder: &Folder, query: &Query) -> Result<Table> {
    let start = folder.resolve(&query.folder)?;
    let (pattern, globs) = (
        Pattern::new(&query.pattern, query.case_sensitive)?,
        Globs::new(&query.globs)?,
    );
    let mut report = Report::default();
    // A single file can be searched as well.
    if std::fs::metadata(&start.path).is_ok_and(|metadata| metadata.is_file()) {
        report.search(&start, &pattern);
        return Ok(report.table(query));
    }
    let mut walk = Walk::new(stage, &start, MAX_DEPTH, query.hidden)?;
    for found in walk.by_ref() {
        let found = found?;
        if found.entry_type != EntryType::File || !globs.admit(&found.place.name) {
            continue;
        }
        if report.searched == MAX_FILES {
            report.stopped = Some(format!("stopped after {MAX_FILES} files"));
            break;
        }
        if report.bytes >= MAX_BYTES {
            report.stopped = Some(format!("stopped after {} MiB", MAX_BYTES >> 20));
            break;
        }
        if report.searched.is_multiple_of(REPORTED) {
            stage.ensure_not_cancelled()?;
            stage.progress(format!("{} files searched", report.searched));
        }
        report.search(&found.place, &pattern);
    }
    report.unreadable += walk.unreadable;
    report.skipped = walk.skipped;
    if walk.is_cut {
        report.stopped = Some(format!("stopped after {MAX_ENTRIES} entries"));
    }
    Ok(report.table(query))
}

impl Report {
    /// Searches one file. A file that cannot be read is counted: others may still match.
    fn search(&mut self, file: &Place, pattern: &Pattern) {
        self.searched += 1;
        let mut content = Vec::new();
        let read = File::open(&file.path)
            .and_then(|opened| opened.take(MAX_FILE + 1).read_to_end(&mut content));
        self.bytes += content.len() as u64;
        if read.is_err() {
            self.unreadable += 1;
        } else if content.len() as u64 > MAX_FILE {
            self.too_large += 1;
        } else if is_binary(&content) {
            self.binary += 1;
        } else {
            self.search_text(&file.name, &String::from_utf8_lossy(&content), pattern);
        }
    }

    fn search_text(&mut self, name: &str, text: &str, pattern: &Pattern) {
        if pattern.is_absent(text) {
            return;
        }
        let lines = text.lines().enumerate();
        let mut matches = lines.filter(|(_, line)| pattern.is_in(line)).peekable();
        let Some((first, first_line)) = matches.peek().copied() else {
            return;
        };
        let mut count = 0;
        for (number, line) in matches {
            count += 1;
            if self.lines.len() < MAX_ROWS {
                self.lines.push(LineRow {
                    file: name.to_owned(),
                    line: number + 1,
                    text: shortened(line.trim(), MAX_LINE_CHARS),
                });
            }
        }
        self.matching_files += 1;
        self.matching_lines += count;
        if self.files.len() < MAX_ROWS {
            self.files.push(FileRow {
                file: name.to_owned(),
                matches: count,
                line: first + 1,
                text: shortened(first_line.trim(), MAX_LINE_CHARS),
            });
        }
    }

    fn table(self, query: &Query) -> Table {
        let summary = self.summary(query);
        let (table, listed) = if query.each_line {
            let listed = self.lines.iter();
            let listed = listed.map(|row| format!("{}:{}: {}", row.file, row.line, row.text));
            (Table::rows(&self.lines), listed.collect::<Vec<_>>())
        } else {
            let listed = self.files.iter();
            let listed = listed.map(|row| {
                let (file, count, line, text) = (&row.file, row.matches, row.line, &row.text);
                format!("{file} ({count}), first in line {line}: {text}")
            });
            let table = Table::rows(&self.files).align("matches", Align::Right);
            (table, listed.collect())
        };
        let for_model = format!("{summary}\n{}", listed.join("\n"));
        table
            .align("line", Align::Right)
            .summary(summary)
            .for_model(for_model)
    }

    /// Says in one line what was found and what was left out.
    fn summary(&self, query: &Query) -> String {
        let pattern = shortened(&query.pattern, 40);
        let mut said = match self.matching_lines {
            0 => format!("`{pattern}` is in none of {} files", self.searched),
            lines => {
                let plural = if lines == 1 { "" } else { "s" };
                let (files, searched) = (self.matching_files, self.searched);
                format!("`{pattern}` is in {files} of {searched} files, in {lines} line{plural}")
            }
        };
        let (rows, all) = match query.each_line {
            true => (self.lines.len(), self.matching_lines),
            false => (self.files.len(), self.matching_files),
        };
        if rows < all {
            said.push_str(&format!("; {rows} of {all} are listed"));
        }
        for (count, what) in [
            (self.binary, "binary"),
            (self.too_large, "larger than 4 MiB"),
            (self.unreadable, "unreadable"),
        ] {
            if count > 0 {
                said.push_str(&format!("; {count} {what} skipped"));
            }
        }
        for skipped in self.skipped.in_words() {
            said.push_str(&format!("; {skipped}"));
        }
        if let Some(why) = &self.stopped {
            said.push_str(&format!("; {why}"));
        }
        said
    }
}

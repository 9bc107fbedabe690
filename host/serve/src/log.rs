//! What a plugin logs and prints, as lines that a surface can show.
//!
//! Invariant: a line has passed the filter, and both its length and the number of lines have a limit.

use footlight::LogSource;
use footlight_render::filter;
use footlight_vocabulary::escape::cut;
use std::collections::VecDeque;

/// The most bytes of a line.
const MAX_LINE: usize = 1 << 10;

/// The last lines of a log.
#[derive(Debug, Clone)]
pub(crate) struct LogLines {
    lines: VecDeque<String>,
    most: usize,
}

impl LogLines {
    /// Creates a log that keeps its last `most` lines.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            lines: VecDeque::new(),
            most,
        }
    }

    /// Adds a line, with a word for where it was written.
    pub(crate) fn push(&mut self, source: LogSource, text: &str) {
        let from = match source {
            LogSource::Log(level) => level.as_str(),
            LogSource::Stdout => "stdout",
            LogSource::Stderr => "stderr",
        };
        let text = filter::clean_line(cut(text, MAX_LINE));
        self.add(format!("{from}: {text}"));
    }

    /// Adds a line of another source.
    pub(crate) fn push_line(&mut self, line: &str) {
        self.add(filter::clean_line(cut(line, MAX_LINE)).to_string());
    }

    fn add(&mut self, line: String) {
        if self.lines.len() == self.most {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }

    pub(crate) fn to_vec(&self) -> Vec<String> {
        self.lines.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use footlight::LogLevel;

    #[test]
    fn the_last_lines_are_kept_filtered_and_short() {
        let mut log = LogLines::new(2);
        log.push(LogSource::Stdout, "first");
        log.push(LogSource::Log(LogLevel::Warn), "a\u{1b}[2Jb\u{202e}\nc");
        log.push(LogSource::Stderr, &"\u{e9}".repeat(MAX_LINE));
        let [styled, long] = log.to_vec().try_into().expect("two lines");
        assert_eq!(styled, "warn: ab c");
        assert_eq!(long, format!("stderr: {}", "\u{e9}".repeat(MAX_LINE / 2)));
    }
}

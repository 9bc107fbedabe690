//! Asking for leave: what the host knows, then the plugin's words, then what each verdict covers.
//!
//! Invariant: what is not plainly a yes is a no.

use super::{Terminal, quoted, read_line};
use footlight_render::filter;
use footlight_render::terminal::Terminal as ShownOn;
use footlight_render::view::{Inline, Role, Text, View};
use footlight_vocabulary::item::Verdict;
use serde_json::Value;
use std::io::{self, Write};

/// How many lines of a plugin's words an approval shows.
const WORDS: usize = 8;

/// How many lines of an input are shown before somebody wants to see all of it.
const INPUT: usize = 24;

/// What leave is wanted for. What the host knows comes first, the plugin's words last.
#[derive(Debug)]
pub(crate) struct Wanted<'a> {
    /// The plugin's id.
    pub(crate) plugin: &'a str,
    /// The tool's name.
    pub(crate) tool: &'a str,
    /// The call's input, exactly.
    pub(crate) input: &'a Value,
    /// The manifest's action, where one is asked for and not the call itself.
    pub(crate) action: Option<&'a str>,
    /// What else the host knows: at egress method, host, path, size.
    pub(crate) facts: &'a [String],
    /// What it is about, word for word.
    pub(crate) subject: Option<&'a str>,
    /// Why, and what about, in the plugin's words.
    pub(crate) words: &'a [&'a str],
    /// The verdicts that can be given, and what each would cover.
    pub(crate) offers: &'a [(Verdict, &'a str)],
}

impl Wanted<'_> {
    /// What `--allow` and `--deny` call it. Leave for an action is not leave for the call that may
    /// ask for it, and the reverse.
    pub(crate) fn name(&self) -> String {
        match self.action {
            Some(action) => action.to_owned(),
            None => format!("{}.{}", self.plugin, self.tool),
        }
    }

    fn offers(&self, verdict: Verdict) -> bool {
        // A no can always be said.
        verdict == Verdict::Deny || self.offers.iter().any(|(known, _)| *known == verdict)
    }
}

/// A verdict in a word.
pub(crate) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Deny => "denied",
        Verdict::Once => "allowed once",
        Verdict::Session => "allowed for this session",
        Verdict::Always => "allowed always",
    }
}

/// Shows what is wanted, and reads a verdict, with words for the model after it. An empty line or
/// the end of input is a no.
pub(super) fn decide(
    wanted: &Wanted<'_>,
    terminal: &mut Terminal,
) -> io::Result<(Verdict, Option<String>)> {
    let Terminal {
        input,
        output,
        shown_on,
        ..
    } = terminal;
    let text = filter::exact(wanted.input);
    let is_cut = text.lines().count() > INPUT;
    describe(wanted, &text, is_cut, shown_on, output)?;
    loop {
        write!(
            output,
            "your verdict, and words for the model if you like [deny]: "
        )?;
        output.flush()?;
        let Some(line) = read_line(input.as_mut(), output)? else {
            return Ok((Verdict::Deny, None));
        };
        let line = line.trim();
        let (first, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let words = Some(words.trim())
            .filter(|words| !words.is_empty())
            .map(str::to_owned);
        let verdict = match first.to_lowercase().as_str() {
            "" | "d" | "deny" | "n" | "no" => Some(Verdict::Deny),
            "o" | "once" | "y" | "yes" => Some(Verdict::Once),
            "s" | "session" => Some(Verdict::Session),
            "a" | "always" => Some(Verdict::Always),
            "v" | "view" if is_cut => {
                writeln!(output, "{text}")?;
                continue;
            }
            _ => None,
        };
        match verdict.filter(|verdict| wanted.offers(*verdict)) {
            Some(verdict) => return Ok((verdict, words)),
            None => writeln!(output, "that is no answer; write one of the letters")?,
        }
    }
}

/// Everything that a person needs to know.
pub(crate) fn describe(
    wanted: &Wanted<'_>,
    text: &str,
    is_cut: bool,
    shown_on: &ShownOn,
    output: &mut dyn Write,
) -> io::Result<()> {
    let name = filter::line(&wanted.name(), 100);
    writeln!(output, "\nleave is wanted for {name}")?;
    writeln!(output, "  plugin   {}", filter::line(wanted.plugin, 60))?;
    writeln!(output, "  tool     {}", filter::line(wanted.tool, 60))?;
    let most = if is_cut { INPUT } else { usize::MAX };
    writeln!(output, "  input    {}", indented(text, most))?;
    for fact in wanted.facts {
        writeln!(output, "  fact     {}", filter::line(fact, 300))?;
    }
    if let Some(subject) = wanted.subject {
        let subject = filter::exact(&Value::from(subject));
        writeln!(output, "  subject  {subject}")?;
    }
    quote(wanted, shown_on, output)?;
    for (verdict, covers) in wanted.offers {
        let letter = match verdict {
            Verdict::Deny => "(d)eny   ",
            Verdict::Once => "(o)nce   ",
            Verdict::Session => "(s)ession",
            Verdict::Always => "(a)lways ",
        };
        writeln!(output, "  {letter}  {}", filter::line(covers, 600))?;
    }
    if is_cut {
        writeln!(output, "  (v)iew     all of the input")?;
    }
    Ok(())
}

/// The plugin's words, so that they cannot pass for ours.
fn quote(wanted: &Wanted<'_>, shown_on: &ShownOn, output: &mut dyn Write) -> io::Result<()> {
    // As they are, and without any emphasis that is not the host's.
    let words = Text::new(Role::Lines, Inline::plain(wanted.words.join("\n")));
    let mut lines = quoted(&View::Text(words), shown_on);
    lines.retain(|line| !line.trim().is_empty());
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(output, "the plugin says:")?;
    for line in lines.iter().take(WORDS) {
        writeln!(output, "  | {line}")?;
    }
    if lines.len() > WORDS {
        writeln!(output, "  ({} more lines)", lines.len() - WORDS)?;
    }
    Ok(())
}

/// Lines after the first stand under it.
fn indented(text: &str, most: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let shown = lines.iter().take(most).copied().collect::<Vec<_>>();
    let mut shown = shown.join("\n           ");
    if lines.len() > most {
        shown.push_str(&format!("\n           … {} more lines", lines.len() - most));
    }
    shown
}

//! Asking for leave: what the host knows, then the plugin's words, then what each verdict covers.
//!
//! Invariant: what is not plainly a yes is a no.

use super::{PromptTerminal, quoted, read_line};
use footlight_render::filter;
use footlight_render::terminal::Terminal as RenderTerminal;
use footlight_render::view::{Inline, Role, Text, View};
use footlight_vocabulary::item::Verdict;
use serde_json::Value;
use std::io::{self, Write};

/// How many lines of a plugin's words an approval shows.
const MAX_QUOTED_LINES: usize = 8;

/// How many lines of an input are shown before somebody wants to see all of it.
const MAX_INPUT_LINES: usize = 24;

/// What leave is prompt for. What the host knows comes first, the plugin's words last.
#[derive(Debug)]
pub(crate) struct ApprovalPrompt<'a> {
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

impl ApprovalPrompt<'_> {
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
pub(crate) fn verdict_text(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Deny => "denied",
        Verdict::Once => "allowed once",
        Verdict::Session => "allowed for this session",
        Verdict::Always => "allowed always",
    }
}

/// Shows what is prompt, and reads a verdict, with words for the model after it. An empty line or
/// the end of input is a no.
pub(super) fn decide(
    prompt: &ApprovalPrompt<'_>,
    terminal: &mut PromptTerminal,
) -> io::Result<(Verdict, Option<String>)> {
    let PromptTerminal {
        input,
        output,
        render,
        ..
    } = terminal;
    let text = filter::exact(prompt.input);
    let is_cut = text.lines().count() > MAX_INPUT_LINES;
    describe(prompt, &text, is_cut, render, output)?;
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
        match verdict.filter(|verdict| prompt.offers(*verdict)) {
            Some(verdict) => return Ok((verdict, words)),
            None => writeln!(output, "that is no answer; write one of the letters")?,
        }
    }
}

/// Everything that a person needs to know.
pub(crate) fn describe(
    prompt: &ApprovalPrompt<'_>,
    text: &str,
    is_cut: bool,
    render: &RenderTerminal,
    output: &mut dyn Write,
) -> io::Result<()> {
    let name = filter::line(&prompt.name(), 100);
    writeln!(output, "\nleave is prompt for {name}")?;
    writeln!(output, "  plugin   {}", filter::line(prompt.plugin, 60))?;
    writeln!(output, "  tool     {}", filter::line(prompt.tool, 60))?;
    let most = if is_cut { MAX_INPUT_LINES } else { usize::MAX };
    writeln!(output, "  input    {}", indented(text, most))?;
    for fact in prompt.facts {
        writeln!(output, "  fact     {}", filter::line(fact, 300))?;
    }
    if let Some(subject) = prompt.subject {
        let subject = filter::exact(&Value::from(subject));
        writeln!(output, "  subject  {subject}")?;
    }
    quote(prompt, render, output)?;
    for (verdict, covers) in prompt.offers {
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
fn quote(
    prompt: &ApprovalPrompt<'_>,
    render: &RenderTerminal,
    output: &mut dyn Write,
) -> io::Result<()> {
    // As they are, and without any emphasis that is not the host's.
    let words = Text::new(Role::Lines, Inline::plain(prompt.words.join("\n")));
    let mut lines = quoted(&View::Text(words), render);
    lines.retain(|line| !line.trim().is_empty());
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(output, "the plugin says:")?;
    for line in lines.iter().take(MAX_QUOTED_LINES) {
        writeln!(output, "  | {line}")?;
    }
    if lines.len() > MAX_QUOTED_LINES {
        writeln!(output, "  ({} more lines)", lines.len() - MAX_QUOTED_LINES)?;
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

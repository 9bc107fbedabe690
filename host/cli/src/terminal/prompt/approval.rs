//! Approval prompts: what the host knows, then the text of the plugin, then what each verdict covers.
//!
//! Invariant: everything but a clear yes is a no.

use super::{PromptTerminal, quoted, read_line};
use footlight_render::filter;
use footlight_render::terminal::Terminal as RenderTerminal;
use footlight_render::view::{Inline, Role, Text, View};
use footlight_vocabulary::item::Verdict;
use serde_json::Value;
use std::io::{self, Write};

/// How many lines of plugin text are shown.
const MAX_QUOTED_LINES: usize = 8;

/// How many lines of the input are shown before the person views all of it.
const MAX_INPUT_LINES: usize = 24;

const VERDICT_PROMPT: &[u8] = b"your verdict, and an optional comment for the model [deny]: ";

/// What an approval prompt shows.
#[derive(Debug)]
pub(crate) struct ApprovalPrompt<'a> {
    pub(crate) plugin: &'a str,
    pub(crate) tool: &'a str,
    /// The exact input of the call.
    pub(crate) input: &'a Value,
    /// The action, if the approval is for an action of the manifest and not for the call itself.
    pub(crate) action: Option<&'a str>,
    /// Other facts that the host knows, such as method, host and path of a network request.
    pub(crate) facts: &'a [String],
    /// The exact subject.
    pub(crate) subject: Option<&'a str>,
    /// Explanations in the words of the plugin.
    pub(crate) words: &'a [&'a str],
    /// The available verdicts, and what each would cover.
    pub(crate) offers: &'a [(Verdict, &'a str)],
}

impl ApprovalPrompt<'_> {
    /// Returns the name for `--allow` and `--deny`. Approving an action does not approve the call that
    /// requests it, nor the reverse.
    pub(crate) fn name(&self) -> String {
        match self.action {
            Some(action) => action.to_owned(),
            None => format!("{}.{}", self.plugin, self.tool),
        }
    }

    fn offers(&self, verdict: Verdict) -> bool {
        // Denying is always possible.
        verdict == Verdict::Deny || self.offers.iter().any(|(known, _)| *known == verdict)
    }
}

pub(crate) fn verdict_text(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Deny => "denied",
        Verdict::Once => "allowed once",
        Verdict::Session => "allowed for this session",
        Verdict::Always => "allowed always",
    }
}

/// Shows the prompt and reads a verdict, with an optional comment for the model. An empty line or
/// the end of input denies.
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
        output.write_all(VERDICT_PROMPT)?;
        output.flush()?;
        let Some(line) = read_line(input.as_mut(), output)? else {
            return Ok((Verdict::Deny, None));
        };
        let line = line.trim();
        let (first, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let words = Some(words.trim().to_owned()).filter(|words| !words.is_empty());
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
            None => writeln!(output, "not a verdict; write one of the letters")?,
        }
    }
}

/// Writes the facts, the text of the plugin and the verdicts.
pub(crate) fn describe(
    prompt: &ApprovalPrompt<'_>,
    text: &str,
    is_cut: bool,
    render: &RenderTerminal,
    output: &mut dyn Write,
) -> io::Result<()> {
    let name = filter::line(&prompt.name(), 100);
    writeln!(output, "\napproval needed for {name}")?;
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

/// Quotes the text of the plugin, so that it cannot imitate the host.
fn quote(
    prompt: &ApprovalPrompt<'_>,
    render: &RenderTerminal,
    output: &mut dyn Write,
) -> io::Result<()> {
    // Plain text: only the host may use emphasis.
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

/// Indents the lines after the first.
fn indented(text: &str, most: usize) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let more = format!("… {} more lines", lines.len().saturating_sub(most));
    if lines.len() > most {
        lines.truncate(most);
        lines.push(&more);
    }
    lines.join("\n           ")
}

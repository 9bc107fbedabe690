//! Approval prompts: what the host knows, then the text of the plugin, then what each verdict covers.
//!
//! Invariant: everything but a clear yes is a no.

use super::{PromptTerminal, quoted, read_line};
use footlight::policy::ApprovalRequest;
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

/// Returns the name for `--allow` and `--deny`. Approving an action does not approve the call that
/// requests it, nor the reverse.
pub(crate) fn approval_name(plugin: &str, request: &ApprovalRequest) -> String {
    match &request.binding.action {
        Some(action) => action.clone(),
        None => format!("{plugin}.{}", request.binding.tool),
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
    plugin: &str,
    request: &ApprovalRequest,
    terminal: &mut PromptTerminal,
) -> io::Result<(Verdict, Option<String>)> {
    let PromptTerminal {
        input,
        output,
        render,
        ..
    } = terminal;
    let mut facts = request.facts.iter();
    let exact = facts.find(|fact| fact.name == "input");
    let exact = exact.and_then(|exact| serde_json::from_str::<Value>(&exact.value).ok());
    let text = filter::exact(&exact.unwrap_or_default());
    let is_cut = text.lines().count() > MAX_INPUT_LINES;
    describe(plugin, request, &text, is_cut, render, output)?;
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
        // Denying is always possible.
        let is_offered = |verdict: &Verdict| {
            let mut offers = request.options.iter();
            *verdict == Verdict::Deny || offers.any(|offer| offer.verdict == *verdict)
        };
        match verdict.filter(is_offered) {
            Some(verdict) => return Ok((verdict, words)),
            None => writeln!(output, "not a verdict; write one of the letters")?,
        }
    }
}

/// Writes the facts, the text of the plugin and the verdicts.
fn describe(
    plugin: &str,
    request: &ApprovalRequest,
    text: &str,
    is_cut: bool,
    render: &RenderTerminal,
    output: &mut dyn Write,
) -> io::Result<()> {
    let name = filter::line(&approval_name(plugin, request), 100);
    let tool = filter::line(&request.binding.tool, 60);
    writeln!(output, "\napproval needed for {name}")?;
    writeln!(output, "  plugin   {}", filter::line(plugin, 60))?;
    writeln!(output, "  tool     {tool}")?;
    let most = if is_cut { MAX_INPUT_LINES } else { usize::MAX };
    writeln!(output, "  input    {}", indented(text, most))?;
    // These have lines of their own.
    let own = ["plugin", "tool", "input", "action"];
    let others = request.facts.iter();
    let others = others.filter(|fact| !own.contains(&fact.name.as_str()));
    let others = others.map(|fact| format!("{}: {}", fact.name, fact.value));
    let reasons = request.reasons.iter();
    for fact in others.chain(reasons.map(|reason| format!("asked because {reason}"))) {
        writeln!(output, "  fact     {}", filter::line(&fact, 300))?;
    }
    if let Some(subject) = &request.subject {
        let subject = filter::exact(&Value::from(subject.as_str()));
        writeln!(output, "  subject  {subject}")?;
    }
    quote(request, render, output)?;
    for offer in &request.options {
        let letter = match offer.verdict {
            Verdict::Deny => "(d)eny   ",
            Verdict::Once => "(o)nce   ",
            Verdict::Session => "(s)ession",
            Verdict::Always => "(a)lways ",
        };
        writeln!(output, "  {letter}  {}", filter::line(&offer.covers, 600))?;
    }
    if is_cut {
        writeln!(output, "  (v)iew     all of the input")?;
    }
    Ok(())
}

/// Quotes the text of the plugin, so that it cannot imitate the host.
fn quote(
    request: &ApprovalRequest,
    render: &RenderTerminal,
    output: &mut dyn Write,
) -> io::Result<()> {
    // Plain text: only the host may use emphasis.
    let words: Vec<&str> = request.quotes.iter().map(|quote| &*quote.text).collect();
    let words = Text::new(Role::Lines, Inline::plain(words.join("\n")));
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

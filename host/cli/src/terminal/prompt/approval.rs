//! Approval prompts: the card, and the verdict that the person types.
//!
//! Invariant: everything but a clear yes is a no.

use super::{PromptTerminal, read_line};
use footlight::policy::{ApprovalRequest, VerdictOption};
use footlight_render::terminal::{ApprovalCard, CardOption};
use footlight_vocabulary::item::Verdict;
use serde_json::Value;
use std::io::{self, Write};

pub(crate) fn verdict_text(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Deny => "denied",
        Verdict::Once => "allowed once",
        Verdict::Session => "allowed for this session",
        Verdict::Always => "allowed always",
    }
}

/// Shows the card and reads a verdict, with an optional comment for the model. An empty line or the
/// end of input denies.
pub(super) fn decide(
    plugin: &str,
    request: &ApprovalRequest,
    terminal: &mut PromptTerminal,
) -> io::Result<(Verdict, Option<String>)> {
    let card = card(plugin, request);
    let PromptTerminal {
        input,
        output,
        render,
        size,
        ..
    } = terminal;
    let mut note = "";
    loop {
        // The screen may have another size than when the program started.
        let (width, height) = size();
        render.width = width;
        let drawing = render.draw_approval(&card, height);
        output.write_card(note)?;
        output.write_card(&format!("{} ", drawing.text.trim_end()))?;
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
            "v" | "view" => {
                let all = render.draw_approval_in_full(&card);
                output.write_card(&all.text)?;
                note = "";
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
            None => note = "not a verdict; type one of the letters\n",
        }
    }
}

/// Returns what the card shows of a request.
fn card(plugin: &str, request: &ApprovalRequest) -> ApprovalCard {
    let fact = |name: &str| {
        let mut facts = request.facts.iter();
        facts.find(|fact| fact.name == name).map(|fact| &fact.value)
    };
    let input = fact("input").and_then(|input| serde_json::from_str(input).ok());
    // These have places of their own.
    let own = ["plugin", "build", "tool", "input", "action", "severity"];
    let others = request.facts.iter();
    let others = others.filter(|fact| !own.contains(&fact.name.as_str()));
    let reasons = request.reasons.iter().map(ToString::to_string);
    let mut options: Vec<CardOption> = request.options.iter().map(|o| option(o, request)).collect();
    options.push(CardOption {
        key: "v".to_owned(),
        text: "view everything".to_owned(),
        in_full: "view everything".to_owned(),
    });
    ApprovalCard {
        plugin: plugin.to_owned(),
        tool: request.binding.tool.clone(),
        action: request.binding.action.clone(),
        is_critical: fact("severity").is_some_and(|severity| severity == "critical"),
        subject: request.subject.clone(),
        input: input.unwrap_or(Value::Null),
        build: request.binding.digest.clone(),
        facts: others
            .map(|fact| (fact.name.clone(), fact.value.clone()))
            .collect(),
        reasons: reasons.collect(),
        quotes: request
            .quotes
            .iter()
            .map(|quote| quote.text.clone())
            .collect(),
        details: request.details.clone(),
        options,
    }
}

/// Says in a few words what a verdict covers. The card shows the subject and the build.
fn option(option: &VerdictOption, request: &ApprovalRequest) -> CardOption {
    let scope = match request.subject {
        Some(_) => "this subject, this build",
        None => "any input of no concern",
    };
    let once = match request.binding.action {
        Some(_) => "once: this request only",
        None => "once: this call only",
    };
    let (key, text) = match option.verdict {
        Verdict::Deny => ("d", "deny; more words go to the model".to_owned()),
        Verdict::Once => ("o", once.to_owned()),
        Verdict::Session => ("s", format!("session: {scope}")),
        Verdict::Always => ("a", format!("always: {scope}")),
    };
    let rule = option.rule.as_ref();
    let rule = rule.map_or_else(String::new, |rule| format!("; the rule: {rule}"));
    CardOption {
        key: key.to_owned(),
        text,
        in_full: format!("{}{rule}", option.covers),
    }
}

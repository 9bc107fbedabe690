//! Approval prompts: the card, the folder and the verdict that the person types.
//!
//! For a folder the person first names one, which is checked at once, and then decides about the folder
//! as it is without links.
//!
//! Invariant: everything but a clear yes is a no.

use super::folder_line::FolderLine;
use super::{PersonReply, PromptTerminal, read_line};
use crate::power::{split_read_only, typed_path};
use footlight::FolderError;
use footlight::policy::{ApprovalRequest, FolderRequest, VerdictOption};
use footlight_render::filter;
use footlight_render::terminal::{ApprovalCard, CardOption, CardPower, CardPrompt};
use footlight_vocabulary::item::Verdict;
use footlight_vocabulary::manifest::Mode;
use serde_json::Value;
use std::io::{self, Write};
use std::path::Path;

/// Whether a folder of the machine can be named at a prompt.
#[derive(Clone, Copy)]
pub(crate) enum FolderNaming<'a> {
    /// This process runs the call. A folder that was named is checked, and returned without links.
    Here(&'a dyn Fn(&Path) -> Result<String, FolderError>),
    /// Another process does, and only the folder that was offered can be accepted.
    Elsewhere,
}

pub(crate) fn verdict_text(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Deny => "denied",
        Verdict::Once => "allowed once",
        Verdict::Session => "allowed for this session",
        Verdict::Always => "allowed always",
    }
}

/// Shows the card and reads a folder, if one is asked for here, and a verdict, with an optional comment
/// for the model. An empty line or the end of input denies.
pub(super) fn decide(
    plugin: &str,
    request: &ApprovalRequest,
    naming: FolderNaming<'_>,
    terminal: &mut PromptTerminal,
) -> io::Result<PersonReply> {
    let mut card = card(plugin, request);
    let folder = match (&request.folder, naming) {
        (Some(asked), FolderNaming::Here(check)) => {
            match name_folder(&card, asked, check, terminal)? {
                NamedFolder::Denied(words) => {
                    return Ok(PersonReply::Verdict(Verdict::Deny, words));
                }
                NamedFolder::Folder(folder, mode) => Some((folder, mode)),
            }
        }
        _ => None,
    };
    if let (
        Some((folder, mode)),
        Some(CardPower::Folder {
            named,
            writable,
            asks_to_write,
            ..
        }),
    ) = (&folder, &mut card.power)
    {
        *named = Some(folder.clone());
        if *mode == Mode::ReadOnly {
            (*writable, *asks_to_write) = (false, false);
        }
    }
    let (verdict, words) = verdict(&card, request, terminal)?;
    Ok(match folder {
        Some((folder, mode)) if verdict != Verdict::Deny => {
            PersonReply::Folder(verdict, folder.into(), mode)
        }
        _ => PersonReply::Verdict(verdict, words),
    })
}

/// What the person typed where a folder was asked for.
enum NamedFolder {
    Denied(Option<String>),
    /// A folder that can be granted, without links, and what the plugin may do in it.
    Folder(String, Mode),
}

/// Draws the card and reads a line; none at the end of input. Whoever types `v` sees everything first.
fn ask(
    card: &ApprovalCard,
    mut note: &str,
    terminal: &mut PromptTerminal,
) -> io::Result<Option<String>> {
    let is_edited = terminal.edit.is_some() && card.prompt != CardPrompt::Verdict;
    let _hidden = is_edited.then(terminal.hide).transpose()?;
    loop {
        // The screen may have another size than when the program started.
        let (width, height) = (terminal.size)();
        terminal.render.width = width;
        let height = height.saturating_sub(note.lines().count());
        let drawing = terminal.render.draw_approval(card, height);
        let output = &mut terminal.output;
        output.write_card(note)?;
        output.write_card(&format!("{} ", drawing.text.trim_end()))?;
        output.flush()?;
        (terminal.arm)();
        let line = match &mut terminal.edit {
            Some(read) if is_edited => read(output, &mut FolderLine::default())?,
            _ => read_line(terminal.input.as_mut(), output)?,
        };
        let Some(line) = line else {
            return Ok(None);
        };
        match line.trim().to_lowercase().as_str() {
            "v" | "view" => {
                let all = terminal.render.draw_approval_in_full(card);
                output.write_card(&all.text)?;
                note = "";
            }
            _ => return Ok(Some(line.trim().to_owned())),
        }
    }
}

/// Splits the words for the model off a verdict.
fn split_words(line: &str) -> (String, Option<String>) {
    let (first, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let words = Some(words.trim().to_owned()).filter(|words| !words.is_empty());
    (first.to_lowercase(), words)
}

/// Reads a folder until one can be granted.
fn name_folder(
    card: &ApprovalCard,
    asked: &FolderRequest,
    check: &dyn Fn(&Path) -> Result<String, FolderError>,
    terminal: &mut PromptTerminal,
) -> io::Result<NamedFolder> {
    let offered = asked.offered.as_deref();
    let prompt = match offered {
        Some(_) => CardPrompt::OfferedFolder,
        None => CardPrompt::Folder,
    };
    let kept = |option: &&CardOption| ["d", "v"].contains(&option.key.as_str());
    let mut options: Vec<CardOption> = card.options.iter().filter(kept).cloned().collect();
    let mut explain = |key: &str, text: &str| {
        options.push(CardOption {
            key: key.to_owned(),
            text: text.to_owned(),
            in_full: text.to_owned(),
        });
    };
    if asked.writable {
        explain(":ro", "after a folder: the plugin can only read");
    }
    if terminal.edit.is_some() {
        explain("Tab", "complete a folder");
    }
    let card = ApprovalCard {
        prompt,
        options,
        ..card.clone()
    };
    let mut note = String::new();
    loop {
        let Some(line) = ask(&card, &note, terminal)? else {
            return Ok(NamedFolder::Denied(None));
        };
        let (first, words) = split_words(&line);
        let (typed, is_read_only) = split_read_only(&line);
        let typed = match (first.as_str(), offered) {
            (_, Some(offered)) if typed.is_empty() => offered,
            // A folder of such a name is written `./d`.
            ("" | "d" | "deny" | "n" | "no", _) => return Ok(NamedFolder::Denied(words)),
            _ => typed,
        };
        // The next card takes the place of this one.
        terminal.output.erase()?;
        if typed.is_empty() {
            note = terminal.render.host_note("`:ro` stands after a folder");
            continue;
        }
        let mode = match asked.writable && !is_read_only {
            true => Mode::ReadWrite,
            false => Mode::ReadOnly,
        };
        match check(&typed_path(typed)) {
            Ok(folder) => return Ok(NamedFolder::Folder(folder, mode)),
            Err(error) => {
                let why = filter::line(&error.to_string(), 200);
                note = terminal.render.host_note(&why);
            }
        }
    }
}

/// Reads a verdict that is offered.
fn verdict(
    card: &ApprovalCard,
    request: &ApprovalRequest,
    terminal: &mut PromptTerminal,
) -> io::Result<(Verdict, Option<String>)> {
    let mut note = "";
    loop {
        let Some(line) = ask(card, note, terminal)? else {
            return Ok((Verdict::Deny, None));
        };
        let (first, words) = split_words(&line);
        let verdict = match first.as_str() {
            "" | "d" | "deny" | "n" | "no" => Some(Verdict::Deny),
            "o" | "once" | "y" | "yes" => Some(Verdict::Once),
            "s" | "session" => Some(Verdict::Session),
            "a" | "always" => Some(Verdict::Always),
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
pub(crate) fn card(plugin: &str, request: &ApprovalRequest) -> ApprovalCard {
    let fact = |name: &str| {
        let mut facts = request.facts.iter();
        facts.find(|fact| fact.name == name).map(|fact| &fact.value)
    };
    let input = fact("input").and_then(|input| serde_json::from_str(input).ok());
    // These have places of their own.
    let mut own = vec!["plugin", "build", "tool", "input", "action", "severity"];
    let power = power(request);
    if power.is_some() {
        own.extend(["folder", "access", "offered", "request", "size", "secret"]);
    }
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
        power,
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
        prompt: CardPrompt::Verdict,
    }
}

/// Returns the folder or the request that the card is about.
fn power(request: &ApprovalRequest) -> Option<CardPower> {
    let network = request.network.as_ref().map(|network| CardPower::Network {
        method: network.method.clone(),
        host: network.host.clone(),
        url: network.url.clone(),
        bytes: network.bytes,
        secrets: network.secrets.clone(),
    });
    let folder = request.folder.as_ref().map(|folder| CardPower::Folder {
        guest_path: folder.path.clone(),
        writable: folder.writable,
        asks_to_write: folder.asks_to_write,
        offered: folder.offered.clone(),
        named: None,
    });
    folder.or(network)
}

/// Says in a few words what a verdict covers. The card shows the subject and the build.
fn option(option: &VerdictOption, request: &ApprovalRequest) -> CardOption {
    let scope = match (&request.folder, &request.network, &request.subject) {
        (Some(_), _, _) => "this folder, every call",
        (None, Some(network), _) if network.secrets.is_empty() => "any request to this host",
        (None, Some(_), _) => "this host, with the secret",
        (None, None, Some(_)) => "this subject, this build",
        (None, None, None) => "any input of no concern",
    };
    let once = match (&request.binding.action, &request.network) {
        (None, None) => "once: this call only",
        _ => "once: this request only",
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

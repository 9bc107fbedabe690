//! `footlight pending`: lists and answers requests that wait for a person in any process.
//!
//! A reply is checked as it is at the terminal that asked. The first reply counts.

mod link;

use crate::commands::sessions::ago;
use crate::conversation::follow::settled_text;
use crate::data::{Data, OpenStore, resolve_prefix};
use crate::exit::{Exit, ExitError};
use crate::suggest::counted;
use crate::terminal::prompt::{
    FolderNaming, Person, PersonReply, PreparedReplies, THE_MODEL, answer_words, approval_name,
    verdict_text,
};
use crate::terminal::ui::{Emphasis, Ui};
use anyhow::{Context, Result, anyhow};
use clap::{Args, Subcommand};
use footlight::policy::{ApprovalRequest, VerdictOption};
use footlight::session::{SettleError, answer, decide, is_waited_for, skip};
use footlight::store::{RequestKind, RequestRow as Row};
use footlight_render::filter;
use footlight_vocabulary::item::Verdict;
use footlight_vocabulary::question::{Field, Question};
use serde::Serialize;
use serde_json::{Value, json};

/// List and answer requests that wait for a person.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight pending list
  footlight pending answer call_4f1c_v0                 show it and prompt
  footlight pending answer call_4f1c_v0 allow           once; also session, always, deny
  footlight pending answer call_4f1c_v0 deny --words \"not before Friday\"
  footlight pending answer call_4f1c_a1 Springfield
  footlight pending answer call_4f1c_a1 --answer city=Oslo --answer days=3
  footlight pending decline-all                         skip every question, deny every approval
  footlight pending link call_4f1c_v0                   a link that opens it on another device, once")]
pub(crate) struct Pending {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List open requests, oldest first
    List,
    /// Answer a question, or decide on an approval
    Answer(AnswerArgs),
    /// Skip every question and deny every approval that waits
    DeclineAll,
    /// Make a link that opens one request of a running server on another device, once
    Link(link::LinkArgs),
}

#[derive(Debug, Args)]
struct AnswerArgs {
    /// The request id, or a prefix of it
    id: String,
    /// The answer; for an approval: allow, session, always or deny
    value: Option<String>,
    /// A comment for the model, in addition to the verdict
    #[arg(long, value_name = "TEXT")]
    words: Option<String>,
    /// Skip the question: the call continues without an answer
    #[arg(long, conflicts_with_all = ["value", "words"])]
    skip: bool,
    /// Answer one field of a question with several
    #[arg(long = "answer", value_name = "FIELD=VALUE", value_parser = crate::terminal::prompt::field_and_value)]
    answers: Vec<(String, String)>,
}

impl Pending {
    pub(crate) fn run(&self, data: &Data, ui: &Ui) -> Result<Exit> {
        if let Command::Link(args) = &self.command {
            link::run(args, data, ui)?;
            return Ok(Exit::Done);
        }
        let opened = OpenStore::new(data)?;
        match &self.command {
            Command::Link(_) => {}
            Command::List => list(&opened, ui)?,
            Command::DeclineAll => decline_all(&opened, ui)?,
            Command::Answer(args) => {
                let row = find(&opened, &args.id)?;
                match row.kind {
                    _ if args.skip => skip_question(&opened, &row, ui)?,
                    RequestKind::Ask => answer_question(&opened, &row, args, ui)?,
                    RequestKind::Approval | RequestKind::Binding => {
                        decide_approval(&opened, &row, args, ui)?
                    }
                }
                if ui.json {
                    ui.print_json(&opened.wait(opened.store.request(&row.id))?)?;
                }
            }
        }
        Ok(Exit::Done)
    }
}

/// A pending request, as it is listed.
#[derive(Serialize)]
struct Listed {
    #[serde(flatten)]
    row: Row,
    /// Whether the call that asked was interrupted, so that a reply would be refused.
    interrupted: bool,
}

fn list(opened: &OpenStore, ui: &Ui) -> Result<()> {
    let listed = |row: Row| -> Result<Listed> {
        let interrupted = !opened.wait(is_waited_for(&*opened.store, &row))?;
        Ok(Listed { row, interrupted })
    };
    let rows = opened.wait(opened.store.pending())?.into_iter();
    let rows = rows.map(listed).collect::<Result<Vec<_>>>()?;
    Ok(
        ui.print_rows(&rows, "no open requests", |Listed { row, interrupted }| {
            let about = match row.kind {
                RequestKind::Ask => {
                    let question = serde_json::from_value::<Question>(row.body.clone());
                    let prompt = question.map(|question| question.prompt).unwrap_or_default();
                    format!("asks: {}", filter::line(&prompt, 100))
                }
                RequestKind::Approval | RequestKind::Binding => {
                    let ask = serde_json::from_value::<ApprovalRequest>(row.body.clone());
                    filter::line(&ask.map(|ask| about(row, &ask)).unwrap_or_default(), 200)
                }
            };
            let id = ui.styled_out(Emphasis::Bold, row.id.as_str());
            let plugin = filter::line(&row.plugin, 60);
            let remark = match interrupted {
                true => format!(
                    " (interrupted; continue with: footlight sessions resume {})",
                    row.session
                ),
                false => String::new(),
            };
            format!("{id}  {:>8}  {plugin} {about}{remark}", ago(row.since))
        })?,
    )
}

/// Declines everything that waits. What somebody else settles meanwhile stays as it is.
fn decline_all(opened: &OpenStore, ui: &Ui) -> Result<()> {
    let mut declined = 0;
    for row in opened.wait(opened.store.pending())? {
        let settled = match row.kind {
            RequestKind::Ask => opened.wait(skip(&*opened.store, &row.id, by())),
            RequestKind::Approval | RequestKind::Binding => {
                let denied = decide(&*opened.store, &row.id, Verdict::Deny, None, by());
                opened.wait(denied)
            }
        };
        match settled {
            Ok(()) => declined += 1,
            Err(SettleError::Store(error)) => return Err(error.into()),
            // Somebody else was first, or nothing waits for it.
            Err(_) => {}
        }
    }
    if ui.json {
        return Ok(ui.print_json(&json!({ "declined": declined }))?);
    }
    ui.note(&format!("declined {}", counted(declined, "request")));
    Ok(())
}

/// Says what a request is for.
fn about(row: &Row, ask: &ApprovalRequest) -> String {
    match (&ask.folder, &ask.network) {
        (Some(folder), _) => {
            let offered = folder
                .offered
                .as_deref()
                .unwrap_or("which was not named yet");
            format!("needs a folder as {}: {offered}", folder.path)
        }
        (None, Some(network)) => format!("needs approval for {} {}", network.method, network.url),
        (None, None) => format!("needs approval for {}", approval_name(&row.plugin, ask)),
    }
}

/// Finds a request by its id or a unique prefix of it.
fn find(opened: &OpenStore, id: &str) -> Result<Row> {
    if let Some(row) = opened.wait(opened.store.request(&id.into()))? {
        return Ok(row);
    }
    let rows = opened.wait(opened.store.pending())?;
    let none = "there is no open request `{}`; `footlight pending list` shows all";
    resolve_prefix(rows, |row| row.id.as_str(), id, none)
}

/// Returns the name of the logged-in user, who is recorded as the one who answered.
pub(crate) fn by() -> Option<String> {
    let names = ["USER", "LOGNAME", "USERNAME"];
    let name = names.iter().find_map(|name| std::env::var(name).ok());
    name.map(|name| filter::line(&name, 60))
        .filter(|name| !name.is_empty())
}

fn answer_question(opened: &OpenStore, row: &Row, args: &AnswerArgs, ui: &Ui) -> Result<()> {
    let question: Question =
        serde_json::from_value(row.body.clone()).context("unreadable question")?;
    let mut answers = args.answers.clone();
    if let Some(value) = &args.value {
        // A question without fields has one implicit field, a yes or no.
        let name = match question.fields.as_slice() {
            [] => Field::confirm("answer").name,
            [field] => field.name.clone(),
            fields => {
                let names = fields.iter().map(|field| field.name.as_str());
                return Err(ExitError::usage(format!(
                    "the question has several fields; write --answer FIELD=VALUE for each of {}",
                    filter::line(&crate::suggest::quoted_list(names), 300)
                )));
            }
        };
        answers.push((name, value.clone()));
    }
    let names = question.fields.iter().map(|field| field.name.as_str());
    let names: Vec<&str> = match question.fields.as_slice() {
        [] => vec!["answer"],
        _ => names.collect(),
    };
    if let Some((name, _)) = answers
        .iter()
        .find(|(name, _)| !names.contains(&name.as_str()))
    {
        return Err(ExitError::usage(format!(
            "the question has no field `{}`; its fields are {}",
            filter::line(name, 60),
            filter::line(&crate::suggest::quoted_list(names), 300)
        )));
    }
    match Person::at(ui, PreparedReplies::answers(answers)).ask(&row.plugin, &question)? {
        PersonReply::Answer(given) => {
            let value = Value::Object(given.values());
            let answered = answer(&*opened.store, &row.id, value, by());
            check_settled(opened.wait(answered))?;
            let words = answer_words(&question, &given);
            ui.note(&format!("answered {}: {words}", plugin_name(row)));
            Ok(())
        }
        PersonReply::Skip => skip_question(opened, row, ui),
        _ => Err(ExitError::usage(
            "missing answer; write it after the id, or --answer FIELD=VALUE for each field",
        )),
    }
}

/// Lets the call go on without an answer.
fn skip_question(opened: &OpenStore, row: &Row, ui: &Ui) -> Result<()> {
    check_settled(opened.wait(skip(&*opened.store, &row.id, by())))?;
    ui.note(&format!(
        "skipped; {} continues without an answer",
        plugin_name(row)
    ));
    Ok(())
}

/// Returns the name of who asks, filtered for display.
fn plugin_name(row: &Row) -> String {
    match row.plugin.as_str() {
        "footlight" => THE_MODEL.to_owned(),
        plugin => filter::line(plugin, 60),
    }
}

fn decide_approval(opened: &OpenStore, row: &Row, args: &AnswerArgs, ui: &Ui) -> Result<()> {
    let words = args.words.clone();
    let wanted = serde_json::from_value::<ApprovalRequest>(row.body.clone());
    let (verdict, words) = match &args.value {
        Some(value) => (verdict(value)?, words),
        None => {
            let wanted = wanted.as_ref().map_err(|error| anyhow!("{error}"));
            let wanted = wanted.context("unreadable approval request")?;
            let folder = wanted.folder.as_ref();
            if folder.is_some_and(|folder| folder.offered.is_none()) {
                return Err(needs_folder(row));
            }
            let mut person = Person::at(ui, PreparedReplies::default());
            let reply = person.approve(&row.plugin, wanted, FolderNaming::Elsewhere)?;
            let PersonReply::Verdict(verdict, said) = reply else {
                return Err(ExitError::usage(
                    "missing verdict; write allow, session, always or deny after the id",
                ));
            };
            (verdict, words.or(said))
        }
    };
    let decided = decide(&*opened.store, &row.id, verdict, words, by());
    match opened.wait(decided) {
        Err(SettleError::NeedsFolder) => return Err(needs_folder(row)),
        Err(SettleError::NotOffered(verdict)) => {
            let offered = wanted.map(|wanted| wanted.options).unwrap_or_default();
            return Err(not_offered(verdict, &offered));
        }
        decided => check_settled(decided)?,
    }
    let name = wanted.map(|wanted| approval_name(&row.plugin, &wanted));
    let name = filter::line(name.as_ref().unwrap_or(&row.plugin), 130);
    ui.note(&format!("{}: {name}", verdict_text(verdict)));
    Ok(())
}

/// Refuses a verdict that the request does not offer, and names those that it does.
fn not_offered(verdict: Verdict, offered: &[VerdictOption]) -> anyhow::Error {
    let offered = offered.iter().map(|option| option.verdict);
    let mut words: Vec<&str> = offered.map(verdict_word).collect();
    // Denying is always possible.
    let deny = verdict_word(Verdict::Deny);
    if !words.contains(&deny) {
        words.push(deny);
    }
    ExitError::usage(format!(
        "`{}` cannot be chosen for this request; write one of {}",
        verdict_word(verdict),
        crate::suggest::quoted_list(words)
    ))
}

/// Refuses a yes to a folder that nobody has named.
fn needs_folder(row: &Row) -> anyhow::Error {
    let id = &row.id;
    ExitError::usage(format!(
        "only whoever started the process can name a folder: any other terminal says yes or no to one that was offered, and none was; name it there, or deny it with: footlight pending answer {id} deny"
    ))
}

/// Returns the word with which a verdict is written after the id.
fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Once => "allow",
        verdict => verdict.as_str(),
    }
}

fn verdict(word: &str) -> Result<Verdict> {
    match word.to_lowercase().as_str() {
        "allow" | "once" | "yes" => Ok(Verdict::Once),
        "session" => Ok(Verdict::Session),
        "always" => Ok(Verdict::Always),
        "deny" | "no" => Ok(Verdict::Deny),
        _ => Err(ExitError::usage(format!(
            "`{}` is not a verdict; write allow, session, always or deny",
            filter::line(word, 40)
        ))),
    }
}

fn check_settled(settled: Result<(), SettleError>) -> Result<()> {
    settled.map_err(|refused| match refused {
        SettleError::Settled(reply) => {
            ExitError::usage(format!("the request is already settled: {}", settled_text(&reply)))
        }
        SettleError::Interrupted(ref session) => {
            ExitError::usage(format!("{refused}; continue with: footlight sessions resume {session}"))
        }
        SettleError::Secret => ExitError::usage(format!(
            "{refused}; if that is a server, only the server itself can take it: at its page, or with `POST /api/asks/ID`"
        )),
        SettleError::InvalidAnswer(error) => ExitError::usage(filter::clean(&error.to_string())),
        other => other.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_words_are_verdicts() {
        assert_eq!(verdict("Allow").expect("is one"), Verdict::Once);
        assert_eq!(verdict("deny").expect("is one"), Verdict::Deny);
        for word in ["", "y", "ok", "allow it"] {
            let error = verdict(word).expect_err("is none");
            assert_eq!(Exit::of_error(&error), Exit::Usage);
        }
    }
}

//! The person at the terminal: questions and approvals, and what was said to them beforehand.
//!
//! A [`Person`] is asked a vocabulary [`Question`] with [`Person::ask`] and for leave with
//! [`Person::approve`]. The command line may have answered already (`--answer`, `--allow`,
//! `--deny`); otherwise the terminal is asked, and where there is none, nobody.
//!
//! Invariant: what is not plainly a yes is a no. Plugin text passes the filter, stands
//! below what the host knows, and in quotes.
//!
//! A prompt that is settled folds to one line, and one that was settled elsewhere is dismissed.
//!
//! To add a control: `prompt/field.rs`.

mod approval;
mod field;
mod folding;

pub(crate) use approval::{ApprovalPrompt, verdict_text};
pub(crate) use folding::FoldingWriter;

use crate::exit::ExitError;
use crate::terminal::keyboard::{Dismissal, Keyboard, is_dismissed};
use crate::terminal::ui::{OutStream, Ui, draw};
use anyhow::Result;
use clap::Args;
use footlight_render::filter;
use footlight_render::lower::Lower;
use footlight_render::view::View;
use footlight_vocabulary::answer::Answer;
use footlight_vocabulary::item::Verdict;
use footlight_vocabulary::question::{Control, Field, Question};
use serde_json::{Map, Value};
use std::io::{self, BufRead, Write};

/// A question that is no longer stands beside who asks it, colours included.
const INLINE_WIDTH: usize = 120;

/// What was answered and decided on the command line.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Script {
    /// Answer a question's field; each is used once, in order
    #[arg(long = "answer", value_name = "FIELD=VALUE", value_parser = field_and_value, help_heading = "Answers")]
    pub(crate) answers: Vec<(String, String)>,
    /// Say yes, once each time, to an action or to a tool such as `mail.send`
    #[arg(long, value_name = "ACTION", help_heading = "Answers")]
    pub(crate) allow: Vec<String>,
    /// Say no to it; a no beats a yes
    #[arg(long, value_name = "ACTION", help_heading = "Answers")]
    pub(crate) deny: Vec<String>,
}

pub(crate) fn field_and_value(word: &str) -> Result<(String, String), String> {
    let (field, value) = word.split_once('=').ok_or("write FIELD=VALUE")?;
    Ok((field.to_owned(), value.to_owned()))
}

/// How a question came back.
#[derive(Debug, PartialEq)]
pub(crate) enum Reply {
    /// With an answer that fits.
    Answered(Answer),
    /// The person chose not to answer.
    Skipped,
    /// There was nobody to ask.
    Nobody,
    /// Nobody waits for an answer any more.
    Dismissed,
}

/// How a request for leave came back.
#[derive(Debug, PartialEq)]
pub(crate) enum ApprovalReply {
    /// With a verdict, and words for the model.
    Given(Verdict, Option<String>),
    /// There was nobody to ask, which is a no.
    Nobody,
    /// Nobody waits for a verdict any more.
    Dismissed,
}

/// Whoever answers.
pub(crate) struct Person {
    script: Script,
    terminal: Option<PromptTerminal>,
    unavailable: bool,
    dismissal: Dismissal,
}

/// What a person types on and reads from.
pub(crate) struct PromptTerminal {
    pub(crate) input: Box<dyn BufRead + Send>,
    pub(crate) output: FoldingWriter,
    /// What views are drawn for.
    pub(crate) render: footlight_render::terminal::Terminal,
    /// Reads a line that is not shown.
    pub(crate) secret: Box<dyn FnMut() -> io::Result<String> + Send>,
    /// Forgets what was typed before anybody asked.
    pub(crate) forget: fn(),
}

impl Person {
    /// Whoever sits at this process's terminal, if anybody does.
    pub(crate) fn at(ui: &Ui, script: Script) -> Self {
        let dismissal = Dismissal::default();
        let terminal = ui.can_ask.then(|| PromptTerminal {
            input: Box::new(Keyboard::new(dismissal.clone())),
            output: FoldingWriter::new(Box::new(io::stderr()), ui.stderr_is_terminal()),
            render: ui.terminal(OutStream::Stderr),
            secret: Box::new(rpassword::read_password),
            forget: crate::terminal::keyboard::discard_typed_input,
        });
        Self {
            dismissal,
            ..Self::new(script, terminal)
        }
    }

    pub(crate) fn new(script: Script, terminal: Option<PromptTerminal>) -> Self {
        Self {
            script,
            terminal,
            unavailable: false,
            dismissal: Dismissal::default(),
        }
    }

    /// Whether the command line has answers left, or verdicts.
    pub(crate) fn is_prepared(&self) -> bool {
        let Script {
            answers,
            allow,
            deny,
        } = &self.script;
        !(answers.is_empty() && allow.is_empty() && deny.is_empty())
    }

    /// Whether somebody sits at a terminal.
    pub(crate) fn is_present(&self) -> bool {
        self.terminal.is_some()
    }

    /// What ends a prompt that nobody needs any more.
    pub(crate) fn dismissal(&self) -> Dismissal {
        self.dismissal.clone()
    }

    /// What is left on the screen of what was asked since this was last called; nothing if nobody
    /// knows.
    pub(crate) fn take_visible_text(&mut self) -> Option<String> {
        let terminal = self.terminal.as_mut();
        terminal.map_or(Some(String::new()), |terminal| {
            terminal.output.take_visible_text()
        })
    }

    /// Whether somebody was wanted and nobody was there.
    pub(crate) fn was_unavailable(&self) -> bool {
        self.unavailable
    }

    /// Puts a plugin's question. What the command line answered is not asked again.
    ///
    /// # Errors
    /// When the command line's answer does not fit and there is nobody to ask instead.
    pub(crate) fn ask(&mut self, plugin: &str, question: &Question) -> Result<Reply> {
        let mut question = question.clone();
        if question.fields.is_empty() {
            question
                .fields
                .push(Field::confirm("answer").options(["Yes", "No"]));
        }
        let mut values = Map::new();
        for field in &question.fields {
            let answers = &mut self.script.answers;
            if let Some(at) = answers.iter().position(|(name, _)| *name == field.name) {
                let (name, value) = answers.remove(at);
                values.insert(name, field::chosen(field, &value));
            }
        }
        // An optional field goes unasked only beside one that the command line answered.
        if !values.is_empty()
            && let Ok(answer) = question.check(Value::Object(values.clone()))
        {
            return Ok(Reply::Answered(answer));
        }
        let Some(terminal) = &mut self.terminal else {
            let mut given = question
                .fields
                .iter()
                .filter_map(|field| Some((field, values.get(&field.name)?)));
            if let Some(problem) = given.find_map(|(field, value)| field::problem(field, value)) {
                return Err(ExitError::usage(format!("`--answer`: {problem}")));
            }
            self.unavailable = true;
            return Ok(Reply::Nobody);
        };
        terminal.output.begin();
        let asked = prompt_question(plugin, &question, values, terminal);
        let said = match &asked {
            Ok(Reply::Answered(answer)) => answer_line(&question, answer),
            Ok(Reply::Skipped) => "(skipped)".to_owned(),
            Err(error) if is_dismissed(error) => "(no longer asked)".to_owned(),
            _ => String::new(),
        };
        let who = match plugin {
            "" => String::new(),
            plugin => format!("{} asked: ", filter::line(plugin, 60)),
        };
        let line = format!("{who}{} {said}", filter::line(&question.prompt, 100));
        terminal.output.fold(&line)?;
        match asked {
            Err(error) if is_dismissed(&error) => Ok(Reply::Dismissed),
            asked => Ok(asked?),
        }
    }

    /// Fills in a form of the person's own choice: `given` is what they said beforehand.
    pub(crate) fn fill(&mut self, form: &Question, given: Vec<(String, String)>) -> Result<Reply> {
        let others = std::mem::replace(&mut self.script.answers, given);
        let (unavailable, filled) = (self.unavailable, self.ask("", form));
        self.script.answers = others;
        self.unavailable = unavailable;
        filled
    }

    /// Asks for leave. Where nobody can give it, that is a no.
    pub(crate) fn approve(&mut self, wanted: &ApprovalPrompt<'_>) -> Result<ApprovalReply> {
        let name = wanted.name();
        let said = |names: &[String]| names.contains(&name);
        if said(&self.script.deny) {
            return Ok(ApprovalReply::Given(Verdict::Deny, None));
        }
        if said(&self.script.allow) {
            return Ok(ApprovalReply::Given(Verdict::Once, None));
        }
        let Some(terminal) = &mut self.terminal else {
            self.unavailable = true;
            return Ok(ApprovalReply::Nobody);
        };
        (terminal.forget)();
        terminal.output.begin();
        let decided = approval::decide(wanted, terminal);
        let said = match &decided {
            Ok((verdict, _)) => verdict_text(*verdict),
            Err(_) => "no longer asked",
        };
        let name = filter::line(&name, 100);
        terminal.output.fold(&format!("{name}: {said}"))?;
        match decided {
            Ok((verdict, words)) => Ok(ApprovalReply::Given(verdict, words)),
            Err(error) if is_dismissed(&error) => Ok(ApprovalReply::Dismissed),
            Err(error) => Err(error.into()),
        }
    }
}

/// Puts a question at a terminal, but for what is answered already.
fn prompt_question(
    plugin: &str,
    question: &Question,
    mut values: Map<String, Value>,
    terminal: &mut PromptTerminal,
) -> io::Result<Reply> {
    let head = match plugin {
        "" => "to fill in:".to_owned(),
        plugin => format!("{} asks:", filter::line(plugin, 60)),
    };
    // Marked line by line, so that a question cannot look like an approval.
    let views = Lower::default().markdown(question.prompt.trim());
    match quoted(&View::column(views), &terminal.render).as_slice() {
        [one] if one.len() < INLINE_WIDTH => writeln!(terminal.output, "\n{head} {one}")?,
        lines => {
            writeln!(terminal.output, "\n{head}")?;
            for line in lines {
                writeln!(terminal.output, "  | {line}")?;
            }
        }
    }
    for field in &question.fields {
        if values
            .get(&field.name)
            .is_some_and(|value| field::problem(field, value).is_none())
        {
            continue;
        }
        match field::ask(field, terminal)? {
            Some(value) => values.insert(field.name.clone(), value),
            None => return Ok(Reply::Skipped),
        };
    }
    match question.check(Value::Object(values)) {
        Ok(answer) => Ok(Reply::Answered(answer)),
        // Every field was checked by itself, so this is a question that nothing can answer.
        Err(error) => {
            writeln!(terminal.output, "{}", filter::clean(&error.to_string()))?;
            Ok(Reply::Skipped)
        }
    }
}

/// The lines of a view that stand behind a mark.
fn quoted(view: &View, render: &footlight_render::terminal::Terminal) -> Vec<String> {
    let mut terminal = render.clone();
    terminal.width = terminal.width.saturating_sub(4);
    let drawing = draw(&terminal, view);
    drawing.text.lines().map(str::to_owned).collect()
}

/// An answer in a line. A secret is not shown.
fn answer_line(question: &Question, answer: &Answer) -> String {
    let is_secret = |field: &Field| field.control == Control::Secret;
    if question.fields.iter().any(is_secret) {
        return "(answered)".to_owned();
    }
    format!("-> {}", filter::line(&answer.text(), 100))
}

/// Asks for a yes or a no; anything but a yes is a no.
pub(crate) fn confirm(
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    question: &str,
) -> io::Result<bool> {
    write!(output, "{question} [y/N] ")?;
    output.flush()?;
    let line = typed_line(input)?.unwrap_or_default();
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// A line that the terminal shows as it is typed; nothing at the end of input.
fn read_line(input: &mut dyn BufRead, output: &mut FoldingWriter) -> io::Result<Option<String>> {
    let line = typed_line(input)?;
    if let Some(line) = &line {
        output.echoed(line);
    }
    Ok(line)
}

/// A line without its end; nothing at the end of input.
fn typed_line(input: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if input.read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    let line = String::from_utf8_lossy(&line);
    Ok(Some(line.trim_end_matches(['\n', '\r']).to_owned()))
}

#[cfg(test)]
pub(crate) mod tests;

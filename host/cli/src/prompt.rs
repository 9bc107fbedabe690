//! The person at the terminal: questions and approvals, and what was said to them beforehand.
//!
//! A [`Person`] is asked a vocabulary [`Question`] with [`Person::ask`] and for leave with
//! [`Person::approve`]. The command line may have answered already (`--answer`, `--allow`,
//! `--deny`); otherwise the terminal is asked, and where there is none, nobody.
//!
//! Invariant: what is not plainly a yes is a no. Plugin text passes [`crate::filter`], stands
//! below what the host knows, and in quotes.
//!
//! To add a control: `prompt/field.rs`.

mod field;

use crate::exit::Refusal;
use crate::filter;
use crate::ui::Ui;
use anyhow::Result;
use clap::Args;
use footlight_vocabulary::answer::Answer;
use footlight_vocabulary::item::Verdict;
use footlight_vocabulary::question::{Field, Question};
use serde_json::{Map, Value};
use std::io::{self, BufRead, Write};

/// How many lines of a plugin's words an approval shows.
const WORDS: usize = 8;

/// How many lines of an input are shown before somebody wants to see all of it.
const INPUT: usize = 24;

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

fn field_and_value(word: &str) -> Result<(String, String), String> {
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
    /// There was nobody to ask: say [`NOBODY`].
    Nobody,
}

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
    /// What a lasting yes will cover, word for word.
    pub(crate) subject: Option<&'a str>,
    /// Why, and what about, in the plugin's words.
    pub(crate) words: &'a [&'a str],
    /// Whether a yes may last for the session.
    pub(crate) lasts: bool,
}

/// Whoever answers.
pub(crate) struct Person {
    script: Script,
    terminal: Option<Terminal>,
    missed: bool,
}

/// What a person types on and reads from.
pub(crate) struct Terminal {
    pub(crate) input: Box<dyn BufRead + Send>,
    pub(crate) output: Box<dyn Write + Send>,
    /// Reads a line that is not shown.
    pub(crate) secret: Box<dyn FnMut() -> io::Result<String> + Send>,
}

impl Person {
    /// Whoever sits at this process's terminal, if anybody does.
    pub(crate) fn at(ui: &Ui, script: Script) -> Self {
        let terminal = ui.can_ask.then(|| Terminal {
            input: Box::new(io::BufReader::new(io::stdin())),
            output: Box::new(io::stderr()),
            secret: Box::new(rpassword::read_password),
        });
        Self::new(script, terminal)
    }

    pub(crate) fn new(script: Script, terminal: Option<Terminal>) -> Self {
        Self {
            script,
            terminal,
            missed: false,
        }
    }

    /// Whether somebody was wanted and nobody was there.
    pub(crate) fn was_missed(&self) -> bool {
        self.missed
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
                return Err(Refusal::usage(format!("`--answer`: {problem}")));
            }
            self.missed = true;
            return Ok(Reply::Nobody);
        };
        // Marked line by line, so that a question cannot look like an approval.
        let prompt = filter::clean(question.prompt.trim()).replace('\n', "\n  | ");
        writeln!(
            terminal.output,
            "\n{} asks: {prompt}",
            filter::line(plugin, 60)
        )?;
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

    /// Asks for leave. `None` where nobody can give it, which is a no.
    pub(crate) fn approve(&mut self, wanted: &Wanted<'_>) -> Result<Option<Verdict>> {
        let tool = format!("{}.{}", wanted.plugin, wanted.tool);
        // Leave for an action is not leave for the call that may ask for it, and the reverse.
        let name = wanted.action.unwrap_or(&tool);
        let said = |names: &[String]| names.iter().any(|known| known == name);
        if said(&self.script.deny) {
            return Ok(Some(Verdict::Deny));
        }
        if said(&self.script.allow) {
            return Ok(Some(Verdict::Once));
        }
        let Some(terminal) = &mut self.terminal else {
            self.missed = true;
            return Ok(None);
        };
        decide(wanted, name, terminal).map(Some).map_err(Into::into)
    }
}

/// Shows what is wanted, and reads a verdict. An empty line or the end of input is a no.
fn decide(wanted: &Wanted<'_>, name: &str, terminal: &mut Terminal) -> io::Result<Verdict> {
    let Terminal { input, output, .. } = terminal;
    let text = filter::exact(wanted.input);
    let is_cut = text.lines().count() > INPUT;
    writeln!(output, "\nleave is wanted for {}", filter::line(name, 100))?;
    writeln!(output, "  plugin   {}", filter::line(wanted.plugin, 60))?;
    writeln!(output, "  tool     {}", filter::line(wanted.tool, 60))?;
    writeln!(
        output,
        "  input    {}",
        indented(&text, if is_cut { INPUT } else { usize::MAX })
    )?;
    for fact in wanted.facts {
        writeln!(output, "  fact     {}", filter::line(fact, 300))?;
    }
    if let Some(subject) = wanted.subject {
        writeln!(
            output,
            "  covers   {}",
            filter::exact(&Value::from(subject))
        )?;
    }
    quote(wanted, output)?;
    let more = if is_cut {
        ", (v)iew all of the input"
    } else {
        ""
    };
    let session = if wanted.lasts { ", this (s)ession" } else { "" };
    loop {
        write!(output, "(d)eny, (o)nce{session}{more} [deny]: ")?;
        output.flush()?;
        let Some(line) = read_line(input.as_mut())? else {
            writeln!(output)?;
            return Ok(Verdict::Deny);
        };
        match line.trim().to_lowercase().as_str() {
            "" | "d" | "deny" | "n" | "no" => return Ok(Verdict::Deny),
            "o" | "once" | "y" | "yes" => return Ok(Verdict::Once),
            "s" | "session" if wanted.lasts => return Ok(Verdict::Session),
            "v" | "view" if is_cut => writeln!(output, "{text}")?,
            _ => writeln!(output, "that is no answer; write one of the letters")?,
        }
    }
}

/// The plugin's words, so that they cannot pass for ours.
fn quote(wanted: &Wanted<'_>, output: &mut dyn Write) -> io::Result<()> {
    let words = wanted
        .words
        .iter()
        .map(|words| filter::clean(words))
        .collect::<Vec<_>>()
        .join("\n");
    let lines: Vec<&str> = words
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(output, "the plugin says:")?;
    for line in lines.iter().take(WORDS) {
        writeln!(output, "  | {}", filter::line(line, 200))?;
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

/// Asks for a yes or a no; anything but a yes is a no.
pub(crate) fn yes_or_no(
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    question: &str,
) -> io::Result<bool> {
    write!(output, "{question} [y/N] ")?;
    output.flush()?;
    let line = read_line(input)?.unwrap_or_default();
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// A line without its end; nothing at the end of input.
fn read_line(input: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if input.read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    let line = String::from_utf8_lossy(&line);
    Ok(Some(line.trim_end_matches(['\n', '\r']).to_owned()))
}

#[cfg(test)]
mod tests;

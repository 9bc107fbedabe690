//! Prompts: questions and approvals, answered by flags or at the terminal.
//!
//! A [`Person`] is asked questions with [`Person::ask`] and for approvals with [`Person::approve`].
//! Flags (`--answer`, `--allow`, `--deny`) answer first, then the person at the terminal, if any.
//!
//! Invariant: everything but a clear yes is a no. Plugin text is filtered, quoted, and shown below
//! what the host knows.
//!
//! A settled prompt folds to one line. A prompt that is settled elsewhere is dismissed.
//!
//! To add a control: `prompt/field.rs`.

mod approval;
mod choice_line;
mod choices;
mod consent;
mod edited_line;
mod field;
mod folder_line;
mod folding;
mod prepared;
mod secret_value;

pub(crate) use approval::{FolderNaming, card as approval_card, verdict_text};
use edited_line::EditedLine;
pub(crate) use folding::FoldingWriter;
pub(crate) use prepared::{
    ApprovablePlugin, PreparedAnswers, PreparedReplies, THE_MODEL, answer_name, approval_name,
    field_and_value,
};
pub(crate) use secret_value::SecretReply;

use crate::exit::{Exit, ExitError};
use crate::terminal::keyboard::{Dismissal, HiddenInput, Keyboard, is_dismissed};
use crate::terminal::ui::{OutStream, Size, Ui, draw};
use anyhow::Result;
use footlight::policy::ApprovalRequest;
use footlight_render::filter;
use footlight_render::lower::Lower;
use footlight_render::view::View;
use footlight_vocabulary::answer::Answer;
use footlight_vocabulary::item::Verdict;
use footlight_vocabulary::manifest::Mode;
use footlight_vocabulary::question::{Control, Field, Question};
use serde_json::{Map, Value};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

/// Prompts shorter than this, in bytes, share a line with the plugin's name.
const INLINE_WIDTH: usize = 120;

/// The reply to a question or an approval request.
#[derive(Debug, PartialEq)]
pub(crate) enum PersonReply {
    /// A valid answer.
    Answer(Answer),
    /// The person chose not to answer the question.
    Skip,
    /// A verdict, with an optional comment for the model.
    Verdict(Verdict, Option<String>),
    /// A verdict on a folder, with the folder of the machine that the person named and what the plugin
    /// may do in it.
    Folder(Verdict, PathBuf, Mode),
    /// There is no one to ask, which counts as denied.
    Nobody,
    /// The request was settled elsewhere or cancelled.
    Dismissed,
}

/// The person who answers prompts, or the flags that answer for them.
pub(crate) struct Person {
    script: PreparedReplies,
    terminal: Option<PromptTerminal>,
    unavailable: bool,
    dismissal: Dismissal,
}

/// Reads a line that is edited key by key; `None` at the end of input.
type LineEditor =
    Box<dyn FnMut(&mut FoldingWriter, &mut dyn EditedLine) -> io::Result<Option<String>> + Send>;

/// The terminal of a person.
pub(crate) struct PromptTerminal {
    pub(crate) input: Box<dyn BufRead + Send>,
    pub(crate) output: FoldingWriter,
    /// The render target for views.
    pub(crate) render: footlight_render::terminal::Terminal,
    /// Has the terminal show nothing of what is typed.
    pub(crate) hide: fn() -> io::Result<Option<HiddenInput>>,
    /// Reads a line without echo.
    pub(crate) secret: Box<dyn FnMut() -> io::Result<String> + Send>,
    /// Reads a line that is edited; `None` where lines cannot be redrawn.
    pub(crate) edit: Option<LineEditor>,
    /// Discards what is typed until the person can have read what was just written.
    pub(crate) arm: Box<dyn FnMut() + Send>,
    /// The columns and rows of the screen at this moment.
    pub(crate) size: fn() -> Size,
}

impl Person {
    /// Creates the person at this process's terminal, if it has one.
    pub(crate) fn at(ui: &Ui, script: PreparedReplies) -> Self {
        let dismissal = Dismissal::default();
        let render = ui.terminal(OutStream::Stderr);
        let keyboard = || Keyboard::new(dismissal.clone());
        let terminal = ui.can_ask.then(|| PromptTerminal {
            input: Box::new(keyboard()),
            output: FoldingWriter::new(Box::new(io::stderr()), ui.stderr_is_terminal()),
            render,
            hide: || HiddenInput::begin().map(Some),
            secret: {
                let mut keyboard = keyboard();
                Box::new(move || keyboard.read_hidden_line())
            },
            edit: (cfg!(unix) && ui.stderr_is_terminal()).then(|| {
                let mut keyboard = keyboard();
                let read = move |output: &mut FoldingWriter, line: &mut dyn EditedLine| {
                    keyboard.with_keys(|keys| edited_line::read(keys, output, line))
                };
                Box::new(read) as LineEditor
            }),
            arm: Box::new(crate::terminal::keyboard::arm),
            size: crate::terminal::ui::size,
        });
        Self {
            dismissal,
            ..Self::new(script, terminal)
        }
    }

    pub(crate) fn new(script: PreparedReplies, terminal: Option<PromptTerminal>) -> Self {
        Self {
            script,
            terminal,
            unavailable: false,
            dismissal: Dismissal::default(),
        }
    }

    /// Reports whether flags hold answers or verdicts.
    pub(crate) fn is_prepared(&self) -> bool {
        !self.script.is_empty()
    }

    /// Reports whether there is a terminal.
    pub(crate) fn is_present(&self) -> bool {
        self.terminal.is_some()
    }

    /// Returns the handle that dismisses a prompt.
    pub(crate) fn dismissal(&self) -> Dismissal {
        self.dismissal.clone()
    }

    /// Returns what prompts left on the screen since the last call; `None` if that is unknown.
    pub(crate) fn take_visible_text(&mut self) -> Option<String> {
        match &mut self.terminal {
            Some(terminal) => terminal.output.take_visible_text(),
            None => Some(String::new()),
        }
    }

    /// Reports whether a prompt found no one to ask.
    pub(crate) fn was_unavailable(&self) -> bool {
        self.unavailable
    }

    /// Asks a question, except for fields that flags answer. The plugin is empty for a form that the
    /// person chose to fill in.
    ///
    /// # Errors
    /// When the answer of a flag is invalid and there is no terminal to ask at.
    pub(crate) fn ask(&mut self, plugin: &str, question: &Question) -> Result<PersonReply> {
        let mut question = question.clone();
        if question.fields.is_empty() {
            let confirm = Field::confirm("answer").options(["Yes", "No"]);
            question.fields.push(confirm);
        }
        let mut values = Map::new();
        for field in &question.fields {
            if let Some(value) = self.script.take_answer(plugin, &field.name) {
                values.insert(field.name.clone(), choices::chosen(field, &value));
            }
        }
        // Optional fields are not asked for once a flag answered another field.
        if !values.is_empty()
            && let Ok(answer) = question.check(Value::Object(values.clone()))
        {
            return Ok(PersonReply::Answer(answer));
        }
        let Some(terminal) = &mut self.terminal else {
            let problem = |field| choices::problem(field, values.get(&field.name)?);
            if let Some(problem) = question.fields.iter().find_map(problem) {
                return Err(ExitError::usage(problem));
            }
            self.unavailable = true;
            return Ok(PersonReply::Nobody);
        };
        terminal.output.begin();
        let asked = prompt_question(plugin, &question, values, terminal);
        let said = match &asked {
            Ok(PersonReply::Answer(answer)) => answer_line(&question, answer),
            Ok(PersonReply::Skip) => "(skipped)".to_owned(),
            Err(error) if is_dismissed(error) => "(withdrawn)".to_owned(),
            _ => String::new(),
        };
        let who = match plugin {
            "" => String::new(),
            plugin => format!("{} asked: ", filter::line(plugin, 60)),
        };
        let line = format!("{who}{} {said}", filter::line(&question.prompt, 100));
        terminal.output.fold(&line)?;
        match asked {
            Err(error) if is_dismissed(&error) => Ok(PersonReply::Dismissed),
            asked => Ok(asked?),
        }
    }

    /// Fills in a form with the given values, and prompts for the others. The inner error says which
    /// value is invalid.
    pub(crate) fn fill(
        &mut self,
        form: &Question,
        given: Vec<(String, String)>,
    ) -> Result<std::result::Result<PersonReply, String>> {
        if !self.is_present() {
            let field = |name: &str| form.fields.iter().find(|field| field.name == name);
            let problem = |(name, value): &(String, String)| {
                let field = field(name)?;
                choices::problem(field, &choices::chosen(field, value))
            };
            if let Some(problem) = given.iter().find_map(problem) {
                return Ok(Err(problem));
            }
        }
        let given = PreparedReplies::answers(given);
        let others = std::mem::replace(&mut self.script, given);
        let (unavailable, filled) = (self.unavailable, self.ask("", form));
        self.script = others;
        self.unavailable = unavailable;
        filled.map(Ok)
    }

    /// Checks at the end that every flag was needed. Returns the exit of the command, unless it was a
    /// success.
    ///
    /// # Errors
    /// When the command succeeded and a flag was not used.
    pub(crate) fn check_all_used(&self, exit: Exit, ui: &Ui) -> Result<Exit> {
        match self.script.unused() {
            Some(unused) if exit == Exit::Done => Err(ExitError::usage(unused)),
            Some(unused) => {
                ui.note(&unused);
                Ok(exit)
            }
            None => Ok(exit),
        }
    }

    /// Asks for an approval, with everything that the host knows about the request. `naming` says
    /// whether a folder can be named here.
    pub(crate) fn approve(
        &mut self,
        plugin: &str,
        request: &ApprovalRequest,
        naming: FolderNaming<'_>,
    ) -> Result<PersonReply> {
        if let Some(reply) = self.script.reply(plugin, request) {
            return Ok(reply);
        }
        let Some(terminal) = &mut self.terminal else {
            self.unavailable = true;
            return Ok(PersonReply::Nobody);
        };
        terminal.output.begin();
        let decided = approval::decide(plugin, request, naming, terminal);
        let said = match &decided {
            Ok(PersonReply::Verdict(verdict, _)) => verdict_text(*verdict).to_owned(),
            Ok(PersonReply::Folder(verdict, folder, mode)) => {
                let folder = filter::line(&folder.display().to_string(), 300);
                let only = match (request.folder.as_ref(), mode) {
                    (Some(asked), Mode::ReadOnly) if asked.writable => " to read only",
                    _ => "",
                };
                format!("{folder}, {}{only}", verdict_text(*verdict))
            }
            _ => "withdrawn".to_owned(),
        };
        let name = filter::line(&approval_name(plugin, request), 130);
        let line = terminal.render.host_note(&format!("{name}: {said}"));
        terminal.output.fold_card(line.trim_end())?;
        match decided {
            Ok(reply) => Ok(reply),
            Err(error) if is_dismissed(&error) => Ok(PersonReply::Dismissed),
            Err(error) => Err(error.into()),
        }
    }
}

/// Prompts for the fields that are not answered yet.
fn prompt_question(
    plugin: &str,
    question: &Question,
    mut values: Map<String, Value>,
    terminal: &mut PromptTerminal,
) -> io::Result<PersonReply> {
    let head = match plugin {
        "" => "to fill in:".to_owned(),
        plugin => format!("{} asks:", filter::line(plugin, 60)),
    };
    // The screen may have another size than when the program started.
    terminal.render.width = (terminal.size)().0;
    // Every line is marked, so that a question cannot imitate an approval.
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
        let given = values.get(&field.name);
        if given.is_some_and(|value| choices::problem(field, value).is_none()) {
            continue;
        }
        let who = if plugin.is_empty() {
            "the plugin"
        } else {
            plugin
        };
        match field::ask(field, &filter::line(who, 60), terminal)? {
            Some(value) => values.insert(field.name.clone(), value),
            None => return Ok(PersonReply::Skip),
        };
    }
    match question.check(Value::Object(values)) {
        Ok(answer) => Ok(PersonReply::Answer(answer)),
        // Every field was checked, so no answer can satisfy this question.
        Err(error) => {
            writeln!(terminal.output, "{}", filter::clean(&error.to_string()))?;
            Ok(PersonReply::Skip)
        }
    }
}

/// Draws a view as lines that leave room for a quote mark.
fn quoted(view: &View, render: &footlight_render::terminal::Terminal) -> Vec<String> {
    let mut terminal = render.clone();
    terminal.width = terminal.width.saturating_sub(4);
    let drawing = draw(&terminal, view);
    drawing.text.lines().map(str::to_owned).collect()
}

/// Formats an answer on one line, without secrets.
fn answer_line(question: &Question, answer: &Answer) -> String {
    let is_secret = |field: &Field| field.control == Control::Secret;
    if question.fields.iter().any(is_secret) {
        return "(answered)".to_owned();
    }
    format!("-> {}", answer_words(question, answer))
}

/// Formats an answer on one line in the words on the screen: labels, and no secrets.
pub(crate) fn answer_words(question: &Question, answer: &Answer) -> String {
    let values = answer.recordable();
    let words = |field: &Field| {
        let shown = |value: &Value| {
            let Some(text) = value.as_str() else {
                return value.to_string();
            };
            let mut choices = field.choices().iter();
            let chosen = choices.find(|choice| choice.value == text);
            chosen.map_or(text, |choice| choice.shown()).to_owned()
        };
        match values.get(&field.name) {
            None | Some(Value::Null) => String::new(),
            Some(Value::Array(values)) => values.iter().map(shown).collect::<Vec<_>>().join(", "),
            Some(value) => shown(value),
        }
    };
    let text = match question.fields.as_slice() {
        [] => answer.text(),
        [field] => words(field),
        fields => {
            let fields = fields.iter().map(|field| {
                let label = field.label.as_ref().unwrap_or(&field.name);
                format!("{}: {}", label.trim_end_matches([':', '?']), words(field))
            });
            fields.collect::<Vec<_>>().join("; ")
        }
    };
    filter::line(&text, 200)
}

/// Reads a line that the terminal echoes; `None` at the end of input.
fn read_line(input: &mut dyn BufRead, output: &mut FoldingWriter) -> io::Result<Option<String>> {
    let line = typed_line(input)?;
    if let Some(line) = &line {
        output.echoed(line);
    }
    Ok(line)
}

/// Reads a line without its line feed; `None` at the end of input.
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

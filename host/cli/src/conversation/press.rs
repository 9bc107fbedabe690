//! The chat command `/do`: activates a numbered control of a widget.
//!
//! Fields of a form come from the line (`field=value`) and are otherwise prompted for. The host gets
//! the path of the control in the widget and the values, and decides what to call.

use crate::terminal::prompt::{Person, PersonReply};
use crate::terminal::ui::{NumberedAction, Ui, action_label};
use anyhow::Result;
use footlight::session::Press;
use footlight_render::filter;
use footlight_render::view::{self, Content, View};
use footlight_vocabulary::item::ItemId;
use footlight_vocabulary::question::{Choice, Control, Field, Question};
use serde_json::{Map, Value};

/// How many widgets are listed.
const LISTED: usize = 8;

/// The arguments of `/do`.
#[derive(Debug, PartialEq)]
pub(crate) struct PressCommand {
    pub(crate) number: usize,
    pub(crate) given: Vec<(String, String)>,
}

impl PressCommand {
    /// Parses `2 title='Buy milk'`. An empty line is `None`.
    pub(crate) fn parse(line: &str) -> Result<Option<Self>, String> {
        let mut words = split_words(line)?.into_iter();
        let Some(number) = words.next() else {
            return Ok(None);
        };
        let wrong = || "write the number of the control: /do 2".to_owned();
        let number = number.trim_matches(['[', ']']).parse();
        let number = number.map_err(|_| wrong())?;
        let pair = |word: String| match word.split_once('=') {
            Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
            None => Err(format!("`{word}` is not field=value")),
        };
        let given = words.map(pair).collect::<Result<_, _>>()?;
        Ok(Some(Self { number, given }))
    }
}

/// Splits a line into words, which may be quoted.
fn split_words(line: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(end), c) if c == end => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err("unclosed quote".to_owned());
    }
    words.extend(word);
    Ok(words)
}

/// Lists the controls on the screen.
pub(crate) fn list(ui: &Ui) {
    let widgets = ui.numbered_actions();
    if widgets.is_empty() {
        ui.note("there are no controls on the screen");
        return;
    }
    // The last widgets are the visible ones.
    let left = widgets.len().saturating_sub(LISTED);
    if left > 0 {
        ui.note(&format!("({left} more widgets above)"));
    }
    for (name, actions) in &widgets[left..] {
        ui.dim_note(&filter::line(name, 100));
        for action in actions {
            let form = match action.press.form {
                Some(_) => ", with a form",
                None => "",
            };
            let label = filter::line(&action_label(action), 170);
            ui.note(&format!("  [{}] {label}{form}", action.number));
        }
    }
}

/// Prepares a press and prompts for missing fields. The inner error is for the person.
pub(crate) fn prepare(
    wanted: PressCommand,
    ui: &Ui,
    person: &mut Person,
) -> Result<std::result::Result<Press, String>> {
    let number = wanted.number;
    let (action, view) = match ui.numbered_action(number) {
        NumberedAction::Shown(shown) => *shown,
        other => return Ok(Err(no_control(number, other))),
    };
    let Some((item, rev)) = action.item else {
        return Ok(Err("this control cannot be activated".to_owned()));
    };
    let mut fields = Vec::new();
    collect_fields(&view, &action.press, false, &mut fields);
    fields.retain(|field| !field.disabled);
    let is_known = |name: &str| fields.iter().any(|field| field.name == name);
    if let Some((name, _)) = wanted.given.iter().find(|(name, _)| !is_known(name)) {
        let has = match fields.is_empty() {
            true => "there are no fields".to_owned(),
            false => format!("the fields are {}", names(&fields)),
        };
        let name = filter::line(name, 60);
        return Ok(Err(format!("there is no field `{name}`; {has}")));
    }
    let is_secret = |name: &str| {
        let mut own = fields.iter().filter(|field| field.name == name);
        own.any(|field| field.control == view::Control::Secret)
    };
    if let Some((name, _)) = wanted.given.iter().find(|(name, _)| is_secret(name)) {
        let name = filter::line(name, 60);
        return Ok(Err(format!(
            "`{name}` is a secret and cannot be typed on the line; the plugin has to ask for it"
        )));
    }
    let values = match fields.as_slice() {
        [] => Map::new(),
        // A checkbox outside of a form toggles.
        [tick] if action.press.form.is_none() && tick.control == view::Control::Checkbox => {
            let given = wanted.given.first().map(|(_, value)| is_yes(value));
            let ticked = given.unwrap_or(tick.value.as_deref() != Some("true"));
            Map::from_iter([(tick.name.clone(), ticked.into())])
        }
        fields => match fill_form(&action.label, fields, wanted.given, ui, person)? {
            Ok(values) => values,
            Err(why) => return Ok(Err(why)),
        },
    };
    Ok(Ok(Press {
        item: ItemId::from(item),
        rev,
        path: action.press.path,
        values,
    }))
}

/// Says why there is nothing to press under a number.
fn no_control(number: usize, found: NumberedAction) -> String {
    match found {
        NumberedAction::Gone { label, widget } => {
            let of = match widget.is_empty() {
                true => String::new(),
                false => format!(" of {}", filter::line(&widget, 100)),
            };
            format!(
                "{number} was `{}`{of}, which is gone; /do lists what there is",
                filter::line(&label, 170)
            )
        }
        NumberedAction::Earlier => {
            format!("{number} is from before the session was resumed; /do lists what there is now")
        }
        _ => format!("there is no control with the number {number}; /do lists all"),
    }
}

/// Prompts for the fields that were not given.
fn fill_form(
    label: &str,
    fields: &[&view::Field],
    given: Vec<(String, String)>,
    ui: &Ui,
    person: &mut Person,
) -> Result<std::result::Result<Map<String, Value>, String>> {
    let mut question = Question::new(filter::line(label, 80));
    question.fields = fields.iter().map(|field| question_field(field)).collect();
    let reply = person.fill(&question, given);
    ui.note_external_output(person.take_visible_text());
    let answer = match reply? {
        Ok(PersonReply::Answer(answer)) => answer,
        Err(problem) => return Ok(Err(problem)),
        Ok(PersonReply::Nobody) => {
            let names = names(fields);
            return Ok(Err(format!(
                "missing values; write field=value for {names}"
            )));
        }
        _ => return Ok(Err("cancelled".to_owned())),
    };
    let mut values = answer.values();
    for field in fields {
        if let (view::Control::Checkbox, Some(value)) = (field.control, values.get_mut(&field.name))
        {
            *value = Value::Bool(value.as_str().is_some_and(is_yes));
        }
    }
    values.retain(|_, value| !value.is_null());
    Ok(Ok(values))
}

fn names(fields: &[&view::Field]) -> String {
    let names = fields.iter().map(|field| field.name.as_str());
    filter::line(&crate::suggest::quoted_list(names), 300)
}

fn is_yes(text: &str) -> bool {
    matches!(
        text.to_lowercase().as_str(),
        "yes" | "y" | "true" | "on" | "1"
    )
}

/// Converts a field of a form to a field of a question.
fn question_field(field: &view::Field) -> Field {
    use view::Control as Drawn;
    let control = match field.control {
        Drawn::Text | Drawn::Email | Drawn::Tel | Drawn::Url => Control::Text,
        Drawn::Textarea => Control::Textarea,
        Drawn::Number => Control::Number,
        Drawn::Date => Control::Date,
        Drawn::Secret => Control::Secret,
        Drawn::Select | Drawn::SelectMany => Control::Select,
        Drawn::Radio => Control::Radio,
        Drawn::CheckboxGroup => Control::Checkbox,
        Drawn::Buttons => Control::Buttons,
        Drawn::Checkbox => Control::Confirm,
    };
    let label = field.label.as_ref().unwrap_or(&field.name);
    let mut asked = Field::new(field.name.as_str(), control)
        .label(label.as_str())
        .required(field.required);
    asked.help.clone_from(&field.help);
    asked.placeholder.clone_from(&field.placeholder);
    asked.default = field.value.clone().map(Value::String);
    match field.control {
        Drawn::Checkbox => {
            let ticked = field.value.as_deref() == Some("true");
            asked = asked.options(["Yes", "No"]).required(true);
            asked.default = Some(if ticked { "Yes" } else { "No" }.into());
        }
        _ if !field.options.is_empty() => {
            let choice = |choice: &view::Choice| {
                let mut asked = Choice::new(choice.value.as_str()).label(choice.label.as_str());
                asked.description.clone_from(&choice.description);
                asked.disabled = choice.disabled.then_some(true);
                asked
            };
            asked = asked.options(field.options.iter().map(choice));
            asked.multiple = (field.control == Drawn::SelectMany).then_some(true);
            asked.other = field.other.then_some(true);
        }
        Drawn::Number | Drawn::Date => {
            asked.min = field.min.clone().map(Value::String);
            asked.max = field.max.clone().map(Value::String);
        }
        _ => {}
    }
    asked
}

/// Collects the fields whose values go with a press: those of its form, or the control itself.
fn collect_fields<'v>(
    view: &'v View,
    press: &view::Press,
    within: bool,
    found: &mut Vec<&'v view::Field>,
) {
    let contents: Vec<&Content> = match view {
        View::Field(field) => {
            let is_own = |own: &view::Press| press.form.is_none() && own.path == press.path;
            if within || field.press.as_ref().is_some_and(is_own) {
                found.push(field);
            }
            return;
        }
        View::Group(group) => {
            let is_form = press.form.is_some() && group.form == press.form;
            for child in &group.children {
                collect_fields(child, press, within || is_form, found);
            }
            return;
        }
        View::Widget(shown) => return collect_fields(&shown.body, press, within, found),
        View::Frame(frame) => return collect_fields(&frame.body, press, within, found),
        View::List(list) => list.items.iter().map(|item| &item.content).collect(),
        View::Facts(facts) => facts.facts.iter().map(|fact| &fact.value).collect(),
        View::Table(table) => {
            let cells = table.rows.iter().flatten();
            cells.map(|cell| &cell.content).collect()
        }
        _ => return,
    };
    for content in contents {
        if let Content::Block(views) = content {
            for view in views {
                collect_fields(view, press, within, found);
            }
        }
    }
}

#[cfg(test)]
mod tests;

//! The actions of a drawing, by number, each with the text of the row that it stands in.

use super::group::submit_label;
use crate::filter;
use crate::view::{Button, Content, Group, Layout, Press, View, Widget};

/// How much text of a row is collected, in bytes.
const MAX_ROW: usize = 200;

/// The most characters of a label and of a row.
const MAX_LABEL: usize = 80;

/// An action that a person can invoke.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// The number shown before it in the drawing.
    pub number: usize,
    /// The label, on one line.
    pub label: String,
    /// The text beside it in its row, on one line: what tells one `Delete` from another.
    pub row: Option<String>,
    /// The name of the field that is the control; none for a button or a form.
    pub field: Option<String>,
    /// The id and revision of the item that contains it.
    pub item: Option<(String, u64)>,
    /// The action to report to the host.
    pub press: Press,
}

/// Collects the actions of a view, ordered by number.
pub(super) fn of(view: &View, number: impl Fn(usize) -> usize) -> Vec<Action> {
    let mut collector = Collector {
        number,
        item: None,
        row: None,
        actions: Vec::new(),
    };
    collector.view(view, 0);
    collector.actions.sort_by_key(|action| action.number);
    collector.actions
}

struct Collector<'v, N> {
    number: N,
    item: Option<&'v Widget>,
    /// The text of the innermost row that has any.
    row: Option<String>,
    actions: Vec<Action>,
}

impl<'v, N: Fn(usize) -> usize> Collector<'v, N> {
    fn add(&mut self, press: Option<&Press>, label: &str, field: Option<&str>) {
        let Some(press) = press else { return };
        let item = |widget: &Widget| Some((widget.id.clone()?, widget.rev));
        let label = filter::line(label, MAX_LABEL);
        self.actions.push(Action {
            number: (self.number)(press.number),
            row: self.row.as_deref().and_then(|row| beside(row, &label)),
            label,
            field: field.map(str::to_owned),
            item: self.item.and_then(item),
            press: press.clone(),
        });
    }

    /// Collects the actions of a row, whose text goes with them.
    fn in_row(&mut self, text: String, collect: impl FnOnce(&mut Self)) {
        let outer = self.row.clone();
        if !text.is_empty() {
            self.row = Some(text);
        }
        collect(self);
        self.row = outer;
    }

    fn view(&mut self, view: &'v View, depth: usize) {
        if depth > super::MAX_DEPTH {
            return;
        }
        match view {
            View::Group(group) => self.group(group, depth),
            View::Button(button) => self.button(button),
            View::Field(field) if !field.disabled => {
                let label = field.label.as_deref().unwrap_or(&field.name);
                self.add(field.press.as_ref(), label, Some(&field.name));
            }
            View::List(list) => {
                for item in &list.items {
                    let text = text_of([&item.content].into_iter());
                    self.in_row(text, |row| row.content(&item.content, depth));
                }
            }
            View::Quote(views) => self.views(views, depth),
            View::Table(table) => {
                for cells in &table.rows {
                    let contents = || cells.iter().map(|cell| &cell.content);
                    self.in_row(text_of(contents()), |row| {
                        contents().for_each(|content| row.content(content, depth));
                    });
                }
            }
            View::Facts(facts) => {
                for fact in &facts.facts {
                    let label = filter::line(&fact.label, MAX_LABEL);
                    self.in_row(label, |row| row.content(&fact.value, depth));
                }
            }
            View::Frame(frame) => self.view(&frame.body, depth + 1),
            View::Call(call) => self.view(&call.body, depth + 1),
            View::Ask(ask) => self.views(&ask.prompt, depth),
            View::Widget(widget) => {
                let outer = self.item.replace(widget);
                self.view(&widget.body, depth + 1);
                self.item = outer;
            }
            _ => {}
        }
    }

    fn views(&mut self, views: &'v [View], depth: usize) {
        for view in views {
            self.view(view, depth + 1);
        }
    }

    fn content(&mut self, content: &'v Content, depth: usize) {
        if let Content::Block(views) = content {
            self.views(views, depth);
        }
    }

    fn group(&mut self, group: &'v Group, depth: usize) {
        if let Some(press) = &group.press {
            let label = match group.layout {
                Layout::Form => submit_label(&group.children, 0).map(str::to_owned),
                _ => group.children.iter().find_map(View::first_text),
            };
            self.add(Some(press), label.as_deref().unwrap_or("Submit"), None);
        }
        match group.layout {
            Layout::Row | Layout::Item => {
                let mut text = RowText::default();
                text.views(&group.children, depth);
                self.in_row(text.line(), |row| row.views(&group.children, depth));
            }
            _ => self.views(&group.children, depth),
        }
        for button in &group.footer {
            self.button(button);
        }
    }

    fn button(&mut self, button: &Button) {
        if !button.disabled {
            self.add(button.press.as_ref(), &button.label, None);
        }
    }
}

/// Returns the text of a row without the label that it begins with; none if nothing is left.
fn beside(row: &str, label: &str) -> Option<String> {
    let rest = match row.strip_prefix(label) {
        Some("") => return None,
        Some(rest) => rest.strip_prefix(", ").unwrap_or(row),
        None => row,
    };
    Some(rest.to_owned())
}

/// Returns the text of the cells of a row.
fn text_of<'v>(contents: impl Iterator<Item = &'v Content>) -> String {
    let mut text = RowText::default();
    for content in contents {
        match content {
            Content::Inline(inline) => text.push(&inline.to_text()),
            Content::Block(views) => text.views(views, 0),
        }
    }
    text.line()
}

/// The text of a row, without what its controls are labelled with.
#[derive(Default)]
struct RowText(String);

impl RowText {
    fn push(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() || self.0.len() >= MAX_ROW {
            return;
        }
        if !self.0.is_empty() {
            self.0.push_str(", ");
        }
        self.0.push_str(&text[..text.floor_char_boundary(MAX_ROW)]);
    }

    fn views(&mut self, views: &[View], depth: usize) {
        for view in views {
            if self.0.len() >= MAX_ROW || depth > super::MAX_DEPTH {
                return;
            }
            match view {
                View::Text(text) => self.push(&text.inline.to_text()),
                View::Badge { label, .. } => self.push(label),
                View::Field(field) => self.push(field.label.as_deref().unwrap_or_default()),
                View::Group(group) => self.views(&group.children, depth + 1),
                View::Quote(views) => self.views(views, depth + 1),
                _ => {}
            }
        }
    }

    fn line(self) -> String {
        filter::line(&self.0, MAX_LABEL)
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::Lower;
    use crate::terminal::Terminal;
    use serde_json::{Value, json};

    fn listed(tree: Value) -> Vec<(String, Option<String>)> {
        let view = Lower::default().component(&tree);
        let actions = Terminal::new(80).draw(&view).actions.into_iter();
        actions.map(|action| (action.label, action.row)).collect()
    }

    #[test]
    fn a_control_is_listed_with_the_text_of_its_row() {
        let delete = json!({ "type": "Button", "label": "Delete",
                             "onClickAction": { "type": "delete" } });
        let row = |text: &str| {
            json!({ "type": "Row", "children": [
            { "type": "Text", "value": text }, { "type": "Badge", "label": "new" }, delete ] })
        };
        let tick = json!({ "type": "Row", "children": [{ "type": "Checkbox", "name": "done",
            "label": "Eggs", "onChangeAction": { "type": "toggle" } }] });
        let card = json!({ "type": "Card", "children": [row("Milk"), row("Bread"), tick, delete] });
        let owned = |label: &str, row: Option<&str>| (label.to_owned(), row.map(str::to_owned));
        assert_eq!(
            listed(card),
            [
                owned("Delete", Some("Milk, new")),
                owned("Delete", Some("Bread, new")),
                owned("Eggs", None),
                owned("Delete", None),
            ]
        );
    }

    #[test]
    fn an_item_of_a_list_is_a_row_and_hostile_text_in_it_is_cut_and_filtered() {
        let text = format!("a\u{1b}[2J\n{}", "b".repeat(10_000));
        let item = json!({ "type": "ListViewItem", "children": [
            { "type": "Text", "value": text },
            { "type": "Row", "children": [{ "type": "Button", "label": "Go",
              "onClickAction": { "type": "go" } }] }] });
        let listed = listed(json!({ "type": "ListView", "children": [item] }));
        let row = listed[0].1.as_deref().expect("a row");
        assert!(row.starts_with("a b") || row.starts_with("ab"), "{row}");
        assert!(row.chars().count() <= 80 && !row.contains(char::is_control));
    }
}

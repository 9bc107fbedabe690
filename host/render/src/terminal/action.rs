//! The actions of a drawing, by number.

use super::group::submit_label;
use crate::view::{Button, Content, Group, Layout, Press, View, Widget};

/// An action that a person can invoke.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// The number shown before it in the drawing.
    pub number: usize,
    /// The label, on one line.
    pub label: String,
    /// The id and revision of the item that contains it.
    pub item: Option<(String, u64)>,
    /// The action to report to the host.
    pub press: Press,
}

/// Collects the actions of a view, ordered by number.
pub(super) fn of(view: &View, after: usize) -> Vec<Action> {
    let mut collector = Collector {
        after,
        item: None,
        actions: Vec::new(),
    };
    collector.view(view, 0);
    collector.actions.sort_by_key(|action| action.number);
    collector.actions
}

struct Collector<'v> {
    after: usize,
    item: Option<&'v Widget>,
    actions: Vec<Action>,
}

impl<'v> Collector<'v> {
    fn add(&mut self, press: Option<&Press>, label: &str) {
        let Some(press) = press else { return };
        let item = |widget: &Widget| Some((widget.id.clone()?, widget.rev));
        self.actions.push(Action {
            number: self.after + press.number,
            label: crate::filter::line(label, 80),
            item: self.item.and_then(item),
            press: press.clone(),
        });
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
                self.add(field.press.as_ref(), label);
            }
            View::List(list) => {
                self.contents(list.items.iter().map(|item| &item.content), depth);
            }
            View::Quote(views) => self.views(views, depth),
            View::Table(table) => {
                self.contents(table.rows.iter().flatten().map(|cell| &cell.content), depth);
            }
            View::Facts(facts) => {
                self.contents(facts.facts.iter().map(|fact| &fact.value), depth);
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

    fn contents(&mut self, contents: impl Iterator<Item = &'v Content>, depth: usize) {
        for content in contents {
            if let Content::Block(views) = content {
                self.views(views, depth);
            }
        }
    }

    fn group(&mut self, group: &'v Group, depth: usize) {
        if let Some(press) = &group.press {
            let label = match group.layout {
                Layout::Form => submit_label(&group.children, 0).map(str::to_owned),
                _ => group.children.iter().find_map(View::first_text),
            };
            self.add(Some(press), label.as_deref().unwrap_or("Submit"));
        }
        self.views(&group.children, depth);
        for button in &group.footer {
            self.button(button);
        }
    }

    fn button(&mut self, button: &Button) {
        if !button.disabled {
            self.add(button.press.as_ref(), &button.label);
        }
    }
}

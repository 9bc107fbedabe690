//! Numbers the controls of widgets, for `/do 2`.
//!
//! A control keeps its number for as long as its widget has one that does the same: calls the same tool
//! with the same payload, and has the same field. No number is used twice, and a number whose control is
//! gone is remembered, so that the person hears what it was.

use footlight_render::terminal::{Action, Drawing, Terminal};
use footlight_render::view::View;
use footlight_vocabulary::item::ItemId;
use std::collections::VecDeque;

/// How many controls that are gone are remembered.
const MAX_GONE: usize = 1_000;

/// The controls of everything drawn so far.
#[derive(Debug, Default)]
pub(super) struct ActionNumbers {
    items: Vec<NumberedItem>,
    /// The highest number that was ever used.
    highest: usize,
    /// The highest number of earlier parts of the conversation, which this process did not draw.
    earlier: usize,
    gone: VecDeque<GoneAction>,
}

#[derive(Debug)]
struct NumberedItem {
    id: ItemId,
    actions: Vec<Action>,
    view: View,
}

/// A control that is not on the screen any more.
#[derive(Debug)]
struct GoneAction {
    item: ItemId,
    action: Action,
    /// The name of its widget.
    widget: String,
}

/// What a number stands for.
#[derive(Debug, PartialEq)]
pub(crate) enum NumberedAction {
    /// A control, and the view of its widget.
    Shown(Box<(Action, View)>),
    /// A control that is gone: its label, and the name of its widget.
    Gone {
        label: String,
        widget: String,
    },
    /// A control of an earlier part of the conversation.
    Earlier,
    Unknown,
}

/// Reports whether two controls do the same.
fn do_the_same(one: &Action, other: &Action) -> bool {
    let identity = |action: &Action| (action.press.digest, action.press.form.is_some());
    identity(one) == identity(other) && one.field == other.field
}

/// Reports whether two controls read alike and call the same tool, such as those that tick a task and
/// take the tick away again.
fn are_alike(one: &Action, other: &Action) -> bool {
    let identity = |action: &Action| (action.press.tool, action.press.form.is_some());
    let words = |action: &Action| {
        (
            action.label.clone(),
            action.row.clone(),
            action.field.clone(),
        )
    };
    identity(one) == identity(other) && words(one) == words(other)
}

impl ActionNumbers {
    /// Continues the numbers of earlier parts of a conversation, of which this is the highest.
    pub(super) fn continue_after(&mut self, highest: usize) {
        self.highest = self.highest.max(highest);
        self.earlier = self.earlier.max(highest);
    }

    /// Returns the highest number that was ever used.
    pub(super) fn highest(&self) -> usize {
        self.highest
    }

    /// Draws an item and numbers its controls.
    pub(super) fn draw(&mut self, id: &ItemId, view: &View, terminal: &mut Terminal) -> Drawing {
        let own = self.items.iter().position(|known| known.id == *id);
        let mut before = own.map(|at| self.items.remove(at));
        let actions = Terminal::actions(view);
        let mut numbers: Vec<Option<usize>> = vec![None; actions.len()];
        if let Some(before) = &mut before {
            take_over(&mut before.actions, &actions, &mut numbers);
        }
        terminal.action_numbers.clear();
        for (action, number) in actions.iter().zip(numbers) {
            let number = number.unwrap_or_else(|| self.number(id, action));
            let place = action.number;
            if terminal.action_numbers.len() < place {
                // What is not drawn has no number.
                terminal.action_numbers.resize(place, 0);
            }
            terminal.action_numbers[place - 1] = number;
        }
        if let Some(before) = before {
            self.forget(before);
        }
        let drawing = super::draw(terminal, view);
        if !drawing.actions.is_empty() {
            self.items.push(NumberedItem {
                id: id.clone(),
                actions: drawing.actions.clone(),
                view: view.clone(),
            });
        }
        drawing
    }

    /// Returns the number of a control that was not there: the one that it had before it was gone, or a
    /// new one.
    fn number(&mut self, id: &ItemId, action: &Action) -> usize {
        let mut gone = self.gone.iter();
        let is_it = |gone: &GoneAction| gone.item == *id && do_the_same(&gone.action, action);
        if let Some(gone) = gone.position(is_it).and_then(|at| self.gone.remove(at)) {
            return gone.action.number;
        }
        self.highest += 1;
        self.highest
    }

    /// Remembers the controls of an item that are gone.
    fn forget(&mut self, item: NumberedItem) {
        let widget = name(&item.view);
        for action in item.actions {
            if self.gone.len() == MAX_GONE {
                self.gone.pop_front();
            }
            self.gone.push_back(GoneAction {
                item: item.id.clone(),
                action,
                widget: widget.clone(),
            });
        }
    }

    pub(super) fn remove(&mut self, id: &ItemId) {
        if let Some(at) = self.items.iter().position(|known| known.id == *id) {
            let item = self.items.remove(at);
            self.forget(item);
        }
    }

    /// Returns what a number stands for.
    pub(super) fn find(&self, number: usize) -> NumberedAction {
        let shown = self.items.iter().find_map(|known| {
            let mut actions = known.actions.iter();
            let action = actions.find(|action| action.number == number)?;
            Some((action.clone(), known.view.clone()))
        });
        if let Some(shown) = shown {
            return NumberedAction::Shown(Box::new(shown));
        }
        let mut gone = self.gone.iter();
        if let Some(gone) = gone.find(|gone| gone.action.number == number) {
            return NumberedAction::Gone {
                label: label(&gone.action),
                widget: gone.widget.clone(),
            };
        }
        match number {
            1.. if number <= self.earlier => NumberedAction::Earlier,
            _ => NumberedAction::Unknown,
        }
    }

    /// Returns the name and controls of each widget, in the order of their numbers.
    pub(super) fn all(&self) -> Vec<(String, Vec<Action>)> {
        let mut items: Vec<&NumberedItem> = self.items.iter().collect();
        let first = |known: &NumberedItem| known.actions.iter().map(|action| action.number).min();
        items.sort_by_key(|known| first(known));
        let named = |known: &NumberedItem| (name(&known.view), known.actions.clone());
        items.into_iter().map(named).collect()
    }
}

/// Gives controls the numbers of those that did the same before, or that read alike where that is clear.
/// Those whose numbers are taken over are removed.
fn take_over(before: &mut Vec<Action>, actions: &[Action], numbers: &mut [Option<usize>]) {
    for (action, number) in actions.iter().zip(&mut *numbers) {
        let known = before.iter().position(|known| do_the_same(known, action));
        *number = known.map(|at| before.remove(at).number);
    }
    for (n, action) in actions.iter().enumerate() {
        let is_open = |(at, _): &(usize, &Action)| numbers[*at].is_none();
        let open = actions.iter().enumerate().filter(is_open);
        let rivals = open.filter(|(_, other)| are_alike(other, action)).count();
        let known = before.iter().enumerate();
        let known: Vec<usize> = known
            .filter(|(_, known)| are_alike(known, action))
            .map(|(at, _)| at)
            .collect();
        if let (None, 1, [only]) = (numbers[n], rivals, known.as_slice()) {
            numbers[n] = Some(before.remove(*only).number);
        }
    }
}

/// Returns the label of a control with the text of its row.
pub(crate) fn label(action: &Action) -> String {
    match &action.row {
        Some(row) => format!("{} · {row}", action.label),
        None => action.label.clone(),
    }
}

/// Returns the plugin and type of a widget.
fn name(view: &View) -> String {
    match view {
        View::Widget(shown) => match &shown.from {
            Some(from) => format!("{from} · {}", shown.widget),
            None => shown.widget.clone(),
        },
        View::Group(group) => {
            let names = group.children.iter().map(name);
            names
                .reduce(|first, next| if first.is_empty() { next } else { first })
                .unwrap_or_default()
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use footlight_render::lower::Lower;
    use serde_json::{Value, json};

    fn card(buttons: &[Value]) -> View {
        let button = |payload: &Value| {
            json!({ "type": "Button", "label": format!("b{payload}"),
                    "onClickAction": { "type": "go", "payload": payload } })
        };
        let children: Vec<_> = buttons.iter().map(button).collect();
        Lower::default().component(&json!({ "type": "Card", "children": children }))
    }

    fn drawn(numbers: &mut ActionNumbers, id: &str, buttons: &[i32]) -> Vec<usize> {
        let buttons: Vec<Value> = buttons.iter().map(|n| json!({ "id": n })).collect();
        let drawing = numbers.draw(&id.into(), &card(&buttons), &mut Terminal::new(80));
        let drawn: Vec<usize> = drawing.actions.iter().map(|action| action.number).collect();
        for number in &drawn {
            let shown = format!("[{number}] ");
            assert!(drawing.text.contains(&shown), "{shown}: {}", drawing.text);
        }
        drawn
    }

    #[test]
    fn numbers_continue_from_item_to_item() {
        let mut numbers = ActionNumbers::default();
        let mut drawn = |id, buttons: &[i32]| drawn(&mut numbers, id, buttons);
        assert_eq!(drawn("a", &[1, 2]), [1, 2]);
        assert_eq!(drawn("b", &[1]), [3]);
        assert_eq!(drawn("c", &[]), Vec::<usize>::new());
        assert_eq!(drawn("d", &[1]), [4]);
    }

    #[test]
    fn a_control_keeps_its_number_wherever_it_moves_and_no_number_is_used_twice() {
        let mut numbers = ActionNumbers::default();
        let mut drawn = |id, buttons: &[i32]| drawn(&mut numbers, id, buttons);
        assert_eq!(drawn("a", &[10, 20, 30]), [1, 2, 3]);
        // The second is gone, and the third has moved into its place.
        assert_eq!(drawn("a", &[10, 30]), [1, 3]);
        assert_eq!(drawn("a", &[40, 10, 30]), [1, 3, 4]);
        assert_eq!(drawn("b", &[10]), [5]);
        // It is back, and is what it was.
        assert_eq!(drawn("a", &[20, 30]), [2, 3]);
        // Two that do the same have a number each.
        assert_eq!(drawn("a", &[20, 20]), [2, 6]);
        assert_eq!(drawn("a", &[20]), [2]);
    }

    #[test]
    fn a_control_that_reads_alike_keeps_its_number_when_its_payload_changes() {
        let tick = |id: i32, done: bool| {
            json!({ "type": "Checkbox", "name": "done", "label": format!("task {id}"),
                    "onChangeAction": { "type": "toggle", "payload": { "id": id, "done": done } } })
        };
        let mut numbers = ActionNumbers::default();
        let mut drawn = |ticks: &[Value]| {
            let view = Lower::default().component(&json!({ "type": "Card", "children": ticks }));
            let drawing = numbers.draw(&"a".into(), &view, &mut Terminal::new(80));
            let labels = drawing.actions.into_iter();
            let labels = labels.map(|action| format!("{} {}", action.number, action.label));
            labels.collect::<Vec<_>>()
        };
        assert_eq!(
            drawn(&[tick(1, true), tick(2, true)]),
            ["1 task 1", "2 task 2"]
        );
        // The first is done, and has moved below the other.
        assert_eq!(
            drawn(&[tick(2, true), tick(1, false)]),
            ["1 task 1", "2 task 2"]
        );
        // Two that read alike are not told apart by what they say.
        let twins = [tick(1, true), tick(1, true)];
        assert_eq!(drawn(&twins), ["3 task 1", "4 task 1"]);
    }

    #[test]
    fn a_number_whose_control_is_gone_says_what_it_was() {
        let mut numbers = ActionNumbers::default();
        drawn(&mut numbers, "a", &[10, 20]);
        drawn(&mut numbers, "a", &[20]);
        let gone = |numbers: &ActionNumbers, n| match numbers.find(n) {
            NumberedAction::Gone { label, .. } => label,
            other => panic!("{n}: {other:?}"),
        };
        assert_eq!(gone(&numbers, 1), r#"b{"id":10}"#);
        assert!(matches!(numbers.find(2), NumberedAction::Shown(_)));
        assert_eq!(numbers.find(3), NumberedAction::Unknown);
        numbers.remove(&"a".into());
        assert_eq!(gone(&numbers, 2), r#"b{"id":20}"#);
    }

    #[test]
    fn numbers_of_earlier_parts_of_a_conversation_are_not_used_again() {
        let mut numbers = ActionNumbers::default();
        numbers.continue_after(7);
        assert_eq!(drawn(&mut numbers, "a", &[10]), [8]);
        assert_eq!(numbers.highest(), 8);
        assert_eq!(numbers.find(7), NumberedAction::Earlier);
        assert_eq!(numbers.find(0), NumberedAction::Unknown);
        assert_eq!(numbers.find(9), NumberedAction::Unknown);
    }

    #[test]
    fn what_is_remembered_of_controls_that_are_gone_is_bounded() {
        let mut numbers = ActionNumbers::default();
        for n in 0..MAX_GONE as i32 + 10 {
            drawn(&mut numbers, "a", &[n]);
        }
        assert_eq!(numbers.gone.len(), MAX_GONE);
        assert_eq!(numbers.find(1), NumberedAction::Unknown);
    }
}

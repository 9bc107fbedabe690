//! Numbers the controls of widgets, for `/do 2`.
//!
//! A redrawn item keeps its numbers if they still fit. No number is used twice.

use footlight_render::terminal::{Action, Drawing, Terminal};
use footlight_render::view::View;
use footlight_vocabulary::item::ItemId;

/// The controls of everything drawn so far.
#[derive(Debug, Default)]
pub(super) struct ActionNumbers {
    items: Vec<NumberedItem>,
}

#[derive(Debug)]
struct NumberedItem {
    id: ItemId,
    /// The number before the first of this item.
    after: usize,
    actions: Vec<Action>,
    view: View,
}

impl ActionNumbers {
    /// Draws an item and numbers its controls.
    pub(super) fn draw(&mut self, id: &ItemId, view: &View, terminal: &mut Terminal) -> Drawing {
        let last = |actions: &[Action]| actions.last().map_or(0, |action| action.number);
        let own = self.items.iter().position(|known| known.id == *id);
        let own = own.map(|at| self.items.remove(at));
        let others = self.items.iter().map(|known| last(&known.actions));
        let highest = others.max().unwrap_or(0);
        terminal.last_action = own.as_ref().map_or(highest, |own| own.after);
        let mut drawing = super::draw(terminal, view);
        let after = terminal.last_action;
        let is_taken = |known: &NumberedItem| {
            known.after < last(&drawing.actions) && last(&known.actions) > after
        };
        if self.items.iter().any(is_taken) {
            terminal.last_action = highest.max(own.map_or(0, |own| last(&own.actions)));
            drawing = super::draw(terminal, view);
        }
        if !drawing.actions.is_empty() {
            self.items.push(NumberedItem {
                id: id.clone(),
                after: terminal.last_action,
                actions: drawing.actions.clone(),
                view: view.clone(),
            });
        }
        drawing
    }

    pub(super) fn remove(&mut self, id: &ItemId) {
        self.items.retain(|known| known.id != *id);
    }

    /// Finds the control with this number, and the view of its widget.
    pub(super) fn find(&self, number: usize) -> Option<(Action, View)> {
        self.items.iter().find_map(|known| {
            let mut actions = known.actions.iter();
            let action = actions.find(|action| action.number == number)?;
            Some((action.clone(), known.view.clone()))
        })
    }

    /// Returns the name and controls of each widget, in the order of their numbers.
    pub(super) fn all(&self) -> Vec<(String, Vec<Action>)> {
        let mut items: Vec<&NumberedItem> = self.items.iter().collect();
        items.sort_by_key(|known| known.after);
        let named = |known: &NumberedItem| (name(&known.view), known.actions.clone());
        items.into_iter().map(named).collect()
    }
}

/// Returns the plugin and type of a widget.
fn name(view: &View) -> String {
    match view {
        View::Widget(shown) => match &shown.from {
            Some(from) => format!("{from} · {}", shown.widget),
            None => shown.widget.clone(),
        },
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use footlight_render::lower::Lower;
    use serde_json::json;

    fn card(buttons: usize) -> View {
        let button = |n: usize| {
            json!({ "type": "Button", "label": format!("b{n}"),
                    "onClickAction": { "type": "go" } })
        };
        let children: Vec<_> = (0..buttons).map(button).collect();
        Lower::default().component(&json!({ "type": "Card", "children": children }))
    }

    fn numbers(of: &[(&str, usize)]) -> Vec<Vec<usize>> {
        let mut numbers = ActionNumbers::default();
        let draw = |(id, buttons): &(&str, usize)| {
            let drawing = numbers.draw(&(*id).into(), &card(*buttons), &mut Terminal::new(80));
            let drawn = drawing.actions.iter().map(|action| action.number);
            drawn.collect()
        };
        of.iter().map(draw).collect()
    }

    #[test]
    fn numbers_continue_from_item_to_item() {
        let drawn = numbers(&[("a", 2), ("b", 1), ("c", 0), ("d", 1)]);
        assert_eq!(drawn, [vec![1, 2], vec![3], vec![], vec![4]]);
    }

    #[test]
    fn an_item_keeps_its_numbers_if_they_fit_and_no_number_is_used_twice() {
        let drawn = numbers(&[("a", 2), ("a", 3), ("b", 1), ("a", 2), ("a", 4), ("b", 2)]);
        let expected = [
            vec![1, 2],
            vec![1, 2, 3],
            vec![4],
            vec![1, 2],
            vec![5, 6, 7, 8],
            vec![9, 10],
        ];
        assert_eq!(drawn, expected);
    }
}

//! A todo list: state that lasts, questions, leave for what cannot be undone, and a card with
//! buttons.
//!
//! The model adds, lists, ticks and edits ([`tools`]), and clears with leave ([`clearing`]). The person does the same on the
//! card that every call shows ([`card`]); what is pressed there is a tool too ([`actions`]).
//! [`tasks`] is the list itself and knows nothing of Footlight's stage, [`store`] keeps it, and
//! [`pick`] finds the task that a few words mean.

#![forbid(unsafe_code)]

mod tasks;

mod store;

mod pick;

mod card;

mod tools;

mod clearing;

mod actions;

#[cfg(test)]
mod tests;

use footlight_sdk::prelude::*;

plugin!(
    tools: [
        tools::add,
        tools::list,
        tools::done,
        tools::edit,
        clearing::clear,
        actions::toggle,
        actions::remove,
    ],
    widgets: ["todo-list": card::TodoList],
    instructions: "Every task has a number that never changes. The person sees the whole list as \
                   a card after each call, so do not repeat it in words.",
);

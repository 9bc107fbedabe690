//! A todo list that demonstrates durable state, questions, approvals, and a card with buttons.
//!
//! The model adds, lists, ticks and edits tasks (`tools`), and clears the list after approval
//! (`clearing`). The person does the same on the card that every call shows (`card`), whose
//! buttons call further tools (`actions`). `tasks` is the list itself, without any use of the
//! stage; `store` persists it; `pick` finds a task by its number or title.

#![forbid(unsafe_code)]

mod actions;
mod card;
mod clearing;
mod pick;
mod store;
mod tasks;
mod tools;

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

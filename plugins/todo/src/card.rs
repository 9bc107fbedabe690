//! The card of the list, with controls to tick, remove and add tasks.
//!
//! The card always shows the whole list, whatever part of it the model requested, so that an action
//! can redraw the card without knowing the request.

use crate::store;
use crate::tasks::{Priority, Task, Tasks, count};
use footlight_sdk::prelude::*;

/// The most tasks that the card shows. A view has at most 50,000 bytes, which 500 long titles exceed.
pub(crate) const MAX_ROWS: usize = 30;

/// The data of a `todo-list` widget.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TodoList {
    /// The number of open tasks.
    open: usize,
    /// The number of done tasks.
    done: usize,
    /// The tasks on the card: open tasks first, then done ones, each oldest first.
    tasks: Vec<Task>,
}

impl TodoList {
    fn of(tasks: &Tasks) -> Self {
        let mut in_view: Vec<Task> = tasks.iter().cloned().collect();
        in_view.sort_by_key(|task| task.done);
        in_view.truncate(MAX_ROWS);
        Self {
            open: tasks.open(),
            done: tasks.done(),
            tasks: in_view,
        }
    }

    fn summary(&self) -> String {
        match (self.open, self.done) {
            (0, 0) => "Nothing to do. Enjoy the day!".to_owned(),
            (0, done) => format!("All done: {}.", count(done)),
            (open, 0) => format!("{} to do.", count(open)),
            (open, done) => format!("{} to do, {done} done.", count(open)),
        }
    }

    /// Returns a line about the tasks that the card does not show.
    fn rest(&self) -> Option<String> {
        let hidden = self.open + self.done - self.tasks.len();
        (hidden > 0).then(|| format!("and {hidden} more"))
    }

    /// Returns the list as text, for surfaces that cannot draw the card.
    fn text(&self) -> String {
        let rows = self.tasks.iter().map(|task| {
            let mark = if task.done { 'x' } else { ' ' };
            format!("[{mark}] {task}")
        });
        let mut lines: Vec<String> = [self.summary()].into_iter().chain(rows).collect();
        lines.extend(self.rest());
        lines.join("\n")
    }
}

/// Changes the list, shows the new card, and returns the result of `change`.
pub(crate) fn update<A>(stage: &Stage, change: impl FnMut(&mut Tasks) -> Result<A>) -> Result<A> {
    let (tasks, answer) = store::change(stage, change)?;
    stage.show(card(&tasks))?;
    Ok(answer)
}

/// Returns the widget of the list.
pub(crate) fn card(tasks: &Tasks) -> Widget {
    let list = TodoList::of(tasks);
    let mut card = ui::Card::new()
        .child(ui::Title::new("To do"))
        .child(ui::Text::new(list.summary()).color("secondary"))
        .children(list.tasks.iter().map(row));
    if let Some(rest) = list.rest() {
        card = card.child(ui::Caption::new(rest));
    }
    Widget::new("todo-list", &list)
        .view(card.child(new_task()))
        .fallback(list.text())
}

/// Returns the row of a task: a checkbox, badges for priority and due date, and a remove button.
fn row(task: &Task) -> ui::Row {
    let mut row = ui::Row::new().align("center").gap(2).child(tick(task));
    if task.priority == Priority::High {
        row = row.child(ui::Badge::new("high").color(ui::BadgeColor::Danger));
    }
    if let Some(due) = &task.due {
        row = row.child(ui::Badge::new(due).color(ui::BadgeColor::Info));
    }
    row.child(ui::Spacer::new()).child(
        ui::Button::new()
            .label("Remove")
            .variant("ghost")
            .size("sm")
            .on_click_action(ui::Action::new("remove").payload(Remove { id: task.id })),
    )
}

fn tick(task: &Task) -> ui::Checkbox {
    // The payload holds the new state instead of a request to toggle, so that two quick presses on the
    // same card do not undo each other.
    let wanted = Toggle {
        id: task.id,
        done: !task.done,
    };
    ui::Checkbox::new("done")
        .label(&task.title)
        .default_checked(task.done)
        .on_change_action(ui::Action::new("toggle").payload(wanted))
}

/// Returns the form that adds a task. Its field has the name of the argument of `add`.
fn new_task() -> ui::Form {
    ui::Form::new()
        .direction("row")
        .gap(2)
        .on_submit_action(ui::Action::new("add"))
        .child(
            ui::Input::new("title")
                .placeholder("Something else to do")
                .required(true),
        )
        .child(ui::Button::new().label("Add").submit(true))
}

/// The payload of an action that calls `toggle`.
#[derive(Serialize)]
struct Toggle {
    id: u32,
    done: bool,
}

/// The payload of an action that calls `remove`.
#[derive(Serialize)]
struct Remove {
    id: u32,
}

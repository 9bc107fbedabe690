//! An example of each component. The guide shows the body of the function, and what is drawn of what it returns.

use footlight_sdk::prelude::*;

pub(super) fn card() -> ui::Card {
    ui::Card::new()
        .status(ui::Status::new("Tonight").icon("calendar"))
        .child(ui::Title::new("Hamlet"))
        .child(ui::Text::new("The curtain rises at half past seven."))
        .confirm(ui::CardAction::new("Book", ui::Action::new("book")))
        .cancel(ui::CardAction::new("Not now", ui::Action::new("dismiss")))
}

pub(super) fn list_view() -> ui::ListView {
    let titles = [
        "Hamlet",
        "The Seagull",
        "Twelfth Night",
        "Waiting for Godot",
    ];
    let item = |title: &str| ui::ListViewItem::new().child(ui::Text::new(title));
    ui::ListView::new()
        .status("This season")
        .limit(3)
        .children(titles.map(item))
}

pub(super) fn list_view_item() -> ui::ListView {
    let item = ui::ListViewItem::new()
        .on_click_action(ui::Action::new("open").payload(json!({ "play": 1 })))
        .child(ui::Icon::new("play"))
        .child(ui::Text::new("Hamlet"))
        .child(ui::Spacer::new())
        .child(ui::Caption::new("2026-02-02"));
    ui::ListView::new().child(item)
}

pub(super) fn basic() -> ui::Basic {
    ui::Basic::new()
        .gap(2)
        .child(ui::Text::new("Two plays are on."))
        .child(ui::Card::new().child(ui::Title::new("Hamlet").size("sm")))
        .child(ui::Card::new().child(ui::Title::new("The Seagull").size("sm")))
}

pub(super) fn box_() -> ui::Box {
    ui::Box::new()
        .padding(3)
        .radius("md")
        .border(ui::Border::new(1).color("strong"))
        .background("surface-secondary")
        .child(ui::Text::new("Hamlet"))
        .child(ui::Caption::new("First night on 2 February"))
}

pub(super) fn row() -> ui::Row {
    ui::Row::new()
        .gap(2)
        .align("center")
        .child(ui::Text::new("Hamlet"))
        .child(ui::Badge::new("sold out").color("danger"))
        .child(ui::Spacer::new())
        .child(ui::Caption::new("19:30"))
}

pub(super) fn col() -> ui::Row {
    let play = |title: &str, at: &str| {
        ui::Col::new()
            .flex(1)
            .child(ui::Text::new(title))
            .child(ui::Caption::new(at))
    };
    ui::Row::new()
        .child(play("Hamlet", "19:30"))
        .child(play("The Seagull", "20:00"))
}

pub(super) fn form() -> ui::Form {
    ui::Form::new()
        .on_submit_action(ui::Action::new("note"))
        .child(ui::Label::new("A note for the prompter", "words"))
        .child(ui::Input::new("words").required(true))
        .child(ui::Button::new().label("Take the note").submit(true))
}

pub(super) fn spacer() -> ui::Row {
    ui::Row::new()
        .child(ui::Text::new("Stalls"))
        .child(ui::Spacer::new())
        .child(ui::Text::new("42 €"))
}

pub(super) fn divider() -> ui::Card {
    ui::Card::new()
        .child(ui::Text::new("Act one"))
        .child(ui::Divider::new())
        .child(ui::Text::new("Act two"))
}

pub(super) fn transition() -> ui::Transition {
    ui::Transition::new().child(ui::Text::new("The doors are open."))
}

pub(super) fn text() -> ui::Col {
    ui::Col::new()
        .child(ui::Text::new("The curtain rises at half past seven."))
        .child(
            ui::Text::new("The doors are closed.")
                .weight("bold")
                .color("danger"),
        )
        .child(ui::Text::new("At eight.").line_through(true))
}

pub(super) fn title() -> ui::Title {
    ui::Title::new("Hamlet").size("xl")
}

pub(super) fn caption() -> ui::Col {
    ui::Col::new()
        .child(ui::Text::new("211 seats"))
        .child(ui::Caption::new("as of this morning"))
}

pub(super) fn markdown() -> ui::Markdown {
    ui::Markdown::new("**Hamlet** has *five* acts:\n\n1. Elsinore\n2. A room in the castle")
}

pub(super) fn badge() -> ui::Row {
    ui::Row::new()
        .child(ui::Badge::new("tonight"))
        .child(ui::Badge::new("on sale").color("success"))
        .child(ui::Badge::new("few seats").color("warning"))
        .child(ui::Badge::new("sold out").color("danger"))
}

pub(super) fn icon() -> ui::Row {
    ui::Row::new().children(["check", "star", "calendar", "info"].map(ui::Icon::new))
}

pub(super) fn image() -> ui::Image {
    ui::Image::new("https://theatre.example/curtain.png").alt("A red curtain")
}

pub(super) fn chart() -> ui::Chart {
    let sold = [
        json!({ "night": "Mon", "stalls": 120, "circle": 40 }),
        json!({ "night": "Tue", "stalls": 180, "circle": 65 }),
        json!({ "night": "Wed", "stalls": 90, "circle": 20 }),
    ];
    let bars = ui::Series::bar("stalls").label("Stalls");
    let line = ui::Series::line("circle").label("Circle");
    ui::Chart::new(sold, [bars, line], "night")
        .show_legend(true)
        .show_y_axis(true)
}

pub(super) fn table() -> ui::Table {
    let row = |play: &str, seats: u32| {
        ui::TableRow::new()
            .child(ui::TableCell::new().child(ui::Text::new(play)))
            .child(ui::TableCell::new().child(ui::Text::new(seats.to_string())))
    };
    ui::Table::new()
        .child(row("Hamlet", 211))
        .child(row("The Seagull", 348))
}

pub(super) fn table_row() -> ui::Table {
    let cell = |text: &str| ui::TableCell::new().child(ui::Text::new(text));
    ui::Table::new()
        .child(
            ui::TableRow::new()
                .header(true)
                .child(cell("Play"))
                .child(cell("Seats")),
        )
        .child(ui::TableRow::new().child(cell("Hamlet")).child(cell("211")))
}

pub(super) fn table_cell() -> ui::Table {
    let cell = |text: &str| ui::TableCell::new().child(ui::Text::new(text));
    let head = ui::TableRow::new().header(true);
    ui::Table::new()
        .child(head.child(cell("Play")).child(cell("Seats").align("end")))
        .child(
            ui::TableRow::new()
                .child(cell("Hamlet"))
                .child(cell("211").align("end")),
        )
}

pub(super) fn progress() -> ui::Col {
    ui::Col::new()
        .child(ui::Progress::new().label("Rehearsals").value(3.0).max(5.0))
        .child(ui::Progress::new().label("Under way"))
}

pub(super) fn button() -> ui::Row {
    let press = || ui::Action::new("next_act").payload(json!({ "act": 2 }));
    ui::Row::new()
        .child(
            ui::Button::new()
                .label("Go on")
                .on_click_action(press())
                .color("primary"),
        )
        .child(
            ui::Button::new()
                .label("Stop")
                .on_click_action(ui::Action::new("stop")),
        )
        .child(
            ui::Button::new()
                .label("Later")
                .on_click_action(press())
                .disabled(true),
        )
}

pub(super) fn input() -> ui::Form {
    ui::Form::new()
        .child(
            ui::Input::new("name")
                .placeholder("Your name")
                .required(true),
        )
        .child(
            ui::Input::new("mail")
                .input_type("email")
                .default_value("ada@example.com"),
        )
}

pub(super) fn textarea() -> ui::Form {
    ui::Form::new().child(
        ui::Textarea::new("review")
            .rows(3)
            .placeholder("How was it?"),
    )
}

pub(super) fn select() -> ui::Form {
    let plays = [("1", "Hamlet"), ("2", "The Seagull")];
    ui::Form::new().child(ui::Select::new("play", plays).default_value("2"))
}

pub(super) fn radio_group() -> ui::Form {
    let seats = [
        ui::Choice::new("stalls", "Stalls"),
        ui::Choice::new("circle", "Circle").description("with a view"),
    ];
    ui::Form::new().child(
        ui::RadioGroup::new("seat")
            .options(seats)
            .default_value("circle"),
    )
}

pub(super) fn checkbox() -> ui::Form {
    ui::Form::new().child(
        ui::Checkbox::new("mail")
            .label("Send me the programme")
            .default_checked(true),
    )
}

pub(super) fn date_picker() -> ui::Form {
    let day = ui::DatePicker::new("day")
        .min("2026-01-01")
        .max("2026-12-31");
    ui::Form::new().child(day.default_value("2026-11-16"))
}

pub(super) fn label() -> ui::Form {
    ui::Form::new()
        .child(ui::Label::new("Your name", "name"))
        .child(ui::Input::new("name"))
}

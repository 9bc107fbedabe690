//! Forms, buttons, and a card that changes when it is pressed.
//!
//! An action names a tool of this plugin, and the first widget that its call shows replaces the
//! pressed one. There are four kinds of reaction: [`next_act`] shows a new card; [`fall`] shows one
//! and then fails, so that the host must restore the old card; [`prompt`] shows one and then asks the
//! person; [`note`] shows nothing, so that the form keeps its values.

use crate::data::{Show, With};
use crate::widgets::shown;
use footlight_sdk::component::{
    Action, Button, ButtonColor, Caption, Card, CardAction, Checkbox, Choice, ControlVariant,
    DatePicker, Form, Input, InputType, Label, ListView, ListViewItem, RadioGroup, Row, Select,
    Text as Plain, Textarea, Title,
};
use footlight_sdk::prelude::{Failure, Result, Stage, Text, Widget, tool, unavailable};
use serde::Serialize;

/// Shows a form with one of each field.
#[tool(read_only, example = "Show me a form with every field")]
pub(crate) fn inputs(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let plays = || {
        with.titles(100)
            .into_iter()
            .enumerate()
            .map(|(n, title)| (n.to_string(), title))
    };
    let kinds = InputType::KNOWN.iter().map(|kind| {
        Input::new(format!("input.{kind}"))
            .input_type(*kind)
            .placeholder(with.or(kind))
    });
    let form = Form::new()
        .direction("col")
        .gap(2)
        .on_submit_action(Action::new("note"))
        .child(Label::new(with.or("Your name"), "name"))
        .child(
            Input::new("name")
                .default_value(with.title(1))
                .required(true),
        )
        .children(kinds)
        .child(Textarea::new("words").default_value(with.line()).rows(3))
        .child(
            Select::new("play", plays().collect::<Vec<_>>())
                .default_value("1")
                .clearable(true),
        )
        .child(
            RadioGroup::new("seat")
                .direction("row")
                .default_value("circle")
                .options([
                    Choice::new("stalls", with.or("Stalls")),
                    Choice::new("circle", "Circle").description(with.or("with a view")),
                    Choice::new("box", "Box").disabled(true),
                ]),
        )
        .child(
            Checkbox::new("mail")
                .label(with.or("Send me the programme by mail"))
                .default_checked(true),
        )
        .child(
            DatePicker::new("day")
                .min("2026-01-01")
                .max("2026-12-31")
                .default_value("2026-11-16"),
        )
        .child(
            Input::new("never")
                .disabled(true)
                .placeholder("cannot be changed"),
        )
        .child(Button::new().submit(true).label("Send").color("primary"));
    stage.show(Card::new().child(form))?;
    Ok(shown())
}

/// Shows buttons of every colour and filling, items that can be pressed, and a card's own buttons.
#[tool(read_only, example = "Show me buttons")]
pub(crate) fn buttons(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let press = || Action::new("next_act").payload(Act { act: 2 });
    let label = |word: &str| {
        if with == With::Ordinary {
            word.to_owned()
        } else {
            with.title(0)
        }
    };
    let colours = ButtonColor::KNOWN.iter().map(|word| {
        Button::new()
            .label(label(word))
            .color(*word)
            .on_click_action(press())
    });
    let fillings = ControlVariant::KNOWN.iter().map(|word| {
        Button::new()
            .label(label(word))
            .variant(*word)
            .on_click_action(press())
    });
    let card = Card::new()
        .child(Row::new().wrap("wrap").children(colours))
        .child(Row::new().wrap("wrap").children(fillings))
        .child(
            Button::new()
                .icon_start("reload")
                .uniform(true)
                .on_click_action(press()),
        )
        .child(
            Button::new()
                .label("Cannot be pressed")
                .disabled(true)
                .on_click_action(press()),
        )
        .confirm(CardAction::new(label("Agree"), press()))
        .cancel(CardAction::new(label("Leave"), Action::new("fall")));
    stage.show(card)?;
    let items = with.titles(60).into_iter().map(|title| {
        ListViewItem::new()
            .on_click_action(press())
            .child(Plain::new(title))
    });
    stage.show(ListView::new().children(items))?;
    Ok(shown())
}

/// The payload of an action that calls [`next_act`].
#[derive(Serialize)]
struct Act {
    act: u32,
}

/// Shows a card whose buttons work: go on, fall, and take a note.
#[tool(
    read_only,
    title = "A card to press",
    example = "Show me a card that I can press"
)]
pub(crate) fn card(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    stage.show(playing(1, &with.title(0)))?;
    Ok(Text::new("The card is on the screen.").hidden())
}

/// Goes on to another act: the card is replaced by a new one.
#[tool(title = "Go on", audience = "user", example = "Go on to the next act")]
pub(crate) fn next_act(
    stage: &Stage,
    /// Which act is on.
    #[arg(range = 1..=5)]
    act: u32,
) -> Result<Text> {
    stage.show(playing(act, "Hamlet"))?;
    Ok(Text::new(format!("Act {act} is on.")))
}

/// Falls: a new card is shown, and then the tool fails, so that the old card comes back.
#[tool(title = "Fall", audience = "user", example = "Fall off the stage")]
pub(crate) fn fall(stage: &Stage) -> Result<Text> {
    stage.show(playing(5, "This card must not stay"))?;
    Err(fell())
}

fn fell() -> Failure {
    unavailable!("somebody fell off the stage")
}

/// Asks the prompter: a new card is shown, and stays only if the person answers.
#[tool(
    title = "Prompt",
    asks,
    audience = "user",
    example = "Ask the prompter for a word"
)]
pub(crate) fn prompt(stage: &Stage) -> Result<Text> {
    stage.show(playing(3, "Somebody forgot their line"))?;
    match stage.confirm("Shall it be whispered?")? {
        true => Ok(Text::new("It was whispered.")),
        false => Err(fell()),
    }
}

/// Takes a note, and shows nothing: the form keeps what was filled in.
#[tool(title = "Take a note", audience = "user", example = "Take a note")]
pub(crate) fn note(
    /// The note.
    #[arg(length = 1..=200)]
    words: String,
    /// Whether to send it by mail as well.
    mail: Option<bool>,
) -> Text {
    let sent = if mail == Some(true) {
        "noted and sent"
    } else {
        "noted"
    };
    Text::new(format!("{words:?} is {sent}."))
}

/// Returns the card for an act.
fn playing(act: u32, title: &str) -> Widget {
    let next = Act { act: act % 5 + 1 };
    let form = Form::new()
        .direction("row")
        .on_submit_action(Action::new("note"))
        .child(Input::new("words").placeholder("A note").required(true))
        .child(Checkbox::new("mail").label("by mail"))
        .child(Button::new().label("Take a note").submit(true));
    let card = Card::new()
        .child(Title::new(title))
        .child(Caption::new(format!("Act {act} of 5")))
        .child(
            Row::new()
                .child(
                    Button::new()
                        .label("Go on")
                        .on_click_action(Action::new("next_act").payload(next)),
                )
                .child(
                    Button::new()
                        .label("Fall")
                        .color("danger")
                        .on_click_action(Action::new("fall")),
                )
                .child(
                    Button::new()
                        .label("Prompt")
                        .on_click_action(Action::new("prompt")),
                ),
        )
        .child(form);
    Widget::new("gallery-card", &Act { act }).view(card)
}

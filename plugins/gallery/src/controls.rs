//! Forms, buttons, and a card that changes when it is pressed.
//!
//! An action names a tool of this plugin, and the first widget that its call shows replaces the
//! pressed one. There are four kinds of reaction: [`next_act`] shows a new card; [`fall`] shows one
//! and then fails, so that the host must restore the old card; [`prompt`] shows one and then asks the
//! person; [`note`] shows nothing, so that the form keeps its values.

use crate::data::{Show, With};
use crate::widgets::shown;
use footlight_sdk::prelude::*;

/// Shows a form with one of each field.
#[tool(read_only, example = "Show me a form with every field")]
pub(crate) fn inputs(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let titles = with.titles(100).into_iter().enumerate();
    let plays: Vec<_> = titles.map(|(n, title)| (n.to_string(), title)).collect();
    let seats = [
        ui::Choice::new("stalls", with.or("Stalls")),
        ui::Choice::new("circle", "Circle").description(with.or("with a view")),
        ui::Choice::new("box", "Box").disabled(true),
    ];
    let kinds = ui::InputType::KNOWN.iter().map(|kind| {
        ui::Input::new(format!("input.{kind}"))
            .input_type(*kind)
            .placeholder(with.or(kind))
    });
    let name = ui::Input::new("name").default_value(with.title(1));
    let play = ui::Select::new("play", plays).default_value("1");
    let seat = ui::RadioGroup::new("seat").direction("row").options(seats);
    let mail = ui::Checkbox::new("mail").label(with.or("Send me the programme by mail"));
    let day = ui::DatePicker::new("day")
        .min("2026-01-01")
        .max("2026-12-31");
    let never = ui::Input::new("never").placeholder("cannot be changed");
    let form = ui::Form::new()
        .direction("col")
        .gap(2)
        .on_submit_action(ui::Action::new("note"))
        .child(ui::Label::new(with.or("Your name"), "name"))
        .child(name.required(true))
        .children(kinds)
        .child(
            ui::Textarea::new("words")
                .default_value(with.line())
                .rows(3),
        )
        .child(play.clearable(true))
        .child(seat.default_value("circle"))
        .child(mail.default_checked(true))
        .child(day.default_value("2026-11-16"))
        .child(never.disabled(true))
        .child(
            ui::Button::new()
                .submit(true)
                .label("Send")
                .color("primary"),
        );
    stage.show(ui::Card::new().child(form))?;
    Ok(shown())
}

/// Shows buttons of every colour and filling, items that can be pressed, and a card's own buttons.
#[tool(read_only, example = "Show me buttons")]
pub(crate) fn buttons(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let press = || ui::Action::new("next_act").payload(Act { act: 2 });
    let label = |word: &str| match with {
        With::Ordinary => word.to_owned(),
        _ => with.title(0),
    };
    let button = || ui::Button::new().on_click_action(press());
    let labelled = |word: &str| button().label(label(word));
    let colours = ui::ButtonColor::KNOWN
        .iter()
        .map(|word| labelled(word).color(*word));
    let fillings = ui::ControlVariant::KNOWN
        .iter()
        .map(|word| labelled(word).variant(*word));
    let card = ui::Card::new()
        .child(ui::Row::new().wrap("wrap").children(colours))
        .child(ui::Row::new().wrap("wrap").children(fillings))
        .child(button().icon_start("reload").uniform(true))
        .child(button().label("Cannot be pressed").disabled(true))
        .confirm(ui::CardAction::new(label("Agree"), press()))
        .cancel(ui::CardAction::new(label("Leave"), ui::Action::new("fall")));
    stage.show(card)?;
    let item = |title| {
        ui::ListViewItem::new()
            .on_click_action(press())
            .child(ui::Text::new(title))
    };
    stage.show(ui::ListView::new().children(with.titles(60).into_iter().map(item)))?;
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
    let sent = match mail {
        Some(true) => "noted and sent",
        _ => "noted",
    };
    Text::new(format!("{words:?} is {sent}."))
}

/// Returns the card for an act.
fn playing(act: u32, title: &str) -> Widget {
    let next = ui::Action::new("next_act").payload(Act { act: act % 5 + 1 });
    let button = |label, action| ui::Button::new().label(label).on_click_action(action);
    let buttons = ui::Row::new()
        .child(button("Go on", next))
        .child(button("Fall", ui::Action::new("fall")).color("danger"))
        .child(button("Prompt", ui::Action::new("prompt")));
    let form = ui::Form::new()
        .direction("row")
        .on_submit_action(ui::Action::new("note"))
        .child(ui::Input::new("words").placeholder("A note").required(true))
        .child(ui::Checkbox::new("mail").label("by mail"))
        .child(ui::Button::new().label("Take a note").submit(true));
    let card = ui::Card::new()
        .child(ui::Title::new(title))
        .child(ui::Caption::new(format!("Act {act} of 5")))
        .child(buttons)
        .child(form);
    Widget::new("gallery-card", &Act { act }).view(card)
}

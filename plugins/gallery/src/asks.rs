//! Questions to the person, one tool for each control.
//!
//! Each tool asks for one value and returns the answer. [`ask_all`] asks for several values at once.

use crate::data::{Show, With};
use footlight_sdk::prelude::*;

/// Returns the prompt. A question must have one, so it is not empty even for empty data.
pub(crate) fn prompt(with: With) -> String {
    match with {
        With::Empty => "?".to_owned(),
        _ => with.or("What would you like to see tonight?"),
    }
}

/// Asks a question with one field and returns the answer.
fn put(stage: &Stage, with: With, field: Field) -> Result<Text> {
    let name = field.name.clone();
    let answers = stage.ask(prompt(with), [field])?;
    let told = match answers.value(&name) {
        Some(value) => value.to_string(),
        None => "nothing".to_owned(),
    };
    Ok(Text::new(format!("Told: {told}")))
}

/// Returns options to choose from. Their values do not depend on the data, only the labels do.
fn choices(with: With) -> Vec<Choice> {
    let titles = match with.titles(200) {
        titles if titles.is_empty() => vec!["only".to_owned()],
        titles => titles,
    };
    let choice = |(n, title): (usize, String)| {
        let choice = Choice::new(format!("play{n}")).label(title);
        match n {
            0 => choice
                .recommended(true)
                .description(with.or("A prince hesitates.")),
            2 => choice.disabled(true),
            _ => choice,
        }
    };
    titles.into_iter().enumerate().map(choice).collect()
}

/// Asks with a button for each option.
#[tool(asks, example = "Ask me with buttons")]
pub(crate) fn ask_buttons(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let field = Field::buttons("play").label(with.or("Play"));
    put(stage, with, field.options(choices(with)))
}

/// Asks Yes or No.
#[tool(asks, example = "Ask me yes or no")]
pub(crate) fn ask_confirm(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let field = Field::confirm("sure").label(with.or("Are you sure?"));
    put(
        stage,
        with,
        field.help(with.or("Tickets are not taken back.")),
    )
}

/// Asks with a list that folds away.
#[tool(asks, example = "Ask me to select a play")]
pub(crate) fn ask_select(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let field = Field::select("play").label(with.or("Play"));
    put(stage, with, field.options(choices(with)).default("play0"))
}

/// Asks with a list with one mark, or an answer of one's own.
#[tool(asks, example = "Ask me to pick one of a few")]
pub(crate) fn ask_radio(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let field = Field::radio("play").label(with.or("Play"));
    put(stage, with, field.options(choices(with)).other(true))
}

/// Asks with a list with any number of marks.
#[tool(asks, example = "Ask me to tick what I like")]
pub(crate) fn ask_checkbox(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let field = Field::checkbox("plays").label(with.or("Plays"));
    put(stage, with, field.options(choices(with)))
}

/// Asks for a line of text.
#[tool(asks, example = "Ask me for my name")]
pub(crate) fn ask_text(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let field = Field::text("name")
        .label(with.or("Your name"))
        .help(with.or("As it stands on the ticket."))
        .placeholder(with.or("Ada Lovelace"))
        .max(40);
    put(stage, with, field)
}

/// Asks for several lines of text, which may be left out.
#[tool(asks, example = "Ask me for a review")]
pub(crate) fn ask_textarea(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    // A default has at most 64 KiB.
    let draft: String = with.prose().chars().take(2_000).collect();
    let field = Field::textarea("review").label(with.or("Your review"));
    put(stage, with, field.default(draft).required(false))
}

/// Asks for a number.
#[tool(asks, example = "Ask me for a number of seats")]
pub(crate) fn ask_number(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let field = Field::number("seats").label(with.or("Seats"));
    put(stage, with, field.integer(true).min(1).max(9).default(2))
}

/// Asks for a day.
#[tool(asks, example = "Ask me for a date")]
pub(crate) fn ask_date(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let field = Field::date("day").label(with.or("Day"));
    put(stage, with, field.min("2026-01-01").max("2026-12-31"))
}

/// Asks for a secret, which is neither shown nor recorded.
#[tool(asks, example = "Ask me for a password")]
pub(crate) fn ask_secret(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let field = Field::secret("password").label(with.or("Password"));
    let answers = stage.ask(prompt(with), [field])?;
    let length = answers.text("password").unwrap_or_default().chars().count();
    Ok(Text::new(format!("Told {length} characters.")))
}

/// Asks for everything at once.
#[tool(asks, example = "Ask me everything at once")]
pub(crate) fn ask_all(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let fields = [
        Field::select("play")
            .label(with.or("Plays"))
            .options(choices(with))
            .multiple(true),
        Field::text("name").label(with.or("Your name")),
        Field::number("seats")
            .label(with.or("Seats"))
            .min(1)
            .default(2),
        Field::date("day").label(with.or("Day")).required(false),
        Field::confirm("sure").label(with.or("Are you sure?")),
    ];
    let answers = stage.ask(prompt(with), fields)?;
    let name = answers.text("name").unwrap_or("nobody");
    let seats: f64 = answers.read("seats")?;
    Ok(Text::new(format!("{seats} seats for {name}.")))
}

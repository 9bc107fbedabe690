//! The components of a view, several in each tool.
//!
//! [`controls`](crate::controls) has those that a person fills in or presses.

use crate::data::{Show, With};
use crate::widgets::shown;
use footlight_sdk::prelude::*;

/// Shows a card: rows, columns, boxes, lines, and room between them.
#[tool(read_only, example = "Show me how a card is laid out")]
pub(crate) fn layout(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let row = |title: String| {
        ui::Row::new()
            .gap(2)
            .align("center")
            .child(ui::Text::new(title))
            .child(ui::Spacer::new())
            .child(ui::Caption::new("19:30"))
    };
    let columns = ui::Row::new().children([0, 1].map(|n| {
        ui::Col::new()
            .flex(1)
            .child(ui::Caption::new(format!("Stage {}", n + 1)))
            .child(ui::Text::new(with.title(n)))
    }));
    let framed = ui::Box::new()
        .direction("col")
        .padding(3)
        .radius("md")
        .border(ui::Border::new(1).color("strong").style("dashed"))
        .background("surface-secondary");
    let card = ui::Card::new()
        .size("md")
        .status(ui::Status::new(with.or("Tonight")).icon("calendar"))
        .children(with.titles(150).into_iter().map(row))
        .child(ui::Divider::new().flush(true))
        .child(columns)
        .child(framed.child(ui::Text::new(with.title(2))))
        .child(ui::Transition::new().child(ui::Caption::new("The house opens at seven.")));
    stage.show(nested(card, with))?;
    Ok(shown())
}

/// Nests hostile data in as many boxes as a host accepts.
fn nested(card: ui::Card, with: With) -> ui::Card {
    if with != With::Hostile {
        return card;
    }
    let deep = (0..24).fold(ui::Node::from(ui::Text::new("deep down")), |inner, _| {
        ui::Box::new().child(inner).into()
    });
    card.child(deep)
}

/// Shows the components that are read: titles, texts, captions, Markdown, badges, icons.
#[tool(read_only, example = "Show me words of every size and colour")]
pub(crate) fn words(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let badges = ui::BadgeColor::KNOWN.iter().map(|color| match with {
        With::Ordinary => ui::Badge::new(*color).color(*color),
        _ => ui::Badge::new(with.title(0)).color(*color),
    });
    let icons = ["check", "star", "lucide:drama", "no-such-icon"];
    let struck = ui::Text::new(with.title(3)).line_through(true);
    let short = ui::Text::new(with.line()).max_lines(2);
    let card = ui::Card::new()
        .child(ui::Title::new(with.title(0)).size("xl"))
        .child(ui::Caption::new(with.title(1)))
        .child(ui::Text::new(with.line()))
        .child(ui::Text::new(with.title(2)).weight("bold").color("danger"))
        .child(ui::Text::new(with.title(2)).italic(true).color("secondary"))
        .child(struck.text_align("end"))
        .child(short.truncate(true).width(200))
        .child(ui::Row::new().wrap("wrap").children(badges))
        .child(ui::Row::new().children(icons.map(ui::Icon::new)))
        .child(ui::Markdown::new(match with {
            // A view has at most 50,000 bytes.
            With::Huge => with.markdown()[..20_000].to_owned(),
            _ => with.markdown(),
        }));
    stage.show(card)?;
    Ok(shown())
}

/// Shows the components that hold figures: a chart, a table, progress, a picture.
#[tool(read_only, example = "Show me a card with figures")]
pub(crate) fn figures(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let nights: Vec<_> = with.nights().into_iter().take(200).collect();
    let bars = |key, label| ui::Series::bar(key).label(label).stack("seats");
    let line = ui::Series::line("stalls").label(with.or("Stalls again"));
    let series = [
        bars("stalls", "Stalls").color("blue"),
        bars("circle", "Circle"),
        line.curve_type("monotone"),
    ];
    let axis = ui::XAxis::new("night").labels([("Mon", "Monday")]);
    let chart = ui::Chart::new(&nights, series, axis)
        .show_legend(true)
        .show_y_axis(true)
        .aspect_ratio("16/9");
    let cell = |text: String| ui::TableCell::new().child(ui::Text::new(text));
    let head = ui::TableRow::new()
        .header(true)
        .child(cell("Play".into()))
        .child(cell("Seats".into()).align("end"));
    let rows = with.plays(150).into_iter().map(|play| {
        ui::TableRow::new()
            .child(cell(play.title))
            .child(cell(play.seats.to_string()).align("end"))
    });
    let source = match with {
        With::Hostile => "data:image/svg+xml,<svg onload=alert(1)>",
        _ => "https://theatre.example/curtain.png",
    };
    let progress = ui::Progress::new().label(with.or("Rehearsals"));
    let image = ui::Image::new(source)
        .alt(with.or("The curtain"))
        .fit("cover");
    let card = ui::Card::new()
        .child(chart)
        .child(ui::Table::new().child(head).children(rows))
        .child(progress.value(3.0).max(5.0))
        .child(ui::Progress::new().label("Under way"))
        .child(image.height(120).frame(true));
    stage.show(card)?;
    Ok(shown())
}

/// Shows a list, of which only the first items are in view.
#[tool(read_only, example = "Show me a list view")]
pub(crate) fn list_view(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let items = with.plays(150).into_iter().map(|play| {
        ui::ListViewItem::new()
            .gap(3)
            .child(ui::Icon::new("play"))
            .child(
                ui::Col::new()
                    .child(ui::Text::new(play.title))
                    .child(ui::Caption::new(play.first_night)),
            )
    });
    let list = ui::ListView::new()
        .limit(3)
        .status("This season")
        .children(items);
    stage.show(match with {
        With::Huge => list.limit(ui::Limit::auto()),
        _ => list,
    })?;
    Ok(shown())
}

/// Shows a view without a frame, and a card inside it.
#[tool(read_only, example = "Show me a view without a frame")]
pub(crate) fn basic(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let inner = ui::Card::new()
        .size("sm")
        .theme("dark")
        .child(ui::Text::new(with.title(1)));
    let words = with.titles(150).into_iter().map(ui::Text::new);
    stage.show(ui::Basic::new().gap(2).children(words).child(inner))?;
    Ok(shown())
}

/// Shows components of a later version: one draws its children, one its fallback.
#[tool(read_only, example = "Show me a component that nobody knows")]
pub(crate) fn unknown_component(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let map = ui::Node::new("Acme.Map").with("zoom", 3);
    let card = ui::Card::new()
        .child(map.clone().child(ui::Text::new(with.title(0))))
        .child(map.with("fallback", with.line()))
        .child(ui::Node::new("script").with("src", "https://evil.example/x.js"));
    stage.show(card)?;
    Ok(shown())
}

/// Shows a view that is malformed: the host leaves it out, says so, and the fallback is shown.
#[tool(read_only, example = "Show me a malformed view")]
pub(crate) fn malformed(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let broken = ui::Node::new("Text").with("value", 7);
    let widget = Widget::view_only(ui::Card::new().child(broken));
    stage.show(widget.fallback(with.line()))?;
    Ok(shown())
}

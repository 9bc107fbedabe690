//! What the screens of the server ask of this program: how a terminal draws a call.

use super::Event;
use crate::terminal::prompt::approval_card;
use crate::trace;
use footlight::Observed;
use footlight::policy::ApprovalRequest;
use footlight::store::{RequestKind, RequestRow};
use footlight_render::detail::{Detail, ViewBuilder};
use footlight_render::terminal::{Colour, MAX_CARD_ROWS, Terminal};
use footlight_serve::{DevCall, DevSurface};
use footlight_vocabulary::item::Content;
use std::sync::mpsc::Sender;

/// The surface of the screens.
pub(super) struct Surface(pub(super) Sender<Event>);

impl DevSurface for Surface {
    fn draw(&self, call: &DevCall, columns: usize) -> String {
        let mut terminal = Terminal::new(columns);
        terminal.colour = Colour::Sixteen;
        draw(call, terminal)
    }

    fn called(&self, call: DevCall) {
        // Nobody listens at the end of the command.
        let _ = self.0.send(Event::Called(call));
    }

    fn host_call(&self, event: &Observed<'_>) -> Option<String> {
        trace::host_call_line(event)
    }
}

/// Draws what a call has shown and what it waits for.
pub(super) fn draw(call: &DevCall, mut terminal: Terminal) -> String {
    let mut builder = ViewBuilder::default();
    let mut text = String::new();
    for item in &call.items {
        builder.learn(item);
        let is_empty = matches!(&item.content, Content::Text(text) if text.text.trim().is_empty());
        if is_empty {
            continue;
        }
        let drawing = terminal.draw(&builder.item(item, Detail::Default));
        let last = drawing.actions.iter().map(|action| action.number).max();
        terminal.last_action = last.unwrap_or(terminal.last_action);
        text.push_str(&drawing.text);
    }
    for request in &call.requests {
        if let Some(card) = card(request, &terminal) {
            text.push_str(&card);
        }
    }
    text
}

/// Draws a request for approval. A question is an item.
fn card(request: &RequestRow, terminal: &Terminal) -> Option<String> {
    if request.kind == RequestKind::Ask {
        return None;
    }
    let asked: ApprovalRequest = serde_json::from_value(request.body.clone()).ok()?;
    let card = approval_card(&request.plugin, &asked);
    let mut text = terminal.draw_approval(&card, MAX_CARD_ROWS).text;
    text.truncate(text.trim_end().len());
    text.push('\n');
    Some(text)
}

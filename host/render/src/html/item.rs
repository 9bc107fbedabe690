//! Calls, widgets and questions.

use super::{HtmlWriter, badge};
use crate::format;
use crate::markup::{Element, Flag, Keyword, Node, Number, Tag, TextAttr};
use crate::view::{Ask, AskState, Call, Control, Tone, Widget};

impl HtmlWriter<'_> {
    pub(super) fn call(self, call: &Call) -> Element {
        let mut line = Element::of(Tag::Summary, "fl-call-line")
            .child(Element::of(Tag::Code, "fl-function").text(call.function.as_str()))
            .text(" ");
        if !call.input.is_empty() {
            let input = Element::of(Tag::Span, "fl-input").children(self.inline(&call.input));
            line = line.child(input).text(" ");
        }
        line = line.child(badge(call.state.name(), call.state.tone()));
        line = line.with(call.millis, |line, millis| {
            let took = Element::of(Tag::Span, "fl-muted").text(format::duration(millis));
            line.text(" ").child(took)
        });
        let mut element = Element::of(Tag::Details, "fl-call")
            .flag(Flag::Open, true)
            .text_attr(TextAttr::DataItem, call.id.as_str())
            .child(line);
        for verdict in &call.verdicts {
            element = element.child(Element::of(Tag::P, "fl-caption").text(verdict.as_str()));
        }
        element.children(self.draw(&call.body))
    }

    /// Renders a widget in a frame with the plugin's name, neither of which a plugin can draw.
    pub(super) fn widget(self, widget: &Widget) -> Element {
        Element::of(Tag::Section, "fl-widget")
            .text_attr(TextAttr::DataWidget, widget.widget.as_str())
            .with(widget.id.as_deref(), |element, id| {
                let element = element.text_attr(TextAttr::DataItem, id);
                element.number(Number::Rev, widget.rev as f64)
            })
            .with(widget.from.as_deref(), |element, from| {
                let element = element.text_attr(TextAttr::DataFrom, from);
                element.child(Element::of(Tag::P, "fl-from").text(from))
            })
            .children(self.draw(&widget.body))
    }

    pub(super) fn ask(self, ask: &Ask) -> Element {
        let open = ask.state == AskState::Open && !self.inert;
        let mut element = Element::of(if open { Tag::Form } else { Tag::Section }, "fl-ask");
        if let Some(id) = &ask.id {
            element = element.text_attr(TextAttr::DataItem, id.as_str());
        }
        if let Some(from) = &ask.from {
            element = element
                .text_attr(TextAttr::DataFrom, from.as_str())
                .child(Element::of(Tag::P, "fl-from").text(format!("{from} asks")));
        }
        element = element.child(Element::of(Tag::Div, "fl-prompt").children(self.all(&ask.prompt)));
        if ask.state != AskState::Open {
            let tone = if ask.state == AskState::Answered {
                Tone::Success
            } else {
                Tone::Muted
            };
            let mut line = Element::of(Tag::P, "fl-answer").child(badge(ask.state.name(), tone));
            if let Some(response) = &ask.response {
                line = line.text(" ").child(
                    Element::new(Tag::Strong)
                        .keyword(Keyword::Dir, "auto")
                        .text(response.as_str()),
                );
            }
            return element.child(line);
        }
        element = element.children(ask.fields.iter().map(|field| Node::from(self.field(field))));
        let pressed_alone = ask.fields.len() == 1
            && ask.fields[0].control == Control::Buttons
            && !ask.fields[0].other;
        let mut footer = Element::of(Tag::Footer, "fl-footer");
        if !pressed_alone {
            footer = footer.child(
                Element::of(Tag::Button, "fl-button")
                    .class("fl-primary")
                    .keyword(Keyword::Type, "submit")
                    .flag(Flag::Disabled, self.inert)
                    .text("Answer"),
            );
        }
        let skip = Element::of(Tag::Button, "fl-button")
            .keyword(Keyword::Type, "button")
            .keyword(Keyword::DataControl, "skip")
            .flag(Flag::Disabled, self.inert)
            .text("Skip");
        element.child(footer.child(skip))
    }
}

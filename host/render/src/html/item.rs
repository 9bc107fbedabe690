//! Calls, widgets and questions.

use super::{HtmlWriter, badge, span};
use crate::format;
use crate::markup::{Element, Flag, Keyword, Number, Tag, TextAttr};
use crate::view::{Ask, AskState, Call, Control, Thought, Tone, Widget};

impl HtmlWriter<'_> {
    pub(super) fn thought(self, thought: &Thought) -> Element {
        let label = Element::of(Tag::Summary, "fl-muted")
            .class(thought.millis.is_none().then_some("fl-thinking"))
            .text(thought.label());
        Element::of(Tag::Details, "fl-thought")
            .child(label)
            .child(Element::of(Tag::Div, "fl-quote").children(self.all(&thought.body)))
    }

    pub(super) fn call(self, call: &Call) -> Element {
        let mut line = Element::of(Tag::Summary, "fl-call-line")
            .child(Element::of(Tag::Code, "fl-function").text(call.function.as_str()))
            .text(" ");
        if !call.input.is_empty() {
            let input = Element::of(Tag::Span, "fl-input").children(self.inline(&call.input));
            line = line.child(input).text(" ");
        }
        line = line.child(badge(call.state.name(), call.state.tone()));
        let took = |millis| span("fl-muted", format::duration(millis));
        line = line.with(call.millis.map(took), |line, took| {
            line.text(" ").child(took)
        });
        let notes = call.notes.iter();
        Element::of(Tag::Details, "fl-call")
            .flag(Flag::Open, true)
            .text_attr(TextAttr::DataItem, call.id.as_str())
            .child(line)
            .children(notes.map(|note| Element::of(Tag::P, "fl-caption").text(note)))
            .children(self.draw(&call.body))
    }

    /// Renders a widget in a frame with the plugin's name, neither of which a plugin can draw.
    pub(super) fn widget(self, widget: &Widget) -> Element {
        let (id, from) = (widget.id.as_deref(), widget.from.as_deref());
        Element::of(Tag::Section, "fl-widget")
            .text_attr(TextAttr::DataWidget, widget.widget.as_str())
            .text_attr(TextAttr::DataItem, id)
            .number(Number::Rev, id.map(|_| widget.rev as f64))
            .text_attr(TextAttr::DataFrom, from)
            .children(from.map(|from| Element::of(Tag::P, "fl-from").text(from)))
            .children(self.draw(&widget.body))
    }

    pub(super) fn ask(self, ask: &Ask) -> Element {
        let open = ask.state == AskState::Open && !self.inert;
        let from = ask.from.as_deref();
        let asks = |from| Element::of(Tag::P, "fl-from").text(format!("{from} asks"));
        let prompt = Element::of(Tag::Div, "fl-prompt").children(self.all(&ask.prompt));
        let element = Element::of(if open { Tag::Form } else { Tag::Section }, "fl-ask")
            .text_attr(TextAttr::DataItem, ask.id.as_deref())
            .text_attr(TextAttr::DataFrom, from)
            .children(from.map(asks))
            .child(prompt);
        if ask.state != AskState::Open {
            let tone = match ask.state {
                AskState::Answered => Tone::Success,
                _ => Tone::Muted,
            };
            let line = Element::of(Tag::P, "fl-answer").child(badge(ask.state_name(), tone));
            let strong = Element::new(Tag::Strong).keyword(Keyword::Dir, "auto");
            return element.child(line.with(ask.response.as_deref(), |line, response| {
                line.text(" ").child(strong.text(response))
            }));
        }
        let pressed_alone = matches!(ask.fields.as_slice(),
            [field] if field.control == Control::Buttons && !field.other);
        let button = |kind| Element::of(Tag::Button, "fl-button").keyword(Keyword::Type, kind);
        let answer = (!pressed_alone).then(|| button("submit").class("fl-primary").text("Answer"));
        let skip = button("button")
            .keyword(Keyword::DataControl, "skip")
            .text("Skip");
        let buttons = answer.into_iter().chain([skip]);
        let footer = Element::of(Tag::Footer, "fl-footer")
            .children(buttons.map(|button| button.flag(Flag::Disabled, self.inert)));
        element
            .children(ask.fields.iter().map(|field| self.field(field)))
            .child(footer)
    }
}

//! Input fields and buttons.

use super::{HtmlWriter, badge, cut, icon_beside_text, tone_class, with_press};
use crate::markup::{Element, Flag, Keyword, Node, Number, Tag, TextAttr};
use crate::view::{Button, Choice, Control, Field, Tone};

impl HtmlWriter<'_> {
    pub(super) fn button(self, button: &Button) -> Element {
        let mut element = Element::of(Tag::Button, "fl-button");
        if button.primary {
            element = element.class("fl-primary");
        }
        if button.tone != Tone::Plain && !button.primary {
            element = element.class(tone_class(button.tone));
        }
        // The page handles the press with a script, so that the browser itself never submits
        // anything.
        element = element
            .keyword(Keyword::Type, "button")
            .flag(Flag::Submit, button.submit)
            .flag(Flag::Disabled, button.disabled || self.inert);
        element = element.with(self.active(button.press.as_ref()), with_press);
        match (&button.icon, button.label.as_str()) {
            (Some(icon), "") => element
                .text_attr(TextAttr::AriaLabel, icon.as_str())
                .child(icon_beside_text(icon)),
            (None, "") => element.text("Press"),
            (Some(icon), label) => element.child(icon_beside_text(icon)).text(" ").text(label),
            (None, label) => element.text(label),
        }
    }

    pub(super) fn field(self, field: &Field) -> Element {
        match field.control {
            Control::Radio | Control::CheckboxGroup | Control::Buttons => self.choices(field),
            Control::Checkbox => {
                let tick = self
                    .input(field, "checkbox")
                    .text_attr(TextAttr::Value, "true")
                    .flag(Flag::Checked, field.value.as_deref() == Some("true"));
                let label = field.label.as_deref().unwrap_or(&field.name);
                let line = Element::new(Tag::Label)
                    .child(tick)
                    .text(" ")
                    .text(label)
                    .children(required_marker(field));
                self.with_help(Element::of(Tag::Div, "fl-field").child(line), field)
            }
            _ => {
                let name = field
                    .label
                    .as_deref()
                    .or(field.placeholder.as_deref())
                    .unwrap_or(&field.name);
                let control = self.control(field).text_attr(TextAttr::AriaLabel, name);
                let mut label = Element::new(Tag::Label);
                if let Some(text) = &field.label {
                    let words = Element::of(Tag::Span, "fl-label")
                        .text(text.as_str())
                        .children(required_marker(field));
                    label = label.child(words);
                }
                self.with_help(
                    Element::of(Tag::Div, "fl-field").child(label.child(control)),
                    field,
                )
            }
        }
    }

    /// Adds the explanation and the count of omitted options.
    fn with_help(self, element: Element, field: &Field) -> Element {
        element
            .with(field.help.as_deref(), with_caption)
            .children(field.more_options.map(cut))
    }

    fn control(self, field: &Field) -> Element {
        let kind = match field.control {
            Control::Textarea => {
                let area = self
                    .common(Element::of(Tag::Textarea, "fl-control"), field)
                    .number(Number::Rows, 4.0);
                return area.text(field.value.as_deref().unwrap_or(""));
            }
            Control::Select | Control::SelectMany => return self.select(field),
            Control::Number => "number",
            Control::Date => "date",
            Control::Email => "email",
            Control::Tel => "tel",
            Control::Url => "url",
            Control::Secret => "password",
            _ => "text",
        };
        let mut input = self.input(field, kind);
        if field.control == Control::Secret {
            return input.keyword(Keyword::Autocomplete, "off");
        }
        let bounded = matches!(field.control, Control::Number | Control::Date);
        for (name, value) in [
            (TextAttr::Value, &field.value),
            (TextAttr::Min, &field.min),
            (TextAttr::Max, &field.max),
        ] {
            if let Some(value) = value
                && (bounded || name == TextAttr::Value)
            {
                input = input.text_attr(name, value.as_str());
            }
        }
        input
    }

    fn select(self, field: &Field) -> Element {
        let many = field.control == Control::SelectMany;
        let mut select = self
            .common(Element::of(Tag::Select, "fl-control"), field)
            .flag(Flag::Multiple, many);
        if !many && !field.options.iter().any(|choice| choice.chosen) {
            let text = field.placeholder.as_deref().unwrap_or("Choose");
            select = select.child(
                Element::new(Tag::Option)
                    .text_attr(TextAttr::Value, "")
                    .text(text),
            );
        }
        let option = |choice: &Choice| {
            Node::from(
                Element::new(Tag::Option)
                    .text_attr(TextAttr::Value, choice.value.as_str())
                    .flag(Flag::Selected, choice.chosen)
                    .flag(Flag::Disabled, choice.disabled)
                    .text(choice_text(choice)),
            )
        };
        select.children(field.options.iter().map(option))
    }

    fn choices(self, field: &Field) -> Element {
        let name = field.label.as_deref().unwrap_or(&field.name);
        let mut set = Element::of(Tag::Fieldset, "fl-field")
            .flag(Flag::Disabled, field.disabled || self.inert);
        set = match &field.label {
            Some(label) => {
                let legend = Element::new(Tag::Legend).text(label.as_str());
                set.child(legend.children(required_marker(field)))
            }
            None => set.text_attr(TextAttr::AriaLabel, name),
        };
        let buttons = field.control == Control::Buttons;
        let mut row = Element::of(Tag::Div, if buttons { "fl-row" } else { "fl-col" });
        for choice in &field.options {
            row = row.child(if buttons {
                self.option_button(field, choice)
            } else {
                self.option(field, choice)
            });
        }
        set = set.child(row);
        if field.other {
            let other = Element::of(Tag::Input, "fl-control")
                .keyword(Keyword::Type, "text")
                .field(&field.name)
                .flag(Flag::Other, true)
                .text_attr(TextAttr::AriaLabel, format!("{name}: another answer"))
                .text_attr(TextAttr::Placeholder, "Another answer");
            set = set.child(other);
        }
        self.with_help(set, field)
    }

    fn option(self, field: &Field, choice: &Choice) -> Element {
        let kind = if field.control == Control::Radio {
            "radio"
        } else {
            "checkbox"
        };
        let input = Element::new(Tag::Input)
            .keyword(Keyword::Type, kind)
            .field(&field.name)
            .text_attr(TextAttr::Value, choice.value.as_str())
            .flag(Flag::Checked, choice.chosen)
            .flag(
                Flag::Disabled,
                choice.disabled || field.disabled || self.inert,
            );
        let input = input.with(self.active(field.press.as_ref()), with_press);
        let recommended = choice.recommended.then(|| badge("recommended", Tone::Info));
        Element::new(Tag::Label)
            .child(input)
            .text(" ")
            .text(choice.label.as_str())
            .with(recommended, |label, badge| label.text(" ").child(badge))
            .with(choice.description.as_deref(), with_caption)
    }

    fn option_button(self, field: &Field, choice: &Choice) -> Element {
        let button = Element::of(Tag::Button, "fl-button")
            .keyword(Keyword::Type, "button")
            .keyword(Keyword::DataControl, "option")
            .field(&field.name)
            .text_attr(TextAttr::Value, choice.value.as_str())
            .flag(
                Flag::Disabled,
                choice.disabled || field.disabled || self.inert,
            );
        button
            .with(choice.recommended.then_some("fl-primary"), Element::class)
            .text(choice.label.as_str())
            .with(choice.description.as_deref(), |button, text| {
                button.text_attr(TextAttr::Title, text)
            })
    }

    fn input(self, field: &Field, kind: &'static str) -> Element {
        self.common(
            Element::of(Tag::Input, "fl-control").keyword(Keyword::Type, kind),
            field,
        )
    }

    fn common(self, element: Element, field: &Field) -> Element {
        let placeholder = field.placeholder.as_deref();
        let placeholder = placeholder.filter(|_| element.tag() != Tag::Select);
        element
            .field(&field.name)
            .flag(Flag::Required, field.required)
            .flag(Flag::Disabled, field.disabled || self.inert)
            .with(placeholder, |element, text| {
                element.text_attr(TextAttr::Placeholder, text)
            })
            .with(self.active(field.press.as_ref()), with_press)
    }
}

fn with_caption(element: Element, text: &str) -> Element {
    element.child(Element::of(Tag::Small, "fl-caption").text(text))
}

fn choice_text(choice: &Choice) -> String {
    let mark = if choice.recommended {
        " (recommended)"
    } else {
        ""
    };
    match &choice.description {
        Some(text) => format!("{}{mark}: {text}", choice.label),
        None => format!("{}{mark}", choice.label),
    }
}

/// Returns the marker of a required field. Buttons need none.
fn required_marker(field: &Field) -> Option<Node> {
    let star = Element::of(Tag::Span, "fl-danger")
        .keyword(Keyword::AriaHidden, "true")
        .text(" *");
    (field.required && field.control != Control::Buttons).then(|| star.into())
}

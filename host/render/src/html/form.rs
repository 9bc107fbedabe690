//! Input fields and buttons.

use super::{HtmlWriter, badge, cut, icon_beside_text, span, tone_class, with_press};
use crate::markup::{Element, Flag, Keyword, Number, Tag, TextAttr};
use crate::view::{Button, Choice, Control, Field, Tone};

/// The most options of a list with several choices that is drawn as boxes to tick.
const MAX_TICKS: usize = 30;

impl HtmlWriter<'_> {
    pub(super) fn button(self, button: &Button) -> Element {
        let look = match (button.primary, button.tone) {
            (true, _) => Some("fl-primary"),
            (false, Tone::Plain) => None,
            (false, tone) => Some(tone_class(tone)),
        };
        // The page handles the press with a script, so that the browser itself never submits
        // anything.
        let element = Element::of(Tag::Button, "fl-button")
            .class(look)
            .keyword(Keyword::Type, "button")
            .flag(Flag::Submit, button.submit)
            .flag(Flag::Disabled, button.disabled || self.inert)
            .with(self.active(button.press.as_ref()), with_press);
        match (&button.icon, button.label.as_str()) {
            (Some(icon), "") => element
                .text_attr(TextAttr::AriaLabel, crate::icon::words(icon).as_str())
                .child(icon_beside_text(icon)),
            (None, "") => element.text("Press"),
            (Some(icon), label) => element.child(icon_beside_text(icon)).text(" ").text(label),
            (None, label) => element.text(label),
        }
    }

    pub(super) fn field(self, field: &Field) -> Element {
        match field.control {
            Control::Radio | Control::CheckboxGroup | Control::Buttons => self.choices(field),
            // A list in which several options are chosen with the control key is for few people.
            Control::SelectMany if field.options.len() <= MAX_TICKS => self.choices(field),
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
                let label = field.label.as_deref();
                let name = label.or(field.placeholder.as_deref());
                let name = name.unwrap_or(&field.name);
                let control = self.control(field).text_attr(TextAttr::AriaLabel, name);
                let words = |text| span("fl-label", text).children(required_marker(field));
                let label = Element::new(Tag::Label).children(label.map(words));
                let line = Element::of(Tag::Div, "fl-field").child(label.child(control));
                self.with_help(line, field)
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
                let area = self.common(Element::of(Tag::Textarea, "fl-control"), field);
                let value = field.value.as_deref().unwrap_or("");
                return area.number(Number::Rows, 4.0).text(value);
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
        let input = self.input(field, kind);
        if field.control == Control::Secret {
            return input.keyword(Keyword::Autocomplete, "off");
        }
        let input = input.text_attr(TextAttr::Value, field.value.as_deref());
        if !matches!(field.control, Control::Number | Control::Date) {
            return input;
        }
        input
            .text_attr(TextAttr::Min, field.min.as_deref())
            .text_attr(TextAttr::Max, field.max.as_deref())
    }

    fn select(self, field: &Field) -> Element {
        let many = field.control == Control::SelectMany;
        let mut select = self
            .common(Element::of(Tag::Select, "fl-control"), field)
            .flag(Flag::Multiple, many);
        if !many && !field.options.iter().any(|choice| choice.chosen) {
            let text = field.placeholder.as_deref().unwrap_or("Choose");
            let none = Element::new(Tag::Option).text_attr(TextAttr::Value, "");
            select = select.child(none.text(text));
        }
        let option = |choice: &Choice| {
            Element::new(Tag::Option)
                .text_attr(TextAttr::Value, choice.value.as_str())
                .flag(Flag::Selected, choice.chosen)
                .flag(Flag::Disabled, choice.disabled)
                .text(choice_text(choice))
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
        let options = field.options.iter();
        let row = match field.control {
            Control::Buttons => Element::of(Tag::Div, "fl-row")
                .children(options.map(|choice| self.option_button(field, choice))),
            _ => Element::of(Tag::Div, "fl-col")
                .children(options.map(|choice| self.option(field, choice))),
        };
        let other = || {
            let label = format!("{name}: another answer");
            Element::of(Tag::Input, "fl-control")
                .keyword(Keyword::Type, "text")
                .field(&field.name)
                .flag(Flag::Other, true)
                .text_attr(TextAttr::AriaLabel, label.as_str())
                .text_attr(TextAttr::Placeholder, "Another answer")
        };
        set = set.child(row);
        self.with_help(set.children(field.other.then(other)), field)
    }

    fn option(self, field: &Field, choice: &Choice) -> Element {
        let radio = field.control == Control::Radio;
        let disabled = choice.disabled || field.disabled || self.inert;
        let input = Element::new(Tag::Input)
            .keyword(Keyword::Type, if radio { "radio" } else { "checkbox" })
            .field(&field.name)
            .text_attr(TextAttr::Value, choice.value.as_str())
            .flag(Flag::Checked, choice.chosen)
            .flag(Flag::Disabled, disabled)
            .with(self.active(field.press.as_ref()), with_press);
        let recommended = choice.recommended.then(|| badge("recommended", Tone::Info));
        Element::new(Tag::Label)
            .child(input)
            .text(" ")
            .text(choice.label.as_str())
            .with(recommended, |label, badge| label.text(" ").child(badge))
            .with(choice.description.as_deref(), with_caption)
    }

    fn option_button(self, field: &Field, choice: &Choice) -> Element {
        let disabled = choice.disabled || field.disabled || self.inert;
        Element::of(Tag::Button, "fl-button")
            .keyword(Keyword::Type, "button")
            .keyword(Keyword::DataControl, "option")
            .field(&field.name)
            .text_attr(TextAttr::Value, choice.value.as_str())
            .flag(Flag::Disabled, disabled)
            .class(choice.recommended.then_some("fl-primary"))
            .text(choice.label.as_str())
            .text_attr(TextAttr::Title, choice.description.as_deref())
    }

    fn input(self, field: &Field, kind: &'static str) -> Element {
        let input = Element::of(Tag::Input, "fl-control").keyword(Keyword::Type, kind);
        self.common(input, field)
    }

    fn common(self, element: Element, field: &Field) -> Element {
        let placeholder = field.placeholder.as_deref();
        let placeholder = placeholder.filter(|_| element.tag() != Tag::Select);
        element
            .field(&field.name)
            .flag(Flag::Required, field.required)
            .flag(Flag::Disabled, field.disabled || self.inert)
            .text_attr(TextAttr::Placeholder, placeholder)
            .with(self.active(field.press.as_ref()), with_press)
    }
}

fn with_caption(element: Element, text: &str) -> Element {
    element.child(Element::of(Tag::Small, "fl-caption").text(text))
}

fn choice_text(choice: &Choice) -> String {
    let mark = match choice.recommended {
        true => " (recommended)",
        false => "",
    };
    let description = choice.description.iter().map(|text| format!(": {text}"));
    format!("{}{mark}{}", choice.label, description.collect::<String>())
}

/// Returns the marker of a required field. Buttons need none.
fn required_marker(field: &Field) -> Option<Element> {
    let star = || span("fl-danger", " *").keyword(Keyword::AriaHidden, "true");
    (field.required && field.control != Control::Buttons).then(star)
}

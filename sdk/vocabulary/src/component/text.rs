//! Text components.

use super::declare::{component, described, shape};
use super::shape::{Color, Dimension};
use super::token::{CaptionSize, TextAlign, TextSize, TitleSize, Weight};

/// Declares a component with the props of all text components.
macro_rules! worded {
    ($($own:tt)*) => {
        component! {
            $($own)*
            /// A token such as `secondary` or `danger`, a primitive, a CSS colour, or one per theme.
            color = "color": Color,
            /// The weight of the font.
            weight = "weight": Weight,
            /// The alignment of the text.
            text_align = "textAlign": TextAlign,
            /// Whether text that does not fit ends in an ellipsis.
            truncate = "truncate": bool,
            /// The most lines.
            max_lines = "maxLines": u32,
        }
    };
}

worded! {
    /// Plain text.
    Text = "Text" [] (
        /// The text.
        value = "value": String,
    )
    /// Whether more text will be appended.
    streaming = "streaming": bool,
    /// Whether the text is italic.
    italic = "italic": bool,
    /// Whether the text is struck through.
    line_through = "lineThrough": bool,
    /// The width; pixels or a CSS string.
    width = "width": Dimension,
    /// The size of the text.
    size = "size": TextSize,
    /// The least number of lines reserved.
    min_lines = "minLines": u32,
    /// Makes the text an editable field of the form around it.
    editable = "editable": Editable,
}

worded! {
    /// A heading.
    Title = "Title" [] (
        /// The text.
        value = "value": String,
    )
    /// The size.
    size = "size": TitleSize,
}

worded! {
    /// Small text beside another component.
    Caption = "Caption" [] (
        /// The text.
        value = "value": String,
    )
    /// The size.
    size = "size": CaptionSize,
}

component! {
    /// Markdown text, with formulas such as `$x^2$`. HTML in it is not drawn.
    Markdown = "Markdown" [] (
        /// The text, in Markdown.
        value = "value": String,
    )
    /// Whether more text will be appended.
    streaming = "streaming": bool,
}

shape! {
    /// Properties of an editable text.
    Editable (
        /// The field's name in the form.
        name = "name": String,
    )
    /// Whether the field has the focus when it appears.
    auto_focus = "autoFocus": bool,
    /// Whether focus selects the text.
    auto_select = "autoSelect": bool,
    /// The browser's `autocomplete` hint.
    auto_complete = "autoComplete": String,
    /// Whether password managers can fill the field.
    allow_autofill_extensions = "allowAutofillExtensions": bool,
    /// A regular expression that the text must match.
    pattern = "pattern": String,
    /// The placeholder of an empty field.
    placeholder = "placeholder": String,
    /// Whether the field is required.
    required = "required": bool,
}

described!(Editable = OneOf(&[False, Object(Editable::SHAPE)]));

#[cfg(test)]
mod tests {
    use super::super::*;
    use serde_json::json;

    #[test]
    fn text_is_written_as_chatkit_reads_it() {
        let text = Text::new("Milk")
            .line_through(true)
            .color("secondary")
            .weight(Weight::Semibold)
            .size("lg")
            .text_align(TextAlign::End)
            .max_lines(2)
            .editable(Editable::new("todo.title").required(true));
        assert_eq!(
            serde_json::to_value(text.node()).expect("serialises"),
            json!({
                "type": "Text", "value": "Milk", "lineThrough": true, "color": "secondary",
                "weight": "semibold", "size": "lg", "textAlign": "end", "maxLines": 2,
                "editable": { "name": "todo.title", "required": true }
            })
        );
    }

    #[test]
    fn a_token_of_a_later_version_is_kept() {
        let title = Title::new("x").size(TitleSize::Other("9xl".into()));
        assert_eq!(title.node().prop("size"), Some(&json!("9xl")));
    }
}

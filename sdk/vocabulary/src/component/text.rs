//! Components that are read.

use super::declare::{component, described, shape};
use super::shape::{Color, Dimension};
use super::token::{CaptionSize, TextAlign, TextSize, TitleSize, Weight};

/// A component with the props of all text.
macro_rules! worded {
    ($($own:tt)*) => {
        component! {
            $($own)*
            /// A token such as `secondary` or `danger`, a primitive, a CSS colour, or one per theme.
            color = "color": Color,
            /// How heavy the type is.
            weight = "weight": Weight,
            /// Where the text stands in its line.
            text_align = "textAlign": TextAlign,
            /// Whether what does not fit is cut with an ellipsis.
            truncate = "truncate": bool,
            /// How many lines are shown at most.
            max_lines = "maxLines": u32,
        }
    };
}

worded! {
    /// Running text, without markup.
    Text = "Text" [] (
        /// The text.
        value = "value": String,
    )
    /// Whether more of the text is still to come.
    streaming = "streaming": bool,
    /// Whether it is in italics.
    italic = "italic": bool,
    /// Whether it is struck through.
    line_through = "lineThrough": bool,
    /// The width; pixels or a CSS string.
    width = "width": Dimension,
    /// How large the text is.
    size = "size": TextSize,
    /// How many lines are kept free for it at least.
    min_lines = "minLines": u32,
    /// Lets the person change the text, as a field of the form around it.
    editable = "editable": Editable,
}

worded! {
    /// A headline.
    Title = "Title" [] (
        /// The text.
        value = "value": String,
    )
    /// How large the title is.
    size = "size": TitleSize,
}

worded! {
    /// Small text that goes with something else.
    Caption = "Caption" [] (
        /// The text.
        value = "value": String,
    )
    /// How large the caption is.
    size = "size": CaptionSize,
}

component! {
    /// Text with Markdown in it; HTML in it is not drawn.
    Markdown = "Markdown" [] (
        /// The Markdown.
        value = "value": String,
    )
    /// Whether more of the text is still to come.
    streaming = "streaming": bool,
}

shape! {
    /// How a text can be changed in place.
    Editable (
        /// The name of the form's field.
        name = "name": String,
    )
    /// Whether it has the focus when it appears.
    auto_focus = "autoFocus": bool,
    /// Whether focus selects all of it.
    auto_select = "autoSelect": bool,
    /// The browser's hint for completion.
    auto_complete = "autoComplete": String,
    /// Whether password managers may fill it in.
    allow_autofill_extensions = "allowAutofillExtensions": bool,
    /// A regular expression that the text must match.
    pattern = "pattern": String,
    /// What is shown while it is empty.
    placeholder = "placeholder": String,
    /// Whether it must not be empty.
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

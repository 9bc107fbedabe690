//! Roots, boxes, and the components between their children.

use super::Node;
use super::action::{Action, CardAction};
use super::declare::component;
use super::shape::{Color, Dimension, Inset, Limit, Outline, Status};
use super::token::{Alignment, CardSize, Direction, Justification, Radius, Theme, Wrap};

/// Declares a component with the props of a sized component.
macro_rules! sized {
    ($($own:tt)*) => {
        $crate::component::declare::component! {
            $($own)*
            /// The height; pixels or a CSS string.
            height = "height": Dimension,
            /// The width; pixels or a CSS string.
            width = "width": Dimension,
            /// Width and height at once.
            size = "size": Dimension,
            /// The least height.
            min_height = "minHeight": Dimension,
            /// The least width.
            min_width = "minWidth": Dimension,
            /// The least width and height at once.
            min_size = "minSize": Dimension,
            /// The greatest height.
            max_height = "maxHeight": Dimension,
            /// The greatest width.
            max_width = "maxWidth": Dimension,
            /// The greatest width and height at once.
            max_size = "maxSize": Dimension,
            /// Width by height, such as `1.6` or `"16/9"`.
            aspect_ratio = "aspectRatio": Dimension,
            /// How it grows and shrinks relative to its siblings.
            flex = "flex": Dimension,
        }
    };
}

/// Declares a component with the props of a box.
macro_rules! boxed {
    ($($own:tt)*) => {
        $crate::component::layout::sized! {
            $($own)*
            /// The alignment of children across the direction.
            align = "align": Alignment,
            /// The distribution of children along the direction.
            justify = "justify": Justification,
            /// Wrapping of children that do not fit on one line.
            wrap = "wrap": Wrap,
            /// The gap between children; spacing units or a CSS string.
            gap = "gap": Dimension,
            /// The padding.
            padding = "padding": Inset,
            /// The margin.
            margin = "margin": Inset,
            /// The border.
            border = "border": Outline,
            /// The radius of the corners.
            radius = "radius": Radius,
            /// The background: a token such as `surface-secondary`, a primitive, a CSS colour.
            background = "background": Color,
        }
    };
}

pub(crate) use {boxed, sized};

component! {
    /// A card: a root with a frame.
    Card = "Card" [Node, required] ()
    /// Whether the card is a form whose values go with the confirmation.
    as_form = "asForm": bool,
    /// The background: a token such as `surface-secondary`, a primitive, a CSS colour.
    background = "background": Color,
    /// The border.
    border = "border": Outline,
    /// The size.
    size = "size": CardSize,
    /// The padding.
    padding = "padding": Inset,
    /// A header above the card.
    status = "status": Status,
    /// Whether the body folds after the card's action.
    collapsed = "collapsed": bool,
    /// The button in the footer that confirms.
    confirm = "confirm": CardAction,
    /// The button in the footer that cancels.
    cancel = "cancel": CardAction,
    /// The theme of everything inside.
    theme = "theme": Theme,
}

component! {
    /// A list; its children are [`ListViewItem`]s.
    ListView = "ListView" [ListViewItem, required] ()
    /// The number of items shown before "more".
    limit = "limit": Limit,
    /// A header above the list.
    status = "status": Status,
    /// The theme of everything inside.
    theme = "theme": Theme,
}

component! {
    /// An item of a [`ListView`].
    ListViewItem = "ListViewItem" [Node, required] ()
    /// The action of a press.
    on_click_action = "onClickAction": Action,
    /// The gap between children; spacing units or a CSS string.
    gap = "gap": Dimension,
    /// The alignment of children across the direction.
    align = "align": Alignment,
}

component! {
    /// A root without a frame, which can contain other roots.
    Basic = "Basic" [Node] ()
    /// The gap between children; spacing units or a CSS string.
    gap = "gap": Dimension,
    /// The padding.
    padding = "padding": Inset,
    /// The alignment of children across the direction.
    align = "align": Alignment,
    /// The distribution of children along the direction.
    justify = "justify": Justification,
    /// The direction of the layout.
    direction = "direction": Direction,
    /// The theme of everything inside.
    theme = "theme": Theme,
}

boxed! {
    /// A box with a direction.
    Box = "Box" [Node] ()
    /// The direction of the layout.
    direction = "direction": Direction,
}

boxed! {
    /// A horizontal box.
    Row = "Row" [Node] ()
}

boxed! {
    /// A vertical box.
    Col = "Col" [Node] ()
}

component! {
    /// Space that grows and pushes its siblings apart.
    Spacer = "Spacer" [] ()
    /// The least size.
    min_size = "minSize": Dimension,
}

component! {
    /// A horizontal line.
    Divider = "Divider" [] ()
    /// A token (`default`, `subtle`, `strong`), a primitive, a CSS colour, or one per theme.
    color = "color": Color,
    /// The thickness; pixels or a CSS string.
    size = "size": Dimension,
    /// The space above and below; spacing units or a CSS string.
    spacing = "spacing": Dimension,
    /// Whether the line reaches the edges of its container.
    flush = "flush": bool,
}

component! {
    /// Animates its child when the layout changes.
    Transition = "Transition" [Node, one] ()
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use serde_json::json;

    #[test]
    fn containers_are_written_as_chatkit_reads_them() {
        let card = Card::new()
            .id("c")
            .size(CardSize::Sm)
            .as_form(true)
            .padding(Spacing::new().x(2).top("1rem"))
            .border(
                Borders::new()
                    .x(1)
                    .top(Border::new(2).color("strong").style("dashed")),
            )
            .background(ThemeColor::new("white", "black"))
            .status(Status::new("Sending").icon("mail"))
            .confirm(CardAction::new("Send", Action::new("send")))
            .child(
                Row::new()
                    .gap(2)
                    .justify(Justification::Between)
                    .flex(1)
                    .width(12.5)
                    .key("r"),
            )
            .child(Divider::new().flush(true))
            .child(Spacer::new().min_size("auto"))
            .child(Transition::new().child(Text::new("x")));
        assert_eq!(
            serde_json::to_value(card.node()).expect("serialises"),
            json!({
                "type": "Card", "id": "c", "size": "sm", "asForm": true,
                "padding": { "x": 2, "top": "1rem" },
                "border": { "x": 1, "top": { "size": 2, "color": "strong", "style": "dashed" } },
                "background": { "light": "white", "dark": "black" },
                "status": { "text": "Sending", "icon": "mail" },
                "confirm": { "label": "Send", "action": { "type": "send" } },
                "children": [
                    { "type": "Row", "gap": 2, "justify": "between", "flex": 1, "width": 12.5, "key": "r" },
                    { "type": "Divider", "flush": true },
                    { "type": "Spacer", "minSize": "auto" },
                    { "type": "Transition", "children": { "type": "Text", "value": "x" } }
                ]
            })
        );
    }

    #[test]
    fn lists_hold_items_and_are_there_when_empty() {
        let list = ListView::new().limit(Limit::auto()).status("Two");
        assert_eq!(
            serde_json::to_value(list.node()).expect("serialises"),
            json!({ "type": "ListView", "limit": "auto", "status": { "text": "Two" }, "children": [] })
        );
        let list = ListView::new().limit(3).children(["a", "b"].map(|text| {
            ListViewItem::new()
                .on_click_action(Action::new("open").payload(text))
                .child(Text::new(text))
        }));
        assert_eq!(list.node().children().len(), 2);
        assert_eq!(list.node().children()[1]["onClickAction"]["payload"], "b");
    }

    #[test]
    fn transition_without_a_child_says_so() {
        assert_eq!(
            serde_json::to_value(Transition::new().node()).expect("serialises"),
            json!({ "type": "Transition", "children": null })
        );
    }
}

//! Components that hold others: the roots, boxes, and what stands between their children.

use super::Node;
use super::action::{Action, CardAction};
use super::declare::component;
use super::shape::{Color, Dimension, Inset, Limit, Outline, Status};
use super::token::{Alignment, CardSize, Direction, Justification, Radius, Theme, Wrap};

/// A component with the props of everything that has a size.
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
            /// How it grows and shrinks beside its siblings.
            flex = "flex": Dimension,
        }
    };
}

/// A component with the props of everything that lays out children in a box.
macro_rules! boxed {
    ($($own:tt)*) => {
        $crate::component::layout::sized! {
            $($own)*
            /// Where children stand across the direction.
            align = "align": Alignment,
            /// How children share the room along the direction.
            justify = "justify": Justification,
            /// What happens to children that do not fit on one line.
            wrap = "wrap": Wrap,
            /// The room between children; spacing units or a CSS string.
            gap = "gap": Dimension,
            /// The room inside the edges.
            padding = "padding": Inset,
            /// The room outside the edges.
            margin = "margin": Inset,
            /// The border.
            border = "border": Outline,
            /// How round the corners are.
            radius = "radius": Radius,
            /// The background: a token such as `surface-secondary`, a primitive, a CSS colour.
            background = "background": Color,
        }
    };
}

pub(crate) use {boxed, sized};

component! {
    /// A card: the usual root, a frame around other components.
    Card = "Card" [Node, required] ()
    /// Whether the card is a form, so that confirming carries the values of its fields.
    as_form = "asForm": bool,
    /// The background: a token such as `surface-secondary`, a primitive, a CSS colour.
    background = "background": Color,
    /// The border.
    border = "border": Outline,
    /// How large the card is.
    size = "size": CardSize,
    /// The room inside the edges.
    padding = "padding": Inset,
    /// A header above the card.
    status = "status": Status,
    /// Whether the body folds once the card's action is done.
    collapsed = "collapsed": bool,
    /// The footer's button to confirm.
    confirm = "confirm": CardAction,
    /// The footer's button to cancel.
    cancel = "cancel": CardAction,
    /// Light or dark for everything inside.
    theme = "theme": Theme,
}

component! {
    /// A list as a root; its children are [`ListViewItem`]s.
    ListView = "ListView" [ListViewItem, required] ()
    /// How many items are shown before the rest is offered.
    limit = "limit": Limit,
    /// A header above the list.
    status = "status": Status,
    /// Light or dark for everything inside.
    theme = "theme": Theme,
}

component! {
    /// One item of a [`ListView`].
    ListViewItem = "ListViewItem" [Node, required] ()
    /// What pressing the item does.
    on_click_action = "onClickAction": Action,
    /// The room between children; spacing units or a CSS string.
    gap = "gap": Dimension,
    /// Where children stand across the item.
    align = "align": Alignment,
}

component! {
    /// A root without a frame, which may hold components and other roots.
    Basic = "Basic" [Node] ()
    /// The room between children; spacing units or a CSS string.
    gap = "gap": Dimension,
    /// The room inside the edges.
    padding = "padding": Inset,
    /// Where children stand across the direction.
    align = "align": Alignment,
    /// How children share the room along the direction.
    justify = "justify": Justification,
    /// The way children are laid out.
    direction = "direction": Direction,
    /// Light or dark for everything inside.
    theme = "theme": Theme,
}

boxed! {
    /// A box that lays out its children either way.
    Box = "Box" [Node] ()
    /// The way children are laid out.
    direction = "direction": Direction,
}

boxed! {
    /// A box that lays out its children side by side.
    Row = "Row" [Node] ()
}

boxed! {
    /// A box that lays out its children one below the other.
    Col = "Col" [Node] ()
}

component! {
    /// Room that grows and pushes its siblings apart.
    Spacer = "Spacer" [] ()
    /// The least room it takes.
    min_size = "minSize": Dimension,
}

component! {
    /// A line between what is above and what is below.
    Divider = "Divider" [] ()
    /// A token (`default`, `subtle`, `strong`), a primitive, a CSS colour, or one per theme.
    color = "color": Color,
    /// How thick the line is; pixels or a CSS string.
    size = "size": Dimension,
    /// The room above and below; spacing units or a CSS string.
    spacing = "spacing": Dimension,
    /// Whether the line reaches the edges of its container.
    flush = "flush": bool,
}

component! {
    /// Moves its child smoothly when the layout changes.
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

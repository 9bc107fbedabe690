"""The components of widgets: one function each. Generated from the vocabulary.

A component takes what it requires, then its children, then its props by name::

    ui.Card(
        ui.Title("Oslo"),
        ui.Row(ui.Text("Mon"), ui.Badge("rain", color="info"), gap=2),
        ui.Button(label="Refresh", on_click_action=ui.action("refresh", {"city": "Oslo"})),
    )

A child that is `None` is left out. Words such as colours are open: a host ignores one that it does not know.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from ._shape import each as _each, node as _node, one as _one, without_none as _set

Node = dict[str, Any]


def action(tool: str, payload: Any = None, **members: Any) -> dict[str, Any]:
    """A call of a tool of this plugin, with `payload` and the values of the form around it as input."""
    return _set({"type": tool, "payload": payload} | members)


def Card(
    *children: Node | None, as_form: bool | None = None, background: str | Mapping[str, Any] | None = None,
    border: float | Mapping[str, Any] | None = None, size: str | None = None,
    padding: float | str | Mapping[str, Any] | None = None, status: Mapping[str, Any] | str | None = None,
    collapsed: bool | None = None, confirm: Mapping[str, Any] | None = None,
    cancel: Mapping[str, Any] | None = None, theme: str | None = None, id: str | None = None,
    key: str | None = None, fallback: str | None = None,
) -> Node:
    """A card: a root with a frame.

    as_form: Whether the card is a form whose values go with the confirmation.
    background: The background: a token such as `surface-secondary`, a primitive, a CSS colour.
    border: The border.
    size: The size. One of `sm`, `md`, `lg`, `full`.
    padding: The padding.
    status: A header above the card.
    collapsed: Whether the body folds after the card's action.
    confirm: The button in the footer that confirms.
    cancel: The button in the footer that cancels.
    theme: The theme of everything inside. One of `light`, `dark`.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Card", _set({
        "asForm": as_form,
        "background": background,
        "border": border,
        "size": size,
        "padding": padding,
        "status": _one(status, "text"),
        "collapsed": collapsed,
        "confirm": confirm,
        "cancel": cancel,
        "theme": theme,
        "id": id,
        "key": key,
        "fallback": fallback,
    }), children or [])


def ListView(
    *children: Node | None, limit: int | str | None = None, status: Mapping[str, Any] | str | None = None,
    theme: str | None = None, id: str | None = None, key: str | None = None, fallback: str | None = None,
) -> Node:
    """A list; its children are `ListViewItem`s.

    limit: The number of items shown before "more".
    status: A header above the list.
    theme: The theme of everything inside. One of `light`, `dark`.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("ListView", _set({
        "limit": limit,
        "status": _one(status, "text"),
        "theme": theme,
        "id": id,
        "key": key,
        "fallback": fallback,
    }), children or [])


def ListViewItem(
    *children: Node | None, on_click_action: Mapping[str, Any] | str | None = None, gap: float | str | None = None,
    align: str | None = None, id: str | None = None, key: str | None = None, fallback: str | None = None,
) -> Node:
    """An item of a `ListView`.

    on_click_action: The action of a press.
    gap: The gap between children; spacing units or a CSS string.
    align: The alignment of children across the direction. One of `start`, `center`, `end`, `baseline`, `stretch`.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("ListViewItem", _set({
        "onClickAction": _one(on_click_action, "type"),
        "gap": gap,
        "align": align,
        "id": id,
        "key": key,
        "fallback": fallback,
    }), children or [])


def Basic(
    *children: Node | None, gap: float | str | None = None, padding: float | str | Mapping[str, Any] | None = None,
    align: str | None = None, justify: str | None = None, direction: str | None = None, theme: str | None = None,
    id: str | None = None, key: str | None = None, fallback: str | None = None,
) -> Node:
    """A root without a frame, which can contain other roots.

    gap: The gap between children; spacing units or a CSS string.
    padding: The padding.
    align: The alignment of children across the direction. One of `start`, `center`, `end`, `baseline`, `stretch`.
    justify: The distribution of children along the direction. One of `start`, `center`, `end`, `between`, `around`, `evenly`, `stretch`.
    direction: The direction of the layout. One of `row`, `col`.
    theme: The theme of everything inside. One of `light`, `dark`.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Basic", _set({
        "gap": gap,
        "padding": padding,
        "align": align,
        "justify": justify,
        "direction": direction,
        "theme": theme,
        "id": id,
        "key": key,
        "fallback": fallback,
    }), children)


def Box(
    *children: Node | None, direction: str | None = None, align: str | None = None, justify: str | None = None,
    wrap: str | None = None, gap: float | str | None = None,
    padding: float | str | Mapping[str, Any] | None = None, margin: float | str | Mapping[str, Any] | None = None,
    border: float | Mapping[str, Any] | None = None, radius: str | None = None,
    background: str | Mapping[str, Any] | None = None, height: float | str | None = None,
    width: float | str | None = None, size: float | str | None = None, min_height: float | str | None = None,
    min_width: float | str | None = None, min_size: float | str | None = None,
    max_height: float | str | None = None, max_width: float | str | None = None,
    max_size: float | str | None = None, aspect_ratio: float | str | None = None, flex: float | str | None = None,
    id: str | None = None, key: str | None = None, fallback: str | None = None,
) -> Node:
    """A box with a direction.

    direction: The direction of the layout. One of `row`, `col`.
    align: The alignment of children across the direction. One of `start`, `center`, `end`, `baseline`, `stretch`.
    justify: The distribution of children along the direction. One of `start`, `center`, `end`, `between`, `around`, `evenly`, `stretch`.
    wrap: Wrapping of children that do not fit on one line. One of `nowrap`, `wrap`, `wrap-reverse`.
    gap: The gap between children; spacing units or a CSS string.
    padding: The padding.
    margin: The margin.
    border: The border.
    radius: The radius of the corners. One of `2xs`, `xs`, `sm`, `md`, `lg`, `xl`, `2xl`, `3xl`, `4xl`, `full`, `100%`, `none`.
    background: The background: a token such as `surface-secondary`, a primitive, a CSS colour.
    height: The height; pixels or a CSS string.
    width: The width; pixels or a CSS string.
    size: Width and height at once.
    min_height: The least height.
    min_width: The least width.
    min_size: The least width and height at once.
    max_height: The greatest height.
    max_width: The greatest width.
    max_size: The greatest width and height at once.
    aspect_ratio: Width by height, such as `1.6` or `"16/9"`.
    flex: How it grows and shrinks relative to its siblings.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Box", _set({
        "direction": direction,
        "align": align,
        "justify": justify,
        "wrap": wrap,
        "gap": gap,
        "padding": padding,
        "margin": margin,
        "border": border,
        "radius": radius,
        "background": background,
        "height": height,
        "width": width,
        "size": size,
        "minHeight": min_height,
        "minWidth": min_width,
        "minSize": min_size,
        "maxHeight": max_height,
        "maxWidth": max_width,
        "maxSize": max_size,
        "aspectRatio": aspect_ratio,
        "flex": flex,
        "id": id,
        "key": key,
        "fallback": fallback,
    }), children)


def Row(
    *children: Node | None, align: str | None = None, justify: str | None = None, wrap: str | None = None,
    gap: float | str | None = None, padding: float | str | Mapping[str, Any] | None = None,
    margin: float | str | Mapping[str, Any] | None = None, border: float | Mapping[str, Any] | None = None,
    radius: str | None = None, background: str | Mapping[str, Any] | None = None,
    height: float | str | None = None, width: float | str | None = None, size: float | str | None = None,
    min_height: float | str | None = None, min_width: float | str | None = None,
    min_size: float | str | None = None, max_height: float | str | None = None,
    max_width: float | str | None = None, max_size: float | str | None = None,
    aspect_ratio: float | str | None = None, flex: float | str | None = None, id: str | None = None,
    key: str | None = None, fallback: str | None = None,
) -> Node:
    """A horizontal box.

    align: The alignment of children across the direction. One of `start`, `center`, `end`, `baseline`, `stretch`.
    justify: The distribution of children along the direction. One of `start`, `center`, `end`, `between`, `around`, `evenly`, `stretch`.
    wrap: Wrapping of children that do not fit on one line. One of `nowrap`, `wrap`, `wrap-reverse`.
    gap: The gap between children; spacing units or a CSS string.
    padding: The padding.
    margin: The margin.
    border: The border.
    radius: The radius of the corners. One of `2xs`, `xs`, `sm`, `md`, `lg`, `xl`, `2xl`, `3xl`, `4xl`, `full`, `100%`, `none`.
    background: The background: a token such as `surface-secondary`, a primitive, a CSS colour.
    height: The height; pixels or a CSS string.
    width: The width; pixels or a CSS string.
    size: Width and height at once.
    min_height: The least height.
    min_width: The least width.
    min_size: The least width and height at once.
    max_height: The greatest height.
    max_width: The greatest width.
    max_size: The greatest width and height at once.
    aspect_ratio: Width by height, such as `1.6` or `"16/9"`.
    flex: How it grows and shrinks relative to its siblings.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Row", _set({
        "align": align,
        "justify": justify,
        "wrap": wrap,
        "gap": gap,
        "padding": padding,
        "margin": margin,
        "border": border,
        "radius": radius,
        "background": background,
        "height": height,
        "width": width,
        "size": size,
        "minHeight": min_height,
        "minWidth": min_width,
        "minSize": min_size,
        "maxHeight": max_height,
        "maxWidth": max_width,
        "maxSize": max_size,
        "aspectRatio": aspect_ratio,
        "flex": flex,
        "id": id,
        "key": key,
        "fallback": fallback,
    }), children)


def Col(
    *children: Node | None, align: str | None = None, justify: str | None = None, wrap: str | None = None,
    gap: float | str | None = None, padding: float | str | Mapping[str, Any] | None = None,
    margin: float | str | Mapping[str, Any] | None = None, border: float | Mapping[str, Any] | None = None,
    radius: str | None = None, background: str | Mapping[str, Any] | None = None,
    height: float | str | None = None, width: float | str | None = None, size: float | str | None = None,
    min_height: float | str | None = None, min_width: float | str | None = None,
    min_size: float | str | None = None, max_height: float | str | None = None,
    max_width: float | str | None = None, max_size: float | str | None = None,
    aspect_ratio: float | str | None = None, flex: float | str | None = None, id: str | None = None,
    key: str | None = None, fallback: str | None = None,
) -> Node:
    """A vertical box.

    align: The alignment of children across the direction. One of `start`, `center`, `end`, `baseline`, `stretch`.
    justify: The distribution of children along the direction. One of `start`, `center`, `end`, `between`, `around`, `evenly`, `stretch`.
    wrap: Wrapping of children that do not fit on one line. One of `nowrap`, `wrap`, `wrap-reverse`.
    gap: The gap between children; spacing units or a CSS string.
    padding: The padding.
    margin: The margin.
    border: The border.
    radius: The radius of the corners. One of `2xs`, `xs`, `sm`, `md`, `lg`, `xl`, `2xl`, `3xl`, `4xl`, `full`, `100%`, `none`.
    background: The background: a token such as `surface-secondary`, a primitive, a CSS colour.
    height: The height; pixels or a CSS string.
    width: The width; pixels or a CSS string.
    size: Width and height at once.
    min_height: The least height.
    min_width: The least width.
    min_size: The least width and height at once.
    max_height: The greatest height.
    max_width: The greatest width.
    max_size: The greatest width and height at once.
    aspect_ratio: Width by height, such as `1.6` or `"16/9"`.
    flex: How it grows and shrinks relative to its siblings.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Col", _set({
        "align": align,
        "justify": justify,
        "wrap": wrap,
        "gap": gap,
        "padding": padding,
        "margin": margin,
        "border": border,
        "radius": radius,
        "background": background,
        "height": height,
        "width": width,
        "size": size,
        "minHeight": min_height,
        "minWidth": min_width,
        "minSize": min_size,
        "maxHeight": max_height,
        "maxWidth": max_width,
        "maxSize": max_size,
        "aspectRatio": aspect_ratio,
        "flex": flex,
        "id": id,
        "key": key,
        "fallback": fallback,
    }), children)


def Form(
    *children: Node | None, on_submit_action: Mapping[str, Any] | str | None = None, direction: str | None = None,
    align: str | None = None, justify: str | None = None, wrap: str | None = None, gap: float | str | None = None,
    padding: float | str | Mapping[str, Any] | None = None, margin: float | str | Mapping[str, Any] | None = None,
    border: float | Mapping[str, Any] | None = None, radius: str | None = None,
    background: str | Mapping[str, Any] | None = None, height: float | str | None = None,
    width: float | str | None = None, size: float | str | None = None, min_height: float | str | None = None,
    min_width: float | str | None = None, min_size: float | str | None = None,
    max_height: float | str | None = None, max_width: float | str | None = None,
    max_size: float | str | None = None, aspect_ratio: float | str | None = None, flex: float | str | None = None,
    id: str | None = None, key: str | None = None, fallback: str | None = None,
) -> Node:
    """A box of fields that are submitted together.

    on_submit_action: The action of submitting the form.
    direction: The direction of the layout. One of `row`, `col`.
    align: The alignment of children across the direction. One of `start`, `center`, `end`, `baseline`, `stretch`.
    justify: The distribution of children along the direction. One of `start`, `center`, `end`, `between`, `around`, `evenly`, `stretch`.
    wrap: Wrapping of children that do not fit on one line. One of `nowrap`, `wrap`, `wrap-reverse`.
    gap: The gap between children; spacing units or a CSS string.
    padding: The padding.
    margin: The margin.
    border: The border.
    radius: The radius of the corners. One of `2xs`, `xs`, `sm`, `md`, `lg`, `xl`, `2xl`, `3xl`, `4xl`, `full`, `100%`, `none`.
    background: The background: a token such as `surface-secondary`, a primitive, a CSS colour.
    height: The height; pixels or a CSS string.
    width: The width; pixels or a CSS string.
    size: Width and height at once.
    min_height: The least height.
    min_width: The least width.
    min_size: The least width and height at once.
    max_height: The greatest height.
    max_width: The greatest width.
    max_size: The greatest width and height at once.
    aspect_ratio: Width by height, such as `1.6` or `"16/9"`.
    flex: How it grows and shrinks relative to its siblings.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Form", _set({
        "onSubmitAction": _one(on_submit_action, "type"),
        "direction": direction,
        "align": align,
        "justify": justify,
        "wrap": wrap,
        "gap": gap,
        "padding": padding,
        "margin": margin,
        "border": border,
        "radius": radius,
        "background": background,
        "height": height,
        "width": width,
        "size": size,
        "minHeight": min_height,
        "minWidth": min_width,
        "minSize": min_size,
        "maxHeight": max_height,
        "maxWidth": max_width,
        "maxSize": max_size,
        "aspectRatio": aspect_ratio,
        "flex": flex,
        "id": id,
        "key": key,
        "fallback": fallback,
    }), children)


def Spacer(
    *, min_size: float | str | None = None, id: str | None = None, key: str | None = None,
    fallback: str | None = None,
) -> Node:
    """Space that grows and pushes its siblings apart.

    min_size: The least size.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Spacer", _set({
        "minSize": min_size,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def Divider(
    *, color: str | Mapping[str, Any] | None = None, size: float | str | None = None,
    spacing: float | str | None = None, flush: bool | None = None, id: str | None = None, key: str | None = None,
    fallback: str | None = None,
) -> Node:
    """A horizontal line.

    color: A token (`default`, `subtle`, `strong`), a primitive, a CSS colour, or one per theme.
    size: The thickness; pixels or a CSS string.
    spacing: The space above and below; spacing units or a CSS string.
    flush: Whether the line reaches the edges of its container.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Divider", _set({
        "color": color,
        "size": size,
        "spacing": spacing,
        "flush": flush,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def Transition(
    child: Node | None = None, *, id: str | None = None, key: str | None = None, fallback: str | None = None,
) -> Node:
    """Animates its child when the layout changes.

    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Transition", _set({
        "id": id,
        "key": key,
        "fallback": fallback,
    }), child, one=True)


def Text(
    value: str, *, streaming: bool | None = None, italic: bool | None = None, line_through: bool | None = None,
    width: float | str | None = None, size: str | None = None, min_lines: int | None = None,
    editable: Literal[False] | Mapping[str, Any] | None = None, color: str | Mapping[str, Any] | None = None,
    weight: str | None = None, text_align: str | None = None, truncate: bool | None = None,
    max_lines: int | None = None, id: str | None = None, key: str | None = None, fallback: str | None = None,
) -> Node:
    """Plain text.

    value: The text.
    streaming: Whether more text will be appended.
    italic: Whether the text is italic.
    line_through: Whether the text is struck through.
    width: The width; pixels or a CSS string.
    size: The size of the text. One of `xs`, `sm`, `md`, `lg`, `xl`.
    min_lines: The least number of lines reserved.
    editable: Makes the text an editable field of the form around it.
    color: A token such as `secondary` or `danger`, a primitive, a CSS colour, or one per theme.
    weight: The weight of the font. One of `normal`, `medium`, `semibold`, `bold`.
    text_align: The alignment of the text. One of `start`, `center`, `end`.
    truncate: Whether text that does not fit ends in an ellipsis.
    max_lines: The most lines.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Text", _set({
        "value": value,
        "streaming": streaming,
        "italic": italic,
        "lineThrough": line_through,
        "width": width,
        "size": size,
        "minLines": min_lines,
        "editable": editable,
        "color": color,
        "weight": weight,
        "textAlign": text_align,
        "truncate": truncate,
        "maxLines": max_lines,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def Title(
    value: str, *, size: str | None = None, color: str | Mapping[str, Any] | None = None,
    weight: str | None = None, text_align: str | None = None, truncate: bool | None = None,
    max_lines: int | None = None, id: str | None = None, key: str | None = None, fallback: str | None = None,
) -> Node:
    """A heading.

    value: The text.
    size: The size. One of `sm`, `md`, `lg`, `xl`, `2xl`, `3xl`, `4xl`, `5xl`.
    color: A token such as `secondary` or `danger`, a primitive, a CSS colour, or one per theme.
    weight: The weight of the font. One of `normal`, `medium`, `semibold`, `bold`.
    text_align: The alignment of the text. One of `start`, `center`, `end`.
    truncate: Whether text that does not fit ends in an ellipsis.
    max_lines: The most lines.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Title", _set({
        "value": value,
        "size": size,
        "color": color,
        "weight": weight,
        "textAlign": text_align,
        "truncate": truncate,
        "maxLines": max_lines,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def Caption(
    value: str, *, size: str | None = None, color: str | Mapping[str, Any] | None = None,
    weight: str | None = None, text_align: str | None = None, truncate: bool | None = None,
    max_lines: int | None = None, id: str | None = None, key: str | None = None, fallback: str | None = None,
) -> Node:
    """Small text beside another component.

    value: The text.
    size: The size. One of `sm`, `md`, `lg`.
    color: A token such as `secondary` or `danger`, a primitive, a CSS colour, or one per theme.
    weight: The weight of the font. One of `normal`, `medium`, `semibold`, `bold`.
    text_align: The alignment of the text. One of `start`, `center`, `end`.
    truncate: Whether text that does not fit ends in an ellipsis.
    max_lines: The most lines.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Caption", _set({
        "value": value,
        "size": size,
        "color": color,
        "weight": weight,
        "textAlign": text_align,
        "truncate": truncate,
        "maxLines": max_lines,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def Markdown(
    value: str, *, streaming: bool | None = None, id: str | None = None, key: str | None = None,
    fallback: str | None = None,
) -> Node:
    """Markdown text, with formulas such as `$x^2$`. HTML in it is not drawn.

    value: The text, in Markdown.
    streaming: Whether more text will be appended.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Markdown", _set({
        "value": value,
        "streaming": streaming,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def Badge(
    label: str, *, color: str | None = None, variant: str | None = None, size: str | None = None,
    pill: bool | None = None, id: str | None = None, key: str | None = None, fallback: str | None = None,
) -> Node:
    """A short label for a state.

    label: The text.
    color: The meaning of the colour. One of `secondary`, `success`, `danger`, `warning`, `info`, `discovery`.
    variant: The fill. One of `solid`, `soft`, `outline`.
    size: The size. One of `sm`, `md`, `lg`.
    pill: Whether the ends are fully rounded.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Badge", _set({
        "label": label,
        "color": color,
        "variant": variant,
        "size": size,
        "pill": pill,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def Icon(
    name: str, *, color: str | Mapping[str, Any] | None = None, size: str | None = None, id: str | None = None,
    key: str | None = None, fallback: str | None = None,
) -> Node:
    """An icon.

    name: The name of the icon.
    color: A token such as `secondary` or `danger`, a primitive, a CSS colour, or one per theme.
    size: The size. One of `xs`, `sm`, `md`, `lg`, `xl`, `2xl`, `3xl`.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Icon", _set({
        "name": name,
        "color": color,
        "size": size,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def Image(
    src: str, *, alt: str | None = None, fit: str | None = None, position: str | None = None,
    radius: str | None = None, frame: bool | None = None, flush: bool | None = None,
    margin: float | str | Mapping[str, Any] | None = None, background: str | Mapping[str, Any] | None = None,
    height: float | str | None = None, width: float | str | None = None, size: float | str | None = None,
    min_height: float | str | None = None, min_width: float | str | None = None,
    min_size: float | str | None = None, max_height: float | str | None = None,
    max_width: float | str | None = None, max_size: float | str | None = None,
    aspect_ratio: float | str | None = None, flex: float | str | None = None, id: str | None = None,
    key: str | None = None, fallback: str | None = None,
) -> Node:
    """A picture.

    src: The URL. The host decides which pictures are loaded.
    alt: The alternative text.
    fit: How the picture fills its frame. One of `cover`, `contain`, `fill`, `scale-down`, `none`.
    position: The part that stays visible when the picture is cropped. One of `top left`, `top`, `top right`, `left`, `center`, `right`, `bottom left`, `bottom`, `bottom right`.
    radius: The radius of the corners. One of `2xs`, `xs`, `sm`, `md`, `lg`, `xl`, `2xl`, `3xl`, `4xl`, `full`, `100%`, `none`.
    frame: Whether the picture has a frame.
    flush: Whether the picture reaches the edges of its container.
    margin: The margin.
    background: The background: a token such as `surface-secondary`, a primitive, a CSS colour.
    height: The height; pixels or a CSS string.
    width: The width; pixels or a CSS string.
    size: Width and height at once.
    min_height: The least height.
    min_width: The least width.
    min_size: The least width and height at once.
    max_height: The greatest height.
    max_width: The greatest width.
    max_size: The greatest width and height at once.
    aspect_ratio: Width by height, such as `1.6` or `"16/9"`.
    flex: How it grows and shrinks relative to its siblings.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Image", _set({
        "src": src,
        "alt": alt,
        "fit": fit,
        "position": position,
        "radius": radius,
        "frame": frame,
        "flush": flush,
        "margin": margin,
        "background": background,
        "height": height,
        "width": width,
        "size": size,
        "minHeight": min_height,
        "minWidth": min_width,
        "minSize": min_size,
        "maxHeight": max_height,
        "maxWidth": max_width,
        "maxSize": max_size,
        "aspectRatio": aspect_ratio,
        "flex": flex,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def Chart(
    data: Sequence[Mapping[str, Any]], series: Mapping[str, Any] | Iterable[Any], x_axis: str | Mapping[str, Any],
    *, show_y_axis: bool | None = None, show_legend: bool | None = None, show_tooltip: bool | None = None,
    bar_gap: int | None = None, bar_category_gap: int | None = None, height: float | str | None = None,
    width: float | str | None = None, size: float | str | None = None, min_height: float | str | None = None,
    min_width: float | str | None = None, min_size: float | str | None = None,
    max_height: float | str | None = None, max_width: float | str | None = None,
    max_size: float | str | None = None, aspect_ratio: float | str | None = None, flex: float | str | None = None,
    id: str | None = None, key: str | None = None, fallback: str | None = None,
) -> Node:
    """A chart of bars, lines and areas.

    data: The rows: objects whose members are text or numbers.
    series: The series.
    x_axis: The x axis.
    show_y_axis: Whether the y axis is drawn.
    show_legend: Whether there is a legend.
    show_tooltip: Whether a tooltip shows values.
    bar_gap: The gap between bars of one category, in pixels.
    bar_category_gap: The gap between categories, in pixels.
    height: The height; pixels or a CSS string.
    width: The width; pixels or a CSS string.
    size: Width and height at once.
    min_height: The least height.
    min_width: The least width.
    min_size: The least width and height at once.
    max_height: The greatest height.
    max_width: The greatest width.
    max_size: The greatest width and height at once.
    aspect_ratio: Width by height, such as `1.6` or `"16/9"`.
    flex: How it grows and shrinks relative to its siblings.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Chart", _set({
        "data": data,
        "series": _each(series, "type", "dataKey"),
        "xAxis": x_axis,
        "showYAxis": show_y_axis,
        "showLegend": show_legend,
        "showTooltip": show_tooltip,
        "barGap": bar_gap,
        "barCategoryGap": bar_category_gap,
        "height": height,
        "width": width,
        "size": size,
        "minHeight": min_height,
        "minWidth": min_width,
        "minSize": min_size,
        "maxHeight": max_height,
        "maxWidth": max_width,
        "maxSize": max_size,
        "aspectRatio": aspect_ratio,
        "flex": flex,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def Table(
    *children: Node | None, id: str | None = None, key: str | None = None, fallback: str | None = None,
) -> Node:
    """A table; its children are `TableRow`s.

    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Table", _set({
        "id": id,
        "key": key,
        "fallback": fallback,
    }), children)


def TableRow(
    *children: Node | None, header: bool | None = None, id: str | None = None, key: str | None = None,
    fallback: str | None = None,
) -> Node:
    """A row of a `Table`; its children are `TableCell`s.

    header: Whether this is a header row.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Table.Row", _set({
        "header": header,
        "id": id,
        "key": key,
        "fallback": fallback,
    }), children)


def TableCell(
    *children: Node | None, width: float | str | None = None,
    padding: float | str | Mapping[str, Any] | None = None, col_span: int | None = None,
    row_span: int | None = None, align: str | None = None, v_align: str | None = None, col_size: str | None = None,
    id: str | None = None, key: str | None = None, fallback: str | None = None,
) -> Node:
    """A cell of a `TableRow`.

    width: The width; pixels or a CSS string.
    padding: The padding.
    col_span: The number of columns the cell spans.
    row_span: The number of rows the cell spans.
    align: The horizontal alignment of the content. One of `start`, `center`, `end`.
    v_align: The vertical alignment of the content. One of `start`, `center`, `end`.
    col_size: The width of the column. One of `xs`, `sm`, `md`, `lg`, `xl`.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Table.Cell", _set({
        "width": width,
        "padding": padding,
        "colSpan": col_span,
        "rowSpan": row_span,
        "align": align,
        "vAlign": v_align,
        "colSize": col_size,
        "id": id,
        "key": key,
        "fallback": fallback,
    }), children)


def Progress(
    *, value: float | None = None, max: float | None = None, label: str | None = None, id: str | None = None,
    key: str | None = None, fallback: str | None = None,
) -> Node:
    """A progress bar; indeterminate without a value.

    value: The amount done, of `max`.
    max: The total amount; 100 by default.
    label: The label.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Progress", _set({
        "value": value,
        "max": max,
        "label": label,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def Button(
    *, submit: bool | None = None, label: str | None = None,
    on_click_action: Mapping[str, Any] | str | None = None, icon_start: str | None = None,
    icon_end: str | None = None, style: str | None = None, icon_size: str | None = None, color: str | None = None,
    variant: str | None = None, size: str | None = None, pill: bool | None = None, uniform: bool | None = None,
    block: bool | None = None, disabled: bool | None = None, id: str | None = None, key: str | None = None,
    fallback: str | None = None,
) -> Node:
    """A button.

    submit: Whether a press submits the form around the button.
    label: The label.
    on_click_action: The action of a press.
    icon_start: An icon before the label, or alone.
    icon_end: An icon after the label.
    style: The preset. One of `primary`, `secondary`.
    icon_size: The size of the icons. One of `sm`, `md`, `lg`, `xl`, `2xl`.
    color: The meaning of the colour. One of `primary`, `secondary`, `info`, `discovery`, `success`, `caution`, `warning`, `danger`.
    variant: The fill. One of `solid`, `soft`, `outline`, `ghost`.
    size: The size. One of `3xs`, `2xs`, `xs`, `sm`, `md`, `lg`, `xl`, `2xl`, `3xl`.
    pill: Whether the ends are fully rounded.
    uniform: Whether width and height are equal.
    block: Whether it takes the full width.
    disabled: Whether the button is disabled.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Button", _set({
        "submit": submit,
        "label": label,
        "onClickAction": _one(on_click_action, "type"),
        "iconStart": icon_start,
        "iconEnd": icon_end,
        "style": style,
        "iconSize": icon_size,
        "color": color,
        "variant": variant,
        "size": size,
        "pill": pill,
        "uniform": uniform,
        "block": block,
        "disabled": disabled,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def Input(
    name: str, *, input_type: str | None = None, pill: bool | None = None, default_value: str | None = None,
    required: bool | None = None, pattern: str | None = None, placeholder: str | None = None,
    allow_autofill_extensions: bool | None = None, auto_select: bool | None = None, auto_focus: bool | None = None,
    variant: str | None = None, size: str | None = None, gutter_size: str | None = None,
    disabled: bool | None = None, id: str | None = None, key: str | None = None, fallback: str | None = None,
) -> Node:
    """A text field of one line.

    name: The field's name in the form; a dot nests objects.
    input_type: The type of the input. One of `number`, `email`, `text`, `password`, `tel`, `url`.
    pill: Whether the ends are fully rounded.
    default_value: The initial value.
    required: Whether the field is required.
    pattern: A regular expression that the text must match.
    placeholder: The placeholder of an empty field.
    allow_autofill_extensions: Whether password managers can fill the field.
    auto_select: Whether the text is selected when the field appears.
    auto_focus: Whether the field has the focus when it appears.
    variant: The fill. One of `soft`, `outline`.
    size: The size. One of `3xs`, `2xs`, `xs`, `sm`, `md`, `lg`, `xl`, `2xl`, `3xl`.
    gutter_size: The size of the gutter. One of `2xs`, `xs`, `sm`, `md`, `lg`, `xl`.
    disabled: Whether the field is disabled.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Input", _set({
        "name": name,
        "inputType": input_type,
        "pill": pill,
        "defaultValue": default_value,
        "required": required,
        "pattern": pattern,
        "placeholder": placeholder,
        "allowAutofillExtensions": allow_autofill_extensions,
        "autoSelect": auto_select,
        "autoFocus": auto_focus,
        "variant": variant,
        "size": size,
        "gutterSize": gutter_size,
        "disabled": disabled,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def Textarea(
    name: str, *, rows: int | None = None, auto_resize: bool | None = None, max_rows: int | None = None,
    default_value: str | None = None, required: bool | None = None, pattern: str | None = None,
    placeholder: str | None = None, allow_autofill_extensions: bool | None = None, auto_select: bool | None = None,
    auto_focus: bool | None = None, variant: str | None = None, size: str | None = None,
    gutter_size: str | None = None, disabled: bool | None = None, id: str | None = None, key: str | None = None,
    fallback: str | None = None,
) -> Node:
    """A text field of several lines.

    name: The field's name in the form; a dot nests objects.
    rows: The initial number of lines.
    auto_resize: Whether the field resizes with its text.
    max_rows: The most lines when it resizes.
    default_value: The initial value.
    required: Whether the field is required.
    pattern: A regular expression that the text must match.
    placeholder: The placeholder of an empty field.
    allow_autofill_extensions: Whether password managers can fill the field.
    auto_select: Whether the text is selected when the field appears.
    auto_focus: Whether the field has the focus when it appears.
    variant: The fill. One of `soft`, `outline`.
    size: The size. One of `3xs`, `2xs`, `xs`, `sm`, `md`, `lg`, `xl`, `2xl`, `3xl`.
    gutter_size: The size of the gutter. One of `2xs`, `xs`, `sm`, `md`, `lg`, `xl`.
    disabled: Whether the field is disabled.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Textarea", _set({
        "name": name,
        "rows": rows,
        "autoResize": auto_resize,
        "maxRows": max_rows,
        "defaultValue": default_value,
        "required": required,
        "pattern": pattern,
        "placeholder": placeholder,
        "allowAutofillExtensions": allow_autofill_extensions,
        "autoSelect": auto_select,
        "autoFocus": auto_focus,
        "variant": variant,
        "size": size,
        "gutterSize": gutter_size,
        "disabled": disabled,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def Select(
    name: str, options: Mapping[str, Any] | Iterable[Any], *,
    on_change_action: Mapping[str, Any] | str | None = None, placeholder: str | None = None,
    default_value: str | None = None, variant: str | None = None, size: str | None = None,
    pill: bool | None = None, block: bool | None = None, clearable: bool | None = None,
    searchable: bool | None = None, disabled: bool | None = None, id: str | None = None, key: str | None = None,
    fallback: str | None = None,
) -> Node:
    """A drop-down list.

    name: The field's name in the form; a dot nests objects.
    options: The options.
    on_change_action: The action of a change.
    placeholder: The placeholder while nothing is chosen.
    default_value: The initial value.
    variant: The fill. One of `solid`, `soft`, `outline`, `ghost`.
    size: The size. One of `3xs`, `2xs`, `xs`, `sm`, `md`, `lg`, `xl`, `2xl`, `3xl`.
    pill: Whether the ends are fully rounded.
    block: Whether it takes the full width.
    clearable: Whether the choice can be cleared.
    searchable: Whether the list can be searched; by default if it is long.
    disabled: Whether the field is disabled.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Select", _set({
        "name": name,
        "options": _each(options, "value", "label"),
        "onChangeAction": _one(on_change_action, "type"),
        "placeholder": placeholder,
        "defaultValue": default_value,
        "variant": variant,
        "size": size,
        "pill": pill,
        "block": block,
        "clearable": clearable,
        "searchable": searchable,
        "disabled": disabled,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def RadioGroup(
    name: str, *, options: Mapping[str, Any] | Iterable[Any] | None = None, aria_label: str | None = None,
    on_change_action: Mapping[str, Any] | str | None = None, default_value: str | None = None,
    direction: str | None = None, required: bool | None = None, disabled: bool | None = None,
    id: str | None = None, key: str | None = None, fallback: str | None = None,
) -> Node:
    """A group of radio buttons.

    name: The field's name in the form; a dot nests objects.
    options: The options.
    aria_label: The label for screen readers; the field's name by default.
    on_change_action: The action of a change.
    default_value: The initial value.
    direction: The direction of the layout. One of `row`, `col`.
    required: Whether the field is required.
    disabled: Whether the field is disabled.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("RadioGroup", _set({
        "name": name,
        "options": _each(options, "value", "label"),
        "ariaLabel": aria_label,
        "onChangeAction": _one(on_change_action, "type"),
        "defaultValue": default_value,
        "direction": direction,
        "required": required,
        "disabled": disabled,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def Checkbox(
    name: str, *, label: str | None = None, default_checked: bool | None = None,
    on_change_action: Mapping[str, Any] | str | None = None, required: bool | None = None,
    disabled: bool | None = None, id: str | None = None, key: str | None = None, fallback: str | None = None,
) -> Node:
    """A checkbox.

    name: The field's name in the form; a dot nests objects.
    label: The label.
    default_checked: Whether the box is checked initially.
    on_change_action: The action of a change.
    required: Whether the box must be checked.
    disabled: Whether the field is disabled.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Checkbox", _set({
        "name": name,
        "label": label,
        "defaultChecked": default_checked,
        "onChangeAction": _one(on_change_action, "type"),
        "required": required,
        "disabled": disabled,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def DatePicker(
    name: str, *, on_change_action: Mapping[str, Any] | str | None = None, placeholder: str | None = None,
    default_value: str | None = None, min: str | None = None, max: str | None = None, variant: str | None = None,
    size: str | None = None, side: str | None = None, align: str | None = None, pill: bool | None = None,
    block: bool | None = None, clearable: bool | None = None, disabled: bool | None = None, id: str | None = None,
    key: str | None = None, fallback: str | None = None,
) -> Node:
    """A date picker.

    name: The field's name in the form; a dot nests objects.
    on_change_action: The action of a change.
    placeholder: The placeholder while no date is chosen.
    default_value: The initial date, in ISO 8601.
    min: The earliest date, in ISO 8601.
    max: The latest date, in ISO 8601.
    variant: The fill. One of `solid`, `soft`, `outline`, `ghost`.
    size: The size. One of `3xs`, `2xs`, `xs`, `sm`, `md`, `lg`, `xl`, `2xl`, `3xl`.
    side: The side on which the calendar opens. One of `top`, `bottom`, `left`, `right`.
    align: The alignment of the calendar with its control. One of `start`, `center`, `end`.
    pill: Whether the ends are fully rounded.
    block: Whether it takes the full width.
    clearable: Whether the date can be cleared.
    disabled: Whether the field is disabled.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("DatePicker", _set({
        "name": name,
        "onChangeAction": _one(on_change_action, "type"),
        "placeholder": placeholder,
        "defaultValue": default_value,
        "min": min,
        "max": max,
        "variant": variant,
        "size": size,
        "side": side,
        "align": align,
        "pill": pill,
        "block": block,
        "clearable": clearable,
        "disabled": disabled,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))


def Label(
    value: str, field_name: str, *, size: str | None = None, weight: str | None = None,
    text_align: str | None = None, color: str | Mapping[str, Any] | None = None, id: str | None = None,
    key: str | None = None, fallback: str | None = None,
) -> Node:
    """The label of a field.

    value: The text.
    field_name: The name of the field that the label belongs to.
    size: The size of the text. One of `xs`, `sm`, `md`, `lg`, `xl`.
    weight: The weight of the font. One of `normal`, `medium`, `semibold`, `bold`.
    text_align: The alignment of the text. One of `start`, `center`, `end`.
    color: A token such as `secondary` or `danger`, a primitive, a CSS colour, or one per theme.
    id: Identifies the component in its tree, for updates and answers.
    key: Identifies the component among its siblings when a list changes.
    fallback: The text for surfaces that do not know the component.
    """
    return _node("Label", _set({
        "value": value,
        "fieldName": field_name,
        "size": size,
        "weight": weight,
        "textAlign": text_align,
        "color": color,
        "id": id,
        "key": key,
        "fallback": fallback,
    }))

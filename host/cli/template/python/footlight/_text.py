"""The text of a component tree, for the fallback of a widget: the same lines as a Rust plugin makes."""

from typing import Any

#: The most bytes of text.
_MAX_TEXT = 16 * 1024

#: The greatest depth of a tree.
_MAX_DEPTH = 64


def text_of(tree: Any) -> str:
    """Returns the text of a component tree in reading order, one line per block."""
    return _block(tree, _MAX_DEPTH, _MAX_TEXT) if isinstance(tree, dict) else ""


def _block(node: dict[str, Any], depth: int, room: int) -> str:
    kind = _text(node, "type")
    out = _Lines("\n", room)
    out.add(_text(node.get("status"), "text"))
    if kind == "Button" and _text(node, "label"):
        out.add(f"[{_text(node, 'label')}]")
    elif kind == "Progress":
        out.add(_progress(node))
    elif kind == "Chart":
        _chart(node, out)
    else:
        for name in ("label", "value", "alt"):
            out.add(_text(node, name))
        options = node.get("options")
        if isinstance(options, list):
            out.add(", ".join(_text(option, "label") for option in options))
        else:
            out.add(_text(node, "defaultValue"))
    if depth > 0:
        is_row = kind in ("Row", "Table.Row") or _text(node, "direction") == "row"
        inner, line = _Lines("\n", out.left()), _Lines(" | " if kind == "Table.Row" else " ", out.left())
        children = node.get("children")
        for child in children if isinstance(children, list) else [children]:
            if not isinstance(child, dict):
                continue
            text = _block(child, depth - 1, inner.left())
            is_row = is_row and "\n" not in text
            inner.add(text)
            if is_row:
                line.add(text)
        out.add(line.text if is_row else inner.text)
    for name in ("confirm", "cancel"):
        label = _text(node.get(name), "label")
        if label:
            out.add(f"[{label}]")
    if not out.text:
        out.add(_text(node, "fallback"))
    return out.text


def _progress(node: dict[str, Any]) -> str:
    value = node.get("value")
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return _text(node, "label")
    return f"{_text(node, 'label')} {_scalar(value)}/{_scalar(node.get('max', 100))}"


def _chart(node: dict[str, Any], out: "_Lines") -> None:
    axis = node.get("xAxis")
    axis = axis if isinstance(axis, str) else _text(axis, "dataKey")
    for row in node.get("data") or []:
        line = _Lines(", ", out.left())
        for series in node.get("series") or []:
            key = _text(series, "dataKey")
            if row.get(key) is not None:
                line.add(f"{_text(series, 'label') or key} {_scalar(row[key])}")
        out.add(f"{_scalar(row[axis])}: {line.text}" if axis in row else line.text)


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, (str, int, float)) else ""


def _text(value: Any, name: str) -> str:
    member = value.get(name) if isinstance(value, dict) else None
    return member if isinstance(member, str) else ""


class _Lines:
    """Pieces of text joined by a separator, up to a number of bytes."""

    def __init__(self, separator: str, room: int) -> None:
        self.text, self._separator, self._room = "", separator, room

    def add(self, piece: str) -> None:
        piece, left = piece.strip(), self.left()
        if piece and left:
            cut = piece.encode()[:left].decode(errors="ignore")
            self.text += (self._separator if self.text else "") + cut

    def left(self) -> int:
        return max(0, self._room - len(self.text.encode()))

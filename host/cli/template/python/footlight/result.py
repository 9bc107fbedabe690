"""The kinds of results: one function each. Generated from the vocabulary.

A tool returns `result.table([{"day": "Mon", "rain": 0.4}], summary="1 day")`. It can also return a string, which is
`text`, or any other value, which is `structured`. A list of objects accepts texts and tuples in their place.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Unpack

from . import _derived
from ._derived import Hints, Result, custom, of
from ._shape import each as _each, one as _one, without_none as _set

__all__ = ["Hints", "Result", "custom", "of"]


def text(
    content: str, **hints: Unpack[Hints],
) -> Result:
    """A result of kind `text`.

    content: The text.
    """
    return Result("text", _set({
        "content": content,
    }), hints)


def diff(
    path: str, original: str | None = None, modified: str | None = None, *,
    hunks: Sequence[Mapping[str, Any]] | None = None, is_new: bool | None = None, **hints: Unpack[Hints],
) -> Result:
    """A result of kind `diff`.

    path: The path of the file.
    original: The text before.
    modified: The text after.
    hunks: The hunks, if known; they take precedence over the two texts.
    is_new: Whether the file did not exist before.
    """
    return Result("diff", _set({
        "path": path,
        "original": original,
        "modified": modified,
        "hunks": hunks,
        "isNew": is_new,
    }), hints)


def file_content(
    path: str, content: str, *, encoding: str | None = None, size: int | None = None, **hints: Unpack[Hints],
) -> Result:
    """A result of kind `file_content`.

    path: The path of the file.
    content: The content, in the encoding below.
    encoding: The encoding of `content`: absent for text, or `base64`.
    size: The size of the file in bytes, which can be larger than the content.
    """
    return Result("file_content", _set({
        "path": path,
        "content": content,
        "encoding": encoding,
        "size": size,
    }), hints)


def file_list(
    entries: Mapping[str, Any] | Iterable[Any], *, path: str | None = None, truncated: bool | None = None,
    **hints: Unpack[Hints],
) -> Result:
    """A result of kind `file_list`.

    entries: The entries.
    path: The path of the folder; empty in lists of an older format.
    truncated: Whether entries are missing from the list.
    """
    return Result("file_list", _set({
        "entries": _each(entries, "name", "type"),
        "path": path,
        "truncated": truncated,
    }), hints)


def table(
    rows: Sequence[Mapping[str, Any]], *, columns: Mapping[str, Any] | Iterable[Any] | None = None,
    **hints: Unpack[Hints],
) -> Result:
    """A result of kind `table`.

    rows: The rows: objects with the keys of the columns. A missing member is an empty cell.
    columns: The columns, from left to right.
    """
    return Result("table", _set({
        "rows": rows,
        "columns": _each(_derived.table_columns(rows) if columns is None else columns, "key"),
    }), hints)


def image(
    *, alt: str | None = None, base64: str | None = None, url: str | None = None, **hints: Unpack[Hints],
) -> Result:
    """A result of kind `image`. The result's `mimeType` is the media type of the picture.

    alt: The alternative text.
    base64: The bytes, in Base64.
    url: The URL.
    """
    return Result("image", _set({
        "alt": alt,
        "base64": base64,
        "url": url,
    }), hints)


def structured(
    value: Any, **hints: Unpack[Hints],
) -> Result:
    """A result of kind `structured`: the value itself.

    value: The value.
    """
    return Result("structured", value, hints)


def markdown(
    content: str, **hints: Unpack[Hints],
) -> Result:
    """A result of kind `markdown`.

    content: The text, in CommonMark.
    """
    return Result("markdown", _set({
        "content": content,
    }), hints)


def code(
    content: str, *, language: str | None = None, path: str | None = None, **hints: Unpack[Hints],
) -> Result:
    """A result of kind `code`.

    content: The code.
    language: The language, such as `rust`.
    path: The path of its file.
    """
    return Result("code", _set({
        "content": content,
        "language": language,
        "path": path,
    }), hints)


def chart(
    type: str, rows: Sequence[Mapping[str, Any]], *, series: Mapping[str, Any] | Iterable[Any] | None = None,
    title: str | None = None, x: Mapping[str, Any] | str | None = None, **hints: Unpack[Hints],
) -> Result:
    """A result of kind `chart`.

    type: The type of the chart. One of `bar`, `line`, `area`, `scatter`, `pie`.
    rows: The points, one object each.
    series: The members of the rows that are drawn.
    title: The title.
    x: The horizontal axis.
    """
    return Result("chart", _set({
        "type": type,
        "rows": rows,
        "series": _each(_derived.chart_series(rows) if series is None else series, "key"),
        "title": title,
        "x": _one(_derived.chart_x(rows) if x is None else x, "key"),
    }), hints)


def facts(
    facts: Mapping[str, Any] | Iterable[Any], **hints: Unpack[Hints],
) -> Result:
    """A result of kind `facts`.

    facts: The facts, in order.
    """
    return Result("facts", _set({
        "facts": _each(facts, "label", "value"),
    }), hints)


def list(
    items: Mapping[str, Any] | Iterable[Any], *, ordered: bool | None = None, **hints: Unpack[Hints],
) -> Result:
    """A result of kind `list`.

    items: The items, in order.
    ordered: Whether the items are numbered.
    """
    return Result("list", _set({
        "items": _each(items, "text"),
        "ordered": ordered,
    }), hints)


def log(
    lines: Mapping[str, Any] | Iterable[Any], **hints: Unpack[Hints],
) -> Result:
    """A result of kind `log`.

    lines: The lines, oldest first.
    """
    return Result("log", _set({
        "lines": _each(lines, "text"),
    }), hints)


def link(
    url: str, *, description: str | None = None, title: str | None = None, **hints: Unpack[Hints],
) -> Result:
    """A result of kind `link`.

    url: The URL.
    description: A description of the target.
    title: The text of the link.
    """
    return Result("link", _set({
        "url": url,
        "description": description,
        "title": title,
    }), hints)

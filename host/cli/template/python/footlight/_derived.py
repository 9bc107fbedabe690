"""Results of tools, and what follows from their rows."""

from dataclasses import dataclass, field
from typing import Any, TypedDict

from ._json import write


class Hints(TypedDict, total=False):
    """What every result can say of itself."""

    #: A summary in one line.
    summary: str
    #: The key by which a host finds a translation of the summary.
    summary_key: str
    #: The media type of the data.
    mime_type: str
    #: What the model reads in place of the data.
    model: Any
    #: How to draw the result: `preferredView`, `language`, `collapsed`, `maxHeight`, `priority`, `fieldTypes`.
    display: dict[str, Any]


_NAMES = {"summary_key": "summaryKey", "mime_type": "mimeType", "display": "display", "model": "model"}


@dataclass(frozen=True)
class Result:
    """A result: its kind, its data and hints."""

    kind: str
    data: Any
    hints: Hints = field(default_factory=lambda: Hints())

    def parts(self) -> tuple[str, str, str | None, str | None]:
        """Returns the kind, the data, the summary and the rest as the contract transfers them."""
        unknown = set(self.hints) - set(_NAMES) - {"summary"}
        if unknown:
            raise TypeError(f"a result has no hint `{sorted(unknown)[0]}`")
        more = {_NAMES[name]: value for name, value in self.hints.items() if name != "summary" and value is not None}
        return self.kind, write(self.data), self.hints.get("summary"), write(more) if more else None


def custom(kind: str, data: Any, **hints: Any) -> Result:
    """A result of a kind of your own, such as `acme.timeline`."""
    return Result(kind, data, Hints(**hints))


def of(returned: Any) -> Result:
    """Returns what a tool returned as a result."""
    if isinstance(returned, Result):
        return returned
    return Result("text", {"content": returned}) if isinstance(returned, str) else Result("structured", returned)


def table_columns(rows: Any) -> list[str]:
    """Returns the keys of the rows in the order in which they appear."""
    return list(dict.fromkeys(key for row in rows for key in row))


def chart_x(rows: Any) -> str:
    """Returns the first key of the first row."""
    return next(iter(rows[0])) if rows else ""


def chart_series(rows: Any) -> list[str]:
    """Returns the other keys of the rows whose values are numbers."""
    numbers = {key: None for row in rows for key, value in row.items() if isinstance(value, (int, float))}
    return [key for key in numbers if key != chart_x(rows)]

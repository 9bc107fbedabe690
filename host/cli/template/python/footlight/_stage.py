"""The stage of a running tool, and the failures that a tool reports."""

import json
from dataclasses import dataclass
from typing import Any, Callable, ClassVar, Literal, Sequence
from urllib.parse import quote

from . import field
from ._json import write
from ._text import text_of

#: The most bytes that the host accepts in one write of an output.
_CHUNK = 1 << 20

#: How often `Bucket.update` retries after a concurrent change.
_ATTEMPTS = 32

#: The most characters of a fallback that is derived from the data.
_MAX_DERIVED = 200

FailureCode = Literal["invalid-input", "denied", "unavailable", "cancelled", "other"]


class Failure(Exception):
    """Why a call failed, written for the model: raise it in a tool.

    code: `invalid-input`: another input may work; `unavailable`: try later; `denied`: give up; `cancelled`; `other`.
    message: One sentence that the model can act on, without secrets.
    details: Anything that `json` can write, such as the invalid fields.
    """

    def __init__(self, code: FailureCode, message: str, details: Any = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message, self.details = code, message, details

    @classmethod
    def of(cls, error: Exception) -> "Failure":
        """Returns an error as a failure."""
        if isinstance(error, Failure):
            return error
        if isinstance(error, StageError):
            return cls(error.code, error.message)
        return cls("other", str(error) or type(error).__name__)

    def details_text(self) -> str | None:
        """Returns the details as JSON text."""
        return None if self.details is None else write(self.details)


def invalid(message: str) -> Failure:
    """Returns a failure that asks the model for another input: `raise invalid("no such city")`."""
    return Failure("invalid-input", message)


def unavailable(message: str) -> Failure:
    """Returns a failure that asks the model to try later."""
    return Failure("unavailable", message)


def denied(message: str) -> Failure:
    """Returns a failure that asks the model to give up."""
    return Failure("denied", message)


class StageError(Exception):
    """Why the host did not do what the stage asked for. A tool that does not catch it fails with its code.

    case: The case as the contract names it, such as `skipped`.
    value: What the case holds, such as the reason.
    """

    #: The code and the message of each case.
    CASES: ClassVar[dict[str, tuple[FailureCode, str]]] = {}

    def __init__(self, case: str, value: Any = None) -> None:
        self.case, self.value = case, value
        code, message = self.CASES.get(case, ("other", "{}"))
        self.code: FailureCode = code
        self.message = message.format("" if value is None else value)
        super().__init__(self.message)


class DisplayError(StageError):
    """Why a widget was not shown or changed: `too-large`, `too-many`, `gone` or `other`."""

    CASES = {
        "too-large": ("other", "the widget is larger than {} bytes"),
        "too-many": ("other", "more than {} widgets in one call"),
        "gone": ("other", "the widget is no longer shown"),
    }


class AskError(StageError):
    """Why a question has no answer: `nobody`, `skipped`, `expired`, `cancelled`, `invalid` or `other`."""

    CASES = {
        "nobody": ("unavailable", "nobody can be asked: {}"),
        "skipped": ("denied", "the person chose not to answer"),
        "expired": ("unavailable", "nobody answered in time"),
        "cancelled": ("cancelled", "the call was cancelled"),
        "invalid": ("other", "the question is malformed: {}"),
    }


class ApprovalError(StageError):
    """Why approval was not given: `denied`, `nobody`, `undeclared`, `expired`, `cancelled` or `other`."""

    CASES = {
        "denied": ("denied", "the person said no{}"),
        "nobody": ("denied", "nobody can be asked for approval: {}"),
        "undeclared": ("denied", "plugin.toml lists no such approval"),
        "expired": ("denied", "nobody decided in time"),
        "cancelled": ("cancelled", "the call was cancelled"),
    }

    def __init__(self, case: str, value: Any = None) -> None:
        super().__init__(case, f": {value}" if case == "denied" and value else value)
        self.value = value


class OutputError(StageError):
    """Why content was not stored or read: `too-large`, `full`, `expired` or `other`."""

    CASES = {
        "too-large": ("other", "more than {} bytes at once"),
        "full": ("other", "the quota for stored outputs is exhausted"),
        "expired": ("other", "there is no such output, or it has expired"),
    }


class StateError(StageError):
    """Why a value was not read or written: `too-large`, `full` or `other`."""

    CASES = {
        "too-large": ("other", "the value is larger than {} bytes"),
        "full": ("other", "the plugin's state is full"),
    }


class HttpError(StageError):
    """Why there is no response: `denied`, `unreachable`, `timed-out`, `too-large`, `cancelled`, `unknown-outcome`
    or `other`."""

    CASES = {
        "denied": ("denied", "{}"),
        "unreachable": ("unavailable", "no connection: {}"),
        "timed-out": ("unavailable", "the connection timed out"),
        "too-large": ("other", "the exchange is larger than {} bytes"),
        "cancelled": ("cancelled", "the call was cancelled"),
        "unknown-outcome": ("other", "the request was sent, but its outcome is unknown"),
    }


@dataclass
class Widget:
    """A widget: typed data, and how to draw it where nobody knows the type.

    name: The type of the widget.
    data: Anything that `json` can write, at most 256 KiB.
    view: A `Card`, `ListView` or `Basic` of `footlight.ui`, at most 50,000 bytes.
    fallback: Plain text for other surfaces; the text of the view by default.
    """

    name: str
    data: Any = None
    view: dict[str, Any] | None = None
    fallback: str | None = None

    @classmethod
    def of(cls, shown: "Widget | dict[str, Any]") -> "Widget":
        """Returns a widget; a component tree alone has the type `view`."""
        return shown if isinstance(shown, Widget) else cls("view", None, shown)

    def parts(self) -> tuple[str, str, str, str | None]:
        """Returns the type, the data, the fallback and the view as the contract transfers them."""
        data = write(self.data)
        fallback = self.fallback
        if fallback is None:
            fallback = text_of(self.view) or (self.name if self.data is None else data[:_MAX_DERIVED])
            if fallback == data[:_MAX_DERIVED] != data:
                fallback += "…"
        return self.name, data, fallback, None if self.view is None else write(self.view)


class Shown:
    """A widget that is on the screen."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    @property
    def id(self) -> str:
        """The id of the widget's item."""
        return self._handle.id()

    def update(self, widget: Widget | dict[str, Any]) -> None:
        """Replaces the widget in place."""
        self._handle.update(*Widget.of(widget).parts())

    def append_text(self, node: str, text: str) -> None:
        """Appends text to the `Text` or `Markdown` component of the view whose id is `node`."""
        self._handle.append_text(node, text)

    def remove(self) -> None:
        """Removes the widget from the screen and from the record."""
        self._handle.remove()


class OutputWriter:
    """An output being written. Nothing is stored until `finish`."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    def write(self, content: str | bytes) -> None:
        """Appends content of any length."""
        data = content.encode() if isinstance(content, str) else content
        for start in range(0, len(data), _CHUNK):
            self._handle.write(data[start:start + _CHUNK])

    def finish(self) -> str:
        """Stores and shows the output, and returns its id."""
        return self._handle.finish()


class Bucket:
    """Keys and values that only this plugin can read. A write is durable at once."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    def get(self, key: str, default: Any = None) -> Any:
        """Returns the value of a key, or `default`."""
        text = self._handle.get(key)
        return default if text is None else json.loads(text)

    def set(self, key: str, value: Any) -> None:
        """Writes a value."""
        self._handle.set(key, write(value))

    def remove(self, key: str) -> None:
        """Deletes the value of a key."""
        self._handle.set(key, None)

    def keys(self, prefix: str = "") -> list[str]:
        """Returns the keys that start with `prefix`, in byte order."""
        return self._handle.keys(prefix)

    def update(self, key: str, change: Callable[[Any], Any], default: Any = None) -> Any:
        """Changes a value atomically: writes what `change` returns for the old value, and returns it.

        If another call changes the key at the same time, `change` runs again, so it should have no side effects.
        """
        for _ in range(_ATTEMPTS):
            old = self._handle.get(key)
            new = change(default if old is None else json.loads(old))
            if self._handle.swap(key, old, write(new)):
                return new
        raise StateError("other", f"`{key}` is being changed by other calls; try again")


@dataclass
class Response:
    """A complete HTTP response. An error status such as 404 is a response, not an error."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def ok(self) -> "Response":
        """Returns the response, or raises a failure if its status is not 2xx."""
        if not 200 <= self.status <= 299:
            raise unavailable(f"the server answered with status {self.status}")
        return self

    def header(self, name: str) -> str | None:
        """Returns the first header of this name."""
        return next((value for known, value in self.headers if known == name.lower()), None)

    def text(self) -> str:
        """Returns the body as text."""
        return self.body.decode(errors="replace")

    def json(self) -> Any:
        """Returns the body read as JSON."""
        try:
            return json.loads(self.body)
        except ValueError as error:
            raise unavailable(f"the response is not JSON: {error}") from error


class Stage:
    """Everything that a running tool can do beyond computing. A tool takes it as its first parameter, `stage`."""

    def __init__(self, backend: Any) -> None:
        self._backend = backend

    def show(self, widget: Widget | dict[str, Any]) -> Shown:
        """Shows a widget, or a bare `Card`, `ListView` or `Basic`. The model never sees it."""
        return Shown(self._backend.show(*Widget.of(widget).parts()))

    def ask(self, prompt: str, *fields: dict[str, Any]) -> dict[str, Any]:
        """Asks a question and returns the answers by the names of the fields of `footlight.field`."""
        return json.loads(self._backend.ask(prompt, write(list(fields))))

    def confirm(self, prompt: str) -> bool:
        """Asks a yes-or-no question."""
        return self.ask(prompt, field.confirm("answer")).get("answer") == "Yes"

    def choose(self, prompt: str, options: Sequence[str]) -> str:
        """Lets the person choose one of several texts."""
        return self.ask(prompt, field.select("choice", options=list(options)))["choice"]

    def approve(self, action: str, subject: str = "", reason: str = "", details: Any = None) -> None:
        """Requests approval for one operation that `plugin.toml` lists under `[[approval]]`, and waits.

        action: The action in `plugin.toml`.
        subject: What it applies to. A remembered approval covers exactly this text.
        reason: Shown as the plugin's own words.
        details: Anything that `json` can write.
        """
        self._backend.request(action, subject, reason, None if details is None else write(details))

    def output(self, title: str, content: str | bytes, **metadata: Any) -> str:
        """Stores content for the person that the model does not see, and returns its id. See `begin_output`."""
        writer = self.begin_output(title, **metadata)
        writer.write(content)
        return writer.finish()

    def begin_output(
        self, title: str, kind: str = "text", mime_type: str = "text/plain; charset=utf-8", meta: Any = None
    ) -> OutputWriter:
        """Begins an output that is written in pieces."""
        return OutputWriter(self._backend.create(title, kind, mime_type, None if meta is None else write(meta)))

    def read_output(self, id: str, offset: int = 0, length: int = 1 << 20) -> bytes:
        """Reads bytes of an output of this session, or of an attachment."""
        return self._backend.read(id, offset, length)

    def state(self, scope: Literal["session", "person"]) -> Bucket:
        """Returns the plugin's state, of this session or of this person."""
        return Bucket(self._backend.bucket(scope))

    def http(
        self, method: str, url: str, *, query: dict[str, str] | None = None, headers: dict[str, str] | None = None,
        body: bytes = b"", json: Any = None,
    ) -> Response:
        """Sends one request to a host that `plugin.toml` lists and the person granted.

        query: Parameters, which are encoded and added to the URL.
        json: A body that is written as JSON.
        """
        pairs = list((headers or {}).items())
        if json is not None:
            body = write(json).encode()
            pairs.append(("content-type", "application/json"))
        for name, value in (query or {}).items():
            url += f"{'&' if '?' in url else '?'}{quote(name, safe='')}={quote(value, safe='')}"
        return Response(*self._backend.fetch(method, url, pairs, body))

    def progress(self, message: str, done: int | None = None, total: int | None = None) -> None:
        """Reports the current activity, and how much of it is done."""
        self._backend.report(message, done, total)

    def log(self, level: Literal["trace", "debug", "info", "warn", "error"], message: str) -> None:
        """Writes to the log for the plugin's author."""
        self._backend.log(level, message)

    def settings(self) -> dict[str, Any]:
        """Returns the person's settings for this plugin."""
        return json.loads(self._backend.settings())

    @property
    def call_id(self) -> str:
        """The id of this call, which stays the same when the call is retried."""
        return self._backend.identity("call_id")

    @property
    def session(self) -> str:
        """An opaque id that distinguishes sessions."""
        return self._backend.identity("session")

    @property
    def person(self) -> str:
        """An opaque id that distinguishes people."""
        return self._backend.identity("person")

    @property
    def locale(self) -> str:
        """The person's language, such as `nb-NO`."""
        return self._backend.identity("locale")

    @property
    def timezone(self) -> str:
        """The person's time zone, such as `Europe/Oslo`."""
        return self._backend.identity("timezone")

    @property
    def is_cancelled(self) -> bool:
        """Whether the person has cancelled the call."""
        return self._backend.is_cancelled()

    def ensure_not_cancelled(self) -> None:
        """Raises a failure if the person has cancelled the call. A long tool calls it between steps."""
        if self.is_cancelled:
            raise Failure("cancelled", "the call was cancelled")

"""The host, as `componentize-py` binds it. In a native test this module cannot be imported."""

from typing import Any, Callable

from componentize_py_types import Err
from wit_world.exports.tools import Concern, Description, Outcome, Tool
from wit_world.imports import approval, ask, config, display_widget, http, log, output, progress, state
from wit_world.imports.types import Failure

from . import _stage


def description(tools: list[tuple[str, str, str, str]], more: str) -> Description:
    """Returns the contract's description."""
    return Description([Tool(*tool) for tool in tools], more)


def concern(subject: str, reason: str) -> Concern:
    """Returns the contract's concern."""
    return Concern(subject, reason)


def outcome(kind: str, data: str, summary: str | None, more: str | None) -> Outcome:
    """Returns the contract's outcome."""
    return Outcome(kind, data, summary, more)


def failure(code: str, message: str, details: str | None) -> Err:
    """Returns the contract's failure, to raise."""
    return Err(Failure(code, message, details))


def _calling(kind: type[_stage.StageError], call: Callable[..., Any], *arguments: Any) -> Any:
    """Calls the host and raises its error as one of the stage's."""
    try:
        return call(*arguments)
    except Err as error:
        # A case is a class such as `AskError_TimedOut`.
        name = type(error.value).__name__.split("_", 1)[-1]
        case = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")
        raise kind(case, getattr(error.value, "value", None)) from None


class _Shown:
    def __init__(self, shown: display_widget.Shown) -> None:
        self._shown = shown

    def id(self) -> str:
        return self._shown.id()

    def update(self, *parts: Any) -> None:
        _calling(_stage.DisplayError, self._shown.update, display_widget.Widget(*parts))

    def append_text(self, node: str, text: str) -> None:
        _calling(_stage.DisplayError, self._shown.append_text, node, text)

    def remove(self) -> None:
        _calling(_stage.DisplayError, self._shown.remove)


class _Writer:
    def __init__(self, writer: output.Writer) -> None:
        self._writer = writer

    def write(self, data: bytes) -> None:
        _calling(_stage.OutputError, self._writer.write, data)

    def finish(self) -> str:
        return _calling(_stage.OutputError, output.Writer.finish, self._writer)


class _Bucket:
    def __init__(self, bucket: state.Bucket) -> None:
        self._bucket = bucket

    def get(self, key: str) -> str | None:
        return _calling(_stage.StateError, self._bucket.get, key)

    def set(self, key: str, value: str | None) -> None:
        _calling(_stage.StateError, self._bucket.set, key, value)

    def swap(self, key: str, expected: str | None, value: str | None) -> bool:
        return _calling(_stage.StateError, self._bucket.swap, key, expected, value)

    def keys(self, prefix: str) -> list[str]:
        return _calling(_stage.StateError, self._bucket.keys, prefix)


class Backend:
    """The stage of a call that runs in a host."""

    def __init__(self, stage: Any) -> None:
        self._stage = stage

    def show(self, *parts: Any) -> _Shown:
        return _Shown(_calling(_stage.DisplayError, display_widget.show, self._stage, display_widget.Widget(*parts)))

    def ask(self, prompt: str, fields: str) -> str:
        return _calling(_stage.AskError, ask.ask, self._stage, prompt, fields)

    def request(self, action: str, subject: str, reason: str, details: str | None) -> None:
        _calling(_stage.ApprovalError, approval.request, self._stage, action, subject, reason, details)

    def create(self, title: str, kind: str, mime_type: str, meta: str | None) -> _Writer:
        return _Writer(_calling(_stage.OutputError, output.create, self._stage, title, kind, mime_type, meta))

    def read(self, id: str, offset: int, length: int) -> bytes:
        return _calling(_stage.OutputError, output.read, self._stage, id, offset, length)

    def bucket(self, scope: str) -> _Bucket:
        return _Bucket((state.session if scope == "session" else state.person)(self._stage))

    def fetch(self, method: str, url: str, headers: list[tuple[str, str]], body: bytes) -> tuple[Any, ...]:
        request = http.Request(method, url, headers, body)
        response = _calling(_stage.HttpError, http.fetch, self._stage, request)
        return response.status, response.headers, response.body

    def report(self, message: str, done: int | None, total: int | None) -> None:
        progress.report(self._stage, message, done, total)

    def log(self, level: str, message: str) -> None:
        log.write(log.Level[level.upper()], message)

    def settings(self) -> str:
        return config.settings()

    def identity(self, name: str) -> str:
        return getattr(self._stage, name)()

    def is_cancelled(self) -> bool:
        return self._stage.is_cancelled()

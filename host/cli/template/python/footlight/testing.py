"""A stage with a script, for tests without a host.

Tools are ordinary functions, so a test calls them. It scripts the replies to questions, approvals and requests first,
and looks at what the tool showed, stored and logged afterwards::

    def test_greeting_asks_for_the_name(self):
        with testing.stage().answers("Who are you?", {"name": "Ada"}) as stage:
            self.assertEqual(plugin.greet(stage), "Hello, Ada!")

A reply that is not used fails the test at the end of the `with`, and so does a question without one. An approval that
`plugin.toml` does not list, and a host that it does not list, fail as they do in a host.
"""

import json
import pathlib
import tomllib
from typing import Any
from urllib.parse import urlsplit

from . import ApprovalError, AskError, HttpError, OutputError, Stage, StateError
from ._stage import DisplayError
from .result import Result

#: The most widgets of one call, and the most bytes of a widget's data and of its view.
_MAX_WIDGETS, _MAX_DATA, _MAX_VIEW = 100, 256 * 1024, 50_000


class TestStage(Stage):
    """A stage with a script. The methods that script return the stage, so that they can be chained."""

    __test__ = False  # Not a test, although pytest would take it for one.

    def __init__(self, manifest: dict[str, Any]) -> None:
        self._manifest = manifest
        self._replies: list[tuple[str, str, Any]] = []
        self._settings: dict[str, Any] = {}
        self._state: dict[tuple[str, str], str] = {}
        #: The widgets that are shown: `name`, `data`, `fallback` and `view`.
        self.shown: list[dict[str, Any]] = []
        #: The questions: pairs of the prompt and the fields.
        self.asked: list[tuple[str, list[dict[str, Any]]]] = []
        #: The approvals that were requested.
        self.requested: list[dict[str, Any]] = []
        #: The outputs that were stored, by their ids.
        self.outputs: dict[str, dict[str, Any]] = {}
        #: The messages of the log: pairs of the level and the text.
        self.logs: list[tuple[str, str]] = []
        #: The reports of progress.
        self.reports: list[str] = []
        #: Whether the call is cancelled.
        self.cancelled = False
        super().__init__(_Backend(self))

    def answers(self, prompt: str, answer: dict[str, Any]) -> "TestStage":
        """Scripts the answers to the question with this prompt, by the names of its fields."""
        return self._script("question", prompt, answer)

    def skips(self, prompt: str) -> "TestStage":
        """Scripts that the person skips the question with this prompt."""
        return self._script("question", prompt, AskError("skipped"))

    def approves(self, action: str) -> "TestStage":
        """Scripts that the person approves this action once."""
        return self._script("approval", action, None)

    def denies(self, action: str, comment: str | None = None) -> "TestStage":
        """Scripts that the person denies this action once."""
        return self._script("approval", action, ApprovalError("denied", comment))

    def responds(self, method: str, url: str, status: int = 200, body: str | bytes = b"") -> "TestStage":
        """Scripts the response to one request."""
        data = body.encode() if isinstance(body, str) else body
        return self._script("request", f"{method} {url}", (status, [], data))

    def fails(self, method: str, url: str, error: HttpError) -> "TestStage":
        """Scripts that one request fails."""
        return self._script("request", f"{method} {url}", error)

    def with_settings(self, settings: dict[str, Any]) -> "TestStage":
        """Sets the person's settings."""
        self._settings = settings
        return self

    def with_state(self, scope: str, key: str, value: Any) -> "TestStage":
        """Sets a value of the plugin's state."""
        self._state[scope, key] = json.dumps(value)
        return self

    def state_value(self, scope: str, key: str) -> Any:
        """Returns a value of the plugin's state."""
        text = self._state.get((scope, key))
        return None if text is None else json.loads(text)

    def finish(self) -> None:
        """Fails if a reply was not used."""
        unused = [f"the {what} {name!r}" for what, name, _ in self._replies]
        assert not unused, f"some replies were not used: {', '.join(unused)}"

    def __enter__(self) -> "TestStage":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is None:
            self.finish()

    def _script(self, what: str, name: str, reply: Any) -> "TestStage":
        self._replies.append((what, name, reply))
        return self

    def _reply(self, what: str, name: str) -> Any:
        for index, (known, given, reply) in enumerate(self._replies):
            if (known, given) == (what, name):
                del self._replies[index]
                if isinstance(reply, Exception):
                    raise reply
                return reply
        raise AssertionError(f"the script has no reply to the {what} {name!r}")


def stage(manifest: str | pathlib.Path = "plugin.toml") -> TestStage:
    """Returns a stage with an empty script, which knows what the manifest beside the plugin lists."""
    path = pathlib.Path(__file__).parent.parent / manifest
    return TestStage(tomllib.loads(path.read_text()) if path.exists() else {})


def run(tools: type, stage: Stage, tool: str, **arguments: Any) -> Result:
    """Runs a tool as a host does, by name: `run(plugin.Tools, stage, "greet", name="Ada")`."""
    return tools().run(stage, tool, json.dumps(arguments))


class _Backend:
    """What a host does, as far as a test can observe it."""

    def __init__(self, stage: TestStage) -> None:
        self._stage = stage

    def show(self, name: str, data: str, fallback: str, view: str | None) -> "_Shown":
        if self._stage.cancelled:
            raise DisplayError("gone")
        if len(self._stage.shown) == _MAX_WIDGETS:
            raise DisplayError("too-many", _MAX_WIDGETS)
        widget = _widget(name, data, fallback, view)
        self._stage.shown.append(widget)
        return _Shown(self._stage, widget)

    def ask(self, prompt: str, fields: str) -> str:
        if self._stage.cancelled:
            raise AskError("cancelled")
        read = json.loads(fields)
        names = [field.get("name") for field in read]
        if not prompt or len(set(names)) < len(names):
            raise AskError("invalid", "it needs a prompt, and fields with different names")
        self._stage.asked.append((prompt, read))
        answer = self._stage._reply("question", prompt)
        for field in read:
            if field.get("required") is not False and field["name"] not in answer:
                raise AssertionError(f"the scripted answer to {prompt!r} has no `{field['name']}`")
        return json.dumps(answer)

    def request(self, action: str, subject: str, reason: str, details: str | None) -> None:
        if self._stage.cancelled:
            raise ApprovalError("cancelled")
        listed = [approval.get("action") for approval in self._stage._manifest.get("approval", [])]
        assert action in listed, f'plugin.toml does not list the approval: add\n[[approval]]\naction = "{action}"'
        read = None if details is None else json.loads(details)
        self._stage.requested.append({"action": action, "subject": subject, "reason": reason, "details": read})
        self._stage._reply("approval", action)

    def create(self, title: str, kind: str, mime_type: str, meta: str | None) -> "_Writer":
        return _Writer(self._stage, {"title": title, "kind": kind, "mime_type": mime_type})

    def read(self, id: str, offset: int, length: int) -> bytes:
        if id not in self._stage.outputs:
            raise OutputError("expired")
        return self._stage.outputs[id]["content"][offset:offset + length]

    def bucket(self, scope: str) -> "_Bucket":
        return _Bucket(self._stage, scope)

    def fetch(self, method: str, url: str, headers: Any, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        if self._stage.cancelled:
            raise HttpError("cancelled")
        host = urlsplit(url).hostname or ""
        listed = [net.get("host", "") for net in self._stage._manifest.get("net", [])]
        matches = [host == name or (name.startswith("*.") and host.endswith(name[1:])) for name in listed]
        assert any(matches), f'plugin.toml does not list the host: add\n[[net]]\nhost = "{host}"'
        return self._stage._reply("request", f"{method} {url}")

    def report(self, message: str, done: int | None, total: int | None) -> None:
        self._stage.reports.append(message if done is None else f"{message} ({done} of {total})")

    def log(self, level: str, message: str) -> None:
        self._stage.logs.append((level, message))

    def settings(self) -> str:
        return json.dumps(self._stage._settings)

    def identity(self, name: str) -> str:
        return {"locale": "en-GB", "timezone": "Etc/UTC"}.get(name, f"{name}_test")

    def is_cancelled(self) -> bool:
        return self._stage.cancelled


def _widget(name: str, data: str, fallback: str, view: str | None) -> dict[str, Any]:
    for text, most in ((data, _MAX_DATA), (view or "", _MAX_VIEW)):
        if len(text.encode()) > most:
            raise DisplayError("too-large", most)
    return {"name": name, "data": json.loads(data), "fallback": fallback, "view": view and json.loads(view)}


class _Shown:
    def __init__(self, stage: TestStage, widget: dict[str, Any]) -> None:
        self._stage, self._widget = stage, widget

    def id(self) -> str:
        return "widget_test"

    def update(self, *parts: Any) -> None:
        self._ensure_shown()
        self._widget.update(_widget(*parts))

    def append_text(self, node: str, text: str) -> None:
        self._ensure_shown()
        found = _find(self._widget["view"], node)
        if found is None:
            raise DisplayError("other", f"the view has no text with the id `{node}`")
        found["value"] += text

    def remove(self) -> None:
        self._ensure_shown()
        self._stage.shown.remove(self._widget)

    def _ensure_shown(self) -> None:
        if self._stage.cancelled or not any(shown is self._widget for shown in self._stage.shown):
            raise DisplayError("gone")


def _find(tree: Any, id: str) -> dict[str, Any] | None:
    if not isinstance(tree, dict):
        return None
    if tree.get("id") == id and isinstance(tree.get("value"), str):
        return tree
    children = tree.get("children") or []
    found = (_find(child, id) for child in (children if isinstance(children, list) else [children]))
    return next((node for node in found if node), None)


class _Writer:
    def __init__(self, stage: TestStage, output: dict[str, Any]) -> None:
        self._stage, self._output, self._content = stage, output, b""

    def write(self, data: bytes) -> None:
        self._content += data

    def finish(self) -> str:
        id = f"out_{len(self._stage.outputs)}"
        self._stage.outputs[id] = self._output | {"content": self._content}
        return id


class _Bucket:
    def __init__(self, stage: TestStage, scope: str) -> None:
        self._stage, self._scope = stage, scope

    def get(self, key: str) -> str | None:
        return self._stage._state.get((self._scope, key))

    def set(self, key: str, value: str | None) -> None:
        if self._stage.cancelled:
            raise StateError("other", "the call was cancelled")
        if value is None:
            self._stage._state.pop((self._scope, key), None)
        else:
            self._stage._state[self._scope, key] = value

    def swap(self, key: str, expected: str | None, value: str | None) -> bool:
        held = self.get(key)
        is_same = held == expected or (held and expected and json.loads(held) == json.loads(expected))
        if is_same:
            self.set(key, value)
        return bool(is_same)

    def keys(self, prefix: str) -> list[str]:
        return sorted(key for scope, key in self._stage._state if scope == self._scope and key.startswith(prefix))

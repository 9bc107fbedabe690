"""Footlight plugins in Python.

A plugin is a module `plugin.py` with tools and one line that lists them::

    from typing import Annotated
    import footlight

    @footlight.tool(read_only=True, examples=["Say hello to Ada"])
    def greet(name: Annotated[str, "Who is greeted."]) -> str:
        \"\"\"Greets somebody by name.\"\"\"
        return f"Hello, {name}!"

    Tools = footlight.plugin(greet)

The docstring tells the model when to call the tool; the type hints become the schema of its input. A tool returns
a string, a value that `json` can write, or a result of `footlight.result`. A tool whose first parameter is `stage`
can show widgets, ask the person, request approval, store outputs and state, and send HTTP requests: see `Stage`.

`footlight.ui` has the components of widgets, `footlight.result` the kinds of results, and `footlight.testing` a
stage with a script, for tests that need no host. `ui.py`, `result.py` and `footlight.wit` are generated from the
vocabulary; the other files are the same in every plugin.
"""

import inspect
import json
import sys
import traceback
import typing
from dataclasses import dataclass
from typing import Annotated, Any, Callable, Literal

from . import field, result, ui
from ._json import write
from ._stage import (
    ApprovalError, AskError, Bucket, DisplayError, Failure, HttpError, OutputError, OutputWriter, Response, Shown,
    Stage, StageError, StateError, Widget, denied, invalid, unavailable,
)
from ._text import text_of
from .result import Result

try:  # In a component; in a native test there is no host.
    from . import _host
except ImportError:
    _host = None

__all__ = [
    "ApprovalError", "Arg", "AskError", "Bucket", "Concern", "DisplayError", "Failure", "HttpError", "OutputError",
    "OutputWriter", "Response", "Result", "Shown", "Stage", "StageError", "StateError", "Widget",
    "denied", "field", "invalid", "plugin", "result", "text_of", "tool", "ui", "unavailable",
]


@dataclass(frozen=True)
class Arg:
    """More about an argument: `days: Annotated[int, "How many days.", Arg(min=1, max=14)]`."""

    #: The least number.
    min: float | None = None
    #: The greatest number.
    max: float | None = None
    #: The fewest characters or items.
    min_length: int | None = None
    #: The most characters or items.
    max_length: int | None = None
    #: A format that JSON Schema defines, such as `date`.
    format: str | None = None


@dataclass(frozen=True)
class Concern:
    """Why a person should decide whether a call may run: what an `assess` function returns."""

    #: What the decision is about. A remembered approval covers exactly this text.
    subject: str
    #: The reason, shown as the plugin's own words.
    reason: str


@dataclass(frozen=True)
class _Tool:
    function: Callable[..., Any]
    name: str
    description: str
    schema: dict[str, Any]
    traits: dict[str, Any]
    takes_stage: bool
    assess: Callable[..., Concern | None] | None

    def arguments(self, text: str) -> dict[str, Any]:
        """Returns the arguments of a call, which the host has checked against the schema."""
        given = json.loads(text)
        if not isinstance(given, dict):
            raise invalid("the arguments are not a JSON object")
        return {name: value for name, value in given.items() if value is not None}


def tool(
    function: Callable[..., Any] | None = None,
    *,
    name: str | None = None,
    title: str | None = None,
    read_only: bool = False,
    idempotent: bool = False,
    destructive: bool = False,
    open_world: bool = False,
    asks: bool = False,
    approval: Literal["never", "always"] | None = None,
    requests: typing.Sequence[str] = (),
    audience: Literal["model", "user", "both"] | None = None,
    examples: typing.Sequence[str] = (),
    assess: Callable[..., Concern | None] | None = None,
    schema: dict[str, Any] | None = None,
    output_schema: dict[str, Any] | None = None,
) -> Any:
    """Turns a function into a tool. The function itself stays as it is, so a test can call it.

    name: The name of the tool; that of the function by default.
    title: A display name.
    read_only, idempotent, destructive, open_world: What a call may do. This can make the host more careful, never less.
    asks: The tool may ask the person.
    approval: `always`: a person decides on every call.
    requests: The approvals that the tool requests itself.
    audience: `user`: only a widget's action can call the tool.
    examples: Prompts that should lead to this tool.
    assess: A function of the same arguments, without the stage, that returns a `Concern` if a person must decide.
    schema: The JSON Schema of the input; made from the type hints by default.
    output_schema: The JSON Schema of the result.
    """

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        description = inspect.getdoc(function)
        if not description:
            raise TypeError(f"the tool `{function.__name__}` needs a docstring: it tells the model when to call it")
        flags = {"readOnly": read_only, "destructive": destructive, "idempotent": idempotent,
                 "openWorld": open_world, "asks": asks}
        traits: dict[str, Any] = {flag: True for flag, is_set in flags.items() if is_set}
        chosen = approval or ("assess" if assess else None)
        more = {"title": title, "examples": list(examples), "requests": list(requests), "approval": chosen,
                "audience": {None: None, "both": ["model", "user"]}.get(audience, [audience]),
                "outputSchema": output_schema}
        traits |= {trait: value for trait, value in more.items() if value}
        parameters = list(inspect.signature(function).parameters)
        function.footlight_tool = _Tool(  # type: ignore[attr-defined]
            function, name or function.__name__, description, schema or _schema(function), traits,
            bool(parameters) and parameters[0] == "stage", assess)
        return function

    return declare if function is None else declare(function)


def _schema(function: Callable[..., Any]) -> dict[str, Any]:
    """Returns the schema of a function's arguments."""
    hints = typing.get_type_hints(function, include_extras=True)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for position, parameter in enumerate(inspect.signature(function).parameters.values()):
        if position == 0 and parameter.name == "stage":
            continue
        if parameter.name not in hints:
            raise TypeError(f"the argument `{parameter.name}` of `{function.__name__}` needs a type hint")
        schema, is_optional = _schema_of(hints[parameter.name], f"`{parameter.name}` of `{function.__name__}`")
        if parameter.default is inspect.Parameter.empty and not is_optional:
            required.append(parameter.name)
        elif parameter.default not in (inspect.Parameter.empty, None):
            schema["default"] = parameter.default
        properties[parameter.name] = schema
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return schema | {"required": required} if required else schema


_SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean"}


def _schema_of(hint: Any, where: str) -> tuple[dict[str, Any], bool]:
    """Returns the schema of a type, and whether it is optional."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        schema, is_optional = _schema_of(parts[0], where)
        for note in parts[1:]:
            if isinstance(note, str):
                schema["description"] = note
            elif isinstance(note, Arg):
                is_list = schema.get("type") == "array"
                names = {"minimum": note.min, "maximum": note.max, "format": note.format,
                         "minItems" if is_list else "minLength": note.min_length,
                         "maxItems" if is_list else "maxLength": note.max_length}
                schema |= {name: value for name, value in names.items() if value is not None}
        return schema, is_optional
    if hint in _SIMPLE:
        return {"type": _SIMPLE[hint]}, False
    if origin is Literal:
        return {"enum": list(parts)}, False
    if origin is list and len(parts) == 1:
        return {"type": "array", "items": _schema_of(parts[0], where)[0]}, False
    present = [part for part in parts if part is not type(None)]
    if len(present) == 1 and len(parts) == 2:
        return _schema_of(present[0], where)[0], True
    raise TypeError(f"the type of {where} is none of str, int, float, bool, list, Literal and Optional; "
                    "give the tool a `schema`")


def plugin(
    *tools: Callable[..., Any],
    instructions: str | None = None,
    widgets: dict[str, dict[str, Any]] | None = None,
    config: dict[str, Any] | None = None,
) -> type:
    """Lists the tools of a plugin: `Tools = footlight.plugin(greet)`. The variable must have this name.

    instructions: Advice for the model on how to use the tools.
    widgets: The JSON Schema of the data of each type of widget.
    config: The JSON Schema of the settings; see `Stage.settings`.
    """
    known: dict[str, _Tool] = {}
    for function in tools:
        declared = getattr(function, "footlight_tool", None)
        if declared is None:
            raise TypeError(f"`{getattr(function, '__name__', function)}` is not a tool: put @footlight.tool above it")
        if declared.name in known:
            raise TypeError(f"two tools are called `{declared.name}`")
        known[declared.name] = declared
    more = {"instructions": instructions, "config": config,
            "widgets": [{"name": name, "schema": schema} for name, schema in (widgets or {}).items()]}
    more = {member: value for member, value in more.items() if value}

    def find(name: str) -> _Tool:
        if name not in known:
            raise invalid(f"there is no tool `{name}`")
        return known[name]

    class Tools:
        """What the host calls: the export `tools` of the contract."""

        tools = known

        def describe(self) -> Any:
            described = [(tool.name, tool.description, write(tool.schema), write(tool.traits))
                         for tool in known.values()]
            return _host.description(described, write(more)) if _host else (described, write(more))

        def assess(self, tool: str, input: str) -> Any:
            def run() -> Any:
                found = find(tool)
                concern = found.assess(**found.arguments(input)) if found.assess else None
                if concern is None or _host is None:
                    return concern
                return _host.concern(concern.subject, concern.reason)
            return _reporting(run)

        def run(self, stage: Any, tool: str, input: str) -> Any:
            def run() -> Any:
                found = find(tool)
                arguments = found.arguments(input)
                place = Stage(_host.Backend(stage)) if _host else stage
                returned = found.function(place, **arguments) if found.takes_stage else found.function(**arguments)
                outcome = result.of(returned)
                return _host.outcome(*outcome.parts()) if _host else outcome
            return _reporting(run)

    return Tools


def _reporting(run: Callable[[], Any]) -> Any:
    """Runs a function and turns whatever it raises into a failure for the model."""
    try:
        return run()
    except Exception as error:
        failure = Failure.of(error)
        if not isinstance(error, (Failure, StageError)):
            traceback.print_exc(file=sys.stderr)  # The author's log.
        if _host is None:
            raise failure from error
        raise _host.failure(failure.code, failure.message, failure.details_text()) from error


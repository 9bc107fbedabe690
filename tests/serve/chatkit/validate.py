"""Checks what the server sends to ChatKit clients with the types of the package `openai-chatkit`.

    validate.py answers FILE     FILE: [{"kind": "sse" | "thread" | ..., "body": "..."}, ...]
    validate.py differences FILE FILE: [{"before": tree, "after": tree, "updates": [...]}, ...]
    validate.py trees FILE       FILE: [tree, ...]
    validate.py requests         prints a JSON array of requests, each made by its type

Prints what is wrong, a line each, and exits with 1 if there is anything.
"""

import json
import sys
import types as python_types
import typing
import warnings
from unittest import mock

warnings.simplefilter("ignore")

from pydantic import BaseModel, TypeAdapter, ValidationError

from chatkit import types as T
from chatkit import widgets as W

KINDS = {
    "sse": TypeAdapter(T.ThreadStreamEvent),
    "thread": TypeAdapter(T.Thread),
    "threads": TypeAdapter(T.Page[T.Thread]),
    "items": TypeAdapter(T.Page[T.ThreadItem]),
    "sync": TypeAdapter(T.SyncCustomActionResponse),
}


def frames(body: str):
    """Returns the events of a stream, each of which is exactly `data: <json>` and an empty line."""
    if not body.endswith("\n\n"):
        raise ValueError(f"the stream ends with {body[-20:]!r}")
    for block in body[:-2].split("\n\n"):
        if not block.startswith("data: ") or "\n" in block or "\r" in block:
            raise ValueError(f"not a frame: {block[:200]!r}")
        yield json.loads(block[len("data: ") :])


def without_nulls(value):
    if isinstance(value, dict):
        return {name: without_nulls(it) for name, it in value.items() if it is not None}
    if isinstance(value, list):
        return [without_nulls(it) for it in value]
    return value


def lost(sent, back, path="$"):
    """Returns the members that the official types have dropped: they ignore what they do not know."""
    if isinstance(sent, dict) and isinstance(back, dict):
        for name, value in sent.items():
            if name not in back:
                yield f"{path}.{name} is dropped"
            else:
                yield from lost(value, back[name], f"{path}.{name}")
    elif isinstance(sent, list) and isinstance(back, list):
        for n, (one, other) in enumerate(zip(sent, back)):
            yield from lost(one, other, f"{path}[{n}]")


def nulls(value, path="$"):
    """Returns the members that are null, which the official server leaves out."""
    if isinstance(value, dict):
        for name, it in value.items():
            # A `Transition` without a child says so.
            if it is None and name != "children":
                yield f"{path}.{name} is null"
            yield from nulls(it, f"{path}.{name}")
    elif isinstance(value, list):
        for n, it in enumerate(value):
            yield from nulls(it, f"{path}[{n}]")


def classes(alias):
    for one in typing.get_args(typing.get_args(alias)[0]):
        yield typing.get_args(one.model_fields["type"].annotation)[0], one


KNOWN = dict(classes(W.StrictWidgetComponent)) | dict(classes(W.StrictWidgetRoot))
# In the types of the package for JavaScript, not in those for Python.
ONLY_IN_JAVASCRIPT = {"Table", "Table.Row", "Table.Cell"}


def strict_widget(node, path="widget"):
    """Checks each node by its own class: the types for children let anything through."""
    kind = node.get("type")
    known = KNOWN.get(kind)
    if known is None:
        if kind not in ONLY_IN_JAVASCRIPT:
            yield f"{path}: unknown component {kind!r}"
    elif kind != "Basic":
        shallow = {
            name: ([] if isinstance(it, list) else None) if name == "children" else it
            for name, it in node.items()
        }
        try:
            back = known.model_validate(shallow).model_dump_json(by_alias=True, exclude_none=True)
            yield from (f"{path}: {it}" for it in lost(without_nulls(shallow), json.loads(back)))
        except ValidationError as error:
            yield from (f"{path}: {it['loc']} {it['msg']}" for it in error.errors())
    if kind in ("Text", "Markdown") and not node.get("id"):
        yield f"{path}: a text without an id loses what is appended"
    children = node.get("children")
    for n, child in enumerate(children if isinstance(children, list) else [children] if children else []):
        yield from strict_widget(child, f"{path}.{n}:{child.get('type')}")


def widgets_in(value):
    if isinstance(value, dict):
        for name, it in value.items():
            if name in ("widget", "component") and isinstance(it, dict) and "type" in it:
                yield it
            else:
                yield from widgets_in(it)
    elif isinstance(value, list):
        for it in value:
            yield from widgets_in(it)


def check(adapter, value):
    try:
        model = adapter.validate_python(value)
    except ValidationError as error:
        for it in error.errors()[:3]:
            yield f"{it['loc']} {it['msg']}"
        return
    back = json.loads(model.model_dump_json(by_alias=True, exclude_none=True))
    yield from lost(without_nulls(value), back)
    yield from nulls(value)
    for widget in widgets_in(value):
        yield from strict_widget(widget)


def answers(entries):
    for n, entry in enumerate(entries):
        kind, body = entry["kind"], entry["body"]
        if kind == "void":
            if body != "{}":
                yield f"{n}: not an empty answer: {body[:200]}"
            continue
        try:
            values = list(frames(body)) if kind == "sse" else [json.loads(body)]
        except ValueError as error:
            yield f"{n}: {error}"
            continue
        for at, value in enumerate(values):
            for wrong in check(KINDS[kind], value):
                yield f"{n} {kind} {at} {value.get('type')}: {wrong}"


def trees(entries):
    root = TypeAdapter(W.WidgetRoot)
    for n, tree in enumerate(entries):
        try:
            root.validate_python(tree)
        except ValidationError as error:
            yield f"{n}: {error.errors()[0]['msg']}"
        yield from (f"{n}: {it}" for it in strict_widget(tree))


def differences(entries):
    """Compares updates with those of the official server, whose module wants packages that it does not
    need for this."""
    for name in ("agents", "agents.models", "agents.models.chatcmpl_helpers", "agents.models.openai_responses"):
        module = python_types.ModuleType(name)
        module.__getattr__ = lambda name: mock.MagicMock()
        sys.modules[name] = module
    from chatkit.server import diff_widget

    root = TypeAdapter(W.WidgetRoot)
    for n, entry in enumerate(entries):
        before, after, ours = entry["before"], entry["after"], entry["updates"]
        official = diff_widget(root.validate_python(before), root.validate_python(after))
        official = [json.loads(it.model_dump_json(by_alias=True, exclude_none=True)) for it in official]
        roots = [it["type"] for it in ours] == ["widget.root.updated"]
        if roots and ours[0]["widget"] != after:
            yield f"{n}: not the tree that it leads to: {json.dumps(ours)}"
        # The official server sends nothing for text that grew where it does not look, and what it sends
        # does not lead to the new tree. There the whole tree has to be sent.
        if not any(it["type"] == "widget.root.updated" for it in official) and applied(before, official) != after:
            if not roots:
                yield f"{n}: {json.dumps(entry)}: the root has to be sent"
            continue
        kinds = [(it["type"], it.get("component_id"), it.get("delta"), it.get("done")) for it in ours]
        theirs = [(it["type"], it.get("component_id"), it.get("delta"), it.get("done")) for it in official]
        if kinds != theirs:
            yield f"{n}: {json.dumps(entry)}: the official server sends {official}"


def applied(tree, updates):
    """Returns a tree with what was added to its texts."""
    if isinstance(tree, list):
        return [applied(it, updates) for it in tree]
    if not isinstance(tree, dict):
        return tree
    tree = {name: applied(it, updates) for name, it in tree.items()}
    for update in updates:
        if tree.get("id") == update["component_id"]:
            tree["value"] += update["delta"]
    return tree


def requests():
    """Returns requests of every type, with and without what is optional."""
    message = T.UserMessageInput(
        content=[T.UserMessageTextContent(text="hi"), T.UserMessageTagContent(id="t", text="Ada", data={"a": 1})],
        attachments=[],
        inference_options=T.InferenceOptions(),
    )
    bare = T.UserMessageInput(content=[], attachments=["a"], quoted_text="q",
                              inference_options=T.InferenceOptions(tool_choice=T.ToolChoice(id="x"), model="m"))
    action = T.Action[str, typing.Any](type="press", payload={"token": "widget itm_1 1 x", "a": {"b": None}})
    made = [
        T.ThreadsGetByIdReq(params=T.ThreadGetByIdParams(thread_id="ses_1")),
        T.ThreadsCreateReq(params=T.ThreadCreateParams(input=message)),
        T.ThreadsCreateReq(params=T.ThreadCreateParams(input=bare), metadata={"a": [1]}),
        T.ThreadsListReq(params=T.ThreadListParams()),
        T.ThreadsListReq(params=T.ThreadListParams(limit=7, order="asc", after="ses_1")),
        T.ThreadsAddUserMessageReq(params=T.ThreadAddUserMessageParams(input=message, thread_id="ses_1")),
        T.ThreadsAddClientToolOutputReq(params=T.ThreadAddClientToolOutputParams(thread_id="ses_1", result=[1])),
        T.ThreadsAddStructuredInputReq(
            params=T.ThreadAddStructuredInputParams(
                thread_id="ses_1", item_id="itm_1",
                input=T.StructuredInputSubmission(answers={"q": T.StructuredInputAnswerSubmission(values=["b"])}))),
        T.ThreadsCustomActionReq(params=T.ThreadCustomActionParams(thread_id="ses_1", item_id="itm_1", action=action)),
        T.ThreadsSyncCustomActionReq(params=T.ThreadCustomActionParams(thread_id="ses_1", action=action)),
        T.ThreadsRetryAfterItemReq(params=T.ThreadRetryAfterItemParams(thread_id="ses_1", item_id="turn_1")),
        T.ItemsFeedbackReq(params=T.ItemFeedbackParams(thread_id="ses_1", item_ids=["a", "b"], kind="positive")),
        T.AttachmentsDeleteReq(params=T.AttachmentDeleteParams(attachment_id="a")),
        T.AttachmentsCreateReq(params=T.AttachmentCreateParams(name="a", size=1, mime_type="text/plain")),
        T.InputTranscribeReq(params=T.InputTranscribeParams(audio_base64="", mime_type="audio/webm")),
        T.ItemsListReq(params=T.ItemsListParams(thread_id="ses_1")),
        T.ItemsListReq(params=T.ItemsListParams(thread_id="ses_1", limit=0, order="asc", after="a")),
        T.ThreadsUpdateReq(params=T.ThreadUpdateParams(thread_id="ses_1", title="N")),
        T.ThreadsDeleteReq(params=T.ThreadDeleteParams(thread_id="ses_1")),
    ]
    types = {typing.get_args(it.model_fields["type"].annotation)[0]
             for it in typing.get_args(typing.get_args(T.ChatKitReq)[0])}
    assert types == {it.type for it in made}, types
    return [json.loads(it.model_dump_json(exclude_none=nulls)) for it in made for nulls in (True, False)]


def main():
    if sys.argv[1] == "requests":
        print(json.dumps(requests()))
        return 0
    with open(sys.argv[2], encoding="utf-8") as file:
        entries = json.load(file)
    wrong = list({"answers": answers, "differences": differences, "trees": trees}[sys.argv[1]](entries))
    print("\n".join(wrong[:50]))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())

"""A plugin in Python: the same contract, no code of ours.

It asks the person, shows a widget and answers with a table.
"""

import json

from componentize_py_types import Err
from wit_world import exports
from wit_world.exports.tools import Description, Outcome, Tool
from wit_world.imports import ask, display_widget
from wit_world.imports.types import Failure


class Tools(exports.Tools):
    def describe(self):
        schema = {
            "type": "object",
            "properties": {"items": {"type": "array", "items": {"type": "string"}}},
            "required": ["items"],
            "additionalProperties": False,
        }
        sort = Tool("sort", "Sorts words the way the person likes.", json.dumps(schema), '{"readOnly":true}')
        return Description([sort], "{}")

    def assess(self, tool, input):
        return None

    def run(self, stage, tool, input):
        if tool != "sort":
            raise Err(Failure("invalid-input", f"there is no tool `{tool}`", None))
        items = json.loads(input)["items"]
        field = {"name": "order", "type": "radio", "options": ["up", "down"]}
        answer = json.loads(ask.ask(stage, "Which way?", json.dumps([field])))
        items.sort(reverse=answer["order"] == "down")
        widget = display_widget.Widget("sorted-words", json.dumps(items), ", ".join(items), None)
        display_widget.show(stage, widget)
        rows = [{"word": word} for word in items]
        data = {"columns": [{"key": "word"}], "rows": rows}
        return Outcome("table", json.dumps(data), f"{len(items)} words", None)

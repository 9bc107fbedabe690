"""JSON as it travels to the host."""

import json
from typing import Any


def write(value: Any) -> str:
    """Writes a value as JSON text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def without_none(members: dict[str, Any]) -> dict[str, Any]:
    """Returns the members that are set."""
    return {name: value for name, value in members.items() if value is not None}

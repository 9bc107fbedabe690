"""Objects as the vocabulary spells them."""

from typing import Any

from ._json import without_none

__all__ = ["each", "node", "one", "without_none"]


def node(kind: str, props: dict[str, Any], children: Any = None, one: bool = False) -> dict[str, Any]:
    """Returns a component. `children` are there if a list is given, even if it is empty, or `one` is wanted."""
    made = {"type": kind} | props
    if one:
        made["children"] = children
    elif children or isinstance(children, list):
        made["children"] = [child for child in children if child is not None]
    return made


def one(value: Any, *names: str) -> Any:
    """Returns an object for a text or a tuple: a text is each of its members, a tuple has them in order."""
    if isinstance(value, str):
        return {name: value for name in names}
    return dict(zip(names, value)) if isinstance(value, (list, tuple)) else value


def each(values: Any, *names: str) -> Any:
    """Returns a list of objects. The items of a dictionary are pairs."""
    if values is None:
        return None
    return [one(value, *names) for value in (values.items() if isinstance(values, dict) else values)]

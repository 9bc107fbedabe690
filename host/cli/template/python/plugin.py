"""A plugin with a greeting, and a counter on a card."""

from typing import Annotated

import footlight
from footlight import Arg, Stage, Widget, ui


@footlight.tool(read_only=True, examples=["Say hello to Ada"])
def greet(name: Annotated[str, "Who is greeted."]) -> str:
    """Greets somebody by name."""
    return f"Hello, {name}!"


@footlight.tool(examples=["Count one more"])
def count(stage: Stage, by: Annotated[int, "How many to add.", Arg(min=1, max=10)] = 1) -> str:
    """Counts something for the person, and shows how many there are."""
    total = stage.state("person").update("total", lambda old: old + by, default=0)
    card = ui.Card(
        ui.Title(f"{total} so far"),
        ui.Button(label="One more", on_click_action=ui.action("count", {"by": 1})),
    )
    stage.show(Widget("counter", {"total": total}, view=card))
    return f"{total} so far."


Tools = footlight.plugin(greet, count)

"""The plugin of `tests/sampler-guest`, in Python."""

import footlight
from footlight import Failure, Stage, Widget, field, result, ui


def days_of(count: int) -> list[dict]:
    return [{"day": f"Day {n}", "rain": n + 0.5} for n in range(1, count + 1)]


@footlight.tool(read_only=True)
def text(name: str) -> str:
    """Answers with text."""
    return f"Hello, {name}! ☂"


@footlight.tool(read_only=True)
def table(days: int) -> result.Result:
    """Answers with a table."""
    columns = ["day", {"key": "rain", "label": "Rain (mm)"}]
    return result.table(days_of(days), columns=columns, summary=f"{days} days", model="rain")


@footlight.tool(read_only=True)
def chart(days: int) -> result.Result:
    """Answers with a chart."""
    x, series = {"key": "day", "label": "Day"}, [{"key": "rain", "label": "Rain"}]
    return result.chart("bar", days_of(days), title="Rain", x=x, series=series)


@footlight.tool
def card(stage: Stage, title: str) -> str:
    """Shows a card whose button calls `text`."""
    view = ui.Card(
        ui.Title(title),
        ui.Row(ui.Caption("Æ"), ui.Badge("new", color="info"), gap=2),
        ui.Progress(label="Done", value=2.5, max=4.5),
        ui.Button(label="Press", on_click_action=ui.action("text", {"name": title})),
    )
    stage.show(Widget("sample", {"title": title}, view))
    stage.progress("showing", 1, 2)
    stage.show(ui.Card(ui.Title(f"{title}!", id="title")))
    return f"{title} is shown"


@footlight.tool(asks=True)
def ask(stage: Stage) -> str:
    """Asks two questions."""
    answers = stage.ask(
        "Where and how long?",
        field.select("city", options=["Oslo", "Bergen"]),
        field.number("days", min=1, max=9, integer=True, default=3),
    )
    sure = "true" if stage.confirm("Are you sure?") else "false"
    return f"{answers['days']} days in {answers['city']}: {sure}"


@footlight.tool(requests=["sampler.act"])
def approval(stage: Stage, subject: str) -> str:
    """Requests approval."""
    stage.approve("sampler.act", subject, "To sample it.", ["one", "two"])
    return f"acted on {subject}"


@footlight.tool
def state(stage: Stage, by: int) -> int:
    """Counts, for the person."""
    bucket = stage.state("person")
    bucket.set("last", by)
    count = bucket.update("count", lambda old: old + by, default=0)
    keys = len(bucket.keys())
    if keys != 2:
        raise footlight.invalid(f"there are {keys} keys")
    return count


@footlight.tool
def output(stage: Stage, title: str) -> str:
    """Stores an output."""
    id = stage.output(title, "day,rain\nMon,3\n", kind="table", mime_type="text/csv")
    read = stage.read_output(id, 4, 4)
    return f"{len(read)} bytes: {read.decode()}"


@footlight.tool(read_only=True)
def fail(why: str) -> str:
    """Fails."""
    raise Failure("unavailable", why)


Tools = footlight.plugin(text, table, chart, card, ask, approval, state, output, fail)

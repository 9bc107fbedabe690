// The plugin of `tests/sampler-guest`, in JavaScript.

import { Failure, Widget, arg, field, invalid, plugin, result, tool, ui } from "./footlight/index.js";

const daysOf = (count) => Array.from({ length: count }, (_, n) => ({ day: `Day ${n + 1}`, rain: n + 1.5 }));

const text = tool({
  name: "text",
  description: "Answers with text.",
  readOnly: true,
  input: { name: arg.text("") },
  run: ({ name }) => `Hello, ${name}! ☂`,
});

const table = tool({
  name: "table",
  description: "Answers with a table.",
  readOnly: true,
  input: { days: arg.integer("") },
  run: ({ days }) =>
    result.table(daysOf(days), {
      columns: ["day", { key: "rain", label: "Rain (mm)" }],
      summary: `${days} days`,
      model: "rain",
    }),
});

const chart = tool({
  name: "chart",
  description: "Answers with a chart.",
  readOnly: true,
  input: { days: arg.integer("") },
  run: ({ days }) =>
    result.chart("bar", daysOf(days), {
      title: "Rain",
      x: { key: "day", label: "Day" },
      series: [{ key: "rain", label: "Rain" }],
    }),
});

const card = tool({
  name: "card",
  description: "Shows a card whose button calls `text`.",
  input: { title: arg.text("") },
  run({ title }, stage) {
    const view = ui.Card(
      ui.Title(title),
      ui.Row({ gap: 2 }, ui.Caption("Æ"), ui.Badge("new", { color: "info" })),
      ui.Progress({ label: "Done", value: 2.5, max: 4.5 }),
      ui.Button({ label: "Press", onClickAction: ui.action("text", { name: title }) }),
    );
    stage.show(new Widget("sample", { title }, { view }));
    stage.progress("showing", 1, 2);
    stage.show(ui.Card(ui.Title(`${title}!`, { id: "title" })));
    return `${title} is shown`;
  },
});

const ask = tool({
  name: "ask",
  description: "Asks two questions.",
  asks: true,
  run(_, stage) {
    const { city, days } = stage.ask(
      "Where and how long?",
      field.select("city", { options: ["Oslo", "Bergen"] }),
      field.number("days", { min: 1, max: 9, integer: true, default: 3 }),
    );
    return `${days} days in ${city}: ${stage.confirm("Are you sure?")}`;
  },
});

const approval = tool({
  name: "approval",
  description: "Requests approval.",
  requests: ["sampler.act"],
  input: { subject: arg.text("") },
  run({ subject }, stage) {
    stage.approve("sampler.act", { subject, reason: "To sample it.", details: ["one", "two"] });
    return `acted on ${subject}`;
  },
});

const state = tool({
  name: "state",
  description: "Counts, for the person.",
  input: { by: arg.integer("") },
  run({ by }, stage) {
    const bucket = stage.state("person");
    bucket.set("last", by);
    const count = bucket.update("count", (old) => old + by, 0);
    const keys = bucket.keys().length;
    if (keys !== 2) throw invalid(`there are ${keys} keys`);
    return count;
  },
});

const output = tool({
  name: "output",
  description: "Stores an output.",
  input: { title: arg.text("") },
  run({ title }, stage) {
    const id = stage.output(title, "day,rain\nMon,3\n", { kind: "table", mimeType: "text/csv" });
    const read = stage.readOutput(id, 4, 4);
    return `${read.length} bytes: ${String.fromCharCode(...read)}`;
  },
});

const fail = tool({
  name: "fail",
  description: "Fails.",
  readOnly: true,
  input: { why: arg.text("") },
  run({ why }) {
    throw new Failure("unavailable", why);
  },
});

export default plugin({ tools: [text, table, chart, card, ask, approval, state, output, fail] });

// A plugin with a greeting, and a counter on a card.

import { Widget, arg, plugin, tool, ui } from "./footlight/index.js";

export const greet = tool({
  name: "greet",
  description: "Greets somebody by name.",
  readOnly: true,
  examples: ["Say hello to Ada"],
  input: { name: arg.text("Who is greeted.") },
  run: ({ name }) => `Hello, ${name}!`,
});

export const count = tool({
  name: "count",
  description: "Counts something for the person, and shows how many there are.",
  examples: ["Count one more"],
  input: { by: arg.integer("How many to add.", { min: 1, max: 10, default: 1 }) },
  run({ by }, stage) {
    const total = stage.state("person").update("total", (old) => old + by, 0);
    const view = ui.Card(
      ui.Title(`${total} so far`),
      ui.Button({ label: "One more", onClickAction: ui.action("count", { by: 1 }) }),
    );
    stage.show(new Widget("counter", { total }, { view }));
    return `${total} so far.`;
  },
});

export default plugin({ tools: [greet, count] });

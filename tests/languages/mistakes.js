// Mistakes in a plugin that the types of the template find in an editor, before anything runs:
// `tsc --project tests/languages`. Each comment that expects an error is an error itself where there is none.

import { Widget, arg, field, plugin, result, tool, ui } from "../../host/cli/template/js/footlight/index.js";

const input = {
  city: arg.text("The city."),
  // @ts-expect-error The least is called `min`.
  days: arg.integer("How many days.", { minimum: 1 }),
  unit: arg.oneOf(["celsius", "fahrenheit"], "The unit."),
};

export const rain = tool({
  name: "rain",
  description: "Lists the rain of the next days.",
  // @ts-expect-error It is called `readOnly`.
  read_only: true,
  input,
  run({ city, days, unit }, stage) {
    // @ts-expect-error There is no such unit.
    if (unit === "kelvin") return city;
    // @ts-expect-error A number has no length.
    days.length;
    // @ts-expect-error A card has a status.
    ui.Card({ state: "today" });
    // @ts-expect-error A colour is a word.
    ui.Badge("wet", { color: 7 });
    // @ts-expect-error A table has rows, and its hints have a summary.
    result.table([{ day: "Mon" }], { sumary: "one day" });
    // @ts-expect-error An option is text, or an object with a value.
    field.select("city", { options: [true] });
    // @ts-expect-error There are two scopes.
    stage.state("plugin");
    // @ts-expect-error A widget has a view.
    stage.show(new Widget("rain", { days }, { tree: ui.Card() }));
    // @ts-expect-error An approval has a subject.
    stage.approve("rain.order", { topic: city });
    return `${days} days`;
  },
});

export default plugin({
  tools: [rain],
  // @ts-expect-error The schema of a type of widget is an object.
  widgets: { rain: "text" },
});

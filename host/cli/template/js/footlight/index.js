/**
 * Footlight plugins in JavaScript.
 *
 * A plugin is a module `plugin.js` that lists its tools:
 *
 *     import { arg, plugin, tool } from "./footlight/index.js";
 *
 *     export const greet = tool({
 *       name: "greet",
 *       description: "Greets somebody by name.",
 *       readOnly: true,
 *       input: { name: arg.text("Who is greeted.") },
 *       run: ({ name }) => `Hello, ${name}!`,
 *     });
 *
 *     export default plugin({ tools: [greet] });
 *
 * A tool returns a string, a value that is JSON, or a result of `result`. The second argument of `run` is the stage,
 * with which a tool can show widgets, ask the person, request approval, store outputs and state, and send HTTP requests.
 *
 * `ui` has the components of widgets, `result` the kinds of results, `field` the fields of questions, and `testing.js` a
 * stage with a script. These three and `footlight.wit` are generated from the vocabulary; the other files are the same
 * in every plugin. `index.d.ts` describes everything to an editor.
 */

import { Result } from "./derived.js";
import { set } from "./shape.js";
import { Failure, Stage, StageError, invalid } from "./stage.js";

export * as field from "./field.js";
export * as result from "./result.js";
export * as ui from "./ui.js";
export { Failure, Stage, StageError, Widget, denied, invalid, unavailable } from "./stage.js";
export { textOf } from "./text.js";

/** The arguments of a tool. */
const argument = (schema) => (description, options = {}) => {
  const { min, max, optional, ...keywords } = options;
  const limits = {
    array: ["minItems", "maxItems"],
    string: ["minLength", "maxLength"],
  }[schema.type] ?? ["minimum", "maximum"];
  const isOptional = Boolean(optional) || keywords.default !== undefined;
  return { schema: { ...schema, ...set({ description, [limits[0]]: min, [limits[1]]: max }), ...keywords }, isOptional };
};

export const arg = {
  text: argument({ type: "string" }),
  integer: argument({ type: "integer" }),
  number: argument({ type: "number" }),
  flag: argument({ type: "boolean" }),
  oneOf: (words, description, options) => argument({ enum: words })(description, options),
  list: (items, description, options) => argument({ type: "array", items: items.schema })(description, options),
};

/** Declares a tool. */
export function tool({ name, description, input = {}, schema, run, assess, ...more }) {
  if (!description) throw new TypeError(`the tool \`${name}\` needs a description: it tells the model when to call it`);
  const required = Object.keys(input).filter((member) => !input[member].isOptional);
  const properties = Object.fromEntries(Object.entries(input).map(([member, { schema: takes }]) => [member, takes]));
  const { audience } = more;
  const traits = {
    ...set(more),
    ...set({ approval: more.approval ?? (assess && "assess") }),
    ...set({ audience: audience === "both" ? ["model", "user"] : audience && [audience] }),
  };
  const inputSchema = schema ?? { type: "object", properties, required, additionalProperties: false };
  return { name, description, inputSchema, traits, run, assess };
}

/** Lists the tools of a plugin. It is the default export of `plugin.js`. */
export function plugin({ tools, instructions, widgets, config }) {
  const known = new Map(tools.map((declared) => [declared.name, declared]));
  if (known.size < tools.length) throw new TypeError("two tools have the same name");
  const types = widgets && Object.entries(widgets).map(([name, schema]) => ({ name, schema }));
  const find = (name) => {
    if (!known.has(name)) throw invalid(`there is no tool \`${name}\``);
    return known.get(name);
  };
  const read = (declared, input) => {
    const given = set(JSON.parse(input));
    for (const [member, takes] of Object.entries(declared.inputSchema.properties ?? {})) {
      given[member] ??= takes.default;
    }
    return given;
  };
  return {
    describe: () => ({
      tools: tools.map(({ name, description, inputSchema, traits }) => ({
        name,
        description,
        inputSchema: JSON.stringify(inputSchema),
        traits: JSON.stringify(traits),
      })),
      more: JSON.stringify(set({ instructions, config, widgets: types })),
    }),
    assess(name, input) {
      const declared = find(name);
      return declared.assess?.(read(declared, input)) ?? null;
    },
    run(stage, name, input) {
      const declared = find(name);
      return Result.of(declared.run(read(declared, input), stage));
    },
  };
}

/** Returns an error as the failure of the contract. What is no failure goes to the author's log as well. */
export function failureOf(error, log) {
  const { code, message, details } = Failure.of(error);
  if (!(error instanceof Failure || error instanceof StageError)) log(String(error?.stack ?? error));
  return { code, message, details: details === undefined ? null : JSON.stringify(details) };
}

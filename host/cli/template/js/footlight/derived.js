// Results of tools, and what follows from their rows.

import { shaped } from "./shape.js";

/** A result: its kind, its data and hints. */
export class Result {
  constructor(kind, data, hints = {}) {
    Object.assign(this, { kind, data, hints });
  }

  /** Returns what a tool returned as a result. */
  static of(returned) {
    if (returned instanceof Result) return returned;
    return typeof returned === "string" ? new Result("text", { content: returned }) : new Result("structured", returned ?? null);
  }

  /** Returns the outcome of the contract. */
  outcome() {
    const { summary = null, ...hints } = this.hints;
    const more = Object.entries(hints).filter(([, value]) => value != null);
    return {
      kind: this.kind,
      data: JSON.stringify(this.data),
      summary,
      more: more.length > 0 ? JSON.stringify(Object.fromEntries(more)) : null,
    };
  }
}

const HINTS = ["summary", "summaryKey", "mimeType", "model", "display"];

/** A result of a kind of your own, such as `acme.timeline`. */
export const custom = (kind, data, hints) => new Result(kind, data, hints);

/** Returns the function of a kind. */
export const kind = (name, positional, shorthands, derived = {}) => (...given) => {
  if (name === "structured") return new Result(name, given[0], given[1]);
  const members = Object.fromEntries(positional.map((member, index) => [member, given[index]]));
  const hints = {};
  for (const [member, value] of Object.entries(given[positional.length] ?? {})) {
    (HINTS.includes(member) ? hints : members)[member] = value;
  }
  for (const [member, derive] of Object.entries(derived)) members[member] ??= derive(members.rows);
  return new Result(name, shaped(members, shorthands), hints);
};

/** Returns the keys of the rows in the order in which they appear. */
export const table_columns = (rows) => [...new Set(rows.flatMap(Object.keys))];

/** Returns the first key of the first row. */
export const chart_x = (rows) => (rows.length > 0 ? Object.keys(rows[0])[0] : "");

/** Returns the other keys of the rows whose values are numbers. */
export const chart_series = (rows) => {
  const isNumber = (key) => rows.some((row) => typeof row[key] === "number");
  return table_columns(rows).filter((key) => key !== chart_x(rows) && isNumber(key));
};

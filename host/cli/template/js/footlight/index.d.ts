/** Footlight plugins in JavaScript: see `index.js` for an example. */

import type { Field } from "./field.js";
import type { Hints, Result } from "./result.js";
import type { Node } from "./ui.js";

export * as field from "./field.js";
export * as result from "./result.js";
export * as ui from "./ui.js";

/** Anything that is JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json | undefined };

/** What the model should do about a failure: correct its input, give up, try later, stop, or report it. */
export type FailureCode = "invalid-input" | "denied" | "unavailable" | "cancelled" | "other";

/** Why a call failed, written for the model: throw it in a tool. */
export class Failure extends Error {
  constructor(code: FailureCode, message: string, details?: unknown);
  readonly code: FailureCode;
  readonly details: unknown;
}

/** Returns a failure that asks the model for another input: `throw invalid("no such city")`. */
export function invalid(message: string): Failure;
/** Returns a failure that asks the model to try later. */
export function unavailable(message: string): Failure;
/** Returns a failure that asks the model to give up. */
export function denied(message: string): Failure;

/** Why the host did not do what the stage asked for. A tool that does not catch it fails with its code. */
export class StageError extends Error {
  constructor(call: "display" | "ask" | "approval" | "output" | "state" | "http", errorCase: string, value?: unknown);
  readonly call: string;
  /** The case as the contract names it, such as `skipped`. */
  readonly case: string;
  /** What the case holds, such as the reason. */
  readonly value: unknown;
  readonly code: FailureCode;
}

/** A widget: typed data, and how to draw it where nobody knows the type. */
export class Widget {
  /**
   * @param data Anything that is JSON, at most 256 KiB.
   * @param options `view` is a `Card`, `ListView` or `Basic`; `fallback` is the text of the view by default.
   */
  constructor(name: string, data?: unknown, options?: { view?: Node | null; fallback?: string | null });
}

/** A widget that is on the screen. */
export interface Shown {
  readonly id: string;
  /** Replaces the widget in place. */
  update(widget: Widget | Node): void;
  /** Appends text to the `Text` or `Markdown` component of the view whose id is `node`. */
  appendText(node: string, text: string): void;
  /** Removes the widget from the screen and from the record. */
  remove(): void;
}

/** An output being written. Nothing is stored until `finish`. */
export interface OutputWriter {
  write(content: string | Uint8Array): void;
  /** Stores and shows the output, and returns its id. */
  finish(): string;
}

/** Keys and values that only this plugin can read. A write is durable at once. */
export interface Bucket {
  get(key: string, otherwise?: unknown): any;
  set(key: string, value: unknown): void;
  remove(key: string): void;
  keys(prefix?: string): string[];
  /** Writes what `change` returns for the old value, atomically. `change` can run again, so it has no side effects. */
  update<T>(key: string, change: (old: any) => T, otherwise?: unknown): T;
}

/** A complete HTTP response. An error status such as 404 is a response, not an error. */
export interface Response {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  /** Returns the response, or throws a failure if its status is not 2xx. */
  ok(): Response;
  header(name: string): string | undefined;
  text(): string;
  json(): any;
}

/** How surfaces read the content of an output. */
export interface OutputMetadata {
  /** The kind of result that the content is, such as `table`. */
  kind?: string;
  /** The media type of the content, such as `text/csv`. */
  mimeType?: string;
  /** Anything else that a surface may know, as JSON. */
  meta?: unknown;
}

/** Everything that a running tool can do beyond computing: the second argument of `run`. */
export class Stage {
  /** Shows a widget, or a bare `Card`, `ListView` or `Basic`. The model never sees it. */
  show(widget: Widget | Node): Shown;
  /** Asks a question and returns the answers by the names of the fields. */
  ask(prompt: string, ...fields: Field[]): Record<string, any>;
  /** Asks a yes-or-no question. */
  confirm(prompt: string): boolean;
  /** Lets the person choose one of several texts. */
  choose(prompt: string, options: readonly string[]): string;
  /** Requests approval for one operation that `plugin.toml` lists under `[[approval]]`, and waits. */
  approve(action: string, request?: { subject?: string; reason?: string; details?: unknown }): void;
  /** Stores content for the person that the model does not see, and returns its id. */
  output(title: string, content: string | Uint8Array, metadata?: OutputMetadata): string;
  /** Begins an output that is written in pieces. */
  beginOutput(title: string, metadata?: OutputMetadata): OutputWriter;
  /** Reads bytes of an output of this session, or of an attachment. */
  readOutput(id: string, offset?: number, length?: number): Uint8Array;
  /** Returns the plugin's state, of this session or of this person. */
  state(scope: "session" | "person"): Bucket;
  /** Sends one request to a host that `plugin.toml` lists and the person granted. */
  http(
    method: string,
    url: string,
    request?: { query?: Record<string, string>; headers?: Record<string, string>; body?: Uint8Array; json?: unknown },
  ): Response;
  /** Reports the current activity, and how much of it is done. */
  progress(message: string, done?: number | null, total?: number | null): void;
  /** Writes to the log for the plugin's author. */
  log(level: "trace" | "debug" | "info" | "warn" | "error", message: string): void;
  /** Returns the person's settings for this plugin. */
  settings(): Record<string, any>;
  /** The id of this call, which stays the same when the call is retried. */
  readonly callId: string;
  /** An opaque id that distinguishes sessions. */
  readonly session: string;
  /** An opaque id that distinguishes people. */
  readonly person: string;
  /** The person's language, such as `nb-NO`. */
  readonly locale: string;
  /** The person's time zone, such as `Europe/Oslo`. */
  readonly timezone: string;
  /** Whether the person has cancelled the call. */
  readonly isCancelled: boolean;
  /** Throws a failure if the person has cancelled the call. */
  ensureNotCancelled(): void;
}

/** An argument of a tool, whose value has the type `T`. */
export interface Arg<T> {
  readonly schema: Record<string, unknown>;
  readonly isOptional: boolean;
  readonly type?: T;
}

/** What an argument can be. The host checks it before the tool runs. */
export interface ArgOptions<T> {
  /** The least number, or the fewest characters or items. */
  min?: number;
  /** The greatest number, or the most characters or items. */
  max?: number;
  /** The value where the argument is left out. */
  default?: T;
  /** Whether the argument can be left out. It is `undefined` then. */
  optional?: boolean;
  /** A format that JSON Schema defines, such as `date`. */
  format?: string;
}

/** The arguments of a tool, with the schema that the host checks. */
export const arg: {
  /** Text; `min` and `max` count characters. */
  text(description: string, options?: ArgOptions<string>): Arg<string>;
  /** A whole number. */
  integer(description: string, options?: ArgOptions<number>): Arg<number>;
  /** A number. */
  number(description: string, options?: ArgOptions<number>): Arg<number>;
  /** `true` or `false`. */
  flag(description: string, options?: ArgOptions<boolean>): Arg<boolean>;
  /** One of these words. */
  oneOf<const T extends string>(words: readonly T[], description: string, options?: ArgOptions<T>): Arg<T>;
  /** A list of values of another argument: `arg.list(arg.text("A city."), "The cities.")`. */
  list<T>(items: Arg<T>, description: string, options?: ArgOptions<T[]>): Arg<T[]>;
};

/** Why a person should decide whether a call may run. */
export interface Concern {
  /** What the call is about, such as an address. The person reads it first. */
  subject: string;
  /** Why a person should decide, in one sentence. */
  reason: string;
}

type Inputs = Record<string, Arg<any>>;
type Values<I extends Inputs> = { [K in keyof I]: I[K] extends Arg<infer T> ? T : never };

/** A tool: what the model reads of it, what a call may do, and the function that runs. */
export interface ToolOptions<I extends Inputs> {
  /** The name: `a-z`, `0-9` and `_`, at most 31 characters. */
  name: string;
  /** Tells the model what the tool does and when to call it. */
  description: string;
  /** The arguments by name: `{ city: arg.text("The city.") }`. */
  input?: I;
  /** The JSON Schema of the input, in place of `input`. */
  schema?: Record<string, unknown>;
  /** A name for people. */
  title?: string;
  /** What a call may do. This can make the host more careful, never less. */
  readOnly?: boolean;
  /** A second call with the same input changes nothing more. */
  idempotent?: boolean;
  /** It can delete or overwrite something. */
  destructive?: boolean;
  /** It reaches beyond this machine. */
  openWorld?: boolean;
  /** The tool may ask the person. */
  asks?: boolean;
  /** `always`: a person decides on every call. */
  approval?: "never" | "always";
  /** The approvals that the tool requests itself. */
  requests?: readonly string[];
  /** `user`: only a widget's action can call the tool. */
  audience?: "model" | "user" | "both";
  /** Prompts that should lead to this tool. */
  examples?: readonly string[];
  /** The JSON Schema of what `run` returns. */
  outputSchema?: Record<string, unknown>;
  /** Returns a concern if a person must decide before the call. */
  assess?(input: Values<I>): Concern | null | undefined;
  /** Runs the tool. It returns text, JSON, or a result of `result`; throw `invalid(…)` if the input cannot be used. */
  run(input: Values<I>, stage: Stage): Result | Json | undefined | object;
}

export interface Tool<I extends Inputs> extends ToolOptions<I> {}

/** Declares a tool. */
export function tool<const I extends Inputs = {}>(options: ToolOptions<I>): Tool<I>;

/** What the component exports. */
export interface Plugin {
  describe(): { tools: { name: string; description: string; inputSchema: string; traits: string }[]; more: string };
}

/** Lists the tools of a plugin. It is the default export of `plugin.js`. */
export function plugin(options: {
  /** The tools, each made by `tool`. */
  tools: readonly Tool<any>[];
  /** Advice for the model on how to use the tools. */
  instructions?: string;
  /** The JSON Schema of the data of each type of widget. */
  widgets?: Record<string, Record<string, unknown>>;
  /** The JSON Schema of the settings. */
  config?: Record<string, unknown>;
}): Plugin;

/** Returns the text of a component tree. */
export function textOf(tree: Node): string;

export type { Field, Hints, Node, Result };

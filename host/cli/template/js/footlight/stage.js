// The stage of a running tool, and the failures that a tool reports.

import * as field from "./field.js";
import { textOf } from "./text.js";

/** The most bytes that the host accepts in one write of an output. */
const CHUNK = 1 << 20;

/** How often `Bucket.update` retries after a concurrent change. */
const ATTEMPTS = 32;

/** The most characters of a fallback that is derived from the data. */
const MAX_DERIVED = 200;

export class Failure extends Error {
  constructor(code, message, details) {
    super(message);
    Object.assign(this, { name: "Failure", code, details });
  }

  /** Returns an error as a failure. */
  static of(error) {
    if (error instanceof Failure) return error;
    if (error instanceof StageError) return new Failure(error.code, error.message);
    return new Failure("other", error instanceof Error ? error.message || error.name : String(error));
  }
}

export const invalid = (message) => new Failure("invalid-input", message);
export const unavailable = (message) => new Failure("unavailable", message);
export const denied = (message) => new Failure("denied", message);

/** The code and the message of each case of an error, by interface. */
const CASES = {
  display: {
    "too-large": ["other", "the widget is larger than {} bytes"],
    "too-many": ["other", "more than {} widgets in one call"],
    gone: ["other", "the widget is no longer shown"],
  },
  ask: {
    nobody: ["unavailable", "nobody can be asked: {}"],
    skipped: ["denied", "the person chose not to answer"],
    expired: ["unavailable", "nobody answered in time"],
    cancelled: ["cancelled", "the call was cancelled"],
    invalid: ["other", "the question is malformed: {}"],
  },
  approval: {
    denied: ["denied", "the person said no{}"],
    nobody: ["denied", "nobody can be asked for approval: {}"],
    undeclared: ["denied", "plugin.toml lists no such approval"],
    expired: ["denied", "nobody decided in time"],
    cancelled: ["cancelled", "the call was cancelled"],
  },
  output: {
    "too-large": ["other", "more than {} bytes at once"],
    full: ["other", "the quota for stored outputs is exhausted"],
    expired: ["other", "there is no such output, or it has expired"],
  },
  state: {
    "too-large": ["other", "the value is larger than {} bytes"],
    full: ["other", "the plugin's state is full"],
  },
  http: {
    denied: ["denied", "{}"],
    unreachable: ["unavailable", "no connection: {}"],
    "timed-out": ["unavailable", "the connection timed out"],
    "too-large": ["other", "the exchange is larger than {} bytes"],
    cancelled: ["cancelled", "the call was cancelled"],
    "unknown-outcome": ["other", "the request was sent, but its outcome is unknown"],
  },
};

export class StageError extends Error {
  constructor(call, thrown, value) {
    const [code, message] = CASES[call]?.[thrown] ?? ["other", "{}"];
    const shown = call === "approval" && thrown === "denied" && value ? `: ${value}` : (value ?? "");
    super(message.replace("{}", () => String(shown)));
    Object.assign(this, { name: "StageError", call, case: thrown, value, code });
  }
}

/** A widget: typed data, and how to draw it where nobody knows the type. */
export class Widget {
  constructor(name, data = null, { view = null, fallback = null } = {}) {
    Object.assign(this, { name, data, view, fallback });
  }

  /** Returns a widget; a component tree alone has the type `view`. */
  static of(shown) {
    return shown instanceof Widget ? shown : new Widget("view", null, { view: shown });
  }

  /** Returns the widget of the contract. */
  parts() {
    const data = JSON.stringify(this.data);
    const letters = [...data];
    const derived = letters.length > MAX_DERIVED ? `${letters.slice(0, MAX_DERIVED).join("")}…` : data;
    const fallback = this.fallback ?? (textOf(this.view) || (this.data === null ? this.name : derived));
    return { widget: this.name, data, fallback, view: this.view && JSON.stringify(this.view) };
  }
}

class Shown {
  #handle;

  constructor(handle) {
    this.#handle = handle;
  }

  get id() {
    return this.#handle.id();
  }

  update(widget) {
    this.#handle.update(Widget.of(widget).parts());
  }

  appendText(node, text) {
    this.#handle.appendText(node, text);
  }

  remove() {
    this.#handle.remove();
  }
}

class OutputWriter {
  #handle;

  constructor(handle) {
    this.#handle = handle;
  }

  write(content) {
    const bytes = typeof content === "string" ? encode(content) : content;
    for (let start = 0; start < bytes.length; start += CHUNK) this.#handle.write(bytes.slice(start, start + CHUNK));
  }

  finish() {
    return this.#handle.finish();
  }
}

class Bucket {
  #handle;

  constructor(handle) {
    this.#handle = handle;
  }

  get(key, otherwise = null) {
    const text = this.#handle.get(key);
    return text == null ? otherwise : JSON.parse(text);
  }

  set(key, value) {
    this.#handle.set(key, JSON.stringify(value));
  }

  remove(key) {
    this.#handle.set(key, null);
  }

  keys(prefix = "") {
    return this.#handle.keys(prefix);
  }

  update(key, change, otherwise = null) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const old = this.#handle.get(key) ?? null;
      const value = change(old === null ? otherwise : JSON.parse(old));
      if (this.#handle.swap(key, old, JSON.stringify(value))) return value;
    }
    throw new StageError("state", "other", `\`${key}\` is being changed by other calls; try again`);
  }
}

class Response {
  constructor({ status, headers, body }) {
    Object.assign(this, { status, headers, body });
  }

  ok() {
    if (this.status < 200 || this.status > 299) throw unavailable(`the server answered with status ${this.status}`);
    return this;
  }

  header(name) {
    return this.headers.find(([known]) => known === name.toLowerCase())?.[1];
  }

  text() {
    return new TextDecoder().decode(this.body);
  }

  json() {
    try {
      return JSON.parse(this.text());
    } catch (error) {
      throw unavailable(`the response is not JSON: ${error.message}`);
    }
  }
}

export class Stage {
  #backend;

  constructor(backend) {
    this.#backend = backend;
  }

  show(widget) {
    return new Shown(this.#backend.show(Widget.of(widget).parts()));
  }

  ask(prompt, ...fields) {
    return JSON.parse(this.#backend.ask(prompt, JSON.stringify(fields)));
  }

  confirm(prompt) {
    return this.ask(prompt, field.confirm("answer")).answer === "Yes";
  }

  choose(prompt, options) {
    return this.ask(prompt, field.select("choice", { options })).choice;
  }

  approve(action, { subject = "", reason = "", details } = {}) {
    this.#backend.request(action, subject, reason, details === undefined ? null : JSON.stringify(details));
  }

  output(title, content, metadata) {
    const writer = this.beginOutput(title, metadata);
    writer.write(content);
    return writer.finish();
  }

  beginOutput(title, { kind = "text", mimeType = "text/plain; charset=utf-8", meta } = {}) {
    return new OutputWriter(this.#backend.create(title, kind, mimeType, meta === undefined ? null : JSON.stringify(meta)));
  }

  readOutput(id, offset = 0, length = CHUNK) {
    return this.#backend.read(id, offset, length);
  }

  state(scope) {
    return new Bucket(this.#backend.bucket(scope));
  }

  http(method, url, { query = {}, headers = {}, body = new Uint8Array(), json } = {}) {
    const pairs = Object.entries(headers);
    if (json !== undefined) pairs.push(["content-type", "application/json"]);
    for (const [name, value] of Object.entries(query)) {
      url += `${url.includes("?") ? "&" : "?"}${encodeUri(name)}=${encodeUri(value)}`;
    }
    const sent = json === undefined ? body : encode(JSON.stringify(json));
    return new Response(this.#backend.fetch({ method, url, headers: pairs, body: sent }));
  }

  progress(message, done = null, total = null) {
    this.#backend.report(message, done, total);
  }

  log(level, message) {
    this.#backend.log(level, message);
  }

  settings() {
    return JSON.parse(this.#backend.settings());
  }

  get callId() {
    return this.#backend.callId();
  }

  get session() {
    return this.#backend.session();
  }

  get person() {
    return this.#backend.person();
  }

  get locale() {
    return this.#backend.locale();
  }

  get timezone() {
    return this.#backend.timezone();
  }

  get isCancelled() {
    return this.#backend.isCancelled();
  }

  ensureNotCancelled() {
    if (this.isCancelled) throw new Failure("cancelled", "the call was cancelled");
  }
}

/** Encodes every character that is not unreserved (RFC 3986). */
const encodeUri = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

const encode = (text) => new TextEncoder().encode(text);

/**
 * A stage with a script, for tests without a host.
 *
 * A tool's `run` is an ordinary function, so a test calls it. It scripts the replies to questions, approvals and requests
 * first, and looks at what the tool showed, stored and logged afterwards. A question without a reply fails the test, and
 * `finish` fails if a reply was not used. An approval or a host that `plugin.toml` does not list fails as in a host.
 */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { Stage, StageError } from "./stage.js";

/** The most widgets of one call, and the most bytes of a widget's data and of its view. */
const MAX_WIDGETS = 100;
const MAX_DATA = 256 * 1024;
const MAX_VIEW = 50_000;

/** Returns a stage with an empty script, which knows what the manifest beside the plugin lists. */
export const stage = () => new TestStage(new URL("../plugin.toml", import.meta.url));

export class TestStage extends Stage {
  #replies;
  #state;

  constructor(manifest) {
    const world = {
      replies: [],
      state: new Map(),
      settings: {},
      listed: existsSync(manifest) ? readFileSync(manifest, "utf8") : "",
    };
    const seen = { shown: [], asked: [], requested: [], outputs: new Map(), logs: [], reports: [], cancelled: false };
    super(backend(world, seen));
    Object.assign(this, seen);
    seen.stage = this;
    this.world = world;
    this.#replies = world.replies;
    this.#state = world.state;
  }

  /** Scripts the answers to the question with this prompt, by the names of its fields. */
  answers(prompt, answer) {
    return this.#script("question", prompt, answer);
  }

  /** Scripts that the person skips the question with this prompt. */
  skips(prompt) {
    return this.#script("question", prompt, new StageError("ask", "skipped"));
  }

  /** Scripts that the person approves this action once. */
  approves(action) {
    return this.#script("approval", action, null);
  }

  /** Scripts that the person denies this action once. */
  denies(action, comment) {
    return this.#script("approval", action, new StageError("approval", "denied", comment));
  }

  /** Scripts the response to one request. */
  responds(method, url, { status = 200, body = "" } = {}) {
    return this.#script("request", `${method} ${url}`, { status, headers: [], body: Buffer.from(body) });
  }

  /** Scripts that one request fails, with a case of the contract such as `unreachable`. */
  fails(method, url, errorCase, value) {
    return this.#script("request", `${method} ${url}`, new StageError("http", errorCase, value));
  }

  /** Sets the person's settings. */
  withSettings(settings) {
    this.world.settings = settings;
    return this;
  }

  /** Sets a value of the plugin's state. */
  withState(scope, key, value) {
    this.#state.set(`${scope}/${key}`, JSON.stringify(value));
    return this;
  }

  /** Returns a value of the plugin's state. */
  stateValue(scope, key) {
    const text = this.#state.get(`${scope}/${key}`);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** Fails if a reply was not used. */
  finish() {
    assert.deepEqual(this.#replies.map(({ what, name }) => `the ${what} "${name}"`), [], "some replies were not used");
  }

  #script(what, name, reply) {
    this.#replies.push({ what, name, reply });
    return this;
  }
}

/** What a host does, as far as a test can observe it. */
function backend(world, seen) {
  const reply = (what, name) => {
    const index = world.replies.findIndex((line) => line.what === what && line.name === name);
    assert.ok(index >= 0, `the script has no reply to the ${what} "${name}"`);
    const [line] = world.replies.splice(index, 1);
    if (line.reply instanceof Error) throw line.reply;
    return line.reply;
  };
  const lists = (key, value) => world.listed.includes(`${key} = ${JSON.stringify(value)}`);
  const act = (call, errorCase, value) => {
    if (seen.stage.cancelled) throw new StageError(call, errorCase, value);
  };
  return {
    show(parts) {
      act("display", "gone");
      if (seen.shown.length === MAX_WIDGETS) throw new StageError("display", "too-many", MAX_WIDGETS);
      const widget = read(parts);
      seen.shown.push(widget);
      return handle(seen, widget, act);
    },
    ask(prompt, fields) {
      act("ask", "cancelled");
      const parsed = JSON.parse(fields);
      seen.asked.push({ prompt, fields: parsed });
      const answer = reply("question", prompt);
      for (const { name, required } of parsed) {
        assert.ok(required === false || name in answer, `the scripted answer to "${prompt}" has no \`${name}\``);
      }
      return JSON.stringify(answer);
    },
    request(action, subject, reason, details) {
      act("approval", "cancelled");
      assert.ok(lists("action", action), `plugin.toml does not list the approval: add\n[[approval]]\naction = "${action}"`);
      seen.requested.push({ action, subject, reason, details: details && JSON.parse(details) });
      reply("approval", action);
    },
    create: (title, kind, mimeType) => {
      const parts = [];
      return {
        write: (bytes) => parts.push(bytes),
        finish() {
          const id = `out_${seen.outputs.size}`;
          seen.outputs.set(id, { title, kind, mimeType, content: Buffer.concat(parts) });
          return id;
        },
      };
    },
    read(id, offset, length) {
      if (!seen.outputs.has(id)) throw new StageError("output", "expired");
      return seen.outputs.get(id).content.subarray(offset, offset + length);
    },
    bucket: (scope) => {
      const place = (key) => `${scope}/${key}`;
      const set = (key, value) => {
        act("state", "other", "the call was cancelled");
        if (value === null) world.state.delete(place(key));
        else world.state.set(place(key), value);
      };
      return {
        get: (key) => world.state.get(place(key)) ?? null,
        set,
        swap(key, expected, value) {
          const isSame = (world.state.get(place(key)) ?? null) === expected;
          if (isSame) set(key, value);
          return isSame;
        },
        keys: (prefix) =>
          [...world.state.keys()].filter((key) => key.startsWith(place(prefix))).map((key) => key.slice(scope.length + 1)).sort(),
      };
    },
    fetch({ method, url }) {
      act("http", "cancelled");
      const { hostname } = new URL(url);
      const parents = hostname.split(".").map((_, index, parts) => `*.${parts.slice(index + 1).join(".")}`);
      const isListed = [hostname, ...parents].some((host) => lists("host", host));
      assert.ok(isListed, `plugin.toml does not list the host: add\n[[net]]\nhost = "${hostname}"`);
      return reply("request", `${method} ${url}`);
    },
    report: (message, done, total) => seen.reports.push(done === null ? message : `${message} (${done} of ${total})`),
    log: (level, message) => seen.logs.push({ level, message }),
    settings: () => JSON.stringify(world.settings),
    callId: () => "call_test",
    session: () => "session_test",
    person: () => "person_test",
    locale: () => "en-GB",
    timezone: () => "Etc/UTC",
    isCancelled: () => seen.stage.cancelled,
  };
}

/** Reads a widget with the checks of a host. */
function read({ widget, data, fallback, view }) {
  for (const [text, most] of [[data, MAX_DATA], [view ?? "", MAX_VIEW]]) {
    if (Buffer.byteLength(text) > most) throw new StageError("display", "too-large", most);
  }
  return { name: widget, data: JSON.parse(data), fallback, view: view && JSON.parse(view) };
}

/** The handle of a widget that is shown. */
function handle(seen, widget, act) {
  const ensureShown = () => {
    act("display", "gone");
    if (!seen.shown.includes(widget)) throw new StageError("display", "gone");
  };
  const find = (node, id) => {
    if (typeof node !== "object" || node === null) return null;
    if (node.id === id && typeof node.value === "string") return node;
    return [node.children ?? []].flat().map((child) => find(child, id)).find(Boolean) ?? null;
  };
  return {
    id: () => "widget_test",
    update(parts) {
      ensureShown();
      Object.assign(widget, read(parts));
    },
    appendText(id, text) {
      ensureShown();
      const node = find(widget.view, id);
      if (!node) throw new StageError("display", "other", `the view has no text with the id \`${id}\``);
      node.value += text;
    },
    remove() {
      ensureShown();
      seen.shown.splice(seen.shown.indexOf(widget), 1);
    },
  };
}

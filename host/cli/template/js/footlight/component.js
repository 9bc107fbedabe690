// The entry of the component: connects `plugin.js` with the host. It runs in a component only.

import * as approval from "footlight:plugin/approval@0.1.0";
import * as ask from "footlight:plugin/ask@0.1.0";
import * as config from "footlight:plugin/config@0.1.0";
import * as displayWidget from "footlight:plugin/display-widget@0.1.0";
import * as http from "footlight:plugin/http@0.1.0";
import * as log from "footlight:plugin/log@0.1.0";
import * as output from "footlight:plugin/output@0.1.0";
import * as progress from "footlight:plugin/progress@0.1.0";
import * as state from "footlight:plugin/state@0.1.0";
import plugin from "../plugin.js";
import { Stage, StageError, failureOf } from "./index.js";

/** Calls the host, and throws its error as one of the stage's. */
const calling = (interfaceName, call) => {
  try {
    return call();
  } catch (thrown) {
    const error = thrown?.payload ?? thrown;
    if (typeof error?.tag !== "string") throw thrown;
    throw new StageError(interfaceName, error.tag, error.val);
  }
};

const shown = (handle) => ({
  id: () => handle.id(),
  update: (widget) => calling("display", () => handle.update(widget)),
  appendText: (node, text) => calling("display", () => handle.appendText(node, text)),
  remove: () => calling("display", () => handle.remove()),
});

const writer = (handle) => ({
  write: (bytes) => calling("output", () => handle.write(bytes)),
  finish: () => calling("output", () => output.Writer.finish(handle)),
});

const bucket = (handle) => ({
  get: (key) => calling("state", () => handle.get(key)),
  set: (key, value) => calling("state", () => handle.set(key, value)),
  swap: (key, expected, value) => calling("state", () => handle.swap(key, expected, value)),
  keys: (prefix) => calling("state", () => handle.keys(prefix)),
});

const backend = (stage) => ({
  show: (widget) => shown(calling("display", () => displayWidget.show(stage, widget))),
  ask: (prompt, fields) => calling("ask", () => ask.ask(stage, prompt, fields)),
  request: (...request) => calling("approval", () => approval.request(stage, ...request)),
  create: (...metadata) => writer(calling("output", () => output.create(stage, ...metadata))),
  read: (id, offset, length) => calling("output", () => output.read(stage, id, offset, length)),
  bucket: (scope) => bucket(scope === "session" ? state.session(stage) : state.person(stage)),
  fetch: (request) => calling("http", () => http.fetch(stage, request)),
  report: (message, done, total) => progress.report(stage, message, done, total),
  log: (level, message) => log.write(level, message),
  settings: () => config.settings(),
  callId: () => stage.callId(),
  session: () => stage.session(),
  person: () => stage.person(),
  locale: () => stage.locale(),
  timezone: () => stage.timezone(),
  isCancelled: () => stage.isCancelled(),
});

const reporting = (run) => {
  try {
    return run();
  } catch (error) {
    throw failureOf(error, (text) => log.write("error", text));
  }
};

export const tools = {
  describe: () => plugin.describe(),
  assess: (tool, input) => reporting(() => plugin.assess(tool, input)),
  run: (stage, tool, input) => reporting(() => plugin.run(new Stage(backend(stage)), tool, input).outcome()),
};

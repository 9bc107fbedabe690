// Tests that need no host: `npm test`.

import assert from "node:assert/strict";
import test from "node:test";
import * as testing from "./footlight/testing.js";
import { count, greet } from "./plugin.js";

test("greeting names the person", () => {
  assert.equal(greet.run({ name: "Ada" }), "Hello, Ada!");
});

test("counter is kept and shown", () => {
  const stage = testing.stage().withState("person", "total", 4);
  assert.equal(count.run({ by: 2 }, stage), "6 so far.");
  assert.equal(stage.stateValue("person", "total"), 6);
  assert.equal(stage.shown[0].fallback, "6 so far\n[One more]");
  stage.finish();
});

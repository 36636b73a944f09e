// The cursor over a trace, without a page: node --test tests/widgets/state.test.mjs
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const source = readFileSync(new URL("../../course/widgets/static/state.js", import.meta.url), "utf8");
const { asking, clamp, keyAction, reduce } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

const state = (more = {}) => ({ index: 0, total: 6, asks: {}, answers: {}, ...more });
const run = (from, ...types) => types.reduce((now, type) => reduce(now, typeof type === "string" ? { type } : type), from);

test("next and back walk all steps and stop at the ends", () => {
  const seen = [0, 1, 2, 3, 4, 5].map((n) => run(state(), ...Array(n).fill("next")).index);
  assert.deepEqual(seen, [0, 1, 2, 3, 4, 5]);
  assert.equal(run(state(), ...Array(9).fill("next")).index, 5);
  assert.equal(run(state({ index: 5 }), ...Array(9).fill("back")).index, 0);
});

test("first, last and go jump", () => {
  assert.equal(run(state(), "last").index, 5);
  assert.equal(run(state({ index: 3 }), "first").index, 0);
  assert.equal(run(state(), { type: "go", index: 4 }).index, 4);
});

test("an index that is none becomes one", () => {
  for (const [given, wanted] of [[-1, 0], [99, 5], [2.5, 0], [NaN, 0], [undefined, 0], ["3", 0]]) assert.equal(clamp(given, 6), wanted);
  assert.equal(clamp(3, 0), 0);
});

test("next waits at a question until it is answered or waived; jumping does not", () => {
  const held = state({ index: 2, asks: { 2: "who" } });
  assert.equal(asking(held), true);
  assert.equal(run(held, "next").index, 2);
  assert.equal(run(held, "last").index, 5);
  for (const choice of [0, 1, -1]) assert.equal(run(held, { type: "answer", id: "who", choice }, "next").index, 3);
});

test("the first answer stands", () => {
  const answered = run(state({ asks: { 0: "who" } }), { type: "answer", id: "who", choice: 1 }, { type: "answer", id: "who", choice: 0 });
  assert.equal(answered.answers.who, 1);
});

test("a step changes nothing it was given, and an unknown action nothing at all", () => {
  const before = Object.freeze(state({ answers: Object.freeze({}), asks: Object.freeze({ 0: "who" }) }));
  assert.equal(run(before, { type: "answer", id: "who", choice: 1 }).answers.who, 1);
  assert.deepEqual(before.answers, {});
  assert.equal(run(before, "jump"), before);
});

test("four keys act, all others do not", () => {
  assert.deepEqual(["ArrowLeft", "ArrowRight", "Home", "End"].map(keyAction), ["back", "next", "first", "last"]);
  for (const key of ["ArrowUp", "b", "Enter", "constructor"]) assert.equal(keyAction(key), undefined);
});

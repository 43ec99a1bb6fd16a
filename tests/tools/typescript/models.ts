// The tools of the example support.weave, as libraries of models are given them: what they say of themselves, and what becomes of calls.

import assert from "node:assert/strict";
import * as $w from "./gen/_weave/index.js";
import * as station from "./gen/station/index.js";
import * as support from "./gen/support/index.js";
import { Effect, type UaiTool, type WarlockConfig, uaiDescriptor, uaiExecute, warlockSchema, warlockTool } from "./libraries.js";

const desk: Pick<support.tools.Service, "refund" | "remember"> = {
  refund: ({ orderId, amount }, { errors, signal }) => {
    signal.throwIfAborted();
    if (orderId === "declined") {
      throw errors.cardDeclined({ reason: "stolen" });
    }
    return { refundId: `r_${amount}` };
  },
  remember: () => undefined,
};
const bound = support.tools.allTools({ ...desk, findOrder: () => assert.fail("nobody asks for it") });
const [good, declined, wrong] = [
  { order_id: "A-1", amount: "1" },
  { order_id: "declined", amount: "1" },
  { order_id: "A-1" },
];
const schema = bound.find((tool) => tool.name === "refund")?.definition.input.schema;
const stopped = AbortSignal.abort();
const cancelled = { kind: "cancelled" };

const agents = $w.openAIAgentsTools((options) => ({ ...options, made: true }), bound);
assert.deepEqual(
  agents.map(({ name, made, strict }) => [name, made, strict]),
  // Strict mode knows no format "decimal".
  [
    ["find_order", true, true],
    ["refund", true, false],
    ["remember", true, true],
  ],
);
const [, refund, remember] = agents;
assert.ok(refund !== undefined && remember !== undefined);
assert.deepEqual(refund.parameters, schema);
assert.equal(await refund.execute(good, {}), '{"refund_id":"r_1"}');
assert.equal(
  await refund.execute(declined, {}),
  '{"failure":{"code":"card_declined","data":{"reason":"stolen"},"kind":"execution_error","message":"card_declined"}}',
);
assert.equal(await refund.execute(wrong, {}), '{"failure":{"kind":"invalid_input","message":"/amount: is missing"}}');
await assert.rejects(refund.execute(good, {}, { signal: stopped }), cancelled);
assert.equal(await remember.execute({ preferences: [] }, {}), "null");

const claude = $w.anthropicTools(bound).find((tool) => tool.name === "refund");
assert.ok(claude !== undefined);
assert.deepEqual([claude.input_schema, claude.parse(good)], [schema, good]);
assert.equal(await claude.run(good), '{"refund_id":"r_1"}');
await assert.rejects(async () => claude.run(declined), { code: "card_declined" });
await assert.rejects(async () => claude.run(wrong), { message: "/amount: is missing" });
await assert.rejects(async () => claude.run(good, { signal: stopped }), cancelled);

const ai = $w.aiTools(bound);
assert.deepEqual(Object.keys(ai), ["find_order", "refund", "remember"]);
const standard = ai["refund"]?.inputSchema["~standard"];
assert.deepEqual([standard?.jsonSchema.input(), standard?.validate(wrong)], [schema, { value: wrong }]);
assert.deepEqual(await ai["refund"]?.execute(good, {}), { refund_id: "r_1" });
await assert.rejects(async () => ai["refund"]?.execute(declined, {}), { code: "card_declined" });
await assert.rejects(async () => ai["refund"]?.execute(good, { abortSignal: stopped }), cancelled);

// Names of toolkits and titles are told, too.
assert.deepEqual(
  $w.anthropicTools(support.tools.deskTools({ findOrder: () => assert.fail("nobody asks for it") })).map(({ name }) => name),
  ["desk__find_order"],
);
const base = { listStages: () => [], findPad: () => null, countDown: () => ({ done: true }), checkWeather: () => "", launch: () => ({ at: "" }) };
assert.equal($w.aiTools(station.tools.allTools(base))["count_down"]?.title, "Countdown");

const rocket = station.tools.allTools({
  ...base,
  countDown: ({ from }, { attach, emit, errors }) => {
    if (from === 9) {
      throw errors.unavailable("too early");
    }
    for (let left = from; left >= 0; left -= 1) {
      emit({ progress: from - left, total: from, message: `T-${String(left)}` });
    }
    attach({ log: "fine" });
    return { done: true };
  },
});
const countdown = rocket.find((tool) => tool.name === "count_down")?.definition.input.schema;
const outside = "must not be less than 1";

const spells = $w.warlockTools(warlockTool, rocket);
const listed: readonly WarlockConfig[] = spells;
assert.deepEqual(
  listed.map(({ name, description, mode }) => [name, description !== "", mode]),
  ["list_stages", "find_pad", "count_down", "check_weather", "launch"].map((name) => [name, true, "feedback"]),
);
const spell = spells.find((tool) => tool.name === "count_down");
assert.ok(spell !== undefined);
assert.deepEqual([warlockSchema(spell), spell.version, spell.meta], [countdown, "3", { label: "Countdown" }]);
const artifacts: Record<string, unknown> = { kept: 1 };
assert.deepEqual(await spell.invoke({ from: 2 }, { artifacts }), { data: { done: true } });
assert.deepEqual(artifacts, { kept: 1, log: "fine" });
assert.deepEqual(await spell.invoke({ from: 2 }), { data: { done: true } });
assert.deepEqual(await spell.invoke({ from: 0 }), { error: outside });
assert.deepEqual(await spell.invoke({ from: 9 }), { error: "too early" });
assert.deepEqual(await spell.invoke({ from: 1 }, { artifacts, signal: stopped }), { error: "the call was cancelled" });
const payBack = $w.warlockTools(warlockTool, bound).find((tool) => tool.name === "refund");
assert.ok(payBack !== undefined && typeof payBack.action === "function");
assert.deepEqual([payBack.action(good), payBack.action(wrong)], ["Refunding 1", "refund"]);
// Arguments have other names in TypeScript than in JSON, and are read once.
assert.deepEqual(await payBack.invoke(good), { data: { refund_id: "r_1" } });
assert.deepEqual(await payBack.invoke(declined), { error: "card_declined" });

const toolkit: readonly UaiTool<unknown, unknown, unknown>[] = $w.effectTools(Effect, rocket);
const local = toolkit.find((tool) => tool.name === "count_down");
assert.ok(local !== undefined);
const description = "Counts down to zero.";
assert.deepEqual(uaiDescriptor(local), { name: "count_down", description, strict: true, inputSchema: countdown });
assert.deepEqual(await uaiExecute(local, '{"from":1}'), {
  output: '{"done":true}',
  events: [
    { progress: 0, total: 1, message: "T-1" },
    { progress: 1, total: 1, message: "T-0" },
  ],
});
assert.deepEqual(await uaiExecute(local, '{"from":0}'), { error: [{ message: outside, path: ["from"] }], events: [] });
const early = await uaiExecute(local, '{"from":9}');
assert.ok(early.error instanceof $w.ToolFailure && early.error.kind === "unavailable");
const late = await uaiExecute(local, '{"from":1}', stopped);
assert.ok(late.error instanceof $w.ToolFailure && late.error.kind === "cancelled");
// The decimal of a refund is nothing that a strict mode knows.
assert.deepEqual(
  $w.effectTools(Effect, bound).map(({ name, strict }) => [name, strict]),
  [
    ["find_order", true],
    ["refund", false],
    ["remember", true],
  ],
);

console.log("the tools are what libraries take");

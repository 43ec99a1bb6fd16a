// The tools of the example support.weave, as libraries of models are given them: what they say of themselves, and what becomes of calls.

import assert from "node:assert/strict";
import * as $w from "./gen/_weave/index.js";
import * as station from "./gen/station/index.js";
import * as support from "./gen/support/index.js";

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

console.log("the tools are what libraries take");

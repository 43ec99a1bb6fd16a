// Puts together what the packages that are named build, and what stands here, and prints the definitions; then makes all the mistakes that a
// builder sees when it runs.

import * as w from "./gen/_weave/builder.js";
import { topics as builtIn } from "./gen/_weave/topics.js";
import { agents, tools, topics, types } from "./gen/support/parts.js";

/** `greet.weave`, written by hand. */
function greet(): w.Workflow {
  const flow = w.workflow("greet", { input: { name: w.t.string() } });
  flow.step("ask", { do: w.emit(builtIn.aiRequest, { prompt: w.text`greet the traveler warmly: ${flow.input.at("name")}` }) });
  flow.step("speak", {
    on: builtIn.aiResponse,
    do: w.emit(builtIn.toolDispatch, { name: "speak", text: w.response.at("text") }),
  });
  flow.end("done", { on: builtIn.toolResult });
  return flow;
}

/** `support.weave`, written by hand. */
function support(): w.Workflow {
  const flow = w.workflow("support", { input: { ticket: types.Ticket }, output: types.Resolution });
  const ticket = flow.input.at("ticket");
  const resolved = (status: string, detail: w.Value): w.Value => ({ status, detail });

  const triage = flow.step("triage", { do: w.ask(agents.triager, { ticket }) });
  const intent = triage.at("intent").as("string");
  const lookup = flow.step("lookup", {
    on: w.when(triage, w.and(w.ne(triage.at("order_id").as("string"), null), w.eq(intent, "refund"))),
    do: w.call(tools.findOrder, { order_id: triage.at("order_id") }),
  });
  const answer = flow.step("answer", {
    on: w.when(triage, w.eq(intent, "question")),
    do: w.ask(agents.writer, { question: ticket.at("body") }),
  });
  flow.end("unclear", { on: w.otherwise(triage), output: resolved("escalated", "no automatic answer") });
  const approve = flow.step("approve", {
    on: w.when(lookup, w.gt(lookup.at("total").as("decimal"), "100")),
    do: w.emit(topics.approvalRequested, { order: lookup.answer, amount: lookup.at("total") }),
  });
  const pay = flow.step("pay", {
    on: [w.otherwise(lookup), w.answer(topics.approvalGranted, approve)],
    do: w.call(tools.refund, { order_id: lookup.at("id"), amount: lookup.at("total") }),
  });
  flow.end("refunded", { on: pay, output: resolved("refunded", w.text`order ${lookup.at("id")}`) });
  flow.end("denied", {
    on: w.answer(topics.approvalDenied, approve),
    output: resolved("denied", w.event.at("reason")),
  });
  flow.end("late", { on: w.timedOut(approve, { hours: 24 }), output: resolved("denied", "nobody answered") });
  flow.end("declined", {
    on: w.when(w.failed(pay), w.eq(w.failure.at("code").as("string"), "card_declined")),
    output: resolved("denied", w.failure.at("data", "reason")),
  });
  flow.end("answered", { on: answer, output: resolved("answered", answer.at("text")) });
  flow.end("handed", { on: w.called(tools.escalate, answer), output: resolved("escalated", w.event.at("reason")) });
  return flow;
}

function mistakes(): Readonly<Record<string, () => unknown>> {
  const wait = w.wait({ seconds: 1 });
  const flow = w.workflow("mistakes");
  const one = flow.step("one", { do: wait });
  const other = w.workflow("other");
  return {
    "`two words` is not a name": () => w.workflow("two words"),
    "`1st` is not a name": () => flow.step("1st", { do: wait }),
    "`one` is the name of two nodes": () => flow.step("one", { do: wait }),
    "`event` is reserved and cannot be the name of a step": () => flow.step("event", { do: wait }),
    "what `one` does has been said already": () => one.is({ do: wait }),
    "`one` is a step of `mistakes`, not of `other`": () => other.end("done", { on: one }),
    "the limit of `often` is 0, and it is 1 at least": () => flow.step("often", { do: wait, limit: 0 }),
    "3 of 1 steps cannot be": () => w.someOf(3, [one]),
    "a trigger has one condition at most": () => w.otherwise(w.when(one, w.eq(true, true))),
    "`empty` has no nodes, and a workflow has one at least": () => w.workflow("empty").definition(),
    "`endless` has neither an end nor a fail, so no run of it comes to an end": () => {
      const endless = w.workflow("endless");
      endless.step("again", { do: wait });
      return endless.definition();
    },
    "nobody has said what `later` does": () => {
      const late = w.workflow("late");
      late.step("later");
      return late.definition();
    },
    "`call` of `find_order` lacks `order_id`": () => w.call(tools.findOrder, {} as { order_id: string }),
    "`find_order` has no parameter `order`, it has `order_id`": () =>
      w.call(tools.findOrder, { order_id: "A-17", order: "A-17" } as { order_id: string }),
  };
}

function told(): Record<string, string> {
  const told: Record<string, string> = {};
  for (const [expected, mistake] of Object.entries(mistakes())) {
    try {
      mistake();
      told[expected] = "nothing was thrown";
    } catch (error) {
      told[expected] = error instanceof w.BuilderError ? error.message : `something else was thrown: ${String(error)}`;
    }
  }
  return told;
}

async function built(packages: readonly string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of packages) {
    const programs = (await import(`./gen/${name}/builders.js`)) as Record<string, () => w.Workflow>;
    for (const program of Object.values(programs)) {
      const flow = program();
      found[`${name}/${flow.name}`] = flow.canonical();
      found[`${name}/${flow.name} digest`] = await flow.digest();
    }
  }
  return found;
}

const printed = {
  built: await built(process.argv.slice(2)),
  byHand: { "greet/greet": greet().canonical(), "support/support": support().canonical() },
  mistakes: told(),
};
console.log(JSON.stringify(printed));

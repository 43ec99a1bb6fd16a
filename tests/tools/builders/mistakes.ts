import * as w from "./gen/_weave/builder.js";
import { topics as builtIn } from "./gen/_weave/topics.js";
import { agents, errors, tools, topics, types, workflows } from "./gen/support/parts.js";
import { prompts } from "./gen/support/prompts.js";
import { support } from "./gen/support/workflows.js";

const flow = w.workflow("mistakes", { input: { ticket: types.Ticket } });
const lookup = flow.step("lookup", { do: w.wait({ seconds: 1 }) });
const seen = (node: keyof typeof support.nodes, ...names: (keyof typeof prompts)[]): unknown[] => [node, names];
// here

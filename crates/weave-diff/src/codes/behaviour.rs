//! Changes of what workflows do.

super::kinds! {
    Behaviour;
    /// A new node.
    NODE_ADDED = "node-added" Warning
    "A workflow has a new node."
    "The workflow does something in addition."
    r#"tool find(id: string) -> string

workflow look(id: string) {
  step one { call find { id: .input.id } }
  end done on one
}
"# => r#"tool find(id: string) -> string

workflow look(id: string) {
  step one { call find { id: .input.id } }
  end done on one
  end not_found on failure(one)
}
"#;
    /// A node that is gone.
    NODE_REMOVED = "node-removed" Warning
    "A node of a workflow was removed."
    "The workflow no longer does something. If runs may wait at the node, `wait-lost` reports that too."
    r#"tool find(id: string) -> string

workflow look(id: string) {
  step one { call find { id: .input.id } }
  end done on one
  end not_found on failure(one)
}
"# => r#"tool find(id: string) -> string

workflow look(id: string) {
  step one { call find { id: .input.id } }
  end done on one
}
"#;
    /// A node with another name.
    NODE_RENAMED = "node-renamed" Warning
    "A node was probably renamed."
    "A node was removed, and a new one does the same on the same triggers. Logs and requests refer to a node by its name, and the name of a `fail` is the failure code."
    r#"tool find(id: string) -> string

workflow look(id: string) {
  step one { call find { id: .input.id } }
  end done on one
}
"# => r#"tool find(id: string) -> string

workflow look(id: string) {
  step first { call find { id: .input.id } }
  end done on first
}
"#;
    /// The order of a choice.
    NODE_ORDER_CHANGED = "node-order-changed" Warning
    "The nodes of a choice are evaluated in a different order."
    "The first node whose guard is true fires, so if two guards are true for the same value, a different node fires than before. If only the order of nodes outside choices changed, the level is a note: nodes that fire together then start in a different order."
    r#"workflow sort(total: int, urgent: bool) -> string {
  end big on start when .input.total > 100 = "big"
  end urgent on start when .input.urgent = "urgent"
  end small on start else = "small"
}
"# => r#"workflow sort(total: int, urgent: bool) -> string {
  end urgent on start when .input.urgent = "urgent"
  end big on start when .input.total > 100 = "big"
  end small on start else = "small"
}
"#;
    /// Another trigger.
    TRIGGER_CHANGED = "trigger-changed" Warning
    "The triggers of a node changed."
    "It fires at other times than before."
    r#"tool one() -> string
tool two() -> string

workflow both() {
  step first { call one {} }
  step second on first { call two {} }
  end done on second
}
"# => r#"tool one() -> string
tool two() -> string

workflow both() {
  step first { call one {} }
  step second on first | failure(first) { call two {} }
  end done on second
}
"#;
    /// Another guard.
    GUARD_CHANGED = "guard-changed" Warning
    "The guard of a node changed."
    "The node fires for other values than before. Only the meaning of a condition is compared, not how it is written."
    r#"workflow sort(total: int) -> string {
  end big on start when .input.total > 100 = "big"
  end small on start else = "small"
}
"# => r#"workflow sort(total: int) -> string {
  end big on start when .input.total > 500 = "big"
  end small on start else = "small"
}
"#;
    /// Another action.
    ACTION_CHANGED = "action-changed" Warning
    "The action of a node changed."
    "It calls another tool, asks another agent, emits another topic, waits for other events, or ends the run differently."
    r#"tool one() -> string
tool two() -> string

workflow work() {
  step first { call one {} }
  end done on first
}
"# => r#"tool one() -> string
tool two() -> string

workflow work() {
  step first { call two {} }
  end done on first
}
"#;
    /// Another payload.
    PAYLOAD_CHANGED = "payload-changed" Warning
    "The payload or the output of a node changed."
    "The arguments, the payload, the output or the message are built differently."
    r#"workflow greet(name: string) -> string {
  end done = "Hello, {{.input.name}}!"
}
"# => r#"workflow greet(name: string) -> string {
  end done = "Welcome, {{.input.name}}!"
}
"#;
    /// Another limit.
    LIMIT_CHANGED = "limit-changed" Warning
    "The firing limit of a node changed."
    "A loop ends earlier or later than before, and costs less or more."
    r#"tool try() -> string

workflow work() {
  step first on start | failure(first) limit 3 { call try {} }
  end done on first
  end lost on failure
}
"# => r#"tool try() -> string

workflow work() {
  step first on start | failure(first) limit 5 { call try {} }
  end done on first
  end lost on failure
}
"#;
    /// Another length of time.
    TIMEOUT_CHANGED = "timeout-changed" Warning
    "A time limit or a delay changed."
    "A slow step fails earlier or later than before. Timers that are already set keep their duration."
    r#"tool find(id: string) -> string { timeout 10s }

workflow look(id: string) {
  step one { call find { id: .input.id } }
  end done on one
}
"# => r#"tool find(id: string) -> string { timeout 30s }

workflow look(id: string) {
  step one { call find { id: .input.id } }
  end done on one
}
"#;
    /// Other attempts.
    RETRY_CHANGED = "retry-changed" Warning
    "The retries of a step changed."
    "Intermittent failures become permanent more or less often, and a call that is not safe to repeat is repeated a different number of times."
    r#"tool find(id: string) -> string { retry 2 { base 1s } }

workflow look(id: string) {
  step one { call find { id: .input.id } }
  end done on one
}
"# => r#"tool find(id: string) -> string { retry 4 { base 1s } }

workflow look(id: string) {
  step one { call find { id: .input.id } }
  end done on one
}
"#;
    /// Another fan-out.
    FAN_OUT_CHANGED = "fan-out-changed" Warning
    "The fan-out of a node changed."
    "It processes another list, or a different number of elements may be open at a time or must succeed."
    r#"tool fetch(url: string) -> string

workflow load(urls: string[]) {
  step all each .input.urls as url parallel 4 { call fetch { url: .url } }
  end done on all
}
"# => r#"tool fetch(url: string) -> string

workflow load(urls: string[]) {
  step all each .input.urls as url parallel 8 { call fetch { url: .url } }
  end done on all
}
"#;
    /// Another agent.
    AGENT_CHANGED = "agent-changed" Warning
    "The model, the instructions or the limits of an agent changed."
    "It may answer differently; run your evaluations again."
    r#"agent writer(text: string) -> string { model nano, system "Answer briefly." }

workflow answer(text: string) -> string {
  step one { ask writer { text: .input.text } }
  end done on one = .one
}
"# => r#"agent writer(text: string) -> string { model mini, system "Answer briefly." }

workflow answer(text: string) -> string {
  step one { ask writer { text: .input.text } }
  end done on one = .one
}
"#;
    /// Other tools for an agent.
    OFFERED_TOOLS_CHANGED = "offered-tools-changed" Warning
    "The tools of an agent changed."
    "The model can call tools that it could not call before, or lacks tools that it had. The names are those that the model sees, with their namespaces."
    r#"tool find(id: string) -> string
tool note(text: string)

agent clerk(id: string) -> string { model mini, system "Help.", tools [find], max_turns 3 }

workflow help(id: string) -> string {
  step one { ask clerk { id: .input.id } }
  end done on one = .one
}
"# => r#"tool find(id: string) -> string
tool note(text: string)

agent clerk(id: string) -> string { model mini, system "Help.", tools [find, note], max_turns 3 }

workflow help(id: string) -> string {
  step one { ask clerk { id: .input.id } }
  end done on one = .one
}
"#;
    /// Another prompt.
    PROMPT_CHANGED = "prompt-changed" Warning
    "The text of a prompt changed."
    "The model reads something else than before; run your evaluations again."
    r#"prompt brief(text: string) "Answer in a word: {{.text}}"

agent writer(text: string) -> string { model nano, prompt brief }

workflow answer(text: string) -> string {
  step one { ask writer { text: .input.text } }
  end done on one = .one
}
"# => r#"prompt brief(text: string) "Answer in a sentence: {{.text}}"

agent writer(text: string) -> string { model nano, prompt brief }

workflow answer(text: string) -> string {
  step one { ask writer { text: .input.text } }
  end done on one = .one
}
"#;
    /// Other settings of a tool.
    TOOL_CHANGED = "tool-changed" Warning
    "A setting of a tool changed."
    "This concerns who executes it, when it needs approval, what the model sees of its result, its hints, or what the host knows about it."
    r#"tool pay(amount: decimal) -> string { approval always }

workflow buy(amount: decimal) {
  step one { call pay { amount: .input.amount } }
  end done on one
}
"# => r#"tool pay(amount: decimal) -> string { approval when .amount > 100 }

workflow buy(amount: decimal) {
  step one { call pay { amount: .input.amount } }
  end done on one
}
"#;
    /// Another version of a child.
    CHILD_CHANGED = "child-changed" Warning
    "A workflow runs another version of a child workflow."
    "A definition pins its children by digest. This is reported only if the child itself is not part of the comparison, as here, where only the file of the parent is compared; otherwise the changes of the child are reported."
    r#"import { bill } from "./bill.weave"

workflow order(id: string) {
  step pay { run bill { id: .input.id } }
  end done on pay
}

// file: bill.weave
workflow bill(id: string) {
  end done
}
"# => r#"import { bill } from "./bill.weave"

workflow order(id: string) {
  step pay { run bill { id: .input.id } }
  end done on pay
}

// file: bill.weave
tool note(id: string)

workflow bill(id: string) {
  step one { call note { id: .input.id } }
  end done on one
}
"#;
}

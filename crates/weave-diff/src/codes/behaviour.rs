//! Changes of what workflows do.

super::kinds! {
    Behaviour;
    /// A new node.
    NODE_ADDED = "node-added" Warning
    "A workflow has a new node."
    "Something more happens than before."
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
    "A node of a workflow is gone."
    "Something that happened does not happen any more. If runs may wait at the node, `wait-lost` says so too."
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
    "A node seems to have another name."
    "A node is gone, and another one that does the same on the same triggers is new. Logs and requests know a node by its name, and of a `fail` the name is the code that is reported."
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
    "The nodes of a choice are asked in another order."
    "The first node whose guard is true fires, so where two guards are true of one value, another node fires than before. If only the order of nodes outside of choices changed, the level is a note: \
     what fires at once then begins in another order."
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
    "A node listens to something else."
    "It fires at other moments than before."
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
    "The guard of a node is another one."
    "The node fires for other values than before. How a condition is written does not matter: only what it means is compared."
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
    "A node does something else."
    "It calls another tool, asks another agent, emits another topic, waits for other events, or ends the run in another way."
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
    "A node sends something else, or ends the run with something else."
    "The arguments, the payload, the output or the message are made in another way than before."
    r#"workflow greet(name: string) -> string {
  end done = "Hello, {{.input.name}}!"
}
"# => r#"workflow greet(name: string) -> string {
  end done = "Welcome, {{.input.name}}!"
}
"#;
    /// Another limit.
    LIMIT_CHANGED = "limit-changed" Warning
    "A node may fire more often or less often in a run."
    "A loop ends sooner or later than before, and costs accordingly."
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
    "Something may take longer, or less long, or waits for another time."
    "What is slow fails sooner or later than before. A timer that is already set keeps its length."
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
    "Something is tried again more often, less often, or after other pauses."
    "What fails now and then fails more often or less often for good, and what is not safe to repeat is repeated another number of times."
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
    "A node goes through another list, or in another way."
    "More or fewer elements are open at a time, or must succeed."
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
    "An agent has another model, other instructions or other limits."
    "It answers in another way than before; run your evaluations again."
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
    "An agent is offered other tools."
    "The model may call what it could not, or misses what it had. The names are those that the model sees, with their namespaces."
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
    "A prompt is another one."
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
    "A setting of a tool is another one."
    "Who executes it, when somebody is asked first, what the model sees of its result, what it is known to be, or what the host is told about it."
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
    "A definition pins its children by their digests. This is said where the child itself is not among the definitions that are compared, as here, where \
     only the file of the parent is; else its own changes are told."
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

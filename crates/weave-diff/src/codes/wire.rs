//! Changes of what is declared for others: workflows, tools, topics, errors.

super::kinds! {
    Wire;
    /// A new workflow.
    WORKFLOW_ADDED = "workflow-added" Note
    "A workflow was added."
    "It is not used yet, so nothing breaks."
    r#"workflow greet() {
  end done
}
"# => r#"workflow greet() {
  end done
}

workflow part() {
  end done
}
"#;
    /// A workflow that is gone.
    WORKFLOW_REMOVED = "workflow-removed" Error
    "A workflow was removed."
    "It can no longer be started, and a run that has started continues only if its old definition is kept."
    r#"workflow greet() {
  end done
}

workflow part() {
  end done
}
"# => r#"workflow greet() {
  end done
}
"#;
    /// A workflow with another name.
    WORKFLOW_RENAMED = "workflow-renamed" Error
    "A workflow was probably renamed."
    "Its nodes and its input are the same. Callers refer to it by name, and so does each of its runs in flight."
    r#"workflow greet(name: string) -> string {
  end done = "Hello, {{.input.name}}!"
}
"# => r#"workflow welcome(name: string) -> string {
  end done = "Hello, {{.input.name}}!"
}
"#;
    /// A new tool.
    TOOL_ADDED = "tool-added" Note
    "A tool was added."
    "A host needs a handler for it before it uses the definition."
    r#"tool find(id: string) -> string

workflow look(id: string) -> string {
  step one { call find { id: .input.id } }
  end done on one = .one
}
"# => r#"tool find(id: string) -> string
tool note(text: string)

workflow look(id: string) -> string {
  step one { call find { id: .input.id } }
  step two on one { call note { text: .one } }
  end done on two = .one
}
"#;
    /// A tool that is gone.
    TOOL_REMOVED = "tool-removed" Error
    "No workflow has a tool any more."
    "Models that were offered it, and catalogs that list it, no longer know it. A tool is identified by its name; it is part of a definition if a node calls it or an agent has it."
    r#"tool find(id: string) -> string
tool note(text: string)

workflow look(id: string) -> string {
  step one { call find { id: .input.id } }
  step two on one { call note { text: .one } }
  end done on two = .one
}
"# => r#"tool find(id: string) -> string

workflow look(id: string) -> string {
  step one { call find { id: .input.id } }
  end done on one = .one
}
"#;
    /// A tool with another name.
    TOOL_RENAMED = "tool-renamed" Error
    "A tool was probably renamed."
    "One tool was removed and a new one has the same schemas or the same `id`. Handlers, grants and models refer to it by its name; `id` keeps the identity for grants and logs."
    r#"tool find_order(order_id: string) -> { total: decimal }

workflow look(id: string) {
  step one { call find_order { order_id: .input.id } }
  end done on one
}
"# => r#"tool find_orders(order_id: string) -> { total: decimal }

workflow look(id: string) {
  step one { call find_orders { order_id: .input.id } }
  end done on one
}
"#;
    /// Another identity.
    TOOL_ID_CHANGED = "tool-id-changed" Error
    "The `id` of a tool changed."
    "Grants, logs and catalogs identify the tool by its `id`, whatever its name is. With a new `id` it is another tool for them."
    r#"tool find(id: string) -> string { id "tool:shop.find" }

workflow look(id: string) {
  step one { call find { id: .input.id } }
  end done on one
}
"# => r#"tool find(id: string) -> string { id "tool:desk.find" }

workflow look(id: string) {
  step one { call find { id: .input.id } }
  end done on one
}
"#;
    /// Strictness.
    STRICT_CHANGED = "strict-changed" Warning
    "The strict mode of a tool changed."
    "Without `strict` a model may write arguments that do not fit, which the step reports as the failure `invalid_input`. With it, providers reject schemas that they cannot enforce."
    r#"tool find(id: string) -> string

workflow look(id: string) {
  step one { call find { id: .input.id } }
  end done on one
}
"# => r#"tool find(id: string) -> string { strict false }

workflow look(id: string) {
  step one { call find { id: .input.id } }
  end done on one
}
"#;
    /// A new way to fail.
    FAILURE_CODE_ADDED = "failure-code-added" Warning
    "A tool may fail with a new code."
    "Callers that handle failure codes do not know the new one."
    r#"error sold_out

tool order(id: string) -> string

workflow buy(id: string) {
  step one { call order { id: .input.id } }
  end done on one
}
"# => r#"error sold_out

tool order(id: string) -> string { fails [sold_out] }

workflow buy(id: string) {
  step one { call order { id: .input.id } }
  end done on one
}
"#;
    /// One way less to fail.
    FAILURE_CODE_REMOVED = "failure-code-removed" Note
    "A tool no longer fails with a code."
    "Nothing breaks; the handlers of the code can be removed."
    r#"error sold_out

tool order(id: string) -> string { fails [sold_out] }

workflow buy(id: string) {
  step one { call order { id: .input.id } }
  end done on one
}
"# => r#"error sold_out

tool order(id: string) -> string

workflow buy(id: string) {
  step one { call order { id: .input.id } }
  end done on one
}
"#;
    /// How an error is treated.
    ERROR_CHANGED = "error-changed" Warning
    "The category or the status of an error changed."
    "Callers that treat failures by category, or read the HTTP status of an answer, behave differently."
    r#"@category(not_found)
@status(404)
error no_such_order

tool find(id: string) -> string { fails [no_such_order] }

workflow look(id: string) {
  step one { call find { id: .input.id } }
  end done on one
}
"# => r#"@category(not_found)
@status(410)
error no_such_order

tool find(id: string) -> string { fails [no_such_order] }

workflow look(id: string) {
  step one { call find { id: .input.id } }
  end done on one
}
"#;
    /// A new topic.
    TOPIC_ADDED = "topic-added" Note
    "A topic was added."
    "It is not produced or consumed yet, so nothing breaks."
    r#"workflow ship() {
  end done
}
"# => r#"event order.sent { order: string }

workflow ship() {
  step say { emit order.sent { order: "A-1" } }
  end done on say
}
"#;
    /// A topic that is gone.
    TOPIC_REMOVED = "topic-removed" Error
    "No workflow has a topic any more."
    "If the topic is external, the events that are still sent have no consumer; if it is emitted, its consumers wait in vain. A topic is part of a definition if a node emits, awaits or consumes it."
    r#"event order.sent { order: string }

workflow ship() {
  step say { emit order.sent { order: "A-1" } }
  end done on say
}
"# => r#"workflow ship() {
  end done
}
"#;
    /// A topic with another name.
    TOPIC_RENAMED = "topic-renamed" Error
    "A topic was probably renamed."
    "One topic was removed and a new one has the same payload. Producers and consumers refer to it by its name: emit both for a while, or consume both."
    r#"external event order.payed { order: string, by: string }

workflow ship() {
  end done on order.payed
}
"# => r#"external event order.paid { order: string, by: string }

workflow ship() {
  end done on order.paid
}
"#;
    /// A new answer.
    ANSWER_ADDED = "answer-added" Note
    "An event has a new answer topic."
    "Producers need not send it, so nothing breaks."
    r#"event approval.requested { order: string } -> approval.granted
external event approval.granted { by: string }

workflow ask() {
  step approve { emit approval.requested { order: "A-1" } }
  end done on approval.granted from approve
}
"# => r#"event approval.requested { order: string } -> approval.granted | approval.denied
external event approval.granted { by: string }
external event approval.denied { by: string }

workflow ask() {
  step approve { emit approval.requested { order: "A-1" } }
  end done on approval.granted from approve
  end not on approval.denied from approve
}
"#;
    /// An answer that is gone.
    ANSWER_REMOVED = "answer-removed" Error
    "A topic no longer answers an event."
    "Events that are still sent answer nothing: the step keeps waiting."
    r#"event approval.requested { order: string } -> approval.granted | approval.denied
external event approval.granted { by: string }
external event approval.denied { by: string }

workflow ask() {
  step approve { emit approval.requested { order: "A-1" } }
  end done on approval.granted from approve
  end not on approval.denied from approve
}
"# => r#"event approval.requested { order: string } -> approval.granted
external event approval.granted { by: string }

workflow ask() {
  step approve { emit approval.requested { order: "A-1" } }
  end done on approval.granted from approve
}
"#;
    /// Emitted or from outside.
    TOPIC_SOURCE_CHANGED = "topic-source-changed" Error
    "A topic became external, or is no longer external."
    "Its previous producer no longer sends it, and another one has to."
    r#"event order.seen { order: string }

workflow look() {
  step say { emit order.seen { order: "A-1" } }
  end done on say
}
"# => r#"external event order.seen { order: string }

workflow look() {
  step wait { wait order.seen }
  end done on wait
}
"#;
}

//! Changes of what is declared for others: workflows, tools, topics, errors.

super::kinds! {
    Wire;
    /// A new workflow.
    WORKFLOW_ADDED = "workflow-added" Note
    "There is a new workflow."
    "Nobody knows it yet, so nobody is broken."
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
    "A workflow is gone."
    "Nobody can start it any more, and a run that began goes on only where its old definition is kept."
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
    "A workflow seems to have another name."
    "Its nodes and its input are the same. Those who start it name it, and so does each run of it on the way."
    r#"workflow greet(name: string) -> string {
  end done = "Hello, {{.input.name}}!"
}
"# => r#"workflow welcome(name: string) -> string {
  end done = "Hello, {{.input.name}}!"
}
"#;
    /// A new tool.
    TOOL_ADDED = "tool-added" Note
    "There is a new tool."
    "A host needs a handler for it before the definition is used."
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
    "Models that were offered it, and catalogs that list it, know it no more. Tools are known by their names; a tool is in a definition if a node calls it or an agent is offered it."
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
    "A tool seems to have another name."
    "One tool is gone and another one with the same schemas, or with the same `id`, is new. Handlers, grants and models know it by its name; `id` keeps what grants and logs know."
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
    "The `id` of a tool is another one."
    "Grants, logs and catalogs know the tool by its `id`, whatever it is called. With another one it is another tool for them."
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
    "Whether a provider holds the model to the schema of a tool is another thing than before."
    "Without `strict` a model may write arguments that do not fit, which the step then reads as the failure `invalid_input`. With it, providers refuse schemas that they cannot hold a \
     model to."
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
    "A tool may fail with a code that it did not have."
    "Those who look at the code of a failure do not know the new one."
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
    "A tool never fails with a code any more."
    "Nobody is broken; what handles the code may go."
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
    "The category or the status of an error is another one."
    "Those who treat failures alike by their category, and those who read the status of an answer over HTTP, do something else than before."
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
    "There is a new topic."
    "Nobody listens to it or sends it yet, so nobody is broken."
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
    "Of a topic from outside, what is still sent is heard by nobody; of an emitted one, those who listen wait in vain. A topic is in a definition if a node emits it, awaits it or listens to it."
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
    "A topic seems to have another name."
    "One topic is gone and another one with the same payload is new. Those who send it and those who listen to it know it by its name: emit both for a while, or listen to both."
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
    "Another topic may answer an event."
    "Nobody has to send it, so nobody is broken."
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
    "A topic does not answer an event any more."
    "Those who still send it answer nothing: the step goes on waiting."
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
    "A topic that was emitted comes from outside now, or the other way round."
    "Who has sent the topic does so no more, and somebody else has to."
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

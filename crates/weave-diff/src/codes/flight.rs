//! Changes that concern runs on the way.

super::kinds! {
    InFlight;
    /// A node at which runs wait is gone.
    WAIT_LOST = "wait-lost" Error
    "A node at which runs may wait was removed."
    "A run keeps the definition with which it started, so it continues if that definition is kept. If runs are migrated to the new version, or old definitions are deleted, the answer that such a run waits for finds no node. Let the runs finish first, or keep the node until they have. Requests are identified by the name of their node, so a renamed node is a new node."
    r#"event approval.requested { order: string } -> approval.granted
external event approval.granted { by: string }

workflow ask() {
  step approve { emit approval.requested { order: "A-1" } }
  end done on approval.granted from approve
}
"# => r#"event approval.requested { order: string } -> approval.granted
external event approval.granted { by: string }

workflow ask() {
  step check { emit approval.requested { order: "A-1" } }
  end done on approval.granted from check
}
"#;
    /// A node waits for something else.
    WAIT_CHANGED = "wait-changed" Error
    "A node at which runs may wait now asks or awaits something else."
    "A run that waits there has asked the old question; its answer does not answer the new one."
    r#"agent quick(text: string) -> string { model nano, system "Answer." }
agent careful(text: string) -> string { model mini, system "Answer." }

workflow answer(text: string) -> string {
  step one { ask quick { text: .input.text } }
  end done on one = .one
}
"# => r#"agent quick(text: string) -> string { model nano, system "Answer." }
agent careful(text: string) -> string { model mini, system "Answer." }

workflow answer(text: string) -> string {
  step one { ask careful { text: .input.text } }
  end done on one = .one
}
"#;
    /// An answer that may not fit.
    ANSWER_NARROWED = "answer-narrowed" Error
    "The answer that a run waits for may no longer fit."
    "The question was asked with the old type of the answer, which accepts more than the new one. The answer may be rejected with the failure `invalid_output`, or guards and payloads may read a value that they do not expect."
    r#"tool find(id: string) -> { total: decimal }

workflow look(id: string) {
  step one { call find { id: .input.id } }
  end done on one
}
"# => r#"tool find(id: string) -> { total: decimal, currency: string }

workflow look(id: string) {
  step one { call find { id: .input.id } }
  end done on one
}
"#;
    /// A join of others.
    JOIN_CHANGED = "join-changed" Error
    "A join waits for other steps than before."
    "A run that already has some of the answers may lack the step that was added to the join, and never starts it, so it waits forever."
    r#"tool one() -> string
tool two() -> string

workflow both() {
  step first { call one {} }
  step second { call two {} }
  end done on all(first, second)
}
"# => r#"tool one() -> string
tool two() -> string

workflow both() {
  step first { call one {} }
  step second { call two {} }
  step third { call two {} }
  end done on all(first, second, third)
}
"#;
    /// A topic that runs do not hear any more.
    LISTENER_LOST = "listener-lost" Error
    "No node consumes an external event that runs may wait for."
    "A run that waits for the event no longer wakes up."
    r#"tool pack(order: string)
external event order.cancelled { order: string }

workflow ship(order: string) {
  step one { call pack { order: .input.order } }
  end done on one
  end cancelled on order.cancelled
}
"# => r#"tool pack(order: string)

workflow ship(order: string) {
  step one { call pack { order: .input.order } }
  end done on one
}
"#;
    /// Another way behind a wait.
    ROUTE_CHANGED = "route-changed" Warning
    "A run that waits at a node may continue differently."
    "The nodes that fire on the step, or their guards, changed. A run that asked under the old version continues under the new rules when the answer arrives. Check whether that fits what the run has already done."
    r#"tool find(id: string) -> { total: int }
tool alarm()

workflow look(id: string) {
  step one { call find { id: .input.id } }
  step high on one when .one.total > 100 { call alarm {} }
  end low on one else
  end done on high
}
"# => r#"tool find(id: string) -> { total: int }
tool alarm()

workflow look(id: string) {
  step one { call find { id: .input.id } }
  step high on one when .one.total > 500 { call alarm {} }
  end low on one else
  end done on high
}
"#;
}

//! Changes of what schemas admit.

super::kinds! {
    Wire;
    /// A field that must be there.
    REQUIRED_FIELD_ADDED = "required-field-added" Error
    "A record has a new required field."
    "Existing producers do not know the field, so their records are rejected. Give it a default (`title: string = \"\"`) or make it optional (`title?: string`); it may become required once all producers send it. If the record is only read by others, nothing breaks: the level is then that of `optional-field-added`."
    r#"workflow greet(name: string) -> string {
  end done = "Hello, {{.input.name}}!"
}
"# => r#"workflow greet(name: string, title: string) -> string {
  end done = "Hello, {{.input.title}} {{.input.name}}!"
}
"#;
    /// A field that may be left out.
    OPTIONAL_FIELD_ADDED = "optional-field-added" Note
    "A record has a new optional field."
    "This is the compatible way to extend a record. The level is a note, but a warning in the payload of an event: records are closed, so a workflow that was compiled with the old payload rejects an event with the new field. Update the consumers first, or make the record open with `...` before you extend it."
    r#"workflow greet(name: string) -> string {
  end done = "Hello, {{.input.name}}!"
}
"# => r#"workflow greet(name: string, title: string = "dear") -> string {
  end done = "Hello, {{.input.title}} {{.input.name}}!"
}
"#;
    /// A field that is gone.
    FIELD_REMOVED = "field-removed" Error
    "A field of a record was removed."
    "Producers that still send it are rejected, because records are closed, and consumers no longer find it. Mark it `@deprecated` first, and remove it when it is no longer used. Removing an optional field from an output breaks nothing."
    r#"external event order.paid { order: string, note?: string }

workflow ship() {
  end done on order.paid
}
"# => r#"external event order.paid { order: string }

workflow ship() {
  end done on order.paid
}
"#;
    /// A field with another name.
    FIELD_RENAMED = "field-renamed" Error
    "A field of a record was probably renamed."
    "One field was removed and another of the same type was added, with a similar name or as the only candidate. For every other system these are two changes: a missing field and an unknown one. `@wire(\"old_name\")` renames a field in the language and keeps its name in JSON."
    r#"external event order.paid { order_id: string }

workflow ship() -> string {
  step paid { wait order.paid }
  end done on paid = .paid.order_id
}
"# => r#"external event order.paid { orderid: string }

workflow ship() -> string {
  step paid { wait order.paid }
  end done on paid = .paid.orderid
}
"#;
    /// A field that must be there now.
    FIELD_REQUIRED = "field-became-required" Error
    "An optional field became required."
    "Producers that omit it are rejected. Keep it optional, or give it a default: then every consumer finds a value. In an output this breaks nothing."
    r#"workflow greet(name?: string) -> string {
  end done = "Hello, {{.input.name? ?? "you"}}!"
}
"# => r#"workflow greet(name: string) -> string {
  end done = "Hello, {{.input.name}}!"
}
"#;
    /// A field that may be left out now.
    FIELD_OPTIONAL = "field-became-optional" Error
    "A required field became optional."
    "Consumers rely on it: the change breaks them in an output and in an event. In an input it is harmless, because more is accepted than before."
    r#"event order.noted { order: string, by: string }

workflow note() {
  step say { emit order.noted { order: "A-1", by: "desk" } }
  end done on say
}
"# => r#"event order.noted { order: string, by?: string }

workflow note() {
  step say { emit order.noted { order: "A-1" } }
  end done on say
}
"#;
    /// Another type.
    TYPE_CHANGED = "type-changed" Error
    "The type of a value changed."
    "If the new type accepts less (`json` to `string`, `float` to `int`, a string to a list of literals), producers break; if it accepts more, consumers break; otherwise both do. Add a second field with the new type, and remove the first one when it is no longer read."
    r#"tool refund(order_id: string, amount: decimal) -> { refund_id: string }

workflow pay(order_id: string) {
  step back { call refund { order_id: .input.order_id, amount: "12.50" } }
  end done on back
}
"# => r#"tool refund(order_id: string, amount: int) -> { refund_id: string }

workflow pay(order_id: string) {
  step back { call refund { order_id: .input.order_id, amount: 1250 } }
  end done on back
}
"#;
    /// Null comes or goes.
    NULL_CHANGED = "null-changed" Error
    "A value became nullable, or is no longer nullable."
    "A nullable value breaks its consumers; a value that is no longer nullable breaks the producers that send null."
    r#"workflow find(id: string) -> string {
  end done = .input.id
}
"# => r#"workflow find(id: string) -> string | null {
  end done on start when .input.id != "" = .input.id
  end none on start else = null
}
"#;
    /// A literal that is gone.
    VALUE_REMOVED = "value-removed" Error
    "A value was removed from an enum or a list of literals."
    "Producers that send it are rejected. In an output this breaks nothing."
    r#"workflow buy(size: "small" | "medium" | "large") -> string {
  end done = .input.size
}
"# => r#"workflow buy(size: "small" | "large") -> string {
  end done = .input.size
}
"#;
    /// A new literal.
    VALUE_ADDED = "value-added" Error
    "An enum or a list of literals has a new value."
    "Consumers that handle each value do not know the new one: in an output and in an event this breaks them. In an input it is harmless."
    r#"event order.moved { to: "packed" | "sent" }

workflow move() {
  step say { emit order.moved { to: "sent" } }
  end done on say
}
"# => r#"event order.moved { to: "packed" | "sent" | "lost" }

workflow move() {
  step say { emit order.moved { to: "lost" } }
  end done on say
}
"#;
    /// An alternative that is gone.
    VARIANT_REMOVED = "variant-removed" Error
    "A variant was removed from a union."
    "Producers that send values of that variant are rejected."
    r#"type Card { last_digits: string }
type Wire { iban: string }

union Payment by method { card: Card, wire: Wire }

workflow pay(payment: Payment) {
  end done
}
"# => r#"type Card { last_digits: string }

union Payment by method { card: Card, cash: { currency: string } }

workflow pay(payment: Payment) {
  end done
}
"#;
    /// A new alternative.
    VARIANT_ADDED = "variant-added" Error
    "A union has a new variant."
    "Consumers of the union do not know the new variant: in an output and in an event this breaks them. In an input it is harmless."
    r#"workflow total(id: string) -> int | string {
  end done = .input.id
}
"# => r#"workflow total(id: string) -> int | string | string[] {
  end done = [.input.id]
}
"#;
    /// A constraint that admits less.
    CONSTRAINT_TIGHTENED = "constraint-tightened" Error
    "A constraint accepts less than before."
    "For example, a smaller range, a shorter string, or a new pattern: producers whose values no longer fit are rejected. Two different patterns cannot be compared, so a changed pattern counts as both tighter and looser."
    r#"workflow note(body: string(max: 8000)) {
  end done
}
"# => r#"workflow note(body: string(max: 500)) {
  end done
}
"#;
    /// A constraint that admits more.
    CONSTRAINT_LOOSENED = "constraint-loosened" Error
    "A constraint accepts more than before."
    "Consumers may rely on the constraint: a column of fifty characters, a gauge that ends at a hundred. In an output and in an event this breaks them. In an input it is harmless."
    r#"event work.moved { percent: int(0..100) }

workflow work() {
  step say { emit work.moved { percent: 50 } }
  end done on say
}
"# => r#"event work.moved { percent: int(0..1000) }

workflow work() {
  step say { emit work.moved { percent: 500 } }
  end done on say
}
"#;
    /// Another default.
    DEFAULT_CHANGED = "default-changed" Warning
    "The default of a field changed."
    "Producers that omit the field silently get another value than before."
    r#"workflow greet(name: string = "friend") -> string {
  end done = "Hello, {{.input.name}}!"
}
"# => r#"workflow greet(name: string = "stranger") -> string {
  end done = "Hello, {{.input.name}}!"
}
"#;
    /// Open or closed.
    OPENNESS_CHANGED = "openness-changed" Error
    "A record became open, or is no longer open."
    "A closed record rejects unknown fields, so producers that send more than it declares break. A record that became open may contain fields that its consumers have never seen."
    r#"workflow store(data: { id: string, ... }) {
  end done
}
"# => r#"workflow store(data: { id: string }) {
  end done
}
"#;
    /// A secret or not.
    SECRECY_CHANGED = "secrecy-changed" Warning
    "A value became secret, or is no longer secret."
    "A `@secret` value is not shown. Without `@secret` it appears in logs from now on; check whether that is intended."
    r#"workflow sign_in(@secret password: string) {
  end done
}
"# => r#"workflow sign_in(password: string) {
  end done
}
"#;
}

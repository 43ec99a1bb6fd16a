//! Changes of what schemas admit.

super::kinds! {
    Wire;
    /// A field that must be there.
    REQUIRED_FIELD_ADDED = "required-field-added" Error
    "A record has a new field that must be there."
    "Whoever sends such records does not know the field, so what they send is refused. Give it a default (`title: string = \"\"`) or let it be left out (`title?: string`); \
     once all senders have it, it may become required. Where the record is only read by others, nobody is broken: the level is then that of `optional-field-added`."
    r#"workflow greet(name: string) -> string {
  end done = "Hello, {{.input.name}}!"
}
"# => r#"workflow greet(name: string, title: string) -> string {
  end done = "Hello, {{.input.title}} {{.input.name}}!"
}
"#;
    /// A field that may be left out.
    OPTIONAL_FIELD_ADDED = "optional-field-added" Note
    "A record has a new field that may be left out."
    "This is how records grow. It is a note, but in the payload of an event it is a warning: records are closed, so a workflow that was compiled with the old payload refuses an \
     event with the new field. Bring those who listen up to date first, or make the record open with `...` before it has to grow."
    r#"workflow greet(name: string) -> string {
  end done = "Hello, {{.input.name}}!"
}
"# => r#"workflow greet(name: string, title: string = "dear") -> string {
  end done = "Hello, {{.input.title}} {{.input.name}}!"
}
"#;
    /// A field that is gone.
    FIELD_REMOVED = "field-removed" Error
    "A field of a record is gone."
    "Those who still send it are refused, because records are closed, and those who read it look in vain. Mark it `@deprecated` first, and remove it when nobody has it any more. In an \
     output, a field that might be left out before breaks nobody."
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
    "A field of a record seems to have another name."
    "One field is gone and another one of the same type is new, with a name that is alike, or no other field has that type. For everybody else these are two changes: a field that is \
     missing, and one that nobody knows. `@wire(\"old_name\")` renames a field in the language and keeps its name in JSON."
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
    "A field that might be left out must be there."
    "Those who leave it out are refused. Keep it optional, or give it a default: then whoever reads it always finds a value. In an output nobody is broken, for it only says more."
    r#"workflow greet(name?: string) -> string {
  end done = "Hello, {{.input.name? ?? "you"}}!"
}
"# => r#"workflow greet(name: string) -> string {
  end done = "Hello, {{.input.name}}!"
}
"#;
    /// A field that may be left out now.
    FIELD_OPTIONAL = "field-became-optional" Error
    "A field that was always there may be left out."
    "Those who read it rely on it: in an output, and in an event, it breaks them. In an input it is harmless, for more is accepted than before."
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
    "A value has another type."
    "If the new type admits less (`json` to `string`, `float` to `int`, text to a list of literals), those who send are broken; if it admits more, those who read; else both. Add a \
     second field with the new type, and remove the first one when nobody reads it."
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
    "A value may be null now, or may not any more."
    "A value that may be null breaks those who read it; one that may not breaks those who sent null."
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
    "A value of an enum or of a list of literals is gone."
    "Those who send it are refused. In an output nobody is broken: it only says less than it might."
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
    "Those who read it and look at each value do not know what to do with the new one: in an output, and in an event, that breaks them. In an input it is harmless."
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
    "A union has one alternative less."
    "Those who send values of that alternative are refused."
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
    "A union has a new alternative."
    "Those who read values of the union do not know the new alternative: in an output, and in an event, that breaks them. In an input it is harmless."
    r#"workflow total(id: string) -> int | string {
  end done = .input.id
}
"# => r#"workflow total(id: string) -> int | string | string[] {
  end done = [.input.id]
}
"#;
    /// A constraint that admits less.
    CONSTRAINT_TIGHTENED = "constraint-tightened" Error
    "A constraint admits less than before."
    "A smaller range, a shorter text, a pattern where there was none: those who send what is not admitted any more are refused. Of two different patterns nobody can say which admits \
     more, so a pattern that became another one counts as tighter and looser."
    r#"workflow note(body: string(max: 8000)) {
  end done
}
"# => r#"workflow note(body: string(max: 500)) {
  end done
}
"#;
    /// A constraint that admits more.
    CONSTRAINT_LOOSENED = "constraint-loosened" Error
    "A constraint admits more than before."
    "Those who read the value may rely on the constraint: a column that holds fifty characters, a gauge that ends at a hundred. In an output, and in an event, that breaks them. In an \
     input it is harmless."
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
    "What stands in place of a field that is left out is another value."
    "Those who leave the field out get something else than before, without a word."
    r#"workflow greet(name: string = "friend") -> string {
  end done = "Hello, {{.input.name}}!"
}
"# => r#"workflow greet(name: string = "stranger") -> string {
  end done = "Hello, {{.input.name}}!"
}
"#;
    /// Open or closed.
    OPENNESS_CHANGED = "openness-changed" Error
    "A record lets other fields through, or does not any more."
    "A record that is closed refuses what it does not know, so those who send more than it declares are broken. One that became open may hold fields that its readers never saw."
    r#"workflow store(data: { id: string, ... }) {
  end done
}
"# => r#"workflow store(data: { id: string }) {
  end done
}
"#;
    /// A secret or not.
    SECRECY_CHANGED = "secrecy-changed" Warning
    "A value is kept out of logs, or is not any more."
    "With `@secret` nobody is shown the value. Without it, it stands in logs from now on; look at whether that is meant."
    r#"workflow sign_in(@secret password: string) {
  end done
}
"# => r#"workflow sign_in(password: string) {
  end done
}
"#;
}

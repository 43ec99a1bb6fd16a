//! Paths: what stands at their root, what fields they read, what may be absent.

use insta::assert_snapshot;

use super::values::order;

#[test]
fn names_at_the_root_of_a_path() {
    assert_snapshot!(order("string", ".order.id"), @r#"
unknown-value @ .order: there is no value `.order` here
  - unknown value
  help: in a workflow it is `.input.order`
"#);
    assert_snapshot!(order("string", ".inptu.order.id"), @r#"
unknown-value @ .inptu: there is no value `.inptu` here
  - unknown value
  help: did you mean `.input`?
"#);
    assert_snapshot!(order("string", "input.order.id"), @r#"
missing-dot @ input.order.id: a path starts with a dot
  - without a dot, this is the name of a declaration
  help: add the dot
"#);
    assert_snapshot!(order("string", "inptu.order.id"), @r#"
missing-dot @ inptu.order.id: a path starts with a dot
  - without a dot, this is the name of a declaration
  help: did you mean `.input`?
"#);
    assert_snapshot!(order("json", "{ order: order }"), @r#"
bare-word @ order: `order` is not a value
  - a bare word without quotes or a dot
  help: did you mean `.input.order`?
"#);
    assert_snapshot!(order("string", "refunded"), @r#"
bare-word @ refunded: `refunded` is not a value
  - a bare word without quotes or a dot
  help: strings need quotes, "refunded", and paths need a dot, `.refunded`
"#);
    assert_snapshot!(order("Tier", "pro"), @r#"
bare-word @ pro: `pro` is not a value
  - a bare word without quotes or a dot
  help: did you mean "pro"?
"#);
    assert_snapshot!(order("Tier", "porr"), @r#"
bare-word @ porr: `porr` is not a value
  - a bare word without quotes or a dot
  help: there are `"free"`, `"pro"` and `"ent"`
"#);
    assert_snapshot!(order("string", "\"{{input.note}} {{note}}\""), @r#"
missing-dot @ input.note: a path starts with a dot
  - without a dot, this is the name of a declaration
  help: add the dot
bare-word @ note: `note` is not a value
  - a bare word without quotes or a dot
  help: did you mean `.input.note`?
"#);
    assert_snapshot!(order("string", ".done"), @r#"
unavailable-value @ .done: `done` is an `end`, which has no answer
  - `.done` does not exist here
  help: it finishes the run; read the answer of a step
"#);
    assert_snapshot!(order("string", ".start"), @r#"
unavailable-value @ .start: `start` is a trigger, not a value
  - `.start` does not exist here
  help: the input of the run is `.input`
"#);
}

#[test]
fn fields_that_are_not_there() {
    assert_snapshot!(order("decimal", ".input.order.totl"), @r"
    unknown-field @ totl: `Order` has no field `totl`
      - no such field
      help: did you mean `total`?
    ");
    assert_snapshot!(order("decimal", ".input.order.vat"), @r"
    unknown-field @ vat: `Order` has no field `vat`
      - no such field
      help: there are `id`, `customer`, `total`, `lines`, `placed`, `tier` and `notes`
    ");
    assert_snapshot!(order("string", ".input.order.id.first"), @r#"
not-readable @ first: `string` has no fields to read
  - `.input.order.id` is `string`
  help: end the path before this field
"#);
    assert_snapshot!(order("string", ".input.order.lines.sku"), @r#"
not-readable @ sku: `Line[](min: 1)` has no fields to read
  - `.input.order.lines` is `Line[](min: 1)`
  help: read it from one element, `.input.order.lines[0].sku`, or use the whole list
"#);
    assert_snapshot!(order("string", ".input.order.id[0]"), @r#"
not-readable @ [0]: `string` has no elements
  - `.input.order.id` is `string`
  help: only lists have an index; use a dot for fields
"#);
    assert_snapshot!(order("json", ".input.order.lines[]"), @r#"
not-readable @ []: `[]` must follow the name of a step
  - `.input.order.lines` is not a step
  help: `.draft[]` is the list of all answers of the step `draft`; write any other list without `[]`
"#);
    assert_snapshot!(order("string", ".input.payment.ibna ?? \"\""), @r"
    unknown-field @ ibna: `Payment` has no field `ibna`
      - no such field
      help: did you mean `iban`?
    ");
    assert_snapshot!(order("string", ".input.order.tier.name"), @r#"
not-readable @ name: `Tier` has no fields to read
  - `.input.order.tier` is `Tier`
  help: end the path before this field
"#);
}

#[test]
fn what_may_be_absent_or_null() {
    assert_snapshot!(order("string", ".input.note"), @r#"
may-be-absent @ .input.note: `.input.note` may be absent, but the output of `w` may not
  - is optional
  - note: declared with `?`
  - string: the output of `w` is `string`
  help: add a default, `.input.note ?? …`, or check `.input.note != null` in a guard
"#);
    assert_snapshot!(order("string", ".input.order.customer.name"), @r#"
may-be-absent @ .input.order.customer: `.input.order.customer` may be null, so it cannot be read from
  - may be null
  help: write `.input.order.customer?.name`, which may be absent too, or check `.input.order.customer != null` in a guard
"#);
    assert_snapshot!(order("string", ".input.order.customer?.name"), @r#"
may-be-absent @ .input.order.customer?.name: `.input.order.customer?.name` may be absent, but the output of `w` may not
  - the `?` makes it optional
  - string: the output of `w` is `string`
  help: add a default, `.input.order.customer?.name ?? …`, or check `.input.order.customer?.name != null` in a guard
"#);
    assert_snapshot!(order("Customer", ".input.order.customer"), @r#"
may-be-absent @ .input.order.customer: `.input.order.customer` may be null, but the output of `w` may not
  - this is `Customer | null`
  - Customer: the output of `w` is `Customer`
  help: add a default, `.input.order.customer ?? …`, or check `.input.order.customer != null` in a guard
"#);
    assert_snapshot!(order("string", "\"for {{.input.note}} and {{.input.order.customer}}\""), @r#"
may-be-absent @ .input.note: `.input.note` may be absent, and a string needs a value here
  - is optional
  - note: declared with `?`
  help: provide a default: `.input.note ?? "…"`
may-be-absent @ .input.order.customer: `.input.order.customer` may be null, and a string needs a value here
  - may be null
  help: provide a default: `.input.order.customer ?? "…"`
"#);
    assert_snapshot!(order("Line", ".input.order.lines[1]"), @r#"
may-be-absent @ .input.order.lines[1]: `.input.order.lines[1]` may be absent, but the output of `w` may not
  - the list may be shorter
  - Line: the output of `w` is `Line`
  help: add a default, `.input.order.lines[1] ?? …`, or check `.input.order.lines[1] != null` in a guard
"#);
    assert_snapshot!(order("string", ".input.order.notes.gift"), @r#"
may-be-absent @ .input.order.notes.gift: `.input.order.notes.gift` may be absent, but the output of `w` may not
  - this key may not exist
  - string: the output of `w` is `string`
  help: add a default, `.input.order.notes.gift ?? …`, or check `.input.order.notes.gift != null` in a guard
"#);
    assert_snapshot!(order("string", ".input.payment.iban"), @r#"
may-be-absent @ .input.payment.iban: `.input.payment.iban` may be absent, but the output of `w` may not
  - only some of the alternatives have this field
  - string: the output of `w` is `string`
  help: add a default, `.input.payment.iban ?? …`, or check `.input.payment.iban != null` in a guard
"#);
    assert_snapshot!(order("json", ".input.data.a.b"), @r#"
may-be-absent @ .input.data.a: `.input.data.a` may be absent, so it cannot be read from
  - this key may not exist
  help: write `.input.data.a?.b`, which may be absent too, or check `.input.data.a != null` in a guard
"#);
    assert_snapshot!(order("string[]", "[.input.note]"), @r#"
may-be-absent @ .input.note: `.input.note` may be absent, but the output of `w` may not
  - is optional
  - note: declared with `?`
  - string[]: the output of `w` is `string[]`
  help: add a default, `.input.note ?? …`, or check `.input.note != null` in a guard
"#);
    assert_snapshot!(order("{ name: string }", "{ name: .input.order.customer?.name }"), @r#"
may-be-absent @ .input.order.customer?.name: `.input.order.customer?.name` may be absent, but `name` may not
  - the `?` makes it optional
  - name: `name` is declared as `string`
  help: add a default, `.input.order.customer?.name ?? …`, or check `.input.order.customer?.name != null` in a guard
"#);
}

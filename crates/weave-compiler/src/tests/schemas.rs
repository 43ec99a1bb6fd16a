//! The schema of each form of type.

use insta::assert_snapshot;
use serde_json::{Value, json};
use weave_analysis::model::DeclarationId;

use super::{shown, snapshot, validator};
use crate::schema::{Schemas, TypeNames};

/// The schemas of all types of a program, by name.
fn schemas(program: &str) -> Value {
    let snapshot = snapshot(program);
    assert_eq!(shown(&snapshot), "");
    let model = snapshot.model();
    let ids = (0..model.declarations.len() as u32).map(DeclarationId);
    let names: TypeNames = ids.map(|id| (id, model.get(id).unwrap().name.to_string())).collect();
    let schemas = Schemas { model, names: &names };
    let own = model.declarations.iter().filter(|declaration| declaration.file.0 != 0);
    own.map(|declaration| (declaration.name.to_string(), schemas.declaration(declaration))).collect::<serde_json::Map<_, _>>().into()
}

/// The schema of one type expression.
fn of(ty: &str) -> String {
    schemas(&format!("type T = {ty}\n"))["T"].to_string()
}

#[test]
fn scalars() {
    let all =
        ["string", "bool", "int", "int64", "float", "decimal", "bytes", "timestamp", "date", "duration", "uuid", "uri", "email", "json"];
    assert_snapshot!(all.map(|scalar| format!("{scalar}: {}", of(scalar))).join("\n"), @r#"
    string: {"type":"string"}
    bool: {"type":"boolean"}
    int: {"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}
    int64: {"type":"string","format":"int64","pattern":"^-?[0-9]{1,19}$"}
    float: {"type":"number"}
    decimal: {"type":"string","format":"decimal","pattern":"^-?[0-9]+(\\.[0-9]+)?$"}
    bytes: {"type":"string","contentEncoding":"base64"}
    timestamp: {"type":"string","format":"date-time"}
    date: {"type":"string","format":"date"}
    duration: {"type":"string","format":"duration"}
    uuid: {"type":"string","format":"uuid"}
    uri: {"type":"string","format":"uri"}
    email: {"type":"string","format":"email"}
    json: {}
    "#);
}

#[test]
fn constraints() {
    let all = [
        r#"string(min: 1, max: 200, pattern: "^A-")"#,
        "int(1..100)",
        "int(min: 0)",
        "float(0..1)",
        "float(..2.5)",
        "int64(0..9)",
        r#"decimal(min: "0.50")"#,
        "bytes(1..4)",
        r#"timestamp(min: "2026-01-01T00:00:00Z")"#,
        r#"date(max: "2026-12-31")"#,
        "duration(1s..24h)",
        "string[](min: 1, max: 5, unique: true)",
        "map<int>(min: 1, max: 10)",
    ];
    assert_snapshot!(all.map(|ty| format!("{ty}: {}", of(ty))).join("\n"), @r#"
    string(min: 1, max: 200, pattern: "^A-"): {"type":"string","minLength":1,"maxLength":200,"pattern":"^A-"}
    int(1..100): {"type":"integer","minimum":1,"maximum":100}
    int(min: 0): {"type":"integer","minimum":0,"maximum":9007199254740991}
    float(0..1): {"type":"number","minimum":0,"maximum":1}
    float(..2.5): {"type":"number","maximum":2.5}
    int64(0..9): {"type":"string","format":"int64","pattern":"^-?[0-9]{1,19}$","x-weave-min":"0","x-weave-max":"9"}
    decimal(min: "0.50"): {"type":"string","format":"decimal","pattern":"^-?[0-9]+(\\.[0-9]+)?$","x-weave-min":"0.5"}
    bytes(1..4): {"type":"string","contentEncoding":"base64","minLength":4,"x-weave-min":1,"maxLength":8,"x-weave-max":4}
    timestamp(min: "2026-01-01T00:00:00Z"): {"type":"string","format":"date-time","x-weave-min":"2026-01-01T00:00:00Z"}
    date(max: "2026-12-31"): {"type":"string","format":"date","x-weave-max":"2026-12-31"}
    duration(1s..24h): {"type":"string","format":"duration","x-weave-min":"PT1S","x-weave-max":"PT24H"}
    string[](min: 1, max: 5, unique: true): {"type":"array","items":{"type":"string"},"minItems":1,"maxItems":5,"uniqueItems":true}
    map<int>(min: 1, max: 10): {"type":"object","additionalProperties":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991},"minProperties":1,"maxProperties":10}
    "#);
}

#[test]
fn composites() {
    let all = [
        "string[]",
        "map<bool[]>",
        "{ a: int64, b?: bool }",
        "{}",
        "{ a: bool, ... }",
        "(string | bool)[]",
        "string | null",
        "null | string",
        r#""refund" | "bug""#,
        r#""only""#,
        "1 | 2",
        "true",
        r#""a" | 1 | "b" | 2.5 | bool | null"#,
        r#""a" | null"#,
    ];
    assert_snapshot!(all.map(|ty| format!("{ty}: {}", of(ty))).join("\n"), @r#"
    string[]: {"type":"array","items":{"type":"string"}}
    map<bool[]>: {"type":"object","additionalProperties":{"type":"array","items":{"type":"boolean"}}}
    { a: int64, b?: bool }: {"type":"object","properties":{"a":{"type":"string","format":"int64","pattern":"^-?[0-9]{1,19}$"},"b":{"type":"boolean"}},"required":["a"],"additionalProperties":false}
    {}: {"type":"object","properties":{},"additionalProperties":false}
    { a: bool, ... }: {"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"],"additionalProperties":true}
    (string | bool)[]: {"type":"array","items":{"anyOf":[{"type":"string"},{"type":"boolean"}]}}
    string | null: {"anyOf":[{"type":"string"},{"type":"null"}]}
    null | string: {"anyOf":[{"type":"string"},{"type":"null"}]}
    "refund" | "bug": {"type":"string","enum":["refund","bug"]}
    "only": {"type":"string","const":"only"}
    1 | 2: {"type":"integer","enum":[1,2]}
    true: {"type":"boolean","const":true}
    "a" | 1 | "b" | 2.5 | bool | null: {"anyOf":[{"type":"string","enum":["a","b"]},{"type":"integer","const":1},{"type":"number","const":2.5},{"type":"boolean"},{"type":"null"}]}
    "a" | null: {"anyOf":[{"type":"string","const":"a"},{"type":"null"}]}
    "#);
}

#[test]
fn fields_say_all_that_is_known_about_them() {
    let schemas = schemas(
        r#"
/// What is sold.
type Product {
  /// As printed.
  sku: string
  @wire("orderId")
  order_id?: Id
  @secret
  token: string
  @deprecated("use sku")
  code?: string
  count: int = 1
  tier: Tier = "free"
  none: null = null
}
type Id = uuid
enum Tier { free }
"#,
    );
    assert_snapshot!(format!("{:#}", schemas["Product"]), @r##"
    {
      "description": "What is sold.",
      "type": "object",
      "properties": {
        "sku": {
          "description": "As printed.",
          "type": "string"
        },
        "orderId": {
          "$ref": "#/$defs/Id",
          "x-weave-name": "order_id"
        },
        "token": {
          "type": "string",
          "writeOnly": true,
          "x-weave-secret": true
        },
        "code": {
          "type": "string",
          "deprecated": true,
          "x-weave-deprecated": "use sku"
        },
        "count": {
          "type": "integer",
          "minimum": -9007199254740991,
          "maximum": 9007199254740991,
          "default": 1
        },
        "tier": {
          "$ref": "#/$defs/Tier",
          "default": "free"
        },
        "none": {
          "type": "null",
          "default": null
        }
      },
      "required": [
        "sku",
        "token"
      ],
      "additionalProperties": false
    }
    "##);
}

#[test]
fn declared_types_are_references() {
    let schemas = schemas(
        r#"
/// A tree.
type Tree { left?: Tree, right: Tree | null, leaves: Leaf[], best: Leaf }
/// The end of a branch.
type Leaf = { color: Color }
type Name = string
@deprecated("use Name")
type Alias = Name
/// Colours.
enum Color {
  /// Like blood.
  red
  green = "grn"
  @deprecated("use red")
  pink
}
error broken { leaf: Leaf }
type Wrong { error: broken }
"#,
    );
    assert_snapshot!(schemas.as_object().unwrap().iter().map(|(name, schema)| format!("{name}: {schema}")).collect::<Vec<_>>().join("\n"), @r##"
    Tree: {"description":"A tree.","type":"object","properties":{"left":{"$ref":"#/$defs/Tree"},"right":{"anyOf":[{"$ref":"#/$defs/Tree"},{"type":"null"}]},"leaves":{"type":"array","items":{"$ref":"#/$defs/Leaf"}},"best":{"$ref":"#/$defs/Leaf"}},"required":["right","leaves","best"],"additionalProperties":false}
    Leaf: {"description":"The end of a branch.","type":"object","properties":{"color":{"$ref":"#/$defs/Color"}},"required":["color"],"additionalProperties":false}
    Name: {"type":"string"}
    Alias: {"$ref":"#/$defs/Name","deprecated":true,"x-weave-deprecated":"use Name"}
    Color: {"description":"Colours.\n\n- `red`: Like blood.\n- `pink`: deprecated: use red","type":"string","enum":["red","grn","pink"],"x-weave-names":["red","green","pink"]}
    broken: {"type":"object","properties":{"leaf":{"$ref":"#/$defs/Leaf"}},"required":["leaf"],"additionalProperties":false}
    Wrong: {"type":"object","properties":{"error":{"$ref":"#/$defs/broken"}},"required":["error"],"additionalProperties":false}
    "##);
}

#[test]
fn tagged_unions_have_their_tag_first() {
    let schemas = schemas(
        r#"
/// A card of a bank.
type Card { digits: string }
type Plastic = Card
error refused { reason: string }
/// How it is paid.
union Payment by method {
  card: Card
  /// A second one.
  other: Plastic
  cash: { currency: string, ... }
  refused: refused
  @deprecated("gone")
  free: {}
}
union Short { a: Card }
"#,
    );
    assert_snapshot!(format!("{:#}\n{}", schemas["Payment"], schemas["Short"]), @r#"
    {
      "description": "How it is paid.",
      "anyOf": [
        {
          "description": "A card of a bank.",
          "type": "object",
          "properties": {
            "method": {
              "type": "string",
              "const": "card"
            },
            "digits": {
              "type": "string"
            }
          },
          "required": [
            "method",
            "digits"
          ],
          "additionalProperties": false
        },
        {
          "description": "A second one.",
          "type": "object",
          "properties": {
            "method": {
              "type": "string",
              "const": "other"
            },
            "digits": {
              "type": "string"
            }
          },
          "required": [
            "method",
            "digits"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "method": {
              "type": "string",
              "const": "cash"
            },
            "currency": {
              "type": "string"
            }
          },
          "required": [
            "method",
            "currency"
          ],
          "additionalProperties": true
        },
        {
          "type": "object",
          "properties": {
            "method": {
              "type": "string",
              "const": "refused"
            },
            "reason": {
              "type": "string"
            }
          },
          "required": [
            "method",
            "reason"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "method": {
              "type": "string",
              "const": "free"
            }
          },
          "required": [
            "method"
          ],
          "additionalProperties": false,
          "deprecated": true,
          "x-weave-deprecated": "gone"
        }
      ],
      "x-weave-tag": "method"
    }
    {"anyOf":[{"description":"A card of a bank.","type":"object","properties":{"kind":{"type":"string","const":"a"},"digits":{"type":"string"}},"required":["kind","digits"],"additionalProperties":false}],"x-weave-tag":"kind"}
    "#);
}

#[test]
fn schemas_take_what_fits_and_nothing_else() {
    let schemas = schemas(
        r#"
union Payment by method { card: Card, cash: { currency?: string } }
type Card { digits: string(pattern: "^[0-9]{4}$") }
type Order {
  id: uuid
  total: decimal
  big: int64
  count: int(min: 1)
  placed: timestamp
  wait: duration
  payment: Payment
  tags: string[](max: 2, unique: true)
  prices: map<decimal>
  note: string | null
  tier: "free" | "pro" = "free"
  parent?: Order
}
"#,
    );
    let validator = validator(&json!({ "$ref": "#/$defs/Order" }), &schemas);
    let good = json!({
        "id": "123e4567-e89b-12d3-a456-426614174000", "total": "12.50", "big": "-9223372036854775808", "count": 1,
        "placed": "2026-11-21T10:00:00Z", "wait": "PT24H", "payment": { "method": "card", "digits": "1234" },
        "tags": ["a", "b"], "prices": { "x": "1" }, "note": null,
    });
    assert!(validator.is_valid(&good), "{:?}", validator.iter_errors(&good).map(|error| error.to_string()).collect::<Vec<_>>());
    let mut nested = good.clone();
    nested["parent"] = good.clone();
    assert!(validator.is_valid(&nested));
    for (key, value) in [
        ("id", json!("A-17")),
        ("total", json!(12.5)),
        ("total", json!("1e3")),
        ("big", json!("12x")),
        ("count", json!(0)),
        ("count", json!(9_007_199_254_740_993_i64)),
        ("placed", json!("yesterday")),
        ("wait", json!("24h")),
        ("payment", json!({ "digits": "1234" })),
        ("payment", json!({ "method": "cash", "digits": "1234" })),
        ("tags", json!(["a", "a"])),
        ("tags", json!(["a", "b", "c"])),
        ("prices", json!({ "x": 1 })),
        ("note", json!(1)),
        ("tier", json!("gold")),
        ("parent", json!({})),
        ("unknown", json!(1)),
    ] {
        let mut bad = good.clone();
        bad[key] = value.clone();
        assert!(!validator.is_valid(&bad), "{key}: {value}");
    }
    let mut short = good;
    short.as_object_mut().unwrap().remove("note");
    assert!(!validator.is_valid(&short), "null is not absent");
}

//! Guards as trees and as CEL.

use insta::assert_snapshot;
use serde_json::Value;

use super::definition;

const DECLARATIONS: &str = r#"
type Line { sku: string, count: int, price: decimal, tags: string[] }
enum Tier { free, pro }
tool look(id: string) -> {
  text: string, n: int, big: int64, x: float, price: decimal, raw: bytes, at: timestamp, day: date, wait: duration
  lines: Line[], by_name: map<int>, tier: Tier, intent: "a" | "b", level: 1 | 2, flag: bool, any: json
  none: string | null, maybe?: string, due: timestamp | null, "odd key": bool, owner: { in: string }, nested?: { a: string }
  prices: decimal[]
}
"#;

fn guard(text: &str) -> Value {
    let program = format!(
        "{DECLARATIONS}\nworkflow main(id: string) {{\n  step look {{ call look {{ id: .input.id }} }}\n  end yes on look when {text}\n  end no on look else\n}}\n"
    );
    definition(&program)["nodes"][1]["when"].clone()
}

/// The guard in CEL, or `-`.
fn cel(text: &str) -> String {
    guard(text)["cel"].as_str().unwrap_or("-").to_owned()
}

/// Only the tree, in prefix form: `(op:type a b)`, constants with their types.
fn tree(text: &str) -> String {
    fn prefix(expr: &Value) -> String {
        let ty = |expr: &Value| expr["type"].as_str().map(|ty| format!(":{ty}")).unwrap_or_default();
        if let Some(value) = expr.get("const") {
            return format!("{value}{}", ty(expr));
        }
        let path = |expr: &Value| {
            expr["path"]
                .as_array()
                .map(|path| path.iter().map(|it| format!("/{}", it.as_str().map_or(it.to_string(), str::to_owned))).collect::<String>())
                .unwrap_or_default()
        };
        if let Some(items) = expr["list"].as_array() {
            return format!("[{}]", items.iter().map(prefix).collect::<Vec<_>>().join(" "));
        }
        match (expr["op"].as_str(), expr["var"].as_str()) {
            (Some(op), Some(var)) => format!("({op} {var} {} {})", prefix(&expr["in"]), prefix(&expr["body"])),
            (Some(op), None) => {
                let args = expr["args"].as_array().unwrap().iter().map(prefix).collect::<Vec<_>>();
                format!("({op}{} {})", ty(expr), args.join(" "))
            }
            (None, var) => format!("{}{}{}", var.map(|var| format!("${var}")).unwrap_or_default(), path(expr), ty(expr)),
        }
    }
    prefix(&guard(text)["expr"])
}

fn table(guards: &[&str], of: impl Fn(&str) -> String) -> String {
    guards.iter().map(|guard| format!("{guard}\n    {}", of(guard))).collect::<Vec<_>>().join("\n")
}

const ALL: &[&str] = &[
    r#".look.intent == "a" && .look.none != null"#,
    ".look.flag",
    "!.look.flag || .look.n > 1 && .look.n <= 3",
    "(.look.flag || .look.n == 1) && !(.look.flag && .look.n == 2)",
    ".look.flag && (.look.n != 1 && .look.n != 2) && .look.n != 3",
    ".look.n + 1 - 2 - 3 > 0",
    ".look.n - (1 - 2) > -1",
    ".look.n * 2 / 3 % 4 == -.look.n",
    ".look.x > 1",
    ".look.x + 0.5 < 2.5",
    ".look.big > 9007199254740991",
    ".look.price > 100",
    ".look.price != null",
    ".look.at < \"2027-01-01T00:00:00Z\"",
    ".look.at + 24h > .look.at",
    ".look.at - .look.at > 90s",
    ".look.day >= \"2027-01-01\"",
    ".look.wait < 250ms",
    "-.look.wait - 1s < -(.look.wait + 1s)",
    "-(-.look.n) == -(-1)",
    ".look.raw == \"/+8=\"",
    ".look.tier == \"pro\"",
    ".look.level == 2",
    ".look.any == null",
    "\"x\" in [\"x\", .look.text]",
    ".look.intent in [\"a\"]",
    ".look.price in [\"1\", \"2\"]",
    "\"k\" in .look.by_name",
    ".look.text.contains(\"a\\\"b\") || .look.text.startsWith(.look.intent) || .look.text.endsWith(\"\") || .look.text.matches(\"^a\\\\d$\")",
    "size(.look.lines) > 0 && .look.text.size() > 1 && size(.look.by_name) == 0",
    "has(.look.maybe)",
    "has(.look.none)",
    ".look.maybe == \"x\"",
    ".look.nested?.a == \"x\"",
    ".look.lines.exists(line, line.count > 1 && line.tags.all(tag, tag != .look.text))",
    ".look.by_name.all(key, key != \"\")",
    ".look.lines[0]?.sku == \"A\"",
    "has(.look.lines[0]) && .look.lines[0].sku == \"A\"",
    "size(.look[]) > 1",
    ".look.owner.in == \"x\"",
    "has(.look.due) && .look.due > .look.at",
];

#[test]
fn trees_hold_every_type() {
    assert_snapshot!(table(ALL, tree), @r#"
    .look.intent == "a" && .look.none != null
        (&& (!=:null /look/none:json null:null) (==:string /look/intent:string "a":string))
    .look.flag
        /look/flag:bool
    !.look.flag || .look.n > 1 && .look.n <= 3
        (|| (! /look/flag:bool) (&& (<=:int /look/n:int 3:int) (>:int /look/n:int 1:int)))
    (.look.flag || .look.n == 1) && !(.look.flag && .look.n == 2)
        (&& (|| (! /look/flag:bool) (!=:int /look/n:int 2:int)) (|| (==:int /look/n:int 1:int) /look/flag:bool))
    .look.flag && (.look.n != 1 && .look.n != 2) && .look.n != 3
        (&& (!=:int /look/n:int 1:int) (!=:int /look/n:int 2:int) (!=:int /look/n:int 3:int) /look/flag:bool)
    .look.n + 1 - 2 - 3 > 0
        (>:int (-:int (+:int /look/n:int 1:int) 2:int 3:int) 0:int)
    .look.n - (1 - 2) > -1
        (>:int (-:int /look/n:int (-:int 1:int 2:int)) -1:int)
    .look.n * 2 / 3 % 4 == -.look.n
        (==:int (%:int (/:int (*:int /look/n:int 2:int) 3:int) 4:int) (negate:int /look/n:int))
    .look.x > 1
        (>:float /look/x:float 1:float)
    .look.x + 0.5 < 2.5
        (<:float (+:float /look/x:float 0.5:float) 2.5:float)
    .look.big > 9007199254740991
        (>:int64 /look/big:int64 "9007199254740991":int64)
    .look.price > 100
        (>:decimal /look/price:decimal "100":decimal)
    .look.price != null
        (!=:null /look/price:json null:null)
    .look.at < "2027-01-01T00:00:00Z"
        (<:timestamp /look/at:timestamp "2027-01-01T00:00:00Z":timestamp)
    .look.at + 24h > .look.at
        (>:timestamp (+:timestamp /look/at:timestamp "PT24H":duration) /look/at:timestamp)
    .look.at - .look.at > 90s
        (>:duration (-:timestamp /look/at:timestamp /look/at:timestamp) "PT1M30S":duration)
    .look.day >= "2027-01-01"
        (>=:date /look/day:date "2027-01-01":date)
    .look.wait < 250ms
        (<:duration /look/wait:duration "PT0.25S":duration)
    -.look.wait - 1s < -(.look.wait + 1s)
        (<:duration (-:duration (negate:duration /look/wait:duration) "PT1S":duration) (negate:duration (+:duration /look/wait:duration "PT1S":duration)))
    -(-.look.n) == -(-1)
        (==:int (negate:int -1:int) (negate:int (negate:int /look/n:int)))
    .look.raw == "/+8="
        (==:bytes /look/raw:bytes "/+8=":bytes)
    .look.tier == "pro"
        (==:string /look/tier:string "pro":string)
    .look.level == 2
        (==:int /look/level:int 2:int)
    .look.any == null
        (==:null /look/any:json null:null)
    "x" in ["x", .look.text]
        (in:string "x":string ["x":string /look/text:string])
    .look.intent in ["a"]
        (in:string /look/intent:string ["a"]:list)
    .look.price in ["1", "2"]
        (in:decimal /look/price:decimal ["1","2"]:list)
    "k" in .look.by_name
        (in:string "k":string /look/by_name:map)
    .look.text.contains("a\"b") || .look.text.startsWith(.look.intent) || .look.text.endsWith("") || .look.text.matches("^a\\d$")
        (|| (contains /look/text:string "a\"b":string) (endsWith /look/text:string "":string) (matches /look/text:string "^a\\d$":string) (startsWith /look/text:string /look/intent:string))
    size(.look.lines) > 0 && .look.text.size() > 1 && size(.look.by_name) == 0
        (&& (==:int (size:map /look/by_name:map) 0:int) (>:int (size:list /look/lines:list) 0:int) (>:int (size:string /look/text:string) 1:int))
    has(.look.maybe)
        (!=:null /look/maybe:json null:null)
    has(.look.none)
        (!=:null /look/none:json null:null)
    .look.maybe == "x"
        (==:string /look/maybe:string "x":string)
    .look.nested?.a == "x"
        (==:string /look/nested/a:string "x":string)
    .look.lines.exists(line, line.count > 1 && line.tags.all(tag, tag != .look.text))
        (exists line /look/lines:list (&& (>:int $line/count:int 1:int) (all tag $line/tags:list (!=:string /look/text:string $tag:string))))
    .look.by_name.all(key, key != "")
        (all key /look/by_name:map (!=:string $key:string "":string))
    .look.lines[0]?.sku == "A"
        (==:string /look/lines/0/sku:string "A":string)
    has(.look.lines[0]) && .look.lines[0].sku == "A"
        (&& (!=:null /look/lines/0:json null:null) (==:string /look/lines/0/sku:string "A":string))
    size(.look[]) > 1
        (>:int (size:list /look/{"all":true}:list) 1:int)
    .look.owner.in == "x"
        (==:string /look/owner/in:string "x":string)
    has(.look.due) && .look.due > .look.at
        (&& (!=:null /look/due:json null:null) (<:timestamp /look/at:timestamp /look/due:timestamp))
    "#);
}

#[test]
fn cel_says_what_it_can() {
    assert_snapshot!(table(ALL, cel), @r#"
    .look.intent == "a" && .look.none != null
        look.none != null && look.intent == "a"
    .look.flag
        look.flag
    !.look.flag || .look.n > 1 && .look.n <= 3
        !look.flag || look.n <= 3 && look.n > 1
    (.look.flag || .look.n == 1) && !(.look.flag && .look.n == 2)
        (!look.flag || look.n != 2) && (look.n == 1 || look.flag)
    .look.flag && (.look.n != 1 && .look.n != 2) && .look.n != 3
        look.n != 1 && look.n != 2 && look.n != 3 && look.flag
    .look.n + 1 - 2 - 3 > 0
        look.n + 1 - 2 - 3 > 0
    .look.n - (1 - 2) > -1
        look.n - (1 - 2) > -1
    .look.n * 2 / 3 % 4 == -.look.n
        look.n * 2 / 3 % 4 == -look.n
    .look.x > 1
        look.x > 1.0
    .look.x + 0.5 < 2.5
        look.x + 0.5 < 2.5
    .look.big > 9007199254740991
        look.big > 9007199254740991
    .look.price > 100
        -
    .look.price != null
        look.price != null
    .look.at < "2027-01-01T00:00:00Z"
        look.at < timestamp("2027-01-01T00:00:00Z")
    .look.at + 24h > .look.at
        look.at + duration("86400s") > look.at
    .look.at - .look.at > 90s
        look.at - look.at > duration("90s")
    .look.day >= "2027-01-01"
        look.day >= "2027-01-01"
    .look.wait < 250ms
        look.wait < duration("250ms")
    -.look.wait - 1s < -(.look.wait + 1s)
        duration("0s") - look.wait - duration("1s") < duration("0s") - (look.wait + duration("1s"))
    -(-.look.n) == -(-1)
        -(-1) == -(-look.n)
    .look.raw == "/+8="
        -
    .look.tier == "pro"
        look.tier == "pro"
    .look.level == 2
        look.level == 2
    .look.any == null
        look.any == null
    "x" in ["x", .look.text]
        "x" in ["x", look.text]
    .look.intent in ["a"]
        look.intent in ["a"]
    .look.price in ["1", "2"]
        -
    "k" in .look.by_name
        "k" in look.by_name
    .look.text.contains("a\"b") || .look.text.startsWith(.look.intent) || .look.text.endsWith("") || .look.text.matches("^a\\d$")
        look.text.contains("a\"b") || look.text.endsWith("") || look.text.matches("^a\\d$") || look.text.startsWith(look.intent)
    size(.look.lines) > 0 && .look.text.size() > 1 && size(.look.by_name) == 0
        size(look.by_name) == 0 && size(look.lines) > 0 && size(look.text) > 1
    has(.look.maybe)
        look.maybe != null
    has(.look.none)
        look.none != null
    .look.maybe == "x"
        look.maybe == "x"
    .look.nested?.a == "x"
        -
    .look.lines.exists(line, line.count > 1 && line.tags.all(tag, tag != .look.text))
        look.lines.exists(line, line.count > 1 && line.tags.all(tag, look.text != tag))
    .look.by_name.all(key, key != "")
        look.by_name.all(key, key != "")
    .look.lines[0]?.sku == "A"
        -
    has(.look.lines[0]) && .look.lines[0].sku == "A"
        -
    size(.look[]) > 1
        -
    .look.owner.in == "x"
        look.owner["in"] == "x"
    has(.look.due) && .look.due > .look.at
        look.due != null && look.at < look.due
    "#);
}

#[test]
fn parentheses_that_change_nothing_are_not_seen() {
    for (one, other) in [
        ("(.look.n == 1)", ".look.n == 1"),
        ("(.look.flag && .look.n != 1) && .look.n != 2", ".look.flag && (.look.n != 1 && .look.n != 2)"),
        ("(.look.n + 1) + 2 > 0", ".look.n + 1 + 2 > 0"),
        (".look.flag || (.look.flag && .look.n == 1)", ".look.flag || .look.flag && .look.n == 1"),
    ] {
        assert_eq!(guard(one), guard(other), "{one}");
    }
    assert_ne!(guard(".look.n - (1 - 2) > 0"), guard(".look.n - 1 - 2 > 0"));
}

#[test]
fn roots_that_cel_cannot_name_have_no_text() {
    let program = "tool count() -> int\nworkflow main(id: string) {\n  step loop { call count {} }\n  end yes on loop when .loop == 1\n  end no on loop else\n}\n";
    assert_eq!(definition(program)["nodes"][1]["when"].get("cel"), None);
}

#[test]
fn a_long_chain_is_no_deep_tree() {
    let chain: Vec<String> = (0..300).map(|number| format!(".look.n == {number}")).collect();
    let guard = guard(&chain.join(" || "));
    assert_eq!(guard["expr"]["args"].as_array().unwrap().len(), 300);
}

#[test]
fn approvals_and_mailboxes_have_guards_too() {
    let definition = definition(
        "external event order.paid { id: string }
tool pay(amount: decimal, id: string) { approval when .amount > 500 && .id != \"\" }
workflow main(id: string) {
  step paid { wait order.paid when .event.id == .input.id }
  step pay on paid { call pay { amount: \"1\", id: .paid.id } }
  end done on pay
}
",
    );
    assert_eq!(definition["nodes"][0]["match"]["cel"], "event.id == input.id");
    assert_eq!(definition["tools"]["pay"]["approval"]["when"]["expr"]["args"][1]["args"][0]["path"], serde_json::json!(["amount"]));
}

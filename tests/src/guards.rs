//! Random guards that are well typed, and random values for them.

use serde_json::{Map, Value, json};

use crate::random::Random;

/// The values that guards read: name, type, and what it may be.
const VALUES: &[(&str, &str, &[&str])] = &[
    ("flag", "bool", &["true", "false"]),
    ("n", "int", &["0", "1", "-1", "2", "7", "-7", "9007199254740991", "-9007199254740991"]),
    ("m", "int", &["0", "1", "3", "-2", "10"]),
    ("big", "int64", &[r#""0""#, r#""5""#, r#""-3""#, r#""9223372036854775807""#, r#""-9223372036854775808""#]),
    ("wide", "int64", &[r#""1""#, r#""-1""#, r#""2""#, r#""4611686018427387904""#]),
    ("x", "float", &["0", "-0.0", "1", "0.1", "-2.5", "1e10", "1e308"]),
    ("y", "float", &["0", "0.2", "3", "-1e-7", "1e308"]),
    ("s", "string", &[r#""""#, r#""a""#, r#""ab""#, r#""B""#, r#""é""#, r#""e\u0301""#, r#""😀a""#, r#""\uffff""#, r#""a1 b_2\n""#]),
    ("t", "string", &[r#""""#, r#""a""#, r#""b""#, r#""😀""#, r#""2027-01-01""#]),
    ("raw", "bytes", &[r#""""#, r#""YQ==""#, r#""/+8=""#, r#""YWI=""#]),
    ("cooked", "bytes", &[r#""""#, r#""YQ==""#, r#""YWL/""#]),
    ("at", "timestamp", &[r#""2027-01-01T00:00:00Z""#, r#""2026-12-31T23:59:59.5Z""#, r#""1999-02-28T12:00:00+02:00""#]),
    ("due", "timestamp", &[r#""2027-01-01T01:00:00+01:00""#, r#""2030-06-15T08:30:00-05:30""#]),
    ("wait", "duration", &[r#""PT0S""#, r#""PT1H""#, r#""P1D""#, r#""PT0.25S""#]),
    ("pause", "duration", &[r#""PT60M""#, r#""P3650D""#, r#""PT1S""#]),
    ("day", "date", &[r#""2027-01-01""#, r#""2026-12-31""#, r#""0001-01-01""#]),
    ("ns", "int[]", &["[]", "[0]", "[1,2,3]", "[3,-7,0,3]"]),
    ("words", "string[]", &["[]", r#"["a"]"#, r#"["a","b","é",""]"#]),
    ("counts", "map<int>", &["{}", r#"{"a":1}"#, r#"{"b":0,"":2,"é":3}"#]),
    ("tier", r#""free" | "pro""#, &[r#""free""#, r#""pro""#]),
    ("maybe_n", "int | null", &["null", "1", "0"]),
    ("maybe_s", "string | null", &["null", r#""a""#, r#""""#]),
    ("any", "json", &["null", "1", "1.0", r#""a""#, "true", "[1]", r#"{"a":1}"#]),
    ("owner", "{ name: string, age: int, in: bool }", &[r#"{"name":"a","age":7,"in":true}"#, r#"{"name":"","age":-1,"in":false}"#]),
    (
        "lines",
        "{ sku: string, count: int, tags: string[], note: string | null }[]",
        &[
            "[]",
            r#"[{"sku":"a","count":2,"tags":["x"],"note":null}]"#,
            r#"[{"sku":"ab","count":0,"tags":[],"note":"a"},{"sku":"","count":-3,"tags":["a","b"],"note":""}]"#,
        ],
    ),
];

/// The names and types of the values.
pub fn types() -> impl Iterator<Item = (&'static str, &'static str)> {
    VALUES.iter().map(|(name, ty, _)| (*name, *ty))
}

/// A value for each name.
///
/// # Panics
///
/// If one of the values above is no JSON.
#[must_use]
pub fn values(random: &mut Random) -> Map<String, Value> {
    let value = |choice: &str| serde_json::from_str(choice).unwrap_or_else(|_| json!(choice));
    VALUES.iter().map(|(name, _, choices)| ((*name).to_owned(), value(choices[random.below(choices.len())]))).collect()
}

/// A guard of our language over these values. It is well typed; the compiler may refuse it all the same, because it says what cannot be.
#[must_use]
pub fn guard(random: &mut Random) -> String {
    Writer { random, variables: Vec::new() }.expression(Kind::Bool, 4).text
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bool,
    Int,
    Int64,
    Float,
    String,
    Bytes,
    Timestamp,
    Duration,
    Date,
    Ints,
    Words,
    Line,
}

/// How tightly the text of an expression binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Or,
    And,
    Relation,
    Sum,
    Product,
    Sign,
    Member,
}

struct Text {
    text: String,
    binding: Binding,
}

impl Text {
    fn new(text: impl Into<String>, binding: Binding) -> Self {
        Self { text: text.into(), binding }
    }

    fn member(text: impl Into<String>) -> Self {
        Self::new(text, Binding::Member)
    }

    fn at_least(self, binding: Binding) -> String {
        if self.binding < binding { format!("({})", self.text) } else { self.text }
    }
}

struct Writer<'r> {
    random: &'r mut Random,
    /// The variables of the quantifiers around.
    variables: Vec<(String, Kind)>,
}

impl Writer<'_> {
    fn chance(&mut self, of: usize) -> bool {
        self.random.below(of) == 0
    }

    fn pick<'c>(&mut self, choices: &[&'c str]) -> &'c str {
        choices[self.random.below(choices.len())]
    }

    /// An expression in which something is read.
    fn expression(&mut self, kind: Kind, depth: usize) -> Text {
        if depth == 0 {
            return Text::member(self.read(kind));
        }
        let depth = depth - 1;
        match kind {
            Kind::Bool => self.truth(depth),
            _ if self.chance(3) => Text::member(self.read(kind)),
            Kind::Int if self.chance(3) => Text::member(self.size(depth)),
            Kind::Int | Kind::Int64 => {
                let operator = self.pick(&["+", "-", "*", "/", "%", "sign"]);
                self.arithmetic(kind, operator, depth)
            }
            Kind::Float => {
                let operator = self.pick(&["+", "-", "*", "/", "sign"]);
                self.arithmetic(kind, operator, depth)
            }
            Kind::String | Kind::Bytes | Kind::Ints | Kind::Words => self.arithmetic(kind, "+", depth),
            Kind::Timestamp => self.moment(depth),
            Kind::Duration => match self.random.below(3) {
                0 => {
                    let (one, other) = (self.expression(Kind::Timestamp, depth), self.expression(Kind::Timestamp, depth));
                    Text::new(format!("{} - {}", one.at_least(Binding::Sum), other.at_least(Binding::Product)), Binding::Sum)
                }
                1 => self.arithmetic(kind, "sign", depth),
                _ => {
                    let operator = self.pick(&["+", "-"]);
                    self.arithmetic(kind, operator, depth)
                }
            },
            Kind::Date | Kind::Line => Text::member(self.read(kind)),
        }
    }

    /// An expression, or a literal.
    fn operand(&mut self, kind: Kind, depth: usize) -> Text {
        let literals: &[&str] = match kind {
            Kind::Bool => &["true", "false"],
            Kind::Int => &["0", "1", "2", "-1", "9007199254740991"],
            Kind::Int64 => &["0", "1", "-1", "\"9223372036854775807\"", "\"-9223372036854775808\""],
            Kind::Float => &["0.5", "1", "0.0", "-1.5e3"],
            Kind::String => &[r#""""#, r#""a""#, r#""é""#, r#""😀""#, r#""\"\\\n""#],
            Kind::Timestamp => &[r#""2027-01-01T00:00:00Z""#, r#""2027-01-01T01:00:00.25+01:00""#],
            Kind::Duration => &["1h", "90s", "250ms", "7d"],
            Kind::Date => &[r#""2027-01-01""#, r#""2026-02-28""#],
            Kind::Ints => &["[1, 2]", "[]"],
            Kind::Words => &[r#"["a", "b"]"#],
            Kind::Bytes | Kind::Line => &[],
        };
        if !literals.is_empty() && self.chance(3) {
            let literal = self.pick(literals);
            return Text::new(literal, if literal.starts_with('-') { Binding::Sign } else { Binding::Member });
        }
        self.expression(kind, depth)
    }

    /// What is read from a value or a variable.
    fn read(&mut self, kind: Kind) -> String {
        let mut fields = Vec::new();
        for (name, of) in &self.variables {
            match (of, kind) {
                (of, kind) if *of == kind => fields.extend([name.clone(), name.clone(), name.clone()]),
                (Kind::Line, Kind::String) => fields.push(format!("{name}.sku")),
                (Kind::Line, Kind::Int) => fields.push(format!("{name}.count")),
                (Kind::Line, Kind::Words) => fields.push(format!("{name}.tags")),
                _ => {}
            }
        }
        let values: &[&str] = match kind {
            Kind::Bool => &[".flag", ".owner.in"],
            Kind::Int => &[".n", ".m", ".owner.age"],
            Kind::Int64 => &[".big", ".wide"],
            Kind::Float => &[".x", ".y"],
            Kind::String => &[".s", ".t", ".owner.name", ".tier"],
            Kind::Bytes => &[".raw", ".cooked"],
            Kind::Timestamp => &[".at", ".due"],
            Kind::Duration => &[".wait", ".pause"],
            Kind::Date => &[".day"],
            Kind::Ints => &[".ns"],
            Kind::Words => &[".words"],
            Kind::Line => &[],
        };
        fields.extend(values.iter().map(|value| (*value).to_owned()));
        fields.swap_remove(self.random.below(fields.len()))
    }

    fn size(&mut self, depth: usize) -> String {
        let kind = [Kind::String, Kind::Bytes, Kind::Ints, Kind::Words][self.random.below(4)];
        match self.random.below(4) {
            0 => format!("size({})", self.pick(&[".counts", ".lines"])),
            1 => format!("{}.size()", self.expression(kind, depth).at_least(Binding::Member)),
            _ => format!("size({})", self.expression(kind, depth).text),
        }
    }

    fn arithmetic(&mut self, kind: Kind, operator: &str, depth: usize) -> Text {
        if operator == "sign" {
            return Text::new(format!("-{}", self.expression(kind, depth).at_least(Binding::Sign)), Binding::Sign);
        }
        let (own, tighter) =
            if matches!(operator, "+" | "-") { (Binding::Sum, Binding::Product) } else { (Binding::Product, Binding::Sign) };
        let mut text = self.expression(kind, depth).at_least(own);
        for _ in 0..=self.random.below(2) {
            text = format!("{text} {operator} {}", self.operand(kind, depth).at_least(tighter));
        }
        Text::new(text, own)
    }

    fn moment(&mut self, depth: usize) -> Text {
        let at = self.expression(Kind::Timestamp, depth);
        let of = self.operand(Kind::Duration, depth);
        Text::new(
            match self.random.below(3) {
                0 => format!("{} + {}", self.expression(Kind::Duration, depth).at_least(Binding::Sum), at.at_least(Binding::Product)),
                1 => format!("{} + {}", at.at_least(Binding::Sum), of.at_least(Binding::Product)),
                _ => format!("{} - {}", at.at_least(Binding::Sum), of.at_least(Binding::Product)),
            },
            Binding::Sum,
        )
    }

    fn truth(&mut self, depth: usize) -> Text {
        match self.random.below(12) {
            0 | 1 => self.chain(" && ", Binding::And, Binding::Relation, depth),
            2 | 3 => self.chain(" || ", Binding::Or, Binding::And, depth),
            4 => Text::new(format!("!{}", self.expression(Kind::Bool, depth).at_least(Binding::Sign)), Binding::Sign),
            5 | 6 => self.order(depth),
            7 => self.equality(depth),
            8 => self.method(depth),
            9 => self.membership(depth),
            10 => self.quantifier(depth),
            _ => self.absence(),
        }
    }

    fn chain(&mut self, operator: &str, own: Binding, tighter: Binding, depth: usize) -> Text {
        let count = 2 + self.random.below(2);
        let operands: Vec<_> = (0..count).map(|_| self.expression(Kind::Bool, depth).at_least(tighter)).collect();
        Text::new(operands.join(operator), own)
    }

    fn compare(&mut self, kind: Kind, operators: &[&str], depth: usize) -> Text {
        let operator = self.pick(operators);
        let (one, other) = (self.expression(kind, depth).at_least(Binding::Sum), self.operand(kind, depth).at_least(Binding::Sum));
        let (one, other) = if self.chance(4) { (other, one) } else { (one, other) };
        Text::new(format!("{one} {operator} {other}"), Binding::Relation)
    }

    fn order(&mut self, depth: usize) -> Text {
        use Kind::{Bool, Bytes, Date, Duration, Float, Int, Int64, String, Timestamp};
        let kinds = [Int, Int, Int64, Int64, Float, Float, String, Bytes, Timestamp, Duration, Date, Bool];
        let kind = kinds[self.random.below(kinds.len())];
        self.compare(kind, &["<", "<=", ">", ">="], depth)
    }

    fn equality(&mut self, depth: usize) -> Text {
        use Kind::{Bool, Bytes, Date, Duration, Float, Int, Int64, Ints, String, Timestamp, Words};
        let kinds = [Bool, Int, Int64, Float, String, Bytes, Timestamp, Duration, Date, Ints, Words];
        let kind = kinds[self.random.below(kinds.len())];
        self.compare(kind, &["==", "!="], depth)
    }

    fn method(&mut self, depth: usize) -> Text {
        let receiver = self.expression(Kind::String, depth).at_least(Binding::Member);
        let method = self.pick(&["contains", "startsWith", "endsWith", "matches"]);
        let argument = if method == "matches" {
            let patterns = [
                r#""a""#,
                r#""^$""#,
                r#""^[ab]+$""#,
                r#""\\d""#,
                r#""^\\W""#,
                r#""\\bb""#,
                r#""^.$""#,
                r#""(a|é){1,2}\\s?""#,
                r#""\\n$""#,
                r#""[^a-z]""#,
            ];
            self.pick(&patterns).to_owned()
        } else {
            self.operand(Kind::String, depth).text
        };
        Text::member(format!("{receiver}.{method}({argument})"))
    }

    fn membership(&mut self, depth: usize) -> Text {
        let text = match self.random.below(5) {
            0 => format!("{} in .counts", self.expression(Kind::String, depth).at_least(Binding::Sum)),
            1 => {
                let (one, other) = (self.expression(Kind::Int, depth), self.expression(Kind::Int, depth));
                format!("{} in [{}, 1]", one.at_least(Binding::Sum), other.text)
            }
            2 => format!("{} in [0.5, 1, {}]", self.expression(Kind::Float, depth).at_least(Binding::Sum), self.read(Kind::Float)),
            3 => format!("{} in {}", self.operand(Kind::Int, depth).at_least(Binding::Sum), self.read(Kind::Ints)),
            _ => {
                let list = self.expression(Kind::Words, depth).at_least(Binding::Sum);
                format!("{} in {list}", self.operand(Kind::String, depth).at_least(Binding::Sum))
            }
        };
        Text::new(text, Binding::Relation)
    }

    fn quantifier(&mut self, depth: usize) -> Text {
        let (list, kind) = match self.random.below(4) {
            0 => (self.expression(Kind::Ints, depth).at_least(Binding::Member), Kind::Int),
            1 => (self.expression(Kind::Words, depth).at_least(Binding::Member), Kind::String),
            2 => (".counts".to_owned(), Kind::String),
            _ => (".lines".to_owned(), Kind::Line),
        };
        let variable = format!("v{}", self.variables.len());
        self.variables.push((variable.clone(), kind));
        let body = self.expression(Kind::Bool, depth).text;
        self.variables.pop();
        Text::member(format!("{list}.{}({variable}, {body})", self.pick(&["exists", "all"])))
    }

    /// Questions about what may be null, and about what may be anything.
    fn absence(&mut self) -> Text {
        let line = self.variables.iter().rev().find(|(_, kind)| *kind == Kind::Line).map(|(name, _)| name.clone());
        let text = match (self.random.below(4), line) {
            (0 | 1, Some(line)) => {
                let guards =
                    ["has(LINE.note)", "LINE.note == null", "LINE.note == \"a\"", "LINE.note != null && LINE.note.contains(\"a\")"];
                format!("({})", self.pick(&guards).replace("LINE", &line))
            }
            _ => {
                let guards = [
                    "(.maybe_n == null)",
                    "(.maybe_n != null && .maybe_n / .m > 0)",
                    "(.maybe_n == null || .maybe_n < .n)",
                    "(.maybe_n != .m)",
                    "(.maybe_n == .maybe_n)",
                    "has(.maybe_s)",
                    "(.maybe_s == .s)",
                    "(.maybe_s != \"a\")",
                    "(.maybe_s in [\"a\", \"\"])",
                    "(has(.maybe_s) && .maybe_s.startsWith(.t))",
                    "(.any == null)",
                    "(.any == \"a\")",
                    "(.any == 1)",
                    "(.any != true)",
                    "(.any == .s)",
                    "(.any == .x)",
                    "(.any == [1])",
                    "(.tier == \"free\")",
                ];
                self.pick(&guards).to_owned()
            }
        };
        Text::member(text)
    }
}

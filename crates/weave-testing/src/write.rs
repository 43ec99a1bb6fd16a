//! Scripts as text: what the front end reads as the same script.

use std::fmt::Write as _;

use weave_scenario::{Branch, Element, Expected, LineKind, Literal, LiteralKind, OrderItem, Script, StepRef};
use weave_syntax::text::quoted_string;

/// The `test` item of a script, in the layout of the formatter. Fields have their names on the wire.
#[must_use]
pub fn written(script: &Script) -> String {
    let mut text = String::new();
    branch(&script.root, Some(&script.workflow), 0, &mut text);
    weave_format::format_text(&text.as_str().into(), None, weave_diagnostics::FileId(0)).unwrap_or(text)
}

/// Inner tests of scripts nest no deeper than those of programs.
fn branch(branch_: &Branch, workflow: Option<&str>, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    for line in branch_.doc.iter().flat_map(|doc| doc.lines()) {
        let _ = writeln!(text, "{indent}/// {line}");
    }
    let of = workflow.map_or_else(String::new, |workflow| format!(" of {workflow}"));
    let _ = writeln!(text, "{indent}test {}{of} {{", branch_.name);
    for line in &branch_.lines {
        let _ = writeln!(text, "{indent}  {}", line_text(&line.kind));
    }
    for inner in &branch_.branches {
        branch(inner, None, depth + 1, text);
    }
    let _ = writeln!(text, "{indent}}}");
}

fn line_text(kind: &LineKind) -> String {
    let given =
        |value: &Option<Literal>, before: &str| value.as_ref().map_or_else(String::new, |value| format!("{before}{}", literal(value)));
    match kind {
        LineKind::Start { input } => format!("start{}", given(input, " ")),
        LineKind::Answer { step: of, value } => format!("answer {}{}", step(of), given(value, " = ")),
        LineKind::Fail { step: of, failure, payload, once } => {
            format!("fail {} {}{}{}", step(of), failure.word(), given(payload, " "), if *once { " once" } else { "" })
        }
        LineKind::Call { tool, step: of, args } => format!("call {tool} from {}{}", step(of), given(args, " ")),
        LineKind::Send { topic, from, payload } => {
            let from = from.as_ref().map_or_else(String::new, |of| format!(" from {}", step(of)));
            format!("send {topic}{from}{}", given(payload, " "))
        }
        LineKind::Approve { step: of, args } => format!("approve {}{}", step(of), given(args, " ")),
        LineKind::Reject { step: of, reason } => {
            format!("reject {} {}", step(of), quoted_string(reason.as_deref().unwrap_or("no")))
        }
        LineKind::Wait { milliseconds } | LineKind::WaitUntil { milliseconds } => format!("wait {}", duration(*milliseconds)),
        LineKind::Expect { firing, expected } => match expected {
            Expected::Fired => format!("expect {}", step(firing)),
            Expected::Asked(value) => format!("expect {} {}", step(firing), literal(value)),
            Expected::Gave(value) => format!("expect {} = {}", step(firing), literal(value)),
        },
        LineKind::ExpectNot { firing } => format!("expect !{}", step(firing)),
        LineKind::ExpectFailure { failure, payload } => format!("expect failure {}{}", failure.word(), given(payload, " ")),
        LineKind::ExpectOrder { items } => {
            let items = items.iter().map(|item| if let OrderItem::Node { node, .. } = item { node } else { "..." });
            format!("expect [{}]", items.collect::<Vec<_>>().join(", "))
        }
        LineKind::Open { steps } => format!("open [{}]", steps.iter().map(step).collect::<Vec<_>>().join(", ")),
    }
}

fn step(step: &StepRef) -> String {
    let number = step.number.map_or_else(String::new, |number| format!("#{number}"));
    let element = match step.element {
        Element::None => String::new(),
        Element::At(index) => format!("[{index}]"),
        Element::All => "[]".to_owned(),
    };
    format!("{}{number}{element}", step.node)
}

fn literal(value: &Literal) -> String {
    match &value.kind {
        LiteralKind::Null => "null".to_owned(),
        LiteralKind::Bool(value) => value.to_string(),
        LiteralKind::Number(number) => number.to_string(),
        LiteralKind::String(text) => quoted_string(text),
        LiteralKind::List { items, rest } => bracketed("[", items.iter().map(literal).collect(), rest.is_some(), "]", ""),
        LiteralKind::Object { entries, rest } => {
            let entries = entries.iter().map(|entry| format!("{}: {}", key(&entry.key), literal(&entry.value)));
            bracketed("{", entries.collect(), rest.is_some(), "}", " ")
        }
    }
}

fn bracketed(open: &str, mut parts: Vec<String>, rest: bool, close: &str, space: &str) -> String {
    if rest {
        parts.push("...".to_owned());
    }
    if parts.is_empty() { format!("{open}{close}") } else { format!("{open}{space}{}{space}{close}", parts.join(", ")) }
}

fn key(name: &str) -> String {
    let mut bytes = name.bytes();
    let is_name = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_name { name.to_owned() } else { quoted_string(name) }
}

/// `1h30m`; the smallest unit is the millisecond.
fn duration(milliseconds: u64) -> String {
    let mut text = String::new();
    let mut rest = milliseconds;
    for (unit, length) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)] {
        if rest >= length {
            let _ = write!(text, "{}{unit}", rest / length);
            rest %= length;
        }
    }
    if text.is_empty() { "0s".to_owned() } else { text }
}

//! Graphs, and what is said about them.

mod availability;
mod random;
mod structure;
mod topics;

use crate::codes::flow::CODES;
use crate::fixture::checked;

const DECLARATIONS: &str = "
event review.asked { id: string } -> review.granted | review.denied
external event review.granted { by: string }
external event review.denied { by: string, reason: string }
external event order.paid { id: string, amount: decimal }
event order.noted { id: string }
event inner.asked { id: string } -> inner.told
event inner.told { id: string }
tool find(id: string) -> { total: int, id: string }
interaction tool choose(ids: string[]) -> string
signal tool escalate(reason: string)
agent writer(text: string) -> { text: string } {
  model mini
  system \"Write.\"
  tools [escalate, find]
}
workflow child(id: string) -> { good: bool } {
  end ok = { good: true }
}
";

/// What is said about a workflow with these nodes.
fn nodes(nodes: &str) -> String {
    checked(&format!("{DECLARATIONS}\nworkflow w(id: string, ids: string[], yes: bool) {{\n{nodes}\n}}\n"))
}

fn silent(text: &str) {
    assert_eq!(nodes(text), "", "{text}");
}

/// The ids of what is said, and the pieces of text that they stand at.
fn ids(text: &str) -> String {
    let said = nodes(text);
    let lines = said.lines().filter(|line| !line.starts_with(' '));
    lines.map(|line| line.split(": ").next().unwrap_or_default()).collect::<Vec<_>>().join("; ")
}

#[test]
fn every_bad_example_gets_its_diagnostic_and_no_other_and_every_good_one_gets_none() {
    let mut wrong = String::new();
    for code in CODES {
        let (bad, good) = (checked(code.bad), checked(code.good));
        let ids = bad.lines().filter(|line| !line.starts_with(' ')).map(|line| line.split(' ').next().unwrap()).collect::<Vec<_>>();
        if ids != [code.id] {
            wrong += &format!("---- {}, bad\n{}\n{bad}\n", code.id, code.bad);
        }
        if !good.is_empty() {
            wrong += &format!("---- {}, good\n{}\n{good}\n", code.id, code.good);
        }
    }
    assert_eq!(wrong, "");
}

#[test]
fn a_large_workflow_is_clean_too() {
    // 5,000 nodes, each listening to four earlier ones, with a loop back every hundred.
    let mut text = String::new();
    for index in 0..5_000_usize {
        text += &format!("  step s{index}");
        if index > 0 {
            let sources = (0..4).map(|at| format!("s{}", index.saturating_sub(1 + at * at * 7))).collect::<std::collections::BTreeSet<_>>();
            text += &format!(" on {}", sources.into_iter().collect::<Vec<_>>().join(" | "));
            text += if index % 100 == 0 { " limit 3" } else { "" };
        }
        text += &format!(" {{ call find {{ id: {} }} }}\n", if index > 0 { ".s0.id" } else { ".input.id" });
    }
    text += "  end done on s4999\n";
    let fixture = crate::fixture::Fixture::new(&format!("{DECLARATIONS}\nworkflow w(id: string) {{\n{text}}}\n"));
    let declared = fixture.declare();
    let bodies = crate::bodies::check(&declared.model, &fixture.units[1], true);
    assert_eq!(fixture.show(bodies.diagnostics), "");
}

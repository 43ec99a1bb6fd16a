//! Definitions with one thing less, or turned round: does a test of the examples notice?

use serde_json::{Value, json};
use weave_ir::Definition;
use weave_scenario::play;

use super::{Tested, subject};

/// A definition in which one thing is another.
pub struct Mutant {
    /// What was done: `delete the node pay`.
    pub what: String,
    /// The definition.
    pub definition: Definition,
}

/// An `end` or `fail` of the same choice is looked at first and ends the run, so the node does not fire where it would be too much.
const ENDED_BEFORE: &str = "another arm of the choice ends the run before it";
/// The guard is never false where it is evaluated, which no schema says.
const NEVER_FALSE: &str = "the guard is never false: the tool that is called before says so in words only";

/// Mutants that no test can tell from the original, and why.
pub const SURVIVORS: &[(&str, &str)] = &[
    ("council: delete the `else` of conclude", ENDED_BEFORE),
    ("deliver: delete the guard `when` of lost", "a step that waits for an event fails in no other way than by its timeout"),
    ("deploy_release: delete the `else` of not_shipped", ENDED_BEFORE),
    ("grounded_answer: delete the `else` of draft", ENDED_BEFORE),
    ("grounded_answer: delete the guard `when` of rewrite", NEVER_FALSE),
    ("judge_proposal: delete the `else` of assess", ENDED_BEFORE),
    ("judge_proposal: delete the `else` of vote", ENDED_BEFORE),
    ("refund: delete the `else` of not_looked_up", ENDED_BEFORE),
    ("refund: delete the `else` of unpaid", ENDED_BEFORE),
    ("review_change: delete the `else` of begun", ENDED_BEFORE),
    ("review_change: delete the `else` of verdict", ENDED_BEFORE),
    ("take_in_invoice: delete the `else` of not_booked", ENDED_BEFORE),
];

/// All mutants of a definition: each node, edge and guard is deleted, and each guard negated.
#[must_use]
pub fn mutants(definition: &Definition) -> Vec<Mutant> {
    let original = serde_json::to_value(definition).expect("a definition is JSON");
    let mut found = Vec::new();
    let mut add = |what: String, document: Value| {
        // What is no definition any more is no mutant.
        if let Ok(definition) = Definition::from_json(&document.to_string()) {
            found.push(Mutant { what, definition });
        }
    };
    for (place, node) in definition.nodes.iter().enumerate() {
        let id = &node.id;
        let mut without = original.clone();
        without["nodes"].as_array_mut().expect("nodes are a list").remove(place);
        add(format!("delete the node {id}"), without);
        for (pointer, part) in guards(&original["nodes"][place]) {
            let mut negated = original.clone();
            let guard = negated["nodes"][place].pointer_mut(&pointer).expect("the guard is there");
            *guard = json!({ "expr": { "op": "!", "args": [guard["expr"]] } });
            add(format!("negate {part} of {id}"), negated);
            let mut deleted = original.clone();
            remove(&mut deleted["nodes"][place], &pointer);
            add(format!("delete {part} of {id}"), deleted);
        }
        for (pointer, part) in edges(&original["nodes"][place]) {
            let mut deleted = original.clone();
            remove(&mut deleted["nodes"][place], &pointer);
            add(format!("delete {part} of {id}"), deleted);
        }
    }
    found
}

/// The guards of a node, as pointers below it.
fn guards(node: &Value) -> Vec<(String, String)> {
    let own = ["when", "match"].into_iter().filter(|key| node.get(key).is_some());
    let own = own.map(|key| (format!("/{key}"), format!("the guard `{key}`")));
    let items = node.pointer("/on/any").and_then(Value::as_array).into_iter().flatten().enumerate();
    let of_items = items.filter(|(_, item)| item.get("when").is_some());
    own.chain(of_items.map(|(item, _)| (format!("/on/any/{item}/when"), format!("the guard of trigger {}", item + 1)))).collect()
}

/// The edges to a node that can be left out: triggers of several, members of joins, its only trigger, and its `else`.
fn edges(node: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    if let Some(items) = node.pointer("/on/any").and_then(Value::as_array) {
        found.extend((0..items.len()).filter(|_| items.len() > 1).map(|item| (format!("/on/any/{item}"), format!("trigger {}", item + 1))));
    } else if node.get("on").is_some() && node.get("when").is_none() && node.get("else").is_none() {
        found.push(("/on".to_owned(), "the trigger".to_owned()));
    }
    for key in ["all", "settled", "of"] {
        let members = node.pointer(&format!("/on/{key}")).and_then(Value::as_array);
        found.extend(
            members.into_iter().flat_map(|members| 0..members.len()).map(|it| (format!("/on/{key}/{it}"), format!("member {}", it + 1))),
        );
    }
    if node.get("else").is_some() {
        found.push(("/else".to_owned(), "the `else`".to_owned()));
    }
    found
}

fn remove(node: &mut Value, pointer: &str) {
    let (above, key) = pointer.rsplit_once('/').expect("a pointer has a slash");
    match node.pointer_mut(above).expect("the part is there") {
        Value::Array(items) => {
            items.remove(key.parse().expect("a place"));
        }
        Value::Object(entries) => {
            entries.remove(key);
        }
        _ => {}
    }
}

/// What became of the mutants of an example.
#[derive(Debug, Default)]
pub struct Tally {
    /// How many there are.
    pub all: usize,
    /// Those that no test noticed.
    pub survivors: Vec<String>,
}

/// Plays the tests of an example with each of its mutants.
#[must_use]
pub fn tally(tested: &Tested) -> Tally {
    let mut tally = Tally::default();
    for (place, compiled) in tested.tests.workflows.iter().enumerate() {
        let scripts: Vec<_> = tested.tests.tests.iter().filter(|test| test.workflow == place).collect();
        for mutant in mutants(&compiled.definition) {
            let subject = subject(tested, place, Some(mutant.definition));
            let is_noticed = scripts.iter().any(|test| play(&subject, &test.script).leaves.iter().any(|leaf| leaf.finding.is_some()));
            tally.all += 1;
            if !is_noticed {
                tally.survivors.push(format!("{}: {}", compiled.name, mutant.what));
            }
        }
    }
    tally
}

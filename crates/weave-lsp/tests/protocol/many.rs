//! More mistakes in a file than get suggestions: what is known after an edit is what somebody knows who opens the file for the first time.

use serde_json::Value as Json;

use crate::client::{Client, Memory};

/// How many diagnostics of a file get suggestions.
const MANY: usize = 100;

/// Workflows, those of these numbers with two mistakes each. Each mistake is like the right name.
fn text(count: usize, is_wrong: impl Fn(usize) -> bool) -> String {
    let workflow = |number: usize| {
        let (field, step) = if is_wrong(number) { ("qestion", "anser") } else { ("question", "answer") };
        format!(
            "workflow w{number}(question: string) -> string {{\n  step answer {{ emit ai.request {{ prompt: .input.{field} }} }}\n  end done on {step} = \"\"\n}}\n"
        )
    };
    (0..count).map(workflow).collect()
}

fn with_suggestions(found: &[Json]) -> usize {
    found.iter().filter(|diagnostic| diagnostic["message"].as_str().unwrap().contains("did you mean")).count()
}

#[test]
fn with_more_mistakes_than_get_suggestions_an_edit_leads_to_what_a_first_look_says() {
    const COUNT: usize = 80;
    let mut client = Client::new(&Memory::default(), &[]);
    client.open("/many.weave", &text(COUNT, |_| true));
    let mut shown = client.diagnostics("/many.weave");
    assert_eq!((shown.len(), with_suggestions(&shown)), (2 * COUNT, MANY));
    // Fewer and more, on either side of where suggestions end, in front of it and behind it, and around the very number.
    let states: [fn(usize) -> bool; 8] = [
        |number| number != 0,
        |number| number != 79,
        |number| number > 30,
        |number| number >= 30,
        |number| number > 29,
        |_| false,
        |number| number < 50,
        |number| number % 3 != 1,
    ];
    for is_wrong in states {
        let text = text(COUNT, is_wrong);
        client.replace("/many.weave", &text);
        shown = client.diagnostics("/many.weave");
        let mut other = Client::new(&Memory::default(), &[]);
        other.open("/many.weave", &text);
        assert_eq!(shown, other.diagnostics("/many.weave"));
        assert!(other.end());
        let mistakes = 2 * (0..COUNT).filter(|number| is_wrong(*number)).count();
        let errors = shown.iter().filter(|diagnostic| diagnostic["severity"] == 1).count();
        assert_eq!((errors, with_suggestions(&shown)), (mistakes, mistakes.min(MANY)));
    }
    assert!(client.end());
}

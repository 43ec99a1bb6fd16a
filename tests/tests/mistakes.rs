//! Each mistake is reported, and nothing that only follows from one.

use weave_tests::program::Program;

/// Twelve items with a mistake each, the fourth and the ninth of them in the syntax. The mistakes stand between `«` and `»`.
const TWELVE: &str = r#"type Order { id: uuid, total: «decimel», paid: bool = false }

enum Tier { free, pro, «free» }

error card_declined { reason: string = «12» }

tool find_order(order_id: string«» -> Order { timeout 10s }

tool refund(order_id: string) -> Order { «tiemout» 10s }

event approval.requested { order: Order } -> «approval.given»

external event approval.granted { by: string }

prompt classify(order: Order) """
  Classify {{«.ordre»}}.
  """

agent triager(order: Order) -> { intent: string«»  {
  model nano
  prompt classify
}

toolkit desk { tools [find_order, «refnd»] }

workflow first(order: Order) -> Order {
  step look { call find_order { order_id: .input.order.«idd» } }
  end done on look = .look
}

workflow second(order: Order) -> { found: decimal } {
  step look { call «find_ordr» { order_id: .input.order.id } }
  end done on look = { found: .look.total }
}

workflow third(order: Order) -> Order {
  step look { call find_order { order_id: .input.order.id } }
  end done on «lok» = .look
}
"#;

/// What they are, in their order.
const IDS: [&str; 12] = [
    "unknown-name",
    "duplicate-enum-value",
    "type-mismatch",
    "unclosed-bracket",
    "unknown-setting",
    "unknown-topic",
    "unknown-value",
    "unclosed-bracket",
    "unknown-name",
    "unknown-field",
    "unknown-name",
    "unknown-step",
];

/// The text without its marks, and what the marks enclose.
fn unmarked(text: &str) -> (String, Vec<std::ops::Range<usize>>) {
    let mut plain = String::new();
    let mut ranges = Vec::new();
    for character in text.chars() {
        match character {
            '«' => ranges.push(plain.len()..plain.len()),
            '»' => ranges.last_mut().expect("a mark that opens").end = plain.len(),
            other => plain.push(other),
        }
    }
    (plain, ranges)
}

#[test]
fn twelve_mistakes_in_twelve_items_are_twelve_diagnostics() {
    let (text, ranges) = unmarked(TWELVE);
    let checked = Program::one(&text).check();
    let found = checked.diagnostics.iter().map(|diagnostic| {
        let span = diagnostic.primary.place.span;
        (span.range(), diagnostic.code.id, span.text(&text).to_owned())
    });
    let found = found.collect::<Vec<_>>();
    let places = found.iter().map(|(range, ..)| range.clone()).collect::<Vec<_>>();
    assert_eq!(places, ranges, "{found:#?}\n{}", checked.drawing());
    assert_eq!(checked.ids(), IDS);
}

/// What is said about graphs, which must not follow from anything else.
const GRAPHS: [&str; 10] = [
    "may-not-have-happened",
    "no-end",
    "unreachable-node",
    "dead-end",
    "unbounded-loop",
    "exhausted-loop",
    "nothing-to-cancel",
    "never-fires",
    "beside-end",
    "ambiguous-trigger",
];

/// Programs without a mistake.
fn clean_programs() -> Vec<(String, Program)> {
    let cases = weave_tests::suite::programs().into_iter().map(|case| (case.title(), case.program()));
    let examples = weave_tests::files_below(&weave_tests::root().join("examples"), "weave").into_iter();
    let examples = examples.map(|path| (path.display().to_string(), Program::one(&weave_tests::read(&path))));
    cases.chain(examples).filter(|(_, program)| program.check().snapshot.diagnostics().is_empty()).collect()
}

/// The words of a text: names, keywords, what stands in strings and comments.
fn words(text: &str) -> Vec<std::ops::Range<usize>> {
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut words = Vec::new();
    let mut start = None;
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, is_word(character)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                words.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    words
}

/// Words that are known to give a second diagnostic when they are misspelt: open defects, each of which goes with its line.
const KNOWN: [(&str, &str); 3] = [
    // What the first guard of a choice proves for its `else` goes with the trigger that is not known.
    ("choices/else-knows-what-has-answered", "next"),
    // A step without an action is taken for one that never answers.
    ("flow/cancel-is-understood", "call"),
    // A fan-out over something unknown is taken for a step that answers at once.
    ("flow/topic-beside-a-fan-out-fires", "ids"),
];

#[test]
fn a_misspelt_word_says_nothing_about_graphs_beside_itself() {
    let mut complaints = Vec::new();
    let mut tried = 0;
    for (index, (title, program)) in clean_programs().into_iter().enumerate() {
        let Some(root) = program.roots.first().cloned() else { continue };
        let text = program.files[&root].clone();
        // Each fourth word: the programs are alike enough for that.
        for word in words(&text).into_iter().skip(index % 4).step_by(4) {
            let mut changed = program.clone();
            changed.files.insert(root.clone(), format!("{}zq{}", &text[..word.end], &text[word.end..]));
            let checked = changed.check();
            let (graph, other): (Vec<_>, Vec<_>) = checked.ids().into_iter().partition(|id| GRAPHS.contains(id));
            tried += 1;
            let is_known = KNOWN.contains(&(title.as_str(), &text[word.clone()]));
            if !graph.is_empty() && !other.is_empty() && !is_known {
                complaints.push(format!(
                    "{title}: `{}` misspelt gives {other:?} and {graph:?}\n{}",
                    &text[word.clone()],
                    checked.drawing()
                ));
            }
        }
    }
    assert!(tried > 1_000, "only {tried} words");
    complaints.truncate(10);
    weave_tests::expectation::report(&complaints);
}

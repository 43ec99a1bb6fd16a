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
            if !graph.is_empty() && !other.is_empty() {
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

/// What the programs of [`SINGLE`] have in common.
const COMMON: &str = r#"
error declined { reason: string }
type Found { text: string, page?: int }
tool pay(id: string) -> { receipt: string, paid: bool } { fails [declined, unavailable] }
tool find(text: string) -> Found
signal tool give_up(reason: string)
agent judge(notes: string) -> { ok: bool } { model full, system "Decide {{.notes}}", tools [give_up] }
"#;

/// Programs with one mistake each, which each give one diagnostic.
const SINGLE: [(&str, &str); 18] = [
    // The code says which data there is.
    (
        "never-equal",
        "workflow w(id: string) { step p { call pay { id: .input.id } } end done on p fail no on failure(p) when .failure.code == \"declind\" = \"{{.failure.data.reason}}\" fail other on failure(p) else }",
    ),
    (
        "guard-type",
        "workflow w(id: string) { step p { call pay { id: .input.id } } end done on p fail no on failure(p) when .failure == \"declined\" = \"{{.failure.data.reason}}\" fail other on failure(p) else }",
    ),
    // With what an unknown tool fails nobody knows.
    (
        "unknown-name",
        "workflow w(id: string) { step p { call pya { id: .input.id } } end done on p fail no on failure(p) when .failure.code == \"declined\" = \"{{.failure.data.reason}}\" fail other on failure(p) else }",
    ),
    (
        "unknown-failure",
        "tool send(id: string) { fails [declind] } workflow w(id: string) { step p { call send { id: .input.id } } end done on p fail no on failure(p) when .failure.code == \"declined\" = \"{{.failure.data.reason}}\" fail other on failure(p) else }",
    ),
    (
        "unknown-setting",
        "tool send(id: string) { fails_with [declined] } workflow w(id: string) { step p { call send { id: .input.id } } end done on p fail no on failure(p) when .failure.code == \"declined\" = \"{{.failure.data.reason}}\" fail other on failure(p) else }",
    ),
    ("unreachable-node", "workflow w(id: string) { step p on p { call pay { id: .input.id } } end done on p }"),
    ("unknown-step", "workflow w(id: string) { step j { ask judge { notes: .input.id } } end up on give_up limit 1 end done on j else }"),
    // The guard of which nobody knows the trigger says that there is a page.
    (
        "unknown-step",
        "workflow w(id: string) -> int { step f { call find { text: .input.id } } end none on g when .f.page == null = 0 end some on f else = .f.page }",
    ),
    (
        "unknown-step",
        "workflow w(id: string) -> int { step f { call find { text: .input.id } } end none on f when .f.page == null = 0 end some on g else = .f.page }",
    ),
    (
        "unknown-field",
        "workflow w(id: string) -> int { step f { call find { text: .input.id } } end some on f when .f.pag != null && .f.page > 1 = .f.page end none on f else = 0 }",
    ),
    (
        "unknown-field",
        "workflow w(id: string) -> int { step f { call find { text: .input.id } } end none on f when .f.pag == null = 0 end some on f else = .f.page }",
    ),
    (
        "guard-type",
        "workflow w(id: string) -> int { step f { call find { text: .input.id } } end some on f when .f.page != \"none\" = .f.page end none on f else = 0 }",
    ),
    ("missing-action", "workflow w(id: string) { step p { cal pay { id: .input.id } } end done on p }"),
    ("foreign-form", "workflow w(id: string) { step p { invoke pay { id: .input.id } } end done on p }"),
    ("unknown-field", "workflow w(id: string) { step p { call pay { order: .input.id } } end done on p }"),
    (
        "unknown-name",
        "agent other(notes: string) { model full, system \"{{.notes}}\", tools [give_in] } workflow w(id: string) { step j { ask other { notes: .input.id } } end up on give_up from j end done on j }",
    ),
    // What is read before it is there is meant to fire later.
    (
        "may-not-have-happened",
        "workflow w(id: string) -> string { step p { call pay { id: .input.id } } step f { call find { text: .input.id } } end done = .p.receipt }",
    ),
    (
        "unknown-name",
        "tool look(text: string) -> { ok: boool } workflow w(id: string) -> int { step l { call look { text: .input.id } } end good on l when .l.ok = 1 }",
    ),
];

#[test]
fn one_mistake_is_one_diagnostic() {
    let mut complaints = Vec::new();
    for (id, text) in SINGLE {
        let text =
            text.replace("} end", "}\nend").replace("} step", "}\nstep").replace("} workflow", "}\nworkflow").replace(" fail ", "\nfail ");
        let text = text.replace(" end ", "\nend ");
        let checked = Program::one(&format!("{COMMON}{text}\n")).check();
        if checked.ids() != [id] {
            complaints.push(format!("{text}\n\n{id} is wanted\n{}", checked.drawing()));
        }
    }
    weave_tests::expectation::report(&complaints);
}

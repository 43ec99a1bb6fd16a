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

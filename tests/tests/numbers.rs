//! Numbers that JSON cannot hold are refused by the check, wherever they can be written, so that the definition can always be written.

use weave_tests::program::{Checked, Program};

/// Programs with a place for a number, `#`; it may be any number that fits the place.
const PLACES: &[&str] = &[
    "workflow w(a: float = #) { end e }",
    "workflow w(a: decimal = #) { end e }",
    "workflow w(a: json = { x: [#] }) { end e }",
    "workflow w(a: { b: float[] } = { b: [#] }) { end e }",
    "workflow w(a: \"x\" | #) { end e }",
    "workflow w(a: float(max: #)) { end e }",
    "workflow w(a: decimal(#..)) { end e }",
    "workflow w(a: bytes(max: #)) { end e }",
    "workflow w(a: string[](max: #)) { end e }",
    "workflow w(a: float) { end e on start when .input.a > #\n end f on start else }",
    "workflow w(a: float) { end e on start when .input.a in [1.0, #]\n end f on start else }",
    "workflow w(a: float) { end e on start when .input.a + # > 1.0\n end f on start else }",
    "workflow w(a: float[]) { end e on start when .input.a.exists(x, x > #)\n end f on start else }",
    "workflow w() -> float { end e = # }",
    "workflow w() -> json { step s = { a: # } end e on s = .s }",
    "tool t(x: float)\nworkflow w() { step s { call t { x: # } } end e on s }",
    "workflow w(a?: float) -> float { end e = .input.a ?? # }",
    "workflow w(a?: float) -> string { end e = \"it is {{.input.a ?? #}}\" }",
    "workflow w() { meta { x: [{ y: # }] } end e }",
    "agent a(x: string) { model m, system \"{{.x}}\", options { t: # } }\nworkflow w() { step s { ask a { x: \"\" } } end e on s }",
    "tool t(x: float) -> float { example { x: # } -> 1 }\nworkflow w() { step s { call t { x: 1 } } end e on s }",
    "tool t(x: float) { approval when .x > # }\nworkflow w() { step s { call t { x: 1 } } end e on s }",
    "tool t(x: float) { binding host { y: # } }\nworkflow w() { step s { call t { x: 1 } } end e on s }",
    "external event a.b { x: float }\nworkflow w() { step s { wait a.b when .event.x > # } end e on s }",
];

fn with(place: &str, number: &str) -> Checked {
    Program::one(&place.replace('#', number)).check()
}

#[test]
fn what_is_too_large_is_refused_where_it_is_written() {
    for place in PLACES {
        for number in ["9007199254740992", "123456789012345678901234567890", "9007199254740992.0", "8.9e307", "1e400"] {
            let checked = with(place, number);
            assert_eq!(checked.ids(), ["number-too-large"], "{}", checked.drawing());
            let span = checked.diagnostics[0].primary.place.span;
            let start = place.find('#').expect("each has one");
            assert_eq!((span.start as usize, span.end as usize), (start, start + number.len()), "{}", checked.drawing());
        }
    }
}

#[test]
fn what_is_not_is_carried() {
    for place in PLACES {
        for number in ["7", "9007199254740991"] {
            let checked = with(place, number);
            assert!(checked.diagnostics.is_empty(), "{}", checked.drawing());
            // No reader of its definition refuses it.
            for text in checked.definitions().values() {
                weave_ir::Definition::from_json(text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
            }
        }
    }
    let least = "type A { a: int = -9007199254740991, b: float = -9007199254740991.0, c: float = 1e-300 }";
    let checked = Program::one(least).check();
    assert!(checked.diagnostics.is_empty(), "{}", checked.drawing());
}

#[test]
fn an_int_is_whole_as_it_is_written() {
    for (number, whole) in [("1e3", true), ("2.0", true), ("1.5", false), ("1.00000000000000000001", false), ("4503599627370497.25", false)]
    {
        let checked = with("workflow w() -> int { end e = # }", number);
        assert_eq!(checked.diagnostics.is_empty(), whole, "{}", checked.drawing());
    }
}

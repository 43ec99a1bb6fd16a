use proptest::prelude::*;

use super::*;
use crate::ast::Root;

/// A literal that is the whole item.
fn literal(raw: &str) -> Literal {
    let kind = if raw.starts_with("\"\"\"") { LiteralKind::TextBlock } else { LiteralKind::String };
    Literal { span: Span::new(0, raw.len() as u32), kind }
}

fn show(raw: &str) -> String {
    let template = template(raw, literal(raw));
    let mut shown = String::new();
    for part in &template.parts {
        shown += &match part {
            Part::Text(text) => format!("text {text:?}\n"),
            Part::Placeholder { span, value } => format!("{} = {:?}\n", span.text(raw), value.span().text(raw)),
        };
    }
    for error in &template.errors {
        let ours = crate::codes_validate::CODES.iter().any(|code| code.id == error.code.id);
        let message = if ours { &error.message } else { "(said by the parser)" };
        shown += &format!("{} @ {:?}: {message}\n", error.code.id, error.span.text(raw));
    }
    shown
}

#[test]
fn text_and_placeholders_take_turns() {
    insta::assert_snapshot!(show(r#""Dear {{.input.name}}, {{ .a?.b[0] }}{{.c}}!""#), @r#"
    text "Dear "
    {{.input.name}} = ".input.name"
    text ", "
    {{ .a?.b[0] }} = ".a?.b[0]"
    {{.c}} = ".c"
    text "!"
    "#);
    assert_eq!(template(r#""""#, literal(r#""""#)), Template::default());
}

#[test]
fn escapes_are_resolved_around_placeholders() {
    insta::assert_snapshot!(show(r#""\t\{{.a}} \u00e9 {{.b}} \\{{.c}} } }} {""#), @r#"
    text "\t{{.a}} é "
    {{.b}} = ".b"
    text " \\"
    {{.c}} = ".c"
    text " } }} {"
    "#);
}

#[test]
fn strings_in_placeholders_hide_braces_and_quotes() {
    insta::assert_snapshot!(show(r#""{{.a ?? "x }} \" y"}} z""#), @r#"
    {{.a ?? "x }} \" y"}} = ".a ?? \"x }} \\\" y\""
    text " z"
    "#);
}

#[test]
fn text_blocks_have_margins_and_no_escapes() {
    insta::assert_snapshot!(show("\"\"\"\n  a {{.b}}\n    {{.c ?? \"\u{e9}\"}} \\n \\{{d}}\r\n\n  \"\"\""), @r#"
    text "a "
    {{.b}} = ".b"
    text "\n  "
    {{.c ?? "é"}} = ".c ?? \"é\""
    text " \\n {{d}}\n"
    "#);
}

#[test]
fn a_placeholder_alone_yields_its_value() {
    let single = |raw: &str| template(raw, literal(raw)).single().map(|value| value.span().text(raw).to_owned());
    assert_eq!(single(r#""{{.a}}""#).as_deref(), Some(".a"));
    assert_eq!(single(r#"" {{.a}}""#), None);
    assert_eq!(single("\"\"\"\n  {{.a}}\n  \"\"\"").as_deref(), Some(".a"));
}

#[test]
fn wrong_placeholders_are_told_apart() {
    let shown = [
        r#""{{}} {{ }}""#,
        r#""{{.a + 1}}""#,
        r#""{{size(.a)}}""#,
        r#""{{"x"}}""#,
        r#""{{.a ?? .b}}""#,
        r#""{{.a ?? \"x\"}}!""#,
        r#""{{!.a}}""#,
        r#""{"a": {{"b": 1}}}""#,
        r#""{{(.a).b}}""#,
        r#""{{name}}""#,
    ]
    .map(show)
    .join("\n");
    insta::assert_snapshot!(shown, @r#"
{{}} = ""
text " "
{{ }} = ""
empty-placeholder @ "{{}}": this placeholder is empty
empty-placeholder @ "{{ }}": this placeholder is empty

{{.a + 1}} = ".a + 1"
bad-placeholder @ ".a + 1": a placeholder contains only a path

{{size(.a)}} = "size(.a)"
bad-placeholder @ "size(.a)": a placeholder contains only a path

{{"x"}} = "\"x\""
bad-placeholder @ "\"x\"": a placeholder contains only a path

{{.a ?? .b}} = ".a ?? .b"
bad-placeholder @ ".b": a placeholder contains only a path

{{.a ?? \"x\"}} = ""
text "!"
escaped-quote @ "\\\"": quotes in a placeholder are not escaped

{{!.a}} = "!.a"
bad-placeholder @ "!.a": a placeholder contains only a path

text "{\"a\": "
{{"b": 1}} = "\"b\": 1"
text "}"
bad-placeholder @ "\"b\": 1": a placeholder contains only a path

{{(.a).b}} = "(.a).b"
bad-placeholder @ "(.a).b": a placeholder contains only a path

{{name}} = "name"
"#);
}

#[test]
fn half_typed_placeholders_keep_their_path() {
    let shown = [
        r#""{{.""#,
        r#""{{.input.""#,
        r#""{{.input.na, hi""#,
        r#""{{""#,
        r#""a {{ b""#,
        r#""{{.}}""#,
        r#""{{.a.}} b""#,
        "\"\"\"\n  {{.a\n  {{.b}}\n  \"\"\"",
    ];
    let shown = shown.map(show).join("\n");
    insta::assert_snapshot!(shown, @r#"
    {{. = "."
    unclosed-placeholder @ "{{.": this placeholder is not closed

    {{.input. = ".input."
    unclosed-placeholder @ "{{.input.": this placeholder is not closed

    {{.input.na = ".input.na"
    text ", hi"
    unclosed-placeholder @ "{{.input.na": this placeholder is not closed

    {{ = ""
    unclosed-placeholder @ "{{": this placeholder is not closed

    text "a "
    {{ = ""
    text " b"
    unclosed-placeholder @ "{{": this placeholder is not closed

    {{.}} = "."
    missing-token @ "": (said by the parser)

    {{.a.}} = ".a."
    text " b"
    missing-token @ "": (said by the parser)

    {{.a = ".a"
    text "\n"
    {{.b}} = ".b"
    unclosed-placeholder @ "{{.a": this placeholder is not closed
    "#);
    let raw = r#""{{.input.""#;
    let Some(Expr::Path(path)) = template(raw, literal(raw)).single().cloned() else { panic!("no path") };
    assert!(matches!(path.root, Root::Dot(_)));
    assert!(matches!(path.segments.last(), Some(Segment::Field(name)) if name.is_missing()));
}

#[test]
fn the_lexer_keeps_strings_with_strings_in_placeholders_whole() {
    let string = |text: &str| {
        crate::lex(text).iter().find(|token| token.kind == crate::TokenKind::String).map(|token| token.span.text(text).to_owned())
    };
    for raw in
        [r#""{{.a ?? "x"}}""#, r#""a {{ .a ?? "x }} \" y" }} b {{.c ?? "d"}}""#, r#""{{.a ?? \"x\"}}""#, r#""{{""#, r#""{{.a""#, r#""}}""#]
    {
        assert_eq!(string(&format!("{raw}, \"y\"")).as_deref(), Some(raw));
    }
    assert_eq!(string(r#"["{{", "}}"]"#).as_deref(), Some(r#""{{""#));
}

proptest! {
    #[test]
    fn any_literal_has_a_template(raw in "\\PC*|\"[{}.a-c ?\\\\\"n\\[\\]0]*\"|\"\"\"\\n[{}.a-c ?\\\\\"\\n ]*\"\"\"") {
        for kind in [LiteralKind::String, LiteralKind::TextBlock] {
            let template = template(&raw, Literal { span: Span::new(0, raw.len() as u32), kind });
            let inside = |span: Span| span.end as usize <= raw.len() && raw.get(span.range()).is_some();
            for pair in template.parts.windows(2) {
                prop_assert!(!matches!(pair, [Part::Text(_), Part::Text(_)]));
            }
            for part in &template.parts {
                match part {
                    Part::Text(text) => prop_assert!(!text.is_empty()),
                    Part::Placeholder { span, value } => {
                        prop_assert!(inside(*span) && inside(value.span()) && span.contains(value.span()), "{part:?}");
                        prop_assert!(span.text(&raw).starts_with("{{"));
                    }
                }
            }
            for error in &template.errors {
                prop_assert!(inside(error.span), "{error:?}");
                prop_assert!(error.fixes.iter().flat_map(|fix| &fix.edits).all(|(span, _)| inside(*span)));
            }
        }
    }

    #[test]
    fn a_string_without_placeholders_is_its_value(raw in "\"[^{\\\\\"]*\"") {
        let template = template(&raw, literal(&raw));
        let text = template.parts.iter().map(|part| if let Part::Text(text) = part { text.as_str() } else { "?" }).collect::<String>();
        prop_assert_eq!(text, crate::text::string_value(&raw));
    }
}

//! Templates: the strings of a definition in which placeholders stand.
//!
//! ```text
//! template    = { text | placeholder | quoted }
//! text        = any run of characters without `{{`
//! placeholder = "{{" path [ " ?? " json ] "}}"
//! quoted      = "{{" json-string "}}"          only `"{{"`, and `"{"` before a placeholder
//! path        = "." root { step }
//! root        = name | "[" json-string "]"
//! step        = ["?"] "." name | ["?"] "[" digits "]" | ["?"] "[" json-string "]" | ["?"] "[]"
//! ```
//!
//! Each template has exactly one text, and no other text of it is read: so reading and printing give back the same bytes, and two
//! definitions that mean the same have the same digest.

use std::fmt;

use serde_json::Value;

use crate::Path;
use crate::path::read_path;

const OPEN: &str = "{{";
const CLOSE: &str = "}}";
const QUOTED_OPEN: &str = r#"{{"{{"}}"#;
const QUOTED_BRACE: &str = r#"{{"{"}}"#;
const DEFAULT: &str = " ?? ";

/// A template, taken apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template {
    /// Its parts in order. No text is empty and no two texts are neighbours.
    pub parts: Vec<TemplatePart>,
}

/// One part of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplatePart {
    /// What stands there as it is.
    Text(String),
    /// A value that is read when the template is filled in.
    Value(Placeholder),
}

/// A value in a template.
#[derive(Clone, Debug, PartialEq)]
pub struct Placeholder {
    /// Where it lies.
    pub path: Path,
    /// What stands in its place if it is absent or null.
    pub default: Option<Value>,
}

/// Why a text is not a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// Where it goes wrong, in bytes from the beginning of the text.
    pub offset: usize,
    /// What is wrong, in one line.
    pub message: &'static str,
}

impl fmt::Display for TemplateError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} (at byte {} of the template)", self.message, self.offset)
    }
}

impl std::error::Error for TemplateError {}

impl From<Path> for Placeholder {
    fn from(path: Path) -> Self {
        Self { path, default: None }
    }
}

impl Template {
    /// A template of text alone, whatever stands in it.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        let mut template = Self::default();
        template.push_text(&text.into());
        template
    }

    /// A template of one placeholder alone, which yields the value itself.
    #[must_use]
    pub fn value(placeholder: impl Into<Placeholder>) -> Self {
        Self { parts: vec![TemplatePart::Value(placeholder.into())] }
    }

    /// Adds text at the end.
    pub fn push_text(&mut self, text: &str) {
        match self.parts.last_mut() {
            _ if text.is_empty() => {}
            Some(TemplatePart::Text(last)) => last.push_str(text),
            _ => self.parts.push(TemplatePart::Text(text.to_owned())),
        }
    }

    /// Adds a placeholder at the end.
    pub fn push_value(&mut self, placeholder: impl Into<Placeholder>) {
        self.parts.push(TemplatePart::Value(placeholder.into()));
    }

    /// The placeholder, if the template is one and nothing else: it then yields the value itself, with its type.
    #[must_use]
    pub fn whole(&self) -> Option<&Placeholder> {
        match self.parts.as_slice() {
            [TemplatePart::Value(placeholder)] => Some(placeholder),
            _ => None,
        }
    }

    /// The placeholders in order.
    pub fn placeholders(&self) -> impl Iterator<Item = &Placeholder> {
        self.parts.iter().filter_map(|part| match part {
            TemplatePart::Value(placeholder) => Some(placeholder),
            TemplatePart::Text(_) => None,
        })
    }

    /// The template that says exactly `text`: the escape for strings in which nothing is filled in.
    #[must_use]
    pub fn escape(text: &str) -> String {
        text.replace(OPEN, QUOTED_OPEN)
    }

    /// Reads a template.
    ///
    /// # Errors
    ///
    /// If a `{{` opens something that is neither a placeholder nor a quoted brace, or if the text is not the one form of its template.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let mut template = Self::default();
        let mut rest = text;
        while let Some(open) = rest.find(OPEN) {
            let (before, at) = rest.split_at(open);
            template.push_text(before);
            let offset = text.len() - at.len();
            rest = template.read_braces(at).map_err(|message| TemplateError { offset, message })?;
        }
        template.push_text(rest);
        if template.to_string() != text {
            return Err(TemplateError { offset: 0, message: "a template that is not in its canonical form" });
        }
        Ok(template)
    }

    /// Reads what stands in braces at the front of `text` and gives the rest.
    fn read_braces<'t>(&mut self, text: &'t str) -> Result<&'t str, &'static str> {
        for (quoted, meant) in [(QUOTED_OPEN, OPEN), (QUOTED_BRACE, "{")] {
            if let Some(rest) = text.strip_prefix(quoted) {
                self.push_text(meant);
                return Ok(rest);
            }
        }
        let inner = text.strip_prefix(OPEN).unwrap_or(text);
        let (path, mut rest) =
            read_path(inner).ok_or("`{{` opens no placeholder; a path begins with a dot, and a literal `{{` is written `{{\"{{\"}}`")?;
        let mut default = None;
        if let Some(literal) = rest.strip_prefix(DEFAULT) {
            let mut values = serde_json::Deserializer::from_str(literal).into_iter::<Value>();
            default = Some(values.next().and_then(Result::ok).ok_or("`??` is not followed by a JSON value")?);
            rest = literal.get(values.byte_offset()..).unwrap_or_default();
        }
        let rest = rest.strip_prefix(CLOSE).ok_or("a placeholder is not closed by `}}`")?;
        self.push_value(Placeholder { path, default });
        Ok(rest)
    }
}

impl fmt::Display for Placeholder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{OPEN}{}", self.path)?;
        if let Some(default) = &self.default {
            write!(out, "{DEFAULT}{default}")?;
        }
        out.write_str(CLOSE)
    }
}

impl fmt::Display for Template {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = self.parts.iter().peekable();
        while let Some(part) = parts.next() {
            match part {
                TemplatePart::Value(placeholder) => write!(out, "{placeholder}")?,
                TemplatePart::Text(text) => {
                    let text = Self::escape(text);
                    match text.strip_suffix('{') {
                        // A brace that stood right before a placeholder would be taken for its first one.
                        Some(before) if matches!(parts.peek(), Some(TemplatePart::Value(_))) => write!(out, "{before}{QUOTED_BRACE}")?,
                        _ => out.write_str(&text)?,
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::{PathStep, Segment};

    fn value(path: &str, default: Option<Value>) -> TemplatePart {
        let (path, rest) = read_path(path).unwrap();
        assert_eq!(rest, "");
        TemplatePart::Value(Placeholder { path, default })
    }

    fn text(text: &str) -> TemplatePart {
        TemplatePart::Text(text.to_owned())
    }

    #[test]
    fn parts_are_told_apart() {
        for (template, parts) in [
            ("", vec![]),
            ("plain } text {", vec![text("plain } text {")]),
            ("{{.name}}", vec![value(".name", None)]),
            ("Hello {{.input.name}}!", vec![text("Hello "), value(".input.name", None), text("!")]),
            (r#"{{.a ?? "x"}}"#, vec![value(".a", Some(json!("x")))]),
            (r#"{{.a ?? "}}"}}"#, vec![value(".a", Some(json!("}}")))]),
            (r#"{{.a ?? {"b":{"c":1}}}}"#, vec![value(".a", Some(json!({ "b": { "c": 1 } })))]),
            ("{{.a ?? -1.5}}", vec![value(".a", Some(json!(-1.5)))]),
            (r#"{{"{{"}}.a}}"#, vec![text("{{.a}}")]),
            (r#"{{"{{"}}{{"{"}}{{.a}}"#, vec![text("{{{"), value(".a", None)]),
            (r#"{{.a?.b[0]?[1][]["x y"]?["."]}}"#, vec![value(r#".a?.b[0]?[1][]["x y"]?["."]"#, None)]),
            (r#"{{.["root"]}}"#, vec![]),
        ] {
            match Template::parse(template) {
                Ok(read) => {
                    assert_eq!(read.parts, parts, "{template}");
                    assert_eq!(read.to_string(), template);
                }
                // The one form of a name has no quotes.
                Err(error) => assert_eq!((template, error.message), (r#"{{.["root"]}}"#, "a template that is not in its canonical form")),
            }
        }
    }

    #[test]
    fn what_is_no_template_says_where() {
        for (template, offset) in [
            ("{{", 0),
            ("a {{name}}", 2),
            ("a {{.}}", 2),
            ("a {{.a}", 2),
            ("{{ .a }}", 0),
            ("{{.a ?? }}", 0),
            ("{{.a ?? .b}}", 0),
            ("{{.a??1}}", 0),
            ("{{.a[-1]}}", 0),
            ("{{.a[99999999999]}}", 0),
            ("{{.a.}}", 0),
            ("{{.a?}}", 0),
            ("{{[0]}}", 0),
            ("{{.[0]}}", 0),
            (r#"{{"x"}}"#, 0),
            ("{{.a}}{{.b}", 6),
            ("{{{.a}}", 0),
            // Read, but written in another way than the one of its meaning.
            (r#"{{"{"}}"#, 0),
            ("{{.a[00]}}", 0),
            ("{{.a ??  1}}", 0),
            (r#"{{.a ?? { "b": 1 }}}"#, 0),
            ("{{.a ?? 1.0e0}}", 0),
        ] {
            assert_eq!(Template::parse(template).map_err(|error| error.offset), Err(offset), "{template}");
        }
    }

    #[test]
    fn one_placeholder_alone_is_the_value_itself() {
        assert!(Template::parse("{{.a}}").unwrap().whole().is_some());
        assert!(Template::parse("{{.a}} ").unwrap().whole().is_none());
        assert!(Template::parse("{{.a}}{{.b}}").unwrap().whole().is_none());
        assert!(Template::parse("").unwrap().whole().is_none());
    }

    fn any_path() -> impl Strategy<Value = Path> {
        let segment = prop_oneof![
            "[a-z_][a-zA-Z0-9_]{0,5}".prop_map(Segment::Key),
            any::<String>().prop_map(Segment::Key),
            any::<u32>().prop_map(Segment::Index),
            Just(Segment::All),
        ];
        let step = (segment, any::<bool>()).prop_map(|(segment, optional)| PathStep { segment, optional });
        (any::<String>(), prop::collection::vec(step, 0..5)).prop_map(|(root, rest)| {
            let mut steps = vec![Segment::Key(root).into()];
            steps.extend(rest);
            Path { steps }
        })
    }

    fn any_default() -> impl Strategy<Value = Option<Value>> {
        prop::option::of(prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            prop::collection::vec(any::<String>(), 0..3).prop_map(Value::from),
        ])
    }

    proptest! {
        #[test]
        fn printed_templates_are_read_again(parts in prop::collection::vec((any_path(), any_default(), "[{}\" a.?]{0,6}"), 0..5), end in "[{}a]{0,4}") {
            let mut template = Template::default();
            for (path, default, text) in parts {
                template.push_text(&text);
                template.push_value(Placeholder { path, default });
            }
            template.push_text(&end);
            prop_assert_eq!(Template::parse(&template.to_string()), Ok(template));
        }

        #[test]
        fn escaped_text_says_itself(text in "([{}\".a?]|\\PC){0,12}") {
            let expected = Template::text(text.as_str());
            prop_assert_eq!(expected.to_string(), Template::escape(&text));
            prop_assert_eq!(Template::parse(&Template::escape(&text)), Ok(expected));
        }

        #[test]
        fn nothing_is_read_that_would_be_printed_otherwise(text in "([{}\".a?\\[\\]0 ]|\\PC){0,16}") {
            if let Ok(template) = Template::parse(&text) {
                prop_assert_eq!(template.to_string(), text);
            }
        }
    }
}

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

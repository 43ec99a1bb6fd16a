//! The workflow that is tested.

use std::sync::Arc;

use serde_json::Value;
use weave_ir::{Definition, Node, SourceMap};
use weave_runner::Prepared;

/// The longest piece of source text or JSON in a message, in characters.
const LONGEST: usize = 70;

/// A workflow that is tested, and where it was written.
#[derive(Clone)]
pub struct Subject {
    prepared: Arc<Prepared>,
    sources: Option<Sources>,
}

/// Where the parts of a definition were written.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The source map of the definition.
    pub map: SourceMap,
    /// The texts of the files in `map.sources`, in the same order; one that is not known is empty.
    pub texts: Vec<Arc<str>>,
}

impl Subject {
    /// A workflow to test.
    #[must_use]
    pub const fn new(prepared: Arc<Prepared>, sources: Option<Sources>) -> Self {
        Self { prepared, sources }
    }

    /// What its runs share.
    #[must_use]
    pub const fn prepared(&self) -> &Arc<Prepared> {
        &self.prepared
    }

    /// The definition.
    #[must_use]
    pub fn definition(&self) -> &Definition {
        self.prepared.definition()
    }

    /// The node of this name and its JSON pointer.
    pub(crate) fn node(&self, name: &str) -> Option<(String, &Node)> {
        let place = self.definition().nodes.iter().position(|node| node.id == name)?;
        Some((format!("/nodes/{place}"), self.definition().nodes.get(place)?))
    }

    /// The place of a part of the definition, ` (support.weave:94)`, or nothing where it is not known. A part that was not written
    /// is where the next larger one is.
    pub(crate) fn place(&self, pointer: &str) -> String {
        let Some(sources) = &self.sources else { return String::new() };
        let mut pointer = pointer;
        loop {
            if let Some(range) = sources.map.paths.get(pointer) {
                let file = sources.map.sources.get(range.source as usize).map(String::as_str).unwrap_or_default();
                let file = file.rsplit('/').next().unwrap_or(file);
                return format!(" ({file}:{})", range.line);
            }
            match pointer.rsplit_once('/') {
                Some((parent, _)) if !parent.is_empty() => pointer = parent,
                _ => return String::new(),
            }
        }
    }

    /// The source text of a part of the definition, in one line.
    pub(crate) fn text(&self, pointer: &str) -> Option<String> {
        let sources = self.sources.as_ref()?;
        let range = sources.map.paths.get(pointer)?;
        let text = sources.texts.get(range.source as usize)?.get(range.start as usize..range.end as usize)?;
        Some(cut(&text.split_whitespace().collect::<Vec<_>>().join(" ")))
    }

    /// A guard as it was written, else in CEL.
    pub(crate) fn guard(&self, node: &str, item: Option<usize>) -> Option<(String, String)> {
        let (pointer, node) = self.node(node)?;
        let places = match item {
            Some(item) => [format!("{pointer}/on/any/{item}/when"), format!("{pointer}/when")],
            None => [format!("{pointer}/match"), format!("{pointer}/match")],
        };
        let place = places.iter().find(|place| self.text(place).is_some()).unwrap_or(&places[1]);
        let cel = || match item {
            None => node.matches.as_ref()?.cel.clone(),
            Some(_) => node.when.as_ref()?.cel.clone(),
        };
        let text = self.text(place).or_else(cel).map(|text| cut(&text))?;
        Some((text, self.place(place)))
    }
}

/// A text that fits into a message.
pub(crate) fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 2).collect::<String>().trim_end().to_owned() + " …"
}

/// A value as a test says it: names without quotes, one space inside the braces.
pub(crate) fn written(value: &Value) -> String {
    match value {
        Value::Object(entries) if entries.is_empty() => "{}".to_owned(),
        Value::Object(entries) => {
            let entries: Vec<_> = entries.iter().map(|(key, value)| format!("{}: {}", key_text(key), written(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn key_text(key: &str) -> String {
    let is_name = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && !key.is_empty();
    if is_name { key.to_owned() } else { Value::from(key).to_string() }
}

//! Where the parts of a JSON text stand, for definitions without a source.

use std::collections::BTreeMap;

use weave_diagnostics::{FileId, Place, Span};

use crate::Places;

/// Places in the texts of definitions.
#[derive(Clone, Debug, Default)]
pub struct JsonPlaces {
    workflows: BTreeMap<String, (FileId, Tree)>,
}

impl JsonPlaces {
    /// Takes in the text of the definition of a workflow. The text is JSON that was read before; what is none has no places.
    pub fn add(&mut self, workflow: &str, text: &str, file: FileId) {
        self.workflows.insert(workflow.to_owned(), (file, Tree::read(text)));
    }
}

impl Places for JsonPlaces {
    fn exact(&self, workflow: &str, pointer: &str) -> Option<Place> {
        let (file, tree) = self.workflows.get(workflow)?;
        tree.span(pointer).map(|span| Place::new(*file, span))
    }
}

/// The values of a text, the whole first; each knows those in it.
#[derive(Clone, Debug, Default)]
struct Tree {
    values: Vec<Value>,
}

#[derive(Clone, Debug, Default)]
struct Value {
    span: Span,
    children: BTreeMap<String, usize>,
}

/// A list or an object that is open, and what its next value is called.
struct Open {
    value: usize,
    key: Option<String>,
    count: usize,
    is_object: bool,
}

impl Tree {
    /// Goes through the text once, without recursion.
    fn read(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut tree = Self::default();
        let mut open: Vec<Open> = Vec::new();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            let start = at;
            at += 1;
            match byte {
                b'{' | b'[' => {
                    let value = tree.add(&mut open, start, start + 1);
                    open.push(Open { value, key: None, count: 0, is_object: *byte == b'{' });
                }
                b'}' | b']' => {
                    let closed = open.pop().and_then(|open| tree.values.get_mut(open.value));
                    if let Some(value) = closed {
                        value.span.end = at as u32;
                    }
                }
                b'"' => {
                    at = end_of_string(bytes, at);
                    match open.last_mut().filter(|open| open.is_object && open.key.is_none()) {
                        Some(open) => open.key = serde_json::from_str(text.get(start..at).unwrap_or_default()).ok(),
                        None => _ = tree.add(&mut open, start, at),
                    }
                }
                b',' | b':' => {}
                _ if byte.is_ascii_whitespace() => {}
                _ => {
                    while bytes.get(at).is_some_and(|byte| !matches!(byte, b',' | b'}' | b']') && !byte.is_ascii_whitespace()) {
                        at += 1;
                    }
                    tree.add(&mut open, start, at);
                }
            }
        }
        tree
    }

    /// One more value, in what is open.
    fn add(&mut self, open: &mut [Open], start: usize, end: usize) -> usize {
        let index = self.values.len();
        self.values.push(Value { span: Span::new(start as u32, end as u32), children: BTreeMap::new() });
        if let Some(around) = open.last_mut() {
            let name = around.key.take().unwrap_or_else(|| around.count.to_string());
            around.count += 1;
            if let Some(value) = self.values.get_mut(around.value) {
                value.children.insert(name, index);
            }
        }
        index
    }

    fn span(&self, pointer: &str) -> Option<Span> {
        let mut value = self.values.first()?;
        for key in pointer.split('/').skip(1) {
            let key = key.replace("~1", "/").replace("~0", "~");
            value = self.values.get(*value.children.get(&key)?)?;
        }
        // A drawing shows where a value begins; all of a long one says no more.
        Some(value.span)
    }
}

/// The offset behind the quote that closes a string.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        at += match byte {
            b'\\' => 2,
            b'"' => return at + 1,
            _ => 1,
        };
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_of_a_text_is_found_by_its_pointer() {
        let text = r#"{ "a/b": [1, { "c": "x\"]y", "~": -2.5e3 }, [] ], "d": null }"#;
        let tree = Tree::read(text);
        let found = |pointer: &str| tree.span(pointer).map(|span| span.text(text));
        assert_eq!(found(""), Some(text));
        assert_eq!(found("/a~1b/0"), Some("1"));
        assert_eq!(found("/a~1b/1/c"), Some(r#""x\"]y""#));
        assert_eq!(found("/a~1b/1/~0"), Some("-2.5e3"));
        assert_eq!(found("/a~1b/2"), Some("[]"));
        assert_eq!(found("/d"), Some("null"));
        assert_eq!(found("/e"), None);
        assert_eq!(Tree::read("").span(""), None);
        assert_eq!(Tree::read("]}\"").span("/x"), None);
    }
}

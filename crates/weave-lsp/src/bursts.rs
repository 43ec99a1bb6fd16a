//! Bursts: changes of one document that have been read one behind the other are made one message, which costs the transport as much as one of
//! them. A formatter or a multi-cursor editor sends hundreds.

use serde::{Deserialize, Serialize};

const CHANGE: &str = "textDocument/didChange";

/// A change of a document with nothing in it but what the protocol says: a message with anything else is left as it is.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    jsonrpc: String,
    method: String,
    params: Params,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Params {
    text_document: Version,
    content_changes: Vec<Part>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Version {
    uri: String,
    version: i32,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Part {
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range_length: Option<u32>,
    text: String,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Range {
    start: Position,
    end: Position,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Position {
    line: u32,
    character: u32,
}

impl Change {
    /// Reads a body, if it is a change.
    pub(crate) fn read(body: &[u8]) -> Option<Self> {
        // An array would be read as the fields in their order.
        let change: Self = serde_json::from_slice(body).ok().filter(|_| body.starts_with(b"{"))?;
        (change.jsonrpc == "2.0" && change.method == CHANGE).then_some(change)
    }

    /// Takes in the change that comes just behind it, if that is one of the same document. Whether it is that, is the answer.
    pub(crate) fn joins(&mut self, next: &[u8]) -> bool {
        let next = Self::read(next).map(|next| next.params).filter(|next| next.text_document.uri == self.params.text_document.uri);
        let Some(next) = next else { return false };
        self.params.text_document.version = next.text_document.version;
        self.params.content_changes.extend(next.content_changes);
        true
    }

    /// The body that says it.
    pub(crate) fn body(&self) -> Option<Vec<u8>> {
        serde_json::to_vec(self).ok()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;

    fn change(uri: &str, version: i32, changes: &Json) -> Json {
        json!({ "jsonrpc": "2.0", "method": CHANGE, "params": { "textDocument": { "uri": uri, "version": version }, "contentChanges": changes } })
    }

    fn bytes(message: &Json) -> Vec<u8> {
        serde_json::to_vec(message).unwrap()
    }

    #[test]
    fn changes_of_a_document_are_made_one_with_the_last_version() {
        let range = json!({ "start": { "line": 1, "character": 2 }, "end": { "line": 3, "character": 4 } });
        let one = json!({ "range": range, "rangeLength": 7, "text": "a\u{1f600}\"\n" });
        let other = json!({ "text": "" });
        let mut joined = Change::read(&bytes(&change("file:///a", 3, &json!([one])))).unwrap();
        assert!(joined.joins(&bytes(&change("file:///a", 5, &json!([])))));
        assert!(joined.joins(&bytes(&change("file:///a", 4, &json!([other, one])))));
        let body: Json = serde_json::from_slice(&joined.body().unwrap()).unwrap();
        assert_eq!(body, change("file:///a", 4, &json!([one, other, one])));
    }

    #[test]
    fn what_is_something_else_stays_by_itself() {
        let plain = change("file:///a", 2, &json!([{ "text": "" }]));
        let with = |pointer: &str, key: &str, value: Json| {
            let mut message = plain.clone();
            message.pointer_mut(pointer).unwrap().as_object_mut().unwrap().insert(key.to_owned(), value);
            message
        };
        let mut joined = Change::read(&bytes(&plain)).unwrap();
        for other in [
            change("file:///b", 2, &json!([{ "text": "" }])),
            change("file:///a", 2, &json!([{ "text": 1 }])),
            change("file:///a", 2, &json!([{ "text": "", "range": { "start": { "line": -1, "character": 0 } } }])),
            with("", "id", json!(1)),
            with("", "jsonrpc", json!("1.0")),
            with("", "method", json!("textDocument/didSave")),
            with("/params", "more", json!(null)),
            with("/params/textDocument", "version", json!(null)),
            with("/params/contentChanges/0", "more", json!(0)),
            json!([plain]),
        ] {
            assert!(!joined.joins(&bytes(&other)), "{other}");
        }
        assert!(!joined.joins(b"{"));
        assert_eq!(serde_json::from_slice::<Json>(&joined.body().unwrap()).unwrap(), plain);
    }
}

//! Which messages the transport can read. It ends with the first one that it cannot, so each is brought here into a form that it can.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value as Json};
use tower_lsp::jsonrpc::{Id, Request, Response};

/// The method of the requests that stand in for those that cannot be read. They are refused, so that nobody waits for an answer.
pub(crate) const UNREADABLE: &str = "$/weave/unreadable";

/// What the transport is handed for a message.
#[derive(Debug, PartialEq)]
pub(crate) enum Readable {
    /// A request or a notification.
    Message(Vec<u8>),
    /// The answer to something that the server has asked.
    Answer(Vec<u8>),
    /// The message cannot be read. Where it is known to be a question, there is another one in its place that is refused.
    Not { why: String, question: Option<Vec<u8>> },
}

/// Reads a body.
pub(crate) fn read(body: &mut [u8]) -> Readable {
    replace_lone_surrogates(body);
    if is_plain(body) {
        return Readable::Message(body.to_vec());
    }
    read_message(body).unwrap_or_else(|why| Readable::Not { question: refused(body, &why), why })
}

/// A message as nearly all are: nothing is in it twice, and nothing that the transport would leave out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plain<'a> {
    jsonrpc: &'a str,
    #[serde(rename = "method")]
    _method: &'a str,
    #[serde(default, rename = "id")]
    _id: Option<Id>,
    #[serde(default, rename = "params")]
    _params: Option<Json>,
}

/// Whether the transport reads a message just as it is, which spares it from being written again.
fn is_plain(body: &[u8]) -> bool {
    // An array would be read as the fields in their order.
    body.starts_with(b"{") && serde_json::from_slice::<Plain>(body).is_ok_and(|message| message.jsonrpc == "2.0")
}

/// The bytes of a message, made of just that what it is read for: so it means here what it means there.
fn read_message(body: &[u8]) -> Result<Readable, String> {
    let said = |error: serde_json::Error| error.to_string();
    let Json::Object(mut message) = serde_json::from_slice::<Json>(body).map_err(said)? else {
        // Batches are no part of the protocol.
        return Err("it is not an object".to_owned());
    };
    if message.get("jsonrpc").is_none_or(|version| version != "2.0") {
        return Err("its version of JSON-RPC is not 2.0".to_owned());
    }
    let mut only = |names: &[&str]| names.iter().filter_map(|name| message.remove_entry(*name)).collect::<Map<_, _>>();
    let kept = only(&["jsonrpc", "method", "params", "id", "result", "error"]);
    if kept.contains_key("method") {
        let request = kept.into_iter().filter(|(name, _)| !matches!(name.as_str(), "result" | "error")).collect();
        let request: Request = serde_json::from_value(Json::Object(request)).map_err(said)?;
        return serde_json::to_vec(&request).map(Readable::Message).map_err(said);
    }
    if !kept.contains_key("id") {
        return Err("it is neither a request nor an answer".to_owned());
    }
    let mut answer = kept;
    // Some leave out a result that is nothing.
    if !answer.contains_key("error") {
        answer.entry("result").or_insert(Json::Null);
    }
    let answer: Response = serde_json::from_value(Json::Object(answer)).map_err(said)?;
    serde_json::to_vec(&answer).map(Readable::Answer).map_err(said)
}

/// What is left of a question that cannot be read: who asks. Other parts of it are skipped without a look at them.
#[derive(Deserialize)]
struct Question {
    id: Id,
    #[serde(rename = "method")]
    _method: IgnoredAny,
}

/// A question with the id of a message that cannot be read, if it is one and that can be read.
fn refused(body: &[u8], why: &str) -> Option<Vec<u8>> {
    // An array would be read as the fields in their order.
    let is_object = body.trim_ascii_start().starts_with(b"{");
    let Question { id, .. } = serde_json::from_slice(body).ok().filter(|question: &Question| is_object && question.id != Id::Null)?;
    let request = Request::build(UNREADABLE).id(id).params(Json::from(why)).finish();
    serde_json::to_vec(&request).ok()
}

/// Replaces each escaped half of a character by the replacement character. Texts of clients whose strings are made of UTF-16 may have halves.
/// The replacement is one unit of UTF-16 as the half is, so nothing in the text moves.
pub(crate) fn replace_lone_surrogates(body: &mut [u8]) {
    let mut rest = body;
    // Outside of strings there are no backslashes.
    while let Some(start) = rest.iter().position(|byte| *byte == b'\\') {
        let Some(escape) = rest.get_mut(start..) else { return };
        let skipped = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => 12,
            (Some(0xd800..0xe000), _) => {
                if let Some(escape) = escape.get_mut(..6) {
                    escape.copy_from_slice(b"\\ufffd");
                }
                6
            }
            (Some(_), _) => 6,
            (None, _) => 2,
        };
        rest = escape.get_mut(skipped..).unwrap_or_default();
    }
}

/// The unit that an escape with `u` at the start of some bytes stands for.
fn unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(body: &[u8]) -> Json {
        match read(&mut body.to_vec()) {
            Readable::Message(bytes) | Readable::Answer(bytes) => serde_json::from_slice(&bytes).unwrap(),
            Readable::Not { why, .. } => panic!("{why}"),
        }
    }

    #[test]
    fn halves_of_characters_are_replaced_and_whole_ones_are_kept() {
        for (text, expected) in [
            (r"\ud83d", "\u{fffd}"),
            (r"a\uD83Db", "a\u{fffd}b"),
            (r"\ude00\ud83d\ude00", "\u{fffd}\u{1f600}"),
            (r"\ud83d\ud83d\ude00", "\u{fffd}\u{1f600}"),
            (r"\\ud83d", "\\ud83d"),
            (r"\\\ud83d", "\\\u{fffd}"),
            (r#"\"\u0041\ud83d\n"#, "\"A\u{fffd}\n"),
            (r"\ud83d\u0041", "\u{fffd}A"),
        ] {
            let body = format!(r#"{{"jsonrpc":"2.0","method":"{text}"}}"#);
            assert_eq!(message(body.as_bytes())["method"], expected, "{text}");
        }
        for text in [r"\ud83", r"\u", r"\"] {
            let mut body = text.as_bytes().to_vec();
            replace_lone_surrogates(&mut body);
            assert_eq!(body, text.as_bytes());
        }
    }

    #[test]
    fn what_is_left_out_of_an_answer_is_nothing() {
        assert_eq!(message(br#"{"jsonrpc":"2.0","id":1}"#), serde_json::json!({ "jsonrpc": "2.0", "result": null, "id": 1 }));
        assert_eq!(message(br#"{"id":"a","result":[1],"jsonrpc":"2.0","more":1}"#)["result"], serde_json::json!([1]));
    }

    #[test]
    fn whoever_asks_what_cannot_be_read_is_told_if_it_is_known_who_it_is() {
        let id = |body: &str| match read(&mut body.as_bytes().to_vec()) {
            Readable::Not { question, .. } => question.map(|bytes| serde_json::from_slice::<Json>(&bytes).unwrap()["id"].clone()),
            Readable::Message(_) | Readable::Answer(_) => panic!("{body} is read"),
        };
        let deep = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"x","params":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(id(&deep), Some(Json::from(7)));
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":"a","method":"x","params":1e999}"#), Some(Json::from("a")));
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":8,"method":null}"#), Some(Json::from(8)));
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":null,"method":null}"#), None);
        assert_eq!(id(r#"{"jsonrpc":"2.0","method":"x","params":1e999}"#), None);
        assert_eq!(id(r#"[1,"x"]"#), None);
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":1,"error":3}"#), None);
    }
}

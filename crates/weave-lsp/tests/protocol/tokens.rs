//! Tokens of a part, and what has changed of them.

use serde_json::{Value as Json, json};

use crate::client::{Client, Memory, uri};

const TEXT: &str = "type \u{e4}\n\nprompt tell(name: string) \"hi {{.name}}\"\n\n/* one\n two */ type Order { id: string }\n";

fn numbers(answer: &Json) -> Vec<u64> {
    answer["data"].as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
}

#[test]
fn what_has_changed_leads_from_the_old_tokens_to_the_new_ones() {
    let mut client = Client::new(&Memory::default(), &[]);
    client.open("/a.weave", TEXT);
    let document = json!({ "uri": uri("/a.weave") });
    let first = client.request("textDocument/semanticTokens/full", json!({ "textDocument": document }));
    let mut known = numbers(&first);
    let mut id = first["resultId"].clone();
    for text in
        [TEXT.to_owned(), TEXT.replace("hi", "hi {{.name}} and"), format!("// new\n{TEXT}"), TEXT.replace("prompt", "agent"), String::new()]
    {
        client.replace("/a.weave", &text);
        let params = json!({ "textDocument": document, "previousResultId": id });
        let delta = client.request("textDocument/semanticTokens/full/delta", params);
        for edit in delta["edits"].as_array().unwrap() {
            let at = |key: &str| usize::try_from(edit[key].as_u64().unwrap()).unwrap();
            let new = edit.get("data").map(|_| numbers(edit)).unwrap_or_default();
            known.splice(at("start")..at("start") + at("deleteCount"), new);
        }
        id = delta["resultId"].clone();
        let id_of_full = client.request("textDocument/semanticTokens/full", json!({ "textDocument": document }));
        assert_eq!(known, numbers(&id_of_full), "{text}");
        // What was told in between is what the next change counts from.
        let stale = json!({ "textDocument": document, "previousResultId": id });
        let whole = client.request("textDocument/semanticTokens/full/delta", stale);
        assert_eq!(known, numbers(&whole));
        id = whole["resultId"].clone();
    }
    assert!(client.end());
}

#[test]
fn a_part_has_the_tokens_that_all_of_it_has_there() {
    let mut client = Client::new(&Memory::default(), &[]);
    client.open("/a.weave", TEXT);
    let document = json!({ "uri": uri("/a.weave") });
    let range = json!({ "start": { "line": 2, "character": 0 }, "end": { "line": 3, "character": 0 } });
    let part = numbers(&client.request("textDocument/semanticTokens/range", json!({ "textDocument": document, "range": range })));
    let all = numbers(&client.request("textDocument/semanticTokens/full", json!({ "textDocument": document })));
    assert!(all.windows(part.len() - 1).any(|window| window == &part[1..]), "{part:?} in {all:?}");
    assert_eq!(part.len() / 5, 7, "prompt, tell, name, string, the text before the path, the path, the text behind it: {part:?}");
    assert!(client.end());
}

#[test]
fn a_comment_of_several_lines_is_one_token_a_line() {
    let mut client = Client::new(&Memory::default(), &[]);
    client.open("/a.weave", "/* one\n   two\n*/\n");
    let all = client.request("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": uri("/a.weave") } }));
    let places: Vec<Vec<u64>> = numbers(&all).chunks(5).map(|token| token[..3].to_vec()).collect();
    assert_eq!(places, [[0, 0, 6], [1, 3, 3], [1, 0, 2]]);
    assert!(client.end());
}

//! Where the parts of a definition were written.

use std::sync::Arc;

use insta::assert_snapshot;

use super::compiled;
use crate::{Input, LoadError, Loader, check};

const PROGRAM: &str = r#"import { Order } from "./shop.weave"

tool find(id: string) -> Order { action "Finding {{.id}}" }

workflow main(id: string) -> Order {
  step look on start when .input.id != "" limit 2 {
    call find { id: .input.id }
  }
  step say on look | failure(look) {
    emit ai.request { prompt: "{{.look?.id ?? ""}}", list: ["a", .input.id] }
  }
  end done on look when .look.id != "" = .look
  fail said on say
  fail empty on start else
}
"#;

const SHOP: &str = "type Order { id: string }\n";

#[test]
fn every_written_part_has_its_place() {
    let text = format!("{PROGRAM}// file: shop.weave\n{SHOP}");
    let compiled = compiled(&text);
    let map = &compiled[0].source_map;
    assert_eq!(map.digest, compiled[0].definition.digest().unwrap());
    assert_eq!((map.version.as_str(), map.workflow.as_str()), ("1", "main"));
    assert_eq!(map.sources, ["<prelude>", "input.weave", "shop.weave"]);
    let json: serde_json::Value = serde_json::to_value(&compiled[0].definition).unwrap();
    let shown = map.paths.iter().filter(|(_, range)| range.source != 0).map(|(pointer, range)| {
        assert!(json.pointer(pointer).is_some(), "{pointer} leads nowhere");
        let text = if range.source == 1 { PROGRAM } else { SHOP };
        let covered = &text[range.start as usize..range.end as usize];
        format!("{pointer} {}:{} {}", range.line, range.column, covered.lines().next().unwrap_or_default())
    });
    assert_snapshot!(shown.collect::<Vec<_>>().join("\n"), @r#"
    /$defs/Order 1:6 Order
    /$defs/Order/properties/id 1:14 id
    /input/properties/id 5:15 id
    /nodes/0 6:3 step look on start when .input.id != "" limit 2 {
    /nodes/0/id 6:8 look
    /nodes/0/payload/args 7:15 { id: .input.id }
    /nodes/0/payload/args/id 7:21 .input.id
    /nodes/0/when 6:27 .input.id != ""
    /nodes/1 9:3 step say on look | failure(look) {
    /nodes/1/id 9:8 say
    /nodes/1/on/any/0 9:15 look
    /nodes/1/on/any/1 9:22 failure(look)
    /nodes/1/payload 10:21 { prompt: "{{.look?.id ?? ""}}", list: ["a", .input.id] }
    /nodes/1/payload/list 10:60 ["a", .input.id]
    /nodes/1/payload/list/0 10:61 "a"
    /nodes/1/payload/list/1 10:66 .input.id
    /nodes/1/payload/prompt 10:31 "{{.look?.id ?? ""}}"
    /nodes/2 12:3 end done on look when .look.id != "" = .look
    /nodes/2/id 12:7 done
    /nodes/2/on 12:15 look when .look.id != ""
    /nodes/2/output 12:42 .look
    /nodes/2/when 12:25 .look.id != ""
    /nodes/3 13:3 fail said on say
    /nodes/3/id 13:8 said
    /nodes/3/on 13:16 say
    /nodes/4 14:3 fail empty on start else
    /nodes/4/id 14:8 empty
    /tools/find 3:6 find
    /tools/find/action 3:41 "Finding {{.id}}"
    /tools/find/input/properties/id 3:11 id
    /workflow 5:10 main
    "#);
    assert_eq!(map.nodes.keys().collect::<Vec<_>>(), ["done", "empty", "look", "said", "say"]);
}

struct Shop;

impl Loader for Shop {
    fn load(&self, path: &str) -> Result<Arc<str>, LoadError> {
        if path.ends_with("lib/shop.weave") { Ok(SHOP.into()) } else { Err(LoadError::NotFound) }
    }
}

#[test]
fn no_folder_of_a_machine_is_named() {
    let text = PROGRAM.replace("./shop.weave", "../lib/shop.weave");
    let input = |path: &str| Input { path: path.to_owned(), text: text.as_str().into() };
    let snapshot = check(vec![input("/home/me/project/main.weave")], &Shop);
    assert_eq!(snapshot.compile().unwrap()[0].source_map.sources, ["../lib/shop.weave", "<prelude>", "main.weave"]);
    let relative = check(vec![input("project/main.weave")], &Shop);
    assert_eq!(relative.compile().unwrap()[0].definition, snapshot.compile().unwrap()[0].definition);
}

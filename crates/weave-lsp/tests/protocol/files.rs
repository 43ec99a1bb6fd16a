//! Files that move, and those that are generated.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::cases::apply;
use crate::client::{Client, Memory, uri};

/// The texts that are changed when files move, with what they are then.
fn after_moves(disk: &Memory, moves: &[(&str, &str)]) -> BTreeMap<String, String> {
    let mut client = Client::new(disk, &["/p"]);
    let files: Vec<Json> = moves.iter().map(|(from, to)| json!({ "oldUri": uri(from), "newUri": uri(to) })).collect();
    let answer = client.request("workspace/willRenameFiles", json!({ "files": files }));
    let texts = disk.0.lock().unwrap().clone();
    let changed = answer["changes"].as_object().unwrap().iter().map(|(uri, edits)| {
        let path = uri.strip_prefix("file://").unwrap().to_owned();
        let text = apply(&texts[&path], edits.as_array().unwrap());
        (path, text)
    });
    let changed = changed.collect();
    assert!(client.end());
    changed
}

fn shop() -> Memory {
    Memory::of([
        (
            "/p/main.weave",
            "import { Order } from \"./kit/types.weave\"\nimport { Note } from \"./note.weave\"\ntype All { a: Order, b: Note }\n",
        ),
        ("/p/note.weave", "import { Order } from \"./kit/../kit/types.weave\"\ntype Note { of: Order }\n"),
        ("/p/kit/types.weave", "import { Line } from \"./line.weave\"\ntype Order { lines: Line[] }\n"),
        ("/p/kit/line.weave", "import { Note } from \"../note.weave\"\ntype Line { note?: Note }\n"),
    ])
}

fn imports(changed: &BTreeMap<String, String>) -> Vec<String> {
    let lines = |(path, text): (&String, &String)| {
        text.lines()
            .filter(|line| line.starts_with("import"))
            .map(|line| format!("{path}: {}", line.split('"').nth(1).unwrap()))
            .collect::<Vec<_>>()
    };
    changed.iter().flat_map(lines).collect()
}

#[test]
fn imports_follow_a_file_that_moves() {
    let changed = after_moves(&shop(), &[("/p/kit/types.weave", "/p/orders/order.weave")]);
    let expected = [
        "/p/kit/types.weave: ../kit/line.weave",
        "/p/main.weave: ./orders/order.weave",
        "/p/main.weave: ./note.weave",
        "/p/note.weave: ./orders/order.weave",
    ];
    assert_eq!(imports(&changed), expected);
}

#[test]
fn imports_follow_a_folder_that_moves_and_those_within_it_stay() {
    let changed = after_moves(&shop(), &[("/p/kit", "/p/deep/er/kit")]);
    let expected = [
        "/p/kit/line.weave: ../../../note.weave",
        "/p/main.weave: ./deep/er/kit/types.weave",
        "/p/main.weave: ./note.weave",
        "/p/note.weave: ./deep/er/kit/types.weave",
    ];
    assert_eq!(imports(&changed), expected);
}

#[test]
fn two_files_that_change_places_find_each_other() {
    let changed = after_moves(&shop(), &[("/p/note.weave", "/p/kit/note.weave"), ("/p/kit/line.weave", "/p/line.weave")]);
    let expected = [
        "/p/kit/line.weave: ./kit/note.weave",
        "/p/kit/types.weave: ../line.weave",
        "/p/main.weave: ./kit/types.weave",
        "/p/main.weave: ./kit/note.weave",
        "/p/note.weave: ./types.weave",
    ];
    assert_eq!(imports(&changed), expected);
    assert_eq!(after_moves(&shop(), &[("/p/other.weave", "/p/more.weave")]), BTreeMap::new());
}

#[test]
fn a_tool_leads_to_the_stubs_that_were_generated_for_it() {
    let listed = |paths: &[&str]| {
        json!({ "version": "1", "files": paths.iter().map(|path| ((*path).to_owned(), json!("x"))).collect::<serde_json::Map<_, _>>() })
            .to_string()
    };
    let go = "package deskwork\n\ntype Tools interface {\n\tFindOrderNow()\n\tFindOrder(ctx context.Context, in FindOrderInput)\n}\n";
    let typescript = "export interface Tools {\n  findOrder(input: $types.FindOrderInput): Promise<void>;\n}\n";
    let python = "class Tools:\n    async def find_order(self) -> None: ...\n";
    let disk = Memory::of([
        (
            "/p/weave.toml",
            "[gen.go]\noutput = \"gen/go\"\n[gen.typescript]\noutput = \"gen/ts\"\n[gen.python]\noutput = \"/else/./where\"\n",
        ),
        (
            "/p/desk_work.weave",
            "tool find_order(id: string)\nworkflow w() {\n  step s { call find_order { id: \"x\" } }\n  end e on s\n}\n",
        ),
        ("/p/gen/go/.weave-go.json", &listed(&["deskwork/tools.go", "deskwork/types.go", "other/tools.go", "../deskwork/tools.go"])),
        ("/p/gen/go/deskwork/tools.go", go),
        ("/p/gen/go/other/tools.go", go),
        ("/p/gen/ts/.weave-typescript.json", &listed(&["desk-work/tools.ts"])),
        ("/p/gen/ts/desk-work/tools.ts", typescript),
        ("/else/where/desk_work/tools.py", python),
    ]);
    let mut client = Client::new(&disk, &["/p"]);
    let at = |line: u32, character: u32| json!({ "textDocument": { "uri": uri("/p/desk_work.weave") }, "position": { "line": line, "character": character } });
    for place in [at(0, 6), at(2, 20)] {
        let found = client.request("textDocument/implementation", place);
        let found: Vec<_> =
            found.as_array().unwrap().iter().map(|it| (it["uri"].as_str().unwrap().to_owned(), it["range"]["start"].clone())).collect();
        let expected = [("/p/gen/go/deskwork/tools.go", 4, 1), ("/p/gen/ts/desk-work/tools.ts", 1, 2)];
        assert_eq!(found, expected.map(|(path, line, character)| (uri(path), json!({ "line": line, "character": character }))));
    }
    // What is generated now is found now.
    disk.write("/else/where/.weave-python.json", Some(&listed(&["desk_work/tools.py"])));
    let found = client.request("textDocument/implementation", at(0, 6));
    assert_eq!(
        found[2],
        json!({ "uri": uri("/else/where/desk_work/tools.py"), "range": { "start": { "line": 1, "character": 14 }, "end": { "line": 1, "character": 24 } } })
    );
    assert_eq!(client.request("textDocument/implementation", at(1, 10)), json!([]));
    assert!(client.end());
}

#[test]
fn what_lies_in_a_folder_goes_and_comes_with_it() {
    let disk = shop();
    let mut client = Client::new(&disk, &["/p"]);
    let main = disk.0.lock().unwrap()["/p/main.weave"].clone();
    client.open("/p/main.weave", &main);
    assert_eq!(client.diagnostics("/p/main.weave"), Vec::<Json>::new());
    let kit: Vec<(String, String)> = disk
        .0
        .lock()
        .unwrap()
        .iter()
        .filter(|(path, _)| path.starts_with("/p/kit/"))
        .map(|(path, text)| (path.clone(), text.clone()))
        .collect();
    for (path, _) in &kit {
        disk.write(path, None);
    }
    client.notify("workspace/didDeleteFiles", json!({ "files": [{ "uri": uri("/p/kit") }] }));
    let codes = |found: &[Json]| found.iter().map(|it| it["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(codes(&client.diagnostics("/p/main.weave")), ["import-not-found"]);
    for (path, text) in &kit {
        disk.write(path, Some(text));
    }
    client.notify("workspace/didRenameFiles", json!({ "files": [{ "oldUri": uri("/p/tik"), "newUri": uri("/p/kit") }] }));
    assert_eq!(client.diagnostics("/p/main.weave"), Vec::<Json>::new());
    assert!(client.end());
}

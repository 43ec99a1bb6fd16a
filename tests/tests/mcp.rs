//! Tool servers over the Model Context Protocol: one in each language, listed and called by the official client of another one, and called
//! over HTTP. They serve the example `support.weave`, and a program that has what examples do not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Map, Value, json};
use weave_codegen::{Options, OutputFile, Target, generate};
use weave_compiler::CatalogFormat;
use weave_tests::markdown::blocks;
use weave_tests::node::with_mcp;
use weave_tests::packages::{Folder, packages};
use weave_tests::program::Program;
use weave_tests::servers::Server;
use weave_tests::tools::finished;
use weave_tests::{read, root, tools};

/// The newest version of the protocol, and the one before, in which outputs are objects.
const VERSIONS: [&str; 2] = ["2026-07-28", "2025-11-25"];

fn fixture(name: &str) -> PathBuf {
    root().join("tests/fixtures/mcp").join(name)
}

fn program() -> Program {
    let paths = ["shop.weave", "support.weave"].map(|name| root().join("examples").join(name));
    let paths = paths.into_iter().chain([fixture("station.weave")]);
    paths.fold(Program::default(), |program, path| program.with(&weave_tests::suite::file_name(&path), &read(&path)))
}

fn generated(language: Target, program: &Program, import_path: &str) -> Vec<OutputFile> {
    let options = Options { import_path: import_path.to_owned(), mcp: true, ..Options::default() };
    generate(language, &packages(program), &options).expect("no two of them use each other")
}

fn texts(files: &[OutputFile]) -> impl Iterator<Item = (&str, &str)> {
    files.iter().map(|file| (file.path.as_str(), file.contents.as_str()))
}

/// A module of Go with the generated packages, a server and a client, which lie compiled in its folder.
fn go() -> &'static Path {
    static FOLDER: OnceLock<Folder> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let files = generated(Target::Go, &program(), "weave.test/gen");
        let names = ["mcp_server/main.go", "mcp_client/main.go", "go.mod", "go.sum"];
        let folder = Folder::new("", texts(&files), &root().join("tests/tools/go"), &names);
        tools::go_download(folder.path()).unwrap_or_else(|problem| panic!("{problem}"));
        run_go(folder.path(), &["vet", "./..."]);
        for name in ["mcp_server", "mcp_client"] {
            let written = format!("bin/{name}{}", std::env::consts::EXE_SUFFIX);
            run_go(folder.path(), &["build", "-o", &written, &format!("./{name}")]);
        }
        let listed = tools::gofmt(folder.path());
        assert_eq!(listed, "", "gofmt would lay these out otherwise");
        folder
    });
    folder.path()
}

fn run_go(folder: &Path, words: &[&str]) -> String {
    tools::go_in(folder, words).unwrap_or_else(|problem| panic!("{problem}"))
}

/// What starts `mcp_server` or `mcp_client` in a language.
fn command(language: Target, name: &str) -> Command {
    match language {
        Target::Go => Command::new(go().join("bin").join(name)),
        Target::Python => {
            let mut command = tools::python_with_checkers();
            command.arg(format!("{name}.py")).current_dir(crate::python::folder());
            command
        }
        Target::TypeScript => {
            let mut command = Command::new("node");
            command.arg(format!("out/{name}.js")).current_dir(crate::typescript::compiled());
            command
        }
    }
}

/// What a client saw of a server.
struct Seen {
    version: String,
    tools: Vec<Value>,
    results: Vec<Value>,
}

fn seen(server: &Server, client: Target, version: &str, calls: &[Value]) -> Seen {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let [asked, answered] = ["asked.json", "answered.json"].map(|name| folder.path().join(name));
    std::fs::write(&asked, Value::from(calls).to_string()).expect("the temporary folder can be written");
    let mut command = command(client, "mcp_client");
    command.arg(format!("http://{}", server.address())).arg(version).args([&asked, &answered]);
    finished(&mut command).unwrap_or_else(|problem| panic!("{problem}"));
    let mut found: Value = serde_json::from_str(&read(&answered)).expect("the client writes JSON");
    let mut list = |key: &str| found[key].as_array_mut().map(std::mem::take).expect("a list");
    Seen { tools: list("tools"), results: list("results"), version: found["version"].as_str().unwrap_or_default().to_owned() }
}

/// What clients leave out, or write where it means nothing, is left out.
fn plain(result: &Value) -> Value {
    let mut plain = result.clone();
    if let Some(result) = plain.get_mut("result").and_then(Value::as_object_mut) {
        result.remove("resultType");
        if let Some(meta) = result.get_mut("_meta").and_then(Value::as_object_mut) {
            meta.remove("io.modelcontextprotocol/serverInfo");
        }
        result.retain(|_, value| !value.is_null() && *value != json!({}) && *value != json!(false));
    }
    plain
}

/// The one form of a value: a number is what it is, with and without a fraction.
fn canonical(value: &Value) -> String {
    serde_json_canonicalizer::to_string(value).expect("it is JSON")
}

/// What a call gives in a version of the protocol.
fn expected(call: &Value, is_old: bool) -> Value {
    if call["cancel"] == true {
        return json!({ "left": true });
    }
    if let Some(code) = call.get("refused") {
        return json!({ "error": code });
    }
    let mut result = Map::new();
    let mut beside = call.get("beside").cloned().unwrap_or_else(|| json!({}));
    let mut said = call.get("gives").cloned();
    if let Some(given) = said.clone() {
        let structured = if is_old && call["wrapped"] == true { json!({ "result": given }) } else { given };
        result.insert("structuredContent".to_owned(), structured);
    }
    for (key, beside_as) in [("fails", "failure"), ("pending", "pending")] {
        if let Some(value) = call.get(key) {
            beside[beside_as] = value.clone();
            said = Some(if key == "fails" { value.clone() } else { json!({ key: value }) });
        }
    }
    let content = said.map(|said| json!({ "type": "text", "text": canonical(&said) }));
    result.insert("content".to_owned(), content.into_iter().collect());
    result.insert("isError".to_owned(), call.get("fails").is_some().into());
    result.insert("_meta".to_owned(), if beside == json!({}) { beside } else { json!({ "x-weave": beside }) });
    let mut expected = json!({ "result": result });
    if let Some(progress) = call.get("progress") {
        expected["progress"] = progress.clone();
    }
    plain(&expected)
}

/// The tools as the catalog lists them, by their names.
fn catalog() -> BTreeMap<String, Value> {
    let snapshot = program().check().snapshot;
    let catalog = snapshot.catalog().expect("a program without mistakes has a catalog");
    let catalog = weave_compiler::catalog(&catalog, CatalogFormat::Mcp).json;
    let tools = catalog["tools"].as_array().expect("a list").iter().cloned();
    let mut tools: BTreeMap<String, Value> = tools.map(|tool| (tool["name"].as_str().unwrap_or_default().to_owned(), tool)).collect();
    // The server offers it under this name too; the catalog of a program, under that of the toolkit alone.
    let mut renamed = tools["desk__find_order"].clone();
    renamed["name"] = json!("find_order");
    tools.insert("find_order".to_owned(), renamed);
    // What says that a result comes later does not fit the schema of the output.
    tools.get_mut("launch").and_then(Value::as_object_mut).expect("it is there").remove("outputSchema");
    tools
}

fn assert_listed(seen: &Seen, server: Target, is_old: bool) {
    let known = catalog();
    let names: Vec<&str> = known.keys().map(String::as_str).filter(|name| !["desk__escalate", "desk__lookup"].contains(name)).collect();
    let mut listed: Vec<&str> = seen.tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    listed.sort_unstable();
    assert_eq!(listed, names, "{server:?}");
    for tool in &seen.tools {
        let name = tool["name"].as_str().unwrap_or_default();
        let mut expected = known[name].clone();
        let output = expected["outputSchema"].clone();
        if is_old && !output.is_null() && output["type"] != "object" {
            let wrapped = &tool["outputSchema"];
            assert_eq!((&wrapped["type"], &wrapped["required"]), (&json!("object"), &json!(["result"])), "{server:?}: {name}");
            assert_eq!(wrapped["properties"]["result"]["type"], output["type"], "{server:?}: {name}");
            expected["outputSchema"] = wrapped.clone();
        }
        if !is_old && name == "find_pad" && server == Target::Python {
            // Servers of Python leave out a null, which clients would miss.
            expected.as_object_mut().expect("it is an object").remove("outputSchema");
        }
        assert_eq!(*tool, expected, "{server:?}: {name}");
    }
}

fn assert_dispatches(server: &Server) {
    let cases = [
        (r#"{"name":"refund","args":{"order_id":"A-1","amount":"1"}}"#, 200, json!({ "refund_id": "r_1" })),
        (r#"{"name":"refund","args":{"order_id":"A-1","amount":1}}"#, 400, failure("invalid_input", "/amount: must be a string")),
        (r#"{"name":"find_order","args":{"order_id":"broken"}}"#, 500, failure("execution_error", "the tool failed")),
        (r#"{"name":"nope"}"#, 404, failure("unknown_tool", "there is no tool \"nope\" here")),
        ("{", 400, failure("invalid_input", "the body is not JSON")),
    ];
    for (body, status, answer) in cases {
        assert_eq!(server.call("/dispatch", body), (status, answer), "{body}");
    }
}

fn failure(kind: &str, message: &str) -> Value {
    json!({ "failure": { "kind": kind, "message": message } })
}

fn assert_serves(server_in: Target, client_in: Target) {
    let calls: Vec<Value> = serde_json::from_str(&read(&fixture("calls.json"))).expect("the calls are JSON");
    let server = Server::start(&mut command(server_in, "mcp_server"));
    assert_dispatches(&server);
    for version in VERSIONS {
        let is_old = version != VERSIONS[0];
        // Over HTTP without sessions, a client of an older version cannot say that it has left.
        let calls: Vec<Value> = calls.iter().filter(|call| !is_old || call["cancel"] != true).cloned().collect();
        let seen = seen(&server, client_in, version, &calls);
        assert_eq!(seen.version, version);
        assert_listed(&seen, server_in, is_old);
        assert_eq!(seen.results.len(), calls.len());
        for (call, result) in calls.iter().zip(&seen.results) {
            assert_eq!(canonical(&plain(result)), canonical(&expected(call, is_old)), "{server_in:?}, {version}: {call}");
        }
    }
}

#[test]
fn a_server_in_go_is_called_from_python() {
    assert_serves(Target::Go, Target::Python);
}

#[test]
fn a_server_in_python_is_called_from_typescript() {
    assert_serves(Target::Python, Target::TypeScript);
}

#[test]
fn a_server_in_typescript_is_called_from_go() {
    assert_serves(Target::TypeScript, Target::Go);
}

/// The servers that the page shows, in a folder of their own each, as somebody would have them.
#[test]
fn servers_in_the_document_are_accepted() {
    let blocks = blocks(&read(&root().join("docs/mcp.md")));
    let code = |info: &str| blocks.iter().find(|block| block.info == info).map(|block| block.code.as_str()).expect("the page shows one");
    let program = Program::default().with("shop.weave", code("weave"));

    let files = generated(Target::Go, &program, "example.com/app/gen");
    let folder = Folder::new("", texts(&files), &root().join("tests/tools/go"), &["go.sum"]);
    let module = read(&root().join("tests/tools/go/go.mod"));
    folder.write("go.mod", &module.replace("weave.test", "example.com/app"));
    folder.write("main.go", code("go"));
    // What the module needs is fetched there.
    go();
    run_go(folder.path(), &["vet", "./..."]);

    let files = generated(Target::TypeScript, &program, "");
    let folder = Folder::below(with_mcp(), "src/", texts(&files), &root().join("tests/tools/typescript"), &["package.json"]);
    folder.write("src/main.ts", code("ts"));
    folder.write("all.json", &weave_tests::node::settings(&["src"], &["node"]));
    crate::typescript::tsc(folder.path(), "all.json");

    let files = generated(Target::Python, &program, "");
    let folder = Folder::new("", texts(&files), &root().join("tests/tools/python"), &[]);
    folder.write("main.py", code("python"));
    let mut command = tools::python_with_checkers();
    finished(command.args(["-m", "mypy", "--strict", "main.py"]).current_dir(folder.path())).unwrap_or_else(|problem| panic!("{problem}"));
}

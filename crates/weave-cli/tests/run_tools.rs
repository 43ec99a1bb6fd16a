//! What `weave run` calls: commands and services that `weave.toml` and the program name.
#![cfg(all(feature = "run", unix))]
#![allow(clippy::unwrap_used)]

mod common;

use std::io::{Read, Write};
use std::net::TcpListener;

use common::Project;
use serde_json::{Value, json};

const SHOP: &str = "\
type Order { id: string, total: decimal }
error sold_out { left: int }

tool find_order(order_id: string) -> Order {
  hints [read_only]
}

tool refund(order_id: string, amount: decimal) -> { refund_id: string } {
  fails [sold_out]
  at env(\"REFUND_URL\")
}

workflow pay_back(order_id: string) -> { refund_id: string } {
  step lookup { call find_order { order_id: .input.order_id } }
  step pay on lookup { call refund { order_id: .lookup.id, amount: .lookup.total } }
  end paid on pay = { refund_id: .pay.refund_id }
}
";

/// Answers what it was asked: its arguments, its environment, its folder.
const FIND: &str = "\
import json, os, sys
call = json.load(sys.stdin)
json.dump({'id': call['args']['order_id'], 'total': '12.50'}, sys.stdout)
open('called.json', 'w').write(json.dumps({'call': call, 'env': sorted(os.environ), 'secret': os.environ.get('SHOP_KEY')}))
";

const TOML: &str = "[tools.find_order]\ncommand = [\"python3\", \"tools/find.py\"]\nenv = [\"SHOP_KEY\"]\n";

fn project(toml: &str, find: &str) -> Project {
    Project::new(&[("flows/shop.weave", SHOP), ("tools/find.py", find), ("weave.toml", toml)])
}

const RUN: &[&str] = &["run", "flows/shop.weave", "--input", "{\"order_id\": \"A-1\"}", "--id", "r1"];

/// A service that answers each of these in turn, a connection each; what it was sent.
fn serve(answers: Vec<(&'static str, Value)>) -> (String, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/shop", listener.local_addr().unwrap());
    let served = std::thread::spawn(move || {
        let mut requests = Vec::new();
        for (status, body) in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut text = Vec::new();
            let mut chunk = [0; 4096];
            while !text.ends_with(b"}") {
                let read = stream.read(&mut chunk).unwrap();
                text.extend_from_slice(chunk.get(..read).unwrap());
            }
            requests.push(String::from_utf8(text).unwrap());
            let body = body.to_string();
            write!(stream, "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
        }
        requests
    });
    (address, served)
}

#[test]
fn commands_and_services_carry_out_the_calls() {
    let project = project(TOML, FIND);
    let (address, served) = serve(vec![("429 Too Many Requests", Value::Null), ("200 OK", json!({ "refund_id": "r-7" }))]);
    let mut command = project.command(RUN);
    command.env("REFUND_URL", &address).env("SHOP_KEY", "s3cret").env("OTHER", "x");
    let run = common::finish(command.spawn().unwrap()).exits(0).says("✓ lookup").says("✓ pay");
    assert_eq!(run.stdout, "{\"refund_id\":\"r-7\"}\n");
    let called: Value = serde_json::from_str(&project.read("called.json")).unwrap();
    assert_eq!(
        called["call"],
        json!({ "name": "find_order", "args": { "order_id": "A-1" }, "key": "r1/lookup#1", "attempt": 1, "run": "r1" })
    );
    assert_eq!(called["secret"], "s3cret");
    assert!(!called["env"].as_array().unwrap().contains(&json!("OTHER")), "nothing else is inherited: {called}");
    let requests = served.join().unwrap();
    for request in &requests {
        assert!(request.starts_with("POST /shop HTTP/1.1\r\n") && request.contains("idempotency-key: r1/pay#1\r\n"), "{request}");
    }
}

#[test]
fn a_failure_of_a_tool_is_a_failure_of_its_step() {
    let project = project(TOML, FIND);
    let sold_out = json!({ "failure": { "kind": "execution_error", "code": "sold_out", "message": "none left", "data": { "left": 0 } } });
    let (address, _served) = serve(vec![("422 Unprocessable Entity", sold_out)]);
    let mut command = project.command(RUN);
    command.env("REFUND_URL", &address).env("SHOP_KEY", "k");
    common::finish(command.spawn().unwrap()).exits(1).says("The run failed at `pay`").says("sold_out: none left");
    for (find, expected) in [
        ("print('hello')", "invalid_output: its output is not JSON"),
        ("pass", "invalid_output: it wrote nothing"),
        ("print('\"' + 'x' * 20_000_000 + '\"')", "invalid_output: it wrote more than 16777216 bytes"),
        ("import sys; print('no space left', file=sys.stderr); sys.exit(3)", "execution_error: the command ended with 3: no space left"),
    ] {
        project.write("tools/find.py", find);
        let mut command = project.command(&RUN[..4]);
        command.env("REFUND_URL", &address).env("SHOP_KEY", "k").args(["--store", "memory"]);
        common::finish(command.spawn().unwrap()).exits(1).says("The run failed at `lookup` (flows/shop.weave:14:3)").says(expected);
    }
}

#[test]
fn what_is_missing_is_said_before_anything_starts() {
    let project = project("[tools.find_orders]\ncommand = [\"python3\"]\n", FIND);
    let run = project.run(RUN).exits(2);
    let run = run.says("the tool `find_order` (flows/shop.weave:4:6): did you mean").says("`REFUND_URL` is not set");
    run.says("[tools.find_order]\n").says("command = [\"python3\", \"tools/find_order.py\"]").says("--mock");
    assert!(!project.path(".weave").exists(), "the store is untouched");
    for (toml, expected) in [
        (TOML, "the environment variable `SHOP_KEY` is not set; for the tool `find_order` it is passed to its command"),
        ("[tools.find_order]\ncommand = [\"./tools/none\"]\n", "tools/none` of the tool `find_order` cannot be found"),
        (
            "[tools.find_order]\ncommand = [\"no-such-program-anywhere\"]\n",
            "`no-such-program-anywhere` of the tool `find_order` cannot be found",
        ),
        ("[tools.\"*\"]\nurl = { env = \"SHOP_URL\" }\n", "`SHOP_URL` is not set; for the tool `find_order` it is its address"),
        ("[tools.find_order]\ncomand = [\"a\"]\n", "there is no key `comand`"),
    ] {
        project.write("weave.toml", toml);
        project.run(RUN).exits(2).says(expected);
        assert!(!project.path(".weave").exists(), "the store is untouched");
    }
    let mut command = project.command(RUN);
    project.write("weave.toml", TOML);
    command.env("REFUND_URL", "http://me:canary@localhost").env("SHOP_KEY", "k");
    let run = common::finish(command.spawn().unwrap()).exits(2).says("the tool `refund` cannot be called");
    assert!(!run.stderr.contains("canary"));
}

#[test]
fn an_entry_for_all_tools_and_one_for_one_tool() {
    let (address, served) = serve(vec![("200 OK", json!({ "id": "A-1", "total": "1" })), ("200 OK", json!({ "refund_id": "r-1" }))]);
    let toml =
        format!("[tools.\"*\"]\nurl = \"{address}\"\n[tools.refund]\nurl = \"{address}\"\nheaders = {{ x-team = {{ env = \"TEAM\" }} }}\n");
    let project = project(&toml, FIND);
    let mut command = project.command(RUN);
    command.env("TEAM", "payments");
    common::finish(command.spawn().unwrap()).exits(0);
    let requests = served.join().unwrap();
    assert!(!requests[0].contains("x-team") && requests[1].contains("x-team: payments\r\n"), "{requests:?}");
}

const VAULT: &str = "\
type Login { name: string, @secret token: string }
tool open(login: Login) -> { @secret key: string, note: string }
event vault.noted { text: string }
workflow vault(login: Login) -> string {
  step open { call open { login: .input.login } }
  step note on open { emit vault.noted { text: \"{{.open.key}} for {{.input.login.name}}\" } }
  end done on note = .open.note
}
";

#[test]
fn secrets_are_masked_in_everything_that_is_printed() {
    let script = "import json, sys\ncall = json.load(sys.stdin)\nif call['args']['login']['name'] == 'Eve':\n    print('no ' + call['args']['login']['token'], \
                  file=sys.stderr)\n    sys.exit(1)\njson.dump({'key': 'canary-2', 'note': 'opened'}, sys.stdout)\n";
    let toml = "[tools.open]\ncommand = [\"python3\", \"open.py\"]\n";
    let project = Project::new(&[("vault.weave", VAULT), ("open.py", script), ("weave.toml", toml)]);
    let input = |name: &str| format!("{{\"login\": {{\"name\": \"{name}\", \"token\": \"canary-1\"}}}}");
    for (name, code) in [("Ann", 0), ("Eve", 1)] {
        for format in ["human", "jsonl"] {
            let run = project.run(&["run", "vault", "--input", &input(name), "--format", format]).exits(code);
            let all = format!("{}{}", run.stdout, run.stderr);
            assert!(!all.contains("canary"), "{all}");
            assert!(all.contains("***") || format == "human" && name == "Ann", "{all}");
        }
    }
    let wrong = "{\"login\": {\"name\": 1, \"token\": [\"canary-3\"]}}";
    let run = project.run(&["run", "vault", "--input", wrong]).exits(2).says("login.token: ");
    assert!(!run.stderr.contains("canary"), "{run:#?}");
    // What a tool answers is not repeated either where it does not fit.
    project.write("open.py", "print('{\"key\": [\"canary-4\"], \"note\": \"x\"}')");
    let run = project.run(&["run", "vault", "--input", &input("Ann"), "--format", "jsonl"]).exits(1);
    assert!(!run.stdout.contains("canary"), "{run:#?}");
    let run = project.run(&["run", "vault", "--input", &input("Ann")]).exits(1);
    assert!(!run.stderr.contains("canary"), "{run:#?}");
}

//! Examples run with `weave run` against real processes: generated services in Go, TypeScript and Python, and commands.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use weave_tests::root;
use weave_tests::servers::Server;
use weave_tests::tools::python_with_checkers;

/// What a run gave.
#[derive(Debug)]
struct Ended {
    code: Option<i32>,
    output: Value,
    said: String,
}

/// Runs a workflow of an example in a folder with these files.
fn run(example: &str, workflow: &str, input: &Value, files: &[(&str, &str)], environment: &[(&str, &str)], more: &[&str]) -> Ended {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for name in [example, "shop.weave"] {
        std::fs::copy(root().join("examples").join(name), folder.path().join(name)).expect("the example can be copied");
    }
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("the folder can be written");
    }
    let mut command = Command::new(crate::suite::weave());
    command.args(["run", example, "--workflow", workflow, "--id", "r1", "--input", &input.to_string()]).args(more);
    command.envs(environment.iter().copied()).stdin(std::process::Stdio::null());
    let output = command.current_dir(folder.path()).output().expect("weave can be started");
    let [printed, said] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    let ended = Ended { code: output.status.code(), output: serde_json::from_str(&printed).unwrap_or(Value::String(printed)), said };
    leave_no_trace(folder.path());
    ended
}

/// The store of a run that has ended is free.
fn leave_no_trace(folder: &Path) {
    assert!(folder.join(".weave/runs.db").exists(), "runs are stored next to weave.toml");
}

#[test]
fn expenses_are_paid_by_a_service_in_go() {
    crate::go::print(&["build", "-o", "serve.exe", "./serve"]);
    let server = Server::start(&mut Command::new(crate::go::module().join("serve.exe")));
    let address = format!("http://{}", server.address());
    let expense = |amount: &str| {
        let id = "123e4567-e89b-12d3-a456-426614174000";
        let cost = json!({ "amount": amount, "currency": "eur" });
        json!({ "expense": { "id": id, "employee": "ada@example.com", "purpose": "Tea", "cost": cost, "spent_on": "2026-11-22" } })
    };
    let toml = "[tools.find_approvers]\ncommand = [\"python3\", \"never.py\"]\n";
    let call = |amount: &str| {
        let files = [("weave.toml", toml)];
        run("expense.weave", "expense", &expense(amount), &files, &[("BANK_URL", &address)], &[])
    };
    let paid = call("12.50");
    assert_eq!((paid.code, &paid.output["status"], &paid.output["reference"]), (Some(0), &json!("paid"), &json!("r1/pay#1")), "{paid:#?}");
    let refused = call("13");
    assert_eq!(refused.output["reason"], "limit: too much", "{refused:#?}");
}

#[test]
fn refunds_are_paid_by_a_service_in_typescript() {
    let server = Server::start(Command::new("node").arg("out/serve.js").current_dir(crate::typescript::compiled()));
    let address = format!("http://{}", server.address());
    let request = |order: &str| json!({ "request": { "order_id": order, "amount": "12.50", "reason": "cold tea" } });
    let toml = "[tools.\"*\"]\nurl = { env = \"SHOP_URL\" }\n";
    let call = |order: &str| {
        let variables = [("SHOP_URL", address.as_str()), ("REFUND_URL", address.as_str())];
        run("refund.weave", "refund", &request(order), &[("weave.toml", toml)], &variables, &[])
    };
    let refunded = call("A-1");
    assert_eq!(refunded.output, json!({ "status": "refunded", "amount": "12.50", "detail": "A-1 12.50" }), "{refunded:#?}");
    let unknown = call("none");
    assert_eq!(unknown.output["detail"], "there is no order none", "{unknown:#?}");
}

#[test]
fn accounts_are_made_by_a_service_in_python_that_streams() {
    let words = ["-m", "uvicorn", "serve:app", "--port", "0", "--no-access-log"];
    let server = Server::start(python_with_checkers().args(words).current_dir(crate::python::folder()));
    let toml = format!("[tools.create_account]\nurl = \"http://{}/onboarding\"\n", server.address());
    let person =
        |email: &str| json!({ "person": { "name": "Ada", "email": email, "team": "core", "systems": ["mail"] }, "system": "mail" });
    let made = run("onboarding.weave", "account", &person("ada@example.com"), &[("weave.toml", &toml)], &[], &[]);
    let expected = json!({ "system": "mail", "login": "ada@example.com", "created_at": "2026-11-22T09:00:00Z" });
    assert_eq!(made.output, expected, "{made:#?}");
    // A login that is taken needs a person; the run waits for the answer.
    let taken = run("onboarding.weave", "account", &person("taken@example.com"), &[("weave.toml", &toml)], &[], &["--no-wait"]);
    assert_eq!(taken.code, Some(3), "{taken:#?}");
    assert!(taken.said.contains("login_taken") && taken.said.contains("Parked."), "{taken:#?}");
}

/// One command for all tools of `deploy.weave`, which tells how far it is.
const CLUSTER: &str = "\
import json, sys
call = json.load(sys.stdin)
say = lambda **what: print(json.dumps(what), flush=True)
if call['name'] == 'deploy':
    assert call['key'] == 'r1/ship#1'
    say(progress={'stage': 'build', 'percent': 10})
    say(artifacts={'build_log': 'fine'})
    if call['args']['release']['version'] == 'broken':
        say(failure={'kind': 'execution_error', 'code': 'no_capacity', 'message': 'full', 'data': {'missing_nodes': 2}})
    else:
        say(result={'deployment_id': '123e4567-e89b-12d3-a456-426614174000', 'url': 'https://shop.test/', 'took': 'PT1S'})
elif call['name'] == 'measure':
    say(result={'healthy': True, 'error_rate': 0.0, 'report': 'https://shop.test/report'})
else:
    sys.exit('not expected')
";

#[test]
fn releases_are_deployed_by_commands() {
    let toml = "[tools.\"*\"]\ncommand = [\"python3\", \"cluster.py\"]\nlines = true\n";
    let call = |version: &str| {
        let release = json!({ "service": "shop", "version": version, "commit": "0123456789012345678901234567890123456789" });
        let files = [("weave.toml", toml), ("cluster.py", CLUSTER)];
        run("deploy.weave", "deploy_release", &json!({ "release": release, "watch": "PT0.1S" }), &files, &[], &[])
    };
    let live = call("1.0");
    assert_eq!((live.code, &live.output["status"]), (Some(0), &json!("live")), "{live:#?}");
    let broken = call("broken");
    assert!(broken.code == Some(1) && broken.said.contains("2 nodes are missing"), "{broken:#?}");
}

#[test]
fn a_parcel_is_announced_by_a_command_and_the_carrier_is_waited_for() {
    let announce = "import json, sys\njson.dump({'parcel': 'P-1', 'expected_at': '2099-01-01T00:00:00Z'}, sys.stdout)\n";
    let toml = "[tools.announce]\ncommand = [\"python3\", \"announce.py\"]\n[tools.recall]\nurl = \"http://127.0.0.1:9/\"\n";
    let customer =
        json!({ "id": "123e4567-e89b-12d3-a456-426614174000", "name": "Ada", "email": "ada@example.com", "since": "2026-01-01" });
    let line = json!({ "sku": "AB-1", "title": "Tea", "quantity": 1, "price": "12.50" });
    let order = json!({ "id": "A-1", "customer": customer, "lines": [line], "total": "12.50", "placed_at": "2026-11-22T09:00:00Z" });
    let files = [("weave.toml", toml), ("announce.py", announce)];
    let waiting = run("delivery.weave", "deliver", &json!({ "customer": customer, "order": order }), &files, &[], &["--no-wait"]);
    assert!(waiting.code == Some(3) && waiting.said.contains("✓ announced"), "{waiting:#?}");
}

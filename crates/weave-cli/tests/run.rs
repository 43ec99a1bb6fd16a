//! What `weave run` prints, and how it ends.
#![cfg(feature = "run")]
#![allow(clippy::unwrap_used)]

mod common;

use common::Project;

/// A workflow that asks a model, waits for a day, and asks a person.
const ORDER: &str = "\
event review.requested { text: string } -> review.done
external event review.done { by: string }

agent writer(topic: string) -> { text: string } {
  model mini
  system \"You write letters.\"
}

tool send(text: string) -> { id: string } {
  hints [idempotent]
  example { text: \"Hello\" } -> { id: \"m-1\" }
}

workflow letter(topic: string(min: 2)) -> { id: string } {
  step write { ask writer { topic: .input.topic } }
  step pause on write { wait 24h }
  step review on pause { emit review.requested { text: .write.text } }
  step post on review { call send { text: .write.text } }
  end sent on post = { id: .post.id }
}
";

const FAILING: &str = "\
workflow never(reason: string = \"because\") {
  fail refused = \"{{.input.reason}}\"
}
";

#[test]
fn the_output_and_nothing_else_goes_to_standard_output() {
    let project = Project::new(&[("letter.weave", ORDER)]);
    let run = project.run(&["run", "letter.weave", "--mock"]).exits(0).says("answers are made up").says("✓ write").says("■ sent");
    assert_eq!(run.stdout, "{\"id\":\"m-1\"}\n");
    let named = project.run(&["run", "letter", "--mock", "--input", "{\"topic\": \"cats\"}", "--id", "l-1"]).exits(0).says("run l-1");
    assert_eq!(named.stdout, run.stdout);
}

#[test]
fn programs_read_each_event_on_a_line() {
    let project = Project::new(&[("letter.weave", ORDER)]);
    let run = project.run(&["run", "letter.weave", "--mock", "--format", "jsonl", "--id", "l-1"]).exits(0);
    let events: Vec<serde_json::Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events[0]["topic"], "workflow.start");
    assert_eq!(events.last().unwrap()["data"]["output"]["id"], "m-1");
    let topics: Vec<_> = events.iter().filter_map(|event| event["topic"].as_str()).collect();
    for topic in ["ai.request", "ai.turn", "ai.response", "timer.fired", "review.done", "tool.result"] {
        assert!(topics.contains(&topic), "{topic} is missing in {topics:?}");
    }
    assert!(events.iter().all(|event| event["run"] == "l-1"));
    assert_eq!(run.stderr, "");
}

#[test]
fn a_run_that_fails_says_where() {
    let project = Project::new(&[("never.weave", FAILING)]);
    let run = project.run(&["run", "never.weave"]).exits(1).says("The run failed at `refused` (never.weave:2:3)").says("because");
    assert_eq!(run.stdout, "");
}

#[test]
fn an_input_that_does_not_fit_starts_nothing() {
    let project = Project::new(&[("letter.weave", ORDER)]);
    project.run(&["run", "letter", "--mock", "--input", "{\"topic\": \"x\"}"]).exits(2).says("the input does not fit").says("topic: ");
    project.run(&["run", "letter", "--mock", "--input", "{"]).exits(2).says("the text ends too early");
    project.run(&["run", "letter", "--mock", "--input", "missing.json"]).exits(2).says("cannot read `missing.json`");
    let example = project.run(&["run", "letter", "--example"]).exits(0);
    project.write("input.json", &example.stdout);
    project.run(&["run", "letter", "--mock", "--input", "input.json"]).exits(0);
}

#[test]
fn what_nobody_answers_for_is_said_before_anything_starts() {
    let project = Project::new(&[("letter.weave", ORDER)]);
    let run = project.run(&["run", "letter", "--input", "{\"topic\": \"cats\"}"]).exits(2);
    run.says("the model `mini`, which the agent `writer` uses (letter.weave:4:7)")
        .says("the tool `send` (letter.weave:9:6)")
        .says("--mock");
    project.run(&["run", "leter", "--mock"]).exits(2).says("did you mean `letter`?");
    project.run(&["run", "letter", "--mock", "--id", "a/b"]).exits(2).says("cannot be the id of a run");
}

#[test]
fn a_run_that_waits_says_so() {
    let waits = "external event order.paid { id: string }\nworkflow shop() {\n  step order { wait order.paid }\n  end done on order\n}\n";
    let project = Project::new(&[("shop.weave", waits)]);
    project.run(&["run", "shop", "--no-wait", "--store", "memory"]).exits(3).says("has not ended");
    project.run(&["run", "shop", "--mock"]).exits(0);
}

#[test]
fn a_run_that_is_kept_goes_on() {
    let waits = "external event order.paid { id: string }\nworkflow shop() {\n  step pause { wait 1s }\n  step order on pause { wait order.paid }\n  \
                 end done on order\n}\n";
    let project = Project::new(&[("shop.weave", waits)]);
    project.run(&["run", "shop", "--no-wait", "--id", "s-1"]).exits(3).says("Parked. `weave run --resume s-1`");
    assert!(project.path(".weave/runs.db").exists());
    project.run(&["run", "--resume", "s-1", "--no-wait"]).exits(3).says("3 events read").says("Parked.");
    project.run(&["run", "shop", "--no-wait", "--id", "s-1", "--input", "{}"]).exits(3);
    project.run(&["run", "--resume", "s-2"]).exits(2).says("there is no run `s-2`");
    // What was started for real is not made up, and the other way round.
    let refused = project.run(&["run", "--resume", "s-1", "--mock"]).exits(2).says("was started for real");
    assert!(!refused.stderr.contains("events read"));
    project.run(&["run", "shop", "--mock", "--id", "s-3", "--store", ".weave/runs.db"]).exits(0);
    // A run that has ended is shown again.
    project.run(&["run", "--resume", "s-3"]).exits(0).says("■ done");
    project.run(&["run", "--resume", "s-3", "--mock"]).exits(0).says("■ done");
}

#[test]
fn a_run_whose_process_was_killed_goes_on() {
    let waits = "external event order.paid { id: string }\nworkflow shop() {\n  step order { wait order.paid }\n  end done on order\n}\n";
    let project = Project::new(&[("shop.weave", waits)]);
    let mut child = project.command(&["run", "shop", "--id", "k-1"]).spawn().unwrap();
    let held = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        project.run(&["run", "--resume", "k-1", "--no-wait"]).stderr.contains("is driven by another process")
    });
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(held, "the first process owns the run while it lives");
    project.run(&["run", "--resume", "k-1", "--no-wait"]).exits(3).says("events read").says("Parked.");
}

#[test]
fn every_example_ends() {
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut run = 0;
    for entry in std::fs::read_dir(&examples).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        if path.extension().is_none_or(|ending| ending != "weave") || !text.contains("\nworkflow ") {
            continue;
        }
        let project = Project::new(&[]);
        let ended = project.run(&["run", path.to_str().unwrap(), "--mock"]).exits(0);
        assert_eq!(ended.stdout.lines().count(), 1, "{}", ended.stdout);
        run += 1;
    }
    assert_eq!(run, 14, "shop.weave has no workflow; the others run");
}

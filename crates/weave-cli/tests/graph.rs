//! What `weave graph` draws, where it goes, and what it refuses.
#![allow(clippy::unwrap_used)]

mod common;

use common::{MISTAKE, Project, workflow};

#[test]
fn a_workflow_is_drawn_in_each_form() {
    let project = Project::new(&[("greet.weave", &workflow("greet"))]);
    let mermaid = project.run(&["graph", "greet.weave"]).exits(0);
    assert!(mermaid.stdout.starts_with("flowchart TD\n") && mermaid.stdout.contains("n0 --> s_done"), "{}", mermaid.stdout);
    assert_eq!(mermaid.stderr, "");
    for (format, front) in [("dot", "digraph \"greet\" {"), ("svg", "<svg "), ("json", "{\n  \"version\": \"2\""), ("mermaid", "flowchart")]
    {
        let run = project.run(&["graph", "--format", format, "greet.weave"]).exits(0);
        assert!(run.stdout.starts_with(front), "{}", run.stdout);
        assert_eq!(run.stdout, project.run(&["graph", "--format", format, "greet.weave"]).stdout, "the same input gives the same bytes");
    }
}

#[test]
fn the_name_of_the_file_decides_on_the_form() {
    let project = Project::new(&[("greet.weave", &workflow("greet"))]);
    for (file, front) in [("a.svg", "<svg "), ("a.gv", "digraph"), ("a.json", "{"), ("a.mmd", "flowchart")] {
        let run = project.run(&["graph", "greet.weave", "-o", file]).exits(0);
        assert_eq!(run.stdout, "");
        assert!(project.read(file).starts_with(front), "{file}");
    }
    project.run(&["graph", "greet.weave", "-o", "b.svg", "--format", "dot"]).exits(0);
    assert!(project.read("b.svg").starts_with("digraph"), "what is asked for counts");
    project.run(&["graph", "greet.weave", "-o", "new/b.svg"]).exits(0);
    project.run(&["graph", "greet.weave", "-o", "greet.weave/b.svg"]).exits(2).says("cannot write `greet.weave/b.svg`");
}

#[test]
fn several_workflows_are_drawn_and_one_is_named() {
    let project = Project::new(&[("a.weave", &workflow("greet")), ("b.weave", &workflow("part"))]);
    let both = project.run(&["graph", "a.weave", "b.weave"]).exits(0);
    assert!(both.stdout.contains("subgraph w0[\"greet\"]") && both.stdout.contains("subgraph w1[\"part\"]"), "{}", both.stdout);
    let one = project.run(&["graph", "a.weave", "b.weave", "--workflow", "part"]).exits(0);
    assert_eq!(one.stdout, project.run(&["graph", "b.weave"]).stdout);
    project.run(&["graph", "a.weave", "b.weave", "--workflow", "gret"]).exits(2).says("did you mean `greet`?");
    project.write("types.weave", "type Order { id: string }\n");
    project.run(&["graph", "types.weave"]).exits(2).says("there is no workflow in 1 file");
}

#[test]
fn nothing_is_drawn_when_there_are_errors() {
    let project = Project::new(&[("order.weave", MISTAKE), ("greet.weave", &workflow("greet"))]);
    let run = project.run(&["graph", "order.weave", "greet.weave", "-o", "a.svg"]).exits(1).says("error[").says("order.weave:2:13");
    assert_eq!(run.stdout, "");
    assert_eq!(project.list("."), ["greet.weave", "order.weave"]);
}

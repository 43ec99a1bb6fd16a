//! What is looked at again after a change, and what is not. That the outcome is the same, edits that look random show (`tests/src/edits/`).

use std::sync::Arc;

use crate::{Input, LoadError, Loader, Snapshot, check_edited};

struct NoFiles;

impl Loader for NoFiles {
    fn load(&self, _: &str) -> Result<Arc<str>, LoadError> {
        Err(LoadError::NotFound)
    }
}

const PROGRAM: &str = "\
tool send(text: string) -> string

workflow first(name: string) -> string {
  step sent { call send { text: .input.name } }
  end done on sent = .sent
}

workflow second(name: string) -> string {
  step sent { call send { text: .input.name } }
  end done on sent = .sent
}
";

fn edited(earlier: Option<&Snapshot>, text: &str) -> Snapshot {
    check_edited(earlier, vec![Input { path: "a.weave".to_owned(), text: text.into() }], &NoFiles)
}

/// The program with a change, and whether the model of the declarations stayed.
#[track_caller]
fn step(earlier: &Snapshot, text: &str, stays: bool) -> Snapshot {
    let next = edited(Some(earlier), text);
    assert_eq!(Arc::ptr_eq(&earlier.model, &next.model), stays, "{text}");
    let anew = edited(None, text);
    assert_eq!(next.diagnostics(), anew.diagnostics(), "{text}");
    next
}

fn ids(snapshot: &Snapshot) -> Vec<&str> {
    snapshot.diagnostics().iter().map(|diagnostic| diagnostic.code.id).collect()
}

#[test]
fn a_change_in_a_body_costs_that_body() {
    let before = edited(None, PROGRAM);
    assert_eq!(ids(&before), Vec::<&str>::new());
    let text = PROGRAM.replacen("text: .input.name", "text: .input.nam", 1);
    let after = step(&before, &text, true);
    assert_eq!(ids(&after), ["unknown-field"]);
    let (old, new) = (&before.bodies[1].workflows, &after.bodies[1].workflows);
    assert!(!Arc::ptr_eq(&old[0], &new[0]) && Arc::ptr_eq(&old[1], &new[1]));
    // What is said stands where the text is by now.
    let moved = step(&after, &format!("// A comment.\n\n{text}"), true);
    let place = moved.diagnostics()[0].primary.place;
    assert_eq!(moved.sources().text(place), "nam");
    assert!(Arc::ptr_eq(&moved.bodies[1].workflows[0], &after.bodies[1].workflows[0]));
    let broken = step(&moved, &text.replacen("call send {", "call send {{", 1), true);
    assert!(broken.has_errors());
    assert_eq!(ids(&step(&broken, PROGRAM, true)), Vec::<&str>::new());
}

#[test]
fn a_change_of_a_declaration_costs_what_looks_at_it() {
    let program = format!(
        "{PROGRAM}\ntool find(id: string) -> Found\n\ntype Found {{ title: string, by: Person }}\n\ntype Person {{ name: string }}\n\n\
         workflow third(id: string) -> string {{\n  step found {{ call find {{ id: .input.id }} }}\n  end done on found = .found.title\n}}\n"
    );
    let before = edited(None, &program);
    assert_eq!(ids(&before), Vec::<&str>::new());
    for (old, new, wanted) in [
        ("{ title: string", "{ titel: string", &["unknown-field"][..]),
        ("{ name: string", "{ name: strin", &["unknown-name"]),
        ("by: Person", "by: Persn", &["unknown-name"]),
        ("by: Person", "by: Found", &["infinite-type"]),
        ("-> Found\n", "-> Found {\n  mode 5\n}\n", &["setting-value"]),
        ("type Person", "/// Somebody.\ntype Person", &[]),
        ("{ name: string", "{ name: string = \"x\"", &[]),
    ] {
        let text = program.replacen(old, new, 1);
        let after = step(&before, &text, false);
        assert_eq!(ids(&after), wanted, "{text}");
        let is_kept = |number: usize| Arc::ptr_eq(&before.bodies[1].workflows[number], &after.bodies[1].workflows[number]);
        // A type without an end is said of types as a whole.
        let is_anew = wanted == ["infinite-type"];
        assert_eq!((is_kept(0), is_kept(1), after.changed().is_none()), (!is_anew, !is_anew, is_anew), "{text}");
        step(&after, &program, false);
    }
}

#[test]
fn a_change_of_what_others_see_makes_another_model() {
    let before = edited(None, PROGRAM);
    for (old, new) in [
        ("text: string) -> string", "text: int) -> string"),
        ("workflow first(name: string)", "workflow first(name: string, more: int)"),
        ("workflow first(name: string)", "/// Docs.\nworkflow first(name: string)"),
        ("workflow first(name: string) -> string {\n", "workflow first(name: string) -> string {\n  timeout 5m\n"),
        ("end done on sent = .sent", "end done on sent = .sent\n  fail bad on sent failed = \"\""),
        ("workflow second", "workflow third"),
    ] {
        step(&before, &PROGRAM.replacen(old, new, 1), false);
    }
}

#[test]
fn names_that_a_broken_item_excuses_are_excused_elsewhere() {
    // `name` stands in the header of what gets broken, and is looked for by somebody else.
    let before = edited(
        None,
        &PROGRAM.replacen("on sent = .sent\n}\n\n", "on sent = .sent\n}\n\nprompt p(a: name) \"\"\"\n  text\n  \"\"\"\n\n", 1),
    );
    assert_eq!(ids(&before), ["unknown-name"]);
    let text = before.sources().get(weave_diagnostics::FileId(1)).unwrap().text().to_string();
    let broken = step(&before, &text.replacen("call send {", "call send {{", 1), false);
    assert!(!ids(&broken).contains(&"unknown-name"));
    step(&broken, &text, false);
}

//! What keeps a legal program from having definitions.

use insta::assert_snapshot;

use super::{compiled, shown, snapshot};
use crate::codes::CODES;

#[test]
fn every_bad_example_gets_its_diagnostic_and_no_other_and_every_good_one_none() {
    for code in CODES {
        let bad = snapshot(code.bad);
        let ids: Vec<&str> = bad.diagnostics().iter().map(|diagnostic| diagnostic.code.id).collect();
        assert_eq!(ids, [code.id], "{}", shown(&bad));
        assert!(bad.compile().unwrap().is_empty());
        compiled(code.good);
        assert!(!code.summary.is_empty() && !code.explanation.is_empty());
    }
}

#[test]
fn ids_are_taken_once() {
    let groups: Vec<&str> = [weave_syntax::CODES, weave_analysis::CODES, CODES].into_iter().flatten().map(|code| code.id).collect();
    assert_eq!(crate::registry().iter().count(), groups.len());
}

#[test]
fn names_that_meet_in_one_definition() {
    let snapshot = snapshot(
        r#"
import { ask as other_ask } from "./other.weave"
import { sub as other_sub } from "./other.weave"
import { order.paid } from "./other.weave"
error gone
tool find(x: string) { fails [gone] }
agent ask(x: string) { model mini, tools [find], prompt text }
prompt text(x: string) """
  {{.x}}
  """
workflow sub(x: string) { end done }
workflow main(x: string) {
  step a { ask ask { x: .input.x } }
  step b on a { ask other_ask { x: .input.x } }
  step c on b { run sub { x: .input.x } }
  step d on c { run other_sub { x: .input.x } }
  end done on d
}
workflow fine(x: string) {
  step b { ask other_ask { x: .input.x } }
  end done on b
}
// file: other.weave
error gone { why: string }
tool find(x: string) { fails [gone] }
agent ask(x: string) { model mini, tools [find], prompt text }
prompt text(x: string) """
  {{.x}}!
  """
workflow sub(x: string) { end done }
external event order.paid { x: string }
"#,
    );
    assert_snapshot!(shown(&snapshot), @r#"
other.weave: gone: same-name-in-definition: two different errors named `gone` meet in one definition (the first one)
  input.weave: gone: the second one
  input.weave: main: this workflow uses both
other.weave: find: same-name-in-definition: two different tools named `find` meet in one definition (the first one)
  input.weave: find: the second one
  input.weave: main: this workflow uses both
other.weave: ask: same-name-in-definition: two different agents named `ask` meet in one definition (the first one)
  input.weave: ask: the second one
  input.weave: main: this workflow uses both
other.weave: text: same-name-in-definition: two different prompts named `text` meet in one definition (the first one)
  input.weave: text: the second one
  input.weave: main: this workflow uses both
other.weave: sub: same-name-in-definition: two different workflows named `sub` meet in one definition (the first one)
  input.weave: sub: the second one
  input.weave: main: this workflow uses both
"#);
}

#[test]
fn workflows_that_run_themselves() {
    let snapshot = snapshot(
        r#"
workflow a(x: string) { step s { run b { x: .input.x } } end done on s }
workflow b(x: string) { step s { ask helper { x: .input.x } } end done on s }
agent helper(x: string) { model mini, system "Write.", tools [kit] }
toolkit kit { tools [a] }
workflow alone(x: string) { step s { call alone { x: .input.x } } end done on s }
"#,
    );
    assert_snapshot!(shown(&snapshot), @r#"
input.weave: a: workflow-runs-itself: workflow `a` runs itself (the cycle is `a` → `b` → `a`)
  input.weave: b: part of the cycle
input.weave: alone: workflow-runs-itself: workflow `alone` runs itself (the cycle is `alone` → `alone`)
"#);
}

#[test]
fn tools_that_are_offered_under_one_name() {
    let snapshot = snapshot(
        r#"
tool find(x: string)
tool look(x: string)
toolkit one { namespace "kit", tools [find, look as same] }
toolkit two { namespace "kit", tools [find as same, look] }
toolkit three { tools [look, find as found] }
agent a(x: string) { model mini, system "Write.", tools [one, two, find, three, look] }
workflow main(x: string) { step s { ask a { x: .input.x } } end done on s }
"#,
    );
    assert_snapshot!(shown(&snapshot), @r#"
input.weave: two: tool-name-clash: agent `a` is offered two tools named `kit__same` (brings the first one)
  input.weave: find: the second one
  input.weave: one: brings the second one
  input.weave: look: the second one
"#);
}

#[test]
fn nothing_is_compiled_where_something_is_wrong() {
    let snapshot = snapshot("workflow fine() { end done }\ntype T { a: Nothing }\n");
    assert!(snapshot.has_errors());
    assert_eq!(snapshot.compile().unwrap(), []);
    let repaired = super::snapshot("workflow fine() { end done }\nworkflow broken() { end done\n");
    assert_eq!(repaired.compile().unwrap(), []);
}

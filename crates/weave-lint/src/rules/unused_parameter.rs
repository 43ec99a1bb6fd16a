//! A parameter that the workflow does not read.

use rustc_hash::FxHashSet;
use weave_analysis::model::value::{PathRoot, PathSegment};
use weave_diagnostics::{Code, Severity};

use crate::findings::Findings;
use crate::mistaken::mistaken;
use crate::project::WorkflowView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unused-parameter",
    severity: Severity::Warning,
    summary: "A workflow never reads one of its parameters.",
    explanation: "Every caller has to provide a value that changes nothing. Use the parameter or remove it. If callers must be able to pass it, because it will be needed or because another workflow has the same input, allow the finding with `@allow`.",
    bad: "\
workflow greet(name: string, language: string) -> string {
  end done = \"hello {{.input.name}}\"
}
",
    good: "\
workflow greet(name: string, language: string) -> string {
  end native on start when .input.language == \"de\" = \"hallo {{.input.name}}\"
  end done on start else = \"hello {{.input.name}}\"
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Suspicious, fixable: Fixable::No, check: Check::Workflow(check), options: &[] };

fn check(view: &WorkflowView<'_>, findings: &mut Findings<'_>) {
    let mut read: FxHashSet<&str> = FxHashSet::default();
    let mut reads_all = false;
    for node in &view.body.nodes {
        node.paths(&mut |path| {
            if path.root == PathRoot::Input {
                match path.segments.first() {
                    Some(PathSegment::Field(name) | PathSegment::Entry(name) | PathSegment::Loose(name)) => _ = read.insert(name),
                    _ => reads_all = true,
                }
            }
        });
    }
    if reads_all {
        return;
    }
    let unused: Vec<_> = view.signature.input.fields.iter().filter(|parameter| !read.contains(parameter.wire_name())).collect();
    // What is read by another language's placeholder is another finding.
    let mistaken = if unused.is_empty() { Vec::new() } else { mistaken(&view.declaration) };
    for parameter in unused.into_iter().filter(|parameter| !mistaken.iter().any(|mistaken| mistaken.is_parameter(&parameter.name))) {
        let finding = findings.at(parameter.place, format!("the workflow never reads its parameter `{}`", parameter.name));
        findings.report(finding.label("never read").help(format!("read `.input.{}`, or remove the parameter", parameter.name)));
    }
}

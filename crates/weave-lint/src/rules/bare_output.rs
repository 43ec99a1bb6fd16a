//! An output that cannot grow.

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::types::Type;
use weave_diagnostics::{Code, Severity};
use weave_syntax::ast::ItemKind;

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "bare-output",
    severity: Severity::Note,
    summary: "The output of a remote tool is a bare value, not a record.",
    explanation: "A record can get another field later without breaking its users; a bare string or number cannot. MCP clients from before July 2026 accept only records as structured output. Give the value a name: `-> { text: string }`.",
    bad: "\
/// Looks up who an account belongs to.
tool find_owner(account: string) -> string {
  hints [read_only]
  version \"1\"
  timeout 10s
  at env(\"ACCOUNTS_URL\")
}
",
    good: "\
/// Looks up who an account belongs to.
tool find_owner(account: string) -> { owner: string } {
  hints [read_only]
  version \"1\"
  timeout 10s
  at env(\"ACCOUNTS_URL\")
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Pedantic, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let (DeclarationKind::Tool(tool), ItemKind::Tool(syntax)) = (&view.declaration.kind, &view.item.kind) else { return };
    let Some(written) = syntax.output.as_ref().filter(|_| tool.at.is_some() || tool.from.is_some()) else { return };
    if tool.output.as_ref().is_some_and(|output| is_bare(view, output)) {
        let finding = findings.at(view.place(written.span()), format!("the output of `{}` is a bare value", view.declaration.name));
        findings.report(
            finding
                .label("cannot get another field later")
                .help(format!("give it a name, such as `{{ value: {} }}`", view.text(written.span()))),
        );
    }
}

/// Whether a value of a type is for sure no object.
fn is_bare(view: &DeclarationView<'_>, output: &Type) -> bool {
    let model = view.project.model;
    match model.resolve(output) {
        Type::Scalar(..) | Type::List(_) | Type::Literal(_) => true,
        Type::Named(id) => model.get(*id).is_some_and(|declaration| matches!(declaration.kind, DeclarationKind::Enum(_))),
        _ => false,
    }
}

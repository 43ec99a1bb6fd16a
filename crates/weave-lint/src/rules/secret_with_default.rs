//! A secret that is known beforehand.

use weave_diagnostics::{Applicability, Code, Severity, Span};

use crate::findings::Findings;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "secret-with-default",
    severity: Severity::Warning,
    summary: "A `@secret` field has a default.",
    explanation: "The default of a field is part of the file, of the compiled definition and of every schema generated from it, so it is not a secret. A system that keeps the default is open to everyone. Require an explicit value.",
    bad: "\
type Login { user: string, @secret password: string = \"changeme\" }
",
    good: "\
type Login { user: string, @secret password: string }
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Security, fixable: Fixable::Unsafe, check: Check::File(check), options: &[] };

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    for (index, (_, context)) in file.items().enumerate() {
        for field in file.fields(index as u32) {
            let secret = field.meta.attributes.iter().find(|attribute| attribute.name.text(context.text) == "secret");
            let (Some(secret), Some(default)) = (secret, &field.default) else { continue };
            let is_empty = matches!(default.span().text(context.text), "\"\"" | "null");
            if is_empty {
                continue;
            }
            let finding =
                findings.at(context.place(default.span()), format!("the secret `{}` has a default", field.name.text(context.text)));
            let removed = context.place(Span::new(field.ty.span().end, default.span().end));
            findings.report(
                finding
                    .label("anyone who reads the file knows it")
                    .also(context.place(secret.span), "a secret")
                    .help("remove the default")
                    .replace(Applicability::Unsafe, "remove the default", removed, ""),
            );
        }
    }
}

//! A key that everybody can read.

use weave_diagnostics::{Code, Place, Severity};
use weave_syntax::TokenKind;

use crate::findings::Findings;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};
use crate::secret_forms::secrets;

static CODE: Code = Code {
    id: "secret-in-literal",
    severity: Severity::Warning,
    summary: "A string looks like a key or a password of a well-known service.",
    explanation: "Anyone who can read the file, its history, the compiled definition or a log can use the key. Revoke it, and let the host read the new one from an environment variable. `at env(\"NAME\")` and the settings of the application name secrets but never contain them.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  meta { key: \"AKIAQYLPMN5HNX4ZAAAA\" }
}
",
    good: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  meta { key: \"AWS_ACCESS_KEY_ID\" }
}
",
};

pub(crate) static RULE: Rule = Rule { code: &CODE, group: Group::Security, fixable: Fixable::No, check: Check::File(check), options: &[] };

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    let (text, id) = (file.text(), file.id());
    for token in file.unit.syntax.tokens.iter() {
        let is_text = matches!(
            token.kind,
            TokenKind::String
                | TokenKind::TextBlock
                | TokenKind::Doc
                | TokenKind::ModuleDoc
                | TokenKind::LineComment
                | TokenKind::BlockComment
        );
        if !is_text {
            continue;
        }
        for (span, what) in secrets(token.span.text(text)) {
            let finding = findings.at(Place::new(id, span.shifted(token.span.start)), format!("{what} is written in the file"));
            findings
                .report(finding.label("anyone who reads the file can use it").help("revoke it, and name an environment variable instead"));
        }
    }
}

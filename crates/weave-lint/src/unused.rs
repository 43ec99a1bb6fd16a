//! What the rules about declarations that nothing uses have in common.

use weave_diagnostics::Applicability;

use crate::findings::Findings;
use crate::project::DeclarationView;

/// Reports a declaration that nothing uses; `noun` says what it is.
pub(crate) fn check(view: &DeclarationView<'_>, noun: &str, findings: &mut Findings<'_>) {
    if view.has_purpose() {
        return;
    }
    let finding = findings.at(view.declaration.place, format!("the {noun} `{}` is never used", view.declaration.name));
    findings.report(finding.label("nothing names it").help("remove it, or use it where it was meant to be used").replace(
        Applicability::Unsafe,
        "remove it",
        view.whole(),
        "",
    ));
}

//! An address that anybody on the way can read and change.

use weave_diagnostics::{Applicability, Code, Place, Severity, Span};
use weave_syntax::TokenKind;

use crate::findings::Findings;
use crate::project::FileView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "plain-http",
    severity: Severity::Warning,
    summary: "An address is not encrypted.",
    explanation: "Anyone on the network can read and modify what is sent over `http://`: the arguments of a call, and the answer that a model then trusts. Use `https://`. Loopback addresses are not reported.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  meta { docs: \"http://orders.shop.test/help\" }
}
",
    good: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  meta { docs: \"https://orders.shop.test/help\" }
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Security, fixable: Fixable::Unsafe, check: Check::File(check), options: &[] };

/// Names that look like addresses: nobody connects to them.
const NAMESPACES: [&str; 4] = ["www.w3.org", "json-schema.org", "schema.org", "schemas.xmlsoap.org"];

fn check(file: &FileView<'_>, findings: &mut Findings<'_>) {
    let (text, id) = (file.text(), file.id());
    for token in file.unit.syntax.tokens.iter().filter(|token| token.kind == TokenKind::String) {
        let Some(rest) = token.span.text(text).strip_prefix("\"http://") else { continue };
        let host = rest.split(['/', '"', '?', '#']).next().unwrap_or_default();
        let host = host.rsplit('@').next().unwrap_or_default();
        let name = if host.starts_with('[') { host } else { host.split(':').next().unwrap_or_default() };
        if name.is_empty() || is_local(name) || NAMESPACES.contains(&name) {
            continue;
        }
        let scheme = Span::new(token.span.start + 1, token.span.start + 1 + "http".len() as u32);
        let finding = findings.at(Place::new(id, token.span), format!("traffic to `{name}` is not encrypted"));
        findings.report(finding.label("anyone on the network can read and modify it").help("use `https://`").replace(
            Applicability::Unsafe,
            "use `https`",
            Place::new(id, scheme),
            "https",
        ));
    }
}

/// Whether it is the own machine, a name that no public server has, or read when it is needed.
fn is_local(name: &str) -> bool {
    let is_inside = [".localhost", ".local", ".internal"].iter().any(|ending| name.ends_with(ending));
    is_inside || matches!(name, "localhost" | "0.0.0.0") || name.starts_with("127.") || name.starts_with("[::1]") || name.contains("{{")
}

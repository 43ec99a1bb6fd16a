//! A password that is written down.

use weave_diagnostics::{Applicability, Code, Severity, Span};

use crate::findings::Findings;
use crate::names::snake;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "unmarked-secret",
    severity: Severity::Warning,
    summary: "A field is called like a secret and is not marked `@secret`.",
    explanation: "What a field holds is recorded in the log of the run and may be shown to people and to models. `@secret` keeps a value out of logs, and lets other rules say where it would leak. A field of text called `password`, `token`, `api_key`, `secret`, `cvc` or `ssn`, or something that ends so, should have it. What only positions a list, such as `page_token` or `next_token`, is not a secret.",
    bad: "\
/// Logs a customer in.
tool log_in(name: string, password: string) -> bool { hints [idempotent] }
",
    good: "\
/// Logs a customer in.
tool log_in(name: string, @secret password: string) -> bool { hints [idempotent] }
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Security, fixable: Fixable::Unsafe, check: Check::Declaration(check), options: &[] };

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    for field in view.fields() {
        let name = view.text(field.name.span);
        if !is_secret(name.trim_matches('"')) || !view.text(field.ty.span()).starts_with("string") {
            continue;
        }
        if field.meta.attributes.iter().any(|attribute| view.text(attribute.name.span) == "secret") {
            continue;
        }
        let finding = findings.at(view.place(field.name.span), format!("`{name}` is not marked `@secret`"));
        findings.report(finding.label("is recorded and shown like any other value").help("write `@secret` before it").replace(
            Applicability::Unsafe,
            "mark it `@secret`",
            view.place(Span::at(field.span.start)),
            "@secret ",
        ));
    }
}

/// Whether what is called so is most likely a secret.
fn is_secret(name: &str) -> bool {
    /// What comes before `token` where it only says how far a list has been read.
    const POSITIONS: [&str; 10] = ["page", "next", "prev", "previous", "continuation", "cursor", "sync", "pagination", "start", "stop"];
    let name = snake(name);
    let words: Vec<&str> = name.split(['_', '-']).collect();
    match words.as_slice() {
        [.., "password" | "passwd" | "passphrase" | "secret" | "cvc" | "cvv" | "ssn" | "apikey"] => true,
        [.., "api" | "private" | "secret", "key"] => true,
        [before @ .., "token"] => !before.iter().any(|word| POSITIONS.contains(word)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_secret;

    #[test]
    fn names_of_secrets() {
        for name in ["password", "api_key", "apiKey", "APIKey", "access-token", "token", "clientSecret", "card_cvc", "ssn", "private_key"] {
            assert!(is_secret(name), "{name}");
        }
        for name in ["page_token", "nextToken", "tokens", "passwords_changed", "key", "secretary", "password_hint", "public_key"] {
            assert!(!is_secret(name), "{name}");
        }
    }
}

//! A password among the data of a tool.

use weave_diagnostics::{Code, Severity};
use weave_syntax::ast::{Entry, Expr, ListItem, Literal, LiteralKind, SettingValue};
use weave_syntax::text::literal_value;

use crate::findings::Findings;
use crate::project::DeclarationView;
use crate::rule::{Check, Fixable, Group, Rule};

static CODE: Code = Code {
    id: "secret-in-settings",
    severity: Severity::Warning,
    summary: "The metadata of a tool, an agent or a toolkit contains a secret.",
    explanation: "`meta`, `options`, `binding` and `via` are part of the definition, which is stored and logged. A value with a key such as `password`, `token` or `api_key` is then readable by everyone. Name the environment variable that contains it instead.",
    bad: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  binding worker { url: \"orders\", password: \"hunter2!\" }
}
",
    good: "\
/// Looks up one order by its id.
tool find_order(order_id: string) -> string {
  hints [read_only]
  binding worker { url: \"orders\", password_env: \"ORDERS_PASSWORD\" }
}
",
};

pub(crate) static RULE: Rule =
    Rule { code: &CODE, group: Group::Security, fixable: Fixable::No, check: Check::Declaration(check), options: &[] };

/// What secrets are called, in lower case and without what stands between words.
const NAMES: [&str; 12] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "clientsecret",
    "authtoken",
    "accesstoken",
];

fn check(view: &DeclarationView<'_>, findings: &mut Findings<'_>) {
    let settings = view.block().into_iter().flat_map(|block| block.settings());
    let blocks = settings.filter_map(|setting| match &setting.value {
        SettingValue::Block(block) | SettingValue::Value { block: Some(block), .. } => Some(block),
        _ => None,
    });
    let mut waiting: Vec<&Entry> = blocks.flat_map(|block| block.data()).collect();
    while let Some(entry) = waiting.pop() {
        match &entry.value {
            Expr::Object(object) => waiting.extend(&object.entries),
            Expr::List(list) => waiting.extend(list.items.iter().filter_map(entries).flatten()),
            Expr::Literal(literal) if is_text(*literal) => {
                let key = entry.key.text(view.context.text);
                let value = literal_value(view.context.text, *literal);
                if is_secret_name(&key) && may_be_secret(&value) {
                    let message = format!("`{}` contains a secret under the key `{key}`", view.declaration.name);
                    let finding = findings.at(view.place(literal.span), message).label("anyone who reads the definition can use it");
                    findings.report(finding.help("revoke it, and name the environment variable that contains it"));
                }
            }
            _ => {}
        }
    }
}

fn entries(item: &ListItem) -> Option<&[Entry]> {
    if let Expr::Object(object) = &item.value { Some(&object.entries) } else { None }
}

const fn is_text(literal: Literal) -> bool {
    matches!(literal.kind, LiteralKind::String | LiteralKind::TextBlock)
}

/// `apiKey`, `API_KEY`, `db.password`: the name of a secret, or one that ends with it.
fn is_secret_name(key: &str) -> bool {
    let parts = key.split('.').next_back().unwrap_or_default();
    let plain: String = parts.chars().filter(|character| character.is_ascii_alphanumeric()).collect::<String>().to_ascii_lowercase();
    let last = parts.rsplit(['_', '-']).next().unwrap_or_default().to_ascii_lowercase();
    NAMES.contains(&plain.as_str()) || (last != parts && NAMES.contains(&last.as_str()))
}

/// Whether a value may be a secret itself: no name of a variable, no place for one, no single word.
fn may_be_secret(value: &str) -> bool {
    let is_name = value.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    let is_word = value.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-' | b'.'));
    let is_reference = value.contains(['$', '{', '<', ' ', '/', '*']) || value.contains("env") || value.contains(':');
    value.len() >= 6 && !is_name && !is_word && !is_reference
}

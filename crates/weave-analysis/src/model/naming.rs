//! What things are called in the languages that code is generated in.
//!
//! Generators and the check for clashes ask the same functions, so that what the check lets pass never clashes.

use std::sync::Arc;

use heck::{ToLowerCamelCase, ToPascalCase, ToShoutySnakeCase, ToSnakeCase};

use super::declarations::TargetNames;

/// A language that code is generated in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TargetLanguage {
    /// Go.
    Go,
    /// TypeScript.
    TypeScript,
    /// Python.
    Python,
}

impl TargetLanguage {
    /// All languages.
    pub const ALL: [Self; 3] = [Self::Go, Self::TypeScript, Self::Python];

    /// What people call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Go => "Go",
            Self::TypeScript => "TypeScript",
            Self::Python => "Python",
        }
    }

    /// The name that the author chose for this language.
    #[must_use]
    pub fn chosen(self, names: &TargetNames) -> Option<&Arc<str>> {
        names.get(self)
    }

    /// What something is called: as the author chose, or as is the custom of the language. Words that the language reserves are not
    /// looked at. Empty if nothing of the name can be written.
    #[must_use]
    pub fn call(self, role: Role, name: &str, names: &TargetNames) -> String {
        if let Some(chosen) = self.chosen(names) {
            return chosen.to_string();
        }
        match (self, role) {
            (Self::Go, _) => go(name),
            (Self::TypeScript, Role::Member) => name.to_lower_camel_case(),
            (Self::TypeScript, Role::Value | Role::Type) | (Self::Python, Role::Type) => name.to_pascal_case(),
            (Self::Python, Role::Member) => name.to_snake_case(),
            (Self::Python, Role::Value) => name.to_shouty_snake_case(),
        }
    }
}

/// As what something is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A field, a parameter or a method.
    Member,
    /// A value of an enum.
    Value,
    /// A type.
    Type,
}

/// The words that Go's linters want in capitals.
const INITIALISMS: [&str; 39] = [
    "acl", "amqp", "api", "ascii", "cpu", "css", "db", "dns", "eof", "gid", "guid", "html", "http", "https", "id", "ip", "json", "qps",
    "ram", "rpc", "rtp", "sip", "sla", "smtp", "sql", "ssh", "tcp", "tls", "ttl", "udp", "ui", "uid", "uri", "url", "utf8", "uuid", "vm",
    "xml", "xss",
];

/// `user_id` as `UserID`.
fn go(name: &str) -> String {
    let words = name.to_snake_case();
    let words = words.split('_').map(|word| if INITIALISMS.contains(&word) { word.to_ascii_uppercase() } else { word.to_pascal_case() });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::{Role, TargetLanguage};
    use crate::model::declarations::TargetNames;

    #[test]
    fn each_language_has_its_customs() {
        let none = TargetNames::default();
        let call = |name: &str| {
            let of = |language: TargetLanguage, role| language.call(role, name, &none);
            let members = TargetLanguage::ALL.map(|language| of(language, Role::Member)).join(" ");
            format!("{members} | {} | {}", of(TargetLanguage::Python, Role::Value), of(TargetLanguage::TypeScript, Role::Type))
        };
        assert_eq!(call("user_id"), "UserID userId user_id | USER_ID | UserId");
        assert_eq!(call("userId"), "UserID userId user_id | USER_ID | UserId");
        assert_eq!(call("HTTPServer"), "HTTPServer httpServer http_server | HTTP_SERVER | HttpServer");
        assert_eq!(call("content-type"), "ContentType contentType content_type | CONTENT_TYPE | ContentType");
        assert_eq!(call("order.placed"), "OrderPlaced orderPlaced order_placed | ORDER_PLACED | OrderPlaced");
        assert_eq!(call("$"), "   |  | ");
        let mut chosen = TargetNames::default();
        chosen.set(TargetLanguage::Go, Some("Fetch".into()));
        assert_eq!(TargetLanguage::Go.call(Role::Type, "find", &chosen), "Fetch");
    }

    #[test]
    fn initialisms_can_be_looked_up() {
        assert!(super::INITIALISMS.is_sorted());
    }
}

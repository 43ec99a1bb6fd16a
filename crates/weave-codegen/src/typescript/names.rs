//! Names that TypeScript takes.

use weave_ir::package::{Names, Package, Shape, TypeDeclaration};

use crate::program::PackageNames;
use crate::scope::Scope;

/// Words that name no type, value or function; in order.
const RESERVED: &[&str] = &[
    "any",
    "arguments",
    "as",
    "asserts",
    "async",
    "await",
    "bigint",
    "boolean",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "declare",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "exports",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "infer",
    "instanceof",
    "interface",
    "is",
    "keyof",
    "let",
    "module",
    "namespace",
    "never",
    "new",
    "null",
    "number",
    "object",
    "package",
    "private",
    "protected",
    "public",
    "readonly",
    "require",
    "return",
    "satisfies",
    "static",
    "string",
    "super",
    "switch",
    "symbol",
    "this",
    "throw",
    "true",
    "try",
    "type",
    "typeof",
    "undefined",
    "unique",
    "unknown",
    "using",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// A name that stands on its own, made of what something is called.
pub(super) fn identifier(name: &str) -> String {
    let name = if name.is_empty() { "unnamed" } else { name };
    let first_is_digit = name.starts_with(|first: char| first.is_ascii_digit());
    match (first_is_digit, RESERVED.binary_search(&name).is_ok()) {
        (true, _) => format!("_{name}"),
        (_, true) => format!("{name}_"),
        _ => name.to_owned(),
    }
}

/// Whether a name may stand behind a dot and before a colon as it is.
fn is_plain(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|first| first.is_alphabetic() || matches!(first, '_' | '$'))
        && characters.all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | '$'))
        && name != "__proto__"
}

/// What every object has, so that nobody sees whether an object has a property of that name itself; in order. To assign to `__proto__` even
/// changes the object that it is assigned to.
const INHERITED: &[&str] =
    &["__proto__", "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf"];

/// What the index of a package exports beside its types.
const MODULES: [&str; 8] = ["agents", "codecs", "errors", "events", "prompts", "schemas", "tools", "workflows"];

/// The name of a property: what it is called, or as it is in JSON where that cannot be written. No name that somebody chose begins with `$`.
pub(super) fn member(names: &Names, wire: &str) -> String {
    match names.typescript.as_str() {
        "" => wire.to_owned(),
        name if INHERITED.binary_search(&name).is_ok() => format!("${name}"),
        name => name.to_owned(),
    }
}

/// The name of a property as it stands in a type or an object.
pub(super) fn key(member: &str) -> String {
    if is_plain(member) { member.to_owned() } else { super::literal::text(member) }
}

/// The names of one place.
pub(super) fn scope() -> Scope {
    Scope::new(identifier)
}

/// What the declarations of a package are called.
pub(super) fn names(package: &Package) -> PackageNames {
    let mut taken = scope();
    for module in MODULES {
        taken.claim(module);
    }
    let mut names = PackageNames::of_types(package, &mut taken, |names, _| &names.typescript);
    let is_error = |it: &&TypeDeclaration| matches!(it.shape, Shape::Error { .. });
    let errors: Vec<&str> = package.types.iter().filter(is_error).map(|it| it.name.as_str()).collect();
    let functions: Vec<String> =
        errors.iter().map(|name| names.types.get(*name).map(|name| lower_first(name)).unwrap_or_default()).collect();
    let functions = scope().claim_all(&functions.iter().map(String::as_str).collect::<Vec<_>>());
    names.errors = errors.into_iter().map(str::to_owned).zip(functions).collect();
    names.with_tools(package, &mut scope(), |names| &names.typescript)
}

fn lower_first(name: &str) -> String {
    let mut characters = name.chars();
    characters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_can_be_looked_up() {
        assert!(RESERVED.is_sorted() && INHERITED.is_sorted());
    }

    #[test]
    fn no_property_is_called_like_one_that_every_object_has() {
        let called = |name: &str| member(&Names { typescript: name.to_owned(), ..Names::default() }, "wire");
        assert_eq!(
            ["toString", "constructor", "__proto__", "", "name"].map(called),
            ["$toString", "$constructor", "$__proto__", "wire", "name"]
        );
    }

    #[test]
    fn what_cannot_be_a_name_becomes_one() {
        assert_eq!(["delete", "1st", "", "find"].map(identifier), ["delete_", "_1st", "unnamed", "find"]);
        let mut scope = scope();
        assert_eq!(["new", "new_", "new"].map(|name| scope.claim(name)), ["new_", "new__", "new___"]);
        assert_eq!(["userId", "content-type", "__proto__", "1"].map(key), ["userId", "\"content-type\"", "\"__proto__\"", "\"1\""]);
    }
}

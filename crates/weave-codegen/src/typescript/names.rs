//! Names that TypeScript takes.

use std::collections::{BTreeMap, BTreeSet};

use weave_ir::package::{Names, Package, PackageTool, Shape, ToolUse, TypeDeclaration, TypeReference};

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
    characters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && characters.all(|it| it.is_ascii_alphanumeric() || it == '_')
        && name != "__proto__"
}

/// The name of a property: what it is called, or as it is in JSON where that cannot be written.
pub(super) fn member(names: &Names, wire: &str) -> String {
    match names.typescript.as_str() {
        "" => wire.to_owned(),
        // To assign to it changes the object that it is assigned to.
        "__proto__" => "proto__".to_owned(),
        name => name.to_owned(),
    }
}

/// The name of a property as it stands in a type or an object.
pub(super) fn key(member: &str) -> String {
    if is_plain(member) { member.to_owned() } else { super::literal::text(member) }
}

/// Names of which each is given once.
#[derive(Debug, Default)]
pub(super) struct Scope {
    taken: BTreeSet<String>,
}

impl Scope {
    /// This name, or one with `_` behind it that nothing else has.
    pub(super) fn claim(&mut self, name: &str) -> String {
        let mut name = identifier(name);
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

/// What all packages declare, looked up by the names of the package and the declaration.
#[derive(Debug, Default)]
pub(super) struct Program<'a> {
    types: ByName<(String, &'a TypeDeclaration)>,
    /// By the union's name and the tag's value.
    variants: ByName<BTreeMap<&'a str, String>>,
    tools: ByName<(String, &'a PackageTool)>,
}

/// By package and name.
type ByName<T> = BTreeMap<String, BTreeMap<String, T>>;

fn insert<T>(map: &mut ByName<T>, package: &str, name: &str, value: T) {
    map.entry(package.to_owned()).or_default().insert(name.to_owned(), value);
}

impl<'a> Program<'a> {
    pub(super) fn new(packages: &'a [Package]) -> Self {
        let mut program = Self::default();
        for package in packages {
            let mut scope = Scope::default();
            for declaration in &package.types {
                let name = scope.claim(&declaration.names.typescript);
                insert(&mut program.types, &package.name, &declaration.name, (name, declaration));
            }
            for declaration in &package.types {
                if let Shape::Union { variants, .. } = &declaration.shape {
                    let named = variants.iter().map(|variant| (variant.wire.as_str(), scope.claim(&variant.names.typescript)));
                    let named = named.collect();
                    insert(&mut program.variants, &package.name, &declaration.name, named);
                }
            }
            let mut scope = Scope::default();
            for tool in &package.tools {
                insert(&mut program.tools, &package.name, &tool.name, (scope.claim(&tool.names.typescript), tool));
            }
        }
        program
    }

    /// What a type is called, and what it is.
    pub(super) fn ty(&self, home: &str, reference: &TypeReference) -> (&str, Option<&'a TypeDeclaration>) {
        let found = self.types.get(reference.package.as_deref().unwrap_or(home)).and_then(|types| types.get(&reference.name));
        found.map_or(("never", None), |(name, ty)| (name.as_str(), Some(*ty)))
    }

    /// What the type of a variant is called.
    pub(super) fn variant(&self, home: &str, union: &str, wire: &str) -> &str {
        let variants = self.variants.get(home).and_then(|unions| unions.get(union));
        variants.and_then(|variants| variants.get(wire)).map_or("never", String::as_str)
    }

    /// What the constant of a tool is called, and the tool.
    pub(super) fn tool(&self, home: &str, used: &ToolUse) -> Option<(&str, &'a PackageTool)> {
        let found = self.tools.get(used.package.as_deref().unwrap_or(home))?.get(&used.name);
        found.map(|(name, tool)| (name.as_str(), *tool))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_can_be_looked_up() {
        assert!(RESERVED.is_sorted());
    }

    #[test]
    fn what_cannot_be_a_name_becomes_one() {
        assert_eq!(["delete", "1st", "", "find"].map(identifier), ["delete_", "_1st", "unnamed", "find"]);
        let mut scope = Scope::default();
        assert_eq!(["new", "new_", "new"].map(|name| scope.claim(name)), ["new_", "new__", "new___"]);
        assert_eq!(["userId", "content-type", "__proto__", "1"].map(key), ["userId", "\"content-type\"", "\"__proto__\"", "\"1\""]);
    }
}

//! Names that Go takes.

use std::collections::{BTreeMap, BTreeSet};

use weave_ir::package::{Names, Package, Shape};

use crate::program::PackageNames;
use crate::scope::Scope;

/// The folder, and the package, of what all packages share.
pub(super) const SHARED: &str = "weaveruntime";

/// Names that no package of ours may have; in order. The first rows are the words of the language, the last one are folders that Go treats
/// in a way of its own.
const NO_PACKAGE: &[&str] = &[
    "break",
    "case",
    "chan",
    "const",
    "continue",
    "default",
    "defer",
    "else",
    "fallthrough",
    "for",
    "func",
    "go",
    "goto",
    "if",
    "import",
    "init",
    "interface",
    "internal",
    "main",
    "map",
    "package",
    "range",
    "return",
    "select",
    "struct",
    "switch",
    "testdata",
    "type",
    "var",
    "vendor",
    "weaveruntime",
];

/// Names that mean something in generated code, so that no import may be called like them; in order.
const NO_ALIAS: &[&str] = &[
    "any",
    "append",
    "args",
    "bool",
    "byte",
    "call",
    "cap",
    "clear",
    "close",
    "comparable",
    "complex",
    "context",
    "copy",
    "ctx",
    "delete",
    "e",
    "err",
    "error",
    "event",
    "false",
    "float64",
    "found",
    "http",
    "hydrators",
    "imag",
    "in",
    "int",
    "int64",
    "iota",
    "json",
    "len",
    "make",
    "max",
    "min",
    "name",
    "new",
    "nil",
    "options",
    "out",
    "panic",
    "payload",
    "print",
    "println",
    "prompt",
    "read",
    "real",
    "recover",
    "run",
    "rune",
    "service",
    "string",
    "text",
    "topic",
    "true",
    "uint",
    "v",
    "weave",
];

/// A name that other packages may use, made of what something is called: it begins with a capital letter.
pub(super) fn identifier(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => out.push(character),
            // Letters of Latin, Greek and Cyrillic; of others it is not known here whether Go takes them for letters.
            letter if (letter.is_lowercase() || letter.is_uppercase()) && letter < '\u{530}' && letter != '\u{345}' => out.push(letter),
            other => out.push_str(&format!("U{:X}", u32::from(other))),
        }
    }
    let mut characters = out.chars();
    match characters.next() {
        None => "Unnamed".to_owned(),
        Some(first) if first.is_uppercase() => out,
        Some(first) => {
            let upper: String = first.to_uppercase().collect();
            let is_one = upper.chars().count() == 1 && upper.starts_with(char::is_uppercase);
            if is_one { format!("{upper}{}", characters.as_str()) } else { format!("X{out}") }
        }
    }
}

/// What something is called, or its name in JSON where nothing of that can be written.
pub(super) fn called<'a>(names: &'a Names, wire: &'a str) -> &'a str {
    if names.go.is_empty() { wire } else { &names.go }
}

/// The names of one place.
pub(super) fn scope() -> Scope {
    Scope::new(identifier)
}

/// The names of variables in a function.
pub(super) fn local() -> Scope {
    let variable = |name: &str| {
        let is_taken = NO_PACKAGE.binary_search(&name).is_ok() || NO_ALIAS.binary_search(&name).is_ok();
        if is_taken { format!("{name}_") } else { name.to_owned() }
    };
    Scope::new(variable)
}

/// The names of the fields of a record, which are not those of its methods.
pub(super) fn fields() -> Scope {
    let mut scope = scope();
    for method in ["Error", "MarshalJSON", "UnmarshalJSON", "Validate", "WeaveFailure"] {
        scope.claim(method);
    }
    scope
}

/// The names of methods of an interface. `go vet` knows what methods of some names look like, whose they may be.
pub(super) fn methods() -> Scope {
    let mut scope = scope();
    let known = [
        "GobDecode",
        "GobEncode",
        "MarshalJSON",
        "MarshalXML",
        "ReadByte",
        "ReadRune",
        "UnmarshalJSON",
        "UnmarshalXML",
        "UnreadByte",
        "UnreadRune",
        "WriteByte",
    ];
    for name in known {
        scope.claim(name);
    }
    scope
}

/// What is made for a tool.
#[derive(Clone, Debug, Default)]
pub(super) struct ToolNames {
    pub(super) method: String,
    pub(super) constant: String,
    pub(super) call: String,
    pub(super) bind: String,
    pub(super) handler: String,
}

/// What a package is called, and what it calls what it has.
#[derive(Debug)]
pub(super) struct GoPackage {
    /// The folder and the package.
    pub(super) folder: String,
    /// What it is called where it is imported.
    pub(super) alias: String,
    /// The names of codecs, by the type.
    pub(super) codecs: BTreeMap<String, String>,
    /// The interfaces of the variants of unions, by the union.
    pub(super) unions: BTreeMap<String, String>,
    /// The names of the values of enums, by the enum and the value.
    pub(super) values: BTreeMap<(String, String), String>,
    /// The names of what is made for tools.
    pub(super) tools: BTreeMap<String, ToolNames>,
    /// All names that are taken.
    pub(super) scope: Scope,
}

/// What the types of a package are called, and all that is made for them.
fn types(package: &Package) -> (PackageNames, Scope) {
    let mut taken = scope();
    let mut names = PackageNames::of_types(package, &mut taken, called);
    for tool in &package.tools {
        names.tools.insert(tool.name.clone(), identifier(called(&tool.names, &tool.name)));
    }
    (names, taken)
}

/// What the declarations of a package are called.
pub(super) fn names(package: &Package) -> PackageNames {
    types(package).0
}

/// What is made for a package is called.
fn package_names(package: &Package, folder: String) -> GoPackage {
    let (names, mut scope) = types(package);
    let type_of = |name: &str| names.types.get(name).cloned().unwrap_or_default();
    for toolkit in &package.toolkits {
        scope.claim(&format!("{}Service", identifier(called(&toolkit.type_names, &toolkit.name))));
    }
    let mut made = GoPackage {
        alias: alias(&folder),
        folder,
        codecs: BTreeMap::new(),
        unions: BTreeMap::new(),
        values: BTreeMap::new(),
        tools: BTreeMap::new(),
        scope,
    };
    let scope = &mut made.scope;
    for declaration in &package.types {
        let name = type_of(&declaration.name);
        made.codecs.insert(declaration.name.clone(), scope.claim(&format!("{name}Codec")));
        match &declaration.shape {
            Shape::Union { .. } => _ = made.unions.insert(declaration.name.clone(), scope.claim(&format!("{name}Variant"))),
            Shape::Enum(values) => {
                for value in values {
                    let constant = scope.claim(&format!("{name}{}", identifier(called(&value.names, &value.wire))));
                    made.values.insert((declaration.name.clone(), value.wire.clone()), constant);
                }
            }
            _ => {}
        }
    }
    for tool in &package.tools {
        let name = identifier(called(&tool.type_names, &tool.name));
        let named = ToolNames {
            method: identifier(called(&tool.names, &tool.name)),
            constant: scope.claim(&format!("{name}Tool")),
            call: scope.claim(&format!("{name}Call")),
            bind: scope.claim(&format!("Bind{name}")),
            handler: scope.claim(&format!("{name}Handler")),
        };
        made.tools.insert(tool.name.clone(), named);
    }
    made
}

/// What all packages are called, by their names.
pub(super) fn packages(packages: &[Package]) -> BTreeMap<String, GoPackage> {
    let mut taken = BTreeSet::new();
    let mut folders = BTreeMap::new();
    // What needs no change has the first claim.
    let (changed, plain): (Vec<&Package>, Vec<&Package>) = packages.iter().partition(|package| folder(&package.name) != package.name);
    for package in plain.into_iter().chain(changed) {
        let mut name = folder(&package.name);
        while !taken.insert(name.clone()) {
            name.push('x');
        }
        folders.insert(package.name.clone(), name);
    }
    let named = |package: &Package| {
        let folder = folders.get(&package.name).cloned().unwrap_or_default();
        (package.name.clone(), package_names(package, folder))
    };
    packages.iter().map(named).collect()
}

/// The name of a package as Go likes it: without `_`.
pub(super) fn folder(name: &str) -> String {
    let plain = name.replace('_', "");
    match NO_PACKAGE.binary_search(&plain.as_str()) {
        Ok(_) => format!("{plain}pkg"),
        Err(_) if plain.is_empty() => "unnamed".to_owned(),
        Err(_) => plain,
    }
}

fn alias(folder: &str) -> String {
    if NO_ALIAS.binary_search(&folder).is_ok() { format!("{folder}pkg") } else { folder.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_can_be_looked_up() {
        assert!(NO_PACKAGE.is_sorted());
        assert!(NO_ALIAS.is_sorted());
    }

    #[test]
    fn what_cannot_be_a_name_becomes_one() {
        let names = ["UserID", "fetch", "1st", "", "_x", "größe", "ß", "日本", "a-b"].map(identifier);
        assert_eq!(names, ["UserID", "Fetch", "X1st", "Unnamed", "X_x", "Größe", "Xß", "U65E5U672C", "AU2Db"]);
        assert_eq!(
            ["user_flows", "go", "weaveruntime", "shop", "___"].map(folder),
            ["userflows", "gopkg", "weaveruntimepkg", "shop", "unnamed"]
        );
        assert_eq!(["shop", "context", "weave"].map(alias), ["shop", "contextpkg", "weavepkg"]);
    }
}

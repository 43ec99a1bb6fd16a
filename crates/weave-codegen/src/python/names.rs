//! Names that Python takes.

use std::collections::BTreeSet;

use weave_ir::package::{Field, Names, Package, Record, Variant};

use crate::program::PackageNames;
use crate::scope::Scope;

/// Words that name nothing, and what generated modules use by these names; in order.
const RESERVED: &[&str] = &[
    "Annotated",
    "False",
    "Literal",
    "None",
    "StrEnum",
    "TYPE_CHECKING",
    "True",
    "TypeAlias",
    "and",
    "annotations",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "bytes",
    "class",
    "cls",
    "continue",
    "def",
    "del",
    "dict",
    "elif",
    "else",
    "except",
    "finally",
    "float",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "int",
    "is",
    "lambda",
    "list",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "self",
    "str",
    "try",
    "while",
    "with",
    "yield",
];

/// What modules other than `types.py` use by these names.
const OF_MODULES: [&str; 9] = ["Awaitable", "Callable", "Never", "Protocol", "TypedDict", "dataclass", "object", "overrides", "service"];

/// What every model has by these names; in order.
const OF_MODELS: &[&str] = &[
    "construct",
    "copy",
    "dict",
    "from_orm",
    "json",
    "model_computed_fields",
    "model_config",
    "model_construct",
    "model_copy",
    "model_dump",
    "model_dump_json",
    "model_extra",
    "model_fields",
    "model_fields_set",
    "model_json_schema",
    "model_parametrized_name",
    "model_post_init",
    "model_rebuild",
    "model_validate",
    "model_validate_json",
    "model_validate_strings",
    "mro",
    "parse_file",
    "parse_obj",
    "parse_raw",
    "register",
    "schema",
    "schema_json",
    "update_forward_refs",
    "validate",
];

/// What texts have by names that values of an enum could have; in order.
const OF_ENUMS: &[&str] = &[
    "capitalize",
    "casefold",
    "center",
    "count",
    "encode",
    "endswith",
    "expandtabs",
    "find",
    "format",
    "format_map",
    "index",
    "isalnum",
    "isalpha",
    "isascii",
    "isdecimal",
    "isdigit",
    "isidentifier",
    "islower",
    "isnumeric",
    "isprintable",
    "isspace",
    "istitle",
    "isupper",
    "join",
    "ljust",
    "lower",
    "lstrip",
    "maketrans",
    "mro",
    "name",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rfind",
    "rindex",
    "rjust",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "swapcase",
    "title",
    "translate",
    "upper",
    "value",
    "zfill",
];

/// A name that stands on its own, made of what something is called. Names with `_` before them are ours.
pub(super) fn identifier(name: &str) -> String {
    let name = name.trim_start_matches('_');
    let name = if name.is_empty() { "unnamed" } else { name };
    match (name.starts_with(|first: char| first.is_ascii_digit()), RESERVED.binary_search(&name).is_ok()) {
        (true, _) => format!("n{name}"),
        (_, true) => format!("{name}_"),
        _ => name.to_owned(),
    }
}

fn beside(name: &str, others: &[&str]) -> String {
    let name = identifier(name);
    if others.binary_search(&name.as_str()).is_ok() { format!("{name}_") } else { name }
}

/// The names of one place.
pub(super) fn scope() -> Scope {
    Scope::new(identifier)
}

/// The names of a module other than `types.py`.
pub(super) fn module() -> Scope {
    let mut scope = scope();
    for name in OF_MODULES {
        scope.claim(name);
    }
    scope
}

/// The names of the values of an enum.
pub(super) fn values() -> Scope {
    Scope::new(|name| beside(name, OF_ENUMS))
}

/// The names of the fields of a record, in their order. None is that of the tag, the name in JSON of another one, or one that is taken.
pub(super) fn fields(record: &Record, tag: Option<&str>, taken: &BTreeSet<&str>) -> Vec<String> {
    let wires: BTreeSet<&str> = record.fields.iter().map(|field| field.wire.as_str()).collect();
    let mut scope = Scope::new(attribute);
    if let Some(tag) = tag {
        scope.claim(tag);
    }
    let mut name = |field: &Field| {
        let mut found = scope.claim(&field.names.python);
        while found != field.wire && wires.contains(found.as_str()) || taken.contains(found.as_str()) {
            found = scope.claim(&format!("{found}_"));
        }
        found
    };
    let mut named: Vec<(usize, &Field)> = record.fields.iter().enumerate().collect();
    // What can be called as it is has the first claim.
    named.sort_by_key(|(_, field)| attribute(&field.names.python) != field.names.python);
    let mut named: Vec<(usize, String)> = named.into_iter().map(|(index, field)| (index, name(field))).collect();
    named.sort_by_key(|(index, _)| *index);
    named.into_iter().map(|(_, name)| name).collect()
}

/// The name of a tag: that of no field in JSON.
pub(super) fn tag(names: &Names, wire: &str, variants: &[Variant], taken: &BTreeSet<&str>) -> String {
    let wires: BTreeSet<&str> = variants.iter().flat_map(|it| &it.record.fields).map(|field| field.wire.as_str()).collect();
    let mut found = attribute(&names.python);
    while found != wire && wires.contains(found.as_str()) || taken.contains(found.as_str()) {
        found.push('_');
    }
    found
}

/// The name of an attribute of a model.
fn attribute(name: &str) -> String {
    beside(name, OF_MODELS)
}

/// The folder of a package.
pub(super) fn folder(package: &str) -> String {
    identifier(package)
}

/// What the declarations of a package are called.
pub(super) fn names(package: &Package) -> PackageNames {
    // Classes and aliases begin with a capital.
    let names = PackageNames::of_types(package, &mut scope(), |names, _| match names.python.trim_matches('_') {
        "" => "Unnamed",
        _ => &names.python,
    });
    names.with_tools(package, &mut module(), |names| &names.python)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_can_be_looked_up() {
        assert!(RESERVED.is_sorted() && OF_MODELS.is_sorted() && OF_ENUMS.is_sorted());
    }

    #[test]
    fn what_cannot_be_a_name_becomes_one() {
        assert_eq!(["class", "1st", "", "__x", "find"].map(identifier), ["class_", "n1st", "unnamed", "x", "find"]);
    }

    #[test]
    fn no_field_is_called_like_another_one_in_json() {
        let field = |name: &str, wire: &str| Field {
            wire: wire.to_owned(),
            names: Names { python: name.to_owned(), ..Names::default() },
            about: Default::default(),
            ty: weave_ir::package::TypeUse::Json,
            optional: false,
            default: None,
            secret: false,
        };
        let record = Record {
            fields: vec![field("b", "a"), field("a", "b"), field("json", "json"), field("", "_"), field("Order", "o")],
            open: false,
        };
        assert_eq!(fields(&record, None, &BTreeSet::from(["Order"])), ["b_", "a_", "json_", "unnamed", "Order_"]);
    }
}

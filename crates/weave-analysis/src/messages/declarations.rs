//! What is said about declarations.

use weave_diagnostics::{Applicability, Diagnostic, Place};

use crate::codes::declarations as codes;
use crate::declare::NAMES;
use crate::model::{Declaration, DeclarationId, DeclarationKind, Model};
use crate::types::PatternProblem;

/// "did you mean `x`?" as help, with the fix.
pub(super) fn suggest(diagnostic: Diagnostic, place: Place, similar: Option<&str>) -> Diagnostic {
    match similar {
        Some(similar) => diagnostic.help(format!("did you mean `{similar}`?")).replace(
            Applicability::Unsafe,
            format!("replace it with `{similar}`"),
            place,
            similar,
        ),
        None => diagnostic,
    }
}

/// `a`, `b` and `c`.
pub(super) fn listed<'a>(words: impl IntoIterator<Item = &'a str>, joint: &str) -> String {
    let words = words.into_iter().map(|word| format!("`{word}`")).collect::<Vec<_>>();
    match words.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, before)) => format!("{} {joint} {last}", before.join(", ")),
    }
}

pub(crate) fn reserved_key(place: Place, key: &str) -> Diagnostic {
    Diagnostic::new(&codes::RESERVED_KEY, place, format!("a default cannot have the key `{key}`"))
        .label("generated code rejects this key")
        .help("rename the key, or remove the default")
}

// ---- Names -------------------------------------------------------------------------------------------------------------

pub(crate) fn duplicate_declaration(name: &str, kind: &DeclarationKind, place: Place, first: &Declaration) -> Diagnostic {
    let what = if matches!(kind, DeclarationKind::Event(_)) { "topic" } else { "name" };
    Diagnostic::new(&codes::DUPLICATE_DECLARATION, place, format!("the {what} `{name}` is declared twice"))
        .label("duplicate")
        .also(first.place, format!("{} with this name", first.kind.noun()))
        .help("rename one of them")
}

pub(crate) fn builtin_topic(name: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::RESERVED_NAME, place, format!("the topic `{name}` is built in"))
        .label("cannot be declared again")
        .help("choose another topic; the built-in one needs no declaration")
}

pub(crate) fn builtin_import(name: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::RESERVED_NAME, place, format!("the topic `{name}` is built in"))
        .label("needs no import")
        .help("remove it from the import; the built-in topic needs no import")
}

pub(crate) fn builtin_type_name(name: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::RESERVED_NAME, place, format!("`{name}` is a built-in type"))
        .label("cannot be declared again")
        .help("choose another name")
}

pub(crate) fn literal_as_name(name: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::RESERVED_NAME, place, format!("`{name}` is a value and cannot name a declaration"))
        .label("a literal")
        .help("choose another name")
}

pub(crate) fn builtin_failure_name(name: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::RESERVED_NAME, place, format!("`{name}` is a built-in failure kind"))
        .label("cannot be declared as an error")
        .help(format!("choose another name, or write `{name}` in `fails` without declaring it"))
}

pub(crate) fn unknown_type(name: &str, place: Place, similar: Option<&str>) -> Diagnostic {
    let unknown = Diagnostic::new(&codes::UNKNOWN_NAME, place, format!("there is no type `{name}`")).label("not declared or imported");
    if let Some(own) = foreign_scalar(name) {
        let unknown = match name {
            "number" | "Number" => {
                unknown.help("use `int` for whole numbers, `decimal` for exact ones such as amounts of money, and `float` for all others")
            }
            "Date" | "datetime" | "DateTime" => unknown.help("use `timestamp` for a point in time and `date` for a day"),
            _ => unknown.help(format!("did you mean `{own}`?")),
        };
        return unknown.replace(Applicability::Unsafe, format!("write `{own}`"), place, own);
    }
    let unknown = match (similar, foreign_type(name)) {
        (None, Some(help)) => unknown.help(help),
        (None, None) => unknown.help(format!("declare it with `type {name} {{ … }}`, or import it")),
        _ => unknown,
    };
    suggest(unknown, place, similar)
}

/// Whether other languages have a built-in type of this name, or this one has it in another form.
#[must_use]
pub fn is_type_elsewhere(name: &str) -> bool {
    name == "map" || foreign_type(name).is_some()
}

/// What a scalar of other languages is called here, where the words are not alike.
fn foreign_scalar(name: &str) -> Option<&'static str> {
    Some(match name {
        "number" | "Number" | "double" | "Double" | "real" => "float",
        "Date" | "datetime" | "DateTime" | "instant" | "Instant" | "Timestamp" => "timestamp",
        "any" | "Any" | "object" | "Object" | "unknown" | "dynamic" => "json",
        "varchar" | "char" | "text" | "Text" | "str" | "String" => "string",
        "boolean" | "Boolean" | "Bool" => "bool",
        "money" | "currency" | "numeric" | "BigDecimal" => "decimal",
        "long" | "Long" | "bigint" | "BigInt" => "int64",
        _ => return None,
    })
}

/// How to say what other languages have a type for, and this one has not.
fn foreign_type(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "list" | "array" | "set" | "vec" | "sequence" | "tuple" => "the type of a list of T is `T[]`",
        "dict" | "record" | "hashmap" | "mapping" => "`map<T>` maps strings to T",
        "optional" | "option" | "maybe" | "undefined" | "nullable" => "an optional field is written `name?: T`, a nullable one `T | null`",
        "none" | "nil" => "the empty value is `null`; an optional field is written `name?: T`",
        "void" | "unit" | "never" => "to return nothing, leave out `-> T`",
        "time" => "use `timestamp` for a point in time, `date` for a day, `duration` for a length of time",
        "function" | "func" | "fn" | "callable" => "functions are not values; declare a tool for something that can be called",
        "struct" | "class" | "interface" | "message" => "write a record inline, `{ a: int }`, or declare it with `type`",
        _ => return None,
    })
}

/// A name that refers to nothing; `expected` says what should be there, with its article: "a prompt".
pub(crate) fn unknown_name(name: &str, expected: &str, place: Place, similar: Option<&str>) -> Diagnostic {
    let noun = expected.split_once(' ').map_or(expected, |(_, noun)| noun);
    let unknown = Diagnostic::new(&codes::UNKNOWN_NAME, place, format!("there is no {noun} `{name}`")).label("not declared or imported");
    let unknown = if similar.is_none() { unknown.help("declare it, or import it from the file that does") } else { unknown };
    suggest(unknown, place, similar)
}

pub(crate) fn unknown_topic(name: &str, place: Place, similar: Option<&str>) -> Diagnostic {
    let unknown = Diagnostic::new(&codes::UNKNOWN_TOPIC, place, format!("there is no topic `{name}`")).label("not declared or imported");
    // Steps of other systems have events of their own.
    let step = name.split_once('.').filter(|_| similar.is_none());
    let unknown = match step {
        Some((step, last)) if weave_syntax::is_failure_word(last) => {
            unknown.help(format!("if `{step}` is a step, its failure is `failure({step})`; else declare the topic with `event {name} {{ … }}`, or import it"))
        }
        Some((step, last)) if weave_syntax::is_success_word(last) => {
            unknown.help(format!("if `{step}` is a step, `on {step}` fires when it has answered; else declare the topic with `event {name} {{ … }}`, or import it"))
        }
        _ if similar.is_none() => unknown.help(format!("declare it with `event {name} {{ … }}`, or import it")),
        _ => unknown,
    };
    suggest(unknown, place, similar)
}

pub(crate) fn not_a_type(name: &str, place: Place, found: &Declaration) -> Diagnostic {
    wrong_kind(name, "a type", place, found).note("a type is a `type`, `enum`, `union` or `error`, or a built-in")
}

/// A name that refers to something of another kind.
pub(crate) fn wrong_kind(name: &str, expected: &str, place: Place, found: &Declaration) -> Diagnostic {
    let noun = found.kind.noun();
    Diagnostic::new(&codes::WRONG_KIND, place, format!("`{name}` is {noun}, not {expected}"))
        .label(format!("expected {expected}"))
        .also(found.place, format!("{noun} with this name"))
}

// ---- Imports -----------------------------------------------------------------------------------------------------------

pub(crate) fn unknown_import(name: &str, place: Place, similar: Option<&str>) -> Diagnostic {
    let unknown =
        Diagnostic::new(&codes::UNKNOWN_IMPORT, place, format!("the imported file does not declare `{name}`")).label("not declared there");
    suggest(unknown, place, similar)
}

pub(crate) fn indirect_import(name: &str, place: Place, path: &str, at: Place) -> Diagnostic {
    Diagnostic::new(&codes::INDIRECT_IMPORT, place, format!("the imported file only imports `{name}`"))
        .label("not declared there")
        .also(at, "imported here, not declared")
        .help(format!("import it from the file that declares it, which that file calls {path}"))
}

pub(crate) fn self_import(place: Place) -> Diagnostic {
    Diagnostic::new(&codes::SELF_IMPORT, place, "a file imports itself")
        .label("the same file")
        .help("remove the import; a declaration can be used everywhere in its file")
}

pub(crate) fn topic_alias(name: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::TOPIC_ALIAS, place, format!("a topic cannot be renamed: `{name}`"))
        .label("only names without dots can be renamed")
        .help("import it without `as`")
}

/// An import binds a name that is taken: by a declaration of the file, or by another import. `original` is the name in the other file.
pub(crate) fn import_name_taken(name: &str, original: &str, place: Place, first: &Declaration) -> Diagnostic {
    let diagnostic = Diagnostic::new(&codes::DUPLICATE_DECLARATION, place, format!("the name `{name}` of this import is already in use"))
        .label(format!("`{name}` is already declared"));
    let noun = first.kind.noun();
    let here = first.place.file == place.file;
    let diagnostic =
        diagnostic.also(first.place, if here { format!("{noun} of this file") } else { format!("{noun} that is already imported") });
    match first.kind {
        DeclarationKind::Event(_) => diagnostic.help("declare or import each topic once"),
        _ => diagnostic.help(format!("import it under another name: `{original} as other_name`")),
    }
}

// ---- Types -------------------------------------------------------------------------------------------------------------

pub(crate) fn map_without_type(place: Place) -> Diagnostic {
    Diagnostic::new(&codes::UNKNOWN_NAME, place, "`map` lacks the type of its values")
        .label("no value type")
        .help("write `map<string>`; the keys are always strings")
}

pub(crate) fn duplicate_alternative(alternative: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::DUPLICATE_ALTERNATIVE, place, format!("the alternative `{alternative}` is repeated"))
        .label("duplicate")
        .help("remove it, or write the alternative that was meant")
}

pub(crate) fn duplicate_wire_name(wire: &str, place: Place, first: Place) -> Diagnostic {
    Diagnostic::new(&codes::DUPLICATE_WIRE_NAME, place, format!("two fields have the JSON name `{wire}`"))
        .label("has this JSON name")
        .also(first, "and so does this one")
        .help("rename one of them with `@wire(\"…\")`")
}

pub(crate) fn no_constraints(name: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::CONSTRAINT_NOT_ALLOWED, place, format!("`{name}` takes no constraints"))
        .label("has no effect here")
        .help("remove the parentheses, or constrain a scalar, a list or a map")
}

pub(crate) fn unknown_constraint(name: &str, place: Place, what: &str, allowed: &[&str], similar: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(&codes::CONSTRAINT_NOT_ALLOWED, place, format!("{what} has no constraint `{name}`"))
        .label(format!("expected {}", listed(allowed.iter().copied(), "or")));
    suggest(diagnostic, place, similar)
}

pub(crate) fn bound_value(name: &str, what: &str, place: Place, expected: &str) -> Diagnostic {
    Diagnostic::new(&codes::CONSTRAINT_VALUE, place, format!("`{name}` of {what} has an invalid value"))
        .label(format!("expected {expected}"))
}

pub(crate) fn empty_range(place: Place, min: &str, max: &str) -> Diagnostic {
    Diagnostic::new(&codes::CONSTRAINT_VALUE, place, format!("no value is both at least {min} and at most {max}"))
        .label("the minimum exceeds the maximum")
        .help("swap the two")
}

pub(crate) fn invalid_pattern(place: Place, problem: &PatternProblem) -> Diagnostic {
    Diagnostic::new(&codes::INVALID_PATTERN, place, "the pattern is not portable").label(problem.reason.clone()).help(
        "use only what every regular expression engine interprets alike: literals, classes, `\\d \\w \\s \\b`, `^ $`, groups, `|`, and repetitions",
    )
}

pub(crate) fn exponential_pattern(place: Place, problem: &PatternProblem) -> Diagnostic {
    Diagnostic::new(&codes::INVALID_PATTERN, place, "the pattern can take a time that is exponential in the length of the text")
        .label(problem.reason.clone())
        .help("let each round begin or end with a character that nothing else in it takes, as in `^\\w+(\\s\\w+)*$` in place of `^(\\w+\\s?)*$`")
}

/// A type that needs itself: from `first` over each step (the type that is needed, and where) back to it.
pub(crate) fn infinite_type(model: &Model, first: DeclarationId, steps: &[(DeclarationId, Option<Place>)]) -> Option<Diagnostic> {
    let declaration = model.get(first)?;
    let name = |id: DeclarationId| model.get(id).map_or("?", |declaration| &*declaration.name);
    let at = steps.first().and_then(|(_, at)| *at).unwrap_or(declaration.place);
    let mut diagnostic = Diagnostic::new(&codes::INFINITE_TYPE, at, format!("no finite value of `{}` exists", declaration.name));
    diagnostic = diagnostic.label(match steps {
        [(only, _)] => format!("needs another `{}`, and so on", name(*only)),
        [(next, _), ..] => format!("needs `{}`", name(*next)),
        [] => String::new(),
    });
    for (next, place) in steps.iter().skip(1) {
        if let Some(place) = place {
            diagnostic = diagnostic.also(*place, format!("needs `{}`", name(*next)));
        }
    }
    Some(diagnostic.help("make one of these fields optional (`name?: T`), nullable (`T | null`), or a list"))
}

/// How many names a message lists before it says how many others there are.
const MOST_NAMES: usize = 12;

pub(crate) fn alias_cycle(model: &Model, cycle: &[DeclarationId]) -> Option<Diagnostic> {
    let mut declarations = cycle.iter().filter_map(|id| model.get(*id));
    let first = declarations.next()?;
    let mut diagnostic = Diagnostic::new(&codes::ALIAS_CYCLE, first.place, format!("the alias `{}` refers to itself", first.name));
    let named = |ids: &[DeclarationId]| ids.iter().filter_map(|id| model.get(*id)).map(|it| format!("`{}`", it.name)).collect::<Vec<_>>();
    // Of a long cycle nobody reads more than how it begins and how it ends.
    let mut names = named(cycle.get(1..cycle.len().min(MOST_NAMES)).unwrap_or_default());
    if cycle.len() > MOST_NAMES {
        names.push(format!("{} others", cycle.len() - MOST_NAMES));
    }
    names.extend(named(cycle.get(..1)?));
    diagnostic = diagnostic.label(format!("refers to {}", names.join(", which refers to ")));
    for other in declarations {
        diagnostic = diagnostic.also(other.place, "part of the cycle");
    }
    Some(diagnostic.help("make one of them a type of its own"))
}

pub(crate) fn variant_is_no_record(ty: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::VARIANT_TYPE, place, format!("a variant of a union must be a record, not `{ty}`"))
        .label("cannot carry the tag")
        .help(format!("wrap it in a record, such as `{{ value: {ty} }}`, or write alternatives with `|`"))
}

pub(crate) fn variant_has_tag(tag: &str, place: Place, field: Place) -> Diagnostic {
    Diagnostic::new(&codes::VARIANT_TYPE, place, format!("a variant has a field `{tag}`, which is the tag of the union"))
        .label("has the tag as a field")
        .also(field, "this field")
        .help("remove the field, or choose another tag with `union Name by tag { … }`")
}

pub(crate) fn error_alias(name: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::ERROR_DATA, place, format!("the data of the error `{name}` is not written as fields"))
        .label("expected fields in braces")
        .help(format!("write `error {name} {{ … }}`"))
}

pub(crate) fn too_many_lists(place: Place, most: usize) -> Diagnostic {
    Diagnostic::new(&codes::TOO_MANY_LISTS, place, format!("lists nest deeper than {most} levels")).label("too deep").help("use fewer `[]`")
}

// ---- Attributes --------------------------------------------------------------------------------------------------------

/// How an attribute is written.
fn attribute_form(name: &str) -> &'static str {
    match name {
        "deprecated" => "`@deprecated(\"what to use instead\")`",
        "secret" => "`@secret`",
        "wire" => "`@wire(\"nameInJson\")`",
        "category" => {
            "one of `invalid`, `unauthenticated`, `denied`, `not_found`, `conflict`, `rate_limit`, `unavailable`, `timeout` and `internal`, such as `@category(not_found)`"
        }
        "status" => "an HTTP status from 400 to 599, such as `@status(404)`",
        "go" => "a Go name that starts with a capital letter, such as `@go(name: \"FetchOrder\")`",
        "python" => "a Python name, such as `@python(name: \"fetch_order\")`",
        "ts" => "a TypeScript name, such as `@ts(name: \"fetchOrder\")`",
        _ => "`@allow(rule-name, \"reason\")` or `@allow(rule-name, \"reason\", until: \"2027-06-30\")`",
    }
}

/// All attributes: "`@a`, `@b` and `@c`".
fn attribute_names() -> String {
    let names = NAMES.map(|name| format!("@{name}"));
    listed(names.iter().map(String::as_str), "and")
}

pub(crate) fn unknown_attribute(name: &str, place: Place, similar: Option<&str>, whole: Place) -> Diagnostic {
    if matches!(
        name,
        "tool" | "agent" | "workflow" | "task" | "step" | "activity" | "node" | "flow" | "function" | "prompt" | "event" | "dataclass"
    ) {
        return Diagnostic::new(&codes::UNKNOWN_ATTRIBUTE, place, format!("there is no attribute `@{name}`"))
            .label("not an attribute")
            .help("the keyword alone says what is declared")
            .replace(Applicability::Unsafe, format!("remove `@{name}`"), whole, "");
    }
    let diagnostic =
        Diagnostic::new(&codes::UNKNOWN_ATTRIBUTE, place, format!("there is no attribute `@{name}`")).label("not an attribute");
    let diagnostic = if similar.is_none() { diagnostic.help(format!("the attributes are {}", attribute_names())) } else { diagnostic };
    match similar {
        Some(similar) => diagnostic.help(format!("did you mean `@{similar}`?")).replace(
            Applicability::Unsafe,
            format!("replace it with `@{similar}`"),
            place,
            similar,
        ),
        None => diagnostic,
    }
}

pub(crate) fn misplaced_attribute(name: &str, place: Place) -> Diagnostic {
    let belongs = match name {
        "deprecated" | "go" | "python" | "ts" => "declarations, fields and the values of enums and unions",
        "category" | "status" => "errors",
        _ => "fields and parameters",
    };
    Diagnostic::new(&codes::MISPLACED_ATTRIBUTE, place, format!("`@{name}` has no effect here")).label(format!("belongs to {belongs}"))
}

pub(crate) fn attribute_arguments(name: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::ATTRIBUTE_ARGUMENTS, place, format!("`@{name}` has wrong arguments"))
        .label(format!("expected {}", attribute_form(name)))
}

pub(crate) fn duplicate_attribute(name: &str, place: Place, first: Place) -> Diagnostic {
    Diagnostic::new(&codes::DUPLICATE_ATTRIBUTE, place, format!("`@{name}` is repeated"))
        .label("repeated here")
        .also(first, "first here")
        .help("remove one of them")
}

// ---- Prompts and agents ------------------------------------------------------------------------------------------------

pub(crate) fn hydrated_parameter(name: &str, place: Place, parameter: Place) -> Diagnostic {
    Diagnostic::new(&codes::HYDRATED_PARAMETER, place, format!("`{name}` is both a parameter and a hydrated value"))
        .label("hydrated value")
        .also(parameter, "parameter")
        .help("rename one of them")
}

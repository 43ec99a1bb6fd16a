//! Lists of entries, types, imports, topics, settings.

use weave_diagnostics::{Applicability, Span};

use super::quoted;
use crate::codes_validate as codes;
use crate::{SyntaxError, SyntaxFix};

pub(crate) fn missing_comma(at: u32) -> SyntaxError {
    SyntaxError::new(&codes::MISSING_COMMA, Span::at(at), "entries on one line need a comma between them")
        .label("a comma is missing here")
        .help("add a comma between them, or start the next entry on a new line")
        .replace(Applicability::Safe, "insert `,`", Span::at(at), ",")
}

/// `int min: 1`: a constraint `word: value` at `span`, behind a type that ends at `at`.
pub(crate) fn bare_constraints(ty: &str, word: &str, span: Span, value: &str, at: u32) -> SyntaxError {
    let written = format!("({word}: {value})");
    let bare = SyntaxError::new(&codes::MISSING_COMMA, span, "constraints go in parentheses after the type")
        .label("write it neither without parentheses nor as a separate field");
    let bare = if ty.len() < 40 { bare.help(format!("write `{ty}{written}`")) } else { bare };
    bare.replace(Applicability::Unsafe, "put it in parentheses", Span::new(at, span.end), written)
}

fn twice(code: &'static weave_diagnostics::Code, what: &str, word: &str, span: Span, earlier: Span) -> SyntaxError {
    SyntaxError::new(code, span, format!("{what} {} is repeated", quoted(word))).label("repeated here").also(earlier, "first here")
}

pub(crate) fn duplicate_key(word: &str, span: Span, earlier: Span) -> SyntaxError {
    twice(&codes::DUPLICATE_KEY, "the key", word, span, earlier).help("remove one of the entries, or rename it")
}

pub(crate) fn duplicate_field(what: &str, word: &str, span: Span, earlier: Span) -> SyntaxError {
    twice(&codes::DUPLICATE_FIELD, &format!("the {what}"), word, span, earlier).help("remove one of them, or rename it")
}

pub(crate) fn duplicate_variant(word: &str, span: Span, earlier: Span) -> SyntaxError {
    twice(&codes::DUPLICATE_VARIANT, "the variant", word, span, earlier).help("remove one of them, or rename it")
}

pub(crate) fn duplicate_enum_value(word: &str, span: Span, earlier: Span) -> SyntaxError {
    twice(&codes::DUPLICATE_ENUM_VALUE, "the value", word, span, earlier).help("remove one of them, or rename it")
}

pub(crate) fn duplicate_wire(word: &str, span: Span, earlier: Span) -> SyntaxError {
    SyntaxError::new(&codes::DUPLICATE_ENUM_VALUE, span, format!("two values of this enum have the JSON string `\"{word}\"`"))
        .label("same string")
        .also(earlier, "first value with this string")
        .help("give one of them another string; without `=`, the name is the string")
}

pub(crate) fn duplicate_entry(word: &str, span: Span, earlier: Span) -> SyntaxError {
    SyntaxError::new(&codes::DUPLICATE_ENTRY, span, format!("{} is listed twice", quoted(word)))
        .label("listed again")
        .also(earlier, "first here")
        .help("remove one of them")
}

pub(crate) fn duplicate_constraint(name: &str, span: Span, earlier: Span) -> SyntaxError {
    twice(&codes::DUPLICATE_CONSTRAINT, "the constraint", name, span, earlier).help("remove one of them")
}

// ---- Types -------------------------------------------------------------------------------------------------------------

/// `insertion` is where the question mark of a field belongs, if it has none and no default.
pub(crate) fn optional_field(question: Span, name: &str, insertion: Option<Span>) -> SyntaxError {
    let error = SyntaxError::new(&codes::OPTIONAL_TYPE, question, "the question mark of an optional field goes after its name")
        .label("not after the type");
    match insertion {
        Some(insertion) => {
            error.help(format!("write `{name}?: T` for an optional field, and `{name}: T | null` for a nullable one")).fix(SyntaxFix {
                message: "put the question mark after the name".to_owned(),
                edits: vec![(insertion, "?".to_owned()), (question, String::new())],
                applicability: Applicability::Safe,
            })
        }
        None => {
            error.help("remove it: the field is already optional").replace(Applicability::Safe, "remove the question mark", question, "")
        }
    }
}

pub(crate) fn optional_type(question: Span, outermost: bool) -> SyntaxError {
    let error = SyntaxError::new(&codes::OPTIONAL_TYPE, question, "a type has no question mark")
        .label("has no meaning here")
        .help("a nullable value has the type `T | null`; an optional field is written `name?: T`");
    if outermost { error.replace(Applicability::Unsafe, "write `| null`", question, " | null") } else { error }
}

pub(crate) fn optional_with_default(question: Span, default: Span) -> SyntaxError {
    SyntaxError::new(&codes::OPTIONAL_WITH_DEFAULT, question, "a field with a default needs no question mark")
        .label("makes the field optional")
        .also(default, "never absent, because of the default")
        .help("remove the question mark, or the default")
        .replace(Applicability::Safe, "remove the question mark", question, "")
}

pub(crate) fn bare_constraint(span: Span, raw: &str) -> SyntaxError {
    if raw.starts_with('"') {
        return SyntaxError::new(&codes::BARE_CONSTRAINT, span, "this constraint has no name")
            .label("a pattern?")
            .help(format!("write `pattern: {raw}` for a regular expression"))
            .replace(Applicability::Unsafe, "insert `pattern:`", Span::at(span.start), "pattern: ");
    }
    SyntaxError::new(&codes::BARE_CONSTRAINT, span, "this constraint is neither a minimum nor a maximum")
        .label("`min` or `max`?")
        .help(format!("write `max: {raw}` or `min: {raw}`"))
        .replace(Applicability::Unsafe, "insert `max:`", Span::at(span.start), "max: ")
        .replace(Applicability::Unsafe, "insert `min:`", Span::at(span.start), "min: ")
}

pub(crate) fn unknown_generic(whole: Span, name: Span, word: &str, meant: Option<String>) -> SyntaxError {
    let error =
        SyntaxError::new(&codes::UNKNOWN_GENERIC, name, format!("{} takes no type argument", quoted(word))).label("only `map` takes one");
    match meant {
        Some(meant) if !meant.contains('\n') => {
            error.help(format!("write `{meant}`")).replace(Applicability::Safe, format!("write `{meant}`"), whole, meant)
        }
        _ => error.help("a list of T is `T[]`, and `map<T>` maps strings to T"),
    }
}

/// `bare` is the name that stands there instead, if one does.
pub(crate) fn enum_value_not_a_string(span: Span, bare: Option<&str>, numbers: Vec<(Span, String)>) -> SyntaxError {
    let error =
        SyntaxError::new(&codes::ENUM_VALUE_NOT_A_STRING, span, "the JSON value of an enum value is a string").label("not a string");
    match bare {
        Some(name) => {
            error.help(format!("write `\"{name}\"`")).replace(Applicability::Safe, "put it in quotes", span, format!("\"{name}\""))
        }
        None if !numbers.is_empty() => error
            .help("an enum value is its name in JSON and needs no number; for numbers, declare `type Level = 1 | 2`")
            .fix(crate::SyntaxFix { message: "remove the numbers".to_owned(), edits: numbers, applicability: Applicability::Unsafe }),
        None => error.help("write a string, or make it a type of literals: `type Level = 1 | 2`"),
    }
}

pub(crate) fn empty_enum(span: Span, name: &str, what: &str, part: &str) -> SyntaxError {
    SyntaxError::new(&codes::EMPTY_ENUM, span, format!("the {what} {} has no {part}", quoted(name)))
        .label(format!("no {part}"))
        .help(format!("give it at least one {part}"))
}

pub(crate) fn not_a_literal(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::NOT_A_LITERAL, span, "only a literal is allowed here")
        .label("reads a value")
        .help("defaults, examples, constraints and the strings of enums consist of literals, lists and objects")
}

// ---- Imports, topics, settings -----------------------------------------------------------------------------------------

pub(crate) fn empty_import(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::EMPTY_IMPORT, span, "this import lists no names")
        .label("no names in the braces")
        .help("list the names, or remove the import")
        .replace(Applicability::Safe, "remove the import", span, "")
}

pub(crate) fn import_path(span: Span, path: &str) -> SyntaxError {
    let (message, label, help) = if path.contains('\\') {
        ("the path of an import uses `/` as its separator", "contains a backslash", "write `/` on every system")
    } else if !path.starts_with("./") && !path.starts_with("../") {
        (
            "the path of an import is relative to its file",
            "starts neither with `./` nor with `../`",
            "start it with `./` or `../`, as in `\"./shop.weave\"`",
        )
    } else {
        ("the path of an import ends in `.weave`", "not a `.weave` file", "name the file with its extension, as in `\"./shop.weave\"`")
    };
    let error = SyntaxError::new(&codes::IMPORT_PATH, span, message).label(label).help(help);
    match fixed_import(path) {
        Some(fixed) => error.replace(Applicability::Safe, format!("write `\"{fixed}\"`"), span, format!("\"{fixed}\"")),
        None => error,
    }
}

/// The path that was most likely meant.
fn fixed_import(path: &str) -> Option<String> {
    let mut fixed = path.replace('\\', "/");
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/');
    let file = fixed.rsplit('/').next().unwrap_or_default();
    if fixed.starts_with('/') || file.is_empty() || file.starts_with('.') || !fixed.bytes().all(plain) {
        return None;
    }
    if !file.contains('.') {
        fixed.push_str(".weave");
    } else if !file.ends_with(".weave") {
        return None;
    }
    Some(if fixed.starts_with("./") || fixed.starts_with("../") { fixed } else { format!("./{fixed}") })
}

pub(crate) fn no_topic(span: Span, word: &str) -> SyntaxError {
    let error =
        SyntaxError::new(&codes::BAD_TOPIC, span, format!("{} is not a topic", quoted(word))).label("a topic has at least two segments");
    as_topic(error.help("put a dot between two words, as in `order.placed`"), span, word)
}

/// The topic that a name of two words most likely means.
#[must_use]
pub fn topic_of(word: &str) -> Option<String> {
    let snake = snake_case(word);
    let (first, rest) = snake.split_once('_').filter(|(first, rest)| !first.is_empty() && !rest.is_empty())?;
    Some(format!("{first}.{rest}"))
}

/// With the topic that a name of two words most likely means: `approval.granted` for `approval_granted` and `approvalGranted`.
pub(crate) fn as_topic(error: SyntaxError, span: Span, word: &str) -> SyntaxError {
    match topic_of(word) {
        Some(topic) => error.replace(Applicability::Unsafe, format!("write `{topic}`"), span, topic),
        None => error,
    }
}

pub(crate) fn bad_topic(span: Span, word: &str) -> SyntaxError {
    let meant = word.split('.').map(snake_case).collect::<Vec<_>>().join(".");
    let error = SyntaxError::new(&codes::BAD_TOPIC, span, format!("{} is not a topic", quoted(word)))
        .label("each segment starts with a lowercase letter and has no capital letters");
    if meant.split('.').any(|segment| !segment.starts_with(|letter: char| letter.is_ascii_lowercase())) {
        return error.help("write lowercase words separated by dots, as in `order.placed`");
    }
    error.help(format!("write `{meant}`")).replace(Applicability::Unsafe, format!("write `{meant}`"), span, meant)
}

fn snake_case(segment: &str) -> String {
    let mut snake = String::with_capacity(segment.len() + 2);
    let mut after_lower = false;
    for character in segment.trim_start_matches('_').chars() {
        if character.is_ascii_uppercase() && after_lower {
            snake.push('_');
        }
        after_lower = character.is_ascii_lowercase() || character.is_ascii_digit();
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

pub(crate) fn blank_in_topic(span: Span, joined: Option<String>) -> SyntaxError {
    let error = SyntaxError::new(&codes::BLANK_IN_PATH, span, "a topic is written without spaces").label("contains a space");
    match joined {
        Some(joined) => error.help(format!("write `{joined}`")).replace(Applicability::Safe, format!("write `{joined}`"), span, joined),
        None => error,
    }
}

/// `colon` covers the colon and the blanks around it, if there is nothing else.
pub(crate) fn setting_with_colon(span: Span, name: &str, colon: Option<Span>) -> SyntaxError {
    let error = SyntaxError::new(&codes::SETTING_WITH_COLON, span, format!("the setting {} takes no colon", quoted(name)))
        .label("a setting is a name and a value")
        .help(format!("inside braces a colon means data; write `{name} value`"));
    match colon {
        Some(colon) => error.replace(Applicability::Safe, "remove the colon", colon, " "),
        None => error,
    }
}

pub(crate) fn data_without_colon(span: Span, name: &str, end: u32) -> SyntaxError {
    SyntaxError::new(&codes::DATA_WITHOUT_COLON, span, format!("a colon is missing after {}", quoted(name)))
        .label("an entry consists of a key, a colon and a value")
        .help(format!("write `{name}: value`"))
        .replace(Applicability::Safe, "insert `:`", Span::at(end), ":")
}

//! Lists of entries, types, imports, topics, settings.

use weave_diagnostics::{Applicability, Span};

use super::quoted;
use crate::codes_validate as codes;
use crate::{SyntaxError, SyntaxFix};

pub(crate) fn missing_comma(at: u32) -> SyntaxError {
    SyntaxError::new(&codes::MISSING_COMMA, Span::at(at), "entries on one line need a comma between them")
        .label("a comma is missing here")
        .help("put a comma between them, or the next entry on a line of its own")
        .replace(Applicability::Safe, "insert `,`", Span::at(at), ",")
}

/// `int min: 1`: a constraint `word: value` at `span`, behind a type that ends at `at`.
pub(crate) fn bare_constraints(ty: &str, word: &str, span: Span, value: &str, at: u32) -> SyntaxError {
    let written = format!("({word}: {value})");
    let bare = SyntaxError::new(&codes::MISSING_COMMA, span, "constraints stand in parentheses behind the type")
        .label("neither in parentheses nor, behind a comma, a field of its own");
    let bare = if ty.len() < 40 { bare.help(format!("write `{ty}{written}`")) } else { bare };
    bare.replace(Applicability::Unsafe, "put it in parentheses", Span::new(at, span.end), written)
}

fn twice(code: &'static weave_diagnostics::Code, what: &str, word: &str, span: Span, earlier: Span) -> SyntaxError {
    SyntaxError::new(code, span, format!("{what} {} is given twice", quoted(word))).label("given again").also(earlier, "given here first")
}

pub(crate) fn duplicate_key(word: &str, span: Span, earlier: Span) -> SyntaxError {
    twice(&codes::DUPLICATE_KEY, "the key", word, span, earlier).help("remove one of the two entries, or rename it")
}

pub(crate) fn duplicate_field(what: &str, word: &str, span: Span, earlier: Span) -> SyntaxError {
    twice(&codes::DUPLICATE_FIELD, &format!("the {what}"), word, span, earlier).help("remove one of the two, or rename it")
}

pub(crate) fn duplicate_variant(word: &str, span: Span, earlier: Span) -> SyntaxError {
    twice(&codes::DUPLICATE_VARIANT, "the variant", word, span, earlier).help("remove one of the two, or rename it")
}

pub(crate) fn duplicate_enum_value(word: &str, span: Span, earlier: Span) -> SyntaxError {
    twice(&codes::DUPLICATE_ENUM_VALUE, "the value", word, span, earlier).help("remove one of the two, or rename it")
}

pub(crate) fn duplicate_wire(word: &str, span: Span, earlier: Span) -> SyntaxError {
    SyntaxError::new(&codes::DUPLICATE_ENUM_VALUE, span, format!("two values of this enum are `\"{word}\"` on the wire"))
        .label("the same string again")
        .also(earlier, "the first one")
        .help("give one of them another string; without `=` the name is the string")
}

pub(crate) fn duplicate_entry(word: &str, span: Span, earlier: Span) -> SyntaxError {
    SyntaxError::new(&codes::DUPLICATE_ENTRY, span, format!("{} is named twice", quoted(word)))
        .label("named again")
        .also(earlier, "named here first")
        .help("remove one of the two")
}

pub(crate) fn duplicate_constraint(name: &str, span: Span, earlier: Span) -> SyntaxError {
    twice(&codes::DUPLICATE_CONSTRAINT, "the constraint", name, span, earlier).help("remove one of the two")
}

// ---- Types -------------------------------------------------------------------------------------------------------------

/// `insertion` is where the question mark of a field belongs, if it has none and no default.
pub(crate) fn optional_field(question: Span, name: &str, insertion: Option<Span>) -> SyntaxError {
    let error = SyntaxError::new(&codes::OPTIONAL_TYPE, question, "the question mark of an optional field stands behind its name")
        .label("not behind the type");
    match insertion {
        Some(insertion) => {
            error.help(format!("write `{name}?: T` if it may be absent, and `{name}: T | null` if it may be null")).fix(SyntaxFix {
                message: "put the question mark behind the name".to_owned(),
                edits: vec![(insertion, "?".to_owned()), (question, String::new())],
                applicability: Applicability::Safe,
            })
        }
        None => error.help("remove it: that the field may be left out is said already").replace(
            Applicability::Safe,
            "remove the question mark",
            question,
            "",
        ),
    }
}

pub(crate) fn optional_type(question: Span, outermost: bool) -> SyntaxError {
    let error = SyntaxError::new(&codes::OPTIONAL_TYPE, question, "a type has no question mark")
        .label("says nothing here")
        .help("a value that may be null has the type `T | null`; a field that may be absent is written `name?: T`");
    if outermost { error.replace(Applicability::Unsafe, "write `| null`", question, " | null") } else { error }
}

pub(crate) fn optional_with_default(question: Span, default: Span) -> SyntaxError {
    SyntaxError::new(&codes::OPTIONAL_WITH_DEFAULT, question, "a field with a default has no question mark")
        .label("says that the field may be absent")
        .also(default, "with a default it never is")
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
    SyntaxError::new(&codes::BARE_CONSTRAINT, span, "this constraint does not say whether it is the least or the greatest")
        .label("`min` or `max`?")
        .help(format!("write `max: {raw}` or `min: {raw}`"))
        .replace(Applicability::Unsafe, "insert `max:`", Span::at(span.start), "max: ")
        .replace(Applicability::Unsafe, "insert `min:`", Span::at(span.start), "min: ")
}

pub(crate) fn unknown_generic(whole: Span, name: Span, word: &str, meant: Option<String>) -> SyntaxError {
    let error = SyntaxError::new(&codes::UNKNOWN_GENERIC, name, format!("{} takes no type in angle brackets", quoted(word)))
        .label("only `map` does");
    match meant {
        Some(meant) if !meant.contains('\n') => {
            error.help(format!("write `{meant}`")).replace(Applicability::Safe, format!("write `{meant}`"), whole, meant)
        }
        _ => error.help("a list of T is `T[]`, and `map<T>` maps strings to T"),
    }
}

/// `bare` is the name that stands there instead, if one does.
pub(crate) fn enum_value_not_a_string(span: Span, bare: Option<&str>) -> SyntaxError {
    let error =
        SyntaxError::new(&codes::ENUM_VALUE_NOT_A_STRING, span, "the value of an enum is a string on the wire").label("not a string");
    match bare {
        Some(name) => {
            error.help(format!("write `\"{name}\"`")).replace(Applicability::Safe, "put it in quotes", span, format!("\"{name}\""))
        }
        None => error.help("write a string, or make it a type of literals: `type Level = 1 | 2`"),
    }
}

pub(crate) fn empty_enum(span: Span, name: &str, what: &str, part: &str) -> SyntaxError {
    SyntaxError::new(&codes::EMPTY_ENUM, span, format!("the {what} {} has no {part}", quoted(name)))
        .label(format!("no {part}"))
        .help(format!("give it at least one {part}"))
}

pub(crate) fn not_a_literal(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::NOT_A_LITERAL, span, "only a literal may stand here")
        .label("reads a value")
        .help("defaults, examples, constraints and the strings of enums are literals, or lists and objects of literals")
}

// ---- Imports, topics, settings -----------------------------------------------------------------------------------------

pub(crate) fn empty_import(span: Span) -> SyntaxError {
    SyntaxError::new(&codes::EMPTY_IMPORT, span, "this import takes nothing")
        .label("no name between the braces")
        .help("name what it takes, or remove it")
        .replace(Applicability::Safe, "remove the import", span, "")
}

pub(crate) fn import_path(span: Span, path: &str) -> SyntaxError {
    let (message, label, help) = if path.contains('\\') {
        ("the parts of an import's path have `/` between them", "has a backslash", "write `/` on every system")
    } else if !path.starts_with("./") && !path.starts_with("../") {
        (
            "an import's path is relative to its file",
            "starts neither with `./` nor with `../`",
            "start it with `./` or `../`, as in `\"./shop.weave\"`",
        )
    } else {
        ("an import's path ends in `.weave`", "not a `.weave` file", "name the file with its extension, as in `\"./shop.weave\"`")
    };
    let error = SyntaxError::new(&codes::IMPORT_PATH, span, message).label(label).help(help);
    match mended_import(path) {
        Some(mended) => error.replace(Applicability::Safe, format!("write `\"{mended}\"`"), span, format!("\"{mended}\"")),
        None => error,
    }
}

/// The path that was most likely meant.
fn mended_import(path: &str) -> Option<String> {
    let mut mended = path.replace('\\', "/");
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/');
    let file = mended.rsplit('/').next().unwrap_or_default();
    if mended.starts_with('/') || file.is_empty() || file.starts_with('.') || !mended.bytes().all(plain) {
        return None;
    }
    if !file.contains('.') {
        mended.push_str(".weave");
    } else if !file.ends_with(".weave") {
        return None;
    }
    Some(if mended.starts_with("./") || mended.starts_with("../") { mended } else { format!("./{mended}") })
}

pub(crate) fn no_topic(span: Span, word: &str) -> SyntaxError {
    SyntaxError::new(&codes::BAD_TOPIC, span, format!("{} is no topic", quoted(word)))
        .label("a topic has two segments or more")
        .help("put a dot between two words, as in `order.placed`")
}

pub(crate) fn bad_topic(span: Span, word: &str) -> SyntaxError {
    let meant = word.split('.').map(snake_case).collect::<Vec<_>>().join(".");
    let error = SyntaxError::new(&codes::BAD_TOPIC, span, format!("{} is no topic", quoted(word)))
        .label("each segment starts with a lower-case letter and has no capitals");
    if meant.split('.').any(|segment| !segment.starts_with(|letter: char| letter.is_ascii_lowercase())) {
        return error.help("write lower-case words with dots between them, as in `order.placed`");
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
    let error = SyntaxError::new(&codes::BLANK_IN_PATH, span, "a topic is written without blanks").label("there is a blank in it");
    match joined {
        Some(joined) => error.help(format!("write `{joined}`")).replace(Applicability::Safe, format!("write `{joined}`"), span, joined),
        None => error,
    }
}

/// `colon` covers the colon and the blanks around it, if there is nothing else.
pub(crate) fn setting_with_colon(span: Span, name: &str, colon: Option<Span>) -> SyntaxError {
    let error = SyntaxError::new(&codes::SETTING_WITH_COLON, span, format!("the setting {} has no colon", quoted(name)))
        .label("a setting is a name and a value")
        .help(format!("inside braces a colon means data; write `{name} value`"));
    match colon {
        Some(colon) => error.replace(Applicability::Safe, "remove the colon", colon, " "),
        None => error,
    }
}

pub(crate) fn data_without_colon(span: Span, name: &str, end: u32) -> SyntaxError {
    SyntaxError::new(&codes::DATA_WITHOUT_COLON, span, format!("a colon is missing behind {}", quoted(name)))
        .label("an entry of data is a key, a colon and a value")
        .help(format!("write `{name}: value`"))
        .replace(Applicability::Safe, "insert `:`", Span::at(end), ":")
}

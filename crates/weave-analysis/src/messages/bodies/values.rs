//! Values, paths and placeholders.

use std::sync::Arc;

use weave_diagnostics::{Applicability, Diagnostic, Place, Span, closest};
use weave_syntax::ast::{Entry, Literal};
use weave_syntax::text::quoted_string;

use super::{all, because, code, one_of, quoted, suggest};
use crate::codes::bodies as codes;
use crate::expression::shape::{Shape, is_nullable, members};
use crate::expression::{Absence, Environment, Expected, Mismatch, MismatchKind, Reading, Unreadable, WantedBy, formats};
use crate::model::types::{FieldType, Scalar, Type};

// ---- Names -------------------------------------------------------------------------------------------------------------

pub(crate) fn unknown_value(word: &str, names: Option<&[Arc<str>]>, place: Place) -> Diagnostic {
    let unknown = Diagnostic::new(&codes::UNKNOWN_VALUE, place, format!("there is no value `.{word}` here")).label("unknown value");
    let dotted = names.map(|names| names.iter().map(|name| format!(".{name}")).collect::<Vec<_>>());
    suggest(unknown, &format!(".{word}"), dotted.as_deref(), place, "no values can be read here")
}

/// A parameter of the workflow that is read without `.input`.
pub(crate) fn forgotten_input(word: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::UNKNOWN_VALUE, place, format!("there is no value `.{word}` here"))
        .label("unknown value")
        .help(format!("in a workflow it is `.input.{word}`"))
        .replace(Applicability::Safe, format!("replace it with `.input.{word}`"), place, format!(".input.{word}"))
}

pub(crate) fn unreadable(why: Unreadable, word: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::UNAVAILABLE_VALUE, place, why.message).label(format!("`.{word}` does not exist here")).help(why.help)
}

pub(crate) fn missing_dot(word: &str, stands: bool, names: Option<&[Arc<str>]>, place: Place) -> Diagnostic {
    let missing =
        Diagnostic::new(&codes::MISSING_DOT, place, "a path starts with a dot").label("without a dot, this is the name of a declaration");
    let start = Place::new(place.file, Span::at(place.span.start));
    if stands {
        return missing.help("add the dot").replace(Applicability::Safe, "insert the dot", start, ".");
    }
    if matches!(word, "process" | "os" | "env" | "ENV" | "secrets" | "config" | "settings") {
        return missing.help(
            "a workflow cannot read the environment: pass what it needs as a parameter; `at env(\"NAME\")` sets the address of a tool",
        );
    }
    let Some(names) = names else { return missing };
    match closest(word, names.iter().map(|name| &**name)) {
        Some(similar) => missing.help(format!("did you mean `.{similar}`?")),
        None => missing.help(if names.is_empty() {
            "no values can be read here: write a literal".to_owned()
        } else {
            format!("the available values start with {}", one_of(&names.iter().map(|name| format!(".{name}")).collect::<Vec<_>>()))
        }),
    }
}

/// A value of an enum that is written with the name of its type: `Intent.refund`.
pub(crate) fn enum_member(value: &str, place: Place) -> Diagnostic {
    let written = quoted_string(value);
    Diagnostic::new(&codes::MISSING_DOT, place, "a value of an enum is written as its string").label(format!("write `{written}`")).replace(
        Applicability::Safe,
        format!("write `{written}`"),
        place,
        written,
    )
}

/// A path that starts with a word that other languages have before all paths: `state.triage`, `.steps.triage`.
pub(crate) fn foreign_root(word: &str, rest: &str, whole: Place) -> Diagnostic {
    let message = if word == "input" {
        "there is no `.input` here; a parameter is read by its name".to_owned()
    } else {
        format!("there is no `{word}`; a path starts with the name of a step, or `.input`")
    };
    Diagnostic::new(&codes::UNKNOWN_VALUE, whole, message).label(format!("write `.{rest}`")).replace(
        Applicability::Safe,
        format!("write `.{rest}`"),
        whole,
        format!(".{rest}"),
    )
}

/// `.triage.output.intent`: the answer of a step is its value.
pub(crate) fn foreign_part(word: &str, owner: &str, next: &str, part: Place) -> Diagnostic {
    let dot = Place::new(part.file, Span::new(part.span.start.saturating_sub(1), part.span.end));
    Diagnostic::new(&codes::UNKNOWN_FIELD, part, format!("`{owner}` is itself the answer; it has no `{word}`"))
        .label(format!("write `{owner}.{next}`"))
        .replace(Applicability::Safe, format!("remove `.{word}`"), dot, "")
}

pub(crate) fn superfluous_dot(word: &str, place: Place) -> Diagnostic {
    let dot = Place::new(place.file, Span::new(place.span.start, place.span.start + 1));
    Diagnostic::new(&codes::SUPERFLUOUS_DOT, place, format!("`{word}` is written without a dot"))
        .label("superfluous dot")
        .help("remove the dot: only values on the scroll and parameters have one")
        .replace(Applicability::Safe, "remove the dot", dot, "")
}

/// A word where a value should stand; `known` are the strings that may stand there, and `is_input` says that the input has such a field.
pub(crate) fn bare_word(word: &str, known: &[Arc<str>], is_input: bool, place: Place) -> Diagnostic {
    let own = match word {
        "True" | "TRUE" => Some("true"),
        "False" | "FALSE" => Some("false"),
        _ if weave_syntax::is_null_word(word) => Some("null"),
        _ => None,
    };
    if let Some(own) = own.filter(|_| known.iter().all(|it| **it != *word)) {
        let help = if own == "null" { "an absent value equals `null`" } else { "the values of `bool` are `true` and `false`" };
        return Diagnostic::new(&codes::BARE_WORD, place, format!("there is no `{word}`"))
            .label(format!("write `{own}`"))
            .help(help)
            .replace(Applicability::Safe, format!("write `{own}`"), place, own);
    }
    let bare = Diagnostic::new(&codes::BARE_WORD, place, format!("`{word}` is not a value")).label("a bare word without quotes or a dot");
    let meant = if known.iter().any(|it| **it == *word) { Some(word) } else { closest(word, known.iter().map(|it| &**it)) };
    match meant {
        Some(meant) => {
            let applicability = if meant == word { Applicability::Safe } else { Applicability::Unsafe };
            let meant = quoted_string(meant);
            bare.help(format!("did you mean {meant}?")).replace(applicability, "write it as a string", place, meant)
        }
        None if is_input => bare.help(format!("did you mean `.input.{word}`?")).replace(
            Applicability::Unsafe,
            format!("replace it with `.input.{word}`"),
            place,
            format!(".input.{word}"),
        ),
        None if !known.is_empty() => bare.help(format!("there are {}", all(&known.iter().map(|it| quoted_string(it)).collect::<Vec<_>>()))),
        None => bare.help(format!("strings need quotes, {}, and paths need a dot, `.{word}`", quoted_string(word))).replace(
            Applicability::Unsafe,
            "write it as a string",
            place,
            quoted_string(word),
        ),
    }
}

// ---- Reading -----------------------------------------------------------------------------------------------------------

pub(crate) fn unknown_field(word: &str, owner: &str, names: Option<&[Arc<str>]>, place: Place) -> Diagnostic {
    let unknown = Diagnostic::new(&codes::UNKNOWN_FIELD, place, format!("`{owner}` has no field `{word}`")).label("no such field");
    suggest(unknown, word, names, place, "it has no fields")
}

pub(crate) fn no_fields(owner: &str, ty: &str, word: &str, place: Place) -> Diagnostic {
    let what = Diagnostic::new(&codes::NOT_READABLE, place, format!("`{ty}` has no fields to read"));
    let what = what.label(format!("{} is `{ty}`", quoted(owner)));
    if matches!(word, "length" | "len" | "size" | "count") {
        // The whole path, of which the place is the last name.
        let start = place.span.start.saturating_sub(owner.len() as u32 + 1);
        let whole = Place::new(place.file, Span::new(start, place.span.end));
        return what.help(format!("use `size` in a guard for the number of elements: `size({owner}) > 0`")).replace(
            Applicability::Unsafe,
            format!("write `size({owner})`"),
            whole,
            format!("size({owner})"),
        );
    }
    if ty.ends_with("[]") || ty.contains("[](") {
        return what.help(format!("read it from one element, `{owner}[0].{word}`, or use the whole list"));
    }
    what.help("end the path before this field")
}

pub(crate) fn no_items(owner: &str, ty: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::NOT_READABLE, place, format!("`{ty}` has no elements"))
        .label(format!("{} is `{ty}`", quoted(owner)))
        .help("only lists have an index; use a dot for fields")
}

pub(crate) fn all_of_no_step(owner: &str, place: Place) -> Diagnostic {
    Diagnostic::new(&codes::NOT_READABLE, place, "`[]` must follow the name of a step")
        .label(format!("{} is not a step", quoted(owner)))
        .help("`.draft[]` is the list of all answers of the step `draft`; write any other list without `[]`")
}

/// Why something may be absent, in words for a label.
fn reason(diagnostic: Diagnostic, absence: Option<&Absence>) -> Diagnostic {
    let label = match absence {
        None => "may be null",
        Some(Absence::Optional(_)) => "is optional",
        Some(Absence::Alternatives) => "only some of the alternatives have this field",
        Some(Absence::Failure) => "only declared errors have it, and a built-in failure is also possible",
        Some(Absence::Undeclared) => "not declared, so it may not exist",
        Some(Absence::Key) => "this key may not exist",
        Some(Absence::Index) => "the list may be shorter",
    };
    let diagnostic = diagnostic.label(label);
    match absence {
        Some(Absence::Optional(place)) => diagnostic.also(*place, "declared with `?`"),
        _ => diagnostic,
    }
}

/// Something that may not be there, in the middle of a path.
pub(crate) fn read_through(so_far: &str, absence: Option<&Absence>, place: Place, end: Place, next: &str) -> Diagnostic {
    let state = if absence.is_some() { "absent" } else { "null" };
    let through = Diagnostic::new(&codes::MAY_BE_ABSENT, place, format!("{} may be {state}, so it cannot be read from", quoted(so_far)));
    let bracketed = matches!(next.bytes().next(), Some(b'0'..=b'9' | b'"'));
    let rest = if bracketed { format!("[{next}]") } else { format!(".{next}") };
    reason(through, absence)
        .help(format!("write `{so_far}?{rest}`, which may be absent too, or check `{so_far} != null` in a guard"))
        .replace(Applicability::Unsafe, "insert `?`", end, "?")
}

fn absent_or_null(env: &Environment<'_>, reading: &Reading) -> &'static str {
    match (reading.path.absent, is_nullable(env.model, &reading.path.ty)) {
        (true, false) => "absent",
        (false, _) => "null",
        (true, true) => "absent or null",
    }
}

/// The end of "may be absent, but …".
fn but(expected: Expected<'_>) -> String {
    match expected.by {
        WantedBy::Field(field) => format!(", but `{}` may not", field.name),
        WantedBy::Declaration(_, what, _) => format!(", but {what} may not"),
        WantedBy::Place => String::new(),
    }
}

/// What to do about a value that may not be there. An identifier has no default that makes sense: it must be there.
fn without_value(env: &Environment<'_>, path: &str, expected: Expected<'_>) -> String {
    let is_id = |name: &str| name == "id" || name.ends_with("_id") || name.ends_with("Id") || name.ends_with("ID");
    let is_named_id = matches!(expected.by, WantedBy::Field(field) if is_id(&field.name));
    if is_named_id || matches!(plain_scalar(env, expected.ty), Some(Scalar::Uuid)) {
        return format!("check `{path} != null` in the guard of this node, and handle the other case in another node");
    }
    format!("add a default, `{path} ?? …`, or check `{path} != null` in a guard")
}

pub(crate) fn may_be_absent(env: &Environment<'_>, span: Span, reading: &Reading, expected: Expected<'_>) -> Diagnostic {
    let path = env.text(span);
    let message = format!("{} may be {}{}", quoted(path), absent_or_null(env, reading), but(expected));
    let absent = Diagnostic::new(&codes::MAY_BE_ABSENT, env.place(span), message);
    let absent = match (&reading.absence, reading.path.absent) {
        (Some(absence), _) => reason(absent, Some(absence)),
        (None, true) => absent.label("the `?` makes it optional"),
        (None, false) => reason(absent, None),
    };
    because(absent, env, expected).help(without_value(env, path, expected))
}

pub(crate) fn may_be_null(env: &Environment<'_>, span: Span, reading: &Reading, expected: Expected<'_>) -> Diagnostic {
    let path = env.text(span);
    let message = format!("{} may be {}{}", quoted(path), absent_or_null(env, reading), but(expected));
    let null =
        Diagnostic::new(&codes::MAY_BE_ABSENT, env.place(span), message).label(format!("this is `{}`", env.display(&reading.path.ty)));
    because(null, env, expected).help(without_value(env, path, expected))
}

/// Something that may not be there, in a text.
pub(crate) fn nothing_in_text(env: &Environment<'_>, span: Span, reading: &Reading) -> Diagnostic {
    let path = env.text(span);
    let message = format!("{} may be {}, and a string needs a value here", quoted(path), absent_or_null(env, reading));
    let nothing = Diagnostic::new(&codes::MAY_BE_ABSENT, env.place(span), message);
    let nothing = match &reading.absence {
        None if reading.path.absent => nothing.label("the `?` makes it optional"),
        absence => reason(nothing, absence.as_ref()),
    };
    let end = env.place(Span::at(span.end));
    nothing.help(format!("provide a default: `{path} ?? \"…\"`")).replace(Applicability::Unsafe, "insert an empty default", end, " ?? \"\"")
}

// ---- Types -------------------------------------------------------------------------------------------------------------

/// A value of one type where another is wanted.
pub(crate) fn wrong_type(
    env: &Environment<'_>,
    span: Span,
    found: &Type,
    mismatch: Option<&Mismatch>,
    expected: Expected<'_>,
) -> Diagnostic {
    let (wanted, is) = (env.display(expected.ty), env.display(found));
    let wrong = Diagnostic::new(&codes::TYPE_MISMATCH, env.place(span), format!("expected `{wanted}`, found `{is}`"));
    let wrong = because(wrong.label(format!("this is `{is}`")), env, expected);
    let wrong = match mismatch.and_then(|mismatch| detail(env, mismatch)) {
        Some(detail) => wrong.note(detail),
        None => wrong,
    };
    match conversion(env, span, found, expected.ty) {
        Some((help, Some(replacement))) => {
            wrong.help(help).replace(Applicability::Unsafe, "write it as text", env.place(span), replacement)
        }
        Some((help, None)) => wrong.help(help),
        None => wrong,
    }
}

/// Where inside of two types the difference lies.
fn detail(env: &Environment<'_>, mismatch: &Mismatch) -> Option<String> {
    let mut path = String::new();
    for part in mismatch.path.iter().rev() {
        if !path.is_empty() && **part != *"[]" {
            path.push('.');
        }
        path.push_str(part);
    }
    let owner = if path.is_empty() { "it".to_owned() } else { format!("its `{path}`") };
    Some(match &mismatch.kind {
        MismatchKind::Type { .. } if path.is_empty() => return None,
        MismatchKind::Type { from, to } => format!("its `{path}` is `{}`, not `{}`", env.display(from), env.display(to)),
        MismatchKind::Missing(field) => format!("{owner} lacks `{field}`"),
        MismatchKind::MayBeAbsent(field) => format!("{owner} may lack `{field}`"),
        MismatchKind::Extra(field) => format!("{owner} has the field `{field}`, which is not allowed there"),
        MismatchKind::Open => format!("{owner} may have undeclared fields, which are not allowed there"),
    })
}

/// What is no text can be written as one.
fn conversion(env: &Environment<'_>, span: Span, found: &Type, wanted: &Type) -> Option<(String, Option<String>)> {
    let wants_text = members(env.model, wanted).iter().any(|member| matches!(member.shape, Shape::Scalar(Scalar::String, _)));
    let found = members(env.model, found);
    let path = env.text(span);
    if !wants_text || !path.starts_with('.') || path.contains(['\n', '"']) {
        return None;
    }
    if found.iter().all(|member| matches!(member.shape, Shape::Scalar(scalar, _) if scalar.is_text_on_wire())) {
        return Some((format!("as a string it is `\"{{{{{path}}}}}\"`"), Some(format!("\"{{{{{path}}}}}\""))));
    }
    let is_plain = found.iter().all(|member| matches!(member.shape, Shape::Scalar(..) | Shape::Literal(_)));
    is_plain.then(|| (format!("in a longer string it is converted too: `\"no. {{{{{path}}}}}\"`"), None))
}

/// A list or an object where something else is wanted.
pub(crate) fn wrong_shape(env: &Environment<'_>, span: Span, what: &str, expected: Expected<'_>) -> Diagnostic {
    let wrong = Diagnostic::new(&codes::TYPE_MISMATCH, env.place(span), format!("expected `{}`, found {what}", env.display(expected.ty)));
    because(wrong.label(format!("this is {what}")), env, expected)
}

/// Text with values in it where something else is wanted.
pub(crate) fn text_where_not_wanted(env: &Environment<'_>, span: Span, expected: Expected<'_>) -> Diagnostic {
    let wanted = env.display(expected.ty);
    let wrong = Diagnostic::new(&codes::TYPE_MISMATCH, env.place(span), format!("expected `{wanted}`, found a string"));
    because(wrong.label("a string with placeholders has the type `string`"), env, expected)
        .help("a single placeholder in quotes, or a path without quotes, keeps its type")
}

/// A literal that is none of the values that are wanted; `known` are the strings among them.
pub(crate) fn wrong_literal(env: &Environment<'_>, literal: Literal, known: &[Arc<str>], expected: Expected<'_>) -> Diagnostic {
    use weave_syntax::ast::LiteralKind;
    let (place, raw, wanted) = (env.place(literal.span), env.text(literal.span), env.display(expected.ty));
    if known.is_empty() || !matches!(literal.kind, LiteralKind::String | LiteralKind::TextBlock) {
        let wrong = Diagnostic::new(&codes::TYPE_MISMATCH, place, format!("expected `{wanted}`, found {}", quoted(raw)));
        let wrong = because(wrong.label(format!("not `{wanted}`")), env, expected);
        return match (literal.kind, plain_scalar(env, expected.ty)) {
            (LiteralKind::Null, _) => wrong.help("remove the entry, or declare the type with `| null`"),
            (LiteralKind::Number, Some(Scalar::String)) => {
                wrong.help("write it as a string").replace(Applicability::Safe, "put it in quotes", place, format!("\"{raw}\""))
            }
            (_, Some(scalar)) => wrong.help(format!("write it like `{}`", formats::example(scalar))),
            _ => wrong,
        };
    }
    let wrong = Diagnostic::new(&codes::TYPE_MISMATCH, place, format!("{} is not a value of `{wanted}`", quoted(raw)));
    let wrong = because(wrong.label("not one of its values"), env, expected);
    let said = weave_syntax::text::literal_value(env.item.text, literal);
    let literals = known.iter().map(|text| quoted_string(text)).collect::<Vec<_>>();
    match known_by_name(env, expected.ty, &said) {
        Some(wire) => on_the_wire(wrong, &wire, place),
        None => suggest(wrong, &quoted_string(&said), env.sink.worth_a_suggestion().then_some(&*literals), place, ""),
    }
}

/// Says what an enum's value is on the wire, where its name was written.
pub(super) fn on_the_wire(wrong: Diagnostic, wire: &str, place: Place) -> Diagnostic {
    let wire = quoted_string(wire);
    wrong.help(format!("in JSON this value is {wire}")).replace(Applicability::Safe, format!("replace it with {wire}"), place, wire)
}

/// The string on the wire of an enum's value with this name.
pub(super) fn known_by_name(env: &Environment<'_>, ty: &Type, name: &str) -> Option<Arc<str>> {
    members(env.model, ty).iter().find_map(|member| match member.shape {
        Shape::Enum(values) => values.values.iter().find(|value| *value.name == *name).map(|value| Arc::clone(&value.wire)),
        _ => None,
    })
}

/// The scalar that a type is, `null` aside.
fn plain_scalar(env: &Environment<'_>, ty: &Type) -> Option<Scalar> {
    let mut scalars = members(env.model, ty).into_iter().filter(|member| !matches!(member.shape, Shape::Null));
    match (scalars.next()?.shape, scalars.next()) {
        (Shape::Scalar(scalar, _), None) => Some(scalar),
        _ => None,
    }
}

pub(crate) fn wrong_format(env: &Environment<'_>, literal: Literal, scalar: Scalar, expected: Expected<'_>) -> Diagnostic {
    let message = format!("{} is not a valid `{}`", code(env, literal.span), scalar.name());
    let wrong = Diagnostic::new(&codes::WRONG_FORMAT, env.place(literal.span), message).label(format!("not a `{}`", scalar.name()));
    because(wrong, env, expected).help(format!("write it like `{}`", formats::example(scalar)))
}

pub(crate) fn broken_limit(env: &Environment<'_>, literal: Literal, limit: &str, expected: Expected<'_>) -> Diagnostic {
    let message = format!("{} violates the constraint `{limit}`", code(env, literal.span));
    let broken = Diagnostic::new(&codes::BROKEN_CONSTRAINT, env.place(literal.span), message);
    because(broken.label(format!("must be `{}`", env.display(expected.ty))), env, expected)
}

pub(crate) fn broken_count(env: &Environment<'_>, span: Span, count: u64, limit: &str, expected: Expected<'_>) -> Diagnostic {
    let elements = if count == 1 { "one element violates" } else { "elements violate" };
    let count = if count == 1 { String::new() } else { format!("{count} ") };
    let broken = Diagnostic::new(&codes::BROKEN_CONSTRAINT, env.place(span), format!("{count}{elements} the constraint `{limit}`"));
    because(broken.label(format!("must be `{}`", env.display(expected.ty))), env, expected)
}

pub(crate) fn not_unique(place: Place, earlier: Place, expected: Expected<'_>) -> Diagnostic {
    let twice = Diagnostic::new(&codes::BROKEN_CONSTRAINT, place, "a list of unique elements contains a duplicate")
        .label("duplicate")
        .also(earlier, "first occurrence")
        .help("remove one of them");
    match expected.by {
        WantedBy::Field(field) => twice.also(field.place, format!("`{}` requires unique elements", field.name)),
        _ => twice,
    }
}

// ---- Objects -----------------------------------------------------------------------------------------------------------

pub(crate) fn missing_fields(env: &Environment<'_>, owner: &str, missing: &[&FieldType], at: Span) -> Diagnostic {
    let names = missing.iter().map(|field| &*field.name).collect::<Vec<_>>();
    let message = format!("{owner} needs {}", all(&names));
    let label = if names.len() == 1 { format!("`{}` is missing", names.join("")) } else { format!("{} entries are missing", names.len()) };
    let mut diagnostic = Diagnostic::new(&codes::MISSING_FIELD, env.place(at), message).label(label);
    for field in missing.iter().take(super::SHOWN) {
        diagnostic = diagnostic.also(field.place, format!("`{}: {}`", field.name, env.display(&field.ty)));
    }
    diagnostic.help(if names.len() == 1 { "add it" } else { "add them" })
}

/// Missing fields of an object in a test, where `...` may stand for them.
pub(crate) fn rest_may_be_left_out(found: Diagnostic, env: &Environment<'_>, entries: &[Entry], span: Span) -> Diagnostic {
    let found = found.help("add what is missing, or `...` for all other fields");
    let (at, text) = match entries.last() {
        Some(last) => (Span::at(last.span.end), ", ..."),
        None => (Span::at(span.start + 1), " ... "),
    };
    found.replace(Applicability::Safe, "add `...`", env.place(at), text)
}

/// An entry that the owner, which is quoted already, does not declare; `similar` is the missing field that was
/// most likely meant, `renamed` the field that has this name on the wire.
pub(crate) fn unknown_entry(
    key: &str,
    owner: &str,
    names: Option<&[Arc<str>]>,
    similar: Option<&str>,
    renamed: Option<&FieldType>,
    place: Place,
) -> Diagnostic {
    let unknown = Diagnostic::new(&codes::UNKNOWN_FIELD, place, format!("{owner} has no `{key}`")).label("not declared");
    match renamed {
        Some(field) => unknown.help(format!("the name in the language is `{}`", field.name)).also(field.place, "declared here").replace(
            Applicability::Safe,
            format!("replace it with `{}`", field.name),
            place,
            &*field.name,
        ),
        None => match similar {
            Some(similar) => suggest(unknown, key, Some(&[similar]), place, ""),
            None => suggest(unknown, key, names, place, "it takes no entries: remove this one"),
        },
    }
}

pub(crate) fn missing_tag(owner: &str, tag: &str, variants: &[Arc<str>], place: Place) -> Diagnostic {
    let strings = variants.iter().map(|variant| quoted_string(variant)).collect::<Vec<_>>();
    Diagnostic::new(&codes::MISSING_FIELD, place, format!("{owner} needs its tag `{tag}`"))
        .label(format!("`{tag}` is missing"))
        .help(format!("add the tag: `{tag}` is {}", one_of(&strings)))
}

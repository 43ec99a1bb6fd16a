//! `@deprecated`, `@secret`, `@wire`, `@category`, `@status`, `@go`, `@python`, `@ts`, `@allow`.

use std::sync::Arc;

use weave_diagnostics::{Span, closest};
use weave_syntax::ast::{Attribute, AttributeArgument, Expr, LiteralKind, Meta, Path, Root};
use weave_syntax::text::literal_value;

use super::Context;
use crate::messages::declarations as message;
use crate::model::declarations::{Category, TargetNames};
use crate::model::naming::TargetLanguage;

/// What attributes stand before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A declaration.
    Declaration,
    /// The declaration of an error.
    Error,
    /// A field or a parameter.
    Field,
    /// A value of an enum, or a variant of a union.
    Value,
    /// A node of a workflow, or an import.
    Other,
}

/// What the attributes before something say.
#[derive(Debug, Default)]
pub(crate) struct Attributes {
    pub(crate) deprecated: Option<Arc<str>>,
    pub(crate) secret: bool,
    pub(crate) wire: Option<Arc<str>>,
    pub(crate) category: Option<Category>,
    pub(crate) status: Option<u16>,
    pub(crate) target_names: TargetNames,
}

/// All attributes.
pub(crate) const NAMES: [&str; 9] = ["deprecated", "secret", "wire", "category", "status", "go", "python", "ts", "allow"];

/// Reads the attributes before something.
pub(crate) fn attributes(context: &mut Context<'_>, meta: &Meta, target: Target) -> Attributes {
    let mut found = Attributes::default();
    let mut seen: Vec<(&str, Span)> = Vec::new();
    for attribute in &meta.attributes {
        let name = context.text(attribute.name.span);
        if name.is_empty() {
            continue;
        }
        let first = seen.iter().find(|(other, _)| *other == name).map(|(_, span)| *span);
        // A rule may be allowed beside another one.
        if let (Some(first), true) = (first, name != "allow") {
            let diagnostic = message::duplicate_attribute(name, context.item.place(attribute.span), context.item.place(first));
            context.report(diagnostic);
            continue;
        }
        seen.push((name, attribute.span));
        read(context, attribute, name, target, &mut found);
    }
    found
}

/// The place of an attribute and of the whitespace after it.
fn whole(context: &Context<'_>, attribute: &Attribute) -> weave_diagnostics::Place {
    let rest = context.item.text.get(attribute.span.end as usize..).unwrap_or_default();
    let blanks = rest.len() - rest.trim_start().len();
    context.item.place(weave_diagnostics::Span::new(attribute.span.start, attribute.span.end + blanks as u32))
}

fn read(context: &mut Context<'_>, attribute: &Attribute, name: &str, target: Target, found: &mut Attributes) {
    let place = context.item.place(attribute.name.span);
    let fits = match name {
        "deprecated" | "go" | "python" | "ts" => target != Target::Other,
        "category" | "status" => target == Target::Error,
        "secret" | "wire" => target == Target::Field,
        "allow" => true,
        _ => {
            let diagnostic = message::unknown_attribute(name, place, closest(name, NAMES), whole(context, attribute));
            return context.report(diagnostic);
        }
    };
    if !fits {
        let diagnostic = message::misplaced_attribute(name, place);
        return context.report(diagnostic);
    }
    let correct = match name {
        "deprecated" => {
            found.deprecated = only_text(context, attribute);
            found.deprecated.is_some()
        }
        "wire" => {
            found.wire = only_text(context, attribute).filter(|wire| !wire.is_empty());
            found.wire.is_some()
        }
        "category" => {
            found.category = category(context, attribute);
            found.category.is_some()
        }
        "status" => {
            found.status = status(context, attribute);
            found.status.is_some()
        }
        "go" | "python" | "ts" => {
            let chosen = target_name(context, attribute, name);
            let language = match name {
                "go" => TargetLanguage::Go,
                "python" => TargetLanguage::Python,
                _ => TargetLanguage::TypeScript,
            };
            let is_name = chosen.is_some();
            found.target_names.set(language, chosen);
            is_name
        }
        "secret" => {
            found.secret = true;
            attribute.arguments.is_empty()
        }
        _ => is_allowance(context, &attribute.arguments),
    };
    if !correct && !attribute.arguments.iter().any(|argument| matches!(argument.value, Expr::Missing(_))) {
        let diagnostic = message::attribute_arguments(name, context.item.place(attribute.span));
        context.report(diagnostic);
    }
}

/// The text of a string.
fn text(context: &Context<'_>, argument: &AttributeArgument) -> Option<Arc<str>> {
    match &argument.value {
        Expr::Literal(literal) if literal.kind == LiteralKind::String => Some(Arc::from(literal_value(context.item.text, *literal))),
        _ => None,
    }
}

/// The one string in the parentheses.
fn only_text(context: &Context<'_>, attribute: &Attribute) -> Option<Arc<str>> {
    match &*attribute.arguments {
        [argument] if argument.name.is_none() => text(context, argument),
        _ => None,
    }
}

/// `not_found`.
fn category(context: &Context<'_>, attribute: &Attribute) -> Option<Category> {
    let [AttributeArgument { name: None, value: Expr::Path(path), .. }] = &*attribute.arguments else { return None };
    let Path { root: Root::Name(name), segments, .. } = &**path else { return None };
    let word = name.text(context.item.text);
    Category::ALL.into_iter().find(|(own, _)| segments.is_empty() && word == *own).map(|(_, category)| category)
}

/// `404`.
fn status(context: &Context<'_>, attribute: &Attribute) -> Option<u16> {
    let [AttributeArgument { name: None, value: Expr::Literal(literal), .. }] = &*attribute.arguments else { return None };
    let status = context.text(literal.span).parse().ok()?;
    (literal.kind == LiteralKind::Number && (400..600).contains(&status)).then_some(status)
}

/// `name: "…"`, a name of that language.
fn target_name(context: &Context<'_>, attribute: &Attribute, language: &str) -> Option<Arc<str>> {
    let [argument] = &*attribute.arguments else { return None };
    let is_name = argument.name.is_some_and(|name| name.text(context.item.text) == "name");
    let chosen = text(context, argument).filter(|_| is_name)?;
    let mut characters = chosen.chars();
    let begins = match (language, characters.next()?) {
        // What other packages use begins with a capital.
        ("go", first) => first.is_ascii_uppercase(),
        (_, first) => first.is_ascii_alphabetic() || first == '_',
    };
    (begins && characters.all(|character| character.is_ascii_alphanumeric() || character == '_')).then_some(chosen)
}

/// `rule, "reason"` and perhaps `until: "2027-06-30"`.
fn is_allowance(context: &Context<'_>, arguments: &[AttributeArgument]) -> bool {
    let [rule, reason, rest @ ..] = arguments else { return false };
    let is_rule =
        matches!(&rule.value, Expr::Path(path) if matches!(**path, Path { root: Root::Name(_), ref segments, .. } if segments.is_empty()));
    let is_reason = text(context, reason).is_some_and(|reason| !reason.trim().is_empty());
    let until = match rest {
        [] => true,
        [until] => {
            until.name.is_some_and(|name| name.text(context.item.text) == "until")
                && text(context, until).is_some_and(|date| is_date(&date))
        }
        _ => false,
    };
    rule.name.is_none() && is_rule && reason.name.is_none() && is_reason && until
}

/// Whether a text is a date of the calendar, as `2027-06-30`.
fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let mut part = |length: usize| {
        let part = parts.next().filter(|part| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit()));
        part.and_then(|part| part.parse::<u32>().ok())
    };
    let (Some(year), Some(month), Some(day)) = (part(4), part(2), part(2)) else { return false };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day) && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::is_date;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert!(["2027-06-30", "2028-02-29", "2000-02-29"].into_iter().all(is_date));
        assert!(
            !["2027-6-30", "2027-02-29", "1900-02-29", "2027-13-01", "2027-00-10", "2027-01-00", "2027-01-01-", "", "x"]
                .into_iter()
                .any(is_date)
        );
    }
}

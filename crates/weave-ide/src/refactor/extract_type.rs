//! A record, a union or an enum that is written in place becomes a declaration.

use weave_diagnostics::{Edit, FileId, Span};
use weave_syntax::ast::{ItemKind, LiteralKind, Type};
use weave_syntax::text::string_value;

use super::types::{Written, key, written};
use super::{Refactoring, RefactoringKind, fresh, layout};
use crate::Analysis;
use crate::analysis::ItemView;

/// A type that can get a name.
struct Found<'a> {
    ty: &'a Type,
    /// What is replaced: the type, with the parentheses that only it needs.
    span: Span,
    /// The names of the fields around it.
    path: Vec<String>,
}

/// What gives the innermost type that a range is in a name.
pub(super) fn extract_type<'a>(analysis: &'a Analysis, file: FileId, range: Span) -> Vec<Refactoring<'a>> {
    let Some(item) = analysis.item_at(file, range.start).filter(|item| !item.slot.has_errors()) else { return Vec::new() };
    let text = item.context.text;
    let within = |offset: u32| offset.saturating_sub(item.slot.start);
    let wanted = Span::new(within(range.start), within(range.end));
    let kind = &item.slot.parsed.item.kind;
    let types = written(kind, text);
    let Some(Written { ty, part, is_named }) = types.into_iter().find(|it| it.ty.span().contains(wanted)) else { return Vec::new() };
    let mut path = vec![owner(kind, text), part];
    if is_named {
        // A field of the declaration is called by it alone.
        path.truncate(usize::from(!matches!(ty, Type::Record(_) | Type::Union(_))) + 1);
    }
    let Some(found) = innermost(ty, text, wanted, path, is_named) else { return Vec::new() };
    let name = fresh::name(analysis, file, &found.path.iter().map(|part| fresh::pascal(part)).collect::<String>());
    let source = found.ty.span().text(text);
    let declaration = match found.ty {
        Type::Record(_) => format!("type {name} {source}"),
        _ => format!("type {name} = {source}"),
    };
    let mut offered = vec![extracted(analysis, &item, &found, format!("Extract to the type `{name}`"), &name, &declaration)];
    if let Some(values) = values(found.ty, text) {
        let declaration = format!("enum {name} {{ {} }}", values.join(", "));
        offered.push(extracted(analysis, &item, &found, format!("Extract to the enum `{name}`"), &name, &declaration));
    }
    offered
}

fn extracted<'a>(
    analysis: &'a Analysis,
    item: &ItemView<'_>,
    found: &Found<'_>,
    title: String,
    name: &str,
    declaration: &str,
) -> Refactoring<'a> {
    let declared = layout::declared_before(analysis, item.context.file, item.slot.start, declaration);
    let used = Edit { place: item.place(found.span), text: name.to_owned() };
    Refactoring::new(RefactoringKind::Extract, title, vec![declared, used])
}

/// What the declaration around a type is called.
fn owner(kind: &ItemKind, text: &str) -> String {
    match kind {
        ItemKind::Event(event) => event.topic.text(text).to_owned(),
        kind => kind.name().map(|name| name.text(text).to_owned()).unwrap_or_default(),
    }
}

/// The innermost type around a range that is written out. (The parser bounds how deep types nest.)
fn innermost<'a>(ty: &'a Type, text: &str, wanted: Span, path: Vec<String>, is_named: bool) -> Option<Found<'a>> {
    if !ty.span().contains(wanted) {
        return None;
    }
    match ty {
        Type::List(list) => innermost(&list.item, text, wanted, path, false),
        Type::Map(map) => innermost(&map.value, text, wanted, path, false),
        Type::Parenthesized(inner) => {
            let found = innermost(&inner.1, text, wanted, path, is_named)?;
            let is_all = found.span == inner.1.span();
            Some(Found { span: if is_all { inner.0 } else { found.span }, ..found })
        }
        Type::Record(record) => {
            let inside = record.fields.iter().find(|field| field.ty.span().contains(wanted));
            let found = inside.and_then(|field| {
                let path = path.iter().cloned().chain([key(field, text)]).collect();
                innermost(&field.ty, text, wanted, path, false)
            });
            found.or((!is_named).then_some(Found { ty, span: record.span, path }))
        }
        Type::Union(union) => {
            let inside = union.alternatives.iter().find_map(|alternative| innermost(alternative, text, wanted, path.clone(), false));
            let several =
                union.alternatives.iter().filter(|it| !matches!(it, Type::Literal(it) if it.kind == LiteralKind::Null)).count() > 1;
            inside.or((!is_named && several).then_some(Found { ty, span: union.span, path }))
        }
        Type::Named(_) | Type::Literal(_) | Type::Optional(_) | Type::Missing(_) => None,
    }
}

/// The values of an enum that means the same as a type: it is a choice between strings that are names.
fn values<'a>(ty: &Type, text: &'a str) -> Option<Vec<&'a str>> {
    let Type::Union(union) = ty else { return None };
    let value = |ty: &Type| match ty {
        Type::Literal(literal) if literal.kind == LiteralKind::String => {
            let written = literal.span.text(text);
            let value = written.get(1..written.len().checked_sub(1)?)?;
            (string_value(written) == value && fresh::is_name(value)).then_some(value)
        }
        _ => None,
    };
    union.alternatives.iter().map(value).collect()
}

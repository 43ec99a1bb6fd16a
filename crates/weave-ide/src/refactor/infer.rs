//! What a thing must be like for its use to be right.

use weave_analysis::model::types::{FieldType, Literal, RecordType, Type};
use weave_analysis::model::{DeclarationId, Model};
use weave_analysis::trace::{Trace, trace};
use weave_diagnostics::{FileId, Span};
use weave_syntax::ast::{Expr, LiteralKind, Object, Path, Segment};
use weave_syntax::text::{Number, number, quoted_string};

use super::fresh::is_name;
use crate::Analysis;
use crate::analysis::ItemView;

/// Types get no longer than that: what lies deeper is any value.
const DEPTH: usize = 8;

/// Finds out the types of values in an item.
pub(super) struct Inference<'a> {
    analysis: &'a Analysis,
    item: ItemView<'a>,
    trace: Trace,
}

/// A type as text, and whether its value may be absent.
pub(super) struct Inferred {
    pub(super) ty: String,
    pub(super) absent: bool,
}

impl<'a> Inference<'a> {
    pub(super) fn new(analysis: &'a Analysis, item: ItemView<'a>) -> Self {
        let trace = analysis.unit(item.context.file).map(|unit| trace(analysis.model(), unit, item.index, None)).unwrap_or_default();
        Self { analysis, item, trace }
    }

    /// The fields of a record that an object is one of, as they stand in braces.
    pub(super) fn fields(&self, object: &Object) -> String {
        self.fields_within(object, DEPTH)
    }

    fn fields_within(&self, object: &Object, depth: usize) -> String {
        let field = |entry: &weave_syntax::ast::Entry| {
            let Inferred { ty, absent } = self.value_within(&entry.value, depth);
            format!("{}{}: {ty}", entry.key.span.text(self.item.context.text), if absent { "?" } else { "" })
        };
        object.entries.iter().map(field).collect::<Vec<_>>().join(", ")
    }

    /// The type of a value.
    pub(super) fn value(&self, value: &Expr) -> Inferred {
        self.value_within(value, DEPTH)
    }

    fn value_within(&self, value: &Expr, depth: usize) -> Inferred {
        let known = |ty: &str| Inferred { ty: ty.to_owned(), absent: false };
        let Some(deeper) = depth.checked_sub(1) else { return known("json") };
        match value {
            Expr::Literal(literal) => known(match literal.kind {
                LiteralKind::Number => match number(literal.span.text(self.item.context.text)) {
                    Ok(Number::Integer(_)) => "int",
                    _ => "float",
                },
                LiteralKind::String | LiteralKind::TextBlock => return self.text(*literal),
                LiteralKind::Duration => "duration",
                LiteralKind::True | LiteralKind::False => "bool",
                LiteralKind::Null => "json",
            }),
            Expr::Path(path) => self.path(path),
            Expr::Object(object) if object.entries.is_empty() => known("{}"),
            Expr::Object(object) => known(&format!("{{ {} }}", self.fields_within(object, deeper))),
            Expr::List(list) => {
                let item = list.items.first().map_or_else(|| "json".to_owned(), |item| self.value_within(&item.value, deeper).ty);
                known(&format!("{}[]", grouped(&item)))
            }
            Expr::Coalesce(coalesce) => Inferred { absent: false, ..self.value_within(&coalesce.value, deeper) },
            Expr::Parenthesized(inner) => self.value_within(&inner.1, deeper),
            Expr::Unary(_) | Expr::Binary(_) | Expr::Missing(_) => known("json"),
        }
    }

    /// A string is text, unless it is nothing but a placeholder: that passes on its value.
    fn text(&self, literal: weave_syntax::ast::Literal) -> Inferred {
        match weave_syntax::template(self.item.context.text, literal).single() {
            Some(value) => self.value(value),
            None => Inferred { ty: "string".to_owned(), absent: false },
        }
    }

    /// What a path reads.
    pub(super) fn path(&self, path: &Path) -> Inferred {
        let mut found: Option<(Type, bool)> = None;
        for segment in &path.segments {
            let read = match segment {
                Segment::Field(name) => self.read(name.span),
                Segment::Key(span) => self.read(*span),
                // A list may be shorter.
                Segment::Index(_) => found.take().and_then(|(ty, _)| match self.analysis.model().resolve(&ty) {
                    Type::List(list) => Some((list.item.clone(), true)),
                    _ => None,
                }),
                Segment::All(_) | Segment::Call { .. } => None,
                Segment::Optional(_) => continue,
            };
            found = read;
        }
        match found {
            Some((ty, absent)) => Inferred { ty: type_text(self.analysis, self.item.context.file, &ty), absent },
            None => Inferred { ty: "json".to_owned(), absent: false },
        }
    }

    /// What a word of a path reads.
    fn read(&self, word: Span) -> Option<(Type, bool)> {
        let place = self.item.place(word);
        let reading = self.trace.readings.iter().find(|reading| self.analysis.in_text(reading.place) == place)?;
        Some((reading.ty.clone(), reading.absent))
    }
}

/// A type that stands before `[]`.
fn grouped(ty: &str) -> String {
    if ty.contains(" | ") && !ty.starts_with('{') { format!("({ty})") } else { ty.to_owned() }
}

/// A type as it is written in a file, without constraints. What that file cannot name is written out.
pub(super) fn type_text(analysis: &Analysis, file: FileId, ty: &Type) -> String {
    written(analysis, file, ty, DEPTH)
}

fn written(analysis: &Analysis, file: FileId, ty: &Type, depth: usize) -> String {
    let model = analysis.model();
    let Some(deeper) = depth.checked_sub(1) else { return "json".to_owned() };
    let within = |ty: &Type| written(analysis, file, ty, deeper);
    match ty {
        Type::Unknown | Type::Json => "json".to_owned(),
        Type::Null => "null".to_owned(),
        Type::Scalar(scalar, _) => scalar.name().to_owned(),
        Type::Literal(Literal::String(text)) => quoted_string(text),
        Type::Literal(Literal::Number(number)) => number.to_string(),
        Type::Literal(Literal::Bool(value)) => value.to_string(),
        Type::List(list) => format!("{}[]", grouped(&within(&list.item))),
        Type::Map(map) => format!("map<{}>", within(&map.value)),
        Type::Record(record) => record_text(record, within),
        Type::Union(alternatives) => alternatives.iter().map(within).collect::<Vec<_>>().join(" | "),
        Type::Named(id) => match (local_name(model, file, *id), model.resolve(ty)) {
            (Some(name), _) => name,
            (None, Type::Named(_)) => model.record(ty).map_or_else(|| "json".to_owned(), |record| record_text(record, within)),
            (None, other) => within(other),
        },
    }
}

fn record_text(record: &RecordType, within: impl Fn(&Type) -> String) -> String {
    let field = |field: &FieldType| {
        let name = if is_name(&field.name) { field.name.to_string() } else { quoted_string(&field.name) };
        format!("{name}{}: {}", if field.optional { "?" } else { "" }, within(&field.ty))
    };
    let mut fields: Vec<String> = record.fields.iter().map(field).collect();
    if record.open {
        fields.push("...".to_owned());
    }
    if fields.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", fields.join(", ")) }
}

/// What a file calls a declaration, if it can name it.
fn local_name(model: &Model, file: FileId, id: DeclarationId) -> Option<String> {
    let names = &model.scope(file)?.names;
    let declared = &model.get(id)?.name;
    if names.get(declared) == Some(&id) {
        return Some(declared.to_string());
    }
    // Under another name: of several the first one, so that it is the same each time.
    names.iter().filter(|(_, other)| **other == id).map(|(name, _)| name.to_string()).min()
}

/// The fields that a text reads behind a path, as they stand in braces: nobody knows more of them than that they are there.
pub(super) fn fields_behind(text: &str, path: &str) -> Vec<String> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut found: Vec<String> = Vec::new();
    for (at, _) in text.match_indices(path) {
        let before = text.get(..at).unwrap_or_default();
        let Some(behind) = text.get(at + path.len()..) else { continue };
        let behind = behind.strip_prefix('?').unwrap_or(behind);
        let Some(rest) = behind.strip_prefix('.').filter(|_| !before.ends_with(|letter: char| is_letter(letter) || letter == '.')) else {
            continue;
        };
        let name: String = rest.chars().take_while(|letter| is_letter(*letter)).collect();
        if is_name(&name) && !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

//! Finding what is allowed.

use weave_analysis::model::ItemContext;
use weave_diagnostics::{Place, Span};
use weave_syntax::ast::{Attribute, Expr, Field, ItemKind, Meta, Record, Test, Type, TypeBody};
use weave_syntax::{TokenKind, text};

use super::{Allowance, Day};
use crate::project::FileView;

/// The comment that allows a rule in a whole file.
const IN_FILE: &str = "weave: allow-file(";

/// Everything that a file allows, in the order of the text.
pub(super) fn allowances(file: &FileView<'_>) -> Vec<Allowance> {
    // Most files allow nothing.
    if !file.text().contains("allow") {
        return Vec::new();
    }
    let mut found = in_comments(file);
    for (slot, context) in file.items() {
        let mut collector = Collector { context, found: &mut found };
        let item = &slot.parsed.item;
        collector.meta(&item.meta, item.span);
        collector.inside(&item.kind);
    }
    found.sort_by_key(|allowance| allowance.place.span.start);
    found
}

/// `// weave: allow-file(rule) reason`.
fn in_comments(file: &FileView<'_>) -> Vec<Allowance> {
    let (text, id) = (file.text(), file.id());
    let comments = file.unit.syntax.tokens.iter().filter(|token| token.kind == TokenKind::LineComment);
    let allowance = |token: weave_syntax::Token| {
        let comment = token.span.text(text);
        let content = comment.trim_start_matches('/').trim_start();
        let rest = content.strip_prefix(IN_FILE)?;
        let (rule, reason) = rest.split_once(')')?;
        let start = token.span.start + (comment.len() - rest.len()) as u32;
        Some(Allowance {
            place: Place::new(id, Span::new(token.span.start, token.span.start + comment.trim_end().len() as u32)),
            rule: rule.trim().to_owned(),
            rule_place: Place::new(id, Span::new(start, start + rule.len() as u32)),
            scope: Span::new(0, text.len() as u32),
            until: None,
            has_reason: !reason.trim().is_empty(),
            is_used: false,
        })
    };
    comments.filter_map(allowance).collect()
}

/// Collects the attributes of an item.
struct Collector<'a, 'f> {
    context: ItemContext<'a>,
    found: &'f mut Vec<Allowance>,
}

impl Collector<'_, '_> {
    fn meta(&mut self, meta: &Meta, span: Span) {
        for attribute in &meta.attributes {
            if attribute.name.text(self.context.text) == "allow" {
                let scope = Span::new(attribute.span.start, span.end);
                self.found.extend(self.allowance(attribute, scope));
            }
        }
    }

    fn allowance(&self, attribute: &Attribute, scope: Span) -> Option<Allowance> {
        let [rule, rest @ ..] = &*attribute.arguments else { return None };
        let string = |value: &Expr| match value {
            Expr::Literal(literal) => Some(text::literal_value(self.context.text, *literal)),
            _ => None,
        };
        let until = rest.iter().find(|argument| argument.name.is_some()).and_then(|argument| string(&argument.value));
        let span = rule.value.span();
        Some(Allowance {
            place: self.context.place(attribute.span),
            rule: span.text(self.context.text).to_owned(),
            rule_place: self.context.place(span),
            scope: scope.shifted(self.context.start),
            until: until.and_then(|until| Day::new(&until)),
            // The language demands one.
            has_reason: true,
            is_used: false,
        })
    }

    fn inside(&mut self, kind: &ItemKind) {
        match kind {
            ItemKind::Type(it) => self.body(&it.body),
            ItemKind::Error(it) => self.body(&it.body),
            ItemKind::Event(it) => self.body(&it.body),
            ItemKind::Enum(it) => it.values.iter().for_each(|value| self.meta(&value.meta, value.span)),
            ItemKind::Union(it) => {
                for variant in &it.variants {
                    self.meta(&variant.meta, variant.span);
                    self.ty(&variant.ty);
                }
            }
            ItemKind::Tool(it) => self.signature(&it.parameters, it.output.as_ref()),
            ItemKind::Agent(it) => self.signature(&it.parameters, it.output.as_ref()),
            ItemKind::Prompt(it) => {
                self.fields(&it.parameters);
                it.hydrates.iter().for_each(|record| self.record(record));
            }
            ItemKind::Workflow(it) => {
                self.signature(&it.parameters, it.output.as_ref());
                it.nodes.iter().for_each(|node| self.meta(&node.meta, node.span));
            }
            ItemKind::Test(it) => self.branches(it),
            ItemKind::Import(_) | ItemKind::Toolkit(_) | ItemKind::Broken => {}
        }
    }

    /// Inner tests nest no deeper than brackets may.
    fn branches(&mut self, test: &Test) {
        for branch in test.branches() {
            self.meta(&branch.meta, branch.span);
            self.branches(&branch.test);
        }
    }

    fn signature(&mut self, parameters: &[Field], output: Option<&Type>) {
        self.fields(parameters);
        output.into_iter().for_each(|output| self.ty(output));
    }

    fn body(&mut self, body: &TypeBody) {
        match body {
            TypeBody::Record(record) => self.record(record),
            TypeBody::Alias(ty) => self.ty(ty),
            TypeBody::None => {}
        }
    }

    fn record(&mut self, record: &Record) {
        self.fields(&record.fields);
    }

    fn fields(&mut self, fields: &[Field]) {
        for field in fields {
            self.meta(&field.meta, field.span);
            self.ty(&field.ty);
        }
    }

    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::List(list) => self.ty(&list.item),
            Type::Map(map) => self.ty(&map.value),
            Type::Record(record) => self.record(record),
            Type::Union(union) => union.alternatives.iter().for_each(|alternative| self.ty(alternative)),
            Type::Parenthesized(inner) => self.ty(&inner.1),
            Type::Named(_) | Type::Literal(_) | Type::Optional(_) | Type::Missing(_) => {}
        }
    }
}

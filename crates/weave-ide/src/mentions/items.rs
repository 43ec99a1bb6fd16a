//! The words of declarations.

use weave_analysis::model::Lookup;
use weave_analysis::model::types::Scalar;
use weave_diagnostics::Span;
use weave_syntax::ast::{
    Attribute, Block, BlockEntry, Expr, Field, Import, ItemKind, Meta, Name, Record, Root, Setting, SettingValue, Type, TypeBody,
};

use super::{Role, Walk};
use crate::Symbol;

/// The settings whose values name declarations.
const NAMING: [&str; 4] = ["tools", "prompt", "fails", "on"];

impl<'a> Walk<'a> {
    pub(super) fn item(&mut self) {
        let item = &self.item.slot.parsed.item;
        self.meta(&item.meta);
        match &item.kind {
            ItemKind::Import(it) => self.import(it),
            ItemKind::Type(it) => {
                self.declares(it.name.span);
                self.body(&it.body);
            }
            ItemKind::Enum(it) => {
                self.declares(it.name.span);
                for value in &it.values {
                    self.meta(&value.meta);
                    self.member(value.name.span);
                    if let Some(Expr::Literal(wire)) = &value.wire {
                        let place = self.place(value.name.span);
                        self.note(wire.span, Symbol::Member(place), Role::Says);
                    }
                }
            }
            ItemKind::Union(it) => {
                self.declares(it.name.span);
                it.tag.iter().for_each(|tag| self.member(tag.span));
                for variant in &it.variants {
                    self.meta(&variant.meta);
                    self.member(variant.name.span);
                    self.ty(&variant.ty);
                }
            }
            ItemKind::Error(it) => {
                self.declares(it.name.span);
                self.body(&it.body);
            }
            ItemKind::Event(it) => {
                self.declares(it.topic.span);
                self.body(&it.body);
                it.answers.iter().for_each(|answer| self.topic(*answer, Role::Uses));
            }
            ItemKind::Tool(it) => self.callable(it.name, &it.parameters, it.output.as_ref(), it.settings.as_ref()),
            ItemKind::Toolkit(it) => self.callable(it.name, &[], None, it.settings.as_ref()),
            ItemKind::Prompt(it) => {
                self.callable(it.name, &it.parameters, None, None);
                it.hydrates.iter().for_each(|record| self.record(record));
            }
            ItemKind::Agent(it) => self.callable(it.name, &it.parameters, it.output.as_ref(), it.settings.as_ref()),
            ItemKind::Workflow(it) => {
                self.callable(it.name, &it.parameters, it.output.as_ref(), None);
                self.workflow(it);
            }
            ItemKind::Test(it) => self.test(it),
            ItemKind::Broken => {}
        }
    }

    fn callable(&mut self, name: Name, parameters: &'a [Field], output: Option<&'a Type>, settings: Option<&'a Block>) {
        self.declares(name.span);
        self.fields(parameters);
        output.into_iter().for_each(|output| self.ty(output));
        settings.into_iter().for_each(|block| self.block(block));
    }

    fn import(&mut self, import: &'a Import) {
        let Some(target) = self.analysis.imported_file(&self.item) else { return };
        if let Some(path) = import.path {
            self.note(path.span, Symbol::File(target), Role::Uses);
        }
        let Some(scope) = self.analysis.model().scope(target) else { return };
        for name in &import.names {
            let word = name.name.text(self.item.context.text);
            if let Lookup::Found(id) = scope.lookup(word, name.name.is_topic) {
                self.note(name.name.span, Symbol::Declaration(id), Role::Imports);
                if let Some(alias) = name.alias {
                    self.note(alias.span, Symbol::Declaration(id), Role::Imports);
                }
            }
        }
    }

    pub(super) fn meta(&mut self, meta: &'a Meta) {
        for attribute in &meta.attributes {
            if attribute.name.text(self.item.context.text) == "allow" {
                self.allowed(attribute);
            }
        }
    }

    fn allowed(&mut self, attribute: &'a Attribute) {
        if let Some(Expr::Path(path)) = attribute.arguments.first().map(|argument| &argument.value)
            && let Root::Name(name) = &path.root
        {
            let rule = self.text(name.span).to_owned();
            if weave_lint::find(&rule).is_some() {
                self.note(name.span, Symbol::Rule(rule), Role::Uses);
            }
        }
    }

    /// The name of a field, a value or a variant.
    fn member(&mut self, span: Span) {
        let place = self.place(span);
        self.note(span, Symbol::Member(place), Role::Declares);
    }

    fn body(&mut self, body: &'a TypeBody) {
        match body {
            TypeBody::Record(record) => self.record(record),
            TypeBody::Alias(ty) => self.ty(ty),
            TypeBody::None => {}
        }
    }

    fn record(&mut self, record: &'a Record) {
        self.fields(&record.fields);
    }

    fn fields(&mut self, fields: &'a [Field]) {
        for field in fields {
            self.meta(&field.meta);
            self.member(field.name.span);
            self.ty(&field.ty);
        }
    }

    /// A type. The parser bounds how deep brackets nest; what may follow one another without end is gone through in a loop.
    pub(super) fn ty(&mut self, ty: &'a Type) {
        let mut ty = ty;
        loop {
            ty = match ty {
                Type::List(list) => &list.item,
                Type::Optional(optional) => &optional.inner,
                Type::Parenthesized(inner) => &inner.1,
                Type::Map(map) => {
                    let name = self.text(map.name.span).to_owned();
                    self.note(map.name.span, Symbol::Type(name), Role::Uses);
                    &map.value
                }
                Type::Named(named) => return self.type_name(named.name),
                Type::Record(record) => return self.record(record),
                Type::Union(union) => return union.alternatives.iter().for_each(|alternative| self.ty(alternative)),
                Type::Literal(_) | Type::Missing(_) => return,
            };
        }
    }

    fn type_name(&mut self, name: Name) {
        let word = self.text(name.span);
        if Scalar::from_name(word).is_some() || word == "json" {
            self.note(name.span, Symbol::Type(word.to_owned()), Role::Uses);
        } else {
            self.name(name, Role::Uses);
        }
    }

    fn block(&mut self, block: &'a Block) {
        for entry in &block.entries {
            if let BlockEntry::Setting(setting) = entry {
                self.setting(setting);
            }
        }
    }

    pub(super) fn setting(&mut self, setting: &'a Setting) {
        match &setting.value {
            SettingValue::Value { value, block } => {
                if NAMING.contains(&self.text(setting.name.span)) {
                    self.named_values(value);
                }
                block.iter().for_each(|block| self.block(block));
            }
            SettingValue::Type(ty) => self.ty(ty),
            // Only the settings of `retry` and its like name something in a block; data does not.
            SettingValue::Block(_) | SettingValue::When { .. } | SettingValue::Example { .. } => {}
        }
    }

    /// A bare name, or a list of them.
    fn named_values(&mut self, value: &'a Expr) {
        match value {
            Expr::Path(path) => {
                if let (Root::Name(name), []) = (&path.root, &*path.segments) {
                    self.name(*name, Role::Uses);
                }
            }
            Expr::List(list) => list.items.iter().for_each(|item| self.named_values(&item.value)),
            _ => {}
        }
    }
}

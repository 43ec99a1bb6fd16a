//! Imports, enums, unions, events, prompts, and the settings of tools, toolkits and agents.

use weave_diagnostics::Span;

use super::values::Strings;
use super::{Pass, messages};
use crate::ast::{
    Block, BlockEntry, Dotted, Enum, Event, Expr, Import, LiteralKind, Name, Prompt, Root, Setting, SettingValue, Type, TypeBody, Union,
};
use crate::ast::{Field, Literal};
use crate::text;

/// Settings whose block holds settings.
const BLOCKS_OF_SETTINGS: [&str; 2] = ["retry", "deferred"];

/// Settings whose block holds data.
const BLOCKS_OF_DATA: [&str; 2] = ["meta", "via"];

/// Settings whose strings have placeholders.
const TEMPLATES: [&str; 3] = ["action", "system", "prompt"];

impl Pass<'_> {
    pub(super) fn import(&mut self, import: &Import) {
        if let Some(path) = import.path {
            self.literal(path, Strings::Plain);
            if import.names.is_empty() {
                self.report_shape(messages::empty_import(Span::new(0, path.span.end)));
            }
            self.import_path(path);
        }
    }

    fn import_path(&mut self, path: Literal) {
        let value = text::literal_value(self.text, path);
        let relative = value.starts_with("./") || value.starts_with("../");
        if relative && value.ends_with(".weave") && !value.contains('\\') {
            return;
        }
        self.report(messages::import_path(path.span, &value));
    }

    pub(super) fn enumeration(&mut self, declaration: &Enum) {
        self.entries(&declaration.values);
        let mut strings = true;
        for value in &declaration.values {
            self.meta(&value.meta);
            let Some(wire) = &value.wire else { continue };
            let Some(bare) = no_string(wire) else {
                self.constant(wire);
                continue;
            };
            // Once for an enum: who numbers its values numbers all of them.
            if std::mem::take(&mut strings) {
                let numbered = declaration.values.iter().filter_map(|value| {
                    let wire = value.wire.as_ref()?;
                    let is_number = matches!(wire, Expr::Literal(literal) if literal.kind == LiteralKind::Number);
                    is_number.then(|| (Span::new(value.name.span.end, wire.span().end), String::new()))
                });
                let numbered = numbered.collect::<Vec<_>>();
                self.report(messages::enum_value_not_a_string(wire.span(), bare.then(|| wire.span().text(self.text)), numbered));
            }
        }
        if declaration.values.is_empty() {
            self.empty_enum(declaration.name, "enum", "value");
        }
        let names = declaration.values.iter().map(|value| value.name).collect::<Vec<_>>();
        self.duplicates(&names, |pass, word, place, earlier| pass.report(messages::duplicate_enum_value(word, place, earlier)));
        if declaration.values.iter().any(|value| value.wire.is_some()) {
            self.duplicate_wires(declaration);
        }
    }

    /// Two values with one string on the wire; those with one name too have been reported.
    fn duplicate_wires(&mut self, declaration: &Enum) {
        let wires = declaration.values.iter().map(super::lists::Wire).collect::<Vec<_>>();
        let text = self.text;
        let named = |span: Span| !span.text(text).starts_with('"');
        self.duplicates(&wires, |pass, word, place, earlier| {
            if !(named(place) && named(earlier)) {
                pass.report(messages::duplicate_wire(word, place, earlier));
            }
        });
    }

    fn empty_enum(&mut self, name: Name, what: &str, part: &str) {
        if !name.is_missing() {
            self.report_shape(messages::empty_enum(name.span, name.text(self.text), what, part));
        }
    }

    pub(super) fn union(&mut self, declaration: &Union) {
        self.entries(&declaration.variants);
        if declaration.variants.is_empty() {
            self.empty_enum(declaration.name, "union", "variant");
        }
        for variant in &declaration.variants {
            self.meta(&variant.meta);
            self.key(variant.name);
            self.ty(&variant.ty);
        }
        self.duplicates(&declaration.variants, |pass, word, place, earlier| pass.report(messages::duplicate_variant(word, place, earlier)));
    }

    pub(super) fn event(&mut self, event: &Event) {
        self.topic(event.topic);
        self.type_body(&event.body);
        for answer in &event.answers {
            self.topic(*answer);
        }
        self.set(&event.answers);
    }

    pub(super) fn prompt(&mut self, prompt: &Prompt) {
        self.parameters(&prompt.parameters);
        if let Some(hydrates) = &prompt.hydrates {
            self.record(hydrates);
        }
        if let Some(text) = prompt.text {
            self.literal(text, Strings::Templates);
        }
    }

    pub(super) fn signature(&mut self, parameters: &[Field], output: Option<&Type>) {
        self.parameters(parameters);
        if let Some(output) = output {
            self.ty(output);
        }
    }

    pub(super) fn type_body(&mut self, body: &TypeBody) {
        match body {
            TypeBody::Record(record) => self.record(record),
            TypeBody::Alias(ty) => self.ty(ty),
            TypeBody::None => {}
        }
    }

    /// A place where only a topic may stand.
    pub(super) fn topic(&mut self, topic: Dotted) {
        if topic.is_missing(self.text) {
            return;
        }
        if topic.is_topic {
            self.dotted(topic);
        } else {
            self.report(messages::no_topic(topic.span, topic.text(self.text)));
        }
    }

    /// A name that is a topic if it has dots.
    pub(super) fn dotted(&mut self, name: Dotted) {
        let word = name.text(self.text);
        if !name.is_topic || name.is_missing(self.text) {
            return;
        }
        if !word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')) {
            let joined = word.chars().filter(|character| !character.is_whitespace()).collect::<String>();
            let clean = joined.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
            self.report(messages::blank_in_topic(name.span, clean.then_some(joined)));
        } else if !word.split('.').all(is_segment) {
            self.report(messages::bad_topic(name.span, word));
        }
    }

    /// The braces of a tool, a toolkit or an agent.
    pub(super) fn body(&mut self, block: Option<&Block>) {
        let Some(block) = block else { return };
        self.entries(&block.entries);
        for entry in &block.entries {
            match entry {
                BlockEntry::Setting(setting) => self.setting(setting),
                BlockEntry::Data(entry) => {
                    self.setting_value(&entry.value, Strings::Plain);
                    self.colon(entry);
                }
            }
        }
    }

    fn colon(&mut self, entry: &crate::ast::Entry) {
        if !entry.key.quoted && !entry.key.is_missing() {
            let colon = Span::new(entry.key.span.end, entry.value.span().start);
            let only_colon = colon.text(self.text).trim() == ":";
            self.report_shape(messages::setting_with_colon(entry.key.span, entry.key.span.text(self.text), only_colon.then_some(colon)));
        }
    }

    /// The colon between the name and the value of a setting, with the blanks around it.
    pub(super) fn colon_of(&self, setting: &Setting) -> Option<Span> {
        let SettingValue::Value { value, .. } = &setting.value else { return None };
        let between = Span::new(setting.name.span.end, value.span().start);
        (between.text(self.text).trim() == ":").then_some(between)
    }

    pub(super) fn setting(&mut self, setting: &Setting) {
        let name = setting.name.text(self.text);
        let strings = if TEMPLATES.contains(&name) { Strings::Templates } else { Strings::Plain };
        match &setting.value {
            SettingValue::Value { value, block } => {
                self.setting_value(value, strings);
                if let Some(colon) = self.colon_of(setting) {
                    self.report_shape(messages::setting_with_colon(setting.name.span, name, Some(colon)));
                }
                if let Some(block) = block {
                    self.block(name, block);
                }
            }
            SettingValue::Block(block) => self.block(name, block),
            SettingValue::When { guard, .. } => self.guard(guard),
            SettingValue::Type(ty) => self.ty(ty),
            SettingValue::Example { input, output } => {
                self.constant(input);
                if let Some(output) = output {
                    self.constant(output);
                }
            }
        }
    }

    /// The block of a setting: settings in some, data in others, and never both.
    fn block(&mut self, name: &str, block: &Block) {
        self.entries(&block.entries);
        self.keys(&block.data().collect::<Vec<_>>());
        let holds_data = if BLOCKS_OF_SETTINGS.contains(&name) {
            false
        } else if BLOCKS_OF_DATA.contains(&name) {
            true
        } else {
            matches!(block.entries.first(), Some(BlockEntry::Data(_)))
        };
        for entry in &block.entries {
            match entry {
                BlockEntry::Setting(setting) => {
                    self.setting(setting);
                    if holds_data && !setting.name.is_missing() {
                        let end = setting.name.span.end;
                        self.report_shape(messages::data_without_colon(setting.name.span, setting.name.text(self.text), end));
                    }
                }
                BlockEntry::Data(entry) => {
                    self.key(entry.key);
                    if holds_data {
                        self.value(&entry.value, Strings::Plain);
                    } else {
                        self.setting_value(&entry.value, Strings::Plain);
                        self.colon(entry);
                    }
                }
            }
        }
    }
}

/// Whether a value that should be a string, and has not been reported for another reason, is none; and whether it is a bare name.
fn no_string(value: &Expr) -> Option<bool> {
    match value {
        Expr::Literal(literal) => (literal.kind != LiteralKind::String).then_some(false),
        Expr::List(_) | Expr::Object(_) => Some(false),
        Expr::Path(path) => (matches!(path.root, Root::Name(_)) && path.segments.is_empty()).then_some(true),
        _ => None,
    }
}

/// Whether a part of a topic is spelled as it should be.
fn is_segment(segment: &str) -> bool {
    segment.starts_with(|character: char| character.is_ascii_lowercase())
        && segment.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

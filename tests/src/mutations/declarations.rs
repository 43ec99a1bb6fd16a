//! Mutations of types, events, tools and agents.

use weave_diagnostics::Span;
use weave_syntax::ast::{Agent, Block, Event, Expr, Field, ItemKind, Setting, SettingValue, Tool, Type, TypeBody};

use super::Collector;

impl Collector<'_> {
    /// Mutations of what is no workflow.
    pub(super) fn declaration(&mut self, item: &ItemKind) {
        match item {
            ItemKind::Type(declaration) => self.type_body(&declaration.body),
            ItemKind::Error(declaration) => self.type_body(&declaration.body),
            ItemKind::Enum(declaration) => {
                let values = declaration.values.iter().map(|value| value.span).collect::<Vec<_>>();
                self.drop_each("drop a value of an enum", &values);
            }
            ItemKind::Union(union) => {
                let variants = union.variants.iter().map(|variant| variant.span).collect::<Vec<_>>();
                self.drop_each("drop a variant", &variants);
                union.variants.iter().for_each(|variant| self.widen(&variant.ty));
            }
            ItemKind::Event(event) => self.event(event),
            ItemKind::Tool(tool) => self.tool(tool),
            ItemKind::Agent(agent) => self.agent(agent),
            ItemKind::Toolkit(toolkit) => self.settings(toolkit.settings.as_ref()),
            _ => {}
        }
    }

    fn type_body(&mut self, body: &TypeBody) {
        match body {
            TypeBody::Record(record) => self.fields(&record.fields),
            TypeBody::Alias(ty) => self.widen(ty),
            _ => {}
        }
    }

    /// Fields and parameters.
    pub(super) fn fields(&mut self, fields: &[Field]) {
        for field in fields {
            let name = field.name.span;
            if field.optional.is_none() && field.default.is_none() {
                self.replace("make a field optional", Span::at(name.end), "?");
            }
            if let Some(default) = &field.default {
                self.drop("drop a default", Span::new(field.ty.span().end, default.span().end));
            }
            if !field.ty.span().text(self.text).contains("null") && field.default.is_none() {
                self.replace("make a field nullable", Span::at(field.ty.span().end), " | null");
            }
            self.widen(&field.ty);
        }
        if fields.iter().all(|field| field.meta.docs.is_empty() && field.meta.attributes.is_empty()) {
            let spans = fields.iter().map(|field| field.span).collect::<Vec<_>>();
            self.drop_each("drop a field", &spans);
        }
    }

    /// A type that admits more.
    pub(super) fn widen(&mut self, ty: &Type) {
        match ty {
            Type::Union(union)
                if union
                    .alternatives
                    .iter()
                    .all(|one| matches!(one, Type::Literal(literal) if literal.span.text(self.text).starts_with('"'))) =>
            {
                self.replace("widen literals to string", union.span, "string");
                let alternatives = union.alternatives.iter().map(Type::span).collect::<Vec<_>>();
                self.drop_each("drop a literal of a union", &alternatives);
            }
            Type::Named(named) => {
                if let Some(constraints) = &named.constraints {
                    self.replace("drop a constraint", constraints.span, "");
                }
            }
            Type::List(list) => {
                if let Some(constraints) = &list.constraints {
                    self.replace("drop a constraint", constraints.span, "");
                }
                self.widen(&list.item);
            }
            Type::Record(record) => self.fields(&record.fields),
            _ => {}
        }
    }

    fn event(&mut self, event: &Event) {
        self.type_body(&event.body);
        let answers = event.answers.iter().map(|answer| answer.span).collect::<Vec<_>>();
        if answers.len() > 1 {
            self.drop_each("drop an answer of a topic", &answers);
        } else if let Some(answer) = answers.first() {
            let arrow = self.text[..answer.start as usize].rfind("->").expect("answers stand behind an arrow") as u32;
            self.drop("drop an answer of a topic", Span::new(arrow, answer.end));
        }
        if let Some(external) = event.external {
            self.replace("drop external", Span::new(external.start, external.end + 1), "");
        }
    }

    fn tool(&mut self, tool: &Tool) {
        self.fields(&tool.parameters);
        if let Some(output) = &tool.output {
            self.widen(output);
        }
        self.settings(tool.settings.as_ref());
    }

    fn agent(&mut self, agent: &Agent) {
        self.fields(&agent.parameters);
        if let Some(output) = &agent.output {
            let arrow = self.text[..output.span().start as usize].rfind("->").expect("an output stands behind an arrow") as u32;
            self.drop("drop an agent's output", Span::new(arrow, output.span().end));
        }
        self.settings(agent.settings.as_ref());
    }

    fn settings(&mut self, block: Option<&Block>) {
        for setting in block.into_iter().flat_map(Block::settings) {
            self.setting(setting);
        }
    }

    /// A setting of a declaration, of a step or of a workflow.
    pub(super) fn setting(&mut self, setting: &Setting) {
        match setting.name.text(self.text) {
            "fails" => {
                self.drop("drop fails", setting.span);
                self.items("drop an error of fails", &setting.value);
            }
            "tools" => self.items("drop a tool", &setting.value),
            "hints" => self.items("drop a hint", &setting.value),
            "history" => self.items("drop a step of a history", &setting.value),
            "retry" => {
                self.drop("drop a retry", setting.span);
                if let SettingValue::Value { block: Some(block), .. } = &setting.value {
                    self.settings(Some(block));
                }
            }
            "on" => self.items("drop a failure of a retry", &setting.value),
            "timeout" => self.drop("drop a timeout", setting.span),
            "approval" => self.drop("drop an approval", setting.span),
            "deferred" => self.drop("drop deferred", setting.span),
            "namespace" => self.drop("drop a namespace", setting.span),
            "prompt" => self.drop("drop a prompt", setting.span),
            "strict" => self.drop("drop strict", setting.span),
            _ => {}
        }
    }

    fn items(&mut self, kind: &'static str, value: &SettingValue) {
        let SettingValue::Value { value: Expr::List(list), .. } = value else { return };
        let span = |index: usize| {
            let item = &list.items[index];
            let start = item.value.span();
            item.alias.map_or(start, |alias| start.join(alias.span))
        };
        let spans = (0..list.items.len()).map(span).collect::<Vec<_>>();
        self.drop_each(kind, &spans);
    }
}

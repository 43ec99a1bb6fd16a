//! Faults of style put into programs: each is legal, means the same, and is found by a rule that has a safe fix.

use std::sync::Arc;

use weave_diagnostics::Span;
use weave_fix::Edits;
use weave_syntax::ast::{
    Action, BinaryOperator, Block, Condition, Expr, Field, Import, Item, ItemKind, Node, NodeBody, NodeKind, Root, Segment, Setting,
    StepEntry, Tool, ToolKind, TypeBody, Workflow,
};
use weave_syntax::parse;

use crate::random::Random;

/// How many of a hundred places get a fault.
const CHANCE: usize = 35;

/// The text with faults at random places, and how many of them.
#[must_use]
pub fn with_faults(text: &str, random: &mut Random) -> (String, usize) {
    let file = parse(Arc::from(text));
    let mut seeding = Seeding { text, start: 0, random, edits: Edits::default(), count: 0 };
    for slot in &file.items {
        seeding.start = slot.start;
        seeding.item(&slot.parsed.item);
    }
    let written = seeding.edits.apply(text).expect("what was parsed lies in the text");
    (written, seeding.count)
}

struct Seeding<'a> {
    text: &'a str,
    /// Where the item starts: the places in its tree count from there.
    start: u32,
    random: &'a mut Random,
    edits: Edits,
    count: usize,
}

impl Seeding<'_> {
    /// Puts a fault at a place, or does not.
    fn put(&mut self, span: Span, with: impl Into<String>) {
        let (span, with) = (span.shifted(self.start), with.into());
        if self.random.chance(CHANCE) && self.edits.has_room(span, &with) {
            self.edits.add(span, &with);
            self.count += 1;
        }
    }

    fn text(&self, span: Span) -> &str {
        span.shifted(self.start).text(self.text)
    }

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Import(import) => self.import(import, item.span),
            ItemKind::Type(it) => self.body(&it.body),
            ItemKind::Event(it) => self.body(&it.body),
            ItemKind::Enum(it) => {
                for value in it.values.iter().filter(|value| value.wire.is_none()) {
                    let wire = format!(" = \"{}\"", self.text(value.name.span));
                    self.put(Span::at(value.name.span.end), wire);
                }
            }
            ItemKind::Tool(tool) => self.tool(tool),
            ItemKind::Workflow(workflow) => self.workflow(workflow),
            _ => {}
        }
    }

    /// A name that is renamed to itself, and a list that is cut in two.
    fn import(&mut self, import: &Import, span: Span) {
        let Some(path) = import.path else { return };
        for imported in import.names.iter().filter(|imported| imported.alias.is_none()) {
            let name = self.text(imported.span).to_owned();
            if !name.contains('.') {
                self.put(Span::at(imported.span.end), format!(" as {name}"));
            }
        }
        if let [.., before, last] = &*import.names
            && self.random.chance(CHANCE)
        {
            let (cut, end) = (Span::new(before.span.end, last.span.end).shifted(self.start), Span::at(span.end).shifted(self.start));
            let second = format!("\nimport {{ {} }} from {}", self.text(last.span), self.text(path.span));
            if self.edits.has_room(cut, "") && self.edits.has_room(end, &second) {
                self.edits.add(cut, "");
                self.edits.add(end, &second);
                self.count += 1;
            }
        }
    }

    fn body(&mut self, body: &TypeBody) {
        if let TypeBody::Record(record) = body {
            self.fields(&record.fields);
        }
    }

    fn fields(&mut self, fields: &[Field]) {
        for field in fields {
            let (span, name) = (field.name.span, self.text(field.name.span).to_owned());
            let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if is_plain && field.meta.attributes.is_empty() {
                self.put(Span::at(span.start), format!("@wire(\"{name}\") "));
            }
        }
    }

    fn tool(&mut self, tool: &Tool) {
        let Some(block) = tool.settings.as_ref().filter(|_| tool.kind == ToolKind::Local) else { return };
        let settings: Vec<&Setting> = block.settings().collect();
        let has = |seeding: &Self, name: &str| settings.iter().any(|setting| seeding.text(setting.name.span) == name);
        for (name, value) in [("mode", "feedback"), ("activation", "always"), ("fails", "[]"), ("requires", "[]"), ("retry", "0")] {
            if !has(self, name) {
                self.setting(block, &format!("{name} {value}"));
            }
        }
    }

    fn setting(&mut self, block: &Block, setting: &str) {
        let separator = if self.text(block.span).contains('\n') { "\n  " } else { " " };
        let end = if separator == " " { "," } else { "" };
        self.put(Span::at(block.span.start + 1), format!("{separator}{setting}{end}"));
    }

    fn workflow(&mut self, workflow: &Workflow) {
        for node in &workflow.nodes {
            if node.on().is_none() {
                self.put(Span::at(node.name.span.end), " on start");
            }
            for trigger in node.on().into_iter().flat_map(|triggers| &triggers.items) {
                if let Some(Condition::When { guard, .. }) = &trigger.condition {
                    self.guard(guard);
                }
            }
            self.values(node);
        }
    }

    /// A condition that is written in a longer way.
    fn guard(&mut self, guard: &Expr) {
        let whole = self.text(guard.span()).to_owned();
        if let Expr::Binary(binary) = guard
            && let [(operator @ (BinaryOperator::Equal | BinaryOperator::NotEqual), span, _)] = &*binary.rest
            && self.random.chance(50)
        {
            let opposite = if *operator == BinaryOperator::Equal { "!=" } else { "==" };
            let (before, behind) = (Span::new(guard.span().start, span.start), Span::new(span.end, guard.span().end));
            let turned = format!("!({}{opposite}{})", self.text(before), self.text(behind));
            self.put(guard.span(), turned);
            return;
        }
        let longer = match self.random.below(7) {
            0 => format!("({whole})"),
            1 => format!("!!({whole})"),
            2 => format!("!(!({whole}))"),
            3 => format!("({whole}) == true"),
            4 => format!("false != ({whole})"),
            5 => format!("!(({whole}) == false)"),
            _ => format!("(({whole}))"),
        };
        self.put(guard.span(), longer);
    }

    /// Strings that hold one placeholder and nothing else.
    fn values(&mut self, node: &Node) {
        let mut open: Vec<&Expr> = match &node.body {
            NodeBody::Value(value) if node.kind != NodeKind::Fail => vec![value],
            NodeBody::Block { entries, .. } => entries.iter().filter_map(payload).collect(),
            _ => Vec::new(),
        };
        while let Some(value) = open.pop() {
            match value {
                Expr::Object(object) => open.extend(object.entries.iter().map(|entry| &entry.value)),
                Expr::List(list) => open.extend(list.items.iter().map(|item| &item.value)),
                Expr::Path(path) => {
                    let is_plain =
                        matches!(path.root, Root::Dot(_)) && path.segments.iter().all(|segment| matches!(segment, Segment::Field(_)));
                    if is_plain {
                        let placeholder = format!("\"{{{{{}}}}}\"", self.text(path.span));
                        self.put(path.span, placeholder);
                    }
                }
                _ => {}
            }
        }
    }
}

fn payload(entry: &StepEntry) -> Option<&Expr> {
    match entry {
        StepEntry::Action(Action::Invoke { payload, .. } | Action::Emit { payload, .. }) => payload.as_ref(),
        _ => None,
    }
}

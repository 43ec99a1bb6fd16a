//! The places for defects in the graph of a workflow, and in tools and agents.

use weave_diagnostics::Span;
use weave_syntax::ast::{
    Action, Block, Clause, Condition, Expr, ItemKind, Node, NodeBody, NodeKind, Setting, SettingValue, Source, StepEntry, Trigger, Wait,
    Workflow,
};

use super::Defect;

/// Finds the places for defects in an item.
pub(super) struct Finder<'a> {
    /// The text of the item, in which spans count.
    pub(super) text: &'a str,
    /// Where the item starts in the file.
    start: u32,
    found: &'a mut Vec<Defect>,
}

/// The defects of an item.
pub(super) fn item(kind: &ItemKind, text: &str, start: u32, found: &mut Vec<Defect>) {
    let mut finder = Finder { text, start, found };
    match kind {
        ItemKind::Workflow(workflow) => finder.workflow(workflow),
        ItemKind::Tool(tool) => finder.retry(tool.settings.as_ref()),
        ItemKind::Agent(agent) => finder.tools(agent.settings.as_ref()),
        _ => {}
    }
}

impl Finder<'_> {
    /// Another text in place of spans of the item, reported at one of the right places.
    pub(super) fn replace_all(&mut self, kind: &'static str, edits: Vec<(Span, String)>, right: &[Span]) {
        let edits = edits.into_iter().map(|(span, new)| (span.shifted(self.start), new)).collect();
        let right = right.iter().map(|span| span.shifted(self.start)).collect();
        self.found.push(Defect { kind, edits, right });
    }

    pub(super) fn replace(&mut self, kind: &'static str, span: Span, new: impl Into<String>, right: &[Span]) {
        self.replace_all(kind, vec![(span, new.into())], right);
    }

    /// Nothing in place of a span, and of the blanks before it.
    pub(super) fn remove(&mut self, kind: &'static str, span: Span, right: &[Span]) {
        let before = self.text[..span.start as usize].trim_end().len() as u32;
        self.replace(kind, Span::new(before, span.end), "", right);
    }

    fn settings<'b>(&self, block: Option<&'b Block>, name: &str) -> Option<&'b Setting> {
        block.into_iter().flat_map(Block::settings).find(|setting| setting.name.text(self.text) == name)
    }

    /// A tool that is tried again although it may do its work twice.
    fn retry(&mut self, block: Option<&Block>) {
        let (Some(retry), Some(hints)) = (self.settings(block, "retry"), self.settings(block, "hints")) else { return };
        let text = hints.span.text(self.text);
        // What cannot have been reached can be tried again by every tool.
        let only_unavailable = retry.span.text(self.text).contains("on [unavailable]");
        if (text.contains("idempotent") || text.contains("read_only")) && !only_unavailable {
            let right = block.map(|block| Span::new(0, block.span.end));
            self.remove("retry of a tool that is not idempotent", hints.span, right.as_slice());
        }
    }

    /// Two tools of an agent with one name.
    fn tools(&mut self, block: Option<&Block>) {
        let Some(Setting { value: SettingValue::Value { value: Expr::List(list), .. }, span, .. }) = self.settings(block, "tools") else {
            return;
        };
        let (span, items) = (*span, &list.items);
        for pair in items.windows(2) {
            let [first, second] = pair else { continue };
            let (first_span, second_span) = (first.value.span(), second.value.span());
            if first.alias.is_none() && second.alias.is_none() {
                let name = first_span.text(self.text).rsplit('.').next().unwrap_or_default().to_owned();
                self.replace("two tools with one name", Span::at(second_span.end), format!(" as {name}"), &[span]);
            }
        }
    }

    fn workflow(&mut self, workflow: &Workflow) {
        for node in &workflow.nodes {
            self.node(node);
            self.triggers(node, workflow);
            self.reads(node, workflow);
            if let NodeBody::Block { entries, .. } = &node.body {
                entries.iter().for_each(|entry| self.entry(node, entry, entries.len()));
            }
        }
        self.exclusive(workflow);
    }

    fn name<'t>(&'t self, node: &Node) -> &'t str {
        node.name.text(self.text)
    }

    /// A node with what is written about it.
    fn whole(node: &Node) -> Span {
        node.meta.docs.first().map_or(node.span, |docs| docs.join(node.span))
    }

    fn node(&mut self, node: &Node) {
        let whole = Self::whole(node);
        let triggers: &[Trigger] = node.on().map_or(&[], |triggers| &triggers.items);
        let chooses = triggers.iter().any(|trigger| trigger.condition.is_some());
        let handles = |source: &Source| matches!(source, Source::Failure { .. });
        let waits = |source: &Source| matches!(source, Source::Timeout { step: Some(_), .. });
        if node.kind != NodeKind::Step {
            if chooses {
                self.remove("node of a choice removed", whole, &[]);
            } else if !triggers.iter().any(|trigger| handles(&trigger.source) || waits(&trigger.source)) {
                self.remove("end removed", whole, &[]);
            }
        }
        if !triggers.is_empty() && triggers.iter().all(|trigger| handles(&trigger.source)) {
            self.remove("handling of a failure removed", whole, &[]);
        }
        if !triggers.is_empty() && triggers.iter().all(|trigger| waits(&trigger.source)) {
            self.remove("timeout removed", whole, &[]);
        }
        for clause in &node.clauses {
            if let Clause::Limit { span, .. } = clause {
                self.remove("loop without a bound", *span, &[node.span]);
            }
        }
    }

    fn triggers(&mut self, node: &Node, workflow: &Workflow) {
        let Some(triggers) = node.on() else { return };
        let mut right = vec![node.span];
        let heard: Vec<&str> = triggers.items.iter().flat_map(|trigger| self.heard(&trigger.source)).collect();
        right.extend(workflow.nodes.iter().filter(|other| heard.contains(&self.name(other))).map(|other| other.span));
        self.remove("trigger removed", triggers.span, &right);
        let spans: Vec<Span> = triggers.items.iter().map(|trigger| trigger.span).collect();
        for (index, trigger) in triggers.items.iter().enumerate() {
            // The step that is no longer heard is a right place, too.
            let mut right = vec![node.span];
            let heard = self.heard(&trigger.source);
            right.extend(workflow.nodes.iter().filter(|other| heard.contains(&self.name(other))).map(|other| other.span));
            if spans.len() > 1 {
                let span = match (spans.get(index + 1), index.checked_sub(1)) {
                    (Some(next), _) => Span::new(spans[index].start, next.start),
                    (None, before) => Span::new(before.map_or(spans[index].start, |before| spans[before].end), spans[index].end),
                };
                self.replace("one of several triggers removed", span, "", &right);
            }
            self.trigger(node, trigger, workflow, &right);
        }
    }

    /// The names that a source listens to.
    fn heard(&self, source: &Source) -> Vec<&str> {
        match source {
            Source::Name(name) => vec![name.span.text(self.text)],
            Source::From { step, .. } | Source::Failure { step } | Source::Timeout { step: Some(step), .. } => vec![step.text(self.text)],
            Source::All { steps } | Source::Settled { steps } | Source::Count { steps, .. } => {
                steps.iter().map(|step| step.text(self.text)).collect()
            }
            Source::Timeout { step: None, .. } => Vec::new(),
        }
    }

    fn trigger(&mut self, node: &Node, trigger: &Trigger, workflow: &Workflow, right: &[Span]) {
        match &trigger.condition {
            Some(Condition::Else(span)) => self.remove("else removed", *span, right),
            Some(Condition::When { guard, .. }) => {
                let edits = vec![(Span::at(guard.span().start), "!(".to_owned()), (Span::at(guard.span().end), ")".to_owned())];
                self.replace_all("guard negated", edits, right);
                self.guard(guard, right);
            }
            None => {}
        }
        match &trigger.source {
            Source::Name(name) if name.is_topic => {
                self.replace("topic misspelled", Span::at(name.span.end), "x", right);
            }
            Source::Name(name) => {
                let heard = name.span.text(self.text).to_owned();
                let others: Vec<String> = workflow
                    .nodes
                    .iter()
                    .filter(|other| other.kind == NodeKind::Step && self.name(other) != heard && self.name(other) != self.name(node))
                    .map(|other| self.name(other).to_owned())
                    .collect();
                let is_step = workflow.nodes.iter().any(|other| other.kind == NodeKind::Step && self.name(other) == heard);
                if is_step {
                    for other in others.into_iter().take(2) {
                        self.replace("another step in a trigger", name.span, other, right);
                    }
                    let own = self.name(node).to_owned();
                    if node.on().is_some_and(|triggers| triggers.items.len() == 1) {
                        self.replace("node that follows itself", name.span, own, right);
                    }
                }
            }
            Source::From { what, .. } if what.is_topic => {
                self.replace("topic misspelled", Span::at(what.span.end), "x", right);
            }
            Source::All { steps } | Source::Settled { steps } | Source::Count { steps, .. } if steps.len() > 2 => {
                let (before, last) = (steps[steps.len() - 2].span, steps[steps.len() - 1].span);
                self.replace("member of a join removed", Span::new(before.end, last.end), "", right);
                self.replace("member of a join removed", Span::new(steps[0].span.start, steps[1].span.start), "", right);
            }
            _ => {}
        }
    }

    /// A node that joins the two branches of a choice, which never both happen.
    fn exclusive(&mut self, workflow: &Workflow) {
        let only = |node: &Node| match node.on().map(|triggers| &*triggers.items) {
            Some([Trigger { source: Source::Name(name), condition: Some(condition), .. }]) => {
                Some((name.span.text(self.text).to_owned(), matches!(condition, Condition::Else(_))))
            }
            _ => None,
        };
        let steps = workflow.nodes.iter().filter(|node| node.kind == NodeKind::Step);
        let branches: Vec<_> = steps.filter_map(|node| only(node).map(|(source, is_else)| (node, source, is_else))).collect();
        let mut pairs = Vec::new();
        for (one, source, is_else) in &branches {
            for (other, of, other_is_else) in &branches {
                if source == of && !is_else && *other_is_else {
                    pairs.push((self.name(one).to_owned(), self.name(other).to_owned()));
                }
            }
        }
        for node in &workflow.nodes {
            let Some([Trigger { source: Source::Name(name), condition: None, .. }]) = node.on().map(|triggers| &*triggers.items) else {
                continue;
            };
            let heard = name.span.text(self.text);
            if let Some((one, other)) = pairs.iter().find(|(one, other)| one == heard || other == heard) {
                self.replace("join of exclusive branches", name.span, format!("all({one}, {other})"), &[node.span]);
            }
        }
    }

    fn entry(&mut self, node: &Node, entry: &StepEntry, count: usize) {
        let StepEntry::Action(action) = entry else { return };
        match action {
            Action::Invoke { payload, .. } => payload.iter().for_each(|payload| self.payload(node, payload)),
            Action::Emit { topic, payload, .. } => {
                self.replace("topic misspelled", Span::at(topic.span.end), "x", &[node.span]);
                payload.iter().for_each(|payload| self.payload(node, payload));
            }
            Action::Wait { wait: Wait::Topics { topics, guard }, .. } => {
                if let Some(last) = topics.last() {
                    self.replace("topic misspelled", Span::at(last.span.end), "x", &[node.span]);
                    if let Some(guard) = guard {
                        self.remove("condition of a mailbox removed", Span::new(last.span.end, guard.span().end), &[node.span]);
                    }
                }
            }
            Action::Cancel { span, .. } if count > 1 => self.remove("cancel removed", *span, &[node.span]),
            _ => {}
        }
    }
}

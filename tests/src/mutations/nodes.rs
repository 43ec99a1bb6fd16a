//! Mutations of the graph.

use weave_diagnostics::Span;
use weave_syntax::ast::{
    Action, Clause, Condition, Each, Name, Node, NodeBody, NodeKind, Source, StepEntry, Target, Trigger, Triggers, Wait, Workflow,
};

use super::Collector;

impl Collector<'_> {
    /// Mutations of a workflow.
    pub(super) fn workflow(&mut self, workflow: &Workflow) {
        self.fields(&workflow.parameters);
        workflow.settings.iter().for_each(|setting| self.setting(setting));
        let steps = workflow.nodes.iter().filter(|node| node.kind == NodeKind::Step);
        let steps = steps.map(|node| node.name.text(self.text).to_owned()).collect::<Vec<_>>();
        for node in &workflow.nodes {
            self.node(node, &steps);
        }
    }

    fn node(&mut self, node: &Node, steps: &[String]) {
        let start = node.meta.docs.first().map_or(node.span, |docs| docs.join(node.span));
        self.drop(if node.kind == NodeKind::Step { "drop a step" } else { "drop an end" }, start);
        for clause in &node.clauses {
            match clause {
                Clause::On(triggers) => {
                    self.triggers(triggers, steps);
                    self.drop("drop an edge", triggers.span);
                }
                Clause::Limit { span, .. } => self.drop("drop a limit", *span),
                Clause::Each(each) => self.each(each, steps),
            }
        }
        match &node.body {
            NodeBody::Block { entries, .. } => entries.iter().for_each(|entry| self.entry(entry, steps)),
            NodeBody::Value(value) => self.value(value, steps),
            NodeBody::None => {}
        }
    }

    fn each(&mut self, each: &Each, steps: &[String]) {
        self.value(&each.list, steps);
        let mut behind = each.variable.span.end;
        for (kind, bound) in [("drop parallel", &each.parallel), ("drop min", &each.min)] {
            if let Some(bound) = bound {
                self.drop(kind, Span::new(behind, bound.span().end));
                behind = bound.span().end;
            }
        }
    }

    fn triggers(&mut self, triggers: &Triggers, steps: &[String]) {
        let spans = triggers.items.iter().map(|trigger| trigger.span).collect::<Vec<_>>();
        self.drop_each("drop a trigger", &spans);
        triggers.items.iter().for_each(|trigger| self.trigger(trigger, steps));
    }

    fn trigger(&mut self, trigger: &Trigger, steps: &[String]) {
        match &trigger.condition {
            Some(Condition::Else(otherwise)) => self.drop("drop an else", *otherwise),
            Some(Condition::When { also, guard }) => {
                let behind = self.source_end(&trigger.source);
                self.drop("drop a guard", Span::new(behind, trigger.span.end));
                self.replace_all(
                    "negate a guard",
                    vec![(Span::at(guard.span().start), "!(".to_owned()), (Span::at(guard.span().end), ")".to_owned())],
                );
                if let Some(also) = also {
                    self.drop("drop also", *also);
                }
                self.guard(guard, steps);
            }
            None => {}
        }
        self.source(&trigger.source, steps);
    }

    /// Where the condition of a trigger begins, or its end.
    fn source_end(&self, source: &Source) -> u32 {
        let last = match source {
            Source::Name(name) => return name.span.end,
            Source::From { step, .. } => return step.span.end,
            Source::All { steps } | Source::Settled { steps } | Source::Count { steps, .. } => steps.last().map(|step| step.span),
            Source::Failure { step } => Some(step.span),
            Source::Timeout { after, .. } => Some(after.span()),
        };
        let inside = last.map_or(0, |span| span.end);
        inside + self.text[inside as usize..].find(')').map_or(0, |at| at as u32 + 1)
    }

    fn source(&mut self, source: &Source, steps: &[String]) {
        match source {
            Source::Name(name) => self.swap(name.span, steps),
            Source::From { what, step } => {
                self.drop("drop from", Span::new(what.span.end, step.span.end));
                self.swap(step.span, steps);
            }
            Source::All { steps: members } => {
                self.members(members, steps);
                self.join_word(members, "all", "settled");
            }
            Source::Settled { steps: members } => {
                self.members(members, steps);
                self.join_word(members, "settled", "all");
            }
            Source::Count { count, steps: members } => {
                self.members(members, steps);
                let number = count.span.text(self.text).parse::<u32>().unwrap_or_default();
                self.replace("change a join's count", count.span, (number + 1).to_string());
                self.replace("change a join's count", count.span, (number.saturating_sub(1)).to_string());
            }
            Source::Failure { step } => self.swap(step.span, steps),
            Source::Timeout { step, .. } => {
                if let Some(step) = step {
                    self.swap(step.span, steps);
                }
            }
        }
    }

    fn members(&mut self, members: &[Name], steps: &[String]) {
        let spans = members.iter().map(|member| member.span).collect::<Vec<_>>();
        self.drop_each("drop a member of a join", &spans);
        spans.into_iter().for_each(|span| self.swap(span, steps));
    }

    fn join_word(&mut self, members: &[Name], word: &str, other: &str) {
        let Some(first) = members.first() else { return };
        let start = self.text[..first.span.start as usize].rfind(word).expect("the word stands before the members") as u32;
        self.replace("change the kind of a join", Span::new(start, start + word.len() as u32), other);
    }

    /// Another step in place of a step.
    pub(super) fn swap(&mut self, span: Span, steps: &[String]) {
        if let Some(other) = Self::next_of(span, self.text, steps) {
            self.replace("swap a step", span, other);
        }
    }

    fn entry(&mut self, entry: &StepEntry, steps: &[String]) {
        match entry {
            StepEntry::Action(Action::Invoke { target, name, payload, .. }) => {
                let names = match target {
                    Target::Agent => &self.names.agents,
                    Target::Tool => &self.names.tools,
                    Target::Workflow => &self.names.workflows,
                };
                if let Some(other) = Self::next_of(name.span, self.text, names) {
                    self.replace("invoke something else", name.span, other);
                }
                let shorter = &name.text(self.text)[..name.text(self.text).len() - 1];
                self.replace("misspell a name", name.span, shorter.to_owned());
                payload.iter().for_each(|payload| self.value(payload, steps));
            }
            StepEntry::Action(Action::Emit { payload, .. }) => payload.iter().for_each(|payload| self.value(payload, steps)),
            StepEntry::Action(Action::Wait { wait, .. }) => self.wait(wait, steps),
            StepEntry::Action(Action::Cancel { steps: cancelled, .. }) => {
                let spans = cancelled.iter().map(|step| step.span).collect::<Vec<_>>();
                self.drop_each("cancel fewer steps", &spans);
                spans.into_iter().for_each(|span| self.swap(span, steps));
            }
            StepEntry::Setting(setting) => self.setting(setting),
        }
    }

    fn wait(&mut self, wait: &Wait, steps: &[String]) {
        match wait {
            Wait::For(value) | Wait::Until(value) => self.value(value, steps),
            Wait::Topics { topics, guard } => {
                let spans = topics.iter().map(|topic| topic.span).collect::<Vec<_>>();
                self.drop_each("drop a topic of a mailbox", &spans);
                if let (Some(guard), Some(last)) = (guard, spans.last()) {
                    self.drop("drop a mailbox's guard", Span::new(last.end, guard.span().end));
                    self.guard(guard, steps);
                }
            }
        }
    }
}

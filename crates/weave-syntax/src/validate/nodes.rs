//! Workflows and their nodes.

use weave_diagnostics::{Span, closest};

use super::values::{Strings, unwrapped};
use super::{Pass, messages};
use crate::TokenKind;
use crate::ast::{
    Action, Clause, Condition, Each, Expr, Literal, LiteralKind, Node, NodeBody, NodeKind, Root, Segment, Setting, StepEntry, Wait,
    Workflow,
};
use crate::messages::{next_word, no_such_word};
use crate::text::{self, Number};

impl Pass<'_> {
    pub(super) fn workflow(&mut self, workflow: &Workflow) {
        self.signature(&workflow.parameters, workflow.output.as_ref());
        for setting in &workflow.settings {
            self.setting(setting);
        }
        for pair in workflow.settings.windows(2) {
            if let [before, behind] = pair {
                self.separation(before.span, behind.span.start);
            }
        }
        self.settings_behind_nodes(workflow);
        for node in &workflow.nodes {
            self.node(node);
        }
    }

    fn settings_behind_nodes(&mut self, workflow: &Workflow) {
        let Some(first) = workflow.nodes.first() else { return };
        for setting in workflow.settings.iter().filter(|setting| setting.span.start > first.span.start) {
            if self.misread_setting(workflow, setting) {
                continue;
            }
            let moved = self.moved_before(setting, first);
            self.report_shape(messages::setting_behind_node(setting.span, setting.name.text(self.text), self.head(first.span), moved));
        }
    }

    /// Reports what is no setting: `step s = call t { … }`, `goto b`, `return .x`.
    fn misread_setting(&mut self, workflow: &Workflow, setting: &Setting) -> bool {
        let before = workflow.nodes.iter().rev().find(|node| node.span.end <= setting.span.start);
        let beside = before.filter(|node| !self.between(node.span.end, setting.span.start).contains('\n'));
        let word = setting.name.text(self.text);
        if let Some(Node { kind: NodeKind::Step, name, span, body: NodeBody::Value(Expr::Path(path)), .. }) = beside
            && matches!(path.root, Root::Name(_))
            && matches!(path.span.text(self.text), "ask" | "call" | "run" | "emit" | "wait")
        {
            let action = Span::new(path.span.start, setting.span.end);
            let sign = self.between(span.start, path.span.start).rfind('=').map(|at| span.start + at as u32);
            self.report_shape(messages::action_as_value(action, sign, action.text(self.text), name.text(self.text)));
        } else if let (Some(node), "return") =
            (beside.filter(|node| node.kind == NodeKind::End && matches!(node.body, NodeBody::None)), word)
        {
            self.report_shape(messages::return_as_output(setting.name.span, node.name.text(self.text)));
        } else if let Some(help) = next_word(word) {
            self.report_shape(no_such_word(setting.name.span, word).help(help));
        } else if let (Some(_), Some(meant)) = (beside, closest(word, ["on", "when", "else", "limit", "each"])) {
            self.report_shape(no_such_word(setting.name.span, word).help(format!("did you mean `{meant}`?")));
        } else {
            return false;
        }
        self.misread = true;
        true
    }

    /// The edits that put a setting before the first node.
    fn moved_before(&self, setting: &Setting, first: &Node) -> Option<Vec<(Span, String)>> {
        let before = self.text.get(..setting.span.start as usize)?;
        let line = before.rfind('\n')? + 1;
        let behind = self.text.get(setting.span.end as usize..)?;
        let line_end = behind.find('\n')?;
        // Only a setting that has its lines for itself.
        let alone = before.get(line..)?.trim().is_empty() && matches!(behind.get(..line_end)?.trim(), "" | ",");
        let target = first.meta.docs.first().map_or(first.span.start, |doc| doc.start);
        let target = first.meta.attributes.first().map_or(target, |attribute| target.min(attribute.span.start));
        let indentation = before.get(line..)?;
        let removed = Span::new(line as u32, setting.span.end + line_end as u32 + 1);
        let inserted = format!("{}\n{indentation}", setting.span.text(self.text));
        alone.then(|| vec![(Span::at(target), inserted), (removed, String::new())])
    }

    fn node(&mut self, node: &Node) {
        self.meta(&node.meta);
        self.clauses(node);
        match &node.body {
            NodeBody::Block { span, entries } if node.kind == NodeKind::Step => self.step_block(node, entries),
            NodeBody::Block { span, entries } => self.block_on_end(node, *span, entries),
            NodeBody::Value(value) => {
                self.value(value, Strings::Templates);
                if node.kind == NodeKind::Fail {
                    self.fail_message(value);
                }
                self.assignment_in_guard(node, value);
            }
            NodeBody::None if node.kind == NodeKind::Step => self.missing_action(node),
            NodeBody::None => {}
        }
    }

    /// A step whose action is misspelt reads like one with a setting and no action.
    fn misspelt_action(&mut self, node: &Node, entries: &[StepEntry]) {
        const ACTIONS: [&str; 6] = ["ask", "call", "run", "emit", "wait", "cancel"];
        let mut settings = entries.iter().filter_map(|entry| if let StepEntry::Setting(setting) = entry { Some(setting) } else { None });
        // `await` is near to `wait`, and means what `ask`, `call` and `run` do.
        if let Some(setting) = settings.clone().find(|setting| setting.name.text(self.text) == "await") {
            self.report_shape(messages::no_await(setting.name.span));
            self.misread = true;
            return;
        }
        let similar =
            settings.by_ref().map(|setting| setting.name.span).find_map(|span| Some((span, closest(span.text(self.text), ACTIONS)?)));
        match similar {
            Some((span, meant)) => {
                self.report_shape(messages::misspelt_action(span, span.text(self.text), meant));
                self.misread = true;
            }
            None => self.missing_action(node),
        }
    }

    fn missing_action(&mut self, node: &Node) {
        if !node.name.is_missing() {
            let what = Span::new(node.span.start, node.name.span.end);
            self.report_shape(messages::missing_action(what, node.name.text(self.text)));
        }
    }

    // ---- Clauses -------------------------------------------------------------------------------------------------------

    fn clauses(&mut self, node: &Node) {
        let (mut on, mut limit, mut each) = (None, None, None);
        for clause in &node.clauses {
            let (name, first) = match clause {
                Clause::On(triggers) => {
                    self.triggers(triggers);
                    ("on", &mut on)
                }
                Clause::Limit { count, .. } => {
                    self.count(count, "limit", 1);
                    ("limit", &mut limit)
                }
                Clause::Each(clause) => {
                    self.each(clause);
                    self.misplaced_each(node, clause);
                    ("each", &mut each)
                }
            };
            let head = self.head(clause.span());
            match first {
                Some(first) => self.report(messages::duplicate_clause(name, head, *first)),
                None => *first = Some(head),
            }
        }
    }

    fn each(&mut self, each: &Each) {
        if let Some(word) = each.inverted {
            let whole = Span::new(each.variable.span.start, each.list.span().end);
            let (variable, list) = (each.variable.text(self.text), each.list.span().text(self.text));
            let mended = (!variable.is_empty() && !list.is_empty()).then(|| format!("{list} as {variable}"));
            if !word.is_empty() {
                self.report(messages::each_in(whole, mended));
            }
        }
        match unwrapped(&each.list) {
            Expr::Path(path) if matches!(path.root, Root::Expr(_)) || path.segments.iter().any(|it| matches!(it, Segment::Call { .. })) => {
                self.report(messages::each_without_path(each.list.span()));
            }
            Expr::Path(path) => self.path_shape(path),
            Expr::Missing(_) => {}
            _ => self.report(messages::each_without_path(each.list.span())),
        }
        for (count, name, least) in [(&each.parallel, "parallel", 1), (&each.min, "min", 0)] {
            if let Some(count) = count {
                self.count(count, name, least);
            }
        }
        self.duplicate_options(each);
    }

    /// `parallel` or `min` twice: the tree keeps the first one, so the text is asked.
    fn duplicate_options(&mut self, each: &Each) {
        let first = [&each.parallel, &each.min].into_iter().flatten().map(|count| count.span().start).min();
        let Some(first) = first else { return };
        let start = if each.inverted.is_some() { each.list.span().end } else { each.variable.span.end };
        let options = Span::new(start.min(first), each.span.end);
        let text = options.text(self.text);
        for (word, kind) in [("parallel", TokenKind::Parallel), ("min", TokenKind::Min)] {
            if text.matches(word).nth(1).is_none() {
                continue;
            }
            let tokens = crate::lex(text);
            let mut places = tokens.iter().filter(|token| token.kind == kind).map(|token| token.span.shifted(options.start));
            if let (Some(first), Some(second)) = (places.next(), places.next()) {
                self.report(messages::duplicate_clause(word, second, first));
            }
        }
    }

    fn misplaced_each(&mut self, node: &Node, each: &Each) {
        let what = match (node.kind, &node.body) {
            (NodeKind::End, _) => "an `end`",
            (NodeKind::Fail, _) => "a `fail`",
            (NodeKind::Step, NodeBody::Value(_)) => "a step with a value",
            (NodeKind::Step, _) => return,
        };
        self.report(messages::misplaced_each(self.head(each.span), what));
    }

    /// A whole number that is at least `least`.
    pub(super) fn count(&mut self, count: &Expr, name: &str, least: i64) {
        if let Expr::Literal(Literal { span, kind: LiteralKind::Number }) = count
            && !span.is_empty()
        {
            let raw = span.text(self.text);
            if !matches!(text::number(raw), Ok(Number::Integer(number)) if (least..=i64::from(u32::MAX)).contains(&number)) {
                self.report(messages::bad_count(*span, raw, name, least));
            }
        }
    }

    // ---- Bodies --------------------------------------------------------------------------------------------------------

    fn step_block(&mut self, node: &Node, entries: &[StepEntry]) {
        let mut actions = Vec::new();
        for entry in entries {
            match entry {
                StepEntry::Setting(setting) => self.setting(setting),
                StepEntry::Action(action) => {
                    self.action(action);
                    actions.push(action.span());
                }
            }
        }
        let settings = entries.iter().filter_map(|entry| if let StepEntry::Setting(setting) = entry { Some(setting) } else { None });
        for setting in settings {
            let word = setting.name.text(self.text);
            if let Some(help) = next_word(word) {
                self.report_shape(no_such_word(setting.name.span, word).help(help));
                self.misread = true;
                return;
            }
        }
        let several = actions.len() > 1;
        match actions.as_slice() {
            // The entries are then most likely not what they look like, such as a misspelt action.
            [] => return self.misspelt_action(node, entries),
            [first, second, ..] => {
                self.report_shape(messages::several_actions(self.head(*second), self.head(*first), node.name.text(self.text)));
            }
            _ => {}
        }
        // That they are not separated is the least that is wrong with several actions.
        if !several {
            self.entries(entries);
        }
    }

    fn block_on_end(&mut self, node: &Node, block: Span, entries: &[StepEntry]) {
        let mut has_action = false;
        let mut is_value = !entries.is_empty();
        for entry in entries {
            match entry {
                StepEntry::Setting(setting) => is_value &= self.colon_of(setting).is_some(),
                StepEntry::Action(_) => (has_action, is_value) = (true, false),
            }
        }
        let place = Span::new(node.span.start, node.name.span.end);
        let fix = is_value && node.kind == NodeKind::End;
        self.report_shape(messages::block_on_end(node.kind == NodeKind::Fail, has_action, place, self.head(block), fix));
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Invoke { payload, .. } => self.payload(payload.as_ref()),
            Action::Emit { topic, payload, .. } => {
                if topic.is_topic || topic.is_missing(self.text) {
                    self.dotted(*topic);
                } else {
                    self.report(messages::emit_without_topic(topic.span, topic.text(self.text)));
                }
                self.payload(payload.as_ref());
            }
            Action::Wait { wait, .. } => self.wait(wait),
            Action::Cancel { steps, .. } => self.set(steps),
        }
    }

    fn payload(&mut self, payload: Option<&Expr>) {
        if let Some(payload) = payload {
            self.value(payload, Strings::Templates);
        }
    }

    fn wait(&mut self, wait: &Wait) {
        match wait {
            Wait::For(value) | Wait::Until(value) => self.value(value, Strings::Plain),
            Wait::Topics { topics, guard } => {
                for topic in topics {
                    if topic.is_topic || topic.is_missing(self.text) {
                        self.dotted(*topic);
                    } else {
                        self.report(messages::wait_without_topic(topic.span, topic.text(self.text)));
                    }
                }
                self.set(topics);
                if let Some(guard) = guard {
                    self.guard(guard);
                }
            }
        }
    }

    fn fail_message(&mut self, message: &Expr) {
        match unwrapped(message) {
            Expr::Literal(literal) if matches!(literal.kind, LiteralKind::String | LiteralKind::TextBlock) => {}
            Expr::Missing(_) | Expr::Unary(_) | Expr::Binary(_) => {}
            Expr::Path(path) => {
                let raw = path.span.text(self.text);
                let plain = matches!(path.root, Root::Dot(_)) && !raw.contains(['(', '"', '\n']);
                self.report(messages::fail_message(path.span, plain.then(|| format!("\"{{{{{raw}}}}}\""))));
            }
            Expr::Coalesce(coalesce) => {
                let raw = coalesce.span.text(self.text);
                self.report(messages::fail_message(coalesce.span, (!raw.contains('\n')).then(|| format!("\"{{{{{raw}}}}}\""))));
            }
            other => self.report(messages::fail_message(other.span(), None)),
        }
    }

    /// `when .ok = true`: most likely a comparison was meant.
    fn assignment_in_guard(&mut self, node: &Node, value: &Expr) {
        let Expr::Literal(Literal { span: output, kind: LiteralKind::True | LiteralKind::False }) = value else { return };
        let Some(Clause::On(triggers)) = node.clauses.last() else { return };
        let Some(Condition::When { guard, .. }) = triggers.items.last().and_then(|trigger| trigger.condition.as_ref()) else { return };
        let Some(last) = last_operand(guard) else { return };
        let sign = Span::new(triggers.span.end, output.start);
        let Some(at) = sign.text(self.text).find('=') else { return };
        let sign = Span::new(sign.start + at as u32, sign.start + at as u32 + 1);
        self.report(messages::assignment_in_guard(sign, last, last.text(self.text), *output, output.text(self.text)));
    }
}

/// The path that a guard ends in, if it is a plain one that is not compared with anything.
fn last_operand(guard: &Expr) -> Option<Span> {
    let mut guard = guard;
    loop {
        guard = match guard {
            Expr::Unary(unary) => &unary.operand,
            Expr::Binary(binary) => {
                let (operator, _, operand) = binary.rest.last()?;
                if operator.precedence() >= crate::ast::BinaryOperator::Equal.precedence() {
                    return None;
                }
                operand
            }
            Expr::Path(path) => {
                let called = path.segments.iter().any(|segment| matches!(segment, Segment::Call { .. }));
                return (matches!(path.root, Root::Dot(_)) && !called).then_some(path.span);
            }
            _ => return None,
        };
    }
}

//! What steps answer.

use std::sync::Arc;

use weave_syntax::ast::{Expr, Literal, Node, NodeBody, Path, Root, Segment};
use weave_syntax::text;

use super::Body;
use super::scope::NodeValues;
use super::targets::Target;
use crate::expression::shape::join;
use crate::expression::{Environment, Sink, infer_value};
use crate::messages::bodies as message;
use crate::model::types::{ListType, Type};
use crate::model::workflow::Source;
use crate::model::{DeclarationId, DeclarationKind};

/// How far the search for cycles has come with a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Untouched,
    Open,
    Done,
}

impl Body<'_> {
    /// Gives every step the type of its answer.
    pub(super) fn find_answers(&mut self) {
        let answers = (0..self.nodes.len()).map(|index| self.plain_answer(index as u32)).collect();
        self.answers = std::cell::RefCell::new(answers);
        for index in 0..self.kept as u32 {
            for topic in self.answers_of(self.target_of(index)) {
                self.answered_by.entry(topic).or_default().push(index);
            }
        }
        self.find_value_types();
    }

    /// The answer of a step that is not made of other answers; unknown for one with a value.
    fn plain_answer(&self, index: u32) -> Type {
        let one = self.element_answer(index, None);
        let is_fan_out = self.nodes.get(index as usize).is_some_and(|node| node.each().is_some());
        if is_fan_out && !matches!(one, Type::Unknown) { Type::List(Arc::new(ListType::of(one))) } else { one }
    }

    /// What one firing of a step is answered with: with this event, or with any of those that may answer it.
    pub(super) fn element_answer(&self, index: u32, topic: Option<DeclarationId>) -> Type {
        match self.target_of(index) {
            Target::None | Target::Value => Type::Unknown,
            Target::Agent(id) | Target::Tool(id) | Target::Workflow(id) => self.output(*id),
            Target::Time | Target::Cancel => Type::Null,
            target @ (Target::Event(_) | Target::Mailbox(_)) => match topic {
                Some(topic) => self.payload(topic),
                None => join(self.answers_of(target).into_iter().map(|topic| self.payload(topic))),
            },
        }
    }

    /// What an agent, a tool or a workflow yields.
    fn output(&self, id: DeclarationId) -> Type {
        match self.model.get(id).map(|declaration| &declaration.kind) {
            Some(DeclarationKind::Agent(agent)) => agent.output.clone().unwrap_or_else(|| self.built_in_payload("ai.response")),
            Some(DeclarationKind::Tool(tool)) => tool.output.clone().unwrap_or(Type::Null),
            Some(DeclarationKind::Workflow(workflow)) => workflow.output.clone().unwrap_or(Type::Null),
            _ => Type::Unknown,
        }
    }

    /// The payload of an event.
    pub(super) fn payload(&self, id: DeclarationId) -> Type {
        match self.model.get(id).map(|declaration| &declaration.kind) {
            Some(DeclarationKind::Event(event)) => event.payload.clone(),
            _ => Type::Unknown,
        }
    }

    fn built_in_payload(&self, topic: &str) -> Type {
        self.scope.topics.get(topic).map_or(Type::Unknown, |id| self.payload(*id))
    }

    // ---- Steps with a value --------------------------------------------------------------------------------------------

    /// Gives the steps with a value their types, each after those that it is made of.
    fn find_value_types(&self) {
        let mut states = vec![State::Untouched; self.kept];
        for index in 0..self.kept as u32 {
            if *self.target_of(index) != Target::Value {
                continue;
            }
            // An open step waits for the ones behind it, so the list never nests in the machine's stack.
            let mut open: Vec<(u32, Vec<u32>)> = Vec::new();
            self.enter(index, &mut states, &mut open);
            while let Some((step, needs)) = open.last_mut() {
                match needs.pop() {
                    Some(next) => match states.get(next as usize) {
                        Some(State::Untouched) => self.enter(next, &mut states, &mut open),
                        Some(State::Open) => self.report_cycle(next, &open),
                        _ => {}
                    },
                    None => {
                        let step = *step;
                        open.pop();
                        if let Some(state) = states.get_mut(step as usize) {
                            *state = State::Done;
                        }
                        let ty = self.value_type(step);
                        if let Some(answer) = self.answers.borrow_mut().get_mut(step as usize) {
                            *answer = ty;
                        }
                    }
                }
            }
        }
    }

    fn enter(&self, index: u32, states: &mut [State], open: &mut Vec<(u32, Vec<u32>)>) {
        if let Some(state) = states.get_mut(index as usize).filter(|state| **state == State::Untouched) {
            *state = State::Open;
            let mut needs = Vec::new();
            if let Some(Node { body: NodeBody::Value(value), .. }) = self.nodes.get(index as usize) {
                self.needs_of(index, value, &mut needs);
            }
            // They are taken from the end.
            needs.reverse();
            open.push((index, needs));
        }
    }

    /// The steps with a value of which the type of an expression is made.
    fn needs_of(&self, index: u32, expression: &Expr, needs: &mut Vec<u32>) {
        match expression {
            Expr::Path(path) => self.needs_of_path(index, path, needs),
            Expr::Coalesce(coalesce) => self.needs_of(index, &coalesce.value, needs),
            Expr::Object(object) => object.entries.iter().for_each(|entry| self.needs_of(index, &entry.value, needs)),
            Expr::List(list) => list.items.iter().for_each(|item| self.needs_of(index, &item.value, needs)),
            Expr::Parenthesized(inner) => self.needs_of(index, &inner.1, needs),
            Expr::Literal(literal) => self.needs_of_text(index, *literal, needs),
            Expr::Unary(_) | Expr::Binary(_) | Expr::Missing(_) => {}
        }
    }

    /// Text is text, whatever is read in it; only a placeholder alone keeps its type.
    fn needs_of_text(&self, index: u32, literal: Literal, needs: &mut Vec<u32>) {
        use weave_syntax::ast::LiteralKind;
        if matches!(literal.kind, LiteralKind::String | LiteralKind::TextBlock) && text::has_placeholder(self.text(literal.span)) {
            let template = weave_syntax::template(self.item.text, literal);
            if let Some(value) = template.single() {
                self.needs_of(index, value, needs);
            }
        }
    }

    fn needs_of_path(&self, index: u32, path: &Path, needs: &mut Vec<u32>) {
        let (Root::Dot(_), Some(Segment::Field(name))) = (&path.root, path.segments.first()) else { return };
        let mut need = |step: u32| {
            if *self.target_of(step) == Target::Value {
                needs.push(step);
            }
        };
        match self.text(name.span) {
            "event" => {
                for source in self.sources_of(index as usize) {
                    match source {
                        Source::Step(step) => need(*step),
                        Source::Count(_, steps) => steps.iter().for_each(|step| need(*step)),
                        _ => {}
                    }
                }
            }
            word => self.by_name.get(word).copied().into_iter().for_each(need),
        }
    }

    /// The type of a step's value. What is wrong with the value is reported when the step is looked at.
    fn value_type(&self, index: u32) -> Type {
        let Some(node) = self.nodes.get(index as usize) else { return Type::Unknown };
        let NodeBody::Value(value) = &node.body else { return Type::Unknown };
        let sink = Sink::default();
        let values = NodeValues::new(self, self.sources_of(index as usize));
        let env = Environment::with_facts(self.model, self.item, &values, &sink, self.facts(index as usize));
        infer_value(&env, value).1
    }

    /// The open steps from `back` on are made of one another.
    fn report_cycle(&self, back: u32, open: &[(u32, Vec<u32>)]) {
        let from = open.iter().position(|(step, _)| *step == back).unwrap_or_default();
        let steps =
            open.get(from..).unwrap_or_default().iter().map(|(step, _)| (self.name(*step), self.name_place(*step))).collect::<Vec<_>>();
        if let Some(cycle) = message::value_cycle(&steps) {
            self.report(cycle);
        }
    }
}

//! Nodes, put together.

use std::sync::Arc;

use weave_syntax::ast::{self, Expr, LiteralKind, NodeKind};
use weave_syntax::text::{self, Number};

use super::Body;
use super::names::RESERVED;
use super::scope::NodeValues;
use crate::expression::shape::{Shape, is_nullable, join, members};
use crate::expression::{Environment, only_path};
use crate::messages::bodies as message;
use crate::model::types::Type;
use crate::model::value::ResolvedPath;
use crate::model::workflow::{Each, Node, Trigger};

impl Body<'_> {
    /// All nodes of the model.
    pub(super) fn check(&self) -> Box<[Node]> {
        let mut nodes = Vec::with_capacity(self.kept);
        // What a guard says is known in its own node and in later ones of its choice: so all guards are looked at first.
        let triggers = self.nodes.iter().enumerate().map(|(index, written)| self.triggers(index, written)).collect::<Vec<_>>();
        for ((index, written), triggers) in self.nodes.iter().enumerate().zip(triggers) {
            let node = self.node(index, written, triggers);
            if index < self.kept {
                nodes.push(node);
            }
        }
        self.check_choices();
        nodes.into()
    }

    fn node(&self, index: usize, written: &ast::Node, triggers: Box<[Trigger]>) -> Node {
        let mut values = NodeValues::new(self, self.sources_of(index));
        let each = written.each().map(|each| self.each(each, index, &values));
        values.variable =
            each.as_ref().filter(|each| !each.variable.is_empty()).map(|each| (Arc::clone(&each.variable), each.element.clone()));
        let env = Environment::with_facts(self.model, self.item, &values, self.sink, self.facts(index));
        let action = self.action(index, written, &env);
        let settings = self.settings(index, written);
        let answer = (written.kind == NodeKind::Step).then(|| self.answer(index as u32));
        Node {
            kind: written.kind,
            name: self.name(index as u32),
            name_place: self.place(written.name.span),
            place: self.place(written.span),
            docs: written.meta.docs_text(self.item.text).map(Arc::from),
            triggers,
            limit: written.limit().and_then(|limit| self.count(limit)),
            each,
            action,
            timeout: settings.timeout,
            retry: settings.retry,
            history: settings.history,
            answer,
        }
    }

    /// A whole number; anything else has been reported with the syntax.
    fn count(&self, written: &Expr) -> Option<u64> {
        let Expr::Literal(literal) = written else { return None };
        match text::number(self.text(literal.span)) {
            Ok(Number::Integer(count)) if literal.kind == LiteralKind::Number => u64::try_from(count).ok(),
            _ => None,
        }
    }

    /// `each`. Whatever is wrong with its list, the step is a fan-out.
    fn each(&self, written: &ast::Each, index: usize, values: &NodeValues<'_, '_>) -> Each {
        let variable = self.text(written.variable.span);
        if RESERVED.contains(&variable) || self.by_name.contains_key(variable) {
            self.report(message::variable_taken(variable, self.place(written.variable.span)));
        }
        let env = Environment::with_facts(self.model, self.item, values, self.sink, self.facts(index));
        let (list, element) = self.elements(&env, &written.list).map_or((None, Type::Unknown), |(list, element)| (Some(list), element));
        let option = |count: &Option<Expr>| count.as_ref().and_then(|count| self.count(count));
        Each { list, variable: Arc::from(variable), element, parallel: option(&written.parallel), min: option(&written.min) }
    }

    /// A list that is fanned out, and the type of its elements; nothing if it is none, which is reported.
    fn elements(&self, env: &Environment<'_>, written: &Expr) -> Option<(ResolvedPath, Type)> {
        let list = only_path(env, written)?;
        let span = written.span();
        if list.path.absent || is_nullable(self.model, &list.path.ty) {
            self.report(message::list_may_be_absent(env, span, &list));
            return None;
        }
        let mut elements = Vec::new();
        for member in members(self.model, &list.path.ty) {
            match member.shape {
                Shape::List(list) => elements.push(list.item.clone()),
                Shape::Unknown => return None,
                _ => {
                    self.report(message::not_a_list(env, span, &list.path.ty));
                    return None;
                }
            }
        }
        Some((list.path, join(elements)))
    }
}

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
use crate::model::workflow::{Each, Node};

impl Body<'_> {
    /// All nodes of the model.
    pub(super) fn check(&self) -> Box<[Node]> {
        let mut nodes = Vec::with_capacity(self.kept);
        for (index, written) in self.nodes.iter().enumerate() {
            let node = self.node(index, written);
            if index < self.kept {
                nodes.push(node);
            }
        }
        self.check_choices();
        nodes.into()
    }

    fn node(&self, index: usize, written: &ast::Node) -> Node {
        let triggers = self.triggers(index, written);
        let mut values = NodeValues::new(self, self.sources_of(index));
        let each = written.each().and_then(|each| self.each(each, index, &values));
        values.variable = match (&each, written.each()) {
            (Some(each), _) => Some((Arc::clone(&each.variable), each.element.clone())),
            // Nothing is known of its type, and the name is known all the same.
            (None, Some(each)) if !each.variable.is_missing() => Some((Arc::from(self.text(each.variable.span)), Type::Unknown)),
            _ => None,
        };
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

    /// `each`; nothing if its list is none, which is reported.
    fn each(&self, written: &ast::Each, index: usize, values: &NodeValues<'_, '_>) -> Option<Each> {
        let variable = self.text(written.variable.span);
        if RESERVED.contains(&variable) || self.by_name.contains_key(variable) {
            self.report(message::variable_taken(variable, self.place(written.variable.span)));
        }
        let env = Environment::with_facts(self.model, self.item, values, self.sink, self.facts(index));
        let list = only_path(&env, &written.list)?;
        let span = written.list.span();
        if list.path.absent || is_nullable(self.model, &list.path.ty) {
            self.report(message::list_may_be_absent(&env, span, &list));
            return None;
        }
        let mut elements = Vec::new();
        for member in members(self.model, &list.path.ty) {
            match member.shape {
                Shape::List(list) => elements.push(list.item.clone()),
                Shape::Unknown => return None,
                _ => {
                    self.report(message::not_a_list(&env, span, &list.path.ty));
                    return None;
                }
            }
        }
        let option = |count: &Option<Expr>| count.as_ref().and_then(|count| self.count(count));
        (!variable.is_empty()).then(|| Each {
            list: list.path,
            variable: Arc::from(variable),
            element: join(elements),
            parallel: option(&written.parallel),
            min: option(&written.min),
        })
    }
}

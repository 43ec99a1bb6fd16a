//! What a node can read when it fires (rules 17 and 18), and who watches it read.

use std::sync::Arc;

use serde_json::Value;
use weave_expr::{EvalError, Payload, Scope, evaluate, read, render};
use weave_ir::{Expr, Guard, Path, Segment, Template};

use crate::failure::Failure;
use crate::lineage::Lineage;
use crate::plan::Plan;
use crate::state::State;

/// Sees each path that a node reads, whether or not there is a value.
///
/// Tests of the compiler's analysis use it: what must have happened is never missing.
pub trait Observer {
    /// A node reads a path.
    fn read(&mut self, read: &Read<'_>);

    /// A guard of a node was evaluated. An error is false, and some errors the compiler excludes. `item` is the place of its trigger
    /// among those of the node, counted from 0; none: it is the `match` of a mailbox.
    fn guard(&mut self, node: &str, item: Option<usize>, guard: &Guard, result: &Result<Value, EvalError>) {
        let _ = (node, item, guard, result);
    }

    /// A node is chosen to fire by one of its triggers, counted from 0.
    fn chosen(&mut self, node: &str, item: usize) {
        let _ = (node, item);
    }

    /// A node that shall ask for something fails before anybody was asked: its arguments, or its list, are not what they must be.
    fn refused(&mut self, node: &str, failure: &Failure) {
        let _ = (node, failure);
    }
}

/// One reading of a path.
#[derive(Clone, Debug)]
pub struct Read<'r> {
    /// The node that reads.
    pub node: &'r str,
    /// For what.
    pub place: ReadPlace,
    /// The path, with its marks `?`. In a guard there are none: what may be missing there is not marked in a definition.
    pub path: &'r Path,
    /// A default stands behind it.
    pub has_default: bool,
    /// How many steps of the path have a value that is not null; all of them: the path has one.
    pub found: usize,
    /// Its root has no value at all, not even null.
    pub root_is_absent: bool,
    /// What was read; none: nothing.
    pub value: Option<&'r Value>,
}

impl Read<'_> {
    /// The path has a value that is not null.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.found == self.path.steps.len()
    }

    /// The path was read from something that is not there, and no mark says that this may be: a mistake of the compiler.
    #[must_use]
    pub fn is_unsound(&self) -> bool {
        let absent = self.path.steps.get(self.found + 1);
        absent.is_some_and(|step| !step.optional) && !self.has_default && self.place != ReadPlace::Guard
    }
}

/// For what a node reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadPlace {
    /// Its payload, output or message.
    Template,
    /// The list of its fan-out.
    List,
    /// The guard of a trigger, or the `match` of a mailbox.
    Guard,
}

/// The values that a node can read.
pub(crate) struct Roots<'s> {
    pub(crate) plan: &'s Plan,
    pub(crate) state: &'s State,
    pub(crate) lineage: Lineage,
    pub(crate) event: Option<&'s Arc<Value>>,
    pub(crate) failure: Option<&'s Arc<Value>>,
    pub(crate) element: Option<(&'s str, &'s Value)>,
}

impl Scope for Roots<'_> {
    fn value(&self, root: &str) -> Option<&Value> {
        match root {
            "input" => Some(&self.state.input),
            "event" | "response" | "result" => self.event.map(|value| &**value),
            "failure" => self.failure.map(|value| &**value),
            _ => match self.element {
                Some((name, value)) if name == root => Some(value),
                _ => self.state.latest(self.lineage, self.plan.index(root)?).map(|(_, value)| &**value),
            },
        }
    }

    fn answers(&self, root: &str) -> Option<Vec<&Value>> {
        let mut answers: Vec<_> = self.state.answers(self.lineage, self.plan.index(root)?).collect();
        answers.sort_by_key(|(order, ..)| *order);
        Some(answers.into_iter().map(|(.., value)| &**value).collect())
    }
}

/// The reading of one node, with who watches it.
pub(crate) struct Reader<'r, 's> {
    pub(crate) roots: Roots<'s>,
    pub(crate) node: &'r str,
    pub(crate) observer: Option<&'r mut dyn Observer>,
}

impl Reader<'_, '_> {
    pub(crate) fn guard(&mut self, item: Option<usize>, guard: &Guard) -> bool {
        if self.observer.is_some() {
            let mut paths = Vec::new();
            collect(&guard.expr, &mut paths);
            paths.iter().for_each(|path| self.tell(ReadPlace::Guard, path, false));
        }
        let result = evaluate(&guard.expr, &self.roots);
        if let Some(observer) = self.observer.as_deref_mut() {
            observer.guard(self.node, item, guard, &result);
        }
        result == Ok(Value::Bool(true))
    }

    pub(crate) fn list(&mut self, template: &Template) -> Option<Value> {
        self.tell_template(ReadPlace::List, template);
        render(template, &self.roots)
    }

    /// A payload or output, filled in.
    pub(crate) fn payload(&mut self, payload: &Payload) -> Value {
        if self.observer.is_some() {
            payload.placeholders(&mut |placeholder| self.tell(ReadPlace::Template, &placeholder.path, placeholder.default.is_some()));
        }
        payload.render(&self.roots)
    }

    fn tell_template(&mut self, place: ReadPlace, template: &Template) {
        if self.observer.is_some() {
            template.placeholders().for_each(|placeholder| self.tell(place, &placeholder.path, placeholder.default.is_some()));
        }
    }

    fn tell(&mut self, place: ReadPlace, path: &Path, has_default: bool) {
        // What follows `[]` is read from each answer, which may lack it.
        let end = path.steps.iter().position(|step| step.segment == Segment::All).unwrap_or(path.steps.len());
        let prefix = |length: usize| Path { steps: path.steps.iter().take(length).cloned().collect() };
        let there = |length: usize| read(&prefix(length), &self.roots).is_some_and(|value| !value.is_null());
        let found = if end < path.steps.len() {
            path.steps.len()
        } else {
            (1..=end).take_while(|length| there(*length)).last().unwrap_or_default()
        };
        if let Some(observer) = self.observer.as_deref_mut() {
            let value = read(path, &self.roots);
            observer.read(&Read {
                node: self.node,
                place,
                path,
                has_default,
                found,
                root_is_absent: read(&prefix(1), &self.roots).is_none(),
                value: value.as_deref(),
            });
        }
    }
}

/// The paths of an expression, as they are written.
fn collect(expr: &Expr, paths: &mut Vec<Path>) {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        match expr {
            Expr::Path { path, .. } => paths.push(Path { steps: path.iter().cloned().map(Into::into).collect() }),
            Expr::List { items } => open.extend(items.iter().rev()),
            Expr::Apply { args, .. } => open.extend(args.iter().rev()),
            Expr::Quantify { list, body, .. } => open.extend([&**body, &**list]),
            Expr::Const { .. } | Expr::Var { .. } => {}
        }
    }
}

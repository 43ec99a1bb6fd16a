//! The paths that nodes read.

use super::value::{ResolvedPath, Template, TemplatePart, Value, ValueKind};
use super::workflow::{Action, Condition, Node, Source, Time};

impl Node {
    /// The paths that the node reads, in no particular order: those of its conditions, its list, its action and its times.
    pub fn paths<'a>(&'a self, found: &mut impl FnMut(&'a ResolvedPath)) {
        for trigger in &self.triggers {
            if let Some(Condition::When(guard) | Condition::AlsoWhen(guard)) = &trigger.condition {
                guard.expression.paths().for_each(&mut *found);
            }
            if let Source::Timeout { after: Time::Path(path), .. } = &trigger.source {
                found(path);
            }
        }
        if let Some(list) = self.each.as_ref().and_then(|each| each.list.as_ref()) {
            found(list);
        }
        self.action.paths(found);
    }
}

impl Action {
    /// The paths that the action reads, in no particular order.
    pub fn paths<'a>(&'a self, found: &mut impl FnMut(&'a ResolvedPath)) {
        match self {
            Self::Ask { arguments: value, .. }
            | Self::Call { arguments: value, .. }
            | Self::Run { arguments: value, .. }
            | Self::Emit { payload: value, .. }
            | Self::WaitUntil(value)
            | Self::Value(value)
            | Self::End(Some(value)) => of_value(value, found),
            Self::WaitFor(Time::Path(path)) => found(path),
            Self::WaitTopics { guard: Some(guard), .. } => guard.expression.paths().for_each(found),
            Self::Fail(Some(template)) => of_template(template, found),
            Self::WaitFor(_)
            | Self::WaitTopics { guard: None, .. }
            | Self::Cancel(_)
            | Self::End(None)
            | Self::Fail(None)
            | Self::Unknown => {}
        }
    }
}

fn of_value<'a>(value: &'a Value, found: &mut impl FnMut(&'a ResolvedPath)) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match &value.kind {
            ValueKind::Path(path) => found(&path.path),
            ValueKind::Template(template) => of_template(template, found),
            ValueKind::Object(entries) => open.extend(entries.iter().map(|(_, value)| value)),
            ValueKind::List(items) => open.extend(items),
            ValueKind::Constant(_) | ValueKind::Open(_) | ValueKind::Unknown => {}
        }
    }
}

fn of_template<'a>(template: &'a Template, found: &mut impl FnMut(&'a ResolvedPath)) {
    for part in &template.parts {
        if let TemplatePart::Placeholder(value) = part {
            found(&value.path);
        }
    }
}

//! Where values come from, and how paths read them.

use std::borrow::Cow;

use serde_json::{Map, Value};
use weave_ir::{Path, Segment};

/// The values that a template or guard can read.
pub trait Scope {
    /// The value of the root of this name; `None` if there is none.
    fn value(&self, root: &str) -> Option<&Value>;

    /// All answers of the node of this name, in order, which `.NODE[]` reads; `None` if there is no such node here.
    fn answers(&self, root: &str) -> Option<Vec<&Value>> {
        let _ = root;
        None
    }
}

/// Each key is a root: the parameters of a tool, prompt or agent.
impl Scope for Map<String, Value> {
    fn value(&self, root: &str) -> Option<&Value> {
        self.get(root)
    }
}

/// What a path reads, or `None` if that is absent. The marks `?` in it change nothing.
#[must_use]
pub fn read<'v>(path: &Path, scope: &'v dyn Scope) -> Option<Cow<'v, Value>> {
    read_segments(path.steps.iter().map(|step| &step.segment), scope)
}

pub(crate) fn read_segments<'v, 's>(
    mut segments: impl Iterator<Item = &'s Segment> + Clone,
    scope: &'v dyn Scope,
) -> Option<Cow<'v, Value>> {
    let Some(Segment::Key(root)) = segments.next() else { return None };
    let mut behind = segments.clone();
    if behind.next() != Some(&Segment::All) {
        return descend(scope.value(root)?, segments).map(Cow::Borrowed);
    }
    let answers = scope.answers(root)?;
    let values = answers.into_iter().map(|answer| descend(answer, behind.clone()).cloned().unwrap_or_default());
    Some(Cow::Owned(Value::Array(values.collect())))
}

/// What lies below a value; `None` where something is absent, null or of another kind.
pub(crate) fn descend<'v, 's>(value: &'v Value, mut segments: impl Iterator<Item = &'s Segment>) -> Option<&'v Value> {
    segments.try_fold(value, |value, segment| match (segment, value) {
        (Segment::Key(key), Value::Object(entries)) => entries.get(key),
        (Segment::Index(index), Value::Array(items)) => items.get(usize::try_from(*index).ok()?),
        // `[]` stands right behind a root and nowhere else.
        _ => None,
    })
}

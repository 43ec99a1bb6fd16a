//! Values: payloads, outputs and texts, as JSON whose strings are templates.

use serde_json::{Map, Value as Json};
use weave_analysis::model::value::{PathRoot, PathSegment, PathValue, ResolvedPath, Template, TemplatePart, Value, ValueKind};
use weave_ir::{Path, PathStep, Placeholder, Segment};

use super::places::Places;

/// A number of the model in the definition, which holds 32 bits: what is beyond four thousand million is as good as that.
pub(super) fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The name at the root of a path.
pub(super) fn root_name(root: &PathRoot) -> &str {
    match root {
        PathRoot::Input => "input",
        PathRoot::Event => "event",
        PathRoot::Response => "response",
        PathRoot::Result => "result",
        PathRoot::Failure => "failure",
        PathRoot::Step { name, .. } | PathRoot::Variable(name) | PathRoot::Parameter(name) => name,
    }
}

/// What is read from the root, without the marks of what may be absent.
pub(super) fn segments(path: &ResolvedPath) -> impl Iterator<Item = Segment> {
    path.segments.iter().filter_map(|segment| match segment {
        PathSegment::Field(name) | PathSegment::Entry(name) | PathSegment::Loose(name) => Some(Segment::Key(name.to_string())),
        PathSegment::Index(index) => Some(Segment::Index(small(*index))),
        PathSegment::All => Some(Segment::All),
        PathSegment::Optional => None,
    })
}

/// The path as it stands in a template. A mark at its very end changes nothing and is left out.
pub(super) fn path(path: &ResolvedPath) -> Path {
    let mut steps = vec![PathStep::from(Segment::Key(root_name(&path.root).to_owned()))];
    let mut optional = false;
    for segment in &path.segments {
        let segment = match segment {
            PathSegment::Optional => {
                optional = true;
                continue;
            }
            PathSegment::Field(name) | PathSegment::Entry(name) | PathSegment::Loose(name) => Segment::Key(name.to_string()),
            PathSegment::Index(index) => Segment::Index(small(*index)),
            PathSegment::All => Segment::All,
        };
        steps.push(PathStep { segment, optional: std::mem::take(&mut optional) });
    }
    Path { steps }
}

fn placeholder(value: &PathValue) -> Placeholder {
    Placeholder { path: path(&value.path), default: value.default.as_deref().cloned() }
}

/// A string that is one placeholder and nothing else.
pub(super) fn whole(value: &PathValue) -> String {
    weave_ir::Template::value(placeholder(value)).to_string()
}

/// A text with placeholders.
pub(super) fn template(template: &Template) -> String {
    let mut lowered = weave_ir::Template::default();
    for part in &template.parts {
        match part {
            TemplatePart::Text(text) => lowered.push_text(text),
            TemplatePart::Placeholder(value) => lowered.push_value(placeholder(value)),
        }
    }
    lowered.to_string()
}

/// A constant: its strings are meant as they are.
fn constant(value: &Json) -> Json {
    match value {
        Json::String(text) => weave_ir::Template::escape(text).into(),
        Json::Array(items) => items.iter().map(constant).collect(),
        Json::Object(entries) => entries.iter().map(|(key, value)| (key.clone(), constant(value))).collect::<Map<_, _>>().into(),
        Json::Null | Json::Bool(_) | Json::Number(_) => value.clone(),
    }
}

/// A value, and the places of it and of what is in it.
pub(super) fn value(value: &Value, pointer: &str, places: &mut Places) -> Json {
    places.add(pointer.to_owned(), value.place);
    match &value.kind {
        ValueKind::Constant(json) => constant(json),
        ValueKind::Path(path) => whole(path).into(),
        ValueKind::Template(text) => template(text).into(),
        ValueKind::Object(entries) => {
            let lower = |(key, inner): &(std::sync::Arc<str>, Value)| (key.to_string(), self::value(inner, &child(pointer, key), places));
            Json::Object(entries.iter().map(lower).collect())
        }
        ValueKind::List(items) => {
            let lower = |(index, item): (usize, &Value)| self::value(item, &format!("{pointer}/{index}"), places);
            Json::Array(items.iter().enumerate().map(lower).collect())
        }
        // Nothing is lowered where something has been reported.
        ValueKind::Open(_) | ValueKind::Unknown => Json::Null,
    }
}

/// A JSON pointer one level deeper.
pub(super) fn child(pointer: &str, key: &str) -> String {
    if key.contains(['~', '/']) {
        return format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
    }
    format!("{pointer}/{key}")
}

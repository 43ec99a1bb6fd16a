//! Paths: where a value lies on the scroll, or in the parameters of a tool, prompt or agent.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::{flag_schema, is_name};

/// A path such as `.lookup.lines[0]?.note`: a root name and what is read from there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Path {
    /// The steps; the first is the root.
    pub steps: Vec<PathStep>,
}

/// One step of a path, with or without the mark `?` before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PathStep {
    /// What is read.
    pub segment: Segment,
    /// What it is read from may be absent (`?.name`); it never changes what is read, see `docs/definition.md`.
    pub optional: bool,
}

/// What one step of a path reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "SegmentForm", into = "SegmentForm")]
pub enum Segment {
    /// A property: `.name`, or `["any key"]`.
    Key(String),
    /// An element: `[0]`.
    Index(u32),
    /// `[]`: all answers of the step so far; what follows is read from each of them.
    All,
}

/// The shapes of a segment in JSON.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Segment")]
#[serde(untagged, deny_unknown_fields, expecting = "a segment of a path is a key, an index, or {\"all\": true}")]
enum SegmentForm {
    /// A property.
    Key(String),
    /// An element.
    Index(u32),
    /// All answers of the step so far; what follows is read from each of them.
    All {
        #[schemars(schema_with = "flag_schema")]
        all: bool,
    },
}

impl From<Segment> for SegmentForm {
    fn from(segment: Segment) -> Self {
        match segment {
            Segment::Key(key) => Self::Key(key),
            Segment::Index(index) => Self::Index(index),
            Segment::All => Self::All { all: true },
        }
    }
}

impl TryFrom<SegmentForm> for Segment {
    type Error = &'static str;

    fn try_from(form: SegmentForm) -> Result<Self, Self::Error> {
        match form {
            SegmentForm::Key(key) => Ok(Self::Key(key)),
            SegmentForm::Index(index) => Ok(Self::Index(index)),
            SegmentForm::All { all: true } => Ok(Self::All),
            SegmentForm::All { all: false } => Err("`all` in a path is true"),
        }
    }
}

impl From<Segment> for PathStep {
    fn from(segment: Segment) -> Self {
        Self { segment, optional: false }
    }
}

impl Path {
    /// The path of these keys: `Path::of(["input", "name"])` is `.input.name`.
    #[must_use]
    pub fn of<K: Into<String>>(keys: impl IntoIterator<Item = K>) -> Self {
        Self { steps: keys.into_iter().map(|key| Segment::Key(key.into()).into()).collect() }
    }

    /// The name at its root: `input`, a step, `event`, a parameter.
    #[must_use]
    pub fn root(&self) -> Option<&str> {
        match self.steps.first() {
            Some(PathStep { segment: Segment::Key(key), .. }) => Some(key),
            _ => None,
        }
    }

    /// The segments without the marks, as a guard holds them.
    #[must_use]
    pub fn segments(&self) -> Vec<Segment> {
        self.steps.iter().map(|step| step.segment.clone()).collect()
    }
}

impl fmt::Display for Path {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            if step.optional {
                out.write_str("?")?;
            }
            match &step.segment {
                Segment::Key(key) if is_name(key) => write!(out, ".{key}")?,
                // The root has its dot whatever it is called, so that a path always begins with one.
                Segment::Key(key) => write!(out, "{}[{}]", if index == 0 { "." } else { "" }, serde_json::Value::from(key.as_str()))?,
                Segment::Index(element) => write!(out, "[{element}]")?,
                Segment::All => out.write_str("[]")?,
            }
        }
        Ok(())
    }
}

/// Reads the path at the front of `text` and gives what stands behind it; the root is a key.
pub(crate) fn read_path(text: &str) -> Option<(Path, &str)> {
    let (root, mut rest) = match text.strip_prefix('.')? {
        rest if rest.starts_with('[') => read_bracket(rest)?,
        rest => read_name(rest)?,
    };
    if !matches!(root, Segment::Key(_)) {
        return None;
    }
    let mut steps = vec![root.into()];
    loop {
        let behind_mark = rest.strip_prefix('?').filter(|behind| behind.starts_with(['.', '[']));
        let at = behind_mark.unwrap_or(rest);
        let (segment, behind) = match (at.strip_prefix('.'), at.starts_with('[')) {
            (Some(name), _) => read_name(name)?,
            (None, true) => read_bracket(at)?,
            (None, false) => return Some((Path { steps }, rest)),
        };
        steps.push(PathStep { segment, optional: behind_mark.is_some() });
        rest = behind;
    }
}

fn read_name(text: &str) -> Option<(Segment, &str)> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    is_name(name).then(|| (Segment::Key(name.to_owned()), rest))
}

/// Reads `[]`, `[0]` or `["key"]`.
fn read_bracket(text: &str) -> Option<(Segment, &str)> {
    let inner = text.strip_prefix('[')?;
    if let Some(rest) = inner.strip_prefix(']') {
        return Some((Segment::All, rest));
    }
    let (segment, rest) = if inner.starts_with('"') {
        let mut keys = serde_json::Deserializer::from_str(inner).into_iter::<String>();
        let key = keys.next()?.ok()?;
        (Segment::Key(key), inner.get(keys.byte_offset()..)?)
    } else {
        let end = inner.find(|c: char| !c.is_ascii_digit())?;
        let (digits, rest) = inner.split_at(end);
        (Segment::Index(digits.parse().ok()?), rest)
    };
    Some((segment, rest.strip_prefix(']')?))
}

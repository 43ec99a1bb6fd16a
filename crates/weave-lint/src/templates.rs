//! What templates read.

use rustc_hash::FxHashSet;
use weave_analysis::model::value::{PathRoot, PathValue, Template, TemplatePart};

/// The placeholders of a template.
pub(crate) fn placeholders(template: &Template) -> impl Iterator<Item = &PathValue> {
    template.parts.iter().filter_map(|part| if let TemplatePart::Placeholder(value) = part { Some(value) } else { None })
}

/// The parameters in the placeholders of a template, by their names on the wire.
pub(crate) fn parameters(template: &Template) -> FxHashSet<&str> {
    let roots =
        placeholders(template).filter_map(|value| if let PathRoot::Parameter(name) = &value.path.root { Some(&**name) } else { None });
    roots.collect()
}

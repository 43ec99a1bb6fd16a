//! Names for what is new.

use weave_analysis::model::declarations::TargetNames;
use weave_analysis::model::naming::{Role, TargetLanguage};
use weave_diagnostics::FileId;

use crate::Analysis;

/// A name that nothing has in a file, not even with other capitals or underlines: generated code would call both the same.
pub(super) fn name(analysis: &Analysis, file: FileId, wanted: &str) -> String {
    let scope = analysis.model().scope(file);
    let taken = |name: &str| scope.is_some_and(|scope| scope.names.keys().any(|other| pascal(other) == pascal(name)));
    numbered(wanted, taken)
}

/// The first of `x`, `x2`, `x3`, … that is not taken.
pub(super) fn numbered(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    let more = (2_u32..).map(|number| format!("{wanted}{number}"));
    std::iter::once(wanted.to_owned()).chain(more).find(|name| !taken(name)).unwrap_or_default()
}

/// `find_order` as `FindOrder`.
pub(super) fn pascal(name: &str) -> String {
    TargetLanguage::TypeScript.call(Role::Type, name, &TargetNames::default())
}

/// Whether a text can name a declaration.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !matches!(text, "true" | "false" | "null")
}

//! Which part of the work says something.

use weave_diagnostics::Code;

/// The parts of the work, in their order. Each looks only at what those before it let through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The text is read.
    Reading,
    /// Names, types, the flow of workflows, and what definitions and providers can carry.
    Meaning,
    /// The rules look at programs without errors.
    Rules,
}

/// Which part of the work says what has this code.
#[must_use]
pub fn stage(code: &'static Code) -> Stage {
    let is_one = |codes: &[&'static Code]| codes.iter().any(|other| std::ptr::eq(*other, code));
    if is_one(weave_syntax::CODES) {
        Stage::Reading
    } else if weave_lint::RULES.iter().any(|rule| std::ptr::eq(rule.code, code)) {
        Stage::Rules
    } else {
        Stage::Meaning
    }
}

//! All bounds of the program, in one table.

use weave_diagnostics::bounds::{self, Bound};

/// The bounds of `weave check`, `lint` and what is made of a program, in the order of the reference.
static OF_PROGRAMS: &[Bound] = &[
    Bound {
        what: "brackets in each other",
        most: weave_syntax::DEEPEST,
        unit: "levels",
        beyond: "`nesting-too-deep`; what is inside is not read.",
    },
    Bound {
        what: "operators of a guard in each other, once lowered",
        most: crate::lower::GREATEST_HEIGHT,
        unit: "levels",
        beyond: "`deep-guard`; chains such as `a && b && c` are one level.",
    },
    Bound {
        what: "JSON in each other, in a definition",
        most: weave_ir::DEPTH_LIMIT,
        unit: "levels",
        beyond: "The definition is not written, and not read.",
    },
    Bound {
        what: "tools that a model is offered",
        most: weave_analysis::model::offered::MOST_OFFERED,
        unit: "tools",
        beyond: "The rest is not looked at for clashes of names.",
    },
    Bound {
        what: "different values of one path that the guards of a choice tell apart",
        most: 16_384,
        unit: "values",
        beyond: "`unchecked-choice`: the choice is not looked into.",
    },
    Bound {
        what: "parts of one guard, as a list of cases",
        most: 512,
        unit: "parts",
        beyond: "`unchecked-choice`: the guard is not looked into.",
    },
    Bound {
        what: "steps in which a choice is worked out",
        most: 4_000_000,
        unit: "steps",
        beyond: "`unchecked-choice`: what is known by then counts.",
    },
    Bound {
        what: "work of one guard while a run goes on",
        most: GUARD_WORK,
        unit: "steps",
        beyond: "The guard ends in an error, which counts as false.",
    },
];

/// The work of a guard, which `weave-expr` bounds. This crate does not evaluate guards; a test compares the two.
const GUARD_WORK: usize = 1_000_000;

/// All bounds, in the order of the reference.
#[must_use]
pub fn bounds() -> Vec<Bound> {
    bounds::ALL.iter().map(|bound| **bound).chain(OF_PROGRAMS.iter().copied()).collect()
}

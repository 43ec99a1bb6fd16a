//! The bounds of the program: how much of what it takes, and what happens beyond. The page `docs/limits.md` is made from them.

/// A bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// What is bounded, such as *a source file*.
    pub what: &'static str,
    /// The most that is taken.
    pub most: usize,
    /// The unit of `most`, in the plural.
    pub unit: &'static str,
    /// What happens beyond it, as a sentence.
    pub beyond: &'static str,
    /// The constant that holds it, as `crate/src/file.rs::NAME`; empty for those of this module.
    pub held_by: &'static str,
}

/// The bytes of a text that is read: a source, `weave.toml`, an ignore file, a baseline, a definition.
pub const TEXT: Bound = Bound {
    what: "a file that is read: a source, `weave.toml`, an ignore file, a baseline, a definition, a template",
    most: 64 << 20,
    unit: "bytes",
    beyond: "The file is refused; in an editor, `file-too-large`.",
    held_by: "",
};

/// The bytes of a pattern for files.
pub const GLOB: Bound = Bound {
    what: "a pattern for files, in an ignore file or in `weave.toml`",
    most: 1_024,
    unit: "bytes",
    beyond: "The pattern is refused, with its place.",
    held_by: "",
};

/// The braces in each other of a pattern for files.
pub const GLOB_NESTING: Bound = Bound {
    what: "braces in each other in a pattern for files",
    most: 16,
    unit: "levels",
    beyond: "The pattern is refused, with its place.",
    held_by: "",
};

/// The patterns of a list in `weave.toml`.
pub const GLOBS: Bound = Bound {
    what: "the patterns of one `paths` in `weave.toml`",
    most: 1_000,
    unit: "patterns",
    beyond: "The list is refused, with its place.",
    held_by: "",
};

/// The patterns of an ignore file.
pub const IGNORE_PATTERNS: Bound = Bound {
    what: "the lines of a `.gitignore` or a `.weaveignore`",
    most: 10_000,
    unit: "lines",
    beyond: "The file is refused.",
    held_by: "",
};

/// The entries of folders in a Git revision.
pub const REVISION_ENTRIES: Bound = Bound {
    what: "the files and folders that `weave diff --against` looks at in a revision",
    most: 1_000_000,
    unit: "entries",
    beyond: "The folder is refused.",
    held_by: "",
};

/// The diagnostics of a file.
pub const FILE_DIAGNOSTICS: Bound = Bound {
    what: "diagnostics of one file",
    most: 1_000,
    unit: "diagnostics",
    beyond: "The first ones are reported, and `too-many-diagnostics` says that there are more.",
    held_by: "",
};

/// The diagnostics of a run.
pub const RUN_DIAGNOSTICS: Bound = Bound {
    what: "diagnostics of one run",
    most: 10_000,
    unit: "diagnostics",
    beyond: "The first ones are reported, and `too-many-diagnostics` says that there are more.",
    held_by: "",
};

/// The states of a repetition in a pattern.
pub const PATTERN_STATES: Bound = Bound {
    what: "the characters and classes of one repetition in the `pattern` of a type",
    most: 400,
    unit: "characters and classes",
    beyond: "The pattern is refused (`invalid-pattern`): whether it can take exponential time is not known.",
    held_by: "",
};

/// The steps in which a repetition of a pattern is looked at.
pub const PATTERN_STEPS: Bound = Bound {
    what: "the steps in which one repetition of a pattern is checked for exponential time",
    most: 1_000_000,
    unit: "steps",
    beyond: "The pattern is refused (`invalid-pattern`).",
    held_by: "",
};

/// The characters of a message in a terminal.
pub const MESSAGE: Bound = Bound {
    what: "one message, label or help, as it is drawn in a terminal",
    most: 800,
    unit: "characters",
    beyond: "It is cut.",
    held_by: "",
};

/// The bounds of this table, in the order of the page.
pub static ALL: &[&Bound] = &[
    &TEXT,
    &GLOB,
    &GLOB_NESTING,
    &GLOBS,
    &IGNORE_PATTERNS,
    &REVISION_ENTRIES,
    &FILE_DIAGNOSTICS,
    &RUN_DIAGNOSTICS,
    &PATTERN_STATES,
    &PATTERN_STEPS,
    &MESSAGE,
];

/// Whether a pattern for files is within its bounds.
///
/// # Errors
///
/// With the reason, as the end of a sentence about the pattern.
pub fn of_glob(pattern: &str) -> Result<(), String> {
    if pattern.len() > GLOB.most {
        return Err(format!("is longer than {} {}", GLOB.most, GLOB.unit));
    }
    let mut depth = 0_usize;
    for character in pattern.bytes() {
        match character {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > GLOB_NESTING.most {
            return Err(format!("has more than {} braces in each other", GLOB_NESTING.most));
        }
    }
    Ok(())
}

//! What a rule is.

use weave_diagnostics::Code;

use crate::findings::Findings;
use crate::levels::Level;
use crate::project::{DeclarationView, FileView, Project, WorkflowView};

/// What a rule is about; the group decides on its level where nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Certainly a mistake.
    Correctness,
    /// Most likely a mistake.
    Suspicious,
    /// Something that an attacker may use, or that leaks.
    Security,
    /// Legal and harmless, but not how such things are written.
    Style,
    /// Advice that not everybody wants.
    Pedantic,
}

impl Group {
    /// All groups, in the order of the docs.
    pub const ALL: [Self; 5] = [Self::Correctness, Self::Suspicious, Self::Security, Self::Style, Self::Pedantic];

    /// The name in configuration files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Correctness => "correctness",
            Self::Suspicious => "suspicious",
            Self::Security => "security",
            Self::Style => "style",
            Self::Pedantic => "pedantic",
        }
    }

    /// The level of its rules where nothing else is said.
    #[must_use]
    pub const fn level(self) -> Level {
        match self {
            Self::Correctness => Level::Error,
            Self::Suspicious | Self::Security | Self::Style => Level::Warn,
            Self::Pedantic => Level::Off,
        }
    }
}

/// Whether a rule can mend what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fixable {
    /// It takes a person.
    No,
    /// It has fixes that a person should look at.
    Unsafe,
    /// It has fixes that keep the meaning.
    Safe,
}

impl Fixable {
    /// The word in the table of rules.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Unsafe => "unsafe",
            Self::Safe => "safe",
        }
    }
}

/// What a rule looks at. The smaller, the better: parts of a project are looked at on all cores.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// One declaration at a time.
    Declaration(fn(&DeclarationView<'_>, &mut Findings<'_>)),
    /// One workflow at a time.
    Workflow(fn(&WorkflowView<'_>, &mut Findings<'_>)),
    /// One file at a time.
    File(fn(&FileView<'_>, &mut Findings<'_>)),
    /// All files together.
    Project(fn(&Project<'_>, &mut Findings<'_>)),
    /// What is allowed, and whether that was needed: found while suppressions are applied.
    Suppressions,
}

/// A rule. Its id, page and examples stand in its [`Code`]: the bad example gets this finding and no other, the good one gets none.
#[derive(Debug)]
pub struct Rule {
    /// What it is called, and the texts of its page.
    pub code: &'static Code,
    /// What it is about.
    pub group: Group,
    /// Whether it can mend what it finds.
    pub fixable: Fixable,
    /// How it finds it.
    pub check: Check,
    /// What can be set.
    pub options: &'static [RuleOption],
}

/// A number that can be set for a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleOption {
    /// Its key, in kebab-case.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// Its value where nothing is said.
    pub default: u64,
    /// The least value.
    pub least: u64,
    /// The greatest value.
    pub most: u64,
}

impl Rule {
    /// Its id.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        self.code.id
    }
}

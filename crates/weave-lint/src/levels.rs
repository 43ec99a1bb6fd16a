//! How bad each rule's findings are.

use std::collections::BTreeMap;

use weave_diagnostics::Severity;

use crate::rule::{Group, Rule};

/// How bad the findings of a rule are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The rule is not run.
    Off,
    /// Advice.
    Note,
    /// A warning, which fails a run only where warnings are counted.
    Warn,
    /// An error, which fails a run.
    Error,
}

impl Level {
    /// The names in configuration files, and what they mean.
    pub const NAMES: [(&'static str, Self); 4] = [("off", Self::Off), ("note", Self::Note), ("warn", Self::Warn), ("error", Self::Error)];

    /// The level with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, level)| *level)
    }

    /// The severity of a finding; nothing for a rule that is not run.
    #[must_use]
    pub const fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Note => Some(Severity::Note),
            Self::Warn => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }
}

/// The levels of one file: what is said of a rule counts before what is said of its group, and that before the group's own level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// By rule.
    pub rules: BTreeMap<String, Level>,
    /// By group.
    pub groups: BTreeMap<Group, Level>,
}

impl Levels {
    /// The level of a rule.
    #[must_use]
    pub fn of(&self, rule: &Rule) -> Level {
        let of_group = || self.groups.get(&rule.group).copied().unwrap_or(rule.group.level());
        self.rules.get(rule.id()).copied().unwrap_or_else(of_group)
    }
}

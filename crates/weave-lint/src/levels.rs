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

/// What holds for one file: what is said of a rule counts before what is said of its group, and that before the group's own level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Levels by rule.
    pub rules: BTreeMap<String, Level>,
    /// Levels by group.
    pub groups: BTreeMap<Group, Level>,
    /// Options by rule and name.
    pub options: BTreeMap<(&'static str, &'static str), u64>,
}

impl Settings {
    /// The level of a rule.
    #[must_use]
    pub fn level(&self, rule: &Rule) -> Level {
        let of_group = || self.groups.get(&rule.group).copied().unwrap_or(rule.group.level());
        self.rules.get(rule.id()).copied().unwrap_or_else(of_group)
    }

    /// The value of an option of a rule.
    #[must_use]
    pub fn option(&self, rule: &'static Rule, name: &'static str) -> u64 {
        let default = || rule.options.iter().find(|option| option.name == name).map_or(0, |option| option.default);
        self.options.get(&(rule.id(), name)).copied().unwrap_or_else(default)
    }

    /// Takes over what others say.
    pub(crate) fn extend(&mut self, others: &Self) {
        self.rules.extend(others.rules.iter().map(|(rule, level)| (rule.clone(), *level)));
        self.groups.extend(&others.groups);
        self.options.extend(&others.options);
    }
}

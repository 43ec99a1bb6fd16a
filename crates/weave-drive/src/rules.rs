//! The rules of the protocol that a test can take away.
//!
//! Each rule is here because a run without it loses, doubles or hangs. The model checker proves that of this code: it takes one rule
//! away and must find a violation (`docs/protocol.md`, *Rules*).

/// A rule that this crate follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Rule {
    /// A call of a once-only tool is marked as sent before it leaves.
    MarkFirst,
    /// A once-only call whose process has ended is unknown, and not sent again.
    AskWhenUnknown,
    /// After anything but a durable append the memory is rebuilt from the store.
    Rebuild,
    /// Posted events are taken before a timer fires.
    InboxFirst,
    /// Nothing is sent whose row is not durable.
    DurableFirst,
    /// Computed ids of external events contain the attempt.
    AttemptInId,
    /// A decision about an unknown outcome applies to the sending that it names.
    SendingInDecision,
}

/// Which rules hold: all of them, except where a test takes one away.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rules {
    #[cfg(test)]
    without: Option<Rule>,
}

impl Rules {
    /// All rules but this one.
    #[cfg(test)]
    pub(crate) const fn without(rule: Rule) -> Self {
        Self { without: Some(rule) }
    }

    #[cfg(test)]
    pub(crate) fn hold(self, rule: Rule) -> bool {
        self.without != Some(rule)
    }

    #[cfg(not(test))]
    #[allow(clippy::unused_self, reason = "in tests a rule can be taken away")]
    pub(crate) const fn hold(self, _rule: Rule) -> bool {
        true
    }
}

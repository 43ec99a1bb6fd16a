//! Names of which each is given once.

use std::collections::BTreeSet;

/// The names of one place, such as a module, in one language.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// Makes a name that the language takes of what something is called.
    identifier: fn(&str) -> String,
    taken: BTreeSet<String>,
}

impl Scope {
    pub(crate) const fn new(identifier: fn(&str) -> String) -> Self {
        Self { identifier, taken: BTreeSet::new() }
    }

    /// This name, or one with `_` behind it that nothing else has.
    pub(crate) fn claim(&mut self, name: &str) -> String {
        let mut name = (self.identifier)(name);
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

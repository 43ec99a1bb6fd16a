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

    /// Whether something can be called as it is.
    pub(crate) fn takes(&self, name: &str) -> bool {
        (self.identifier)(name) == name
    }

    /// A name for each of these. What can be called as it is has the first claim, so that nothing changes because of what has to be called
    /// otherwise.
    pub(crate) fn claim_all(&mut self, names: &[&str]) -> Vec<String> {
        let mut claimed = vec![String::new(); names.len()];
        for as_it_is in [true, false] {
            for (name, claimed) in names.iter().zip(&mut claimed) {
                if self.takes(name) == as_it_is {
                    *claimed = self.claim(name);
                }
            }
        }
        claimed
    }
}

#[cfg(test)]
mod tests {
    use super::Scope;

    #[test]
    fn what_can_be_called_as_it_is_keeps_its_name() {
        let mut scope = Scope::new(|name| if name == "class" { "class_".to_owned() } else { name.to_owned() });
        assert_eq!(scope.claim_all(&["class", "class_", "a", "a"]), ["class__", "class_", "a", "a_"]);
    }
}

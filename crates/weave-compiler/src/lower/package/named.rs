//! What is called how, so that nothing is called like something else.

use std::collections::{BTreeMap, BTreeSet};

use weave_analysis::model::Declaration;
use weave_analysis::model::declarations::{DeclarationKind, TargetNames};
use weave_analysis::model::naming::{Role, TargetLanguage};
use weave_ir::package::{About, Names};
use weave_syntax::ast::ToolKind;

/// What something is called in each language.
pub(super) fn called(role: Role, name: &str, chosen: &TargetNames) -> Names {
    let of = |language: TargetLanguage| language.call(role, name, chosen);
    Names { go: of(TargetLanguage::Go), typescript: of(TargetLanguage::TypeScript), python: of(TargetLanguage::Python) }
}

/// The names with something behind them.
pub(super) fn suffixed(names: &Names, suffix: &str) -> Names {
    let with = |name: &str| format!("{name}{suffix}");
    Names { go: with(&names.go), typescript: with(&names.typescript), python: with(&names.python) }
}

/// The names of what stands under `part` in what is called `whole`.
pub(super) fn within(whole: &Names, part: &str) -> Names {
    let part = called(Role::Type, part, &TargetNames::default());
    Names {
        go: format!("{}{}", whole.go, part.go),
        typescript: format!("{}{}", whole.typescript, part.typescript),
        python: format!("{}{}", whole.python, part.python),
    }
}

/// What is said about a declaration.
pub(super) fn about(declaration: &Declaration) -> About {
    said(declaration.docs.as_deref(), declaration.deprecated.as_deref())
}

/// What is said about something.
pub(super) fn said(docs: Option<&str>, deprecated: Option<&str>) -> About {
    About { description: docs.map(str::to_owned), deprecated: deprecated.map(str::to_owned) }
}

/// The names of the types of one package.
#[derive(Debug, Default)]
pub(super) struct Taken {
    /// What the declared types are called in the language itself.
    declared: BTreeSet<String>,
    identities: BTreeSet<String>,
    go: BTreeSet<String>,
    typescript: BTreeSet<String>,
    python: BTreeSet<String>,
    /// For each identity that was claimed the number that comes next: those before it are taken, and stay so.
    numbers: BTreeMap<String, usize>,
}

impl Taken {
    /// The names of a package with these types.
    pub(super) fn new<'n>(declared: impl Iterator<Item = &'n str>) -> Self {
        Self { declared: declared.map(str::to_owned).collect(), ..Self::default() }
    }

    /// What identifies a type that is made beside a declaration. A declared type may have the same name, if it is called otherwise in each
    /// language.
    pub(super) fn beside(&self, name: &str, suffix: &str) -> String {
        let mut identity = format!("{name}{suffix}");
        while self.declared.contains(&identity) {
            identity.push('_');
        }
        identity
    }

    /// Keeps the names of what is made for a declaration: those that the check for clashes compares.
    pub(super) fn reserve(&mut self, declaration: &Declaration) {
        let suffixes: &[&str] = match &declaration.kind {
            DeclarationKind::Type(_) | DeclarationKind::Enum(_) | DeclarationKind::Union(_) | DeclarationKind::Error(_) => {
                let names = called(Role::Type, &declaration.name, &declaration.target_names);
                return self.insert(declaration.name.to_string(), &names);
            }
            DeclarationKind::Tool(tool) if tool.kind == ToolKind::Provider => &[],
            DeclarationKind::Tool(_) | DeclarationKind::Agent(_) | DeclarationKind::Workflow(_) => &["Input", "Output"],
            DeclarationKind::Toolkit(_) => &["Service"],
            DeclarationKind::Event(_) | DeclarationKind::Prompt(_) => &[],
        };
        let names = called(Role::Type, &declaration.name, &declaration.target_names);
        for suffix in suffixes {
            let identity = self.beside(&declaration.name, suffix);
            self.insert(identity, &suffixed(&names, suffix));
        }
    }

    fn insert(&mut self, identity: String, names: &Names) {
        self.identities.insert(identity);
        self.go.insert(names.go.clone());
        self.typescript.insert(names.typescript.clone());
        self.python.insert(names.python.clone());
    }

    fn is_free(&self, identity: &str, names: &Names) -> bool {
        !self.identities.contains(identity)
            && !self.go.contains(&names.go)
            && !self.typescript.contains(&names.typescript)
            && !self.python.contains(&names.python)
    }

    /// These names, or with the first number behind them that makes them the only ones.
    pub(super) fn claim(&mut self, identity: &str, names: &Names) -> (String, Names) {
        let mut number = self.numbers.get(identity).copied().unwrap_or(1);
        loop {
            let suffix = if number == 1 { String::new() } else { number.to_string() };
            let (numbered, names) = (format!("{identity}{suffix}"), suffixed(names, &suffix));
            number += 1;
            if self.is_free(&numbered, &names) {
                self.insert(numbered.clone(), &names);
                self.numbers.insert(identity.to_owned(), number);
                return (numbered, names);
            }
        }
    }
}

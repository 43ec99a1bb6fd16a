//! What must be seen of tests, exploring and replaying, on the examples of the language.
//!
//! The tests hold slices of it; `cargo run -p weave-tests --example trials` does all of it and lists what is left.

pub mod mutants;
pub mod planted;
pub mod recorded;

use weave_compiler::CompiledTests;
use weave_scenario::{Sources, Subject};

use crate::program::{Checked, Program};
use crate::suite::file_name;
use crate::{examples, root};

/// An example with its tests.
pub struct Tested {
    /// Its name: `support`.
    pub name: String,
    /// The program.
    pub checked: Checked,
    /// Its tests, and the workflows that they run.
    pub tests: CompiledTests,
}

/// The examples that have tests.
#[must_use]
pub fn tested_examples() -> Vec<Tested> {
    let folder = root().join("examples");
    let names = examples().into_iter().map(|path| file_name(&path).replace(".weave", ""));
    let with_tests = names.filter(|name| folder.join(format!("{name}_test.weave")).is_file());
    with_tests.map(|name| tested(&name)).collect()
}

/// The example of this name with its tests.
#[must_use]
pub fn tested(name: &str) -> Tested {
    let roots = vec![format!("{name}.weave"), format!("{name}_test.weave")];
    let checked = Program { roots, ..Program::in_folder(&root().join("examples")) }.check();
    let tests = checked.snapshot.tests().expect("the examples can be lowered");
    Tested { name: name.to_owned(), checked, tests }
}

/// The workflow at this place among those of the tests, with another definition, or its own.
#[must_use]
pub fn subject(tested: &Tested, place: usize, definition: Option<weave_ir::Definition>) -> Subject {
    let compiled = &tested.tests.workflows[place];
    let sources = Sources { map: compiled.source_map.clone(), texts: Vec::new() };
    Subject::new(weave_runner::Prepared::new(definition.unwrap_or_else(|| compiled.definition.clone())), Some(sources))
}

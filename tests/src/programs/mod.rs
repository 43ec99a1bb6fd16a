//! Random programs with all that workflows are made of, and random worlds for their runs.
//!
//! [`generate`] writes a program as text. A [`Subject`] is a workflow of a program that the compiler calls clean; it is run in random
//! worlds, which answer, fail, are late, and say what nobody asked for. What must not happen in a clean program is a [`Finding`].

mod coverage;
mod declarations;
mod mutate;
mod nodes;
mod run;
mod schemas;
mod shrink;
mod survey;
mod types;
mod values;
mod world;

pub use coverage::{CONSTRUCTS, Coverage};
pub use mutate::mutate;
pub use run::{Ended, Finding, Subject};
pub use shrink::shrink;
pub use survey::{Survey, bases, changed};

use crate::program::Program;
use crate::random::Random;

/// A program from this seed, of at most about so many nodes.
#[must_use]
pub fn generate(seed: u64, size: usize) -> String {
    let mut random = Random::new(seed);
    let mut declarations = declarations::Declarations::new(&mut random);
    let daring = *random.pick(&[0, 0, 3, 8]);
    let gaps = random.chance(12);
    let workflow = nodes::Growth::workflow(&mut declarations, &mut random, size, daring, gaps);
    let mut text = declarations.text.join("\n");
    text += "\n\n";
    text += &workflow;
    text.push('\n');
    text
}

/// The workflows of a clean program; else the ids of what is wrong with it.
///
/// # Errors
///
/// The ids of the diagnostics.
pub fn subjects(program: &Program) -> Result<Vec<Subject>, Vec<&'static str>> {
    let checked = program.check();
    if checked.diagnostics.is_empty() {
        Ok(checked.compiled.iter().map(|compiled| Subject::new(&compiled.definition)).collect())
    } else {
        Err(checked.ids())
    }
}

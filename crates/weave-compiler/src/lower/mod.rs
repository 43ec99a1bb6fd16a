//! From the typed model to definitions.
//!
//! First it is found out what each definition holds, which needs no JSON and says all that can go wrong; then the definitions are
//! written, children before their parents.

mod builders;
mod built_in;
mod catalog;
mod cel;
mod children;
mod definition;
mod guard;
mod names;
mod nodes;
mod normal;
mod offered;
mod package;
mod parts;
mod places;
mod problems;
mod scripts;
mod triggers;
mod uses;
mod values;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use weave_analysis::model::workflow::WorkflowBody;
use weave_analysis::model::{DeclarationId, Model};
use weave_diagnostics::{FileId, Place, SourceMap};

pub(crate) use builders::builders;
pub use catalog::CatalogClash;
pub(crate) use guard::GREATEST_HEIGHT;
pub(crate) use package::packages;
pub(crate) use scripts::script;

use built_in::BuiltIn;
use children::Digests;
use uses::{Contents, Uses};

/// One workflow, compiled.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiled {
    /// Its name.
    pub name: String,
    /// The file that declares it.
    pub file: FileId,
    /// Its definition.
    pub definition: weave_ir::Definition,
    /// Where the parts of the definition were written; holds the definition's digest, too.
    pub source_map: weave_ir::SourceMap,
}

impl Compiled {
    /// The node in whose text a place lies.
    #[must_use]
    pub fn node_at(&self, place: Place) -> Option<&str> {
        let nodes = self.source_map.nodes.iter().filter(|_| place.file == self.file);
        let mut inside = nodes.filter(|(_, range)| range.start <= place.span.start && place.span.end <= range.end);
        inside.next().map(|(id, _)| id.as_str())
    }

    /// Whether a place lies in the text of the workflow.
    #[must_use]
    pub fn contains(&self, place: Place) -> bool {
        let workflow = self.source_map.paths.get("/workflow").filter(|_| place.file == self.file);
        workflow.is_some_and(|range| range.start <= place.span.start && place.span.end <= range.end)
    }
}

/// A program without errors, on its way to definitions.
pub(crate) struct Program<'a> {
    model: &'a Model,
    sources: &'a SourceMap,
    bodies: FxHashMap<DeclarationId, &'a WorkflowBody>,
    built_in: BuiltIn,
    /// The workflows that are asked for, in the order of the program.
    roots: Vec<DeclarationId>,
    /// What the definition of each workflow holds: of those that are asked for, and those that they run.
    contents: FxHashMap<DeclarationId, Contents>,
}

impl<'a> Program<'a> {
    /// Finds out what the definitions of these workflows hold.
    pub(crate) fn new(
        model: &'a Model,
        bodies: impl Iterator<Item = &'a WorkflowBody>,
        sources: &'a SourceMap,
        is_root: impl Fn(DeclarationId) -> bool,
    ) -> Self {
        let built_in = BuiltIn::new(model);
        let bodies: FxHashMap<DeclarationId, &WorkflowBody> = bodies.map(|body| (body.declaration, body)).collect();
        let mut roots: Vec<DeclarationId> = bodies.keys().copied().filter(|id| is_root(*id)).collect();
        roots.sort_unstable();
        let contents = if roots.is_empty() { FxHashMap::default() } else { contents(model, &bodies, &roots, &built_in) };
        Self { model, sources, bodies, built_in, roots, contents }
    }

    /// The workflows by the files of a program, each with those that it runs.
    fn children(&self) -> FxHashMap<DeclarationId, Vec<DeclarationId>> {
        self.contents.iter().map(|(id, contents)| (*id, contents.workflows.clone())).collect()
    }

    /// The definitions of the workflows that are asked for, in the order of the program; a program in which
    /// [`Program::problems`] finds something has none.
    ///
    /// # Errors
    ///
    /// With the workflow whose definition JSON cannot carry.
    pub(crate) fn lower(&self) -> Result<Vec<Compiled>, (DeclarationId, weave_ir::Error)> {
        Ok(self.lower_each()?.into_iter().map(|(_, compiled)| compiled).collect())
    }

    /// The same, each with its workflow.
    ///
    /// # Errors
    ///
    /// With the workflow whose definition JSON cannot carry.
    pub(crate) fn lower_each(&self) -> Result<Vec<(DeclarationId, Compiled)>, (DeclarationId, weave_ir::Error)> {
        let order = children::order(&self.roots, &self.children());
        let wanted: FxHashSet<DeclarationId> = self.roots.iter().copied().collect();
        let mut digests = Digests::default();
        let mut compiled: Vec<(DeclarationId, Compiled)> = Vec::new();
        for wave in order.waves {
            let lower = |id: &DeclarationId| self.definition(*id, &digests).map_err(|error| (*id, error));
            let done = match wave.as_slice() {
                // One workflow needs no threads, and starting them is a good part of its time.
                [id] => vec![lower(id)?],
                ids => ids.par_iter().map(lower).collect::<Result<Vec<_>, _>>()?,
            };
            for (id, one) in wave.into_iter().zip(done) {
                let Some(one) = one else { continue };
                digests.insert(id, one.source_map.digest.clone());
                if wanted.contains(&id) {
                    compiled.push((id, one));
                }
            }
        }
        compiled.sort_by_key(|(id, _)| *id);
        Ok(compiled)
    }
}

fn contents(
    model: &Model,
    bodies: &FxHashMap<DeclarationId, &WorkflowBody>,
    roots: &[DeclarationId],
    built_in: &BuiltIn,
) -> FxHashMap<DeclarationId, Contents> {
    let uses = Uses::new(model);
    let mut all: FxHashMap<DeclarationId, Contents> = FxHashMap::default();
    let mut open = roots.to_vec();
    while let Some(id) = open.pop() {
        let Some(body) = bodies.get(&id) else { continue };
        if all.contains_key(&id) {
            continue;
        }
        let contents = uses.contents(model, id, body, built_in);
        open.extend(&contents.workflows);
        all.insert(id, contents);
    }
    all
}

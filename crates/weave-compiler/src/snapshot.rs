//! A program at one moment: its files, what they mean, and what is wrong with them.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use weave_analysis::choices::Choice;
use weave_analysis::flow::TopicFlow;
use weave_analysis::model::workflow::WorkflowBody;
use weave_analysis::model::{DeclarationId, Model, Unit};
use weave_analysis::{Bodies, Scripts, check_bodies, check_scripts, declare};
use weave_diagnostics::{Diagnostic, FileId, SourceMap, bounded, sort_and_dedup};
use weave_syntax::ast::ItemKind;

use crate::editing::Editing;
use crate::load::{Loaded, load, map_all};
use crate::lower::{CatalogClash, Compiled, Program, builders, packages};
use crate::{Input, Loader, messages, strict};

/// The result of [`check`].
#[derive(Debug)]
pub struct Snapshot {
    pub(crate) sources: SourceMap,
    /// How many of the first files are the prelude and the roots.
    pub(crate) roots: usize,
    pub(crate) units: Vec<Unit>,
    pub(crate) model: Arc<Model>,
    /// What was found out about each file on its own, in the order of the files.
    pub(crate) bodies: Vec<Arc<Bodies>>,
    /// The tests of each file, in the order of the files.
    pub(crate) scripts: Vec<Arc<Scripts>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What an editor goes on from; nothing if nobody goes on.
    pub(crate) editing: Option<Editing>,
}

/// Parses and analyses the roots and everything that they import. It never fails: what is wrong stands in the diagnostics.
#[must_use]
pub fn check(inputs: Vec<Input>, loader: &dyn Loader) -> Snapshot {
    analyse(load(inputs, loader, None))
}

fn analyse(loaded: Loaded) -> Snapshot {
    let Loaded { sources, units, roots, mut diagnostics } = loaded;
    let bytes = units.iter().map(|unit| unit.syntax.text.len()).sum();
    let syntax = map_all(&units, bytes, |unit| unit.syntax.diagnostics(unit.file));
    diagnostics.extend(syntax.into_iter().flatten());
    let declared = declare(&units);
    diagnostics.extend(declared.diagnostics);
    let model = Arc::new(declared.model);
    let bodies = map_all(&units, bytes, |unit| Arc::new(check_bodies(&model, unit)));
    diagnostics.extend(bodies.iter().flat_map(|bodies| bodies.diagnostics.iter().cloned()));
    let scripts = check_tests(&model, &units, &bodies);
    diagnostics.extend(scripts.iter().flat_map(|scripts| scripts.diagnostics.iter().cloned()));
    let mut snapshot = Snapshot { sources, roots, units, model, bodies, scripts, diagnostics, editing: None };
    // A parse that was repaired has reported an error, so nothing is ever made from one.
    if !snapshot.has_errors() {
        let refused = snapshot.refused();
        snapshot.diagnostics.extend(refused);
    }
    sort_and_dedup(&mut snapshot.diagnostics);
    snapshot.diagnostics = bounded(std::mem::take(&mut snapshot.diagnostics));
    snapshot
}

/// Looks at the tests of all files, for which the nodes of all workflows have to be known.
pub(crate) fn check_tests(model: &Model, units: &[Unit], bodies: &[Arc<Bodies>]) -> Vec<Arc<Scripts>> {
    let has_tests = |unit: &Unit| unit.syntax.items.iter().any(|slot| matches!(slot.parsed.item.kind, ItemKind::Test(_)));
    let with_tests: Vec<bool> = units.iter().map(has_tests).collect();
    let mut known: FxHashMap<DeclarationId, &WorkflowBody> = FxHashMap::default();
    if with_tests.contains(&true) {
        known.extend(bodies.iter().flat_map(|bodies| &bodies.workflows).map(|body| (body.declaration, &**body)));
    }
    let body = |id: DeclarationId| known.get(&id).copied();
    let check = |(unit, with_tests): (&Unit, bool)| if with_tests { check_scripts(model, unit, &body) } else { Scripts::default() };
    units.iter().zip(with_tests).map(|pair| Arc::new(check(pair))).collect()
}

/// A test, ready to be played.
#[derive(Clone, Debug)]
pub struct CompiledTest {
    /// The file that it stands in.
    pub file: FileId,
    /// Its workflow, by its index in [`CompiledTests::workflows`].
    pub workflow: usize,
    /// What it says.
    pub script: weave_scenario::Script,
}

/// The tests of a program, and the workflows that they run.
#[derive(Clone, Debug, Default)]
pub struct CompiledTests {
    /// The workflows, wherever they are declared.
    pub workflows: Vec<Compiled>,
    /// The tests of the roots, in the order of the files and of their texts.
    pub tests: Vec<CompiledTest>,
}

impl Snapshot {
    /// The tests of the roots, and the workflows that they run. A program with errors has none.
    ///
    /// # Errors
    ///
    /// With what JSON cannot carry.
    pub fn tests(&self) -> Result<CompiledTests, Vec<Diagnostic>> {
        let mut found = CompiledTests::default();
        if self.has_errors() {
            return Ok(found);
        }
        let tests = || self.scripts.iter().take(self.roots).flat_map(|scripts| &scripts.tests);
        let wanted: FxHashSet<DeclarationId> = tests().filter_map(|test| test.workflow).collect();
        if wanted.is_empty() {
            return Ok(found);
        }
        let bodies: FxHashMap<DeclarationId, &WorkflowBody> =
            self.bodies.iter().flat_map(|bodies| &bodies.workflows).map(|body| (body.declaration, &**body)).collect();
        let program = Program::new(&self.model, bodies.values().copied(), &self.sources, |id| wanted.contains(&id));
        let lowered = program.lower_each().map_err(|(workflow, error)| self.unwritable(workflow, &error))?;
        let mut numbers = FxHashMap::default();
        for (id, compiled) in lowered {
            numbers.insert(id, found.workflows.len());
            found.workflows.push(compiled);
        }
        for test in tests() {
            let Some(id) = test.workflow else { continue };
            let (Some(workflow), Some(body), Some(source)) = (numbers.get(&id), bodies.get(&id), self.sources.get(test.file)) else {
                continue;
            };
            let Some(declaration) = self.model.get(id) else { continue };
            let script = crate::lower::script(source, test, &declaration.name, body, &|place| self.in_text(place));
            found.tests.push(CompiledTest { file: test.file, workflow: *workflow, script });
        }
        Ok(found)
    }

    /// The tests of each file, in the order of the files.
    #[must_use]
    pub fn scripts(&self) -> &[Arc<Scripts>] {
        &self.scripts
    }

    /// All files: the prelude, the roots, and what they import. Their order is that of the diagnostics.
    #[must_use]
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// What is wrong, in the order of the files and of the places in them; each thing is said once.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether something is wrong that keeps the program from having definitions.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// The parsed files, in the order of [`Snapshot::sources`].
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The workflows of each file, in the order of the files.
    #[must_use]
    pub fn bodies(&self) -> &[Arc<Bodies>] {
        &self.bodies
    }

    /// Whether a file is one of the roots, and so one whose author asked about it.
    #[must_use]
    pub const fn is_root(&self, file: FileId) -> bool {
        file.0 > 0 && (file.0 as usize) < self.roots
    }

    /// What the files declare.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What rules find in the roots. A program with errors is not linted: what a rule would say may only follow from the error.
    #[must_use]
    pub fn lint(&self, options: &weave_lint::Options<'_>) -> Vec<Diagnostic> {
        if self.has_errors() {
            return Vec::new();
        }
        let facts = weave_lint::Facts::new(&self.model, &self.units, &self.bodies);
        let (model, units, bodies) = (&*self.model, self.units.as_slice(), self.bodies.as_slice());
        let project = weave_lint::Project { model, units, bodies, roots: self.roots, facts: &facts };
        weave_lint::lint(&project, options)
    }

    /// What cannot be lowered of a program without errors. The places are those of the model.
    pub(crate) fn refused(&self) -> Vec<Diagnostic> {
        let mut refused = self.program().problems();
        refused.extend(strict::problems(&self.model));
        refused
    }

    /// What each of these diagnostics of this program is known by, wherever its code moves; equal ones are numbered.
    #[must_use]
    pub fn fingerprints(&self, diagnostics: &[Diagnostic]) -> Vec<String> {
        weave_lint::fingerprints(diagnostics, &self.units)
    }

    /// The same without numbers, as a baseline counts them.
    #[must_use]
    pub fn identities(&self, diagnostics: &[Diagnostic]) -> Vec<weave_lint::Identity> {
        diagnostics.iter().map(|diagnostic| weave_lint::Identity::new(diagnostic, &self.units)).collect()
    }

    /// What the guards of the workflows that the roots declare say about each other, by workflow, in the order of the files and of their texts.
    #[must_use]
    pub fn choices(&self) -> Vec<(DeclarationId, Vec<Choice>)> {
        let workflows = self.bodies.iter().take(self.roots).flat_map(|bodies| bodies.workflows.iter());
        workflows.map(|workflow| (workflow.declaration, weave_analysis::flow::choices(&self.model, workflow))).collect()
    }

    /// Who emits and who consumes each topic, whose answers are awaited and whose failures are handled, over all files.
    #[must_use]
    pub fn topics(&self) -> TopicFlow {
        TopicFlow::new(&self.model, self.bodies.iter().map(|bodies| &**bodies))
    }

    /// The definitions of the workflows that are declared in the roots, in the order of the files and of their texts. A program with
    /// errors has none.
    ///
    /// # Errors
    ///
    /// With what JSON cannot carry; [`Snapshot::diagnostics`] has everything else.
    pub fn compile(&self) -> Result<Vec<Compiled>, Vec<Diagnostic>> {
        if self.has_errors() {
            return Ok(Vec::new());
        }
        self.program().lower().map_err(|(workflow, error)| self.unwritable(workflow, &error))
    }

    /// The definitions of the workflows of the roots for their pictures, also if the graphs of workflows have errors. Such a definition
    /// must not run. A program with other errors has none.
    ///
    /// # Errors
    ///
    /// With what JSON cannot carry.
    pub fn sketch(&self) -> Result<Vec<Compiled>, Vec<Diagnostic>> {
        let mut errors = self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
        if errors.any(|error| !weave_analysis::is_about_graph(error.code)) {
            return Ok(Vec::new());
        }
        self.program().lower().map_err(|(workflow, error)| self.unwritable(workflow, &error))
    }

    /// The same with the workflows of all files that the roots import: what a run needs, whose children may be declared elsewhere.
    ///
    /// # Errors
    ///
    /// With what JSON cannot carry.
    pub fn compile_all(&self) -> Result<Vec<Compiled>, Vec<Diagnostic>> {
        if self.has_errors() {
            return Ok(Vec::new());
        }
        self.whole().lower().map_err(|(workflow, error)| self.unwritable(workflow, &error))
    }

    /// The files that were asked for, without those that they import and the prelude.
    pub fn root_files(&self) -> impl Iterator<Item = FileId> {
        (1..self.roots).filter_map(|file| u32::try_from(file).ok()).map(FileId)
    }

    /// What the roots offer models, by name: what their agents are offered, the toolkits that are in no list, and the tools that are in no
    /// list. A program with errors offers nothing.
    ///
    /// # Errors
    ///
    /// With the names that mean two things.
    pub fn catalog(&self) -> Result<weave_providers::Catalog, Vec<CatalogClash>> {
        if self.has_errors() {
            return Ok(weave_providers::Catalog::default());
        }
        self.program().catalog(|file| (file.0 as usize) < self.roots)
    }

    /// What services are generated from: a package for each file that declares something, the roots and what they import, in the order of
    /// the files. A program with errors has none.
    ///
    /// # Errors
    ///
    /// With what JSON cannot carry.
    pub fn packages(&self) -> Result<Vec<weave_ir::package::Package>, Vec<Diagnostic>> {
        if self.has_errors() {
            return Ok(Vec::new());
        }
        let program = self.whole();
        let compiled = program.lower().map_err(|(workflow, error)| self.unwritable(workflow, &error))?;
        let description = |file| self.units.iter().find(|unit| unit.file == file).and_then(|unit| unit.syntax.module_docs());
        Ok(packages(&program, &compiled, description))
    }

    /// What builders of these packages are made from, in whatever language. A program with errors has none.
    ///
    /// # Errors
    ///
    /// With what JSON cannot carry.
    pub fn builders(&self) -> Result<weave_ir::package::Builders, Vec<Diagnostic>> {
        if self.has_errors() {
            return Ok(weave_ir::package::Builders::default());
        }
        let program = self.whole();
        let compiled = program.lower().map_err(|(workflow, error)| self.unwritable(workflow, &error))?;
        Ok(builders(&program, &compiled))
    }

    fn unwritable(&self, workflow: DeclarationId, error: &weave_ir::Error) -> Vec<Diagnostic> {
        let workflow = self.model.get(workflow);
        workflow.and_then(|workflow| messages::unwritable(workflow, error)).into_iter().collect()
    }

    fn program(&self) -> Program<'_> {
        self.program_of(|file| (file.0 as usize) < self.roots)
    }

    /// The program with what it imports.
    fn whole(&self) -> Program<'_> {
        self.program_of(|file| file.0 > 0)
    }

    fn program_of(&self, is_root: impl Fn(FileId) -> bool) -> Program<'_> {
        let bodies = self.bodies.iter().flat_map(|bodies| bodies.workflows.iter().map(|body| &**body));
        Program::new(&self.model, bodies, &self.sources, |id| self.model.get(id).is_some_and(|declaration| is_root(declaration.file)))
    }
}

//! A program at one moment, as the features look at it.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use weave_analysis::model::workflow::WorkflowBody;
use weave_analysis::model::{Declaration, DeclarationId, ItemContext, Model, Unit};
use weave_compiler::Snapshot;
use weave_diagnostics::{Diagnostic, FileId, Place, SourceFile, Span, sort_and_dedup};
use weave_lint::{Day, Options, Settings};
use weave_syntax::ItemSlot;
use weave_syntax::ast::ItemKind;

use crate::baselines::KnownFindings;
use crate::semantic::KnownTokens;

/// A program at one moment. It never changes; a change of a text makes another one.
///
/// All places that the features take and give count in the texts. Those of the model do not: they go through [`Analysis::in_text`].
#[derive(Debug)]
pub struct Analysis {
    snapshot: Snapshot,
    by_name: Arc<FxHashMap<String, FileId>>,
    /// The levels of the rules, by file.
    settings: Arc<[Settings]>,
    /// What is known already, and not said.
    baselines: Arc<[KnownFindings]>,
    today: Option<Day>,
    /// What is wrong and what rules find, by file; found out when it is first asked for.
    findings: OnceLock<Vec<Diagnostic>>,
    /// The colours of items that somebody has asked for.
    pub(crate) tokens: KnownTokens,
}

/// A place where something is: what an editor jumps to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// Its name, or what else stands for it.
    pub name: Place,
    /// All of it.
    pub whole: Place,
}

/// An item of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ItemView<'a> {
    /// Its index in the file.
    pub(crate) index: u32,
    pub(crate) slot: &'a ItemSlot,
    pub(crate) context: ItemContext<'a>,
}

impl ItemView<'_> {
    /// All of it, in the text of its file.
    pub(crate) const fn span(&self) -> Span {
        Span::new(self.slot.start, self.slot.end)
    }

    /// The place of a span of the item.
    pub(crate) const fn place(&self, span: Span) -> Place {
        self.context.place(span)
    }
}

impl Analysis {
    /// An analysis of a checked program, with the levels of rules for each file.
    #[must_use]
    pub fn new(snapshot: Snapshot, settings: impl Fn(&str) -> Settings, today: Option<Day>) -> Self {
        let names = snapshot.sources().iter().map(|(id, file)| (weave_compiler::normalize_path(file.name()), id));
        let by_name = Arc::new(names.collect());
        let settings = snapshot.sources().iter().map(|(_, file)| settings(file.name())).collect();
        let baselines = Arc::default();
        Self { snapshot, by_name, settings, baselines, today, findings: OnceLock::new(), tokens: KnownTokens::default() }
    }

    /// The same, without what these know already.
    #[must_use]
    pub(crate) fn with_baselines(self, baselines: Arc<[KnownFindings]>) -> Self {
        Self { baselines, ..self }
    }

    /// An analysis of the next state of the program, which has the same files.
    #[must_use]
    pub(crate) fn next(&self, snapshot: Snapshot, today: Option<Day>) -> Self {
        let (by_name, settings, baselines) = (Arc::clone(&self.by_name), Arc::clone(&self.settings), Arc::clone(&self.baselines));
        Self { snapshot, by_name, settings, baselines, today, findings: OnceLock::new(), tokens: KnownTokens::default() }.after(self)
    }

    /// The same, with what was found out about the state from which it was made and still holds.
    #[must_use]
    pub(crate) fn after(mut self, earlier: &Self) -> Self {
        if let Some(changed) = self.snapshot.changed() {
            self.tokens = earlier.tokens.hand_on(changed);
        }
        self
    }

    /// The checked program.
    #[must_use]
    pub const fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// What the files declare.
    #[must_use]
    pub fn model(&self) -> &Model {
        self.snapshot.model()
    }

    /// The file of a name, as the folder of the workspace calls it.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<FileId> {
        self.by_name.get(name).copied()
    }

    /// A file's name and text.
    #[must_use]
    pub fn source(&self, file: FileId) -> Option<&Arc<SourceFile>> {
        self.snapshot.sources().get(file)
    }

    /// The text of a file.
    #[must_use]
    pub fn text(&self, file: FileId) -> &str {
        self.source(file).map_or("", |file| file.text())
    }

    /// The text that a place covers.
    #[must_use]
    pub fn text_of(&self, place: Place) -> &str {
        self.snapshot.sources().text(self.in_text(place))
    }

    /// Where a place of the model stands in the text of its file. A place in a text stays what it is.
    #[must_use]
    pub fn in_text(&self, place: Place) -> Place {
        self.snapshot.in_text(place)
    }

    /// Where a place in the text of an item stands in the model.
    pub(crate) fn in_model(&self, item: &ItemView<'_>, place: Place) -> Place {
        let from = item.slot.start;
        let in_item = |offset: u32| offset.saturating_sub(from);
        let span = Span::new(in_item(place.span.start), in_item(place.span.end));
        self.unit(place.file).map_or(place, |unit| unit.context(item.index as usize, item.slot).place(span))
    }

    /// What is wrong with the texts and with what they mean, which is known at once. If there is an error in it, it is all that is said
    /// about the program; if not, rules and definitions have their say too, in [`Analysis::findings`].
    #[must_use]
    pub fn mistakes(&self) -> &[Diagnostic] {
        self.snapshot.diagnostics()
    }

    /// Those of them that are about a file.
    #[must_use]
    pub fn mistakes_in(&self, file: FileId) -> &[Diagnostic] {
        of_file(self.mistakes(), file)
    }

    /// Whether everything that is said about the program has been found out.
    #[must_use]
    pub fn is_found_out(&self) -> bool {
        self.findings.get().is_some() || self.snapshot.has_errors()
    }

    /// Everything that is said about the program: what is wrong, and what rules find where nothing is wrong, but for what a baseline knows. It is
    /// what `weave lint` says.
    #[must_use]
    pub fn findings(&self) -> &[Diagnostic] {
        self.findings.get_or_init(|| {
            if self.snapshot.has_errors() {
                return self.mistakes().to_vec();
            }
            let settings = |file: FileId| self.settings.get(file.0 as usize).cloned().unwrap_or_default();
            let mut found = self.snapshot.refusals();
            let is_refused = found.iter().any(Diagnostic::is_error);
            if !is_refused {
                found.extend(self.snapshot.lint(&Options { settings: &settings, today: self.today.clone() }));
            }
            found.extend_from_slice(self.mistakes());
            sort_and_dedup(&mut found);
            let baselines = if is_refused { &[] } else { &*self.baselines };
            baselines.iter().fold(found, |found, baseline| baseline.keep_back(found, &self.snapshot))
        })
    }

    /// What is said about a file.
    #[must_use]
    pub fn diagnostics(&self, file: FileId) -> &[Diagnostic] {
        of_file(self.findings(), file)
    }

    pub(crate) fn unit(&self, file: FileId) -> Option<&Unit> {
        self.snapshot.units().get(file.0 as usize)
    }

    /// The items of a file.
    pub(crate) fn items(&self, file: FileId) -> impl Iterator<Item = ItemView<'_>> {
        let unit = self.unit(file);
        unit.into_iter().flat_map(|unit| unit.syntax.items.iter().enumerate().map(move |(index, slot)| view(unit, index, slot)))
    }

    /// The item that an offset touches.
    pub(crate) fn item_at(&self, file: FileId, offset: u32) -> Option<ItemView<'_>> {
        let unit = self.unit(file)?;
        let behind = unit.syntax.items.partition_point(|slot| slot.start <= offset);
        let index = behind.checked_sub(1)?;
        let slot = unit.syntax.items.get(index).filter(|slot| offset <= slot.end)?;
        Some(view(unit, index, slot))
    }

    /// The item of a declaration.
    pub(crate) fn item_of(&self, declaration: &Declaration) -> Option<ItemView<'_>> {
        let unit = self.unit(declaration.file)?;
        let slot = unit.syntax.items.get(declaration.item as usize)?;
        Some(view(unit, declaration.item as usize, slot))
    }

    /// The declaration that an item makes.
    pub(crate) fn declared_by(&self, item: &ItemView<'_>) -> Option<(DeclarationId, &Declaration)> {
        let id = self.model().declared_by(item.context.file, item.index)?;
        Some((id, self.model().get(id)?))
    }

    /// The nodes of a workflow.
    pub(crate) fn body(&self, workflow: DeclarationId) -> Option<&WorkflowBody> {
        let file = self.model().get(workflow)?.file;
        let bodies = self.snapshot.bodies().get(file.0 as usize)?;
        bodies.workflows.iter().find(|body| body.declaration == workflow).map(|body| &**body)
    }

    /// The file that an import names.
    pub(crate) fn imported_file(&self, item: &ItemView<'_>) -> Option<FileId> {
        self.unit(item.context.file)?.imports.get(item.index as usize).copied().flatten()
    }

    /// Where a declaration stands: its name, and all of it.
    pub(crate) fn target_of(&self, declaration: &Declaration) -> Target {
        let whole = self.item_of(declaration).map(|item| item.place(Span::new(0, item.slot.end - item.slot.start)));
        let name = self.in_text(declaration.place);
        Target { name, whole: whole.unwrap_or(name) }
    }
}

/// Those of some diagnostics, in their order, that are about a file.
fn of_file(all: &[Diagnostic], file: FileId) -> &[Diagnostic] {
    let start = all.partition_point(|found| found.primary.place.file < file);
    let end = all.partition_point(|found| found.primary.place.file <= file);
    all.get(start..end).unwrap_or_default()
}

fn view<'a>(unit: &'a Unit, index: usize, slot: &'a ItemSlot) -> ItemView<'a> {
    let context = ItemContext { file: unit.file, start: slot.start, text: unit.syntax.item_text(slot) };
    ItemView { index: index as u32, slot, context }
}

/// The word that says what an item is, for lists of symbols.
pub(crate) fn keyword(kind: &ItemKind) -> &'static str {
    match kind {
        ItemKind::Import(_) => "import",
        ItemKind::Type(_) => "type",
        ItemKind::Enum(_) => "enum",
        ItemKind::Union(_) => "union",
        ItemKind::Error(_) => "error",
        ItemKind::Event(_) => "event",
        ItemKind::Tool(_) => "tool",
        ItemKind::Toolkit(_) => "toolkit",
        ItemKind::Prompt(_) => "prompt",
        ItemKind::Agent(_) => "agent",
        ItemKind::Workflow(_) => "workflow",
        ItemKind::Test(_) => "test",
        ItemKind::Broken => "",
    }
}

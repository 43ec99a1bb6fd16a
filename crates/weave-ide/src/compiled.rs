//! What a workflow is compiled to, as its file is being written: its definition and its graph.

use std::sync::Arc;

use weave_compiler::{Compiled, Input, LoadError, Loader, Snapshot, check, debug, normalize_path};
use weave_diagnostics::{Diagnostic, FileId, closest, counted};
use weave_graph::{Graph, Source};

use crate::Analysis;

/// The forms of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GraphFormat {
    /// A picture.
    Svg,
    /// For Markdown.
    Mermaid,
    /// For Graphviz.
    Dot,
    /// For programs.
    Json,
}

/// Compiles a workflow of a file. Only this file and what it imports is looked at: an error elsewhere in the project is not in its way.
///
/// # Errors
///
/// With the reason, for people: the file or one that it imports has an error, or it declares no such workflow.
pub fn compile(analysis: &Analysis, file: FileId, workflow: &str) -> Result<Compiled, String> {
    alone(analysis, file, workflow, Snapshot::compile).map(|(_, compiled)| compiled)
}

/// Draws a workflow of a file, with what is reported about its nodes. An error in the graph of a workflow is shown in the picture.
///
/// # Errors
///
/// As those of [`compile`], but for errors in graphs.
pub fn graph(analysis: &Analysis, file: FileId, workflow: &str, format: GraphFormat) -> Result<String, String> {
    let (snapshot, compiled) = alone(analysis, file, workflow, Snapshot::sketch)?;
    let text = snapshot.sources().get(compiled.file).map_or("", |file| file.text());
    let mut graph = Graph::written(&compiled.definition, Source { map: &compiled.source_map, text });
    for diagnostic in snapshot.diagnostics() {
        if let Some(node) = compiled.node_at(diagnostic.primary.place) {
            graph.mark(node, diagnostic.message.as_str());
        } else if diagnostic.is_error() && compiled.contains(diagnostic.primary.place) {
            graph.mark(Graph::START, diagnostic.message.as_str());
        }
    }
    Ok(match format {
        GraphFormat::Svg => graph.svg(),
        GraphFormat::Mermaid => graph.mermaid(),
        GraphFormat::Dot => graph.dot(),
        GraphFormat::Json => graph.json(),
    })
}

/// The syntax trees of a file, for those who work on the compiler. Their form may change at any time.
#[must_use]
pub fn syntax_tree(analysis: &Analysis, file: FileId) -> String {
    debug::ast(analysis.text(file))
}

/// The workflow, and the program that consists of its file and of what this imports.
fn alone(
    analysis: &Analysis,
    file: FileId,
    workflow: &str,
    lower: impl Fn(&Snapshot) -> Result<Vec<Compiled>, Vec<Diagnostic>>,
) -> Result<(Snapshot, Compiled), String> {
    let source = analysis.source(file).ok_or("there is no such file")?;
    let root = Input { path: source.name().to_owned(), text: Arc::clone(source.text()) };
    let snapshot = check(vec![root], &Texts(analysis));
    let mut compiled = lower(&snapshot).map_err(|errors| match errors.first() {
        Some(error) => refusal(&snapshot, error),
        None => format!("{} cannot be compiled", source.name()),
    })?;
    if let Some(error) = snapshot.diagnostics().iter().find(|found| found.is_error() && compiled.is_empty()) {
        return Err(refusal(&snapshot, error));
    }
    match compiled.iter().position(|found| found.name == workflow) {
        Some(index) => Ok((snapshot, compiled.swap_remove(index))),
        None => Err(unknown(source.name(), workflow, &compiled)),
    }
}

fn refusal(snapshot: &Snapshot, first: &Diagnostic) -> String {
    let place = first.primary.place;
    let name = snapshot.sources().name(place.file);
    let line = snapshot.sources().get(place.file).map_or(0, |source| source.line_column(place.span.start).line) + 1;
    let others = snapshot.diagnostics().iter().filter(|found| found.is_error()).count().saturating_sub(1);
    let more = if others > 0 { format!(" (and {})", counted(others, "other error")) } else { String::new() };
    format!("{name}, line {line}: {}{more}", first.message)
}

fn unknown(file: &str, workflow: &str, compiled: &[Compiled]) -> String {
    let help = match closest(workflow, compiled.iter().map(|found| found.name.as_str())) {
        Some(near) => format!("did you mean `{near}`?"),
        None if compiled.is_empty() => "it declares none".to_owned(),
        None => format!("it declares {}", compiled.iter().map(|found| format!("`{}`", found.name)).collect::<Vec<_>>().join(", ")),
    };
    format!("{file} declares no workflow `{workflow}`; {help}")
}

/// Gives the texts that the analysis has read: those of the same moment.
struct Texts<'a>(&'a Analysis);

impl Loader for Texts<'_> {
    fn load(&self, name: &str) -> Result<Arc<str>, LoadError> {
        let file = self.0.file(&normalize_path(name)).and_then(|file| self.0.source(file));
        file.map(|source| Arc::clone(source.text())).ok_or(LoadError::NotFound)
    }
}

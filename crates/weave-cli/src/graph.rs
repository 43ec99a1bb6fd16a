//! `weave graph`: a workflow as a picture.

use std::path::PathBuf;

use weave_compiler::{Compiled, Snapshot};
use weave_diagnostics::{Diagnostic, counted};
use weave_graph::Graph;

use crate::args::{self, GraphFormat};
use crate::compile::{checked, merged};
use crate::failure::{Exit, Failure, Failures};
use crate::input::{display, gather};
use crate::terminal::Terminal;
use crate::write::Output;

pub(crate) fn run(arguments: &args::Graph, terminal: Terminal) -> Result<Exit, Failures> {
    let format = format(arguments)?;
    let inputs = gather(&arguments.paths.paths)?;
    let files = inputs.len();
    let snapshot = checked(inputs);
    let (compiled, lowering) = match snapshot.compile() {
        Ok(compiled) => (compiled, Vec::new()),
        Err(diagnostics) => (Vec::new(), diagnostics),
    };
    let diagnostics = merged(snapshot.diagnostics(), lowering);
    terminal.report(&diagnostics, snapshot.sources());
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(Exit::Errors);
    }
    let wanted = chosen(&compiled, arguments.workflow.as_deref(), files, &snapshot)?;
    let graph = marked(wanted, &snapshot);
    let text = match format {
        GraphFormat::Mermaid => graph.mermaid(),
        GraphFormat::Dot => graph.dot(),
        GraphFormat::Svg => graph.svg(),
        GraphFormat::Json => graph.json(),
    };
    match &arguments.output {
        Some(path) => {
            let inputs: Vec<PathBuf> = snapshot.sources().iter().map(|(_, file)| PathBuf::from(file.name())).collect();
            Output::new(path, inputs.iter().map(PathBuf::as_path))?.write(&text)?;
        }
        None => terminal.print(&text)?,
    }
    Ok(Exit::Clean)
}

/// The format that was asked for, or else the one that the extension of the output file names.
///
/// # Errors
///
/// If the extension is that of another format: `-o x.png` must not become a file of another format with that name.
fn format(arguments: &args::Graph) -> Result<GraphFormat, Failure> {
    let Some((path, None)) = arguments.output.as_ref().map(|path| (path, arguments.format)) else {
        return Ok(arguments.format.unwrap_or(GraphFormat::Mermaid));
    };
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("svg") => Ok(GraphFormat::Svg),
        Some("dot" | "gv") => Ok(GraphFormat::Dot),
        Some("json") => Ok(GraphFormat::Json),
        // A program is refused where it would be overwritten.
        Some("mmd" | "mermaid" | "md" | "txt" | "weave") | None => Ok(GraphFormat::Mermaid),
        Some(_) => Err(Failure::new(format!("cannot write `{}`: its extension is not that of a format that weave draws", display(path)))
            .help("use .svg, .dot, .gv, .json or .mmd, or choose the format with `--format`")),
    }
}

/// A picture shows one workflow: the one that is named, or the only one.
fn chosen<'a>(compiled: &'a [Compiled], name: Option<&str>, files: usize, snapshot: &Snapshot) -> Result<&'a Compiled, Failure> {
    const MOST_LISTED: usize = 10;
    let found = compiled.iter().filter(|workflow| name.is_none_or(|name| workflow.name == name)).collect::<Vec<_>>();
    let (message, listed, help) = match (found.as_slice(), name) {
        ([only], _) => return Ok(only),
        ([], None) => {
            let message = format!("there is no workflow in {}, so there is nothing to draw", counted(files, "file"));
            return Err(Failure::new(message));
        }
        ([], Some(name)) => {
            let near = weave_diagnostics::closest(name, compiled.iter().map(|workflow| workflow.name.as_str()));
            let help = near.map_or_else(|| "name one of these".to_owned(), |near| format!("did you mean `{near}`?"));
            (format!("there is no workflow `{name}`"), compiled.iter().collect(), help)
        }
        (several, None) => {
            let message = format!("there are {}, but a picture shows only one", counted(several.len(), "workflow"));
            (message, found, "choose one with `--workflow NAME`".to_owned())
        }
        (several, Some(name)) => {
            let message = format!("{} have the name `{name}`", counted(several.len(), "workflow"));
            (message, found, "name only the file of the one to draw".to_owned())
        }
    };
    let mut failure = Failure::new(message);
    for workflow in listed.iter().take(MOST_LISTED) {
        failure = failure.detail(format!("{} in {}", workflow.name, snapshot.sources().name(workflow.file)));
    }
    if listed.len() > MOST_LISTED {
        failure = failure.detail(format!("… and {} more", listed.len() - MOST_LISTED));
    }
    Err(failure.help(help))
}

/// The graph of a workflow; a node with a warning in it says so.
fn marked(compiled: &Compiled, snapshot: &Snapshot) -> Graph {
    let mut graph = Graph::of(&compiled.definition);
    for diagnostic in snapshot.diagnostics() {
        if let Some(node) = compiled.node_at(diagnostic.primary.place) {
            graph.mark(node, diagnostic.message.as_str());
        }
    }
    graph
}

//! `weave graph`: workflows as a picture.

use std::path::PathBuf;

use weave_compiler::{Compiled, Snapshot};
use weave_diagnostics::{Diagnostic, counted};
use weave_graph::{Graph, Source};

use crate::args::{self, GraphFormat};
use crate::compile::{checked, merged};
use crate::failure::{Exit, Failure, Failures};
use crate::input::{display, gather};
use crate::printed::Printed;
use crate::terminal::Terminal;
use crate::write::Output;

pub(crate) fn run(arguments: &args::Graph, terminal: Terminal) -> Result<Exit, Failures> {
    let format = format(arguments)?;
    let inputs = gather(&arguments.paths.paths)?;
    let files = inputs.len();
    let snapshot = checked(inputs);
    let (compiled, lowering) = match snapshot.sketch() {
        Ok(compiled) => (compiled, Vec::new()),
        Err(diagnostics) => (Vec::new(), diagnostics),
    };
    let diagnostics = merged(snapshot.diagnostics(), lowering);
    terminal.report(&diagnostics, snapshot.sources());
    // Errors of a graph are shown in its picture; with any other there is none.
    let exit = if diagnostics.iter().any(Diagnostic::is_error) { Exit::Errors } else { Exit::Clean };
    if exit != Exit::Clean && compiled.is_empty() {
        return Ok(exit);
    }
    let wanted = chosen(&compiled, arguments.workflow.as_deref(), files, &snapshot)?;
    let graphs = wanted.into_iter().map(|wanted| marked(wanted, &snapshot)).collect::<Vec<_>>();
    let text = match format {
        GraphFormat::Mermaid => weave_graph::mermaid(&graphs),
        GraphFormat::Dot => weave_graph::dot(&graphs),
        GraphFormat::Svg => weave_graph::svg(&graphs),
        GraphFormat::Json => weave_graph::json(&graphs),
    };
    match &arguments.output {
        Some(path) => {
            let inputs: Vec<PathBuf> = snapshot.sources().iter().map(|(_, file)| PathBuf::from(file.name())).collect();
            Output::new(path, inputs.iter().map(PathBuf::as_path))?.write(&text)?;
        }
        None => terminal.print(&Printed::exact(text))?,
    }
    Ok(exit)
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

/// The workflow that is named, or else all of them.
fn chosen<'a>(compiled: &'a [Compiled], name: Option<&str>, files: usize, snapshot: &Snapshot) -> Result<Vec<&'a Compiled>, Failure> {
    const MOST_LISTED: usize = 10;
    let found = compiled.iter().filter(|workflow| name.is_none_or(|name| workflow.name == name)).collect::<Vec<_>>();
    let (message, listed, help) = match (found.as_slice(), name) {
        ([_], _) | ([_, ..], None) => return Ok(found),
        ([], None) => {
            let message = format!("there is no workflow in {}, so there is nothing to draw", counted(files, "file"));
            return Err(Failure::new(message));
        }
        ([], Some(name)) => {
            let near = weave_diagnostics::closest(name, compiled.iter().map(|workflow| workflow.name.as_str()));
            let help = near.map_or_else(|| "name one of these".to_owned(), |near| format!("did you mean `{near}`?"));
            (format!("there is no workflow `{name}`"), compiled.iter().collect(), help)
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

/// The graph of a workflow. A node shows the diagnostics in its text; the start shows the errors of the workflow outside its nodes.
fn marked(compiled: &Compiled, snapshot: &Snapshot) -> Graph {
    let text = snapshot.sources().get(compiled.file).map_or("", |file| file.text());
    let mut graph = Graph::written(&compiled.definition, Source { map: &compiled.source_map, text });
    for diagnostic in snapshot.diagnostics() {
        if let Some(node) = compiled.node_at(diagnostic.primary.place) {
            graph.mark(node, diagnostic.message.as_str());
        } else if diagnostic.is_error() && compiled.contains(diagnostic.primary.place) {
            graph.mark(Graph::START, diagnostic.message.as_str());
        }
    }
    graph
}

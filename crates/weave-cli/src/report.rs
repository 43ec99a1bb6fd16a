//! Where diagnostics go: to the terminal as a drawing, or in some format to standard output or into a file.

use std::path::{Path, PathBuf};

use weave_compiler::{Snapshot, lint};
use weave_diagnostics::{Code, Diagnostic, FileId, SourceMap, summary};
use weave_report::{Format, Report, statistics_table, write};

use crate::args::{self, ReportFormat};
use crate::failure::Failure;
use crate::folder::relative;
use crate::input::display;
use crate::printed::Printed;
use crate::terminal::Terminal;
use crate::write::Output;

/// What was looked at.
#[derive(Debug)]
pub(crate) struct Looked {
    /// How many files; they are the first of the snapshot, behind the prelude.
    pub(crate) files: usize,
    /// What is said where nothing was found.
    pub(crate) nothing: String,
}

/// What is to be reported.
pub(crate) struct Findings<'a> {
    pub(crate) found: &'a [Diagnostic],
    pub(crate) sources: &'a SourceMap,
    /// The files that were looked at.
    pub(crate) files: Vec<FileId>,
    /// What each finding is known by, wherever its code moves.
    pub(crate) fingerprints: &'a dyn Fn() -> Vec<String>,
    /// What is said where nothing was found.
    pub(crate) nothing: String,
}

/// Reports diagnostics of a program in the form and to the place that were asked for.
pub(crate) fn report(
    found: &[Diagnostic],
    snapshot: &Snapshot,
    arguments: &args::Report,
    looked: &Looked,
    terminal: Terminal,
) -> Result<(), Failure> {
    let findings = Findings {
        found,
        sources: snapshot.sources(),
        files: (1..).take(looked.files).map(FileId).collect(),
        fingerprints: &|| snapshot.fingerprints(found),
        nothing: looked.nothing.clone(),
    };
    report_findings(&findings, arguments, terminal)
}

/// Reports findings in the form and to the place that were asked for.
pub(crate) fn report_findings(findings: &Findings<'_>, arguments: &args::Report, terminal: Terminal) -> Result<(), Failure> {
    let found = findings.found;
    let format = arguments.format.map(Format::from);
    match (&arguments.output, format) {
        (None, None) => terminal.report(found, findings.sources),
        (None, Some(format)) => terminal.print(&text(format, findings, terminal, terminal.colors_output())?)?,
        (Some(path), format) => {
            let text = text(format.unwrap_or(Format::Human), findings, terminal, false)?;
            may_write(path, findings.sources)?.write(text.text())?;
        }
    }
    if arguments.statistics {
        terminal.table(&statistics_table(found));
    }
    let is_drawn = matches!(format, None | Some(Format::Human | Format::Short));
    if found.is_empty() && (is_drawn || arguments.output.is_some()) {
        terminal.remark(&findings.nothing);
    } else if let (Some(counts), Some(path)) = (summary(found), &arguments.output) {
        terminal.remark(format!("{counts}; the report is in `{}`", display(path)));
    } else if let (Some(counts), Some(Format::Human)) = (summary(found), format) {
        terminal.remark(counts);
    }
    Ok(())
}

/// Where a report goes, if that is none of the files that it is about.
pub(crate) fn may_write(path: &Path, sources: &SourceMap) -> Result<Output, Failure> {
    let inputs: Vec<PathBuf> = sources.iter().map(|(_, file)| PathBuf::from(file.name())).collect();
    Output::new(path, inputs.iter().map(PathBuf::as_path))
}

/// Refuses `-o` before a command does anything, if it names one of these files.
pub(crate) fn refuse_output<'a>(arguments: &args::Report, inputs: impl IntoIterator<Item = &'a Path>) -> Result<(), Failure> {
    let output = arguments.output.as_deref().map(|path| Output::new(path, inputs));
    output.transpose().map(drop)
}

/// The text of a report.
fn text(format: Format, findings: &Findings<'_>, terminal: Terminal, color: bool) -> Result<Printed, Failure> {
    let fingerprints = (findings.fingerprints)();
    let all = findings.found.iter().zip(fingerprints);
    let wanted = all.filter(|(diagnostic, _)| !terminal.quiet || diagnostic.is_error());
    let (found, fingerprints): (Vec<Diagnostic>, Vec<String>) = wanted.map(|(diagnostic, known)| (diagnostic.clone(), known)).unzip();
    written(format, &found, findings.sources, &findings.files, &fingerprints, color)
}

/// Diagnostics in a format of one line each, for commands that have more to say than this.
pub(crate) fn lines(format: Format, found: &[Diagnostic], sources: &SourceMap) -> Result<Printed, Failure> {
    written(format, found, sources, &[], &[], false)
}

fn written(
    format: Format,
    diagnostics: &[Diagnostic],
    sources: &SourceMap,
    files: &[FileId],
    fingerprints: &[String],
    color: bool,
) -> Result<Printed, Failure> {
    let here = std::env::current_dir().unwrap_or_default();
    let paths: Vec<String> = sources.iter().map(|(_, file)| relative(Path::new(file.name()), &here)).collect();
    let version = env!("CARGO_PKG_VERSION");
    let report = Report { diagnostics, sources, paths: &paths, files, fingerprints, page: &page, version, color };
    let mut bytes = Vec::new();
    write(format, &report, &mut bytes).map_err(|error| Failure::new(format!("cannot write the report: {error}")))?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(match format {
        Format::Json | Format::JsonLines | Format::Sarif | Format::GitLab => Printed::json(&text),
        _ => Printed::drawn(&text),
    })
}

/// Where the page of an id is: below the address of the repository, once the packages name one.
pub(crate) fn page(code: &Code) -> String {
    let folder = match code.id {
        id if lint::find(id).is_some() => "rules",
        id if weave_diff::kind(id).is_some() => "changes",
        _ => "diagnostics",
    };
    let page = format!("docs/{folder}/{}.md", code.id);
    match env!("CARGO_PKG_REPOSITORY") {
        "" => page,
        repository => format!("{repository}/blob/v{}/{page}", env!("CARGO_PKG_VERSION")),
    }
}

impl From<ReportFormat> for Format {
    fn from(format: ReportFormat) -> Self {
        match format {
            ReportFormat::Human => Self::Human,
            ReportFormat::Short => Self::Short,
            ReportFormat::Json => Self::Json,
            ReportFormat::JsonLines => Self::JsonLines,
            ReportFormat::Sarif => Self::Sarif,
            ReportFormat::GitHub => Self::GitHub,
            ReportFormat::GitLab => Self::GitLab,
            ReportFormat::JUnit => Self::JUnit,
            ReportFormat::Checkstyle => Self::Checkstyle,
            ReportFormat::Agent => Self::Agent,
        }
    }
}

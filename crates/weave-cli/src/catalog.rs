//! `weave compile --catalog`: the tools in the forms of protocols and providers.

use std::collections::BTreeSet;

use weave_compiler::{CatalogDocument, CatalogFormat, Snapshot};
use weave_diagnostics::counted;

use crate::args;
use crate::failure::{Exit, Failure, Failures};
use crate::printed::Printed;
use crate::terminal::Terminal;

/// What stands before the form in the name of a file.
const STEM: &str = "tools";

/// A catalog in one form, written out.
#[derive(Debug)]
pub(crate) struct Written {
    /// The name of its file.
    pub(crate) file: String,
    /// Its text.
    pub(crate) text: String,
}

impl args::Catalog {
    const fn format(self) -> CatalogFormat {
        match self {
            Self::Mcp => CatalogFormat::Mcp,
            Self::OpenAi => CatalogFormat::OpenAi,
            Self::OpenAiChat => CatalogFormat::OpenAiChat,
            Self::Anthropic => CatalogFormat::Anthropic,
            Self::Gemini => CatalogFormat::Gemini,
            Self::Lash => CatalogFormat::Lash,
        }
    }
}

/// The catalogs in these forms; in all of them if none is named.
pub(crate) fn catalogs(snapshot: &Snapshot, asked: &[args::Catalog], compact: bool, terminal: Terminal) -> Result<Vec<Written>, Failures> {
    let catalog = snapshot.catalog().map_err(|clashes| clashes.iter().map(clash).collect::<Failures>())?;
    let mut formats: BTreeSet<CatalogFormat> = asked.iter().map(|format| format.format()).collect();
    if formats.is_empty() {
        formats.extend(CatalogFormat::ALL);
    }
    let written = formats.into_iter().map(|format| {
        let CatalogDocument { json, left_out } = weave_compiler::catalog(&catalog, format);
        for left in left_out {
            let what = match left.refusals.first() {
                None => "its name is rejected there".to_owned(),
                Some(refusal) if refusal.at.is_empty() => "its parameters are rejected there".to_owned(),
                Some(refusal) => format!("its parameters are rejected there, at `{}`", refusal.at),
            };
            terminal.remark(format!("warning: `{}` is left out of the catalog for {}: {what}", left.name, format.id()));
        }
        let text = if compact { format!("{json}\n") } else { format!("{json:#}\n") };
        Written { file: file(format), text }
    });
    Ok(written.collect())
}

/// Prints the one that is asked for.
pub(crate) fn print(snapshot: &Snapshot, arguments: &args::Compile, asked: &[args::Catalog], terminal: Terminal) -> Result<Exit, Failures> {
    if asked.len() != 1 {
        let count = if asked.is_empty() { CatalogFormat::ALL.len() } else { asked.len() };
        let failure = Failure::new(format!("there are {}, but standard output takes one", counted(count, "catalog")));
        return Err(failure.help("name one, as in `--catalog=mcp`, or write them to a folder with `-o DIR`").into());
    }
    for written in catalogs(snapshot, asked, arguments.compact, terminal)? {
        terminal.print(&Printed::json(&written.text))?;
    }
    Ok(Exit::Clean)
}

/// Whether a file of this name can only be a catalog.
pub(crate) fn is_catalog(name: &str) -> bool {
    CatalogFormat::ALL.into_iter().any(|format| file(format) == name)
}

fn file(format: CatalogFormat) -> String {
    format!("{STEM}.{}.json", format.id())
}

fn clash(clash: &weave_compiler::CatalogClash) -> Failure {
    let what = counted(clash.declarations.len(), "tool");
    let mut failure = Failure::new(format!("a catalog would list {what} as `{}`", clash.name)).in_files();
    for (name, file) in &clash.declarations {
        failure = failure.detail(format!("{name} in {file}"));
    }
    failure.help("rename all but one with `as` or with the `namespace` of a toolkit, or create a catalog of fewer files")
}

//! `weave gen`: services in other languages.

use std::path::{Path, PathBuf};

use weave_codegen::{GenerateError, Options, Ownership, Target};
use weave_diagnostics::{Diagnostic, counted};

use crate::args;
use crate::compile::{checked, merged};
use crate::config::{Configs, absolute, shown};
use crate::failure::{Exit, Failure, Failures};
use crate::go_module;
use crate::input::{display, gather};
use crate::printed::Printed;
use crate::scaffold;
use crate::templates::{self, Replaced};
use crate::terminal::Terminal;
use crate::write::Folder;

/// The file itself need not be there: the configuration is that of the folder in which the command runs.
const HERE: &str = "any.weave";

pub(crate) fn run(arguments: &args::Gen, terminal: Terminal) -> Result<Exit, Failures> {
    let target = arguments.language.target();
    if let Some(name) = &arguments.print_template {
        terminal.print(&Printed::exact(templates::text(target, name)?))?;
        return Ok(Exit::Clean);
    }
    let (folder, config) = output(arguments)?;
    terminal.report(&config.diagnostics, &config.sources);
    if config.diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(Exit::Errors);
    }
    let snapshot = checked(gather(&arguments.paths)?);
    let wants_builders = arguments.builders || config.builders(Path::new(HERE), target.name());
    let builders = || if wants_builders { snapshot.builders().map(Some) } else { Ok(None) };
    let (packages, builders, unwritable) = match snapshot.packages().and_then(|packages| Ok((packages, builders()?))) {
        Ok((packages, builders)) => (packages, builders, Vec::new()),
        Err(diagnostics) => (Vec::new(), None, diagnostics),
    };
    let diagnostics = merged(snapshot.diagnostics(), unwritable);
    terminal.report(&diagnostics, snapshot.sources());
    if diagnostics.iter().any(Diagnostic::is_error) {
        if !arguments.check {
            terminal.remark("Nothing was written.");
        }
        return Ok(Exit::Errors);
    }
    let mcp = arguments.mcp || config.mcp(Path::new(HERE), target.name());
    let header = config.header(Path::new(HERE), target.name());
    let options = Options { import_path: import_path(target, &folder, &config)?, builders, mcp, header };
    let files = weave_codegen::generate(target, &packages, &options).map_err(|error| refused(&error))?;
    let list = target.list();
    let place = Folder::new(&folder, &list)?;
    let earlier = place.earlier(arguments.force, |text| Ownership::read(text).ok())?;
    let plan = place.plan(&files, &earlier, arguments.force)?;
    let list = Ownership::of(&files).text();
    let told = |what: &str| terminal.remark(format!("{} in `{}`: {what}", counted(files.len(), "file"), display(&folder)));
    if arguments.check {
        return match place.stale(place.differences(&plan, &list)?) {
            Some(failure) => Err(failure.into()),
            None => {
                told("up to date");
                Ok(Exit::Clean)
            }
        };
    }
    // Whether there is a place for skeletons shows before anything is written.
    let skeletons = arguments.scaffold.as_ref().map(|named| {
        let configured = || config.scaffold(Path::new(HERE), target.name()).map(|folder| shown(&absolute(&folder)));
        scaffold::folder(target, &folder, named.clone().or_else(configured))
    });
    let skeletons = skeletons.transpose()?;
    let templates =
        arguments.templates.clone().or_else(|| config.templates(Path::new(HERE), target.name()).map(|it| shown(&absolute(&it))));
    let templates = skeletons.is_some().then(|| Replaced::read(target, templates)).transpose()?;
    let prepared = skeletons.zip(templates.as_ref()).map(|(skeletons, templates)| {
        let module = config.module(Path::new(HERE), target.name());
        let import_path = &options.import_path;
        scaffold::prepare(scaffold::Order {
            target,
            packages: &packages,
            output: &folder,
            folder: skeletons,
            module,
            import_path,
            templates,
        })
    });
    let prepared = prepared.transpose()?;
    let done = place.write(&plan, &files, &list, &earlier, terminal)?;
    told(done.words().as_deref().unwrap_or("nothing to do"));
    if let Some(prepared) = prepared {
        scaffold::write(&prepared, terminal)?;
    }
    Ok(Exit::Clean)
}

/// The folder to write into, and the configuration that names it.
fn output(arguments: &args::Gen) -> Result<(PathBuf, Configs), Failures> {
    let language = arguments.language.target().name();
    let mut configs = Configs::new(None)?;
    let here = Path::new(HERE);
    configs.find(here)?;
    let named = arguments.output.clone().or_else(|| configs.output(here, language).map(|folder| shown(&absolute(&folder))));
    if let Some(folder) = named {
        return Ok((folder, configs));
    }
    // What is wrong with a weave.toml may be why it names no folder.
    if !configs.diagnostics.is_empty() {
        return Ok((PathBuf::new(), configs));
    }
    let failure = Failure::new("no output folder is set");
    Err(failure.help(format!("set it with `-o DIR`, or in weave.toml: `[gen.{language}]` with `output = \"src/gen\"`")).into())
}

/// Under which path the folder is imported, for languages in which that stands in the files.
fn import_path(target: Target, folder: &Path, config: &Configs) -> Result<String, Failure> {
    if target != Target::Go {
        return Ok(String::new());
    }
    if let Some(path) = config.module(Path::new(HERE), target.name()) {
        return Ok(path.to_owned());
    }
    go_module::import_path(folder)
}

fn refused(error: &GenerateError) -> Failure {
    let GenerateError::Cycle(sources) = error;
    let others = sources.iter().skip(1).chain(sources.first());
    let mut failure = Failure::new("Go packages cannot import each other, but these files do").in_files();
    for (source, other) in sources.iter().zip(others) {
        failure = failure.detail(format!("`{source}` uses what `{other}` declares"));
    }
    failure.help("move the shared declarations to a separate file that both import")
}

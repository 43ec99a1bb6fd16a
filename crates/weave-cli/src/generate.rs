//! `weave gen`: services in other languages.

use std::io;
use std::path::{Path, PathBuf};

use weave_codegen::{Change, GenerateError, Lying, Options, OutputFile, Ownership, Plan, Target};
use weave_diagnostics::{Diagnostic, counted};

use crate::args;
use crate::compile::{cannot_write, checked, merged};
use crate::config::{Configs, absolute, shown};
use crate::failure::{Exit, Failure, Failures, reason};
use crate::go_module;
use crate::input::{display, gather};
use crate::scaffold;
use crate::templates::{self, Replaced};
use crate::terminal::Terminal;
use crate::write::write_beside;

/// The file itself need not be there: the configuration is that of the folder in which the command runs.
const HERE: &str = "any.weave";

pub(crate) fn run(arguments: &args::Gen, terminal: Terminal) -> Result<Exit, Failures> {
    let target = arguments.language.target();
    if let Some(name) = &arguments.print_template {
        terminal.print(templates::text(target, name)?)?;
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
    let earlier = earlier(&folder, &list)?;
    let plan = weave_codegen::plan(&files, &earlier, |path| lying(&folder.join(path)))?;
    let output = Output { folder: &folder, list: &list, files: &files, earlier: &earlier };
    refuse(&plan, &folder)?;
    if arguments.check {
        return output.compare(&plan, terminal);
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
    output.write(&plan, terminal)?;
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
    let failure = Failure::new("there is no folder to write into");
    Err(failure.help(format!("name it with `-o DIR`, or in a weave.toml: `[gen.{language}]` with `output = \"src/gen\"`")).into())
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
    let mut failure = Failure::new("packages of Go cannot use each other, and these files do").in_files();
    for (source, other) in sources.iter().zip(others) {
        failure = failure.detail(format!("`{source}` uses what `{other}` declares"));
    }
    failure.help("put what both use into a file of its own, which both import")
}

/// The list of an earlier run; an empty one where there is none.
fn earlier(folder: &Path, list: &str) -> Result<Ownership, Failure> {
    if folder.is_file() {
        return Err(Failure::new(format!("`{}` is a file, not a folder", display(folder))).help("`-o` takes the folder to write into"));
    }
    let path = folder.join(list);
    match std::fs::read(&path) {
        Ok(bytes) => Ownership::read(&String::from_utf8_lossy(&bytes)).map_err(|_| {
            Failure::new(format!("`{}` was not written by this version of weave", display(&path)))
                .help("choose another folder with `-o`, or remove that file and what was generated")
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Ownership::default()),
        Err(error) => Err(cannot_read(&path, &error)),
    }
}

pub(crate) fn cannot_read(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("cannot read `{}`: {}", display(path), reason(error)))
}

fn lying(path: &Path) -> Result<Lying, Failure> {
    match path.symlink_metadata() {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound) => Ok(Lying::Nothing),
        Err(error) => Err(cannot_read(path, &error)),
        // What a link leads to is not ours to replace.
        Ok(found) if !found.is_file() => Ok(Lying::Other),
        Ok(_) => std::fs::read(path).map(Lying::File).map_err(|error| cannot_read(path, &error)),
    }
}

/// Nothing is written where something stands in the way.
fn refuse(plan: &Plan, folder: &Path) -> Result<(), Failure> {
    if plan.foreign.is_empty() && plan.edited.is_empty() {
        return Ok(());
    }
    let count = plan.foreign.len() + plan.edited.len();
    let mut failure = Failure::new(format!("{} would be overwritten in `{}`", counted(count, "file"), display(folder))).in_files();
    for path in &plan.edited {
        failure = failure.detail(format!("`{}` was changed since it was generated", display(&folder.join(path))));
    }
    for path in &plan.foreign {
        failure = failure.detail(format!("`{}` was not generated by weave", display(&folder.join(path))));
    }
    Err(failure.help("move what you wrote elsewhere, or remove it, and generate again"))
}

/// What shall lie in the folder.
struct Output<'a> {
    folder: &'a Path,
    list: &'a str,
    files: &'a [OutputFile],
    earlier: &'a Ownership,
}

impl Output<'_> {
    /// Brings the folder to what the plan says, touching only what differs.
    fn write(&self, plan: &Plan, terminal: Terminal) -> Result<Exit, Failures> {
        let [mut written, mut removed] = [0; 2];
        for change in &plan.changes {
            let path = self.folder.join(change.path());
            match change {
                Change::Create(_) | Change::Replace(_) => {
                    let parent = path.parent().unwrap_or(self.folder);
                    std::fs::create_dir_all(parent).map_err(|error| cannot_write(parent, &error))?;
                    write_beside(&path, self.contents(change.path())).map_err(|error| cannot_write(&path, &error))?;
                    written += 1;
                }
                Change::Remove(_) => {
                    std::fs::remove_file(&path)
                        .map_err(|error| Failure::new(format!("cannot remove `{}`: {}", display(&path), reason(&error))))?;
                    removed += 1;
                    // The folder of a package that is no more; one in which something lies stays.
                    let _ = path.parent().filter(|parent| *parent != self.folder).map(std::fs::remove_dir);
                }
            }
        }
        for path in &plan.kept {
            terminal.remark(&format!(
                "warning: `{}` is not generated any more, but was changed since it was written, so it was left; remove it if nobody needs it",
                display(&self.folder.join(path))
            ));
        }
        self.write_list()?;
        let what = match (written, removed) {
            (0, 0) => "nothing to do".to_owned(),
            (written, 0) => format!("{} written", counted(written, "file")),
            (0, removed) => format!("{} removed", counted(removed, "file")),
            (written, removed) => format!("{} written, {removed} removed", counted(written, "file")),
        };
        terminal.remark(&format!("{} in `{}`: {what}", counted(self.files.len(), "file"), display(self.folder)));
        Ok(Exit::Clean)
    }

    fn write_list(&self) -> Result<(), Failure> {
        let list = Ownership::of(self.files);
        let path = self.folder.join(self.list);
        if list == *self.earlier && path.exists() {
            return Ok(());
        }
        std::fs::create_dir_all(self.folder).map_err(|error| cannot_write(self.folder, &error))?;
        write_beside(&path, &list.text()).map_err(|error| cannot_write(&path, &error))
    }

    fn contents(&self, path: &str) -> &str {
        self.files.iter().find(|file| file.path == path).map_or("", |file| file.contents.as_str())
    }

    /// Says how the folder differs from the plan, and writes nothing.
    fn compare(&self, plan: &Plan, terminal: Terminal) -> Result<Exit, Failures> {
        if plan.changes.is_empty() {
            terminal.remark(&format!("{} in `{}`: up to date", counted(self.files.len(), "file"), display(self.folder)));
            return Ok(Exit::Clean);
        }
        let mut failure = Failure::new(format!("`{}` is not up to date", display(self.folder))).in_files();
        for change in &plan.changes {
            let path = display(&self.folder.join(change.path()));
            failure = failure.detail(match change {
                Change::Create(_) => format!("`{path}` is missing"),
                Change::Replace(_) => format!("`{path}` is out of date"),
                Change::Remove(_) => format!("`{path}` is not generated any more"),
            });
        }
        Err(failure.help("the same command without `--check` brings it up to date").into())
    }
}

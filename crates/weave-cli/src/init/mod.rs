//! `weave init`: a project to start from.

use std::path::Path;

use weave_diagnostics::counted;

use crate::args::{self, Ci};
use crate::compile::cannot_write;
use crate::failure::{Exit, Failure, Failures};
use crate::input::display;
use crate::terminal::Terminal;
use crate::write::{create, refuse_link};

/// The text of a file, by its path from the folder of the project.
struct Part {
    path: &'static str,
    text: String,
}

impl Part {
    fn new(path: &'static str, text: &str) -> Self {
        Self { path, text: text.to_owned() }
    }
}

/// The files of a project.
fn parts(ci: Ci) -> Vec<Part> {
    let mut parts = vec![
        Part::new("weave.toml", include_str!("weave.toml")),
        // The schema lies in the project, so that editors need no network and know the rules of the version that made it.
        Part::new(".weave/weave-toml.schema.json", &weave_compiler::lint::config_schema_text()),
        Part::new("flows/answer.weave", include_str!("answer.weave")),
        Part::new("flows/answer_test.weave", include_str!("answer_test.weave")),
        Part::new(".gitignore", include_str!("gitignore")),
    ];
    match ci {
        Ci::Github => parts.push(Part::new(".github/workflows/weave.yml", include_str!("github.yml"))),
        Ci::Gitlab => parts.push(Part::new(".gitlab-ci.yml", include_str!("gitlab.yml"))),
        Ci::None => {}
    }
    parts
}

/// Writes the files that are not there. What is there stays as it is.
pub(crate) fn run(arguments: &args::Init, terminal: Terminal) -> Result<Exit, Failures> {
    let folder = &arguments.folder;
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::new(format!("cannot create a project in `{}`: it is a file", display(folder))).help("name a folder").into());
    }
    let (mut written, mut kept) = (Vec::new(), Vec::new());
    for part in parts(arguments.ci) {
        let path = folder.join(part.path);
        path.parent().map(refuse_link).transpose()?;
        match create(&path, &part.text) {
            Ok(true) => written.push(part.path),
            Ok(false) => kept.push(part.path),
            Err(error) => return Err(cannot_write(&path, &error).into()),
        }
    }
    told(folder, &written, &kept, arguments.ci).lines().for_each(|line| terminal.remark(line));
    Ok(Exit::Clean)
}

/// What was done, and what to do next.
fn told(folder: &Path, written: &[&str], kept: &[&str], ci: Ci) -> String {
    let place = if folder == Path::new(".") { "this folder".to_owned() } else { format!("`{}`", display(folder)) };
    let mut text = match written.len() {
        0 => format!("Nothing is missing in {place}.\n"),
        count => format!("Wrote {} in {place}:\n", counted(count, "file")),
    };
    for path in written {
        text.push_str(&format!("  {path}\n"));
    }
    if !kept.is_empty() {
        text.push_str(&format!("Not changed: {}.\n", kept.join(", ")));
    }
    text.push_str("Next:\n");
    if folder != Path::new(".") {
        text.push_str(&format!("  cd {}\n", display(folder)));
    }
    text.push_str("  weave run flows --mock           run the workflow with made-up answers\n");
    text.push_str("  weave test                       run its tests\n");
    text.push_str("  weave lint .                     report errors and likely mistakes\n");
    text.push_str("  weave compile flows -o build     write the definitions");
    let ci_file = match ci {
        Ci::Github => ".github/workflows/weave.yml",
        Ci::Gitlab => ".gitlab-ci.yml",
        Ci::None => return text,
    };
    if written.contains(&ci_file) {
        text.push_str(&format!("\n  set the source of weave in {ci_file}"));
    }
    text
}

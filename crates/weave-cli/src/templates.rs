//! The templates that skeletons are made from: those that come with weave, and those that somebody has put in their place.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use weave_codegen::{Place, Skeleton, Target, TemplateError, Templates};
use weave_diagnostics::closest;
use weave_ir::package::Package;

use crate::failure::Failure;
use crate::input::display;
use crate::read::read_file;
use crate::write::cannot_read;

/// The templates of a language, some of which a folder replaces.
pub(crate) struct Replaced {
    templates: Templates,
    folder: Option<PathBuf>,
}

impl Replaced {
    /// Reads the templates in a folder. What has a name that no template has is refused: it would never be looked at.
    pub(crate) fn read(target: Target, folder: Option<PathBuf>) -> Result<Self, Failure> {
        let replaced = folder.as_deref().map(|folder| found(target, folder)).transpose()?.unwrap_or_default();
        let templates = Templates::new(weave_codegen::templates(target), &replaced);
        let templates = templates.map_err(|error| refused(target, folder.as_deref(), &error))?;
        Ok(Self { templates, folder })
    }

    pub(crate) fn scaffold(&self, target: Target, packages: &[Package], place: &Place) -> Result<Vec<Skeleton>, Failure> {
        let skeletons = weave_codegen::scaffold(target, packages, place, &self.templates);
        skeletons.map_err(|error| refused(target, self.folder.as_deref(), &error))
    }
}

/// The text of a template that comes with weave.
pub(crate) fn text(target: Target, name: &str) -> Result<&'static str, Failure> {
    let ours = weave_codegen::templates(target);
    ours.iter().find(|(known, _)| *known == name).map(|(_, text)| *text).ok_or_else(|| unknown(target, name, name))
}

fn found(target: Target, folder: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let mut texts = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(|error| cannot_read(folder, &error))? {
        let path = entry.map_err(|error| cannot_read(folder, &error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Such files are those of editors and of systems.
        if name.starts_with('.') {
            continue;
        }
        let text = read_file(&path).map_err(|error| Failure::new(format!("cannot read `{}`: {error}", display(&path))));
        texts.insert(name, (path, text));
    }
    let known = |name: &str| weave_codegen::templates(target).iter().any(|(known, _)| *known == name);
    let named = texts.into_iter().map(|(name, (path, text))| {
        let text = if known(&name) { text?.to_string() } else { return Err(unknown(target, &display(&path), &name)) };
        Ok((name, text))
    });
    named.collect()
}

fn unknown(target: Target, shown: &str, name: &str) -> Failure {
    let names: Vec<&str> = weave_codegen::templates(target).iter().map(|(name, _)| *name).collect();
    let listed = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let near = closest(name, names).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    Failure::new(format!("`{shown}` is not a template for {}", target.name())).help(format!("{near}the templates are {listed}"))
}

fn refused(target: Target, folder: Option<&Path>, error: &TemplateError) -> Failure {
    let path = folder.map_or_else(|| error.name.clone(), |folder| display(&folder.join(&error.name)));
    let line = error.line.map(|line| format!(", line {line}")).unwrap_or_default();
    let failure = Failure::new(format!("the template `{path}`{line}: {}", error.reason)).in_files();
    failure.help(format!("`weave gen {} --print-template {}` prints the built-in one", target.name(), error.name))
}

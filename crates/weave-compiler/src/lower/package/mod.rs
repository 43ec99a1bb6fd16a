//! From the typed model to packages, from which services are generated.

mod named;
mod parts;
mod types;

use rustc_hash::{FxHashMap, FxHashSet};
use weave_analysis::model::declarations::TargetNames;
use weave_analysis::model::naming::{Role, TargetLanguage};
use weave_analysis::model::{Declaration, DeclarationId, DeclarationKind, Model};
use weave_diagnostics::{FileId, SourceMap};
use weave_ir::package::Package;

use super::{Compiled, Program, names};
use crate::schema::Schemas;
use named::Taken;

/// The packages of the files, each with its description, in the order of the files; one for each file that declares something.
pub(crate) fn packages(program: &Program<'_>, compiled: &[Compiled], description: impl Fn(FileId) -> Option<String>) -> Vec<Package> {
    let (model, sources) = (program.model, program.sources);
    let files = declaring(model);
    let folders = folders(&files, sources);
    let types: Vec<DeclarationId> = ids(model).filter(|(_, it)| it.file != PRELUDE && is_type(it)).map(|(id, _)| id).collect();
    let type_names = names::names(model, &types);
    let schemas = Schemas { model, names: &type_names };
    let one = |file: &FileId| {
        let mut lowering = Lowering::new(program, schemas, &folders, *file);
        let mut package = lowering.package(compiled);
        package.name = folders.get(file).cloned().unwrap_or_default();
        package.source = file_name(sources.name(*file)).to_owned();
        package.description = description(*file);
        package
    };
    files.iter().map(one).collect()
}

/// The file of what is built in.
pub(super) const PRELUDE: FileId = FileId(0);

pub(super) fn ids(model: &Model) -> impl Iterator<Item = (DeclarationId, &Declaration)> {
    (0..).map(DeclarationId).zip(model.declarations.iter().map(|it| &**it))
}

pub(super) const fn is_type(declaration: &Declaration) -> bool {
    matches!(declaration.kind, DeclarationKind::Type(_) | DeclarationKind::Enum(_) | DeclarationKind::Union(_) | DeclarationKind::Error(_))
}

/// The files that declare something, in their order.
pub(super) fn declaring(model: &Model) -> Vec<FileId> {
    let mut files: Vec<FileId> = model.declarations.iter().map(|it| it.file).filter(|file| *file != PRELUDE).collect();
    files.dedup();
    files
}

fn file_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// The name of each file's package: that of the file; where several would have one name, with as many of their folders as tell them apart.
pub(super) fn folders(files: &[FileId], sources: &SourceMap) -> FxHashMap<FileId, String> {
    let parts: Vec<Vec<String>> = files.iter().map(|file| words(sources.name(*file))).collect();
    let mut used: Vec<usize> = vec![1; files.len()];
    let name = |index: usize, used: &[usize]| {
        let (Some(parts), Some(used)) = (parts.get(index), used.get(index)) else { return String::new() };
        let from = parts.len().saturating_sub(*used);
        parts.get(from..).unwrap_or_default().join("_")
    };
    loop {
        let mut count: FxHashMap<String, usize> = FxHashMap::default();
        (0..files.len()).for_each(|index| *count.entry(name(index, &used)).or_default() += 1);
        let shared: Vec<usize> = (0..files.len()).filter(|index| count.get(&name(*index, &used)).is_some_and(|count| *count > 1)).collect();
        let mut grown = false;
        for index in shared {
            if let (Some(used), Some(parts)) = (used.get_mut(index), parts.get(index))
                && *used < parts.len()
            {
                *used += 1;
                grown = true;
            }
        }
        if !grown {
            break;
        }
    }
    let mut taken = FxHashSet::default();
    let distinct = |(index, file): (usize, &FileId)| {
        let name = name(index, &used);
        let mut candidates = std::iter::once(name.clone()).chain((2_usize..).map(|number| format!("{name}_{number}")));
        (*file, candidates.find(|candidate| taken.insert(candidate.clone())).unwrap_or(name.clone()))
    };
    files.iter().enumerate().map(distinct).collect()
}

/// The folders of a file and the file, each as a word that may be a package in any language.
fn words(name: &str) -> Vec<String> {
    let stem = name.strip_suffix(".weave").unwrap_or(name);
    let word = |part: &str| {
        let ascii: String = part.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect();
        let word = TargetLanguage::Python.call(Role::Member, &ascii, &TargetNames::default());
        if word.starts_with(|first: char| first.is_ascii_digit()) { format!("p{word}") } else { word }
    };
    let words: Vec<String> = stem.split(['/', '\\']).map(word).filter(|word| !word.is_empty()).collect();
    if words.is_empty() { vec!["package".to_owned()] } else { words }
}

/// Lowers the declarations of one file.
struct Lowering<'a> {
    program: &'a Program<'a>,
    model: &'a Model,
    schemas: Schemas<'a>,
    folders: &'a FxHashMap<FileId, String>,
    file: FileId,
    taken: Taken,
    types: Vec<weave_ir::package::TypeDeclaration>,
}

impl<'a> Lowering<'a> {
    fn new(program: &'a Program<'a>, schemas: Schemas<'a>, folders: &'a FxHashMap<FileId, String>, file: FileId) -> Self {
        Self { program, model: program.model, schemas, folders, file, taken: Taken::default(), types: Vec::new() }
    }

    fn package(&mut self, compiled: &[Compiled]) -> Package {
        let model = self.model;
        let own: Vec<(DeclarationId, &Declaration)> = ids(model).filter(|(_, it)| it.file == self.file).collect();
        self.taken = Taken::new(own.iter().filter(|(_, it)| is_type(it)).map(|(_, it)| &*it.name));
        // What the check for clashes has compared keeps its name, whatever else there is.
        for (_, declaration) in &own {
            self.taken.reserve(declaration);
        }
        for (id, declaration) in own.iter().filter(|(_, it)| is_type(it)) {
            self.declared(*id, declaration);
        }
        let mut package = Package::default();
        for (id, declaration) in &own {
            self.part(*id, declaration, compiled, &mut package);
        }
        package.types = std::mem::take(&mut self.types);
        package
    }
}
